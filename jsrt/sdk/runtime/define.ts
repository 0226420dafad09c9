// defineOperation and defineHttpOperation: what an authored module exports.

import type { EffectModule, Tags } from "./effects";

export const isObject = (value: unknown): value is Record<string, any> => typeof value === "object" && value !== null && !Array.isArray(value);

// defineOperation makes the script form of a contract and a function; the object form passes through.
export function defineOperation(contract: any, run?: any): any {
  if (run === undefined) {
    if (!isObject(contract) || typeof contract.run !== "function")
      throw new TypeError("defineOperation takes a contract and a function, or an operation that has a run function");
    return contract;
  }
  if (!isObject(contract)) throw new TypeError("defineOperation's first argument is the operation's contract, an object");
  if (typeof run !== "function") throw new TypeError("defineOperation's second argument is the function that runs");
  const { name, input, output, questions, write } = contract;
  return {
    kind: "kernel",
    name: name ?? "operation",
    input,
    output,
    ...(questions === undefined ? {} : { questions }),
    ...(write === undefined ? {} : { write }),
    run,
  };
}

// defineHttpOperation makes the object form of an operation that speaks HTTP instead of driving a page.
export const defining = ({ Effect }: EffectModule, { SiteHttp }: Tags) => ({
  defineHttpOperation(given: any): any {
    if (!isObject(given) || typeof given.run !== "function")
      throw new TypeError("defineHttpOperation takes an operation that has a run function");
    const { name, input, output, questions, write, run } = given;
    return {
      name: name ?? "operation",
      input,
      output,
      ...(questions === undefined ? {} : { questions }),
      ...(write === undefined ? {} : { write }),
      run: (decoded: unknown) => Effect.flatMap(SiteHttp, (http: unknown) => run(decoded, http)),
    };
  },
});
