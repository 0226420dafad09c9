// What all waits share: a clock, what the page shows of being at work, and how an element's text is read. Pasted into page code; what
// is passed to evaluateAll runs in the page and can use nothing of this file.

const waitLimits = Object.freeze({
  navigation: timeouts.navigation,
  action: timeouts.action,
  answer: timeouts.answer,
  answerCap: timeouts.answerCap,
  settle: timeouts.settle,
  unchanged: timeouts.unchanged,
  lateFillCap: timeouts.lateFillCap,
});

const pollMs = 100;
const flightMs = 10_000;
const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

// pageReplaced tells a read that a navigation cut short from one that failed.
const pageReplaced = (error) => /context was destroyed|cannot find context|navigated or closed|frame was detached/i.test(String(error?.message));

// unlessReplaced gives what a read gives, undefined when the page was replaced under it.
const unlessReplaced = async (read) => {
  try {
    return await read();
  } catch (error) {
    if (pageReplaced(error)) return undefined;
    throw error;
  }
};

// probe runs in the page: it counts the changes under the roots since the wait began and the generic signs of loading that show.
const probe = (roots, { slot, watch }) => {
  const symbol = Symbol.for(slot);
  let state = globalThis[symbol];
  const fresh = state === undefined;
  if (fresh) {
    state = { changes: 0, watched: new WeakSet() };
    state.observer = new MutationObserver((records) => {
      state.changes += records.length;
    });
    Object.defineProperty(globalThis, symbol, { value: state, configurable: true });
  }
  state.changes += state.observer.takeRecords().length;
  for (const root of watch ? roots : []) {
    if (state.watched.has(root)) continue;
    state.watched.add(root);
    state.observer.observe(root, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ["class", "hidden", "aria-busy", "aria-hidden", "src", "value", "disabled"],
    });
  }
  const generic = '[aria-busy="true"], [role="progressbar"], [class*="skeleton" i], [class*="shimmer" i], [class*="spinner" i]';
  let signs = 0;
  for (const root of roots.length > 0 ? roots : [document.documentElement])
    for (const one of [root, ...root.querySelectorAll(generic)]) if (one.matches(generic) && one.checkVisibility({ visibilityProperty: true })) signs += 1;
  return { fresh, changes: state.changes, signs };
};

// forget runs in the page and takes away what probe left there.
const forget = (_, slot) => {
  const symbol = Symbol.for(slot);
  globalThis[symbol]?.observer?.disconnect();
  delete globalThis[symbol];
  delete globalThis[Symbol.for(`${slot} marks`)];
};

const hostOf = (address) => {
  try {
    return new URL(address).hostname;
  } catch {
    return "";
  }
};

// siteOf is the part of a host that its site's other hosts share.
const siteOf = (host) => (/^[\d.]+$|:/.test(host) ? host : host.split(".").slice(-2).join("."));

let waitsBegun = 0;

// track watches the page for one wait. Requests that were in flight when it began are not seen.
const track = async ({ action, loading, region, siteDomain }) => {
  const slot = `pomerado wait ${++waitsBegun} ${Math.random().toString(36).slice(2)}`;
  const scope = region ?? page.locator(":root");
  const flights = new Map();
  const repeats = new Map();
  let events = 0;
  const began = (request) => {
    if (!["document", "xhr", "fetch"].includes(request.resourceType())) return;
    const host = hostOf(request.url());
    const site = siteDomain ?? siteOf(hostOf(page.url()));
    if (host !== site && !host.endsWith(`.${site}`)) return;
    const place = `${request.method()} ${request.url().split(/[?#]/)[0]}`;
    const times = (repeats.get(place) ?? 0) + 1;
    repeats.set(place, times);
    if (times > 2) return; // a page that polls is not getting anywhere
    flights.set(request, Date.now());
    events += 1;
  };
  const ended = (request) => {
    if (flights.delete(request)) events += 1;
  };
  page.on("request", began);
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);

  const look = () => unlessReplaced(() => scope.evaluateAll(probe, { slot, watch: region !== undefined }));
  const seen = new Map();
  let last = { events, url: page.url(), page: await look(), reads: undefined };
  let signsBefore = last.page?.signs ?? 0;

  return {
    slot,
    signs: seen,
    startedAt: Date.now(),
    progressAt: Date.now(),
    // act does the wait's action, once; the budgets begin when it has returned.
    async act() {
      if (action === undefined) return;
      await action();
      this.startedAt = this.progressAt = Date.now();
    },
    // sample takes the wait's own reads and gives the signs of progress since the sample before.
    async sample(reads) {
      const now = { events, url: page.url(), page: await look(), reads };
      const signs = [];
      if (loading !== undefined && ((await unlessReplaced(() => loading.filter({ visible: true }).count())) ?? 0) > 0) signs.push("loading");
      if (now.page === undefined || (now.page.fresh && last.page !== undefined)) signs.push("page replaced");
      else {
        if (last.page !== undefined && now.page.changes !== last.page.changes) signs.push("change");
        if (now.page.signs !== signsBefore || now.page.signs !== last.page?.signs) signs.push("busy");
      }
      const young = [...flights.values()].some((at) => Date.now() - at < flightMs);
      if (young || now.events !== last.events) signs.push("request");
      if (now.url !== last.url) signs.push("address");
      if (last.reads !== undefined && now.reads !== last.reads) signs.push("reads");
      last = now;
      if (signs.length > 0) this.progressAt = Date.now();
      for (const sign of signs) seen.set(sign, (seen.get(sign) ?? 0) + 1);
      return signs;
    },
    elapsed() {
      return Date.now() - this.startedAt;
    },
    // quiet is how long nothing has moved.
    quiet() {
      return Date.now() - this.progressAt;
    },
    progress: () => [...seen].map(([sign, count]) => ({ sign, count })),
    async stop(places = []) {
      page.off("request", began);
      page.off("requestfinished", ended);
      page.off("requestfailed", ended);
      for (const place of [scope, ...places]) {
        try {
          await place.evaluateAll(forget, slot);
        } catch {} // the page that held it is gone, and it with it
      }
    },
  };
};

