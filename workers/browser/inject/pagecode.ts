/** Page code with elements found by selectors: locator.evaluate and its kin. Only useful in the page's own world. */
import type { Code, Reply, Resolve, Target, Wire } from './api';
import { Call, type Attempt } from './call';
import { nodeOf } from './elements';
import { callCode, decodeAll, encodeSettled } from './evaluate';
import { previewOf } from './preview';
import { resolve } from './query';

/** A call in which the page code's own exceptions are thrown as they are, so that the engine reports them with their stacks. */
async function passing<T>(options: Resolve, body: (call: Call, guard: <R>(work: () => Promise<R> | R) => Promise<R> | R) => Promise<Attempt<T>> | Attempt<T>): Promise<Reply<T>> {
  let failure: { thrown: unknown } | undefined;
  const keep = (thrown: unknown): never => {
    failure = { thrown };
    throw thrown;
  };
  const guard = <R>(work: () => Promise<R> | R): Promise<R> | R => {
    try {
      const result = work();
      return result instanceof Promise ? result.catch(keep) : result;
    } catch (thrown) {
      return keep(thrown);
    }
  };
  const reply = await Call.run(options, call => body(call, guard));
  if (failure)
    throw failure.thrown;
  return reply;
}

export function evaluateOn(code: Code, target: Target, args: Wire[], options: Resolve, scope?: Node | null, ...handles: unknown[]): Promise<Reply<Wire>> {
  return passing<Wire>(options, (call, guard) => call.withElement(target, scope, async (element): Promise<Attempt<Wire>> =>
    ({ value: await guard<Wire>(() => encodeSettled(callCode(code, [element, ...decodeAll(args, handles)]))) })));
}

export function evaluateHandleOn(code: Code, ref: number, args: Wire[], ...handles: unknown[]): unknown {
  return callCode(code, [nodeOf(ref), ...decodeAll(args, handles)]);
}

export async function evaluateAll(code: Code, selector: string, args: Wire[], scope?: Node | null, ...handles: unknown[]): Promise<Wire> {
  return encodeSettled(callCode(code, [resolve(selector, scope ?? document, false), ...decodeAll(args, handles)]));
}

/** A promise counts as a truthy answer. */
export function waitForFunctionOn(code: Code, target: string, args: Wire[], options: Resolve, scope?: Node | null, ...handles: unknown[]): Promise<Reply<true>> {
  const values = decodeAll(args, handles);
  return passing<true>(options, (call, guard) => call.until((): Attempt<true> => {
    const [element] = resolve(target, scope ?? document, !!options.strict);
    if (!element)
      return { retry: { reason: 'notfound' } };
    if (!guard(() => callCode(code, [element, ...values])))
      return { retry: { reason: 'mismatch' } };
    call.log.push(`  locator resolved to ${previewOf(element)}`);
    return { value: true };
  }));
}
