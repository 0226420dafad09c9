// Schema values. A schema is a function object, as effect's are classes: `class Tool extends Schema.Struct({…}) {}` works.

import { dual, pipe } from "../pipe";
import { formatUnknown } from "../inspect";
import * as ast from "./ast";
import type { Annotations, Node } from "./ast";
import * as parse from "./parse";

const TypeId = Symbol.for("effect/Schema");
const PropertySignatureTypeId = Symbol.for("effect/PropertySignature");

export const isSchema = (value: any): boolean =>
  (typeof value === "function" || (typeof value === "object" && value !== null)) && TypeId in value && "ast" in value;
export const isPropertySignature = (value: any): boolean =>
  typeof value === "object" && value !== null && PropertySignatureTypeId in value;

// Annotations are kept under plain names; effect's own symbols mean the same.
const symbolPrefix = "effect/annotation/";
const symbolNames: Record<string, string> = { JSONSchema: "jsonSchema", JSONIdentifier: "jsonIdentifier" };
export function annotationsOf(given: any): Annotations {
  const out: Annotations = {};
  for (const key of given ? Reflect.ownKeys(given) : []) {
    const value = given[key];
    if (typeof key === "symbol" && key.description?.startsWith(symbolPrefix)) {
      const name = key.description.slice(symbolPrefix.length);
      out[symbolNames[name] ?? name[0]!.toLowerCase() + name.slice(1)] = value;
    } else out[key] = value;
  }
  // A message may also be given per schema by a later annotation; undefined takes nothing away but says nothing either.
  for (const key of Reflect.ownKeys(out)) if (out[key] === undefined) delete out[key];
  return out;
}
export const annotated = (node: Node, given: any): Node => ast.annotate(node, annotationsOf(given));

// ---- the schema object -----------------------------------------------------------------------------------------------

const schemaParts: any = Object.create(Function.prototype);
Object.assign(schemaParts, {
  [TypeId]: TypeId,
  pipe(...steps: any[]) {
    return pipe(this, ...steps);
  },
  // remake gives a schema of the same kind over another node.
  remake(this: any, node: Node) {
    return make(node);
  },
  annotations(this: any, given: any) {
    return this.remake(annotated(this.ast, given));
  },
  toString(this: any) {
    return String(this.ast);
  },
});
Object.defineProperty(schemaParts, "~standard", {
  get(this: any) {
    return parse.standard(this.ast);
  },
});

// schemaOf makes a schema object; `own` are the properties and methods of its kind.
export function schemaOf(node: Node, own: object = {}): any {
  function SchemaValue() {}
  Object.setPrototypeOf(SchemaValue, schemaParts);
  Object.defineProperties(SchemaValue, { name: { value: "Schema" }, ast: { value: node } });
  for (const [name, value] of Object.entries(own)) Object.defineProperty(SchemaValue, name, { value, writable: true, configurable: true });
  return SchemaValue;
}
export const make = (node: Node): any => schemaOf(node);

// makeWith is the `make` of schemas whose values are made by hand and checked.
const makeWith = {
  make(this: any, value: any, options?: any) {
    const unchecked = options === true || options?.disableValidation === true;
    return unchecked ? value : parse.validateSync(this)(value);
  },
};

// ---- plain values ----------------------------------------------------------------------------------------------------

export function Literal(...values: any[]): any {
  return literalOf(values);
}
function literalOf(values: any[], node?: Node): any {
  if (values.length === 0) return make(ast.neverKeyword);
  const all = node ?? ast.union(values.map((value) => ast.literal(value)));
  return schemaOf(all, { literals: [...values], remake: (next: Node) => literalOf(values, next) });
}
export const pickLiteral = (...values: any[]) => () => Literal(...values);
export const UniqueSymbolFromSelf = (symbol: symbol) => make(ast.uniqueSymbol(symbol));

export function Enums(enums: any): any {
  // A numeric enum also maps numbers back to names; those keys are not members.
  const names = Object.keys(enums).filter((key) => typeof enums[enums[key]] !== "number");
  return schemaOf(ast.enums(names.map((name) => [name, enums[name]])), { enums: { ...enums } });
}

export function TemplateLiteral(...parts: any[]): any {
  const nodeOf = (part: any): Node => (isSchema(part) ? part.ast : ast.literal(String(part)));
  let head = "";
  const spans: { type: Node; literal: string }[] = [];
  for (const part of parts) {
    const node = nodeOf(part);
    if (node._tag === "Literal") {
      const text = String(node.literal);
      if (spans.length === 0) head += text;
      else spans[spans.length - 1] = { ...spans.at(-1)!, literal: spans.at(-1)!.literal + text };
      continue;
    }
    if (!["StringKeyword", "NumberKeyword", "TemplateLiteral", "Union"].includes(node._tag))
      throw new Error(`Unsupported template literal span\nschema (${node._tag}): ${node}`);
    spans.push({ type: node, literal: "" });
  }
  const made = new ast.Node("TemplateLiteral", {}, { head, spans });
  return schemaOf(spans.length === 0 ? ast.literal(head) : made, { params: parts });
}

