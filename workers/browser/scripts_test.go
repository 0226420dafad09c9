package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestInitScriptsAndBindings(t *testing.T) {
	b := open(t)
	dispose, err := b.page.AddInitScript(b.ctx, "window.early = (window.early || 0) + 1")
	b.ok(err)
	_, err = b.page.ExposeBinding(b.ctx, "add", func(_ context.Context, s BindingSource, args []Value) (Value, error) {
		if s.Page != b.page {
			t.Error("another page")
		}
		if len(args) != 2 {
			return nil, &BindingError{&ErrorValue{Name: "Error", Message: "two"}}
		}
		return args[0].(float64) + args[1].(float64), nil
	})
	b.ok(err)
	b.is(b.eval("add(1, 2)"), 3)
	b.visit("/frame-outer.html")
	b.is(b.eval("early"), 1)
	v, err := b.page.Frames()[1].Evaluate(b.ctx, Expression("Promise.all([early, add(3, 4), add(1).catch(e => e.message)])"), Undefined{})
	b.ok(err)
	b.is(v.(*Array).Items, "[1 7 two]")
	b.ok(dispose(b.ctx))
	b.visit("/form.html")
	b.is(b.eval("typeof early"), "undefined")
	_, err = b.page.ExposeBinding(b.ctx, "add", nil)
	b.is(err, `page.exposeBinding: Function "add" has been already registered`)
}

func TestConsoleAndPageErrors(t *testing.T) {
	b := open(t)
	b.visit("/events.html")
	console := b.page.ExpectEvent(EventConsole, ExpectOptions{})
	thrown := b.page.ExpectEvent(EventPageError, ExpectOptions{})
	b.ok(b.page.Click(b.ctx, "text=Log", ClickOptions{}))
	v, err := console.Wait(b.ctx)
	b.ok(err)
	m := v.(*ConsoleMessage)
	b.is(m.Text(), "clicked {a: 1}")
	b.is(m.Type(), "log")
	b.is(len(m.Args()), 2)
	arg, err := m.Args()[1].JSONValue(b.ctx)
	b.ok(err)
	a, _ := arg.(*Object).Get("a")
	b.is(a, 1)
	v, err = thrown.Wait(b.ctx)
	b.ok(err)
	e := v.(*PageError).Value()
	b.is(e.Name+" "+e.Message, "TypeError late")
	b.is(strings.HasPrefix(e.Stack, "TypeError: late\n    at"), true)
}

func TestHandles(t *testing.T) {
	b := open(t)
	b.visit("/form.html")
	h, err := b.page.EvaluateHandle(b.ctx, Function("() => ({ a: 1, e: document.body })"), Undefined{})
	b.ok(err)
	v, err := h.Evaluate(b.ctx, Function("(o, n) => o.a + n"), 2)
	b.ok(err)
	b.is(v, 3)
	p, err := h.GetProperty(b.ctx, "e")
	b.ok(err)
	e := p.AsElement()
	v, err = b.page.Evaluate(b.ctx, Function("o => o.x === document.body"), &Object{[]Property{{"x", e}}})
	b.ok(err)
	b.is(v, true)
	h1, err := e.QuerySelector(b.ctx, "h1")
	b.ok(err)
	text, err := h1.TextContent(b.ctx, TimeoutOptions{})
	b.ok(err)
	b.is(*text, "A form")
	box, err := h1.BoundingBox(b.ctx)
	b.ok(err)
	if box == nil || box.Width < 100 {
		t.Error(box)
	}
	v, err = h1.Evaluate(b.ctx, Function("e => e.nodeName"), Undefined{})
	b.ok(err)
	b.is(v, "H1")
	f, err := h1.OwnerFrame(b.ctx)
	b.ok(err)
	b.is(f == b.page.MainFrame(), true)
	list, err := b.page.QuerySelectorAll(b.ctx, "label")
	b.ok(err)
	b.is(len(list), 3)
	b.ok(h1.Dispose(b.ctx))
	_, err = h1.Evaluate(b.ctx, Function("e => 1"), Undefined{})
	b.is(err, "elementHandle.evaluate: JSHandle is disposed!")
	v, err = b.page.EvalOnSelectorAll(b.ctx, "label", Function("(l, n) => l.length + n"), 1)
	b.ok(err)
	b.is(v, 4)
	v, err = b.locator("h1").Evaluate(b.ctx, Function("(e, n) => e.textContent + n"), "!", TimeoutOptions{})
	b.ok(err)
	b.is(v, "A form!")
	_, err = b.page.EvalOnSelector(b.ctx, "nope", Function("e => e"), Undefined{})
	b.is(err, `page.$eval: Failed to find element matching selector "nope"`)
	jh, err := b.page.WaitForFunction(b.ctx, Function("n => n > 1 && { n }"), 2, WaitForFunctionOptions{})
	b.ok(err)
	v, err = jh.JSONValue(b.ctx)
	b.ok(err)
	n, _ := v.(*Object).Get("n")
	b.is(n, 2)
}

func TestWebWorkers(t *testing.T) {
	b := open(t)
	b.mux.HandleFunc("/w.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "self.n = 41; console.log('in the worker')")
	})
	b.visit("/form.html")
	started := b.page.ExpectEvent(EventWorker, ExpectOptions{})
	console := b.page.ExpectEvent(EventConsole, ExpectOptions{})
	b.eval("window.w = new Worker('/w.js'), 0")
	v, err := started.Wait(b.ctx)
	b.ok(err)
	w := v.(*Worker)
	b.is(w.URL(), b.near+"/w.js")
	n, err := w.Evaluate(b.ctx, Function("d => n + d"), 1)
	b.ok(err)
	b.is(n, 42)
	v, err = console.Wait(b.ctx)
	b.ok(err)
	b.is(v.(*ConsoleMessage).Text(), "in the worker")
	closed := w.ExpectEvent(EventClose, ExpectOptions{})
	b.eval("window.w.terminate()")
	_, err = closed.Wait(b.ctx)
	b.ok(err)
	b.is(len(b.page.Workers()), 0)
}

func TestScreenshotsAndEmulation(t *testing.T) {
	b := open(t)
	b.is(*b.page.ViewportSize(), "{1280 720}")
	b.is(b.eval("innerWidth + 'x' + innerHeight + matchMedia('(prefers-color-scheme: light)').matches"), "1280x720true")
	b.ok(b.page.EmulateMedia(b.ctx, EmulateMediaOptions{ColorScheme: ptr("dark")}))
	b.is(b.eval("matchMedia('(prefers-color-scheme: dark)').matches"), true)
	b.ok(b.page.SetViewportSize(b.ctx, Size{400, 300}))
	b.is(b.eval("innerWidth"), 400)
	b.visit("/form.html")
	png, err := b.page.Screenshot(b.ctx, ScreenshotOptions{FullPage: true, Mask: []*Locator{b.locator("h1")}})
	b.ok(err)
	b.is(string(png[1:4]), "PNG")
	part, err := b.locator("h1").Screenshot(b.ctx, ScreenshotOptions{Type: "jpeg"})
	b.ok(err)
	b.is(part[0], 0xff)
	pdf, err := b.page.PDF(b.ctx, PDFOptions{Format: "A4"})
	b.ok(err)
	b.is(string(pdf[:4]), "%PDF")
	tag, err := b.page.AddScriptTag(b.ctx, TagOptions{Content: "window.tagged = 1"})
	b.ok(err)
	b.is(tag != nil, true)
	b.is(b.eval("tagged"), 1)
}
