package gate

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// hostile is a run whose worker speaks raw frames.
type hostile struct {
	run        *Run
	page       Page
	socket     *cdp.Socket
	violations atomic.Pointer[string]
	flooded    atomic.Bool
}

func newHostile(t *testing.T, g *Gate) *hostile {
	t.Helper()
	h := &hostile{}
	h.run = openRun(t, g, RunOptions{Events: Events{
		Violation: func(reason string) { h.violations.Store(&reason) },
		Flooded:   func() { h.flooded.Store(true) },
	}})
	h.page = newPage(t, h.run)
	h.socket = bindRaw(t, h.run)
	return h
}

// refused sends a frame and expects a refusal with the text.
func (h *hostile) refused(t *testing.T, what, frame, want string) {
	t.Helper()
	var answer struct {
		ID    int64
		Error *struct {
			Code    int
			Message string
		}
		Result json.RawMessage
	}
	text := answerOf(t, h.socket, []byte(frame))
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s: answered %s", what, text)
	}
	if answer.Error == nil || answer.Error.Code != -32000 || !strings.HasPrefix(answer.Error.Message, "refused: ") || !strings.Contains(answer.Error.Message, want) {
		t.Errorf("%s: answered %s, want a refusal with %q", what, text, want)
	}
}

// works sends a harmless command and expects its answer.
func (h *hostile) works(t *testing.T) {
	t.Helper()
	want := `{"id":77,"result":{"result":{"type":"number","value":2,"description":"2"}},"sessionId":"` + h.page.SessionID + `"}`
	if got := answerOf(t, h.socket, []byte(`{"id":77,"method":"Runtime.evaluate","params":{"expression":"1+1"},"sessionId":"`+h.page.SessionID+`"}`)); got != want {
		t.Errorf("a harmless command is answered %s, want %s", got, want)
	}
}

