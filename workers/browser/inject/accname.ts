/**
 * Accessible names and descriptions: https://w3c.github.io/accname/#computation-steps with HTML-AAM's rules per element. Where browsers agree with each
 * other and not with the text, browsers are followed, as Playwright does.
 */
import { isElement, memo, styleOf, tagOf } from './dom';
import { labelsOf } from './elementtext';
import { isHiddenForAria, isIgnored } from './ariastate';
import { idRefs, labelledBy, roleOf } from './role';
import { tokenize } from './csstokens';

/** A reference that is being followed, and whether what it points at is hidden: then hidden content counts. */
type Reference = { hidden: boolean };

/** Where a name comes from. */
type Source = {
  /** From the target's own content. */
  content: boolean;
  /** Every element that added text. */
  elements: Set<Element>;
};

type Walk = {
  seen: Set<Element>;
  includeHidden: boolean;
  source: Source;
  /** Whose name is wanted: this very element, or it is below that. */
  target?: 'self' | 'inside';
  labelledBy?: Reference;
  describedBy?: Reference;
  /** Inside a <label>. */
  label?: Reference;
  /** Inside legend, caption, figcaption. */
  native?: Reference;
};

const words = (list: string) => new Set(list.split(' '));

const prohibited = words('caption code definition deletion emphasis generic insertion mark paragraph presentation strong subscript suggestion superscript term time');
const namedByContent = words('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem');
/** These only add to the name of something above them. "" is an element without a role. */
const contentForOthers = new Set(['', ...words('caption code contentinfo definition deletion emphasis insertion list listitem mark none paragraph presentation region row ' +
  'rowgroup section strong subscript superscript table term time')]);
const valued = words('progressbar scrollbar slider spinbutton meter');

/** One run of white space is one space; no-break spaces stay. */
function flat(text: string): string {
  return text.replace(/[\u200b\u00ad]/g, '').replace(/[^\S\u00a0]+/g, ' ').trim();
}

function attribute(element: Element, name: string): string {
  const value = element.getAttribute(name) ?? '';
  return value.trim() ? value : '';
}

function referenceTo(element: Element): Reference {
  return { hidden: isHiddenForAria(element) };
}

export type Named = { text: string; fromContent: boolean; elements: Set<Element> };

function newSource(): Source {
  return { content: false, elements: new Set() };
}

function computeName(element: Element, includeHidden: boolean): Named {
  const source = newSource();
  const text = prohibited.has(roleOf(element)) ? '' : flat(alternative(element, { seen: new Set(), includeHidden, source, target: 'self' }));
  return { text, fromContent: source.content, elements: source.elements };
}

const nameVisible = memo((element: Element) => computeName(element, false));
const nameWithHidden = memo((element: Element) => computeName(element, true));

/** The accessible name, and whether it comes from the element's own content. */
export function nameOf(element: Element, includeHidden = false): Named {
  return (includeHidden ? nameWithHidden : nameVisible)(element);
}

/** The accessible description, and whether it comes from the element's own content. */
export function descriptionOf(element: Element, includeHidden = false): Omit<Named, 'elements'> {
  if (element.hasAttribute('aria-describedby')) {
    const references = idRefs(element, 'aria-describedby');
    const texts = references.map(target => alternative(target, { seen: new Set(), includeHidden, source: newSource(), describedBy: referenceTo(target) }));
    return { text: flat(texts.join(' ')), fromContent: references.some(target => element.contains(target)) };
  }
  return { text: flat(element.getAttribute('aria-description') ?? element.getAttribute('title') ?? ''), fromContent: false };
}

/** Text alternative of one node of a walk. */
function alternative(element: Element, walk: Walk): string {
  const { elements } = walk.source;
  const before = elements.size;
  const text = walk.seen.has(element) ? '' : alternativeByRules(element, walk);
  // Where labels, options or other references gave the text, it is theirs.
  if (text && elements.size === before)
    elements.add(element);
  return text;
}

