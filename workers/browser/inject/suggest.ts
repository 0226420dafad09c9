/**
 * The locator a person would write for an element: strict errors list it ("aka getByRole(…)"), locator.normalize() returns it. Candidates have a
 * cost; the cheapest one that finds the element alone wins, with Playwright's order of preference.
 */
import { closest, inPass, isInside, isVisible, parentOf } from './dom';
import { descriptionOf, nameOf } from './accname';
import { labelTexts, textOf } from './elementtext';
import { CallError } from './errors';
import { asLocator } from './locator';
import { previewOf } from './preview';
import { parse, queryAll } from './query';
import { roleOf } from './role';
import { stringify, type Selector } from './selector';
import { attributeBody, escapeIdentifier, escapeRegExp, nodeNameInCSS, quoteCSS, textBody } from './text';

type Token = { engine: string; body: string; cost: number };

/** What each kind costs. Exact texts cost 5 more than inexact ones, long texts up to 10 more. */
const cost = {
  testId: 1, otherTestId: 2, frameAttribute: 10, roleWithName: 100, placeholder: 120, label: 140, alt: 160, text: 180, title: 200, textRegex: 250,
  id: 500, role: 510, input: 520, tag: 530, nth: 10_000, path: 10_000_000,
};
const exactExtra = 5;

/** Comma-separated names of test id attributes. */
let testIds = ['data-testid'];

export function setTestIdAttribute(names: string): void {
  testIds = names.split(',');
}

/** The error of a selector that found several elements where one is wanted. */
export function strictError(selector: Selector, found: Element[]): CallError {
  return new CallError(`strict mode violation: ${asLocator(stringify(selector))} resolved to ${found.length} elements:${listing(found)}\n`);
}

/** Numbered lines of the first ten elements with the locator that finds each. */
export function listing(elements: Element[]): string {
  return inPass(() => elements.slice(0, 10).map((element, index) =>
    `\n    ${index + 1}) ${previewOf(element)} aka ${asLocator(suggestSelector(element))}`).join('')) + (elements.length > 10 ? '\n    ...' : '');
}

/** A selector that finds the element, or the button or link it is the content of. */
export function suggestSelector(target: Element): string {
  return inPass(() => {
    if (!target.matches('input,textarea,select') && !(target as HTMLElement).isContentEditable) {
      const interactive = closest(target, 'button,select,input,[role=button],[role=checkbox],[role=radio],a,[role=link]');
      if (interactive && isVisible(interactive))
        target = interactive;
    }
    return join(new Search(target.ownerDocument).best(target, false, false) ?? pathTo(target));
  });
}

function join(tokens: Token[]): string {
  let text = '';
  tokens.forEach(({ engine, body }, index) => {
    const isCSSPair = engine === 'css' && tokens[index - 1]?.engine === 'css';
    text += (index ? (isCSSPair ? ' ' : ' >> ') : '') + (engine === 'css' ? body : `${engine}=${body}`);
  });
  return text;
}

/** A token counts once for itself and for everything after it. */
function total(tokens: Token[]): number {
  return tokens.reduce((sum, token, index) => sum + token.cost * (tokens.length - index), 0);
}

function withNth(tokens: Token[], index: number): Token[] {
  return [...tokens, { engine: 'nth', body: String(index), cost: cost.nth }];
}

type Candidate = { tokens: Token[]; usesText: boolean };

class Search {
  /** Best tokens of parents, with and without their text. */
  private readonly parents = [new Map<Element, Token[]>(), new Map<Element, Token[]>()];

  constructor(private readonly root: Document) {}

