/** Scalars of YAML, quoted only where plain text would be read as something else. */

export function yamlKey(text: string): string {
  return needsQuotes(text) ? `'${text.replace(/'/g, "''")}'` : text;
}

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function yamlValue(text: string): string {
  if (!needsQuotes(text))
    return text;
  return `"${text.replace(/[\\"\x00-\x1f\x7f-\x9f]/g, char => escapes[char] ?? '\\x' + char.charCodeAt(0).toString(16).padStart(2, '0'))}"`;
}

function needsQuotes(text: string): boolean {
  return text === '' ||
    /^\s|\s$/.test(text) ||
    // Control characters and line breaks.
    /[\x00-\x08\x0a-\x1f\x7f-\x9f]/.test(text) ||
    // Ends of keys, comments.
    /:(\s|$)|\s#/.test(text) ||
    // Indicators, quotes, flow collections.
    /^[-&*[\],?!>|@"'#%]|[{}`]/.test(text) ||
    // What YAML takes for a number, a boolean or null.
    !Number.isNaN(Number(text)) || /^(?:y|n|yes|no|true|false|on|off|null)$/i.test(text);
}
