package browser

import (
	"context"
	"slices"
)

// ---- locator handlers

type locatorHandler struct {
	locator *Locator
	fn      func(context.Context, *Locator) error
	times   int // left; 0 is for ever
	noWait  bool
	running bool
}

func (p *Page) addLocatorHandler(ctx context.Context, api string, l *Locator, fn func(context.Context, *Locator) error, h LocatorHandlerOptions) error {
	return p.run(ctx, api, noTimeout, func(o *op) error {
		if l.frame != p.mainFrame {
			return plainError("Locator must belong to the main frame of this page")
		}
		p.browser.mu.Lock()
		p.handlers = append(p.handlers, &locatorHandler{locator: l, fn: fn, times: h.Times, noWait: h.NoWaitAfter})
		p.browser.mu.Unlock()
		return nil
	})
}

func (p *Page) removeLocatorHandler(l *Locator) {
	p.browser.mu.Lock()
	p.handlers = slices.DeleteFunc(p.handlers, func(h *locatorHandler) bool {
		return h.locator.frame == l.frame && h.locator.selector == l.selector
	})
	p.browser.mu.Unlock()
}

// runLocatorHandlers runs the handlers whose locators are visible. Not from inside a handler: it would wait for itself.
func (p *Page) runLocatorHandlers(o *op) error {
	b := p.browser
	b.mu.Lock()
	if p.handlersRunning > 0 {
		b.mu.Unlock()
		return nil
	}
	list := slices.Clone(p.handlers)
	b.mu.Unlock()
	for _, h := range list {
		visible, err := p.mainFrame.find(h.locator.selector, Strictly).isVisible(o)
		if err != nil {
			return err
		}
		if !visible {
			continue
		}
		b.mu.Lock()
		if h.running || !slices.Contains(p.handlers, h) {
			b.mu.Unlock()
			continue
		}
		h.running = true
		p.handlersRunning++
		if h.times > 0 {
			if h.times--; h.times == 0 {
				p.handlers = slices.DeleteFunc(p.handlers, func(other *locatorHandler) bool { return other == h })
			}
		}
		b.mu.Unlock()
		err = p.runHandler(o, h)
		b.mu.Lock()
		h.running = false
		p.handlersRunning--
		b.mu.Unlock()
		if err != nil {
			return err
		}
		o.logLine("  interception handler has finished, continuing")
	}
	return nil
}

func (p *Page) runHandler(o *op, h *locatorHandler) error {
	name := describeLocator(h.locator.selector)
	o.logLine("  found " + name + ", intercepting action to run the handler")
	done := make(chan error, 1)
	p.browser.background(func() { done <- h.fn(o.base, h.locator) })
	select {
	case err := <-done:
		if err != nil {
			return err
		}
	case <-o.ctx.Done():
		return o.over()
	}
	if h.noWait {
		o.logLine("  locator handler has finished")
		return nil
	}
	o.logLine("  locator handler has finished, waiting for " + name + " to be hidden")
	t := p.mainFrame.find(h.locator.selector, AsContext)
	return t.simpleOrAbsent(o, pageCall{method: "waitForSelector", absent: true, args: func(r resolveOptions) []arg {
		return []arg{jsonArg(waitForParams{r, "hidden"})}
	}})
}

func (t *target) simpleOrAbsent(o *op, c pageCall) error {
	_, pl, err := t.run(o, c)
	if err == nil && pl != nil {
		pl.release()
	}
	return err
}
