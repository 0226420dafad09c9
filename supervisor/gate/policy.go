package gate

import (
	"fmt"
	"strings"
	"sync"
)

// rule lets one method through.
type rule struct {
	method string
	// seen is the method's acting class; 0 when it changes nothing outside of the tab's settings.
	seen Seen
	// check looks into the parameters of methods whose parameters reach out; nil for the others.
	check func(*request) error
	// reason says what the engine needs it for and, where that is not plain, why it stays inside the tab.
	reason string
}

// rules are all methods a worker may send, on sessions of its own run only. What is not here is refused.
var rules = []rule{
	{"Accessibility.queryAXTree", 0, nil, "role and name of elements where the browser has no computedRole; reads the page"},

	{"DOM.describeNode", 0, nil, "the backend node and frame of an element handle"},
	{"DOM.getBoxModel", 0, nil, "an element's box"},
	{"DOM.getContentQuads", 0, nil, "where to click"},
	{"DOM.getFrameOwner", 0, nil, "the frame element of a frame"},
	{"DOM.resolveNode", 0, nil, "an element handle in another world of the same page"},
	{"DOM.scrollIntoViewIfNeeded", 0, nil, "scrolling before an action"},

	{"Emulation.setDefaultBackgroundColorOverride", 0, nil, "screenshots without background"},
	{"Emulation.setDeviceMetricsOverride", 0, nil, "viewport size"},
	{"Emulation.setEmulatedMedia", 0, nil, "media type, colour scheme, reduced motion"},
	{"Emulation.setFocusEmulationEnabled", 0, nil, "each page behaves as the focused one"},
	{"Emulation.setGeolocationOverride", 0, nil, "a position the script chooses, not the machine's"},
	{"Emulation.setLocaleOverride", 0, nil, "the page's language"},
	{"Emulation.setScriptExecutionDisabled", 0, nil, "pages without JavaScript"},
	{"Emulation.setTimezoneOverride", 0, nil, "the page's time zone"},
	{"Emulation.setTouchEmulationEnabled", 0, nil, "touch events"},
	{"Emulation.setUserAgentOverride", 0, nil, "the page's user agent and platform"},

	{"Fetch.enable", 0, nil, "request interception in the tab"},
	{"Fetch.disable", 0, nil, "its end"},
	{"Fetch.continueRequest", SeenRequest, checkContinue, "a request goes on; another address must be of the same origin"},
	{"Fetch.continueWithAuth", SeenRequest, nil, "an answer to a request for credentials, given by the script"},
	{"Fetch.failRequest", SeenRequest, nil, "a request is aborted"},
	{"Fetch.fulfillRequest", SeenRequest, nil, "the page gets an answer of the script's"},

	{"HeapProfiler.collectGarbage", 0, nil, "page.requestGC"},

	{"Input.dispatchDragEvent", SeenInput, checkDrag, "drag and drop inside the page; files of the machine cannot be dragged in"},
	{"Input.dispatchKeyEvent", SeenInput, nil, "keyboard"},
	{"Input.dispatchMouseEvent", SeenInput, nil, "mouse"},
	{"Input.dispatchTouchEvent", SeenInput, nil, "touch"},
	{"Input.insertText", SeenInput, nil, "text without key events"},
	{"Input.setInterceptDrags", 0, nil, "drags are told to the engine instead of to the system"},

	{"IO.close", 0, checkStream, "the end of a PDF's stream"},
	{"IO.read", 0, checkStream, "a PDF in pieces; only streams that this tab opened"},

	{"Log.enable", 0, nil, "the browser's own console lines about the page"},

	{"Network.emulateNetworkConditions", 0, nil, "offline"},
	{"Network.enable", 0, nil, "request and response events of the tab"},
	{"Network.getRequestPostData", 0, nil, "a request's body"},
	{"Network.getResponseBody", 0, nil, "a response's body"},
	{"Network.setBypassServiceWorker", 0, nil, "requests past service workers"},
	{"Network.setCacheDisabled", 0, nil, "no cache while requests are intercepted"},
	{"Network.setExtraHTTPHeaders", 0, nil, "headers of the script's on the page's requests"},

	{"Page.addScriptToEvaluateOnNewDocument", 0, checkCommandLine, "init scripts and the engine's bindings; they act when a document loads"},
	{"Page.removeScriptToEvaluateOnNewDocument", 0, nil, "their removal"},
	{"Page.bringToFront", 0, nil, "page.bringToFront"},
	{"Page.captureScreenshot", 0, nil, "screenshots of the page"},
	{"Page.createIsolatedWorld", 0, nil, "the engine's own world; also with universal access files and other origins stay closed, the browser process decides those"},
	{"Page.enable", 0, nil, "frame, lifecycle and dialog events"},
	{"Page.getFrameTree", 0, nil, "frames at the start"},
	{"Page.getLayoutMetrics", 0, nil, "size of the page for screenshots"},
	{"Page.getNavigationHistory", 0, nil, "back and forward"},
	{"Page.handleJavaScriptDialog", SeenDialog, nil, "an answer to a native dialog"},
	{"Page.navigate", SeenNavigation, checkNavigate, "goto; web addresses, about:blank, data: and blob: only"},
	{"Page.navigateToHistoryEntry", SeenNavigation, nil, "back and forward, to places the tab has been"},
	{"Page.printToPDF", 0, nil, "page.pdf"},
	{"Page.reload", SeenNavigation, nil, "reload"},
	{"Page.setBypassCSP", 0, nil, "the script's own scripts run in pages with a content security policy"},
	{"Page.setFontFamilies", 0, nil, "default fonts"},
	{"Page.setInterceptFileChooserDialog", 0, nil, "file choosers are told to the engine instead of opened"},
	{"Page.setLifecycleEventsEnabled", 0, nil, "load states"},
	{"Page.stopLoading", 0, nil, "the end of a load that takes too long"},

	{"Runtime.addBinding", 0, nil, "functions the page calls"},
	{"Runtime.callFunctionOn", SeenScript, nil, "evaluate, and every action's in-page part"},
	{"Runtime.enable", 0, nil, "execution contexts, console and exceptions"},
	{"Runtime.evaluate", SeenScript, checkCommandLine, "evaluate"},
	{"Runtime.getProperties", 0, nil, "handles of an object's members"},
	{"Runtime.releaseObject", 0, nil, "disposing of handles"},
	{"Runtime.releaseObjectGroup", 0, nil, "disposing of many"},
	{"Runtime.runIfWaitingForDebugger", 0, nil, "a new page, frame or web worker may start"},
}

