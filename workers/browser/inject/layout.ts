/** Layout selectors: how far an element is from others in a direction. */

/** For each direction: the gap in it (negative: not on that side), and how much it sticks out sideways. */
const directions: Record<string, (a: DOMRect, b: DOMRect) => [gap: number, aside: number]> = {
  'right-of': (a, b) => [a.left - b.right, excess(b.bottom - a.bottom) + excess(a.top - b.top)],
  'left-of': (a, b) => [b.left - a.right, excess(b.bottom - a.bottom) + excess(a.top - b.top)],
  'above': (a, b) => [b.top - a.bottom, excess(a.left - b.left) + excess(b.right - a.right)],
  'below': (a, b) => [a.top - b.bottom, excess(a.left - b.left) + excess(b.right - a.right)],
};

function excess(value: number): number {
  return Math.max(value, 0);
}

/** The smallest distance to one of `others`; undefined when none is on that side within `limit` pixels (near: 50 by default). */
export function layoutScore(name: string, element: Element, others: Element[], limit: number | undefined): number | undefined {
  const box = element.getBoundingClientRect();
  let best: number | undefined;
  for (const other of others) {
    if (other === element)
      continue;
    const score = distance(name, box, other.getBoundingClientRect(), limit);
    if (score !== undefined && (best === undefined || score < best))
      best = score;
  }
  return best;
}

function distance(name: string, a: DOMRect, b: DOMRect, limit: number | undefined): number | undefined {
  if (name === 'near') {
    const sum = excess(a.left - b.right) + excess(b.left - a.right) + excess(b.top - a.bottom) + excess(a.top - b.bottom);
    return sum > (limit ?? 50) ? undefined : sum;
  }
  const [gap, aside] = directions[name](a, b);
  return gap < 0 || gap > (limit ?? Infinity) ? undefined : gap + aside;
}
