package gate

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestADragInsideThePagePasses(t *testing.T) {
	site := newSite(t, map[string]string{"/": `<style>div { position: absolute; width: 80px; height: 80px; left: 10px }</style>
		<div draggable="true" style="top: 10px" ondragstart="event.dataTransfer.setData('text/plain', 'carried')">from</div>
		<div style="top: 200px" ondragover="event.preventDefault()" ondrop="document.title = event.dataTransfer.getData('text/plain')">to</div>`})
	r := openRun(t, sharedGate(t), RunOptions{})
	page := newPage(t, r)
	goTo(t, r, page.SessionID, site.URL+"/")
	w := bind(t, r)
	w.find("the page", func(attached) bool { return true })
	w.must(page.SessionID, "Input.setInterceptDrags", map[string]any{"enabled": true})
	mouse := func(kind string, y int, buttons int) {
		w.must(page.SessionID, "Input.dispatchMouseEvent", map[string]any{"type": kind, "x": 40, "y": y, "button": "left", "buttons": buttons, "clickCount": 1})
	}
	mouse("mousePressed", 40, 1)
	for y := 42; y < 60; y += 4 {
		mouse("mouseMoved", y, 1)
	}
	var drag struct {
		Data json.RawMessage `json:"data"`
	}
	waitFor(t, "the drag", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, e := range w.events {
			if e.Method == "Input.dragIntercepted" && e.Decode(&drag) == nil {
				return true
			}
		}
		return false
	})
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		w.must(page.SessionID, "Input.dispatchDragEvent", map[string]any{"type": kind, "x": 40, "y": 240, "data": drag.Data})
	}
	waitFor(t, "the drop", func() bool { return w.evaluate(page.SessionID, `document.title`) == "carried" })
}

func TestAPDFIsReadAsAStream(t *testing.T) {
	r := openRun(t, sharedGate(t), RunOptions{})
	page := newPage(t, r)
	w := bind(t, r)
	w.find("the page", func(attached) bool { return true })
	var printed struct {
		Stream string `json:"stream"`
	}
	if err := w.call(page.SessionID, "Page.printToPDF", map[string]any{"transferMode": "ReturnAsStream"}, &printed); err != nil {
		t.Fatal(err)
	}
	var chunk struct {
		Data    string `json:"data"`
		Encoded bool   `json:"base64Encoded"`
	}
	if err := w.call(page.SessionID, "IO.read", map[string]any{"handle": printed.Stream}, &chunk); err != nil {
		t.Fatal(err)
	}
	data := []byte(chunk.Data)
	if chunk.Encoded {
		data, _ = base64.StdEncoding.DecodeString(chunk.Data)
	}
	if !strings.HasPrefix(string(data), "%PDF-") {
		t.Errorf("the PDF begins with %.20q", data)
	}
	w.must(page.SessionID, "IO.close", map[string]any{"handle": printed.Stream})
	// Another run's stream cannot be read by its name.
	again := newHostile(t, sharedGate(t))
	if err := w.call(page.SessionID, "Page.printToPDF", map[string]any{"transferMode": "ReturnAsStream"}, &printed); err != nil {
		t.Fatal(err)
	}
	got := answerOf(t, again.socket, []byte(`{"id":1,"method":"IO.read","params":{"handle":"`+printed.Stream+`"},"sessionId":"`+again.page.SessionID+`"}`))
	if !strings.Contains(got, `"error"`) {
		t.Errorf("another run reads the stream: %.200s", got)
	}
}

func TestAChromiumThatStandsStillBlocksNobodyForEver(t *testing.T) {
	b, g := ownGate(t)
	h := newHostile(t, g)
	if err := syscall.Kill(b.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// The worker fills every buffer on the way and waits; nobody else waits longer than it wants to.
	frame := []byte(`{"id":1,"method":"Runtime.evaluate","params":{"expression":"'` + strings.Repeat("x", 4<<20) + `'.length"},"sessionId":"` + h.page.SessionID + `"}`)
	for range 6 {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		_ = h.socket.Send(ctx, frame)
		cancel()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := h.run.Call(ctx, h.page.SessionID, "Runtime.evaluate", map[string]any{"expression": "1"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call gives %v", err)
	}
	if err := h.run.Dispose(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Dispose gives %v", err)
	}
	h.run.Cut()
	if err := errors.Join(b.Close(), g.Close()); err != nil {
		t.Error(err)
	}
	<-h.run.Done()
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s to end", took)
	}
	for err := error(nil); err == nil; { // what was on its way, then the end
		_, err = h.socket.Receive()
	}
}
