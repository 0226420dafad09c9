// Either: a value that went right, or an error that went left.

import { dual, pipe } from "./pipe";

const TypeId = Symbol.for("effect/Either");

const EitherProto = {
  [TypeId]: TypeId,
  _op: "Either",
  pipe(...steps: any[]) {
    return pipe(this, ...steps);
  },
  *[Symbol.iterator](): any {
    return yield this;
  },
  toJSON(this: any) {
    return this._tag === "Right"
      ? { _id: "Either", _tag: "Right", right: this.right }
      : { _id: "Either", _tag: "Left", left: this.left };
  },
  toString(this: any) {
    return JSON.stringify(this.toJSON(), null, 2);
  },
};

export interface Right {
  readonly _tag: "Right";
  readonly right: any;
}
export interface Left {
  readonly _tag: "Left";
  readonly left: any;
}
export type Either = Right | Left;

export function right(value?: any): Right {
  const made = Object.create(EitherProto);
  made._tag = "Right";
  made.right = value;
  return made;
}

export function left(error?: any): Left {
  const made = Object.create(EitherProto);
  made._tag = "Left";
  made.left = error;
  return made;
}

const voidRight = right(undefined);
export { voidRight as void };

export const isEither = (value: unknown): value is Either =>
  typeof value === "object" && value !== null && TypeId in value;
export const isRight = (self: Either): self is Right => self._tag === "Right";
export const isLeft = (self: Either): self is Left => self._tag === "Left";

export const map = dual(2, (self: Either, f: any) => (isRight(self) ? right(f(self.right)) : self));
export const mapLeft = dual(2, (self: Either, f: any) => (isLeft(self) ? left(f(self.left)) : self));
export const mapBoth = dual(2, (self: Either, { onLeft, onRight }: any) =>
  isRight(self) ? right(onRight(self.right)) : left(onLeft(self.left)),
);
export const flatMap = dual(2, (self: Either, f: any) => (isRight(self) ? f(self.right) : self));
export const andThen = dual(2, (self: Either, next: any) => {
  if (isLeft(self)) return self;
  const made = typeof next === "function" ? next(self.right) : next;
  return isEither(made) ? made : right(made);
});
export const match = dual(2, (self: Either, { onLeft, onRight }: any) =>
  isRight(self) ? onRight(self.right) : onLeft(self.left),
);
export const orElse = dual(2, (self: Either, f: any) => (isLeft(self) ? f(self.left) : self));
export const filterOrLeft = dual(3, (self: Either, keep: any, orLeftWith: any) =>
  isLeft(self) || keep(self.right) ? self : left(orLeftWith(self.right)),
);
export const getOrElse = dual(2, (self: Either, f: any) => (isRight(self) ? self.right : f(self.left)));
export const getOrNull = (self: Either) => (isRight(self) ? self.right : null);
export const getOrUndefined = (self: Either) => (isRight(self) ? self.right : undefined);
export const getOrThrowWith = dual(2, (self: Either, f: any) => {
  if (isRight(self)) return self.right;
  throw f(self.left);
});
export const getOrThrow = (self: Either) => getOrThrowWith(self, () => new Error("getOrThrow called on a Left"));
export const merge = (self: Either) => (isRight(self) ? self.right : self.left);
export const flip = (self: Either) => (isRight(self) ? left(self.right) : right(self.left));

export const fromNullable = dual(2, (value: unknown, onNull: any) =>
  value === null || value === undefined ? left(onNull(value)) : right(value),
);
export const fromOption = dual(2, (option: any, onNone: any) =>
  option._tag === "Some" ? right(option.value) : left(onNone()),
);

// try runs a throwing function: either its value, or what it threw.
function tryEither(work: any) {
  const call = typeof work === "function" ? work : work.try;
  try {
    return right(call());
  } catch (thrown) {
    return left(typeof work === "function" ? thrown : work.catch(thrown));
  }
}
export { tryEither as try };

export function all(parts: any): Either {
  const list = Array.isArray(parts) || Symbol.iterator in parts;
  const out: any = list ? [] : {};
  for (const [key, one] of list ? Array.from(parts as Iterable<any>).entries() : Object.entries<any>(parts)) {
    if (isLeft(one)) return one;
    out[key as any] = one.right;
  }
  return right(out);
}

export function gen(...args: any[]): Either {
  const body = args.length === 1 ? args[0] : args[1].bind(args[0]);
  const steps = body();
  for (let step = steps.next(); ; ) {
    if (step.done) return right(step.value);
    if (isLeft(step.value)) return step.value;
    step = steps.next(step.value.right);
  }
}
