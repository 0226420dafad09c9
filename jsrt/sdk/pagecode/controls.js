// formControlShape, formatDate, fillDate and chooseOption: form fields of all makes, set and read back.

class FormControlFailure extends Error {
  constructor(reason, fields) {
    super(reason);
    this.name = "FormControlFailure";
    Object.assign(this, { reason, ...fields });
  }
}

const controlTimeoutMs = 10_000;
const lookMs = 100;
const sleep = (ms) => new Promise((resume) => setTimeout(resume, ms));

// ---- dates -----------------------------------------------------------------------------------------------------------

const englishMonths = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const datePart = /YYYY|YY|MMMM|MMM|MM|M|DD|D/g;

// monthNames gives the long and short names of the months in a language, English when this runtime does not know it.
const monthNames = (locale) => {
  try {
    const named = (style) => englishMonths.map((_, month) => new Intl.DateTimeFormat(locale, { month: style, timeZone: "UTC" }).format(Date.UTC(2001, month, 15)));
    return { long: named("long"), short: named("short") };
  } catch {
    return { long: englishMonths, short: englishMonths.map((name) => name.slice(0, 3)) };
  }
};

const dateParts = (iso) => {
  if (typeof iso !== "string" || !isCalendarDay(iso)) throw new FormControlFailure("date_invalid");
  const [year, month, day] = iso.split("-");
  return { year, month, day };
};

const written = ({ year, month, day }, format, names) =>
  format.replace(datePart, (part) => {
    switch (part) {
      case "YYYY":
        return year;
      case "YY":
        return year.slice(2);
      case "MMMM":
        return names.long[Number(month) - 1];
      case "MMM":
        return names.short[Number(month) - 1];
      case "MM":
        return month;
      case "M":
        return String(Number(month));
      case "DD":
        return day;
    }
    return String(Number(day));
  });

function formatDate(iso, format, locale = "en-US") {
  return written(dateParts(iso), format, monthNames(locale));
}

// ---- what a control is -----------------------------------------------------------------------------------------------

function formControlShape(control) {
  return control.evaluate((element) => {
    if (element instanceof HTMLSelectElement) return "select";
    const typed = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element.isContentEditable;
    const popup = element.getAttribute("aria-haspopup") ?? "";
    if (popup === "dialog" || popup === "grid") return typed ? "text" : "other";
    if (element.getAttribute("role") === "combobox" || ["listbox", "true", "menu"].includes(popup)) return "combobox";
    if (element instanceof HTMLInputElement && element.type === "date") return "date";
    return typed ? "text" : "other";
  });
}

// ---- choosing --------------------------------------------------------------------------------------------------------

const folded = (text) => String(text).normalize("NFKC").replace(/[\u2018\u2019\u02bc]/g, "'").replace(/\s+/g, " ").trim().toLowerCase().replace(/\.$/, "");

// inWords reports whether a folded text stands in another as whole words.
const inWords = (text, part) => {
  const letter = (char) => char !== undefined && (char.toLowerCase() !== char.toUpperCase() || (char >= "0" && char <= "9"));
  for (let at = text.indexOf(part); part !== "" && at >= 0; at = text.indexOf(part, at + 1))
    if (!letter(text[at - 1]) && !letter(text[at + part.length])) return true;
  return false;
};

// chosen picks the option that is meant: by its label, else by its value, else by a whole word of its label.
const chosen = (options, wanted) => {
  const fits = [
    (option, want) => folded(option.label) === want,
    (option, want) => folded(option.value) === want,
    (option, want) => inWords(folded(option.label), want),
  ];
  for (const fit of fits) {
    const found = options.filter((option) => wanted.some((want) => want !== "" && fit(option, want)));
    if (found.length > 1) throw new FormControlFailure("option_ambiguous", { labels: found.map((option) => option.label) });
    if (found.length === 1) {
      if (found[0].disabled) throw new FormControlFailure("option_disabled", { label: found[0].label });
      return found[0];
    }
  }
  return undefined;
};

