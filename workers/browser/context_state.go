package browser

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
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

// wireCookie is Network.Cookie and Network.CookieParam.
type wireCookie struct {
	Name         string   `json:"name"`
	Value        string   `json:"value"`
	URL          string   `json:"url,omitempty"`
	Domain       string   `json:"domain,omitempty"`
	Path         string   `json:"path,omitempty"`
	Expires      *float64 `json:"expires,omitempty"`
	HTTPOnly     bool     `json:"httpOnly"`
	Secure       bool     `json:"secure"`
	SameSite     string   `json:"sameSite,omitempty"`
	PartitionKey *struct {
		TopLevelSite         string `json:"topLevelSite"`
		HasCrossSiteAncestor bool   `json:"hasCrossSiteAncestor"`
	} `json:"partitionKey,omitempty"`
}

func (c *Context) cookies(ctx context.Context, api string, urls []string) (list []Cookie, err error) {
	err = c.run(ctx, api, func(o *op) error {
		list, err = c.doCookies(o, urls)
		return err
	})
	return list, err
}

func (c *Context) doCookies(o *op, urls []string) ([]Cookie, error) {
	host, err := c.host()
	if err != nil {
		return nil, err
	}
	raw, err := host.GetCookies(o.ctx, c.ID())
	if err != nil {
		return nil, err
	}
	var wire []wireCookie
	if err := json.Unmarshal(raw, &wire); err != nil {
		return nil, err
	}
	list := []Cookie{}
	for _, w := range wire {
		cookie := Cookie{Name: w.Name, Value: w.Value, Domain: w.Domain, Path: w.Path, Expires: -1, HTTPOnly: w.HTTPOnly, Secure: w.Secure, SameSite: w.SameSite}
		if w.Expires != nil && *w.Expires > 0 {
			cookie.Expires = *w.Expires
		}
		if cookie.SameSite == "" {
			cookie.SameSite = "Lax"
		}
		if w.PartitionKey != nil {
			cookie.PartitionKey = w.PartitionKey.TopLevelSite
		}
		if len(urls) == 0 || slices.ContainsFunc(urls, cookie.goesTo) {
			list = append(list, cookie)
		}
	}
	return list, nil
}

// goesTo reports whether the cookie is sent to an URL.
func (c Cookie) goesTo(to string) bool {
	u, err := url.Parse(to)
	if err != nil {
		return false
	}
	host := u.Hostname()
	domain := c.Domain
	if !strings.HasPrefix(domain, ".") {
		domain = "." + domain
	}
	if !strings.HasSuffix("."+host, domain) {
		return false
	}
	path := u.Path
	if path == "" {
		path = "/"
	}
	if !strings.HasPrefix(path, c.Path) {
		return false
	}
	return !c.Secure || u.Scheme == "https" || host == "localhost"
}

func (c *Context) addCookies(ctx context.Context, api string, cookies []Cookie) error {
	return c.run(ctx, api, func(o *op) error { return c.doAddCookies(o, cookies) })
}

// latestExpiry is the last second of the year 9999; what is later no browser keeps.
const latestExpiry = 253402300799

func (c *Context) doAddCookies(o *op, cookies []Cookie) error {
	if len(cookies) == 0 {
		return nil
	}
	host, err := c.host()
	if err != nil {
		return err
	}
	list := make([]wireCookie, len(cookies))
	for i, cookie := range cookies {
		w := wireCookie{Name: cookie.Name, Value: cookie.Value, Domain: cookie.Domain, Path: cookie.Path, HTTPOnly: cookie.HTTPOnly, Secure: cookie.Secure, SameSite: cookie.SameSite}
		switch {
		case cookie.URL == "" && (cookie.Domain == "" || cookie.Path == ""):
			return plainError("Cookie should have a url or a domain/path pair")
		case cookie.URL != "" && cookie.Domain != "":
			return plainError("Cookie should have either url or domain")
		case cookie.URL != "" && cookie.Path != "":
			return plainError("Cookie should have either url or path")
		case cookie.Expires < 0 && cookie.Expires != -1, cookie.Expires > latestExpiry:
			return plainError("Cookie should have a valid expires, only -1 or a positive number for the unix timestamp in seconds is allowed")
		case cookie.URL == "about:blank":
			return plainError("Blank page can not have cookie \"" + cookie.Name + "\"")
		case strings.HasPrefix(cookie.URL, "data:"):
			return plainError("Data URL page can not have cookie \"" + cookie.Name + "\"")
		}
		if cookie.URL != "" {
			u, err := url.Parse(cookie.URL)
			if err != nil || u.Host == "" {
				return plainError("Invalid URL")
			}
			w.Domain, w.Path, w.Secure = u.Hostname(), u.Path[:strings.LastIndex(u.Path, "/")+1], u.Scheme == "https"
			if w.Path == "" {
				w.Path = "/"
			}
		}
		// Chromium drops cookies that expire at 0; without a time they live as long as the context.
		if cookie.Expires > 0 {
			w.Expires = &cookie.Expires
		}
		list[i] = w
	}
	return host.SetCookies(o.ctx, c.ID(), marshalStd(list))
}

