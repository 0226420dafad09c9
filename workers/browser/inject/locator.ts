/** Selectors as the JavaScript locators people write. The rules are described in api.ts, the examples in testdata/aslocator.json. */
import { parseAttributes } from './attributes';
import { parseSelector, stringify, type Selector } from './selector';
import { quoteJS, regexForPeople } from './text';

/** Text of a locator without "page."; the selector itself when it has no such form. */
export function asLocator(selector: string): string {
  try {
    return locatorFor(parseSelector(selector));
  } catch {
    return selector;
  }
}

type Wanted = string | RegExp;

function literal(value: Wanted): string {
  return typeof value === 'string' ? quoteJS(value) : regexForPeople(value);
}

function call(method: string, value: Wanted, exact = false): string {
  return `${method}(${literal(value)}${exact && typeof value === 'string' ? ', { exact: true }' : ''})`;
}

/** The text of internal:text and its kin. */
function textOf(body: string): { value: Wanted; exact: boolean } {
  const regex = /^\/(.*)\/([igm]*)$/.exec(body);
  if (regex)
    return { value: new RegExp(regex[1], regex[2]), exact: false };
  const quoted = /^([^]*")([si]?)$/.exec(body);
  return quoted ? { value: JSON.parse(quoted[1]), exact: quoted[2] !== 'i' } : { value: body, exact: false };
}

const attributeMethods: Record<string, string | undefined> = { placeholder: 'getByPlaceholder', alt: 'getByAltText', title: 'getByTitle' };
const nestedForms: Record<string, ((inner: string) => string) | undefined> = {
  'internal:has': inner => `filter({ has: ${inner} })`,
  'internal:has-not': inner => `filter({ hasNot: ${inner} })`,
  'internal:and': inner => `and(${inner})`,
  'internal:or': inner => `or(${inner})`,
  'internal:chain': inner => `locator(${inner})`,
};

function locatorFor(selector: Selector): string {
  const out: string[] = [];
  for (const part of selector.parts) {
    if (part.name === 'internal:describe')
      continue;
    const form = part.inner && nestedForms[part.name];
    out.push(form ? form(locatorFor(part.inner!)) : simpleForm(part.name, part.source) ?? `locator(${quoteJS(stringify({ parts: [part] }))})`);
  }
  return out.join('.');
}

/** undefined: only locator('engine=body') says it. */
function simpleForm(name: string, body: string): string | undefined {
  switch (name) {
    case 'nth':
      return body === '0' ? 'first()' : body === '-1' ? 'last()' : `nth(${body})`;
    case 'visible':
      return `filter({ visible: ${body === 'true'} })`;
    case 'internal:text': {
      const { value, exact } = textOf(body);
      return call('getByText', value, exact);
    }
    case 'internal:label': {
      const { value, exact } = textOf(body);
      return call('getByLabel', value, exact);
    }
    case 'internal:has-text': case 'internal:has-not-text': {
      const { value, exact } = textOf(body);
      return exact ? undefined : `filter({ ${name === 'internal:has-text' ? 'hasText' : 'hasNotText'}: ${literal(value)} })`;
    }
    case 'internal:testid':
      return call('getByTestId', parseAttributes(body).attributes[0].value as Wanted);
    case 'internal:attr': {
      const attribute = parseAttributes(body).attributes[0];
      const method = attributeMethods[attribute.name];
      return method && call(method, attribute.value as Wanted, attribute.exact);
    }
    case 'internal:role':
      return roleForm(body);
    case 'internal:control':
      if (body === 'enter-frame')
        return 'contentFrame()';
      return body === 'pierce-frames' ? 'pierceFrames()' : body === 'no-pierce-frames' ? 'pierceFrames({ pierce: false })' : undefined;
  }
  return undefined;
}

function roleForm(body: string): string {
  const { name: role, attributes } = parseAttributes(body);
  const texts = attributes.filter(({ name, value }) => value !== null && (name === 'name' || name === 'description'));
  if (texts.length > 1 && texts.some(({ exact }) => exact !== texts[0].exact))
    throw new Error(`Conflicting exactness in internal:role selector: internal:role=${body}`);
  texts.sort((a, b) => Number(a.name === 'description') - Number(b.name === 'description'));
  const options = texts.map(({ name, value }) => `${name}: ${literal(value as Wanted)}`);
  if (texts.some(({ exact, value }) => exact && typeof value === 'string'))
    options.push('exact: true');
  for (const { name, value } of attributes) {
    if (name === 'name' || name === 'description')
      continue;
    const shown = name === 'level' ? Number(value) : typeof value === 'string' ? quoteJS(value) : value;
    options.push(`${name === 'include-hidden' ? 'includeHidden' : name}: ${shown}`);
  }
  return `getByRole(${quoteJS(role)}${options.length ? `, { ${options.join(', ')} }` : ''})`;
}
