// Reads a list that goes over many pages, a part each call: the cursor of one call is where the next goes on.
import { Schema } from "effect";
import { defineOperation, listInputFields, listOutputFields, pagedListReader, paginationCode, readList, startList } from "pomerado/runtime";

const Journal = Schema.Struct({
  id: Schema.NonEmptyString.annotations({ description: "The journal's number" }),
  title: Schema.NonEmptyString.annotations({ description: "Its title" }),
});

export default defineOperation(
  {
    name: "list_journals",
    input: Schema.Struct({
      view: Schema.optional(Schema.Literal("ads", "script").annotations({ description: "Another make of the same list" })),
      ...listInputFields,
    }),
    output: Schema.Struct({
      journals: Schema.Array(Journal).annotations({ description: "Journals, newest first" }),
      ...listOutputFields,
    }),
  },
  async ({ kernel, sessionId, siteOrigin, input, errors, remainingMs }) => {
    const list = startList(input, { mechanism: "pages" });
    const address = new URL(input.view === undefined ? "/journals" : `/journals?${input.view}=1`, siteOrigin).href;
    const reader = pagedListReader({
      run: async (code) => {
        const reply = await kernel.browsers.playwright.execute(sessionId, { code: paginationCode + code });
        if (!reply.success) throw new errors.OperationFailure(reply.error, { stderr: reply.stderr });
        return reply.result;
      },
      start: `await page.goto(${JSON.stringify(address)}, { waitUntil: "domcontentloaded", timeout: 30000 });`,
      list: "#journals",
      rows: "#journals > li",
      key: { attribute: "data-id" },
      fields: { title: ".title" },
      promoted: ".ad",
      total: "#count",
    });
    const { rows, fields } = await readList(list, reader, { remainingMs });
    return { journals: rows.map(({ key, title }) => ({ id: key, title })), ...fields };
  },
);
