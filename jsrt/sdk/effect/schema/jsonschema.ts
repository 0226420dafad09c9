// JSON Schema (draft-07) of a schema's encoded side, key for key as effect 3.22 writes it: saved tools carry that text.

import { formatPath, formatPropertyKey } from "../inspect";
import * as ast from "./ast";
import type { Annotations, Node } from "./ast";
import { encoder } from "./parser";

type Json = any;

interface Walk {
  readonly defs: Record<string, Json>;
  readonly path: readonly PropertyKey[];
  // Set where an identified node is being written into $defs itself, so that it is not a reference to itself.
  readonly inside: boolean;
  // Set where the annotations' own jsonSchema has been used already.
  readonly plain: boolean;
  // Set where a node without JSON Schema becomes "any" instead of an error.
  readonly lenient: boolean;
}

export function make(schema: { ast: Node }): Json {
  const defs: Record<string, Json> = {};
  const top = schema.ast;
  const node = top._tag === "Transformation" && isParseJson(top.from) ? top.to : top;
  const body = write(node, { defs, path: [], inside: false, plain: false, lenient: false });
  const out: Json = { $schema: "http://json-schema.org/draft-07/schema#" };
  if (Object.keys(defs).length > 0) out.$defs = defs;
  return Object.assign(out, body);
}

const isParseJson = (node: Node): boolean => node.annotations.schemaId === parseJsonId;
export const parseJsonId = Symbol.for("effect/schema/ParseJson");
export const intId = Symbol.for("effect/SchemaId/Int");

function missing(what: string, walk: Walk, node: Node): never {
  throw new Error(
    `Missing annotation${at(walk)}\ndetails: Generating a JSON Schema for this schema requires ${what} annotation\nschema (${node._tag}): ${node}`,
  );
}
const at = ({ path }: Walk): string => (path.length > 0 ? `\nat path: ${formatPath(path)}` : "");

// ---- annotations -----------------------------------------------------------------------------------------------------

function isJson(value: any, open: object[] = []): boolean {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return true;
  if (typeof value !== "object" || open.includes(value)) return false;
  const inner = [...open, value];
  if (Array.isArray(value)) return value.every((one) => isJson(one, inner));
  const proto = Object.getPrototypeOf(value);
  if ((proto !== null && proto !== Object.prototype) || Object.getOwnPropertySymbols(value).length > 0) return false;
  return Object.values(value).every((one) => isJson(one, inner));
}

function encodedValue(node: Node, value: unknown): { value: unknown } | undefined {
  const made = encoder(node)(value, {});
  return made._tag === "Right" && isJson(made.right) ? { value: made.right } : undefined;
}

// wordsOf gives the annotations JSON Schema has a keyword for, values encoded by `node`.
function wordsOf(node: Node, { description, title, default: byDefault, examples }: Annotations, builtIn?: Annotations): Json {
  const out: Json = {};
  if (description !== undefined && description !== builtIn?.description) out.description = description;
  if (title !== undefined && title !== builtIn?.title) out.title = title;
  if (byDefault !== undefined) {
    const value = encodedValue(node, byDefault);
    if (value !== undefined) out.default = value.value;
  }
  if (examples !== undefined) {
    const values = examples.flatMap((one: unknown) => {
      const value = encodedValue(node, one);
      return value === undefined ? [] : [value.value];
    });
    if (values.length > 0) out.examples = values;
  }
  return out;
}

const builtIns: Record<string, Node> = {
  StringKeyword: ast.stringKeyword,
  NumberKeyword: ast.numberKeyword,
  BooleanKeyword: ast.booleanKeyword,
};
const ownWords = (node: Node): Json => wordsOf(node, node.annotations, builtIns[node._tag]?.annotations);

// laid puts words over a schema. A reference takes no siblings there, so it moves into allOf.
function laid(schema: Json, words: Json): Json {
  if (Object.keys(words).length === 0) return schema;
  return "$ref" in schema ? { allOf: [schema], ...words } : { ...schema, ...words };
}
const worded = (schema: Json, node: Node): Json => laid(schema, ownWords(node));

// replaces says whether a jsonSchema annotation stands for the whole schema instead of adding to it.
function replaces(node: Node, given: Json): boolean {
  if (node._tag === "Refinement" && node.annotations.schemaId === intId) return "type" in given && given.type !== "integer";
  return "type" in given || "oneOf" in given || "anyOf" in given || "$ref" in given;
}

// Keywords a later filter narrows: the earlier value is kept in allOf where it is the narrower one.
const narrowing: [string, (earlier: any, later: any) => boolean][] = [
  ["minLength", (a, b) => a > b],
  ["maxLength", (a, b) => a < b],
  ["pattern", (a, b) => a !== b],
  ["minItems", (a, b) => a > b],
  ["maxItems", (a, b) => a < b],
  ["minimum", (a, b) => a > b],
  ["maximum", (a, b) => a < b],
  ["exclusiveMinimum", (a, b) => a > b],
  ["exclusiveMaximum", (a, b) => a < b],
  ["multipleOf", (a, b) => a !== b],
];

