// Reserves a time at the clinic, letting the caller choose among what the page offers and confirm with a code.
import { Schema } from "effect";
import { defineOperation } from "pomerado/runtime";

const Choices = Schema.Array(Schema.Struct({ value: Schema.NonEmptyString, label: Schema.NonEmptyString }));

export default defineOperation(
  {
    name: "reserve_at_clinic",
    input: Schema.Struct({
      doctor: Schema.NonEmptyString.annotations({ description: "Whom to see", examples: ["Dr Adeyemi"] }),
    }),
    output: Schema.Struct({
      time: Schema.NonEmptyString.annotations({ description: "The time the clinic confirms" }),
      extras: Schema.Array(Schema.String).annotations({ description: "Extras added" }),
    }),
    questions: {
      slot: { type: "choice", prompt: "Which time would you like?" },
      extras: { type: "multi_choice", prompt: "Which extras would you like?", minSelections: 0, maxSelections: 2 },
      remark: { type: "text", prompt: "What should the clinic know?", maxLength: 120 },
      sure: { type: "confirm", prompt: "Reserve it?" },
      code: { type: "secret", secretKind: "one_time_code", prompt: "Which code did the clinic send you?", maxLength: 10 },
    },
    write: { confirmation: "readback", commits: ["reserve"] },
  },
  async ({ kernel, sessionId, siteOrigin, input, ask, enteringCommit, verified, errors }) => {
    const onPage = async (code, dispatch) => {
      const call = await kernel.browsers.playwright.execute(sessionId, { timeout_sec: 45, code });
      if (!call.success) throw new errors.OperationFailure(String(call.error), { dispatch, stderr: call.stderr });
      return call.result;
    };
    const address = new URL("/clinic?" + new URLSearchParams({ with: input.doctor }), siteOrigin).href;
    const offered = await onPage(
      `
        await page.goto(${JSON.stringify(address)}, { waitUntil: "domcontentloaded" });
        const free = (name) => page.getByRole("group", { name, exact: true }).locator("label:has(input:enabled)")
          .evaluateAll((labels) => labels.map((label) => ({ value: label.control.value, label: label.innerText.trim() })));
        return [await free("Open times"), await free("Extras")];
      `,
      "not_sent",
    );
    const [times, extras] = offered.map((one) => Schema.decodeUnknownSync(Choices)(one));
    if (times.length === 0) throw new errors.InvalidInput("the clinic has no open time", { field: "doctor" });

    const wish = await ask({
      slot: { options: times },
      ...(extras.length > 0 && { extras: { options: extras } }),
      remark: {},
    });
    const { confirmed } = await ask("sure");
    if (!confirmed) throw new errors.OperationFailure("the caller decided against it", { dispatch: "not_sent" });

    enteringCommit("reserve");
    await onPage(
      `
        await page.getByRole("radio").and(page.locator("[value=" + JSON.stringify(${JSON.stringify(wish.slot)}) + "]")).check();
        for (const extra of ${JSON.stringify(wish.extras ?? [])})
          await page.getByRole("checkbox").and(page.locator("[value=" + JSON.stringify(extra) + "]")).check();
        await page.getByLabel("Comment").fill(${JSON.stringify(wish.remark)});
        await page.getByRole("button", { name: "Reserve" }).click();
        await page.getByLabel("Code").waitFor();
      `,
      "sent",
    );
    const code = await ask("code");
    const time = await onPage(
      `
        const field = page.getByLabel("Code");
        await field.fill(${JSON.stringify(code)});
        await field.press("Enter");
        return await page.getByRole("status", { name: "Reserved" }).getAttribute("data-slot");
      `,
      "sent",
    );
    verified();
    return { time, extras: wish.extras ?? [] };
  },
);
