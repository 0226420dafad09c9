package inject_test

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

type options = map[string]any

func TestReads(t *testing.T) {
	p := setContent(t, `<div id=a style="width:100px;height:20px;position:absolute;left:10px;top:30px">Hi <b>you</b><span hidden>gone</span></div><input id=i value=v><label id=l>L <textarea>t</textarea></label>
<select id=s multiple><option value=1 selected>One</option><option selected>Two</option></select><div id=n hidden></div><svg id=g><text id=gt>x</text></svg>
<button id=dis disabled>x</button><input id=ro readonly><input id=c type=checkbox checked><div id=e contenteditable>e</div><div id=z style="height:0"></div>`)
	for _, c := range []struct {
		selector, kind, arg string
		want                any
	}{
		{"#a", "textContent", "", "Hi yougone"},
		{"#a", "innerText", "", "Hi you"},
		{"#a", "innerHTML", "", `Hi <b>you</b><span hidden="">gone</span>`},
		{"b", "outerHTML", "", "<b>you</b>"},
		{"#i", "inputValue", "", "v"},
		{"#l", "inputValue", "", "t"},
		{"#s", "values", "", []any{"1", "Two"}},
		{"#a", "attribute", "id", "a"},
		{"#a", "attribute", "nope", nil},
		{"#a", "boundingBox", "", map[string]any{"x": 10.0, "y": 30.0, "width": 100.0, "height": 20.0}},
		{"#n", "boundingBox", "", nil},
		{"#a", "visible", "", true},
		{"#n", "visible", "", false},
		{"#n", "hidden", "", true},
		{"#z", "visible", "", false},
		{"#none", "visible", "", false},
		{"#none", "hidden", "", true},
		{"#dis", "enabled", "", false},
		{"#dis", "disabled", "", true},
		{"#i", "enabled", "", true},
		{"#i", "editable", "", true},
		{"#ro", "editable", "", false},
		{"#dis", "editable", "", "Error: Element is not an <input>, <textarea>, <select> or [contenteditable] and does not have a role allowing [aria-readonly]"},
		{"#e", "editable", "", true},
		{"#c", "checked", "", true},
		{"#i", "checked", "", "Error: Not a checkbox or radio button"},
		{"#gt", "innerText", "", "Error: Node is not an HTMLElement"},
		{"#a", "inputValue", "", "Error: Node is not an <input>, <textarea> or <select> element"},
		{"#dis", "role", "", "button"},
		{"#dis", "name", "", "x"},
		{"b", "preview", "", "<b>you</b>"},
	} {
		r := p.call("read", c.selector, c.kind, options{"arg": c.arg, "strict": true})
		var got any = r.Value
		if r.Error != "" {
			got = r.Error
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s of %s is %#v, wanted %#v", c.kind, c.selector, got, c.want)
		}
	}
	if r := p.call("read", "#none", "textContent", options{}); r.Retry == nil || r.Retry.Reason != "notfound" {
		t.Errorf("nothing to read: %+v", r)
	}
	if r := p.call("read", "b", "textContent", options{}); !reflect.DeepEqual(r.Log, []string{"  locator resolved to <b>you</b>"}) {
		t.Errorf("log %q", r.Log)
	}
	if got := p.value("readAll", "option", "innerText"); !reflect.DeepEqual(got, []any{"One", "Two"}) {
		t.Errorf("all texts: %v", got)
	}
	if got := p.value("count", "option"); got != 2.0 {
		t.Errorf("count %v", got)
	}
	if got := p.value("read", p.handle("#i"), "inputValue", options{}); got != "v" {
		t.Errorf("of a handle: %v", got)
	}
}

func TestStates(t *testing.T) {
	p := setContent(t, `<label id=l>x <input type=radio id=r checked></label><button><b id=in>t</b></button><button disabled><b id=indis>t</b></button><input id=mix type=checkbox><div id=vis style="visibility:hidden">x</div>
<script>mix.indeterminate = true</script>`)
	for _, c := range []struct {
		selector, state string
		want            map[string]any
	}{
		{"#l", "checked", options{"matches": true, "received": "checked", "isRadio": true}},
		{"#l", "unchecked", options{"matches": false, "received": "checked", "isRadio": true}},
		{"#in", "enabled", options{"matches": true, "received": "enabled"}},
		{"#indis", "enabled", options{"matches": false, "received": "disabled"}},
		{"#mix", "indeterminate", options{"matches": true, "received": "mixed"}},
		{"#mix", "checked", options{"matches": false, "received": "unchecked", "isRadio": false}},
		{"#vis", "visible", options{"matches": false, "received": "hidden"}},
		{"#vis", "attached", options{"matches": true, "received": "attached"}},
	} {
		if got := p.value("state", c.selector, c.state, options{}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: %v, wanted %v", c.selector, c.state, got, c.want)
		}
	}
	gone := p.handle("#l")
	p.eval("l.remove()")
	if got := p.value("state", gone, "hidden", options{}); !reflect.DeepEqual(got, options{"matches": true, "received": "hidden"}) {
		t.Errorf("a removed element: %v", got)
	}
	if r := p.call("read", gone, "enabled", options{}); r.Error != "Error: Element is not attached to the DOM" {
		t.Errorf("a removed element: %+v", r)
	}
}

