// normalizeText: the one way text of pages is compared and returned.

const invisible = /[\u200b\u2060\ufeff\u00ad]/g;
const lineBreak = /\r\n?|[\u0085\u2028\u2029]/g;
const blank = /[ \t\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g;

export function normalizeText(text: string, options: { lines?: boolean } = {}): string {
  const lines = text
    .replace(invisible, "")
    .replace(lineBreak, "\n")
    .replace(blank, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.join(options.lines === true ? "\n" : " ");
}
