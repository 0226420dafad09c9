// Fields of structs that are more than a schema, and what reshapes a struct.

import { dual, identity } from "../pipe";
import { right } from "../either";
import * as Option from "../option";
import { formatPath, formatUnknown } from "../inspect";
import * as ast from "./ast";
import type { Node } from "./ast";
import { Literal, NullOr, NullishOr, Struct, UndefinedOr, annotationsOf, declared, isSchema, make, signature, typeSchema, type Signature } from "./core";
import { OptionFromSelf, transformOrFail } from "./transforms";

export const propertySignature = (self: any) => declared(self.ast, false, self);

export function optional(self: any): any {
  const none = self.ast === ast.undefinedKeyword || self.ast === ast.neverKeyword;
  return declared(none ? ast.undefinedKeyword : UndefinedOr(self).ast, true, self);
}

const changed = (from: any, fromOptional: boolean, to: any, toOptional: boolean, decode: any, encode: any): any =>
  signature({ type: to.ast, optional: toOptional, annotations: {}, change: { type: from.ast, optional: fromOptional, annotations: {}, decode, encode } });

export const optionalToRequired = (from: any, to: any, { decode, encode }: any) =>
  changed(from, true, to, false, (o: any) => Option.some(decode(o)), (o: any) => Option.flatMap(o, encode));
export const requiredToOptional = (from: any, to: any, { decode, encode }: any) =>
  changed(from, false, to, true, (o: any) => Option.flatMap(o, decode), (o: any) => Option.some(encode(o)));
export const optionalToOptional = (from: any, to: any, { decode, encode }: any) => changed(from, true, to, true, decode, encode);

// optionalWith: what counts as absent is `undefined` unless exact, and `null` when nullable; absent may become a default or an Option.
export const optionalWith = dual((args) => isSchema(args[0]), (self: any, options: any = {}) => {
  const { exact, nullable, default: byDefault, onNoneEncoding } = options;
  const from = nullable ? (exact ? NullOr(self) : NullishOr(self)) : exact ? self : UndefinedOr(self);
  const absent = (value: unknown) => (nullable && value === null) || (!exact && value === undefined);
  const keep = (o: any) => Option.filter(o, (value: unknown) => !absent(value));
  if (byDefault) {
    const made = optionalToRequired(from, typeSchema(self), {
      decode: (o: any) => Option.getOrElse(keep(o), byDefault),
      encode: Option.some,
    });
    return signature({ ...made.ast, defaultValue: byDefault }, self);
  }
  if (options.as === "Option") {
    const encode = onNoneEncoding ? (o: any) => Option.orElse(o, onNoneEncoding) : identity;
    return signature(optionalToRequired(from, OptionFromSelf(typeSchema(self), null), { decode: keep, encode }).ast, self);
  }
  if (!nullable) return declared(from.ast, true, self);
  const notNull = (o: any) => Option.filter(o, (value: unknown) => value !== null);
  const to = exact ? typeSchema(self) : UndefinedOr(typeSchema(self));
  return signature(optionalToOptional(from, to, { decode: notNull, encode: identity }).ast, self);
});

export const withConstructorDefault = dual(2, (self: any, defaultValue: () => unknown) => signature({ ...self.ast, defaultValue }));

const definite = (node: Node): Node | undefined =>
  ast.withoutUndefined(node, definite, (one) => {
    const to = definite(one.to);
    return to && ast.transformation(one.from, to, one.change);
  });
export const withDecodingDefault = dual(2, (self: any, defaultValue: () => unknown) => {
  const s = self.ast as Signature;
  const fill = (o: any) => Option.some(Option.isSome(o) && (o as any).value !== undefined ? (o as any).value : defaultValue());
  const to = s.change === undefined ? ast.typeSide(s.type) : s.type;
  const change = s.change ?? { type: s.type, optional: s.optional, annotations: s.annotations, decode: identity, encode: identity };
  return signature({
    type: definite(to) ?? to,
    optional: false,
    annotations: s.change === undefined ? {} : s.annotations,
    defaultValue: s.defaultValue,
    change: { ...change, decode: (o: any) => fill(change.decode(o)) },
  });
});
export const withDefaults = dual(2, (self: any, defaults: any) =>
  withConstructorDefault(withDecodingDefault(self, defaults.decoding), defaults.constructor),
);
export const fromKey = dual(2, (self: any, key: PropertyKey) => {
  const s = self.ast as Signature;
  const change = s.change ?? { type: s.type, optional: s.optional, annotations: s.annotations, decode: identity, encode: identity };
  return signature({
    ...s,
    ...(s.change === undefined ? { type: ast.typeSide(s.type), annotations: {} } : {}),
    change: { ...change, key },
  });
});

