// executeOperation: an operation in object form from its raw input to its checked output.

import type { EffectModule, Tags } from "./effects";
import { DeadlineExceeded, InvalidInput, InvalidOutput } from "./errors";
import { issuesOf, schemaOf } from "./schemas";

// endedByHost marks a deadline that the host itself enforces: racing it would only keep a run alive that can no longer settle.
export const endedByHost = Symbol("ended by the host");

export function operating(effect: EffectModule, tags: Tags): any {
  const { Effect } = effect;
  // given is a service's part that may be an effect or a function that makes one.
  const given = (part: any, ...args: unknown[]): any => {
    const made = typeof part === "function" && !Effect.isEffect(part) ? part(...args) : part;
    return Effect.isEffect(made) ? made : Effect.succeed(made);
  };

  const executeOperation = (operation: any, raw: unknown): any =>
    Effect.flatMap(tags.ExecutionContext, ({ deadline, events, capture, journal }: any) => {
      const tell = (name: string) => (events === undefined ? Effect.void : given(events.emit(name, { operation: operation.name })));
      const carriedOut = Effect.gen(function* (): any {
        yield* given(journal.declareCommits, operation.write?.commits ?? []);
        const inputSchema = schemaOf(operation.input, "the input schema");
        const input = inputSchema.decode(raw);
        if ("error" in input)
          return yield* Effect.fail(new InvalidInput({ operation: operation.name, issues: issuesOf(inputSchema.node, input.issues) }));
        if (deadline.remainingMs() <= 0) return yield* Effect.fail(new DeadlineExceeded({ phase: "execution", dispatch: "not_sent" }));
        if (capture?.start !== undefined) yield* given(capture.start);
        yield* tell("operation.started");
        const made = operation.run(input.value);
        if (!Effect.isEffect(made)) throw new TypeError("the operation's run must return an Effect, as the object form's does");
        const returned = yield* made;
        const output = schemaOf(operation.output, "the output schema").validate(returned);
        if ("error" in output) return yield* Effect.fail(new InvalidOutput({ operation: operation.name, cause: output.error }));
        yield* tell("operation.output_validated");
        return output.value;
      });
      if (deadline[endedByHost] === true) return carriedOut;
      const late = Effect.flatMap(deadline.awaitExpiry, () => Effect.fail(new DeadlineExceeded({ phase: "execution", dispatch: "unknown" })));
      return Effect.raceFirst(carriedOut, late);
    });

  return { executeOperation };
}
