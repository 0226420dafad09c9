// startList, selectRows and finishList: a page of results, and where the next one begins. The position travels between the host and the
// script beside the input; a caller only ever gives back the signed cursor that the host made of it.

import { base64url, digest, utf8 } from "./digest";
import { OperationFailure, RefusedInput } from "./errors";
import { listCallBounds, listDepth, listLimitDefault, listLimitMax } from "./values";

// hostChannel is the key under which the decoded input holds {position?}, which only the host can put there.
export const hostChannel = Symbol.for("pomerado.list.host");

export const mechanisms = ["pages", "next_link", "append", "scroll", "api", "offset"];
const maxSeen = 16;
const maxReturned = 100_000;
const maxDraft = 1360;

export interface Position {
  page?: number;
  steps?: number;
  offset: number;
  pageSize?: number;
  href?: string;
  token?: string;
  scope?: string;
}

export interface ListStart {
  readonly limit: number;
  readonly mechanism: string;
  readonly position?: Position;
  readonly returned: number;
  readonly anchor?: string;
  readonly seen: Set<string>;
  readonly context?: string;
  readonly signed: boolean;
}

const startOver = "call again without a cursor to start at the first page";

export const cursorRefused = (what: string, kind: string) => new RefusedInput(`${what}; ${startOver}`, { field: "cursor", kind });

export function startList(input: any, options: any): ListStart {
  const mechanism = options?.mechanism;
  if (!mechanisms.includes(mechanism)) throw new TypeError(`startList takes {mechanism}, one of ${mechanisms.join(", ")}`);
  const channel = input?.[hostChannel];
  const limit = Number.isInteger(input?.limit) ? Math.max(1, Math.min(listLimitMax, input.limit)) : listLimitDefault;
  const first = { limit, mechanism, returned: 0, seen: new Set<string>(), signed: channel !== undefined };
  const cursor = input?.cursor;
  if (cursor === undefined || cursor === null || cursor === "") return first;
  const draft = channel?.position;
  if (draft === undefined) throw cursorRefused("This host gave no such cursor", "malformed");
  if (draft.m !== mechanism) throw cursorRefused("The site's list is paged in another way than when the cursor was given", "mechanism_changed");
  return {
    ...first,
    position: { ...draft.pos },
    returned: draft.n,
    ...(draft.a === undefined ? {} : { anchor: draft.a }),
    seen: new Set<string>(draft.s),
    ...(draft.cx === undefined ? {} : { context: draft.cx }),
  };
}

type KeyOf<Row> = (row: Row) => string;

const keyText = <Row>(row: Row, keyOf: KeyOf<Row>): string => {
  const key = keyOf(row);
  if (typeof key !== "string" || key === "") throw new OperationFailure("A row of the list has no key; keyOf must give each row a text of its own");
  return key;
};

export function selectRows<Row>(list: ListStart, rows: readonly Row[], keyOf: KeyOf<Row>, options: { context?: string } = {}): { rows: Row[]; listChanged: boolean } {
  const { begin, changed, digests } = place(list, rows, keyOf);
  let listChanged = changed || contextChanged(list, options.context);
  const picked: Row[] = [];
  const had = new Set<string>();
  for (let i = begin; i < rows.length; i += 1) {
    if (list.seen.has(digests[i])) {
      listChanged = true;
      continue;
    }
    if (had.has(digests[i])) continue;
    had.add(digests[i]);
    picked.push(rows[i]);
  }
  return { rows: picked, listChanged };
}

const contextChanged = (list: ListStart, context: string | undefined): boolean =>
  list.context !== undefined && context !== undefined && digest(context) !== list.context;

// place finds where a page goes on: after the last row returned before, or what is left of those around it.
function place<Row>(list: ListStart, rows: readonly Row[], keyOf: KeyOf<Row>): { begin: number; changed: boolean; digests: string[] } {
  const digests = rows.map((row) => digest(keyText(row, keyOf)));
  const last = (fits: (one: string) => boolean) => {
    for (let i = digests.length - 1; i >= 0; i -= 1) if (fits(digests[i])) return i;
    return -1;
  };
  const anchor = list.anchor === undefined ? -1 : last((one) => one === list.anchor);
  if (anchor >= 0) return { begin: anchor + 1, changed: false, digests };
  const near = last((one) => list.seen.has(one));
  const changed = near >= 0 || (list.anchor !== undefined && list.position?.token === undefined);
  return { begin: near + 1, changed, digests };
}

