// Turns a node into the function that decodes or encodes with it. Each gives an Either; nothing here throws for a value.

import { type Either, isEither, left, right } from "../either";
import { isSome, none, some } from "../option";
import { settleNow } from "../effect";
import * as ast from "./ast";
import type { Node } from "./ast";
import { Composite, Forbidden, Missing, Pointer, Refinement, Transformation, Type, Unexpected, type ParseIssue } from "./issue";

export interface ParseOptions {
  errors?: "first" | "all";
  onExcessProperty?: "ignore" | "error" | "preserve";
  propertyOrder?: "none" | "original";
  exact?: boolean;
}
export type Parser = (input: any, options: ParseOptions) => Either;

export function decoder(node: Node): Parser {
  return (node.decoder ??= prepared(node, true));
}
export function encoder(node: Node): Parser {
  return (node.encoder ??= prepared(node, false));
}
const parserOf = (node: Node, decoding: boolean) => (decoding ? decoder(node) : encoder(node));

function prepared(node: Node, decoding: boolean): Parser {
  const raw = compile(node, decoding);
  const { parseOptions, decodingFallback } = node.annotations;
  const parse: Parser = parseOptions ? (input, options) => raw(input, { ...options, ...parseOptions }) : raw;
  if (!decoding || decodingFallback === undefined) return parse;
  return (input, options) => {
    const made = parse(input, options);
    return made._tag === "Left" ? sync(decodingFallback(made.left), node, input) : made;
  };
}

// sync makes an Either of what a user's function gave, which may be an Effect. One that cannot finish at once is forbidden.
function sync(given: any, node: Node, input: unknown): Either {
  if (isEither(given)) return given;
  const settled = settleNow(given);
  if (settled.ok) return right(settled.value);
  return left("error" in settled ? settled.error : Forbidden(node, input, settled.why));
}

const when = (node: Node, test: (input: any) => boolean): Parser => (input) => (test(input) ? right(input) : left(Type(node, input)));

const isRecord = (input: any): boolean => typeof input === "object" && input !== null && !Array.isArray(input);
const isObject = (input: any): boolean => (typeof input === "object" && input !== null) || typeof input === "function";
const has = (object: any, key: PropertyKey): boolean => Object.prototype.hasOwnProperty.call(object, key);

function compile(node: Node, decoding: boolean): Parser {
  switch (node._tag) {
    case "UnknownKeyword":
    case "AnyKeyword":
    case "VoidKeyword":
      return (input) => right(input);
    case "NeverKeyword":
      return when(node, () => false);
    case "UndefinedKeyword":
      return when(node, (input) => input === undefined);
    case "StringKeyword":
      return when(node, (input) => typeof input === "string");
    case "NumberKeyword":
      return when(node, (input) => typeof input === "number");
    case "BooleanKeyword":
      return when(node, (input) => typeof input === "boolean");
    case "BigIntKeyword":
      return when(node, (input) => typeof input === "bigint");
    case "SymbolKeyword":
      return when(node, (input) => typeof input === "symbol");
    case "ObjectKeyword":
      return when(node, isObject);
    case "Literal":
      return when(node, (input) => input === node.literal);
    case "UniqueSymbol":
      return when(node, (input) => input === node.symbol);
    case "Enums":
      return when(node, (input) => node.enums.some(([, value]) => value === input));
    case "TemplateLiteral": {
      const pattern = ast.templateRegExp(node);
      return when(node, (input) => typeof input === "string" && pattern.test(input));
    }
    case "Declaration": {
      const parse = decoding ? node.decodeUnknown(...node.parameters) : node.encodeUnknown(...node.parameters);
      return (input, options) => sync(parse(input, options, node), node, input);
    }
    case "Suspend": {
      let inner: Parser | undefined;
      return (input, options) => (inner ??= parserOf(node.f(), decoding))(input, options);
    }
    case "Refinement":
      return decoding ? refinementDecoder(node) : refinementEncoder(node);
    case "Transformation":
      return transformationParser(node, decoding);
    case "TupleType":
      return tupleParser(node, decoding);
    case "TypeLiteral":
      return typeLiteralParser(node, decoding);
    case "Union":
      return unionParser(node, decoding);
  }
  throw new Error(`no parser for a schema node ${node._tag}`);
}

