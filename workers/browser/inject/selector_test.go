package inject_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const lists = `
<section id=s1><h2 id=h1>Fruit &amp;  nuts</h2><ul id=u1>
  <li id=apple class="item fresh">Apple <b id=b1>red</b></li>
  <li id=pear class=item title="A pear">Pear</li>
  <li id=plum class=item hidden>Plum</li>
</ul></section>
<section id=s2><ul id=u2><li id=apple2 class=item>apple</li></ul>
  <p id=p1>Say "hello" it's / fine</p><p id=p2>say hello</p>
  <input type=submit value="Send it" id=send><input type=button value=" Send  later " id=later>
  <img id=logo alt="The Logo"><input id=q placeholder="Search here"><a id=link href=# title=Home data-testid=home>Start</a>
  <script id=script>var say = "hello"</script><style id=style>.say{}</style>
  <div id=deep><div id=deeper><span id=deepest>Deep text</span></div></div>
</section>`

// Elements found, in order, by id.
func TestSelectors(t *testing.T) {
	p := setContent(t, lists)
	for _, c := range []struct{ selector, want string }{
		// CSS
		{"li", "apple pear plum apple2"},
		{"css=li.item", "apple pear plum apple2"},
		{"ul > li:first-child", "apple apple2"},
		{"h2 + ul", "u1"},
		{"#apple ~ li", "pear plum"},
		{"section ul li.fresh b", "b1"},
		{"li, h2", "h1 apple pear plum apple2"},
		{"h2, li", "h1 apple pear plum apple2"},
		{`[title="A pear"]`, "pear"},
		{`input[value="Send it"]`, "send"},
		{":is(h2, b)", "h1 b1"},
		{"li:not(.fresh)", "pear plum apple2"},
		{"li:not(:has(b), [hidden])", "pear apple2"},
		{"ul:has(> li > b)", "u1"},
		{"section:has(b)", "s1"},
		{"section:has(+ section)", "s1"},
		{"li:visible", "apple pear apple2"},
		{":nth-match(li, 3)", "plum"},
		{":nth-match(:is(li, h2), 1)", "h1"},
		{"li:nth-match(li:visible, 2)", "pear"},
		{`li:has-text("APPLE")`, "apple apple2"},
		{`:text("apple")`, "apple apple2"},
		{`:text-is("apple")`, "apple2"},
		{`:text-is("Apple")`, "apple"},
		{`li:text-matches("^a", "i")`, "apple apple2"},
		{`p:text-matches("^Say")`, "p1"},
		{`:text("deep")`, "deepest"},
		{`div:has-text("deep")`, "deep deeper"},
		{"*css=section >> b", "s1"},
		{"section >> *css=ul >> b", "u1"},
		{"section >> li", "apple pear plum apple2"},
		{"ul >> nth=1 >> li", "apple2"},
		{"li >> nth=-1", "apple2"},
		{"li >> nth=7", ""},
		{"li >> visible=false", "plum"},
		{"li >> visible=true", "apple pear apple2"},
		{"ul li >> b", "b1"},
		// text
		{"text=hello", "p1 p2"},
		{`text="say hello"`, "p2"},
		{`"Pear"`, "pear"},
		{`'pear'`, ""},
		{"text=/^Say/", "p1"},
		{"text=/^say/i", "p1 p2"},
		{"text=fruit & nuts", "h1"},
		{"text=it's", "p1"},
		{"text=Send it", "send"},
		{"text=send later", "later"},
		{`text="Send later"`, "later"},
		{"text=deep text", "deepest"},
		{"text=apple >> b", "b1"},
		{`internal:text="apple"i`, "apple apple2"},
		{`internal:text="apple"s`, "apple2"},
		{`internal:text="Apple red"s`, "apple"},
		{`internal:text="red"s`, "b1"},
		{`internal:text="Deep text"s`, "deepest"},
		{`internal:text=/p(ear|lum)/i`, "pear plum"},
		// others
		{"//li[2]", "pear"},
		{"xpath=//section[2]//li", "apple2"},
		{"#s2 >> //li", "apple2"},
		{"#b1 >> ..", "apple"},
		{"(//li)[1]", "apple"},
		{"id=pear", "pear"},
		{"data-testid=home", "link"},
		{`internal:testid=[data-testid="home"s]`, "link"},
		{`internal:testid=[data-testid=/^h/]`, "link"},
		{`internal:testid=["data-testid,id"="home"s]`, "link"},
		{`internal:attr=[title="pear"i]`, "pear"},
		{`internal:attr=[title="pear"s]`, ""},
		{`internal:attr=[placeholder="search"i]`, "q"},
		{`internal:attr=[alt=/logo/i]`, "logo"},
		// filters
		{`li >> internal:has-text="red"i`, "apple"},
		{`li >> internal:has-not-text="red"i`, "pear plum apple2"},
		{`li >> internal:has-text=/^Apple/`, "apple"},
		{`li >> internal:has="b"`, "apple"},
		{`li >> internal:has-not="b"`, "pear plum apple2"},
		{`ul >> internal:has="li >> nth=1"`, "u1"},
		{`li >> internal:and=".fresh"`, "apple"},
		{`b >> internal:or="h2"`, "h1 b1"},
		{`li >> internal:or="section >> nth=1"`, "apple pear plum s2 apple2"},
		{`section >> internal:chain="li >> nth=0"`, "apple apple2"},
		{`li >> internal:describe="things" >> nth=0`, "apple"},
		{`li >> internal:has="iframe >> internal:control=enter-frame >> b"`, "apple"},
		// layout
		{`li:below(#apple)`, "pear apple2"},
		{`li >> below="#pear"`, "apple2"},
		{`li:visible:above(#pear)`, "apple"},
		{`p:near(#p1, 30)`, "p2"},
	} {
		if got := p.ids(c.selector); got != c.want {
			t.Errorf("%s\n  finds %q\n  wanted %q", c.selector, got, c.want)
		}
	}
}

