package gate

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// BenchmarkRoundTrip makes the same evaluate by turns straight to a Chromium, as the host through the gate, and as a worker through its
// socket and the gate. Medians of the turns are reported, and what the worker's is of the straight one: that ratio is what holds on other
// machines.
func BenchmarkRoundTrip(b *testing.B) {
	params := json.RawMessage(`{"expression":"1+1","returnByValue":true}`)
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
	var straight struct {
		ID string `json:"sessionId"`
	}
	if err := conn.Call(b.Context(), "", "Target.attachToTarget", map[string]any{"targetId": created.ID, "flatten": true}, &straight); err != nil {
		b.Fatal(err)
	}
	r := openRun(b, sharedGate(b), RunOptions{})
	page := newPage(b, r)
	w := bind(b, r)
	w.find("the page", func(attached) bool { return true })
	turns := []func() error{
		func() error { return conn.Call(b.Context(), straight.ID, "Runtime.evaluate", params, nil) },
		func() error { return r.Call(b.Context(), page.SessionID, "Runtime.evaluate", params, nil) },
		func() error { return w.conn.Call(b.Context(), page.SessionID, "Runtime.evaluate", params, nil) },
	}
	took := make([][]float64, len(turns))
	for b.Loop() {
		for i, turn := range turns {
			start := time.Now()
			if err := turn(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], float64(time.Since(start).Microseconds()))
		}
	}
	median := func(i int) float64 {
		slices.Sort(took[i])
		return took[i][len(took[i])/2]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(0), "straight-µs")
	b.ReportMetric(median(1), "host-µs")
	b.ReportMetric(median(2), "worker-µs")
	b.ReportMetric(median(2)/median(0), "worker/straight")
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
