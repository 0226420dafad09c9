// The parts of an effect module this one is written against, and the way from promises to effects.

import { passesThrough } from "./errors";

export interface EffectModule {
  readonly Effect: any;
  readonly Context: any;
  readonly Either: any;
  readonly Cause: any;
}

// Tags are the services an operation may ask for.
export interface Tags {
  readonly ExecutionContext: any;
  readonly ScriptInput: any;
  readonly NativeDialogs: any;
  readonly SiteHttp: any;
}

// attempt is the effect of work: errors of this module are its failures, anything else that is thrown is a defect.
export const attempting =
  ({ Effect }: EffectModule) =>
  (work: (signal: AbortSignal) => any): any =>
    Effect.flatten(
      Effect.promise(async (signal: AbortSignal) => {
        try {
          return Effect.succeed(await work(signal));
        } catch (thrown) {
          return passesThrough(thrown) ? Effect.fail(thrown) : Effect.die(thrown);
        }
      }),
    );

// instantly is attempt for work that waits for nothing.
export const instantly =
  ({ Effect }: EffectModule) =>
  (work: () => any): any =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(work());
      } catch (thrown) {
        return passesThrough(thrown) ? Effect.fail(thrown) : Effect.die(thrown);
      }
    });

// promised waits for what a caller's own function gave: an effect, a promise or a value.
export const promised =
  ({ Effect }: EffectModule) =>
  (given: any): any =>
    Effect.isEffect(given) ? Effect.runPromise(given) : given;
