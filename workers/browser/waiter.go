package browser

import (
	"context"
	"time"
)

// Waiter waits for something that was armed before it returned. Wait may be called once, Close any time; either lets it go.
type Waiter struct {
	op        *op
	predicate func(ctx context.Context, payload any) (bool, error)
	// next answers the following payload or why there is none; wait replaces the whole loop for waiters that are no event.
	queue *eventQueue
	wait  func(*op) (any, error)
	close func()
	now   any
	ready bool
	_     time.Duration
}

// Wait answers the payload of the first event the predicate takes. It ends early with the waiter's own deadline, with ctx, or
// with the page.
func (w *Waiter) Wait(ctx context.Context) (any, error) { return w.run(ctx) }

// Close gives up: a Wait under way ends, nothing is kept.
func (w *Waiter) Close() { w.stop() }
