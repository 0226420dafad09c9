package inject_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/pomerado-go/pomerado/ipc/cdp"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/workers/browser/inject"
)

// One browser for all tests, started when the first needs it; each page has a context of its own.
var shared = sync.OnceValues(func() (*cdp.Conn, error) {
	found, err := chromium.Find(chromium.FindOptions{Path: os.Getenv("POMERADO_BROWSER")})
	if err != nil {
		return nil, err
	}
	browser, err := chromium.Launch(context.Background(), chromium.LaunchOptions{Found: found})
	if err != nil {
		return nil, err
	}
	closeBrowser = browser.Close
	return cdp.NewConn(browser.Transport()), nil
})

var closeBrowser = func() error { return nil }

func TestMain(m *testing.M) {
	code := m.Run()
	if err := closeBrowser(); err != nil {
		log.Print(err)
	}
	os.Exit(code)
}

// bundle makes a program as the worker does.
func bundle(program inject.Program) (string, error) {
	dir, err := os.MkdirTemp("", "inject")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, inject.Sources()); err != nil {
		return "", err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(dir, program.Entry)},
		Bundle:      true, Write: false,
		Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetASCII,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Banner: map[string]string{"js": program.Banner}, Footer: map[string]string{"js": program.Footer},
	})
	if len(result.Errors) > 0 {
		return "", fmt.Errorf("bundling: %v", result.Errors[0])
	}
	return string(result.OutputFiles[0].Contents), nil
}

var programs = sync.OnceValues(func() (out [3]string, err error) {
	whole, evaluator, clock := inject.Programs()
	for i, p := range []inject.Program{whole, evaluator, clock} {
		if out[i], err = bundle(p); err != nil {
			return out, err
		}
	}
	return out, nil
})

// page is one page with the whole program in an isolated world and in its own.
type page struct {
	t       testing.TB
	ctx     context.Context
	session cdp.Session
	frame   string
	conn    *cdp.Conn
	// Object ids of the programs.
	utility, main string
	utilityWorld  int64
}

// server serves testdata.
var server = sync.OnceValue(func() *httptest.Server {
	return httptest.NewServer(http.FileServer(http.Dir("testdata")))
})