/** The letters are the specification's. */
function alternativeByRules(element: Element, walk: Walk): string {
  // A: hidden, and not referenced while hidden.
  if (!walk.includeHidden) {
    const inHiddenReference = [walk.labelledBy, walk.describedBy, walk.native, walk.label].some(reference => reference?.hidden);
    if (isIgnored(element) || (!inHiddenReference && isHiddenForAria(element))) {
      walk.seen.add(element);
      return '';
    }
  }
  const references = labelledBy(element);
  // B: aria-labelledby, unless one is being followed already.
  if (!walk.labelledBy) {
    const text = references.map(target => alternative(target, {
      seen: walk.seen, includeHidden: walk.includeHidden, source: walk.source, labelledBy: referenceTo(target),
    })).join(' ');
    if (text.trim()) {
      if (walk.target && references.some(target => element.contains(target)))
        walk.source.content = true;
      return text;
    }
  }
  const role = roleOf(element);
  const isNone = role === 'none' || role === 'presentation';
  const below: Walk = walk.target === 'self' ? { ...walk, target: 'inside' } : walk;
  // C: a control inside another one's label counts with its value.
  if (walk.label || walk.labelledBy || walk.target === 'inside') {
    const value = embeddedValue(element, role, references, below);
    if (value !== undefined) {
      walk.seen.add(element);
      return value;
    }
  }
  // D: aria-label.
  const label = attribute(element, 'aria-label');
  if (label) {
    walk.seen.add(element);
    return label;
  }
  // E: what HTML and SVG offer.
  if (!isNone) {
    const native = nativeAlternative(element, references, walk, below);
    if (native !== undefined) {
      walk.seen.add(element);
      return native;
    }
  }
  // F, H: content.
  const byContent = namedByContent.has(role) || (walk.target === 'inside' && contentForOthers.has(role)) || (tagOf(element) === 'SUMMARY' && !isNone);
  if (byContent || walk.labelledBy || walk.describedBy || walk.label || walk.native) {
    walk.seen.add(element);
    const text = contentText(element, below);
    if (walk.target === 'self' ? text.trim() : text) {
      if (walk.target && text.trim())
        walk.source.content = true;
      walk.source.elements.add(element);
      return text;
    }
  }
  walk.seen.add(element);
  // I: title.
  return !isNone || tagOf(element) === 'IFRAME' || tagOf(element) === 'FRAME' ? attribute(element, 'title') : '';
}

/** undefined when the element is no control, or is the one that is labelled. */
function embeddedValue(element: Element, role: string, references: readonly Element[], below: Walk): string | undefined {
  if ([...labelsOf(element)].includes(element as HTMLLabelElement) || references.includes(element))
    return undefined;
  const tag = tagOf(element);
  if (role === 'textbox')
    return (tag === 'INPUT' || tag === 'TEXTAREA' ? (element as HTMLInputElement).value : element.textContent) ?? '';
  if (role === 'combobox' || role === 'listbox') {
    const chosen = chosenOptions(element, role);
    // Not in the specification, but an editable combobox counts with its text in all browsers.
    if (!chosen.length && tag === 'INPUT')
      return (element as HTMLInputElement).value ?? '';
    return chosen.map(option => alternative(option, below)).join(' ');
  }
  if (valued.has(role))
    return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? element.getAttribute('value') ?? '';
  // https://github.com/w3c/accname/issues/67
  return role === 'menu' ? '' : undefined;
}

function chosenOptions(element: Element, role: string): Element[] {
  if (tagOf(element) === 'SELECT') {
    const select = element as HTMLSelectElement;
    const chosen = [...select.selectedOptions ?? []];
    return chosen.length || !select.options?.length ? chosen : [select.options[0]];
  }
  const owned = (owner: Element, css: string) => [owner, ...idRefs(owner, 'aria-owns')]
      .flatMap(root => [...(root !== owner && root.matches(css) ? [root] : []), ...root.querySelectorAll(css)]);
  const list = role === 'combobox' ? owned(element, '*').find(item => roleOf(item) === 'listbox') : element;
  return list ? owned(list, '[aria-selected="true"]').filter(item => roleOf(item) === 'option') : [];
}

const nativelyNamed = words('INPUT IMG AREA TABLE SVG BUTTON OUTPUT TEXTAREA SELECT METER PROGRESS FIELDSET FIGURE');

