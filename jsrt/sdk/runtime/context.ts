// The argument of a script: kernel, questions, dialogs, the journal and the rest of what a run may do.

import { asker } from "./ask";
import { isObject } from "./define";
import {
  ChallengeFailure,
  CommitAlreadySent,
  CredentialsRejected,
  DialogFailure,
  OperationFailure,
  WriteConfirmationRefused,
  cut,
  isSignInField,
  operationErrors,
} from "./errors";
import { executor } from "./execute";
import { scriptFiles } from "./files";
import { type Run, refusalCode } from "./host";

export function scriptContext(run: Run, input: unknown): any {
  const execute = executor(run);
  const { native, start } = run;
  return {
    kernel: { browsers: { playwright: { execute } } },
    sessionId: start.sessionId,
    siteOrigin: start.siteOrigin,
    siteDomain: start.siteDomain,
    input,
    ask: asker(run),
    decideDialog: dialogDecider(run),
    waitPastChallenge: (given: unknown) => pastChallenge(run, execute, given),
    verified: (given?: unknown) => verified(run, given),
    enteringCommit: (name: unknown) => enteringCommit(run, name),
    remainingMs: () => native.remainingMs(),
    rejectedSignIn: (given: unknown) => rejectedSignIn(run, execute, given),
    ensureSignedIn: signIn(run),
    files: scriptFiles(run),
    errors: operationErrors,
    fillCard() {
      throw new Error("card answers are not supported here");
    },
  };
}

// ---- dialogs ---------------------------------------------------------------------------------------------------------

const dialogReasons: Record<string, string> = { Unauthorized: "unauthorized", Expired: "expired", InvalidRequest: "invalid_request" };

const dialogDecider = (run: Run) =>
  async function decideDialog(report: unknown): Promise<any> {
    if (!isObject(report)) throw new DialogFailure({ reason: "invalid_request" });
    const { step, type, message, url } = report;
    const fits =
      typeof step === "string" &&
      /^[A-Za-z0-9_-]{1,100}$/.test(step) &&
      ["alert", "confirm", "prompt", "beforeunload"].includes(type) &&
      typeof message === "string" &&
      typeof url === "string" &&
      url.length <= 8192;
    if (!fits) throw new DialogFailure({ reason: "invalid_request" });
    // A decision waits for a sign-in, which owns the page meanwhile, and for nothing else: a call may be waiting for the decision.
    await run.signingIn?.catch(() => {});
    try {
      const { accept, promptText } = await run.native.dialog(step, type, cut(message, 16_384), url);
      if (!accept) return { choice: "dismiss" };
      return promptText === undefined ? { choice: "accept" } : { choice: "accept", promptText };
    } catch (thrown) {
      throw new DialogFailure({ reason: dialogReasons[refusalCode(thrown) ?? ""] ?? "unavailable" });
    }
  };

// ---- the journal -----------------------------------------------------------------------------------------------------

const commitName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
export const isCommitName = (name: unknown): name is string => typeof name === "string" && name.length <= 48 && commitName.test(name);

export function enteringCommit(run: Run, name: unknown): void {
  if (!isCommitName(name)) throw new TypeError("enteringCommit takes a step's name: lower-case words joined by -, at most 48 characters");
  try {
    run.native.enteringCommit(name);
  } catch (thrown) {
    if (refusalCode(thrown) === "InvalidRequest") throw new CommitAlreadySent({ name });
    throw thrown;
  }
}

function verified(run: Run, given: unknown): void {
  const confirmation = given === undefined || given === null ? undefined : isObject(given) ? given.confirmation : given;
  const recorded = confirmation ?? "readback";
  if (recorded !== "readback" && recorded !== "message") throw new TypeError('verified takes {confirmation: "readback"} or {confirmation: "message"}');
  if (run.operation.write?.confirmation === "unverifiable") throw new WriteConfirmationRefused({ declared: "unverifiable", recorded });
  run.native.verified(recorded);
}

// ---- sign-in ---------------------------------------------------------------------------------------------------------

const signIn = (run: Run) => {
  let underWay: Promise<{ signedInAgain: boolean }> | undefined;
  return function ensureSignedIn(): Promise<{ signedInAgain: boolean }> {
    run.signingIn = underWay ??= run
      .turn(async () => {
        try {
          return { signedInAgain: await run.native.signIn() };
        } catch (thrown) {
          throw new OperationFailure("The site did not keep the session", {
            cause: thrown,
            dispatch: run.calls === 0 ? "not_sent" : "unknown",
            sessionLoss: "session_not_kept",
          });
        }
      })
      .finally(() => {
        underWay = run.signingIn = undefined;
      });
    return underWay;
  };
};

type Execute = ReturnType<typeof executor>;

async function rejectedSignIn(run: Run, execute: Execute, given: unknown): Promise<void> {
  const { field, selector } = isObject(given) ? given : ({} as any);
  if (!isSignInField(field)) throw new TypeError("rejectedSignIn takes the field that was rejected: username, password, code and so on");
  if (typeof selector !== "string" || selector.length < 1 || selector.length > 1000) throw new TypeError("rejectedSignIn takes a selector of 1 to 1000 characters");
  const answer = await execute(run.start.sessionId, { code: `return await page.locator(${JSON.stringify(selector)}).isVisible();` });
  if (!answer.success) throw new OperationFailure(answer.error, { stderr: answer.stderr });
  if (answer.result === true) throw new CredentialsRejected(field);
}

// ---- challenges ------------------------------------------------------------------------------------------------------

const challengeMs = 30_000;
const challengePollMs = 250;

async function pastChallenge(run: Run, execute: Execute, given: unknown): Promise<void> {
  const ready = isObject(given) ? given.ready : undefined;
  if (typeof ready !== "string" || ready === "") throw new TypeError("waitPastChallenge takes {ready}, page code that returns true once the page is there");
  const limit = Math.max(1, Math.min(challengeMs, Math.floor(run.native.remainingMs())));
  const began = Date.now();
  const code = `
const until = Date.now() + ${limit};
const look = async () => {
${ready}
};
for (;;) {
  try {
    if ((await look()) === true) return true;
  } catch {}
  if (Date.now() >= until) return false;
  await new Promise((again) => setTimeout(again, ${challengePollMs}));
}`;
  const answer = await execute(run.start.sessionId, { code, timeout_sec: Math.ceil(limit / 1000) + 10 });
  if (!answer.success) throw new OperationFailure(answer.error, { stderr: answer.stderr });
  if (answer.result !== true) throw new ChallengeFailure({ code: "Unavailable", solverWaitMs: Date.now() - began });
}