const whole = (value: unknown, least: number, most: number) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

// checkedPosition refuses what cannot be a position. Texts that are too long are for finishList to tell of.
function checkedPosition(given: any): Position {
  const wrong = (what: string) => new OperationFailure(`The next position of the list is wrong: ${what}`);
  if (typeof given !== "object" || given === null) throw wrong("it must be {offset, page, steps, pageSize, href, token, scope}");
  const out: any = {};
  const numbers: [string, number, number][] = [["page", 1, 100_000], ["steps", 0, 100_000], ["offset", 0, 100_000], ["pageSize", 1, 10_000]];
  for (const [name, least, most] of numbers) {
    if (given[name] === undefined && name !== "offset") continue;
    if (!whole(given[name], least, most)) throw wrong(`${name} must be a whole number from ${least} to ${most}`);
    out[name] = given[name];
  }
  for (const name of ["href", "token", "scope"]) {
    if (given[name] === undefined) continue;
    if (typeof given[name] !== "string") throw wrong(`${name} must be a text`);
    out[name] = given[name];
  }
  return out;
}

export interface Finish<Row> {
  rows: readonly Row[];
  keyOf: KeyOf<Row>;
  next: Position | null;
  hasMore: boolean;
  totalResults: number | null;
  listChanged: boolean;
  context?: string;
}

export function finishList<Row>(list: ListStart, given: Finish<Row>): any {
  const { rows, keyOf, next, hasMore, totalResults, listChanged, context } = given;
  if (rows.length > list.limit) throw new OperationFailure(`The list returns ${rows.length} rows although ${list.limit} were asked for`);
  const fields = {
    next_cursor: null as string | null,
    next_cursor_expires_at: null,
    has_more: hasMore === true || (next !== null && next !== undefined),
    total_results: whole(totalResults, 0, Number.MAX_SAFE_INTEGER) ? totalResults : null,
    list_changed: listChanged === true,
  };
  if (next === null || next === undefined) return fields;
  const position = checkedPosition(next);
  const digests = rows.map((row) => digest(keyText(row, keyOf)));
  const draft = draftOf(list, position, digests, context === undefined ? list.context : digest(context));
  const text = utf8(JSON.stringify(draft));
  const reason = unavailable(list, position, rows.length, text.length);
  if (reason !== undefined) return { ...fields, next_cursor_unavailable: reason };
  return { ...fields, next_cursor: `pcd1.${base64url(text)}` };
}

function draftOf(list: ListStart, pos: Position, digests: string[], cx: string | undefined): any {
  const a = digests.length > 0 ? digests[digests.length - 1] : list.anchor;
  const s = (digests.length > 0 ? digests : [...list.seen]).slice(-maxSeen);
  return {
    m: list.mechanism,
    pos,
    n: Math.min(maxReturned, list.returned + digests.length),
    ...(a === undefined ? {} : { a }),
    s,
    ...(cx === undefined ? {} : { cx }),
  };
}

function unavailable(list: ListStart, position: Position, rows: number, bytes: number): string | undefined {
  const { page, steps, href, token, scope } = position;
  if (rows === 0 && list.position !== undefined && same(list.position, position)) return "no_progress";
  if (href === undefined && token === undefined && ((page ?? 0) > listDepth.sitePages || (steps ?? 0) > listDepth.steps)) return "depth_cap";
  if ((href?.length ?? 0) > 1024 || (token?.length ?? 0) > 512 || (scope?.length ?? 0) > 200 || bytes > maxDraft) return "position_too_long";
  if (!list.signed) return "unsigned_host";
  return undefined;
}

const same = (a: Position, b: Position) =>
  (["page", "steps", "offset", "pageSize", "href", "token", "scope"] as const).every((name) => a[name] === b[name]);

// ---- reading through a reader ----------------------------------------------------------------------------------------

