// Filters: `filter` itself and the ready-made ones, with the words and JSON Schema effect gives each.

import { none, some } from "../option";
import * as ast from "./ast";
import { Composite, Pointer, Type, type ParseIssue } from "./issue";
import { annotationsOf, schemaOf } from "./core";
import { intId } from "./jsonschema";

const id = (name: string) => Symbol.for(`effect/SchemaId/${name}`);

// said turns what a predicate gave into an issue: false, a message, {path, message}, an issue, or a list of those.
export function said(given: any, node: ast.Node, input: unknown): any {
  const one = (item: any): ParseIssue | undefined => {
    if (item === undefined || item === true) return undefined;
    if (item === false) return Type(node, input);
    if (typeof item === "string") return Type(node, input, item);
    if ("_tag" in item) return item;
    const issue = Type(node, input, item.message);
    return Array.isArray(item.path) && item.path.length > 0 ? Pointer(item.path, input, issue) : issue;
  };
  if (!Array.isArray(given)) {
    const issue = one(given);
    return issue === undefined ? none() : some(issue);
  }
  const issues = given.map(one).filter((issue) => issue !== undefined);
  if (issues.length === 0) return none();
  return some(issues.length === 1 ? issues[0] : Composite(node, input, issues));
}

export const filter = (predicate: (value: any, options: any, self: ast.Node) => any, given?: any) => (self: any) =>
  refined(self, ast.refinement(self.ast, (input, options, node) => said(predicate(input, options, node), node, input), annotationsOf(given)));

function refined(from: any, node: ast.Node): any {
  return schemaOf(node, {
    from,
    filter: node.filter,
    remake: (next: ast.Node) => refined(from, next),
    make(this: any, value: any, options?: any) {
      const unchecked = options === true || options?.disableValidation === true;
      if (unchecked) return value;
      return validated(this, value);
    },
  });
}
let validated: (schema: any, value: unknown) => unknown;
// bindValidate hands in validateSync, which stands on the parsers and so on this file's callers.
export const bindValidate = (f: typeof validated) => {
  validated = f;
};

// ready makes a ready-made filter: annotations given by the author go over its own.
const ready = (test: (value: any) => boolean, own: any, extra?: any) => filter(test, { ...own, ...extra });

// ---- strings ---------------------------------------------------------------------------------------------------------

export const minLength = (n: number, extra?: any) =>
  ready((s) => s.length >= n, { schemaId: id("MinLength"), title: `minLength(${n})`, description: `a string at least ${n} character(s) long`, jsonSchema: { minLength: n } }, extra);
export const maxLength = (n: number, extra?: any) =>
  ready((s) => s.length <= n, { schemaId: id("MaxLength"), title: `maxLength(${n})`, description: `a string at most ${n} character(s) long`, jsonSchema: { maxLength: n } }, extra);

export function length(given: number | { min: number; max: number }, extra?: any) {
  const min = typeof given === "number" ? given : Math.max(0, Math.floor(given.min));
  const max = typeof given === "number" ? given : Math.max(min, Math.floor(given.max));
  const words =
    min === max
      ? { title: `length(${min})`, description: `a string ${min} character(s) long` }
      : { title: `length({ min: ${min}, max: ${max})`, description: `a string at least ${min} character(s) and at most ${max} character(s) long` };
  return ready((s) => s.length >= min && s.length <= max, { schemaId: id("Length"), ...words, jsonSchema: { minLength: min, maxLength: max } }, extra);
}

export function pattern(regexp: RegExp, extra?: any) {
  const source = ast.sourceOf(regexp);
  return ready(
    (s) => {
      // A global expression remembers where it stopped.
      regexp.lastIndex = 0;
      return regexp.test(s);
    },
    { schemaId: id("Pattern"), description: `a string matching the pattern ${source}`, jsonSchema: { pattern: source } },
    extra,
  );
}
export const startsWith = (text: string, extra?: any) =>
  ready((s) => s.startsWith(text), { schemaId: id("StartsWith"), title: `startsWith(${JSON.stringify(text)})`, description: `a string starting with ${JSON.stringify(text)}`, jsonSchema: { pattern: `^${text}` } }, extra);
export const endsWith = (text: string, extra?: any) =>
  ready((s) => s.endsWith(text), { schemaId: id("EndsWith"), title: `endsWith(${JSON.stringify(text)})`, description: `a string ending with ${JSON.stringify(text)}`, jsonSchema: { pattern: `^.*${text}$` } }, extra);
export const includes = (text: string, extra?: any) =>
  ready((s) => s.includes(text), { schemaId: id("Includes"), title: `includes(${JSON.stringify(text)})`, description: `a string including ${JSON.stringify(text)}`, jsonSchema: { pattern: `.*${text}.*` } }, extra);

const plain = (name: string, title: string, description: string, source: string, test: (s: string) => boolean) => (extra?: any) =>
  ready(test, { schemaId: id(name), title, description, jsonSchema: { pattern: source } }, extra);
export const trimmed = plain("Trimmed", "trimmed", "a string with no leading or trailing whitespace", "^\\S[\\s\\S]*\\S$|^\\S$|^$", (s) => s === s.trim());
export const lowercased = plain("Lowercased", "lowercased", "a lowercase string", "^[^A-Z]*$", (s) => s === s.toLowerCase());
export const uppercased = plain("Uppercased", "uppercased", "an uppercase string", "^[^a-z]*$", (s) => s === s.toUpperCase());
export const capitalized = plain("Capitalized", "capitalized", "a capitalized string", "^[^a-z]?.*$", (s) => s[0]?.toUpperCase() === s[0]);
export const uncapitalized = plain("Uncapitalized", "uncapitalized", "a uncapitalized string", "^[^A-Z]?.*$", (s) => s[0]?.toLowerCase() === s[0]);
export const nonEmptyString = (extra?: any) => minLength(1, { title: "nonEmptyString", description: "a non empty string", ...extra });

