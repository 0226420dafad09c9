package gate

import (
	"encoding/json"
	"testing"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// BenchmarkRoundTrip compares an evaluate that goes straight to Chromium with one that a worker sends through the gate. Run both in one
// go, `go test -bench RoundTrip -count 5`: the ratio is what holds on other machines.
func BenchmarkRoundTrip(b *testing.B) {
	params := json.RawMessage(`{"expression":"1+1","returnByValue":true}`)
	b.Run("direct", func(b *testing.B) {
		browser, err := launch(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		defer browser.Close()
		conn := cdp.NewConn(browser.Transport())
		defer conn.Close()
		var created struct {
			ID string `json:"targetId"`
		}
		if err := conn.Call(b.Context(), "", "Target.createTarget", json.RawMessage(`{"url":"about:blank"}`), &created); err != nil {
			b.Fatal(err)
		}
		var attached struct {
			ID string `json:"sessionId"`
		}
		if err := conn.Call(b.Context(), "", "Target.attachToTarget", map[string]any{"targetId": created.ID, "flatten": true}, &attached); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := conn.Call(b.Context(), attached.ID, "Runtime.evaluate", params, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("gate", func(b *testing.B) {
		r := openRun(b, sharedGate(b), RunOptions{})
		page := newPage(b, r)
		w := bind(b, r)
		w.find("the page", func(attached) bool { return true })
		for b.Loop() {
			if err := w.conn.Call(b.Context(), page.SessionID, "Runtime.evaluate", params, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("host", func(b *testing.B) {
		r := openRun(b, sharedGate(b), RunOptions{})
		page := newPage(b, r)
		for b.Loop() {
			if err := r.Call(b.Context(), page.SessionID, "Runtime.evaluate", params, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDecode is the gate's own work on one frame.
func BenchmarkDecode(b *testing.B) {
	frame := []byte(`{"id":12,"method":"Runtime.callFunctionOn","params":{"functionDeclaration":"(a, b) => a.querySelector(b)","arguments":[{"objectId":"123.4.5"},{"value":"#name"}],"returnByValue":false,"awaitPromise":true,"userGesture":true,"executionContextId":7},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}`)
	var d decoder
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if _, err := d.decode(frame); err != nil {
			b.Fatal(err)
		}
	}
}
