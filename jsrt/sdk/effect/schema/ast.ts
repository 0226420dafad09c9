// What a schema is made of. Nodes never change once made, apart from what the parser keeps on them.
// Tags and their meanings are effect's, since error texts and JSON Schema output are worded after them.

import { formatUnknown } from "../inspect";

export type Annotations = { [name: PropertyKey]: any };

export interface Field {
  readonly name: PropertyKey;
  readonly type: Node;
  readonly optional: boolean;
  readonly readonly: boolean;
  readonly annotations: Annotations;
}
export interface IndexSignature {
  readonly parameter: Node;
  readonly type: Node;
  readonly readonly: boolean;
}
export interface Element {
  readonly type: Node;
  readonly optional: boolean;
  readonly annotations: Annotations;
}
export interface KeyChange {
  readonly from: PropertyKey;
  readonly to: PropertyKey;
  readonly decode: (option: any) => any;
  readonly encode: (option: any) => any;
}
export type Change =
  | { readonly kind: "final"; readonly decode: any; readonly encode: any }
  | { readonly kind: "compose" }
  | { readonly kind: "keys"; readonly keys: readonly KeyChange[] };

// Node is one schema node. Which of its properties are set follows from its tag.
export class Node {
  declare literal: any;
  declare symbol: symbol;
  declare enums: readonly (readonly [string, string | number])[];
  declare head: string;
  declare spans: readonly { type: Node; literal: string }[];
  declare elements: readonly Element[];
  declare rest: readonly Element[];
  declare readonly: boolean;
  declare fields: readonly Field[];
  declare indexes: readonly IndexSignature[];
  declare types: readonly Node[];
  declare f: () => Node;
  declare from: Node;
  declare to: Node;
  declare filter: (input: any, options: any, self: Node) => any;
  declare change: Change;
  declare parameters: readonly Node[];
  declare decodeUnknown: (...parameters: any[]) => any;
  declare encodeUnknown: (...parameters: any[]) => any;
  // Compiled parsers, kept by the parser.
  declare decoder: any;
  declare encoder: any;

  constructor(
    readonly _tag: string,
    readonly annotations: Annotations,
    parts: object = {},
  ) {
    Object.assign(this, parts);
  }

  toString(): string {
    return describe(this);
  }
}

const keyword = (tag: string, title: string, description?: string) =>
  new Node(tag, description === undefined ? { title } : { title, description });

export const neverKeyword = keyword("NeverKeyword", "never");
export const unknownKeyword = keyword("UnknownKeyword", "unknown");
export const anyKeyword = keyword("AnyKeyword", "any");
export const voidKeyword = keyword("VoidKeyword", "void");
export const undefinedKeyword = keyword("UndefinedKeyword", "undefined");
export const stringKeyword = keyword("StringKeyword", "string", "a string");
export const numberKeyword = keyword("NumberKeyword", "number", "a number");
export const booleanKeyword = keyword("BooleanKeyword", "boolean", "a boolean");
export const bigIntKeyword = keyword("BigIntKeyword", "bigint", "a bigint");
export const symbolKeyword = keyword("SymbolKeyword", "symbol", "a symbol");
export const objectKeyword = keyword("ObjectKeyword", "object", "an object in the TypeScript meaning, i.e. the `object` type");

export const literal = (value: any, annotations: Annotations = {}) => new Node("Literal", annotations, { literal: value });
export const nullLiteral = literal(null);
export const uniqueSymbol = (symbol: symbol) => new Node("UniqueSymbol", {}, { symbol });
export const enums = (pairs: any) => new Node("Enums", {}, { enums: pairs });
export const suspend = (f: () => Node, annotations: Annotations = {}) => {
  let made: Node | undefined;
  return new Node("Suspend", annotations, { f: () => (made ??= f()) });
};
export const refinement = (from: Node, filter: Node["filter"], annotations: Annotations = {}) =>
  new Node("Refinement", annotations, { from, filter });
