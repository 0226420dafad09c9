package browser

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/page"
)

// dialogOpening is a dialog the page stands still in. The lock is held.
func (s *session) dialogOpening(e *page.EventJavascriptDialogOpening) {
	p := s.page
	d := &Dialog{page: p, session: s, kind: string(e.Type), message: e.Message, defaultValue: e.DefaultPrompt, url: e.URL, early: !p.reported}
	p.dialogs = append(p.dialogs, d)
	for stalled := range p.stalls {
		stalled.stall(nil)
	}
	p.browser.later(func() {
		if p.emitter.count(EventDialog) == 0 && p.context.emitter.count(EventDialog) == 0 {
			d.close()
			return
		}
		p.emitter.emit(EventDialog, d)
		p.context.emitter.emit(EventDialog, d)
	})
}

func (s *session) dialogClosed(*page.EventJavascriptDialogClosed) {
	p := s.page
	for _, d := range slices.Clone(p.dialogs) {
		if d.session == s {
			d.didClose()
		}
	}
}

// didClose notes that the dialog is gone; the lock is held.
func (d *Dialog) didClose() {
	if d.closed {
		return
	}
	d.closed, d.handled = true, true
	d.page.dialogs = slices.DeleteFunc(d.page.dialogs, func(other *Dialog) bool { return other == d })
	d.page.emitBoth(EventDialogClosed, d)
}

// close is the engine's own answer when nobody else gives one: a page that asks whether it may be left is left.
func (d *Dialog) close() {
	b := d.page.browser
	b.mu.Lock()
	if d.handled {
		b.mu.Unlock()
		return
	}
	d.handled = true
	b.mu.Unlock()
	d.session.post("Page.handleJavaScriptDialog", obj{"accept": d.kind == "beforeunload"})
}

func (d *Dialog) answer(ctx context.Context, api string, accept bool, text *string) error {
	return d.page.run(ctx, api, noTimeout, func(o *op) error {
		b := d.page.browser
		b.mu.Lock()
		if d.handled {
			b.mu.Unlock()
			if accept {
				return plainError("Cannot accept dialog which is already handled!")
			}
			return plainError("Cannot dismiss dialog which is already handled!")
		}
		d.handled = true
		if d.kind == "beforeunload" && !accept {
			d.page.mainFrame.navigationAborted("navigation cancelled by beforeunload dialog", "", false)
		}
		b.mu.Unlock()
		b.flush()
		params := obj{"accept": accept}
		if text != nil {
			params["promptText"] = *text
		}
		err := d.session.call(o.ctx, "Page.handleJavaScriptDialog", params, nil)
		b.locked(d.didClose)
		return err
	})
}
