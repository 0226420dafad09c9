// normalizeText: the one way text of pages is compared and returned. Page code gets the function as text, so it uses nothing of this file.

export function normalizeText(text: string, options: { lines?: boolean } = {}): string {
  const lines = text
    .replace(/[\u200b\u2060\ufeff\u00ad]/g, "")
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(/[ \t\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.join(options.lines === true ? "\n" : " ");
}