/** undefined: no rule for this element, its content may still name it. */
function nativeAlternative(element: Element, references: readonly Element[], walk: Walk, below: Walk): string | undefined {
  const tag = tagOf(element);
  if (!nativelyNamed.has(tag) && !(element as SVGElement).ownerSVGElement)
    return undefined;
  const labels = [...labelsOf(element)];
  const byLabels = () => {
    walk.seen.add(element);
    return labels.map(label => alternative(label, {
      seen: walk.seen, includeHidden: walk.includeHidden, source: walk.source, label: referenceTo(label),
    })).filter(text => text).join(' ');
  };
  const byChild = (name: string): string | undefined => {
    for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
      if (tagOf(child) === name) {
        walk.seen.add(element);
        return alternative(child, { ...below, native: referenceTo(child) });
      }
    }
    return undefined;
  };
  const title = () => element.getAttribute('title') ?? '';

  if (tag === 'INPUT') {
    const type = (element as HTMLInputElement).type;
    if (type === 'button' || type === 'submit' || type === 'reset') {
      const value = (element as HTMLInputElement).value;
      return value.trim() ? value : type === 'submit' ? 'Submit' : type === 'reset' ? 'Reset' : title();
    }
    if (type === 'file' || type === 'image') {
      if (labels.length && !walk.labelledBy)
        return byLabels();
      return type === 'file' ? 'Choose File' : attribute(element, 'alt') || attribute(element, 'title') || 'Submit';
    }
  }
  if (tag === 'IMG' || tag === 'AREA')
    return attribute(element, 'alt') || title();
  if (tag === 'TABLE') {
    const caption = byChild('CAPTION');
    // `summary` is obsolete, but every browser takes it.
    return caption ?? (element.getAttribute('summary') || undefined);
  }
  if (tag === 'SVG' || (element as SVGElement).ownerSVGElement)
    return svgAlternative(element, tag, below);
  // The rest steps back when aria-labelledby names something, even if that gave no text.
  if (references.length)
    return undefined;
  switch (tag) {
    case 'BUTTON':
      return labels.length ? byLabels() : undefined;
    case 'OUTPUT':
      return labels.length ? byLabels() : title();
    case 'INPUT': case 'TEXTAREA': case 'SELECT': case 'METER': case 'PROGRESS': {
      if (labels.length)
        return byLabels();
      const hasPlaceholder = tag === 'TEXTAREA' ||
        (tag === 'INPUT' && ['text', 'password', 'number', 'search', 'tel', 'email', 'url'].includes((element as HTMLInputElement).type));
      return title() || (hasPlaceholder ? element.getAttribute('placeholder') ?? '' : '');
    }
    case 'FIELDSET':
      return byChild('LEGEND') ?? title();
    case 'FIGURE':
      return byChild('FIGCAPTION') ?? title();
  }
  return undefined;
}

/** https://www.w3.org/TR/svg-aam-1.0/#mapping_additional_nd */
function svgAlternative(element: Element, tag: string, below: Walk): string | undefined {
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    if (tagOf(child) === 'TITLE' && (child as SVGElement).ownerSVGElement) {
      below.seen.add(element);
      return alternative(child, { ...below, labelledBy: referenceTo(child) });
    }
  }
  return tag === 'A' && (element as SVGElement).ownerSVGElement ? attribute(element, 'xlink:title') || undefined : undefined;
}

/** The text below an element, with what CSS adds. Inline elements add no space around them. */
function contentText(element: Element, walk: Walk): string {
  const generated = cssContent(element, '');
  const before = cssContent(element, '::before') ?? '';
  const after = cssContent(element, '::after') ?? '';
  if (generated !== undefined)
    return before + generated + after;
  let text = before;
  const visit = (node: Node, evenSlotted: boolean) => {
    if (!evenSlotted && (node as Element | Text).assignedSlot)
      return;
    if (node.nodeType === 3) {
      text += node.nodeValue;
    } else if (isElement(node)) {
      const inner = alternative(node, walk);
      const isInline = (styleOf(node)?.display || 'inline') === 'inline' && node.nodeName !== 'BR';
      text += isInline ? inner : ` ${inner} `;
    }
  };
  const slotted = element.nodeName === 'SLOT' ? (element as HTMLSlotElement).assignedNodes() : [];
  if (slotted.length) {
    slotted.forEach(node => visit(node, true));
  } else {
    for (const tree of [element, element.shadowRoot]) {
      for (let child = tree?.firstChild; child; child = child.nextSibling)
        visit(child, false);
    }
    idRefs(element, 'aria-owns').forEach(node => visit(node, false));
  }
  return text + after;
}

/**
 * The text of `content`: strings and attr(), or what follows a slash, the alternative text. Of a real element only that counts, its content being an image.
 */
export function cssContent(element: Element, pseudo: '' | '::before' | '::after'): string | undefined {
  const style = styleOf(element, pseudo);
  const content = style?.content;
  // Most elements have none.
  if (!style || !content || content === 'none' || content === 'normal' || style.display === 'none' || style.visibility === 'hidden')
    return undefined;
  let tokens = tokenize(content).filter(token => token.kind !== 'space' && token.kind !== 'end');
  const slash = tokens.findIndex(token => token.kind === 'delim' && token.source === '/');
  if (slash < 0 && !pseudo)
    return undefined;
  tokens = tokens.slice(slash + 1);
  let text = '';
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i].kind === 'string') {
      text += tokens[i].value;
    } else if (tokens[i].kind === 'function' && tokens[i].value === 'attr' && tokens[i + 1]?.kind === 'ident' && tokens[i + 2]?.kind === ')') {
      text += element.getAttribute(String(tokens[i + 1].value)) ?? '';
      i += 2;
    } else {
      return undefined;
    }
  }
  return pseudo && (style.display || 'inline') !== 'inline' ? ` ${text} ` : text;
}
