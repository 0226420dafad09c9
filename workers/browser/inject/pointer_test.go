package inject_test

import (
	"reflect"
	"strings"
	"testing"
)

// clickOn does what the engine does for one click, without retries of its own.
func (p *page) clickOn(selector string, more options) (pointer, settle reply) {
	p.t.Helper()
	o := options{"action": "click", "strict": true}
	for name, value := range more {
		o[name] = value
	}
	pointer = p.call("pointer", selector, o)
	ready, ok := pointer.Value.(map[string]any)
	if !ok {
		return pointer, reply{}
	}
	point := ready["point"].(map[string]any)
	p.click(point["x"].(float64), point["y"].(float64))
	return pointer, p.call("settle", ready["token"], options{"ref": ready["ref"], "attempt": ready["attempt"]})
}

func TestClick(t *testing.T) {
	p := setContent(t, `<body style="margin:0"><button id=b style="position:absolute;left:100px;top:50px;width:80px;height:40px;border:5px solid;padding:0" onclick="window.hit=[event.offsetX,event.offsetY,event.isTrusted]">Go</button>`)
	pointer, settle := p.clickOn("button", nil)
	want := map[string]any{"ref": 1.0, "point": options{"x": 140.0, "y": 70.0}, "box": options{"x": 100.0, "y": 50.0, "width": 80.0, "height": 40.0}, "attempt": 0.0, "token": 1.0}
	if !reflect.DeepEqual(pointer.Value, want) {
		t.Errorf("ready: %v", pointer.Value)
	}
	if settle.Value != true {
		t.Errorf("settled: %+v", settle)
	}
	if got := p.eval("window.hit"); !reflect.DeepEqual(got, []any{35.0, 15.0, true}) {
		t.Errorf("the page saw %v", got)
	}
	if want := []string{
		`  locator resolved to <button id="b" onclick="window.hit=[event.offsetX,event.offsetY,event.isTrusted]">Go</button>`,
		"attempting click action", "  waiting for element to be visible, enabled and stable", "  element is visible, enabled and stable",
		"  scrolling into view if needed", "  done scrolling"}; !reflect.DeepEqual(pointer.Log, want) {
		t.Errorf("log %q", pointer.Log)
	}
	// A text node stands for the element it is in.
	p.eval("window.hit = 0")
	text := object(p.object("document.getElementById('b').firstChild", p.utilityWorld))
	r := p.call("pointer", text, options{"action": "click"})
	ready, _ := r.Value.(map[string]any)
	if ready == nil {
		t.Fatalf("a text: %+v", r)
	}
	point := ready["point"].(map[string]any)
	p.click(point["x"].(float64), point["y"].(float64))
	if p.value("settle", ready["token"]) != true || p.eval("window.hit") == 0.0 {
		t.Error("a click on a text does not reach its button")
	}
	// A position counts from inside the border.
	p.clickOn("button", options{"position": options{"x": 7, "y": 9}})
	if got := p.eval("window.hit"); !reflect.DeepEqual(got, []any{7.0, 9.0, true}) {
		t.Errorf("at a position the page saw %v", got)
	}
	// Trial: everything but the page's part.
	p.eval("window.hit = 0")
	if _, settle := p.clickOn("button", options{"trial": true}); settle.Value != true || p.eval("window.hit") != 0.0 {
		t.Errorf("a trial: %+v, the page saw %v", settle, p.eval("window.hit"))
	}
	pointer, _ = p.clickOn("button", options{"force": true})
	if last := pointer.Log[len(pointer.Log)-1]; last != "  forcing action" {
		t.Errorf("forced: %q", pointer.Log)
	}
}

