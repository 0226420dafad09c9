/** The text of elements as text selectors match it. */
import { collapse } from './text';
import { memo } from './dom';
import { labelledBy } from './role';

export type ElementText = {
  /** All text below, shadow trees included, as it is. */
  full: string;
  /** The same with white space collapsed. */
  normal: string;
  /** Runs of the element's own text nodes, cut where a child element stands. */
  own: string[];
};

export type TextMatcher = (text: ElementText) => boolean;

/** Script, style and head content is no text anybody reads. */
export function hasNoText(node: Element | ShadowRoot): boolean {
  return ['SCRIPT', 'NOSCRIPT', 'STYLE'].includes(node.nodeName) || !!node.ownerDocument.head?.contains(node);
}

const none: ElementText = { full: '', normal: '', own: [] };

function plain(text: string): ElementText {
  return { full: text, normal: collapse(text), own: [text] };
}

export const textOf: (node: Element | ShadowRoot) => ElementText = memo((root: Element | ShadowRoot): ElementText => {
  if (hasNoText(root))
    return none;
  if (root.nodeName === 'INPUT' && ['submit', 'button', 'reset'].includes((root as HTMLInputElement).type))
    return plain((root as HTMLInputElement).value);
  let full = '';
  let run = '';
  const own: string[] = [];
  const endRun = () => {
    if (run)
      own.push(run);
    run = '';
  };
  for (let child = root.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3) {
      full += child.nodeValue;
      run += child.nodeValue;
    } else if (child.nodeType !== 8) {
      endRun();
      if (child.nodeType === 1)
        full += textOf(child as Element).full;
    }
  }
  endRun();
  const shadow = (root as Element).shadowRoot;
  if (shadow)
    full += textOf(shadow).full;
  return { full, normal: full && collapse(full), own };
});

/** Whether the element's text matches, and if so whether a child's does as well. */
export function matchText(element: Element, matches: TextMatcher): '' | 'self' | 'inner' {
  if (hasNoText(element) || !matches(textOf(element)))
    return '';
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    if (matches(textOf(child)))
      return 'inner';
  }
  return element.shadowRoot && matches(textOf(element.shadowRoot)) ? 'inner' : 'self';
}

/** The texts getByLabel looks at: aria-labelledby, else aria-label, else the <label>s of a control. */
export function labelTexts(element: Element, outsideOnly = false): ElementText[] {
  const references = labelledBy(element);
  if (references.length)
    return references.filter(label => !outsideOnly || !element.contains(label)).map(textOf);
  const label = element.getAttribute('aria-label');
  if (label?.trim())
    return [plain(label)];
  return [...labelsOf(element)].map(textOf);
}

/** The <label> elements of a labelable element. */
export function labelsOf(element: Element): Iterable<HTMLLabelElement> {
  return ['BUTTON', 'METER', 'OUTPUT', 'PROGRESS', 'SELECT', 'TEXTAREA', 'INPUT'].includes(element.nodeName) ? (element as HTMLInputElement).labels ?? [] : [];
}

export type TextBody = {
  matches: TextMatcher;
  /** How it was written: /regex/, "exact" or anything else, a case-insensitive substring. */
  kind: 'regex' | 'exact' | 'substring';
};

/**
 * The body of text= and, with `internal`, of internal:text and its kin: there strings are JSON and compared with the element's whole text; in text=
 * an exact string is compared with the runs of the element's own text.
 */
export function parseText(body: string, internal: boolean): TextBody {
  const slash = body.lastIndexOf('/');
  if (body[0] === '/' && slash > 0) {
    const re = new RegExp(body.slice(1, slash), body.slice(slash + 1));
    return { kind: 'regex', matches: text => text.full.search(re) >= 0 };
  }
  let exact = false;
  const quoted = internal ? /^("[^]*")([is]?)$/.exec(body) : /^(?:"[^]*"|'[^]*')$/.exec(body);
  if (quoted && body.length > 1) {
    exact = quoted[2] !== 'i';
    body = internal ? JSON.parse(quoted[1]) : body.slice(1, -1).replace(/\\([^])/g, '$1');
  } else if (internal && body.length > 1 && body[0] === "'" && body.endsWith("'")) {
    exact = true;
    body = JSON.parse(body);
  }
  const wanted = collapse(body);
  if (!exact) {
    const lower = wanted.toLowerCase();
    return { kind: 'substring', matches: text => text.normal.toLowerCase().includes(lower) };
  }
  if (internal)
    return { kind: 'exact', matches: text => text.normal === wanted };
  return { kind: 'exact', matches: text => ownTextIs(text, wanted) };
}

/** Whether some run of own text is the wanted one; an empty wish matches elements without own text. */
export function ownTextIs(text: ElementText, wanted: string): boolean {
  return (!wanted && !text.own.length) || text.own.some(run => collapse(run) === wanted);
}