  /** `isParent`: it will be combined with something below it, so it may be ambiguous, and texts of the whole are not tried. */
  best(target: Element, isParent: boolean, withoutText: boolean): Token[] | undefined {
    if (target === this.root.documentElement)
      return [{ engine: 'css', body: 'html', cost: 1 }];
    const candidates: Candidate[] = [
      ...(withoutText ? nameCandidates(target, isParent, true) : [...textCandidates(target, isParent), ...nameCandidates(target, isParent, false)])
          .map(tokens => ({ tokens, usesText: true })),
      ...plainCandidates(target, withoutText).map(token => ({ tokens: [token], usesText: false })),
    ];
    candidates.sort((a, b) => total(a.tokens) - total(b.tokens));
    let best: Token[] | undefined;
    const offer = (tokens: Token[]) => {
      if (!best || total(tokens) < total(best))
        best = tokens;
    };
    for (const { tokens, usesText } of candidates) {
      const found = queryAll(parse(join(tokens)), this.root);
      const index = found.indexOf(target);
      if (found.length === 1 && index === 0) {
        // All that follow cost more.
        offer(tokens);
        break;
      }
      if (index < 0 || index > 5)
        continue;
      offer(withNth(tokens, index));
      if (!isParent)
        this.offerBelowParents(target, tokens, found, withoutText || usesText, () => best, offer);
    }
    return best;
  }

  /** Combinations of a locator for something above and `tokens` below it. */
  private offerBelowParents(target: Element, tokens: Token[], found: Element[], withoutText: boolean, best: () => Token[] | undefined, offer: (tokens: Token[]) => void): void {
    const index = found.indexOf(target);
    for (let parent = parentOf(target); parent; parent = parentOf(parent)) {
      const above = parent;
      const inside = found.filter(element => element !== above && isInside(above, element));
      const indexInside = inside.indexOf(target);
      if (inside.length > 5 || indexInside < 0 || (indexInside === index && inside.length > 1))
        continue;
      const below = inside.length === 1 ? tokens : withNth(tokens, indexInside);
      const current = best();
      if (current && total([{ engine: '', body: '', cost: 1 }, ...below]) >= total(current))
        continue;
      const known = this.parents[Number(withoutText)];
      let aboveTokens = known.get(parent);
      if (!aboveTokens) {
        aboveTokens = this.best(parent, true, withoutText) ?? pathTo(parent);
        known.set(parent, aboveTokens);
      }
      offer([...aboveTokens, ...below]);
    }
  }
}

/** Long bodies cost a little more, so that shorter ones of the same kind win. */
function token(engine: string, body: string, price: number): Token {
  return { engine, body, cost: price > 50 && price < 300 ? price + Math.min(10, Math.floor(body.length / 10)) : price };
}

/** The exact text, then shortened ones that match as substrings. */
function texts(engine: string, text: string, price: number, body: (text: string, exact: boolean) => string): Token[] {
  return [token(engine, body(text, true), price + exactExtra), ...shorter(text).map(short => token(engine, body(short.text, false), price - short.bonus))];
}

function attributeToken(name: string): (text: string, exact: boolean) => string {
  return (text, exact) => `[${name}=${attributeBody(text, exact)}]`;
}

