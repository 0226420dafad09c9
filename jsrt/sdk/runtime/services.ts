// makeScriptInput and makeNativeDialogs: services that a caller makes over its own functions.

import { asker } from "./ask";
import { type EffectModule, attempting, promised } from "./effects";
import { BrowserFailure, ScriptInputFailure } from "./errors";

export function services(effect: EffectModule): any {
  const attempt = attempting(effect);
  const wait = promised(effect);

  // The handler gets {id, source, questions} and gives raw answers by question; the deadline stands still meanwhile.
  const makeScriptInput = (declared: unknown, handler: any, deadline?: any): any => {
    const native = {
      async ask(text: string): Promise<string> {
        if (typeof handler !== "function") throw new ScriptInputFailure({ code: "Unavailable" });
        const resume = deadline?.suspend();
        try {
          return JSON.stringify(await wait(handler({ id: crypto.randomUUID(), source: "script", questions: JSON.parse(text) })));
        } finally {
          resume?.();
        }
      },
    };
    return { ask: inputService(effect, { native, operation: { questions: declared } } as any).ask };
  };

  const makeNativeDialogs = (port: any, pageId: unknown): any => ({
    run: (actionId: unknown, action: (options: { timeout: 0 }) => unknown) =>
      attempt(async () => {
        await wait(port.begin(pageId, actionId));
        let value: unknown;
        try {
          value = await wait(action({ timeout: 0 }));
        } catch (cause) {
          await wait(port.end(pageId, actionId, "failed"));
          throw new BrowserFailure({ operation: String(actionId), dispatch: "unknown", cause });
        }
        await wait(port.end(pageId, actionId, "completed"));
        return value;
      }),
  });

  return { makeScriptInput, makeNativeDialogs };
}

// inputService is the ScriptInput of a run: the script's ask, as an effect.
export const inputService = (effect: EffectModule, run: Parameters<typeof asker>[0]): any => {
  const ask = asker(run);
  const attempt = attempting(effect);
  return { ask: (input: unknown, options?: unknown) => attempt(() => ask(input, options)) };
};