func TestPointerStates(t *testing.T) {
	p := setContent(t, `<button id=hid hidden>x</button><button id=dis disabled>x</button><div id=far style="position:absolute;left:-500px;top:-500px;width:10px;height:10px"></div><label id=l>t <input id=in disabled></label><div id=one style="position:absolute;left:5px;top:5px;width:1px;height:1px"></div>`)
	for _, c := range []struct {
		selector string
		more     options
		reason   string
		state    string
		err      string
	}{
		{"#hid", nil, "missingState", "visible", ""},
		{"#dis", nil, "missingState", "enabled", ""},
		{"#dis", options{"action": "hover"}, "", "", ""},
		{"#l", nil, "missingState", "enabled", ""},
		{"#far", nil, "notinviewport", "", ""},
		{"#far", options{"force": true}, "", "", "Element is outside of the viewport"},
		{"#hid", options{"force": true}, "", "", "Element is not visible"},
		{"#hid", options{"force": true, "position": options{"x": 1, "y": 1}}, "", "", "Element is not visible"},
		{"#none", nil, "notfound", "", ""},
		{"#one", options{"action": "hover"}, "", "", ""},
	} {
		o := options{"action": "click", "strict": true}
		for name, value := range c.more {
			o[name] = value
		}
		r := p.call("pointer", c.selector, o)
		var reason, state string
		if r.Retry != nil {
			reason, state = r.Retry.Reason, r.Retry.State
		}
		if reason != c.reason || state != c.state || r.Error != c.err {
			t.Errorf("%s %v: %+v", c.selector, c.more, r)
		}
		if r.Retry != nil && reason != "notfound" && (r.Retry.Ref == 0 || r.Retry.Attempt != 1) {
			t.Errorf("%s: nothing to go on with: %+v", c.selector, r.Retry)
		}
	}
	// The page goes on itself while it has time, and the engine where that ended.
	r := p.call("pointer", "#dis", options{"action": "click", "timeout": 60})
	want := []string{"attempting click action", "  waiting for element to be visible, enabled and stable", "  element is not enabled",
		"retrying click action", "  waiting for element to be visible, enabled and stable", "  element is not enabled", "retrying click action", "  waiting 20ms"}
	if r.Retry == nil || len(r.Log) < len(want) || !reflect.DeepEqual(r.Log[1:len(want)+1], want) {
		t.Fatalf("%+v", r)
	}
	p.eval("dis.disabled = false")
	r = p.call("pointer", r.Retry.Ref, options{"action": "click", "attempt": r.Retry.Attempt})
	if r.Value == nil || !strings.HasPrefix(r.Log[0], "retrying click action") {
		t.Errorf("%+v", r)
	}
	p.eval("setTimeout(() => hid.hidden = false, 50)")
	if r := p.call("pointer", "#hid", options{"action": "click", "timeout": 20000}); r.Value == nil {
		t.Errorf("%+v", r)
	}
	// A detached element is looked for again.
	p.eval(`hid.id = 'old'; setTimeout(() => { const old = document.getElementById('old'); old.id = 'again'; old.disabled = true; setTimeout(() => { old.outerHTML = '<button id=again class=new>x</button>' }, 50) }, 10)`)
	r = p.call("pointer", "#again", options{"action": "click", "timeout": 20000})
	if r.Value == nil {
		t.Errorf("%+v", r)
	}
}

func TestScrolling(t *testing.T) {
	p := setContent(t, `<style>html.smooth{scroll-behavior:smooth}</style><div style="height:3000px"></div><button id=b onclick="window.hit=1">x</button><div style="height:3000px"></div>
<div id=box style="height:100px;width:100px;overflow:auto"><div style="height:1000px;width:1000px"></div><i id=in style="display:block;width:20px;height:20px;margin-left:900px" onclick="window.hit=2"></i></div>
<div id=tall style="height:4000px" onclick="window.hit=event.offsetY"></div><button id=cont style="display:contents" onclick="window.hit=4">click me</button>`)
	for _, class := range []string{"", "smooth"} {
		p.eval("document.documentElement.className = '" + class + "'; 0")
		for _, c := range []struct {
			selector string
			more     options
			want     any
		}{
			{"#b", nil, 1.0},
			{"#in", nil, 2.0},
			{"#tall", options{"position": options{"x": 5, "y": 3900}}, 3900.0},
			{"#cont", nil, 4.0},
			{"#b", options{"attempt": 1}, 1.0},
			{"#b", options{"attempt": 2}, 1.0},
			{"#b", options{"attempt": 3}, 1.0},
		} {
			p.eval("window.hit = 0; window.scrollTo({top: 0, behavior: 'instant'}); box.scrollTo(0, 0)")
			if pointer, settle := p.clickOn(c.selector, c.more); settle.Value != true || p.eval("window.hit") != c.want {
				t.Errorf("%q %s %v: %+v %+v, the page saw %v", class, c.selector, c.more, pointer, settle, p.eval("window.hit"))
			}
		}
	}
	// What is in view stays where it is; scroll: none moves nothing.
	p.eval("document.documentElement.className = ''; window.scrollTo(0, 2900)")
	before := p.eval("scrollY")
	p.clickOn("#b", nil)
	if after := p.eval("scrollY"); after != before {
		t.Errorf("scrolled from %v to %v", before, after)
	}
	p.eval("window.scrollTo(0, 0)")
	if r := p.call("pointer", "#b", options{"action": "click", "scroll": "none"}); r.Retry == nil || r.Retry.Reason != "notinviewport" || p.eval("scrollY") != 0.0 {
		t.Errorf("without scrolling: %+v", r)
	}
	if r := p.call("scrollIntoView", "#b", options{"strict": true, "timeout": 20000}); r.Value != true {
		t.Errorf("%+v", r)
	}
	if y := p.eval("b.getBoundingClientRect().y").(float64); y < 0 || y > 600 {
		t.Errorf("scrolled to %v", y)
	}
}