func TestFramesThatReachOutAreRefusedAndOtherRunsUndisturbed(t *testing.T) {
	g := sharedGate(t)
	other := newUndisturbed(t, g)
	h := newHostile(t, g)
	mine, theirs, target, context := h.page.SessionID, other.page.SessionID, other.page.TargetID, other.run.ContextID()
	for what, test := range map[string]struct{ frame, want string }{
		"another run's session":            {`{"id":1,"method":"Runtime.evaluate","params":{"expression":"document.title='stolen'"},"sessionId":"` + theirs + `"}`, "Session with given id not found"},
		"no session":                       {`{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"}}`, "needs the session"},
		"a session of nobody":              {`{"id":1,"method":"Runtime.evaluate","params":{"expression":"1"},"sessionId":"ABC"}`, "Session with given id not found"},
		"attachToTarget on the browser":    {`{"id":1,"method":"Target.attachToTarget","params":{"targetId":"` + target + `","flatten":true}}`, "needs the session"},
		"attachToTarget on a page":         {`{"id":1,"method":"Target.attachToTarget","params":{"targetId":"` + target + `","flatten":true},"sessionId":"` + mine + `"}`, "is never allowed"},
		"closeTarget":                      {`{"id":1,"method":"Target.closeTarget","params":{"targetId":"` + target + `"},"sessionId":"` + mine + `"}`, "is never allowed"},
		"setAutoAttach":                    {`{"id":1,"method":"Target.setAutoAttach","params":{"autoAttach":false,"waitForDebuggerOnStart":false},"sessionId":"` + mine + `"}`, "is never allowed"},
		"exposeDevToolsProtocol":           {`{"id":1,"method":"Target.exposeDevToolsProtocol","params":{"targetId":"` + target + `"},"sessionId":"` + mine + `"}`, "is never allowed"},
		"sendMessageToTarget":              {`{"id":1,"method":"Target.sendMessageToTarget","params":{"message":"{}","sessionId":"` + theirs + `"},"sessionId":"` + mine + `"}`, "is never allowed"},
		"setDownloadBehavior":              {`{"id":1,"method":"Browser.setDownloadBehavior","params":{"behavior":"allow","downloadPath":"/tmp"},"sessionId":"` + mine + `"}`, "is never allowed"},
		"Page.setDownloadBehavior":         {`{"id":1,"method":"Page.setDownloadBehavior","params":{"behavior":"allow","downloadPath":"/tmp"},"sessionId":"` + mine + `"}`, "is never allowed"},
		"Browser.close":                    {`{"id":1,"method":"Browser.close","sessionId":"` + mine + `"}`, "is never allowed"},
		"another context's cookies":        {`{"id":1,"method":"Storage.getCookies","params":{"browserContextId":"` + context + `"},"sessionId":"` + mine + `"}`, "is never allowed"},
		"navigate to file":                 {`{"id":1,"method":"Page.navigate","params":{"url":"file:///etc/hostname"},"sessionId":"` + mine + `"}`, "not http"},
		"navigate to file, escaped":        {`{"id":1,"method":"Page.navigate","params":{"url":"\u0066ile:///etc/hostname"},"sessionId":"` + mine + `"}`, "not http"},
		"navigate to file behind a blank":  {`{"id":1,"method":"Page.navigate","params":{"url":" file:///etc/hostname"},"sessionId":"` + mine + `"}`, "not http"},
		"navigate to chrome":               {`{"id":1,"method":"Page.navigate","params":{"url":"chrome://crash"},"sessionId":"` + mine + `"}`, "not http"},
		"navigate to view-source":          {`{"id":1,"method":"Page.navigate","params":{"url":"view-source:file:///etc/hostname"},"sessionId":"` + mine + `"}`, "not http"},
		"files of the machine":             {`{"id":1,"method":"DOM.setFileInputFiles","params":{"files":["/etc/hostname"],"backendNodeId":1},"sessionId":"` + mine + `"}`, "is never allowed"},
		"files by drag":                    {`{"id":1,"method":"Input.dispatchDragEvent","params":{"type":"drop","x":1,"y":1,"data":{"items":[],"files":["/etc/hostname"],"dragOperationsMask":1}},"sessionId":"` + mine + `"}`, "must not carry files"},
		"a resource in the browser's name": {`{"id":1,"method":"Network.loadNetworkResource","params":{"url":"file:///etc/hostname"},"sessionId":"` + mine + `"}`, "is never allowed"},
		"a NUL inside params":              {"{\"id\":1,\"method\":\"Runtime.evaluate\",\"params\":{\"expression\":\"1\x00{\\\"id\\\":2,\\\"method\\\":\\\"Browser.close\\\"}\x00\"},\"sessionId\":\"" + mine + "\"}", "raw control byte"},
		"a NUL at the end":                 {"{\"id\":1,\"method\":\"Runtime.evaluate\",\"sessionId\":\"" + mine + "\"}\x00", "raw control byte"},
		"a method twice":                   {`{"id":1,"method":"Runtime.evaluate","method":"Browser.close","sessionId":"` + mine + `"}`, "a key twice"},
		"a session twice":                  {`{"id":1,"method":"Runtime.evaluate","sessionId":"` + mine + `","sessionId":"` + theirs + `"}`, "a key twice"},
		"a url twice":                      {`{"id":1,"method":"Page.navigate","params":{"url":"http://127.0.0.1/","url":"file:///etc/hostname"},"sessionId":"` + mine + `"}`, "a key twice"},
		"a session inside a method":        {`{"id":1,"method":"Page.enable\",\"sessionId\":\"` + theirs + `","sessionId":"` + mine + `"}`, "a character"},
		"another key":                      {`{"id":1,"method":"Page.enable","sessionId":"` + mine + `","browserContextId":"` + context + `"}`, "is not one of"},
		"a reply":                          {`{"id":1,"result":{}}`, "is not one of"},
		"two frames in one":                {`{"id":1,"method":"Page.enable","sessionId":"` + mine + `"}{"id":2,"method":"Browser.close"}`, "something follows"},
		"a method that does not exist":     {`{"id":1,"method":"Nothing.atAll","sessionId":"` + mine + `"}`, "is not among"},
	} {
		h.refused(t, what, test.frame, test.want)
	}
	h.works(t)
	other.check()
	if v := h.violations.Load(); v != nil {
		t.Errorf("told of a violation: %s", *v)
	}
}