// ---- filters and transformations -------------------------------------------------------------------------------------

function refinementDecoder(node: Node): Parser {
  const from = decoder(node.from);
  return (input, options) => {
    const inner = from(input, options);
    if (inner._tag === "Left") {
      const issue = Refinement(node, input, "From", inner.left);
      // A filter that only looks at the outside (a count of items) is tried as well, so that all errors are told.
      if (options.errors === "all" && node.annotations.stableFilter === true && inner.left._tag === "Composite") {
        const own = node.filter(input, options, node);
        if (isSome(own)) return left(Composite(node, input, [issue, Refinement(node, input, "Predicate", (own as any).value)]));
      }
      return left(issue);
    }
    const own = node.filter(inner.right, options, node);
    return isSome(own) ? left(Refinement(node, input, "Predicate", (own as any).value)) : inner;
  };
}

function refinementEncoder(node: Node): Parser {
  const check = decoder(ast.typeSide(node));
  let base = node.from;
  while (base._tag === "Refinement") base = base.from;
  const encode = encoder(base);
  return (input, options) => {
    const checked = check(input, options);
    return checked._tag === "Left" ? checked : encode(checked.right, options);
  };
}

function transformationParser(node: Node, decoding: boolean): Parser {
  const first = decoding ? decoder(node.from) : encoder(node.to);
  const last = decoding ? decoder(node.to) : encoder(node.from);
  const [before, after] = decoding ? ["Encoded", "Type"] : ["Type", "Encoded"];
  const change = changer(node.change, decoding);
  return (input, options) => {
    const opened = first(input, options);
    if (opened._tag === "Left") return left(Transformation(node, input, before, opened.left));
    const changed = sync(change(opened.right, options, node, input), node, input);
    if (changed._tag === "Left") return left(Transformation(node, input, "Transformation", changed.left));
    const closed = last(changed.right, options);
    return closed._tag === "Left" ? left(Transformation(node, input, after, closed.left)) : closed;
  };
}

function changer(change: ast.Change, decoding: boolean): (value: any, options: ParseOptions, node: Node, input: unknown) => any {
  switch (change.kind) {
    case "final":
      return decoding ? change.decode : change.encode;
    case "compose":
      return (value) => right(value);
    case "keys":
      return (value) => {
        for (const one of change.keys) {
          const [from, to] = decoding ? [one.from, one.to] : [one.to, one.from];
          const held = has(value, from) ? some(value[from]) : none();
          const made = (decoding ? one.decode : one.encode)(held);
          delete value[from];
          if (isSome(made)) value[to] = (made as any).value;
        }
        return right(value);
      };
  }
}

// ---- compound --------------------------------------------------------------------------------------------------------

// Found gathers the issues of one value: with errors "first" the first ends it, with "all" they are told together.
class Found {
  readonly issues: ParseIssue[] = [];
  constructor(
    private readonly node: Node,
    private readonly input: unknown,
    private readonly options: ParseOptions,
    private readonly output: any,
  ) {}
  // add says whether to stop.
  add(key: PropertyKey, issue: ParseIssue): boolean {
    this.issues.push(Pointer(key, this.input, issue));
    return this.options.errors !== "all";
  }
  result(): Either {
    if (this.issues.length === 0) return right(this.output);
    return left(Composite(this.node, this.input, this.options.errors === "all" ? this.issues : this.issues[0], this.output));
  }
}

