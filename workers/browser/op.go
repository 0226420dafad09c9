package browser

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// noTimeout is the Timeout that means no limit.
const noTimeout = time.Duration(0)

// defaultTimeout is Playwright's.
const defaultTimeout = 30 * time.Second

// answerGrace is how much longer than an op's deadline the engine waits for a call that waits inside the page with that same
// deadline: the page's answer brings the call log. A page that does not answer even then is busy or stands in a dialog.
const answerGrace = 500 * time.Millisecond

// timeouts are the defaults of a page or context; a page asks its context for what it has not.
type timeouts struct {
	mu         sync.Mutex
	parent     *timeouts
	general    *time.Duration
	navigation *time.Duration
}

func (t *timeouts) setDefault(d time.Duration) {
	t.mu.Lock()
	t.general = &d
	t.mu.Unlock()
}

func (t *timeouts) setNavigation(d time.Duration) {
	t.mu.Lock()
	t.navigation = &d
	t.mu.Unlock()
}

// of answers what a Timeout option means.
func (t *timeouts) of(option *time.Duration) time.Duration {
	if option != nil {
		return *option
	}
	for ; t != nil; t = t.parent {
		t.mu.Lock()
		d := t.general
		t.mu.Unlock()
		if d != nil {
			return *d
		}
	}
	return defaultTimeout
}

// ofNavigation answers what a navigation's Timeout option means: on each level the navigation default goes before the general one.
func (t *timeouts) ofNavigation(option *time.Duration) time.Duration {
	if option != nil {
		return *option
	}
	for ; t != nil; t = t.parent {
		t.mu.Lock()
		d := t.navigation
		if d == nil {
			d = t.general
		}
		t.mu.Unlock()
		if d != nil {
			return *d
		}
	}
	return defaultTimeout
}

// op is one API call on its way: its name, its deadline, its call log. It ends early when its page is gone.
type op struct {
	// ctx ends with the deadline; base only with the caller or the page.
	ctx, base context.Context
	// abort ends the op with a cause; stop lets it go.
	abort    context.CancelCauseFunc
	stop     func()
	api      string
	timeout  time.Duration
	deadline time.Time // zero when there is none
	// timeoutText is the timeout error's text without the API name.
	timeoutText string

	mu  sync.Mutex
	log []string
	// framedLog shows the log as Playwright's client-side waiters do, not as a call log.
	framedLog bool
}

// timeoutError is the cause of an op's context when its own deadline has come.
type timeoutError struct{ text string }

func (e *timeoutError) Error() string { return e.text }

// newOp begins an op that lives at most as long as life.
func newOp(ctx, life context.Context, api string, timeout time.Duration) *op {
	o := &op{api: api, timeout: timeout}
	if timeout > 0 {
		o.deadline = time.Now().Add(timeout)
		o.timeoutText = "Timeout " + milliseconds(timeout) + "ms exceeded."
	}
	base, cancel := context.WithCancelCause(ctx)
	o.base, o.abort = base, cancel
	release := context.AfterFunc(life, func() { cancel(context.Cause(life)) })
	if life.Err() != nil {
		cancel(context.Cause(life))
	}
	o.ctx = base
	stopTimer := func() {}
	if timeout > 0 {
		o.ctx, stopTimer = context.WithDeadlineCause(base, o.deadline, &timeoutError{})
	}
	o.stop = func() {
		stopTimer()
		release()
		cancel(context.Canceled)
	}
	return o
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64)
}

// begin starts an op of the page; end it with o.stop.
func (p *Page) begin(ctx context.Context, api string, timeout time.Duration) *op {
	return newOp(ctx, p.life, api, timeout)
}

// run is one API call: begin, task, the error worded for the caller.
func (p *Page) run(ctx context.Context, api string, timeout time.Duration, task func(*op) error) error {
	o := p.begin(ctx, api, timeout)
	defer o.stop()
	return o.finish(task(o))
}

