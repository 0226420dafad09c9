// pagerOpen, pagerMore and pagerNext: a list of any make, a segment at a time. A segment is a page of the list where a step shows other
// rows, and what the step added where it adds rows. How the list pages is seen from what its first step does.

const pagerSlot = Symbol.for("pomerado pager");

const pagerOf = () => {
  const pager = globalThis[pagerSlot];
  if (pager === undefined) throw new Error("the list is not open: the call with pagerOpen comes first");
  return pager;
};

async function pagerOpen(spec, position, { rows = Infinity, start } = {}) {
  const pager = { spec, page: 1, steps: 0, adds: undefined, rows: [], shown: new Set(), known: new Set(), total: null, next: false, ahead: undefined, entry: "" };
  globalThis[pagerSlot] = pager;
  await start?.(); // a link alone may miss what the way to it left in the session
  await taken(pager, await settledRows(spec));
  pager.entry = page.url();
  const { page: at = 1, steps = at - 1, href } = position ?? {};
  if (href !== undefined) {
    const response = await page.goto(href, { waitUntil: "domcontentloaded", timeout: waitLimits.navigation });
    if (response !== null && (response.status() === 404 || response.status() === 410)) return null;
    pager.page = at;
    pager.adds = false;
    pager.known.clear();
    await taken(pager, await settledRows(spec));
  } else {
    for (let left = steps; left > 0; left -= 1) {
      if (await step(pager, at > 2 && pager.page === 1 ? at : undefined)) {
        if (pager.page === at && position.page !== undefined) break;
        continue;
      }
      break; // the list has become shorter
    }
  }
  await lookAhead(pager);
  return segment(pager, 0, rows);
}

function pagerMore({ have, rows }) {
  return segment(pagerOf(), have, have + rows);
}

async function pagerNext({ rows = Infinity } = {}) {
  const pager = pagerOf();
  if (!pager.next || !(await step(pager))) return null;
  await lookAhead(pager);
  return segment(pager, 0, rows);
}

const segment = (pager, from, to) => ({
  rows: pager.rows.slice(from, to),
  at: pager.adds === true ? { steps: pager.steps } : { page: pager.page, ...linkOf(pager) },
  more: pager.rows.length > to,
  next: pager.next,
  total: pager.total,
});

// linkOf is the address of a later page, unless the page has none of its own or it holds what is not for keeping.
const linkOf = (pager) => {
  const address = page.url();
  if (pager.page === 1 || address === pager.entry || address.length > 1024 || !/^https?:/.test(address)) return {};
  const link = new URL(address);
  if (link.username !== "" || link.password !== "" || /;\s*(jsessionid|phpsessid|sid)=/i.test(link.pathname)) return {};
  const names = [...link.searchParams.keys()];
  const secret = /sess|^sid$|token|auth|^jwt$|passw|secret|signature|^sig$|api.?key|csrf|xsrf|nonce|credential|^code$|otp/i;
  return names.some((name) => secret.test(name)) || (link.hash.includes("=") && secret.test(link.hash)) ? {} : { href: address };
};

// ---- rows ------------------------------------------------------------------------------------------------------------

const rowSpec = ({ key, fields, promoted }) => ({
  key: fieldOf(key, "key"),
  fields: Object.fromEntries(Object.entries(fields).map(([name, given]) => [name, fieldOf(given, name)])),
  marker: promoted,
});

const readRowsOf = (spec) => unlessReplaced(() => page.locator(spec.rows).evaluateAll(readShown, rowSpec(spec)));

// settledRows waits until rows are there and stay as they are; with the keys before a step, until there are others. undefined is a step
// that changed nothing.
const settledRows = async (spec, before) => {
  const began = Date.now();
  const cap = before === undefined ? waitLimits.lateFillCap : waitLimits.answer;
  let last, since;
  let empties = 0;
  for (;;) {
    const rows = ((await readRowsOf(spec)) ?? []).filter((row) => row.key !== "");
    const text = JSON.stringify(rows);
    if (text !== last) [last, since] = [text, Date.now()];
    const held = Date.now() - since;
    const fresh = before === undefined ? rows.length > 0 : rows.some((row) => !before.has(row.key));
    const loading = rows.some((row) => row.loading.length > 0);
    if (fresh && held >= (loading ? waitLimits.unchanged : waitLimits.settle)) return rows;
    if (before === undefined && rows.length === 0 && spec.empty !== undefined) {
      const count = await unlessReplaced(() => page.locator(spec.empty).filter({ visible: true }).count());
      empties = (count ?? 0) > 0 ? empties + 1 : 0;
      if (empties >= 2) return rows;
    }
    if (Date.now() - began >= cap) {
      if (before !== undefined) return fresh ? rows : undefined;
      if (rows.length > 0) return rows;
      throw new Error(`no row of the list (${spec.rows}) showed within ${cap} ms`);
    }
    await pause(pollMs);
  }
};

