/** Matching of Playwright's CSS: compounds go to the browser, combinators and extensions are ours, because they see through open shadow roots. */
import { collapse } from './text';
import type { Argument, Call, Complex, Compound } from './cssparse';
import { inDocumentOrder, isElement, isVisible, memo, parentOf } from './dom';
import { CallError } from './errors';
import { hasNoText, matchText, ownTextIs, textOf, type ElementText } from './elementtext';
import { layoutScore } from './layout';

export type Scope = Document | Element | ShadowRoot;

/** Where a selector is matched: below `root`. */
export type Context = {
  root: Scope;
  /** See through open shadow roots. */
  pierce: boolean;
  /** What :scope means, when `root` had to be widened so that :scope itself can match. */
  scope?: Scope;
};

/** Scores of layout pseudo-classes (:near) for the query that is running: they decide the order of its result. */
let scores: Map<Element, number> | undefined;

const shadowRootsIn = memo((root: Scope): ShadowRoot[] => {
  const roots: ShadowRoot[] = [];
  if ((root as Element).shadowRoot)
    roots.push((root as Element).shadowRoot!);
  for (const element of root.querySelectorAll('*')) {
    if (element.shadowRoot)
      roots.push(element.shadowRoot);
  }
  return roots;
});

/** querySelectorAll through open shadow roots: first the root's own tree, then one shadow tree after another. */
export function queryBrowser(root: Scope, css: string, pierce = true): Element[] {
  const found = [...root.querySelectorAll(css)];
  if (pierce) {
    for (const shadow of shadowRootsIn(root))
      found.push(...queryBrowser(shadow, css));
  }
  return found;
}

/** All elements a selector list matches; in document order when it has several selectors. */
export function queryCSS(context: Context, list: Argument[]): Element[] {
  const each = list.map(complex => queryComplex(context, complexOf(complex)));
  return each.length === 1 ? each[0] : inDocumentOrder(each.flat());
}

function complexOf(argument: Argument): Complex {
  if (typeof argument !== 'object')
    throw new CallError(`Malformed selector "${argument}"`);
  return argument;
}

function queryComplex(context: Context, { compounds }: Complex): Element[] {
  context = widen(context, compounds);
  const last = compounds.length - 1;
  // Compounds only the browser needs, over a document without shadow trees: it can do the whole.
  if (last && context.root.nodeType === 9 && compounds.every(({ compound }) => compound.css && !compound.calls.length) &&
      !(context.pierce && shadowRootsIn(context.root).length)) {
    try {
      return [...context.root.querySelectorAll(compounds.map(({ compound, combinator }) => compound.css + combinator).join(' '))];
    } catch {
      // The error shall name the compound that is wrong, and only if something gets that far.
    }
  }
  const outer = scores;
  scores = new Map();
  try {
    const found = queryCompound(context, compounds[last].compound).filter(element => matchesBefore(element, compounds, last, context));
    const known = scores;
    return known.size ? found.sort((a, b) => (known.get(a) ?? Infinity) - (known.get(b) ?? Infinity)) : found;
  } finally {
    scores = outer;
  }
}

/** :scope must be able to match the root itself, which is not below the root. */
function widen(context: Context, compounds: Complex['compounds']): Context {
  if (!isElement(context.root) || !compounds.some(({ compound }) => compound.calls.some(call => call.name === 'scope')))
    return context;
  const parent = parentOf(context.root);
  return parent ? { ...context, root: parent, scope: context.scope ?? context.root } : context;
}

function queryCompound(context: Context, { css, calls }: Compound): Element[] {
  const narrow = css && css !== '*' ? undefined : calls.find(call => querying[call.name]);
  const found = narrow ? querying[narrow.name]!(context, narrow.args) : queryBrowser(context.root, css ?? '*', context.pierce);
  // What needs a query of its own comes last.
  const rest = calls.filter(call => call !== narrow);
  rest.sort((a, b) => Number(!matching[a.name]) - Number(!matching[b.name]));
  return rest.reduce((left, call) => left.filter(element => matchesCall(element, call, context)), found);
}

function matchesCompound(element: Element, { css, calls }: Compound, context: Context): boolean {
  return element !== context.root && (!css || element.matches(css)) && calls.every(call => matchesCall(element, call, context));
}

/** Whether what stands before compound `index` matches around the element. */
function matchesBefore(element: Element, compounds: Complex['compounds'], index: number, context: Context): boolean {
  if (!index--)
    return true;
  const { compound, combinator } = compounds[index];
  const step = (from: Element): Element | undefined => {
    if (from === context.root)
      return undefined;
    if (combinator === '+' || combinator === '~')
      return from.previousElementSibling ?? undefined;
    return (context.pierce ? parentOf(from) : from.parentElement) ?? undefined;
  };
  const isFar = combinator === '' || combinator === '~';
  for (let other = step(element); other; other = isFar ? step(other) : undefined) {
    if (!matchesCompound(other, compound, context))
      continue;
    if (matchesBefore(other, compounds, index, context))
      return true;
    // Looking further away cannot help when the next one up may be anywhere above as well.
    if (isFar && index && compounds[index - 1].combinator === combinator)
      return false;
  }
  return false;
}

