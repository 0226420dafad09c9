package inject_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAriaSnapshot(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"structure", `<h1>Title</h1><p>Some <b>bold</b> text</p><ul><li>One</li><li><a href="/two">Two</a></li></ul>`, `
- heading "Title" [level=1]
- paragraph: Some bold text
- list:
  - listitem: One
  - listitem:
    - link "Two":
      - /url: /two`},
		{"controls", `<label>Name <input value=joe placeholder=who></label><input type=checkbox aria-label=A checked><button disabled>Go</button><button aria-pressed=mixed aria-expanded=true>T</button><select aria-label=S><option>x</option><option selected>y</option></select><textarea aria-label=N>default</textarea>`, `
- text: Name
- textbox "Name":
  - /placeholder: who
  - text: joe
- checkbox "A" [checked]
- button "Go" [disabled]
- button "T" [expanded] [pressed=mixed]
- combobox "S":
  - option "x"
  - option "y" [selected]
- textbox "N": default`},
		{"text only", `plain  text<br>more`, `- text: plain text more`},
		{"quoting", `<p>a: b</p><p>- dash</p><p>12</p><p>yes</p><p>"q" \ end:</p><button>say "hi"</button><p> # c</p>`, `
- paragraph: "a: b"
- paragraph: "- dash"
- paragraph: "12"
- paragraph: "yes"
- paragraph: "\"q\" \\ end:"
- button "say \"hi\""
- paragraph: "# c"`},
		{"key with colon", `<button aria-label="a: b">x</button>`, `- 'button "a: b"': x`},
		{"hidden", `<p hidden>no</p><p aria-hidden=true>no</p><div style="visibility:hidden"><p style="visibility:visible">no, by its parent</p></div><p>yes!</p>`, `- paragraph: yes!`},
		{"layout", `<div role=presentation><div><span>a</span></div></div><div role=none><p>b</p></div>`, `
- text: a
- paragraph: b`},
		{"generated content", `<style>p::before{content:"(";}p::after{content:")"}</style><p>in</p>`, `- paragraph: (in)`},
		{"shadow and slots", `<x-a><i>slotted</i></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<button>B <slot></slot></button>'</script>`, `- button "B slotted"`},
		{"owned", `<div role=list aria-owns=o></div><div role=listitem id=o>item</div>`, `
- list:
  - listitem: item`},
		{"frame", `<iframe srcdoc=x></iframe>`, `- iframe`},
		{"table", `<table><caption>C</caption><tr><th>H</th><td>1</td></tr></table>`, `
- table "C":
  - caption: C
  - rowgroup:
    - row "H 1":
      - rowheader "H"
      - cell "1"`},
	} {
		p := setContent(t, c.html)
		want := strings.TrimPrefix(c.want, "\n")
		if got := p.value("ariaSnapshot", "body", options{}); got != want {
			t.Errorf("%s:\n%v\nwanted:\n%s", c.name, got, want)
		}
	}
	p := setContent(t, `<ul><li>One</li></ul>`)
	if got := p.value("ariaSnapshot", "li", options{}); got != "- listitem: One" {
		t.Errorf("of one element: %v", got)
	}
	if r := p.call("ariaSnapshot", "b", options{}); r.Retry == nil || r.Retry.Reason != "notfound" {
		t.Errorf("of none: %+v", r)
	}
	deep := setContent(t, `<nav><ul><li><a href=#>x</a></li></ul></nav>`)
	if got := deep.value("ariaSnapshot", "body", options{"depth": 1}); got != "- navigation:\n  - list" {
		t.Errorf("of two levels:\n%v", got)
	}
}

