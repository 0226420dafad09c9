package supervisor_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/supervisor"
)

// attack is hostile work and the ends a run of it may have: causes, or "" for an end of the script's own making.
type attack struct {
	name, code string
	ends       []ipc.Cause
}

var outOfTime = []ipc.Cause{ipc.CauseDeadline}
var outOfMemory = []ipc.Cause{ipc.CauseOutOfMemory}

// Work no interrupt reaches, memory without end, and values that fight whoever reads them.
var attacks = []attack{
	{"backtracking", "return /^(?=a)(a+)+$/.test('a'.repeat(40) + '!');", outOfTime},
	{"one long native call", "return new Array(5e7).fill(1).join().length;", []ipc.Cause{ipc.CauseDeadline, ipc.CauseOutOfMemory}},
	{"loops that catch their end", "for (;;) { try { for (;;) { try { for (;;) {} } catch {} finally { continue; } } } catch {} }", outOfTime},
	{"JSON two million deep", "return JSON.parse('['.repeat(2e6) + ']'.repeat(2e6)).length;", []ipc.Cause{"", ipc.CauseDeadline, ipc.CauseOutOfMemory}},
	{"a string of a terabyte", "return 'x'.repeat(2 ** 40).length;", []ipc.Cause{"", ipc.CauseOutOfMemory}},
	{"doubling strings", "let s = 'xy'; const all = []; for (;;) { s = s + s; all.push(s.split('')); }", outOfMemory},
	{"arrays of arrays", "const all = []; for (;;) all.push(new Array(1000).fill(all.length));", outOfMemory},
	{"a throw that loops", "throw { toString() { for (;;) {} }, get message() { for (;;) {} } };", []ipc.Cause{"", ipc.CauseDeadline}},
	{"a result whose getter loops", "return { get a() { for (;;) {} } };", outOfTime},
	{"a result that is never the same", "return new Proxy({}, { ownKeys() { return [String(Math.random())]; }, getOwnPropertyDescriptor() { return { enumerable: true, configurable: true, get() { return new Proxy({}, this); } }; } });", []ipc.Cause{"", ipc.CauseDeadline, ipc.CauseOutOfMemory}},
	{"a flood of promises", "const more = () => { Promise.resolve().then(more); Promise.resolve().then(more); }; more(); await new Promise(() => {});", []ipc.Cause{ipc.CauseDeadline, ipc.CauseOutOfMemory}},
	{"a million lines of console", "for (let i = 0; i < 1e6; i++) console.log('line ' + i); return 1;", []ipc.Cause{"", ipc.CauseDeadline}},
	{"a hundred thousand timers", "for (let i = 0; i < 1e5; i++) setInterval(() => {}, 0); await new Promise(() => {});", []ipc.Cause{ipc.CauseDeadline, ipc.CauseOutOfMemory}},
	{"prototypes of everything changed", `
		for (const of of [Object, Array, Promise, String, Map, Error, Function]) for (const name of Object.getOwnPropertyNames(of.prototype))
			try { of.prototype[name] = () => { throw new Error("mine"); }; } catch {}
		Object.defineProperty(Object.prototype, "then", { get() { return (done) => done({ stolen: true }); }, configurable: true });
		return { all: "fine" };`, []ipc.Cause{"", ipc.CauseDeadline, ipc.CauseNeverSettles}},
}

// Whatever the code does, in either runtime, its run ends with one outcome, and the next run is as if nothing had been.
func TestAttacksLoseOnlyThemselves(t *testing.T) {
	s, at := newSupervisor(t, func(o *supervisor.Options) { o.MemoryLimit = 128 << 20 }), startSite(t)
	for _, a := range attacks {
		for where, script := range map[string]string{"script": a.code, "page": "return await page(" + strconv.Quote(a.code) + ", 300);"} {
			t.Run(a.name+" in "+where, func(t *testing.T) {
				t.Parallel() // a neighbour is one more thing to lose
				limit := 2 * time.Second
				if slices.Equal(a.ends, outOfMemory) {
					limit = time.Minute // memory is what must end it
				}
				out := operation{script: script}.execute(t, s, at.URL, func(r *supervisor.Request) { r.Timeout = limit })
				if cause := ipc.Cause(out.Details.Cause); !slices.Contains(a.ends, cause) {
					t.Errorf("%s/%s, cause %q: %.300s", out.Status, out.Code, cause, out.Error)
				}
				if len(out.Error) > 20_000 || strings.Contains(string(out.Output), "stolen") {
					t.Errorf("error of %d bytes, output %.200s", len(out.Error), out.Output)
				}
				next := operation{script: "return await page('return 6 * 7');"}.execute(t, s, at.URL)
				wantCompleted(t, next, "42")
			})
		}
	}
}

