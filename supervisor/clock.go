package supervisor

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errDeadline is the cause of a run's context once its clock has run out.
var errDeadline = errors.New("the run's time is over")

// clock is a run's deadline: it counts active time and stands still while somebody is asked something.
// Pauses nest and are counted, so two questions at once pause it once (spec runtime-sdk.md §1.1, Deadline).
type clock struct {
	mu      sync.Mutex
	left    time.Duration // as of since
	since   time.Time     // when the clock last started; meaningless while paused
	paused  int
	stopped bool
	timer   *time.Timer
	expire  context.CancelCauseFunc
}

// startClock returns a context that is cancelled with errDeadline after d of active time. stop must be called once the run is over.
func startClock(parent context.Context, d time.Duration) (context.Context, *clock) {
	ctx, cancel := context.WithCancelCause(parent)
	c := &clock{left: d, since: time.Now(), expire: cancel}
	c.timer = time.AfterFunc(d, c.expired)
	return ctx, c
}

func (c *clock) expired() {
	c.mu.Lock()
	over := !c.stopped && c.paused == 0 && c.remainingLocked() <= 0
	if !over && !c.stopped && c.paused == 0 {
		c.timer.Reset(c.remainingLocked())
	}
	c.mu.Unlock()
	if over {
		c.expire(errDeadline)
	}
}

func (c *clock) remainingLocked() time.Duration {
	if c.paused > 0 {
		return c.left
	}
	return c.left - time.Since(c.since)
}

// remaining is the active time left, never negative.
func (c *clock) remaining() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, c.remainingLocked())
}

// pause stops the clock until the returned func is called; calling that more than once does nothing.
func (c *clock) pause() (resume func()) {
	c.mu.Lock()
	if c.paused == 0 {
		c.left = c.remainingLocked()
		c.timer.Stop()
	}
	c.paused++
	c.mu.Unlock()
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.paused--
		if c.paused > 0 || c.stopped {
			return
		}
		c.since = time.Now()
		c.timer.Reset(max(0, c.left))
	})
}

// stop ends the clock without expiring it and frees its context.
func (c *clock) stop() {
	c.mu.Lock()
	c.stopped = true
	c.timer.Stop()
	c.mu.Unlock()
	c.expire(context.Canceled)
}
