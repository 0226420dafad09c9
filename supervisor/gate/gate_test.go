package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/supervisor/egress"
)

func TestAWorkerDrivesThePageItIsBoundTo(t *testing.T) {
	site := newSite(t, map[string]string{"/": `<title>hello</title>`})
	r := openRun(t, sharedGate(t), RunOptions{})
	page := newPage(t, r)
	if page.ContextID != r.ContextID() || page.SessionID == "" || page.TargetID == "" {
		t.Fatalf("the page is %+v", page)
	}
	goTo(t, r, page.SessionID, site.URL+"/") // the host goes first, before any worker
	w := bind(t, r)
	a := w.find("the page", func(a attached) bool { return true })
	if a.Session != page.SessionID || a.Parent != "" || a.Waiting || a.Info.Type != "page" || a.Info.Target != page.TargetID || a.Info.Context != page.ContextID {
		t.Errorf("the worker is told of %+v", a)
	}
	if got := w.evaluate(a.Session, `document.title`); got != "hello" {
		t.Errorf("the title is %q", got)
	}
	w.must(a.Session, "Page.enable", nil)
	w.navigate(a.Session, site.other()+"/")
	if !w.saw(a.Session, "Page.frameNavigated") {
		t.Error("no Page.frameNavigated came")
	}
	if got := evaluate(t, r, page.SessionID, `location.hostname`); got != "localhost" {
		t.Errorf("the host sees the page at %q", got)
	}
	// Errors of Chromium's own come through as they are.
	err := w.call(a.Session, "Page.navigateToHistoryEntry", map[string]any{"entryId": 99999}, nil)
	if failure := (*cdp.Error)(nil); !errors.As(err, &failure) || strings.Contains(err.Error(), "refused") {
		t.Errorf("Chromium's error comes as %v", err)
	}
	if err := r.Bind(t.Context(), nopConn(t)); err == nil {
		t.Error("a second worker is bound")
	}
}

func TestPopupsFramesAndWebWorkersAttachAndWait(t *testing.T) {
	site := newSite(t, map[string]string{
		"/":          `<title>top</title><iframe src="OTHER/frame"></iframe><script>new Worker("/worker.js")</script>`,
		"/frame":     `<title>frame</title><script>top.frameRan = true</script>`,
		"/popup":     `<title>popup</title>`,
		"/worker.js": `self.ran = "worker"`,
	})
	r := openRun(t, sharedGate(t), RunOptions{})
	page := newPage(t, r)
	w := bind(t, r)
	w.navigate2(page.SessionID, site.URL+"/")
	frame := w.find("the cross-site frame", func(a attached) bool { return a.Info.Type == "iframe" })
	web := w.find("the web worker", func(a attached) bool { return a.Info.Type == "worker" })
	for _, a := range []attached{frame, web} {
		if a.Parent != page.SessionID || !a.Waiting || a.Info.Context != r.ContextID() {
			t.Errorf("attached %+v", a)
		}
		w.must(a.Session, "Runtime.runIfWaitingForDebugger", nil)
	}
	waitFor(t, "the frame's document", func() bool { return w.evaluate(frame.Session, `document.title`) == "frame" })
	waitFor(t, "the worker's script", func() bool { return w.evaluate(web.Session, `self.ran`) == "worker" })

	// The opener's script waits with the popup.
	opening := w.conn.Start(t.Context(), page.SessionID, "Runtime.evaluate", map[string]any{"expression": `void open("/popup")`, "userGesture": true})
	popup := w.find("the popup", func(a attached) bool { return a.Info.Type == "page" && a.Info.Opener != "" })
	if popup.Parent != "" || !popup.Waiting || popup.Info.Opener != page.TargetID || popup.Info.Context != r.ContextID() {
		t.Errorf("the popup is %+v", popup)
	}
	if site.count("/popup") != 0 {
		t.Error("the popup loads before it may")
	}
	w.must(popup.Session, "Runtime.runIfWaitingForDebugger", nil)
	if err := opening.Wait(t.Context(), nil); err != nil {
		t.Error(err)
	}
	waitFor(t, "the popup's document", func() bool { return w.evaluate(popup.Session, `document.title`) == "popup" })
	if pages := r.Pages(); len(pages) != 2 || pages[0] != page || pages[1].SessionID != popup.Session {
		t.Errorf("the run's pages are %+v", pages)
	}

	// Closing: the worker is told, and nothing is left to command.
	if err := r.ClosePage(t.Context(), popup.Info.Target, false); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the popup's end", func() bool { return w.saw("", "Target.detachedFromTarget") })
	if err := w.call(popup.Session, "Runtime.evaluate", map[string]any{"expression": "1"}, nil); err == nil || !strings.Contains(err.Error(), "Session with given id not found") {
		t.Errorf("a command to a closed page gives %v", err)
	}
	if err := r.ClosePage(t.Context(), popup.Info.Target, false); !errors.Is(err, ErrNotYours) {
		t.Errorf("closing a closed page gives %v", err)
	}
	if len(r.Pages()) != 1 {
		t.Errorf("the run's pages are %+v", r.Pages())
	}

	// A page opened by the supervisor for a bound worker waits as well.
	second := newPage(t, r)
	a := w.find("the second page", func(a attached) bool { return a.Session == second.SessionID })
	if !a.Waiting || a.Info.Opener != "" {
		t.Errorf("the second page is %+v", a)
	}
	w.must(a.Session, "Runtime.runIfWaitingForDebugger", nil)
	w.navigate(a.Session, site.URL+"/popup")
	if err := r.ClosePage(t.Context(), second.TargetID, true); err != nil {
		t.Errorf("closing with beforeunload: %v", err)
	}
	waitFor(t, "the second page's end", func() bool { return len(r.Pages()) == 1 })
}

