/** The document as selectors see it: open shadow trees are part of it. Also which elements are visible. */

export function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

/** Safe where a form has a control named "tagName"; upper case in every namespace. */
export function tagOf(element: Element): string {
  const name: unknown = element.tagName;
  return typeof name === 'string' ? name.toUpperCase() : 'FORM';
}

/** The host of the shadow tree the node is in. */
export function hostOf(node: Node): Element | undefined {
  const root = node.getRootNode();
  return root.nodeType === 11 ? (root as ShadowRoot).host : undefined;
}

/** The parent element, or the host of the shadow root the element is a child of. */
export function parentOf(element: Element): Element | undefined {
  const parent = element.parentNode;
  if (!parent)
    return undefined;
  return parent.nodeType === 1 ? parent as Element : parent.nodeType === 11 ? (parent as ShadowRoot).host : undefined;
}

/** The document or shadow root the element lives in; undefined in a detached tree. */
export function treeOf(element: Element): Document | ShadowRoot | undefined {
  const root = element.getRootNode();
  return root.nodeType === 9 || root.nodeType === 11 ? root as Document | ShadowRoot : undefined;
}

/** Whether the element is the scope or below it, shadow trees included. */
export function isInside(scope: Node, element: Element | undefined): boolean {
  for (; element; element = hostOf(element)) {
    if (scope.contains(element))
      return true;
  }
  return false;
}

/** Element.closest through shadow hosts. A match above `scope` does not count. */
export function closest(element: Element | undefined, css: string, scope?: Node): Element | undefined {
  for (; element; element = hostOf(element)) {
    const found = element.closest(css);
    if (found && scope && found !== scope && found.contains(scope))
      return undefined;
    if (found)
      return found;
  }
  return undefined;
}

// ---- what one pass over an unchanging document may remember ---------------------------------------------------------

const pass = {
  depth: 0,
  styles: [new Map<Element, CSSStyleDeclaration | undefined>(), new Map<Element, CSSStyleDeclaration | undefined>(), new Map<Element, CSSStyleDeclaration | undefined>()],
  memos: [] as Map<unknown, unknown>[],
};

/** Runs `work`, which must not change the document; computed styles and memos are kept until the outermost pass ends. */
export function inPass<T>(work: () => T): T {
  pass.depth++;
  try {
    return work();
  } finally {
    if (!--pass.depth) {
      for (const map of [...pass.styles, ...pass.memos])
        map.clear();
    }
  }
}

/** A function whose results are remembered for the current pass. */
export function memo<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  pass.memos.push(known);
  return key => {
    if (!pass.depth)
      return compute(key);
    let value = known.get(key);
    if (value === undefined && !known.has(key)) {
      value = compute(key);
      known.set(key, value);
    }
    return value!;
  };
}

/** Computed style; undefined in documents without a window. */
export function styleOf(element: Element, pseudo: '' | '::before' | '::after' = ''): CSSStyleDeclaration | undefined {
  const known = pass.styles[pseudo === '' ? 0 : pseudo === '::before' ? 1 : 2];
  let style = known.get(element);
  if (!style) {
    style = element.ownerDocument?.defaultView?.getComputedStyle(element, pseudo || undefined);
    if (pass.depth)
      known.set(element, style);
  }
  return style;
}

// ---- visibility -----------------------------------------------------------------------------------------------------

/** Rendered, not inside hidden content (closed details, content-visibility) and not visibility:hidden. Its size does not matter. */
export const isStyleVisible = memo((element: Element): boolean => {
  const style = styleOf(element);
  return !style || (element.checkVisibility() && style.visibility === 'visible');
});

/** Has a box with an area, or display:contents around something that has. */
export function isVisible(element: Element): boolean {
  const style = styleOf(element);
  if (!style)
    return true;
  if (style.display === 'contents') {
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (isElement(child) ? isVisible(child) : isVisibleText(child))
        return true;
    }
    return false;
  }
  if (!isStyleVisible(element))
    return false;
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

/** The boxes of a node's pieces: of its content where it has none of its own (text, display:contents). */
export function boxesOf(node: Node): DOMRect[] {
  const own = isElement(node) ? [...node.getClientRects()] : [];
  if (own.length)
    return own;
  const range = node.ownerDocument!.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()];
}

/** Whether a text node takes space. */
export function isVisibleText(node: Node): boolean {
  if (node.nodeType !== 3)
    return false;
  const range = node.ownerDocument!.createRange();
  range.selectNode(node);
  const box = range.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

/** Elements in the order they stand in the document, a host's shadow tree after its own children. */
export function inDocumentOrder(elements: Iterable<Element>): Element[] {
  const wanted = new Set(elements);
  const children = new Map<Element | undefined, Set<Element>>();
  const known = new Set<Element>();
  for (let element of wanted) {
    // Note the whole way up, until something that is noted already.
    while (!known.has(element)) {
      known.add(element);
      const parent = parentOf(element);
      const siblings = children.get(parent);
      if (siblings)
        siblings.add(element);
      else
        children.set(parent, new Set([element]));
      if (!parent)
        break;
      element = parent;
    }
  }
  const result: Element[] = [];
  const visit = (element: Element) => {
    if (wanted.has(element))
      result.push(element);
    const below = children.get(element);
    if (!below)
      return;
    if (below.size === 1) {
      below.forEach(visit);
      return;
    }
    for (const tree of [element, element.shadowRoot]) {
      for (let child = tree?.firstElementChild; child; child = child.nextElementSibling) {
        if (below.has(child))
          visit(child);
      }
    }
  };
  children.get(undefined)?.forEach(visit);
  return result;
}
