// Transformations: the makers, and the ready-made ones tools use.

import { dual } from "../pipe";
import { left, right } from "../either";
import * as Option from "../option";
import { formatDate } from "../inspect";
import * as ast from "./ast";
import type { Node } from "./ast";
import { ArraySchema, Literal, NullOr, NullishOr, Struct, UndefinedOr, Union, isSchema, make, schemaOf, typeSchema } from "./core";
import * as c from "./constants";
import { between, said, validDate } from "./filters";
import { Composite, Type } from "./issue";
import { parseJsonId } from "./jsonschema";
import { decoder, encoder } from "./parser";

function change(from: any, to: any, node: Node): any {
  return schemaOf(node, { from, to, remake: (next: Node) => change(from, to, next) });
}

export const transformOrFail = dual((args) => isSchema(args[0]) && isSchema(args[1]), (from: any, to: any, { decode, encode }: any) =>
  change(from, to, ast.transformation(from.ast, to.ast, { kind: "final", decode, encode })),
);
export const transform = dual((args) => isSchema(args[0]) && isSchema(args[1]), (from: any, to: any, { decode, encode }: any) =>
  transformOrFail(from, to, {
    decode: (value: any, _options: any, _node: Node, input: any) => right(decode(value, input)),
    encode: (value: any, _options: any, _node: Node, input: any) => right(encode(value, input)),
  }),
);
export const compose = dual((args) => isSchema(args[1]), (from: any, to: any) =>
  change(from, to, ast.transformation(from.ast, to.ast, { kind: "compose" })),
);
export const filterEffect = dual(2, (self: any, test: any) =>
  transformOrFail(self, typeSchema(self), {
    decode: (value: any, options: any, node: Node) => {
      const made = test(value, options, node);
      const judge = (verdict: any) => {
        const issue: any = said(verdict, node, value);
        return Option.isSome(issue) ? left((issue as any).value) : right(value);
      };
      return typeof made?.pipe === "function" ? made.pipe((effect: any) => flatMapEffect(effect, judge)) : judge(made);
    },
    encode: (value: any) => right(value),
  }),
);
let flatMapEffect: (effect: any, f: any) => any = (effect) => effect;
// bindEffect hands in Effect.flatMap, which this file must not import: effect's operators stand above schemas.
export const bindEffect = (f: typeof flatMapEffect) => {
  flatMapEffect = f;
};

export const transformLiteral = (from: any, to: any) => transform(Literal(from), Literal(to), { decode: () => to, encode: () => from });
export const transformLiterals = (...pairs: [any, any][]) => Union(...pairs.map(([from, to]) => transformLiteral(from, to)));

// described is the encoded side of a ready-made transformation: a plain schema saying what will become of it.
const described = (schema: any, description: string) => schema.annotations({ description });
const fromText = (identifier: string, description: string, to: any, ways: any) =>
  transformOrFail(described(c.StringSchema, description), to, ways).annotations({ identifier });
const always = (decode: (value: any) => any, encode: (value: any) => any) => ({
  decode: (value: any) => right(decode(value)),
  encode: (value: any) => right(encode(value)),
});
const same = (value: any) => value;
// attempt turns what a function throws into an issue at the value.
const attempt = (work: (value: any) => any, words: (value: any, thrown: any) => string) => (value: any, _options: any, node: Node) => {
  try {
    return right(work(value));
  } catch (thrown) {
    return left(Type(node, value, words(value, thrown)));
  }
};
const messageOf = (thrown: any): string => (thrown instanceof Error ? thrown.message : String(thrown));

// ---- strings ---------------------------------------------------------------------------------------------------------

export const Trim = fromText("Trim", "a string that will be trimmed", c.Trimmed, always((s) => s.trim(), same));
export const Lowercase = fromText("Lowercase", "a string that will be converted to lowercase", c.Lowercased, always((s) => s.toLowerCase(), same));
export const Uppercase = fromText("Uppercase", "a string that will be converted to uppercase", c.Uppercased, always((s) => s.toUpperCase(), same));
export const Capitalize = fromText("Capitalize", "a string that will be converted to a capitalized format", c.Capitalized, always((s) => s.slice(0, 1).toUpperCase() + s.slice(1), same));
export const Uncapitalize = fromText("Uncapitalize", "a string that will be converted to an uncapitalized format", c.Uncapitalized, always((s) => s.slice(0, 1).toLowerCase() + s.slice(1), same));
export const split = (separator: string) =>
  transform(described(c.StringSchema, "a string that will be split"), ArraySchema(c.StringSchema), {
    decode: (s: string) => s.split(separator),
    encode: (list: string[]) => list.join(separator),
  });

function numberOf(text: string): number | undefined {
  if (text === "NaN") return NaN;
  if (text.trim() === "") return undefined;
  const made = Number(text);
  return Number.isNaN(made) ? undefined : made;
}
export const parseNumber = (self: any) =>
  transformOrFail(self, c.NumberSchema, {
    decode: (text: string, _options: any, node: Node) => {
      const made = numberOf(text);
      return made === undefined ? left(Type(node, text, `Unable to decode ${JSON.stringify(text)} into a number`)) : right(made);
    },
    encode: (value: number) => right(String(value)),
  });
