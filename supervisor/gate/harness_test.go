package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pomerado-go/pomerado/ipc/cdp"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
)

// The browser most tests share; runs are what is isolated.
var shared struct {
	once    sync.Once
	browser *chromium.Browser
	gate    *Gate
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.gate != nil {
		_ = shared.gate.Close()
	}
	if shared.browser != nil {
		_ = shared.browser.Close()
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func launch(ctx context.Context, args ...string) (*chromium.Browser, error) {
	found, err := chromium.Find(chromium.FindOptions{})
	if err != nil {
		return nil, err
	}
	return chromium.Launch(ctx, chromium.LaunchOptions{Found: found, ExtraArgs: args})
}

// sharedGate gives the gate of the shared browser.
func sharedGate(tb testing.TB) *Gate {
	tb.Helper()
	shared.once.Do(func() {
		ctx := context.Background() // it outlives the test that happens to be the first
		if shared.browser, shared.err = launch(ctx); shared.err == nil {
			shared.gate, shared.err = New(ctx, shared.browser.Transport(), Options{})
		}
	})
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	return shared.gate
}

// ownGate gives a browser and gate of the test's own.
func ownGate(t *testing.T, args ...string) (*chromium.Browser, *Gate) {
	t.Helper()
	b, err := launch(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	g, err := New(t.Context(), b.Transport(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return b, g
}

// openRun opens a run that is disposed of at the test's end.
func openRun(tb testing.TB, g *Gate, options RunOptions) *Run {
	tb.Helper()
	r, err := g.Open(tb.Context(), options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), 10*time.Second)
		defer cancel()
		if err := r.Dispose(ctx); err != nil {
			tb.Errorf("disposing: %v", err)
		}
	})
	return r
}

func newPage(tb testing.TB, r *Run) Page {
	tb.Helper()
	page, err := r.NewPage(tb.Context(), r.ContextID())
	if err != nil {
		tb.Fatal(err)
	}
	return page
}

// goTo loads an address with the host's own commands, to DOM-ready.
func goTo(tb testing.TB, r *Run, session, url string) {
	tb.Helper()
	var nav struct {
		Frame string `json:"frameId"`
		Error string `json:"errorText"`
	}
	if err := r.Call(tb.Context(), session, "Page.navigate", map[string]any{"url": url}, &nav); err != nil || nav.Error != "" {
		tb.Fatalf("going to %s: %v %s", url, err, nav.Error)
	}
	waitFor(tb, "the document at "+url, func() bool {
		return evaluate(tb, r, session, `location.href + " " + document.readyState`) == url+" complete"
	})
}

// evaluate evaluates with the host's own commands and gives a string; "" when the document is just being replaced.
func evaluate(tb testing.TB, r *Run, session, expression string) string {
	tb.Helper()
	var res struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	ctx, cancel := context.WithTimeout(tb.Context(), 30*time.Second)
	defer cancel()
	err := r.Call(ctx, session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true}, &res)
	if err != nil || res.Result.Value == nil {
		return ""
	}
	return fmt.Sprint(res.Result.Value)
}

func waitFor(tb testing.TB, what string, condition func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(30 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatalf("%s: did not come", what)
		}
	}
}

// worker is a test's worker: a CDP client on the other end of a bound socket.
type worker struct {
	tb   testing.TB
	conn *cdp.Conn

	mu       sync.Mutex
	attached []attached
	events   []cdp.Event
}

type attached struct {
	Parent  string
	Session string `json:"sessionId"`
	Info    struct {
		Target  string `json:"targetId"`
		Type    string `json:"type"`
		URL     string `json:"url"`
		Context string `json:"browserContextId"`
		Opener  string `json:"openerId"`
	} `json:"targetInfo"`
	Waiting bool `json:"waitingForDebugger"`
}

// bind binds a well-behaved worker to a run.
func bind(tb testing.TB, r *Run) *worker {
	tb.Helper()
	w := &worker{tb: tb}
	socket := bindRaw(tb, r)
	cdp.NewConn(socket, func(c *cdp.Conn) {
		w.conn = c
		c.Subscribe("", w.event)
	})
	tb.Cleanup(func() {
		_ = w.conn.Close()
		<-w.conn.Done()
	})
	return w
}

// bindRaw binds a worker that speaks frames of its own making.
func bindRaw(tb testing.TB, r *Run) *cdp.Socket {
	tb.Helper()
	ours, theirs := socketPair(tb)
	if err := r.Bind(tb.Context(), ours); err != nil {
		tb.Fatal(err)
	}
	socket := cdp.NewSocket(theirs)
	tb.Cleanup(func() { _ = socket.Close() })
	return socket
}

func socketPair(tb testing.TB) (net.Conn, net.Conn) {
	tb.Helper()
	dir, err := os.MkdirTemp("", "gate")
	if err != nil {
		tb.Fatal(err)
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		tb.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan net.Conn, 1)
	go func() {
		conn, _ := listener.Accept()
		accepted <- conn
	}()
	a, err := net.Dial("unix", listener.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	return a, <-accepted
}

func (w *worker) event(e cdp.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
	if e.Method == "Target.attachedToTarget" {
		a := attached{Parent: e.Session}
		if err := e.Decode(&a); err != nil {
			w.tb.Error(err)
		}
		w.attached = append(w.attached, a)
		w.conn.Subscribe(a.Session, w.event)
	}
}

// find waits for an attached target.
func (w *worker) find(what string, matches func(attached) bool) attached {
	w.tb.Helper()
	var found attached
	waitFor(w.tb, what, func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		i := slices.IndexFunc(w.attached, matches)
		if i >= 0 {
			found = w.attached[i]
		}
		return i >= 0
	})
	return found
}

