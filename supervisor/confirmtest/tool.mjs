// Presses the page's button, has every dialog of the page decided, and returns what the page got.
import { defineOperation } from "pomerado/runtime";

const anything = {};

export default defineOperation(
  { name: "confirm_contract", input: anything, output: anything },
  async ({ kernel, sessionId, siteOrigin, input, decideDialog, errors }) => {
    const call = async (code) => {
      const reply = await kernel.browsers.playwright.execute(sessionId, { code, timeout_sec: 60 });
      if (!reply.success) throw new errors.OperationFailure(String(reply.error), { stderr: reply.stderr });
      return reply.result;
    };
    let next = await call(`
      globalThis.shown = [];
      globalThis.wake = () => {};
      page.on("dialog", (dialog) => { shown.push(dialog); wake(); });
      globalThis.next = async () => {
        const raised = shown.length ? Promise.resolve() : new Promise((now) => { wake = now; });
        await Promise.race([raised, ended]);
        const dialog = shown[0];
        return dialog ? { type: dialog.type(), message: dialog.message(), url: page.url() } : null;
      };
      await page.goto(${JSON.stringify(siteOrigin + "/?page=")} + ${JSON.stringify(input.page)});
      page.locator("#go").click().catch(() => {});
      globalThis.ended = page.waitForFunction(() => window.answers !== undefined);
      return await next();
    `);
    while (next) {
      const decision = await decideDialog({ step: input.step, ...next });
      next = await call(`
        await shown.shift().${decision.choice === "accept" ? "accept" : "dismiss"}();
        return await next();
      `);
    }
    return await call("return await page.evaluate(() => window.answers)");
  },
);
