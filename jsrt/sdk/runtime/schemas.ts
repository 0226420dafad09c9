// One face over the three things a contract may use as a schema: ours, that of an effect the tool brings itself, plain JSON Schema.

import { isSchema } from "../effect/schema/core";
import { make as jsonSchemaOf } from "../effect/schema/jsonschema";
import { parseFunctions } from "../effect/schema/parse";
import { ArrayFormatter } from "../effect/schema/issue";
import { Node } from "../effect/schema/ast";

// ForeignEffect is what the bundle of a tool with its own effect hands in: its modules' own functions.
export interface ForeignEffect {
  readonly Schema: any;
  readonly JSONSchema: any;
  readonly ParseResult: any;
}
let foreign: ForeignEffect | undefined;
export const useForeign = (given: ForeignEffect | undefined): void => {
  foreign = given;
};

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly missing: boolean;
}
export type Parsed = { readonly value: unknown } | { readonly error: Error; readonly issues: readonly Issue[] };

export interface AnySchema {
  json(): any;
  decode(value: unknown): Parsed;
  validate(value: unknown): Parsed;
  // node is the schema's tree, for wording paths; undefined for plain JSON Schema.
  readonly node: any;
}

const parsed = (either: any, list: (error: any) => any[]): Parsed =>
  either._tag === "Right"
    ? { value: either.right }
    : { error: either.left, issues: list(either.left).map(({ path, _tag }) => ({ path, missing: _tag === "Missing" })) };

export function schemaOf(given: any, what: string): AnySchema {
  if (isSchema(given) && given.ast instanceof Node) {
    const list = ArrayFormatter.formatErrorSync;
    return {
      node: given.ast,
      json: () => jsonSchemaOf(given),
      decode: (value) => parsed(parseFunctions.decodeUnknownEither(given, { errors: "all" })(value), list),
      validate: (value) => parsed(parseFunctions.validateEither(given, { errors: "all" })(value), list),
    };
  }
  if (isSchema(given)) {
    if (foreign === undefined)
      throw new TypeError(`${what} was made by an effect package that is not the tool's own node_modules/effect; import Schema from "effect"`);
    const { Schema, JSONSchema, ParseResult } = foreign;
    const list = (error: any) => ParseResult.ArrayFormatter.formatErrorSync(error);
    return {
      node: given.ast,
      json: () => JSONSchema.make(given),
      decode: (value) => parsed(Schema.decodeUnknownEither(given, { errors: "all" })(value), list),
      validate: (value) => parsed(Schema.validateEither(given, { errors: "all" })(value), list),
    };
  }
  if (typeof given === "object" && given !== null && !Array.isArray(given)) {
    // The host checks values against it before and after; here they pass as they are.
    return { node: undefined, json: () => given, decode: (value) => ({ value }), validate: (value) => ({ value }) };
  }
  throw new TypeError(`${what} is not a schema; use Schema.Struct({…}) from "effect" or a JSON Schema object`);
}

// contractJsonSchema is the JSON Schema a saved tool carries: effect's, with empty structs written as empty objects.
export function contractJsonSchema(schema: unknown): any {
  return plainEmptyStructs(schemaOf(schema, "contractJsonSchema's argument").json());
}

function plainEmptyStructs(value: any): any {
  if (Array.isArray(value)) return value.map(plainEmptyStructs);
  if (typeof value !== "object" || value === null) return value;
  const out: any = {};
  const empty = value.$id === "/schemas/%7B%7D";
  for (const key of Object.keys(value)) {
    if (empty && (key === "$id" || key === "anyOf")) continue;
    out[key] = plainEmptyStructs(value[key]);
  }
  return empty ? { ...out, type: "object", required: [], properties: {}, additionalProperties: false } : out;
}

// ---- wording of paths ------------------------------------------------------------------------------------------------

const fieldsOf = (node: any): readonly any[] => node?.fields ?? node?.propertySignatures ?? [];
const indexesOf = (node: any): readonly any[] => node?.indexes ?? node?.indexSignatures ?? [];

// inside gives the nodes a step leads to, and whether the schema itself names the key.
function inside(node: any, key: PropertyKey): { nodes: any[]; declared: boolean } {
  const merged = (nodes: any[]) => {
    const all = nodes.map((one) => inside(one, key));
    return { nodes: all.flatMap((one) => one.nodes), declared: all.some((one) => one.declared) };
  };
  switch (node?._tag) {
    case "TypeLiteral": {
      const field = fieldsOf(node).find(({ name }) => name === key);
      return field ? { nodes: [field.type], declared: true } : { nodes: indexesOf(node).map(({ type }) => type), declared: false };
    }
    case "TupleType": {
      const elements = [...node.elements, ...node.rest];
      const at = typeof key === "number" ? (elements[Math.min(key, elements.length - 1)]?.type ?? undefined) : undefined;
      return { nodes: at === undefined ? [] : [at], declared: true };
    }
    case "Union":
      return merged(node.types);
    case "Suspend":
      return merged([node.f()]);
    case "Refinement":
    case "Transformation":
      return merged([node.from]);
    case "Declaration":
      return merged(node.annotations?.surrogate ? [node.annotations.surrogate] : (node.parameters ?? node.typeParameters ?? []));
  }
  return { nodes: [], declared: false };
}

// pathText words a path so that keys the caller made up are not repeated: a.b, [0], ["odd key"], [key].
export function pathText(root: any, path: readonly PropertyKey[]): string {
  let nodes = [root];
  let text = "";
  for (const key of path) {
    const steps = nodes.map((node) => inside(node, key));
    nodes = steps.flatMap((step) => step.nodes);
    if (typeof key === "number") text += `[${key}]`;
    else if (!steps.some((step) => step.declared)) text += "[key]";
    else if (typeof key === "string" && /^[A-Za-z_$][\w$]*$/.test(key)) text += text === "" ? key : `.${key}`;
    else text += `[${JSON.stringify(String(key))}]`;
  }
  return text.slice(0, 200);
}

// issuesOf gives one issue a path, in order of appearance; missing wins over invalid.
export function issuesOf(node: any, issues: readonly Issue[]): { path: string; issue: "missing" | "invalid" }[] {
  const byPath = new Map<string, boolean>();
  for (const { path, missing } of issues) {
    const text = pathText(node, path);
    byPath.set(text, (byPath.get(text) ?? false) || missing);
  }
  return [...byPath].slice(0, 20).map(([path, missing]) => ({ path, issue: missing ? "missing" : "invalid" }));
}
