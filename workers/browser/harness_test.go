package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"
	"go.uber.org/goleak"

	"github.com/pomerado-go/pomerado/ipc/cdp"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/workers/browser/inject"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if theHub != nil {
		theHub.close()
	}
	if code == 0 {
		if err := goleak.Find(goleak.IgnoreTopFunction("os/signal.loop")); err != nil {
			log.Print(err)
			code = 1
		}
	}
	os.Exit(code)
}

// hub plays the gate for the engines of all tests: one Chromium, a context and a connection of its own for each engine, ids kept
// apart, auto-attach done for them.
type hub struct {
	browser *chromium.Browser
	wire    cdp.Transport
	done    chan struct{}

	mu       sync.Mutex
	id       int64
	answers  map[int64]answer
	sessions map[string]*testHost
	contexts map[string]*testHost
}

type answer struct {
	host *testHost // nil: the hub's own
	id   int64
	own  chan cdp.Parts
}

var theHub *hub

var startHub = sync.OnceValues(func() (*hub, error) {
	found, err := chromium.Find(chromium.FindOptions{Path: os.Getenv("POMERADO_BROWSER")})
	if err != nil {
		return nil, err
	}
	b, err := chromium.Launch(context.Background(), chromium.LaunchOptions{Found: found})
	if err != nil {
		return nil, err
	}
	h := &hub{browser: b, wire: b.Transport(), done: make(chan struct{}), answers: map[int64]answer{}, sessions: map[string]*testHost{}, contexts: map[string]*testHost{}}
	theHub = h
	go h.read()
	_, err = h.call("", "Target.setAutoAttach", autoAttach)
	return h, err
})

const autoAttach = `{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true}`

func (h *hub) close() {
	_ = h.browser.Close()
	<-h.done
}

func (h *hub) send(session, method, params string, a answer) {
	h.mu.Lock()
	h.id++
	id := h.id
	h.answers[id] = a
	h.mu.Unlock()
	frame := `{"id":` + strconv.FormatInt(id, 10) + `,"method":"` + method + `"`
	if params != "" {
		frame += `,"params":` + params
	}
	if session != "" {
		frame += `,"sessionId":"` + session + `"`
	}
	_ = h.wire.Send(context.Background(), []byte(frame+"}"))
}

func (h *hub) call(session, method, params string) (json.RawMessage, error) {
	own := make(chan cdp.Parts, 1)
	h.send(session, method, params, answer{own: own})
	select {
	case p := <-own:
		if p.Failed {
			return nil, fmt.Errorf("%s: %s", method, p.Body)
		}
		return json.RawMessage(p.Body), nil
	case <-h.done:
		return nil, fmt.Errorf("%s: the browser is gone", method)
	}
}

func (h *hub) read() {
	defer close(h.done)
	for {
		frame, err := h.wire.Receive()
		if err != nil {
			h.mu.Lock()
			for _, host := range h.contexts {
				host.conn.end()
			}
			h.mu.Unlock()
			return
		}
		p, ok := cdp.Cut(frame)
		if !ok {
			continue
		}
		if p.ID != 0 {
			h.mu.Lock()
			a := h.answers[p.ID]
			delete(h.answers, p.ID)
			h.mu.Unlock()
			switch {
			case a.own != nil:
				a.own <- p
			case a.host != nil:
				rest := frame[len(`{"id":`)+len(strconv.FormatInt(p.ID, 10)):]
				a.host.conn.put(append(strconv.AppendInt([]byte(`{"id":`), a.id, 10), rest...))
			}
			continue
		}
		h.event(frame, p)
	}
}

func (h *hub) event(frame []byte, p cdp.Parts) {
	session := string(p.Session)
	h.mu.Lock()
	host := h.sessions[session]
	h.mu.Unlock()
	if string(p.Method) == "Target.attachedToTarget" {
		var e struct {
			SessionID  string
			TargetInfo struct{ BrowserContextID, Type string }
		}
		if json.Unmarshal(p.Body, &e) != nil {
			return
		}
		if host == nil {
			h.mu.Lock()
			host = h.contexts[e.TargetInfo.BrowserContextID]
			h.mu.Unlock()
		}
		if host == nil {
			h.send(e.SessionID, "Runtime.runIfWaitingForDebugger", "", answer{})
			return
		}
		h.mu.Lock()
		h.sessions[e.SessionID] = host
		h.mu.Unlock()
		h.send(e.SessionID, "Target.setAutoAttach", autoAttach, answer{})
	}
	if string(p.Method) == "Target.detachedFromTarget" {
		var e struct{ SessionID string }
		if json.Unmarshal(p.Body, &e) != nil {
			return
		}
		h.mu.Lock()
		if host == nil {
			host = h.sessions[e.SessionID]
		}
		delete(h.sessions, e.SessionID)
		h.mu.Unlock()
	}
	if host != nil {
		host.conn.put(frame)
	}
}