export const transformation = (from: Node, to: Node, change: Change, annotations: Annotations = {}) =>
  new Node("Transformation", annotations, { from, to, change });
export const declaration = (parameters: readonly Node[], decodeUnknown: any, encodeUnknown: any, annotations: Annotations = {}) =>
  new Node("Declaration", annotations, { parameters, decodeUnknown, encodeUnknown });

export const element = (type: Node, optional = false, annotations: Annotations = {}): Element => ({ type, optional, annotations });
export const field = (name: PropertyKey, type: Node, optional = false, readonly = true, annotations: Annotations = {}): Field => ({
  name,
  type,
  optional,
  readonly,
  annotations,
});

export function tuple(elements: readonly Element[], rest: readonly Element[], readonly = true, annotations: Annotations = {}) {
  let optional = false;
  for (const one of elements) {
    if (optional && !one.optional) throw new Error(invalidElement);
    optional ||= one.optional;
  }
  if (optional && rest.length > 1) throw new Error(invalidElement);
  return new Node("TupleType", annotations, { elements, rest, readonly });
}
const invalidElement = "Invalid element\ndetails: A required element cannot follow an optional element. ts(1257)";

export function typeLiteral(fields: readonly Field[], indexes: readonly IndexSignature[], annotations: Annotations = {}) {
  const names = new Set<PropertyKey>();
  for (const { name } of fields) {
    if (names.has(name))
      throw new Error(`Duplicate property signature\ndetails: Duplicate key ${formatUnknown(name)}`);
    names.add(name);
  }
  const kinds = new Set<string>();
  for (const { parameter } of indexes) {
    const kind = encodedParameter(parameter)._tag === "SymbolKeyword" ? "symbol" : "string";
    if (encodedParameter(parameter)._tag === "TemplateLiteral") continue;
    if (kinds.has(kind)) throw new Error(`Duplicate index signature\ndetails: ${kind} index signature`);
    kinds.add(kind);
  }
  return new Node("TypeLiteral", annotations, { fields, indexes });
}

// union keeps the members as given: none is never, one is itself.
export function union(types: readonly Node[], annotations: Annotations = {}): Node {
  if (types.length === 0) return neverKeyword;
  return types.length === 1 ? types[0]! : new Node("Union", annotations, { types });
}

// annotate gives the node with the annotations laid over its own. An identifier never outlives that: it names what was.
export function annotate(node: Node, over: Annotations): Node {
  const { identifier: _, ...kept } = node.annotations;
  const annotations: Annotations = { ...kept, ...over };
  if (node.annotations.surrogate) annotations.surrogate = annotate(node.annotations.surrogate, over);
  const { decoder: __, encoder: ___, _tag, annotations: ____, ...parts } = node as any;
  return new Node(_tag, annotations, parts);
}

// ---- words -----------------------------------------------------------------------------------------------------------

const brands = (annotations: Annotations): string =>
  (annotations.brand ?? []).map((brand: unknown) => ` & Brand<${formatUnknown(brand)}>`).join("");

function titled({ annotations: a }: { annotations: Annotations }): string | undefined {
  const text = a.title ?? a.description ?? a.autoTitle;
  return text === undefined ? undefined : text + brands(a);
}

// expected is how messages name the node when it says so itself.
export const expected = (node: { annotations: Annotations }): string | undefined => node.annotations.identifier ?? titled(node);

function describe(node: Node): string {
  if (node._tag === "Refinement") {
    if (node.annotations.identifier !== undefined) return node.annotations.identifier;
    const own = titled(node);
    if (own === undefined) return `{ ${node.from} | filter }`;
    return node.from._tag === "Refinement" ? `${node.from} & ${own}` : own;
  }
  return expected(node) ?? structure(node);
}

