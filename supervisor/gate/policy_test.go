package gate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestEveryRuleHasAReasonAndNoneIsForbidden(t *testing.T) {
	var methods []string
	for _, r := range rules {
		if r.reason == "" {
			t.Errorf("%s has no reason", r.method)
		}
		if slices.Contains(methods, r.method) {
			t.Errorf("%s has two rules", r.method)
		}
		methods = append(methods, r.method)
		for _, n := range never {
			if n.method == r.method || strings.HasSuffix(n.method, ".") && strings.HasPrefix(r.method, n.method) {
				t.Errorf("%s is on the list and must never be", r.method)
			}
		}
	}
	for _, n := range never {
		if n.reason == "" {
			t.Errorf("%s has no reason", n.method)
		}
	}
}

// judgeText judges a command of a session on which a request to http://a.test:8080/x is paused as "r1".
func judgeText(t *testing.T, method, params string) error {
	t.Helper()
	var d decoder
	c, err := d.decode([]byte(`{"id":1,"method":"` + method + `","params":` + params + `,"sessionId":"S"}`))
	if err != nil {
		t.Fatalf("%s %s: %v", method, params, err)
	}
	s := &session{id: "S"}
	s.notePaused([]byte(`{"requestId":"r1","request":{"url":"http://a.test:8080/x?y#z","method":"GET"}}`))
	s.notePaused([]byte(`{"requestId":"r2","request":{"url":"data:text/plain,x"}}`))
	_, err = judge(&request{&c, s})
	return err
}

func TestParametersThatReachOutAreChecked(t *testing.T) {
	text := func(s string) string {
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(quoted)
	}
	for _, url := range []string{"http://a.test/", "https://a.test", "HTTP://A", "about:blank", "about:blank#x", "about:blank?x", "data:text/html,x", "blob:http://a.test/1"} {
		if err := judgeText(t, "Page.navigate", `{"url":`+text(url)+`}`); err != nil {
			t.Errorf("%q: %v", url, err)
		}
	}
	for _, url := range []string{
		"", "file:///etc/passwd", "FILE:///etc/passwd", " file:///etc/passwd", "\tfile:///etc/passwd", "fi\nle:///etc/passwd", "\x00file:///", "view-source:http://a.test/",
		"chrome://settings", "chrome-devtools://x", "devtools://x", "about:srcdoc", "about:blankx", "about:settings", "javascript:alert(1)", "filesystem:http://a/x",
		"ftp://a", "http", "ws://a", "chrome-extension://x", "//a.test", "/etc/passwd", "\u202ehttp://a", " http://a.test/", "http\u200b://",
	} {
		if err := judgeText(t, "Page.navigate", `{"url":`+text(url)+`}`); err == nil {
			t.Errorf("%q passes", url)
		}
	}
	for _, params := range []string{`{}`, `{"url":null}`, `{"url":["http://a"]}`, `{"URL":"http://a"}`} {
		if err := judgeText(t, "Page.navigate", params); err == nil {
			t.Errorf("Page.navigate %s passes", params)
		}
	}
	tests := []struct {
		method string
		passes []string
		fails  []string
	}{
		{"Fetch.continueRequest",
			[]string{`{"requestId":"r1"}`, `{"requestId":"r9"}`, `{"requestId":"r1","url":""}`, `{"requestId":"r1","url":"http://a.test:8080"}`, `{"requestId":"r1","url":"http://a.test:8080/other"}`,
				`{"requestId":"r1","url":"http://a.test:8080?q"}`, `{"requestId":"r1","url":"http://a.test:8080#f"}`, `{"requestId":"r2"}`},
			[]string{`{"requestId":"r1","url":"http://a.test/"}`, `{"requestId":"r1","url":"https://a.test:8080/"}`, `{"requestId":"r1","url":"http://a.test:80801/"}`, `{"requestId":"r1","url":"http://a.test:8080@b.test/"}`,
				`{"requestId":"r1","url":"http://a.test:8080\\b"}`, `{"requestId":"r1","url":"file:///etc/passwd"}`, `{"requestId":"r1","url":"http://b.test/"}`, `{"requestId":"r9","url":"http://a.test:8080/"}`,
				`{"requestId":"r2","url":"data:text/plain,y"}`, `{"requestId":"r1","url":7}`, `{"url":"http://a.test:8080/"}`, `{"requestId":"r1","url":" http://a.test:8080/"}`}},
		{"Input.dispatchDragEvent",
			[]string{`{"type":"drop","x":1,"y":1,"data":{"items":[{"mimeType":"text/plain","data":"files"}],"dragOperationsMask":1}}`},
			[]string{`{"data":{"items":[],"files":["/etc/passwd"],"dragOperationsMask":1}}`, `{"data":{"\u0066iles":["/etc/passwd"]}}`, `{"data":{"files":[]}}`, `{"data":[]}`, `{"data":null}`}},
		{"Runtime.evaluate", []string{`{"expression":"includeCommandLineAPI"}`, `{"expression":"1","includeCommandLineAPI":false}`},
			[]string{`{"expression":"copy('x')","includeCommandLineAPI":true}`, `{"expression":"1","\u0069ncludeCommandLineAPI":true}`, `{"includeCommandLineAPI":1}`}},
		{"Page.addScriptToEvaluateOnNewDocument", []string{`{"source":"1"}`}, []string{`{"source":"1","includeCommandLineAPI":true}`}},
		{"IO.read", []string{`{"handle":"1"}`}, []string{`{"handle":"blob:http://a/1"}`, `{}`, `{"handle":1}`, `{"handle":"/etc/passwd"}`}},
	}
	for _, test := range tests {
		for _, params := range test.passes {
			if err := judgeText(t, test.method, params); err != nil {
				t.Errorf("%s %s: %v", test.method, params, err)
			}
		}
		for _, params := range test.fails {
			if err := judgeText(t, test.method, params); err == nil {
				t.Errorf("%s %s passes", test.method, params)
			}
		}
	}
}