async function chooseOption(control, given, options = {}) {
  const names = Array.isArray(given) ? given : [given];
  if (names.length === 0 || !names.every((name) => typeof name === "string" && folded(name) !== "")) throw new TypeError("chooseOption takes the option's name, or several it may have");
  const until = Date.now() + (options.timeout ?? controlTimeoutMs);
  const left = () => Math.max(1, until - Date.now());
  await control.waitFor({ timeout: left() });
  const shape = await formControlShape(control);
  const wanted = names.map(folded);
  if (shape === "select") return chooseNative(control, wanted, left);
  if (shape === "combobox") return chooseListed(control, names[0], wanted, left);
  throw new FormControlFailure("control_unsupported", { shape });
}

async function chooseNative(control, wanted, left) {
  const all = await control.evaluate((select) =>
    [...select.options].map((option, index) => ({
      index,
      label: option.label.trim(),
      value: option.value,
      disabled: option.disabled || option.closest("optgroup")?.disabled === true,
    })),
  );
  const option = chosen(all, wanted);
  if (option === undefined) throw new FormControlFailure("option_missing", { labels: all.map((one) => one.label) });
  await control.selectOption({ index: option.index }, { timeout: left() });
  if ((await control.evaluate((select) => select.selectedIndex)) !== option.index) throw new FormControlFailure("not_committed");
  return { shape: "select", label: option.label, value: option.value };
}

// listboxIn runs on the control, in the page: where its open listbox is, as an index among the document's listboxes, or why there is none.
const listboxIn = (control) => {
  const root = control.getRootNode();
  const shows = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 0;
  const boxes = '[role="listbox"], [role="menu"]';
  const all = [...root.querySelectorAll(boxes)];
  for (const name of ["aria-controls", "aria-owns"])
    for (const id of (control.getAttribute(name) ?? "").split(/\s+/).filter(Boolean)) {
      const owned = root.getElementById?.(id);
      const box = owned?.matches(boxes) ? owned : owned?.querySelector(boxes);
      if (box && shows(box)) return { at: all.indexOf(box) };
    }
  const open = all.filter((one) => one.getAttribute("role") === "listbox" && shows(one));
  return open.length === 1 ? { at: all.indexOf(open[0]) } : { open: open.length };
};

// optionsIn runs in the page on a listbox and gives its options that show.
const optionsIn = (box) =>
  [...box.querySelectorAll('[role="option"], [role^="menuitem"]')].map((option, index) => ({
    index,
    shows: option.checkVisibility({ visibilityProperty: true }),
    label: (option.getAttribute("aria-label") ?? option.innerText ?? "").trim(),
    value: option.getAttribute("data-value") ?? option.getAttribute("value") ?? "",
    disabled: option.getAttribute("aria-disabled") === "true" || option.hasAttribute("disabled"),
    selected: option.getAttribute("aria-selected") === "true",
  }));

async function chooseListed(control, name, wanted, left) {
  const handle = await control.elementHandle({ timeout: left() });
  const frame = (await handle.ownerFrame()) ?? page.mainFrame();
  const state = await control.evaluate((element) => ({
    expanded: element.getAttribute("aria-expanded") === "true",
    editable: element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element.isContentEditable,
  }));
  if (!state.expanded) await control.click({ timeout: left() });
  const began = Date.now();
  const seen = [];
  let box, option;
  let typed = !state.editable;
  let idle = 0;
  for (;;) {
    const found = await control.evaluate(listboxIn);
    box = found.at === undefined ? undefined : frame.locator('[role="listbox"], [role="menu"]').nth(found.at);
    const listed = box === undefined ? [] : (await box.evaluate(optionsIn)).filter((one) => one.shows);
    option = chosen(listed, wanted);
    if (option !== undefined) break;
    if (!typed && (listed.length > 0 || Date.now() - began >= 500)) {
      typed = true;
      await control.fill(name, { timeout: left() });
    } else if (listed.length > 0) {
      const fresh = listed.filter((one) => !seen.includes(one.label));
      seen.push(...fresh.map((one) => one.label));
      const moved = await box.evaluate((one) => {
        const before = one.scrollTop;
        one.scrollTop += one.clientHeight;
        return one.scrollTop !== before;
      });
      idle = fresh.length > 0 || moved ? 0 : idle + 1;
      if (idle >= 10) throw new FormControlFailure("option_missing", { labels: seen.slice(0, 100) });
    } else if (found.open > 1) throw new FormControlFailure("listbox_missing", { open: found.open });
    if (left() <= 1) throw new FormControlFailure(box === undefined ? "listbox_missing" : "option_missing", { labels: seen.slice(0, 100) });
    await sleep(lookMs);
  }
  const chosenOne = box.locator('[role="option"], [role^="menuitem"]').nth(option.index);
  await chosenOne.scrollIntoViewIfNeeded({ timeout: left() });
  await chosenOne.click({ timeout: left() });
  const label = folded(option.label);
  for (;;) {
    const shows = folded(await control.evaluate((element) => ("value" in element ? element.value : (element.innerText ?? ""))));
    if (inWords(shows, label) || wanted.some((want) => inWords(shows, want))) break;
    const options = (await box.count()) === 1 ? await box.evaluate(optionsIn) : [];
    if (options.some((one) => one.selected && folded(one.label) === label)) break;
    if (left() <= 1) throw new FormControlFailure("not_committed", { label: option.label });
    await sleep(lookMs);
  }
  return { shape: "combobox", label: option.label, value: option.value === "" ? option.label : option.value };
}

