package supervisor_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
)

// inspected makes an artifact of a module with the schemas its own contract has, as pack does.
func inspected(t testing.TB, s *supervisor.Supervisor, source string) *artifact.Artifact {
	t.Helper()
	files := []artifact.File{{Path: "src/tool.mjs", Content: []byte(source)}}
	c, err := s.Inspect(t.Context(), files, "src/tool.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if c.Form != "http" {
		t.Fatalf("the form is %s", c.Form)
	}
	a := &artifact.Artifact{Name: "tool", Entrypoint: "src/tool.mjs", Files: files, InputSchema: c.InputSchema, OutputSchema: c.OutputSchema}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTheHTTPExampleRuns(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	source, err := os.ReadFile("../workers/contract/testdata/examples/10-http.js")
	if err != nil {
		t.Fatal(err)
	}
	a := inspected(t, s, string(source))
	for input, want := range map[string]string{
		`{"query":"clock"}`:          `{"rooms":[{"id":1,"name":"Clock Room","opens":"10:00"},{"id":2,"name":"Clock Store","opens":"10:00"}]}`,
		`{"query":"clock","most":1}`: `{"rooms":[{"id":1,"name":"Clock Room","opens":"10:00"}]}`,
		`{"query":"whale"}`:          `{"rooms":[]}`,
	} {
		out, err := s.Run(t.Context(), supervisor.Request{Artifact: a, URL: at.URL, Input: json.RawMessage(input), Effect: outcome.Read})
		if err != nil {
			t.Fatal(err)
		}
		wantCompleted(t, out, want)
	}
}

// speaking is the source of an HTTP version whose run is this program of effects.
func speaking(write, program string) string {
	return `import { Effect, Schema } from "effect";
import * as sdk from "pomerado/runtime";
export default sdk.defineHttpOperation({ name: "h", input: Schema.Struct({}), output: Schema.Unknown` + write + `,
	run: (input, http) => Effect.gen(function* () { ` + program + ` }) });`
}

func runHTTP(t testing.TB, s *supervisor.Supervisor, url, source string, effect outcome.Effect) supervisor.Outcome {
	t.Helper()
	out, err := s.Run(t.Context(), supervisor.Request{Artifact: inspected(t, s, source), URL: url, Effect: effect})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// museum is a site that counts what it gets.
type museum struct {
	mu   sync.Mutex
	seen []string
}

func (m *museum) log() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.seen)
}

