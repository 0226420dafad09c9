package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestRequestsAndResponses(t *testing.T) {
	b := open(t)
	b.mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		w.Header().Set("X-Got", r.Header.Get("X-Own"))
		fmt.Fprintf(w, "%s %s", r.Method, body)
	})
	b.visit("/form.html")
	b.ok(b.page.SetExtraHTTPHeaders(b.ctx, []Header{{"X-Own", "mine"}}))
	w := b.page.ExpectResponse(URLMatch{Glob: "**/echo"}, ExpectOptions{})
	done := b.page.ExpectEvent(EventRequestFinished, ExpectOptions{})
	b.eval(`fetch('/echo', {method: 'POST', body: 'hi', headers: {'content-type': 'text/plain'}})`)
	v, err := w.Wait(b.ctx)
	b.ok(err)
	r := v.(*Response)
	body, err := r.Body(b.ctx)
	b.ok(err)
	b.is(string(body), "POST hi")
	b.is(string(r.Request().PostData()), "hi")
	b.is(r.Request().Method(), "POST")
	b.is(r.Request().ResourceType(), "fetch")
	got, err := r.HeaderValue(b.ctx, "x-got")
	b.ok(err)
	b.is(*got, "mine")
	cookies, err := r.HeaderValues(b.ctx, "set-cookie")
	b.ok(err)
	b.is(cookies, "[a=1 b=2]")
	v, err = done.Wait(b.ctx)
	b.ok(err)
	b.is(v.(*Request) == r.Request(), true)
	if b.page.MainFrame() != must(r.Frame()) {
		t.Error("not of the main frame")
	}
	if timing := r.Request().Timing(); timing.ResponseEnd <= 0 || timing.StartTime < 1e12 {
		t.Error(timing)
	}
	cs, err := b.page.Context().Cookies(b.ctx)
	b.ok(err)
	b.is(len(cs), 2)
	failed := b.page.ExpectEvent(EventRequestFailed, ExpectOptions{})
	b.eval(`fetch('http://127.0.0.1:1/').catch(() => 0)`)
	v, err = failed.Wait(b.ctx)
	b.ok(err)
	b.is(v.(*Request).Failure(), "net::ERR_UNSAFE_PORT")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestRoutes(t *testing.T) {
	b := open(t)
	b.mux.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "real "+r.Header.Get("X-Added")) })
	b.visit("/form.html")
	var mu sync.Mutex
	var order []string
	note := func(s string) { mu.Lock(); order = append(order, s); mu.Unlock() }
	first, err := b.page.Route(b.ctx, URLMatch{Glob: "**/api"}, func(ctx context.Context, r *Route) {
		note("first")
		if err := r.Fulfill(ctx, Fulfillment{Status: 201, Headers: []Header{{"content-type", "text/plain"}}, Body: []byte("made up")}); err != nil {
			t.Error(err)
		}
	}, RouteOptions{})
	b.ok(err)
	get := `fetch('/api').then(r => r.text().then(t => r.status + ' ' + t), e => 'failed')`
	b.is(b.eval(get), "201 made up")
	second, err := b.page.Route(b.ctx, URLMatch{Glob: "**/api"}, func(ctx context.Context, r *Route) {
		note("second")
		if err := r.Fallback(ctx, Override{Headers: []Header{{"X-Added", "yes"}}}); err != nil {
			t.Error(err)
		}
	}, RouteOptions{})
	b.ok(err)
	b.is(b.eval(get), "201 made up")
	b.ok(b.page.Unroute(b.ctx, first))
	b.is(b.eval(get), "200 real yes")
	b.ok(b.page.Unroute(b.ctx, second))
	b.is(b.eval(get), "200 real ")
	_, err = b.page.Context().Route(b.ctx, URLMatch{Glob: "**/api"}, func(ctx context.Context, r *Route) { _ = r.Abort(ctx, "") }, RouteOptions{Times: 1})
	b.ok(err)
	b.is(b.eval(get), "failed")
	b.is(b.eval(get), "200 real ")
	b.is(strings.Join(order, " "), "first second first second")
	b.ok(b.page.UnrouteAll(b.ctx, ""))
	// A navigation is routed like any other request.
	_, err = b.page.Route(b.ctx, URLMatch{Glob: "**/made.html"}, func(ctx context.Context, r *Route) {
		_ = r.Fulfill(ctx, Fulfillment{Headers: []Header{{"content-type", "text/html"}}, Body: []byte("<title>Made</title>")})
	}, RouteOptions{})
	b.ok(err)
	b.visit("/made.html")
	title, err := b.page.Title(b.ctx)
	b.ok(err)
	b.is(title, "Made")
}

func FuzzHeaders(f *testing.F) {
	f.Add([]byte(`{"A":"b","Set-Cookie":"x\ny","n":1}`))
	f.Add([]byte(`[]`))
	f.Add([]byte(`{"a":{"b":1}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var h wireHeaders
		if unmarshal(raw, &h) == nil {
			_ = lowerHeaders(h.split())
		}
	})
}
