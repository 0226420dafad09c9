// Function composition as `effect` names it.

type Fn = (...args: any[]) => any;

export const identity = <A>(value: A): A => value;

export function pipe(value: any, ...steps: Fn[]): any {
  for (const step of steps) value = step(value);
  return value;
}

export function flow(first: Fn, ...rest: Fn[]): Fn {
  return function (this: unknown, ...args: any[]) {
    return pipe(first.apply(this, args), ...rest);
  };
}

// dual makes a function that may be called with everything at once (data first) or with everything but the
// data, giving a function of the data. `decide` is the full number of arguments or a test of the arguments.
export function dual(decide: number | ((args: ArrayLike<unknown>) => boolean), body: Fn): Fn {
  const full = typeof decide === "number" ? (args: ArrayLike<unknown>) => args.length >= decide : decide;
  return function (this: unknown, ...args: any[]) {
    if (full(args)) return body.apply(this, args);
    return (self: unknown) => body(self, ...args);
  };
}

// constant makes a function that always gives the same value.
export const constant = <A>(value: A) => (): A => value;
export const constVoid = (): void => {};
export const constTrue = (): boolean => true;
export const constFalse = (): boolean => false;
export const constNull = (): null => null;
export const constUndefined = (): undefined => undefined;
export const absurd = (value: never): never => {
  throw new Error(`absurd was called with ${String(value)}, which its type rules out`);
};
