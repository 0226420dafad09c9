// What the worker's Go code calls: reading a contract, running an operation, and saying how a run failed.

import { causeOfFailure, Cause } from "../effect/cause";
import * as ours from "../effect/index";
import { effectExports } from "./carried";
import { enteringCommit, isCommitName, scriptContext } from "./context";
import { isObject } from "./define";
import { BrowserActionTimeout, DeadlineExceeded, InvalidInput, InvalidOutput, OperationFailure, passesThrough } from "./errors";
import { refusedReason } from "./files";
import { hostChannel } from "./lists";
import { type Native, type Run, type Start, newRun } from "./host";
import { siteHttp } from "./http";
import { journalOf, refusing } from "./journal";
import { endedByHost } from "./operate";
import { inputService } from "./services";
import { contractJsonSchema, issuesOf, schemaOf, useForeign } from "./schemas";

// ---- the contract ----------------------------------------------------------------------------------------------------

const wrong = (what: string): never => {
  throw new TypeError(what);
};

// operationOf is the operation a module exports by default, in either form.
function operationOf(module: any): { operation: any; form: "kernel" | "http" } {
  useForeign(module?.effect);
  const operation = module?.default;
  if (operation === undefined) return wrong("the module has no default export; export default defineOperation({…}, async (context) => {…})");
  if (!isObject(operation) || typeof operation.run !== "function")
    return wrong("the default export is not an operation; export default defineOperation({…}, async (context) => {…})");
  const form = operation.kind === "kernel" ? "kernel" : "http";
  if (typeof operation.name !== "string" || operation.name === "" || operation.name.length > 200)
    wrong("the operation's name must be a text of 1 to 200 characters");
  for (const side of ["input", "output"]) if (operation[side] === undefined) wrong(`the operation has no ${side} schema`);
  writeOf(operation);
  return { operation, form };
}

function writeOf({ write }: any): { confirmation: string; commits: string[] } | undefined {
  if (write === undefined) return undefined;
  if (!isObject(write) || !["readback", "message", "unverifiable"].includes(write.confirmation))
    return wrong('the operation\'s write must be {confirmation: "readback" | "unverifiable", commits: [names]}');
  const commits = write.commits ?? [];
  if (!Array.isArray(commits) || commits.length > 64 || !commits.every(isCommitName) || new Set(commits).size !== commits.length)
    return wrong("write.commits must be a list of different names: lower-case words joined by -, at most 48 characters each");
  return { confirmation: write.confirmation, commits: [...commits] };
}

// readContract gives a module's contract as JSON text.
export function readContract(module: any): string {
  const { operation, form } = operationOf(module);
  const schema = (side: "input" | "output") => {
    try {
      return contractJsonSchema(operation[side]);
    } catch (error: any) {
      throw new TypeError(`the ${side} schema cannot be written as JSON Schema: ${error?.message}`);
    }
  };
  return JSON.stringify({ name: operation.name, form, input: schema("input"), output: schema("output"), write: writeOf(operation) ?? null });
}

// ---- a run -----------------------------------------------------------------------------------------------------------

// runOperation runs a module's operation and gives its output as JSON text; undefined when it returned undefined.
export async function runOperation(module: any, native: Native, start: Start, inputText: string): Promise<string | undefined> {
  const { operation, form } = operationOf(module);
  const run = newRun(native, start, operation);
  try {
    return form === "http" ? await overHttp(run, module.effect, JSON.parse(inputText)) : await carriedOut(run, JSON.parse(inputText));
  } catch (thrown) {
    throw ending(run, thrown);
  }
}

async function carriedOut(run: Run, raw: unknown): Promise<string | undefined> {
  const { operation, native } = run;
  const write = writeOf(operation);
  native.declareCommits(write?.commits ?? [], write !== undefined, write?.confirmation ?? "");
  const inputSchema = schemaOf(operation.input, "the input schema");
  const input = inputSchema.decode(raw);
  if ("error" in input) throw new InvalidInput({ operation: operation.name, issues: issuesOf(inputSchema.node, input.issues) });
  if (native.remainingMs() <= 0) throw new DeadlineExceeded({ phase: "execution", dispatch: "not_sent" });
  native.dispatch();
  const returned = await operation.run(scriptContext(run, withLists(run, input.value)));
  if (isEffect(returned))
    throw new OperationFailure("the operation returned an Effect instead of data; await Effect.runPromise(effect) and return its value", {
      dispatch: run.calls === 0 ? "not_sent" : "unknown",
    });
  const output = schemaOf(operation.output, "the output schema").validate(returned);
  if ("error" in output) throw new InvalidOutput({ operation: operation.name, cause: output.error });
  return told(operation, output.value);
}

// withLists lays the host's side of list cursors beside a decoded input.
function withLists({ start }: Run, input: unknown): unknown {
  if (start.lists !== undefined && isObject(input)) Object.defineProperty(input, hostChannel, { value: JSON.parse(start.lists), enumerable: true });
  return input;
}

function told(operation: any, output: unknown): string | undefined {
  try {
    return outputText(output);
  } catch (cause) {
    throw new InvalidOutput({ operation: operation.name, cause });
  }
}

