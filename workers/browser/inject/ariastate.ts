/** ARIA states and properties of elements, and which roles have them. */
import { isElement, isStyleVisible, isVisibleText, memo, parentOf, styleOf, tagOf } from './dom';
import { isNativelyDisabled, roleOf } from './role';

/** Roles an attribute is allowed on. A role selector that asks for it elsewhere is an error. */
export const rolesWith: Record<string, string[]> = {
  selected: ['gridcell', 'option', 'row', 'tab', 'rowheader', 'columnheader', 'treeitem'],
  checked: ['checkbox', 'menuitemcheckbox', 'option', 'radio', 'switch', 'menuitemradio', 'treeitem'],
  pressed: ['button'],
  expanded: ['application', 'button', 'checkbox', 'combobox', 'gridcell', 'link', 'listbox', 'menuitem', 'row', 'rowheader', 'tab', 'treeitem', 'columnheader',
    'menuitemcheckbox', 'menuitemradio', 'rowheader', 'switch'],
  level: ['heading', 'listitem', 'row', 'treeitem'],
};

/** Roles that can be disabled. */
export const disableable = new Set(['application', 'button', 'composite', 'gridcell', 'group', 'input', 'link', 'menuitem', 'scrollbar', 'separator', 'tab', 'checkbox',
  'columnheader', 'combobox', 'grid', 'listbox', 'menu', 'menubar', 'menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'radiogroup', 'row', 'rowheader', 'searchbox',
  'select', 'slider', 'spinbutton', 'switch', 'tablist', 'textbox', 'toolbar', 'tree', 'treegrid', 'treeitem']);
const canBeReadonly = new Set(['checkbox', 'combobox', 'grid', 'gridcell', 'listbox', 'radiogroup', 'slider', 'spinbutton', 'textbox', 'columnheader', 'rowheader',
  'searchbox', 'switch', 'treegrid']);

function has(attribute: string, element: Element): boolean {
  return rolesWith[attribute].includes(roleOf(element));
}

export function isSelected(element: Element): boolean {
  if (tagOf(element) === 'OPTION')
    return !!(element as HTMLOptionElement).selected;
  return has('selected', element) && element.getAttribute('aria-selected')?.toLowerCase() === 'true';
}

/** undefined: not something that can be checked. "mixed" only when the caller knows it. */
export function checkedState(element: Element, withMixed: boolean): boolean | 'mixed' | undefined {
  if (tagOf(element) === 'INPUT') {
    const input = element as HTMLInputElement;
    if (withMixed && input.indeterminate)
      return 'mixed';
    if (input.type === 'checkbox' || input.type === 'radio')
      return input.checked;
  }
  if (!has('checked', element))
    return undefined;
  const value = element.getAttribute('aria-checked');
  return withMixed && value === 'mixed' ? 'mixed' : value === 'true';
}

export function pressedState(element: Element): boolean | 'mixed' {
  const value = has('pressed', element) ? element.getAttribute('aria-pressed') : null;
  return value === 'mixed' ? 'mixed' : value === 'true';
}

export function isExpanded(element: Element): boolean | undefined {
  if (tagOf(element) === 'DETAILS')
    return !!(element as HTMLDetailsElement).open;
  const value = has('expanded', element) ? element.getAttribute('aria-expanded') : null;
  return value === null ? undefined : value === 'true';
}

/** 0 when it has none. */
export function levelOf(element: Element): number {
  const heading = /^H([1-6])$/.exec(tagOf(element));
  if (heading)
    return Number(heading[1]);
  const level = has('level', element) ? Number(element.getAttribute('aria-level')) : 0;
  return Number.isInteger(level) && level >= 1 ? level : 0;
}

/** aria-disabled of an element holds for all below it. */
const isDisabledByAria: (element: Element) => boolean = memo((element: Element): boolean => {
  const value = element.getAttribute('aria-disabled')?.toLowerCase();
  if (value === 'true' || value === 'false')
    return value === 'true';
  const parent = parentOf(element);
  return !!parent && isDisabledByAria(parent);
});

const validated = new Set(['application', 'checkbox', 'columnheader', 'combobox', 'gridcell', 'listbox', 'radiogroup', 'rowheader', 'searchbox', 'slider', 'spinbutton',
  'switch', 'textbox', 'tree']);

/** aria-invalid, on roles that have it. */
export function invalidState(element: Element): boolean | 'grammar' | 'spelling' {
  const value = validated.has(roleOf(element)) ? element.getAttribute('aria-invalid')?.trim() : '';
  if (!value || value.toLowerCase() === 'false')
    return false;
  return value === 'grammar' || value === 'spelling' ? value : true;
}

export function isDisabled(element: Element): boolean {
  return isNativelyDisabled(element) || (disableable.has(roleOf(element)) && isDisabledByAria(element));
}

/** undefined: nothing one could edit. */
export function isReadonly(element: Element): boolean | undefined {
  if (['INPUT', 'TEXTAREA', 'SELECT'].includes(tagOf(element)))
    return element.hasAttribute('readonly');
  if (canBeReadonly.has(roleOf(element)))
    return element.getAttribute('aria-readonly') === 'true';
  return (element as HTMLElement).isContentEditable ? false : undefined;
}

/** Never in the accessibility tree. */
export function isIgnored(element: Element): boolean {
  return ['STYLE', 'SCRIPT', 'NOSCRIPT', 'TEMPLATE'].includes(tagOf(element));
}

/**
 * Excluded from the accessibility tree (https://www.w3.org/TR/wai-aria-1.2/#tree_exclusion), roles none and presentation not being a reason.
 */
export const isHiddenForAria: (element: Element) => boolean = memo((element: Element): boolean => {
  if (isIgnored(element))
    return true;
  const isSlot = element.nodeName === 'SLOT';
  if (!isSlot && styleOf(element)?.display === 'contents') {
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (isElement(child) ? !isHiddenForAria(child) : isVisibleText(child))
        return false;
    }
    return true;
  }
  // Options of a select are drawn by the browser, slots by what is in them.
  const isOption = element.nodeName === 'OPTION' && !!element.closest('select');
  return (!isOption && !isSlot && !isStyleVisible(element)) || isInHidden(element);
});

/** Itself or something above is display:none, aria-hidden, or not slotted into its parent's shadow tree. */
const isInHidden: (element: Element) => boolean = memo((element: Element): boolean => {
  if (element.parentElement?.shadowRoot && !element.assignedSlot)
    return true;
  if (styleOf(element)?.display === 'none' || element.getAttribute('aria-hidden')?.toLowerCase() === 'true')
    return true;
  const parent = parentOf(element);
  return !!parent && isInHidden(parent);
});
