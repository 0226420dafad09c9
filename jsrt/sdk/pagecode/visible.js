// visibleText, visibleTexts and readRows: what a reader of the page sees, in one look that changes nothing.

class VisibleTextFailure extends Error {
  constructor(reason, counts) {
    const told = Object.entries(counts).map(([name, value]) => `${name} ${value}`);
    super(`${reason}${told.length > 0 ? `: ${told.join(", ")}` : ""}`);
    this.name = "VisibleTextFailure";
    Object.assign(this, { reason, ...counts });
  }
}

// lookAtText runs in the page. Without fields it gives each match's text, null when the match is not rendered; with fields one record a
// match. Texts come with a line break between blocks and a tab between cells; the caller makes them one line.
const lookAtText = (elements, { as, fields }) => {
  const skipped = "script, style, noscript, template, svg title, svg desc";
  const parentOf = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
  const up = (element, test) => {
    for (let at = element; at !== null; at = parentOf(at)) if (test(at)) return true;
    return false;
  };
  const visuallyHidden = (element) => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const clipped = style.overflowX !== "visible" || style.overflowY !== "visible" || style.clip !== "auto" || style.clipPath !== "none";
    if (clipped && box.width <= 1 && box.height <= 1) return true;
    const rect = /^rect\(([^)]*)\)$/.exec(style.clip);
    if (rect !== null && (style.position === "absolute" || style.position === "fixed")) {
      const [top, right, bottom, left] = rect[1].split(/[\s,]+/).map((side) => Number.parseFloat(side));
      if (bottom - top <= 0 || right - left <= 0) return true;
    }
    const inset = /^inset\(([\d.]+)%(?: ([\d.]+)%)?/.exec(style.clipPath);
    if (inset !== null && (Number(inset[1]) >= 50 || Number(inset[2] ?? 0) >= 50)) return true;
    if (Number.parseFloat(style.textIndent) <= -999) return true;
    if (style.position === "absolute" || style.position === "fixed") {
      const left = box.left + scrollX;
      const top = box.top + scrollY;
      if (box.width > 0 && (left + box.width <= 0 || top + box.height <= 0)) return true;
    }
    return false;
  };
  const excluded = (element) =>
    element.hasAttribute("hidden") || element.matches(skipped) || (as === "accessible" ? element.getAttribute("aria-hidden") === "true" : visuallyHidden(element));
  const hasBox = (element) => {
    if (getComputedStyle(element).display === "contents") {
      return [...element.childNodes].some((node) => (node.nodeType === 3 ? node.data.trim() !== "" : node.nodeType === 1 && hasBox(node)));
    }
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return (box.width > 0 && box.height > 0) || [...element.children].some(hasBox);
  };
  const rendered = (element) => element.isConnected && !up(element, excluded) && hasBox(element);
  const block = /^(block|flex|grid|list-item|table|table-row|table-caption|flow-root|table-row-group|table-header-group|table-footer-group)/;
  const textOf = (root) => {
    let text = "";
    const walk = (node) => {
      if (node.nodeType === 3) {
        const style = getComputedStyle(node.parentElement ?? root);
        if (style.visibility === "visible") text += style.whiteSpace.startsWith("pre") ? node.data : node.data.replace(/[\n\r\t ]+/g, " ");
        return;
      }
      if (node.nodeType !== 1) return;
      if (node.tagName === "BR") {
        text += "\n";
        return;
      }
      if (node !== root && (excluded(node) || getComputedStyle(node).display === "none" || Number(getComputedStyle(node).opacity) === 0)) return;
      const display = getComputedStyle(node).display;
      const apart = display === "table-cell" ? "\t" : block.test(display) ? "\n" : "";
      text += apart;
      const inside = node.tagName === "SLOT" && node.assignedNodes().length > 0 ? node.assignedNodes() : (node.shadowRoot ?? node).childNodes;
      for (const child of inside) walk(child);
      text += apart;
    };
    walk(root);
    return text;
  };
  const out = [];
  for (const element of elements) {
    if (!rendered(element)) {
      out.push({ rendered: false, shows: [...element.querySelectorAll("*")].some(rendered) });
      continue;
    }
    if (fields === undefined) {
      out.push({ rendered: true, text: textOf(element) });
      continue;
    }
    const values = {};
    for (const [name, { selector, attribute }] of Object.entries(fields)) {
      const found = selector === undefined || selector === ":scope" ? [element] : [...element.querySelectorAll(selector)];
      const one = found.find(rendered) ?? (attribute === undefined ? undefined : found[0]);
      values[name] = one === undefined ? null : attribute === undefined ? textOf(one) : one.getAttribute(attribute);
    }
    out.push({ rendered: true, values });
  }
  return out;
};

const textOptions = ({ as = "visible", lines = false, maxLength = 4000 } = {}) => {
  if (as !== "visible" && as !== "accessible") throw new TypeError('as must be "visible" or "accessible"');
  return { as, lines, maxLength };
};

const fitted = (text, { lines, maxLength }, where = {}) => {
  const whole = normalizeText(text, { lines });
  if (whole.length > maxLength) throw new VisibleTextFailure("too_long", { length: whole.length, maxLength, ...where });
  return whole;
};

async function visibleText(locator, options) {
  const how = textOptions(options);
  const seen = await locator.evaluateAll(lookAtText, { as: how.as });
  const shown = seen.filter((one) => one.rendered);
  if (seen.length === 0) throw new VisibleTextFailure("not_found", { matched: 0 });
  if (shown.length === 0) throw new VisibleTextFailure("hidden_only", { matched: seen.length });
  if (shown.length > 1) throw new VisibleTextFailure("ambiguous", { matched: seen.length, rendered: shown.length });
  return fitted(shown[0].text, how);
}

async function visibleTexts(locator, options) {
  const how = textOptions(options);
  const seen = await locator.evaluateAll(lookAtText, { as: how.as });
  return seen.filter((one) => one.rendered).map((one) => fitted(one.text, how)).filter((text) => text !== "");
}

async function readRows(rows, fields, options = {}) {
  const how = textOptions(options);
  const { from = 0, limit } = options;
  const wanted = {};
  for (const [name, given] of Object.entries(fields ?? {})) {
    const field = typeof given === "string" ? { selector: given } : given;
    if (typeof field !== "object" || field === null) throw new TypeError(`readRows' field ${name} must be a CSS selector or {selector, attribute, required, lines}`);
    wanted[name] = { selector: field.selector, attribute: field.attribute, required: field.required === true, lines: field.lines ?? how.lines };
  }
  const seen = await rows.evaluateAll(lookAtText, { as: how.as, fields: wanted });
  const shown = seen.filter((one) => one.rendered);
  if (shown.length === 0 && seen.some((one) => one.shows)) throw new VisibleTextFailure("hidden_only", { matched: seen.length });
  const end = limit === undefined ? undefined : from + limit;
  return shown.slice(from, end).map(({ values }, index) => {
    const record = {};
    for (const [name, { required, lines }] of Object.entries(wanted)) {
      const row = from + index;
      const text = values[name] === null ? null : fitted(values[name], { lines, maxLength: how.maxLength }, { field: name, row });
      if (required && (text === null || text === "")) throw new VisibleTextFailure("not_found", { field: name, row });
      record[name] = text;
    }
    return record;
  });
}