// Memory that one run takes without end is its own: another run goes on beside it, and the supervisor keeps none of it.
func TestMemoryOfOneRunIsNotAnothers(t *testing.T) {
	s, at := newSupervisor(t, func(o *supervisor.Options) { o.MemoryLimit = 128 << 20 }), startSite(t)
	wantCompleted(t, operation{script: "return await page('return 1');"}.execute(t, s, at.URL), "1")
	before := residentMiB(t)
	beside := make(chan supervisor.Outcome, 1)
	started := make(chan struct{})
	slow := operation{script: "let n = 0; for (const end = Date.now() + 4000; Date.now() < end; n++) await page('return 1'); return n > 0;"}.save(t)
	go func() {
		close(started)
		out, err := s.Run(t.Context(), supervisor.Request{Artifact: slow, URL: at.URL})
		if err != nil {
			t.Error(err)
		}
		beside <- out
	}()
	<-started
	for _, code := range []string{
		"return 'x'.repeat(2 ** 40).length;",
		"let s = 'x'.repeat(1 << 20); const all = []; for (;;) all.push(s + all.length);",
		"const all = []; for (;;) all.push(new Array(100000).fill(all.length));",
	} {
		out := operation{script: code}.execute(t, s, at.URL)
		if ipc.Cause(out.Details.Cause) != ipc.CauseOutOfMemory {
			t.Errorf("%s ended with cause %q: %.200s", code, out.Details.Cause, out.Error)
		}
	}
	wantCompleted(t, <-beside, "true")
	if after := residentMiB(t); after-before > 50 {
		t.Errorf("the supervisor grew from %d to %d MiB", before, after)
	}
}

func residentMiB(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text))
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize() >> 20
}

// hostileSite serves pages that fight whoever opens them.
func hostileSite(t *testing.T) *httptest.Server {
	t.Helper()
	var visits atomic.Int64
	mux := http.NewServeMux()
	html := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, body)
		})
	}
	html("/", "<title>Home</title>")
	html("/popups", "<script>for (let i = 0; i < 1000; i++) open('/?' + i)</script>")
	html("/dialogs", "<script>for (let i = 0; ; i++) alert(i)</script>")
	html("/leaving", "<title>Leaving</title><script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script><button onclick=1>x</button>")
	html("/spin", "<title>Spin</title><script>setTimeout(() => { for (;;); }, 50)</script>")
	html("/noise", "<title>Noise</title><script>setInterval(() => { for (let i = 0; i < 2000; i++) console.log('x'.repeat(1000)) }, 0)</script>")
	html("/worker", `<title>Worker</title><script>
		navigator.serviceWorker.register('/sw.js').then(r => navigator.serviceWorker.ready).then(() => { document.title = 'registered' });
		document.cookie = 'of=the first'; localStorage.of = 'the first'; caches.open('of').then(c => c.put('/of', new Response('the first')));
		new SharedWorker('/shared.js').port.postMessage('the first');
	</script>`)
	mux.HandleFunc("/sw.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprint(w, "addEventListener('activate', e => e.waitUntil(clients.claim())); addEventListener('fetch', e => e.respondWith(new Response('taken over')))")
	})
	mux.HandleFunc("/shared.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprint(w, "let of = null; onconnect = e => e.ports[0].onmessage = m => { if (m.data === 'ask') e.ports[0].postMessage(of); else of = m.data }")
	})
	mux.HandleFunc("/cached", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		_, _ = fmt.Fprint(w, visits.Add(1))
	})
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("/round?%d", visits.Add(1)), http.StatusFound)
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		chunk := []byte("<p>" + strings.Repeat("x", 1<<20))
		for range 100 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// Pages that open, ask, spin, flood or never end: the run that opened them ends with one outcome, and the next run is as ever.
