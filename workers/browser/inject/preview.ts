/** One-line previews of nodes, as call logs and errors show them. */
import { oneLine, shorten } from './text';

const voids = new Set(['AREA', 'BASE', 'BR', 'COL', 'COMMAND', 'EMBED', 'HR', 'IMG', 'INPUT', 'KEYGEN', 'LINK', 'MENUITEM', 'META', 'PARAM', 'SOURCE', 'TRACK', 'WBR']);
const flags = new Set(['checked', 'selected', 'disabled', 'readonly', 'multiple']);

/** `<a href="/x">text</a>`: short attributes first, no style, long parts cut; "…" stands for content that is not plain text. */
export function previewOf(node: Node): string {
  if (node.nodeType === 3)
    return oneLine(`#text=${node.nodeValue ?? ''}`);
  const name = node.nodeName.toLowerCase();
  if (node.nodeType !== 1)
    return oneLine(`<${name} />`);
  const element = node as Element;
  const attributes = [...element.attributes].filter(({ name }) => name !== 'style')
      .map(({ name, value }) => (!value && flags.has(name) ? ` ${name}` : ` ${name}="${value}"`))
      .sort((a, b) => a.length - b.length);
  const start = `<${name}${shorten(attributes.join(''), 500)}`;
  if (voids.has(element.nodeName))
    return oneLine(start + '/>');
  const children = element.childNodes;
  const isPlain = children.length <= 5 && [...children].every(child => child.nodeType === 3);
  const text = isPlain ? element.textContent ?? '' : '…';
  return oneLine(`${start}>${shorten(text, 50)}</${name}>`);
}
