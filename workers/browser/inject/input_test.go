package inject_test

import (
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
)

// fillAs does what the engine does for fill.
func (p *page) fillAs(selector, value string) reply {
	p.t.Helper()
	r := p.call("fill", selector, options{"value": value, "strict": true})
	next, ok := r.Value.(map[string]any)
	if !ok {
		return r
	}
	switch next["next"] {
	case "insertText":
		p.cdp("Input.insertText", options{"text": next["text"]}, nil)
	case "delete":
		p.cdp("Input.dispatchKeyEvent", options{"type": "rawKeyDown", "key": "Delete", "code": "Delete", "windowsVirtualKeyCode": 46}, nil)
		p.cdp("Input.dispatchKeyEvent", options{"type": "keyUp", "key": "Delete", "code": "Delete", "windowsVirtualKeyCode": 46}, nil)
	}
	return r
}

func TestFill(t *testing.T) {
	p := setContent(t, `<input id=text value=old><textarea id=area>old
text</textarea><div id=rich contenteditable>old <b>bold</b></div><label id=lab>L <input id=labelled></label><input id=num type=number><input id=date type=date><input id=color type=color><input id=range type=range>
<input id=time type=time><input id=check type=checkbox><input id=ro readonly><input id=dis disabled><p id=p>x</p><input id=hid hidden><select id=sel></select>
<script>const seen = []; for (const type of ['input', 'change', 'focus']) document.addEventListener(type, e => seen.push(e.type + ':' + e.target.id + ':' + e.isTrusted), true)</script>`)
	for _, c := range []struct {
		selector, value, now, events string
	}{
		{"#text", "new", "new", "focus:text:true input:text:true"},
		{"#area", "one two", "one two", "change:text:true focus:area:true input:area:true"},
		{"#rich", "rich", "rich", "change:area:true focus:rich:true input:rich:true"},
		{"#lab", "by label", "by label", "focus:labelled:true input:labelled:true"},
		{"#num", " 42 ", "42", "change:labelled:true focus:num:true input:num:true"},
		{"#date", "2020-03-02", "2020-03-02", "change:num:true focus:date:true input:date:false change:date:false"},
		{"#color", "#AABBCC", "#aabbcc", "focus:color:true input:color:false change:color:false"},
		{"#range", "42", "42", "focus:range:true input:range:false change:range:false"},
		{"#time", "13:15", "13:15", "focus:time:true input:time:false change:time:false"},
		{"#text", "", "", "focus:text:true input:text:true"},
		{"#rich", "", "", "change:text:true focus:rich:true input:rich:true"},
	} {
		p.eval("seen.length = 0")
		if r := p.fillAs(c.selector, c.value); r.Value == nil {
			t.Errorf("%s: %+v", c.selector, r)
			continue
		}
		id := strings.TrimPrefix(c.selector, "#")
		if id == "lab" {
			id = "labelled"
		}
		if got := p.eval(id + ".value ?? " + id + ".textContent"); got != c.now {
			t.Errorf("%s is %q, wanted %q", c.selector, got, c.now)
		}
		if got := p.eval("seen.join(' ')"); got != c.events {
			t.Errorf("%s: events %q, wanted %q", c.selector, got, c.events)
		}
	}
	for _, c := range []struct{ selector, value, want string }{
		{"#num", "abc", "Error: Cannot type text into input[type=number]"},
		{"#date", "2020-13-05", "Error: Malformed value"},
		{"#color", "red", "Error: Malformed value"},
		{"#check", "x", `Error: Input of type "checkbox" cannot be filled`},
		{"#p", "x", "Error: Element is not an <input>, <textarea>, <select> or [contenteditable] and does not have a role allowing [aria-readonly]"},
		{"#sel", "x", "Error: Element is not an <input>, <textarea> or [contenteditable] element"},
		{"#ro", "x", "editable"},
		{"#dis", "x", "enabled"},
		{"#hid", "x", "visible"},
	} {
		r := p.call("fill", c.selector, options{"value": c.value})
		got := r.Error
		if r.Retry != nil {
			got = r.Retry.State
		}
		if got != c.want {
			t.Errorf("%s: %+v, wanted %q", c.selector, r, c.want)
		}
	}
	if r := p.call("fill", "#hid", options{"value": "x", "force": true}); r.Value == nil {
		t.Errorf("forced: %+v", r)
	}
	r := p.call("fill", "#ro", options{"value": "x"})
	if want := []string{`  locator resolved to <input id="ro" readonly/>`, `  fill("x")`, "attempting fill action", "  waiting for element to be visible, enabled and editable", "  element is not editable"}; !reflect.DeepEqual(r.Log, want) {
		t.Errorf("log %q", r.Log)
	}
}