func TestInterception(t *testing.T) {
	p := setContent(t, `<body style="margin:0"><button id=b style="position:absolute;width:100px;height:50px" onclick="window.hit=1">x</button><div id=cover style="position:absolute;width:100px;height:50px"></div>
<dialog id=d style="z-index:2;position:absolute;top:100px;left:0;margin:0;padding:0;width:200px;height:100px"><section><p id=t style="margin:0;height:100px">text</p></section></dialog><button id=under style="position:absolute;top:110px">y</button>
<button id=inner style="position:absolute;top:250px;width:100px;height:50px"><span id=span style="display:block;width:100px;height:40px">in</span></button>
<div id=host style="position:absolute;top:350px"></div><label style="position:absolute;top:450px" id=lab>L <input id=inp style="pointer-events:none"></label>
<script>host.attachShadow({mode:'closed'}).innerHTML = '<button style="width:50px;height:30px">s</button>'; d.show()</script>`)
	for _, c := range []struct{ selector, want string }{
		{"#b", `<div id="cover"></div> intercepts pointer events`},
		{"#under", `<p id="t">text</p> from <dialog id="d" open="">…</dialog> subtree intercepts pointer events`},
	} {
		r := p.call("pointer", c.selector, options{"action": "click", "strict": true})
		if r.Retry == nil || r.Retry.Reason != "intercepted" || r.Retry.Description+" intercepts pointer events" != c.want || r.Log[len(r.Log)-1] != "  "+c.want {
			t.Errorf("%s: %+v", c.selector, r)
		}
	}
	for _, selector := range []string{"#span", "#inner", "#host"} {
		if r := p.call("pointer", selector, options{"action": "click"}); r.Value == nil {
			t.Errorf("%s: %+v", selector, r)
		}
	}
	// Something that covers the target between the check and the event swallows nothing of the page's: the event is stopped.
	p.eval("cover.remove(); window.hit = 0")
	r := p.call("pointer", "#b", options{"action": "click"})
	ready := r.Value.(map[string]any)
	p.eval(`document.body.insertAdjacentHTML('beforeend', '<div id=late style="position:absolute;width:100px;height:50px;top:0" onclick="window.hit=2"></div>')`)
	p.click(50, 25)
	r = p.call("settle", ready["token"], options{"attempt": 0})
	if r.Retry == nil || r.Retry.Reason != "intercepted" || !strings.HasPrefix(r.Retry.Description, `<div id="late"`) || r.Retry.Attempt != 1 || float64(r.Retry.Ref) != ready["ref"] || p.eval("window.hit") != 0.0 {
		t.Errorf("%+v, the page saw %v", r, p.eval("window.hit"))
	}
	// And once settled, nothing is stopped any more.
	p.click(50, 25)
	if p.eval("window.hit") != 2.0 {
		t.Error("still stopping events")
	}
	if r := p.call("settle", 12345, options{}); r.Value != true {
		t.Errorf("an unknown token: %+v", r)
	}
}

// The document's listeners go with document.open(); the guard notices.
func TestGuardAfterDocumentOpen(t *testing.T) {
	p := setContent(t, `<button>x</button>`)
	p.clickOn("button", nil)
	p.eval(`document.open(); document.write('<button id=b style="position:absolute;top:0;left:0;width:100px;height:50px" onclick="window.hit=1">x</button>'); document.close()`)
	r := p.call("pointer", "#b", options{"action": "click"})
	p.eval(`document.body.insertAdjacentHTML('beforeend', '<div id=late style="position:absolute;width:100px;height:50px;top:0;left:0"></div>')`)
	p.click(50, 25)
	if r := p.call("settle", r.Value.(map[string]any)["token"], options{}); r.Retry == nil || r.Retry.Reason != "intercepted" {
		t.Errorf("%+v", r)
	}
}