func TestWaitForSelector(t *testing.T) {
	p := setContent(t, `<div id=a hidden>x</div><div id=b>y</div>`)
	for _, c := range []struct {
		selector, state string
		now             bool
	}{
		{"#b", "visible", true}, {"#b", "attached", true}, {"#b", "hidden", false}, {"#b", "detached", false},
		{"#a", "visible", false}, {"#a", "attached", true}, {"#a", "hidden", true}, {"#a", "detached", false},
		{"#c", "visible", false}, {"#c", "attached", false}, {"#c", "hidden", true}, {"#c", "detached", true},
	} {
		r := p.call("waitForSelector", c.selector, options{"state": c.state, "strict": true})
		if r.Error != "" || (r.Retry == nil) != c.now {
			t.Errorf("%s %s: %+v", c.selector, c.state, r)
		}
		if c.now {
			ref := r.Value.(map[string]any)["ref"].(float64)
			if (ref > 0) != (c.state == "visible" || c.state == "attached") {
				t.Errorf("%s %s gives the ref %v", c.selector, c.state, ref)
			}
		}
	}
	if r := p.call("waitForSelector", "div", options{"strict": true}); !strings.HasPrefix(r.Error, "Error: strict mode violation") {
		t.Errorf("two matches: %+v", r)
	}
	p.eval("setTimeout(() => a.hidden = false, 100)")
	start := time.Now()
	r := p.call("waitForSelector", "#a", options{"timeout": 20000})
	if r.Retry != nil || time.Since(start) > 10*time.Second {
		t.Errorf("waiting: %+v after %v", r, time.Since(start))
	}
	if want := []string{`  locator resolved to hidden <div id="a" hidden="">x</div>`, `  locator resolved to visible <div id="a">x</div>`}; !reflect.DeepEqual(r.Log, want) {
		t.Errorf("log %q", r.Log)
	}
	if r := p.call("waitForSelector", "#never", options{"timeout": 50}); r.Retry == nil || r.Retry.Reason != "notfound" {
		t.Errorf("in vain: %+v", r)
	}
	scope := p.handle("#b")
	p.eval("b.remove()")
	if r := p.call("waitForSelector", "i", options{"timeout": 20000}, scope); r.Error != "Element is not attached to the DOM" {
		t.Errorf("a removed scope: %+v", r)
	}
}

// A call that waits ends when it is aborted, and does nothing more.
func TestAbort(t *testing.T) {
	p := setContent(t, ``)
	done := make(chan reply, 1)
	go func() { done <- p.call("fill", "#late", options{"value": "x", "timeout": 50000, "call": 7}) }()
	for {
		select {
		case r := <-done:
			if r.Retry == nil || r.Retry.Reason != "aborted" {
				t.Fatalf("%+v", r)
			}
			p.eval("document.body.innerHTML = '<input id=late onfocus=\"window.touched=1\">'")
			if p.eval("new Promise(f => setTimeout(() => f(!!window.touched), 100))") != false {
				t.Error("it went on")
			}
			return
		case <-time.After(50 * time.Millisecond):
			p.session.Conn.Start(p.ctx, p.session.ID, "Runtime.callFunctionOn", map[string]any{
				"objectId": p.utility, "functionDeclaration": declaration, "arguments": []any{options{"value": "abort"}, options{"value": 7}}})
		}
	}
}

func TestWaitForState(t *testing.T) {
	p := setContent(t, `<button id=b disabled>x</button>`)
	handle := p.handle("#b")
	r := p.call("waitForState", handle, "enabled", options{"timeout": 1})
	if r.Retry == nil || r.Retry.State != "enabled" || len(r.Log) < 2 || r.Log[0] != "attempting wait for enabled action" || r.Log[1] != "  element is not enabled" {
		t.Errorf("%+v", r)
	}
	p.eval("setTimeout(() => b.disabled = false, 30)")
	if r := p.call("waitForState", handle, "enabled", options{"timeout": 20000}); r.Value != true {
		t.Errorf("%+v", r)
	}
	if r := p.call("waitForState", handle, "stable", options{"timeout": 20000}); r.Value != true {
		t.Errorf("%+v", r)
	}
	if r := p.call("waitForState", handle, "checked", options{"timeout": 20000}); r.Error != "Error: Not a checkbox or radio button" {
		t.Errorf("%+v", r)
	}
	p.eval("b.remove()")
	if r := p.call("waitForState", handle, "visible", options{"timeout": 20000}); r.Retry == nil || r.Retry.Reason != "notconnected" {
		t.Errorf("%+v", r)
	}
}
