package browser

import (
	"context"
	"log/slog"
	"slices"

	cdptarget "github.com/chromedp/cdproto/target"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// heldTransport gives nothing before ready is closed: the root session's handler must be there before the first event.
type heldTransport struct {
	cdp.Transport
	ready chan struct{}
}

func (t *heldTransport) Receive() ([]byte, error) {
	<-t.ready
	return t.Transport.Receive()
}

func connect(ctx context.Context, t cdp.Transport, o Options) (*Browser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	b := &Browser{options: o, log: log, pages: map[string]*Page{}, sessions: map[string]*session{}}
	// The engine outlives the call that started it; Close ends it.
	b.ctx, b.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	first := b.addContext(o.ContextID, o.Context)
	b.contexts = []*Context{first}
	held := &heldTransport{t, make(chan struct{})}
	b.conn = cdp.NewConn(held)
	b.conn.Subscribe("", func(e cdp.Event) {
		b.mu.Lock()
		b.targetEvent(nil, e)
		b.mu.Unlock()
		b.flush()
	})
	close(held.ready)
	b.background(func() {
		<-b.conn.Done()
		b.disconnected()
	})
	return b, nil
}

// background runs fn on a goroutine that Close waits for.
func (b *Browser) background(fn func()) {
	b.wg.Add(1)
	go func() {
		defer b.wg.Done()
		fn()
	}()
}

// later queues fn for after the lock is let go: events for subscribers, which may call the engine. The lock is held.
func (b *Browser) later(fn func()) { b.outbox = append(b.outbox, fn) }

// flush runs what was queued, in order, unless another goroutine is at it.
func (b *Browser) flush() {
	b.mu.Lock()
	for !b.flushing && len(b.outbox) > 0 {
		batch := b.outbox
		b.outbox, b.flushing = nil, true
		b.mu.Unlock()
		for _, fn := range batch {
			fn()
		}
		b.mu.Lock()
		b.flushing = false
	}
	b.mu.Unlock()
}

// locked runs fn under the lock and delivers what it queued.
func (b *Browser) locked(fn func()) {
	b.mu.Lock()
	fn()
	b.mu.Unlock()
	b.flush()
}

func (b *Browser) disconnected() {
	b.locked(func() {
		if b.closed {
			return
		}
		b.closed = true
		for _, p := range b.allPages() {
			p.didClose()
		}
		for _, c := range b.contexts {
			c.didClose()
		}
		b.later(func() { b.emitter.emit(EventDisconnected, b) })
	})
	b.stop(closedBecause(""))
}

func (b *Browser) shut() error {
	err := b.conn.Close()
	<-b.conn.Done()
	b.wg.Wait()
	return err
}

func (b *Browser) isConnected() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.closed
}

// allPages are the attached pages in the order they came; the lock is held.
func (b *Browser) allPages() []*Page {
	var all []*Page
	for _, c := range b.contexts {
		all = append(all, c.pages...)
	}
	return all
}

func (b *Browser) openContexts() []*Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	var open []*Context
	for _, c := range b.contexts {
		if !c.closed {
			open = append(open, c)
		}
	}
	return open
}

func (b *Browser) addContext(id string, o ContextOptions) *Context {
	c := &Context{browser: b, id: id, options: o, bindings: map[string]*binding{}, gone: make(chan struct{})}
	c.clock.context = c
	c.life, c.end = context.WithCancelCause(b.ctx)
	return c
}

// contextOf answers the context of a target; the lock is held.
func (b *Browser) contextOf(id string) *Context {
	for _, c := range b.contexts {
		if c.id == id {
			return c
		}
	}
	if first := b.contexts[0]; first.id == "" || id == "" {
		first.id = id
		return first
	}
	c := b.addContext(id, ContextOptions{})
	b.contexts = append(b.contexts, c)
	return c
}

func (b *Browser) newContext(ctx context.Context, api string, o ContextOptions) (*Context, error) {
	op := newOp(ctx, b.ctx, api, noTimeout)
	defer op.stop()
	if b.options.Host == nil {
		return nil, op.finish(plainError("No host is there to make a context; give Options.Host to Connect."))
	}
	id, err := b.options.Host.NewContext(op.ctx)
	if err != nil {
		return nil, op.finish(err)
	}
	c := b.addContext(id, o)
	b.locked(func() {
		b.contexts = append(b.contexts, c)
		b.later(func() { b.emitter.emit(EventContext, c) })
	})
	if err := c.configure(op); err != nil {
		return nil, op.finish(err)
	}
	return c, nil
}

// firstPage waits for the first page of the run to be ready.
func (b *Browser) firstPage(ctx context.Context) (*Page, error) {
	o := newOp(ctx, b.ctx, "browser.waitForPage", noTimeout)
	defer o.stop()
	b.mu.Lock()
	c := b.contexts[0]
	arrived := make(chan struct{}, 1)
	if len(c.pages) == 0 {
		c.arrival = append(c.arrival, arrived)
	} else {
		arrived <- struct{}{}
	}
	b.mu.Unlock()
	if err := waitOn(o.ctx, arrived); err != nil {
		return nil, o.finish(err)
	}
	b.mu.Lock()
	p := c.pages[0]
	b.mu.Unlock()
	if err := waitOn(o.ctx, p.ready); err != nil {
		return nil, o.finish(err)
	}
	return p, nil
}

// pageAttached adopts a page before it runs; the lock is held.
func (b *Browser) pageAttached(sessionID string, info *cdptarget.Info) {
	targetID := string(info.TargetID)
	if b.pages[targetID] != nil {
		return
	}
	c := b.contextOf(string(info.BrowserContextID))
	p := newPage(c, targetID, info.URL)
	p.opener = b.pages[string(info.OpenerID)]
	b.pages[targetID] = p
	c.pages = append(c.pages, p)
	for _, arrived := range c.arrival {
		arrived <- struct{}{}
	}
	c.arrival = nil
	s := b.newSession(sessionID, pageSession, p, targetID, nil)
	p.session = s
	p.frameSessions[targetID] = s
	if p.opener != nil && !c.options.NoViewport {
		if size := p.opener.takePopupSize(); size != nil {
			p.viewport = size
		}
	}
	s.initialize()
}

// removePage forgets a closed page; the lock is held.
func (b *Browser) removePage(p *Page) {
	delete(b.pages, p.targetID)
	p.context.pages = slices.DeleteFunc(p.context.pages, func(other *Page) bool { return other == p })
}
