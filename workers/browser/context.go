package browser

import (
	"context"
	"encoding/json"
	"time"
)

// Browser answers the browser.
func (c *Context) Browser() *Browser { return c.browser }

// ID is Chromium's id of the context, as the host names it.
func (c *Context) ID() string {
	c.browser.mu.Lock()
	defer c.browser.mu.Unlock()
	return c.id
}

// Pages answers the open pages in the order they were opened.
func (c *Context) Pages() []*Page { return c.openPages() }

// NewPage opens a page.
func (c *Context) NewPage(ctx context.Context) (*Page, error) {
	return c.newPage(ctx, "browserContext.newPage")
}

// IsClosed reports whether the context is closed.
func (c *Context) IsClosed() bool { return c.isClosed() }

// Close closes the context and its pages.
func (c *Context) Close(ctx context.Context, o CloseOptions) error {
	return c.close(ctx, "browserContext.close", o)
}

// On subscribes fn to event.
func (c *Context) On(event Event, fn func(payload any)) (off func()) { return c.emitter.on(event, fn) }

// ListenerCount answers how many handlers event has.
func (c *Context) ListenerCount(event Event) int { return c.emitter.count(event) }

// ExpectEvent arms a waiter for the next event of that name.
func (c *Context) ExpectEvent(event Event, o ExpectOptions) *Waiter { return c.expectEvent(event, o) }

// ExpectPage arms a waiter for the next page.
func (c *Context) ExpectPage(o ExpectOptions) *Waiter { return c.expectEvent(EventPage, o) }

// SetDefaultTimeout sets what a nil Timeout means in this context.
func (c *Context) SetDefaultTimeout(d time.Duration) { c.timeouts.setDefault(d) }

// SetDefaultNavigationTimeout sets what a nil Timeout means for navigations in this context.
func (c *Context) SetDefaultNavigationTimeout(d time.Duration) { c.timeouts.setNavigation(d) }

// Cookie is a cookie of a context, as Playwright shows it. Expires is in seconds since the epoch, -1 for a session cookie.
type Cookie struct {
	Name, Value, Domain, Path string
	// URL may stand for Domain and Path when adding.
	URL              string
	Expires          float64
	HTTPOnly, Secure bool
	SameSite         string
	PartitionKey     string
}

// Cookies answers the context's cookies, or those that go to the URLs.
func (c *Context) Cookies(ctx context.Context, urls ...string) ([]Cookie, error) {
	return c.cookies(ctx, "browserContext.cookies", urls)
}

// AddCookies adds cookies. Expires 0 or -1 makes a session cookie.
func (c *Context) AddCookies(ctx context.Context, cookies []Cookie) error {
	return c.addCookies(ctx, "browserContext.addCookies", cookies)
}

// ClearCookies removes the cookies that keep answers true for; nil removes all.
func (c *Context) ClearCookies(ctx context.Context, match func(Cookie) bool) error {
	return c.clearCookies(ctx, "browserContext.clearCookies", match)
}

// StorageState is what Playwright's storageState holds.
type StorageState struct {
	Cookies []Cookie
	Origins []OriginState
}

// OriginState is one origin's storage.
type OriginState struct {
	Origin       string
	LocalStorage []StorageItem
	// IndexedDB in Playwright's JSON; absent unless asked for.
	IndexedDB json.RawMessage
}

// StorageItem is one entry of localStorage.
type StorageItem struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// StorageState answers cookies and localStorage of the origins open in the context.
func (c *Context) StorageState(ctx context.Context, indexedDB bool) (StorageState, error) {
	return c.storageState(ctx, "browserContext.storageState", indexedDB)
}

// GrantPermissions grants permissions by Playwright's names; an empty origin means all. The clipboard is never granted.
func (c *Context) GrantPermissions(ctx context.Context, permissions []string, origin string) error {
	return c.grantPermissions(ctx, "browserContext.grantPermissions", permissions, origin)
}

// ClearPermissions takes all back.
func (c *Context) ClearPermissions(ctx context.Context) error {
	return c.clearPermissions(ctx, "browserContext.clearPermissions")
}

// SetGeolocation emulates a position; nil takes it away.
func (c *Context) SetGeolocation(ctx context.Context, g *Geolocation) error {
	return c.setGeolocation(ctx, "browserContext.setGeolocation", g)
}

// SetOffline emulates the absence of a network.
func (c *Context) SetOffline(ctx context.Context, offline bool) error {
	return c.setOffline(ctx, "browserContext.setOffline", offline)
}

// SetExtraHTTPHeaders adds headers to every request of the context.
func (c *Context) SetExtraHTTPHeaders(ctx context.Context, h []Header) error {
	return c.setExtraHTTPHeaders(ctx, "browserContext.setExtraHTTPHeaders", h)
}

// AddInitScript adds a script that runs in every document of the context before its own.
func (c *Context) AddInitScript(ctx context.Context, source string) (dispose func(context.Context) error, err error) {
	return c.addInitScript(ctx, "browserContext.addInitScript", source)
}

// ExposeBinding adds a function of that name to every document of the context.
func (c *Context) ExposeBinding(ctx context.Context, name string, fn BindingFunc) (dispose func(context.Context) error, err error) {
	return c.exposeBinding(ctx, "browserContext.exposeBinding", name, fn)
}

// ExposeFunction is ExposeBinding under Playwright's other name.
func (c *Context) ExposeFunction(ctx context.Context, name string, fn BindingFunc) (dispose func(context.Context) error, err error) {
	return c.exposeBinding(ctx, "browserContext.exposeFunction", name, fn)
}

// Route calls fn for each request of the context that matches and no page's route took.
func (c *Context) Route(ctx context.Context, match URLMatch, fn RouteFunc, o RouteOptions) (*RouteHandler, error) {
	return c.addRoute(ctx, "browserContext.route", match, fn, o)
}

// Unroute removes one route.
func (c *Context) Unroute(ctx context.Context, h *RouteHandler) error {
	return c.removeRoutes(ctx, "browserContext.unroute", []*RouteHandler{h}, "")
}

// UnrouteAll removes all routes of the context.
func (c *Context) UnrouteAll(ctx context.Context, behavior string) error {
	return c.removeRoutes(ctx, "browserContext.unrouteAll", nil, behavior)
}
