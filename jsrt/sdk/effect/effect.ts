// The running half of Effect: a value that describes work, and the fiber that carries it out.
// A fiber is sequential; what runs beside it (forEach with concurrency, race, timeout) is other fibers.

import { pipe } from "./pipe";
import { isEither } from "./either";
import { isOption } from "./option";
import { Cause, Exit, causeOfFailure, fiberFailure } from "./cause";
import { empty, isTag } from "./context";

const TypeId = Symbol.for("effect/Effect");

export class Effect {
  declare readonly [TypeId]: unknown;
  // op is what the fiber does: "exit" value, "sync" f, "async" f, "then" over self, "env" f, "with" env over self.
  constructor(
    readonly op: "exit" | "sync" | "async" | "then" | "env" | "with",
    readonly a: any,
    readonly b?: any,
    readonly c?: any,
  ) {}
  pipe(...steps: any[]): any {
    return pipe(this, ...steps);
  }
  *[Symbol.iterator](): any {
    return yield this;
  }
  toJSON() {
    return { _id: "Effect" };
  }
  toString() {
    return JSON.stringify(this.toJSON(), null, 2);
  }
}
Object.defineProperty(Effect.prototype, TypeId, { value: {} });

export const succeed = (value?: unknown) => new Effect("exit", Exit.succeed(value));
export const failCause = (cause: unknown) => new Effect("exit", Exit.failCause(cause));
export const fail = (error?: unknown) => failCause(Cause.fail(error));
export const die = (defect: unknown) => failCause(Cause.die(defect));
export const ofExit = (exit: any) => new Effect("exit", exit);
export const sync = (f: () => unknown) => new Effect("sync", f);
// async starts work that calls back with an Exit; what it gives to onInterrupt is called if the fiber is interrupted before that.
export const async = (start: Start) => new Effect("async", start);
export type Start = (resume: (exit: any) => void, onInterrupt: (stop: () => void) => void) => void;
// then goes on with the exit of self: onSuccess or onFailure gives the next effect; a missing one passes the exit by.
export const then = (self: any, onSuccess: ((value: any) => any) | undefined, onFailure?: (cause: any) => any) =>
  new Effect("then", from(self), onSuccess, onFailure);
export const environment = (f: (context: any) => any) => new Effect("env", f);
export const withEnvironment = (self: any, change: (context: any) => any) => new Effect("with", from(self), change);
export const suspend = (f: () => any) => then(sync(f), (next) => next);

export class NoSuchElementException extends Error {
  declare readonly _tag: string;
  constructor(message?: string) {
    super(message);
    this._tag = this.name = "NoSuchElementException";
  }
}

export const isEffect = (value: any): boolean => value instanceof Effect || isEither(value) || isOption(value) || isTag(value) || isYieldable(value);
const isYieldable = (value: any): boolean => typeof value === "object" && value !== null && typeof value.asEffect === "function";

// from makes an Effect of everything that may stand for one.
export function from(value: any): Effect {
  if (value instanceof Effect) return value;
  if (Exit.isExit(value)) return ofExit(value);
  if (isEither(value)) return value._tag === "Right" ? succeed(value.right) : fail(value.left);
  if (isOption(value)) return value._tag === "Some" ? succeed(value.value) : fail(new NoSuchElementException());
  if (isTag(value)) return environment((context) => succeed(service(context, value)));
  if (isYieldable(value)) return value.asEffect();
  throw new TypeError(`${typeof value === "object" ? Object.prototype.toString.call(value) : String(value)} is not an Effect`);
}

function service(context: any, tag: any): unknown {
  if (!context.unsafeMap.has(tag.key)) throw new Error(`Service not found: ${tag.key}`);
  return context.unsafeMap.get(tag.key);
}

interface Frame {
  readonly onSuccess?: ((value: any) => any) | undefined;
  readonly onFailure?: ((cause: any) => any) | undefined;
  // Set on the frame that ends a "with": the context to go back to.
  readonly context?: any;
}

export class Fiber {
  private readonly stack: Frame[] = [];
  private readonly watchers: ((exit: any) => void)[] = [];
  // stop ends the work the fiber waits for.
  private stop: (() => void) | undefined;
  // An interruption is delivered once, where the fiber waits; what closes after it may wait again.
  private interrupted: "no" | "asked" | "delivered" = "no";
  private waiting = false;
  exit: any;

  constructor(
    effect: any,
    private context: any,
  ) {
    this.run(effect);
  }

  watch(watcher: (exit: any) => void): void {
    if (this.exit === undefined) this.watchers.push(watcher);
    else watcher(this.exit);
  }

