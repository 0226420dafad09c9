/**
 * Values of the page on the wire and back: the rules are at {@link Wire} in api.ts. This runs in the page's own world, so everything it uses is captured when the program
 * is installed: nothing here calls a method through a prototype the page could have changed.
 */
import type { Wire } from './api';
import { ServerError } from './errors';

const { apply, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
const { isArray } = Array;
const { keys } = Object;
const { fromCharCode } = String;
const { Date, RegExp, URL, Error, Map, BigInt, Uint8Array, btoa, atob } = globalThis;

/** f.call(self, ...args) that the page cannot redirect. */
function bare<S, A extends unknown[], R>(method: (this: S, ...args: A) => R): (self: S, ...args: A) => R {
  return (self, ...args) => apply(method, self, args);
}

/** What `attempt` gives, undefined when it throws: the questions one can ask a value throw for the wrong kind. */
function tried<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}

/** A getter as a function that gives undefined for other kinds of values. `owner` may have been overwritten by the page: then nothing is of that kind. */
function getter<R>(owner: unknown, name: PropertyKey): (self: unknown) => R | undefined {
  let prototype = owner as object | null;
  while (prototype && !tried(() => getOwnPropertyDescriptor(prototype!, name)))
    prototype = tried(() => getPrototypeOf(prototype!)) ?? null;
  const get = prototype && getOwnPropertyDescriptor(prototype, name)!.get;
  return self => (get ? tried(() => apply(get, self, []) as R) : undefined);
}

function prototypeOf(constructor: unknown): unknown {
  return typeof constructor === 'function' ? constructor.prototype : undefined;
}

const plainObject = getPrototypeOf({});
const plainArray = getPrototypeOf([]);
const mapGet = bare(Map.prototype.get);
const mapSet = bare(Map.prototype.set);
const charCodeAt = bare(String.prototype.charCodeAt);
const startsWith = bare(String.prototype.startsWith);
const timeOf = tried(() => bare(Date.prototype.getTime));
const isoOf = tried(() => bare(Date.prototype.toISOString));
const patternOf = getter<string>(/a/, 'source');
const flagsOf = getter<string>(/a/, 'flags');
const hrefOf = getter<string>(prototypeOf(URL), 'href');
const bigText = bare(BigInt.prototype.toString);
const objectTag = bare(plainObject!.toString as (this: unknown) => string);
const nodeTypeOf = getter<number>(document, 'nodeType');
const lengthOf = getter<number>(new Uint8Array().buffer, 'byteLength');
const typedName = getter<string>(new Uint8Array(), Symbol.toStringTag);
const typedBuffer = getter<ArrayBuffer>(new Uint8Array(), 'buffer');
const typedOffset = getter<number>(new Uint8Array(), 'byteOffset');
const typedLength = getter<number>(new Uint8Array(), 'byteLength');
const subarray = bare(Uint8Array.prototype.subarray);

const typed: [kind: string, name: string, make: new (buffer: ArrayBuffer) => ArrayBufferView][] = [
  ['i8', 'Int8Array', Int8Array], ['ui8', 'Uint8Array', Uint8Array], ['ui8c', 'Uint8ClampedArray', Uint8ClampedArray], ['i16', 'Int16Array', Int16Array],
  ['ui16', 'Uint16Array', Uint16Array], ['i32', 'Int32Array', Int32Array], ['ui32', 'Uint32Array', Uint32Array], ['f32', 'Float32Array', Float32Array],
  ['f64', 'Float64Array', Float64Array], ['bi64', 'BigInt64Array', BigInt64Array], ['bui64', 'BigUint64Array', BigUint64Array],
];

/** Chromium's protocol takes JSON of at most 300 levels; this stays below it, at about the depth where Playwright's values end. */
const maxDepth = 98;

type Shared = { id?: number };

/** Encodes a value; one that cannot be looked into (a cross-origin window, a throwing proxy) is undefined. */
export function encode(value: unknown): Wire {
  const visited = new Map<object, Shared>();
  let lastId = 0;
  const visit = (value: unknown, depth: number): Wire => {
    if (value === null || typeof value === 'boolean' || typeof value === 'string')
      return value;
    switch (typeof value) {
      case 'undefined': case 'symbol': case 'function':
        return { $: 'u' };
      case 'number':
        if (value === 0 && 1 / value < 0)
          return { $: 'n', v: '-0' };
        return value - value === 0 ? value : { $: 'n', v: `${value}` };
      case 'bigint':
        return { $: 'b', v: bigText(value) };
    }
    if (depth > maxDepth)
      throw new ServerError('Cannot serialize result: object reference chain is too long.');
    return encodeObject(value as object, depth);
  };

  const encodeObject = (value: object, depth: number): Wire => {
    const special = encodeSpecial(value);
    if (special !== undefined)
      return special;
    const before = mapGet(visited, value) as Shared | undefined;
    if (before)
      return { $: 'c', v: before.id ??= ++lastId };
    if (isArray(value)) {
      const node = { $: 'a' as const, v: [] as Wire[] };
      mapSet(visited, value, node);
      for (let i = 0; i < value.length; i++)
        node.v[i] = visit(value[i], depth + 1);
      return node;
    }
    const node = { $: 'o' as const, k: [] as string[], v: [] as Wire[] };
    mapSet(visited, value, node);
    const names = keys(value);
    for (let i = 0; i < names.length; i++) {
      let item: unknown;
      try {
        item = (value as Record<string, unknown>)[names[i]];
      } catch {
        continue;
      }
      const at = node.k.length;
      node.k[at] = names[i];
      node.v[at] = names[i] === 'toJSON' && typeof item === 'function' ? { $: 'o', k: [], v: [] } : visit(item, depth + 1);
    }
    if (!node.k.length) {
      // Objects of the browser have no own properties but say what they are.
      const json = tried(() => {
        const { toJSON } = value as { toJSON?: unknown };
        return typeof toJSON === 'function' ? { value: apply(toJSON, value, []) as unknown } : undefined;
      });
      if (json)
        return visit(json.value, depth + 1);
    }
    return node;
  };

  try {
    return visit(value, 0);
  } catch (thrown) {
    // As text: V8 would describe an error of ours by the name of its class.
    if (thrown instanceof ServerError)
      throw thrown.text;
    return { $: 'u' };
  }
}