// Open shadow trees are part of the document; closed ones and slots' names are not.
func TestShadowTrees(t *testing.T) {
	p := setContent(t, `
<div id=host1><span id=light>In light</span></div><div id=host2></div><p id=after>After</p>
<script>
  host1.attachShadow({mode:'open'}).innerHTML = '<b id=in1>Shadow one</b><slot></slot><div id=inner></div>';
  host1.shadowRoot.getElementById('inner').attachShadow({mode:'open'}).innerHTML = '<i id=in2 class=x>Shadow two</i>';
  host2.attachShadow({mode:'closed'}).innerHTML = '<b id=closed>Closed</b>';
</script>`)
	for _, c := range []struct{ selector, want string }{
		{"b", "in1"},
		{"i", "in2"},
		{"#host1 b", "in1"},
		{"#host1 > b", "in1"},
		{"div i.x", "in2"},
		{"div div i", "in2"},
		{"#host1 >> i", "in2"},
		{"text=shadow", "in1 in2"},
		{`#host1:has-text("two")`, "host1"},
		{"css:light=b", ""},
		{":light(b)", ""},
		{":light(span)", "light"},
		{"text=closed", ""},
		{`internal:text="Shadow two"s`, "in2"},
		{"b, p, i", "in1 in2 after"},
		{"i >> internal:or=\"p >> internal:or=\\\"span\\\"\"", "light in2 after"},
	} {
		if got := p.ids(c.selector); got != c.want {
			t.Errorf("%s\n  finds %q\n  wanted %q", c.selector, got, c.want)
		}
	}
}

// Below an element :scope is that element, and only what is below it is found.
func TestScope(t *testing.T) {
	p := setContent(t, lists)
	scope := p.handle("#s2")
	for _, c := range []struct{ selector, want string }{
		{"li", "apple2"},
		{"section li", ""},
		{":scope > ul > li", "apple2"},
		{"> ul", "u2"},
		{":scope", "s2"},
		{"text=apple", "apple2"},
		{"//li", "apple2"},
		{"xpath=/ul/li", "apple2"},
		{"internal:role=listitem", "apple2"},
		{"div >> span", "deepest"},
	} {
		var names []string
		r := p.call("readAll", c.selector, "preview", "", scope)
		if r.Error != "" {
			t.Errorf("%s: %s", c.selector, r.Error)
			continue
		}
		for _, preview := range r.Value.([]any) {
			names = append(names, idOf(preview.(string)))
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s\n  finds %q\n  wanted %q", c.selector, got, c.want)
		}
	}
}

