// The `effect` module as authored source sees it when the tool brings none of its own.

import { closed } from "./closed";
import { operators, exceptions } from "./operators";
import { Cause as CauseNames, Exit as ExitNames } from "./cause";
import * as ContextNames from "./context";
import { Data as DataNames, equals } from "./data";
import { Duration as DurationNames } from "./duration";
import * as EitherNames from "./either";
import * as OptionNames from "./option";
import { Schema as SchemaNames } from "./schema/index";
import * as Issues from "./schema/issue";
import { make as makeJsonSchema } from "./schema/jsonschema";
import { bindEffect } from "./schema/transforms";

export { pipe, flow, identity, absurd } from "./pipe";

bindEffect(operators.flatMap);

export const Schema = closed("Schema", SchemaNames);
export const Effect = closed("Effect", operators);
export const Either = closed("Either", { ...EitherNames });
export const Option = closed("Option", { ...OptionNames });
export const Data = closed("Data", DataNames);
export const Cause = closed("Cause", { ...CauseNames, ...exceptions });
export const Exit = closed("Exit", ExitNames);
export const Context = closed("Context", { ...ContextNames });
export const Duration = closed("Duration", DurationNames);
export const Equal = closed("Equal", { equals });
export const JSONSchema = closed("JSONSchema", { make: makeJsonSchema });
export const ParseResult = closed("ParseResult", {
  ...Issues,
  succeed: EitherNames.right,
  fail: EitherNames.left,
  fromOption: EitherNames.fromOption,
  map: EitherNames.map,
  flatMap: EitherNames.flatMap,
  mapError: EitherNames.mapLeft,
  try: EitherNames.try,
});
export { constant, constVoid, constTrue, constFalse, constNull, constUndefined } from "./pipe";
