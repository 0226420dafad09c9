/** Elements the engine names by number. The page may drop them at any time: refs are weak. */
import type { Target } from './api';

const byRef = new Map<number, WeakRef<Node>>();
const refs = new WeakMap<Node, number>();
let last = 0;

export function refOf(node: Node): number {
  let ref = refs.get(node);
  if (!ref) {
    ref = ++last;
    refs.set(node, ref);
    byRef.set(ref, new WeakRef(node));
  }
  return ref;
}

/** The node of a ref or a node itself; undefined when it is gone. Not for selectors. */
export function nodeOf(target: Exclude<Target, string>): Node | undefined {
  return typeof target === 'number' ? byRef.get(target)?.deref() : target;
}
