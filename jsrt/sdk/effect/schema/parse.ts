// The decode, encode and validate functions, each in the five forms effect gives them.

import { isLeft, type Either, mapLeft } from "../either";
import { getRight } from "../option";
import { fail, succeed } from "../effect";
import { typeSide, type Node } from "./ast";
import { ArrayFormatter, parseError } from "./issue";
import { decoder, encoder, type ParseOptions } from "./parser";

type Run = (value: unknown, options?: ParseOptions) => Either;

// runner gives the parser of a schema with the options of the schema call; those of the value call go over them.
function runner(node: Node, which: (node: Node) => (value: unknown, options: ParseOptions) => Either, base?: ParseOptions): Run {
  const parse = which(node);
  return (value, options) => parse(value, options === undefined ? (base ?? {}) : base === undefined ? options : { ...base, ...options });
}

function forms(run: (schema: any, base?: ParseOptions) => Run) {
  const either = (schema: any, base?: ParseOptions) => {
    const parse = run(schema, base);
    return (value: unknown, options?: ParseOptions) => mapLeft(parse(value, options), parseError);
  };
  const sync = (schema: any, base?: ParseOptions) => {
    const parse = run(schema, base);
    return (value: unknown, options?: ParseOptions) => {
      const made = parse(value, options);
      if (isLeft(made)) throw parseError(made.left);
      return made.right;
    };
  };
  const option = (schema: any, base?: ParseOptions) => {
    const parse = run(schema, base);
    return (value: unknown, options?: ParseOptions) => getRight(parse(value, options));
  };
  const promise = (schema: any, base?: ParseOptions) => {
    const parse = sync(schema, base);
    return async (value: unknown, options?: ParseOptions) => parse(value, options);
  };
  const effect = (schema: any, base?: ParseOptions) => {
    const parse = either(schema, base);
    return (value: unknown, options?: ParseOptions) => {
      const made = parse(value, options);
      return made._tag === "Right" ? succeed(made.right) : fail(made.left);
    };
  };
  return { either, sync, option, promise, effect };
}

const decode = forms((schema, base) => runner(schema.ast, decoder, base));
const encode = forms((schema, base) => runner(schema.ast, encoder, base));
const validation = forms((schema, base) => runner(typeSide(schema.ast), decoder, base));

export const validateSync = validation.sync;

export function is(schema: any, base?: ParseOptions) {
  const parse = runner(typeSide(schema.ast), decoder, { exact: true, ...base });
  return (value: unknown, options?: ParseOptions) => parse(value, options)._tag === "Right";
}

export function asserts(schema: any, base?: ParseOptions) {
  const parse = runner(typeSide(schema.ast), decoder, { exact: true, ...base });
  return (value: unknown, options?: ParseOptions) => {
    const made = parse(value, options);
    if (isLeft(made)) throw parseError(made.left);
  };
}

export const parseFunctions = {
  decodeUnknown: decode.effect, decodeUnknownEither: decode.either, decodeUnknownSync: decode.sync, decodeUnknownOption: decode.option,
  decodeUnknownPromise: decode.promise, decode: decode.effect, decodeEither: decode.either, decodeSync: decode.sync,
  decodeOption: decode.option, decodePromise: decode.promise,
  encodeUnknown: encode.effect, encodeUnknownEither: encode.either, encodeUnknownSync: encode.sync, encodeUnknownOption: encode.option,
  encodeUnknownPromise: encode.promise, encode: encode.effect, encodeEither: encode.either, encodeSync: encode.sync,
  encodeOption: encode.option, encodePromise: encode.promise,
  validate: validation.effect, validateEither: validation.either, validateSync, validateOption: validation.option,
  validatePromise: validation.promise, is, asserts,
};

// standard is the Standard Schema face of a schema (https://standardschema.dev, version 1).
export const standard = (node: Node) => ({
  version: 1,
  vendor: "effect",
  validate(value: unknown) {
    const made = runner(node, decoder, { errors: "all" })(value);
    if (made._tag === "Right") return { value: made.right };
    return { issues: ArrayFormatter.formatIssueSync(made.left).map(({ message, path }: any) => ({ message, path })) };
  },
});