// ---- numbers ---------------------------------------------------------------------------------------------------------

export const greaterThan = (n: number, extra?: any) =>
  ready((v) => v > n, { schemaId: id("GreaterThan"), title: `greaterThan(${n})`, description: n === 0 ? "a positive number" : `a number greater than ${n}`, jsonSchema: { exclusiveMinimum: n } }, extra);
export const greaterThanOrEqualTo = (n: number, extra?: any) =>
  ready((v) => v >= n, { schemaId: id("GreaterThanOrEqualTo"), title: `greaterThanOrEqualTo(${n})`, description: n === 0 ? "a non-negative number" : `a number greater than or equal to ${n}`, jsonSchema: { minimum: n } }, extra);
export const lessThan = (n: number, extra?: any) =>
  ready((v) => v < n, { schemaId: id("LessThan"), title: `lessThan(${n})`, description: n === 0 ? "a negative number" : `a number less than ${n}`, jsonSchema: { exclusiveMaximum: n } }, extra);
export const lessThanOrEqualTo = (n: number, extra?: any) =>
  ready((v) => v <= n, { schemaId: id("LessThanOrEqualTo"), title: `lessThanOrEqualTo(${n})`, description: n === 0 ? "a non-positive number" : `a number less than or equal to ${n}`, jsonSchema: { maximum: n } }, extra);
export const positive = (extra?: any) => greaterThan(0, { title: "positive", ...extra });
export const negative = (extra?: any) => lessThan(0, { title: "negative", ...extra });
export const nonPositive = (extra?: any) => lessThanOrEqualTo(0, { title: "nonPositive", ...extra });
export const nonNegative = (extra?: any) => greaterThanOrEqualTo(0, { title: "nonNegative", ...extra });
export const between = (min: number, max: number, extra?: any) =>
  ready((v) => v >= min && v <= max, { schemaId: id("Between"), title: `between(${min}, ${max})`, description: `a number between ${min} and ${max}`, jsonSchema: { minimum: min, maximum: max } }, extra);
export const int = (extra?: any) =>
  ready((v) => Number.isSafeInteger(v), { schemaId: intId, title: "int", description: "an integer", jsonSchema: { type: "integer" } }, extra);
export const finite = (extra?: any) =>
  ready((v) => Number.isFinite(v), { schemaId: id("Finite"), title: "finite", description: "a finite number", jsonSchema: {} }, extra);
export const nonNaN = (extra?: any) =>
  ready((v) => !Number.isNaN(v), { schemaId: id("NonNaN"), title: "nonNaN", description: "a number excluding NaN" }, extra);
export function multipleOf(divisor: number, extra?: any) {
  const by = Math.abs(divisor);
  return ready((v) => remainder(v, divisor) === 0, { schemaId: id("MultipleOf"), title: `multipleOf(${by})`, description: `a number divisible by ${by}`, jsonSchema: { multipleOf: by } }, extra);
}

// remainder works on whole numbers of the finer decimal place, so that 0.3 is a multiple of 0.1.
function remainder(value: number, divisor: number): number {
  const places = (n: number) => (String(n).split(".")[1] ?? "").length;
  const scale = 10 ** Math.max(places(value), places(divisor));
  return (Math.round(value * scale) % Math.round(divisor * scale)) / scale;
}

// ---- lists and dates -------------------------------------------------------------------------------------------------

const counting = { stableFilter: true };
export const minItems = (n: number, extra?: any) => {
  const least = Math.floor(n);
  if (least < 1) throw new Error(`Invalid Argument\ndetails: Expected an integer greater than or equal to 1, actual ${n}`);
  return ready((list) => list.length >= least, { ...counting, schemaId: id("MinItems"), title: `minItems(${least})`, description: `an array of at least ${least} item(s)`, jsonSchema: { minItems: least } }, extra);
};
export const maxItems = (n: number, extra?: any) => {
  const most = Math.floor(n);
  if (most < 1) throw new Error(`Invalid Argument\ndetails: Expected an integer greater than or equal to 1, actual ${n}`);
  return ready((list) => list.length <= most, { ...counting, schemaId: id("MaxItems"), title: `maxItems(${most})`, description: `an array of at most ${most} item(s)`, jsonSchema: { maxItems: most } }, extra);
};
export const itemsCount = (n: number, extra?: any) => {
  const count = Math.floor(n);
  if (count < 0) throw new Error(`Invalid Argument\ndetails: Expected an integer greater than or equal to 0, actual ${n}`);
  return ready((list) => list.length === count, { ...counting, schemaId: id("ItemsCount"), title: `itemsCount(${count})`, description: `an array of exactly ${count} item(s)`, jsonSchema: { minItems: count, maxItems: count } }, extra);
};
export const validDate = (extra?: any) =>
  ready((date) => !Number.isNaN(date.getTime()), { schemaId: id("ValidDate"), title: "validDate", description: "a valid Date" }, extra);
export const lessThanDate = (max: Date, extra?: any) =>
  ready((date) => date < max, { schemaId: id("LessThanDate"), title: `lessThanDate(${max.toISOString()})`, description: `a date before ${max.toISOString()}` }, extra);
export const greaterThanDate = (min: Date, extra?: any) =>
  ready((date) => date > min, { schemaId: id("GreaterThanDate"), title: `greaterThanDate(${min.toISOString()})`, description: `a date after ${min.toISOString()}` }, extra);
