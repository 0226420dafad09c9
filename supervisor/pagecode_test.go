package supervisor_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
)

// example is one of the tools that the tests of the contract worker bundle.
func example(t testing.TB, name string) operation {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "workers", "contract", "testdata", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return operation{source: string(text)}
}

func withInput(input string) func(*supervisor.Request) {
	return func(r *supervisor.Request) { r.Input = json.RawMessage(input) }
}

func reading(r *supervisor.Request) { r.Effect = outcome.Read }

// pageCode is a tool whose only call shows html and runs code with one of the exports of page code before it.
func pageCode(export, html, code string) operation {
	shown, err := json.Marshal(html)
	if err != nil {
		panic(err)
	}
	return operation{source: fmt.Sprintf(`import { defineOperation, %[1]s } from "pomerado/runtime";
export default defineOperation({ name: "tool", input: {}, output: {} }, async ({ kernel, sessionId, errors }) => {
  const reply = await kernel.browsers.playwright.execute(sessionId, { timeout_sec: 60, code: %[1]s + %[3]s });
  if (!reply.success) throw new errors.OperationFailure(reply.error, { stderr: reply.stderr });
  return reply.result;
});`, export, shown, quoted("\nawait page.setContent("+string(shown)+");\n"+
		"const said = async (f) => { try { return await f(); } catch (e) { return `${e.name}: ${e.reason ?? e.message}`; } };\n"+code))}
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// wantJSON compares an answer by its values.
func wantJSON(t testing.TB, out supervisor.Outcome, want string) {
	t.Helper()
	if out.Status != outcome.Completed {
		t.Fatalf("the run failed: %s (%+v)", out.Error, out.Details)
	}
	var got, wanted any
	if err := json.Unmarshal(out.Output, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFormIsFilledAndItsAnswerRead(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	search := example(t, "2-form-search.js")
	for _, tt := range []struct{ input, want string }{
		{`{"island":"Skye","season":"summer","travel_class":"cabin","day":"2026-07-04"}`,
			`{"applied":"Skye | Summer | Cabin | 2026-07-04","sailings":[{"id":"s1","ship":"Gannet","fare_minor":1250},{"id":"s2","ship":"Fulmar","fare_minor":900},{"id":"s3","ship":"Kittiwake","fare_minor":null}]}`},
		{`{"island":"Rockall","season":"winter","day":"2026-12-31"}`, `{"applied":"Rockall | Winter | Deck | 2026-12-31","sailings":[]}`},
	} {
		wantJSON(t, search.execute(t, s, at.URL, reading, withInput(tt.input)), tt.want)
	}
	refused := search.execute(t, s, at.URL, reading, withInput(`{"island":"Nowhere","season":"spring","day":"2026-01-02"}`))
	wantFailed(t, refused, outcome.InputRejected, "", "We do not sail to Nowhere")
	for _, day := range []string{"2026-02-30", "soon"} {
		bad := search.execute(t, s, at.URL, reading, withInput(`{"island":"Skye","season":"spring","day":"`+day+`"}`))
		wantFailed(t, bad, outcome.InputRejected, "", "day")
	}
}

func TestControlsOfAllMakes(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	const html = `<html lang="de"><body>
<select aria-label="s"><option>One</option><option value="b">Two items</option><optgroup disabled label="g"><option>Three</option></optgroup><option>Four days</option><option>Four weeks</option><option>Don’t care.</option></select>
<input aria-label="d" type="date"><input aria-label="t"><div aria-label="o">x</div><input aria-label="masked">
<select aria-label="m"><option>Januar</option><option>Juli</option></select><select aria-label="day"><option>1st</option><option>2nd</option><option>4th</option></select>
<input aria-label="city" role="combobox" aria-controls="cities" aria-expanded="false"><ul id="cities" role="listbox" hidden></ul>
<div aria-label="stuck" role="combobox" tabindex="0" aria-controls="sl">none</div><ul id="sl" role="listbox"><li role="option">Sun</li><li role="option" aria-disabled="true">Moon</li></ul>
<script>
const by = (n) => document.querySelector('[aria-label="' + n + '"]');
by("masked").addEventListener("input", (e) => { if (e.inputType !== "insertText") { e.target.value = ""; return; }
  const d = e.target.value.replace(/\D/g, ""); e.target.value = [d.slice(0, 2), d.slice(2, 4), d.slice(4, 8)].filter(Boolean).join("."); });
const all = ["Aachen", "Bonn", "Ulm"], list = document.getElementById("cities");
by("city").addEventListener("input", (e) => setTimeout(() => { list.hidden = false;
  list.innerHTML = all.filter((c) => c.toLowerCase().startsWith(e.target.value.toLowerCase())).map((c) => '<li role="option">' + c + '</li>').join(""); }, 50));
list.addEventListener("click", (e) => { by("city").value = e.target.textContent; list.hidden = true; });
</script></body></html>`
	wantJSON(t, pageCode("formControlsCode", html, `
const by = (name) => page.getByLabel(name, { exact: true });
const pick = (name, wanted, timeout = 1500) => said(() => chooseOption(by(name), wanted, { timeout }));
const date = async (name, iso, format) => { const shape = await said(() => fillDate(by(name), iso, format)); return [shape, await by(name).evaluate((e) => e.value)]; };
return {
  shapes: await Promise.all(["s", "d", "t", "o", "city", "stuck"].map((n) => formControlShape(by(n)))),
  label: await pick("s", "one"), value: await pick("s", "B"), word: await pick("s", "items"), quote: await pick("s", ["nothing", "don't care"]),
  disabled: await pick("s", "Three"), ambiguous: await pick("s", "Four"), missing: await pick("s", "Five"),
  typed: await pick("city", "Bonn"), city: await by("city").inputValue(), unlisted: await pick("city", "Paris", 2500),
  other: await pick("o", "x"), stuck: await pick("stuck", "Sun"), off: await pick("stuck", "Moon"),
  date: await date("d", "2026-07-04", "DD/MM/YYYY"), text: await date("t", "2026-07-04", "D. MMMM YY"), masked: await date("masked", "2026-07-04", "DD.MM.YYYY"),
  month: await date("m", "2026-07-04", "MMM"), day: await date("day", "2026-07-04", "DD"), whole: await date("m", "2026-07-04", "MM/YYYY"), never: await date("d", "2026-02-30", "D"),
  written: formatDate("2026-03-09", "MMM D, YYYY (MM-DD-YY)"),
};`).execute(t, s, at.URL, reading), `{
"shapes":["select","date","text","other","combobox","combobox"],
"label":{"shape":"select","label":"One","value":"One"},"value":{"shape":"select","label":"Two items","value":"b"},"word":{"shape":"select","label":"Two items","value":"b"},
"quote":{"shape":"select","label":"Don’t care.","value":"Don’t care."},
"disabled":"FormControlFailure: option_disabled","ambiguous":"FormControlFailure: option_ambiguous","missing":"FormControlFailure: option_missing",
"typed":{"shape":"combobox","label":"Bonn","value":"Bonn"},"city":"Bonn","unlisted":"FormControlFailure: option_missing",
"other":"FormControlFailure: control_unsupported","stuck":"FormControlFailure: not_committed","off":"FormControlFailure: option_disabled",
"date":[{"shape":"date"},"2026-07-04"],"text":[{"shape":"text"},"4. Juli 26"],"masked":[{"shape":"text"},"04.07.2026"],
"month":[{"shape":"select"},"Juli"],"day":[{"shape":"select"},"4th"],"whole":["FormControlFailure: format_mismatch","Juli"],"never":["FormControlFailure: date_invalid","2026-07-04"],
"written":"Mar 9, 2026 (03-09-26)"}`)
}

func TestVisibleTextIsWhatAReaderSees(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	const html = `<style>.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0); } .out { position: absolute; left: -9999px; }</style>
<p id="one"> A <b>bold</b><br>line<span hidden>no</span><script>1</script> <span style="display:none">no</span><span style="visibility:hidden">no</span><span class="sr">for readers</span><span aria-hidden="true">★</span></p>
<p class="twice">x</p><p class="twice">y</p><p class="twice" hidden>z</p><p id="gone" hidden>z</p><p class="out">away</p><p id="clear" style="opacity:0">c</p>
<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table><div id="contents" style="display:contents">inside</div>
<my-card>slotted</my-card><p id="long">` + "abcdefghij" + `</p>
<ul><li data-id="1"><i>one</i><u> 5 € </u></li><li data-id="2" hidden><i>two</i></li><li data-id="3"><i>three</i><u hidden>9</u></li></ul>
<script>document.querySelector("my-card").attachShadow({ mode: "open" }).innerHTML = "<div>before</div><slot></slot>";</script>`
	wantJSON(t, pageCode("visibleTextCode", html, `
const text = (selector, options) => said(() => visibleText(page.locator(selector), options));
const rows = (fields, options) => said(() => readRows(page.locator("li"), fields, options));
return {
  one: await text("#one"), lines: await text("#one", { lines: true }), accessible: await text("#one", { as: "accessible" }),
  none: await text("#none"), hidden: await text("#gone"), out: await text(".out"), spoken: await text(".out", { as: "accessible" }), clear: await text("#clear"), twice: await text(".twice"), all: await visibleTexts(page.locator(".twice")),
  table: await text("table"), contents: await text("#contents"), slotted: await text("my-card"), long: await text("#long", { maxLength: 9 }), fits: await text("#long", { maxLength: 10 }),
  rows: await rows({ id: { selector: ":scope", attribute: "data-id" }, name: "i", price: "u" }), second: await rows({ name: "i" }, { from: 1, limit: 1 }),
  required: await rows({ price: { selector: "u", required: true } }), nothing: await readRows(page.locator("ol li"), { name: "i" }),
};`).execute(t, s, at.URL, reading), `{
"one":"A bold line ★","lines":"A bold\nline ★","accessible":"A bold line for readers",
"none":"VisibleTextFailure: not_found","hidden":"VisibleTextFailure: hidden_only","out":"VisibleTextFailure: hidden_only","spoken":"away","clear":"VisibleTextFailure: hidden_only","twice":"VisibleTextFailure: ambiguous","all":["x","y"],
"table":"a b c d","contents":"inside","slotted":"before slotted","long":"VisibleTextFailure: too_long","fits":"abcdefghij",
"rows":[{"id":"1","name":"one","price":"5 €"},{"id":"3","name":"three","price":null}],"second":[{"name":"three"}],
"required":"VisibleTextFailure: not_found","nothing":[]}`)
}

func TestWaitsEndByWhatThePageShows(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	const html = `<div id="out"></div><p class="old">old</p><p class="pair">a</p><p class="pair">b</p><div id="list"></div><output id="sum">Loading…</output><output id="same">7</output>
<script>
const out = document.getElementById("out"), list = document.getElementById("list"), sum = document.getElementById("sum");
const later = (ms, f) => setTimeout(f, ms);
window.ask = () => { out.innerHTML = '<i class="spinner">…</i>'; later(1500, () => { out.innerHTML = '<p class="fresh">new</p>'; }); };
window.fill = () => { list.innerHTML = '<p data-k="1"><b>…</b></p><p data-k="2"><b>two</b></p><p data-k=""><b>none</b></p>'; later(400, () => { list.querySelector("b").textContent = "one"; }); };
window.add = () => { sum.textContent = "Updating"; later(300, () => { sum.textContent = "12"; }); };
window.tick = () => { window.ticking = setInterval(() => { out.dataset.n = "1"; out.className = "n" + Math.random(); }, 50); };
</script>`
	out := pageCode("waitCode", html, `
const run = (name) => () => page.evaluate((n) => window[n](), name);
const p = (selector) => page.locator(selector);
const ends = [];
ends.push(await waitForOutcome({ fresh: p(".fresh"), old: p(".old") }));
ends.push(await waitForOutcome({ old: p(".old"), fresh: p(".fresh") }, { action: run("ask"), noProgressMs: 1000 }));
ends.push(await waitForOutcome({ fresh: p(".fresh"), none: p(".none") }, { action: run("ask"), region: p("#out"), noProgressMs: 600 }));
ends.push(await said(() => waitForOutcome({ pair: p(".pair"), old: p(".old") })));
ends.push(await said(() => waitForOutcome({ none: p(".none") }, { noProgressMs: 300 })));
ends.push(await said(() => waitForOutcome({ none: p(".none") }, { action: run("tick"), region: p("#out"), noProgressMs: 300, timeout: 900 })));
await page.evaluate(() => clearInterval(window.ticking));
ends.push(await said(() => waitForOutcome({})));
const rows = await waitForRows(p("#list p"), { text: "b", note: { selector: "u", optional: true } }, { count: 2, key: { attribute: "data-k" }, action: run("fill"), unchangedMs: 800 });
const one = await waitForRows(p("#list p"), { text: "b" }, { count: 1, key: { attribute: "data-k" } });
const few = await waitForRows(p("#list p"), { text: "b" }, { count: 9, key: { attribute: "data-k" }, unchangedMs: 500 });
const none = await said(() => waitForRows(p("#list u"), { text: "b" }, { count: 1, key: "b", timeout: 600 }));
const loading = await said(() => waitForValues({ sum: p("#sum") }, { timeout: 500 }));
const change = await waitForChange({ sum: p("#sum") }, { action: run("add") });
const held = await waitForChange({ same: p("#same") }, { before: { same: "7" }, unchangedMs: 400 });
const unknown = await said(() => waitForChange({ gone: p("#gone") }, { before: { gone: "1" }, noProgressMs: 300 }));
const values = await waitForValues({ sum: p("#sum"), pairs: { locator: p(".pair"), all: true }, gone: { locator: p("#gone"), optional: true }, key: { locator: p("#list p").first(), attribute: "data-k" } });
const twice = await said(() => waitForValues({ pair: p(".pair") }, { timeout: 400 }));
const wrong = [await said(() => waitForRows(p("p"), {}, { key: "b" })), await said(() => waitForRows(p("p"), {}, { count: 1 })), await said(() => waitForChange({ a: p("p") }))].map((text) => text.split(":")[0]);
const report = waitReport();
return { ends, rows, one, few, none, loading, change, held, unknown, values, twice, wrong, left: await page.evaluate(() => Object.getOwnPropertySymbols(window).filter((s) => String(s).includes("pomerado wait")).length),
  report: report.map((r) => [r.wait, r.reason ?? r.outcome ?? "ready"].join(" ")), asked: report[2].progress.map((p) => p.sign).includes("change"), limits: Object.isFrozen(waitLimits) && waitLimits.answerCap };`).execute(t, s, at.URL, reading)
	wantJSON(t, out, `{
"ends":["old","fresh","fresh","OutcomeWaitFailure: outcome_ambiguous","OutcomeWaitFailure: outcome_unknown","OutcomeWaitFailure: outcome_timeout","TypeError: waitForOutcome takes at least one answer to wait for: { name: locator }"],
"rows":{"rows":[{"key":"1","text":"one","note":null},{"key":"2","text":"two","note":null}],"more":false},
"one":{"rows":[{"key":"1","text":"one"}],"more":true},"few":{"rows":[{"key":"1","text":"one"},{"key":"2","text":"two"}],"more":false},
"none":"ValueWaitFailure: values_loading","loading":"ValueWaitFailure: values_loading","change":{"values":{"sum":"12"},"changed":true},"held":{"values":{"same":"7"},"changed":false},
"unknown":"ValueWaitFailure: change_unknown","values":{"values":{"sum":"12","pairs":["a","b"],"gone":null,"key":"1"}},"twice":"ValueWaitFailure: values_loading","wrong":["TypeError","TypeError","TypeError"],
"left":0,
"report":["waitForOutcome old","waitForOutcome fresh","waitForOutcome fresh","waitForOutcome outcome_ambiguous","waitForOutcome outcome_unknown","waitForOutcome outcome_timeout","waitForRows ready","waitForRows ready","waitForRows ready","waitForRows values_loading","waitForValues values_loading","waitForChange ready","waitForChange ready","waitForChange change_unknown","waitForValues ready","waitForValues values_loading"],
"asked":true,"limits":30000}`)
}

func TestAWaitThatTimesOutIsReportedAsOne(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	out := pageCode("outcomeWaitCode", `<p>still</p>`, `return await waitForOutcome({ none: page.locator(".none") }, { timeout: 300 });`).execute(t, s, at.URL, reading)
	if out.Status != outcome.Failed || !strings.Contains(out.Error, "outcome_timeout after ") {
		t.Errorf("got %s: %s", out.Status, out.Error)
	}
}