// testConn is an engine's end of the hub.
type testConn struct {
	host   *testHost
	mu     sync.Mutex
	frames [][]byte
	more   chan struct{}
	closed bool
	sent   []string // methods, when counting
	count  bool
}

func (c *testConn) put(frame []byte) {
	c.mu.Lock()
	c.frames = append(c.frames, frame)
	c.mu.Unlock()
	select {
	case c.more <- struct{}{}:
	default:
	}
}

func (c *testConn) end() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	select {
	case c.more <- struct{}{}:
	default:
	}
}

func (c *testConn) Receive() ([]byte, error) {
	for {
		c.mu.Lock()
		if len(c.frames) > 0 {
			frame := c.frames[0]
			c.frames = c.frames[1:]
			c.mu.Unlock()
			return frame, nil
		}
		closed := c.closed
		c.mu.Unlock()
		if closed {
			return nil, cdp.ErrClosed
		}
		<-c.more
	}
}

func (c *testConn) Close() error {
	c.end()
	return nil
}

func (c *testConn) Send(_ context.Context, frame []byte) error {
	var m struct {
		ID                int64
		Method, SessionID string
		Params            json.RawMessage
	}
	if err := json.Unmarshal(frame, &m); err != nil {
		return err
	}
	if strings.HasPrefix(m.Method, "Target.") || strings.HasPrefix(m.Method, "Browser.") || m.SessionID == "" {
		return fmt.Errorf("the gate would refuse %s", m.Method)
	}
	c.mu.Lock()
	if c.count {
		c.sent = append(c.sent, m.Method)
	}
	c.mu.Unlock()
	c.host.hub.send(m.SessionID, m.Method, string(m.Params), answer{host: c.host, id: m.ID})
	return nil
}

func (c *testConn) Post(frame []byte) error { return c.Send(context.Background(), frame) }

// testHost is the supervisor's part for one engine.
type testHost struct {
	hub       *hub
	conn      *testConn
	contextID string
}

func (t *testHost) NewPage(_ context.Context, contextID string) (string, error) {
	raw, err := t.hub.call("", "Target.createTarget", `{"url":"about:blank","browserContextId":"`+contextID+`"}`)
	if err != nil {
		return "", err
	}
	var res struct{ TargetID string }
	return res.TargetID, json.Unmarshal(raw, &res)
}

func (t *testHost) ClosePage(_ context.Context, targetID string, runBeforeUnload bool) error {
	if runBeforeUnload {
		t.hub.mu.Lock()
		session := ""
		for id, host := range t.hub.sessions {
			if host == t {
				session = id
			}
		}
		t.hub.mu.Unlock()
		t.hub.send(session, "Page.close", "", answer{})
		return nil
	}
	_, err := t.hub.call("", "Target.closeTarget", `{"targetId":"`+targetID+`"}`)
	return err
}

func (t *testHost) NewContext(context.Context) (string, error) { return t.hub.newContext(t) }

func (t *testHost) CloseContext(_ context.Context, contextID string) error {
	_, err := t.hub.call("", "Target.disposeBrowserContext", `{"browserContextId":"`+contextID+`"}`)
	return err
}

func (t *testHost) GetCookies(_ context.Context, contextID string) (json.RawMessage, error) {
	raw, err := t.hub.call("", "Storage.getCookies", `{"browserContextId":"`+contextID+`"}`)
	if err != nil {
		return nil, err
	}
	var res struct{ Cookies json.RawMessage }
	return res.Cookies, json.Unmarshal(raw, &res)
}

func (t *testHost) SetCookies(_ context.Context, contextID string, cookies json.RawMessage) error {
	_, err := t.hub.call("", "Storage.setCookies", `{"browserContextId":"`+contextID+`","cookies":`+string(cookies)+`}`)
	return err
}

func (t *testHost) ClearCookies(_ context.Context, contextID string) error {
	_, err := t.hub.call("", "Storage.clearCookies", `{"browserContextId":"`+contextID+`"}`)
	return err
}