func TestFramesNobodyCanBeAnsweredForEndTheRunAlone(t *testing.T) {
	g := sharedGate(t)
	other := newUndisturbed(t, g)
	for what, send := range map[string]func(h *hostile, raw io.Writer){
		"not JSON":        func(h *hostile, raw io.Writer) { writeFrame(t, raw, []byte("hello")) },
		"an empty frame":  func(h *hostile, raw io.Writer) { writeFrame(t, raw, nil) },
		"no id":           func(h *hostile, raw io.Writer) { writeFrame(t, raw, []byte(`{"method":"Browser.close"}`)) },
		"a hidden id":     func(h *hostile, raw io.Writer) { writeFrame(t, raw, []byte(`{"method":"Browser.close","id":1,"x":1}`)) },
		"a 17 MiB frame":  func(h *hostile, raw io.Writer) { writeFrame(t, raw, bytes.Repeat([]byte("x"), 17<<20)) },
		"a 4 GiB promise": func(h *hostile, raw io.Writer) { _, _ = raw.Write([]byte{0xff, 0xff, 0xff, 0xff, '{'}) },
	} {
		h := &hostile{}
		h.run = openRun(t, g, RunOptions{Events: Events{Violation: func(reason string) { h.violations.Store(&reason) }}})
		h.page = newPage(t, h.run)
		ours, theirs := socketPair(t)
		if err := h.run.Bind(t.Context(), ours); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, theirs) }()
		send(h, theirs)
		waitFor(t, "the violation by "+what, func() bool { return h.violations.Load() != nil })
		if what == "a 17 MiB frame" && !strings.Contains(*h.violations.Load(), "17825792 bytes") {
			t.Errorf("%s: %s", what, *h.violations.Load())
		}
		// The worker is cut off; its page lives until the run is disposed of.
		if got := evaluate(t, h.run, h.page.SessionID, `1 + 1`); got != "2" {
			t.Errorf("after %s the page gives %q", what, got)
		}
		_ = theirs.Close()
		other.check()
	}
}

func writeFrame(t *testing.T, w io.Writer, frame []byte) {
	t.Helper()
	_ = binary.Write(w, binary.BigEndian, uint32(len(frame)))
	_, _ = w.Write(frame) // the gate may have closed its end by now
}

func TestAFrameAtTheLimitPassesAndAnAnswerOverItIsRefused(t *testing.T) {
	g := sharedGate(t)
	other := newUndisturbed(t, g)
	h := newHostile(t, g)
	head, tail := `{"id":5,"method":"Runtime.evaluate","params":{"expression":"'`, `'.length"},"sessionId":"`+h.page.SessionID+`"}`
	long := strings.Repeat("x", cdp.MaxFrame-len(head)-len(tail)-16)
	if got := answerOf(t, h.socket, []byte(head+long+tail)); !strings.Contains(got, fmt.Sprintf(`"value":%d`, len(long))) {
		t.Errorf("a frame of nearly 16 MiB is answered %.200s", got)
	}
	got := answerOf(t, h.socket, []byte(`{"id":6,"method":"Runtime.evaluate","params":{"expression":"'x'.repeat(17 << 20)"},"sessionId":"`+h.page.SessionID+`"}`))
	if !strings.Contains(got, `"id":6`) || !strings.Contains(got, "too large") {
		t.Errorf("an answer of 17 MiB comes as %.200s", got)
	}
	h.works(t)
	other.check()
}

func TestAWorkerThatDoesNotReadFloodsOnlyItself(t *testing.T) {
	g := sharedGate(t)
	lowerQueueLimit(t, g)
	other := newUndisturbed(t, g)
	h := newHostile(t, g)
	for id := 1; id <= 24; id++ {
		frame := fmt.Appendf(nil, `{"id":%d,"method":"Runtime.evaluate","params":{"expression":"'x'.repeat(300 << 10)"},"sessionId":"%s"}`, id, h.page.SessionID)
		if err := h.socket.Send(t.Context(), frame); err != nil {
			break
		}
	}
	waitFor(t, "the flood's end", h.flooded.Load)
	other.check()
	if err := h.run.Dispose(t.Context()); err != nil {
		t.Error(err)
	}
	other.check()
}

// lowerQueueLimit makes 2 MiB a flood, which is sooner made than 32.
func lowerQueueLimit(t *testing.T, g *Gate) {
	t.Helper()
	set := func(limit int) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.queueLimit = limit
	}
	set(2 << 20)
	t.Cleanup(func() { set(maxQueued) })
}

