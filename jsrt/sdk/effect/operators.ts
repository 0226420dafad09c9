// The functions of the `Effect` namespace that tools use, over the fiber of effect.ts.

import { dual } from "./pipe";
import { left, right } from "./either";
import { isNone, none, some } from "./option";
import { Cause, Exit, causeOfFailure } from "./cause";
import * as Context from "./context";
import { toMillis } from "./duration";
import {
  Effect,
  Fiber,
  NoSuchElementException,
  async,
  die,
  environment,
  fail,
  failCause,
  fork,
  from,
  isEffect,
  runPromise,
  runPromiseExit,
  runSync,
  runSyncExit,
  suspend,
  sync,
  succeed,
  then,
  withEnvironment,
} from "./effect";

class UnknownException extends Error {
  declare readonly _tag: string;
  readonly error: unknown;
  constructor(cause: unknown, message?: string) {
    super(message ?? "An unknown error occurred", { cause });
    this._tag = this.name = "UnknownException";
    this.error = cause;
  }
}
class TimeoutException extends Error {
  declare readonly _tag: string;
  constructor(message?: string) {
    super(message);
    this._tag = this.name = "TimeoutException";
  }
}
export const exceptions = { UnknownException, TimeoutException, NoSuchElementException };

// ---- making ----------------------------------------------------------------------------------------------------------

const parts = (given: any) => (typeof given === "function" ? { try: given, catch: undefined } : given);
const caught = (name: string, thrown: unknown, handler: any) =>
  fail(handler ? handler(thrown) : new UnknownException(thrown, `An unknown error occurred in Effect.${name}`));

const trySync = (given: any) =>
  suspend(() => {
    const { try: work, catch: handler } = parts(given);
    try {
      return succeed(work());
    } catch (thrown) {
      return caught("try", thrown, handler);
    }
  });

const fromPromise = (work: (signal: AbortSignal) => any, onThrown: (thrown: unknown) => Effect) =>
  async((resume, onInterrupt) => {
    let promise: any;
    try {
      // Made only for work that takes it.
      const controller = work.length > 0 ? new AbortController() : undefined;
      if (controller) onInterrupt(() => controller.abort());
      promise = work(controller?.signal as AbortSignal);
    } catch (thrown) {
      return resume(settled(() => onThrown(thrown)));
    }
    Promise.resolve(promise).then(
      (value) => resume(Exit.succeed(value)),
      (thrown) => resume(settled(() => onThrown(thrown))),
    );
  });
const settled = (make: () => Effect) => {
  try {
    return make().a;
  } catch (thrown) {
    return Exit.die(thrown);
  }
};

const promise = (work: any) => fromPromise(work, (thrown) => failCause(causeOfFailure(thrown) ?? Cause.die(thrown)));
const tryPromise = (given: any) => {
  const { try: work, catch: handler } = parts(given);
  return fromPromise(work, (thrown) => caught("tryPromise", thrown, handler));
};

function gen(...args: any[]): Effect {
  const body = args.length === 1 ? args[0] : args[1].bind(args[0]);
  return suspend(() => follow(body()));
}
function follow(steps: Iterator<any>): Effect {
  const next = (input?: unknown): Effect => {
    const step = steps.next(input as any);
    return step.done ? succeed(step.value) : then(step.value, next);
  };
  return next();
}

// fn makes a function of a generator function; effects given after it are applied to each call's effect.
const fn = (...given: any[]): any => {
  if (typeof given[0] === "string") return (...rest: any[]) => fn(...rest);
  const [body, ...steps] = given;
  return function (this: unknown, ...args: any[]) {
    let made: any = suspend(() => {
      const started = body.apply(this, args);
      return isEffect(started) ? started : follow(started);
    });
    for (const step of steps) made = step(made, ...args);
    return made;
  };
};

const sleep = (duration: unknown) =>
  async((resume, onInterrupt) => {
    const timer = setTimeout(() => resume(Exit.void), toMillis(duration));
    onInterrupt(() => clearTimeout(timer));
  });

// ---- going on --------------------------------------------------------------------------------------------------------