// ---- unions ----------------------------------------------------------------------------------------------------------

export function Union(...members: any[]): any {
  if (members.length === 0) return make(ast.neverKeyword);
  if (members.length === 1) return members[0];
  return unionOf(members);
}
function unionOf(members: any[], node?: Node): any {
  return schemaOf(node ?? ast.union(members.map((one) => one.ast)), {
    members: [...members],
    remake: (next: Node) => unionOf(members, next),
  });
}
export const NullOr = (self: any) => Union(self, make(ast.nullLiteral));
export const UndefinedOr = (self: any) => Union(self, make(ast.undefinedKeyword));
export const NullishOr = (self: any) => Union(self, make(ast.nullLiteral), make(ast.undefinedKeyword));
export const keyof = (self: any) => make(ast.union(keysOf(self.ast)));

function keysOf(node: Node): Node[] {
  switch (node._tag) {
    case "TypeLiteral":
      return [
        ...node.fields.map(({ name }) => (typeof name === "symbol" ? ast.uniqueSymbol(name) : ast.literal(name))),
        ...node.indexes.map(({ parameter }) => ast.encodedParameter(parameter)),
      ];
    case "Suspend":
      return keysOf(node.f());
    case "Transformation":
      return keysOf(node.to);
    case "Declaration":
      if (node.annotations.surrogate) return keysOf(node.annotations.surrogate);
  }
  throw new Error(`Unsupported schema\nschema (${node._tag}): ${node}`);
}

// ---- lists -----------------------------------------------------------------------------------------------------------

const elementOf = (given: any): ast.Element =>
  isSchema(given) ? ast.element(given.ast) : ast.element(given.element.ast, given.optional, given.annotationsGiven);

function elementSchema(schema: any, optional: boolean, annotationsGiven: Annotations = {}): any {
  const of = {
    element: schema,
    optional,
    annotationsGiven,
    from: schema,
    pipe: (...steps: any[]) => pipe(of, ...steps),
    annotations: (given: any) => elementSchema(schema, optional, { ...annotationsGiven, ...annotationsOf(given) }),
  };
  return of;
}
export const element = (self: any) => elementSchema(self, false);
export const optionalElement = (self: any) => elementSchema(self, true);

export function Tuple(...args: any[]): any {
  return Array.isArray(args[0]) ? tupleOf(args[0], args.slice(1)) : tupleOf(args, []);
}
function tupleOf(elements: any[], rest: any[], node?: Node): any {
  return schemaOf(node ?? ast.tuple(elements.map(elementOf), rest.map(elementOf)), {
    ...makeWith,
    elements: [...elements],
    rest: [...rest],
    remake: (next: Node) => tupleOf(elements, rest, next),
  });
}
export function ArraySchema(value: any): any {
  return arrayOf(value, ast.tuple([], [ast.element(value.ast)]));
}
export function NonEmptyArray(value: any): any {
  return arrayOf(value, ast.tuple([ast.element(value.ast)], [ast.element(value.ast)]));
}
function arrayOf(value: any, node: Node): any {
  return schemaOf(node, { ...makeWith, value, elements: [], rest: [value], remake: (next: Node) => arrayOf(value, next) });
}

// ---- objects ---------------------------------------------------------------------------------------------------------

export function Struct(fields: any, ...records: { key: any; value: any }[]): any {
  return structOf(fields, records);
}

export function structOf(fields: any, records: any[], node: Node = structNode(fields, records)): any {
  return schemaOf(node, {
    fields: { ...fields },
    records: [...records],
    make(this: any, props: any, options?: any) {
      return makeWith.make.call(this, withDefaults(fields, { ...props }), options);
    },
    pick: (...names: PropertyKey[]) => Struct(Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]))),
    omit: (...names: PropertyKey[]) =>
      Struct(Object.fromEntries(Reflect.ownKeys(fields).filter((name) => !names.includes(name)).map((name) => [name, fields[name]]))),
    remake: (next: Node) => structOf(fields, records, next),
  });
}

export function withDefaults(fields: any, props: any): any {
  for (const key of Reflect.ownKeys(fields)) {
    const makeDefault = isPropertySignature(fields[key]) ? fields[key].ast.defaultValue : undefined;
    if (props[key] === undefined && makeDefault !== undefined) props[key] = makeDefault();
  }
  return props;
}

export function recordNodes(key: Node, value: Node): { fields: ast.Field[]; indexes: ast.IndexSignature[] } {
  const fields: ast.Field[] = [];
  const indexes: ast.IndexSignature[] = [];
  const add = (node: Node): void => {
    switch (node._tag) {
      case "NeverKeyword":
        return;
      case "StringKeyword":
      case "SymbolKeyword":
      case "TemplateLiteral":
      case "Refinement":
        ast.encodedParameter(node);
        indexes.push({ parameter: node, type: value, readonly: true });
        return;
      case "Literal":
        if (typeof node.literal !== "string" && typeof node.literal !== "number")
          throw new Error(`Unsupported literal\ndetails: literal value: ${formatUnknown(node.literal)}`);
        fields.push(ast.field(node.literal, value));
        return;
      case "Enums":
        for (const [, name] of node.enums) fields.push(ast.field(name, value));
        return;
      case "UniqueSymbol":
        fields.push(ast.field(node.symbol, value));
        return;
      case "Union":
        node.types.forEach(add);
        return;
    }
    throw new Error(`Unsupported key schema\nschema (${node._tag}): ${node}`);
  };
  add(key);
  return { fields, indexes };
}

