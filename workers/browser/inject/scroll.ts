/** Bringing elements into view. */
import { boxesOf, isElement, parentOf, styleOf } from './dom';

type Area = { left: number; top: number; right: number; bottom: number };

/**
 * On the first attempt only as far as needed; on later ones to one edge after another, which gets elements out from under sticky headers and footers. Always at once, whatever
 * scroll-behavior says.
 */
export function reveal(node: Node, attempt: number, position?: { x: number; y: number }): void {
  const element = isElement(node) ? node : node.parentElement;
  if (!element)
    return;
  const edge = ([undefined, 'end', 'center', 'start'] as const)[attempt % 4];
  if (edge) {
    element.scrollIntoView({ block: edge, inline: edge, behavior: 'instant' });
    return;
  }
  const hasBox = element === node && element.getClientRects().length > 0;
  if (hasBox && !position && !scrollsSmoothly(element)) {
    (element as Element & { scrollIntoViewIfNeeded(): void }).scrollIntoViewIfNeeded();
    return;
  }
  revealArea(element, () => {
    const box = hasBox ? element.getBoundingClientRect() : boxesOf(node)[0] ?? element.getBoundingClientRect();
    return position ? { left: box.left + position.x, right: box.left + position.x, top: box.top + position.y, bottom: box.top + position.y } : box;
  });
}

function scrollsSmoothly(element: Element): boolean {
  for (let at: Element | undefined = element; at; at = parentOf(at)) {
    if (styleOf(at)?.scrollBehavior === 'smooth')
      return true;
  }
  return false;
}

/** Scrolls every box around the element so that the area is in its middle, where it is not in sight yet. */
function revealArea(element: Element, area: () => Area): void {
  const root = element.ownerDocument.scrollingElement;
  for (let at = around(element); at; at = around(at)) {
    if (at === root || (at.scrollHeight <= at.clientHeight && at.scrollWidth <= at.clientWidth) || styleOf(at)?.overflow === 'visible')
      continue;
    const box = at.getBoundingClientRect();
    const left = box.left + at.clientLeft;
    const top = box.top + at.clientTop;
    centre(at, area(), { left, top, right: left + at.clientWidth, bottom: top + at.clientHeight });
  }
  if (root)
    centre(root, area(), { left: 0, top: 0, right: root.clientWidth, bottom: root.clientHeight });
}

/** What an element is laid out in: its slot, its parent or its shadow host. */
function around(element: Element): Element | undefined {
  const slot = element.assignedSlot;
  return slot && isElement(slot) ? slot : parentOf(element);
}

function centre(scroller: Element, area: Area, sight: Area): void {
  const offset = (start: number, end: number, from: number, to: number) => (start >= from && end <= to ? 0 : (start + end) / 2 - (from + to) / 2);
  const left = offset(area.left, area.right, sight.left, sight.right);
  const top = offset(area.top, area.bottom, sight.top, sight.bottom);
  if (left || top)
    scroller.scrollBy({ left, top, behavior: 'instant' });
}