// Inputs that a framework watches: one tracks the value property as React does, one keeps only what trusted beforeinput events bring.
func TestFillOfWatchedInputs(t *testing.T) {
	p := setContent(t, `<input id=react><input id=date type=date><div id=rich contenteditable></div><script>
const state = {react: '', date: '', rich: ''};
for (const input of [react, date]) {
  const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let tracked = '';
  Object.defineProperty(input, 'value', {configurable: true, get() { return own.get.call(this) }, set(v) { tracked = '' + v; own.set.call(this, v) }});
  input.addEventListener('input', () => { const now = own.get.call(input); if (now === tracked) return; tracked = now; state[input.id] = now; });
  input.addEventListener('blur', () => { input.value = state[input.id] });
}
rich.addEventListener('beforeinput', e => {
  e.preventDefault(); if (!e.isTrusted) return;
  const range = e.getTargetRanges()[0]; let start = 0, end = state.rich.length;
  if (range && rich.firstChild) { start = range.startContainer === rich ? 0 : range.startOffset; end = range.endContainer === rich ? state.rich.length : range.endOffset; }
  state.rich = state.rich.slice(0, start) + (e.data ?? '') + state.rich.slice(end);
  rich.textContent = state.rich;
});
rich.addEventListener('blur', () => { rich.textContent = state.rich });
</script>`)
	for _, c := range []struct{ id, value string }{{"react", "xyz"}, {"rich", "xyz"}, {"date", "2020-03-02"}, {"react", ""}, {"rich", ""}, {"react", "again"}, {"rich", "again"}} {
		p.fillAs("#"+c.id, c.value)
		p.call("blur", "#"+c.id, options{})
		if state, field := p.eval("state."+c.id), p.eval(c.id+".value ?? "+c.id+".textContent"); state != c.value || field != c.value {
			t.Errorf("%s: state %q, field %q, wanted %q", c.id, state, field, c.value)
		}
	}
}

func TestSelectOptions(t *testing.T) {
	p := setContent(t, `<select id=one><option value=a>Alpha</option><option value=b>  Beta   two </option><option value=c label="Gamma">g</option><option disabled value=d>Delta</option></select><select id=many multiple><option>1</option><option selected>2</option><option>3</option></select><label id=l>x <select id=inl><option>p</option><option>q</option></select></label><p id=p>x</p>
<script>const seen = []; for (const type of ['input', 'change']) document.addEventListener(type, e => seen.push(type + ':' + e.target.id))</script>`)
	for _, c := range []struct {
		selector string
		match    []any
		want     any
	}{
		{"#one", []any{options{"value": "b"}}, []any{"b"}},
		{"#one", []any{options{"label": "Beta two"}}, []any{"b"}},
		{"#one", []any{options{"label": "Gamma"}}, []any{"c"}},
		{"#one", []any{options{"index": 0}}, []any{"a"}},
		{"#one", []any{options{"valueOrLabel": "Gamma"}}, []any{"c"}},
		{"#one", []any{options{"valueOrLabel": "b"}, options{"valueOrLabel": "a"}}, []any{"a"}},
		{"#one", []any{options{"value": "a", "index": 1}}, "optionsnotfound"},
		{"#one", []any{options{"value": "zzz"}}, "optionsnotfound"},
		{"#one", []any{options{"value": "d"}}, "optionnotenabled"},
		{"#one", []any{}, []any{}},
		{"#many", []any{options{"valueOrLabel": "3"}, options{"valueOrLabel": "1"}}, []any{"1", "3"}},
		{"#many", []any{options{"valueOrLabel": "3"}, options{"valueOrLabel": "x"}}, "optionsnotfound"},
		{"#many", []any{}, []any{}},
		{"#l", []any{options{"index": 1}}, []any{"q"}},
		{"#p", []any{options{"index": 1}}, "Error: Element is not a <select> element"},
	} {
		p.eval("seen.length = 0")
		r := p.call("selectOptions", c.selector, c.match, options{"strict": true})
		var got any = r.Value
		if r.Error != "" {
			got = r.Error
		} else if r.Retry != nil {
			got = r.Retry.Reason
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %v: %v, wanted %v", c.selector, c.match, got, c.want)
		}
		if _, selected := c.want.([]any); selected {
			id := map[string]string{"#one": "one", "#many": "many", "#l": "inl"}[c.selector]
			if got := p.eval("seen.join()"); got != "input:"+id+",change:"+id {
				t.Errorf("%s %v: events %v", c.selector, c.match, got)
			}
			if got := p.eval("[..." + id + ".selectedOptions].map(o => o.value)"); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s %v: selected %v", c.selector, c.match, got)
			}
		}
	}
	if got := p.value("selectOptions", "#one", []any{}, options{}, p.handle("#one option >> nth=2")); !reflect.DeepEqual(got, []any{"c"}) {
		t.Errorf("by element: %v", got)
	}
	p.eval("setTimeout(() => { one.innerHTML += '<option>late</option>' }, 40)")
	if got := p.value("selectOptions", "#one", []any{options{"label": "late"}}, options{"timeout": 20000}); !reflect.DeepEqual(got, []any{"late"}) {
		t.Errorf("a late one: %v", got)
	}
}

