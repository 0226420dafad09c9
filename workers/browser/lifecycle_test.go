package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestNetworkIdleDespiteAnOpenEventSource(t *testing.T) {
	b := open(t)
	b.mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	b.mux.HandleFunc("/late", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
		fmt.Fprint(w, "late")
	})
	start := time.Now()
	_, err := b.page.Goto(b.ctx, b.near+"/idle-events.html", GotoOptions{WaitUntil: NetworkIdle, Timeout: ms(10000)})
	b.ok(err)
	title, err := b.page.Title(b.ctx)
	b.ok(err)
	b.is(title, "late")
	if took := time.Since(start); took < 1000*time.Millisecond {
		t.Errorf("idle after %v, with a request under way", took)
	}
}

func TestEndlessPollingIsNamedWhenIdleDoesNotCome(t *testing.T) {
	b := open(t)
	b.mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(200 * time.Millisecond):
		case <-r.Context().Done():
		}
	})
	b.visit("/idle-poll.html")
	err := b.page.WaitForLoadState(b.ctx, NetworkIdle, TimeoutOptions{Timeout: ms(1500)})
	if !IsTimeout(err) || !strings.HasPrefix(err.Error(), "page.waitForLoadState: Timeout 1500ms exceeded.") || !strings.Contains(err.Error(), "still open: GET "+b.near+"/slow") {
		t.Error(err)
	}
}

func TestNavigationErrorsAreWorded(t *testing.T) {
	b := open(t)
	_, err := b.page.Goto(b.ctx, "http://127.0.0.1:1/x", GotoOptions{})
	b.is(err, "page.goto: net::ERR_UNSAFE_PORT at http://127.0.0.1:1/x\nCall log:\n  - navigating to \"http://127.0.0.1:1/x\", waiting until \"load\"\n")
	_, err = b.page.Goto(b.ctx, "nonsense", GotoOptions{})
	b.is(err, "page.goto: Protocol error (Page.navigate): Cannot navigate to invalid URL\nCall log:\n  - navigating to \"nonsense\", waiting until \"load\"\n")
	b.mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err = b.page.Goto(b.ctx, b.near+"/hang", GotoOptions{Timeout: ms(200)})
	b.is(err, "page.goto: Timeout 200ms exceeded.\nCall log:\n  - navigating to \""+b.near+"/hang\", waiting until \"load\"\n")
	if !IsTimeout(err) {
		t.Error("no TimeoutError")
	}
	_, err = b.page.Goto(b.ctx, b.near+"/form.html", GotoOptions{WaitUntil: "soon"})
	b.is(err, "page.goto: waitUntil: expected one of (load|domcontentloaded|networkidle|commit)")
}

func TestHistoryReloadAndRedirects(t *testing.T) {
	b := open(t)
	b.mux.HandleFunc("/from", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/form.html", http.StatusFound) })
	r, err := b.page.Goto(b.ctx, b.near+"/from", GotoOptions{})
	b.ok(err)
	b.is(r.URL(), b.near+"/form.html")
	b.is(r.Request().RedirectedFrom().URL(), b.near+"/from")
	first, err := r.Request().RedirectedFrom().Response(b.ctx)
	b.ok(err)
	b.is(first.Status(), 302)
	r, err = b.page.Goto(b.ctx, b.near+"/form.html#here", GotoOptions{})
	b.ok(err)
	b.is(r == nil, true)
	b.is(b.page.URL(), b.near+"/form.html#here")
	b.visit("/events.html")
	r, err = b.page.GoBack(b.ctx, NavigateOptions{})
	b.ok(err)
	b.is(b.page.URL(), b.near+"/form.html#here")
	_, err = b.page.GoForward(b.ctx, NavigateOptions{})
	b.ok(err)
	b.is(b.page.URL(), b.near+"/events.html")
	r, err = b.page.GoForward(b.ctx, NavigateOptions{})
	b.ok(err)
	b.is(r == nil, true)
	r, err = b.page.Reload(b.ctx, NavigateOptions{})
	b.ok(err)
	b.is(r.Status(), 200)
}

func TestAClickWaitsForTheNavigationItStarts(t *testing.T) {
	b := open(t)
	b.mux.HandleFunc("/later", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(150 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>later</title><form action=/later2><button>Submit</button></form>")
	})
	b.mux.HandleFunc("/later2", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(150 * time.Millisecond)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>later2</title>")
	})
	for range 5 {
		b.set(`<a href="` + b.near + `/later">go</a>`)
		b.ok(b.page.Click(b.ctx, "a", ClickOptions{}))
		b.is(b.page.URL(), b.near+"/later")
		b.ok(b.page.Click(b.ctx, "button", ClickOptions{}))
		b.is(b.page.URL(), b.near+"/later2?")
	}
}