// ---- filling a date --------------------------------------------------------------------------------------------------

async function fillDate(control, iso, format, options = {}) {
  const parts = dateParts(iso);
  const until = Date.now() + (options.timeout ?? controlTimeoutMs);
  const left = () => Math.max(1, until - Date.now());
  await control.waitFor({ timeout: left() });
  const shape = await formControlShape(control);
  if (shape === "date") {
    await control.fill(iso, { timeout: left() });
    if ((await control.inputValue()) !== iso) throw new FormControlFailure("not_committed");
    return { shape };
  }
  if (typeof format !== "string" || format.match(datePart) === null) throw new FormControlFailure("format_mismatch");
  if (shape === "other") throw new FormControlFailure("control_unsupported", { shape });
  const names = await namesInPage(control);
  if (shape === "text") {
    await fillWritten(control, written(parts, format, names), left);
    return { shape };
  }
  const single = format.match(datePart);
  if (single.length !== 1 || single[0] !== format.trim()) throw new FormControlFailure("format_mismatch");
  await chooseOption(control, partNames(parts, single[0], names), { timeout: left() });
  return { shape };
}

// namesInPage gives the names of the months in the language of the control's document, which the browser knows.
const namesInPage = (control) =>
  control.evaluate((element, english) => {
    const named = (style) => english.map((_, month) => new Intl.DateTimeFormat(element.ownerDocument.documentElement.lang || "en-US", { month: style, timeZone: "UTC" }).format(Date.UTC(2001, month, 15)));
    try {
      return { long: named("long"), short: named("short") };
    } catch {
      return { long: english, short: english.map((name) => name.slice(0, 3)) };
    }
  }, englishMonths);

// partNames are the names an option may have for one part of a date.
const partNames = ({ year, month, day }, part, names) => {
  if (part.startsWith("Y")) return part === "YY" ? [year.slice(2), year] : [year, year.slice(2)];
  const padded = part.startsWith("M") ? month : day;
  const number = Number(padded);
  const plain = String(number);
  const ending = number % 100 >= 11 && number % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  const numbers = [padded, plain, `${plain}${ending}`];
  if (part.startsWith("D")) return [...new Set(numbers)];
  const english = englishMonths[number - 1];
  return [...new Set([padded, plain, names.long[number - 1], names.short[number - 1], english, english.slice(0, 3)])];
};

async function fillWritten(control, text, left) {
  const bare = (value) => [...String(value)].filter((char) => (char >= "0" && char <= "9") || char.toLowerCase() !== char.toUpperCase()).join("").toLowerCase();
  const shown = () => control.evaluate((element) => ("value" in element ? element.value : (element.innerText ?? "")));
  const holds = async () => bare(await shown()) === bare(text);
  await control.fill(text, { timeout: left() });
  if (await holds()) return;
  // A field with a mask takes keys only, with the separators or by itself.
  for (const keys of [text, [...text].filter((char) => bare(char) !== "").join("")]) {
    await control.fill("", { timeout: left() });
    await control.pressSequentially(keys, { timeout: left() });
    if (await holds()) return;
  }
  throw new FormControlFailure("not_committed");
}