const flatMap = dual(2, (self: any, f: any) => then(self, f));
const map = dual(2, (self: any, f: any) => then(self, (value) => succeed(f(value))));
const isPromise = (value: any) => typeof value === "object" && value !== null && typeof value.then === "function";
function loosely(made: any): Effect {
  if (isEffect(made)) return from(made);
  return isPromise(made) ? tryPromise(() => made) : succeed(made);
}
const andThen = dual(2, (self: any, next: any) => then(self, (value) => loosely(typeof next === "function" && !isEffect(next) ? next(value) : next)));
const tap = dual(2, (self: any, next: any) =>
  then(self, (value) => then(loosely(typeof next === "function" && !isEffect(next) ? next(value) : next), () => succeed(value))),
);
const as = dual(2, (self: any, value: unknown) => then(self, () => succeed(value)));
const asVoid = (self: any) => then(self, () => succeed(undefined));
const flatten = (self: any) => then(self, (inner) => inner);
const zip = dual((args) => isEffect(args[1]), (self: any, that: any) => then(self, (a) => then(that, (b) => succeed([a, b]))));
const zipRight = dual((args) => isEffect(args[1]), (self: any, that: any) => then(self, () => that));
const zipLeft = dual((args) => isEffect(args[1]), (self: any, that: any) => then(self, (a) => then(that, () => succeed(a))));
const zipWith = dual((args) => isEffect(args[1]), (self: any, that: any, f: any) => then(self, (a) => then(that, (b) => succeed(f(a, b)))));

// ---- failures --------------------------------------------------------------------------------------------------------

const onFail = (self: any, pick: (error: any) => any) =>
  then(self, undefined, (cause) => {
    const failure = Cause.failureOption(cause);
    const next = isNone(failure) ? undefined : pick((failure as any).value);
    return next === undefined ? failCause(cause) : next;
  });

const catchAll = dual(2, (self: any, f: any) => onFail(self, (error) => f(error)));
const catchAllCause = dual(2, (self: any, f: any) => then(self, undefined, f));
const catchAllDefect = dual(2, (self: any, f: any) =>
  then(self, undefined, (cause) => {
    const defect = Cause.dieOption(cause);
    return isNone(defect) ? failCause(cause) : f((defect as any).value);
  }),
);
const catchIf = dual(3, (self: any, test: any, f: any) => onFail(self, (error) => (test(error) ? f(error) : undefined)));
const catchSome = dual(2, (self: any, f: any) =>
  onFail(self, (error) => {
    const made = f(error);
    return isNone(made) ? undefined : made.value;
  }),
);
const catchTag = dual((args) => isEffect(args[0]), (self: any, ...tagsAndHandler: any[]) => {
  const handler = tagsAndHandler.pop();
  return onFail(self, (error) => (tagsAndHandler.includes(error?._tag) ? handler(error) : undefined));
});
const catchTags = dual(2, (self: any, handlers: any) =>
  onFail(self, (error) => {
    const tag = error?._tag;
    return typeof tag === "string" && Object.hasOwn(handlers, tag) ? handlers[tag](error) : undefined;
  }),
);
const mapError = dual(2, (self: any, f: any) => onFail(self, (error) => fail(f(error))));
const mapBoth = dual(2, (self: any, { onFailure, onSuccess }: any) => onFail(map(self, onSuccess), (error) => fail(onFailure(error))));
const orElse = dual(2, (self: any, f: any) => onFail(self, () => f()));
const orElseSucceed = dual(2, (self: any, f: any) => onFail(self, () => succeed(f())));
const orElseFail = dual(2, (self: any, f: any) => onFail(self, () => fail(f())));
const orDie = (self: any) => onFail(self, (error) => die(error));
const orDieWith = dual(2, (self: any, f: any) => onFail(self, (error) => die(f(error))));
const either = (self: any) => catchAll(map(self, right), (error: unknown) => succeed(left(error)));
const option = (self: any) => catchAll(map(self, some), () => succeed(none()));
const exit = (self: any) =>
  then(
    self,
    (value) => succeed(Exit.succeed(value)),
    (cause) => succeed(Exit.failCause(cause)),
  );