function tupleParser(node: Node, decoding: boolean): Parser {
  const elements = node.elements.map((one) => parserOf(one.type, decoding));
  const [head, ...tail] = node.rest.map((one) => parserOf(one.type, decoding));
  const required = [...node.elements.filter((one) => !one.optional), ...node.rest.slice(1)];
  const indexes = elements.length > 0 ? elements.map((_, i) => i).join(" | ") : "never";
  return (input, options) => {
    if (!Array.isArray(input)) return left(Type(node, input));
    const output: any[] = [];
    const found = new Found(node, input, options, output);
    const count = input.length;
    for (let i = count; i < required.length; i++) if (found.add(i, Missing(required[i]))) return found.result();
    if (head === undefined) {
      for (let i = elements.length; i < count; i++)
        if (found.add(i, Unexpected(input[i], `is unexpected, expected: ${indexes}`))) return found.result();
    }
    const take = (parse: Parser, i: number): boolean => {
      const made = parse(input[i], options);
      if (made._tag === "Left") return found.add(i, made.left);
      output.push(made.right);
      return false;
    };
    let i = 0;
    for (; i < elements.length; i++) if (i < count && take(elements[i]!, i)) return found.result();
    if (head !== undefined) {
      for (; i < count - tail.length; i++) if (take(head, i)) return found.result();
      for (let j = 0; j < tail.length; j++) if (i + j < count && take(tail[j]!, i + j)) return found.result();
    }
    return found.result();
  };
}

function typeLiteralParser(node: Node, decoding: boolean): Parser {
  if (node.fields.length === 0 && node.indexes.length === 0) return when(node, (input) => input !== null && input !== undefined);
  const fields = node.fields.map((one) => ({ ...one, parse: parserOf(one.type, decoding) }));
  const names = new Set<PropertyKey>(node.fields.map(({ name }) => name));
  const indexes = node.indexes.map(({ parameter, type }) => ({
    symbols: ast.encodedParameter(parameter)._tag === "SymbolKeyword",
    key: parserOf(parameter, decoding),
    parse: parserOf(type, decoding),
  }));
  const known = ast.union([
    ...node.indexes.map((one) => one.parameter),
    ...node.fields.map(({ name }) => (typeof name === "symbol" ? ast.uniqueSymbol(name) : ast.literal(name))),
  ]);
  const isKnown = parserOf(known, decoding);

  return (input, options) => {
    if (!isRecord(input)) return left(Type(node, input));
    const output: any = {};
    const found = new Found(node, input, options, output);
    const excess = options.onExcessProperty;
    if (excess === "error" || excess === "preserve") {
      for (const key of Reflect.ownKeys(input)) {
        if (isKnown(key, options)._tag === "Right") continue;
        if (excess === "preserve") output[key] = input[key];
        else if (found.add(key, Unexpected(input[key], `is unexpected, expected: ${known}`))) return found.result();
      }
    }
    for (const one of fields) {
      const { name } = one;
      const present = has(input, name);
      if (!present && one.optional) continue;
      const made = !present && options.exact === true ? left(undefined) : one.parse(input[name], options);
      if (made._tag === "Left") {
        if (found.add(name, present ? made.left : Missing(one))) return found.result();
      } else put(output, name, made.right);
    }
    for (const one of indexes) {
      const keys: PropertyKey[] = one.symbols ? Object.getOwnPropertySymbols(input) : Object.keys(input);
      for (const key of keys) {
        if (one.key(key, options)._tag === "Left") continue;
        const made = one.parse(input[key], options);
        if (made._tag === "Left") {
          if (found.add(key, made.left)) return found.result();
        } else if (!names.has(key)) put(output, key, made.right);
      }
    }
    const result = found.result();
    if (result._tag === "Left" || options.propertyOrder !== "original") return result;
    const ordered: any = {};
    for (const key of new Set([...Reflect.ownKeys(input), ...names])) if (has(output, key)) put(ordered, key, output[key]);
    return right(ordered);
  };
}

