package browser

import (
	"strings"
	"testing"
)

func TestFrameworkFieldsKeepWhatIsTyped(t *testing.T) {
	b := open(t)
	b.visit("/tracked-input.html")
	tracked, rich := b.locator("#tracked"), b.locator("#rich")
	b.ok(tracked.Fill(b.ctx, "xyz", FillOptions{}))
	b.ok(tracked.Blur(b.ctx, TimeoutOptions{}))
	b.is(b.text("#state"), "xyz")
	v, err := tracked.InputValue(b.ctx, TimeoutOptions{})
	b.ok(err)
	b.is(v, "xyz")
	b.ok(tracked.Clear(b.ctx, FillOptions{}))
	b.is(b.text("#state"), "")
	b.ok(rich.Fill(b.ctx, "xyz", FillOptions{}))
	b.ok(rich.Blur(b.ctx, TimeoutOptions{}))
	b.is(b.text("#text"), "xyz")
	b.is(b.text("#rich"), "xyz")
	b.ok(rich.Clear(b.ctx, FillOptions{}))
	b.is(b.text("#text"), "")
}

func TestKeysAndShortcuts(t *testing.T) {
	b := open(t)
	b.visit("/keys.html")
	area := b.locator("textarea")
	b.ok(area.PressSequentially(b.ctx, "aB é", TypeOptions{}))
	b.ok(area.Press(b.ctx, "ControlOrMeta+A", TypeOptions{}))
	b.ok(area.Press(b.ctx, "Shift+x", TypeOptions{}))
	v, err := area.InputValue(b.ctx, TimeoutOptions{})
	b.ok(err)
	b.is(v, "X")
	log := b.eval("log.join(' ')").(string)
	if !strings.HasPrefix(log, "keydown:a keypress:a input:a keyup:a keydown:B keypress:B input:B keyup:B keydown:  keypress:  input:  keyup:  input:é keydown:Control+ctrl keydown:A+ctrl keyup:A+ctrl keyup:Control keydown:Shift") {
		t.Error(log)
	}
	err = area.Press(b.ctx, "Nope", TypeOptions{})
	if !strings.HasPrefix(err.Error(), "locator.press: Unknown key: \"Nope\"\nCall log:\n") {
		t.Error(err)
	}
}

func TestDragAndDropCarriesData(t *testing.T) {
	b := open(t)
	b.visit("/drag.html")
	b.ok(b.locator("#from").DragTo(b.ctx, b.locator("#to"), DragOptions{}))
	b.is(b.text("#to"), "the load")
}

func TestFilesAndTheirChooser(t *testing.T) {
	b := open(t)
	b.visit("/events.html")
	files := []FilePayload{{Name: "a.txt", MimeType: "text/plain", Buffer: []byte("hello")}, {Name: "b", Buffer: nil}}
	b.ok(b.page.SetInputFiles(b.ctx, "input", files, FillOptions{}))
	b.is(b.text("#list"), "a.txt:5,b:0")
	w := b.page.ExpectEvent(EventFileChooser, ExpectOptions{})
	b.ok(b.page.Click(b.ctx, "input", ClickOptions{}))
	v, err := w.Wait(b.ctx)
	b.ok(err)
	c := v.(*FileChooser)
	b.is(c.IsMultiple(), true)
	b.ok(c.SetFiles(b.ctx, files[:1], FillOptions{}))
	b.is(b.text("#list"), "a.txt:5")
}

func TestRoundTripsOfCommonCalls(t *testing.T) {
	b := open(t)
	b.visit("/form.html")
	name := b.page.GetByLabel(Text{String: "Name"})
	b.ok(name.Fill(b.ctx, "x", FillOptions{}))
	b.eval("1")
	for _, c := range []struct {
		what string
		call func() error
		want string
	}{
		{"fill", func() error { return name.Fill(b.ctx, "y", FillOptions{}) }, "[Runtime.callFunctionOn Input.insertText]"},
		{"click", func() error { return b.locator("button").Click(b.ctx, ClickOptions{}) },
			"[Runtime.callFunctionOn Input.dispatchMouseEvent Input.dispatchMouseEvent Input.dispatchMouseEvent Runtime.callFunctionOn]"},
		{"read", func() error { _, err := b.locator("h1").InnerText(b.ctx, TimeoutOptions{}); return err }, "[Runtime.callFunctionOn]"},
		{"evaluate", func() error { _, err := b.page.Evaluate(b.ctx, Function("() => 1"), Undefined{}); return err }, "[Runtime.callFunctionOn]"},
		{"select", func() error {
			_, err := b.locator("select").SelectOption(b.ctx, []SelectOption{{Index: ptr(1)}}, FillOptions{})
			return err
		}, "[Runtime.callFunctionOn]"},
		{"goto", func() error { _, err := b.page.Goto(b.ctx, b.near+"/form.html", GotoOptions{}); return err }, "[Page.navigate Runtime.evaluate]"},
	} {
		got := b.sent(func() { b.ok(c.call()) })
		if s := "[" + strings.Join(got, " ") + "]"; s != c.want {
			t.Errorf("%s sent %s, want %s", c.what, s, c.want)
		}
	}
}
