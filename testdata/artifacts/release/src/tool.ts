// Gives up a garden plot. The site asks with a native confirm, and answering it is what sends; the list is read back afterwards.
import { defineOperation, Schema } from "pomerado/runtime";

const confirmStep = "give-up-plot";

export default defineOperation(
  {
    name: "give_up_plot",
    input: Schema.Struct({
      plot: Schema.String.pipe(Schema.pattern(/^[A-Z]\d{2}$/)).annotations({ description: "The plot", examples: ["A01"] }),
    }),
    output: Schema.Struct({
      given_up: Schema.Boolean.annotations({ description: "Whether the plot is off the list" }),
      left: Schema.Array(Schema.String).annotations({ description: "Plots still on the list" }),
    }),
    write: { confirmation: "readback", commits: [confirmStep] },
  },
  async ({ kernel, sessionId, siteOrigin, input, decideDialog, enteringCommit, verified, errors }) => {
    const garden = JSON.stringify(new URL("/garden", siteOrigin).href);
    const onPage = async (code: string, dispatch: string) => {
      const call = await kernel.browsers.playwright.execute(sessionId, { timeout_sec: 40, code });
      if (!call.success) throw new errors.OperationFailure(String(call.error), { dispatch, stderr: call.stderr });
      return call.result;
    };
    const list = `
      await page.goto(${garden}, { waitUntil: "domcontentloaded" });
      const plots = await page.locator("[data-plot]").evaluateAll((rows) => rows.map((row) => row.dataset.plot));
    `;
    const before: string[] = await onPage(`${list} return plots;`, "not_sent");
    if (!before.includes(input.plot))
      throw new errors.InvalidInput("that plot is not let", { field: "plot", available: before });

    // The page waits for the answer with the click unfinished, so the click is left to end by itself.
    const question = await onPage(
      `
        const dialog = page.waitForEvent("dialog", { timeout: 5000 });
        page.locator("[data-plot=${input.plot}]").getByRole("button").click().catch(() => {});
        globalThis.question = await dialog;
        return { type: question.type(), message: question.message(), url: page.url() };
      `,
      "not_sent",
    );
    const decision = await decideDialog({ step: confirmStep, ...question });
    if (decision.choice !== "accept") {
      await onPage(`await question.dismiss();`, "not_sent");
      return { given_up: false, left: before };
    }
    enteringCommit(confirmStep);
    // Loading the list at once could take the page away before its request has left.
    const after: string[] = await onPage(
      `
        const sent = page.waitForResponse((response) => response.request().method() === "POST");
        await question.accept();
        await sent;
        ${list} return plots;
      `,
      "sent",
    );
    if (after.includes(input.plot)) throw new errors.OperationFailure("the plot is still listed", { dispatch: "sent" });
    verified();
    return { given_up: true, left: after };
  },
);