const report = [];
const waitReport = () => report.map((record) => ({ ...record, progress: [...record.progress] }));
const recorded = (wait, tracker, looks, end) => {
  const { reason, outcome } = end;
  const how = reason ?? (outcome === undefined ? "ready" : `saw ${outcome}`);
  const progress = tracker.progress();
  const moved = progress.length === 0 ? "nothing moved" : `moved: ${progress.map(({ sign }) => sign).join(", ")}`;
  const elapsedMs = tracker.elapsed();
  report.push({ wait, ...end, elapsedMs, looks, progress, summary: `${wait}: ${how} after ${elapsedMs} ms and ${looks} looks; ${moved}` });
};

// readShown runs in the page: one row per element that shows, with its key and fields. A field is {selector?, attribute?, placeholder?:
// [source, flags]}; its value is null when nothing is there, and its name is in loading while the page still fills it.
// A marker is a selector that makes a row marked when it shows in it.
const readShown = (elements, { key, fields, marker }) => {
  const shown = (element) => {
    const style = getComputedStyle(element);
    if (style.display === "contents") return [...element.children].some(shown) || (element.textContent ?? "").trim() !== "";
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };
  const textOf = (element) => {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value.trim();
    if (element instanceof HTMLSelectElement) return (element.selectedOptions[0]?.label ?? "").trim();
    return (element.innerText ?? element.textContent ?? "").trim();
  };
  const within = (row, selector) => (selector === undefined || selector === ":scope" ? [row] : [...row.querySelectorAll(selector)]);
  const busy = (element, row) => {
    for (let at = element, steps = 0; at !== null && steps <= 8; at = at.parentElement, steps += 1) {
      if (at.matches('[aria-busy="true"], [class*="skeleton" i], [class*="shimmer" i]')) return true;
      if (at === row) return false;
    }
    return false;
  };
  const words = /^(loading|updating|calculating|fetching|searching|please wait)\b/i;
  const read = (row, { selector, attribute, placeholder }) => {
    const there = within(row, selector);
    const one = there.find(shown) ?? (attribute === undefined ? undefined : there[0]);
    if (one === undefined) return { text: null, loading: false };
    const text = attribute === undefined ? textOf(one) : one.getAttribute(attribute)?.trim();
    if (text === undefined) return { text: null, loading: false };
    const waits = placeholder !== undefined && new RegExp(placeholder[0], placeholder[1].replace(/[gy]/g, "")).test(text);
    return { text, loading: text === "" || words.test(text) || /^[.\u2026\s]+$/.test(text) || waits || busy(one, row) };
  };
  const out = [];
  for (const row of elements) {
    if (!shown(row)) continue;
    const one = { key: key === undefined ? "" : (read(row, key).text ?? ""), values: {}, loading: [] };
    if (marker !== undefined) one.marked = within(row, marker).some(shown);
    for (const [name, field] of Object.entries(fields)) {
      const { text, loading } = read(row, field);
      one.values[name] = text;
      if (loading) one.loading.push(name);
    }
    out.push(one);
  }
  return out;
};

const fieldOf = (given, name) => {
  const field = typeof given === "string" ? { selector: given } : given;
  if (typeof field !== "object" || field === null) throw new TypeError(`The field ${name} must be a CSS selector or {selector, attribute, optional, placeholder}`);
  const { selector, attribute, optional = false, placeholder } = field;
  return { selector, attribute, optional, placeholder: placeholder === undefined ? undefined : [placeholder.source, placeholder.flags] };
};