export const NumberFromString = parseNumber(described(c.StringSchema, "a string to be decoded into a number")).annotations({ identifier: "NumberFromString" });
export const BooleanFromString = transform(described(Literal("true", "false"), "a string to be decoded into a boolean"), c.BooleanSchema, {
  decode: (text: string) => text === "true",
  encode: (value: boolean) => (value ? "true" : "false"),
}).annotations({ identifier: "BooleanFromString" });
export const BooleanFromUnknown = transform(c.Unknown, c.BooleanSchema, { decode: Boolean, encode: same }).annotations({ identifier: "BooleanFromUnknown" });
export const Not = transform(described(c.BooleanSchema, "a boolean that will be negated"), c.BooleanSchema, { decode: (b: boolean) => !b, encode: (b: boolean) => !b });
export const BigIntSchema = fromText("BigInt", "a string to be decoded into a bigint", c.BigIntFromSelf, {
  decode: (text: string, _options: any, node: Node) => {
    try {
      if (text.trim() !== "") return right(BigInt(text));
    } catch {}
    return left(Type(node, text, `Unable to decode ${JSON.stringify(text)} into a bigint`));
  },
  encode: (value: bigint) => right(String(value)),
});
export const StringFromUriComponent = transformOrFail(
  described(c.StringSchema, "A string that is interpreted as being UriComponent-encoded and will be decoded into a UTF-8 string"),
  c.StringSchema,
  { decode: attempt(decodeURIComponent, (_, thrown) => messageOf(thrown)), encode: attempt(encodeURIComponent, (_, thrown) => messageOf(thrown)) },
).annotations({ identifier: "StringFromUriComponent" });

export function parseJson(first?: any, second?: any): any {
  if (isSchema(first)) return compose(parseJson(second), first);
  const options = first ?? {};
  return transformOrFail(described(c.StringSchema, "a string to be decoded into JSON"), c.Unknown, {
    decode: attempt((text) => JSON.parse(text, options.reviver), (_, thrown) => messageOf(thrown)),
    encode: attempt((value) => JSON.stringify(value, options.replacer, options.space), (_, thrown) => messageOf(thrown)),
  }).annotations({ title: "parseJson", schemaId: parseJsonId });
}

// ---- instances -------------------------------------------------------------------------------------------------------

export const instanceOf = (constructor: any, given?: any) =>
  declare((value: unknown) => value instanceof constructor, {
    title: constructor.name,
    description: `an instance of ${constructor.name}`,
    pretty: () => String,
    schemaId: Symbol.for("effect/SchemaId/InstanceOf"),
    ...given,
  });

// declare makes a schema of a test, or of parameters with a decoder and an encoder.
export function declare(...args: any[]): any {
  if (Array.isArray(args[0])) {
    const [parameters, { decode, encode }, given] = args;
    const both = (way: any) => (...nodes: Node[]) => way(...nodes.map(make));
    return declaredOf(ast.declaration(parameters.map((one: any) => one.ast), both(decode), both(encode), given ?? {}), parameters);
  }
  const [test, given] = args;
  const check = () => (input: unknown, _options: any, node: Node) => (test(input) ? right(input) : left(Type(node, input)));
  return declaredOf(ast.declaration([], check, check, given ?? {}), []);
}
function declaredOf(node: Node, typeParameters: any[]): any {
  return schemaOf(node, { typeParameters, remake: (next: Node) => declaredOf(next, typeParameters) });
}

export const DateFromSelf = declare((value: unknown) => value instanceof Date, { identifier: "DateFromSelf", description: "a potentially invalid Date instance" });
export const ValidDateFromSelf = DateFromSelf.pipe(validDate({ identifier: "ValidDateFromSelf", description: "a valid Date instance" }));
export const DateFromString = fromText("DateFromString", "a string to be decoded into a Date", DateFromSelf, always((text) => new Date(text), formatDate));
export const DateSchema = DateFromString.pipe(validDate({ identifier: "Date" }));
export const DateFromNumber = transform(described(c.NumberSchema, "a number to be decoded into a Date"), DateFromSelf, {
  decode: (ms: number) => new Date(ms),
  encode: (date: Date) => date.getTime(),
}).annotations({ identifier: "DateFromNumber" });

const isURL = (value: any) => typeof URL === "function" && value instanceof URL;
export const URLFromSelf = declare(isURL, { identifier: "URLFromSelf", title: "URL", description: "an instance of URL" });
export const URLSchema = fromText("URL", "a string to be decoded into a URL", URLFromSelf, {
  decode: attempt((text) => new URL(text), (text, thrown) => `Unable to decode ${JSON.stringify(text)} into a URL. ${messageOf(thrown)}`),
  encode: (url: URL) => right(url.toString()),
}).annotations({ identifier: "URL", pretty: () => String });

