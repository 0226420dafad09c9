package browser

import (
	"encoding/json"
	"testing"
)

// The calls scripts make most, and the least that raw commands need for the same.
func BenchmarkCalls(bench *testing.B) {
	b := open(bench)
	b.visit("/form.html")
	s := b.page.session
	call := func(method string, params any) json.RawMessage {
		var res json.RawMessage
		if err := s.call(b.ctx, method, params, &res); err != nil {
			bench.Fatal(err)
		}
		return res
	}
	button, name, heading := b.locator("button"), b.page.GetByLabel(Text{String: "Name"}), b.locator("h1")
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"click", func() error { return button.Click(b.ctx, ClickOptions{}) }},
		{"click-raw", func() error {
			raw := call("Runtime.evaluate", obj{"expression": "(r=>[r.x+r.width/2,r.y+r.height/2])(document.querySelector('button').getBoundingClientRect())", "returnByValue": true})
			var res struct{ Result struct{ Value []float64 } }
			_ = json.Unmarshal(raw, &res)
			for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
				call("Input.dispatchMouseEvent", obj{"type": kind, "x": res.Result.Value[0], "y": res.Result.Value[1], "button": "left", "clickCount": 1})
			}
			return nil
		}},
		{"fill", func() error { return name.Fill(b.ctx, "Ada", FillOptions{}) }},
		{"fill-raw", func() error {
			call("Runtime.evaluate", obj{"expression": "(e=>{e.focus();e.select()})(document.getElementById('name'))"})
			call("Input.insertText", obj{"text": "Ada"})
			return nil
		}},
		{"read", func() error { _, err := heading.InnerText(b.ctx, TimeoutOptions{}); return err }},
		{"read-raw", func() error {
			call("Runtime.evaluate", obj{"expression": "document.querySelector('h1').innerText", "returnByValue": true})
			return nil
		}},
		{"evaluate", func() error { _, err := b.page.Evaluate(b.ctx, Function("() => 1"), Undefined{}); return err }},
	} {
		bench.Run(c.name, func(bench *testing.B) {
			for bench.Loop() {
				if err := c.run(); err != nil {
					bench.Fatal(err)
				}
			}
		})
	}
}