const sandbox = (self: any) => then(self, undefined, (cause) => fail(cause));
const flip = (self: any) => then(then(self, (value) => succeed({ value })), ({ value }) => fail(value), (cause) => {
  const failure = Cause.failureOption(cause);
  return isNone(failure) ? failCause(cause) : succeed((failure as any).value);
});
const match = dual(2, (self: any, { onFailure, onSuccess }: any) =>
  matchEffect(self, { onFailure: (error: any) => succeed(onFailure(error)), onSuccess: (value: any) => succeed(onSuccess(value)) }),
);
const matchEffect = dual(2, (self: any, { onFailure, onSuccess }: any) =>
  then(self, onSuccess, (cause) => {
    const failure = Cause.failureOption(cause);
    return isNone(failure) ? failCause(cause) : onFailure((failure as any).value);
  }),
);
const matchCause = dual(2, (self: any, { onFailure, onSuccess }: any) =>
  then(self, (value) => succeed(onSuccess(value)), (cause) => succeed(onFailure(cause))),
);
const matchCauseEffect = dual(2, (self: any, { onFailure, onSuccess }: any) => then(self, onSuccess, onFailure));
const tapError = dual(2, (self: any, f: any) => onFail(self, (error) => then(f(error), () => fail(error))));
const tapErrorTag = dual(3, (self: any, tag: string, f: any) =>
  onFail(self, (error) => (error?._tag === tag ? then(f(error), () => fail(error)) : undefined)),
);
const tapErrorCause = dual(2, (self: any, f: any) => then(self, undefined, (cause) => then(f(cause), () => failCause(cause))));
const tapBoth = dual(2, (self: any, { onFailure, onSuccess }: any) => tapError(tap(self, onSuccess), onFailure));
const filterOrFail = dual((args) => isEffect(args[0]), (self: any, test: any, orFailWith?: any) =>
  then(self, (value) => (test(value) ? succeed(value) : fail(orFailWith ? orFailWith(value) : new NoSuchElementException()))),
);

// ---- closing ---------------------------------------------------------------------------------------------------------

const onExit = dual(2, (self: any, close: any) =>
  then(
    self,
    (value) => then(close(Exit.succeed(value)), () => succeed(value)),
    (cause) =>
      then(
        close(Exit.failCause(cause)),
        () => failCause(cause),
        (second) => failCause(Cause.sequential(cause, second)),
      ),
  ),
);
const ensuring = dual(2, (self: any, finalizer: any) => onExit(self, () => finalizer));
const acquireUseRelease = dual(3, (acquire: any, use: any, release: any) =>
  then(acquire, (resource) => onExit(suspend(() => use(resource)), (ended: any) => release(resource, ended))),
);

const Scope: any = Context.GenericTag("effect/Scope");
const addFinalizer = (finalizer: any) =>
  then(Scope, (scope) => {
    scope.push(finalizer);
    return succeed(undefined);
  });
const acquireRelease = dual((args) => isEffect(args[0]), (acquire: any, release: any) =>
  then(acquire, (resource) => then(addFinalizer((ended: any) => release(resource, ended)), () => succeed(resource))),
);
const scoped = (self: any) =>
  suspend(() => {
    const finalizers: any[] = [];
    const close = (ended: any): Effect => {
      const last = finalizers.pop();
      return last === undefined ? succeed(undefined) : then(last(ended), () => close(ended));
    };
    return onExit(provideService(self, Scope, finalizers), close);
  });

// ---- services --------------------------------------------------------------------------------------------------------

const provideService = dual(3, (self: any, tag: any, implementation: unknown) =>
  withEnvironment(self, (context) => Context.add(context, tag, implementation)),
);
const provideServiceEffect = dual(3, (self: any, tag: any, making: any) => then(making, (made) => provideService(self, tag, made)));
const provide = dual(2, (self: any, context: any) => {
  if (!Context.isContext(context)) throw new TypeError("Effect.provide takes a Context here; layers are not supported");
  return withEnvironment(self, (outer) => Context.merge(outer, context));
});
const context = () => environment((held) => succeed(held));
const serviceOption = (tag: any) => environment((held) => succeed(Context.getOption(held, tag)));

// ---- many ------------------------------------------------------------------------------------------------------------

const width = (options: any): number => {
  const asked = options?.concurrency;
  if (asked === "unbounded" || asked === "inherit") return Infinity;
  return typeof asked === "number" && asked > 1 ? asked : 1;
};

// beside runs effects in fibers of their own, at most `many` at once; the first that does not succeed interrupts the others.
function beside(count: number, make: (i: number) => any, many: number, collect: (i: number, value: any) => void): Effect {
  return environment((held) =>
    async((resume, onInterrupt) => {
      const running = new Set<Fiber>();
      let next = 0;
      let ended = 0;
      let failed: any;
      const finish = () => resume(failed ?? Exit.void);
      const start = () => {
        while (failed === undefined && next < count && running.size < many) {
          const i = next++;
          const fiber = fork(suspend(() => make(i)), held);
          running.add(fiber);
          fiber.watch((exit) => {
            running.delete(fiber);
            ended += 1;
            if (exit._tag === "Success") collect(i, exit.value);
            else if (failed === undefined) {
              failed = exit;
              for (const other of [...running]) other.interrupt();
            }
            if (failed !== undefined ? running.size === 0 : ended === count) finish();
            else start();
          });
        }
      };
      onInterrupt(() => {
        failed ??= Exit.interrupt();
        for (const one of [...running]) one.interrupt();
      });
      if (count === 0) finish();
      else start();
    }),
  );
}