function narrowed(from: Json, own: Json, node: Node): Json {
  const out: Json = { ...from, ...ownWords(node), ...own };
  out.allOf ??= [];
  for (const [name, narrower] of narrowing) {
    if (!(name in own && name in from)) continue;
    out.allOf = [{ [name]: from[name] }, ...out.allOf].filter((one: Json) => narrower(one[name], own[name]));
  }
  if (out.allOf.length === 0) delete out.allOf;
  return out;
}

// identifierOf is the name a node is filed under in $defs.
function identifierOf(node: Node): string | undefined {
  const own = node.annotations.jsonIdentifier ?? node.annotations.identifier;
  if (own !== undefined) return own;
  if (node._tag === "Suspend") return identifierOf(node.f());
  if (node._tag === "Transformation" && node.from._tag === "TypeLiteral" && node.to._tag === "Declaration" && node.to.annotations.surrogate)
    return identifierOf(node.to);
  return undefined;
}

// ---- nodes -----------------------------------------------------------------------------------------------------------

function write(node: Node, walk: Walk): Json {
  if (!walk.inside) {
    const id = identifierOf(node);
    if (id !== undefined) {
      const ref = { $ref: `#/$defs/${id.replace(/~/g, "~0").replace(/\//g, "~1")}` };
      if (!Object.hasOwn(walk.defs, id)) {
        walk.defs[id] = ref;
        walk.defs[id] = write(node, { ...walk, inside: true, plain: false });
      }
      return ref;
    }
  }
  const given = node.annotations.jsonSchema;
  if (!walk.plain && given !== undefined) return annotated(node, given, { ...walk, plain: false });
  const next = { ...walk, plain: false };
  if (node.annotations.surrogate) return write(node.annotations.surrogate, next);
  return structure(node, next);
}

function annotated(node: Node, given: Json, walk: Walk): Json {
  if (replaces(node, given)) return node._tag === "Declaration" ? worded(given, node) : given;
  if (node._tag !== "Refinement") return { ...write(node, { ...walk, plain: true }), ...given };
  const from = ast.transformedFrom(node);
  return from === undefined ? narrowed(write(node.from, walk), given, node) : write(from, walk);
}

const anything = { $id: "/schemas/any" };
const nothing = { $id: "/schemas/never", not: {} };
const objectOrArray = [{ type: "object" }, { type: "array" }];

function structure(node: Node, walk: Walk): Json {
  const below = { ...walk, inside: false };
  switch (node._tag) {
    case "NeverKeyword":
      return worded(nothing, node);
    case "VoidKeyword":
      return worded({ $id: "/schemas/void" }, node);
    case "UnknownKeyword":
      return worded({ $id: "/schemas/unknown" }, node);
    case "AnyKeyword":
      return worded(anything, node);
    case "ObjectKeyword":
      return worded({ $id: "/schemas/object", anyOf: objectOrArray }, node);
    case "StringKeyword":
      return worded({ type: "string" }, node);
    case "NumberKeyword":
      return worded({ type: "number" }, node);
    case "BooleanKeyword":
      return worded({ type: "boolean" }, node);
    case "Literal": {
      if (node.literal === null) return worded({ type: "null" }, node);
      const type = typeof node.literal;
      if (type === "string" || type === "number" || type === "boolean") return worded({ type, enum: [node.literal] }, node);
      break;
    }
    case "Enums": {
      if (node.enums.length === 0) return worded(nothing, node);
      const anyOf = node.enums.map(([title, value]) => ({ type: typeof value === "number" ? "number" : "string", title, enum: [value] }));
      return worded({ $comment: "/schemas/enums", anyOf }, node);
    }
    case "TemplateLiteral":
      return worded({ type: "string", title: String(node), description: "a template literal", pattern: ast.sourceOf(ast.templateRegExp(node)) }, node);
    case "Suspend":
      if (!walk.inside) {
        if (walk.lenient) return worded(anything, node);
        return missing('an "identifier"', walk, node);
      }
      return write(node.f(), walk);
    case "Refinement":
      return write(node.from, walk);
    case "TupleType":
      return tuple(node, below);
    case "TypeLiteral":
      return typeLiteral(node, below);
    case "Union":
      return union(node, below);
    case "Transformation":
      return transformation(node, walk);
  }
  return walk.lenient ? worded(anything, node) : missing('a "jsonSchema"', walk, node);
}

const deeper = (walk: Walk, key: PropertyKey): Walk => ({ ...walk, path: [...walk.path, key] });

