/** What receives pointer events at a point, and the check of that at the moment the events arrive. */
import type { PointerAction } from './api';
import { parentOf, styleOf, treeOf } from './dom';
import { previewOf } from './preview';
import { sameBox } from './state';

type Position = { x: number; y: number };

/** undefined when the target or something in it is hit, else a description of what is. */
export function obstacleAt(point: Position, target: Element): string | undefined {
  // From the target outwards, so that closed shadow trees work as well.
  const trees: (Document | ShadowRoot)[] = [];
  for (let tree = treeOf(target); tree; tree = tree.nodeType === 9 ? undefined : treeOf((tree as ShadowRoot).host))
    trees.push(tree);
  // In each tree the hit must be the host of the next one in; in the target's own tree, the target or something in it.
  let hit: Element | undefined;
  for (let i = trees.length - 1; i >= 0; i--) {
    const inner = topmost(trees[i], point);
    if (!inner)
      break;
    hit = inner;
    if (i && inner !== (trees[i - 1] as ShadowRoot).host)
      break;
  }
  const chain: Element[] = [];
  while (hit && hit !== target) {
    chain.push(hit);
    hit = hit.assignedSlot ?? parentOf(hit);
  }
  if (hit)
    return undefined;
  const description = previewOf(chain[0] ?? target.ownerDocument.documentElement);
  // The outermost element that covers the target without containing it: say, the dialog.
  for (let above: Element | undefined = target; above; above = parentOf(above)) {
    const index = chain.indexOf(above);
    if (index >= 0)
      return index > 1 ? `${description} from ${previewOf(chain[index - 1])} subtree` : description;
  }
  return description;
}

function topmost(tree: Document | ShadowRoot, { x, y }: Position): Element | undefined {
  const [first] = tree.elementsFromPoint(x, y);
  // elementsFromPoint misses an innermost element with display:contents: https://crbug.com/1342092
  const single = tree.elementFromPoint(x, y);
  if (single && first && parentOf(single) === first && styleOf(single)?.display === 'contents')
    return single;
  return first;
}

// ---- at the event ---------------------------------------------------------------------------------------------------

const hoverEvents = ['mousemove'];
const tapEvents = ['pointerdown', 'pointerup', 'touchstart', 'touchend', 'touchcancel'];
const mouseEvents = ['mousedown', 'mouseup', 'pointerdown', 'pointerup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
const eventsOf: Record<PointerAction, string[]> = {
  'click': mouseEvents, 'dblclick': mouseEvents, 'move and down': mouseEvents, 'drop': mouseEvents, 'hover': hoverEvents, 'tap': tapEvents,
  // The dragged thing is often under the pointer when it is dropped, so there is nothing to check.
  'move and up': [],
};

export type Verdict = { hit?: string; moved?: boolean };

type Guard = {
  token: number;
  /** What the action was asked for on; `target` is the button or link around it. */
  node: Node;
  target: Element;
  events: string[];
  swallowAll: boolean;
  /** Where the target was; undefined when that need not be checked. */
  box?: DOMRect;
  verdict?: Verdict;
};

let armed: Guard | undefined;
let lastToken = 0;
let listeningOn: Element | undefined;

/** Checks the target when the first event of the action arrives; on failure that event and all others are swallowed. One guard at a time. */
export function arm(node: Node, target: Element, action: PointerAction, swallowAll: boolean, box?: DOMRect): number {
  listen();
  armed = { token: ++lastToken, node, target, events: eventsOf[action], swallowAll, box };
  return lastToken;
}

/** Ends the guard and says what it saw. No event at all counts as fine: hovering a disabled control causes none. */
export function disarm(token: number): Verdict & { node?: Node } {
  if (armed?.token !== token)
    return {};
  const { verdict, node } = armed;
  armed = undefined;
  return { ...verdict, node };
}

/** document.open() removes the window's listeners and the root element with them. */
function listen(): void {
  if (listeningOn && listeningOn === document.documentElement)
    return;
  listeningOn = document.documentElement;
  for (const type of new Set([...hoverEvents, ...tapEvents, ...mouseEvents]))
    window.addEventListener(type, onEvent, { capture: true, passive: false });
}

function onEvent(event: Event): void {
  const guard = armed;
  // Events the page makes are its own business.
  if (!guard || !event.isTrusted || !guard.events.includes(event.type))
    return;
  guard.verdict ??= judge(guard, event);
  if (guard.swallowAll || guard.verdict?.hit || guard.verdict?.moved) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

function judge({ target, box }: Guard, event: Event): Verdict | undefined {
  const point = 'touches' in event ? (event as TouchEvent).touches[0] : event as MouseEvent;
  if (!point)
    return undefined;
  const hit = obstacleAt({ x: point.clientX, y: point.clientY }, target);
  if (hit)
    return { hit };
  return { moved: !!box && !sameBox(box, target.getBoundingClientRect()) };
}