func (t *testHost) GrantPermissions(_ context.Context, contextID, origin string, permissions []string) error {
	params := map[string]any{"browserContextId": contextID, "permissions": permissions}
	if origin != "" {
		params["origin"] = origin
	}
	raw, _ := json.Marshal(params)
	_, err := t.hub.call("", "Browser.grantPermissions", string(raw))
	return err
}

func (t *testHost) ResetPermissions(_ context.Context, contextID string) error {
	_, err := t.hub.call("", "Browser.resetPermissions", `{"browserContextId":"`+contextID+`"}`)
	return err
}

func (t *testHost) WaitDownload(context.Context, string) (DownloadEnd, error) {
	return DownloadEnd{}, nil
}
func (t *testHost) CancelDownload(context.Context, string) error { return nil }

func (h *hub) newContext(t *testHost) (string, error) {
	raw, err := h.call("", "Target.createBrowserContext", `{"disposeOnDetach":true}`)
	if err != nil {
		return "", err
	}
	var res struct{ BrowserContextID string }
	if err := json.Unmarshal(raw, &res); err != nil {
		return "", err
	}
	h.mu.Lock()
	h.contexts[res.BrowserContextID] = t
	h.mu.Unlock()
	return res.BrowserContextID, nil
}

// programs are the in-page programs, bundled as a worker gets them.
var programs = sync.OnceValues(func() ([3]string, error) {
	dir, err := os.MkdirTemp("", "inject")
	if err != nil {
		return [3]string{}, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, inject.Sources()); err != nil {
		return [3]string{}, err
	}
	var out [3]string
	whole, evaluator, clock := inject.Programs()
	for i, p := range []inject.Program{whole, evaluator, clock} {
		result := api.Build(api.BuildOptions{
			EntryPoints: []string{filepath.Join(dir, p.Entry)}, Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetASCII,
			MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
			Banner: map[string]string{"js": p.Banner}, Footer: map[string]string{"js": p.Footer},
		})
		if len(result.Errors) > 0 {
			return out, fmt.Errorf("bundling: %v", result.Errors[0])
		}
		out[i] = string(result.OutputFiles[0].Contents)
	}
	return out, nil
})

// tab is what most tests begin with: an engine with a page, and a server with two sites.
type tab struct {
	testing.TB
	ctx     context.Context
	host    *testHost
	browser *Browser
	page    *Page
	// near and far are the same server as two sites.
	near, far string
	mux       *http.ServeMux
}

func open(t testing.TB, options ...ContextOptions) *tab {
	t.Helper()
	h, err := startHub()
	if err != nil {
		t.Fatal(err)
	}
	p, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	host := &testHost{hub: h}
	host.conn = &testConn{host: host, more: make(chan struct{}, 1)}
	if host.contextID, err = h.newContext(host); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	o := Options{Host: host, Inject: p[0], Evaluator: p[1], Clock: p[2], ContextID: host.contextID, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	if len(options) > 0 {
		o.Context = options[0]
	}
	b, err := Connect(ctx, host.conn, o)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("../../testdata/pages")))
	server := httptest.NewServer(mux)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		_ = b.Close()
		_, _ = h.call("", "Target.disposeBrowserContext", `{"browserContextId":"`+host.contextID+`"}`)
	})
	if _, err := host.NewPage(ctx, host.contextID); err != nil {
		t.Fatal(err)
	}
	page, err := b.WaitForPage(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return &tab{TB: t, ctx: ctx, host: host, browser: b, page: page, near: "http://127.0.0.1:" + port, far: "http://localhost:" + port, mux: mux}
}

func (t *tab) ok(err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (t *tab) visit(path string) {
	t.Helper()
	_, err := t.page.Goto(t.ctx, t.near+path, GotoOptions{})
	t.ok(err)
}

func (t *tab) set(html string) {
	t.Helper()
	t.ok(t.page.SetContent(t.ctx, html, NavigateOptions{}))
}

func (t *tab) locator(selector string) *Locator {
	t.Helper()
	l, err := t.page.Locator(selector, LocatorOptions{})
	t.ok(err)
	return l
}

func (t *tab) eval(source string) Value {
	t.Helper()
	v, err := t.page.Evaluate(t.ctx, Expression(source), Undefined{})
	t.ok(err)
	return v
}

func (t *tab) is(got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// sent runs fn and answers the CDP commands it sent.
func (t *tab) sent(fn func()) []string {
	c := t.host.conn
	c.mu.Lock()
	c.sent, c.count = nil, true
	c.mu.Unlock()
	fn()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count = false
	return c.sent
}

func ms(n int) *time.Duration { return ptr(time.Duration(n) * time.Millisecond) }
