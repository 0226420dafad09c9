package browser

import (
	"strings"
	"testing"
)

func TestGotoAndRead(t *testing.T) {
	b := open(t)
	r, err := b.page.Goto(b.ctx, b.near+"/form.html", GotoOptions{})
	b.ok(err)
	b.is(r.Status(), 200)
	b.is(b.page.URL(), b.near+"/form.html")
	title, err := b.page.Title(b.ctx)
	b.ok(err)
	b.is(title, "Form")
	text, err := b.locator("h1").TextContent(b.ctx, TimeoutOptions{})
	b.ok(err)
	b.is(*text, "A form")
	body, err := r.Body(b.ctx)
	b.ok(err)
	if !strings.Contains(string(body), "<h1>A form</h1>") {
		t.Errorf("body %q", body)
	}
}

func TestClickFillAndPress(t *testing.T) {
	b := open(t)
	b.visit("/form.html")
	b.ok(b.page.GetByLabel(Text{String: "Name"}).Fill(b.ctx, "Ada", FillOptions{}))
	b.ok(b.page.GetByRole("combobox", RoleOptions{}).Press(b.ctx, "End", TypeOptions{}))
	chosen, err := b.locator("select").SelectOption(b.ctx, []SelectOption{{ValueOrLabel: ptr("Two")}}, FillOptions{})
	b.ok(err)
	b.is(chosen, "[2]")
	b.ok(b.page.GetByRole("checkbox", RoleOptions{}).Check(b.ctx, PointerOptions{}))
	b.ok(b.page.GetByRole("button", RoleOptions{Name: &Text{String: "Send"}}).Click(b.ctx, ClickOptions{}))
	text, err := b.locator("#out").InnerText(b.ctx, TimeoutOptions{})
	b.ok(err)
	b.is(text, "Ada 2 true")
}

func TestTimeoutNamesWhatWasTried(t *testing.T) {
	b := open(t)
	b.set(`<button style="display:none">Go</button>`)
	err := b.locator("button").Click(b.ctx, ClickOptions{Timeout: ms(1000)})
	if !IsTimeout(err) {
		t.Fatal(err)
	}
	text := err.Error()
	if !strings.HasPrefix(text, "locator.click: Timeout 1000ms exceeded.\nCall log:\n  - waiting for locator('button')\n") || !strings.Contains(text, "element is not visible") {
		t.Error(text)
	}
	err = b.locator("i").Click(b.ctx, ClickOptions{Timeout: ms(100)})
	b.is(err, "locator.click: Timeout 100ms exceeded.\nCall log:\n  - waiting for locator('i')\n")
}

func TestStrictErrorListsMatches(t *testing.T) {
	b := open(t)
	b.set(`<b>one</b><b id=two>two</b>`)
	err := b.locator("b").Click(b.ctx, ClickOptions{})
	b.is(err, "locator.click: Error: strict mode violation: locator('b') resolved to 2 elements:\n    1) <b>one</b> aka getByText('one')\n    2) <b id=\"two\">two</b> aka getByText('two')\n\nCall log:\n  - waiting for locator('b')\n")
}

func TestEvaluateValues(t *testing.T) {
	b := open(t)
	v, err := b.page.Evaluate(b.ctx, Function("a => [a, undefined, null, NaN, -0, 1n, new Date(0), /x/g, new Error('e').message]"), "hé")
	b.ok(err)
	b.is(len(v.(*Array).Items), 9)
	b.is(v.(*Array).Items[0], "hé")
	v, err = b.page.Evaluate(b.ctx, Function("() => { const a = {}; a.self = a; return a }"), Undefined{})
	b.ok(err)
	o := v.(*Object)
	if self, _ := o.Get("self"); self != Value(o) {
		t.Errorf("the cycle is lost: %v", self)
	}
	_, err = b.page.Evaluate(b.ctx, Function("() => { throw new Error('boom') }"), Undefined{})
	if !strings.HasPrefix(err.Error(), "page.evaluate: Error: boom\n    at ") {
		t.Error(err)
	}
}
