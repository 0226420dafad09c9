package playwright

import (
	"context"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

func pageClass() class {
	return class{name: "Page", members: pageMembers, refused: func() map[string]string {
		return map[string]string{
			"request":           "page code reaches the network through its pages only",
			"coverage":          "code coverage is not collected",
			"video":             "videos are not recorded",
			"screencast":        "videos are not recorded",
			"pause":             "there is no inspector",
			"routeFromHAR":      "page code has no files",
			"routeWebSocket":    "WebSockets are not intercepted",
			"pickLocator":       "there is no inspector",
			"cancelPickLocator": "there is no inspector",
			"hideHighlight":     "highlights are for inspectors",
			"pierceFrames":      "use frameLocator for each frame",
			"get":               "use the getBy methods",
			"snapshotForAI":     "use ariaSnapshot",
			"agent":             "page code is the agent's own",
		}
	}}
}

func pageMembers() []member {
	type self = *browser.Page
	navigate := func(name string, f func(p self, ctx context.Context, o browser.NavigateOptions) (*browser.Response, error)) member {
		return promise(name, func(_ *mapping, p self, a *args) op {
			o := a.options(0).navigate()
			return gives(func(ctx context.Context) (*browser.Response, error) { return f(p, ctx, o) })
		})
	}
	out := append(selectingMembers(), eventMembers()...)
	return append(out,
		property("clock", func(_ *mapping, p self) any { return p.Clock() }),
		property("keyboard", func(_ *mapping, p self) any { return p.Keyboard }),
		property("mouse", func(_ *mapping, p self) any { return p.Mouse }),
		property("touchscreen", func(_ *mapping, p self) any { return p.Touchscreen }),
		property("localStorage", func(_ *mapping, p self) any { return &webStorage{page: p, name: "localStorage"} }),
		property("sessionStorage", func(_ *mapping, p self) any { return &webStorage{page: p, name: "sessionStorage"} }),
		direct("context", func(_ *mapping, p self, _ *args) any { return p.Context() }),
		direct("locator", func(_ *mapping, p self, a *args) any {
			l, err := p.Locator(a.str(0, "selector"), a.options(1).locator())
			return made(a, l, err)
		}),
		direct("mainFrame", func(_ *mapping, p self, _ *args) any { return p.MainFrame() }),
		direct("frames", func(_ *mapping, p self, _ *args) any { return p.Frames() }),
		direct("frame", func(m *mapping, p self, a *args) any { return a.frame(p) }),
		direct("workers", func(_ *mapping, p self, _ *args) any { return p.Workers() }),
		direct("isClosed", func(_ *mapping, p self, _ *args) any { return p.IsClosed() }),
		direct("viewportSize", func(_ *mapping, p self, _ *args) any { return p.ViewportSize() }),
		direct("setDefaultTimeout", func(_ *mapping, p self, a *args) any {
			p.SetDefaultTimeout(duration(a.number(0, "timeout")))
			return nil
		}),
		direct("setDefaultNavigationTimeout", func(_ *mapping, p self, a *args) any {
			p.SetDefaultNavigationTimeout(duration(a.number(0, "timeout")))
			return nil
		}),
		promise("opener", func(_ *mapping, p self, _ *args) op {
			return gives(func(context.Context) (*browser.Page, error) { return p.Opener(), nil })
		}),
		navigate("reload", self.Reload), navigate("goBack", self.GoBack), navigate("goForward", self.GoForward),
		promise("waitForEvent", func(_ *mapping, p self, a *args) op {
			return await(p.ExpectEvent(browser.Event(a.str(0, "event")), a.expectOptions(1)))
		}),
		promise("waitForRequest", func(m *mapping, p self, a *args) op {
			match, o := a.matchOrPredicate()
			return await(p.ExpectRequest(match, o))
		}),
		promise("waitForResponse", func(m *mapping, p self, a *args) op {
			match, o := a.matchOrPredicate()
			return await(p.ExpectResponse(match, o))
		}),
		promise("bringToFront", func(_ *mapping, p self, _ *args) op { return done(p.BringToFront) }),
		promise("close", func(m *mapping, p self, a *args) op {
			o := a.options(0)
			c := browser.CloseOptions{RunBeforeUnload: o.boolean("runBeforeUnload"), Reason: o.str("reason")}
			if m.owned[p.Context()] == p {
				return done(func(ctx context.Context) error { return p.Context().Close(ctx, browser.CloseOptions{Reason: c.Reason}) })
			}
			return done(func(ctx context.Context) error { return p.Close(ctx, c) })
		}),
		promise("setViewportSize", func(_ *mapping, p self, a *args) op {
			o := a.options(0)
			size := browser.Size{Width: o.required("viewportSize", "width"), Height: o.required("viewportSize", "height")}
			return done(func(ctx context.Context) error { return p.SetViewportSize(ctx, size) })
		}),
		promise("emulateMedia", func(_ *mapping, p self, a *args) op {
			o := a.options(0).media()
			return done(func(ctx context.Context) error { return p.EmulateMedia(ctx, o) })
		}),
		promise("setExtraHTTPHeaders", func(_ *mapping, p self, a *args) op {
			h := a.headers(a.value(0), "headers")
			return done(func(ctx context.Context) error { return p.SetExtraHTTPHeaders(ctx, h) })
		}),
		promise("addInitScript", func(m *mapping, p self, a *args) op { return m.addInitScript(p, a) }),
		promise("exposeFunction", func(m *mapping, p self, a *args) op {
			name, f := a.str(0, "name"), m.binding(a.function(1, "callback"), false)
			return m.disposable(func(ctx context.Context) (func(context.Context) error, error) { return p.ExposeFunction(ctx, name, f) })
		}),
		promise("exposeBinding", func(m *mapping, p self, a *args) op {
			name, f := a.str(0, "name"), m.binding(a.function(1, "callback"), true)
			return m.disposable(func(ctx context.Context) (func(context.Context) error, error) { return p.ExposeBinding(ctx, name, f) })
		}),
		promise("screenshot", func(_ *mapping, p self, a *args) op {
			o := a.options(0).screenshot()
			return gives(func(ctx context.Context) ([]byte, error) { return p.Screenshot(ctx, o) })
		}),
		promise("pdf", func(_ *mapping, p self, a *args) op {
			o := a.options(0).pdf()
			return gives(func(ctx context.Context) ([]byte, error) { return p.PDF(ctx, o) })
		}),
		promise("ariaSnapshot", func(_ *mapping, p self, a *args) op {
			o := a.options(0).ariaSnapshot()
			return gives(func(ctx context.Context) (string, error) { return p.AriaSnapshot(ctx, o) })
		}),
		promise("ariaSnapshotJSON", func(m *mapping, p self, a *args) op {
			return m.ariaSnapshotJSON(p.AriaSnapshot, a.options(0).ariaSnapshot())
		}),
		promise("requestGC", func(_ *mapping, p self, _ *args) op { return done(p.RequestGC) }),
		promise("consoleMessages", func(_ *mapping, p self, a *args) op {
			since := a.options(0).str("filter", "all", "since-navigation") == "since-navigation"
			return gives(func(context.Context) ([]*browser.ConsoleMessage, error) { return p.ConsoleMessages(since), nil })
		}),
		promise("clearConsoleMessages", func(_ *mapping, p self, _ *args) op {
			return done(func(context.Context) error { p.ClearConsoleMessages(); return nil })
		}),
		promise("pageErrors", func(_ *mapping, p self, a *args) op {
			since := a.options(0).str("filter", "all", "since-navigation") == "since-navigation"
			return gives(func(context.Context) ([]*browser.PageError, error) { return p.PageErrors(since), nil })
		}),
		promise("clearPageErrors", func(_ *mapping, p self, _ *args) op {
			return done(func(context.Context) error { p.ClearPageErrors(); return nil })
		}),
		promise("requests", func(_ *mapping, p self, _ *args) op {
			return gives(func(context.Context) ([]*browser.Request, error) { return p.Requests(), nil })
		}),
		promise("route", func(m *mapping, p self, a *args) op { return m.addRoute(p, a) }),
		promise("unroute", func(m *mapping, p self, a *args) op { return m.removeRoute(p, a) }),
		promise("unrouteAll", func(m *mapping, p self, a *args) op { return m.removeRoutes(p, a) }),
		promise("addLocatorHandler", func(m *mapping, p self, a *args) op {
			l, f, in := a.locator(a.value(0), "locator"), a.function(1, "handler"), a.options(2)
			if times := in.integer("times"); times != nil && *times == 0 {
				return done(func(context.Context) error { return nil })
			}
			o := browser.LocatorHandlerOptions{Times: in.whole("times"), NoWaitAfter: in.boolean("noWaitAfter")}
			given := a.value(0)
			handler := func(ctx context.Context, _ *browser.Locator) error {
				return m.script(ctx, func(*goja.Runtime) (goja.Value, error) { return f(goja.Undefined(), given) }, nil)
			}
			return done(func(ctx context.Context) error { return p.AddLocatorHandler(ctx, l, handler, o) })
		}),
		promise("removeLocatorHandler", func(_ *mapping, p self, a *args) op {
			l := a.locator(a.value(0), "locator")
			return done(func(ctx context.Context) error { return p.RemoveLocatorHandler(ctx, l) })
		}),
	)
}

// frame finds a frame by name or URL.
func (a *args) frame(p *browser.Page) any {
	v := a.value(0)
	name, url := "", goja.Value(goja.Undefined())
	if goja.IsString(v) {
		name = v.String()
	} else {
		o := a.options(0)
		name, url = o.str("name"), o.get("url")
	}
	if name == "" && absent(url) {
		a.failPlain("Either name or url matcher should be specified")
	}
	if name != "" {
		return p.FrameByName(name)
	}
	for _, f := range p.Frames() {
		if a.matchesNow(url, f.URL()) {
			return f
		}
	}
	return (*browser.Frame)(nil)
}

// matchOrPredicate reads waitForRequest's and waitForResponse's arguments.
func (a *args) matchOrPredicate() (browser.URLMatch, browser.ExpectOptions) {
	o := browser.ExpectOptions{Timeout: a.options(1).timeout()}
	if f, ok := goja.AssertFunction(a.value(0)); ok {
		o.Predicate = a.m.predicate(f)
		return browser.URLMatch{}, o
	}
	if !a.given(0) {
		a.failPlain("urlOrPredicate is not a function")
	}
	return a.urlMatch(a.value(0)), o
}

func (o options) media() browser.EmulateMediaOptions {
	read := func(name string, allowed ...string) *string {
		v := o.get(name)
		if absent(v) {
			return nil
		}
		s := "no-override"
		if !goja.IsNull(v) {
			s = o.str(name, allowed...)
		}
		return &s
	}
	return browser.EmulateMediaOptions{
		Media: read("media", "screen", "print", "no-override"), ColorScheme: read("colorScheme", "dark", "light", "no-preference", "no-override"),
		ReducedMotion: read("reducedMotion", "reduce", "no-preference", "no-override"), ForcedColors: read("forcedColors", "active", "none", "no-override"),
		Contrast: read("contrast", "no-preference", "more", "no-override"),
	}
}

func (o options) pdf() browser.PDFOptions {
	o.noPath()
	length := func(in options, name string) string {
		v := in.get(name)
		if goja.IsNumber(v) {
			return v.String() + "px"
		}
		return in.str(name)
	}
	margin := o.inner("margin")
	out := browser.PDFOptions{
		DisplayHeaderFooter: o.boolean("displayHeaderFooter"), HeaderTemplate: o.str("headerTemplate"), FooterTemplate: o.str("footerTemplate"),
		PrintBackground: o.boolean("printBackground"), Landscape: o.boolean("landscape"), PageRanges: o.str("pageRanges"), Format: o.str("format"),
		Width: length(o, "width"), Height: length(o, "height"), PreferCSSPageSize: o.boolean("preferCSSPageSize"),
		MarginTop: length(margin, "top"), MarginBottom: length(margin, "bottom"), MarginLeft: length(margin, "left"), MarginRight: length(margin, "right"),
		Tagged: o.boolean("tagged"), Outline: o.boolean("outline"),
	}
	if s := o.number("scale"); s != nil {
		out.Scale = *s
	}
	return out
}
