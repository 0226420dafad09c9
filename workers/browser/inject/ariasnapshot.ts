/** Aria snapshots: the tree made shorter, as YAML. */
import type { AriaSnapshotOptions, Reply, Target } from './api';
import { buildTree, type AriaNode } from './ariatree';
import { Call } from './call';
import { inPass } from './dom';
import { rememberSnapshot } from './query';
import { collapse } from './text';
import { yamlKey, yamlValue } from './yaml';

export function ariaSnapshot(target: Target, options: AriaSnapshotOptions): Promise<Reply<string>> {
  return Call.run(options, call => call.withElement(target, undefined, element => ({ value: inPass(() => snapshotOf(element, options)) })));
}

function snapshotOf(element: Element, options: AriaSnapshotOptions): string {
  const forModels = options.mode === 'ai';
  const root = buildTree(element, { forModels, refPrefix: options.refPrefix ?? '' });
  if (forModels)
    rememberSnapshot(refsBelow(root));
  new Distiller(root, options.depth ?? 0, forModels).run();
  const lines: string[] = [];
  for (const child of root.children)
    render(child, { lines, indent: '', depth: 0, maxDepth: options.depth ?? 0, boxes: !!options.boxes, cursor: forModels });
  return lines.join('\n');
}

function refsBelow(root: AriaNode, into = new Map<string, WeakRef<Element>>()): Map<string, WeakRef<Element>> {
  if (root.ref)
    into.set(root.ref, new WeakRef(root.element));
  for (const child of root.children) {
    if (typeof child !== 'string')
      refsBelow(child, into);
  }
  return into;
}

// ---- making it shorter ------------------------------------------------------------------------------------------------

/** What stays of a node after its children were looked at: itself, its children in its place, or nothing. */
type Verdict = 'keep' | 'unwrap' | 'remove';

class Distiller {
  /** Above the node that is looked at, outermost first. */
  private readonly above: AriaNode[] = [];
  /** Nodes whose text is part of a name further up and that are not (or no longer) shown themselves. */
  private readonly unseen = new Set<AriaNode>();
  private readonly byElement = new Map<Element, AriaNode>();

  constructor(private readonly root: AriaNode, private readonly maxDepth: number, private readonly forModels: boolean) {}

  run(): void {
    if (this.forModels)
      this.index(this.root);
    this.children(this.root);
    mergeTexts(this.root);
  }

  private index(node: AriaNode): void {
    if (node.ref)
      this.byElement.set(node.element, node);
    for (const child of node.children) {
      if (typeof child !== 'string')
        this.index(child);
    }
  }

  private children(node: AriaNode): void {
    this.above.push(node);
    node.children = node.children.flatMap(child => {
      if (typeof child === 'string')
        return [child];
      this.enter(child);
      this.children(child);
      const verdict = this.leave(child);
      return verdict === 'keep' ? [child] : verdict === 'unwrap' ? child.children : [];
    });
    this.above.pop();
  }

  private sourcesOf(node: AriaNode): AriaNode[] {
    return node.ref ? [...node.nameSources].map(element => this.byElement.get(element)).filter(source => source && source !== node) as AriaNode[] : [];
  }

  private enter(node: AriaNode): void {
    if (!this.forModels || !node.ref)
      return;
    this.sourcesOf(node).forEach(source => this.unseen.add(source));
    const isTooDeep = this.maxDepth && this.above.length - 1 > this.maxDepth;
    const isText = node.role === 'generic' && node.children.every(child => typeof child === 'string');
    if (!isTooDeep && !isText)
      this.unseen.delete(node);
  }

  private leave(node: AriaNode): Verdict {
    mergeTexts(node);
    const isClickRoot = !!node.ref && node.hasPointerCursor && !this.above.some(other => other.ref && other.hasPointerCursor);
    if (this.forModels) {
      // A decorative image.
      if (node.role === 'img' && !node.name && !node.children.length && !isClickRoot)
        return 'remove';
      this.dropRedundantName(node);
      inlineText(node);
      if (this.repeatsParent(node)) {
        if (node.ref)
          this.unseen.add(node);
        return 'remove';
      }
    }
    // A container of one thing (or none) says nothing.
    const isWrapper = node.role === 'generic' && !node.name && node.children.length <= 1 && node.children.every(child => typeof child !== 'string' && child.ref);
    return isWrapper && (node.children.length || !isClickRoot) ? 'unwrap' : 'keep';
  }