function tuple(node: Node, walk: Walk): Json {
  const one = (element: ast.Element, walk: Walk) => laid(write(element.type, walk), wordsOf(element.type, element.annotations));
  const elements = node.elements.map((element, i) => one(element, deeper(walk, i)));
  const rest = node.rest.map((element) => one(element, walk));
  const out: Json = { type: "array" };
  if (elements.length > 0) {
    out.minItems = node.elements.filter((element) => !element.optional).length;
    out.items = elements;
  }
  if (rest.length === 0) {
    if (elements.length > 0) out.additionalItems = false;
    else out.maxItems = 0;
  } else if (rest.length === 1 && node.elements.every((element) => element.type === node.rest[0]!.type)) {
    out.items = rest[0];
  } else {
    out.additionalItems = rest[0];
  }
  if (rest.length > 1) {
    if (walk.lenient) return worded(anything, node);
    throw new Error(
      `Generating a JSON Schema for post-rest elements is not currently supported. You're welcome to contribute by submitting a Pull Request${at(walk)}`,
    );
  }
  return worded(out, node);
}

// pruned is the type without undefined where it holds it, unless the type says its own JSON Schema.
function pruned(node: Node): Node | undefined {
  if (node.annotations.jsonSchema !== undefined) return undefined;
  return ast.withoutUndefined(node, pruned, (transformation) => pruned(transformation.from));
}

function typeLiteral(node: Node, walk: Walk): Json {
  if (node.fields.length === 0 && node.indexes.length === 0) return worded({ $id: "/schemas/%7B%7D", anyOf: objectOrArray }, node);
  const out: Json = { type: "object", required: [], properties: {}, additionalProperties: false };
  let patternProperties: Json, propertyNames: Json;
  for (const { parameter, type } of node.indexes) {
    const value = (walk: Walk) => write(pruned(type) ?? type, walk);
    switch (parameter._tag) {
      case "StringKeyword": {
        const schema = value(walk);
        out.additionalProperties = isPlainNever(schema) ? false : schema;
        break;
      }
      case "TemplateLiteral":
        patternProperties = value(walk);
        propertyNames = { type: "string", pattern: ast.sourceOf(ast.templateRegExp(parameter)) };
        break;
      case "Refinement":
        patternProperties = value(walk);
        propertyNames = write(parameter, walk);
        break;
      default: {
        const inner = deeper(walk, "[symbol]");
        out.additionalProperties = value(inner);
        propertyNames = write(parameter, inner);
      }
    }
  }
  for (const { name, type, optional, annotations } of node.fields) {
    if (typeof name !== "string") {
      if (walk.lenient) return worded(anything, node);
      throw new Error(`Unsupported key${at(walk)}\ndetails: Cannot encode ${formatPropertyKey(name)} key to JSON Schema`);
    }
    const without = pruned(type);
    const shown = without ?? type;
    out.properties[name] = laid(write(shown, deeper(walk, name)), wordsOf(shown, annotations));
    if (!optional && without === undefined) out.required.push(name);
  }
  if (patternProperties !== undefined) {
    delete out.additionalProperties;
    out.patternProperties = { "": patternProperties };
  }
  if (propertyNames !== undefined) out.propertyNames = propertyNames;
  return worded(out, node);
}

const isPlainNever = (schema: Json): boolean =>
  schema.$id === nothing.$id && Object.keys(schema).length === 3 && schema.title === ast.neverKeyword.annotations.title;
const isLiterals = (schema: Json): boolean => "enum" in schema && "type" in schema && Object.keys(schema).length === 2;

function union(node: Node, walk: Walk): Json {
  const anyOf: Json[] = [];
  for (const member of node.types.map((type) => write(type, walk))) {
    if (isPlainNever(member)) continue;
    if (["/schemas/any", "/schemas/unknown", "/schemas/void"].includes(member.$id)) return worded(member, node);
    const last = anyOf.at(-1);
    if (last !== undefined && isLiterals(member) && isLiterals(last) && last.type === member.type)
      anyOf[anyOf.length - 1] = { type: last.type, enum: [...last.enum, ...member.enum] };
    else anyOf.push(member);
  }
  if (anyOf.length === 0) return nothing;
  return worded(anyOf.length === 1 ? anyOf[0] : { anyOf }, node);
}

const isObjectSchema = (schema: Json): boolean => schema?.type === "object" && typeof schema.properties === "object";

function transformation(node: Node, walk: Walk): Json {
  if (isParseJson(node.from)) return { type: "string", contentMediaType: "application/json" };
  const from = write(node.from, walk);
  if (node.change.kind === "keys" && isObjectSchema(from)) {
    // What a field is called and described as after decoding is said of the field before it, too.
    const to = write(node.to, { ...walk, defs: {}, inside: true, lenient: true });
    if (isObjectSchema(to)) {
      for (const key of node.change.keys) {
        const shown = to.properties[key.to];
        const kept = from.properties[key.from as string];
        if (shown === undefined || kept === undefined) continue;
        const words: Json = {};
        if (typeof shown.title === "string") words.title = shown.title;
        if (typeof shown.description === "string") words.description = shown.description;
        if (Array.isArray(shown.examples)) words.examples = shown.examples;
        if (Object.hasOwn(shown, "default") && shown.default !== undefined) words.default = shown.default;
        from.properties[key.from as string] = laid(kept, words);
      }
    }
  }
  return worded(from, node);
}
