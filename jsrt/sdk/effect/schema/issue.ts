// What went wrong in a decode, and the two ways effect writes it: a tree of text and a flat list.

import { left } from "../either";
import { formatPath, formatUnknown } from "../inspect";
import * as ast from "./ast";

// Issue kinds: Type, Missing, Unexpected, Forbidden are ends; Pointer, Refinement, Transformation, Composite hold others.
class Issue {
  constructor(
    readonly _tag: string,
    parts: object,
  ) {
    Object.assign(this, parts);
  }
}
export type ParseIssue = any;

function kind(tag: string, make: (...args: any[]) => object): any {
  // Called with `new` by authored code and by ours alike.
  return function (...args: any[]) {
    return new Issue(tag, make(...args));
  };
}

export const Type = kind("Type", (node, actual, message) => ({ ast: node, actual, message }));
export const Missing = kind("Missing", (at, message) => ({ ast: at, actual: undefined, message }));
export const Unexpected = kind("Unexpected", (actual, message) => ({ actual, message }));
export const Forbidden = kind("Forbidden", (node, actual, message) => ({ ast: node, actual, message }));
export const Pointer = kind("Pointer", (path, actual, issue) => ({ path, actual, issue }));
export const Refinement = kind("Refinement", (node, actual, kind, issue) => ({ ast: node, actual, kind, issue }));
export const Transformation = kind("Transformation", (node, actual, kind, issue) => ({ ast: node, actual, kind, issue }));
export const Composite = kind("Composite", (node, actual, issues, output) => ({ ast: node, actual, issues, output }));

export const isParseIssue = (value: unknown): boolean => value instanceof Issue;

// ---- tree ------------------------------------------------------------------------------------------------------------

interface Tree {
  text: string;
  below: Tree[];
}
const leaf = (text: string, below: Tree[] = []): Tree => ({ text, below });

function draw({ text, below }: Tree, indent = "\n"): string {
  let out = text;
  below.forEach((one, i) => {
    const last = i === below.length - 1;
    out += `${indent}${last ? "└" : "├"}─ ${draw(one, indent + (last ? "   " : "│  "))}`;
  });
  return out;
}

// ownMessage is what the schema's own `message` annotation says of the issue, where it has a say: an inner issue keeps
// its own words unless the annotation overrides.
function ownMessage(issue: ParseIssue): string | undefined {
  const write = issue.ast?.annotations?.message;
  if (write === undefined) return undefined;
  const said = write(issue);
  const { message, override } = typeof said === "string" ? { message: said, override: false } : said;
  if (override) return message;
  switch (issue._tag) {
    case "Composite":
      return undefined;
    case "Refinement":
      return issue.kind === "From" ? ownMessage(issue.issue) : message;
    case "Transformation":
      return issue.kind === "Transformation" ? message : ownMessage(issue.issue);
  }
  return message;
}

const issueTitle = (issue: ParseIssue): string | undefined => issue.ast?.annotations?.parseIssueTitle?.(issue) ?? undefined;
const heading = (issue: ParseIssue): string => issueTitle(issue) ?? String(issue.ast);

function refinementWords(node: ast.Node): string {
  const { description, title, autoTitle, identifier } = node.annotations;
  return description ?? title ?? autoTitle ?? identifier ?? `{ ${node.from} | filter }`;
}

function typeMessage(issue: ParseIssue): string {
  const own = ownMessage(issue) ?? issueTitle(issue) ?? issue.message;
  if (own !== undefined) return own;
  const wanted = issue.ast._tag === "Refinement" ? refinementWords(issue.ast) : String(issue.ast);
  return `Expected ${wanted}, actual ${formatUnknown(issue.actual)}`;
}

const missingMessage = (issue: ParseIssue): string => issue.ast?.annotations?.missingMessage?.() ?? issue.message ?? "is missing";

const stage: Record<string, Record<string, string>> = {
  Refinement: { From: "From side refinement failure", Predicate: "Predicate refinement failure" },
  Transformation: {
    Encoded: "Encoded side transformation failure",
    Transformation: "Transformation process failure",
    Type: "Type side transformation failure",
  },
};

const listed = (issues: any): ParseIssue[] => (Array.isArray(issues) ? issues : [issues]);

function tree(issue: ParseIssue): Tree {
  switch (issue._tag) {
    case "Type":
      return leaf(typeMessage(issue));
    case "Missing":
      return leaf(missingMessage(issue));
    case "Unexpected":
      return leaf(issue.message ?? "is unexpected");
    case "Forbidden":
      return leaf(heading(issue), [leaf(issue.message ?? "is forbidden")]);
    case "Pointer":
      return leaf(formatPath(issue.path), [tree(issue.issue)]);
  }
  const own = ownMessage(issue);
  if (own !== undefined) return leaf(own);
  if (issue._tag === "Composite") return leaf(heading(issue), listed(issue.issues).map(tree));
  return leaf(heading(issue), [leaf(stage[issue._tag]![issue.kind]!, [tree(issue.issue)])]);
}

// ---- list ------------------------------------------------------------------------------------------------------------

function flat(issue: ParseIssue, path: PropertyKey[], above?: string): any[] {
  const one = (message: string, tag = issue._tag) => [{ _tag: tag, path, message }];
  switch (issue._tag) {
    case "Type":
      return one(typeMessage(issue), above ?? "Type");
    case "Missing":
      return one(missingMessage(issue));
    case "Unexpected":
      return one(issue.message ?? "is unexpected");
    case "Forbidden":
      return one(issue.message ?? "is forbidden");
    case "Pointer":
      return flat(issue.issue, path.concat(issue.path));
  }
  const own = ownMessage(issue);
  if (own !== undefined) return one(own);
  if (issue._tag === "Composite") return listed(issue.issues).flatMap((inner) => flat(inner, path));
  const itself = issue.kind === "Predicate" || issue.kind === "Transformation";
  return flat(issue.issue, path, itself ? issue._tag : undefined);
}

const formatter = (format: (issue: ParseIssue) => any) => ({
  formatIssueSync: format,
  formatErrorSync: (error: ParseError) => format(error.issue),
  formatIssue: format,
  formatError: (error: ParseError) => format(error.issue),
});

export const TreeFormatter = formatter((issue) => draw(tree(issue)));
export const ArrayFormatter = formatter((issue) => flat(issue, []));

// ---- the error -------------------------------------------------------------------------------------------------------

const ParseErrorTypeId = Symbol.for("effect/Schema/ParseErrorTypeId");

// ParseError is thrown by the Sync functions and is the left of the Either ones.
export class ParseError extends Error {
  declare readonly _tag: "ParseError";
  readonly issue: ParseIssue;
  constructor({ issue }: { issue: ParseIssue }) {
    super(TreeFormatter.formatIssueSync(issue));
    Object.defineProperty(this, ParseErrorTypeId, { value: ParseErrorTypeId });
    Object.defineProperty(this, "name", { value: "ParseError", enumerable: false });
    this._tag = "ParseError";
    this.issue = issue;
  }
  override toString(): string {
    return this.message;
  }
  toJSON() {
    return { _id: "ParseError", message: this.message };
  }
  *[Symbol.iterator](): any {
    return yield left(this);
  }
}

export const isParseError = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ParseErrorTypeId in value;
export const parseError = (issue: ParseIssue) => new ParseError({ issue });
