// A namespace that answers a name it does not have with an error instead of undefined.

// Names engines and tools look for on any object; those stay undefined.
const quiet = new Set(["then", "toJSON", "toString", "valueOf", "constructor", "prototype", "default", "__esModule", "$$typeof", "inspect"]);

export function closed<A extends object>(name: string, members: A): A {
  return new Proxy(Object.freeze(members), {
    get(target, key) {
      if (typeof key === "symbol" || key in target || quiet.has(key)) return (target as any)[key];
      const missing: any = new Error(
        `effect has no export "${name}.${key}" here. Put the effect package into the tool's own node_modules, or write it with the names this runtime has.`,
      );
      // Read by whoever loads the module, to tell this from other failures of loading.
      missing.unknownName = `${name}.${key}`;
      throw missing;
    },
  });
}