func TestHostilePagesLoseOnlyTheirRun(t *testing.T) {
	t.Parallel()
	s, at := newSupervisor(t), hostileSite(t)
	for path, ends := range map[string][]ipc.Cause{
		"/popups":  {"", ipc.CauseDeadline, ipc.CauseFlooded},
		"/dialogs": {"", ipc.CauseDeadline, ipc.CauseFlooded},
		"/leaving": {""},
		"/spin":    {"", ipc.CauseDeadline},
		"/noise":   {"", ipc.CauseDeadline, ipc.CauseFlooded},
		"/round":   {""},
		"/large":   {"", ipc.CauseDeadline, ipc.CauseFlooded, ipc.CauseTabCrashed, ipc.CauseOutOfMemory},
	} {
		t.Run(strings.TrimPrefix(path, "/"), func(t *testing.T) {
			visit := fmt.Sprintf("await page.goto(%q, { timeout: 3000 }); await page.waitForTimeout(500); return (await page.content()).length;", at.URL+path)
			script := "try { await page(" + strconv.Quote(visit) + ", 10); } catch {} return 1;"
			out := operation{script: script}.execute(t, s, at.URL, func(r *supervisor.Request) { r.Timeout = 20 * time.Second })
			if cause := ipc.Cause(out.Details.Cause); !slices.Contains(ends, cause) {
				t.Errorf("%s/%s, cause %q: %.300s", out.Status, out.Code, cause, out.Error)
			}
			next := operation{script: "return await page('await page.goto(' + JSON.stringify(siteOrigin) + '); return await page.title();');"}.execute(t, s, at.URL)
			wantCompleted(t, next, `"Home"`)
		})
	}
}

// Two runs of one origin, at once and one after the other, share nothing of the browser.
func TestRunsOfOneOriginSeeNoneOfEachOther(t *testing.T) {
	t.Parallel()
	s, at := newSupervisor(t), hostileSite(t)
	cached := "const visit = await page.evaluate(() => fetch('/cached').then(r => r.text()));"
	first := operation{script: `return await page(` + "`" + `
		await page.goto(${JSON.stringify(siteOrigin + "/worker")});
		await page.waitForFunction(() => document.title === "registered");
		` + cached + `
		await page.waitForTimeout(3000);
		return visit;` + "`" + `);`}
	look := operation{script: `return await page(` + "`" + `
		await page.goto(${JSON.stringify(siteOrigin + "/")});
		` + cached + `
		const seen = await page.evaluate(async () => ({
			cookie: document.cookie, local: localStorage.of ?? null, caches: (await caches.keys()).length,
			workers: (await navigator.serviceWorker.getRegistrations()).length,
			shared: await new Promise(done => { const port = new SharedWorker("/shared.js").port; port.onmessage = e => done(e.data); port.postMessage("ask"); }),
		}));
		return { visit, ...seen };` + "`" + `);`}
	firstOut := make(chan supervisor.Outcome, 1)
	artifact := first.save(t)
	go func() {
		out, err := s.Run(t.Context(), supervisor.Request{Artifact: artifact, URL: at.URL})
		if err != nil {
			t.Error(err)
		}
		firstOut <- out
	}()
	var visits []string
	for range 2 { // beside the first run, and after it
		out := look.execute(t, s, at.URL)
		var seen struct {
			Visit, Cookie   string
			Local, Shared   *string
			Caches, Workers int
		}
		decode(t, out, &seen)
		if seen.Cookie != "" || seen.Local != nil || seen.Shared != nil || seen.Caches != 0 || seen.Workers != 0 {
			t.Errorf("another run saw %s", out.Output)
		}
		visits = append(visits, seen.Visit)
		if len(visits) == 1 {
			mine := <-firstOut
			var visit string
			if err := json.Unmarshal(mine.Output, &visit); err != nil {
				t.Fatalf("the first run: %s %+v", mine.Error, mine.Details)
			}
			visits = append(visits, visit)
		}
	}
	slices.Sort(visits)
	if len(slices.Compact(visits)) < 2 {
		t.Errorf("the runs shared a cache: %q", visits)
	}
}
