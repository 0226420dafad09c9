package browser

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// Clock is the time of a context's documents, as page code sets and moves it: Date, performance, timers and frames go by it from the first call on, in the
// documents that are there and in those that come (playwright.dev/docs/api/class-clock). Times are milliseconds since the epoch, ticks milliseconds.
type Clock struct {
	context *Context

	// history is all changes so far, for documents to come, which script tells them; guarded by the browser's lock.
	history []clockEntry
	script  *initScript
}

// clockEntry is inject/clock.ts's Entry.
type clockEntry struct {
	change string
	at     int64
	ms     float64
}

func (e clockEntry) MarshalJSON() ([]byte, error) { return marshal([]any{e.change, e.at, e.ms}), nil }

// Clock answers the clock of the context's documents.
func (c *Context) Clock() *Clock { return &c.clock }

// Clock answers the clock of the page's context.
func (p *Page) Clock() *Clock { return &p.context.clock }

// Install sets the time, from which it goes on.
func (k *Clock) Install(ctx context.Context, ms float64) error {
	return k.change(ctx, "clock.install", "install", ms)
}

// FastForward moves the clock; timers that were passed over run at most once.
func (k *Clock) FastForward(ctx context.Context, ticks float64) error {
	return k.change(ctx, "clock.fastForward", "fastForward", ticks)
}

// RunFor moves the clock, running every timer on the way. It fails with what the first failing timer threw, when all have run.
func (k *Clock) RunFor(ctx context.Context, ticks float64) error {
	return k.change(ctx, "clock.runFor", "runFor", ticks)
}

// PauseAt moves the clock to a time, as FastForward does, and stops it there.
func (k *Clock) PauseAt(ctx context.Context, ms float64) error {
	return k.change(ctx, "clock.pauseAt", "pauseAt", ms)
}

// Resume lets a stopped clock go on.
func (k *Clock) Resume(ctx context.Context) error {
	return k.change(ctx, "clock.resume", "resume", 0)
}

// SetFixedTime makes Date say that time until another is set; timers go on.
func (k *Clock) SetFixedTime(ctx context.Context, ms float64) error {
	return k.change(ctx, "clock.setFixedTime", "setFixedTime", ms)
}

// SetSystemTime changes the date without moving timers.
func (k *Clock) SetSystemTime(ctx context.Context, ms float64) error {
	return k.change(ctx, "clock.setSystemTime", "setSystemTime", ms)
}

// clockProperty is inject/clockworld.ts's.
const clockProperty = "globalThis.__pomeradoClock"

func (k *Clock) change(ctx context.Context, api, change string, ms float64) error {
	c := k.context
	b := c.browser
	return c.run(ctx, api, func(o *op) error {
		program := b.options.Clock
		known, number := "[]", 0
		// With the evaluator there, an evaluate that was called before this is sent before this: it needs one message only.
		for _, ec := range c.mainContexts() {
			if _, err := ec.program(o.ctx, evaluatorProgram); err != nil && ec.life.Err() == nil {
				return err
			}
		}
		b.mu.Lock()
		if len(k.history) > 0 {
			known = string(marshal(k.history))
		}
		k.history = append(k.history, clockEntry{change, time.Now().UnixMilli(), ms})
		number = len(k.history)
		old := k.script
		// The script that knows all takes the place of the one before; a document that meets both hears the rest from the second.
		k.script = newInitScript("(" + program + "\n)(" + string(marshal(k.history)) + ");")
		for _, p := range c.pages {
			for _, s := range p.frameTargets() {
				s.addInitScript(k.script, false)
				if old != nil {
					s.removeInitScript(old)
				}
			}
		}
		b.mu.Unlock()
		if err := c.onPages(o, func(p *Page) error { return p.barrierCommand(o) }); err != nil {
			return err
		}
		var expression strings.Builder
		expression.WriteString("(" + clockProperty + "?.clock??(" + program + "\n)(" + known + ")).change(" + itoa(number) + "," + quoteJSON(change) + "," + string(marshal(ms)) + ")")
		return k.inAll(o, c.mainContexts(), expression.String())
	})
}

// mainContexts are the pages' own worlds in the frames that can answer.
func (c *Context) mainContexts() []*execContext {
	c.browser.mu.Lock()
	defer c.browser.mu.Unlock()
	var all []*execContext
	for _, p := range c.pages {
		for _, f := range p.attachedOrder {
			if ec := f.slots[mainWorld].context; ec != nil {
				all = append(all, ec)
			}
		}
	}
	return all
}

// inAll waits until an expression's promise has settled in all contexts that stay alive, and gives the first error.
func (k *Clock) inAll(o *op, contexts []*execContext, expression string) error {
	failures := make([]error, len(contexts))
	var all sync.WaitGroup
	for i, ec := range contexts {
		pending := ec.session.start(o.ctx, "Runtime.evaluate", obj{"expression": expression, "contextId": ec.id, "awaitPromise": true, "silent": true})
		all.Go(func() { failures[i] = ec.settled(o.ctx, pending) })
	}
	all.Wait()
	for i, err := range failures {
		if err != nil && contexts[i].life.Err() == nil && !contexts[i].session.page.isClosed() {
			return err
		}
	}
	for _, ec := range contexts {
		ec.session.page.bindingsBegun(o.ctx)
	}
	return nil
}

func (ec *execContext) settled(ctx context.Context, pending *cdp.Pending) error {
	ctx, release := ec.bound(ctx)
	defer release()
	_, err := ec.result(ctx, pending)
	if thrown, ok := err.(*jsError); ok {
		// The stack is of the clock's own program.
		text, _, _ := strings.Cut(thrown.message, "\n    at ")
		return &jsError{text}
	}
	return err
}
