package browser

import (
	"context"
	"time"
)

// Context answers the browser context the page belongs to.
func (p *Page) Context() *Context { return p.context }

// On subscribes fn to event; off takes it away again. See the package comment for what a handler may do.
func (p *Page) On(event Event, fn func(payload any)) (off func()) { return p.emitter.on(event, fn) }

// ListenerCount answers how many handlers event has.
func (p *Page) ListenerCount(event Event) int { return p.emitter.count(event) }

// ExpectEvent arms a waiter for the next event of that name.
func (p *Page) ExpectEvent(event Event, o ExpectOptions) *Waiter {
	return p.expectEvent("page.waitForEvent", event, o, `waiting for event "`+string(event)+`"`)
}

// ExpectPopup arms a waiter for the next page this one opens.
func (p *Page) ExpectPopup(o ExpectOptions) *Waiter { return p.ExpectEvent(EventPopup, o) }

// ExpectRequest arms a waiter for a request to an URL; with Match empty, o.Predicate decides alone.
func (p *Page) ExpectRequest(match URLMatch, o ExpectOptions) *Waiter {
	return p.expectRequest("page.waitForRequest", match, o)
}

// ExpectResponse arms a waiter for a response from an URL; with Match empty, o.Predicate decides alone.
func (p *Page) ExpectResponse(match URLMatch, o ExpectOptions) *Waiter {
	return p.expectResponse("page.waitForResponse", match, o)
}

// ExpectNavigation is Playwright's waitForNavigation of the main frame; the waiter's payload is a *Response or nil.
func (p *Page) ExpectNavigation(match URLMatch, o WaitForURLOptions) *Waiter {
	return p.mainFrame.expectNavigation("page.waitForNavigation", match, o)
}

// ExpectURL is waitForURL: at once when the URL matches already (then only the load state is waited for).
func (p *Page) ExpectURL(match URLMatch, o WaitForURLOptions) *Waiter {
	return p.mainFrame.expectURL("page.waitForURL", match, o)
}

// ExpectLoadState is waitForLoadState of the main frame.
func (p *Page) ExpectLoadState(state LifecycleEvent, o TimeoutOptions) *Waiter {
	return p.mainFrame.expectLoadState("page.waitForLoadState", state, o)
}

// WaitForURL waits until the main frame is at an URL.
func (p *Page) WaitForURL(ctx context.Context, match URLMatch, o WaitForURLOptions) error {
	_, err := p.ExpectURL(match, o).Wait(ctx)
	return err
}

// WaitForLoadState waits until the main frame's document has reached a state.
func (p *Page) WaitForLoadState(ctx context.Context, state LifecycleEvent, o TimeoutOptions) error {
	_, err := p.ExpectLoadState(state, o).Wait(ctx)
	return err
}

// WaitForTimeout waits for a while, or until the page is gone.
func (p *Page) WaitForTimeout(ctx context.Context, d time.Duration) error {
	return p.mainFrame.waitForTimeout(ctx, "page.waitForTimeout", d)
}

// SetDefaultTimeout sets what a nil Timeout means on this page.
func (p *Page) SetDefaultTimeout(d time.Duration) { p.timeouts.setDefault(d) }

// SetDefaultNavigationTimeout sets what a nil Timeout means for navigations on this page.
func (p *Page) SetDefaultNavigationTimeout(d time.Duration) { p.timeouts.setNavigation(d) }

// MainFrame answers the page's main frame; it is the same object for the page's life.
func (p *Page) MainFrame() *Frame { return p.mainFrame }

// Frames answers the attached frames, main frame first, in the order they were attached.
func (p *Page) Frames() []*Frame { return p.frames() }

