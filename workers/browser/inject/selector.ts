/** Playwright's selector language: parts `engine=body` chained with `>>`. */
import { SelectorError } from './errors';
import { parseCSS, type Complex } from './cssparse';

export type Part = {
  name: string;
  /** The body as written. */
  source: string;
  /** Of css parts. */
  css?: Complex[];
  /** Of parts that hold a selector: internal:has="div", left-of="div",50. */
  inner?: Selector;
  distance?: number;
};

export type Selector = {
  parts: Part[];
  /** Index of the part marked with `*`: its element is the result instead of the last one's. */
  capture?: number;
};

export const layoutEngines = new Set(['left-of', 'right-of', 'above', 'below', 'near']);
const nestedEngines = new Set(['internal:has', 'internal:has-not', 'internal:and', 'internal:or', 'internal:chain', ...layoutEngines]);

export function parseSelector(text: string): Selector {
  const result: Selector = { parts: [] };
  for (const raw of splitParts(text)) {
    const { name, body, capture } = parsePart(raw);
    if (capture) {
      if (result.capture !== undefined)
        throw new SelectorError('Only one of the selectors can capture using * modifier');
      result.capture = result.parts.length;
    }
    result.parts.push(makePart(name, body, result.parts));
  }
  if (nestedEngines.has(result.parts[0].name))
    throw new SelectorError(`"${result.parts[0].name}" selector cannot be first`);
  return result;
}

/** Cuts at `>>` outside quotes and escapes. A quote inside the unquoted text of `text=it's` does not open a string. */
function splitParts(text: string): string[] {
  if (!text.includes('>>'))
    return [text.trim()];
  const parts: string[] = [];
  let start = 0;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') {
      i++;
    } else if (quote) {
      if (char === quote)
        quote = '';
    } else if (char === '"' || char === "'" || char === '`') {
      if (!/^\s*text\s*=./.test(text.slice(start, i)))
        quote = char;
    } else if (char === '>' && text[i + 1] === '>') {
      parts.push(text.slice(start, i).trim());
      start = ++i + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

function parsePart(text: string): { name: string; body: string; capture: boolean } {
  const named = /^([-\w+:*\s]+?)\s*=([^]*)$/.exec(text);
  if (named && /^[-\w+:*]+$/.test(named[1].trim())) {
    const name = named[1].trim();
    return { name: name.replace(/^\*/, ''), body: named[2], capture: name[0] === '*' };
  }
  const quote = text[0];
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  const isXPath = /^\(*\/\//.test(text) || text.startsWith('..');
  return { name: isQuoted ? 'text' : isXPath ? 'xpath' : 'css', body: text, capture: false };
}

function makePart(name: string, body: string, before: Part[]): Part {
  if (name === 'css' || name === 'css:light') {
    const source = name === 'css' ? body : `:light(${body})`;
    return { name: 'css', source, css: parseCSS(source) };
  }
  if (!nestedEngines.has(name))
    return { name, source: body };
  const malformed = () => new SelectorError(`Malformed selector: ${name}=${body}`);
  let list: unknown[];
  try {
    list = JSON.parse(`[${body}]`);
  } catch {
    throw malformed();
  }
  const [text, distance] = list;
  if (typeof text !== 'string' || list.length > 2 || (list.length === 2 && (typeof distance !== 'number' || !layoutEngines.has(name))))
    throw malformed();
  return { name, source: body, inner: withoutFrames(parseSelector(text), before), distance: distance as number | undefined };
}

/** A nested selector may repeat the frames the outer one went through. */
function withoutFrames(inner: Selector, before: Part[]): Selector {
  let last = inner.parts.length - 1;
  while (last >= 0 && !(inner.parts[last].name === 'internal:control' && inner.parts[last].source === 'enter-frame'))
    last--;
  if (last < 0 || stringify({ parts: inner.parts.slice(0, last + 1) }) !== stringify({ parts: before.slice(0, last + 1) }))
    return inner;
  return { ...inner, parts: inner.parts.slice(last + 1) };
}

/** The selector as text. css and obvious xpath go without their engine's name. */
export function stringify(selector: Selector): string {
  return selector.parts.map((part, index) => {
    const bare = index !== selector.capture && (part.name === 'css' || (part.name === 'xpath' && /^(\/\/|\.\.)/.test(part.source)));
    return (index === selector.capture ? '*' : '') + (bare ? '' : part.name + '=') + part.source;
  }).join(' >> ');
}

/** Calls `visit` with every part, nested ones included. */
export function eachPart(selector: Selector, visit: (part: Part) => void): void {
  for (const part of selector.parts) {
    visit(part);
    if (part.inner)
      eachPart(part.inner, visit);
  }
}
