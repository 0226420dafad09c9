// Reads what the front page says of itself: its main heading and its title.
import { defineOperation, Schema, timeoutDefaults } from "pomerado/runtime";

interface Seen {
  headings: string[];
  title: string;
  address: string;
}

export default defineOperation(
  {
    name: "read_front_page",
    input: Schema.Struct({}),
    output: Schema.Struct({
      heading: Schema.NonEmptyString.annotations({ description: "The front page's main heading" }),
      title: Schema.String.annotations({ description: "The front page's title" }),
      address: Schema.String.annotations({ description: "Where both were read" }),
    }),
  },
  async ({ kernel, sessionId, siteOrigin, errors }) => {
    if (siteOrigin === undefined)
      throw new errors.OperationFailure("a front page needs a site", { dispatch: "not_sent" });
    const call = await kernel.browsers.playwright.execute(sessionId, {
      timeout_sec: 40,
      code: `
        await page.goto(${JSON.stringify(siteOrigin + "/")}, { waitUntil: "domcontentloaded", timeout: ${timeoutDefaults.navigation} });
        const headings = page.getByRole("heading", { level: 1 });
        await headings.first().waitFor({ timeout: ${timeoutDefaults.answer} });
        return { headings: await headings.allInnerTexts(), title: await page.title(), address: page.url() };
      `,
    });
    if (!call.success) throw new errors.OperationFailure(String(call.error), { stderr: call.stderr });
    const { headings, title, address } = call.result as Seen;
    if (new URL(address).origin !== siteOrigin)
      throw new errors.OperationFailure("the front page led away from the site", { dispatch: "not_sent" });
    if (headings.length !== 1)
      throw new errors.OperationFailure(`the front page has ${headings.length} main headings`, { dispatch: "not_sent" });
    return { heading: headings[0].trim(), title, address };
  },
);
