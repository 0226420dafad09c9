package browser

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestPopupNavigatedLaterIsFollowed(t *testing.T) {
	b := open(t)
	b.visit("/popup-late.html")
	rounds := 100
	if testing.Short() {
		rounds = 5
	}
	for i := range rounds {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // of one round: a slow machine is not a failure
		b.ctx = ctx
		w := b.page.ExpectPopup(ExpectOptions{})
		b.ok(b.page.Click(b.ctx, "button", ClickOptions{}))
		v, err := w.Wait(b.ctx)
		b.ok(err)
		popup := v.(*Page)
		b.ok(popup.WaitForURL(b.ctx, URLMatch{Glob: "**/popup-target.html"}, WaitForURLOptions{}))
		title, err := popup.Title(b.ctx)
		b.ok(err)
		if title != "Target" || popup.Opener() != b.page {
			t.Fatalf("round %d: %q at %s", i, title, popup.URL())
		}
		b.is(b.eval("1 + 1"), 2)
		b.ok(popup.Close(b.ctx, CloseOptions{}))
		b.is(popup.IsClosed(), true)
		cancel()
	}
	b.is(len(b.page.Context().Pages()), 1)
}

func TestNewPageAndClose(t *testing.T) {
	b := open(t)
	w := b.page.Context().ExpectPage(ExpectOptions{})
	p, err := b.page.Context().NewPage(b.ctx)
	b.ok(err)
	v, err := w.Wait(b.ctx)
	b.ok(err)
	b.is(v.(*Page) == p, true)
	b.is(p.URL(), "about:blank")
	closed := p.ExpectEvent(EventClose, ExpectOptions{})
	pending := p.ExpectEvent(EventConsole, ExpectOptions{})
	waiting := make(chan error, 1)
	go func() {
		_, err := p.WaitForFunction(b.ctx, Expression("window.never"), Undefined{}, WaitForFunctionOptions{})
		waiting <- err
	}()
	time.Sleep(100 * time.Millisecond)
	b.ok(p.Close(b.ctx, CloseOptions{}))
	_, err = closed.Wait(b.ctx)
	b.ok(err)
	_, err = pending.Wait(b.ctx)
	if !IsClosed(err) || !strings.HasPrefix(err.Error(), "page.waitForEvent: Target page, context or browser has been closed") {
		t.Error(err)
	}
	if err := <-waiting; !IsClosed(err) {
		t.Error(err)
	}
	_, err = p.Evaluate(b.ctx, Expression("1"), Undefined{})
	b.is(err, "page.evaluate: Target page, context or browser has been closed")
}

func TestCrashEndsWaitsAndLeavesOthers(t *testing.T) {
	b := open(t)
	other, err := b.page.Context().NewPage(b.ctx)
	b.ok(err)
	crash := b.page.ExpectEvent(EventCrash, ExpectOptions{})
	console := b.page.ExpectEvent(EventConsole, ExpectOptions{})
	ends := make(chan error, 2)
	go func() { ends <- b.page.Click(b.ctx, "#never", ClickOptions{}) }()
	go func() {
		_, err := b.page.Evaluate(b.ctx, Expression("new Promise(() => {})"), Undefined{})
		ends <- err
	}()
	time.Sleep(200 * time.Millisecond)
	start := time.Now()
	go b.page.Goto(b.ctx, "chrome://crash", GotoOptions{}) //nolint:errcheck // it ends with the crash
	_, err = crash.Wait(b.ctx)
	b.ok(err)
	for range 2 {
		if err := <-ends; !strings.Contains(err.Error(), "crashed") {
			t.Error(err)
		} else {
			t.Log(err)
		}
	}
	_, err = console.Wait(b.ctx)
	b.is(strings.HasPrefix(err.Error(), "page.waitForEvent: Page crashed"), true)
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	v, err := other.Evaluate(b.ctx, Expression("6 * 7"), Undefined{})
	b.ok(err)
	b.is(v, 42)
	b.ok(b.page.Close(b.ctx, CloseOptions{}))
}