export const tag = (value: any) => withConstructorDefault(propertySignature(Literal(value)), () => value);
export const TaggedStruct = (value: any, fields: any) => Struct({ _tag: tag(value), ...fields });

// ---- reshaping -------------------------------------------------------------------------------------------------------

function unsupported(node: Node): never {
  throw new Error(`Unsupported schema\nschema (${node._tag}): ${node}`);
}

// fieldsOf lists the fields of an object node, wherever they are.
function fieldsOf(node: Node): ast.Field[] {
  if (node.annotations.surrogate) return fieldsOf(node.annotations.surrogate);
  switch (node._tag) {
    case "TypeLiteral":
      return [...node.fields];
    case "Suspend":
      return fieldsOf(node.f());
    case "Refinement":
      return fieldsOf(node.from);
    case "Transformation":
      return fieldsOf(node.to);
    case "Union": {
      const [first, ...rest] = node.types.map(fieldsOf);
      return first!.flatMap((one) => {
        const types = [one.type];
        for (const other of rest) {
          const found = other.find(({ name }) => name === one.name);
          if (found === undefined) return [];
          types.push(found.type);
        }
        return [ast.field(one.name, ast.union(types), one.optional)];
      });
    }
  }
  return [];
}

function chosen(node: Node, keep: (name: PropertyKey) => boolean): Node {
  if (node._tag !== "Transformation") return ast.typeLiteral(fieldsOf(node).filter(({ name }) => keep(name)), []);
  if (node.change.kind !== "keys") return unsupported(node);
  const { keys } = node.change;
  const back = new Map(keys.map((one) => [one.to, one.from]));
  const from = new Set(fieldsOf(node.to).filter(({ name }) => keep(name)).map(({ name }) => back.get(name) ?? name));
  return ast.transformation(chosen(node.from, (name) => from.has(name)), chosen(node.to, keep), {
    kind: "keys",
    keys: keys.filter((one) => keep(one.to)),
  });
}
export const pick = (...names: PropertyKey[]) => (self: any) => make(chosen(self.ast, (name) => names.includes(name)));
export const omit = (...names: PropertyKey[]) => (self: any) => make(chosen(self.ast, (name) => !names.includes(name)));

export const pluck = dual(2, (self: any, key: PropertyKey) => {
  const found = fieldsOf(ast.typeSide(self.ast)).find(({ name }) => name === key) ?? unsupported(self.ast);
  const value = make(found.optional ? ast.union([found.type, ast.undefinedKeyword]) : found.type);
  const narrowed = make(chosen(self.ast, (name) => name === key));
  return transformOrFail(narrowed, value, {
    decode: (held: any) => right(held[key]),
    encode: (held: any) => right(found.optional && held === undefined ? {} : { [key]: held }),
  });
});

function optionals(node: Node, exact: boolean): Node {
  switch (node._tag) {
    case "TypeLiteral":
      return ast.typeLiteral(
        node.fields.map((one) => ({ ...one, type: exact ? one.type : withUndefined(one.type), optional: true })),
        node.indexes.map((one) => ({ ...one, type: withUndefined(one.type) })),
      );
    case "TupleType":
      return ast.tuple(
        node.elements.map((one) => ast.element(exact ? one.type : withUndefined(one.type), true)),
        node.rest.length === 0 ? [] : [ast.element(ast.union([...node.rest.map((one) => one.type), ast.undefinedKeyword]))],
        node.readonly,
      );
    case "Union":
      return ast.union(node.types.map((one) => optionals(one, exact)));
    case "Suspend":
      return ast.suspend(() => optionals(node.f(), exact));
  }
  if (node._tag === "Transformation" && node.change.kind === "keys" && node.change.keys.every((one) => one.decode === identity))
    return ast.transformation(optionals(node.from, exact), optionals(node.to, exact), node.change);
  return unsupported(node);
}
const withUndefined = (node: Node): Node =>
  node._tag === "Union" ? ast.union([...node.types.filter(({ _tag }) => _tag !== "UndefinedKeyword"), ast.undefinedKeyword]) : ast.union([node, ast.undefinedKeyword]);