func (m *museum) start(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.seen = append(m.seen, r.Method+" "+r.URL.Path)
		m.mu.Unlock()
		switch r.URL.Path {
		case "/":
			http.SetCookie(w, &http.Cookie{Name: "visit", Value: "page", Path: "/"})
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<title>Museum</title><script>alert("Welcome"); window.fetch = () => Promise.reject(new Error("the page's own"))</script>`)
		case "/in":
			http.SetCookie(w, &http.Cookie{Name: "visit", Value: "direct", Path: "/"})
		case "/out":
			http.SetCookie(w, &http.Cookie{Name: "visit", Value: "", Path: "/", MaxAge: -1})
		case "/cookies":
			w.Header().Set("X-Agent", r.Header.Get("Sec-Fetch-Mode"))
			fmt.Fprintf(w, "%s %s", r.Header.Get("Cookie"), r.Header.Get("X-Asked"))
		case "/dies":
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				_ = conn.Close()
			}
		case "/long":
			_, _ = w.Write(make([]byte, 3<<20))
		case "/away":
			http.Redirect(w, r, "http://localhost:1/", http.StatusFound)
		case "/guarded":
			if r.Header.Get("Sec-Fetch-Mode") == "" {
				w.Header().Set("Cf-Mitigated", "challenge")
				w.WriteHeader(http.StatusForbidden)
			}
			fmt.Fprint(w, "inside")
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// An HTTP version that asks for no page loads none; one that does has its page's cookies, and the page cannot get between.
func TestThePageIsOpenedOnlyWhenAskedFor(t *testing.T) {
	s, m := newSupervisor(t), &museum{}
	at := m.start(t)
	out := runHTTP(t, s, at, speaking("", `
		const first = yield* sdk.readText(http, { method: "GET", url: "/cookies" });
		yield* http.request({ method: "GET", url: "/in" });
		return [first.text, (yield* sdk.readText(http, { method: "GET", url: "/cookies", headers: { "x-asked": "1" } })).text];`), outcome.Read)
	wantCompleted(t, out, `[" ","visit=direct 1"]`)
	if diff := cmp.Diff([]string{"GET /cookies", "GET /in", "GET /cookies"}, m.log()); diff != "" {
		t.Errorf("the site saw (-want +got):\n%s", diff)
	}

	m = &museum{}
	at = m.start(t)
	out = runHTTP(t, s, at, speaking("", `
		const page = { requires: ["page-environment"] };
		yield* http.request({ method: "GET", url: "/in" });
		const one = yield* http.request({ method: "GET", url: "/cookies", headers: { "x-asked": "2" }, ...page });
		yield* http.request({ method: "POST", url: "/out", body: "bye", ...page });
		const two = yield* sdk.readText(http, { method: "GET", url: "/cookies" });
		const long = yield* Effect.either(http.request({ method: "GET", url: "/long", maxResponseBytes: 1000, ...page }));
		const whole = yield* http.request({ method: "GET", url: "/long", ...page });
		const away = yield* Effect.either(http.request({ method: "GET", url: "/away", ...page }));
		const guarded = yield* sdk.requestPastChallenge(http, { method: "GET", url: "/guarded" });
		return [new TextDecoder().decode(one.body), one.transport, one.headers["x-agent"], one.gaps.length, two.text,
			long.left.code, whole.body.length, away.left.code, guarded.transport, guarded.status];`), outcome.Read)
	wantCompleted(t, out, `["visit=page 2","page-fetch",["same-origin"],2," ","response_too_large",3145728,"transport_failed","page-fetch",200]`)
	root := 0
	for _, line := range m.log() {
		if line == "GET /" {
			root++
		}
	}
	if root != 1 {
		t.Errorf("the site's root was loaded %d times: %v", root, m.log())
	}
}

// What a write's outcome says follows from what left, as the supervisor itself saw it.
func TestOutcomesOfRequestsThatDie(t *testing.T) {
	s, m := newSupervisor(t), &museum{}
	at := m.start(t)
	const steps, none = `, write: { confirmation: "readback", commits: ["pay"] }`, `, write: { confirmation: "readback" }`
	post := func(path string) string {
		return `yield* http.request({ method: "POST", url: "` + path + `", body: "1", headers: { "idempotency-key": "1" } }); return 1;`
	}
	const enter = `const { journal } = yield* sdk.ExecutionContext; yield* journal.enteringCommit("pay");`
	dead := "http://127.0.0.1:1/"
	for _, tt := range []struct {
		name, write, program string
		code                 outcome.Code
		status               outcome.WriteStatus
	}{
		{"it dies after it was sent", none, post("/dies"), outcome.OutcomeUnknown, outcome.MayHaveApplied},
		{"the same after a commit step", steps, enter + post("/dies"), outcome.OutcomeUnknown, outcome.MayHaveApplied},
		{"it dies before any commit step", steps, post("/dies"), outcome.ExecutionFailed, outcome.NotApplied},
		{"it was never sent", none, post(dead), outcome.ExecutionFailed, outcome.NotAttempted},
		{"the rules refuse it", none, post("/x#y"), outcome.ExecutionFailed, outcome.NotAttempted},
		{"another was sent before", steps, `yield* http.request({ method: "GET", url: "/in" }); ` + post(dead), outcome.ExecutionFailed, outcome.NotApplied},
		{"an answer nobody confirmed", none, post("/in"), outcome.OutcomeUnknown, outcome.MayHaveApplied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := runHTTP(t, s, at, speaking(tt.write, tt.program), outcome.Write)
			if out.Code != tt.code || out.WriteStatus != tt.status {
				t.Errorf("got %s, %v (%s); want %s, %s", out.Code, out.WriteStatus, out.Error, tt.code, tt.status)
			}
		})
	}
	out := runHTTP(t, s, at, speaking(steps, enter+`yield* http.request({ method: "POST", url: "/in", body: "1" });
		yield* sdk.readText(http, { method: "GET", url: "/cookies" }); yield* journal.confirmed("readback"); return 1;`), outcome.Write)
	wantCompleted(t, out, `1`)
	if out.WriteStatus != outcome.Applied {
		t.Errorf("a confirmed write is %v", out.WriteStatus)
	}
	// A request after the confirmation opens the write again.
	out = runHTTP(t, s, at, speaking(steps, enter+`yield* journal.confirmed("readback"); `+post("/in")), outcome.Write)
	if out.Code != outcome.OutcomeUnknown {
		t.Errorf("a request after the confirmation: %s", out.Code)
	}
	dies := 0
	for _, line := range m.log() {
		if line == "POST /dies" {
			dies++
		}
	}
	if dies != 3 {
		t.Errorf("three requests died and %d arrived", dies)
	}
}

// A run may end while a request of it is under way that it has given up: the end is its own report all the same.
func TestAGivenUpRequestDoesNotHoldUpTheRun(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	out := runHTTP(t, s, at.URL, speaking("", `
		const late = yield* http.request({ method: "GET", url: "/silence" }).pipe(Effect.timeoutOption("300 millis"));
		return late._tag;`), outcome.Read)
	wantCompleted(t, out, `"None"`)
	out = runHTTP(t, s, at.URL, speaking(`, write: { confirmation: "readback", commits: ["pay"] }`, `
		return yield* Effect.all([http.request({ method: "GET", url: "/silence" }), Effect.sleep("300 millis").pipe(Effect.andThen(Effect.fail(new sdk.OperationFailure("the shelf is empty"))))], { concurrency: 2 });`), outcome.Write)
	wantFailed(t, out, outcome.ExecutionFailed, "", "the shelf is empty")
	if out.WriteStatus != outcome.NotApplied {
		t.Errorf("its write is %s", out.WriteStatus)
	}
}

type carrier func(*http.Request) (*http.Response, error)

func (f carrier) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTheLibrarysOwnTransportAndChallenges(t *testing.T) {
	s := newSupervisor(t, func(o *supervisor.Options) {
		o.HTTPTransport = carrier(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("from afar " + r.URL.Path))}, nil
		})
		o.IsChallenge = func(_ int, _ http.Header, body []byte) bool { return strings.HasSuffix(string(body), "/puzzle") }
	})
	out := runHTTP(t, s, "http://127.0.0.1:1", speaking("", `
		const puzzle = yield* http.request({ method: "GET", url: "/puzzle" });
		return [(yield* sdk.readText(http, { method: "GET", url: "/a" })).text, sdk.isBotChallenge(puzzle)];`), outcome.Read)
	wantCompleted(t, out, `["from afar /a",true]`)
}