// taken makes the rows that show the pager's segment.
const taken = async (pager, rows, adds = false) => {
  const { spec } = pager;
  const own = adds ? rows.filter((row) => !pager.shown.has(row.key)) : rows;
  const organic = new Set(own.filter((row) => row.marked !== true).map((row) => row.key));
  const kept = own.filter((row) => row.marked !== true || !organic.has(row.key)); // a sponsored copy beside the row itself
  pager.rows = kept.map(({ key, values, marked }) => ({ ...values, key, promoted: marked === true }));
  pager.shown = new Set(rows.map((row) => row.key));
  for (const { key } of rows) pager.known.add(key);
  if (spec.total !== undefined) {
    const seen = await unlessReplaced(() => page.locator(spec.total).evaluateAll(readShown, { fields: { total: {} } }));
    pager.total = totalIn(seen?.[0]?.values.total ?? "") ?? pager.total;
  }
};

// totalIn reads how many results a text counts: "132 items", "1–20 of 1,204".
const totalIn = (text) => {
  const numbers = [...text.matchAll(/\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+(?!\d)|\d+/g)].map((found) => ({ value: Number(found[0].replace(/\D/g, "")), at: found.index }));
  if (numbers.length === 0) return null;
  const of = /\b(of|von|sur|de|di|van|av|af|z)\s*$|\/\s*$/i;
  const told = numbers.find(({ at }) => of.test(text.slice(0, at)));
  return (told ?? numbers.reduce((most, one) => (one.value > most.value ? one : most))).value;
};

// ---- steps -----------------------------------------------------------------------------------------------------------

// controlIn runs in the page and gives the control that leads on from the rows: the tool's own, a Next, a Load more, or a page's number.
const controlIn = ({ spec, to }) => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 0;
  const off = (one) =>
    one.disabled === true || one.getAttribute("aria-disabled") === "true" || /(^|[\s_-])disabled($|\s)/.test(`${one.getAttribute("class") ?? ""} ${one.closest("li")?.getAttribute("class") ?? ""}`);
  const usable = (one) => shown(one) && !off(one);
  const rows = [...document.querySelectorAll(spec.rows)];
  for (const own of [spec.next, spec.more])
    if (own !== undefined) return [...document.querySelectorAll(own)].find(usable) ?? null;
  const box = (spec.list === undefined ? null : document.querySelector(spec.list)) ?? rows[0]?.parentElement ?? document.body;
  const all = [...document.querySelectorAll('a, button, [role="button"], [role="link"], input[type="button"], input[type="submit"]')].filter(
    (one) => usable(one) && !rows.some((row) => row.contains(one)),
  );
  const label = (one) => (one.getAttribute("aria-label") ?? (one.innerText?.trim() || one.value || one.title || "")).replace(/\s+/g, " ").trim().toLowerCase();
  const next = /^(next( page| results?)?|older\b.*|weiter|n\u00e4chste( seite)?|(page )?suivante?|siguiente|avanti|successiv[oa]|volgende|pr\u00f3xim[oa]|n\u00e4sta|n\u00e6ste|neste)\W*$|^[\u203a\u00bb>\u2192\u276f]+$/;
  const more = /^(load|show|view|see)( \d+| some| all)? (more|older)\b|^more (results|items|entries)\b|^(mehr|weitere)( \S+)? (laden|anzeigen)|^mehr (laden|anzeigen)|^(voir|afficher|charger) plus|^(ver|cargar|mostrar) m\u00e1s|^(carica|mostra) altr/;
  const number = (one) => /^(page )?\d+$/.test(label(one));
  const depth = (one) => {
    let shared = one;
    while (shared !== null && !shared.contains(box)) shared = shared.parentElement;
    let steps = 0;
    for (let at = shared; at !== null; at = at.parentElement) steps += 1;
    return steps;
  };
  const nearest = (found) => {
    let best = null;
    for (const one of found) if (best === null || depth(one) > depth(best)) best = one;
    return best;
  };
  const numbered = (wanted) => {
    const numbers = all.filter(number);
    return numbers.length === 0 ? null : nearest(numbers.filter((one) => label(one).replace("page ", "") === String(wanted)));
  };
  if (to.jump) return numbered(to.page);
  const relation = all.filter((one) => one.getAttribute("rel")?.split(/\s+/).includes("next"));
  return nearest(relation) ?? nearest(all.filter((one) => next.test(label(one)))) ?? nearest(all.filter((one) => more.test(label(one)))) ?? numbered(to.page);
};

