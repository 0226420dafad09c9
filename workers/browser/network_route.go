package browser

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// addRoute registers a route of a page; the newest is asked first.
func (p *Page) addRoute(ctx context.Context, api string, match URLMatch, fn RouteFunc, r RouteOptions) (*RouteHandler, error) {
	h := &RouteHandler{match: match, fn: fn, times: r.Times}
	err := p.run(ctx, api, noTimeout, func(o *op) error {
		if err := match.check(); err != nil {
			return err
		}
		p.browser.mu.Lock()
		p.routes = append([]*RouteHandler{h}, p.routes...)
		p.browser.mu.Unlock()
		return p.updateInterception(o)
	})
	return h, err
}

func (c *Context) addRoute(ctx context.Context, api string, match URLMatch, fn RouteFunc, r RouteOptions) (*RouteHandler, error) {
	h := &RouteHandler{match: match, fn: fn, times: r.Times}
	err := c.run(ctx, api, func(o *op) error {
		if err := match.check(); err != nil {
			return err
		}
		c.browser.mu.Lock()
		c.routes = append([]*RouteHandler{h}, c.routes...)
		c.browser.mu.Unlock()
		return c.onPages(o, func(p *Page) error { return p.updateInterception(o) })
	})
	return h, err
}

// updateInterception turns interception on while there is a route and off when there is none.
func (p *Page) updateInterception(o *op) error {
	b := p.browser
	b.mu.Lock()
	want := len(p.routes) > 0 || len(p.context.routes) > 0
	if want == p.network.intercepting {
		b.mu.Unlock()
		return nil
	}
	p.network.intercepting = want
	if !want {
		// What was announced and not paused yet will not be paused any more.
		for id, sent := range p.network.sent {
			delete(p.network.sent, id)
			p.network.request(sent.session, sent.event, nil, nil)
		}
	}
	main := p.network.intercept(p.session, want)
	for _, s := range p.allSessions() {
		if s != p.session {
			p.network.intercept(s, want)
		}
	}
	b.mu.Unlock()
	b.flush()
	return main.Wait(o.ctx, nil)
}

// takeOut removes handlers from a list (nil handlers: all) and answers what is left and what was removed. The lock is held.
func takeOut(list, handlers []*RouteHandler) (left, removed []*RouteHandler) {
	for _, h := range list {
		if handlers == nil || slices.Contains(handlers, h) {
			h.removed = true
			removed = append(removed, h)
		} else {
			left = append(left, h)
		}
	}
	return left, removed
}

func (p *Page) removeRoutes(ctx context.Context, api string, handlers []*RouteHandler, behavior string) error {
	return p.run(ctx, api, noTimeout, func(o *op) error {
		p.browser.mu.Lock()
		left, removed := takeOut(p.routes, handlers)
		p.routes = left
		p.browser.mu.Unlock()
		if err := p.browser.stopHandlers(o, removed, behavior); err != nil {
			return err
		}
		return p.updateInterception(o)
	})
}

func (c *Context) removeRoutes(ctx context.Context, api string, handlers []*RouteHandler, behavior string) error {
	return c.run(ctx, api, func(o *op) error {
		c.browser.mu.Lock()
		left, removed := takeOut(c.routes, handlers)
		c.routes = left
		c.browser.mu.Unlock()
		if err := c.browser.stopHandlers(o, removed, behavior); err != nil {
			return err
		}
		return c.onPages(o, func(p *Page) error { return p.updateInterception(o) })
	})
}

// stopHandlers waits for handlers that run ("wait") or lets their errors go ("ignoreErrors").
func (b *Browser) stopHandlers(o *op, removed []*RouteHandler, behavior string) error {
	for _, h := range removed {
		b.mu.Lock()
		h.ignore = behavior == "ignoreErrors"
		var idle chan struct{}
		if behavior == "wait" && h.running > 0 {
			if h.idle == nil {
				h.idle = make(chan struct{})
			}
			idle = h.idle
		}
		b.mu.Unlock()
		if idle != nil {
			if err := waitOn(o.ctx, idle); err != nil {
				return err
			}
		}
	}
	return nil
}

// routed hands an intercepted request to the routes, one after another, on a goroutine of its own. The lock is held.
func (p *Page) routed(r *Route) {
	p.browser.background(func() { p.route(r) })
}

