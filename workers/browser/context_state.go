package browser

import (
	"context"
	"slices"
)

// Context is a browser context of the run: pages that share cookies and storage.
type Context struct {
	emitter  emitter
	browser  *Browser
	timeouts timeouts
	// options never change except for what the setters below say.
	options ContextOptions
	// life ends when the context is closed.
	life context.Context
	end  context.CancelCauseFunc

	// Guarded by the browser's lock.
	id          string
	pages       []*Page
	arrival     []chan struct{}
	closed      bool
	closeReason string
	gone        chan struct{}

	initScripts     []*initScript
	bindings        map[string]*binding
	bindingOrder    []string
	bindingsExposed bool
	bindingsScript  *initScript
	routes          []*RouteHandler
	clock           Clock
	granted         map[string][]string
}

func (c *Context) openPages() []*Page {
	c.browser.mu.Lock()
	defer c.browser.mu.Unlock()
	var open []*Page
	for _, p := range c.pages {
		if p.reported {
			open = append(open, p)
		}
	}
	return open
}

func (c *Context) isClosed() bool {
	c.browser.mu.Lock()
	defer c.browser.mu.Unlock()
	return c.closed
}

// didClose is the end of a context; the lock is held.
func (c *Context) didClose() {
	if c.closed {
		return
	}
	c.closed = true
	c.end(closedBecause(c.closeReason))
	close(c.gone)
	c.browser.later(func() { c.emitter.emit(EventClose, c) })
}

// run is one API call on the context.
func (c *Context) run(ctx context.Context, api string, task func(o *op) error) error {
	o := newOp(ctx, c.life, api, noTimeout)
	defer o.stop()
	return o.finish(task(o))
}

func (c *Context) host() (Host, error) {
	if c.browser.options.Host == nil {
		return nil, plainError("No host is there to do this; give Options.Host to Connect.")
	}
	return c.browser.options.Host, nil
}

func (c *Context) newPage(ctx context.Context, api string) (p *Page, err error) {
	err = c.run(ctx, api, func(o *op) error {
		host, err := c.host()
		if err != nil {
			return err
		}
		targetID, err := host.NewPage(o.ctx, c.ID())
		if err != nil {
			return err
		}
		b := c.browser
		for {
			b.mu.Lock()
			p = b.pages[targetID]
			arrived := make(chan struct{}, 1)
			if p == nil {
				c.arrival = append(c.arrival, arrived)
			}
			b.mu.Unlock()
			if p != nil {
				break
			}
			if err := waitOn(o.ctx, arrived); err != nil {
				return err
			}
		}
		if err := waitOn(o.ctx, p.ready); err != nil {
			return err
		}
		if p.isClosed() {
			return closedBecause("")
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		return p.setUpError
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (c *Context) close(ctx context.Context, api string, o CloseOptions) error {
	b := c.browser
	op := newOp(ctx, b.ctx, api, noTimeout)
	defer op.stop()
	host, err := c.host()
	if err != nil {
		return op.finish(err)
	}
	b.mu.Lock()
	if c.closed {
		b.mu.Unlock()
		return nil
	}
	c.closeReason = o.Reason
	b.mu.Unlock()
	if err := host.CloseContext(op.ctx, c.ID()); err != nil {
		return op.finish(err)
	}
	b.locked(func() {
		for _, p := range slices.Clone(c.pages) {
			p.didClose()
		}
		c.didClose()
	})
	return nil
}

// configure applies the options of a new context that are no overrides of its pages.
func (c *Context) configure(o *op) error {
	if len(c.options.Permissions) > 0 {
		if err := c.doGrant(o, c.options.Permissions, ""); err != nil {
			return err
		}
	}
	if s := c.options.StorageState; s != nil {
		if err := c.doAddCookies(o, s.Cookies); err != nil {
			return err
		}
		if err := c.restoreOrigins(o, s.Origins); err != nil {
			return err
		}
	}
	return nil
}

// attachedPages are all pages, also those not reported yet.
func (c *Context) attachedPages() []*Page {
	c.browser.mu.Lock()
	defer c.browser.mu.Unlock()
	return slices.Clone(c.pages)
}

// onPages does something on every page; a page that closes meanwhile is no error.
func (c *Context) onPages(o *op, task func(p *Page) error) error {
	for _, p := range c.attachedPages() {
		if err := task(p); err != nil && !p.isClosed() {
			return err
		}
	}
	return nil
}

func (c *Context) setGeolocation(ctx context.Context, api string, g *Geolocation) error {
	return c.run(ctx, api, func(o *op) error {
		params := obj{}
		if g != nil {
			switch {
			case g.Longitude < -180 || g.Longitude > 180:
				return plainError("geolocation.longitude: precondition -180 <= LONGITUDE <= 180 failed.")
			case g.Latitude < -90 || g.Latitude > 90:
				return plainError("geolocation.latitude: precondition -90 <= LATITUDE <= 90 failed.")
			case g.Accuracy < 0:
				return plainError("geolocation.accuracy: precondition 0 <= ACCURACY failed.")
			}
			params = g.params()
		}
		c.browser.mu.Lock()
		c.options.Geolocation = g
		c.browser.mu.Unlock()
		return c.onPages(o, func(p *Page) error { return p.onAllFrames(o, "Emulation.setGeolocationOverride", params) })
	})
}

func (c *Context) setOffline(ctx context.Context, api string, offline bool) error {
	return c.run(ctx, api, func(o *op) error {
		c.browser.mu.Lock()
		c.options.Offline = offline
		for _, p := range c.pages {
			p.network.offline = offline
		}
		c.browser.mu.Unlock()
		return c.onPages(o, func(p *Page) error {
			return p.onAllFrames(o, "Network.emulateNetworkConditions", offlineParams(offline))
		})
	})
}

func (c *Context) setExtraHTTPHeaders(ctx context.Context, api string, headers []Header) error {
	return c.run(ctx, api, func(o *op) error {
		c.browser.mu.Lock()
		c.options.ExtraHTTPHeaders = headers
		c.browser.mu.Unlock()
		return c.onPages(o, func(p *Page) error { return p.updateHeaders(o) })
	})
}
