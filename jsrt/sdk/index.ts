// The one script a worker's runtime evaluates before authored code: both modules that authored code imports, made once, and the
// functions the worker's Go code calls, which it takes off before authored code runs.

import * as effect from "./effect/index";
import * as runtime from "./runtime/index";
import { describeFailure, readContract, runOperation } from "./runtime/run";
import { effectExports } from "./runtime/carried";
import { schemaExports } from "./runtime/values";

// The script is minified, so what authored code may ask for its name is given it back.
for (const [name, value] of [...Object.entries(runtime), ...Object.entries(runtime.operationErrors)])
  if (typeof value === "function" && !Object.hasOwn(value, "ast")) Object.defineProperty(value, "name", { value: name, configurable: true });

(globalThis as any).__pomerado_sdk__ = {
  runtime: { ...runtime },
  effect: { ...effect },
  // schemaExports makes the schemas of pomerado/runtime with the Schema of an effect the tool brings itself.
  schemaExports,
  // effectExports makes what of pomerado/runtime speaks Effect for a tool that brings its own effect.
  effectExports,
  binding: { readContract, runOperation, describeFailure },
};