  // interrupt ends the fiber as soon as it waits or already waits; what it still has to close is closed.
  interrupt(): void {
    if (this.exit !== undefined || this.interrupted !== "no") return;
    this.interrupted = "asked";
    if (!this.waiting) return;
    this.interrupted = "delivered";
    this.waiting = false;
    this.stop?.();
    this.run(failCause(Cause.interrupt()));
  }

  private run(next: any): void {
    let current: Effect | undefined;
    try {
      current = from(next);
    } catch (thrown) {
      current = die(thrown);
    }
    while (current !== undefined) current = this.step(current);
  }

  // step does one operation and gives the next effect, or undefined when the fiber ended or waits.
  private step(effect: Effect): Effect | undefined {
    switch (effect.op) {
      case "exit":
        return this.unwind(effect.a);
      case "then":
        this.stack.push({ onSuccess: effect.b, onFailure: effect.c });
        return effect.a;
      case "sync":
        return guarded(() => succeed(effect.a()));
      case "env":
        return guarded(() => from(effect.a(this.context)));
      case "with":
        return guarded(() => {
          const outer = this.context;
          this.context = effect.b(outer);
          this.stack.push({ context: outer });
          return effect.a;
        });
      case "async":
        return this.wait(effect.a);
    }
  }

  private wait(start: Start): Effect | undefined {
    if (this.interrupted === "asked") {
      this.interrupted = "delivered";
      return this.unwind(Exit.interrupt());
    }
    let early: any;
    let starting = true;
    let done = false;
    this.waiting = true;
    this.stop = undefined;
    const resume = (exit: any) => {
      if (done) return;
      done = true;
      if (starting) early = exit;
      else if (this.waiting) {
        this.waiting = false;
        this.run(ofExit(exit));
      }
    };
    try {
      start(resume, (stop) => {
        this.stop = stop;
      });
    } catch (thrown) {
      resume(Exit.die(thrown));
    }
    starting = false;
    if (early === undefined) return undefined;
    this.waiting = false;
    return ofExit(early);
  }

  private unwind(exit: any): Effect | undefined {
    for (let frame = this.stack.pop(); frame !== undefined; frame = this.stack.pop()) {
      if (frame.context !== undefined) {
        this.context = frame.context;
        continue;
      }
      const go = exit._tag === "Success" ? frame.onSuccess : frame.onFailure;
      if (go === undefined) continue;
      const held = exit._tag === "Success" ? exit.value : exit.cause;
      return guarded(() => from(go(held)));
    }
    this.exit = exit;
    for (const watcher of this.watchers) watcher(exit);
    return undefined;
  }
}

function guarded(make: () => Effect): Effect {
  try {
    return make();
  } catch (thrown) {
    return failCause(causeOfFailure(thrown) ?? Cause.die(thrown));
  }
}

export const fork = (effect: any, context: any = empty()): Fiber => new Fiber(effect, context);

export function runSyncExit(effect: any): any {
  const fiber = fork(effect);
  if (fiber.exit !== undefined) return fiber.exit;
  fiber.interrupt();
  return Exit.die(new Error("this effect waits for something, so it cannot be run with runSync"));
}

export function runSync(effect: any): any {
  const exit = runSyncExit(effect);
  if (exit._tag === "Success") return exit.value;
  throw fiberFailure(exit.cause);
}

export function runPromiseExit(effect: any, options?: { signal?: AbortSignal }): Promise<any> {
  return new Promise((settle) => {
    const fiber = fork(effect);
    fiber.watch(settle);
    const signal = options?.signal;
    if (signal?.aborted) fiber.interrupt();
    else signal?.addEventListener("abort", () => fiber.interrupt());
  });
}

export async function runPromise(effect: any, options?: { signal?: AbortSignal }): Promise<any> {
  const exit = await runPromiseExit(effect, options);
  if (exit._tag === "Success") return exit.value;
  throw fiberFailure(exit.cause);
}

// settleNow runs an effect that should need no waiting: its value, its failure, or why there is neither.
export function settleNow(effect: any): { ok: true; value: any } | { ok: false; error: any } | { ok: false; why: string } {
  const fiber = fork(effect);
  if (fiber.exit === undefined) {
    fiber.interrupt();
    return { ok: false, why: "cannot be be resolved synchronously, this is caused by using runSync on an effect that performs async work" };
  }
  if (fiber.exit._tag === "Success") return { ok: true, value: fiber.exit.value };
  if (fiber.exit.cause._tag === "Fail") return { ok: false, error: fiber.exit.cause.error };
  return { ok: false, why: Cause.pretty(fiber.exit.cause) };
}