const forEach = dual((args) => !isEffect(args[0]) && typeof args[0] !== "function", (items: Iterable<any>, f: any, options?: any) =>
  suspend(() => {
    const list = Array.from(items);
    const out: any[] = [];
    const done = () => succeed(options?.discard ? undefined : out);
    if (width(options) > 1) return then(beside(list.length, (i) => f(list[i], i), width(options), (i, value) => (out[i] = value)), done);
    const step = (i: number): Effect =>
      i >= list.length
        ? done()
        : then(f(list[i], i), (value) => {
            out.push(value);
            return step(i + 1);
          });
    return step(0);
  }),
);

function all(given: any, options?: any): Effect {
  const list = Array.isArray(given) || (given !== null && typeof given === "object" && Symbol.iterator in given && !isEffect(given));
  const entries: [any, any][] = list ? Array.from(given as Iterable<any>).map((one, i) => [i, one]) : Object.entries(given);
  const mode = options?.mode;
  const each = mode === "either" ? either : mode === "validate" ? either : (one: any) => one;
  return then(forEach(entries, ([, one]: [any, any]) => each(one), { concurrency: options?.concurrency }), (values: any[]) => {
    if (mode === "validate" && values.some((one) => one._tag === "Left"))
      return fail(assembled(values.map((one) => (one._tag === "Left" ? some(one.left) : none()))));
    const told = mode === "validate" ? values.map((one) => one.right) : values;
    return succeed(options?.discard ? undefined : assembled(told));
  });
  function assembled(values: any[]): any {
    if (list) return values;
    return Object.fromEntries(entries.map(([key], i) => [key, values[i]]));
  }
}

const filter = dual(2, (items: Iterable<any>, test: any) =>
  then(forEach(items, (one: any, i: number) => map(test(one, i), (keep: boolean) => ({ one, keep }))), (tested: any[]) =>
    succeed(tested.filter(({ keep }) => keep).map(({ one }) => one)),
  ),
);
const reduce = dual(3, (items: Iterable<any>, zero: any, f: any) =>
  suspend(() => {
    const list = Array.from(items);
    const step = (held: any, i: number): Effect => (i >= list.length ? succeed(held) : then(f(held, list[i], i), (next) => step(next, i + 1)));
    return step(zero, 0);
  }),
);
const loop = (initial: any, options: any) =>
  suspend(() => {
    const out: any[] = [];
    const step = (state: any): Effect => {
      if (!options.while(state)) return succeed(options.discard ? undefined : out);
      return then(options.body(state), (value) => {
        out.push(value);
        return step(options.step(state));
      });
    };
    return step(initial);
  });
const iterate = (initial: any, options: any) =>
  suspend(() => {
    const step = (state: any): Effect => (options.while(state) ? then(options.body(state), step) : succeed(state));
    return step(initial);
  });

// first settles as the first of the effects does (of any kind, or of success) and interrupts the others.
const firstOf = (effects: any[], decides: (exit: any) => boolean) =>
  environment((held) =>
    async((resume, onInterrupt) => {
      const fibers: Fiber[] = [];
      let left = effects.length;
      let done = false;
      const end = (exit: any) => {
        done = true;
        for (const one of fibers) one.interrupt();
        resume(exit);
      };
      for (const effect of effects) {
        if (done) break;
        const fiber = fork(effect, held);
        fibers.push(fiber);
        fiber.watch((exit) => {
          left -= 1;
          if (!done && (decides(exit) || left === 0)) end(exit);
        });
      }
      onInterrupt(() => {
        done = true;
        for (const one of fibers) one.interrupt();
      });
    }),
  );
const race = dual(2, (self: any, that: any) => firstOf([self, that], Exit.isSuccess));
const raceFirst = dual(2, (self: any, that: any) => firstOf([self, that], () => true));
const raceAll = (effects: Iterable<any>) => firstOf([...effects], Exit.isSuccess);