const controlOf = async (pager, to) => {
  const handle = await unlessReplaced(() => page.evaluateHandle(controlIn, { spec: pager.spec, to }));
  return handle?.asElement() ?? undefined;
};

// step goes on by one segment, or straight to a page's number when one is given and shows. It says whether other rows came.
const step = async (pager, jump) => {
  if (pager.ahead !== undefined) {
    const rows = pager.ahead;
    pager.ahead = undefined;
    return arrived(pager, rows, pager.page + 1);
  }
  let control = jump === undefined ? undefined : await controlOf(pager, { page: jump, jump: true });
  const target = control === undefined ? pager.page + 1 : jump;
  if (control === undefined) control = await controlOf(pager, { page: pager.page + 1, jump: false });
  if (control === undefined) {
    const rows = await scrolled(pager);
    return rows === undefined ? false : arrived(pager, rows, target);
  }
  const address = await control.evaluate((one) => (one instanceof HTMLAnchorElement && one.target === "_blank" ? one.href : ""));
  if (address !== "") await page.goto(address, { waitUntil: "domcontentloaded", timeout: waitLimits.navigation });
  else await control.click({ timeout: waitLimits.action });
  const rows = await settledRows(pager.spec, pager.shown);
  return rows === undefined ? false : arrived(pager, rows, target);
};

const arrived = async (pager, rows, target) => {
  const keys = new Set(rows.map((row) => row.key));
  if (pager.adds === undefined) pager.adds = [...pager.shown].filter((key) => keys.has(key)).length * 2 >= pager.shown.size;
  if (pager.adds) pager.steps += 1;
  else pager.page = target;
  await taken(pager, rows, pager.adds);
  return true;
};

// lookAhead finds out whether there is more: a control that is gone or off ends the list only when it stays so, and a list without one
// is scrolled once.
const lookAhead = async (pager) => {
  const to = { page: pager.page + 1, jump: false };
  pager.next = (await controlOf(pager, to)) !== undefined;
  if (pager.next || (pager.total !== null && pager.known.size >= pager.total) || pager.rows.length === 0) return;
  await pause(waitLimits.settle);
  pager.next = (await controlOf(pager, to)) !== undefined;
  if (pager.next || pager.adds === false) return;
  pager.ahead = await scrolled(pager);
  pager.next = pager.ahead !== undefined;
};

// scrolled brings the end of the list into view and gives the rows once there are others.
const scrolled = async (pager) => {
  const moved = await unlessReplaced(() =>
    page.locator(pager.spec.rows).evaluateAll((rows) => {
      const last = rows[rows.length - 1];
      let could = document.documentElement.scrollHeight > innerHeight + 1;
      for (let at = last?.parentElement; at; at = at.parentElement) could ||= at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY);
      if (!could) return false;
      last?.scrollIntoView({ block: "end" });
      scrollTo(scrollX, document.documentElement.scrollHeight);
      return true;
    }),
  );
  if (moved !== true) return undefined;
  for (const until = Date.now() + waitLimits.unchanged; Date.now() < until; await pause(pollMs)) {
    const rows = (await readRowsOf(pager.spec)) ?? [];
    if (rows.some((row) => row.key !== "" && !pager.shown.has(row.key))) return settledRows(pager.spec, pager.shown);
  }
  return undefined;
};