function structure(node: Node): string {
  switch (node._tag) {
    case "Literal":
      return formatUnknown(node.literal);
    case "UniqueSymbol":
      return formatUnknown(node.symbol);
    case "Enums":
      return `<enum ${node.enums.length} value(s): ${node.enums.map(([, value]) => JSON.stringify(value)).join(" | ")}>`;
    case "TemplateLiteral":
      return "`" + node.head + node.spans.map(({ type, literal }) => spanText(type) + literal).join("") + "`";
    case "TupleType":
      return tupleText(node);
    case "TypeLiteral":
      return typeLiteralText(node);
    case "Union":
      return node.types.map(String).join(" | ");
    case "Suspend": {
      let inner: Node;
      try {
        inner = node.f();
      } catch {
        return "<suspended schema>";
      }
      return expected(inner) ?? "<suspended schema>";
    }
    case "Transformation":
      return `(${node.from} <-> ${node.to})`;
    case "Declaration":
      return "<declaration schema>";
  }
  return node._tag;
}

const spanText = (type: Node): string => (type._tag === "Literal" ? String(type.literal) : "${" + type + "}");

const elementText = (one: Element) => `${one.type}${one.optional ? "?" : ""}`;

function tupleText(node: Node): string {
  const head = node.elements.map(elementText).join(", ");
  if (node.rest.length === 0) return `readonly [${head}]`;
  const [first, ...tail] = node.rest.map((one) => String(one.type));
  if (tail.length === 0 && node.elements.length === 0) return `ReadonlyArray<${first}>`;
  const many = first!.includes(" | ") ? `(${first})` : first;
  return `readonly [${[...(head ? [head] : []), `...${many}[]`, ...tail].join(", ")}]`;
}

export const fieldText = (one: Field): string =>
  `${one.readonly ? "readonly " : ""}${String(one.name)}${one.optional ? "?" : ""}: ${one.type}`;

function typeLiteralText(node: Node): string {
  const fields = node.fields.map(fieldText);
  const indexes = node.indexes.map((one) => `${one.readonly ? "readonly " : ""}[x: ${one.parameter}]: ${one.type}`);
  if (fields.length === 0 && indexes.length === 0) return "{}";
  return `{ ${[...fields, ...indexes].join("; ")} }`;
}

// ---- sides -----------------------------------------------------------------------------------------------------------

// mapped applies f to each and gives the very same list when nothing changed, so that unchanged nodes keep their parsers.
function mapped<A>(list: readonly A[], f: (one: A) => A): readonly A[] {
  let changed = false;
  const out = list.map((one) => {
    const next = f(one);
    changed ||= next !== one;
    return next;
  });
  return changed ? out : list;
}

function children(node: Node, side: (node: Node) => Node, annotations: Annotations): Node {
  const sided = <A extends { type: Node }>(one: A): A => {
    const type = side(one.type);
    return type === one.type ? one : { ...one, type, annotations: {} };
  };
  switch (node._tag) {
    case "Declaration": {
      const parameters = mapped(node.parameters, side);
      return parameters === node.parameters ? node : declaration(parameters, node.decodeUnknown, node.encodeUnknown, annotations);
    }
    case "TupleType": {
      const elements = mapped(node.elements, sided);
      const rest = mapped(node.rest, sided);
      return elements === node.elements && rest === node.rest ? node : tuple(elements, rest, node.readonly, annotations);
    }
    case "TypeLiteral": {
      const fields = mapped(node.fields, sided);
      const indexes = mapped(node.indexes, sided);
      return fields === node.fields && indexes === node.indexes ? node : typeLiteral(fields, indexes, annotations);
    }
    case "Union": {
      const types = mapped(node.types, side);
      return types === node.types ? node : union(types, annotations);
    }
  }
  return node;
}

// Annotations of a transformation that also hold for what it decodes to.
const carried = ["examples", "default", "jsonSchema", "arbitrary", "pretty", "equivalence"];

