// pagedListReader: the stock reader of readList. What it does on the page is paginationCode, which it expects the tool to paste into each
// of its calls.

import { isObject } from "./define";
import { OperationFailure } from "./errors";
import { type ListReader, type Segment, cursorRefused } from "./lists";

type PagedRow = Record<string, any> & { key: string; promoted: boolean };

export function pagedListReader(given: any): ListReader<PagedRow> {
  const { run, start, rows, list, key, fields = {}, promoted, empty, total, next, more } = isObject(given) ? given : ({} as any);
  if (typeof run !== "function") throw new TypeError("pagedListReader takes run, a function that runs page code and gives its result");
  if (typeof start !== "string") throw new TypeError("pagedListReader takes start, the page code that reaches the list's first page");
  if (typeof rows !== "string" || rows === "") throw new TypeError("pagedListReader takes rows, the CSS selector of the list's rows");
  if (typeof key !== "string" && !isObject(key)) throw new TypeError("pagedListReader takes key, what tells one row from another: a CSS selector or {selector, attribute}");
  const spec = JSON.stringify({ rows, list, key, fields, promoted, empty, total, next, more });
  const asked = (code: string) => run(code).then(segmentOf);
  return {
    key: (row) => row.key,
    promoted: (row) => row.promoted === true,
    async open({ position, rows }) {
      const opened = await asked(`return await pagerOpen(${spec}, ${JSON.stringify(position ?? null)}, { rows: ${rows}, start: async () => {\n${start}\n} });`);
      if (opened === null) throw cursorRefused("The site no longer has the page the cursor leads to", "site_expired");
      return opened;
    },
    async more({ have, rows }) {
      return (await asked(`return await pagerMore({ have: ${have}, rows: ${rows} });`))!;
    },
    next: ({ rows }) => asked(`return await pagerNext({ rows: ${rows} });`),
  };
}

function segmentOf(result: any): Segment<PagedRow> | null {
  if (result === null) return null;
  if (!isObject(result) || !Array.isArray(result.rows)) throw new OperationFailure("The list's reader got no rows; its run function must give the result of the page code it is given");
  return result as unknown as Segment<PagedRow>;
}