// navigate2 starts a navigation whose document waits for frames that wait for us.
func (w *worker) navigate2(session, url string) {
	w.tb.Helper()
	w.must(session, "Page.navigate", map[string]any{"url": url})
}

func TestBeforeAWorkerIsBoundPagesGoOnByThemselves(t *testing.T) {
	site := newSite(t, map[string]string{
		"/":      `<title>top</title><iframe src="OTHER/frame"></iframe><script>alert("a"); window.asked = [confirm("c"), prompt("p")].join()</script>`,
		"/frame": `<title>frame</title>`, "/popup": `<title>popup</title>`,
	})
	var dialogs []DialogOpened
	var closed []DialogClosed
	var opened []Page
	r := openRun(t, sharedGate(t), RunOptions{Events: Events{
		Dialog:       func(d DialogOpened) { dialogs = append(dialogs, d) },
		DialogClosed: func(d DialogClosed) { closed = append(closed, d) },
		TargetOpened: func(p Page) { opened = append(opened, p) },
	}})
	page := newPage(t, r)
	if err := r.Call(t.Context(), page.SessionID, "Page.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	goTo(t, r, page.SessionID, site.URL+"/")
	if got := evaluate(t, r, page.SessionID, `window.asked`); got != "false," {
		t.Errorf("dialogs nobody attends are answered %q", got)
	}
	evaluate(t, r, page.SessionID, `void open("/popup")`)
	waitFor(t, "the popup", func() bool { return len(r.Pages()) == 2 })
	popup := r.Pages()[1]
	waitFor(t, "the popup's document", func() bool { return evaluate(t, r, popup.SessionID, `document.title`) == "popup" })

	// A worker that comes later learns of everything, parents first.
	w := bind(t, r)
	w.find("the popup", func(a attached) bool { return a.Session == popup.SessionID && !a.Waiting })
	frame := w.find("the frame", func(a attached) bool { return a.Info.Type == "iframe" && !a.Waiting })
	if frame.Parent != page.SessionID || w.evaluate(frame.Session, `document.title`) != "frame" {
		t.Errorf("the frame is %+v", frame)
	}
	if w.attached[0].Session != page.SessionID {
		t.Errorf("the first page is not told of first: %+v", w.attached)
	}
	// The calls above have been answered after these events, on the goroutine that tells of them.
	want := []DialogOpened{
		{page.SessionID, "alert", "a", site.URL + "/"}, {page.SessionID, "confirm", "c", site.URL + "/"}, {page.SessionID, "prompt", "p", site.URL + "/"},
	}
	if !slices.Equal(dialogs, want) {
		t.Errorf("dialogs %+v, want %+v", dialogs, want)
	}
	if !slices.Equal(closed, []DialogClosed{{page.SessionID, true}, {page.SessionID, false}, {page.SessionID, false}}) {
		t.Errorf("closed %+v", closed)
	}
	if len(opened) != 2 || opened[0] != page || opened[1] != popup {
		t.Errorf("opened %+v", opened)
	}
}

func TestABoundWorkersDialogsAreItsOwn(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	r := openRun(t, sharedGate(t), RunOptions{Events: Events{Seen: func(kind Seen, at time.Time, method string) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(at) > time.Minute {
			t.Errorf("seen at %s", at)
		}
		seen = append(seen, kind.String()+" "+method)
	}}})
	page := newPage(t, r)
	w := bind(t, r)
	w.find("the page", func(attached) bool { return true })
	w.must(page.SessionID, "Page.enable", nil)
	asking := w.conn.Start(t.Context(), page.SessionID, "Runtime.evaluate", map[string]any{"expression": `confirm("really?")`})
	waitFor(t, "the dialog", func() bool { return w.saw(page.SessionID, "Page.javascriptDialogOpening") })
	w.must(page.SessionID, "Page.handleJavaScriptDialog", map[string]any{"accept": true})
	var res struct {
		Result struct {
			Value bool `json:"value"`
		} `json:"result"`
	}
	if err := asking.Wait(t.Context(), &res); err != nil || !res.Result.Value {
		t.Errorf("the dialog was answered %v, %v", res.Result.Value, err)
	}
	w.must(page.SessionID, "Input.dispatchKeyEvent", map[string]any{"type": "char", "text": "a"})
	w.must(page.SessionID, "DOM.describeNode", map[string]any{"objectId": objectOf(t, w, page.SessionID, `document.body`)})
	_ = w.call(page.SessionID, "Page.navigate", map[string]any{"url": "file:///etc/hostname"}, nil) // refused, so not seen
	w.must(page.SessionID, "Page.reload", nil)
	mu.Lock()
	defer mu.Unlock()
	want := []string{"script Runtime.evaluate", "dialog Page.handleJavaScriptDialog", "input Input.dispatchKeyEvent", "script Runtime.evaluate", "navigation Page.reload"}
	if !slices.Equal(seen, want) {
		t.Errorf("seen %q, want %q", seen, want)
	}
}

