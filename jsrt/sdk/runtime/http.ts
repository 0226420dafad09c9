// SiteHttp: requests to the site without a page, and the readers that make text and data of their answers. Requests are checked, bounded
// and sent by the host; here they only become JSON and come back.

import { type EffectModule, attempting } from "./effects";
import { EmbeddedJsonFailure, HttpFailure, OperationFailure } from "./errors";
import { readEmbedded } from "./html";
import type { Native } from "./host";
import { schemaOf } from "./schemas";

const capabilities = Object.freeze(["chromium-network", "session-cookies", "assigned-proxy", "page-environment", "buffered-response-v1"]);

// plain is a request as JSON. What JSON cannot hold becomes null, which no field takes, so that the host's check refuses it.
const plain = (request: unknown): string =>
  JSON.stringify(request, (_, held) => (typeof held === "bigint" || typeof held === "function" || typeof held === "symbol" ? null : held)) ?? "null";

// siteHttp is the service a run of an HTTP version has.
export function siteHttp(effect: EffectModule, native: Native, siteOrigin: string | undefined): any {
  const attempt = attempting(effect);
  let tokens = 0;
  return Object.freeze({
    capabilities,
    siteOrigin,
    request: (request: unknown) => attempt((signal) => sent(native, request, ++tokens, signal)),
  });
}

async function sent(native: Native, request: unknown, token: number, signal: AbortSignal): Promise<any> {
  let text: string;
  try {
    text = plain(request);
  } catch {
    text = "null"; // a cycle
  }
  let head: string;
  let body: ArrayBuffer;
  try {
    signal.addEventListener("abort", () => native.cancelHttp(token));
    [head, body] = await native.sendHttp(text, token);
  } catch (thrown: any) {
    throw new HttpFailure({ code: "transport_failed", dispatch: "unknown", message: `The request failed: ${thrown?.message}`, failureDetail: thrown?.message });
  }
  const { response, failure } = JSON.parse(head);
  if (failure) throw new HttpFailure(failure);
  return { ...response, body: new Uint8Array(body) };
}

export const isBotChallenge = (response: any): boolean => response?.challenge === true;

const safe = ["GET", "HEAD", "OPTIONS"];
const asksForPage = (request: any): boolean => Array.isArray(request?.requires) && request.requires.includes("page-environment");
const inPage = (request: any) => ({ ...request, requires: [...(request.requires ?? []), "page-environment"] });

// about is what an OperationFailure says of the answer it is about.
function about(kind: "destination_status" | "parsing", request: any, response: any): any {
  const url = String(response.requestUrl ?? request.url).split(/[?#]/, 1)[0];
  const contentType = response.headers?.["content-type"]?.[0];
  return {
    class: kind,
    request: { method: request.method, url },
    status: response.status,
    ...(contentType === undefined ? {} : { contentType }),
    transport: response.transport,
    bytes: response.body.length,
  };
}

const named = ({ request }: any) => `${request.method} ${request.url}`;

const statusFailure = (request: any, response: any): any => {
  const http = about("destination_status", request, response);
  const why = isBotChallenge(response) ? "a bot challenge" : `status ${response.status}`;
  return new OperationFailure(`${named(http)} was answered with ${why}`, { dispatch: "sent", http });
};

const parsingFailure = (request: any, response: any, why: string, cause?: unknown): any => {
  const http = about("parsing", request, response);
  return new OperationFailure(`The answer to ${named(http)} ${why}`, { dispatch: "sent", http, cause });
};

export function readers(effect: EffectModule): any {
  const { Effect, Either } = effect;

  const requestPastChallenge = (http: any, request: any): any =>
    Effect.flatMap(http.request(request), (response: any) =>
      isBotChallenge(response) && safe.includes(request.method) && response.transport !== "page-fetch" && !asksForPage(request)
        ? http.request(inPage(request))
        : Effect.succeed(response),
    );

  const readText = (http: any, request: any): any =>
    Effect.flatMap(http.request(request), (response: any) => {
      if (isBotChallenge(response) || response.status < 200 || response.status > 299) return Effect.fail(statusFailure(request, response));
      return Effect.succeed({ text: new TextDecoder().decode(response.body), response });
    });

  const decoded = (request: any, response: any, value: unknown, schema: unknown): any => {
    const read = schemaOf(schema, "the schema of the answer").decode(value);
    if (!("error" in read)) return Effect.succeed(read.value);
    return Effect.fail(parsingFailure(request, response, `does not fit its schema: ${read.error.message}`, read.error));
  };

  const hasAccept = (headers: any): boolean => Object.keys(headers ?? {}).some((name) => name.toLowerCase() === "accept");
  const readJson = (http: any, request: any, schema: unknown): any => {
    const asking = hasAccept(request?.headers) ? request : { ...request, headers: { ...request?.headers, accept: "application/json" } };
    return Effect.flatMap(readText(http, asking), ({ text, response }: any) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (cause) {
        return Effect.fail(parsingFailure(request, response, "is not JSON", cause));
      }
      return decoded(request, response, value, schema);
    });
  };

  const embeddedJson = (text: unknown, selector: unknown): any => {
    try {
      return Either.right(readEmbedded(text, selector));
    } catch (thrown) {
      if (thrown instanceof EmbeddedJsonFailure) return Either.left(thrown);
      throw thrown;
    }
  };

  // readEmbeddedJson reads the page once more in the run's own page when the first answer lacks the data: pages that are put together by
  // script hold it only there. A second read that fails changes nothing about the first.
  const readEmbeddedJson = (http: any, request: any, selector: unknown, schema: unknown): any => {
    const once = (asking: any): any =>
      Effect.flatMap(readText(http, asking), ({ text, response }: any) => {
        try {
          return Effect.map(decoded(asking, response, readEmbedded(text, selector), schema), (value: any) => ({ value }));
        } catch (thrown: any) {
          if (!(thrown instanceof EmbeddedJsonFailure)) throw thrown;
          const failure = parsingFailure(asking, response, `does not hold the data: ${(thrown as any).message}`, thrown);
          return Effect.succeed({ failure, response, missing: (thrown as any).reason === "missing" });
        }
      });
    return Effect.flatMap(once(request), (first: any) => {
      if (!first.failure) return Effect.succeed(first.value);
      const again =
        first.missing &&
        safe.includes(request.method) &&
        !["page-fetch", "saved-http"].includes(first.response.transport) &&
        http.capabilities.includes("page-environment") &&
        !asksForPage(request);
      if (!again) return Effect.fail(first.failure);
      return Effect.flatMap(
        Effect.catchAll(once(inPage(request)), () => Effect.succeed(first)),
        (second: any) => (second.failure ? Effect.fail(first.failure) : Effect.succeed(second.value)),
      );
    });
  };

  return { requestPastChallenge, readText, readJson, embeddedJson, readEmbeddedJson };
}