// Segment is what a site shows at once: a page of its list, or what one step added to it.
export interface Segment<Row> {
  rows: Row[];
  at: Omit<Position, "offset">;
  // more: rows of this segment are left to read; next: there is a further segment.
  more: boolean;
  next: boolean;
  total?: number | null;
  context?: string;
}

export interface ListReader<Row> {
  key(row: Row): string;
  promoted?(row: Row): boolean;
  open(at: { position?: Position; rows: number }): Promise<Segment<Row>>;
  more?(at: { have: number; rows: number }): Promise<Segment<Row>>;
  next(at: { rows: number }): Promise<Segment<Row> | null>;
}

// leftMs is what a run must have left for another segment to be begun.
const leftMs = 20_000;

// readList reads what one call returns: from where the list starts, as many segments as its rows need.
export async function readList<Row>(list: ListStart, reader: ListReader<Row>, options: any = {}): Promise<{ rows: Row[]; fields: any }> {
  const keyOf = (row: Row) => reader.key(row);
  const remaining = () => (typeof options?.remainingMs === "function" ? options.remainingMs() : (options?.remainingMs ?? Infinity));
  const most = list.position?.steps === undefined && list.mechanism !== "append" && list.mechanism !== "scroll" ? listCallBounds.sitePages : listCallBounds.steps;
  const read: { row: Row; segment: number; at: number }[] = [];
  const places: Segment<Row>["at"][] = [];
  let segment = await reader.open({ ...(list.position === undefined ? {} : { position: list.position }), rows: (list.position?.offset ?? 0) + list.limit });
  let total: number | null = null;
  const context = segment.context;
  const take = (rows: Row[], from: number) => rows.forEach((row, i) => read.push({ row, segment: places.length - 1, at: from + i }));
  places.push(segment.at);
  take(segment.rows, 0);
  let have = segment.rows.length;
  const picked = () => {
    const kept = withoutPromoted(list, read, reader);
    const byRow = new Map(kept.map((one) => [one.row, one]));
    const { rows, listChanged } = selectRows(list, kept.map((one) => one.row), keyOf, context === undefined ? {} : { context });
    return { found: rows.map((row) => byRow.get(row)!), listChanged };
  };
  let now = picked();
  let moved = false;
  while (now.found.length < list.limit) {
    const rows = list.limit - now.found.length;
    if (segment.more && reader.more !== undefined) {
      const rest = await reader.more({ have, rows });
      take(rest.rows, have);
      have += rest.rows.length;
      segment = { ...segment, more: rest.rows.length > 0 && rest.more, next: rest.next, total: rest.total ?? segment.total };
    } else {
      if (!segment.next || places.length >= most || (read.length > 0 && remaining() < leftMs)) break;
      moved ||= places.length === 1 && now.listChanged; // where the cursor led, its last row is not
      const following = await reader.next({ rows });
      if (following === null) {
        segment = { ...segment, next: false };
        break;
      }
      total = segment.total ?? total;
      segment = following;
      places.push(segment.at);
      take(segment.rows, 0);
      have = segment.rows.length;
    }
    now = picked();
  }
  const page = now.found.slice(0, list.limit);
  const hasMore = now.found.length > page.length || segment.more || segment.next;
  const last = page[page.length - 1];
  const next = last === undefined ? { ...places[places.length - 1], offset: have } : { ...places[last.segment], offset: last.at + 1 };
  const rows = page.map((one) => one.row);
  const fields = finishList(list, {
    rows, keyOf, next: hasMore ? next : null, hasMore, totalResults: segment.total ?? total, listChanged: moved || now.listChanged,
    ...(context === undefined ? {} : { context }),
  });
  return { rows, fields };
}

// withoutPromoted leaves out the sponsored copies of rows that the list has, or had, anyway.
function withoutPromoted<Row, One extends { row: Row }>(list: ListStart, read: readonly One[], reader: ListReader<Row>): One[] {
  if (reader.promoted === undefined) return [...read];
  const organic = new Set(read.filter((one) => !reader.promoted!(one.row)).map((one) => reader.key(one.row)));
  return read.filter(({ row }) => {
    if (!reader.promoted!(row)) return true;
    if (organic.has(reader.key(row))) return false;
    const known = digest(reader.key(row));
    return known === list.anchor || !list.seen.has(known); // the last row returned shows where to go on, whatever it is
  });
}