func marshalStd(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// clearCookies removes cookies. Without a way to remove one, those to keep are set again.
func (c *Context) clearCookies(ctx context.Context, api string, match func(Cookie) bool) error {
	return c.run(ctx, api, func(o *op) error {
		host, err := c.host()
		if err != nil {
			return err
		}
		var keep []Cookie
		if match != nil {
			all, err := c.doCookies(o, nil)
			if err != nil {
				return err
			}
			keep = slices.DeleteFunc(all, match)
		}
		if err := host.ClearCookies(o.ctx, c.ID()); err != nil {
			return err
		}
		return c.doAddCookies(o, keep)
	})
}

// permissionNames are Playwright's names and CDP's. The clipboard is shared by all runs and never granted.
var permissionNames = map[string]string{
	"geolocation": "geolocation", "midi": "midi", "midi-sysex": "midiSysex", "notifications": "notifications", "camera": "videoCapture",
	"microphone": "audioCapture", "background-sync": "backgroundSync", "ambient-light-sensor": "sensors", "accelerometer": "sensors",
	"gyroscope": "sensors", "magnetometer": "sensors", "payment-handler": "paymentHandler", "storage-access": "storageAccess",
	"local-fonts": "localFonts", "local-network-access": "localNetworkAccess",
}

func (c *Context) grantPermissions(ctx context.Context, api string, permissions []string, origin string) error {
	return c.run(ctx, api, func(o *op) error { return c.doGrant(o, permissions, origin) })
}

func (c *Context) doGrant(o *op, permissions []string, origin string) error {
	host, err := c.host()
	if err != nil {
		return err
	}
	if origin != "" {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" {
			return plainError("Invalid URL")
		}
		origin = u.Scheme + "://" + u.Host
	}
	if len(permissions) == 0 {
		return nil
	}
	for _, name := range permissions {
		switch {
		case name == "clipboard-read" || name == "clipboard-write":
			return plainError("The permission " + name + " is not granted here: one clipboard serves all runs. Read the text from the page instead.")
		case permissionNames[name] == "":
			return plainError("Unknown permission: " + name)
		}
	}
	c.browser.mu.Lock()
	if c.granted == nil {
		c.granted = map[string][]string{}
	}
	for _, name := range permissions {
		if !slices.Contains(c.granted[origin], name) {
			c.granted[origin] = append(c.granted[origin], name)
		}
	}
	var list []string
	for _, name := range c.granted[origin] {
		if !slices.Contains(list, permissionNames[name]) {
			list = append(list, permissionNames[name])
		}
	}
	c.browser.mu.Unlock()
	return host.GrantPermissions(o.ctx, c.ID(), origin, list)
}

func (c *Context) clearPermissions(ctx context.Context, api string) error {
	return c.run(ctx, api, func(o *op) error {
		host, err := c.host()
		if err != nil {
			return err
		}
		c.browser.mu.Lock()
		c.granted = nil
		c.browser.mu.Unlock()
		return host.ResetPermissions(o.ctx, c.ID())
	})
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

func (c *Context) addInitScript(ctx context.Context, api, source string) (func(context.Context) error, error) {
	script := newInitScript(source)
	b := c.browser
	err := c.run(ctx, api, func(o *op) error {
		b.mu.Lock()
		c.initScripts = append(c.initScripts, script)
		for _, p := range c.pages {
			for _, s := range p.frameTargets() {
				s.addInitScript(script, false)
			}
		}
		b.mu.Unlock()
		return c.onPages(o, func(p *Page) error { return p.barrierCommand(o) })
	})
	return func(context.Context) error {
		b.locked(func() {
			c.initScripts = slices.DeleteFunc(c.initScripts, func(other *initScript) bool { return other == script })
			for _, p := range c.pages {
				for _, s := range p.frameTargets() {
					s.removeInitScript(script)
				}
			}
		})
		return nil
	}, err
}

func (c *Context) exposeBinding(ctx context.Context, api, name string, fn BindingFunc) (func(context.Context) error, error) {
	b := c.browser
	bound := newBinding(name, fn, false)
	err := c.run(ctx, api, func(o *op) error {
		b.mu.Lock()
		if c.bindings[name] != nil {
			b.mu.Unlock()
			return plainError("Function \"" + name + "\" has been already registered")
		}
		for _, p := range c.pages {
			if p.bindings[name] != nil {
				b.mu.Unlock()
				return plainError("Function \"" + name + "\" has been already registered in one of the pages")
			}
		}
		c.exposeBindings()
		c.bindings[name] = bound
		c.bindingOrder = append(c.bindingOrder, name)
		for _, p := range c.pages {
			for _, s := range p.frameTargets() {
				s.addInitScript(bound.script, false)
			}
			p.evaluateInFrames(bound.script.source)
		}
		b.mu.Unlock()
		return c.onPages(o, func(p *Page) error { return p.barrierCommand(o) })
	})
	return func(context.Context) error {
		b.locked(func() {
			if c.bindings[name] != bound {
				return
			}
			delete(c.bindings, name)
			c.bindingOrder = slices.DeleteFunc(c.bindingOrder, func(n string) bool { return n == name })
			for _, p := range c.pages {
				for _, s := range p.frameTargets() {
					s.removeInitScript(bound.script)
				}
				p.evaluateInFrames("globalThis." + bindingsProperty + ".remove(" + quoteJSON(name) + ")")
			}
		})
		return nil
	}, err
}
