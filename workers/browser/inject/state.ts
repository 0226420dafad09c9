/** States of elements as actions and reads ask for them, and which element an action on another one means. */
import type { ElementState, StateResult } from './api';
import { checkedState, isDisabled, isReadonly } from './ariastate';
import { onFrame } from './builtins';
import { hostOf, inPass, isElement, isVisible, treeOf } from './dom';
import { CallError } from './errors';

const controls = 'input,textarea,select';

function isEditableHost(element: Element): boolean {
  return element.matches(controls) || (element as HTMLElement).isContentEditable;
}

/**
 * The element an action on `node` goes to: 'button-link' and 'control' climb from the content of a button (or link) to it; 'label' goes on from a
 * label to its control.
 */
export function retarget(node: Node, how: 'self' | 'control' | 'label' | 'button-link'): Element | undefined {
  let element = isElement(node) ? node : node.parentElement;
  if (!element || how === 'self')
    return element ?? undefined;
  if (!isEditableHost(element)) {
    const outer = how === 'button-link' ? 'button,[role=button],a,[role=link]' : 'button,[role=button],[role=checkbox],[role=radio]';
    element = element.closest(outer) ?? element;
  }
  if (how === 'label' && !isEditableHost(element) && !element.matches('a,button,[role=link],[role=button],[role=checkbox],[role=radio]'))
    element = element.closest('label')?.control ?? element;
  return element;
}

/** One state that can be told at once. Throws where the element cannot have it. */
export function stateOf(node: Node, state: ElementState): StateResult {
  return inPass(() => {
    const element = retarget(node, state === 'visible' || state === 'hidden' || state === 'attached' ? 'self' : 'label');
    if (!element?.isConnected)
      return { matches: state === 'hidden', received: state === 'hidden' ? 'hidden' : 'error:notconnected' };
    switch (state) {
      case 'attached':
        return { matches: true, received: 'attached' };
      case 'visible': case 'hidden': {
        const received = isVisible(element) ? 'visible' : 'hidden';
        return { matches: received === state, received };
      }
      case 'enabled': case 'disabled': {
        const received = isDisabled(element) ? 'disabled' : 'enabled';
        return { matches: received === state, received };
      }
      case 'editable': {
        const disabled = isDisabled(element);
        const readonly = isReadonly(element);
        if (readonly === undefined)
          throw new CallError('Element is not an <input>, <textarea>, <select> or [contenteditable] and does not have a role allowing [aria-readonly]');
        return { matches: !disabled && !readonly, received: disabled ? 'disabled' : readonly ? 'readOnly' : 'editable' };
      }
      case 'checked': case 'unchecked': {
        const checked = checkedState(element, false);
        if (checked === undefined)
          throw new CallError('Not a checkbox or radio button');
        const received = checked ? 'checked' : 'unchecked';
        return { matches: received === state, received, isRadio: element.nodeName === 'INPUT' && (element as HTMLInputElement).type === 'radio' };
      }
      case 'indeterminate': {
        const checked = checkedState(element, true);
        if (checked === undefined)
          throw new CallError('Not a checkbox or radio button');
        return { matches: checked === 'mixed', received: checked === 'mixed' ? 'mixed' : checked ? 'checked' : 'unchecked' };
      }
    }
    throw new CallError(`Unexpected element state "${state}"`);
  });
}

/** The first of the states that the node is not in, or that it is not connected. 'stable' is looked at before the others. */
export async function missingState(node: Node, states: ElementState[]): Promise<ElementState | 'notconnected' | undefined> {
  if (states.includes('stable')) {
    const stable = await isStable(node);
    if (stable !== true)
      return stable === false ? 'stable' : stable;
  }
  return missingNow(node, states);
}

export function missingNow(node: Node, states: ElementState[]): ElementState | 'notconnected' | undefined {
  for (const state of states) {
    if (state === 'stable')
      continue;
    const { matches, received } = stateOf(node, state);
    if (received === 'error:notconnected')
      return 'notconnected';
    if (!matches)
      return state;
  }
  return undefined;
}

/** Frames nearer to each other than this, in ms, count as one: a busy browser catches up with frames in which an animation has not moved. */
const oneFrame = 4;

/** Whether the box is the same in two animation frames. */
export function isStable(node: Node): Promise<boolean | 'notconnected'> {
  return new Promise(done => {
    let before: DOMRect | undefined;
    let moment = 0;
    const check = () => {
      const element = retarget(node, 'control');
      if (!element) {
        done('notconnected');
        return;
      }
      const box = element.getBoundingClientRect();
      const now = Number(element.ownerDocument.timeline.currentTime);
      if (before && sameBox(before, box) && now - moment < oneFrame) {
        onFrame(check);
        return;
      }
      moment = now;
      if (before) {
        done(sameBox(before, box));
        return;
      }
      before = box;
      onFrame(check);
    };
    onFrame(check);
  });
}

export function sameBox(a: DOMRect, b: DOMRect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Whether an animation or transition runs that may move the element: on itself or on something around it. */
export function isAnimating(element: Element): boolean {
  for (let inner: Element | undefined = element; inner; inner = hostOf(inner)) {
    const at = inner;
    const moves = (animation: Animation) => animation.playState === 'running' && !!(animation.effect as KeyframeEffect | null)?.target?.contains(at);
    if (treeOf(at)?.getAnimations().some(moves))
      return true;
  }
  return false;
}
