/** Bodies of the form `name[attribute="value"i][other]`, used by role, internal:role, internal:attr and internal:testid. */
import { CallError } from './errors';

export type Operator = '' | '=' | '*=' | '|=' | '^=' | '$=' | '~=';

export type Attribute = {
  name: string;
  /** "" = merely present. */
  op: Operator;
  value: string | boolean | RegExp | null;
  exact: boolean;
};

export type AttributeBody = { name: string; attributes: Attribute[] };

const nameChars = /[-\w\u0080-\uffff]*/y;
const bareChars = /[-\w\u0080-\uffff+.]*/y;

export function parseAttributes(source: string): AttributeBody {
  let at = 0;
  const peek = () => source[at] ?? '';
  const fail = (stage?: string): never => {
    if (at >= source.length)
      throw new CallError(`Unexpected end of selector while parsing selector \`${source}\``);
    throw new CallError(`Error while parsing selector \`${source}\` - unexpected symbol "${peek()}" at position ${at}${stage ? ` during ${stage}` : ''}`);
  };
  const skipSpace = () => {
    while (/\s/.test(peek()))
      at++;
  };
  const run = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const text = pattern.exec(source)![0];
    at += text.length;
    return text;
  };
  const isQuote = () => peek() === '"' || peek() === "'";

  const quoted = (): string => {
    const quote = source[at++];
    let text = '';
    while (at < source.length && peek() !== quote) {
      if (peek() === '\\')
        at++;
      text += source[at++] ?? '';
    }
    if (peek() !== quote)
      fail('parsing quoted string');
    at++;
    return text;
  };

  const regex = (): RegExp => {
    const start = ++at;
    for (let inClass = false; at < source.length && (inClass || peek() !== '/'); at++) {
      if (peek() === '\\')
        at++;
      else if (peek() === '[')
        inClass = true;
      else if (peek() === ']')
        inClass = false;
    }
    if (peek() !== '/')
      fail('parsing regular expression');
    const body = source.slice(start, at++);
    const flags = run(/[dgimsuvy]*/y);
    try {
      return new RegExp(body, flags);
    } catch (e) {
      throw new CallError(`Error while parsing selector \`${source}\`: ${(e as Error).message}`);
    }
  };

  const token = (): string => {
    skipSpace();
    const text = isQuote() ? quoted() : run(nameChars);
    return text || fail('parsing property path');
  };

  const operator = (): Operator => {
    let op = source[at++] ?? '';
    if (op && op !== '=')
      op += source[at++] ?? '';
    if (!['=', '*=', '^=', '$=', '|=', '~='].includes(op))
      fail('parsing operator');
    return op as Operator;
  };

  const attribute = (): Attribute => {
    at++;
    let name = token();
    skipSpace();
    while (peek() === '.') {
      at++;
      name += '.' + token();
      skipSpace();
    }
    if (peek() === ']') {
      at++;
      return { name, op: '', value: null, exact: false };
    }
    const op = operator();
    let value: Attribute['value'];
    let exact = true;
    skipSpace();
    if (peek() === '/') {
      if (op !== '=')
        throw new CallError(`Error while parsing selector \`${source}\` - cannot use ${op} in attribute with regular expression`);
      value = regex();
    } else if (isQuote()) {
      value = quoted();
      skipSpace();
      if (/[is]/i.test(peek()))
        exact = source[at++].toLowerCase() === 's';
    } else {
      const text = run(bareChars);
      value = text === 'true' ? true : text === 'false' ? false : text;
    }
    skipSpace();
    if (peek() !== ']')
      fail('parsing attribute value');
    at++;
    if (op !== '=' && typeof value !== 'string')
      throw new CallError(`Error while parsing selector \`${source}\` - cannot use ${op} in attribute with non-string matching value - ${value}`);
    return { name, op, value, exact };
  };

  skipSpace();
  const body: AttributeBody = { name: run(nameChars), attributes: [] };
  for (skipSpace(); peek() === '['; skipSpace())
    body.attributes.push(attribute());
  if (at < source.length)
    fail();
  if (!body.name && !body.attributes.length)
    throw new CallError(`Error while parsing selector \`${source}\` - selector cannot be empty`);
  return body;
}

/** Whether a text is what the attribute asks for. */
export function matchesAttribute(actual: string, { op, value, exact }: Attribute): boolean {
  if (value instanceof RegExp)
    return op === '=' && actual.search(value) >= 0;
  if (op === '')
    return !!actual;
  if (typeof value !== 'string')
    return false;
  const [have, want] = exact ? [actual, value] : [actual.toUpperCase(), value.toUpperCase()];
  switch (op) {
    case '=': return have === want;
    case '*=': return have.includes(want);
    case '^=': return have.startsWith(want);
    case '$=': return have.endsWith(want);
    case '|=': return have === want || have.startsWith(want + '-');
    case '~=': return have.split(' ').includes(want);
  }
}
