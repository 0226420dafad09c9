package browser

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestWaitersAreArmedBeforeTheyAreWaitedFor(t *testing.T) {
	b := open(t)
	b.visit("/form.html")
	console := b.page.ExpectEvent(EventConsole, ExpectOptions{Predicate: func(_ context.Context, v any) (bool, error) {
		return v.(*ConsoleMessage).Text() == "second", nil
	}})
	moved := b.page.ExpectURL(URLMatch{Glob: "**#there"}, WaitForURLOptions{})
	navigated := b.page.ExpectNavigation(URLMatch{}, WaitForURLOptions{})
	b.eval("console.log('first'), console.log('second'), location.hash = '#there'")
	v, err := console.Wait(b.ctx)
	b.ok(err)
	b.is(v.(*ConsoleMessage).Text(), "second")
	_, err = moved.Wait(b.ctx)
	b.ok(err)
	v, err = navigated.Wait(b.ctx)
	b.ok(err)
	b.is(v == nil, true)
	err = b.page.WaitForURL(b.ctx, URLMatch{Glob: "**/nowhere"}, WaitForURLOptions{Timeout: ms(200)})
	want := "page.waitForURL: Timeout 200ms exceeded.\n=========================== logs ===========================\nwaiting for navigation to \"**/nowhere\" until \"load\"\n============================================================"
	b.is(err, want)
	_, err = b.page.ExpectEvent("never", ExpectOptions{Timeout: ms(100)}).Wait(b.ctx)
	if !IsTimeout(err) || !strings.HasPrefix(err.Error(), `page.waitForEvent: Timeout 100ms exceeded while waiting for event "never"`) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	if _, err := b.page.ExpectEvent("never", ExpectOptions{}).Wait(ctx); err == nil || IsTimeout(err) {
		t.Error(err)
	}
}

func TestLocatorHandlersRunBeforeActions(t *testing.T) {
	b := open(t)
	b.set(`<button onclick="done.textContent='yes'">Go</button><p id=done>no</p>
		<div id=overlay style="position:fixed;inset:0;background:#fff"><button onclick="overlay.remove()">Close</button></div>`)
	calls := 0
	b.ok(b.page.AddLocatorHandler(b.ctx, b.locator("#overlay"), func(ctx context.Context, l *Locator) error {
		calls++
		return b.page.Click(ctx, "text=Close", ClickOptions{})
	}, LocatorHandlerOptions{}))
	b.ok(b.page.Click(b.ctx, "text=Go", ClickOptions{}))
	b.is(b.text("#done"), "yes")
	b.is(calls, 1)
}

