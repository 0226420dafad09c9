/**
 * ARIA roles: explicit, implicit (HTML-AAM), and when role=none does not hold. What Playwright decides differently from the specification is named.
 *
 * Element.computedRole would be Chromium's own answer, but without an accessibility client Chromium builds its whole tree anew for each such call (BenchmarkQuery shows it), and a page
 * can see that the feature is on. The corpus in testdata keeps these rules equal to Chromium's.
 */
import { closest, memo, parentOf, tagOf, treeOf } from './dom';
import { escapeIdentifier } from './text';

const words = (list: string) => new Set(list.split(' '));

/** Roles an author may name. Unknown ones are skipped: https://www.w3.org/TR/wai-aria-1.2/#document-handling_author-errors_roles */
const known = words('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
  'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img ' +
  'insertion link list listbox listitem log main mark marquee math meter menu menubar menuitem menuitemcheckbox menuitemradio navigation none note ' +
  'option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton ' +
  'status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem');

/** Elements whose role does not depend on anything. */
const byTag: Record<string, string> = {
  ARTICLE: 'article', ASIDE: 'complementary', BLOCKQUOTE: 'blockquote', BUTTON: 'button', CAPTION: 'caption', CODE: 'code', DATALIST: 'listbox',
  DD: 'definition', DEL: 'deletion', DETAILS: 'group', DFN: 'term', DIALOG: 'dialog', DT: 'term', EM: 'emphasis', FIELDSET: 'group', FIGURE: 'figure',
  H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', HR: 'separator', HTML: 'document', INS: 'insertion',
  LI: 'listitem', MAIN: 'main', MARK: 'mark', MATH: 'math', MENU: 'list', METER: 'meter', NAV: 'navigation', OL: 'list', OPTGROUP: 'group', OPTION: 'option',
  OUTPUT: 'status', P: 'paragraph', PROGRESS: 'progressbar', SEARCH: 'search', STRONG: 'strong', SUB: 'subscript', SUP: 'superscript', SVG: 'img',
  TABLE: 'table', TBODY: 'rowgroup', TEXTAREA: 'textbox', TFOOT: 'rowgroup', THEAD: 'rowgroup', TIME: 'time', TR: 'row', UL: 'list',
};

const byInputType: Record<string, string> = {
  button: 'button', checkbox: 'checkbox', file: 'button', image: 'button', number: 'spinbutton', radio: 'radio', range: 'slider', reset: 'button', submit: 'button',
};

/** A header or footer in one of these belongs to it and is no landmark of the page. */
const sections = 'article:not([role]),aside:not([role]),main:not([role]),nav:not([role]),section:not([role]),' +
  '[role=article],[role=complementary],[role=main],[role=navigation],[role=region]';

/** role=none on the parent of one of these also takes their role. */
const structure: Record<string, string[]> = {
  DD: ['DL', 'DIV'], DT: ['DL', 'DIV'], DIV: ['DL'], LI: ['OL', 'UL'], TBODY: ['TABLE'], TFOOT: ['TABLE'], THEAD: ['TABLE'],
  TD: ['TR'], TH: ['TR'], TR: ['THEAD', 'TBODY', 'TFOOT', 'TABLE'],
};

/** Global attributes of ARIA 1.2, without those whose global use it deprecates. */
const globalAttributes = ['atomic', 'busy', 'controls', 'current', 'describedby', 'details', 'dropeffect', 'flowto', 'grabbed', 'hidden', 'keyshortcuts', 'live',
  'owns', 'relevant'].map(name => 'aria-' + name);
/** Roles that must not be named, for which aria-label says nothing about the role. */
const unnamable = words('caption code deletion emphasis generic insertion paragraph presentation strong subscript superscript');

function hasGlobalAttribute(element: Element, role: string): boolean {
  return globalAttributes.some(name => element.hasAttribute(name)) ||
    (!unnamable.has(role) && hasOwnName(element)) ||
    (role !== 'generic' && element.hasAttribute('aria-roledescription'));
}

function hasOwnName(element: Element): boolean {
  return element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby');
}

function hasTabIndex(element: Element): boolean {
  const value = element.getAttribute('tabindex');
  return value !== null && !Number.isNaN(Number(value));
}

function isFocusable(element: Element): boolean {
  if (isNativelyDisabled(element))
    return false;
  switch (tagOf(element)) {
    case 'BUTTON': case 'DETAILS': case 'SELECT': case 'TEXTAREA':
      return true;
    case 'A': case 'AREA':
      if (element.hasAttribute('href'))
        return true;
      break;
    case 'INPUT':
      if (!(element as HTMLInputElement).hidden)
        return true;
  }
  return hasTabIndex(element);
}

const noElements: readonly Element[] = [];

/** The elements an attribute names by id, each once, in the element's own tree. */
export function idRefs(element: Element, attribute: string): readonly Element[] {
  const value = element.getAttribute(attribute);
  const tree = value && treeOf(element);
  if (!tree)
    return noElements;
  const found = new Set<Element>();
  for (const id of value.split(' ')) {
    const target = id && tree.querySelector('#' + escapeIdentifier(id));
    if (target)
      found.add(target);
  }
  return [...found];
}

