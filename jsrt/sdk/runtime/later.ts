// Exports that tools may import and that this release does not carry out. Using one is an error that names it.

const refusal = (name: string) => new Error(`${name} of pomerado/runtime is not supported here yet`);

// laterFunction may be passed around; calling it throws.
export const laterFunction = (name: string): any => {
  const refuse = () => {
    throw refusal(name);
  };
  Object.defineProperty(refuse, "name", { value: name });
  return refuse;
};

// laterCode stands for page code that is pasted into other code: writing it out throws.
export const laterCode = (name: string): any => {
  const refuse = () => {
    throw refusal(name);
  };
  return Object.freeze({ [Symbol.toPrimitive]: refuse, toString: refuse, valueOf: refuse, toJSON: refuse });
};
