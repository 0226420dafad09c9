package browser

import "context"

// RouteFunc handles one intercepted request on a goroutine of its own. It ends by calling Fulfill, Continue, Abort or Fallback
// of the route; the request waits until one of them is called.
type RouteFunc func(ctx context.Context, r *Route)

// RouteHandler is one registered route.
type RouteHandler struct {
	match URLMatch
	fn    RouteFunc
	times int // left; 0 is for ever
	// running handlers, for unrouteAll({behavior: 'wait'}); guarded by the browser's lock.
	running int
	removed bool
	ignore  bool
	idle    chan struct{}
}

// Matcher answers what the route matches.
func (h *RouteHandler) Matcher() URLMatch { return h.match }

// Override changes a request on its way.
type Override struct {
	// Empty strings and nil leave as is.
	URL, Method string
	Headers     []Header
	PostData    []byte
}

// Fulfillment is an answer made up for a request. Status 0 is 200.
type Fulfillment struct {
	Status  int
	Headers []Header
	Body    []byte
}

// Route is one intercepted request.
type Route struct {
	request *Request
	session *session
	// id is Fetch's; the rest is guarded by the browser's lock.
	id      string
	handled bool
	outcome chan bool // receives true when answered, false to fall back
}

// Request answers the request.
func (r *Route) Request() *Request { return r.request }

// Fulfill answers the request without the network.
func (r *Route) Fulfill(ctx context.Context, f Fulfillment) error { return r.fulfill(ctx, f) }

// Continue lets the request go, changed by o, past all other routes.
func (r *Route) Continue(ctx context.Context, o Override) error { return r.proceed(ctx, o) }

// Fallback hands the request, changed by o, to the next route that matches, and lets it go when there is none.
func (r *Route) Fallback(ctx context.Context, o Override) error { return r.fallback(o) }

// Abort fails the request with Playwright's error code; empty is "failed".
func (r *Route) Abort(ctx context.Context, code string) error { return r.abort(ctx, code) }
