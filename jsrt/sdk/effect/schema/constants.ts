// The schemas that are constants, keywords first.

import * as ast from "./ast";
import { make } from "./core";
import * as f from "./filters";

export const Never = make(ast.neverKeyword);
export const Unknown = make(ast.unknownKeyword);
export const Any = make(ast.anyKeyword);
export const Void = make(ast.voidKeyword);
export const Undefined = make(ast.undefinedKeyword);
export const Null = make(ast.nullLiteral);
export const StringSchema = make(ast.stringKeyword);
export const NumberSchema = make(ast.numberKeyword);
export const BooleanSchema = make(ast.booleanKeyword);
export const BigIntFromSelf = make(ast.bigIntKeyword);
export const SymbolFromSelf = make(ast.symbolKeyword);
export const ObjectSchema = make(ast.objectKeyword);

const text = (filter: any) => StringSchema.pipe(filter);
export const NonEmptyString = text(f.nonEmptyString({ identifier: "NonEmptyString" }));
export const Trimmed = text(f.trimmed({ identifier: "Trimmed" }));
export const NonEmptyTrimmedString = Trimmed.pipe(f.nonEmptyString({ identifier: "NonEmptyTrimmedString" }));
export const Lowercased = text(f.lowercased({ identifier: "Lowercased" }));
export const Uppercased = text(f.uppercased({ identifier: "Uppercased" }));
export const Capitalized = text(f.capitalized({ identifier: "Capitalized" }));
export const Uncapitalized = text(f.uncapitalized({ identifier: "Uncapitalized" }));
export const Char = text(f.length(1, { identifier: "Char", description: "a single character" }));
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const UUID = text(
  f.pattern(uuid, {
    identifier: "UUID",
    description: "a Universally Unique Identifier",
    jsonSchema: { format: "uuid", pattern: uuid.source.replaceAll("0-9a-f", "0-9a-fA-F") },
  }),
);
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
export const ULID = text(f.pattern(ulid, { identifier: "ULID", description: "a Universally Unique Lexicographically Sortable Identifier" }));

const number = (filter: any) => NumberSchema.pipe(filter);
export const Int = number(f.int({ identifier: "Int" }));
export const Finite = number(f.finite({ identifier: "Finite" }));
export const JsonNumber = number(f.finite({ identifier: "JsonNumber" }));
export const NonNaN = number(f.nonNaN({ identifier: "NonNaN" }));
export const Positive = number(f.positive({ identifier: "Positive" }));
export const Negative = number(f.negative({ identifier: "Negative" }));
export const NonPositive = number(f.nonPositive({ identifier: "NonPositive" }));
export const NonNegative = number(f.nonNegative({ identifier: "NonNegative" }));
export const NonNegativeInt = NonNegative.pipe(f.int()).annotations({ identifier: "NonNegativeInt" });
export const Uint8 = number(f.between(0, 255, { identifier: "Uint8", description: "a 8-bit unsigned integer" }));
