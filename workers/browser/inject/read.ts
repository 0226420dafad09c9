/** Reading values of elements and waiting for states of them. */
import type { ReadKind, Reply, Resolve, StateResult, Target, ElementState } from './api';
import { descriptionOf, nameOf } from './accname';
import { atOnce, Call, missing, type Attempt } from './call';
import { inPass, isElement, isVisible } from './dom';
import { nodeOf, refOf } from './elements';
import { CallError, ServerError } from './errors';
import { boxOf } from './pointer';
import { previewOf } from './preview';
import { resolve } from './query';
import { roleOf } from './role';
import { reveal } from './scroll';
import { isStable, missingState, retarget, stateOf } from './state';
import { suggestSelector } from './suggest';

function valueOf(element: Element, kind: ReadKind, arg = ''): unknown {
  switch (kind) {
    case 'textContent':
      return element.textContent;
    case 'innerText':
      if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml')
        throw new CallError('Node is not an HTMLElement');
      return (element as HTMLElement).innerText;
    case 'innerHTML':
      return element.innerHTML;
    case 'outerHTML':
      return element.outerHTML;
    case 'inputValue': {
      const control = retarget(element, 'label');
      if (!control || !['INPUT', 'TEXTAREA', 'SELECT'].includes(control.nodeName))
        throw new CallError('Node is not an <input>, <textarea> or <select> element');
      return (control as HTMLInputElement).value;
    }
    case 'attribute':
      return element.getAttribute(arg);
    case 'boundingBox':
      return boxOf(element);
    case 'values': {
      const select = retarget(element, 'label') as HTMLSelectElement | undefined;
      if (select?.nodeName !== 'SELECT')
        throw new CallError('Element is not a <select> element');
      return [...select.selectedOptions].map(option => option.value);
    }
    case 'role':
      return roleOf(element);
    case 'name':
      return nameOf(element).text;
    case 'description':
      return descriptionOf(element).text;
    case 'preview':
      return previewOf(element);
    case 'selector':
      return suggestSelector(element);
  }
  const { matches, received } = stateOf(element, kind);
  if (received === 'error:notconnected')
    throw new CallError('Element is not attached to the DOM');
  return matches;
}

export function read(target: Target, kind: ReadKind, options: Resolve & { arg?: string }, scope?: Node): Promise<Reply<unknown>> {
  return Call.run(options, call => {
    if (kind === 'visible' || kind === 'hidden') {
      const node = typeof target === 'string' ? resolve(target, scope ?? document, !!options.strict)[0] : nodeOf(target);
      const visible = !!node && stateOf(node, 'visible').matches;
      return { value: visible === (kind === 'visible') };
    }
    return call.withElement(target, scope, element => ({ value: inPass(() => valueOf(element, kind, options.arg)) }));
  });
}

export function readAll(selector: string, kind: ReadKind, arg?: string, scope?: Node): Reply<unknown[]> {
  return atOnce(() => resolve(selector, scope ?? document, false).map(element => valueOf(element, kind, arg)));
}

export function state(target: Target, which: ElementState, options: Resolve, scope?: Node): Promise<Reply<StateResult>> {
  return Call.run(options, call => call.withElement(target, scope, element => ({ value: stateOf(element, which) })));
}

export function waitForState(target: Target, which: ElementState, options: Resolve): Promise<Reply<true>> {
  return Call.run(options, call => call.withElement<true>(target, undefined, element => call.attempts<true>(element, `wait for ${which}`, {}, async () => {
    const lacking = await missingState(element, [which]);
    return lacking ? missing(lacking) : { value: true };
  })));
}

export function waitForSelector(selector: string, options: Resolve & { state?: 'attached' | 'detached' | 'visible' | 'hidden' }, scope?: Node): Promise<Reply<{ ref: number }>> {
  const wanted = options.state ?? 'visible';
  return Call.run(options, call => {
    let lastLine = '';
    return call.until((): Attempt<{ ref: number }> => {
      if (scope && !scope.isConnected)
        throw new ServerError('Element is not attached to the DOM');
      const found = resolve(selector, scope ?? document, !!options.strict);
      const [element] = found;
      const visible = !!element && inPass(() => isVisible(element));
      if (element) {
        const line = found.length > 1 ? `  locator resolved to ${found.length} elements. Proceeding with the first one: ${previewOf(element)}`
          : `  locator resolved to ${visible ? 'visible' : 'hidden'} ${previewOf(element)}`;
        // Looking at every frame would fill the log; Playwright's shows repeated lines once as well.
        if (line !== lastLine)
          call.log.push(lastLine = line);
      }
      const holds = { attached: !!element, detached: !element, visible, hidden: !visible }[wanted];
      if (!holds)
        return { retry: { reason: element ? 'mismatch' : 'notfound' } };
      return { value: { ref: element && (wanted === 'attached' || wanted === 'visible') ? refOf(element) : 0 } };
    });
  });
}

/** locator.scrollIntoViewIfNeeded */
export function scrollIntoView(target: Target, options: Resolve, scope?: Node): Promise<Reply<true>> {
  return Call.run(options, call => call.withElement<true>(target, scope, node => call.attempts<true>(node, 'scroll into view', {}, async () => {
    call.log.push('  waiting for element to be stable');
    const stable = await isStable(node);
    if (stable !== true)
      return missing(stable === false ? 'stable' : stable);
    if (!node.isConnected)
      return missing('notconnected');
    if (!isElement(node) || (!node.getClientRects().length && getComputedStyle(node).display !== 'contents'))
      return { retry: { reason: 'notvisible' } };
    reveal(node, 0);
    return { value: true };
  })));
}
