// files.place and files.collect. A file's bytes never come here: the host puts them into the page and takes them from it.

import { isObject } from "./define";
import { FileRefused, OperationFailure } from "./errors";
import { type Run, refusalCode } from "./host";

const maxReference = 2048;
const maxField = 2000;
const placeSeconds = 30;
const collectMs = 30_000;
const maxCollectMs = 300_000;
const refusedPrefix = "FileRefused:";

// PlacedFile says what was put into a field.
export interface PlacedFile {
  name: string;
  media_type: string;
  size: number;
}

export const scriptFiles = (run: Run) => ({
  place: (reference: unknown, options: unknown) => place(run, reference, options),
  collect: (trigger: unknown, options?: unknown) => collect(run, trigger, options),
});

// refused is the failure of a file request, with the reason as its cause.
function refused(thrown: any, dispatch: "not_sent" | "unknown"): OperationFailure {
  const code = refusalCode(thrown);
  if (code === undefined) return thrown;
  const text = String(thrown.message).replace(`${code}: `, "");
  const message = text === code || text === "" ? "The file was refused" : `The file was refused: ${text}`;
  const cause = code.startsWith(refusedPrefix) ? new FileRefused({ reason: code.slice(refusedPrefix.length), message }) : thrown;
  return new OperationFailure(message, { cause, dispatch });
}

// fieldOf reads where a file goes: {label, exact}, {selector}, or in older tools the text of a locator expression or a selector.
function fieldOf(given: unknown): string {
  const text = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= maxField;
  if (text(given)) return JSON.stringify(/^\s*(page|context)\s*\./.test(given) ? { code: given } : { selector: given });
  if (isObject(given)) {
    const { label, exact, selector } = given;
    if (text(label) && selector === undefined && (exact === undefined || typeof exact === "boolean")) return JSON.stringify({ label, exact: exact === true });
    if (text(selector) && label === undefined) return JSON.stringify({ selector });
  }
  throw new TypeError("files.place takes the field as {label} or {selector}, each a text of 1 to 2000 characters");
}

async function place(run: Run, reference: unknown, options: unknown): Promise<PlacedFile> {
  if (typeof reference !== "string" || reference === "" || reference.length > maxReference)
    throw new TypeError("files.place takes a file of the input, a text of 1 to 2048 characters, as its first argument");
  const { field, timeoutSec = placeSeconds } = isObject(options) ? options : ({} as any);
  const where = fieldOf(field);
  if (!Number.isInteger(timeoutSec) || timeoutSec < 1 || timeoutSec > 300) throw new TypeError("files.place takes timeoutSec as a whole number from 1 to 300");
  return run.turn(async () => {
    run.calls += 1;
    try {
      return JSON.parse(await run.native.filePlace(reference, where, timeoutSec * 1000));
    } catch (thrown) {
      throw refused(thrown, "unknown");
    }
  });
}

async function collect(run: Run, trigger: unknown, options: unknown): Promise<any> {
  if (typeof trigger !== "function") throw new TypeError("files.collect takes a function that starts the download as its first argument");
  const { timeoutMs = collectMs } = isObject(options) ? options : ({} as any);
  if (typeof timeoutMs !== "number" || !(timeoutMs >= 0 && timeoutMs <= maxCollectMs))
    throw new TypeError("files.collect takes timeoutMs as a number from 0 to 300000");
  let slot: string;
  try {
    slot = await run.native.fileArm();
  } catch (thrown) {
    throw refused(thrown, "not_sent");
  }
  await trigger();
  try {
    const wait = Math.max(0, Math.floor(Math.min(timeoutMs, run.native.remainingMs())));
    return JSON.parse(await run.native.fileCollect(slot, wait));
  } catch (thrown) {
    throw refused(thrown, "unknown");
  }
}

// refusedReason is the reason of a failure that a refused file caused.
export function refusedReason(thrown: any): string | undefined {
  const cause = thrown instanceof OperationFailure ? (thrown as any).cause : thrown;
  return cause instanceof FileRefused && typeof cause.reason === "string" ? cause.reason : undefined;
}