// saw says whether an event came.
func (w *worker) saw(session, method string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.events, func(e cdp.Event) bool { return e.Session == session && e.Method == method })
}

func (w *worker) call(session, method string, params any, res any) error {
	w.tb.Helper()
	ctx, cancel := context.WithTimeout(w.tb.Context(), 30*time.Second)
	defer cancel()
	return w.conn.Call(ctx, session, method, params, res)
}

func (w *worker) must(session, method string, params any) {
	w.tb.Helper()
	if err := w.call(session, method, params, nil); err != nil {
		w.tb.Fatal(err)
	}
}

func (w *worker) evaluate(session, expression string) string {
	w.tb.Helper()
	var res struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true}
	if err := w.call(session, "Runtime.evaluate", params, &res); err != nil {
		w.tb.Fatalf("evaluating %s: %v", expression, err)
	}
	return fmt.Sprint(res.Result.Value)
}

func (w *worker) navigate(session, url string) {
	w.tb.Helper()
	var nav struct {
		Error string `json:"errorText"`
	}
	if err := w.call(session, "Page.navigate", map[string]any{"url": url}, &nav); err != nil || nav.Error != "" {
		w.tb.Fatalf("going to %s: %v %s", url, err, nav.Error)
	}
	waitFor(w.tb, "the document at "+url, func() bool {
		var res struct {
			Result struct {
				Value any `json:"value"`
			} `json:"result"`
		}
		err := w.call(session, "Runtime.evaluate", map[string]any{"expression": `location.href + " " + document.readyState`, "returnByValue": true}, &res)
		return err == nil && res.Result.Value == url+" complete"
	})
}

// fixture is a site on loopback: one host that Chromium knows under two sites, 127.0.0.1 and localhost.
type fixture struct {
	*httptest.Server
	mu   sync.Mutex
	hits map[string]int
}

func newSite(tb testing.TB, pages map[string]string) *fixture {
	tb.Helper()
	f := &fixture{hits: map[string]int{}}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.hits[r.URL.Path]++
		f.mu.Unlock()
		page, ok := pages[r.URL.Path]
		switch {
		case strings.HasPrefix(r.URL.Path, "/file"):
			w.Header().Set("Content-Disposition", `attachment; filename="report.txt"`)
			fmt.Fprint(w, strings.Repeat("line\n", 1000))
		case strings.HasSuffix(r.URL.Path, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, page)
		case strings.HasPrefix(r.URL.Path, "/beat"):
		case !ok:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, strings.ReplaceAll(page, "OTHER", f.other()))
		}
	}))
	tb.Cleanup(f.Close)
	return f
}

// other is the same server as another site.
func (f *fixture) other() string { return strings.Replace(f.URL, "127.0.0.1", "localhost", 1) }

func (f *fixture) count(path string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hits[path]
}

// undisturbed is a run that must not notice what another one does.
type undisturbed struct {
	tb   testing.TB
	run  *Run
	page Page
}

func newUndisturbed(tb testing.TB, g *Gate) *undisturbed {
	tb.Helper()
	u := &undisturbed{tb: tb, run: openRun(tb, g, RunOptions{})}
	u.page = newPage(tb, u.run)
	if got := evaluate(tb, u.run, u.page.SessionID, `document.title = "mine"`); got != "mine" {
		tb.Fatalf("the bystander's title is %q", got)
	}
	return u
}

func (u *undisturbed) check() {
	u.tb.Helper()
	if got := evaluate(u.tb, u.run, u.page.SessionID, `document.title`); got != "mine" {
		u.tb.Fatalf("the bystander's title is %q", got)
	}
	if pages := u.run.Pages(); len(pages) != 1 {
		u.tb.Fatalf("the bystander has pages %+v", pages)
	}
}

// contextCount is how many contexts the browser has, as the browser says.
func contextCount(tb testing.TB, g *Gate) int {
	tb.Helper()
	var res struct {
		IDs []string `json:"browserContextIds"`
	}
	if err := g.call(tb.Context(), nil, "Target.getBrowserContexts", nil, &res); err != nil {
		tb.Fatal(err)
	}
	return len(res.IDs)
}

// answerOf sends raw bytes as one frame and gives the frame that answers.
func answerOf(tb testing.TB, socket *cdp.Socket, frame []byte) string {
	tb.Helper()
	if err := socket.Send(tb.Context(), frame); err != nil {
		tb.Fatal(err)
	}
	for {
		answer, err := socket.Receive()
		if err != nil {
			return "closed"
		}
		var head struct {
			ID int64 `json:"id"`
		}
		if json.Unmarshal(answer, &head) == nil && head.ID != 0 {
			return string(answer)
		}
	}
}