func TestFocusAndSelection(t *testing.T) {
	p := setContent(t, `<input id=a value=hello><input id=b value=world type=email><textarea id=c>text</textarea><div id=d contenteditable>rich</div><p id=e>para</p><div id=h hidden>x</div>`)
	p.value("focus", "#a", options{"resetSelection": true})
	if got := p.eval("document.activeElement.id + a.selectionStart + a.selectionEnd"); got != "a00" {
		t.Errorf("focused %v", got)
	}
	p.eval("a.setSelectionRange(2, 3)")
	p.value("focus", "#a", options{"resetSelection": true})
	if got := p.eval("'' + a.selectionStart + a.selectionEnd"); got != "23" {
		t.Errorf("a focused input's selection is now %v", got)
	}
	p.value("focus", "#b", options{"resetSelection": true})
	p.value("blur", "#b", options{})
	if got := p.eval("document.activeElement.tagName"); got != "BODY" {
		t.Errorf("blurred: %v", got)
	}
	for _, c := range []struct{ selector, want string }{{"#a", "hello"}, {"#c", "text"}, {"#d", "rich"}, {"#e", "para"}} {
		p.value("selectText", c.selector, options{})
		if got := p.eval("getSelection().toString()"); got != c.want {
			t.Errorf("%s: %q is selected", c.selector, got)
		}
	}
	if r := p.call("selectText", "#h", options{}); r.Retry == nil || r.Retry.State != "visible" {
		t.Errorf("hidden: %+v", r)
	}
	text := object(p.object("document.getElementById('e').firstChild", p.utilityWorld))
	if r := p.call("focus", text, options{}); r.Error != "Error: Node is not an element" {
		t.Errorf("a text node: %+v", r)
	}
}

func TestFiles(t *testing.T) {
	p := setContent(t, `<input id=one type=file><input id=many type=file multiple><label id=l>x <input id=inner type=file hidden></label><input id=text><input id=dir type=file webkitdirectory><p id=p></p>
<script>const seen = []; for (const type of ['input', 'change']) document.addEventListener(type, e => seen.push(type + ':' + e.target.id))</script>`)
	file := func(name, text string) options {
		return options{"name": name, "mimeType": "text/plain", "buffer": base64.StdEncoding.EncodeToString([]byte(text)), "lastModified": 1000}
	}
	const contents = "Promise.all([...%.files].map(async f => [f.name, f.type, await f.text(), f.lastModified].join('|'))).then(l => l.join())"
	for _, c := range []struct {
		selector, id string
		files        []any
		want         string
	}{
		{"#one", "one", []any{file("a.txt", "hällo\x00")}, "a.txt|text/plain|hällo\x00|1000"},
		{"#many", "many", []any{file("a", "1"), file("b", "2")}, "a|text/plain|1|1000,b|text/plain|2|1000"},
		{"#l", "inner", []any{file("c", "3")}, "c|text/plain|3|1000"},
		{"#one", "one", []any{}, ""},
	} {
		p.eval("seen.length = 0")
		p.value("setInputFiles", c.selector, c.files, options{"strict": true})
		if got := p.eval(strings.ReplaceAll(contents, "%", c.id)); got != c.want {
			t.Errorf("%s has %q", c.selector, got)
		}
		if got := p.eval("seen.join()"); got != "input:"+c.id+",change:"+c.id {
			t.Errorf("%s: events %v", c.selector, got)
		}
	}
	for _, c := range []struct {
		selector string
		files    []any
		want     string
	}{
		{"#one", []any{file("a", "1"), file("b", "2")}, "Error: Non-multiple file input can only accept single file"},
		{"#dir", []any{file("a", "1")}, "Error: [webkitdirectory] input requires passing a path to a directory"},
		{"#text", []any{file("a", "1")}, "Error: Not an input[type=file] element"},
		{"#p", []any{file("a", "1")}, "Error: Node is not an HTMLInputElement"},
	} {
		if r := p.call("setInputFiles", c.selector, c.files, options{}); r.Error != c.want {
			t.Errorf("%s: %+v", c.selector, r)
		}
	}
	if got := p.value("fileInput", "#many", 2, options{}).(map[string]any); got["multiple"] != true || got["ref"] == 0.0 {
		t.Errorf("for the host: %v", got)
	}
}

