package playwright

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
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pomerado-go/pomerado/ipc/cdp"
	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/supervisor/gate"
	"github.com/pomerado-go/pomerado/workers/browser"
	"github.com/pomerado-go/pomerado/workers/contract"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.gate != nil {
		_ = shared.gate.Close()
		_ = shared.browser.Close()
	}
	if code == 0 {
		if err := goleak.Find(goleak.IgnoreTopFunction("os/signal.loop")); err != nil {
			log.Print(err)
			code = 1
		}
	}
	os.Exit(code)
}

// shared is the one Chromium and gate of all tests.
var shared struct {
	browser *chromium.Browser
	gate    *gate.Gate
}

var startShared = sync.OnceValue(func() error {
	found, err := chromium.Find(chromium.FindOptions{Path: os.Getenv("POMERADO_BROWSER")})
	if err != nil {
		return err
	}
	if shared.browser, err = chromium.Launch(context.Background(), chromium.LaunchOptions{Found: found}); err != nil {
		return err
	}
	shared.gate, err = gate.New(context.Background(), shared.browser.Transport(), gate.Options{})
	return err
})

// host is the supervisor's part: the gate's run.
type host struct{ *gate.Run }

func (h host) NewPage(ctx context.Context, contextID string) (string, error) {
	p, err := h.Run.NewPage(ctx, contextID)
	return p.TargetID, err
}

func (h host) GetCookies(ctx context.Context, contextID string) (json.RawMessage, error) {
	return h.Run.Cookies(ctx, contextID)
}

func (h host) WaitDownload(context.Context, string) (browser.DownloadEnd, error) {
	return browser.DownloadEnd{}, nil
}

// session is page code on a fresh context with one page, and a server with two sites.
type session struct {
	*testing.T
	ctx       context.Context
	code      *PageCode
	page      *browser.Page
	near, far string
	mux       *http.ServeMux
}

func open(t *testing.T) *session {
	t.Helper()
	if err := startShared(); err != nil {
		t.Fatal(err)
	}
	programs, err := contract.Programs()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	run, err := shared.gate.Open(ctx, gate.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Dispose(context.WithoutCancel(ctx)) })
	if _, err := run.NewPage(ctx, run.ContextID()); err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	if err := run.Bind(ctx, theirs); err != nil {
		t.Fatal(err)
	}
	engine, err := browser.Connect(ctx, cdp.NewSocket(ours), browser.Options{Host: host{run}, Inject: string(programs.Page), Evaluator: string(programs.Evaluator), Clock: string(programs.Clock),
		ContextID: run.ContextID(), Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	s := &session{T: t, ctx: ctx, mux: http.NewServeMux()}
	if s.page, err = engine.WaitForPage(ctx); err != nil {
		t.Fatal(err)
	}
	rt := jsrt.New(ctx, RuntimeOptions())
	t.Cleanup(rt.Close)
	if s.code, err = Load(ctx, rt, s.page); err != nil {
		t.Fatal(err)
	}
	s.mux.Handle("/", http.FileServer(http.Dir("../../testdata/pages")))
	server := httptest.NewServer(s.mux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	s.near, s.far = "http://127.0.0.1:"+port, "http://localhost:"+port
	return s
}

// run executes page code; NEAR and FAR are the two sites.
func (s *session) run(code string) Reply {
	s.Helper()
	reply, err := s.code.Execute(s.ctx, fmt.Sprintf("const NEAR = %q, FAR = %q;\n", s.near, s.far)+code)
	if err != nil {
		s.Fatal(err)
	}
	return reply
}

// want executes page code and compares its result's JSON.
func (s *session) want(code, result string) {
	s.Helper()
	reply := s.run(code)
	switch {
	case !reply.Success:
		s.Errorf("%s\nfailed: %s\n%s", code, reply.Error, reply.Stderr)
	case string(reply.Result) != result:
		s.Errorf("%s\n got %s\nwant %s", code, reply.Result, result)
	}
}

// wantError executes page code that fails and compares its message.
func (s *session) wantError(code, message string) {
	s.Helper()
	reply := s.run(code)
	if reply.Success || reply.Error != message {
		s.Errorf("%s\n got %q (success %v, result %s)\nwant %q", code, reply.Error, reply.Success, reply.Result, message)
	}
}