// FrameByName answers the frame of that name attribute, or nil.
func (p *Page) FrameByName(name string) *Frame {
	for _, f := range p.frames() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// Opener answers the page that opened this one, or nil when there is none or it is closed.
func (p *Page) Opener() *Page {
	o := p.opener
	if o == nil || o.IsClosed() {
		return nil
	}
	return o
}

// Workers answers the page's live web workers.
func (p *Page) Workers() []*Worker { return p.liveWorkers() }

// URL answers the main frame's URL.
func (p *Page) URL() string { return p.mainFrame.URL() }

// Title answers document.title.
func (p *Page) Title(ctx context.Context) (string, error) {
	return p.mainFrame.title(ctx, "page.title")
}

// Content answers the document's HTML with its doctype.
func (p *Page) Content(ctx context.Context) (string, error) {
	return p.mainFrame.content(ctx, "page.content")
}

// SetContent replaces the document.
func (p *Page) SetContent(ctx context.Context, html string, o NavigateOptions) error {
	return p.mainFrame.setContent(ctx, "page.setContent", html, o)
}

// Goto navigates the main frame. The response is that of the last redirect, nil for about:blank and same-document moves.
func (p *Page) Goto(ctx context.Context, url string, o GotoOptions) (*Response, error) {
	return p.mainFrame.goTo(ctx, "page.goto", url, o)
}

// Reload reloads the page.
func (p *Page) Reload(ctx context.Context, o NavigateOptions) (*Response, error) {
	return p.reload(ctx, "page.reload", o)
}

// GoBack goes back in history; a nil response and no error when there is nothing behind.
func (p *Page) GoBack(ctx context.Context, o NavigateOptions) (*Response, error) {
	return p.goHistory(ctx, "page.goBack", -1, o)
}

// GoForward goes forward in history.
func (p *Page) GoForward(ctx context.Context, o NavigateOptions) (*Response, error) {
	return p.goHistory(ctx, "page.goForward", +1, o)
}

// Evaluate runs a script in the main frame and answers its result.
func (p *Page) Evaluate(ctx context.Context, s Script, arg Value) (Value, error) {
	return p.mainFrame.evaluate(ctx, "page.evaluate", s, arg)
}

// EvaluateHandle runs a script in the main frame and answers a handle on its result.
func (p *Page) EvaluateHandle(ctx context.Context, s Script, arg Value) (Handle, error) {
	return p.mainFrame.evaluateHandle(ctx, "page.evaluateHandle", s, arg)
}

// WaitForFunction waits until a script answers something truthy and answers a handle on it.
func (p *Page) WaitForFunction(ctx context.Context, s Script, arg Value, o WaitForFunctionOptions) (Handle, error) {
	return p.mainFrame.waitForFunction(ctx, "page.waitForFunction", s, arg, o)
}

// AddInitScript adds a script that runs in every document of the page before its own; dispose takes it away.
func (p *Page) AddInitScript(ctx context.Context, source string) (dispose func(context.Context) error, err error) {
	return p.addInitScript(ctx, "page.addInitScript", source)
}

// ExposeBinding adds a function of that name to every document of the page. Each call runs fn on its own goroutine.
func (p *Page) ExposeBinding(ctx context.Context, name string, fn BindingFunc) (dispose func(context.Context) error, err error) {
	return p.exposeBinding(ctx, "page.exposeBinding", name, fn, false)
}

// ExposeFunction is ExposeBinding under Playwright's other name.
func (p *Page) ExposeFunction(ctx context.Context, name string, fn BindingFunc) (dispose func(context.Context) error, err error) {
	return p.exposeBinding(ctx, "page.exposeFunction", name, fn, false)
}

// AddScriptTag adds a <script> to the main frame.
func (p *Page) AddScriptTag(ctx context.Context, o TagOptions) (*ElementHandle, error) {
	return p.mainFrame.addScriptTag(ctx, "page.addScriptTag", o)
}

// AddStyleTag adds a <style> or <link> to the main frame.
func (p *Page) AddStyleTag(ctx context.Context, o TagOptions) (*ElementHandle, error) {
	return p.mainFrame.addStyleTag(ctx, "page.addStyleTag", o)
}

// BringToFront activates the page.
func (p *Page) BringToFront(ctx context.Context) error {
	return p.bringToFront(ctx, "page.bringToFront")
}

// Close closes the page and waits until it is gone, unless it is asked first (RunBeforeUnload).
func (p *Page) Close(ctx context.Context, o CloseOptions) error { return p.close(ctx, "page.close", o) }

// IsClosed reports whether the page is gone.
func (p *Page) IsClosed() bool { return p.isClosed() }

// ViewportSize answers the emulated viewport, nil when the window's own is used.
func (p *Page) ViewportSize() *Size { return p.viewportSize() }

// SetViewportSize emulates a viewport.
func (p *Page) SetViewportSize(ctx context.Context, s Size) error {
	return p.setViewportSize(ctx, "page.setViewportSize", s)
}

// EmulateMedia emulates media features.
func (p *Page) EmulateMedia(ctx context.Context, o EmulateMediaOptions) error {
	return p.emulateMedia(ctx, "page.emulateMedia", o)
}

// SetExtraHTTPHeaders adds headers to every request of the page, over the context's.
func (p *Page) SetExtraHTTPHeaders(ctx context.Context, h []Header) error {
	return p.setExtraHTTPHeaders(ctx, "page.setExtraHTTPHeaders", h)
}

// Route calls fn for each request that matches, the newest route first.
func (p *Page) Route(ctx context.Context, match URLMatch, fn RouteFunc, o RouteOptions) (*RouteHandler, error) {
	return p.addRoute(ctx, "page.route", match, fn, o)
}

// Unroute removes one route.
func (p *Page) Unroute(ctx context.Context, h *RouteHandler) error {
	return p.removeRoutes(ctx, "page.unroute", []*RouteHandler{h}, "")
}

// UnrouteAll removes all routes; behavior is "default", "wait" (for running handlers) or "ignoreErrors".
func (p *Page) UnrouteAll(ctx context.Context, behavior string) error {
	return p.removeRoutes(ctx, "page.unrouteAll", nil, behavior)
}

// Screenshot takes a picture of the viewport or the full page.
func (p *Page) Screenshot(ctx context.Context, o ScreenshotOptions) ([]byte, error) {
	return p.screenshot(ctx, "page.screenshot", o)
}

// PDF prints the page (headless only).
func (p *Page) PDF(ctx context.Context, o PDFOptions) ([]byte, error) {
	return p.pdf(ctx, "page.pdf", o)
}

// AriaSnapshot answers the accessibility tree of the page as Playwright's YAML.
func (p *Page) AriaSnapshot(ctx context.Context, o AriaSnapshotOptions) (string, error) {
	return p.mainFrame.ariaSnapshot(ctx, "page.ariaSnapshot", "", o)
}

// RequestGC collects garbage in the page.
func (p *Page) RequestGC(ctx context.Context) error { return p.requestGC(ctx, "page.requestGC") }

// ConsoleMessages answers the page's last console messages (at most 200); sinceNavigation leaves out those of documents before.
func (p *Page) ConsoleMessages(sinceNavigation bool) []*ConsoleMessage {
	return p.consoleMessages(sinceNavigation)
}

// ClearConsoleMessages forgets them.
func (p *Page) ClearConsoleMessages() { p.clearConsole() }

// PageErrors answers the page's last uncaught exceptions (at most 200).
func (p *Page) PageErrors(sinceNavigation bool) []*PageError { return p.pageErrors(sinceNavigation) }

// ClearPageErrors forgets them.
func (p *Page) ClearPageErrors() { p.clearErrors() }

// Requests answers the page's last requests (at most 100).
func (p *Page) Requests() []*Request { return p.recentRequests() }

// AddLocatorHandler runs fn whenever an action finds l visible, before the action.
func (p *Page) AddLocatorHandler(ctx context.Context, l *Locator, fn func(ctx context.Context, l *Locator) error, o LocatorHandlerOptions) error {
	return p.addLocatorHandler(ctx, "page.addLocatorHandler", l, fn, o)
}

// RemoveLocatorHandler removes the handlers of an equal locator.
func (p *Page) RemoveLocatorHandler(ctx context.Context, l *Locator) error {
	p.removeLocatorHandler(l)
	return nil
}

// DragAndDrop drags from one element to another.
func (p *Page) DragAndDrop(ctx context.Context, source, target string, o DragOptions) error {
	return p.mainFrame.dragAndDrop(ctx, "page.dragAndDrop", source, target, o)
}