/** Locators that use nothing of what the element says. */
function plainCandidates(element: Element, withoutText: boolean): Token[] {
  const out: Token[] = [];
  const tag = nodeNameInCSS(element);
  const name = element.nodeName;
  const attribute = (key: string) => element.getAttribute(key) || '';
  const css = (body: string, price: number) => out.push(token('css', body, price));
  for (const key of ['data-testid', 'data-test-id', 'data-test']) {
    if (!testIds.includes(key) && attribute(key))
      css(`[${key}=${quoteCSS(attribute(key))}]`, cost.otherTestId);
  }
  if (attribute('id') && !looksGenerated(attribute('id')))
    css(idSelector(attribute('id')), cost.id);
  css(tag, cost.tag);
  if (name === 'IFRAME' || name === 'FRAME') {
    // frameLocator takes a CSS selector, so getBy… is of no use.
    for (const key of ['name', 'title'].filter(attribute))
      css(`${tag}[${key}=${quoteCSS(attribute(key))}]`, cost.frameAttribute);
    for (const key of testIds.filter(attribute))
      css(`[${key}=${quoteCSS(attribute(key))}]`, cost.testId);
    return out;
  }
  for (const key of testIds.filter(attribute))
    out.push(token('internal:testid', `[${key}=${attributeBody(attribute(key), true)}]`, cost.testId));
  const isText = name === 'INPUT' || name === 'TEXTAREA';
  const placeholder = isText && (element as HTMLInputElement).placeholder;
  if (placeholder)
    out.push(...texts('internal:attr', placeholder, cost.placeholder, attributeToken('placeholder')));
  for (const label of labelTexts(element, withoutText))
    out.push(...texts('internal:label', label.normal, cost.label, textBody));
  const role = roleOf(element);
  if (role && role !== 'none' && role !== 'presentation')
    out.push(token('internal:role', role, cost.role));
  if (attribute('name') && ['BUTTON', 'FORM', 'FIELDSET', 'INPUT', 'KEYGEN', 'OBJECT', 'OUTPUT', 'SELECT', 'TEXTAREA', 'MAP', 'META', 'PARAM'].includes(name))
    css(`${tag}[name=${quoteCSS(attribute('name'))}]`, cost.input);
  if (attribute('type') !== 'hidden') {
    if (isText && attribute('type'))
      css(`${tag}[type=${quoteCSS(attribute('type'))}]`, cost.input);
    if (isText || name === 'SELECT')
      css(tag, cost.input + 1);
  }
  return out;
}

/** Locators by the element's own text. */
function textCandidates(element: Element, isParent: boolean): Token[][] {
  if (element.nodeName === 'SELECT')
    return [];
  const out: Token[][] = [];
  const title = element.getAttribute('title');
  if (title)
    out.push(...texts('internal:attr', title, cost.title, attributeToken('title')).map(one => [one]));
  const alt = element.getAttribute('alt');
  if (alt && ['APPLET', 'AREA', 'IMG', 'INPUT'].includes(element.nodeName))
    out.push(...texts('internal:attr', alt, cost.alt, attributeToken('alt')).map(one => [one]));
  const text = textOf(element).normal;
  if (!text)
    return out;
  if (!isParent) {
    const [exact, ...inexact] = texts('internal:text', text, cost.text, textBody);
    out.push(...(text.length <= 80 ? [exact, ...inexact] : inexact).map(one => [one]));
  }
  out.push(...withText(token('css', nodeNameInCSS(element), cost.tag), text, isParent));
  return out;
}

/** An element of some kind that has the text. */
function withText(kind: Token, text: string, isParent: boolean): Token[][] {
  const out = (text ? shorter(text) : []).map(short => [kind, token('internal:has-text', textBody(short.text, false), cost.text - short.bonus)]);
  if (!isParent && text.length <= 80)
    out.push([kind, token('internal:has-text', textBody(new RegExp(`^${escapeRegExp(text)}$`), false), cost.textRegex)]);
  return out;
}

/** Locators by role and accessible name. `outside`: names that come from the element's own text do not count. */
function nameCandidates(element: Element, isParent: boolean, outside: boolean): Token[][] {
  const role = roleOf(element);
  if (!role || role === 'none' || role === 'presentation' || element.nodeName === 'SELECT')
    return [];
  const from = ({ text, fromContent }: { text: string; fromContent: boolean }) => (outside && fromContent ? '' : text);
  const name = from(nameOf(element));
  const description = from(descriptionOf(element));
  const describedBy = (exact: boolean) => `[description=${attributeBody(description, exact)}]`;
  // Icon fonts name things in private-use characters, which nobody can type.
  if (name && !/^\p{Co}+$/u.test(name)) {
    const named = (text: string, exact: boolean) => `${role}[name=${attributeBody(text, exact)}]`;
    const out = texts('internal:role', name, cost.roleWithName, named);
    if (description)
      out.push(...texts('internal:role', name, cost.roleWithName + 1, (text, exact) => named(text, exact) + describedBy(exact)));
    return out.map(one => [one]);
  }
  const out: Token[][] = description ? [[token('internal:role', role + describedBy(true), cost.role + 1)]] : [];
  return outside ? out : [...out, ...withText(token('internal:role', role, cost.role), textOf(element).normal, isParent)];
}

