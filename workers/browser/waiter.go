package browser

import (
	"context"
	"sync"
)

// Waiter waits for something that was armed before it was returned. Wait may be called once, Close any time; either lets it go.
// Its deadline runs from the arming.
type Waiter struct {
	op *op
	// wait does the waiting; disarm takes back what arming did.
	wait   func(*op) (any, error)
	disarm func()
	once   sync.Once
}

// Wait answers what was waited for. It ends early with the waiter's own deadline, with ctx, or with the page.
func (w *Waiter) Wait(ctx context.Context) (any, error) {
	defer w.Close()
	defer context.AfterFunc(ctx, func() { w.op.abort(context.Cause(ctx)) })()
	if err := ctx.Err(); err != nil {
		return nil, w.op.finish(err)
	}
	value, err := w.wait(w.op)
	if err != nil {
		return nil, w.op.finish(err)
	}
	return value, nil
}

// Close gives up: a Wait under way ends, nothing is kept.
func (w *Waiter) Close() {
	w.once.Do(func() {
		if w.disarm != nil {
			w.disarm()
		}
		w.op.stop()
	})
}

// failedWaiter is a waiter that could not be armed.
func failedWaiter(o *op, err error) *Waiter {
	return &Waiter{op: o, wait: func(*op) (any, error) { return nil, err }}
}

// eventQueue keeps the events that came since the arming.
type eventQueue struct {
	mu   sync.Mutex
	list []any
	more chan struct{}
}

func newEventQueue() *eventQueue { return &eventQueue{more: make(chan struct{}, 1)} }

func (q *eventQueue) put(payload any) {
	q.mu.Lock()
	q.list = append(q.list, payload)
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// next answers the oldest event. One that has come goes before the end of the op.
func (q *eventQueue) next(o *op) (any, error) {
	for {
		q.mu.Lock()
		if len(q.list) > 0 {
			payload := q.list[0]
			q.list = q.list[1:]
			q.mu.Unlock()
			return payload, nil
		}
		q.mu.Unlock()
		select {
		case <-q.more:
		case <-o.ctx.Done():
			q.mu.Lock()
			empty := len(q.list) == 0
			q.mu.Unlock()
			if empty {
				return nil, o.over()
			}
		}
	}
}

// expect arms a waiter for an event of an emitter. life ends the wait early.
func (e *emitter) expect(engine, life context.Context, api string, event Event, o ExpectOptions, timeout *timeouts, logLine string) *Waiter {
	p := newOp(engine, life, api, timeout.of(o.Timeout))
	p.framedLog = true
	p.timeoutText = "Timeout " + milliseconds(p.timeout) + "ms exceeded while waiting for event \"" + string(event) + "\""
	if logLine != "" {
		p.logLine(logLine)
	}
	q := newEventQueue()
	return &Waiter{op: p, disarm: e.on(event, q.put), wait: func(p *op) (any, error) {
		for {
			payload, err := q.next(p)
			if err != nil || o.Predicate == nil {
				return payload, err
			}
			took, err := o.Predicate(p.base, payload)
			if err != nil || took {
				return payload, err
			}
		}
	}}
}

func (p *Page) expectEvent(api string, event Event, o ExpectOptions, logLine string) *Waiter {
	life := p.life
	if event == EventClose || event == EventCrash {
		life = p.context.life // the page's own end is the event, or comes with it
	}
	w := p.emitter.expect(p.browser.ctx, life, api, event, o, &p.timeouts, logLine)
	if event == EventCrash {
		p.endWith(w)
	}
	return w
}

// endWith ends a waiter when the page is closed.
func (p *Page) endWith(w *Waiter) {
	off := p.emitter.on(EventClose, func(any) { w.op.abort(closedBecause("")) })
	disarm := w.disarm
	w.disarm = func() {
		off()
		disarm()
	}
}

func (p *Page) expectRequest(api string, match URLMatch, o ExpectOptions) *Waiter {
	return p.expectEvent(api, EventRequest, o.matching(p.context, match, func(v any) string { return v.(*Request).URL() }), match.logLine("request"))
}

func (p *Page) expectResponse(api string, match URLMatch, o ExpectOptions) *Waiter {
	return p.expectEvent(api, EventResponse, o.matching(p.context, match, func(v any) string { return v.(*Response).URL() }), match.logLine("response"))
}

func (c *Context) expectEvent(event Event, o ExpectOptions) *Waiter {
	life := c.life
	if event == EventClose {
		life = c.browser.ctx
	}
	return c.emitter.expect(c.browser.ctx, life, "browserContext.waitForEvent", event, o, &c.timeouts, "")
}

func (w *Worker) expectEvent(event Event, o ExpectOptions) *Waiter {
	life := w.life
	if event == EventClose {
		life = w.page.life
	}
	return w.emitter.expect(w.page.browser.ctx, life, "worker.waitForEvent", event, o, &w.page.timeouts, "")
}

func (w *WebSocket) expectEvent(event Event, o ExpectOptions) *Waiter {
	return w.emitter.expect(w.page.browser.ctx, w.page.life, "webSocket.waitForEvent", event, o, &w.page.timeouts, "waiting for event \""+string(event)+"\"")
}

// matching adds an URL to what the predicate asks.
func (o ExpectOptions) matching(c *Context, match URLMatch, url func(any) string) ExpectOptions {
	if match.Glob == "" && match.Match == nil {
		return o
	}
	inner := o.Predicate
	o.Predicate = func(ctx context.Context, payload any) (bool, error) {
		if took, err := match.matches(ctx, c.options.BaseURL, url(payload)); err != nil || !took || inner == nil {
			return took, err
		}
		return inner(ctx, payload)
	}
	return o
}

func (m URLMatch) logLine(what string) string {
	switch {
	case m.Glob != "":
		return "waiting for " + what + " \"" + shorten(m.Glob, 50) + "\""
	case m.Text != "":
		return "waiting for " + what + " " + m.Text
	}
	return ""
}