  /** A name from content goes when all that content is shown below. */
  private dropRedundantName(node: AriaNode): void {
    const sources = this.sourcesOf(node);
    if (!sources.length)
      return;
    if (sources.every(source => !this.unseen.has(source)))
      node.name = '';
    else
      sources.forEach(source => this.unseen.delete(source));
  }

  private repeatsParent(node: AriaNode): boolean {
    const parent = this.above[this.above.length - 1];
    if (!parent.name || node.role !== 'generic' || node.active || node.props.length || node.ariaHidden)
      return false;
    const [only] = node.children;
    const text = node.name ? (node.children.length ? '' : node.name) : node.children.length === 1 && typeof only === 'string' ? only : '';
    return text !== '' && text === parent.name;
  }
}

/** Neighbouring texts become one, and one that only repeats the name goes. */
function mergeTexts(node: AriaNode): void {
  const children: (AriaNode | string)[] = [];
  let run = '';
  const endRun = () => {
    const text = collapse(run);
    if (text)
      children.push(text);
    run = '';
  };
  for (const child of node.children) {
    if (typeof child === 'string') {
      run += child;
    } else {
      endRun();
      children.push(child);
    }
  }
  endRun();
  node.children = children.length === 1 && children[0] === node.name ? [] : children;
}

/** generic: generic: "text" */
function inlineText(node: AriaNode): void {
  const [child] = node.children;
  if (node.role !== 'generic' || node.props.length || node.ariaHidden || node.children.length !== 1 || typeof child === 'string')
    return;
  const isPlain = child.role === 'generic' && !child.name && !child.active && !child.props.length && !child.ariaHidden;
  if (isPlain && child.children.length === 1 && typeof child.children[0] === 'string')
    node.children = [child.children[0]];
}

// ---- YAML -------------------------------------------------------------------------------------------------------------

type Rendering = { lines: string[]; indent: string; depth: number; maxDepth: number; boxes: boolean; cursor: boolean };

function render(node: AriaNode | string, at: Rendering): void {
  const { lines, indent } = at;
  if (typeof node === 'string') {
    lines.push(`${indent}- text: ${yamlValue(node)}`);
    return;
  }
  const key = `${indent}- ${yamlKey(keyOf(node, at))}`;
  const [only] = node.children;
  const text = node.children.length === 1 && typeof only === 'string' ? only : undefined;
  const isLast = !!at.maxDepth && at.depth === at.maxDepth;
  const children = text !== undefined || !isLast ? node.children : [];
  if (!children.length && !node.props.length) {
    lines.push(key);
    return;
  }
  if (text !== undefined && !node.props.length) {
    lines.push(`${key}: ${yamlValue(text)}`);
    return;
  }
  lines.push(key + ':');
  // Always the address first.
  for (const [name, value] of [...node.props].sort(([a], [b]) => Number(b === 'url') - Number(a === 'url')))
    lines.push(`${indent}  - /${name}: ${yamlValue(value)}`);
  const isInPointer = !!node.ref && node.hasPointerCursor;
  for (const child of children)
    render(child, { ...at, indent: indent + '  ', depth: at.depth + 1, cursor: at.cursor && !isInPointer });
}

function keyOf(node: AriaNode, at: Rendering): string {
  const marks = [...node.marks];
  if (node.ariaHidden)
    marks.push('aria-hidden');
  if (node.ref)
    marks.push(`ref=${node.ref}`);
  if (node.ref && node.hasPointerCursor && at.cursor)
    marks.push('cursor=pointer');
  if (at.boxes) {
    const { x, y, width, height } = node.element.getBoundingClientRect();
    marks.push(`box=${[x, y, width, height].map(Math.round).join()}`);
  }
  // YAML keys may have 1024 characters.
  const name = !node.name || node.name.length > 900 ? '' : /^\/.*\/$/.test(node.name) ? ` ${node.name}` : ` ${JSON.stringify(node.name)}`;
  return node.role + name + marks.map(mark => ` [${mark}]`).join('');
}
