/**
 * CSS tokens of a selector, after CSS Syntax Level 3, section 4.3. A token keeps its source text, because everything that is not an extension goes to
 * the browser as it was written.
 */

import { quoteCSS } from './text';

export type TokenKind =
  | 'ident' | 'function' | 'at' | 'hash' | 'string' | 'badstring' | 'url' | 'number' | 'percentage' | 'dimension'
  | 'space' | 'delim' | 'colon' | 'semicolon' | 'comma' | '[' | ']' | '(' | ')' | '{' | '}' | 'cdo' | 'cdc' | 'column' | 'match' | 'end';

export type Token = {
  kind: TokenKind;
  /** As written; strings in double quotes and closed, white space as one space. */
  source: string;
  /** Of names and strings: escapes resolved. Of numbers: the number. */
  value: string | number;
};

const escape = '\\\\(?:[0-9a-fA-F]{1,6}\\s?|[^\\n0-9a-fA-F]|$)';
const name = `(?:[-\\w\\u0080-\\uffff]|${escape})`;
const ident = `(?:--|-?(?:[a-zA-Z_\\u0080-\\uffff]|${escape}))${name}*`;

/** In the order of the specification's consume-a-token; the first that matches wins. */
const rules: [TokenKind, RegExp][] = (() => {
  const rule = (kind: TokenKind, source: string): [TokenKind, RegExp] => [kind, new RegExp(source, 'y')];
  return [
    rule('space', '\\s+'),
    rule('string', `"(?:[^"\\\\\\n]|\\\\[^])*(?:"|$)|'(?:[^'\\\\\\n]|\\\\[^])*(?:'|$)`),
    rule('badstring', `["'](?:[^\\n\\\\]|\\\\[^])*`),
    rule('hash', `#${name}+`),
    rule('percentage', '[+-]?(?:\\d+\\.\\d+|\\d+|\\.\\d+)(?:[eE][+-]?\\d+)?%'),
    rule('dimension', `[+-]?(?:\\d+\\.\\d+|\\d+|\\.\\d+)(?:[eE][+-]?\\d+)?(?![eE][+-]?\\d)${ident}`),
    rule('number', '[+-]?(?:\\d+\\.\\d+|\\d+|\\.\\d+)(?:[eE][+-]?\\d+)?'),
    rule('cdo', '<!--'),
    rule('cdc', '-->'),
    rule('url', `[uU][rR][lL]\\(\\s*(?!["'\\s])[^)]*\\)?`),
    rule('function', `${ident}\\(`),
    rule('ident', ident),
    rule('at', `@${ident}`),
    rule('column', '\\|\\|'),
    rule('match', '[~|^$*]='),
  ];
})();

const single: Record<string, TokenKind> = {
  ':': 'colon', ';': 'semicolon', ',': 'comma', '[': '[', ']': ']', '(': '(', ')': ')', '{': '{', '}': '}',
};

function unescape(text: string): string {
  return text.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|\n|([^]))/g, (_, hex, other) => {
    if (hex === undefined)
      return other ?? '';
    const code = parseInt(hex, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code);
  });
}

function valueOf(kind: TokenKind, source: string): string | number {
  switch (kind) {
    case 'number':
      return Number(source);
    case 'string':
      return unescape(source.slice(1, source.length > 1 && source.endsWith(source[0]) ? -1 : undefined));
    case 'function':
      return unescape(source.slice(0, -1));
    case 'ident':
      return unescape(source);
  }
  return source;
}

/** The tokens of a text, always with an 'end' at the end. Comments vanish. */
export function tokenize(text: string): Token[] {
  const css = text.replace(/\r\n?|\f/g, '\n').replace(/\0/g, '\uFFFD');
  const tokens: Token[] = [];
  let at = 0;
  scan: while (at < css.length) {
    if (css.startsWith('/*', at)) {
      const end = css.indexOf('*/', at + 2);
      at = end < 0 ? css.length : end + 2;
      continue;
    }
    for (const [kind, pattern] of rules) {
      pattern.lastIndex = at;
      const match = pattern.exec(css);
      if (match) {
        at = pattern.lastIndex;
        const value = valueOf(kind, match[0]);
        tokens.push({ kind, source: kind === 'string' ? quoteCSS(String(value)) : kind === 'space' ? ' ' : match[0], value });
        continue scan;
      }
    }
    const char = String.fromCodePoint(css.codePointAt(at)!);
    tokens.push({ kind: single[char] ?? 'delim', source: char, value: char });
    at += char.length;
  }
  tokens.push({ kind: 'end', source: '', value: '' });
  return tokens;
}
