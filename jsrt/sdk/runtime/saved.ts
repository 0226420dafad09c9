// parseSavedHttp: the JSON of an answer that was saved for tests.
//
// A saved body is {state: "saved", body: text, encoding?: "utf8" | "base64"}; any other state says why there is none.

import { type EffectModule, instantly } from "./effects";
import { isObject } from "./define";
import { FixtureUnavailable } from "./errors";
import { schemaOf } from "./schemas";

export function savedAnswers(effect: EffectModule): any {
  const now = instantly(effect);
  const parseSavedHttp = (fixture: any, schema: unknown): any =>
    now(() => {
      if (!isObject(fixture) || fixture.state !== "saved" || typeof fixture.body !== "string") throw new FixtureUnavailable({ reason: "missing_body" });
      let value: unknown;
      try {
        value = JSON.parse(savedText(fixture as any));
      } catch (cause) {
        if (cause instanceof FixtureUnavailable) throw cause;
        throw new FixtureUnavailable({ reason: "invalid_json", cause });
      }
      const read = schemaOf(schema, "parseSavedHttp's schema").decode(value);
      if ("error" in read) throw new FixtureUnavailable({ reason: "invalid_json", cause: read.error });
      return read.value;
    });
  return { parseSavedHttp };
}

function savedText({ body, encoding = "utf8" }: { body: string; encoding?: string }): string {
  if (encoding === "utf8" || encoding === "utf-8") return body;
  if (encoding !== "base64") throw new FixtureUnavailable({ reason: "unsupported_encoding" });
  return new TextDecoder().decode(Buffer.from(body, "base64"));
}
declare const Buffer: any;