// runValue is run for calls that answer something.
func runValue[T any](p *Page, ctx context.Context, api string, timeout time.Duration, task func(*op) (T, error)) (T, error) {
	o := p.begin(ctx, api, timeout)
	defer o.stop()
	value, err := task(o)
	return value, o.finish(err)
}

func (o *op) logf(format string, args ...any) { o.logLine(fmt.Sprintf(format, args...)) }

func (o *op) logLine(lines ...string) {
	o.mu.Lock()
	o.log = append(o.log, lines...)
	o.mu.Unlock()
}

func (o *op) lines() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.log...)
}

// remaining is the time left in whole milliseconds, at least 1; 0 means no limit.
func (o *op) remaining() int64 {
	if o.deadline.IsZero() {
		return 0
	}
	return max(1, time.Until(o.deadline).Milliseconds())
}

// patient is a context that outlives the deadline by a little, for calls that know the deadline themselves.
func (o *op) patient() (context.Context, context.CancelFunc) {
	if o.deadline.IsZero() {
		return o.base, func() {}
	}
	return context.WithDeadlineCause(o.base, o.deadline.Add(answerGrace), &timeoutError{})
}

// pause waits, or ends with the op.
func (o *op) pause(d time.Duration) error {
	if d <= 0 {
		return o.over()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-o.ctx.Done():
		return context.Cause(o.ctx)
	}
}

// over is why the op has to end now, nil when it has not.
func (o *op) over() error {
	if o.ctx.Err() == nil {
		return nil
	}
	return context.Cause(o.ctx)
}

// waitOn waits for a channel, or ends with the op.
func waitOn(ctx context.Context, ch <-chan struct{}) error {
	select {
	case <-ch:
		return nil
	default:
	}
	select {
	case <-ch:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// finish words an error for the caller.
func (o *op) finish(err error) error {
	if err == nil {
		return nil
	}
	var done *Error
	if errors.As(err, &done) {
		return err
	}
	if cause := o.over(); cause != nil && !definite(err) {
		err = cause
	}
	e := &Error{Name: nameError}
	text := err.Error()
	var timeout *timeoutError
	var closed *closedError
	var conn *cdp.Error
	switch {
	case errors.As(err, &timeout):
		e.Name, text = nameTimeout, o.timeoutText
		if timeout.text != "" {
			text = timeout.text
		}
	case errors.As(err, &closed):
		e.Cause, text = closed, closed.message
	case errors.Is(err, cdp.ErrTargetCrashed):
		e.Cause, text = crashedError, "Target crashed"
	case errors.Is(err, cdp.ErrSessionClosed), errors.Is(err, cdp.ErrClosed):
		e.Cause = closedBecause("")
		text = closedText
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Cause = err
		text = "The call was stopped before it ended."
	case errors.As(err, &conn):
		text = "Protocol error (" + conn.Method + "): " + conn.Message
	default:
		if !definite(err) {
			e.Cause = err
		}
		if text == "" {
			text = "unknown error"
		}
	}
	e.Message = o.prefixed(text)
	return e
}

// prefixed is text with the API name before and the log after it.
func (o *op) prefixed(text string) string {
	if o.api != "" {
		text = o.api + ": " + text
	}
	if o.framedLog {
		return text + formatFramedLog(o.lines())
	}
	return text + formatCallLog(o.lines())
}

// definite errors stand even when the deadline has come meanwhile.
func definite(err error) bool {
	var (
		js       *jsError
		final    *finalError
		selector *selectorError
		aborted  *abortedNavigation
		plain    plainError
	)
	return errors.As(err, &js) || errors.As(err, &final) || errors.As(err, &selector) || errors.As(err, &aborted) || errors.As(err, &plain)
}

// retriable errors of one attempt of an action lead to the next attempt: the document went away under it, mostly.
func (o *op) retriable(f *Frame, err error) bool {
	if o.over() != nil || definite(err) {
		return false
	}
	var closed *closedError
	var timeout *timeoutError
	if errors.As(err, &closed) || errors.As(err, &timeout) || errors.Is(err, cdp.ErrTargetCrashed) || errors.Is(err, cdp.ErrClosed) {
		return false
	}
	return !f.IsDetached()
}
