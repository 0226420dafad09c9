// Services an effect asks for by tag.

import { dual, pipe } from "./pipe";
import { none, some } from "./option";

const TagTypeId = Symbol.for("effect/Context/Tag");
const ContextTypeId = Symbol.for("effect/Context");

export const isTag = (value: any): boolean => (typeof value === "function" || (typeof value === "object" && value !== null)) && TagTypeId in value;

const tagParts = {
  [TagTypeId]: TagTypeId,
  pipe(...steps: any[]) {
    return pipe(this, ...steps);
  },
  *[Symbol.iterator](): any {
    return yield this;
  },
  of: (service: unknown) => service,
  context(this: any, service: unknown) {
    return make(this, service);
  },
};

export const GenericTag = (key: string): any => Object.assign(Object.create(tagParts), { key });

// Tag makes a base class: `class Db extends Context.Tag("Db")<Db, Service>() {}`.
export const Tag = (key: string) => (): any => {
  class TagClass {}
  for (const name of Reflect.ownKeys(tagParts)) Object.defineProperty(TagClass, name, { value: (tagParts as any)[name] });
  Object.defineProperty(TagClass, "key", { value: key });
  return TagClass;
};

const contextOf = (services: Map<string, unknown>): any => Object.assign(Object.create(contextParts), { unsafeMap: services });
const contextParts = {
  [ContextTypeId]: ContextTypeId,
  pipe(...steps: any[]) {
    return pipe(this, ...steps);
  },
};

export const isContext = (value: any): boolean => typeof value === "object" && value !== null && ContextTypeId in value;
export const empty = (): any => contextOf(new Map());
export const make = (tag: any, service: unknown): any => contextOf(new Map([[tag.key, service]]));
export const add = dual(3, (self: any, tag: any, service: unknown) => contextOf(new Map([...self.unsafeMap, [tag.key, service]])));
export const merge = dual(2, (self: any, that: any) => contextOf(new Map([...self.unsafeMap, ...that.unsafeMap])));
export const getOption = dual(2, (self: any, tag: any) => (self.unsafeMap.has(tag.key) ? some(self.unsafeMap.get(tag.key)) : none()));
export const unsafeGet = dual(2, (self: any, tag: any) => {
  if (!self.unsafeMap.has(tag.key)) throw new Error(`Service not found: ${tag.key}`);
  return self.unsafeMap.get(tag.key);
});
export const get = unsafeGet;