func (p *Page) route(r *Route) {
	b := p.browser
	var tried []*RouteHandler
	for {
		h := p.nextRoute(r, tried)
		if h == nil {
			break
		}
		tried = append(tried, h)
		b.mu.Lock()
		if h.removed {
			b.mu.Unlock()
			continue
		}
		if h.times > 0 {
			if h.times--; h.times == 0 {
				p.routes = slices.DeleteFunc(p.routes, func(other *RouteHandler) bool { return other == h })
				p.context.routes = slices.DeleteFunc(p.context.routes, func(other *RouteHandler) bool { return other == h })
			}
		}
		h.running++
		r.handled = false
		b.mu.Unlock()
		h.fn(p.life, r)
		done := false
		select {
		case done = <-r.outcome:
		case <-p.life.Done():
			done = true
		}
		b.mu.Lock()
		if h.running--; h.running == 0 && h.idle != nil {
			close(h.idle)
			h.idle = nil
		}
		b.mu.Unlock()
		if done {
			return
		}
	}
	o := newOp(b.ctx, p.life, "", noTimeout)
	defer o.stop()
	_ = r.letGo(o, true)
	_ = p.updateInterception(o)
}

// nextRoute is the first route not tried that matches: the page's before the context's.
func (p *Page) nextRoute(r *Route, tried []*RouteHandler) *RouteHandler {
	b := p.browser
	b.mu.Lock()
	list := slices.Concat(p.routes, p.context.routes)
	b.mu.Unlock()
	for _, h := range list {
		if slices.Contains(tried, h) {
			continue
		}
		if took, err := h.match.matches(p.life, p.context.options.BaseURL, r.request.URL()); err == nil && took {
			return h
		}
	}
	return nil
}

// take marks the route handled by one of its methods.
func (r *Route) take() error {
	b := r.request.frame.page.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.handled {
		return plainError("Route is already handled!")
	}
	r.handled = true
	return nil
}

func (r *Route) run(ctx context.Context, api string, task func(o *op) error) error {
	p := r.request.frame.page
	return p.run(ctx, api, noTimeout, func(o *op) error {
		if err := r.take(); err != nil {
			return err
		}
		err := task(o)
		if err != nil && p.isClosed() {
			err = nil
		}
		r.outcome <- true
		return err
	})
}

// tolerate drops the errors of a request that was cancelled meanwhile.
func tolerate(err error) error {
	if e := refusal(err); e != nil && !strings.Contains(e.Message, "Invalid http status code or phrase") && !strings.Contains(e.Message, "Unsafe header") {
		return nil
	}
	return err
}

var abortCodes = map[string]string{
	"aborted": "Aborted", "accessdenied": "AccessDenied", "addressunreachable": "AddressUnreachable", "blockedbyclient": "BlockedByClient",
	"blockedbyresponse": "BlockedByResponse", "connectionaborted": "ConnectionAborted", "connectionclosed": "ConnectionClosed",
	"connectionfailed": "ConnectionFailed", "connectionrefused": "ConnectionRefused", "connectionreset": "ConnectionReset",
	"internetdisconnected": "InternetDisconnected", "namenotresolved": "NameNotResolved", "timedout": "TimedOut", "failed": "Failed",
}

func (r *Route) abort(ctx context.Context, code string) error {
	return r.run(ctx, "route.abort", func(o *op) error {
		if code == "" {
			code = "failed"
		}
		reason := abortCodes[code]
		if reason == "" {
			return plainError("Unknown error code: " + code)
		}
		return tolerate(r.session.call(o.ctx, "Fetch.failRequest", obj{"requestId": r.id, "errorReason": reason}, nil))
	})
}

