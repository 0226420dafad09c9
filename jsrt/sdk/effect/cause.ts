// Why an effect did not succeed, and how an effect ended.

import { dual, pipe } from "./pipe";
import { none, some } from "./option";
import { left, right } from "./either";

const CauseTypeId = Symbol.for("effect/Cause");
const ExitTypeId = Symbol.for("effect/Exit");

const proto = (id: symbol, name: string) => ({
  [id]: id,
  pipe(...steps: any[]) {
    return pipe(this, ...steps);
  },
  toJSON() {
    return { _id: name, ...this };
  },
  toString() {
    return JSON.stringify(this.toJSON(), null, 2);
  },
});
const CauseProto = proto(CauseTypeId, "Cause");
const ExitProto = proto(ExitTypeId, "Exit");
const causeOf = (tag: string, parts: object): any => Object.assign(Object.create(CauseProto), { _tag: tag }, parts);
const exitOf = (tag: string, parts: object): any => Object.assign(Object.create(ExitProto), { _tag: tag }, parts);

const empty = causeOf("Empty", {});
const fail = (error: unknown) => causeOf("Fail", { error });
const die = (defect: unknown) => causeOf("Die", { defect });
const interrupt = (fiberId?: unknown) => causeOf("Interrupt", { fiberId });
// both keeps a second cause beside a first one, as when a finalizer fails after the effect did.
const both = (first: any, second: any) => causeOf("Sequential", { left: first, right: second });

const leaves = (cause: any): any[] =>
  cause._tag === "Sequential" || cause._tag === "Parallel" ? [...leaves(cause.left), ...leaves(cause.right)] : [cause];
const first = (cause: any, tag: string): any => {
  for (const leaf of leaves(cause)) if (leaf._tag === tag) return leaf;
};

// squash is the one value that stands for the cause: a failure before a defect before an interruption.
function squash(cause: any): unknown {
  const failure = first(cause, "Fail");
  if (failure) return failure.error;
  const defect = first(cause, "Die");
  if (defect) return defect.defect;
  return new Error("All fibers interrupted without errors.");
}

function words(error: any): { name: string; message: string } {
  if (error instanceof Error) return { name: error.name || "Error", message: error.message };
  if (typeof error === "string") return { name: "Error", message: error };
  if (typeof error === "object" && error !== null) {
    const own = error.toString;
    if (typeof own === "function" && own !== Object.prototype.toString && !Array.isArray(error)) return { name: "Error", message: String(error) };
    try {
      return { name: "Error", message: JSON.stringify(error) };
    } catch {
      return { name: "Error", message: "An unknown error occurred" };
    }
  }
  return { name: "Error", message: String(error) };
}

const pretty = (cause: any): string =>
  leaves(cause)
    .map((leaf) => {
      if (leaf._tag === "Interrupt") return "All fibers interrupted without errors.";
      const { name, message } = words(leaf._tag === "Fail" ? leaf.error : leaf.defect);
      return `${name}: ${message}`;
    })
    .join("\n");

export const Cause = {
  empty,
  fail,
  die,
  interrupt,
  sequential: both,
  isCause: (value: any) => typeof value === "object" && value !== null && CauseTypeId in value,
  isFailType: (cause: any) => cause._tag === "Fail",
  isDieType: (cause: any) => cause._tag === "Die",
  isInterruptType: (cause: any) => cause._tag === "Interrupt",
  isFailure: (cause: any) => first(cause, "Fail") !== undefined,
  isDie: (cause: any) => first(cause, "Die") !== undefined,
  isInterrupted: (cause: any) => first(cause, "Interrupt") !== undefined,
  isInterruptedOnly: (cause: any) => leaves(cause).every((leaf) => leaf._tag === "Interrupt"),
  failureOption: (cause: any) => {
    const found = first(cause, "Fail");
    return found ? some(found.error) : none();
  },
  dieOption: (cause: any) => {
    const found = first(cause, "Die");
    return found ? some(found.defect) : none();
  },
  failureOrCause: (cause: any) => {
    const found = first(cause, "Fail");
    return found ? left(found.error) : right(cause);
  },
  failures: (cause: any) => leaves(cause).filter((leaf) => leaf._tag === "Fail").map((leaf) => leaf.error),
  defects: (cause: any) => leaves(cause).filter((leaf) => leaf._tag === "Die").map((leaf) => leaf.defect),
  map: dual(2, (cause: any, f: any): any => {
    if (cause._tag === "Fail") return fail(f(cause.error));
    if (cause._tag === "Sequential") return both(Cause.map(cause.left, f), Cause.map(cause.right, f));
    return cause;
  }),
  squash,
  pretty,
};

const succeedExit = (value: unknown) => exitOf("Success", { value });
const failCause = (cause: unknown) => exitOf("Failure", { cause });

export const Exit = {
  succeed: succeedExit,
  void: succeedExit(undefined),
  fail: (error: unknown) => failCause(fail(error)),
  die: (defect: unknown) => failCause(die(defect)),
  interrupt: (fiberId?: unknown) => failCause(interrupt(fiberId)),
  failCause,
  isExit: (value: any) => typeof value === "object" && value !== null && ExitTypeId in value,
  isSuccess: (exit: any) => exit._tag === "Success",
  isFailure: (exit: any) => exit._tag === "Failure",
  isInterrupted: (exit: any) => exit._tag === "Failure" && Cause.isInterrupted(exit.cause),
  match: dual(2, (exit: any, { onFailure, onSuccess }: any) => (exit._tag === "Success" ? onSuccess(exit.value) : onFailure(exit.cause))),
  map: dual(2, (exit: any, f: any) => (exit._tag === "Success" ? succeedExit(f(exit.value)) : exit)),
  getOrElse: dual(2, (exit: any, f: any) => (exit._tag === "Success" ? exit.value : f(exit.cause))),
  causeOption: (exit: any) => (exit._tag === "Failure" ? some(exit.cause) : none()),
};

const FailureCauseId = Symbol.for("effect/Runtime/FiberFailure/Cause");

// fiberFailure is the Error a run rejects with: it speaks for the cause and carries it.
export function fiberFailure(cause: any): Error {
  const told = squash(cause);
  const { name, message } = words(told);
  const failure: any = new Error(message);
  failure.name = `(FiberFailure) ${name}`;
  if (told instanceof Error && told.stack) failure.stack = told.stack;
  Object.defineProperty(failure, FailureCauseId, { value: cause });
  return failure;
}

// causeOfFailure takes the cause out of what a run threw; undefined for anything else.
export const causeOfFailure = (thrown: any): any =>
  typeof thrown === "object" && thrown !== null && FailureCauseId in thrown ? thrown[FailureCauseId] : undefined;