export const partial = (self: any) => make(optionals(self.ast, false));
export const partialWith = dual((args) => isSchema(args[0]), (self: any, options: any) => make(optionals(self.ast, options?.exact === true)));

function requireds(node: Node): Node {
  switch (node._tag) {
    case "TypeLiteral":
      return ast.typeLiteral(node.fields.map((one) => ({ ...one, optional: false })), node.indexes);
    case "TupleType":
      return ast.tuple(node.elements.map((one) => ({ ...one, optional: false })), node.rest, node.readonly);
    case "Union":
      return ast.union(node.types.map(requireds));
    case "Suspend":
      return ast.suspend(() => requireds(node.f()));
  }
  return unsupported(node);
}
export const required = (self: any) => make(requireds(self.ast));

function writable(node: Node): Node {
  switch (node._tag) {
    case "TypeLiteral":
      return ast.typeLiteral(
        node.fields.map((one) => ({ ...one, readonly: false })),
        node.indexes.map((one) => ({ ...one, readonly: false })),
        node.annotations,
      );
    case "TupleType":
      return ast.tuple(node.elements, node.rest, false, node.annotations);
    case "Union":
      return ast.union(node.types.map(writable), node.annotations);
    case "Suspend":
      return ast.suspend(() => writable(node.f()), node.annotations);
    case "Refinement":
      return ast.refinement(writable(node.from), node.filter, node.annotations);
    case "Transformation":
      return ast.transformation(writable(node.from), writable(node.to), node.change, node.annotations);
  }
  return node;
}
export const mutable = (self: any) => make(writable(self.ast));

export const rename = dual(2, (self: any, names: any) => make(renamed(self.ast, names)));
function renamed(node: Node, names: any): Node {
  switch (node._tag) {
    case "TypeLiteral": {
      const keys = Reflect.ownKeys(names)
        .filter((key) => names[key] !== undefined)
        .map((key) => ({ from: key, to: names[key], decode: identity, encode: identity }));
      if (keys.length === 0) return node;
      const to = node.fields.map((one) => ast.field(names[one.name] ?? one.name, ast.typeSide(one.type), one.optional, one.readonly, one.annotations));
      return ast.transformation(node, ast.typeLiteral(to, node.indexes), { kind: "keys", keys });
    }
    case "Union":
      return ast.union(node.types.map((one) => renamed(one, names)));
    case "Suspend":
      return ast.suspend(() => renamed(node.f(), names));
    case "Transformation":
      return ast.transformation(node, renamed(ast.typeSide(node), names), { kind: "compose" });
  }
  return unsupported(node);
}

export const attachPropertySignature = dual((args) => isSchema(args[0]), (self: any, key: PropertyKey, value: any, given?: any) => {
  const type = typeof value === "symbol" ? ast.uniqueSymbol(value) : ast.literal(value);
  const to = extendNodes(ast.typeSide(self.ast), ast.typeLiteral([ast.field(key, type)], []), []);
  const attached = ast.transformation(self.ast, given === undefined ? to : ast.annotate(to, annotationsOf(given)), {
    kind: "keys",
    keys: [{ from: key, to: key, decode: () => Option.some(value), encode: () => Option.none() }],
  });
  return make(attached);
});

// ---- extend ----------------------------------------------------------------------------------------------------------

function overlap(a: Node, b: Node, path: readonly PropertyKey[]): never {
  const at = path.length > 0 ? `\nat path: ${formatPath(path)}` : "";
  throw new Error(`Unsupported schema or overlapping types${at}\ndetails: cannot extend ${a} with ${b}`);
}

