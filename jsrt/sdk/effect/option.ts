// Option: some value, or none.

import { dual, pipe } from "./pipe";
import { left, right } from "./either";

const TypeId = Symbol.for("effect/Option");

const OptionProto = {
  [TypeId]: TypeId,
  _op: "Option",
  pipe(...steps: any[]) {
    return pipe(this, ...steps);
  },
  *[Symbol.iterator](): any {
    return yield this;
  },
  toJSON(this: any) {
    return this._tag === "Some" ? { _id: "Option", _tag: "Some", value: this.value } : { _id: "Option", _tag: "None" };
  },
  toString(this: any) {
    return JSON.stringify(this.toJSON(), null, 2);
  },
};

export interface Some {
  readonly _tag: "Some";
  readonly value: any;
}
export interface None {
  readonly _tag: "None";
}
export type Option = Some | None;

export function some(value: any): Some {
  const made = Object.create(OptionProto);
  made._tag = "Some";
  made.value = value;
  return made;
}

const nothing: None = Object.assign(Object.create(OptionProto), { _tag: "None" });
export const none = (): None => nothing;

export const isOption = (value: unknown): value is Option =>
  typeof value === "object" && value !== null && TypeId in value;
export const isSome = (self: Option): self is Some => self._tag === "Some";
export const isNone = (self: Option): self is None => self._tag === "None";

export const fromNullable = (value: any): Option => (value === null || value === undefined ? none() : some(value));
export const fromIterable = (values: Iterable<any>): Option => {
  for (const value of values) return some(value);
  return none();
};
export const liftThrowable = (f: any) => (...args: any[]): Option => {
  try {
    return some(f(...args));
  } catch {
    return none();
  }
};
export const liftPredicate = dual(2, (value: any, keep: any) => (keep(value) ? some(value) : none()));

export const map = dual(2, (self: Option, f: any) => (isSome(self) ? some(f(self.value)) : self));
export const as = dual(2, (self: Option, value: any) => (isSome(self) ? some(value) : self));
export const flatMap = dual(2, (self: Option, f: any) => (isSome(self) ? f(self.value) : self));
export const flatMapNullable = dual(2, (self: Option, f: any) => (isSome(self) ? fromNullable(f(self.value)) : self));
export const andThen = dual(2, (self: Option, next: any) => {
  if (isNone(self)) return self;
  const made = typeof next === "function" ? next(self.value) : next;
  return isOption(made) ? made : some(made);
});
export const filter = dual(2, (self: Option, keep: any) => (isSome(self) && !keep(self.value) ? none() : self));
export const filterMap = dual(2, (self: Option, f: any) => (isSome(self) ? f(self.value) : self));
export const match = dual(2, (self: Option, { onNone, onSome }: any) => (isSome(self) ? onSome(self.value) : onNone()));
export const orElse = dual(2, (self: Option, f: any) => (isNone(self) ? f() : self));
export const orElseSome = dual(2, (self: Option, f: any) => (isNone(self) ? some(f()) : self));
export const getOrElse = dual(2, (self: Option, f: any) => (isSome(self) ? self.value : f()));
export const getOrNull = (self: Option) => (isSome(self) ? self.value : null);
export const getOrUndefined = (self: Option) => (isSome(self) ? self.value : undefined);
export const getOrThrowWith = dual(2, (self: Option, f: any) => {
  if (isSome(self)) return self.value;
  throw f();
});
export const getOrThrow = (self: Option) => getOrThrowWith(self, () => new Error("getOrThrow called on a None"));
export const toArray = (self: Option): any[] => (isSome(self) ? [self.value] : []);
export const exists = dual(2, (self: Option, test: any) => isSome(self) && test(self.value));
export const contains = dual(2, (self: Option, value: any) => isSome(self) && Object.is(self.value, value));
export const getRight = (either: any): Option => (either._tag === "Right" ? some(either.right) : none());
export const getLeft = (either: any): Option => (either._tag === "Left" ? some(either.left) : none());
export const toEither = dual(2, (self: Option, onNone: any) => (isSome(self) ? right(self.value) : left(onNone())));

export function all(parts: any): Option {
  const list = Array.isArray(parts) || Symbol.iterator in parts;
  const out: any = list ? [] : {};
  for (const [key, one] of list ? Array.from(parts as Iterable<any>).entries() : Object.entries<any>(parts)) {
    if (isNone(one)) return one;
    out[key as any] = one.value;
  }
  return some(out);
}

export function gen(...args: any[]): Option {
  const body = args.length === 1 ? args[0] : args[1].bind(args[0]);
  const steps = body();
  for (let step = steps.next(); ; ) {
    if (step.done) return some(step.value);
    if (isNone(step.value)) return step.value;
    step = steps.next(step.value.value);
  }
}
