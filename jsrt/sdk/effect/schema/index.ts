// The `Schema` namespace: every name tools may use of it. A name that is not here is an error that says so (closed.ts).

import * as core from "./core";
import * as c from "./constants";
import * as filters from "./filters";
import * as transforms from "./transforms";
import * as signatures from "./signatures";
import * as classes from "./classes";
import { parseFunctions, validateSync } from "./parse";
import { ParseError, TreeFormatter, ArrayFormatter } from "./issue";

filters.bindValidate((schema, value) => validateSync(schema)(value));

const { bindValidate: _1, said: _2, ...filterNames } = filters;
const { StringSchema, NumberSchema, BooleanSchema, ObjectSchema, ...constants } = c;
const { bindEffect: _3, DateSchema, URLSchema, BigIntSchema, OptionSchema, SetSchema, MapSchema, ...transformNames } = transforms;

export const Schema: Record<string, any> = {
  // core
  isSchema: core.isSchema, isPropertySignature: core.isPropertySignature, make: core.make, annotations: core.annotations, asSchema: core.asSchema,
  typeSchema: core.typeSchema, encodedSchema: core.encodedSchema, suspend: core.suspend, Literal: core.Literal, pickLiteral: core.pickLiteral,
  UniqueSymbolFromSelf: core.UniqueSymbolFromSelf, Enums: core.Enums, TemplateLiteral: core.TemplateLiteral, Union: core.Union,
  NullOr: core.NullOr, UndefinedOr: core.UndefinedOr, NullishOr: core.NullishOr, keyof: core.keyof, element: core.element,
  optionalElement: core.optionalElement, Tuple: core.Tuple, Array: core.ArraySchema, NonEmptyArray: core.NonEmptyArray, Struct: core.Struct,
  Record: core.RecordSchema,
  // constants
  String: StringSchema, Number: NumberSchema, Boolean: BooleanSchema, Object: ObjectSchema, ...constants,
  // the rest under their own names
  ...filterNames,
  ...transformNames,
  Date: DateSchema, URL: URLSchema, BigInt: BigIntSchema, Option: OptionSchema, Set: SetSchema, Map: MapSchema,
  ...signatures,
  ...classes,
  ...parseFunctions,
  format: String,
};

export { ParseError, TreeFormatter, ArrayFormatter };