func (r *Route) fulfill(ctx context.Context, f Fulfillment) error {
	return r.run(ctx, "route.fulfill", func(o *op) error {
		status := f.Status
		if status == 0 {
			status = 200
		}
		headers := slices.Clone(f.Headers)
		if origin := findHeader(r.request.Headers(), "origin"); origin != nil && findHeader(headers, "access-control-allow-origin") == nil && crossOrigin(r.request.URL(), *origin) {
			headers = append(headers, Header{"access-control-allow-origin", *origin}, Header{"access-control-allow-credentials", "true"}, Header{"vary", "Origin"})
		}
		list := []obj{}
		for _, h := range headers {
			values := []string{h.Value}
			if strings.EqualFold(h.Name, "set-cookie") {
				values = strings.Split(h.Value, "\n")
			}
			for _, value := range values {
				list = append(list, obj{"name": h.Name, "value": value})
			}
		}
		unlock := r.request.lock()
		r.request.fulfilled = true
		unlock()
		return tolerate(r.session.call(o.ctx, "Fetch.fulfillRequest", obj{"requestId": r.id, "responseCode": status, "responsePhrase": statusText(status),
			"responseHeaders": list, "body": base64.StdEncoding.EncodeToString(f.Body)}, nil))
	})
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "Unknown"
}

func crossOrigin(target, origin string) bool {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return u.Scheme+"://"+u.Host != strings.TrimSpace(origin)
}

func (r *Route) proceed(ctx context.Context, v Override) error {
	return r.run(ctx, "route.continue", func(o *op) error {
		if err := r.override(v); err != nil {
			return err
		}
		return r.letGo(o, false)
	})
}

func (r *Route) fallback(v Override) error {
	if err := r.take(); err != nil {
		return &Error{Name: nameError, Message: "route.fallback: " + err.Error()}
	}
	err := r.override(v)
	r.outcome <- false
	if err != nil {
		return &Error{Name: nameError, Message: "route.fallback: " + err.Error()}
	}
	return nil
}

// override notes changes of the request.
func (r *Route) override(v Override) error {
	if v.URL != "" {
		was, err1 := url.Parse(r.request.URL())
		is, err2 := url.Parse(v.URL)
		if err1 != nil || err2 != nil {
			return plainError("Invalid URL")
		}
		if was.Scheme != is.Scheme {
			return plainError("New URL must have same protocol as overridden URL")
		}
	}
	defer r.request.lock()()
	to := &r.request.overrides
	if v.URL != "" {
		to.URL = v.URL
	}
	if v.Method != "" {
		to.Method = v.Method
	}
	if v.PostData != nil {
		to.PostData = v.PostData
	}
	if v.Headers != nil {
		to.Headers = applyHeaders(r.request.headers, v.Headers)
	}
	return nil
}

// applyHeaders replaces the headers a script may replace and keeps those the browser insists on.
func applyHeaders(original, wanted []Header) []Header {
	var allowed, kept []Header
	for _, h := range wanted {
		if !forbiddenHeader(h) {
			allowed = append(allowed, h)
		}
	}
	for _, h := range original {
		if forbiddenHeader(h) {
			kept = append(kept, h)
		}
	}
	return mergeHeaders(allowed, kept)
}

func forbiddenHeader(h Header) bool {
	name := strings.ToLower(h.Name)
	switch name {
	case "accept-charset", "accept-encoding", "access-control-request-headers", "access-control-request-method", "connection", "content-length", "cookie",
		"date", "dnt", "expect", "host", "keep-alive", "origin", "referer", "set-cookie", "te", "trailer", "transfer-encoding", "upgrade", "via":
		return true
	case "x-http-method", "x-http-method-override", "x-method-override":
		switch strings.ToUpper(h.Value) {
		case "CONNECT", "TRACE", "TRACK":
			return true
		}
	}
	return strings.HasPrefix(name, "proxy-") || strings.HasPrefix(name, "sec-")
}

// letGo sends the request on its way with its overrides.
func (r *Route) letGo(o *op, fallback bool) error {
	unlock := r.request.lock()
	v := r.request.overrides
	params := obj{"requestId": r.id}
	if v.URL != "" {
		params["url"] = v.URL
	}
	if v.Method != "" {
		params["method"] = v.Method
	}
	if v.PostData != nil {
		params["postData"] = base64.StdEncoding.EncodeToString(v.PostData)
	}
	if v.Headers != nil {
		list := []obj{}
		for _, h := range v.Headers {
			// The cookie store gives cookies; a header would freeze them.
			if !strings.EqualFold(h.Name, "cookie") {
				list = append(list, obj{"name": h.Name, "value": h.Value})
			}
		}
		params["headers"] = list
	}
	r.request.continued = params
	unlock()
	return tolerate(r.session.call(o.ctx, "Fetch.continueRequest", params, nil))
}
