package browser

import "context"

// Dialog is an open alert, confirm, prompt or beforeunload dialog. The page stands still until it is answered. Without a
// "dialog" handler on the page or context the engine dismisses it (and accepts beforeunload).
type Dialog struct {
	page         *Page
	session      *session
	kind         string
	message      string
	defaultValue string
	url          string
	early        bool // the page was not reported when it opened
	handled      bool // guarded by the browser's lock
	closed       bool
}

// Page answers the page whose dialog it is, nil when the page was not reported yet.
func (d *Dialog) Page() *Page {
	if d.early {
		return nil
	}
	return d.page
}

// Type answers "alert", "confirm", "prompt" or "beforeunload".
func (d *Dialog) Type() string { return d.kind }

// Message answers the dialog's text.
func (d *Dialog) Message() string { return d.message }

// DefaultValue answers a prompt's default text.
func (d *Dialog) DefaultValue() string { return d.defaultValue }

// URL answers the URL of the frame that opened the dialog.
func (d *Dialog) URL() string { return d.url }

// Accept accepts the dialog; text is what is entered into a prompt, nil its default.
func (d *Dialog) Accept(ctx context.Context, text *string) error {
	return d.answer(ctx, "dialog.accept", true, text)
}

// Dismiss dismisses the dialog.
func (d *Dialog) Dismiss(ctx context.Context) error {
	return d.answer(ctx, "dialog.dismiss", false, nil)
}
