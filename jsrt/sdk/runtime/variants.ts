// runSupportedVariant: the one variant of an operation that applies to an input.

import type { EffectModule } from "./effects";
import { VariantSelectionFailed } from "./errors";

const answers = ["applicable", "not_applicable", "identity_mismatch"];

export const variants = ({ Effect }: EffectModule) => ({
  runSupportedVariant: (list: readonly any[], input: unknown): any =>
    Effect.gen(function* (): any {
      const failed = (reason: string) => Effect.fail(new VariantSelectionFailed({ reason }));
      if (new Set(list.map(({ id }) => id)).size !== list.length) return yield* failed("invalid_guard");
      const applicable: any[] = [];
      for (const variant of list) {
        const said = yield* variant.applicability(input);
        if (!answers.includes(said)) return yield* failed("invalid_guard");
        if (said === "identity_mismatch") return yield* failed("identity_mismatch");
        if (said === "applicable") applicable.push(variant);
      }
      if (applicable.length === 0) return yield* failed("unsupported");
      if (applicable.length > 1) return yield* failed("ambiguous");
      return yield* applicable[0].run(input);
    }),
});
