// Data: values compared by content, and errors with a tag.

import { dual } from "./pipe";
import { fail } from "./effect";

// YieldableError can be yielded inside Effect.gen, where it fails with itself.
export class YieldableError extends globalThis.Error {
  asEffect() {
    return fail(this);
  }
  pipe(...steps: any[]): any {
    return steps.reduce((held, step) => step(held), this.asEffect());
  }
  *[Symbol.iterator](): any {
    return yield this.asEffect();
  }
  toJSON(): any {
    return { ...this };
  }
}
for (const name of ["asEffect", "pipe", "toJSON", Symbol.iterator]) Object.defineProperty(YieldableError.prototype, name, { enumerable: false });

// DataError is Data.Error: fields are own properties, `message` and `cause` go where an Error has them.
const DataError: any = class Base extends YieldableError {
  constructor(fields?: any) {
    super(fields?.message, fields?.cause ? { cause: fields.cause } : undefined);
    if (fields) Object.assign(this, fields);
  }
};
Object.defineProperty(DataError, "name", { value: "Error" });

// TaggedError makes a base class whose instances carry the tag as `_tag` and `name`.
export const TaggedError = (tag: string): any => {
  class Tagged extends DataError {
    declare readonly _tag: string;
    constructor(fields?: any) {
      super(fields);
      // effect defines the tag on the instance; decoders of JSON forms rely on it being its own.
      this._tag = tag;
    }
  }
  Tagged.prototype.name = tag;
  return Tagged;
};

class DataClass {
  constructor(fields?: any) {
    if (fields) Object.assign(this, fields);
  }
}
const TaggedClass = (tag: string): any =>
  class extends DataClass {
    readonly _tag = tag;
  };

const sameFields = (a: any, b: any): boolean => {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equals(a[key], b[key]));
};
const structural = new WeakSet<object>();
const kept = <A extends object>(value: A): A => {
  structural.add(value);
  return value;
};
const isStructural = (value: any) => typeof value === "object" && value !== null && (structural.has(value) || value instanceof DataClass);

// equals compares values made by Data by content and everything else by identity.
export const equals = dual(2, (a: any, b: any): boolean => {
  if (Object.is(a, b)) return true;
  if (!isStructural(a) || !isStructural(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  return sameFields(a, b);
});

const taggedEnum = (): any =>
  new Proxy(
    {},
    {
      get(_, name) {
        if (name === "$is") return (tag: string) => (value: any) => typeof value === "object" && value !== null && value._tag === tag;
        if (name === "$match") {
          const pick = (value: any, cases: any) => cases[value._tag](value);
          return (...args: any[]) => (args.length === 1 ? (value: any) => pick(value, args[0]) : pick(args[0], args[1]));
        }
        return (fields?: object) => kept({ ...fields, _tag: name });
      },
    },
  );

export const Data = {
  TaggedError,
  Error: DataError,
  Class: DataClass,
  TaggedClass,
  struct: (fields: object) => kept({ ...fields }),
  tuple: (...items: unknown[]) => kept([...items]),
  array: (items: readonly unknown[]) => kept([...items]),
  case: () => (fields?: object) => kept({ ...fields }),
  tagged: (tag: string) => (fields?: object) => kept({ ...fields, _tag: tag }),
  taggedEnum,
};