func objectOf(t *testing.T, w *worker, session, expression string) string {
	t.Helper()
	var res struct {
		Result struct {
			ID string `json:"objectId"`
		} `json:"result"`
	}
	if err := w.call(session, "Runtime.evaluate", map[string]any{"expression": expression}, &res); err != nil {
		t.Fatal(err)
	}
	return res.Result.ID
}

func TestDisposeEndsEveryRequestOfThePage(t *testing.T) {
	site := newSite(t, map[string]string{"/": `<script>setInterval(() => { fetch("/beat"); new Image().src = "/beat?" + Math.random() }, 5)</script>`})
	g := sharedGate(t)
	before := contextCount(t, g)
	r := openRun(t, g, RunOptions{})
	page := newPage(t, r)
	if _, err := r.NewContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	goTo(t, r, page.SessionID, site.URL+"/")
	w := bind(t, r)
	waitFor(t, "requests", func() bool { return site.count("/beat") > 10 })
	if got := contextCount(t, g); got != before+2 {
		t.Errorf("%d contexts, want %d", got, before+2)
	}
	start := time.Now()
	if err := r.Dispose(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("disposing took %s", time.Since(start))
	time.Sleep(50 * time.Millisecond) // what was on the wire
	last := site.count("/beat")
	time.Sleep(500 * time.Millisecond)
	if more := site.count("/beat") - last; more != 0 {
		t.Errorf("%d requests came after the run was disposed of", more)
	}
	<-r.Done()
	<-w.conn.Done()
	if got := contextCount(t, g); got != before {
		t.Errorf("%d contexts are left, want %d", got, before)
	}
	if err := r.Dispose(t.Context()); err != nil {
		t.Errorf("a second Dispose gives %v", err)
	}
	if _, err := r.NewPage(t.Context(), page.ContextID); !errors.Is(err, ErrClosed) {
		t.Errorf("a new page after Dispose gives %v", err)
	}
	if _, err := r.NewContext(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("a new context after Dispose gives %v", err)
	}
	if err := r.Call(t.Context(), page.SessionID, "Runtime.evaluate", nil, nil); err == nil {
		t.Error("a call after Dispose works")
	}
	if err := r.Bind(t.Context(), nopConn(t)); !errors.Is(err, ErrClosed) {
		t.Errorf("Bind after Dispose gives %v", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, s := range g.sessions {
		if s.run == r {
			t.Errorf("session %s of the disposed run is kept", id)
		}
	}
	for _, p := range g.pending {
		if p.session != nil && p.session.run == r {
			t.Error("a command of the disposed run is kept")
		}
	}
}

func TestCutDropsFramesAndAnswersOnTheirWay(t *testing.T) {
	site := newSite(t, map[string]string{"/": ``})
	g := sharedGate(t)
	r := openRun(t, g, RunOptions{})
	page := newPage(t, r)
	goTo(t, r, page.SessionID, site.URL+"/")
	w := bind(t, r)
	w.find("the page", func(attached) bool { return true })
	never := w.conn.Start(t.Context(), page.SessionID, "Runtime.evaluate", map[string]any{"expression": `new Promise(() => {})`, "awaitPromise": true})
	var beating sync.WaitGroup
	for range 4 {
		beating.Go(func() {
			for w.conn.Call(t.Context(), page.SessionID, "Runtime.evaluate", map[string]any{"expression": `fetch("/beat")`}, nil) == nil {
			}
		})
	}
	waitFor(t, "beats", func() bool { return site.count("/beat") > 20 })
	r.Cut()
	beating.Wait()
	if err := never.Wait(t.Context(), nil); !errors.Is(err, cdp.ErrClosed) {
		t.Errorf("the waiting command gives %v", err)
	}
	// The page lives on and is the host's; nothing of the worker's comes after what Chromium had when Cut returned.
	if got := evaluate(t, r, page.SessionID, `"alive"`); got != "alive" {
		t.Errorf("the page after Cut: %q", got)
	}
	waitFor(t, "the last beats", func() bool {
		last := site.count("/beat")
		time.Sleep(100 * time.Millisecond)
		return site.count("/beat") == last
	})
	r.Cut()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.pending {
		if p.relay != nil && p.relay.run == r {
			t.Error("a command of the cut worker is kept")
		}
	}
}

func TestRunsSeeNothingOfEachOther(t *testing.T) {
	site := newSite(t, map[string]string{"/": ``, "/sw.js": ``})
	g := sharedGate(t)
	a, b := openRun(t, g, RunOptions{}), openRun(t, g, RunOptions{})
	pageA, pageB := newPage(t, a), newPage(t, b)
	goTo(t, a, pageA.SessionID, site.URL+"/")
	goTo(t, b, pageB.SessionID, site.URL+"/")
	evaluate(t, a, pageA.SessionID, `document.cookie = "who=a"; localStorage.who = "a"`)
	if err := a.SetCookies(t.Context(), a.ContextID(), json.RawMessage(`[{"name":"set","value":"by host","url":"`+site.URL+`"}]`)); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(t, b, pageB.SessionID, `document.cookie + "|" + localStorage.who`); got != "|undefined" {
		t.Errorf("the other run sees %q", got)
	}
	cookies, err := a.Cookies(t.Context(), a.ContextID())
	if err != nil || !strings.Contains(string(cookies), `"by host"`) || !strings.Contains(string(cookies), `"who"`) || cookies[0] != '[' {
		t.Errorf("cookies %s, %v", cookies, err)
	}
	if cookies, err := b.Cookies(t.Context(), b.ContextID()); err != nil || string(cookies) != "[]" {
		t.Errorf("the other run's cookies %s, %v", cookies, err)
	}
	second, err := a.NewContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if cookies, err := a.Cookies(t.Context(), second); err != nil || string(cookies) != "[]" {
		t.Errorf("the second context's cookies %s, %v", cookies, err)
	}
	if err := a.ClearCookies(t.Context(), a.ContextID()); err != nil {
		t.Error(err)
	}
	if cookies, err := a.Cookies(t.Context(), a.ContextID()); err != nil || string(cookies) != "[]" {
		t.Errorf("cookies after clearing %s, %v", cookies, err)
	}

	// Nothing of another run's can be named.
	ctx := t.Context()
	_, cookiesErr := a.Cookies(ctx, b.ContextID())
	_, pageErr := a.NewPage(ctx, b.ContextID())
	_, noContextErr := a.Cookies(ctx, "")
	for what, err := range map[string]error{
		"its cookies": cookiesErr, "a page in its context": pageErr, "no context": noContextErr,
		"setting its cookies": a.SetCookies(ctx, b.ContextID(), json.RawMessage(`[]`)), "clearing its cookies": a.ClearCookies(ctx, b.ContextID()),
		"its permissions": a.GrantPermissions(ctx, b.ContextID(), "", []string{"geolocation"}), "resetting them": a.ResetPermissions(ctx, b.ContextID()),
		"closing its context": a.CloseContext(ctx, b.ContextID()), "closing its page": a.ClosePage(ctx, pageB.TargetID, false),
		"a command to its page": a.Call(ctx, pageB.SessionID, "Runtime.evaluate", nil, nil), "a command to the browser": a.Call(ctx, "", "Target.getTargets", nil, nil),
		"its download": a.CancelDownload(ctx, "x"),
	} {
		if !errors.Is(err, ErrNotYours) {
			t.Errorf("%s: %v, want ErrNotYours", what, err)
		}
	}
	for _, cookies := range []string{``, `{}`, `[],"browserContextId":"` + b.ContextID() + `"`, "[\n]", `[{"name":"a","name":"b"}]`, "[\x00]", `[`, strings.Repeat("[", 500) + strings.Repeat("]", 500)} {
		if err := a.SetCookies(ctx, a.ContextID(), json.RawMessage(cookies)); !errors.Is(err, ErrRefused) {
			t.Errorf("cookies %.40s: %v, want ErrRefused", cookies, err)
		}
	}
}

func TestPermissionsAreGrantedWithoutTheClipboard(t *testing.T) {
	site := newSite(t, map[string]string{"/": ``})
	r := openRun(t, sharedGate(t), RunOptions{})
	page := newPage(t, r)
	goTo(t, r, page.SessionID, site.URL+"/")
	state := func() string {
		return evaluate(t, r, page.SessionID, `navigator.permissions.query({name:"geolocation"}).then(p => p.state)`)
	}
	before := state()
	if err := r.GrantPermissions(t.Context(), r.ContextID(), site.URL, []string{"geolocation"}); err != nil {
		t.Fatal(err)
	}
	if got := state(); got != "granted" {
		t.Errorf("geolocation is %q after the grant", got)
	}
	if err := r.ResetPermissions(t.Context(), r.ContextID()); err != nil {
		t.Fatal(err)
	}
	if got := state(); got != before {
		t.Errorf("geolocation is %q after the reset, was %q", got, before)
	}
	for _, permission := range grantable {
		if err := r.GrantPermissions(t.Context(), r.ContextID(), "", []string{permission}); err != nil {
			t.Errorf("%s: %v", permission, err)
		}
	}
	for _, permission := range []string{"clipboardReadWrite", "clipboardSanitizedWrite", "videoCapture", "audioCapture", "displayCapture", "midi", "nfc", ""} {
		if err := r.GrantPermissions(t.Context(), r.ContextID(), site.URL, []string{"geolocation", permission}); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v, want ErrRefused", permission, err)
		}
	}
	if got := state(); got == "" {
		t.Error("the page is gone")
	}
}

func TestARunHasAtMostFourContexts(t *testing.T) {
	r := openRun(t, sharedGate(t), RunOptions{})
	var ids []string
	for range 3 {
		id, err := r.NewContext(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if _, err := r.NewContext(t.Context()); !errors.Is(err, ErrLimit) {
		t.Errorf("a fifth context gives %v", err)
	}
	page, err := r.NewPage(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := r.CloseContext(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the page's end", func() bool { return len(r.Pages()) == 0 })
	if err := r.Call(t.Context(), page.SessionID, "Runtime.evaluate", nil, nil); err == nil {
		t.Error("the closed context's page answers")
	}
	if err := r.CloseContext(t.Context(), ids[0]); !errors.Is(err, ErrNotYours) {
		t.Errorf("closing it again gives %v", err)
	}
	if _, err := r.NewContext(t.Context()); err != nil {
		t.Errorf("a closed context makes no room: %v", err)
	}
}

func TestDownloadsBelongToTheRunThatStartedThem(t *testing.T) {
	site := newSite(t, map[string]string{"/": `<a href="/file" id="a">get</a><a href="/file" target="_blank" id="b">get</a>`})
	g := sharedGate(t)
	type run struct {
		*Run
		page Page
		dir  string
		mu   sync.Mutex
		got  []DownloadEvent
	}
	open := func() *run {
		one := &run{dir: t.TempDir()}
		one.Run = openRun(t, g, RunOptions{DownloadDir: one.dir + "/", Events: Events{Download: func(e DownloadEvent) {
			one.mu.Lock()
			defer one.mu.Unlock()
			one.got = append(one.got, e)
		}}})
		one.page = newPage(t, one.Run)
		goTo(t, one.Run, one.page.SessionID, site.URL+"/")
		return one
	}
	a, b := open(), open()
	ended := func(r *run, n int) []DownloadEvent {
		t.Helper()
		var all []DownloadEvent
		waitFor(t, "the download's end", func() bool {
			r.mu.Lock()
			defer r.mu.Unlock()
			all = slices.Clone(r.got)
			done := 0
			for _, e := range all {
				if e.State == "completed" {
					done++
				}
			}
			return done == n
		})
		return all
	}
	evaluate(t, a.Run, a.page.SessionID, `document.querySelector("#a").click()`)
	events := ended(a, 1)
	begin, end := events[0], events[len(events)-1]
	if begin.State != "inProgress" || begin.SuggestedName != "report.txt" || begin.URL != site.URL+"/file" || begin.GUID == "" {
		t.Errorf("it begins with %+v", begin)
	}
	if end.GUID != begin.GUID || end.Path != filepath.Join(a.dir, begin.GUID) || end.Received != 5000 {
		t.Errorf("it ends with %+v", end)
	}
	if content, err := os.ReadFile(end.Path); err != nil || len(content) != 5000 {
		t.Errorf("the file has %d bytes, %v", len(content), err)
	}
	evaluate(t, b.Run, b.page.SessionID, `document.querySelector("#b").click()`) // by a popup that is gone at once
	if events := ended(b, 1); events[0].GUID == begin.GUID {
		t.Errorf("the other run is told of %+v", events)
	}
	a.mu.Lock()
	count := len(a.got)
	for _, e := range a.got {
		if e.GUID != begin.GUID {
			t.Errorf("the first run is told of %+v", e)
		}
	}
	a.mu.Unlock()
	if count != len(events) {
		t.Errorf("%d events, want %d", count, len(events))
	}
	if err := a.CancelDownload(t.Context(), begin.GUID); err != nil {
		t.Errorf("cancelling one that has ended: %v", err)
	}
	if err := b.CancelDownload(t.Context(), begin.GUID); !errors.Is(err, ErrNotYours) {
		t.Errorf("cancelling another run's: %v", err)
	}

	// Without a folder nothing is downloaded.
	none := openRun(t, g, RunOptions{})
	page := newPage(t, none)
	goTo(t, none, page.SessionID, site.URL+"/")
	before := site.count("/file")
	evaluate(t, none, page.SessionID, `document.querySelector("#a").click()`)
	waitFor(t, "the request", func() bool { return site.count("/file") > before })
	if got := evaluate(t, none, page.SessionID, `"alive"`); got != "alive" {
		t.Errorf("the page is %q", got)
	}
}

func TestACrashedPageIsToldOfAndAnswersItsHost(t *testing.T) {
	g := sharedGate(t)
	other := newUndisturbed(t, g)
	crashed := make(chan string, 4)
	r := openRun(t, g, RunOptions{Events: Events{TargetCrashed: func(session string) { crashed <- session }}})
	page := newPage(t, r)
	w := bind(t, r)
	w.find("the page", func(attached) bool { return true })
	waiting := make(chan error, 1)
	go func() {
		waiting <- r.Call(t.Context(), page.SessionID, "Runtime.evaluate", map[string]any{"expression": `new Promise(() => {})`, "awaitPromise": true}, nil)
	}()
	theirs := w.conn.Start(t.Context(), page.SessionID, "Runtime.evaluate", map[string]any{"expression": `new Promise(() => {})`, "awaitPromise": true})
	waitFor(t, "the calls", func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		n := 0
		for _, p := range g.pending {
			if p.session != nil && p.session.run == r {
				n++
			}
		}
		return n == 2
	})
	if err := r.Call(t.Context(), page.SessionID, "Page.crash", nil, nil); !errors.Is(err, ErrCrashed) {
		t.Errorf("the command that crashed it gives %v", err)
	}
	if got := <-crashed; got != page.SessionID {
		t.Errorf("told of the crash of %q", got)
	}
	if err := <-waiting; !errors.Is(err, ErrCrashed) {
		t.Errorf("the waiting host gets %v", err)
	}
	if err := theirs.Wait(t.Context(), nil); !errors.Is(err, cdp.ErrTargetCrashed) {
		t.Errorf("the waiting worker gets %v", err)
	}
	if err := r.Call(t.Context(), page.SessionID, "Runtime.evaluate", nil, nil); !errors.Is(err, ErrCrashed) {
		t.Errorf("a later command gives %v", err)
	}
	other.check()
}

func TestTheEndOfTheBrowserEndsEverything(t *testing.T) {
	b, g := ownGate(t)
	r := openRun(t, g, RunOptions{})
	page := newPage(t, r)
	w := bind(t, r)
	w.find("the page", func(attached) bool { return true })
	waiting := make(chan error, 1)
	go func() {
		waiting <- r.Call(t.Context(), page.SessionID, "Runtime.evaluate", map[string]any{"expression": `new Promise(() => {})`, "awaitPromise": true}, nil)
	}()
	waitFor(t, "the call", func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		return len(g.pending) == 1
	})
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	<-g.Done()
	<-r.Done()
	<-w.conn.Done()
	if err := <-waiting; !errors.Is(err, ErrClosed) {
		t.Errorf("the waiting call gives %v", err)
	}
	if err := g.Err(); !errors.Is(err, ErrClosed) {
		t.Errorf("the gate ended with %v", err)
	}
	for what, err := range map[string]error{
		"a call": r.Call(t.Context(), page.SessionID, "Runtime.evaluate", nil, nil), "a page": second(r.NewPage(t.Context(), page.ContextID)),
		"a context": second(r.NewContext(t.Context())), "a run": second(g.Open(t.Context(), RunOptions{})),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v, want ErrClosed", what, err)
		}
	}
	if err := r.Dispose(t.Context()); err != nil {
		t.Errorf("Dispose gives %v", err)
	}
	if err := g.Close(); err != nil {
		t.Errorf("Close gives %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestAnEndedContextLeavesNoBrowserContextBehind(t *testing.T) {
	g := sharedGate(t)
	before := contextCount(t, g)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if r, err := g.Open(ctx, RunOptions{}); err == nil {
			if err := r.Dispose(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	waitFor(t, "the contexts' end", func() bool { return contextCount(t, g) == before })
	waitFor(t, "the runs' end", func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		for r := range g.runs {
			if r.disposed {
				return false
			}
		}
		return true
	})
}

func TestPagesOfNobodyAreLeftAlone(t *testing.T) {
	b, g := ownGate(t, "--remote-debugging-port=0")
	r := openRun(t, g, RunOptions{})
	page := newPage(t, r)
	attached, err := chromium.Attach(t.Context(), debuggingAddress(t, b))
	if err != nil {
		t.Fatal(err)
	}
	defer attached.Close()
	// For the second gate, the first one's pages are a person's own.
	second, err := New(t.Context(), attached.Transport(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	theirs := openRun(t, second, RunOptions{})
	other := newPage(t, theirs)
	if got := evaluate(t, theirs, other.SessionID, `1 + 1`); got != "2" {
		t.Errorf("the attached browser's page gives %q", got)
	}
	another := newPage(t, r) // attached to by both gates; the second lets it go
	for _, p := range []Page{page, another} {
		if got := evaluate(t, r, p.SessionID, `1 + 1`); got != "2" {
			t.Errorf("the page gives %q", got)
		}
	}
	second.mu.Lock()
	for _, s := range second.sessions {
		if s.run != theirs {
			t.Errorf("the second gate keeps %+v", s)
		}
	}
	second.mu.Unlock()
	if err := theirs.Dispose(t.Context()); err != nil {
		t.Error(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if got := evaluate(t, r, page.SessionID, `2 + 2`); got != "4" {
		t.Errorf("after the second gate's end the page gives %q", got)
	}
}

func debuggingAddress(t *testing.T, b *chromium.Browser) string {
	t.Helper()
	var address string
	waitFor(t, "the debugging port", func() bool {
		matches, _ := filepath.Glob(filepath.Join(os.TempDir(), "pomerado-browser-*-"+fmt.Sprint(os.Getpid())+"-*", "profile", "DevToolsActivePort"))
		for _, path := range matches {
			text, err := os.ReadFile(path)
			if port, rest, ok := strings.Cut(string(text), "\n"); err == nil && ok {
				address = "ws://127.0.0.1:" + port + rest
			}
		}
		return address != ""
	})
	_ = b
	return address
}

func TestARunReachesTheNetworkThroughItsOwnProxy(t *testing.T) {
	site := newSite(t, map[string]string{"/": `<title>through</title>`})
	proxy, err := egress.Listen(t.Context(), egress.Policy{Open: true})
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	r := openRun(t, sharedGate(t), RunOptions{Proxy: proxy.Addr()})
	page := newPage(t, r)
	for _, url := range []string{site.URL + "/", site.other() + "/"} {
		goTo(t, r, page.SessionID, url)
		if got := evaluate(t, r, page.SessionID, `document.title`); got != "through" {
			t.Errorf("%s has the title %q", url, got)
		}
	}
	lines, _ := proxy.Ledger()
	var hosts []string
	for _, line := range lines {
		if line.Refused == "" && !slices.Contains(hosts, line.Host) {
			hosts = append(hosts, line.Host)
		}
		if !line.IP.IsLoopback() {
			t.Errorf("connected to %+v", line)
		}
	}
	if !slices.Equal(hosts, []string{"127.0.0.1", "localhost"}) {
		t.Errorf("connected to %q", hosts)
	}
	for _, url := range []string{"http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://0.0.0.0:80/"} {
		var nav struct {
			Error string `json:"errorText"`
		}
		if err := r.Call(t.Context(), page.SessionID, "Page.navigate", map[string]any{"url": url}, &nav); err != nil || nav.Error == "" {
			t.Errorf("%s: %v, %q", url, err, nav.Error)
		}
	}
	_ = proxy.Close()
	goneTo := site.count("/")
	_ = r.Call(t.Context(), page.SessionID, "Page.navigate", map[string]any{"url": site.URL + "/"}, nil)
	if site.count("/") != goneTo {
		t.Error("the site is reached although the run's proxy is closed")
	}
}

// nopConn is one end of a socket nobody uses.
func nopConn(t *testing.T) net.Conn {
	t.Helper()
	a, b := socketPair(t)
	t.Cleanup(func() { _ = b.Close() })
	return a
}