/** What aria-labelledby names; empty when none of it exists, and then the attribute counts as missing. */
export function labelledBy(element: Element): readonly Element[] {
  return idRefs(element, 'aria-labelledby');
}

/** An <input> that offers a <datalist> is a combobox. */
function inputRole(input: HTMLInputElement): string {
  // Inside an <svg> it is no real input and has no type.
  const type = (input.type ?? '').toLowerCase();
  if (type === 'hidden')
    return '';
  if (['email', 'search', 'tel', 'text', 'url'].includes(type)) {
    const list = idRefs(input, 'list')[0];
    if (list && tagOf(list) === 'DATALIST')
      return 'combobox';
    return type === 'search' ? 'searchbox' : 'textbox';
  }
  return byInputType[type] ?? 'textbox';
}

/** As Chromium decides it: a lone <th> is no header of anything, one beside data heads its row. */
function headerCellRole(cell: Element): string {
  const scope = cell.getAttribute('scope');
  if (scope === 'col' || scope === 'colgroup')
    return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup')
    return 'rowheader';
  const beside = [cell.previousElementSibling, cell.nextElementSibling];
  if (!beside[0] && !beside[1]) {
    const row = cell.parentElement;
    const table = row && tagOf(row) === 'TR' ? closest(row, 'table') as HTMLTableElement | undefined : undefined;
    return table && table.rows.length <= 1 ? '' : 'columnheader';
  }
  if (beside.every(other => other && tagOf(other) === 'TH'))
    return 'columnheader';
  const isData = (other: Element | null) => !!other && tagOf(other) === 'TD' && !!(other.textContent?.trim() || other.children.length);
  return beside.some(isData) ? 'rowheader' : 'columnheader';
}

function ownImplicitRole(element: Element): string {
  const tag = tagOf(element);
  const fixed = byTag[tag];
  if (fixed)
    return fixed;
  switch (tag) {
    case 'A': case 'AREA':
      return element.hasAttribute('href') ? 'link' : '';
    case 'FOOTER':
      return closest(element, sections) ? '' : 'contentinfo';
    case 'HEADER':
      return closest(element, sections) ? '' : 'banner';
    case 'FORM':
      return hasOwnName(element) ? 'form' : '';
    case 'SECTION':
      return hasOwnName(element) ? 'region' : '';
    case 'IMG':
      return element.getAttribute('alt') === '' && !element.getAttribute('title') && !hasGlobalAttribute(element, '') && !hasTabIndex(element) ? 'presentation' : 'img';
    case 'INPUT':
      return inputRole(element as HTMLInputElement);
    case 'SELECT':
      return element.hasAttribute('multiple') || (element as HTMLSelectElement).size > 1 ? 'listbox' : 'combobox';
    case 'TD': {
      const table = closest(element, 'table');
      return table && ['grid', 'treegrid'].includes(explicitRole(table)) ? 'gridcell' : 'cell';
    }
    case 'TH':
      return headerCellRole(element);
  }
  return '';
}

function implicitRole(element: Element): string {
  const role = ownImplicitRole(element);
  if (!role)
    return '';
  // https://www.w3.org/TR/wai-aria-1.2/#conflict_resolution_presentation_none
  for (let child = element; ;) {
    const parent = parentOf(child);
    if (!parent || !structure[tagOf(child)]?.includes(tagOf(parent)))
      return role;
    const above = explicitRole(parent);
    if (isNone(above) && !refusesNone(parent, above))
      return above;
    child = parent;
  }
}

function explicitRole(element: Element): string {
  const value = element.getAttribute('role');
  return value ? value.split(' ').map(name => name.trim()).find(name => known.has(name)) ?? '' : '';
}

function isNone(role: string): boolean {
  return role === 'none' || role === 'presentation';
}

/** Something focusable or with global attributes keeps its role whatever the author says. */
function refusesNone(element: Element, role: string): boolean {
  return hasGlobalAttribute(element, role) || isFocusable(element);
}

/** The element's role; "" for none. */
export const roleOf: (element: Element) => string = memo((element: Element): string => {
  const explicit = explicitRole(element);
  if (!explicit)
    return implicitRole(element);
  if (isNone(explicit)) {
    const implicit = implicitRole(element);
    if (refusesNone(element, implicit))
      return implicit;
  }
  return explicit;
});

/** A CSS selector for everything that could have the role: looking at each element of a large document is dear. */
export function candidatesFor(role: string): string {
  if (isNone(role))
    return '*';
  const tags = Object.keys(byTag).filter(tag => byTag[tag] === role);
  return ['[role],a,area,footer,header,form,section,img,input,select,td,th', ...tags].join().toLowerCase();
}

/** A form control with `disabled`, or inside a disabled fieldset (but not its legend) or optgroup. */
export function isNativelyDisabled(element: Element): boolean {
  const tag = tagOf(element);
  if (!['BUTTON', 'INPUT', 'SELECT', 'TEXTAREA', 'OPTION', 'OPTGROUP'].includes(tag))
    return false;
  if (element.hasAttribute('disabled') || (tag === 'OPTION' && element.closest('optgroup[disabled]')))
    return true;
  const fieldset = element.closest('fieldset[disabled]');
  return !!fieldset && !fieldset.querySelector(':scope > legend')?.contains(element);
}