// put sets an own property whatever its name: a "__proto__" key stays data.
function put(object: any, key: PropertyKey, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

// ---- unions ----------------------------------------------------------------------------------------------------------

// literalKeys lists the fields of a member whose value is one literal: what tells members apart.
function literalKeys(node: Node, decoding: boolean): [PropertyKey, Node][] {
  const side = decoding ? ast.encodedSide : ast.typeSide;
  const pick = (list: readonly { type: Node; optional: boolean }[], name: (i: number) => PropertyKey): [PropertyKey, Node][] =>
    list.flatMap((one, i) => {
      const type = side(one.type);
      return type._tag === "Literal" && !one.optional ? [[name(i), type] as [PropertyKey, Node]] : [];
    });
  switch (node._tag) {
    case "Declaration":
      return node.annotations.surrogate ? literalKeys(node.annotations.surrogate, decoding) : [];
    case "TypeLiteral":
      return pick(node.fields, (i) => node.fields[i]!.name);
    case "TupleType":
      return pick(node.elements, (i) => i);
    case "Refinement":
      return literalKeys(node.from, decoding);
    case "Suspend":
      return literalKeys(node.f(), decoding);
    case "Transformation":
      return literalKeys(decoding ? node.from : node.to, decoding);
  }
  return [];
}

interface Discriminator {
  readonly byValue: Map<string, Node[]>;
  readonly literals: Node[];
  readonly members: Node[];
}

// sorted files every member under the first of its literal fields whose value no other member took yet (or under its
// last one), so that a value with such a field is tried against the few members it can be.
function sorted(members: readonly Node[], decoding: boolean) {
  const keys = new Map<PropertyKey, Discriminator>();
  const told: Node[] = [];
  const others: Node[] = [];
  for (const member of members) {
    const literals = literalKeys(member, decoding);
    if (literals.length === 0) {
      others.push(member);
      continue;
    }
    told.push(member);
    for (const [i, [name, literal]] of literals.entries()) {
      const key = typeof name === "number" ? String(name) : name;
      let at = keys.get(key);
      if (at === undefined) keys.set(key, (at = { byValue: new Map(), literals: [], members: [] }));
      const value = String(literal.literal);
      const taken = at.byValue.get(value);
      if (taken !== undefined && i < literals.length - 1) continue;
      if (taken !== undefined) taken.push(member);
      else at.byValue.set(value, [member]);
      at.literals.push(literal);
      at.members.push(member);
      if (taken === undefined) break;
    }
  }
  return { keys, told, others };
}

function unionParser(node: Node, decoding: boolean): Parser {
  const { keys, told, others } = sorted(node.types, decoding);
  const every = node.types.length;
  return (input, options) => {
    const issues: ParseIssue[] = [];
    let candidates: Node[] = [];
    if (keys.size > 0) {
      if (isRecord(input) || Array.isArray(input)) {
        for (const [key, { byValue, literals, members }] of keys) {
          const present = has(input, key);
          const fitting = present ? byValue.get(String(input[key])) : undefined;
          if (fitting !== undefined) {
            candidates = candidates.concat(fitting);
            continue;
          }
          const values = ast.union(literals);
          const wanted = ast.field(key, values);
          const named = members.length === every ? ast.typeLiteral([wanted], []) : ast.union(members);
          issues.push(Composite(named, input, Pointer(key, input, present ? Type(values, input[key]) : Missing(wanted))));
        }
      } else {
        issues.push(Type(told.length === every ? node : ast.union(told), input));
      }
    }
    for (const member of candidates.concat(others)) {
      const made = parserOf(member, decoding)(input, options);
      if (made._tag === "Right") return made;
      issues.push(made.left);
    }
    if (issues.length === 0) return left(Type(node, input));
    if (issues.length === 1 && issues[0]._tag === "Type") return left(issues[0]);
    return left(Composite(node, input, issues));
  };
}