func TestDispatchEvent(t *testing.T) {
	p := newPage(t)
	p.navigate(server().URL + "/empty.html")
	p.eval(`document.body.innerHTML = "<div id=a>x</div>"; window.last = null; for (const type of ['click','keydown','touchstart','pointerdown','focus','drop','wheel','custom','devicemotion','deviceorientation'])
  a.addEventListener(type, e => last = [e.constructor.name, e.bubbles, e.cancelable, e.composed, e.isTrusted, e.clientX ?? null, e.key ?? null, e.touches ? e.touches.length : null, e.detail ?? null].join()); 0`)
	object := func(pairs ...any) options {
		o := options{"$": "o", "k": []any{}, "v": []any{}}
		for i := 0; i < len(pairs); i += 2 {
			o["k"] = append(o["k"].([]any), pairs[i])
			o["v"] = append(o["v"].([]any), pairs[i+1])
		}
		return o
	}
	for _, c := range []struct {
		kind string
		init options
		want string
	}{
		{"click", object("clientX", 7), "PointerEvent?MouseEvent,true,true,true,false,7,,,0"},
		{"keydown", object("key", "a"), "KeyboardEvent,true,true,true,false,,a,,0"},
		{"touchstart", object("touches", options{"$": "a", "v": []any{object("identifier", 1, "clientX", 2, "clientY", 3)}}), "TouchEvent,true,true,true,false,,,1,0"},
		{"pointerdown", object(), "PointerEvent,true,true,true,false,0,,,0"},
		{"focus", object("bubbles", false), "FocusEvent,false,true,true,false,,,,0"},
		{"drop", object(), "DragEvent,true,true,true,false,0,,,0"},
		{"wheel", object(), "WheelEvent,true,true,true,false,0,,,0"},
		{"custom", object(), "Event,true,true,true,false,,,,"},
		{"devicemotion", object(), "DeviceMotionEvent,true,true,true,false,,,,"},
		{"deviceorientation", object(), "DeviceOrientationEvent,true,true,true,false,,,,"},
	} {
		if r := p.callMain("dispatchEvent", "#a", c.kind, c.init, options{"strict": true}); r.Value != true {
			t.Errorf("%s: %+v", c.kind, r)
		}
		want := strings.Replace(c.want, "PointerEvent?", "", 1)
		if got := p.eval("last"); got != want {
			t.Errorf("%s: %v, wanted %v", c.kind, got, want)
		}
	}
}

func TestDrop(t *testing.T) {
	p := setContent(t, `<div id=a>x</div><div id=b>y</div><script>a.ondragover = e => e.preventDefault(); a.ondrop = async e => { window.got = [e.clientX, e.dataTransfer.getData('text/plain'), e.dataTransfer.files[0].name, await e.dataTransfer.files[0].text()].join() }</script>`)
	files := []any{options{"name": "n", "buffer": "aGk="}}
	data := []any{options{"mimeType": "text/plain", "value": "v"}}
	if got := p.value("drop", p.handle("#a"), files, data, options{"x": 3, "y": 4}); got != true {
		t.Errorf("%v", got)
	}
	if got := p.eval("new Promise(f => setTimeout(() => f(window.got), 50))"); got != "3,v,n,hi" {
		t.Errorf("the page got %v", got)
	}
	if r := p.call("drop", p.handle("#b"), files, data, options{"x": 3, "y": 4}); !strings.HasPrefix(r.Error, "Drop target did not accept the drop") {
		t.Errorf("%+v", r)
	}
}
