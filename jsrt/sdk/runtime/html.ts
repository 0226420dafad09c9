// parseHtml and embeddedJson: a page's text as a document. The parser is the worker's; nothing in a document runs or loads.

import { isObject } from "./define";
import { EmbeddedJsonFailure } from "./errors";

interface Markup {
  parse(text: string): unknown;
  select(node: unknown, css: string): unknown[];
  selectOne(node: unknown, css: string): unknown;
  title(node: unknown): string | undefined;
  text(node: unknown): string;
  attr(node: unknown, name: string): string | undefined;
  html(node: unknown): string;
  embedded(text: string, id: string, type: string, attribute: string, assignment: string): [json: string, reason: "" | "missing" | "unparsable"];
}
const markup: Markup = (globalThis as any).__pomerado_markup__;
delete (globalThis as any).__pomerado_markup__;

const cssOf = (given: unknown): string => {
  if (typeof given !== "string" || given === "") throw new TypeError("select and selectOne take a CSS selector");
  return given;
};

const selecting = (node: unknown) => ({
  select: (css: unknown) => markup.select(node, cssOf(css)).map(nodeOf),
  selectOne(css: unknown) {
    const one = markup.selectOne(node, cssOf(css));
    return one === undefined ? undefined : nodeOf(one);
  },
});

const nodeOf = (node: unknown): any =>
  Object.freeze({
    ...selecting(node),
    text: () => markup.text(node),
    attr: (name: unknown) => markup.attr(node, String(name)),
    html: () => markup.html(node),
  });

export function parseHtml(text: unknown): any {
  if (typeof text !== "string") throw new TypeError("parseHtml takes a page's text");
  const document = markup.parse(text);
  return Object.freeze({ ...selecting(document), title: () => markup.title(document) });
}

const places = ["id", "type", "attribute", "assignment"];

// readEmbedded gives the value a page embeds; what it throws is an EmbeddedJsonFailure.
export function readEmbedded(text: unknown, selector: any): unknown {
  if (typeof text !== "string") throw new TypeError("embeddedJson takes a page's text");
  const named = isObject(selector) ? places.filter((place) => selector[place] !== undefined) : [];
  const value = named.length === 1 ? selector[named[0]!] : undefined;
  if (typeof value !== "string" || value === "" || (named[0] === "type" && value !== "ld+json" && value !== "json"))
    throw new TypeError('embeddedJson takes {id}, {type: "ld+json" or "json"}, {attribute} or {assignment: name}');
  const [id, type, attribute, assignment] = places.map((place) => (place === named[0] ? value : ""));
  const [json, reason] = markup.embedded(text, id!, type!, attribute!, assignment!);
  if (reason === "") return JSON.parse(json);
  const place = `${named[0]} ${JSON.stringify(value)}`;
  throw new EmbeddedJsonFailure({
    reason,
    message: reason === "missing" ? `The page holds no data at ${place}` : `What the page holds at ${place} is not JSON`,
  });
}
