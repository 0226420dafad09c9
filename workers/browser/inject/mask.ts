/** Opaque boxes over elements while a screenshot is taken. */
import type { Reply } from './api';
import { atOnce } from './call';
import { resolve } from './query';

let layer: { host: HTMLElement; root: ShadowRoot } | undefined;

/** Covers every element with a box of the colour. The boxes are in a closed shadow tree in the top layer, above dialogs. */
export function mask(elements: Element[] | string, color: string): Reply<true> {
  return atOnce(() => {
    const list = typeof elements === 'string' ? resolve(elements, document, false) : elements;
    layer ??= open();
    for (const element of list) {
      const { x, y, width, height } = element.getBoundingClientRect();
      const cover = document.createElement('div');
      cover.style.cssText = `position:fixed;left:${x}px;top:${y}px;width:${width}px;height:${height}px;background:${color}`;
      layer.root.append(cover);
    }
    return true as const;
  });
}

function open(): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement('x-mask');
  const root = host.attachShadow({ mode: 'closed' });
  host.popover = 'manual';
  host.style.cssText = 'position:fixed;inset:0;width:auto;height:auto;margin:0;padding:0;border:0;background:none;pointer-events:none;overflow:visible';
  document.documentElement.append(host);
  host.showPopover();
  return { host, root };
}

export function unmask(): true {
  layer?.host.remove();
  layer = undefined;
  return true;
}
