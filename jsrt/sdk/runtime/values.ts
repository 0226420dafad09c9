// Exports that are schemas or constants. Schemas are made from whichever Schema the tool uses, ours or its own effect's, so that both
// can be nested in its contract.

import { dual } from "../effect/pipe";

export const timeoutDefaults = Object.freeze({
  execution: 1_200_000,
  action: 5000,
  readiness: 5000,
  navigation: 30_000,
  answer: 8000,
  answerCap: 30_000,
  settle: 500,
  unchanged: 2000,
  lateFillCap: 15_000,
  http: 60_000,
});

export const listLimitDefault = 20;
export const listLimitMax = 50;
export const listCursorTtlMs = 600_000;
export const listCallBounds = Object.freeze({ sitePages: 5, steps: 10 });
export const listDepth = Object.freeze({ sitePages: 10, steps: 20 });
export const defaultFileLimits = Object.freeze({ fileBytes: 26_214_400, runFiles: 10, runBytes: 52_428_800 });

// isCalendarDay is given to page code as text, so it uses nothing of this file.
export function isCalendarDay(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  // Years below 100 count from 1900 in Date.UTC, so the year is set apart.
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

export const schemaExports = (Schema: any) => {
  const bounded = (least: number, most: number) => Schema.String.pipe(Schema.minLength(least), Schema.maxLength(most));
  const whole = (least: number, most: number) => Schema.Int.pipe(Schema.between(least, most));
  const position = Schema.Struct({
    page: Schema.optional(whole(1, 100_000)),
    steps: Schema.optional(whole(0, 100_000)),
    offset: whole(0, 100_000),
    pageSize: Schema.optional(whole(1, 10_000)),
    href: Schema.optional(Schema.String.pipe(Schema.maxLength(1024))),
    token: Schema.optional(Schema.String.pipe(Schema.maxLength(512))),
    scope: Schema.optional(Schema.String.pipe(Schema.maxLength(200))),
  });
  const fileName = Schema.String.pipe(
    Schema.filter((name: string) => name.length >= 1 && name.length <= 255 && name !== "." && name !== ".." && !/[/\\\u0000-\u001f\u007f-\u009f]/.test(name), {
      jsonSchema: { minLength: 1, maxLength: 255 },
    }),
  );
  const mediaPart = "[a-z0-9][a-z0-9!#$&^_.+-]{0,126}";
  return {
    CalendarDate: Schema.String.pipe(
      Schema.filter(isCalendarDay, {
        message: () => "is not a calendar date written YYYY-MM-DD",
        jsonSchema: { format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
      }),
    ),
    ListMechanism: Schema.Literal("pages", "next_link", "append", "scroll", "api", "offset"),
    CursorRefusal: Schema.Literal(
      "malformed", "altered", "unknown_key", "version", "other_tool", "other_account", "inputs_changed", "expired", "off_site",
      "mechanism_changed", "site_expired",
    ),
    ListPosition: position,
    listInputFields: Object.freeze({
      limit: Schema.optional(
        whole(1, listLimitMax).annotations({ description: `How many results to return, ${listLimitDefault} when left out` }),
      ),
      cursor: Schema.optional(
        Schema.String.pipe(Schema.maxLength(2048)).annotations({ description: "next_cursor of the call before, to go on after its last result" }),
      ),
    }),
    listOutputFields: Object.freeze({
      next_cursor: Schema.NullOr(Schema.String).annotations({ description: "Give this as cursor to get the next results; null when there are none to get" }),
      next_cursor_expires_at: Schema.NullOr(Schema.String).annotations({ description: "When next_cursor stops working" }),
      has_more: Schema.Boolean.annotations({ description: "Whether the site has more results" }),
      total_results: Schema.NullOr(Schema.Int.pipe(Schema.nonNegative())).annotations({ description: "How many results the site counts, null when it does not say" }),
      list_changed: Schema.Boolean.annotations({ description: "Whether the list changed on the site since the call before" }),
      next_cursor_unavailable: Schema.optional(
        Schema.Literal("depth_cap", "no_progress", "position_too_long", "unsigned_host", "off_site", "not_a_draft", "inputs_not_json").annotations({
          description: "Why there is no next_cursor although the site has more",
        }),
      ),
    }),
    FileInput: bounded(1, 2048).annotations({ title: "File", description: "A file given to the tool", jsonSchema: { format: "file" } }),
    FileOutput: Schema.Struct({
      $file: Schema.Struct({
        id: bounded(1, 200),
        name: fileName,
        media_type: Schema.String.pipe(Schema.pattern(new RegExp(`^${mediaPart}\\/${mediaPart}$`))),
        size: Schema.Int.pipe(Schema.nonNegative()),
        sha256: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
        download_url: Schema.optional(Schema.String.pipe(Schema.maxLength(8192))),
        expires_at: Schema.optional(Schema.String.pipe(Schema.maxLength(64))),
      }),
    }).annotations({ title: "File", description: "A file the tool collected", jsonSchema: { format: "file" } }),
    SiteHttpRequest: Schema.Struct({
      url: Schema.String,
      method: Schema.Literal("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
      headers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
      body: Schema.optional(Schema.String),
      requires: Schema.optional(
        Schema.Array(
          Schema.Literal(
            "chromium-network", "session-cookies", "assigned-proxy", "page-environment", "service-worker", "streaming", "buffered-response-v1",
          ),
        ),
      ),
      timeoutMs: Schema.optional(Schema.Number.pipe(Schema.finite(), Schema.positive())),
      maxResponseBytes: Schema.optional(whole(1, 8_388_608)),
    }),
    // defaultedInput is an input that may be left out: its JSON Schema names the value it then has.
    defaultedInput: dual((args) => args.length >= 2, (schema: any, value: unknown) =>
      Schema.optionalWith(schema.annotations({ default: value }), { default: () => value }),
    ),
  };
};
