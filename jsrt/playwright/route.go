package playwright

import (
	"context"
	"errors"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// routing is what pages and contexts have in common.
type routing interface {
	Route(ctx context.Context, match browser.URLMatch, fn browser.RouteFunc, o browser.RouteOptions) (*browser.RouteHandler, error)
	Unroute(ctx context.Context, h *browser.RouteHandler) error
	UnrouteAll(ctx context.Context, behavior string) error
}

// route is one that page code made, kept so that unroute finds it by what it was made with.
type route struct {
	match   browser.URLMatch
	fn      goja.Value
	handler *browser.RouteHandler
}

func (r *route) is(match browser.URLMatch, fn goja.Value) bool {
	same := r.match.Glob == match.Glob && r.match.ID == match.ID
	return same && (absent(fn) || r.fn == fn)
}

func (m *mapping) addRoute(on routing, a *args) op {
	match, f := a.urlMatch(a.value(0)), a.function(1, "handler")
	o := browser.RouteOptions{Times: a.options(2).whole("times")}
	r := &route{match: match, fn: a.value(1)}
	m.routes[on] = append(m.routes[on], r)
	handle := func(ctx context.Context, one *browser.Route) {
		err := m.script(ctx, func(*goja.Runtime) (goja.Value, error) {
			return f(goja.Undefined(), m.out(one), m.out(one.Request()))
		}, nil)
		var thrown *scriptError
		if errors.As(err, &thrown) {
			// As in Playwright, a handler's throw is nobody's to catch: it ends as an unhandled rejection.
			m.rt.Post(func(*goja.Runtime) { m.rejected(thrown.value) })
			// Nobody is left to answer the request, and what waits for it would wait to its end.
			_ = one.Abort(ctx, "")
		}
	}
	return func(ctx context.Context) (any, error) {
		handler, err := on.Route(ctx, match, handle, o)
		if err != nil {
			return nil, err
		}
		m.rt.Post(func(*goja.Runtime) { r.handler = handler })
		return disposer(func(ctx context.Context) error { return on.Unroute(ctx, handler) }), nil
	}
}

func (m *mapping) removeRoute(on routing, a *args) op {
	match, fn := a.urlMatch(a.value(0)), a.value(1)
	var gone []*browser.RouteHandler
	var kept []*route
	for _, r := range m.routes[on] {
		if r.is(match, fn) && r.handler != nil {
			gone = append(gone, r.handler)
		} else {
			kept = append(kept, r)
		}
	}
	m.routes[on] = kept
	return done(func(ctx context.Context) error {
		for _, h := range gone {
			if err := on.Unroute(ctx, h); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *mapping) removeRoutes(on routing, a *args) op {
	behavior := a.options(0).str("behavior", "wait", "ignoreErrors", "default")
	delete(m.routes, on)
	return done(func(ctx context.Context) error { return on.UnrouteAll(ctx, behavior) })
}

func routeClass() class {
	return class{name: "Route", members: func() []member {
		type self = *browser.Route
		return []member{
			direct("request", func(_ *mapping, r self, _ *args) any { return r.Request() }),
			promise("continue", func(_ *mapping, r self, a *args) op {
				o := a.override()
				return done(func(ctx context.Context) error { return r.Continue(ctx, o) })
			}),
			promise("fallback", func(_ *mapping, r self, a *args) op {
				o := a.override()
				return done(func(ctx context.Context) error { return r.Fallback(ctx, o) })
			}),
			promise("abort", func(_ *mapping, r self, a *args) op {
				code := ""
				if a.given(0) {
					code = a.str(0, "errorCode")
				}
				return done(func(ctx context.Context) error { return r.Abort(ctx, code) })
			}),
			promise("fulfill", func(_ *mapping, r self, a *args) op {
				f := a.fulfillment()
				return done(func(ctx context.Context) error { return r.Fulfill(ctx, f) })
			}),
		}
	}, refused: func() map[string]string {
		return map[string]string{"fetch": "page code reaches the network through its pages only"}
	}}
}

// body reads a string, a buffer, or anything else as JSON; set tells whether it was there.
func (a *args) body(v goja.Value) (body []byte, set bool) {
	switch {
	case absent(v) || goja.IsNull(v):
		return nil, false
	case goja.IsString(v):
		return []byte(v.String()), true
	}
	if b, ok := bytes(v); ok {
		return b, true
	}
	text, err := a.m.builtins.json(goja.Undefined(), v)
	if err != nil {
		panic(err)
	}
	return []byte(text.String()), true
}

func (a *args) override() browser.Override {
	o := a.options(0)
	out := browser.Override{URL: o.str("url"), Method: o.str("method"), Headers: a.headers(o.get("headers"), "headers")}
	out.PostData, _ = a.body(o.get("postData"))
	return out
}

func (a *args) fulfillment() browser.Fulfillment {
	o := a.options(0)
	o.noPath()
	if o.has("response") {
		a.fail("the option response is not supported here: there is no route.fetch; give status, headers and body")
	}
	out := browser.Fulfillment{Status: o.whole("status")}
	json := o.get("json")
	if !absent(json) {
		if o.has("body") {
			a.failPlain("Can specify either body or json parameters")
		}
		text, err := a.m.builtins.json(goja.Undefined(), json)
		if err != nil {
			panic(err)
		}
		out.Body = []byte(text.String())
	} else {
		out.Body, _ = a.body(o.get("body"))
	}
	out.Headers = a.looseHeaders(o.get("headers"))
	set := func(name, value string, replace bool) {
		for i, h := range out.Headers {
			if h.Name == name {
				if replace {
					out.Headers[i].Value = value
				}
				return
			}
		}
		out.Headers = append(out.Headers, browser.Header{Name: name, Value: value})
	}
	if o.has("contentType") {
		set("content-type", o.str("contentType"), true)
	} else if !absent(json) && json.ToBoolean() {
		set("content-type", "application/json", true)
	}
	if len(out.Body) > 0 {
		set("content-length", a.m.vm.ToValue(len(out.Body)).String(), false)
	}
	return out
}
