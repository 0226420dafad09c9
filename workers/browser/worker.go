package browser

import "context"

// Worker is a web worker of a page.
type Worker struct {
	emitter emitter
	page    *Page
	url     string
	session *session
	ctx     *execContext // guarded by the browser's lock; nil until the script is loaded
	loaded  bool
	closed  bool
	ready   chan struct{} // closed when ctx is set and the script has run
	life    context.Context
	end     context.CancelCauseFunc
}

// URL answers the script's URL.
func (w *Worker) URL() string { return w.url }

// Page answers the page the worker belongs to.
func (w *Worker) Page() *Page { return w.page }

// On subscribes to "close" or "console".
func (w *Worker) On(event Event, fn func(payload any)) (off func()) { return w.emitter.on(event, fn) }

// ListenerCount answers how many handlers event has.
func (w *Worker) ListenerCount(event Event) int { return w.emitter.count(event) }

// ExpectEvent arms a waiter for the next event of that name.
func (w *Worker) ExpectEvent(event Event, o ExpectOptions) *Waiter { return w.expectEvent(event, o) }

// Evaluate runs a script in the worker.
func (w *Worker) Evaluate(ctx context.Context, s Script, arg Value) (Value, error) {
	return w.evaluate(ctx, s, arg)
}

// EvaluateHandle runs a script in the worker and answers a handle.
func (w *Worker) EvaluateHandle(ctx context.Context, s Script, arg Value) (Handle, error) {
	return w.evaluateHandle(ctx, s, arg)
}