func TestAWorkersCommandsWithoutAnswersAreBounded(t *testing.T) {
	g := sharedGate(t)
	other := newUndisturbed(t, g)
	h := newHostile(t, g)
	command := []byte(`{"id":2,"method":"Runtime.evaluate","params":{"expression":"new Promise(() => {})","awaitPromise":true},"sessionId":"` + h.page.SessionID + `"}`)
	const more = 50
	go func() {
		for range maxInFlight + more {
			if h.socket.Send(t.Context(), command) != nil {
				return
			}
		}
	}()
	receive := func(n int, want string) {
		t.Helper()
		for n > 0 {
			frame, err := h.socket.Receive()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(frame, []byte(`{"id":2,`)) {
				continue
			}
			if n--; !bytes.Contains(frame, []byte(want)) {
				t.Fatalf("answered %s, want %q", frame, want)
			}
		}
	}
	receive(more, "too many commands wait for their answers")
	other.check()
	// The page answers its host still. Chromium need not answer commands whose document went away, so it is the cut that forgets them.
	if got := evaluate(t, h.run, h.page.SessionID, `1`); got != "1" {
		t.Fatalf("the page gives %q", got)
	}
	h.run.Cut()
	g.mu.Lock()
	left := 0
	for _, p := range g.pending {
		if p.relay != nil && p.relay.run == h.run {
			left++
		}
	}
	g.mu.Unlock()
	if left > 0 {
		t.Errorf("%d commands of the worker are still waited for after the cut", left)
	}
	other.check()
}

func TestTheWorkersDeathLeavesTheRunToItsOwner(t *testing.T) {
	g := sharedGate(t)
	lowerQueueLimit(t, g)
	h := newHostile(t, g)
	if got := answerOf(t, h.socket, []byte(`{"id":1,"method":"Runtime.enable","sessionId":"`+h.page.SessionID+`"}`)); !strings.Contains(got, `"result"`) {
		t.Fatalf("Runtime.enable is answered %s", got)
	}
	if err := h.socket.Close(); err != nil {
		t.Fatal(err)
	}
	// What the page says from now on has no reader; that is neither a flood nor a violation.
	for range 20 {
		if got := evaluate(t, h.run, h.page.SessionID, `console.log('x'.repeat(300 << 10)), 1`); got != "1" {
			t.Errorf("the page gives %q", got)
		}
	}
	if h.flooded.Load() || h.violations.Load() != nil {
		t.Error("a dead worker is taken for a hostile one")
	}
}

func TestARequestIsSentOnToItsOwnOriginOnly(t *testing.T) {
	site := newSite(t, map[string]string{"/": ``, "/asked": `asked`, "/other": `other`})
	r := openRun(t, sharedGate(t), RunOptions{})
	page := newPage(t, r)
	goTo(t, r, page.SessionID, site.URL+"/")
	w := bind(t, r)
	w.find("the page", func(attached) bool { return true })
	w.must(page.SessionID, "Fetch.enable", map[string]any{})
	fetching := w.conn.Start(t.Context(), page.SessionID, "Runtime.evaluate", map[string]any{"expression": `fetch("/asked").then(r => r.text())`, "awaitPromise": true, "returnByValue": true})
	var paused struct {
		ID string `json:"requestId"`
	}
	waitFor(t, "the paused request", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, e := range w.events {
			if e.Method == "Fetch.requestPaused" && e.Decode(&paused) == nil {
				return true
			}
		}
		return false
	})
	for _, url := range []string{site.other() + "/other", "file:///etc/hostname", "http://127.0.0.1:1/", site.URL + "@evil.test/"} {
		err := w.call(page.SessionID, "Fetch.continueRequest", map[string]any{"requestId": paused.ID, "url": url}, nil)
		if err == nil || !strings.Contains(err.Error(), "refused: Fetch.continueRequest: the new address is not of the request's origin") {
			t.Errorf("%s: %v", url, err)
		}
	}
	w.must(page.SessionID, "Fetch.continueRequest", map[string]any{"requestId": paused.ID, "url": site.URL + "/other"})
	var res struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	if err := fetching.Wait(t.Context(), &res); err != nil || res.Result.Value != "other" {
		t.Errorf("the page got %q, %v", res.Result.Value, err)
	}
	if site.count("/asked") != 0 || site.count("/other") != 1 {
		t.Errorf("the site saw /asked %d times and /other %d times", site.count("/asked"), site.count("/other"))
	}
}

