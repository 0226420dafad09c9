/** The accessibility tree of an element, as snapshots show it: what the document offers, before it is made shorter. */
import { cssContent, nameOf } from './accname';
import { checkedState, disableable, invalidState, isDisabled, isExpanded, isHiddenForAria, isSelected, levelOf, pressedState, rolesWith } from './ariastate';
import { isElement, isVisible, memo, parentOf, styleOf } from './dom';
import { roleOf } from './role';
import { collapse } from './text';

export type AriaNode = {
  role: string;
  name: string;
  element: Element;
  /** Nodes and texts. */
  children: (AriaNode | string)[];
  /** In the order they are shown: [checked], [level=2]. */
  marks: string[];
  active: boolean;
  /** Lines of their own: /url, /placeholder. */
  props: [key: string, value: string][];
  ariaHidden: boolean;
  hasPointerCursor: boolean;
  ref?: string;
  /** Elements that gave the name. */
  nameSources: Set<Element>;
};

export type TreeOptions = {
  /** For models: elements without a role are there too, as are visible ones that are hidden from the accessibility tree, and what can be acted on has a ref. */
  forModels: boolean;
  refPrefix: string;
};

/** Refs stay the same while role and name do. */
const refs = new WeakMap<Element, { role: string; name: string; ref: string }>();
let lastRef = 0;

export function buildTree(rootElement: Element, options: TreeOptions): AriaNode {
  const root = newNode('fragment', '', rootElement);
  const visited = new Set<Node>();

  const visit = (parent: AriaNode, node: Node, parentIsVisible: boolean) => {
    if (visited.has(node))
      return;
    visited.add(node);
    if (node.nodeType === 3) {
      // The text in a <textarea> is its default value, not its content.
      if (parentIsVisible && parent.role !== 'textbox' && node.nodeValue)
        parent.children.push(node.nodeValue);
      return;
    }
    if (!isElement(node))
      return;
    let visible = !isHiddenForAria(node);
    if (!visible && options.forModels)
      visible = isVisible(node);
    if (!visible && !options.forModels)
      return;
    const own = visible ? nodeFor(node, options) : undefined;
    if (own)
      parent.children.push(own);
    fill(own ?? parent, node, visible);
  };

  const fill = (into: AriaNode, element: Element, visible: boolean) => {
    const isBlock = (styleOf(element)?.display || 'inline') !== 'inline' || element.nodeName === 'BR';
    const edge = isBlock ? ' ' : '';
    into.children.push(edge, cssContent(element, '::before') ?? '');
    const slotted = element.nodeName === 'SLOT' ? (element as HTMLSlotElement).assignedNodes() : [];
    if (slotted.length) {
      slotted.forEach(child => visit(into, child, visible));
    } else {
      for (const tree of [element, element.shadowRoot]) {
        for (let child = tree?.firstChild; child; child = child.nextSibling) {
          if (tree !== element || !(child as Element | Text).assignedSlot)
            visit(into, child, visible);
        }
      }
    }
    for (const id of element.getAttribute('aria-owns')?.split(/\s+/) ?? []) {
      const owned = rootElement.ownerDocument.getElementById(id);
      if (owned)
        visit(into, owned, visible);
    }
    into.children.push(cssContent(element, '::after') ?? '', edge);
    if (into.role === 'link' && element.hasAttribute('href'))
      setProp(into, 'url', shortURL(element.getAttribute('href')!));
    const placeholder = element.getAttribute('placeholder');
    if (into.role === 'textbox' && placeholder !== null && placeholder !== into.name)
      setProp(into, 'placeholder', placeholder);
  };

  visit(root, rootElement, true);
  return root;
}

function setProp(node: AriaNode, key: string, value: string): void {
  node.props = [...node.props.filter(([other]) => other !== key), [key, value]];
}

/** data: addresses carry the whole content. */
function shortURL(url: string): string {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  return comma < 0 ? url : url.slice(0, comma + 1) + '…';
}

function newNode(role: string, name: string, element: Element): AriaNode {
  return { role, name, element, children: [], marks: [], active: false, props: [], ariaHidden: false, hasPointerCursor: false, nameSources: new Set() };
}

/** undefined: the element is not a node of its own. */
function nodeFor(element: Element, options: TreeOptions): AriaNode | undefined {
  const isFrame = element.nodeName === 'IFRAME' || element.nodeName === 'FRAME';
  const role = isFrame ? 'iframe' : roleOf(element) || (options.forModels ? 'generic' : '');
  if (!role || role === 'none' || role === 'presentation')
    return undefined;
  const isPlainText = element.childNodes.length === 1 && element.firstChild!.nodeType === 3;
  if (role === 'generic' && isPlainText && isInline(element))
    return undefined;
  const name = isFrame ? undefined : nameOf(element);
  const node = newNode(role, collapse(name?.text ?? ''), element);
  node.nameSources = name?.elements ?? node.nameSources;
  node.active = element.ownerDocument.activeElement === element && element.ownerDocument.hasFocus();
  node.ariaHidden = element.getAttribute('aria-hidden')?.toLowerCase() === 'true';
  node.hasPointerCursor = styleOf(element)?.cursor === 'pointer';
  if (options.forModels && isVisible(element) && (isFrame || receivesPointer(element)))
    node.ref = refFor(node, options.refPrefix);
  node.marks = marksOf(element, role, options.forModels && node.active);
  if ((element.nodeName === 'INPUT' || element.nodeName === 'TEXTAREA') && !['checkbox', 'radio', 'file'].includes((element as HTMLInputElement).type))
    node.children = [(element as HTMLInputElement).value];
  return node;
}

/** Inline boxes, and display:contents around text. */
function isInline(element: Element): boolean {
  const display = styleOf(element)?.display;
  return isVisible(element) && (display === 'inline' || display === 'contents');
}

const receivesPointer: (element: Element) => boolean = memo((element: Element): boolean => {
  const value = styleOf(element)?.pointerEvents;
  if (value)
    return value !== 'none';
  const parent = parentOf(element);
  return !parent || receivesPointer(parent);
});

function refFor(node: AriaNode, prefix: string): string {
  let known = refs.get(node.element);
  if (!known || known.role !== node.role || known.name !== node.name) {
    known = { role: node.role, name: node.name, ref: `${prefix}e${++lastRef}` };
    refs.set(node.element, known);
  }
  return known.ref;
}

function marksOf(element: Element, role: string, active: boolean): string[] {
  const marks: string[] = [];
  const add = (name: string, value: boolean | string | number | undefined) => {
    if (value)
      marks.push(value === true ? name : `${name}=${value}`);
  };
  const has = (attribute: string) => rolesWith[attribute].includes(role);
  add('checked', has('checked') && checkedState(element, true));
  add('disabled', disableable.has(role) && isDisabled(element));
  add('expanded', has('expanded') && isExpanded(element));
  add('active', active);
  add('invalid', role !== 'iframe' && invalidState(element));
  add('level', has('level') && levelOf(element));
  add('pressed', has('pressed') && pressedState(element));
  add('selected', has('selected') && isSelected(element));
  return marks;
}