func TestStability(t *testing.T) {
	p := setContent(t, `<body style="margin:0"><button id=b style="position:absolute;left:0;top:0;width:60px;height:30px" onclick="window.hit=event.clientX">x</button>`)
	// An animation is waited for.
	p.eval(`b.style.transition = 'left 300ms linear'; b.offsetLeft; b.style.left = '300px'`)
	if pointer, settle := p.clickOn("#b", options{"timeout": 20000}); settle.Value != true || p.eval("window.hit") != 330.0 {
		t.Errorf("%+v %+v %v", pointer, settle, p.eval("window.hit"))
	}
	// One attempt in the middle of one says so.
	p.eval(`b.style.transition = 'left 60s linear'; b.offsetLeft; b.style.left = '0px'`)
	if r := p.call("pointer", "#b", options{"action": "click"}); r.Retry == nil || r.Retry.State != "stable" || r.Log[len(r.Log)-1] != "  element is not stable" {
		t.Errorf("%+v", r)
	}
	// A script that moves it is noticed at the event, which the page then does not get.
	p.eval(`b.style.transition = 'none'; b.style.left = '0px'; window.hit = 0`)
	r := p.call("pointer", "#b", options{"action": "click"})
	ready := r.Value.(map[string]any)
	p.eval(`b.style.left = '10px'`)
	p.click(30, 15)
	r = p.call("settle", ready["token"], options{"attempt": ready["attempt"]})
	if r.Retry == nil || r.Retry.State != "stable" || p.eval("window.hit") != 0.0 {
		t.Fatalf("%+v, the page saw %v", r, p.eval("window.hit"))
	}
	// The next attempt looks at two frames, and then a change on hover does not matter.
	p.eval(`document.head.insertAdjacentHTML('beforeend', '<style>#b:hover{height:40px!important}</style>')`)
	p.click(500, 500)
	r = p.call("pointer", r.Retry.Ref, options{"action": "click", "attempt": r.Retry.Attempt})
	ready = r.Value.(map[string]any)
	p.click(30, 15)
	if r := p.call("settle", ready["token"], options{}); r.Value != true || p.eval("window.hit") != 30.0 {
		t.Errorf("%+v, the page saw %v", r, p.eval("window.hit"))
	}
}

func TestCheck(t *testing.T) {
	p := setContent(t, `<input type=checkbox id=c><input type=radio id=r checked><label id=l>L <input type=checkbox id=lc></label><div role=checkbox id=ac aria-checked=false tabindex=0 onclick="this.setAttribute('aria-checked', true)">A</div><input type=checkbox id=stuck onclick="event.preventDefault()"><p id=no>x</p>`)
	check := func(selector string, want bool) reply {
		r := p.call("pointer", selector, options{"action": "click", "checked": want})
		ready, ok := r.Value.(map[string]any)
		if !ok || ready["already"] == true {
			return r
		}
		point := ready["point"].(map[string]any)
		p.click(point["x"].(float64), point["y"].(float64))
		return p.call("settle", ready["token"], options{"checked": want, "ref": ready["ref"]})
	}
	for _, selector := range []string{"#c", "#l", "#ac"} {
		if r := check(selector, true); r.Value != true {
			t.Errorf("%s: %+v", selector, r)
		}
		r := check(selector, true)
		if ready, ok := r.Value.(map[string]any); !ok || ready["already"] != true {
			t.Errorf("%s again: %+v", selector, r)
		}
	}
	if p.eval("c.checked && lc.checked && ac.getAttribute('aria-checked')") != "true" {
		t.Error("not checked")
	}
	if r := check("#c", false); r.Value != true || p.eval("c.checked") != false {
		t.Errorf("%+v", r)
	}
	if r := check("#r", false); r.Error != "Cannot uncheck radio button. Radio buttons can only be unchecked by selecting another radio button in the same group." {
		t.Errorf("%+v", r)
	}
	if r := check("#stuck", true); r.Error != "Clicking the checkbox did not change its state" {
		t.Errorf("%+v", r)
	}
	if r := check("#no", true); r.Error != "Error: Not a checkbox or radio button" {
		t.Errorf("%+v", r)
	}
}

func TestFramePoints(t *testing.T) {
	p := setContent(t, `<body style="margin:0"><iframe id=f srcdoc="<p>x" style="position:absolute;left:20px;top:30px;width:200px;height:100px;border:4px solid;padding:3px"></iframe>
<div style="transform:rotate(1deg)"><iframe id=tf srcdoc="" style="position:absolute;top:300px"></iframe></div><iframe id=hf hidden></iframe>`)
	if got := p.value("frameBox", p.handle("#f")); !reflect.DeepEqual(got, options{"x": 27.0, "y": 37.0, "width": 200.0, "height": 100.0, "transformed": false}) {
		t.Errorf("box %v", got)
	}
	if got := p.value("frameBox", p.handle("#hf")); got != nil {
		t.Errorf("a hidden frame's box: %v", got)
	}
	if got := p.value("framePoint", p.handle("#f"), options{"x": 5, "y": 6}); !reflect.DeepEqual(got, options{"point": options{"x": 32.0, "y": 43.0}}) {
		t.Errorf("point %v", got)
	}
	if got := p.value("framePoint", p.handle("#tf"), options{"x": 5, "y": 6}); !reflect.DeepEqual(got, options{"point": nil}) {
		t.Errorf("point in a transformed frame: %v", got)
	}
	p.eval(`document.body.insertAdjacentHTML('beforeend', '<div id=cover style="position:absolute;left:0;top:0;width:400px;height:400px"></div>')`)
	if r := p.call("framePoint", p.handle("#f"), options{"x": 5, "y": 6}); r.Retry == nil || r.Retry.Description != `<div id="cover"></div>` {
		t.Errorf("a covered frame: %+v", r)
	}
}
