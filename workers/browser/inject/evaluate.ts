/** Running page code: decode its arguments, call it, encode what it gives. Runs in the page's own world; see wire.ts for what that means. */
import type { Code, Evaluator, Wait, Wire } from './api';
import { now, onFrame, setTimer } from './builtins';
import { decode, encode } from './wire';

const { apply } = Reflect;
/** Indirect: code runs in the global scope. */
const globalEval = globalThis.eval;

/** Calls of waitForFunction and waits that have not ended, by name; abort() removes them, and they notice. */
const running = new Set<number>();
const isRunning = running.has.bind(running);
const begin = running.add.bind(running);
const end = running.delete.bind(running);

let unnamed = -1;

/** A wait the engine can abort: `alive` until then, or until its time is over. */
export function startWait(options: Wait): { alive(): boolean; aborted(): boolean; remaining(): number; end(): void } {
  const name = options.call ?? unnamed--;
  const until = now() + (options.timeout ?? 0);
  begin(name);
  return {
    alive: () => isRunning(name) && now() < until,
    aborted: () => !isRunning(name),
    remaining: () => until - now(),
    end: () => {
      end(name);
    },
  };
}

export function abort(call: number): true {
  end(call);
  return true;
}

/** Calls functions with the arguments; evaluates strings, and calls what they give if that is a function. */
export function callCode(code: Code, args: unknown[]): unknown {
  const value: unknown = typeof code === 'string' ? globalEval(code) : code;
  return typeof value === 'function' ? apply(value, undefined, args) : value;
}

export function decodeAll(args: Wire[], handles: unknown[]): unknown[] {
  const values: unknown[] = [];
  for (let i = 0; i < args.length; i++)
    values[i] = decode(args[i], handles);
  return values;
}

/** The wire value, or a promise of it when the value is one. */
export function encodeSettled(value: unknown): Wire | Promise<Wire> {
  const isThenable = !!value && typeof value === 'object' && typeof (value as PromiseLike<unknown>).then === 'function';
  return isThenable ? settle(value as PromiseLike<unknown>) : encode(value);
}

/** An async function's promise is the browser's own, whatever the page made of `Promise`. */
async function settle(value: PromiseLike<unknown>): Promise<Wire> {
  return encode(await value);
}

export const evaluator: Evaluator = {
  evaluate(code, args, ...handles) {
    return encodeSettled(callCode(code, decodeAll(args, handles)));
  },

  evaluateHandle(code, args, ...handles) {
    return callCode(code, decodeAll(args, handles));
  },

  encode,

  decode(value, ...handles) {
    return decode(value, handles);
  },

  waitForFunction(code, args, options, ...handles) {
    const values = decodeAll(args, handles);
    const wait = startWait(options);
    // Once the call is over, CSP may refuse to evaluate text again: keep what it gave when that is a function.
    let kept: Code = code;
    const attempt = (): unknown => {
      if (typeof kept === 'string') {
        const value: unknown = globalEval(kept);
        if (typeof value !== 'function')
          return value;
        kept = value as Code;
      }
      return callCode(kept, values);
    };
    return new Promise((done, fail) => {
      const check = () => {
        if (!wait.alive()) {
          wait.end();
          done(null);
          return;
        }
        try {
          const value = attempt();
          if (value) {
            wait.end();
            settleInto(value, done, fail);
          } else if (options.polling === undefined) {
            onFrame(check);
          } else {
            setTimer(check, options.polling);
          }
        } catch (thrown) {
          wait.end();
          fail(thrown);
        }
      };
      check();
    });
  },

  abort,
};

/** A promise counts as truthy; its value is the result. */
function settleInto(value: unknown, done: (result: { value: unknown }) => void, fail: (thrown: unknown) => void): void {
  const settled = (async () => ({ value: await value }))();
  settled.then(done, fail);
}