func TestMethodsThatAreNotListedAreRefused(t *testing.T) {
	for method, want := range map[string]string{
		"Target.attachToTarget": "is never allowed", "Target.setAutoAttach": "is never allowed", "Browser.setDownloadBehavior": "is never allowed", "Tracing.start": "is never allowed",
		"SystemInfo.getProcessInfo": "is never allowed", "Storage.getCookies": "is never allowed", "DOM.setFileInputFiles": "is never allowed", "DOM.getFileInfo": "is never allowed",
		"Network.loadNetworkResource": "is never allowed", "Page.setDownloadBehavior": "is never allowed", "Security.setIgnoreCertificateErrors": "is never allowed",
		"Page.close": "is not among", "Page.crash": "is not among", "page.navigate": "is not among", "Page.navigate.x": "is not among", "Network.getAllCookies": "is not among",
		"Debugger.enable": "is not among", "IO.resolveBlob": "is not among", "Page": "is not among", ".": "is not among",
	} {
		if err := judgeText(t, method, `{}`); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", method, err, want)
		}
	}
}

func TestOnlyActingMethodsAreSeen(t *testing.T) {
	want := map[string]Seen{
		"Input.dispatchMouseEvent": SeenInput, "Input.dispatchKeyEvent": SeenInput, "Input.insertText": SeenInput, "Input.setInterceptDrags": 0,
		"Page.navigate": SeenNavigation, "Page.reload": SeenNavigation, "Page.navigateToHistoryEntry": SeenNavigation, "Page.enable": 0, "Page.captureScreenshot": 0,
		"Runtime.evaluate": SeenScript, "Runtime.callFunctionOn": SeenScript, "Runtime.enable": 0, "Runtime.releaseObject": 0, "Runtime.runIfWaitingForDebugger": 0,
		"Fetch.continueRequest": SeenRequest, "Fetch.fulfillRequest": SeenRequest, "Fetch.enable": 0, "Page.handleJavaScriptDialog": SeenDialog, "DOM.describeNode": 0,
	}
	for method, seen := range want {
		if r := rulesByMethod()[method]; r == nil || r.seen != seen {
			t.Errorf("%s: %+v, want class %q", method, r, seen)
		}
	}
}

func TestAnOriginIsCutFromAnAddress(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/x": "http://a.test", "https://a.test:8443?x": "https://a.test:8443", "http://[::1]:80#x": "http://[::1]:80", "ws://a": "ws://a",
		"data:text/html,http://a/": "", "file:///etc": "", "http:///x": "", "blob:http://a/x": "", "": "",
	} {
		if got := originOf(url); got != want {
			t.Errorf("originOf(%q) is %q, want %q", url, got, want)
		}
	}
}
