// kernel.browsers.playwright.execute. A failure of the page code is an answer, not a rejection; a rejection says that the call itself
// could not be made or did not end, and is a plain Error.

import { isObject } from "./define";
import type { Run } from "./host";

const maxCode = 1_048_576;
const defaultTimeoutSec = 60;

export interface Answer {
  success: boolean;
  result?: unknown;
  error?: string;
  stdout?: string;
  stderr?: string;
}

export const executor = (run: Run) =>
  async function execute(sessionId: unknown, body: unknown, options?: unknown): Promise<Answer> {
    if (sessionId !== run.start.sessionId) throw new Error(`execute takes this run's sessionId; ${JSON.stringify(sessionId) ?? "nothing"} is not it`);
    const { code, timeoutMs } = checkedBody(body);
    const { timeout, signal } = checkedOptions(options);
    if (signal?.aborted) throw new Error("execute was aborted before it was sent");
    const call = run.turn(async () => {
      if (signal?.aborted) throw new Error("execute was aborted before it was sent");
      return answered(run, code, timeoutMs);
    });
    return timeout === undefined && signal === undefined ? call : impatient(call, timeout, signal);
  };

async function answered(run: Run, code: string, timeoutMs: number): Promise<Answer> {
  run.calls += 1;
  run.lastFailure = undefined;
  const { success, result, error, stdout, stderr } = await run.native.execute(code, timeoutMs);
  const answer: Answer = { success };
  if (result !== undefined) answer.result = JSON.parse(result);
  if (error !== undefined) answer.error = error;
  if (stdout !== undefined) answer.stdout = stdout;
  if (stderr !== undefined) answer.stderr = stderr;
  if (!success) run.lastFailure = error ?? "";
  return answer;
}

function checkedBody(body: unknown): { code: string; timeoutMs: number } {
  if (!isObject(body)) throw new Error("execute takes a body {code, timeout_sec} as its second argument");
  const { code, timeout_sec: seconds = defaultTimeoutSec } = body;
  if (typeof code !== "string") throw new Error("execute's code must be a string");
  if (code.length > maxCode) throw new Error(`execute's code is ${code.length} characters long; at most ${maxCode} are taken`);
  if (typeof seconds !== "number" || !(seconds >= 1 && seconds <= 300)) throw new Error("execute's timeout_sec must be a number from 1 to 300");
  return { code, timeoutMs: Math.ceil(seconds * 1000) };
}

function checkedOptions(options: unknown): { timeout?: number; signal?: AbortSignal } {
  if (options === undefined) return {};
  if (!isObject(options)) throw new Error("execute's options must be an object");
  const { maxRetries, timeout, signal } = options;
  // A call is never replayed, whatever maxRetries says; it only has to make sense.
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) throw new Error("execute's maxRetries must be a whole number, 0 or more");
  if (timeout !== undefined && !(Number.isInteger(timeout) && timeout > 0)) throw new Error("execute's timeout must be a whole number of milliseconds above 0");
  if (signal !== undefined && (typeof signal !== "object" || signal === null || typeof signal.addEventListener !== "function"))
    throw new Error("execute's signal must be an AbortSignal");
  return { timeout, signal };
}

// impatient stops waiting for a call at a timeout or an abort. The call goes on: what it does to the page is not known.
function impatient(call: Promise<Answer>, timeout: number | undefined, signal: AbortSignal | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer =
      timeout === undefined
        ? undefined
        : setTimeout(() => end(() => reject(new Error(`execute was not answered within ${timeout} ms; what it did is not known`))), timeout);
    const aborted = () => end(() => reject(new Error("execute was aborted; what it did is not known")));
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      settle();
    };
    signal?.addEventListener("abort", aborted);
    call.then(
      (answer) => end(() => resolve(answer)),
      (error) => end(() => reject(error)),
    );
  });
}