function idSelector(id: string): string {
  return /^[a-zA-Z][-\w]+$/.test(id) ? '#' + id : `[id=${quoteCSS(id)}]`;
}

/** Ids with many changes between letters, capitals and digits come from a machine and will be others tomorrow. */
function looksGenerated(id: string): boolean {
  let changes = 0;
  let last = '';
  for (const char of id.replace(/[-_]/g, '')) {
    const kind = /[a-z]/.test(char) ? 'a' : /[A-Z]/.test(char) ? 'A' : /[0-9]/.test(char) ? '0' : '?';
    if (last && last !== kind && !(last === 'A' && kind === 'a'))
      changes++;
    last = kind;
  }
  return changes >= id.length / 4;
}

/** Versions of a text that stay right when it changes: without a leading or trailing number, cut at a word. */
function shorter(text: string): { text: string; bonus: number }[] {
  const out: { text: string; bonus: number }[] = [];
  const add = (cut: string) => out.push({ text: cut, bonus: cut.length <= 30 ? 2 : 1 });
  const leading = /^([\d.,]+)[^.,\w]/.exec(text);
  if (leading)
    add(cutAtWord(text.slice(leading[1].length).trimStart(), 80));
  const trailing = /[^.,\w]([\d.,]+)$/.exec(text);
  if (trailing)
    add(cutAtWord(text.slice(0, -trailing[1].length).trimEnd(), 80));
  if (text.length <= 30)
    out.push({ text, bonus: 0 });
  else
    out.push({ text: cutAtWord(text, 80), bonus: 0 }, { text: cutAtWord(text, 30), bonus: 1 });
  const useful = out.filter(one => one.text);
  return useful.length ? useful : [{ text: text.slice(0, 80), bonus: 0 }];
}

function cutAtWord(text: string, length: number): string {
  if (text.length <= length)
    return text;
  const cut = /^(.*)\b(.+?)$/.exec(text.slice(0, length));
  return cut ? cut[1].trimEnd() : '';
}

/** A path of ids, classes and positions, from the nearest thing that makes it unique. */
function pathTo(target: Element): Token[] {
  const root = target.ownerDocument;
  const path: string[] = [];
  const unique = (prefix?: string): string | undefined => {
    const selector = [...(prefix ? [prefix] : []), ...path].join(' > ');
    return queryAll(parse(selector), root)[0] === target ? selector : undefined;
  };
  const finish = (selector: string): Token[] => {
    const found = queryAll(parse(selector), root);
    const tokens = [{ engine: 'css', body: selector, cost: cost.path }];
    return found.length === 1 ? tokens : withNth(tokens, found.indexOf(target));
  };
  for (let element: Element | undefined = target; element; element = parentOf(element)) {
    let best = '';
    if (element.id) {
      best = idSelector(element.id);
      const selector = unique(best);
      if (selector)
        return finish(selector);
    }
    const parent = element.parentNode as ParentNode | null;
    const classes = [...element.classList].map(escapeIdentifier);
    for (let count = 1; count <= classes.length; count++) {
      const step = '.' + classes.slice(0, count).join('.');
      const selector = unique(step);
      if (selector)
        return finish(selector);
      if (!best && parent?.querySelectorAll(step).length === 1)
        best = step;
    }
    const tag = nodeNameInCSS(element);
    if (parent) {
      const siblings = [...parent.children];
      const isFirst = siblings.find(sibling => sibling.nodeName === element!.nodeName) === element;
      const step = isFirst ? tag : `${tag}:nth-child(${siblings.indexOf(element) + 1})`;
      const selector = unique(step);
      if (selector)
        return finish(selector);
      best ||= step;
    }
    path.unshift(best || tag);
  }
  return finish(unique() ?? path.join(' > '));
}