const timeoutFail = dual(2, (self: any, { duration, onTimeout }: any) => {
  const late = Symbol();
  return then(raceFirst(self, as(sleep(duration), late)), (value: unknown) => (value === late ? fail(onTimeout()) : succeed(value)));
});
const timeout = dual(2, (self: any, duration: any) =>
  timeoutFail(self, { duration, onTimeout: () => new TimeoutException(`Operation timed out after '${toMillis(duration)}ms'`) }),
);
const timeoutOption = dual(2, (self: any, duration: any) => {
  const late = Symbol();
  return then(raceFirst(self, as(sleep(duration), late)), (value: unknown) => succeed(value === late ? none() : some(value)));
});
const delay = dual(2, (self: any, duration: any) => then(sleep(duration), () => self));

// retry and repeat take the options form; schedules are not supported.
function timesOf(name: string, options: any): number {
  if (typeof options !== "object" || options === null || "schedule" in options || !["times", "while", "until"].some((key) => key in options))
    throw new TypeError(`Effect.${name} takes {times, while, until} here; schedules are not supported`);
  return options.times ?? Infinity;
}
const retry = dual(2, (self: any, options: any) => {
  const times = timesOf("retry", options);
  const attempt = (left: number): Effect =>
    onFail(self, (error) => {
      if (left <= 0 || (options.while && !options.while(error)) || (options.until && options.until(error))) return undefined;
      return attempt(left - 1);
    });
  return suspend(() => attempt(times));
});
const repeat = dual(2, (self: any, options: any) => {
  const times = timesOf("repeat", options);
  const again = (left: number): Effect =>
    then(self, (value) => {
      if (left <= 0 || (options.while && !options.while(value)) || (options.until && options.until(value))) return succeed(value);
      return again(left - 1);
    });
  return suspend(() => again(times));
});

// ---- conditions ------------------------------------------------------------------------------------------------------

const whenEffect = dual(2, (self: any, test: any) => then(test, (yes) => (yes ? map(self, some) : succeed(none()))));
const when = dual(2, (self: any, test: any) => suspend(() => (test() ? map(self, some) : succeed(none()))));
const unless = dual(2, (self: any, test: any) => suspend(() => (test() ? succeed(none()) : map(self, some))));
const ifElse = dual((args) => typeof args[0] === "boolean" || isEffect(args[0]), (test: any, { onTrue, onFalse }: any) =>
  then(typeof test === "boolean" ? succeed(test) : test, (yes) => (yes ? onTrue() : onFalse())),
);

const log = (write: "log" | "warn" | "error" | "debug") => (...message: unknown[]) => sync(() => console[write](...message));

export const operators: Record<string, any> = {
  isEffect, succeed, fail, failCause, failSync: (f: any) => suspend(() => fail(f())), die,
  dieMessage: (message: string) => die(new Error(message)), sync, suspend, try: trySync, promise, tryPromise, gen, fn, sleep,
  void: succeed(undefined), never: async(() => {}), succeedNone: succeed(none()), succeedSome: (value: unknown) => succeed(some(value)),
  flatMap, map, andThen, tap, as, asVoid, asSome: (self: any) => map(self, some), flatten, zip, zipRight, zipLeft, zipWith,
  catchAll, catch: catchAll, catchAllCause, catchAllDefect, catchIf, catchSome, catchTag, catchTags, mapError, mapBoth, orElse,
  orElseSucceed, orElseFail, orDie, orDieWith, either, option, exit, sandbox, flip, match, matchEffect, matchCause, matchCauseEffect,
  tapError, tapErrorTag, tapErrorCause, tapBoth, filterOrFail, ignore: (self: any) => match(self, { onFailure: () => {}, onSuccess: () => {} }),
  onExit, ensuring, acquireUseRelease, acquireRelease, addFinalizer, scoped, provideService, provideServiceEffect, provide, context,
  serviceOption, forEach, all, filter, reduce, loop, iterate, race, raceFirst, raceAll, timeout, timeoutFail, timeoutOption, delay,
  retry, repeat, when, whenEffect, unless, if: ifElse,
  merge: (self: any) => match(self, { onFailure: (error: any) => error, onSuccess: (value: any) => value }),
  fromNullable: (value: any) => (value === null || value === undefined ? fail(new NoSuchElementException()) : succeed(value)),
  log: log("log"), logInfo: log("log"), logDebug: log("debug"), logWarning: log("warn"), logError: log("error"),
  withSpan: dual((args) => isEffect(args[0]), (self: any) => self),
  runPromise, runPromiseExit, runSync, runSyncExit,
};