// together gives the node of values that are both; shared fields are extended in turn.
function extendNodes(a: Node, b: Node, path: readonly PropertyKey[]): Node {
  if (a === b) return a;
  if (a._tag === "Union") return ast.union(a.types.map((one) => extendNodes(one, b, path)));
  if (b._tag === "Union") return ast.union(b.types.map((one) => extendNodes(a, one, path)));
  if (a._tag === "Suspend") return ast.suspend(() => extendNodes(a.f(), b, path));
  if (b._tag === "Suspend") return ast.suspend(() => extendNodes(a, b.f(), path));
  if (a._tag === "Refinement") return ast.refinement(extendNodes(a.from, b, path), a.filter, a.annotations);
  if (b._tag === "Refinement") return ast.refinement(extendNodes(a, b.from, path), b.filter, b.annotations);
  if (a._tag === "Transformation" || b._tag === "Transformation") return extendTransformations(a, b, path);
  if (a._tag === "TypeLiteral" && b._tag === "TypeLiteral") {
    const fields = [...a.fields];
    for (const one of b.fields) {
      const i = fields.findIndex(({ name }) => name === one.name);
      if (i === -1) fields.push(one);
      else
        fields[i] = ast.field(
          one.name,
          extendNodes(fields[i]!.type, one.type, [...path, one.name]),
          fields[i]!.optional && one.optional,
          fields[i]!.readonly && one.readonly,
          one.annotations,
        );
    }
    return ast.typeLiteral(fields, [...a.indexes, ...b.indexes]);
  }
  const basic = narrower(a, b) ?? narrower(b, a);
  return basic ?? overlap(a, b, path);
}

// narrower answers a literal beside the keyword it belongs to, or two equal things.
function narrower(a: Node, b: Node): Node | undefined {
  if (a._tag === "Literal" && b._tag === "Literal" && a.literal === b.literal) return a;
  if (a._tag === "Literal") {
    const keyword = { string: "StringKeyword", number: "NumberKeyword", boolean: "BooleanKeyword" }[typeof a.literal as string];
    return keyword === b._tag ? a : undefined;
  }
  return a._tag === b._tag && a._tag.endsWith("Keyword") ? a : undefined;
}

function extendTransformations(a: Node, b: Node, path: readonly PropertyKey[]): Node {
  const parts = (node: Node) =>
    node._tag === "Transformation" ? { from: node.from, to: node.to, change: node.change } : { from: node, to: ast.typeSide(node), change: undefined };
  const one = parts(a);
  const two = parts(b);
  const from = extendNodes(one.from, two.from, path);
  const to = extendNodes(one.to, two.to, path);
  const changes = [one.change, two.change].filter((change) => change !== undefined);
  if (changes.length === 1 && changes[0]!.kind !== "keys") return ast.transformation(from, to, carrying(changes[0]!));
  if (changes.some((change) => change!.kind !== "keys")) return overlap(a, b, path);
  const keys = changes.flatMap((change) => (change as any).keys as ast.KeyChange[]);
  for (const side of ["from", "to"] as const) {
    const seen = new Set(keys.map((key) => key[side]));
    if (seen.size !== keys.length)
      throw new Error(`Duplicate property signature transformation\ndetails: Duplicate key ${formatUnknown(keys.find((key, i) => keys.findIndex((other) => other[side] === key[side]) !== i)![side])}`);
  }
  return ast.transformation(from, to, { kind: "keys", keys });
}

// carrying lets a whole-value change run beside fields it knows nothing of: those are passed by.
function carrying(change: ast.Change): ast.Change {
  if (change.kind !== "final") return change;
  const beside = (way: any) => (value: any, options: any, node: Node, input: any) => {
    const made = way(value, options, node, input);
    return made._tag === "Right" ? right({ ...value, ...made.right }) : made;
  };
  return { kind: "final", decode: beside(change.decode), encode: beside(change.encode) };
}

export const extend = dual(2, (self: any, that: any) => make(extendNodes(self.ast, that.ast, [])));

// ---- brands ----------------------------------------------------------------------------------------------------------

export const brand = (name: string | symbol, given?: any) => (self: any) =>
  self.annotations({ ...self.ast.annotations, identifier: undefined, ...(given ?? {}), brand: [...(self.ast.annotations.brand ?? []), name] });
