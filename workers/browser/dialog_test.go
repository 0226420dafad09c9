package browser

import (
	"context"
	"testing"
	"time"
)

// answering subscribes to dialogs and answers each on a goroutine of its own.
func (t *tab) answering(answer func(d *Dialog) error) {
	done := make(chan struct{})
	calls := make(chan *Dialog, 16)
	off := t.page.On(EventDialog, func(v any) { calls <- v.(*Dialog) })
	go func() {
		defer close(done)
		for d := range calls {
			if err := answer(d); err != nil {
				t.Error(err)
			}
		}
	}()
	t.Cleanup(func() { off(); close(calls); <-done })
}

func (t *tab) text(selector string) string {
	t.Helper()
	s, err := t.locator(selector).InnerText(t.ctx, TimeoutOptions{})
	t.ok(err)
	return s
}

func TestDialogsWithoutHandlerAreDismissed(t *testing.T) {
	b := open(t)
	start := time.Now()
	b.visit("/confirm-load.html")
	b.is(b.text("#out"), "dismissed")
	b.visit("/confirm-click.html")
	b.ok(b.page.Click(b.ctx, "button", ClickOptions{}))
	b.is(b.text("#out"), "dismissed")
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestDialogsAreAnsweredByTheirHandler(t *testing.T) {
	b := open(t)
	n := 0
	b.answering(func(d *Dialog) error {
		b.is(d.Type(), "confirm")
		n++
		if d.Message() == "No. 2" || d.Message() == "No. 4" {
			return d.Dismiss(b.ctx)
		}
		return d.Accept(b.ctx, nil)
	})
	b.visit("/confirm-load.html")
	b.is(b.text("#out"), "accepted")
	b.visit("/confirm-click.html")
	b.ok(b.page.Click(b.ctx, "button", ClickOptions{}))
	b.is(b.text("#out"), "accepted")
	b.ok(b.page.Click(b.ctx, "#four", ClickOptions{}))
	b.is(b.text("#out"), "1010")
	b.is(n, 6)
}

func TestAnOpenDialogHangsNothingThatDoesNotNeedThePage(t *testing.T) {
	b := open(t)
	b.visit("/confirm-click.html")
	w := b.page.ExpectEvent(EventDialog, ExpectOptions{})
	clicked := make(chan error, 1)
	go func() { clicked <- b.page.Click(b.ctx, "button", ClickOptions{}) }()
	v, err := w.Wait(b.ctx)
	b.ok(err)
	// Without this handler the engine would have dismissed it when the waiter went.
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Second)
	defer cancel()
	title, err := b.page.Title(ctx)
	b.ok(err)
	b.is(title, "")
	b.is(b.page.URL(), b.near+"/confirm-click.html")
	b.is(len(b.page.Frames()), 1)
	err = b.page.Click(ctx, "#four", ClickOptions{Timeout: ms(300)})
	if !IsTimeout(err) {
		t.Error(err)
	}
	b.ok(v.(*Dialog).Accept(ctx, nil))
	b.ok(<-clicked)
	b.is(b.text("#out"), "accepted")
}

func TestPromptTakesText(t *testing.T) {
	b := open(t)
	b.answering(func(d *Dialog) error {
		b.is(d.DefaultValue(), "was")
		return d.Accept(b.ctx, ptr("is"))
	})
	b.is(b.eval(`prompt("?", "was")`), "is")
}
