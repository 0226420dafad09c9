/** The engines of the selector language: what one part finds below one root. */
import { matchesAttribute, parseAttributes, type Attribute } from './attributes';
import { descriptionOf, nameOf } from './accname';
import { checkedState, isDisabled, isExpanded, isHiddenForAria, isSelected, levelOf, pressedState, rolesWith } from './ariastate';
import { queryBrowser, type Scope } from './cssmatch';
import { isElement, isVisible } from './dom';
import { matchText, labelTexts, parseText, textOf } from './elementtext';
import { CallError, ServerError } from './errors';
import { candidatesFor, roleOf } from './role';
import { collapse, quoteCSS } from './text';

export type Engine = (root: Scope, body: string) => Element[];

/** Engines that look below the root. */
function byAttribute(name: string, pierce: boolean): Engine {
  return (root, body) => queryBrowser(root, `[${name}=${quoteCSS(body)}]`, pierce);
}

function byText(pierce: boolean, internal: boolean): Engine {
  return (root, body) => {
    const { kind, matches } = parseText(body, internal);
    const found: Element[] = [];
    let missed: Element | undefined;
    const candidates = queryBrowser(root, '*', pierce);
    if (isElement(root))
      candidates.unshift(root);
    for (const element of candidates) {
      // A substring that is not in an element is in nothing below it either.
      if (kind === 'substring' && missed?.contains(element))
        continue;
      const match = matchText(element, matches);
      if (!match)
        missed = element;
      else if (match === 'self' || (kind === 'exact' && !internal))
        found.push(element);
    }
    return found;
  };
}

/** Engines that decide about the root itself. */
function filter(keeps: (element: Element, body: string) => boolean): Engine {
  return (root, body) => isElement(root) && keeps(root, body) ? [root] : [];
}

function oneAttribute(body: string, what: string): Attribute {
  const { name, attributes } = parseAttributes(body);
  if (name || attributes.length !== 1)
    throw new CallError(`Malformed ${what} selector: ${body}`);
  const [attribute] = attributes;
  // Inexact means containing, here.
  return typeof attribute.value === 'string' && !attribute.exact ? { ...attribute, op: '*=' } : { ...attribute, op: '=' };
}

export const engines: Record<string, Engine | undefined> = {
  'xpath': (root, body) => byXPath(root, body),
  'xpath:light': (root, body) => byXPath(root, body),
  'text': byText(true, false),
  'text:light': byText(false, false),
  'internal:text': byText(true, true),
  'role': (root, body) => byRole(root, body, false),
  'internal:role': (root, body) => byRole(root, body, true),
  'internal:label': (root, body) => {
    const { matches } = parseText(body, true);
    return queryBrowser(root, '*').filter(element => labelTexts(element).some(matches));
  },
  'internal:attr': (root, body) => {
    const attribute = oneAttribute(body, 'attribute');
    return queryBrowser(root, `[${attribute.name}]`).filter(element => matchesAttribute(element.getAttribute(attribute.name)!, attribute));
  },
  'internal:testid': (root, body) => {
    const attribute = oneAttribute(body, 'test id');
    const names = attribute.name.split(',');
    return queryBrowser(root, names.map(name => `[${name}]`).join()).filter(element =>
      names.some(name => element.hasAttribute(name) && matchesAttribute(element.getAttribute(name)!, attribute)));
  },
  'internal:has-text': filter((element, body) => parseText(body, true).matches(textOf(element))),
  'internal:has-not-text': filter((element, body) => !parseText(body, true).matches(textOf(element))),
  'internal:describe': filter(() => true),
  'internal:control': () => [],
  'visible': filter((element, body) => isVisible(element) === (body === 'true')),
};

for (const name of ['id', 'data-testid', 'data-test-id', 'data-test']) {
  engines[name] = byAttribute(name, true);
  engines[name + ':light'] = byAttribute(name, false);
}

/** Engines of earlier versions: they still parse, but what they find is an error. */
export function isRetired(name: string): boolean {
  return name.endsWith(':light') || name === '_react' || name === '_vue';
}

function byXPath(root: Scope, body: string): Element[] {
  const path = body.startsWith('/') && root.nodeType !== 9 ? '.' + body : body;
  const document = root.ownerDocument ?? root as Document;
  const nodes = document.evaluate(path, root, null, 5 /* ORDERED_NODE_ITERATOR_TYPE */);
  const found: Element[] = [];
  for (let node = nodes.iterateNext(); node; node = nodes.iterateNext()) {
    if (isElement(node))
      found.push(node);
  }
  return found;
}

