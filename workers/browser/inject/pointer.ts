/** Everything around the mouse events of a pointer action. */
import type { Box, ElementState, Point, PointerOptions, PointerReady, Reply, SettleOptions, Target } from './api';
import { Call, elementOf, missing, notConnected, type Attempt } from './call';
import { nodeOf, refOf } from './elements';
import { boxesOf, isElement, parentOf } from './dom';
import { errorText, ServerError } from './errors';
import { arm, disarm, obstacleAt } from './hit';
import { previewOf } from './preview';
import { reveal } from './scroll';
import { isAnimating, isStable, missingNow, missingState, retarget, stateOf } from './state';

export function pointer(target: Target, options: PointerOptions, scope?: Node): Promise<Reply<PointerReady>> {
  return Call.run(options, call => call.withElement(target, scope, async node => {
    if (options.checked !== undefined) {
      const already = isAlready(node, options.checked);
      if (already)
        return already;
    }
    return call.attempts(node, options.action, options, count => prepare(call, node, options, count));
  }));
}

/** check and uncheck of something that is in that state have nothing to do. */
function isAlready(node: Node, checked: boolean): Attempt<PointerReady> | undefined {
  const { matches, received, isRadio } = stateOf(node, 'checked');
  if (received === 'error:notconnected')
    return notConnected;
  if (matches === checked)
    return { value: { ref: refOf(node), already: true, point: { x: 0, y: 0 }, box: { x: 0, y: 0, width: 0, height: 0 }, attempt: 0, token: 0 } };
  if (!checked && isRadio)
    throw new ServerError('Cannot uncheck radio button. Radio buttons can only be unchecked by selecting another radio button in the same group.');
  return undefined;
}

async function prepare(call: Call, node: Node, options: PointerOptions, count: number): Promise<Attempt<PointerReady>> {
  const { action, force, trial, position } = options;
  const { log } = call;
  const scroll = () => {
    if (options.scroll !== 'none')
      reveal(node, count, position);
  };
  // Frames out of sight are throttled, and nothing in them ever gets stable.
  if (window.parent !== window)
    scroll();
  const needsEnabled = action === 'click' || action === 'dblclick' || action === 'tap';
  const judgesAtEvent = options.stability !== 'frames' && !force && !trial && (action === 'click' || action === 'dblclick') && !count;
  if (!force) {
    const wanted = needsEnabled ? 'visible, enabled and stable' : 'visible and stable';
    log.push(`  waiting for element to be ${wanted}`);
    const states: ElementState[] = needsEnabled ? ['visible', 'enabled'] : ['visible'];
    const lacking = judgesAtEvent ? await missingUnlessStill(node, states) : await missingState(node, ['stable', ...states]);
    if (call.aborted)
      return notConnected;
    if (lacking)
      return missing(lacking);
    log.push(`  element is ${wanted}`);
  }
  log.push('  scrolling into view if needed');
  if (!node.isConnected)
    return notConnected;
  scroll();
  log.push('  done scrolling');
  const found = position ? offsetPoint(node, position) : clickablePoint(node);
  if (typeof found === 'string')
    return { retry: { reason: found } };
  // Rounding down keeps the point inside.
  const point = { x: Math.trunc(found.point.x * 100) / 100, y: Math.trunc(found.point.y * 100) / 100 };
  const ready: PointerReady = { ref: refOf(node), point, box: found.box, attempt: count, token: 0 };
  if (force) {
    log.push('  forcing action');
    return { value: ready };
  }
  const receiver = retarget(node, 'button-link');
  if (!receiver?.isConnected)
    return notConnected;
  const description = options.skipHitCheck ? undefined : obstacleAt(point, receiver);
  if (description !== undefined)
    return { retry: { reason: 'intercepted', description } };
  ready.token = arm(node, receiver, action, !!trial, judgesAtEvent ? receiver.getBoundingClientRect() : undefined);
  return { value: ready };
}

/** When nothing is animating, what moves is found out when the first event arrives. */
async function missingUnlessStill(node: Node, states: ElementState[]): Promise<ElementState | 'notconnected' | undefined> {
  const element = retarget(node, 'control');
  if (element && isAnimating(element)) {
    const stable = await isStable(node);
    if (stable !== true)
      return stable === false ? 'stable' : stable;
  }
  return missingNow(node, states);
}

type Found = { point: Point; box: Box };

