/** Actions that change controls without the mouse: fill, select, focus, files, events of the script's own. */
import type { ElementState, FilePayload, FillNext, FillOptions, OptionMatch, Reply, Resolve, Target } from './api';
import { Call, missing, notConnected, type Attempt } from './call';
import { isElement } from './dom';
import { refOf } from './elements';
import { CallError } from './errors';
import { missingNow, retarget, stateOf } from './state';
import { collapse } from './text';
import { bytesOf } from './wire';

const setDirectly = new Set(['color', 'date', 'time', 'datetime-local', 'month', 'range', 'week']);
const typedInto = new Set(['', 'email', 'number', 'password', 'search', 'tel', 'text', 'url']);

/** input and change, as after a change by the user. */
function announce(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Attempts of an action that first needs some states. */
function whenReady<T>(call: Call, node: Node, name: string, force: boolean | undefined, states: ElementState[], act: () => Attempt<T>): Promise<Attempt<T>> {
  const listed = states.length > 1 ? `${states.slice(0, -1).join(', ')} and ${states[states.length - 1]}` : states[0];
  return call.attempts(node, name, { force }, () => {
    if (!force) {
      call.log.push(`  waiting for element to be ${listed}`);
      const lacking = missingNow(node, states);
      if (lacking)
        return missing(lacking);
    }
    return act();
  });
}

// ---- fill -----------------------------------------------------------------------------------------------------------

export function fill(target: Target, options: FillOptions, scope?: Node): Promise<Reply<FillNext>> {
  return Call.run(options, call => call.withElement(target, scope, node => {
    if (!options.attempt)
      call.log.push(`  fill("${options.value}")`);
    return whenReady(call, node, 'fill', options.force, ['visible', 'enabled', 'editable'], () => fillNow(node, options.value));
  }));
}

function fillNow(node: Node, value: string): Attempt<FillNext> {
  const element = retarget(node, 'label');
  if (!element)
    return notConnected;
  const ref = refOf(node);
  if (element.nodeName === 'INPUT') {
    const input = element as HTMLInputElement;
    const type = input.type.toLowerCase();
    if (!typedInto.has(type) && !setDirectly.has(type))
      throw new CallError(`Input of type "${type}" cannot be filled`);
    if (type === 'number' || setDirectly.has(type))
      value = value.trim();
    if (type === 'number' && Number.isNaN(Number(value)))
      throw new CallError('Cannot type text into input[type=number]');
    if (setDirectly.has(type)) {
      if (type === 'color')
        value = value.toLowerCase();
      input.focus();
      input.value = value;
      if (input.value !== value)
        throw new CallError('Malformed value');
      announce(input);
      return { value: { ref, next: 'none' } };
    }
  } else if (element.nodeName !== 'TEXTAREA' && !(element as HTMLElement).isContentEditable) {
    throw new CallError('Element is not an <input>, <textarea> or [contenteditable] element');
  }
  selectAll(element);
  return { value: value ? { ref, next: 'insertText', text: value } : { ref, next: 'delete' } };
}

function selectAll(element: Element): void {
  if (element.nodeName === 'INPUT') {
    (element as HTMLInputElement).select();
    (element as HTMLInputElement).focus();
    return;
  }
  if (element.nodeName === 'TEXTAREA') {
    const area = element as HTMLTextAreaElement;
    area.setSelectionRange(0, area.value.length);
    area.focus();
    return;
  }
  (element as HTMLElement).focus();
  const selection = element.ownerDocument.getSelection();
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  selection?.removeAllRanges();
  selection?.addRange(range);
}

export function selectText(target: Target, options: Resolve & { force?: boolean }, scope?: Node): Promise<Reply<true>> {
  return Call.run(options, call => call.withElement(target, scope, node => whenReady<true>(call, node, 'selectText', options.force, ['visible'], () => {
    const element = retarget(node, 'label');
    if (!element)
      return notConnected;
    selectAll(element);
    return { value: true };
  })));
}

// ---- focus ----------------------------------------------------------------------------------------------------------

export function focus(target: Target, options: Resolve & { resetSelection?: boolean }, scope?: Node): Promise<Reply<{ ref: number }>> {
  return Call.run(options, call => call.withElement(target, scope, node => {
    const element = connectedElement(node);
    if (!element)
      return notConnected;
    const wasFocused = (element.getRootNode() as Document).activeElement === element && element.ownerDocument.hasFocus();
    (element as HTMLElement).focus();
    if (options.resetSelection && !wasFocused && element.nodeName === 'INPUT') {
      try {
        (element as HTMLInputElement).setSelectionRange(0, 0);
      } catch {
        // Checkboxes, numbers and others have no selection.
      }
    }
    return { value: { ref: refOf(element) } };
  }));
}

export function blur(target: Target, options: Resolve, scope?: Node): Promise<Reply<true>> {
  return Call.run(options, call => call.withElement<true>(target, scope, node => {
    const element = connectedElement(node);
    if (!element)
      return notConnected;
    (element as HTMLElement).blur();
    return { value: true };
  }));
}

function connectedElement(node: Node): Element | undefined {
  if (!node.isConnected)
    return undefined;
  if (!isElement(node))
    throw new CallError('Node is not an element');
  return node;
}

// ---- select ---------------------------------------------------------------------------------------------------------

export function selectOptions(target: Target, matches: OptionMatch[], options: Resolve & { force?: boolean }, elements: Node[]): Promise<Reply<string[]>> {
  return Call.run(options, call => call.withElement(target, undefined, node => call.attempts(node, 'select option', options, () => {
    if (!options.force) {
      call.log.push('  waiting for element to be visible and enabled');
      const lacking = missingNow(node, ['visible', 'enabled']);
      if (lacking)
        return missing(lacking);
    }
    const outcome = selectNow(node, matches, elements);
    if ('value' in outcome)
      call.log.push('  selected specified option(s)');
    return outcome;
  })));
}

function selectNow(node: Node, matches: OptionMatch[], elements: Node[]): Attempt<string[]> {
  const select = retarget(node, 'label') as HTMLSelectElement | undefined;
  if (!select)
    return notConnected;
  if (select.nodeName !== 'SELECT')
    throw new CallError('Element is not a <select> element');
  let wanted: ((option: HTMLOptionElement, index: number) => boolean)[] = [
    ...elements.map(element => (option: HTMLOptionElement) => option === element),
    ...matches.map(match => (option: HTMLOptionElement, index: number) => isOption(option, index, match)),
  ];
  const chosen: HTMLOptionElement[] = [];
  for (let index = 0; index < select.options.length; index++) {
    const option = select.options[index];
    if (!wanted.some(is => is(option, index)))
      continue;
    if (!stateOf(option, 'enabled').matches)
      return { retry: { reason: 'optionnotenabled' } };
    chosen.push(option);
    wanted = select.multiple ? wanted.filter(is => !is(option, index)) : [];
    if (!select.multiple)
      break;
  }
  if (wanted.length)
    return { retry: { reason: 'optionsnotfound' } };
  select.selectedIndex = -1;
  for (const option of chosen)
    option.selected = true;
  announce(select);
  return { value: chosen.map(option => option.value) };
}

function isOption(option: HTMLOptionElement, index: number, match: OptionMatch): boolean {
  const hasLabel = (label: string) => label === option.label || collapse(label) === collapse(option.label);
  return (match.valueOrLabel === undefined || match.valueOrLabel === option.value || hasLabel(match.valueOrLabel)) &&
    (match.value === undefined || match.value === option.value) &&
    (match.label === undefined || hasLabel(match.label)) &&
    (match.index === undefined || match.index === index);
}

// ---- files ----------------------------------------------------------------------------------------------------------

function makeFile({ name, mimeType, buffer, lastModified }: FilePayload): File {
  return new File([bytesOf(buffer)], name, { type: mimeType, lastModified });
}

export function setInputFiles(target: Target, files: FilePayload[], options: Resolve, scope?: Node): Promise<Reply<true>> {
  return Call.run(options, call => call.withElement<true>(target, scope, node => {
    const input = fileInputOf(node, files.length);
    if (!input)
      return notConnected;
    if (input.type !== 'file')
      throw new CallError('Not an input[type=file] element');
    const data = new DataTransfer();
    for (const file of files)
      data.items.add(makeFile(file));
    input.files = data.files;
    announce(input);
    return { value: true };
  }));
}

export function fileInput(target: Target, count: number, options: Resolve, scope?: Node): Promise<Reply<{ ref: number; multiple: boolean }>> {
  return Call.run(options, call => call.withElement(target, scope, node => {
    const input = fileInputOf(node, count);
    return input ? { value: { ref: refOf(input), multiple: input.multiple } } : notConnected;
  }));
}

function fileInputOf(node: Node, count: number): HTMLInputElement | undefined {
  const input = retarget(node, 'label') as HTMLInputElement | undefined;
  if (!input?.isConnected)
    return undefined;
  if (input.nodeName !== 'INPUT')
    throw new CallError('Node is not an HTMLInputElement');
  if (count > 1 && !input.multiple && !input.webkitdirectory)
    throw new CallError('Non-multiple file input can only accept single file');
  if (input.webkitdirectory)
    throw new CallError('[webkitdirectory] input requires passing a path to a directory');
  return input;
}

// ---- events ---------------------------------------------------------------------------------------------------------

/** Event types that have a class of their own; the others are plain events. */
const eventClasses: [name: string, types: string][] = [
  ['MouseEvent', 'auxclick click dblclick mousedown mouseeenter mouseleave mousemove mouseout mouseover mouseup mousewheel'],
  ['KeyboardEvent', 'keydown keyup keypress textInput'],
  ['TouchEvent', 'touchstart touchmove touchend touchcancel'],
  ['PointerEvent', 'pointerover pointerout pointerenter pointerleave pointerdown pointerup pointermove pointercancel gotpointercapture lostpointercapture'],
  ['FocusEvent', 'focus blur'],
  ['DragEvent', 'drag dragstart dragend dragover dragenter dragleave dragexit drop'],
  ['WheelEvent', 'wheel'],
  ['DeviceOrientationEvent', 'deviceorientation deviceorientationabsolute'],
  ['DeviceMotionEvent', 'devicemotion'],
];

/** Some classes only exist in secure contexts. */
function eventClass(type: string): typeof Event {
  const name = eventClasses.find(([, types]) => types.split(' ').includes(type))?.[0];
  return (name && (window as unknown as Record<string, typeof Event | undefined>)[name]) || Event;
}

export function dispatchEvent(target: Target, type: string, init: object, options: Resolve): Promise<Reply<true>> {
  return Call.run(options, call => call.withElement<true>(target, undefined, node => {
    const full: Record<string, unknown> = { bubbles: true, cancelable: true, composed: true, ...init };
    if (type.startsWith('touch')) {
      full.target ??= node;
      for (const key of ['touches', 'targetTouches', 'changedTouches'])
        full[key] = (full[key] as TouchInit[] | undefined)?.map(touch => (touch instanceof Touch ? touch : new Touch({ ...touch, target: touch.target ?? node })));
    }
    node.dispatchEvent(new (eventClass(type))(type, full));
    return { value: true };
  }));
}

export function drop(node: Node | undefined, files: FilePayload[], data: { mimeType: string; value: string }[], point: { x: number; y: number }): Reply<true> {
  if (!node?.isConnected || !isElement(node))
    return notConnected;
  const dataTransfer = new DataTransfer();
  for (const file of files)
    dataTransfer.items.add(makeFile(file));
  for (const { mimeType, value } of data)
    dataTransfer.setData(mimeType, value);
  const send = (type: string) => {
    const event = new DragEvent(type, { bubbles: true, cancelable: true, composed: true, clientX: point.x, clientY: point.y, dataTransfer });
    node.dispatchEvent(event);
    return event.defaultPrevented;
  };
  send('dragenter');
  if (!send('dragover')) {
    send('dragleave');
    return { error: 'Drop target did not accept the drop — its dragover handler did not call preventDefault()' };
  }
  send('drop');
  return { value: true };
}