func newPage(t testing.TB) *page {
	t.Helper()
	conn, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	limit := 2 * time.Minute
	if _, fuzzing := t.(*testing.F); fuzzing {
		limit = 24 * time.Hour
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	p := &page{t: t, ctx: ctx, conn: conn}
	var browserContext struct{ BrowserContextID string }
	p.must(call(ctx, cdp.Session{Conn: conn}, "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &browserContext))
	t.Cleanup(func() {
		_ = conn.Call(context.Background(), "", "Target.disposeBrowserContext", map[string]any{"browserContextId": browserContext.BrowserContextID}, nil)
	})
	var target struct{ TargetID string }
	p.must(call(ctx, cdp.Session{Conn: conn}, "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": browserContext.BrowserContextID, "width": 800, "height": 600}, &target))
	var attached struct{ SessionID string }
	p.must(call(ctx, cdp.Session{Conn: conn}, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached))
	p.session = cdp.Session{Conn: conn, ID: attached.SessionID}
	p.cdp("Page.enable", nil, nil)
	p.cdp("Runtime.enable", nil, nil)
	p.cdp("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	var tree struct {
		FrameTree struct{ Frame struct{ ID string } }
	}
	p.cdp("Page.getFrameTree", nil, &tree)
	p.frame = tree.FrameTree.Frame.ID
	return p
}

func (p *page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *page) cdp(method string, params, result any) {
	p.t.Helper()
	if params == nil {
		params = map[string]any{}
	}
	p.must(call(p.ctx, p.session, method, params, result))
}

// call decodes answers without regard to case, so that they need no tags here.
func call(ctx context.Context, session cdp.Session, method string, params, result any) error {
	var raw json.RawMessage
	if err := session.Call(ctx, method, params, &raw); err != nil || result == nil {
		return err
	}
	return json.Unmarshal(raw, result)
}

// setContent writes a document and installs the programs.
func setContent(t testing.TB, html string) *page {
	t.Helper()
	p := newPage(t)
	p.cdp("Page.setDocumentContent", map[string]any{"frameId": p.frame, "html": html}, nil)
	p.install()
	return p
}

// open loads a page of testdata and installs the programs.
func open(t testing.TB, name string) *page {
	t.Helper()
	p := newPage(t)
	p.navigate(server().URL + "/" + name)
	return p
}

func (p *page) navigate(url string) {
	p.t.Helper()
	loaded := make(chan struct{}, 4)
	stop := p.conn.Subscribe(p.session.ID, func(event cdp.Event) {
		if event.Method == "Page.loadEventFired" {
			loaded <- struct{}{}
		}
	})
	defer stop()
	p.cdp("Page.navigate", map[string]any{"url": url}, nil)
	select {
	case <-loaded:
	case <-p.ctx.Done():
		p.t.Fatal("the page did not load")
	}
	p.install()
}

func (p *page) install() {
	p.t.Helper()
	scripts, err := programs()
	p.must(err)
	var world struct{ ExecutionContextID int64 }
	p.cdp("Page.createIsolatedWorld", map[string]any{"frameId": p.frame, "worldName": "test"}, &world)
	p.utilityWorld = world.ExecutionContextID
	p.utility = p.object(scripts[0]+"({})", world.ExecutionContextID)
	p.main = p.object(scripts[0]+"({})", 0)
}

// object evaluates an expression and gives the id of the object it is.
func (p *page) object(expression string, world int64) string {
	p.t.Helper()
	params := map[string]any{"expression": expression}
	if world != 0 {
		params["contextId"] = world
	}
	var result evaluation
	p.cdp("Runtime.evaluate", params, &result)
	if result.ExceptionDetails != nil {
		p.t.Fatalf("evaluating: %s", result.ExceptionDetails.Exception.Description)
	}
	return result.Result.ObjectID
}

type evaluation struct {
	Result struct {
		Type, Subtype string
		Value         json.RawMessage
		ObjectID      string
	}
	ExceptionDetails *struct {
		Text      string
		Exception struct {
			Description string
			Value       json.RawMessage
		}
	}
}

// eval runs an expression in the page's own world and gives its value.
func (p *page) eval(expression string) any {
	p.t.Helper()
	var result evaluation
	p.cdp("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &result)
	if result.ExceptionDetails != nil {
		p.t.Fatalf("evaluating %s: %s", expression, result.ExceptionDetails.Exception.Description)
	}
	var value any
	if len(result.Result.Value) > 0 {
		p.must(json.Unmarshal(result.Result.Value, &value))
	}
	return value
}

// thrown is the text of a thrown string, or the description of anything else.
func (e evaluation) thrown() string {
	if e.ExceptionDetails == nil {
		return ""
	}
	var text string
	if json.Unmarshal(e.ExceptionDetails.Exception.Value, &text) == nil {
		return text
	}
	return e.ExceptionDetails.Exception.Description
}

// object is an argument that stays in the page.
type object string

// code is page code in an argument: it goes into the function's declaration.
type code string

const declaration = "function(m,...a){return this[m](...a)}"

// invoke calls a method of a program as the engine does.
func (p *page) invoke(this string, byValue bool, method string, args ...any) evaluation {
	p.t.Helper()
	declared := declaration
	list := []map[string]any{{"value": method}}
	for i, arg := range args {
		switch arg := arg.(type) {
		case object:
			list = append(list, map[string]any{"objectId": string(arg)})
		case code:
			if i != 0 {
				p.t.Fatal("code is the first argument")
			}
			declared = "function(m,...a){return this[m]((" + string(arg) + "),...a)}"
		case nil:
			list = append(list, map[string]any{})
		default:
			list = append(list, map[string]any{"value": arg})
		}
	}
	var result evaluation
	p.cdp("Runtime.callFunctionOn", map[string]any{
		"objectId": this, "functionDeclaration": declared, "arguments": list, "returnByValue": byValue, "awaitPromise": true,
	}, &result)
	return result
}

// reply is what the methods of the program answer.
type reply struct {
	Log   []string
	Value any
	Retry *struct {
		Reason, State, Description string
		Ref, Attempt               int
	}
	Error string
	// raw is the value as it came.
	raw json.RawMessage
}

func (p *page) call(method string, args ...any) reply {
	p.t.Helper()
	return p.decode(method, p.invoke(p.utility, true, method, args...))
}

func (p *page) callMain(method string, args ...any) reply {
	p.t.Helper()
	return p.decode(method, p.invoke(p.main, true, method, args...))
}

func (p *page) decode(method string, result evaluation) reply {
	p.t.Helper()
	if result.ExceptionDetails != nil {
		p.t.Fatalf("%s threw %s", method, result.ExceptionDetails.Exception.Description)
	}
	var r reply
	p.must(json.Unmarshal(result.Result.Value, &r))
	var raw struct{ Value json.RawMessage }
	p.must(json.Unmarshal(result.Result.Value, &raw))
	r.raw = raw.Value
	return r
}

// value calls a method that must succeed.
func (p *page) value(method string, args ...any) any {
	p.t.Helper()
	r := p.call(method, args...)
	if r.Error != "" || r.Retry != nil {
		p.t.Fatalf("%s(%v): error %q, retry %+v, log %q", method, args, r.Error, r.Retry, r.Log)
	}
	return r.Value
}

// query gives the ids of all elements a selector finds, in order; elements without an id as their tag.
func (p *page) ids(selector string) string {
	p.t.Helper()
	r := p.call("readAll", selector, "preview")
	if r.Error != "" {
		return "error: " + r.Error
	}
	var names []string
	for _, preview := range r.Value.([]any) {
		names = append(names, idOf(preview.(string)))
	}
	return strings.Join(names, " ")
}

func idOf(preview string) string {
	if _, rest, ok := strings.Cut(preview, ` id="`); ok {
		id, _, _ := strings.Cut(rest, `"`)
		return id
	}
	tag, _, _ := strings.Cut(strings.TrimPrefix(preview, "<"), ">")
	tag, _, _ = strings.Cut(tag, " ")
	return tag
}

// handle gives the object id of the first match, in the isolated world.
func (p *page) handle(selector string) object {
	p.t.Helper()
	result := p.invoke(p.utility, false, "query", selector, false)
	if result.Result.ObjectID == "" {
		p.t.Fatalf("nothing matches %s", selector)
	}
	return object(result.Result.ObjectID)
}

// mouse sends events as the engine does.
func (p *page) click(x, y float64) {
	p.t.Helper()
	p.cdp("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y}, nil)
	p.cdp("Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	p.cdp("Input.dispatchMouseEvent", map[string]any{"type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1}, nil)
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := fs.ReadFile(os.DirFS("testdata"), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