// structNode is a type literal, or, when a field changes between its sides, a transformation between two of them.
function structNode(fields: any, records: any[]): Node {
  const from: ast.Field[] = [];
  const to: ast.Field[] = [];
  const plain: ast.Field[] = [];
  const changes: ast.KeyChange[] = [];
  for (const key of Reflect.ownKeys(fields)) {
    const given = fields[key];
    if (isPropertySignature(given)) {
      const s = given.ast as Signature;
      if (s.change === undefined) {
        const { missingMessage } = s.annotations;
        from.push(ast.field(key, s.type, s.optional, true, missingMessage === undefined ? {} : { missingMessage }));
        to.push(ast.field(key, ast.typeSide(s.type), s.optional, true, s.annotations));
        plain.push(ast.field(key, s.type, s.optional, true, s.annotations));
      } else {
        const fromKey = s.change.key ?? key;
        from.push(ast.field(fromKey, s.change.type, s.change.optional, true, s.change.annotations));
        to.push(ast.field(key, s.type, s.optional, true, s.annotations));
        changes.push({ from: fromKey, to: key, decode: s.change.decode, encode: s.change.encode });
      }
      continue;
    }
    if (!isSchema(given)) throw new TypeError(`the field ${formatUnknown(key)} of Schema.Struct is not a schema`);
    from.push(ast.field(key, given.ast));
    to.push(ast.field(key, ast.typeSide(given.ast)));
    plain.push(ast.field(key, given.ast));
  }
  const indexes: ast.IndexSignature[] = [];
  for (const record of records) {
    const made = recordNodes(record.key.ast, record.value.ast);
    indexes.push(...made.indexes);
    plain.push(...made.fields);
    from.push(...made.fields);
    to.push(...made.fields.map((one) => ({ ...one, type: ast.typeSide(one.type) })));
  }
  if (changes.length === 0) return ast.typeLiteral(plain, indexes);
  return ast.transformation(
    ast.typeLiteral(from, indexes, { autoTitle: "Struct (Encoded side)" }),
    ast.typeLiteral(to, indexes.map((one) => ({ ...one, type: ast.typeSide(one.type) })), { autoTitle: "Struct (Type side)" }),
    { kind: "keys", keys: changes },
  );
}

export function RecordSchema({ key, value }: { key: any; value: any }): any {
  return recordOf(key, value);
}
function recordOf(key: any, value: any, node?: Node): any {
  const made = structOf({}, [{ key, value }], node);
  for (const [name, own] of Object.entries({ key, value, remake: (next: Node) => recordOf(key, value, next) }))
    Object.defineProperty(made, name, { value: own, writable: true, configurable: true });
  return made;
}

// ---- property signatures ---------------------------------------------------------------------------------------------

// Signature is a field of a struct that is more than a schema: optional, renamed, defaulted.
export interface Signature {
  readonly type: Node;
  readonly optional: boolean;
  readonly annotations: Annotations;
  readonly defaultValue?: (() => unknown) | undefined;
  // The encoded side and the way between, where they differ.
  readonly change?: {
    readonly type: Node;
    readonly optional: boolean;
    readonly annotations: Annotations;
    readonly key?: PropertyKey | undefined;
    readonly decode: (option: any) => any;
    readonly encode: (option: any) => any;
  };
}

const signatureParts = {
  [TypeId]: TypeId,
  [PropertySignatureTypeId]: null,
  pipe(...steps: any[]) {
    return pipe(this, ...steps);
  },
  annotations(this: any, given: any) {
    return signature({ ...this.ast, annotations: { ...this.ast.annotations, ...annotationsOf(given) } }, this.from);
  },
  toString(this: any) {
    const { type, optional } = this.ast as Signature;
    const name = type.annotations.identifier ?? String(type);
    return `PropertySignature<${optional ? '"?:"' : '":"'}, ${name}>`;
  },
};
export function signature(of: Signature, from?: any): any {
  return Object.assign(Object.create(signatureParts), { ast: of, ...(from === undefined ? {} : { from }) });
}
export const declared = (type: Node, optional: boolean, from?: any) => signature({ type, optional, annotations: {} }, from);

// ---- annotations as a function ---------------------------------------------------------------------------------------

export const annotations = dual(2, (self: any, given: any) => self.annotations(given));
export const asSchema = (self: any) => self;
export const typeSchema = (self: any) => make(ast.typeSide(self.ast));
export const encodedSchema = (self: any) => make(ast.encodedSide(self.ast));
export const suspend = (f: () => any) => make(ast.suspend(() => f().ast));
