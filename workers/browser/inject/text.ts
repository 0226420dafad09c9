/** Text as selectors and messages see it: whitespace rules, quoting, shortening. */

/** Invisible characters go, runs of white space become one space. */
export function collapse(text: string): string {
  return text.replace(/[\u200b\u00ad]/g, '').trim().replace(/\s+/g, ' ');
}

/** A JavaScript string literal in single quotes; double quotes stay as they are. */
export function quoteJS(text: string): string {
  const json = JSON.stringify(text);
  return `'${json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

/** A CSS string in double quotes. */
export function quoteCSS(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ')}"`;
}

/** At most `cap` characters (code points), the last one an ellipsis. */
export function shorten(text: string, cap: number): string {
  if (text.length <= cap)
    return text;
  const points = [...text];
  return points.length <= cap ? text : points.slice(0, cap - 1).join('') + '…';
}

/** For one-line previews. */
export function oneLine(text: string): string {
  return text.replace(/\n/g, '↵').replace(/\t/g, '⇆');
}

/** A regular expression that matches the text literally. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * The source of a regular expression inside a selector: quotes and ">>" would end the selector part, so they get a backslash.
 * Unicode mode refuses needless escapes; those expressions stay as they are.
 */
export function regexInSelector(re: RegExp): string {
  const text = String(re);
  if (/[uv]/.test(re.flags))
    return text;
  return text.replace(/(\\\\)*\\?["'`]/g, match => (match.length % 2 ? match.slice(0, -1) + '\\' + match.slice(-1) : match)).replace(/>>/g, '\\>\\>');
}

/** The reverse of {@link regexInSelector}, for texts people read. */
export function regexForPeople(re: RegExp): string {
  return String(re).replace(/(\\+)(["'`])/g, (all, slashes, quote) => (slashes.length % 2 ? slashes.slice(1) + quote : all));
}

/** The body of internal:text, internal:label, internal:has-text. */
export function textBody(text: string | RegExp, exact: boolean): string {
  return typeof text === 'string' ? JSON.stringify(text) + (exact ? 's' : 'i') : regexInSelector(text);
}

/** The value in internal:attr, internal:testid and internal:role. */
export function attributeBody(value: string | RegExp, exact: boolean): string {
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"${exact ? 's' : 'i'}` : regexInSelector(value);
}

/** The same rules as CSS.escape, which a page could have replaced and which detached documents lack. */
export function escapeIdentifier(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const digit = code >= 48 && code <= 57;
    if (code === 0)
      out += '\uFFFD';
    else if (code < 32 || code === 127 || (digit && (i === 0 || (i === 1 && text[0] === '-'))))
      out += '\\' + code.toString(16) + ' ';
    else if (code >= 128 || digit || code === 95 || (code === 45 && text.length > 1) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122))
      out += text[i];
    else
      out += '\\' + text[i];
  }
  return out;
}

/** An element's name as CSS needs it. */
export function nodeNameInCSS(node: Node): string {
  return node.nodeName.toLowerCase().replace(/[:.]/g, '\\$&');
}