func TestSelectorErrors(t *testing.T) {
	p := setContent(t, "<div><div></div></div><button></button>")
	for _, c := range []struct{ selector, want string }{
		{"", `Unexpected token "" while parsing css selector "". Did you mean to CSS.escape it?`},
		{"div[", `Unexpected token "" while parsing css selector "div[". Did you mean to CSS.escape it?`},
		{"div >", `Unexpected token "" while parsing css selector "div >". Did you mean to CSS.escape it?`},
		{"div{}", `Unsupported token "{" while parsing css selector "div{}". Did you mean to CSS.escape it?`},
		{"50%", `Unsupported token "50%" while parsing css selector "50%". Did you mean to CSS.escape it?`},
		{"li@a", `Unsupported token "@a" while parsing css selector "li@a". Did you mean to CSS.escape it?`},
		{"div..a", `Unexpected token "." while parsing css selector "div..a". Did you mean to CSS.escape it?`},
		{`"a`, `Error while parsing css selector ""a". Did you mean to CSS.escape it?`},
		{"12", `Error while parsing css selector "12". Did you mean to CSS.escape it?`},
		{"*css=a >> *css=b", "Only one of the selectors can capture using * modifier"},
		{"*css=a >> b >> nth=0", "Error: Can't query n-th element in a request with the capture."},
		{"foo=bar", `Unknown engine "foo" while parsing selector foo=bar`},
		{`div >> internal:has="foo=1"`, `Unknown engine "foo" while parsing selector div >> internal:has="foo=1"`},
		{"div >> internal:has=x", "Malformed selector: internal:has=x"},
		{`internal:has="x"`, `"internal:has" selector cannot be first`},
		{`left-of="x"`, `"left-of" selector cannot be first`},
		{`div >> internal:has="a",1`, `Malformed selector: internal:has="a",1`},
		{"div:nth-match(a)", `Error: "nth-match" engine expects non-empty selector list and an index argument`},
		{"div:nth-match(a, 0)", `Error: "nth-match" engine expects a one-based index as the last argument`},
		{":text()", `Unexpected token ")" while parsing css selector ":text()". Did you mean to CSS.escape it?`},
		{`:text("a", "b")`, `Error: "text" engine expects a single string`},
		{`div:has-text(1)`, `Error: "has-text" engine expects a single string`},
		{":visible(div)", `Error: "visible" engine expects no arguments`},
		{":near(10)", `Error: "near" engine expects a selector list and optional maximum distance in pixels`},
		{"div:has()", `Unexpected token ")" while parsing css selector "div:has()". Did you mean to CSS.escape it?`},
		{"role=", "Error: Error while parsing selector `` - selector cannot be empty"},
		{"role=button[", "Error: Unexpected end of selector while parsing selector `button[`"},
		{`role=button[name`, "Error: Unexpected end of selector while parsing selector `button[name`"},
		{`role=button[name="a`, "Error: Unexpected end of selector while parsing selector `button[name=\"a`"},
		{`role=button[name~5]`, "Error: Error while parsing selector `button[name~5]` - unexpected symbol \"]\" at position 13 during parsing operator"},
		{`role=button]`, "Error: Error while parsing selector `button]` - unexpected symbol \"]\" at position 6"},
		{`role=button[bar]`, `Error: Unknown attribute "bar", must be one of "checked", "description", "disabled", "expanded", "include-hidden", "level", "name", "pressed", "selected".`},
		{`role=button[checked]`, `Error: "checked" attribute is only supported for roles: "checkbox", "menuitemcheckbox", "menuitemradio", "option", "radio", "switch", "treeitem"`},
		{`role=checkbox[checked="bar"]`, `Error: "checked" must be one of true, false, "mixed"`},
		{`role=checkbox[checked~=true]`, "Error: Error while parsing selector `checkbox[checked~=true]` - cannot use ~= in attribute with non-string matching value - true"},
		{`role=treeitem[selected="mixed"]`, `Error: "selected" must be one of true, false`},
		{`role=heading[level]`, `Error: "level" attribute must be compared to a number`},
		{`role=heading[level=x]`, `Error: "level" attribute must be compared to a number`},
		{`role=button[level=1]`, `Error: "level" attribute is only supported for roles: "heading", "listitem", "row", "treeitem"`},
		{`role=button[name]`, `Error: "name" attribute must have a value`},
		{`role=button[name=/(/]`, "Error: Error while parsing selector `button[name=/(/]`: Invalid regular expression: /(/: Unterminated group"},
		{`[name=x]`, ""},
		{`role=[name="x"]`, "Error: Role must not be empty"},
		{"_react=Button", "Error: \"_react\" selector is not supported: locator('_react=Button')"},
		{"_vue=Button", "Error: \"_vue\" selector is not supported: locator('_vue=Button')"},
		{"text:light=x", ""},
		{"id:light=x", ""},
		{"div:foo(bar", `Unexpected token "" while parsing css selector "div:foo(bar". Did you mean to CSS.escape it?`},
		{"div:foo", "SyntaxError: Failed to execute 'querySelectorAll' on 'Document': 'div:foo' is not a valid selector."},
		{"text=/(/", "SyntaxError: Invalid regular expression: /(/: Unterminated group"},
	} {
		r := p.call("count", c.selector)
		if r.Error != c.want {
			t.Errorf("%s\n  says %q\n  wanted %q", c.selector, r.Error, c.want)
		}
	}
	if r := p.call("check", "div >> nth=0"); r.Value != true {
		t.Errorf("a good selector: %+v", r)
	}
	if r := p.call("check", "div["); r.Error == "" {
		t.Error("a bad selector passes")
	}
}