// overHttp runs the object form with the services it may ask for, on the effect module it is written with.
async function overHttp(run: Run, own: any, raw: unknown): Promise<string | undefined> {
  const { operation, native, start } = run;
  const effect = own?.Effect === undefined ? ours : own;
  const { ExecutionContext, ScriptInput, SiteHttp, executeOperation } = effectExports(effect);
  const { Effect, Cause } = effect;
  const write = writeOf(operation);
  const journal = journalOf(
    effect,
    refusing(write?.confirmation, {
      declareCommits: (names) => native.declareCommits(names, write !== undefined, write?.confirmation ?? ""),
      dispatch: () => native.dispatch(),
      enteringCommit: (name) => enteringCommit(run, name),
      confirmed: (kind) => native.verified(kind),
    }),
  );
  const services: [tag: any, service: unknown][] = [
    [ExecutionContext, { deadline: hostDeadline(effect, native), events: { emit: () => Effect.void }, capture: { start: Effect.void, finish: Effect.void }, journal }],
    [ScriptInput, inputService(effect, run)],
    [SiteHttp, siteHttp(effect, native, start.siteOrigin)],
  ];
  const listed = { ...operation, run: (input: unknown, ...more: unknown[]) => operation.run(withLists(run, input), ...more) };
  const program = services.reduce((held, [tag, service]) => Effect.provideService(held, tag, service), Effect.scoped(executeOperation(listed, raw)));
  const exit = await Effect.runPromiseExit(program);
  if (exit._tag === "Failure") throw Cause.squash(exit.cause);
  return told(operation, exit.value);
}

// hostDeadline is the run's own clock, which the host keeps and enforces.
const hostDeadline = ({ Effect }: any, native: Native): any => ({
  [endedByHost]: true,
  remainingMs: () => native.remainingMs(),
  get expiresAt() {
    return Date.now() + native.remainingMs();
  },
  // The host itself stops the clock while somebody is asked.
  suspend: () => () => {},
  awaitExpiry: Effect.never,
});

const isEffect = (value: any): boolean => typeof value === "object" && value !== null && Symbol.for("effect/Effect") in value && typeof value.pipe === "function";

// outputText writes the output as JSON and refuses what JSON would silently change.
function outputText(value: unknown): string | undefined {
  return JSON.stringify(value, (key, held) => {
    const kind = typeof held;
    const lost = kind === "bigint" || kind === "function" || kind === "symbol" || (kind === "number" && !Number.isFinite(held));
    if (lost) throw new TypeError(`${key === "" ? "the output" : JSON.stringify(key)} is ${kind === "number" ? String(held) : `a ${kind}`}, which JSON cannot hold`);
    return held;
  });
}

// ---- how a run failed ------------------------------------------------------------------------------------------------

const actionTimeouts = [
  /^(TimeoutError:\s*)?(locator|page|frame)\.[A-Za-z]+: Timeout \d+ms exceeded\b/,
  /^(OutcomeWaitFailure:\s*)?outcome_timeout after \d+ ms:/,
];

// ending is the error a run ends with: typed errors as they are, anything else as an OperationFailure.
function ending(run: Run, thrown: any): unknown {
  const cause = causeOfFailure(thrown);
  const told = cause === undefined ? thrown : Cause.squash(cause);
  if (!passesThrough(told)) {
    const message = told instanceof Error || typeof told?.message === "string" ? told.message : "the operation threw a value that is not an Error";
    return new OperationFailure(message, { cause: told, dispatch: "unknown" });
  }
  const last = run.lastFailure?.slice(0, 4096);
  const timedOut = told instanceof OperationFailure && last !== undefined && told.message === last && actionTimeouts.some((pattern) => pattern.test(last));
  return timedOut ? new BrowserActionTimeout(told) : told;
}

// describeFailure reads the fields of a run's error that the host is told.
export function describeFailure(thrown: any): any {
  const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value));
  const refusedFile = refusedReason(thrown);
  return {
    tag: text(thrown?._tag),
    code: refusedFile !== undefined ? `FileRefused:${refusedFile}` : typeof thrown?.code === "string" ? thrown.code : text(thrown?._tag),
    message: text(thrown?.message),
    dispatch: text(thrown?.dispatch),
    sessionLoss: text(thrown?.sessionLoss),
    field: text(thrown?.field),
    available: Array.isArray(thrown?.available) ? thrown.available.map(String) : undefined,
    kind: text(thrown?.kind),
    requested: text(thrown?.requested),
    applied: text(thrown?.applied),
    step: text(thrown?.step),
    siteMessage: text(thrown?.siteMessage),
    reason: text(thrown?.reason),
    issues: Array.isArray(thrown?.issues) ? thrown.issues : undefined,
    // places are the errors whose stacks may name the authored line, outermost first.
    places: chain(thrown),
  };
}

function chain(thrown: any): unknown[] {
  const out: unknown[] = [];
  for (let at = thrown; at !== undefined && at !== null && out.length < 8 && !out.includes(at); at = at.cause) out.push(at);
  return out;
}
