// waitForRows, waitForValues and waitForChange: values that have arrived and stay.

class ValueWaitFailure extends Error {
  constructor(reason, message, fields) {
    super(message);
    this.name = "ValueWaitFailure";
    this.reason = reason;
    Object.assign(this, fields);
  }
}

// hold reads until judge has an answer or the cap is reached. read gives {value, problems}: what is there, and what is missing of it.
const hold = async (wait, options, cap, read, judge) => {
  const tracker = await track(options);
  let looks = 0;
  const look = async () => {
    looks += 1;
    return (await unlessReplaced(read)) ?? { value: undefined, problems: ["the page was being replaced"] };
  };
  const fail = (reason, problems) => {
    recorded(wait, tracker, looks, { reason });
    const what = problems.length > 0 ? problems.join(", ") : "the values keep changing";
    return new ValueWaitFailure(reason, `${reason} after ${tracker.elapsed()} ms: ${what}`, { problems, progress: tracker.progress() });
  };
  try {
    const before = options.action === undefined ? undefined : await look();
    await tracker.act();
    let last, since;
    for (;;) {
      const seen = await look();
      const text = JSON.stringify(seen);
      const signs = await tracker.sample(text);
      if (text !== last) [last, since] = [text, Date.now()];
      const verdict = judge({ ...seen, before, held: Date.now() - since, signs, quiet: tracker.quiet() });
      if (verdict?.reason !== undefined) throw fail(verdict.reason, seen.problems);
      if (verdict !== undefined) {
        recorded(wait, tracker, looks, {});
        return verdict;
      }
      if (tracker.elapsed() >= cap) throw fail(seen.problems.length > 0 ? "values_loading" : "values_timeout", seen.problems);
      await pause(pollMs);
    }
  } finally {
    await tracker.stop();
  }
};

async function waitForRows(rows, fields, options = {}) {
  const { count, key, stableMs = waitLimits.settle, unchangedMs = waitLimits.unchanged, timeout = waitLimits.lateFillCap } = options;
  if (!Number.isInteger(count) || count < 1) throw new TypeError("waitForRows takes count, how many rows are wanted, 1 or more");
  if (key === undefined) throw new TypeError("waitForRows takes key, what tells one row from another: a CSS selector or {selector, attribute}");
  const wanted = Object.fromEntries(Object.entries(fields ?? {}).map(([name, given]) => [name, fieldOf(given, name)]));
  const read = async () => {
    const all = await rows.evaluateAll(readShown, { key: fieldOf(key, "key"), fields: wanted });
    const keyed = all.filter((row) => row.key !== "");
    const first = keyed.slice(0, count);
    const problems = keyed.length === 0 ? ["no row has a key"] : [];
    for (const { key, values, loading } of first)
      for (const [name, { optional }] of Object.entries(wanted))
        if (loading.includes(name) || (values[name] === null && !optional)) problems.push(`${name} of the row ${key} is ${values[name] === null ? "missing" : "loading"}`);
    return { value: { rows: first.map(({ key, values }) => ({ ...values, key })), more: keyed.length > count }, problems };
  };
  return hold("waitForRows", options, timeout, read, ({ value, problems, held, signs }) => {
    if (problems.length > 0) return undefined;
    if (value.rows.length === count) return held >= stableMs ? value : undefined;
    const idle = !signs.some((sign) => sign === "loading" || sign === "busy" || sign === "request");
    return idle && held >= Math.max(stableMs, unchangedMs) ? value : undefined;
  });
}

// valueReader reads a record of locators.
const valueReader = (wait, fields) => {
  const wanted = Object.entries(fields ?? {}).map(([name, given]) => {
    const spec = typeof given?.evaluateAll === "function" ? { locator: given } : given;
    if (typeof spec?.locator?.evaluateAll !== "function") throw new TypeError(`${wait}'s field ${name} must be a locator or {locator, attribute, all, optional, placeholder}`);
    return [name, spec.locator, fieldOf({ ...spec, selector: undefined }, name), spec.all === true];
  });
  if (wanted.length === 0) throw new TypeError(`${wait} takes at least one field: { name: locator }`);
  return async () => {
    const value = {};
    const problems = [];
    for (const [name, locator, field, all] of wanted) {
      const found = await locator.evaluateAll(readShown, { fields: { value: field } });
      const texts = found.map((one) => one.values.value).filter((text) => text !== null);
      if (found.some((one) => one.loading.length > 0)) problems.push(`${name} is loading`);
      else if (texts.length === 0 && !field.optional) problems.push(`${name} is missing`);
      else if (texts.length > 1 && !all) problems.push(`${name} shows ${texts.length} times`);
      value[name] = all ? texts : (texts[0] ?? null);
    }
    return { value, problems };
  };
};

async function waitForValues(fields, options = {}) {
  const { stableMs = waitLimits.settle, timeout = waitLimits.lateFillCap } = options;
  const read = valueReader("waitForValues", fields);
  return hold("waitForValues", options, timeout, read, ({ value, problems, held }) => (problems.length === 0 && held >= stableMs ? { values: value } : undefined));
}

async function waitForChange(fields, options = {}) {
  const { before, action, stableMs = waitLimits.settle, unchangedMs = waitLimits.unchanged, noProgressMs = waitLimits.answer, timeout = waitLimits.answerCap } = options;
  const read = valueReader("waitForChange", fields);
  if (before === undefined && action === undefined) throw new TypeError("waitForChange takes before, the values to compare with, or an action that changes them");
  const names = Object.keys(fields).sort().join();
  if (before !== undefined && Object.keys(before).sort().join() !== names) throw new TypeError(`waitForChange's before must have the same fields: ${names}`);
  return hold("waitForChange", options, timeout, read, (seen) => {
    if (seen.problems.length > 0) return seen.quiet >= noProgressMs ? { reason: "change_unknown" } : undefined;
    const old = before ?? seen.before?.value ?? {};
    const changed = Object.keys(seen.value).some((name) => JSON.stringify(seen.value[name]) !== JSON.stringify(old[name]));
    const ready = changed ? seen.held >= stableMs : seen.quiet >= unchangedMs;
    return ready ? { values: seen.value, changed } : undefined;
  });
}