// ---- options, sets, maps ---------------------------------------------------------------------------------------------

// container makes the declaration of a value that holds others: `open` lists them or answers undefined, `close` puts them back.
function container(parts: any[], title: null | ((...names: string[]) => string), open: (value: any) => any, inner: (...parts: any[]) => any, close: (held: any) => any): any {
  const way = (parserOf: (node: Node) => any) => (...nodes: Node[]) => {
    const parse = parserOf(inner(...nodes.map(make)).ast);
    return (input: unknown, options: any, node: Node) => {
      const held = open(input);
      if (held === undefined) return left(Type(node, input));
      const made = parse(held, options);
      return made._tag === "Right" ? right(close(made.right)) : left(Composite(node, input, made.left));
    };
  };
  const words = !title ? {} : { description: title(...parts.map((one) => String(one.ast))) };
  return declaredOf(ast.declaration(parts.map((one) => one.ast), way(decoder), way(encoder), words), parts);
}

const optionHeld = (value: any) => (Option.isOption(value) ? Option.toArray(value) : undefined);
export const OptionFromSelf = (value: any, title: any = (name: string) => `Option<${name}>`) =>
  container([value], title, optionHeld, (one) => ArraySchema(one), (held) => (held.length === 0 ? Option.none() : Option.some(held[0])));
const toOption = (encoded: any, value: any, isNone: (v: any) => boolean, nothing: any) =>
  transform(encoded, OptionFromSelf(typeSchema(value)), {
    decode: (held: any) => (isNone(held) ? Option.none() : Option.some(held)),
    encode: (option: any) => Option.getOrElse(option, () => nothing),
  });
export const OptionFromNullOr = (value: any) => toOption(NullOr(value), value, (v) => v === null, null);
export const OptionFromUndefinedOr = (value: any) => toOption(UndefinedOr(value), value, (v) => v === undefined, undefined);
export const OptionFromNullishOr = (value: any, nothing: null | undefined) => toOption(NullishOr(value), value, (v) => v === null || v === undefined, nothing);
export function OptionSchema(value: any): any {
  const name = String(value.ast);
  const encoded = Union(
    Struct({ _tag: Literal("None") }).annotations({ description: "NoneEncoded" }),
    Struct({ _tag: Literal("Some"), value }).annotations({ description: `SomeEncoded<${name}>` }),
  ).annotations({ description: `OptionEncoded<${name}>` });
  return transform(encoded, OptionFromSelf(typeSchema(value)), {
    decode: (held: any) => (held._tag === "None" ? Option.none() : Option.some(held.value)),
    encode: (option: any) => (Option.isSome(option) ? { _tag: "Some", value: (option as any).value } : { _tag: "None" }),
  });
}

const setHeld = (value: any) => (value instanceof Set ? [...value] : undefined);
const setOf = (word: string) => (value: any) =>
  container([value], (name) => `${word}<${name}>`, setHeld, (one) => ArraySchema(one), (held) => new Set(held));
export const SetFromSelf = setOf("Set");
export const ReadonlySetFromSelf = setOf("ReadonlySet");
const fromArray = (self: (value: any) => any) => (value: any) =>
  transform(ArraySchema(value), self(typeSchema(value)), { decode: (list: any[]) => new Set(list), encode: (set: Set<any>) => [...set] });
export const SetSchema = fromArray(SetFromSelf);
export const ReadonlySet = fromArray(ReadonlySetFromSelf);

const pair = (key: any, value: any) => make(ast.tuple([ast.element(key.ast), ast.element(value.ast)], []));
const mapHeld = (value: any) => (value instanceof Map ? [...value] : undefined);
const mapOf = (word: string) => ({ key, value }: any) =>
  container([key, value], (k, v) => `${word}<${k}, ${v}>`, mapHeld, (k, v) => ArraySchema(pair(k, v)), (held) => new Map(held));
export const MapFromSelf = mapOf("Map");
export const ReadonlyMapFromSelf = mapOf("ReadonlyMap");
const fromPairs = (self: (of: any) => any) => ({ key, value }: any) =>
  transform(ArraySchema(pair(key, value)), self({ key: typeSchema(key), value: typeSchema(value) }), {
    decode: (list: any[]) => new Map(list),
    encode: (map: Map<any, any>) => [...map],
  });
export const MapSchema = fromPairs(MapFromSelf);
export const ReadonlyMap = fromPairs(ReadonlyMapFromSelf);

export const ArrayEnsure = (value: any) =>
  transform(Union(value, ArraySchema(value)), ArraySchema(typeSchema(value)), {
    decode: (held: any) => (Array.isArray(held) ? held : [held]),
    encode: (list: any[]) => (list.length === 1 ? list[0] : list),
  });

export const clamp = (min: number, max: number) => (self: any) =>
  transform(self, typeSchema(self).pipe(between(min, max)), { decode: (n: number) => (n > max ? max : n >= min ? n : min), encode: same });
