// The exports that are page code: text a tool pastes into the code of an execute call. Each declares its names and nothing else, so
// that several can stand side by side.

import controls from "../pagecode/controls.js";
import outcome from "../pagecode/outcome.js";
import pagination from "../pagecode/pagination.js";
import progress from "../pagecode/progress.js";
import values from "../pagecode/values.js";
import visible from "../pagecode/visible.js";
import { normalizeText } from "./text";
import { isCalendarDay, timeoutDefaults } from "./values";

const scoped = (names: string[], ...parts: string[]) => {
  const list = names.join(", ");
  return `const { ${list} } = (() => {\n${parts.join("\n")}\nreturn { ${list} };\n})();\n`;
};

const shared = `const timeouts = ${JSON.stringify(timeoutDefaults)};\n${progress}`;

export const waitCode = scoped(["waitLimits", "waitForOutcome", "waitForRows", "waitForValues", "waitForChange", "waitReport"], shared, outcome, values);

// outcomeWaitCode is older: its waitForOutcome waits as long as it may, whatever the page does.
export const outcomeWaitCode = scoped(
  ["waitForOutcome"],
  `const waits = (() => {\n${shared}\n${outcome}\nreturn { waitForOutcome };\n})();`,
  "const waitForOutcome = (outcomes, options = {}) => waits.waitForOutcome(outcomes, { ...options, noProgressMs: Infinity });",
);

// These two are pure, and stand in page code as the functions they are here.
const pure = (name: string, made: unknown) => `const ${name} = ${String(made)};\n`;

export const formControlsCode = scoped(["formControlShape", "formatDate", "fillDate", "chooseOption"], pure("isCalendarDay", isCalendarDay), controls);

export const visibleTextCode = scoped(["visibleText", "visibleTexts", "readRows"], pure("normalizeText", normalizeText), visible);

export const paginationCode = scoped(["pagerOpen", "pagerMore", "pagerNext"], shared, pagination);