export function matchesList(element: Element, list: Argument[], context: Context): boolean {
  return list.some(argument => {
    const { compounds } = complexOf(argument);
    const within = widen(context, compounds);
    const last = compounds.length - 1;
    return matchesCompound(element, compounds[last].compound, within) && matchesBefore(element, compounds, last, within);
  });
}

function matchesCall(element: Element, { name, args }: Call, context: Context): boolean {
  const matches = matching[name];
  return matches ? matches(element, args, context) : remembered(name, args, context).includes(element);
}

/** Answers of :nth-match() while one selector is being matched, per argument list. */
const answers = memo((_args: Argument[]) => [] as { context: Context; found: Element[] }[]);

function remembered(name: string, args: Argument[], context: Context): Element[] {
  const known = answers(args);
  const same = known.find(answer => answer.context.root === context.root && answer.context.pierce === context.pierce && answer.context.scope === context.scope);
  if (same)
    return same.found;
  const found = querying[name]!(context, args);
  known.push({ context, found });
  return found;
}

function some(name: string, args: Argument[]): Argument[] {
  if (!args.length)
    throw new CallError(`"${name}" engine expects non-empty selector list`);
  return args;
}

function none(name: string, args: Argument[]): void {
  if (args.length)
    throw new CallError(`"${name}" engine expects no arguments`);
}

function oneString(name: string, args: Argument[]): string {
  if (args.length !== 1 || typeof args[0] !== 'string')
    throw new CallError(`"${name}" engine expects a single string`);
  return collapse(args[0]);
}

function containing(text: string): (have: ElementText) => boolean {
  const lower = text.toLowerCase();
  return have => have.normal.toLowerCase().includes(lower);
}

type Matches = (element: Element, args: Argument[], context: Context) => boolean;

const matching: Record<string, Matches | undefined> = {
  'is': (element, args, context) => matchesList(element, some('is', args), context),
  'where': (element, args, context) => matchesList(element, some('is', args), context),
  'not': (element, args, context) => !matchesList(element, some('not', args), context),
  'has': (element, args, context) => queryCSS({ ...context, root: element }, some('has', args)).length > 0,
  'light': (element, args, context) => matchesList(element, args, { ...context, pierce: false }),
  'scope': (element, args, context) => {
    none('scope', args);
    return scopeOf(context) === element;
  },
  'visible': (element, args) => {
    none('visible', args);
    return isVisible(element);
  },
  'text': (element, args) => matchText(element, containing(oneString('text', args))) === 'self',
  'text-is': (element, args) => {
    const wanted = oneString('text-is', args);
    return matchText(element, text => ownTextIs(text, wanted)) !== '';
  },
  'text-matches': (element, args) => {
    if (!args.length || args.length > 2 || args.some(arg => typeof arg !== 'string'))
      throw new CallError('"text-matches" engine expects a regexp body and optional regexp flags');
    const re = new RegExp(args[0] as string, args[1] as string | undefined);
    return matchText(element, text => text.full.search(re) >= 0) === 'self';
  },
  'has-text': (element, args) => {
    const wanted = oneString('has-text', args);
    return !hasNoText(element) && containing(wanted)(textOf(element));
  },
};

for (const name of ['right-of', 'left-of', 'above', 'below', 'near']) {
  matching[name] = (element, args, context) => {
    const distance = args[args.length - 1];
    const list = typeof distance === 'number' ? args.slice(0, -1) : args;
    if (!list.length)
      throw new CallError(`"${name}" engine expects a selector list and optional maximum distance in pixels`);
    const score = layoutScore(name, element, queryCSS(context, list), typeof distance === 'number' ? distance : undefined);
    if (score !== undefined)
      scores?.set(element, score);
    return score !== undefined;
  };
}

function scopeOf({ root, scope = root }: Context): Element | undefined {
  return scope.nodeType === 9 ? (scope as Document).documentElement ?? undefined : scope as Element;
}

/** Extensions that find their elements themselves. */
const querying: Record<string, ((context: Context, args: Argument[]) => Element[]) | undefined> = {
  'is': (context, args) => queryCSS(context, some('is', args)),
  'where': (context, args) => queryCSS(context, some('is', args)),
  'light': (context, args) => queryCSS({ ...context, pierce: false }, args),
  'scope': (context, args) => {
    none('scope', args);
    const element = scopeOf(context);
    return element && isElement(element) ? [element] : [];
  },
  'nth-match': (context, args) => {
    const index = args[args.length - 1];
    if (args.length < 2)
      throw new CallError('"nth-match" engine expects non-empty selector list and an index argument');
    if (typeof index !== 'number' || index < 1)
      throw new CallError('"nth-match" engine expects a one-based index as the last argument');
    return queryCSS(context, args.slice(0, -1)).slice(index - 1, index);
  },
};
