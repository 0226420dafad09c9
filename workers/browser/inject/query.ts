/** Running a whole selector: part after part, each below what the one before found. */
import { queryCSS, type Scope } from './cssmatch';
import { inDocumentOrder, inPass, isElement } from './dom';
import { engines, isRetired, unknownEngine } from './engines';
import { CallError } from './errors';
import { layoutScore } from './layout';
import { asLocator } from './locator';
import { eachPart, layoutEngines, parseSelector, stringify, type Part, type Selector } from './selector';
import { strictError, listing } from './suggest';

const builtin = new Set(['css', 'nth', 'internal:has', 'internal:has-not', 'internal:and', 'internal:or', 'internal:chain', '_react', '_vue', 'aria-ref', ...layoutEngines]);

/** Selectors seen before; scripts use few. */
const parsed = new Map<string, Selector>();

/** A checked selector. */
export function parse(text: string): Selector {
  let selector = parsed.get(text);
  if (!selector) {
    selector = parseSelector(text);
    eachPart(selector, part => {
      if (!builtin.has(part.name) && !engines[part.name])
        throw unknownEngine(part.name, text);
      // A nested selector names the frames it is in again. The engine has seen that they are the ones this document is in.
      const last = part.inner ? part.inner.parts.findLastIndex(inner => inner.name === 'internal:control' && inner.source === 'enter-frame') : -1;
      if (last >= 0)
        part.inner = { ...part.inner, parts: part.inner!.parts.slice(last + 1) };
    });
    if (parsed.size > 500)
      parsed.clear();
    parsed.set(text, selector);
  }
  return selector;
}

/** Elements named by refs of the last aria snapshot. */
let snapshotElements = new Map<string, WeakRef<Element>>();

export function rememberSnapshot(elements: Map<string, WeakRef<Element>>): void {
  snapshotElements = elements;
}

/** All matches in order. */
export function queryAll(selector: Selector, root: Node): Element[] {
  if (!('querySelectorAll' in root))
    throw new CallError('Node is not queryable.');
  return inPass(() => run(selector, root as Scope));
}

function run(selector: Selector, root: Scope): Element[] {
  const { parts, capture } = selector;
  if (capture !== undefined) {
    if (parts.some(part => part.name === 'nth'))
      throw new CallError(`Can't query n-th element in a request with the capture.`);
    const rest = parts.slice(capture + 1);
    const has: Part[] = rest.length ? [{ name: 'internal:has', source: '', inner: { parts: rest } }] : [];
    return run({ parts: [...parts.slice(0, capture + 1), ...has] }, root);
  }
  // A handle of a shadow root can be asked for itself.
  if (root.nodeType === 11 && parts.length === 1 && parts[0].source === ':scope')
    return [root as unknown as Element];
  return parts.reduce((roots, part) => next(part, roots, root), [root as Element]);
}

function next(part: Part, roots: Element[], origin: Scope): Element[] {
  const inner = (root: Scope) => run(part.inner!, root);
  switch (part.name) {
    case 'nth': {
      const index = Number(part.source);
      return index === -1 ? roots.slice(-1) : roots.slice(index, index + 1);
    }
    case 'internal:and': {
      const before = new Set(roots);
      return inner(origin).filter(element => before.has(element));
    }
    case 'internal:or':
      return inDocumentOrder([...roots, ...inner(origin)]);
    case 'internal:has':
      return roots.filter(root => isElement(root) && inner(root).length);
    case 'internal:has-not':
      return roots.filter(root => isElement(root) && !inner(root).length);
    case 'aria-ref': {
      const element = snapshotElements.get(part.source)?.deref();
      return element?.isConnected ? [element] : [];
    }
    case '_react': case '_vue':
      throw new CallError(`"${part.name}" selector is not supported: ${asLocator(stringify({ parts: [part] }))}`);
  }
  if (layoutEngines.has(part.name)) {
    const others = inner(origin);
    return roots.map(element => ({ element, score: layoutScore(part.name, element, others, part.distance) }))
        .filter(({ score }) => score !== undefined).sort((a, b) => a.score! - b.score!).map(({ element }) => element);
  }
  const engine = part.css ? (root: Scope) => queryCSS({ root, pierce: true }, part.css!) : part.inner ? inner : (root: Scope) => engines[part.name]!(root, part.source);
  if (roots.length === 1)
    return unique(engine(roots[0]));
  return unique(roots.flatMap(engine));
}

function unique(elements: Element[]): Element[] {
  return elements.length < 2 ? elements : [...new Set(elements)];
}

/** All matches; with `strict` more than one is an error. */
export function resolve(text: string, root: Node, strict: boolean): Element[] {
  const selector = parse(text);
  const found = queryAll(selector, root);
  if (strict && found.length > 1)
    throw strictError(selector, found);
  const retired = found.length && selector.parts.find(part => isRetired(part.name));
  if (retired)
    throw new CallError(`"${retired.name}" selector is not supported: ${asLocator(stringify(selector))} resolved to ${found.length} ` +
      `element${found.length === 1 ? '' : 's'}:${listing(found)}\n`);
  return found;
}