func TestAriaSnapshotForModels(t *testing.T) {
	p := setContent(t, `<div><div><button id=b style="cursor:pointer">Go</button></div></div><div><p>one</p><p>two</p></div><div onclick="" style="cursor:pointer"><span>click</span><i>me</i></div><span>plain</span><img alt=""><div style="pointer-events:none"><button>unreachable</button></div><input autofocus aria-label=I><iframe srcdoc=x></iframe>`)
	p.eval("document.querySelector('input').focus()")
	got := p.value("ariaSnapshot", "body", options{"mode": "ai"}).(string)
	refs := regexp.MustCompile(`\[ref=(e\d+)\]`)
	shown := refs.ReplaceAllString(got, "[ref]")
	if shown != strings.TrimPrefix(`
- generic [ref]:
  - button "Go" [ref] [cursor=pointer]
  - generic [ref]:
    - paragraph [ref]: one
    - paragraph [ref]: two
  - generic [ref] [cursor=pointer]: clickme
  - text: plain
  - generic:
    - button "unreachable"
  - textbox "I" [active] [ref]
  - iframe [ref]`, "\n") {
		t.Errorf("%s", shown)
	}
	ref := regexp.MustCompile(`button "Go" \[ref=(e\d+)\]`).FindStringSubmatch(got)
	if ref == nil || p.ids("aria-ref="+ref[1]) != "b" {
		t.Errorf("the ref of the button, %v, finds %q", ref, p.ids("aria-ref="+ref[1]))
	}
	if again := p.value("ariaSnapshot", "body", options{"mode": "ai"}); again != got {
		t.Errorf("again:\n%v", again)
	}
	p.eval("document.querySelector('iframe').focus()")
	if focused := p.value("ariaSnapshot", "iframe", options{"mode": "ai"}).(string); !strings.HasPrefix(focused, "- iframe [active] [ref=e") {
		t.Errorf("a focused frame: %s", focused)
	}
	if prefixed := p.value("ariaSnapshot", "iframe", options{"mode": "ai", "refPrefix": "f2"}).(string); !strings.Contains(prefixed, " [ref=e") {
		t.Errorf("a known element's ref changed: %s", prefixed)
	}
}

func TestMask(t *testing.T) {
	p := setContent(t, `<div style="position:absolute;left:10px;top:10px;width:50px;height:50px;background:#fff"></div><dialog id=d></dialog>`)
	p.eval("d.showModal()")
	colour := func() string {
		var shot struct{ Data []byte }
		p.cdp("Page.captureScreenshot", options{"format": "png", "clip": options{"x": 30, "y": 30, "width": 1, "height": 1, "scale": 1}}, &shot)
		return string(shot.Data)
	}
	before := colour()
	p.value("mask", "div", "#FF00FF")
	if colour() == before {
		t.Error("nothing is masked")
	}
	p.invoke(p.utility, true, "unmask")
	if colour() != before {
		t.Error("the mask stays")
	}
}

// Whatever the selector, there is an answer.
func FuzzSelectors(f *testing.F) {
	for _, seed := range []string{"", "div", "div >> span", "text=\"x", "text=/(/", ":has-text(\"x\")", "role=button[name=/x/i]", "internal:has=\"a\" >> b", "*css=a >> nth=-1", "//a[", "((//a", "a:nth-match(b, 1", "\\", ">>", "a >>", "=", "css=", "[a='b", "internal:role=[", "u\\72l(x", "internal:text=\"\\", "*", "a:is(:is(", "/**/a", "a{", "\x00", "é:text(\"é\")", "near=\"a\",1"} {
		f.Add(seed)
	}
	p := setContent(f, "<div id=a>x<span>y</span></div>")
	f.Fuzz(func(t *testing.T, selector string) {
		if strings.ContainsRune(selector, '\uFFFD') || !utf8.ValidString(selector) {
			t.Skip()
		}
		p.t = t
		r := p.call("count", selector)
		_, isNumber := r.Value.(float64)
		if !isNumber && r.Error == "" {
			t.Errorf("%q: %+v", selector, r)
		}
		if r := p.invoke(p.utility, true, "asLocator", selector); r.ExceptionDetails != nil {
			t.Errorf("%q: asLocator threw %s", selector, r.thrown())
		}
	})
}
