/**
 * Playwright's CSS: standard selectors, combined with pseudo-classes of its own. Compounds are cut into the part the browser matches
 * and the calls this program matches.
 */
import { SelectorError } from './errors';
import { tokenize, type TokenKind } from './csstokens';

export type Argument = Complex | number | string;
export type Call = { name: string; args: Argument[] };
/** One compound selector: `css` for the browser, `calls` for us. */
export type Compound = { css?: string; calls: Call[] };
/** Compounds from left to right; `combinator` stands after its compound ("" = descendant or last). */
export type Complex = { compounds: { compound: Compound; combinator: '' | '>' | '+' | '~' }[] };

export const extensions = new Set(['not', 'is', 'where', 'has', 'scope', 'light', 'visible', 'text', 'text-matches', 'text-is', 'has-text',
  'above', 'below', 'right-of', 'left-of', 'near', 'nth-match']);

const refused = new Set<TokenKind>(['at', 'badstring', 'column', 'cdo', 'cdc', 'semicolon', '{', '}', 'url', 'percentage']);
const hint = 'Did you mean to CSS.escape it?';

export function parseCSS(selector: string): Complex[] {
  const tokens = tokenize(selector);
  const bad = tokens.find(token => refused.has(token.kind));
  if (bad)
    throw new SelectorError(`Unsupported token "${bad.source}" while parsing css selector "${selector}". ${hint}`);

  let at = 0;
  const kind = () => tokens[at].kind;
  const take = () => tokens[at++];
  const unexpected = () => new SelectorError(`Unexpected token "${tokens[at].source}" while parsing css selector "${selector}". ${hint}`);
  const isDelim = (...chars: string[]) => kind() === 'delim' && chars.includes(tokens[at].source);
  const isCombinator = () => isDelim('>', '+', '~');
  const endsCompound = () => ['comma', ')', 'end', 'space'].includes(kind()) || isCombinator();
  const skipSpace = () => {
    while (kind() === 'space')
      at++;
  };

  const args = (): Argument[] => {
    const list: Argument[] = [];
    do {
      if (list.length)
        at++;
      skipSpace();
      list.push(kind() === 'number' || kind() === 'string' ? take().value : complex());
      skipSpace();
    } while (kind() === 'comma');
    return list;
  };

  const complex = (): Complex => {
    const compounds: Complex['compounds'] = [];
    skipSpace();
    // A relative selector starts at the scope: https://drafts.csswg.org/selectors-4/#relative
    compounds.push({ compound: isCombinator() ? { calls: [{ name: 'scope', args: [] }] } : compound(), combinator: '' });
    for (;;) {
      skipSpace();
      if (isCombinator()) {
        compounds[compounds.length - 1].combinator = take().source as '>';
        skipSpace();
      } else if (endsCompound()) {
        return { compounds };
      }
      compounds.push({ compound: compound(), combinator: '' });
    }
  };

  const compound = (): Compound => {
    let css = '';
    const calls: Call[] = [];
    while (!endsCompound()) {
      if (kind() === 'ident' || kind() === 'hash' || isDelim('*')) {
        css += take().source;
      } else if (isDelim('.')) {
        at++;
        if (kind() !== 'ident')
          throw unexpected();
        css += '.' + take().source;
      } else if (kind() === 'colon') {
        at++;
        css += pseudo(calls);
      } else if (kind() === '[') {
        while (kind() !== ']') {
          if (kind() === 'end')
            throw unexpected();
          css += take().source;
        }
        css += take().source;
      } else {
        throw unexpected();
      }
    }
    if (!css && !calls.length)
      throw unexpected();
    return { css: css || undefined, calls };
  };

  /** After the colon: adds a call of ours, or returns the text for the browser. */
  const pseudo = (calls: Call[]): string => {
    const token = tokens[at];
    const name = String(token.value).toLowerCase();
    if (token.kind === 'ident') {
      at++;
      if (!extensions.has(name))
        return ':' + token.source;
      calls.push({ name, args: [] });
      return '';
    }
    if (token.kind !== 'function')
      throw unexpected();
    at++;
    let css = '';
    if (extensions.has(name))
      calls.push({ name, args: args() });
    else
      css = `:${name}(${rawArguments()})`;
    skipSpace();
    if (kind() !== ')')
      throw unexpected();
    at++;
    return css;
  };

  const rawArguments = (): string => {
    let text = '';
    for (let depth = 1; kind() !== 'end'; text += take().source) {
      if (kind() === '(' || kind() === 'function')
        depth++;
      else if (kind() === ')' && !--depth)
        break;
    }
    return text;
  };

  const list = args();
  if (kind() !== 'end')
    throw unexpected();
  if (list.some(item => typeof item !== 'object'))
    throw new SelectorError(`Error while parsing css selector "${selector}". ${hint}`);
  return list as Complex[];
}