function encodeSpecial(value: object): Wire | undefined {
  const prototype = getPrototypeOf(value);
  if (prototype === plainObject || prototype === plainArray || prototype === null)
    return undefined;
  if (isError(value))
    return encodeError(value);
  // A class may call itself anything, so what the tag says is checked against the real thing; asking for each kind without it would be slow.
  const tag = tried(() => objectTag(value));
  if (tag === '[object Object]')
    return undefined;
  if (tag === '[object Window]')
    return 'ref: <Window>';
  const nodeType = nodeTypeOf(value);
  if (nodeType !== undefined)
    return nodeType === 9 ? 'ref: <Document>' : 'ref: <Node>';
  if (tag === '[object Date]' && timeOf) {
    const time = tried(() => timeOf(value as Date));
    if (time !== undefined)
      return { $: 'd', v: time - time === 0 ? isoOf!(value as Date) : null };
  }
  const href = tag === '[object URL]' ? hrefOf(value) : undefined;
  if (href !== undefined)
    return { $: 'l', v: href };
  const pattern = tag === '[object RegExp]' ? patternOf(value) : undefined;
  if (pattern !== undefined)
    return { $: 'r', v: pattern, f: flagsOf(value) ?? '' };
  const name = typedName(value);
  for (let i = 0; name !== undefined && i < typed.length; i++) {
    if (typed[i][1] === name)
      return { $: 't', k: typed[i][0], v: base64(new Uint8Array(typedBuffer(value)!, typedOffset(value)!, typedLength(value)!)) };
  }
  if (lengthOf(value) !== undefined)
    return { $: 'x', v: base64(new Uint8Array(value as ArrayBuffer)) };
  return undefined;
}

function isError(value: object): value is Error {
  return !!tried(() => value instanceof Error || (getPrototypeOf(value) as { name?: unknown } | null)?.name === 'Error');
}

function encodeError(error: Error): Wire {
  const name = `${tried(() => error.name)}`;
  const message = `${tried(() => error.message)}`;
  const stack = tried(() => error.stack);
  const head = `${name}: ${message}`;
  return { $: 'e', n: name, m: message, s: typeof stack === 'string' && startsWith(stack, head) ? stack : `${head}\n${stack}` };
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192)
    binary += apply(fromCharCode, undefined, subarray(bytes, i, i + 8192));
  return btoa(binary);
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++)
    bytes[i] = charCodeAt(binary, i);
  return bytes;
}

/** Decodes arguments; `handles` are what {$:"h"} refers to. */
export function decode(wire: Wire, handles: unknown[]): unknown {
  const known = new Map<number, object>();
  const visit = (wire: Wire): unknown => {
    if (wire === null || typeof wire !== 'object')
      return wire;
    switch (wire.$) {
      case 'u':
        return undefined;
      case 'n':
        return wire.v === '-0' ? -0 : wire.v === 'NaN' ? NaN : wire.v === 'Infinity' ? Infinity : -Infinity;
      case 'b':
        return BigInt(wire.v);
      case 'd':
        return new Date(wire.v === null ? NaN : wire.v);
      case 'l':
        return new URL(wire.v);
      case 'r':
        return new RegExp(wire.v, wire.f);
      case 'e':
        return decodeError(wire);
      case 'x':
        return bytesOf(wire.v).buffer;
      case 't':
        for (let i = 0; i < typed.length; i++) {
          if (typed[i][0] === wire.k)
            return new typed[i][2](bytesOf(wire.v).buffer);
        }
        return undefined;
      case 'h':
        return handles[wire.v];
      case 'c':
        return mapGet(known, wire.v);
      case 'a': {
        const list: unknown[] = [];
        if (wire.id !== undefined)
          mapSet(known, wire.id, list);
        for (let i = 0; i < wire.v.length; i++)
          list[i] = visit(wire.v[i]);
        return list;
      }
      case 'o': {
        const object: Record<string, unknown> = {};
        if (wire.id !== undefined)
          mapSet(known, wire.id, object);
        for (let i = 0; i < wire.k.length; i++) {
          // Assigning it would change the prototype.
          if (wire.k[i] !== '__proto__')
            object[wire.k[i]] = visit(wire.v[i]);
        }
        return object;
      }
    }
  };
  return visit(wire);
}

function decodeError({ n, m, s }: { n: string; m: string; s: string }): Error {
  const error = new Error(m);
  error.name = n;
  error.stack = s;
  return error;
}