// ---- role ---------------------------------------------------------------------------------------------------------

type RoleCheck = (element: Element, includeHidden: boolean) => boolean;

const known = ['checked', 'description', 'disabled', 'expanded', 'include-hidden', 'level', 'name', 'pressed', 'selected'];

const states: Record<string, (element: Element) => unknown> = {
  checked: element => checkedState(element, true) ?? false,
  pressed: pressedState,
  selected: isSelected,
  expanded: isExpanded,
  disabled: isDisabled,
};

function byRole(root: Scope, body: string, internal: boolean): Element[] {
  const { name, attributes } = parseAttributes(body);
  const role = name.toLowerCase();
  if (!role)
    throw new CallError('Role must not be empty');
  let includeHidden = false;
  const checks: RoleCheck[] = [];
  const nameChecks: RoleCheck[] = [];
  for (const attribute of attributes) {
    switch (attribute.name) {
      case 'include-hidden':
        includeHidden = oneOf(attribute, [true, false]) as boolean;
        break;
      case 'level': {
        onlyFor(attribute, role);
        const level = typeof attribute.value === 'string' ? Number(attribute.value) : NaN;
        if (attribute.op !== '=' || Number.isNaN(level))
          throw new CallError('"level" attribute must be compared to a number');
        checks.push(element => levelOf(element) === level);
        break;
      }
      case 'name':
        nameChecks.push(textCheck(attribute, internal, (element, hidden) => nameOf(element, hidden).text));
        break;
      case 'description':
        nameChecks.push(textCheck(attribute, internal, (element, hidden) => descriptionOf(element, hidden).text));
        break;
      default: {
        const state = states[attribute.name];
        if (!state)
          throw new CallError(`Unknown attribute "${attribute.name}", must be one of ${known.map(name => `"${name}"`).join(', ')}.`);
        if (attribute.name !== 'disabled')
          onlyFor(attribute, role);
        const wanted = oneOf(attribute, attribute.name === 'checked' || attribute.name === 'pressed' ? [true, false, 'mixed'] : [true, false]);
        checks.push(element => state(element) === wanted);
      }
    }
  }
  // Names are the dearest, so they come last.
  return queryBrowser(root, candidatesFor(role)).filter(element => roleOf(element) === role &&
    checks.every(check => check(element, includeHidden)) &&
    (includeHidden || !isHiddenForAria(element)) &&
    nameChecks.every(check => check(element, includeHidden)));
}

function onlyFor(attribute: Attribute, role: string): void {
  const roles = rolesWith[attribute.name];
  if (!roles.includes(role))
    throw new CallError(`"${attribute.name}" attribute is only supported for roles: ${[...roles].sort().map(name => `"${name}"`).join(', ')}`);
}

function oneOf(attribute: Attribute, values: (boolean | string)[]): boolean | string {
  if (attribute.op && !values.includes(attribute.value as string))
    throw new CallError(`"${attribute.name}" must be one of ${values.map(value => JSON.stringify(value)).join(', ')}`);
  if (attribute.op && attribute.op !== '=')
    throw new CallError(`"${attribute.name}" does not support "${attribute.op}" matcher`);
  return attribute.op ? attribute.value as string : true;
}

function textCheck(attribute: Attribute, internal: boolean, text: (element: Element, includeHidden: boolean) => string): RoleCheck {
  if (!attribute.op)
    throw new CallError(`"${attribute.name}" attribute must have a value`);
  if (typeof attribute.value === 'boolean')
    throw new CallError(`"${attribute.name}" attribute must be a string or a regular expression`);
  const wanted = { ...attribute };
  if (typeof wanted.value === 'string') {
    wanted.value = collapse(wanted.value);
    // In internal:role [name="x"i] means containing.
    if (internal && !wanted.exact && wanted.op === '=')
      wanted.op = '*=';
  }
  return (element, includeHidden) => matchesAttribute(collapse(text(element, includeHidden)), wanted);
}

export function unknownEngine(name: string, selector: string): ServerError {
  return new ServerError(`Unknown engine "${name}" while parsing selector ${selector}`);
}