/** The middle of the first piece of the element that is in the viewport. */
function clickablePoint(node: Node): Found | 'notvisible' | 'notinviewport' {
  const pieces = boxesOf(node);
  if (!pieces.length)
    return 'notvisible';
  for (const piece of pieces) {
    const left = clamp(piece.left, innerWidth);
    const top = clamp(piece.top, innerHeight);
    const width = clamp(piece.right, innerWidth) - left;
    const height = clamp(piece.bottom, innerHeight) - top;
    // One pixel is enough; it may not be exact.
    if (width * height > 0.99)
      return { point: { x: left + width / 2, y: top + height / 2 }, box: { x: left, y: top, width, height } };
  }
  return 'notinviewport';
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}

/** A position is relative to the padding box, like offsetX and offsetY. */
function offsetPoint(node: Node, position: Point): Found | 'notvisible' {
  const box = boxOf(node);
  if (!box)
    return 'notvisible';
  if (!isElement(node))
    return { point: { x: box.x + position.x, y: box.y + position.y }, box };
  const style = getComputedStyle(node);
  return { point: { x: box.x + parseInt(style.borderLeftWidth, 10) + position.x, y: box.y + parseInt(style.borderTopWidth, 10) + position.y }, box };
}

/** The border box, of a text its first line; null when there is none. */
export function boxOf(node: Node): Box | null {
  const rect = !isElement(node) ? boxesOf(node)[0] : node.getClientRects().length ? node.getBoundingClientRect() : undefined;
  return rect ? { x: rect.x, y: rect.y, width: rect.width, height: rect.height } : null;
}

/** What became of the events. */
export function settle(token: number, options: SettleOptions = {}): Reply<true> {
  const log: string[] = [];
  const guard = disarm(token);
  const node = guard.node ?? (options.ref === undefined ? undefined : nodeOf(options.ref));
  const next = { ref: node && refOf(node), attempt: (options.attempt ?? 0) + 1 };
  if (guard.hit) {
    log.push(`  ${guard.hit} intercepts pointer events`);
    return { log, retry: { reason: 'intercepted', description: guard.hit, ...next } };
  }
  if (guard.moved) {
    log.push('  element is not stable');
    return { log, retry: { reason: 'missingState', state: 'stable', ...next } };
  }
  if (options.checked !== undefined && node) {
    try {
      const { matches, received } = stateOf(node, 'checked');
      if (received === 'error:notconnected')
        return notConnected;
      if (matches !== options.checked)
        return { error: 'Clicking the checkbox did not change its state' };
    } catch (thrown) {
      return { error: errorText(thrown) };
    }
  }
  return { value: true };
}

// ---- frames ---------------------------------------------------------------------------------------------------------

/** Where a frame's own viewport starts: inside border and padding. */
export function frameBox(target: Exclude<Target, string>): Reply<(Box & { transformed: boolean }) | null> {
  const frame = elementOf(target);
  if (!frame?.isConnected)
    return notConnected;
  const box = boxOf(frame);
  if (!box)
    return { value: null };
  const style = getComputedStyle(frame);
  const inset = (side: 'Left' | 'Right' | 'Top' | 'Bottom') => parseInt(style[`border${side}Width`], 10) + parseInt(style[`padding${side}`], 10);
  return {
    value: {
      x: box.x + inset('Left'), y: box.y + inset('Top'),
      width: box.width - inset('Left') - inset('Right'), height: box.height - inset('Top') - inset('Bottom'),
      transformed: isTransformed(frame),
    },
  };
}

function isTransformed(element: Element): boolean {
  for (let at: Element | undefined = element; at; at = parentOf(at)) {
    if (getComputedStyle(at).transform !== 'none')
      return true;
  }
  return false;
}

export function framePoint(target: Exclude<Target, string>, point: Point): Reply<{ point: Point | null }> {
  const box = frameBox(target);
  if (!('value' in box))
    return box;
  if (!box.value)
    return notConnected;
  if (box.value.transformed)
    return { value: { point: null } };
  const here = { x: box.value.x + point.x, y: box.value.y + point.y };
  const hit = hitTarget(target, here);
  return 'value' in hit ? { value: { point: here } } : hit;
}

export function hitTarget(target: Exclude<Target, string>, point: Point): Reply<true> {
  const element = elementOf(target);
  if (!element?.isConnected)
    return notConnected;
  const description = obstacleAt(point, element);
  return description === undefined ? { value: true } : { log: [`  ${description} intercepts pointer events`], retry: { reason: 'intercepted', description } };
}

/** For errors about frames that are none. */
export function wrongFrame(selector: string, element: Element): string {
  return `Selector "${selector}" resolved to ${previewOf(element)}, <iframe> was expected`;
}