// A selector of an engine that is gone parses, but what it finds is an error.
func TestRetiredEngines(t *testing.T) {
	p := setContent(t, "<div id=a>x</div>")
	want := "Error: \"text:light\" selector is not supported: locator('text:light=x') resolved to 1 element:\n    1) <div id=\"a\">x</div> aka getByText('x')\n"
	if r := p.call("count", "text:light=x"); r.Error != want {
		t.Errorf("says %q\nwanted %q", r.Error, want)
	}
}

// The vectors are shared with the engine's own asLocator.
func TestAsLocator(t *testing.T) {
	var vectors map[string]string
	if err := json.Unmarshal([]byte(readFile(t, "aslocator.json")), &vectors); err != nil {
		t.Fatal(err)
	}
	p := setContent(t, "")
	for selector, want := range vectors {
		var got string
		if err := json.Unmarshal(p.invoke(p.utility, true, "asLocator", selector).Result.Value, &got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s\n  is %s\n  wanted %s", selector, got, want)
		}
	}
}

func TestRemoteResults(t *testing.T) {
	p := setContent(t, "<div id=a></div><div id=b></div><iframe id=f></iframe>")
	if r := p.invoke(p.utility, false, "query", "#nothing", true); r.Result.Subtype != "null" {
		t.Errorf("no match is %+v", r)
	}
	r := p.invoke(p.utility, false, "query", "div", true)
	if !strings.HasPrefix(r.thrown(), "Error: strict mode violation: locator('div') resolved to 2 elements:") {
		t.Errorf("strict: %q", r.thrown())
	}
	r = p.invoke(p.utility, false, "query", "div[", true)
	if !strings.HasPrefix(r.thrown(), `Unexpected token "" while`) {
		t.Errorf("syntax: %q", r.thrown())
	}
	r = p.invoke(p.utility, false, "frameElement", "div >> nth=0", true)
	if r.thrown() != `Error: Selector "div >> nth=0" resolved to <div id="a"></div>, <iframe> was expected` {
		t.Errorf("frame: %q", r.thrown())
	}
	if r = p.invoke(p.utility, false, "frameElement", "iframe", true); r.Result.ObjectID == "" {
		t.Errorf("frame: %+v", r)
	}
	if r = p.invoke(p.utility, false, "queryAll", "div"); r.Result.Subtype != "array" {
		t.Errorf("all: %+v", r)
	}
	ref := p.value("find", "#b", map[string]any{"strict": true}).(map[string]any)["ref"]
	p.cdp("HeapProfiler.collectGarbage", nil, nil)
	r = p.invoke(p.utility, false, "element", ref)
	if r.Result.ObjectID == "" {
		t.Fatalf("the element of a ref: %+v", r)
	}
	if again := p.invoke(p.utility, true, "refOf", object(r.Result.ObjectID)); string(again.Result.Value) != fmt.Sprint(ref) {
		t.Errorf("its ref is %s, before %v", again.Result.Value, ref)
	}
}
