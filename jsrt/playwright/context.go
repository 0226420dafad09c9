package playwright

import (
	"context"
	"encoding/json"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

func contextClass() class {
	return class{name: "BrowserContext", members: contextMembers, refused: func() map[string]string {
		return map[string]string{
			"request": "page code reaches the network through its pages only", "tracing": "traces are not recorded",
			"newCDPSession": "the browser's protocol is not for page code",
			"routeFromHAR":  "page code has no files", "routeWebSocket": "WebSockets are not intercepted", "backgroundPages": "there are no extensions",
			"serviceWorkers": "service workers are not shown", "setHTTPCredentials": "sign-in belongs to the run",
			"credentials": "sign-in belongs to the run", "debugger": "there is no inspector", "setStorageState": "make a new context with storageState",
		}
	}}
}

func contextMembers() []member {
	type self = *browser.Context
	return append(eventMembers(),
		direct("browser", func(_ *mapping, c self, _ *args) any { return c.Browser() }),
		property("clock", func(_ *mapping, c self) any { return c.Clock() }),
		direct("pages", func(_ *mapping, c self, _ *args) any { return c.Pages() }),
		direct("isClosed", func(_ *mapping, c self, _ *args) any { return c.IsClosed() }),
		direct("setDefaultTimeout", func(_ *mapping, c self, a *args) any {
			c.SetDefaultTimeout(duration(a.number(0, "timeout")))
			return nil
		}),
		direct("setDefaultNavigationTimeout", func(_ *mapping, c self, a *args) any {
			c.SetDefaultNavigationTimeout(duration(a.number(0, "timeout")))
			return nil
		}),
		promise("newPage", func(m *mapping, c self, a *args) op {
			if m.owned[c] != nil {
				a.failPlain("Please use browser.newContext()")
			}
			return gives(c.NewPage)
		}),
		promise("close", func(_ *mapping, c self, a *args) op {
			o := browser.CloseOptions{Reason: a.options(0).str("reason")}
			return done(func(ctx context.Context) error { return c.Close(ctx, o) })
		}),
		promise("waitForEvent", func(_ *mapping, c self, a *args) op {
			event := a.str(0, "event")
			if event == "serviceworker" || event == "backgroundpage" {
				a.fail("the event %q does not come here: service workers and extensions are not shown; wait for what the page does instead", event)
			}
			return await(c.ExpectEvent(browser.Event(event), a.expectOptions(1)))
		}),
		promise("cookies", func(_ *mapping, c self, a *args) op {
			var urls []string
			if goja.IsString(a.value(0)) {
				urls = []string{a.value(0).String()}
			} else if a.given(0) {
				items, _ := a.m.list(a.value(0))
				for _, item := range items {
					urls = append(urls, a.text(item, "urls"))
				}
			}
			return func(ctx context.Context) (any, error) {
				list, err := c.Cookies(ctx, urls...)
				if list == nil {
					list = []browser.Cookie{}
				}
				return list, err
			}
		}),
		promise("addCookies", func(_ *mapping, c self, a *args) op {
			list := a.cookies(a.value(0), "cookies")
			return done(func(ctx context.Context) error { return c.AddCookies(ctx, list) })
		}),
		promise("clearCookies", func(m *mapping, c self, a *args) op {
			match := a.cookieMatch()
			return done(func(ctx context.Context) error { return c.ClearCookies(ctx, match(ctx)) })
		}),
		promise("storageState", func(m *mapping, c self, a *args) op {
			o := a.options(0)
			o.noPath()
			indexedDB := o.boolean("indexedDB")
			return func(ctx context.Context) (any, error) {
				s, err := c.StorageState(ctx, indexedDB)
				return storageObject(s), err
			}
		}),
		promise("grantPermissions", func(_ *mapping, c self, a *args) op {
			var list []string
			items, _ := a.m.list(a.value(0))
			for _, item := range items {
				list = append(list, a.text(item, "permissions"))
			}
			origin := a.options(1).str("origin")
			return done(func(ctx context.Context) error { return c.GrantPermissions(ctx, list, origin) })
		}),
		promise("clearPermissions", func(_ *mapping, c self, _ *args) op { return done(c.ClearPermissions) }),
		promise("setGeolocation", func(_ *mapping, c self, a *args) op {
			g := a.options(0).geolocation()
			return done(func(ctx context.Context) error { return c.SetGeolocation(ctx, g) })
		}),
		promise("setOffline", func(_ *mapping, c self, a *args) op {
			offline := a.boolean(0, "offline")
			return done(func(ctx context.Context) error { return c.SetOffline(ctx, offline) })
		}),
		promise("setExtraHTTPHeaders", func(_ *mapping, c self, a *args) op {
			h := a.headers(a.value(0), "headers")
			return done(func(ctx context.Context) error { return c.SetExtraHTTPHeaders(ctx, h) })
		}),
		promise("addInitScript", func(m *mapping, c self, a *args) op { return m.addInitScript(c, a) }),
		promise("exposeFunction", func(m *mapping, c self, a *args) op {
			name, f := a.str(0, "name"), m.binding(a.function(1, "callback"), false)
			return m.disposable(func(ctx context.Context) (func(context.Context) error, error) { return c.ExposeFunction(ctx, name, f) })
		}),
		promise("exposeBinding", func(m *mapping, c self, a *args) op {
			name, f := a.str(0, "name"), m.binding(a.function(1, "callback"), true)
			return m.disposable(func(ctx context.Context) (func(context.Context) error, error) { return c.ExposeBinding(ctx, name, f) })
		}),
		promise("route", func(m *mapping, c self, a *args) op { return m.addRoute(c, a) }),
		promise("unroute", func(m *mapping, c self, a *args) op { return m.removeRoute(c, a) }),
		promise("unrouteAll", func(m *mapping, c self, a *args) op { return m.removeRoutes(c, a) }),
	)
}

func (o options) geolocation() *browser.Geolocation {
	if o.object == nil {
		return nil
	}
	g := &browser.Geolocation{Latitude: o.required("geolocation", "latitude"), Longitude: o.required("geolocation", "longitude")}
	if n := o.number("accuracy"); n != nil {
		g.Accuracy = *n
	}
	return g
}

func cookieObject(c browser.Cookie) object {
	out := object{{"name", c.Name}, {"value", c.Value}, {"domain", c.Domain}, {"path", c.Path}, {"expires", c.Expires}, {"httpOnly", c.HTTPOnly},
		{"secure", c.Secure}, {"sameSite", c.SameSite}}
	if c.PartitionKey != "" {
		out = append(out, field{"partitionKey", c.PartitionKey})
	}
	return out
}

func (a *args) cookies(v goja.Value, name string) []browser.Cookie {
	items, ok := a.m.list(v)
	if !ok {
		a.fail("%s: expected array, got %s", name, typeName(v))
	}
	out := []browser.Cookie{}
	for _, item := range items {
		object, ok := item.(*goja.Object)
		if !ok {
			a.fail("%s: expected object, got %s", name, typeName(item))
		}
		o := options{args: a, object: object}
		c := browser.Cookie{Name: o.str("name"), Value: o.str("value"), Domain: o.str("domain"), Path: o.str("path"), URL: o.str("url"), Expires: -1,
			HTTPOnly: o.boolean("httpOnly"), Secure: o.boolean("secure"), SameSite: o.str("sameSite", "Strict", "Lax", "None"), PartitionKey: o.str("partitionKey")}
		if n := o.number("expires"); n != nil {
			c.Expires = *n
		}
		out = append(out, c)
	}
	return out
}

// cookieMatch reads clearCookies' filter; the function it gives asks script only for regular expressions.
func (a *args) cookieMatch() func(ctx context.Context) func(browser.Cookie) bool {
	o := a.options(0)
	if o.object == nil || !o.has("name") && !o.has("domain") && !o.has("path") {
		return func(context.Context) func(browser.Cookie) bool { return nil }
	}
	read := func(name string) func(ctx context.Context, s string) bool {
		v := o.get(name)
		switch {
		case absent(v):
			return func(context.Context, string) bool { return true }
		case goja.IsString(v):
			want := v.String()
			return func(_ context.Context, s string) bool { return s == want }
		}
		re, ok := v.(*goja.Object)
		if !ok || tag(re) != "RegExp" {
			a.fail("%s: expected string or RegExp, got %s", name, typeName(v))
		}
		judge := a.m.urlPredicate(func(s string) (goja.Value, error) { return a.m.test(re, s) })
		return func(ctx context.Context, s string) bool {
			took, err := judge(ctx, s)
			return err == nil && took
		}
	}
	name, domain, path := read("name"), read("domain"), read("path")
	return func(ctx context.Context) func(browser.Cookie) bool {
		return func(c browser.Cookie) bool { return name(ctx, c.Name) && domain(ctx, c.Domain) && path(ctx, c.Path) }
	}
}

func storageObject(s browser.StorageState) object {
	cookies, origins := []object{}, []object{}
	for _, c := range s.Cookies {
		cookies = append(cookies, cookieObject(c))
	}
	for _, o := range s.Origins {
		items := []object{}
		for _, i := range o.LocalStorage {
			items = append(items, object{{"name", i.Name}, {"value", i.Value}})
		}
		one := object{{"origin", o.Origin}, {"localStorage", items}}
		if len(o.IndexedDB) > 0 {
			one = append(one, field{"indexedDB", rawJSON(o.IndexedDB)})
		}
		origins = append(origins, one)
	}
	return object{{"cookies", cookies}, {"origins", origins}}
}

// rawJSON is text that becomes the value it stands for.
type rawJSON json.RawMessage

func browserClass() class {
	return class{name: "Browser", members: func() []member {
		type self = *browser.Browser
		return append(eventMembers(),
			direct("contexts", func(_ *mapping, b self, _ *args) any { return b.Contexts() }),
			direct("version", func(_ *mapping, b self, _ *args) any { return b.Version() }),
			direct("isConnected", func(_ *mapping, b self, _ *args) any { return b.IsConnected() }),
			promise("newContext", func(_ *mapping, b self, a *args) op {
				o := a.options(0).context()
				return gives(func(ctx context.Context) (*browser.Context, error) { return b.NewContext(ctx, o) })
			}),
			promise("newPage", func(m *mapping, b self, a *args) op {
				o := a.options(0).context()
				return func(ctx context.Context) (any, error) {
					c, err := b.NewContext(ctx, o)
					if err != nil {
						return nil, err
					}
					p, err := c.NewPage(ctx)
					return later(func() goja.Value {
						m.owned[c] = p
						return m.out(p)
					}), err
				}
			}),
		)
	}, refused: func() map[string]string {
		return map[string]string{
			"close":       "the browser belongs to the supervisor, which ends it with the run",
			"browserType": "the browser belongs to the supervisor", "newBrowserCDPSession": "the browser's protocol is not for page code",
			"startTracing": "traces are not recorded", "stopTracing": "traces are not recorded", "bind": "the browser belongs to the supervisor",
			"unbind": "the browser belongs to the supervisor",
		}
	}}
}

// context reads newContext's options. One that the engine cannot give is refused by name rather than ignored.
func (o options) context() browser.ContextOptions {
	var out browser.ContextOptions
	if o.object == nil {
		return out
	}
	for _, name := range []string{"proxy", "recordHar", "recordVideo", "httpCredentials", "clientCertificates", "tracesDir"} {
		if o.has(name) {
			o.args.fail("the option %s is not supported here: it belongs to the run", name)
		}
	}
	if o.str("serviceWorkers", "allow", "block") == "block" {
		o.args.fail("the option serviceWorkers: 'block' is not supported here: service workers are left as the site has them")
	}
	if accept := o.optionalBool("acceptDownloads"); accept != nil && !*accept {
		o.args.fail("the option acceptDownloads: false is not supported here: the run decides about downloads")
	}
	if o.boolean("ignoreHTTPSErrors") {
		o.args.fail("the option ignoreHTTPSErrors is not supported here: certificates are checked in every run")
	}
	if o.has("screen") {
		o.args.fail("the option screen is not supported here; give viewport")
	}
	switch v := o.get("viewport"); {
	case absent(v):
	case goja.IsNull(v):
		out.NoViewport = true
	default:
		in := o.inner("viewport")
		out.Viewport = &browser.Size{Width: in.required("viewport", "width"), Height: in.required("viewport", "height")}
	}
	if n := o.number("deviceScaleFactor"); n != nil {
		out.DeviceScaleFactor = *n
	}
	if out.NoViewport && out.DeviceScaleFactor != 0 {
		o.args.fail("\"deviceScaleFactor\" option is not supported with null \"viewport\"")
	}
	if out.NoViewport && o.boolean("isMobile") {
		o.args.fail("\"isMobile\" option is not supported with null \"viewport\"")
	}
	out.IsMobile, out.HasTouch, out.Offline = o.boolean("isMobile"), o.boolean("hasTouch"), o.boolean("offline")
	out.UserAgent, out.Locale, out.TimezoneID, out.BaseURL = o.str("userAgent"), o.str("locale"), o.str("timezoneId"), o.str("baseURL")
	media := o.media()
	for _, one := range []struct {
		from *string
		to   *string
	}{{media.ColorScheme, &out.ColorScheme}, {media.ReducedMotion, &out.ReducedMotion}, {media.ForcedColors, &out.ForcedColors}, {media.Contrast, &out.Contrast}} {
		if one.from != nil {
			*one.to = *one.from
		}
	}
	out.Geolocation = o.inner("geolocation").geolocation()
	out.Permissions = o.strings("permissions")
	out.ExtraHTTPHeaders = o.args.headers(o.get("extraHTTPHeaders"), "extraHTTPHeaders")
	out.JavaScriptEnabled = o.optionalBool("javaScriptEnabled")
	out.BypassCSP, out.StrictSelectors = o.boolean("bypassCSP"), o.boolean("strictSelectors")
	if goja.IsString(o.get("storageState")) {
		o.args.fail("the path %q is refused: page code has no files; give the state itself", o.get("storageState").String())
	}
	if in := o.inner("storageState"); in.object != nil {
		out.StorageState = in.storageState()
	}
	return out
}

func (o options) storageState() *browser.StorageState {
	s := &browser.StorageState{}
	if v := o.get("cookies"); !absent(v) {
		s.Cookies = o.args.cookies(v, "storageState.cookies")
	}
	origins, _ := o.args.m.list(o.get("origins"))
	for _, item := range origins {
		object, ok := item.(*goja.Object)
		if !ok {
			continue
		}
		in := options{args: o.args, object: object}
		one := browser.OriginState{Origin: in.str("origin")}
		items, _ := o.args.m.list(in.get("localStorage"))
		for _, i := range items {
			if entry, ok := i.(*goja.Object); ok {
				e := options{args: o.args, object: entry}
				one.LocalStorage = append(one.LocalStorage, browser.StorageItem{Name: e.str("name"), Value: e.str("value")})
			}
		}
		if v := in.get("indexedDB"); !absent(v) {
			text, err := o.args.m.builtins.json(goja.Undefined(), v)
			if err != nil {
				panic(err)
			}
			one.IndexedDB = json.RawMessage(text.String())
		}
		s.Origins = append(s.Origins, one)
	}
	return s
}