func TestContextsKeepCookiesPermissionsAndOptionsApart(t *testing.T) {
	b := open(t)
	c, err := b.browser.NewContext(b.ctx, ContextOptions{
		UserAgent: "Me/1", Locale: "de-DE", TimezoneID: "Asia/Tokyo", ColorScheme: "dark", HasTouch: true, Viewport: &Size{500, 400},
		Geolocation: &Geolocation{1, 2, 3}, Permissions: []string{"geolocation"}, ExtraHTTPHeaders: []Header{{"X-Mine", "yes"}},
		StorageState: &StorageState{Cookies: []Cookie{{Name: "kept", Value: "1", Domain: "127.0.0.1", Path: "/", Expires: -1, SameSite: "Lax"}}, Origins: []OriginState{{Origin: b.near, LocalStorage: []StorageItem{{"k", "v"}}}}},
	})
	b.ok(err)
	var header string
	b.mux.HandleFunc("/seen", func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Get("X-Mine") + " " + r.Header.Get("Cookie")
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<button ontouchstart=\"this.textContent='tapped'\">tap</button>"))
	})
	p, err := c.NewPage(b.ctx)
	b.ok(err)
	_, err = p.Goto(b.ctx, b.near+"/seen", GotoOptions{})
	b.ok(err)
	b.is(header, "yes kept=1")
	v, err := p.Evaluate(b.ctx, Expression(`[navigator.userAgent, navigator.language, new Date(0).getHours(), matchMedia('(prefers-color-scheme: dark)').matches, innerWidth, localStorage.k].join()`), Undefined{})
	b.ok(err)
	b.is(v, "Me/1,de-DE,9,true,500,v")
	v, err = p.Evaluate(b.ctx, Expression(`new Promise((done, fail) => navigator.geolocation.getCurrentPosition(g => done(g.coords.latitude + '/' + g.coords.longitude), e => done(e.message)))`), Undefined{})
	b.ok(err)
	b.is(v, "1/2")
	b.ok(p.Tap(b.ctx, "button", PointerOptions{}))
	text, err := p.TextContent(b.ctx, "button", TimeoutOptions{})
	b.ok(err)
	b.is(*text, "tapped")
	state, err := c.StorageState(b.ctx, false)
	b.ok(err)
	b.is(len(state.Cookies), 1)
	b.is(state.Origins[0].LocalStorage[0], "{k v}")
	b.ok(c.ClearCookies(b.ctx, func(k Cookie) bool { return k.Name == "kept" }))
	cookies, err := c.Cookies(b.ctx)
	b.ok(err)
	b.is(len(cookies), 0)
	b.ok(c.SetOffline(b.ctx, true))
	_, err = p.Goto(b.ctx, b.near+"/seen", GotoOptions{})
	b.is(strings.HasPrefix(err.Error(), "page.goto: net::ERR_INTERNET_DISCONNECTED at "), true)
	err = c.GrantPermissions(b.ctx, []string{"clipboard-read"}, "")
	b.is(err != nil && strings.Contains(err.Error(), "clipboard"), true)
	b.is(b.page.Context().Pages()[0] == b.page, true)
	b.ok(c.Close(b.ctx, CloseOptions{}))
	b.is(p.IsClosed(), true)
	b.is(len(b.browser.Contexts()), 1)
}

func TestSnapshotsForModelsHoldTheirFrames(t *testing.T) {
	b := open(t)
	b.visit("/frame-outer.html")
	b.ok(b.page.FrameLocator("#child").Owner().WaitFor(b.ctx, WaitForOptions{}))
	text, err := b.page.AriaSnapshot(b.ctx, AriaSnapshotOptions{Mode: "ai"})
	b.ok(err)
	if !strings.Contains(text, "iframe [ref=e3]:\n") || !strings.Contains(text, `button "Count" [ref=f1e3]`) {
		t.Errorf("%s", text)
	}
	b.ok(b.locator("aria-ref=f1e3").Click(b.ctx, ClickOptions{}))
	v, err := b.page.Frames()[1].TextContent(b.ctx, "#count", TimeoutOptions{})
	b.ok(err)
	b.is(*v, "1")
	_, err = b.locator("aria-ref=f9e1").InnerText(b.ctx, TimeoutOptions{Timeout: ms(300)})
	b.is(strings.Contains(err.Error(), `Invalid frame in aria-ref selector "aria-ref=f9e1"`), true)
}

func TestCloseEndsEverything(t *testing.T) {
	b := open(t)
	ends := make(chan error, 3)
	go func() { ends <- b.page.Click(b.ctx, "#never", ClickOptions{}) }()
	go func() {
		_, err := b.page.ExpectEvent("never", ExpectOptions{}).Wait(b.ctx)
		ends <- err
	}()
	go func() { ends <- b.page.WaitForTimeout(b.ctx, time.Minute) }()
	time.Sleep(100 * time.Millisecond)
	b.ok(b.browser.Close())
	for range 3 {
		if err := <-ends; !IsClosed(err) {
			t.Error(err)
		}
	}
	b.is(b.browser.IsConnected(), false)
	b.is(b.page.IsClosed(), true)
	if err := b.page.Click(b.ctx, "a", ClickOptions{}); !IsClosed(err) {
		t.Error(err)
	}
}
