package markup_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/jsrt/sdk/markup"
)

const library = `<!doctype html><html><head><title> Harbour
	Library </title><style>p { color: red }</style></head>
<body><ul id="shelf"><li class="book" data-no="1">Sea &amp; <b>Sky</b></li><li class="book old" DATA-NO="2">Tides</li></ul>
<p>Open <script>hidden()</script> daily</p><noscript><p class="plain">No scripts</p></noscript>
<a href="/a?x=1&amp;y=2">more</a></body></html>`

func parse(t testing.TB, text string) markup.Node {
	t.Helper()
	n, err := markup.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSelecting(t *testing.T) {
	document := parse(t, library)
	if title, ok := document.Title(); !ok || title != "Harbour Library" {
		t.Errorf("title %q, %v", title, ok)
	}
	for selector, want := range map[string]string{
		"li.book":                "Sea & Sky|Tides",
		"#shelf > li + li":       "Tides",
		"li:not(.old)":           "Sea & Sky",
		"b, [data-no='2']":       "Sky|Tides",
		"p":                      "Open daily|No scripts",
		"p script":               "hidden()",
		"section":                "",
		"li:has(b)":              "Sea & Sky",
		"ul li:nth-child(2)":     "Tides",
		"a[href^='/a']":          "more",
		"body > p:first-of-type": "Open daily",
	} {
		found, err := document.Select(selector)
		if err != nil {
			t.Errorf("%s: %v", selector, err)
			continue
		}
		var texts []string
		for _, one := range found {
			texts = append(texts, one.Text())
		}
		if got := strings.Join(texts, "|"); got != want {
			t.Errorf("%s gives %q, want %q", selector, got, want)
		}
	}
	for _, bad := range []string{"", "li::before", "li:nope", "li[", strings.Repeat("a", 5000)} {
		if _, err := document.Select(bad); err == nil {
			t.Errorf("%.20q was taken for a selector", bad)
		}
		if _, _, err := document.SelectOne(bad); err == nil {
			t.Errorf("%.20q was taken for a selector", bad)
		}
	}
}

func TestAnElement(t *testing.T) {
	document := parse(t, library)
	book, ok, err := document.SelectOne("li")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if html, err := book.HTML(); err != nil || html != `<li class="book" data-no="1">Sea &amp; <b>Sky</b></li>` {
		t.Errorf("html %q, %v", html, err)
	}
	if number, ok := book.Attr("DATA-no"); !ok || number != "1" {
		t.Errorf("attribute %q, %v", number, ok)
	}
	if _, ok := book.Attr("title"); ok {
		t.Error("it has no title")
	}
	if within, err := book.Select("li, b"); err != nil || len(within) != 1 {
		t.Errorf("an element does not contain itself: %d, %v", len(within), err)
	}
	link, _, _ := document.SelectOne("a")
	if href, _ := link.Attr("href"); href != "/a?x=1&y=2" {
		t.Errorf("href %q", href)
	}
	if _, ok := parse(t, "just words").Title(); ok {
		t.Error("there is no title")
	}
}

func TestBoundsOfADocument(t *testing.T) {
	if _, err := markup.Parse(strings.Repeat("x", markup.MaxText+1)); !errors.Is(err, markup.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	// Depth must not end the process, whether it is refused or read.
	if n, err := markup.Parse(strings.Repeat("<div>", 1_000_000)); err == nil {
		_ = n.Text()
	}
}

func TestEmbeddedData(t *testing.T) {
	for _, tt := range []struct {
		name, page string
		at         markup.Selector
		want       string
		err        error
	}{
		{"by id", `<script id="d" type="application/json">{"a":1}</script>`, markup.Selector{ID: "d"}, `{"a":1}`, nil},
		{"the first that parses", `<script id="d">nope</script><div id="d">[2]</div>`, markup.Selector{ID: "d"}, `[2]`, nil},
		{"no id", `<p>`, markup.Selector{ID: "d"}, "", markup.ErrMissing},
		{"id without JSON", `<p id="d">x</p>`, markup.Selector{ID: "d"}, "", markup.ErrUnparsable},
		{"comment, CDATA, semicolon", "<script id=d><!--\n//<![CDATA[\n{\"a\":2};\n//]]>\n--></script>", markup.Selector{ID: "d"}, `{"a":2}`, nil},
		{"by type", `<script type="application/ld+json">{"a":1}</script><script type="Application/LD+JSON; charset=utf-8">2</script><script type="application/ld+json">x</script>`,
			markup.Selector{Type: "ld+json"}, `[{"a":1},2]`, nil},
		{"by the other type", `<script type="application/json">1</script>`, markup.Selector{Type: "ld+json"}, "", markup.ErrMissing},
		{"by type, none parses", `<script type="application/json">x</script>`, markup.Selector{Type: "json"}, "", markup.ErrUnparsable},
		{"by attribute", `<div data-state="no"><p data-state="{&quot;a&quot;:&quot;&amp;&quot;}">`, markup.Selector{Attribute: "data-State"}, `{"a":"&"}`, nil},
		{"assigned to window", `<script>window.__S__ = {"a":"}"}; next()</script>`, markup.Selector{Assignment: "__S__"}, `{"a":"}"}`, nil},
		{"assigned bare", `<script>var __S__=[1,2]</script>`, markup.Selector{Assignment: "__S__"}, `[1,2]`, nil},
		{"assigned by name", `<script>window['__S__']={"a":1}</script>`, markup.Selector{Assignment: "__S__"}, `{"a":1}`, nil},
		{"the last that parses", `<script>__S__={"a":1};self.__S__={"a":2};globalThis.__S__=other()</script>`, markup.Selector{Assignment: "__S__"}, `{"a":2}`, nil},
		{"of another object", `<script>app.__S__={"a":1}</script>`, markup.Selector{Assignment: "__S__"}, "", markup.ErrMissing},
		{"of a longer name", `<script>my__S__={"a":1}; __S__x={"a":1}</script>`, markup.Selector{Assignment: "__S__"}, "", markup.ErrMissing},
		{"compared", `<script>if (__S__ == {"a":1}) go()</script>`, markup.Selector{Assignment: "__S__"}, "", markup.ErrMissing},
		{"from elsewhere", `<script src="x.js">__S__={"a":1}</script>`, markup.Selector{Assignment: "__S__"}, "", markup.ErrMissing},
		{"in what is no script", `<script type="text/template">__S__={"a":1}</script>`, markup.Selector{Assignment: "__S__"}, "", markup.ErrMissing},
		{"JSON.parse", `<script>__S__ = JSON.parse("{\"a\":\"\x41\u00e9\u{1F600}\ud83d\ude00\\n\"}")</script>`, markup.Selector{Assignment: "__S__"}, `{"a":"Aé😀😀\n"}`, nil},
		{"JSON.parse in single quotes", `<script>__S__ = JSON.parse('{"a":"it\'s"}')</script>`, markup.Selector{Assignment: "__S__"}, `{"a":"it's"}`, nil},
		{"never closed", `<script>__S__ = {"a":[1}</script>`, markup.Selector{Assignment: "__S__"}, "", markup.ErrUnparsable},
		{"no JSON", `<script>__S__ = {a: undefined}</script>`, markup.Selector{Assignment: "__S__"}, "", markup.ErrUnparsable},
	} {
		got, err := markup.Embedded(tt.page, tt.at)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: got %q, %v; want %q, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func FuzzEmbedded(f *testing.F) {
	f.Add(`<script>a={"b":"\u00`, "a")
	f.Add(`<script id=a>{"b":1}</script>`, "a")
	f.Add(`<script>window["a"] = JSON.parse('\x4')`, "a")
	f.Add("<svg><a xlink:href=1><![CDATA[", "a")
	f.Fuzz(func(t *testing.T, page, name string) {
		for _, at := range []markup.Selector{{ID: name}, {Type: name}, {Attribute: name}, {Assignment: name}} {
			value, err := markup.Embedded(page, at)
			if (err == nil) != (value != "") {
				t.Errorf("%+v gives %q and %v", at, value, err)
			}
		}
		if n, err := markup.Parse(page); err == nil {
			if found, err := n.Select(name); err == nil {
				for _, one := range found {
					_ = one.Text()
					_, _ = one.HTML()
				}
			}
		}
	})
}