// never names methods that must not get through whatever is added above, with what a script can use instead. An entry that ends with a
// dot is a whole domain.
var never = []struct{ method, reason string }{
	{"Target.", "targets of the whole browser, other runs' included; pages are opened and closed through the supervisor"},
	{"Browser.", "settings of the whole browser, also when sent to a page; downloads and permissions go through the supervisor"},
	{"Tracing.", "records every run of the browser"},
	{"SystemInfo.", "tells of the machine"},
	{"Storage.", "takes any run's context id; cookies go through the supervisor"},
	{"DOM.setFileInputFiles", "names files of the machine; files are placed through the supervisor"},
	{"DOM.getFileInfo", "names files of the machine"},
	{"Network.loadNetworkResource", "loads addresses in the browser's name"},
	{"Page.setDownloadBehavior", "names folders of the machine"},
	{"Security.setIgnoreCertificateErrors", "turns off certificate checks; whose certificates are trusted is not a script's decision"},
}

var rulesByMethod = sync.OnceValue(func() map[string]*rule {
	byMethod := make(map[string]*rule, len(rules))
	for i := range rules {
		byMethod[rules[i].method] = &rules[i]
	}
	return byMethod
})

// request is a command on the session it is meant for, as the checks see it.
type request struct {
	*command
	session *session
}

// judge says whether a command may pass, and under which rule.
func judge(r *request) (*rule, error) {
	allowed := rulesByMethod()[r.method]
	if allowed == nil {
		for _, n := range never {
			if n.method == r.method || strings.HasSuffix(n.method, ".") && strings.HasPrefix(r.method, n.method) {
				return nil, fmt.Errorf("%s is never allowed: %s", r.method, n.reason)
			}
		}
		return nil, fmt.Errorf("%s is not among the methods a worker may use", r.method)
	}
	if allowed.check != nil {
		if err := allowed.check(r); err != nil {
			return nil, fmt.Errorf("%s: %w", r.method, err)
		}
	}
	return allowed, nil
}