// typeSide is the node of the decoded value: transformations are replaced by what they give.
export function typeSide(node: Node): Node {
  switch (node._tag) {
    case "Suspend":
      return suspend(() => typeSide(node.f()), node.annotations);
    case "Refinement": {
      const from = typeSide(node.from);
      return from === node.from ? node : refinement(from, node.filter, node.annotations);
    }
    case "Transformation": {
      const kept: Annotations = {};
      for (const name of carried) if (name in node.annotations) kept[name] = node.annotations[name];
      return typeSide(Object.keys(kept).length > 0 ? annotate(node.to, kept) : node.to);
    }
  }
  return children(node, typeSide, node.annotations);
}

// encodedSide is the node of the encoded value, filters dropped.
export function encodedSide(node: Node): Node {
  switch (node._tag) {
    case "Suspend": {
      const name = node.annotations.jsonIdentifier ?? node.annotations.identifier;
      return suspend(() => encodedSide(node.f()), name === undefined ? {} : { jsonIdentifier: `${name}Encoded` });
    }
    case "Refinement":
    case "Transformation":
      return encodedSide(node.from);
  }
  return children(node, encodedSide, {});
}

// transformedFrom is the encoded side of the transformation a refinement stands on, if it does.
export function transformedFrom(node: Node): Node | undefined {
  switch (node._tag) {
    case "Transformation":
      return node.from;
    case "Refinement":
      return transformedFrom(node.from);
    case "Suspend":
      return transformedFrom(node.f());
  }
  return undefined;
}

export function encodedParameter(node: Node): Node {
  switch (node._tag) {
    case "StringKeyword":
    case "SymbolKeyword":
    case "TemplateLiteral":
      return node;
    case "Refinement":
      return encodedParameter(node.from);
  }
  throw new Error(
    "Unsupported index signature parameter\ndetails: An index signature parameter type must be `string`, `symbol`, a template literal type or a refinement of the previous types",
  );
}

// withoutUndefined removes undefined from a type, or answers undefined when the type does not hold it.
export function withoutUndefined(
  node: Node,
  again: (node: Node) => Node | undefined,
  onTransformation: (node: Node) => Node | undefined,
): Node | undefined {
  switch (node._tag) {
    case "UndefinedKeyword":
      return neverKeyword;
    case "Suspend":
      return again(node.f());
    case "Transformation":
      return onTransformation(node);
    case "Union": {
      let found = false;
      const kept: Node[] = [];
      for (const type of node.types) {
        const pruned = again(type);
        found ||= pruned !== undefined;
        if (pruned === undefined) kept.push(type);
        else if (pruned._tag !== "NeverKeyword") kept.push(pruned);
      }
      if (found) return union(kept);
    }
  }
  return undefined;
}

// ---- template literals -----------------------------------------------------------------------------------------------

const escapeRegExp = (text: string) => text.replace(/[/\\^$*+?.()|[\]{}]/g, "\\$&");

function spanPattern(type: Node): string {
  switch (type._tag) {
    case "Literal":
      return escapeRegExp(String(type.literal));
    case "StringKeyword":
      return "[\\s\\S]*?";
    case "NumberKeyword":
      return "[+-]?\\d*\\.?\\d+(?:[Ee][+-]?\\d+)?";
    case "TemplateLiteral":
      return templatePattern(type);
    case "Union":
      return `(${type.types.map(spanPattern).join("|")})`;
  }
  throw new Error(`Unsupported template literal span\nschema (${type._tag}): ${type}`);
}

const templatePattern = (node: Node): string =>
  escapeRegExp(node.head) + node.spans.map(({ type, literal }) => spanPattern(type) + escapeRegExp(literal)).join("");

// goja writes the / of an expression made from text as \u002f where other engines write \/.
const slash = new RegExp("/").source;
export const sourceOf = (regexp: RegExp): string => (slash === "\\/" ? regexp.source : regexp.source.replaceAll(slash, "\\/"));

export const templateRegExp = (node: Node): RegExp => new RegExp(`^${templatePattern(node)}$`);
