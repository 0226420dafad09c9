package inject_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// The locator a person would write.
func TestSuggestedLocators(t *testing.T) {
	p := setContent(t, `
<button id=b1>Save</button><button>Save all</button><div data-testid=box><span>Inside</span></div><div data-test=other>Other id</div>
<input id=i1 placeholder="Your name"><label>Mail <input id=i2></label><input id=i3 aria-label="Phone"><input name=plain><input type=color>
<img alt="Company logo"><img alt=""><a href=# title="Back home"></a><h2>Section 12</h2><p>Order number 12345</p>
<ul class=list><li class=one>Tea</li><li class=two>Tea</li></ul><div id=main><p class="x y">lonely</p></div>
<div id="a1B2c3D4e5"><em></em></div><section><div><i></i><i></i></div></section>
<select><option>A</option></select><button><b id=bold>Bold</b> move</button><iframe name=frame1></iframe><iframe title="Ad frame"></iframe>
<x-a></x-a><button aria-describedby=hint>Go</button><button>Go</button><span id=hint>Goes there</span>
<p id=long>This is a long sentence that nobody would want to see as a whole in the text of a locator</p>`)
	for _, c := range []struct{ selector, want string }{
		{"#b1", "getByRole('button', { name: 'Save', exact: true })"},
		{"button >> nth=1", "getByRole('button', { name: 'Save all' })"},
		{"[data-testid]", "getByTestId('box')"},
		{"[data-test]", "locator('[data-test=\"other\"]')"},
		{"[data-testid] span", "getByText('Inside')"},
		{"#i1", "getByRole('textbox', { name: 'Your name' })"},
		{"#i2", "getByRole('textbox', { name: 'Mail' })"},
		{"#i3", "getByRole('textbox', { name: 'Phone' })"},
		{"[name=plain]", "locator('input[name=\"plain\"]')"},
		{"[type=color]", "locator('input[type=\"color\"]')"},
		{"img >> nth=0", "getByRole('img', { name: 'Company logo' })"},
		{"[title='Back home']", "getByRole('link', { name: 'Back home' })"},
		{"h2", "getByRole('heading', { name: 'Section' })"},
		{"text=Order", "getByText('Order number')"},
		{".two", "getByText('Tea').nth(1)"},
		{"#main p", "getByText('lonely')"},
		{"select", "getByRole('combobox')"},
		{"#bold", "getByRole('button', { name: 'Bold move' })"},
		{"[name=frame1]", "locator('iframe[name=\"frame1\"]')"},
		{"iframe >> nth=1", "locator('iframe[title=\"Ad frame\"]')"},
		{"x-a", "locator('x-a')"},
		{"em", "getByRole('emphasis')"},
		{"section i >> nth=1", "locator('i').nth(1)"},
		{"#long", "getByText('This is a long sentence that')"},
		{"[aria-describedby]", "getByRole('button', { name: 'Go', description: 'Goes there' })"},
		{"html", "locator('html')"},
	} {
		selector := p.value("read", c.selector, "selector", map[string]any{}).(string)
		got := strings.Trim(string(p.invoke(p.utility, true, "asLocator", selector).Result.Value), `"`)
		got = strings.ReplaceAll(got, `\"`, `"`)
		if got != c.want {
			t.Errorf("%s\n  suggests %s\n  wanted %s", c.selector, got, c.want)
		}
		if n := p.value("count", selector); n != 1.0 {
			t.Errorf("%s: %s finds %v elements", c.selector, selector, n)
		}
	}
}

// What is the same in every row is told apart by its row.
func TestSuggestionsInRows(t *testing.T) {
	p := setContent(t, `<table><tr><td>Ann</td><td><button>Edit</button></td></tr><tr><td>Bob</td><td><button>Edit</button></td></tr></table>`)
	if got := p.value("read", "tr >> nth=1 >> button", "selector", map[string]any{}); got != `internal:role=row[name="Bob Edit"i] >> internal:role=button` {
		t.Errorf("suggests %s", got)
	}
}

// A suggestion finds its element whatever the page looks like.
func TestSuggestionsFindTheirElement(t *testing.T) {
	for _, file := range []string{"forms", "structure", "tables", "widgets", "names", "shadow"} {
		p := open(t, "corpus/"+file+".html")
		ids := strings.Fields(p.ids("body [id]"))
		for i, selector := range p.value("readAll", "body [id]", "selector").([]any) {
			if n := p.value("count", selector); n != 1.0 {
				t.Errorf("%s #%s: %s finds %v elements", file, ids[i], selector, n)
			}
		}
	}
}

func TestStrictErrors(t *testing.T) {
	p := setContent(t, `<div id=a>One</div><div class=x style="color:red" data-long="`+strings.Repeat("z", 600)+`">Two</div><div><p>Three</p></div>`)
	r := p.call("read", "div", "textContent", map[string]any{"strict": true})
	lines := strings.Split(r.Error, "\n")
	want := []string{
		"Error: strict mode violation: locator('div') resolved to 3 elements:",
		`    1) <div id="a">One</div> aka getByText('One')`,
		`    2) <div class="x" data-long="` + strings.Repeat("z", 499-len(` class="x" data-long="`)) + `…>Two</div> aka getByText('Two')`,
		`    3) <div>…</div> aka locator('div').filter({ hasText: 'Three' })`,
		"",
	}
	if len(lines) != len(want) {
		t.Fatalf("%q", lines)
	}
	for i := range want {
		if lines[i] != want[i] {
			t.Errorf("line %d is\n%s\nwanted\n%s", i, lines[i], want[i])
		}
	}
	many := setContent(t, strings.Repeat("<i></i>", 12))
	r = many.call("read", "i", "textContent", map[string]any{"strict": true})
	if lines := strings.Split(r.Error, "\n"); len(lines) != 13 || lines[11] != "    ..." {
		t.Errorf("of 12 elements: %q", lines)
	}
	if r := many.call("read", "i", "textContent", map[string]any{}); r.Error != "" || r.Value != "" {
		t.Errorf("not strict: %+v", r)
	}
}

func TestPreviews(t *testing.T) {
	p := setContent(t, `<p id=a class=bb title="x&#10;y">line
two	tab</p><input id=b disabled value="" readonly=readonly><div id=c><b></b></div><div id=d>`+strings.Repeat("long ", 20)+`</div><br id=e><div id=f></div><div id=g>a<!---->b</div>`)
	for id, want := range map[string]string{
		"a": `<p id="a" class="bb" title="x↵y">line↵two⇆tab</p>`,
		"b": `<input id="b" disabled value="" readonly="readonly"/>`,
		"c": `<div id="c">…</div>`,
		"d": `<div id="d">` + strings.Repeat("long ", 10)[:49] + `…</div>`,
		"e": `<br id="e"/>`,
		"f": `<div id="f"></div>`,
		"g": `<div id="g">…</div>`,
	} {
		if got := p.value("read", "#"+id, "preview", map[string]any{}); got != want {
			t.Errorf("#%s is %s, wanted %s", id, got, want)
		}
	}
	for expression, want := range map[string]string{
		"document": `<#document />`,
		"document.getElementById('a').firstChild": `#text=line↵two⇆tab`,
	} {
		var got string
		p.must(json.Unmarshal(p.invoke(p.utility, true, "preview", object(p.object(expression, p.utilityWorld))).Result.Value, &got))
		if got != want {
			t.Errorf("%s is %s, wanted %s", expression, got, want)
		}
	}
}
