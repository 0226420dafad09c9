// Picks a weather station in a frame and reads the chart that opens in a tab of its own.
import { defineOperation, Schema } from "pomerado/runtime";

import { celsius } from "./celsius.ts";

export default defineOperation(
  {
    name: "read_weather_chart",
    input: Schema.Struct({
      station: Schema.NonEmptyString.annotations({ description: "Station as the picker names it", examples: ["North Pier"] }),
    }),
    output: Schema.Struct({
      caption: Schema.String.annotations({ description: "Caption of the chart" }),
      readings: Schema.Array(
        Schema.Struct({ hour: Schema.NonEmptyString, celsius: Schema.NullOr(Schema.Number) }),
      ).annotations({ description: "Readings in the chart's order; null where there is none" }),
    }),
  },
  async ({ kernel, sessionId, siteOrigin, input, errors }) => {
    const call = await kernel.browsers.playwright.execute(sessionId, {
      timeout_sec: 60,
      code: `
        await page.goto(${JSON.stringify(new URL("/weather", siteOrigin).href)}, { waitUntil: "domcontentloaded" });
        const picker = page.frameLocator("iframe");
        const stations = await picker.getByRole("option").allInnerTexts();
        if (!stations.includes(${JSON.stringify(input.station)})) return { stations };
        await picker.getByLabel("Station").selectOption(${JSON.stringify(input.station)});
        await picker.getByRole("button", { name: "Pick" }).click();
        const opening = page.waitForEvent("popup");
        await page.getByRole("link", { name: "Open chart" }).click();
        const chart = await opening;
        const table = chart.getByRole("table", { name: "Readings" });
        await table.waitFor();
        const caption = await table.locator("caption").innerText();
        const rows = await table.locator("tr[data-hour]").evaluateAll((all) =>
          all.map((row) => [row.dataset.hour, row.querySelector(".temp").textContent]));
        await chart.close();
        return { caption, rows };
      `,
    });
    if (!call.success) throw new errors.OperationFailure(String(call.error), { stderr: call.stderr });
    const { stations, caption, rows } = call.result;
    if (stations !== undefined)
      throw new errors.InvalidInput("the picker has no such station", { field: "station", available: stations });
    return { caption, readings: rows.map(([hour, text]: string[]) => ({ hour, celsius: celsius(text) })) };
  },
);
