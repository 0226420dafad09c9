package playwright

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// mappings are the engine's types and the classes that show them.
var mappings = []struct {
	engine any
	class  func() class
}{
	{(*browser.Browser)(nil), browserClass}, {(*browser.Context)(nil), contextClass}, {(*browser.Page)(nil), pageClass}, {(*browser.Frame)(nil), frameClass},
	{(*browser.Locator)(nil), locatorClass}, {(*browser.FrameLocator)(nil), frameLocatorClass}, {(*browser.ElementHandle)(nil), elementHandleClass},
	{(*browser.JSHandle)(nil), jsHandleClass}, {(*browser.Keyboard)(nil), keyboardClass}, {(*browser.Mouse)(nil), mouseClass},
	{(*browser.Touchscreen)(nil), touchscreenClass}, {(*browser.Dialog)(nil), dialogClass}, {(*browser.Download)(nil), downloadClass},
	{(*browser.FileChooser)(nil), fileChooserClass}, {(*browser.Request)(nil), requestClass}, {(*browser.Response)(nil), responseClass},
	{(*browser.Route)(nil), routeClass}, {(*browser.ConsoleMessage)(nil), consoleMessageClass}, {(*browser.WebError)(nil), webErrorClass},
	{(*browser.Worker)(nil), workerClass}, {(*browser.WebSocket)(nil), webSocketClass}, {(*browser.Clock)(nil), clockClass},
}

// renamed are engine methods whose JavaScript name is not their own with a small first letter.
var renamed = map[string]string{
	"QuerySelector": "$", "QuerySelectorAll": "$$", "EvalOnSelector": "$eval", "EvalOnSelectorAll": "$$eval", "URL": "url", "PDF": "pdf", "OK": "ok",
	"JSONValue": "jsonValue", "HTTPVersion": "httpVersion", "GUID": "guid", "String": "toString", "ExpectEvent": "waitForEvent", "ExpectURL": "waitForURL",
	"ExpectNavigation": "waitForNavigation", "ExpectLoadState": "waitForLoadState", "ExpectRequest": "waitForRequest", "ExpectResponse": "waitForResponse",
	"WaitForURL": "waitForURL", "LocatorInside": "locator", "FrameByName": "frame",
}

// exceptions are engine methods that page code does not get, each with its reason.
var exceptions = map[string]string{
	"Browser.Close":       "the supervisor ends the browser",
	"Browser.WaitForPage": "the worker waits for the first page before page code exists",
	"Context.ID":          "Chromium's id is the host's",
	"Page.ExpectPopup":    "waitForEvent('popup') in JavaScript",
	"Context.ExpectPage":  "waitForEvent('page') in JavaScript",
	"Locator.Selector":    "Playwright does not show it",
	"ElementHandle.Node":  "the browser's own ids are the host's",
	"Dialog.URL":          "Playwright does not show it; the host reports it",
	"WebError.Value":      "error() in JavaScript",
	"Worker.Page":         "Playwright does not show it",
}

func TestEveryEngineMethodIsMappedOnce(t *testing.T) {
	used := map[string]bool{}
	for _, m := range mappings {
		var names []string
		for c := m.class(); ; c = c.base() {
			var own []string
			for _, one := range c.members() {
				if slices.Contains(own, one.name) {
					t.Errorf("%s.%s stands twice in its class", c.name, one.name)
				}
				own = append(own, one.name)
				if c.refused != nil && c.refused()[one.name] != "" {
					t.Errorf("%s.%s is both mapped and refused", c.name, one.name)
				}
			}
			names = append(names, own...)
			if c.base == nil {
				break
			}
		}
		typ := reflect.TypeOf(m.engine)
		for i := range typ.NumMethod() {
			method := typ.Method(i).Name
			full := typ.Elem().Name() + "." + method
			if exceptions[full] != "" {
				used[full] = true
				continue
			}
			name := renamed[method]
			if name == "" {
				runes := []rune(method)
				runes[0] = unicode.ToLower(runes[0])
				name = string(runes)
			}
			if !slices.Contains(names, name) {
				t.Errorf("%s is not mapped: no member %q, and no exception", full, name)
			}
		}
	}
	for name := range exceptions {
		if !used[name] {
			t.Errorf("the exception %s names no engine method", name)
		}
	}
}

func TestMembersThatAreRefusedSayWhy(t *testing.T) {
	s := open(t)
	s.wantError(`await context.newCDPSession(page)`, "browserContext.newCDPSession is not supported here: the browser's protocol is not for page code")
	s.wantError(`await browser.close()`, "browser.close is not supported here: the browser belongs to the supervisor, which ends it with the run")
	for _, m := range mappings {
		for c := m.class(); ; c = c.base() {
			if c.refused != nil {
				for name, reason := range c.refused() {
					if reason == "" || strings.HasSuffix(reason, ".") {
						t.Errorf("%s.%s is refused for %q", c.name, name, reason)
					}
				}
			}
			if c.base == nil {
				break
			}
		}
	}
}
