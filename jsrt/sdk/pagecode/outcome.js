// waitForOutcome: which of several answers the page gives.

class OutcomeWaitFailure extends Error {
  constructor(reason, message, fields) {
    super(message);
    this.name = "OutcomeWaitFailure";
    this.reason = reason;
    Object.assign(this, fields);
  }
}

// lookAtOutcome runs in the page: how many elements there are, how many show, and how many of those are new or changed since the mark.
const lookAtOutcome = (elements, { slot, mark }) => {
  const shown = (element) => {
    if (getComputedStyle(element).display === "contents") return [...element.children].some(shown) || (element.textContent ?? "").trim() !== "";
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };
  const symbol = Symbol.for(`${slot} marks`);
  let marks = globalThis[symbol];
  if (marks === undefined) {
    marks = new WeakMap();
    Object.defineProperty(globalThis, symbol, { value: marks, configurable: true });
  }
  const visible = elements.filter(shown);
  let changed = 0;
  for (const element of visible) {
    const text = element.innerText ?? element.textContent ?? "";
    if (mark) marks.set(element, text);
    else if (marks.get(element) !== text) changed += 1;
  }
  return { count: elements.length, visible: visible.length, changed };
};

async function waitForOutcome(outcomes, options = {}) {
  const names = Object.keys(outcomes ?? {});
  if (names.length === 0) throw new TypeError("waitForOutcome takes at least one answer to wait for: { name: locator }");
  const { action, noProgressMs = waitLimits.answer, timeout = waitLimits.answerCap, unchangedMs = waitLimits.unchanged } = options;
  const tracker = await track(options);
  let looks = 0;
  const look = async (mark = false) => {
    looks += 1;
    return unlessReplaced(async () => {
      const out = {};
      for (const name of names) {
        const { count, visible, changed } = await outcomes[name].evaluateAll(lookAtOutcome, { slot: tracker.slot, mark });
        out[name] = action === undefined ? { count, visible } : { count, visible, changed };
      }
      return out;
    });
  };
  // The first answer listed that shows. One that showed before the action counts once the action has had time to change it.
  const pick = (seen) =>
    seen && names.find((name) => seen[name].visible > 0 && (action === undefined || seen[name].changed > 0 || tracker.elapsed() >= unchangedMs));
  const fail = (reason, message, seen, extra = {}) => {
    recorded("waitForOutcome", tracker, looks, { reason, ...extra });
    return new OutcomeWaitFailure(reason, message, { observations: seen ?? {}, progress: tracker.progress(), ...extra });
  };
  try {
    await look(true);
    await tracker.act();
    for (;;) {
      let seen = await look();
      let signs = await tracker.sample(JSON.stringify(seen));
      const winner = pick(seen);
      if (winner !== undefined) {
        const again = await look();
        if (pick(again) === winner && again[winner].visible === seen[winner].visible) {
          if (again[winner].visible > 1)
            throw fail("outcome_ambiguous", `outcome_ambiguous: ${again[winner].visible} elements show for the answer ${winner}; name one with a stricter locator`, again, { outcome: winner });
          recorded("waitForOutcome", tracker, looks, { outcome: winner });
          return winner;
        }
        seen = again;
      } else if (tracker.quiet() >= noProgressMs) {
        seen = await look();
        signs = await tracker.sample(JSON.stringify(seen));
        if (signs.length === 0 && pick(seen) === undefined)
          throw fail("outcome_unknown", `outcome_unknown after ${tracker.elapsed()} ms: none of ${names.join(", ")} shows, and the page does nothing more`, seen);
      }
      if (tracker.elapsed() >= timeout)
        throw fail("outcome_timeout", `outcome_timeout after ${tracker.elapsed()} ms: none of ${names.join(", ")} shows for sure while the page is still at work`, seen);
      await pause(pollMs);
    }
  } finally {
    await tracker.stop(Object.values(outcomes));
  }
}