func TestUniversalAccessDoesNotOpenFiles(t *testing.T) {
	site := newSite(t, map[string]string{"/": ``})
	r := openRun(t, sharedGate(t), RunOptions{})
	page := newPage(t, r)
	goTo(t, r, page.SessionID, site.URL+"/")
	w := bind(t, r)
	w.find("the page", func(attached) bool { return true })
	var world struct {
		ID int64 `json:"executionContextId"`
	}
	if err := w.call(page.SessionID, "Page.createIsolatedWorld", map[string]any{"frameId": page.TargetID, "worldName": "w", "grantUniveralAccess": true}, &world); err != nil {
		t.Fatal(err)
	}
	for name, attempt := range map[string]string{
		"fetch":  `fetch("file:///etc/hostname").then(r => r.text(), () => "no")`,
		"xhr":    `new Promise(done => { const x = new XMLHttpRequest(); x.onload = () => done(x.responseText); x.onerror = () => done("no"); x.open("GET", "file:///etc/hostname"); x.send() })`,
		"script": `new Promise(done => { const s = document.createElement("script"); s.onload = () => done("yes"); s.onerror = () => done("no"); s.src = "file:///etc/hostname"; document.head.append(s) })`,
		"image":  `new Promise(done => { const s = new Image(); s.onload = () => done("yes"); s.onerror = () => done("no"); s.src = "file:///etc/hostname" })`,
		"place":  `new Promise(done => { location.href = "file:///etc/hostname"; setTimeout(() => done(location.protocol == "file:" ? "yes" : "no"), 300) })`,
		"worker": `new Promise(done => { try { const w = new Worker("file:///etc/hostname"); w.onerror = () => done("no") } catch { done("no") } })`,
		"frame":  `new Promise(done => { const f = document.createElement("iframe"); f.src = "file:///etc/hostname"; document.body.append(f); setTimeout(() => { try { done(f.contentDocument?.URL === "file:///etc/hostname" ? "yes" : "no") } catch { done("no") } }, 300) })`,
		"window": `(() => { const w = open("file:///etc/hostname"); return w ? "yes" : "no" })()`,
	} {
		var res struct {
			Result struct {
				Value string `json:"value"`
			} `json:"result"`
		}
		params := map[string]any{"expression": attempt, "contextId": world.ID, "awaitPromise": true, "returnByValue": true, "userGesture": true}
		if err := w.call(page.SessionID, "Runtime.evaluate", params, &res); err != nil || res.Result.Value != "no" {
			t.Errorf("%s: %q, %v", name, res.Result.Value, err)
		}
	}
}

func TestPagesOverTheLimitAreClosed(t *testing.T) {
	_, g := ownGate(t)
	g.mu.Lock()
	g.sessionLimit = 8
	g.mu.Unlock()
	site := newSite(t, map[string]string{"/": ``, "/popup": ``})
	r := openRun(t, g, RunOptions{})
	page := newPage(t, r)
	goTo(t, r, page.SessionID, site.URL+"/")
	evaluate(t, r, page.SessionID, `for (let i = 0; i < 30; i++) open("/popup?" + i)`)
	waitFor(t, "the limit", func() bool { return len(r.Pages()) == 8 })
	var targets struct {
		Infos []struct {
			Type string `json:"type"`
		} `json:"targetInfos"`
	}
	waitFor(t, "the end of the rest", func() bool {
		if err := g.call(t.Context(), nil, "Target.getTargets", nil, &targets); err != nil {
			t.Fatal(err)
		}
		return len(targets.Infos) == 8
	})
	if _, err := r.NewPage(t.Context(), r.ContextID()); !errors.Is(err, ErrLimit) {
		t.Errorf("one page more gives %v", err)
	}
	if got := evaluate(t, r, page.SessionID, `"alive"`); got != "alive" {
		t.Errorf("the page is %q", got)
	}
}

func TestEveryAllowedMethodIsOneOfChromiums(t *testing.T) {
	site := newSite(t, map[string]string{"/": ``})
	r := openRun(t, sharedGate(t), RunOptions{})
	page := newPage(t, r)
	goTo(t, r, page.SessionID, site.URL+"/")
	for _, rule := range rules {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := r.Call(ctx, page.SessionID, rule.method, map[string]any{}, nil)
		cancel()
		if failure := (*cdp.Error)(nil); errors.As(err, &failure) && failure.Code == -32601 {
			t.Errorf("%s: %v", rule.method, err)
		}
	}
}

func TestIDsGoRoundWithoutMeetingOneThatWaits(t *testing.T) {
	g := &Gate{pending: map[int32]*pending{1: {}, 3: {}}, lastID: 1<<31 - 2}
	var ids []int32
	for range 4 {
		ids = append(ids, g.nextID())
	}
	if fmt.Sprint(ids) != "[2147483647 2 4 5]" {
		t.Errorf("ids %v", ids)
	}
	if g.take(1<<32+1) != nil {
		t.Error("an id is cut to 32 bits")
	}
}
