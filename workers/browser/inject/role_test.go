package inject_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// axNode is what Chromium says of one element.
type axNode struct {
	Role, Name, Description string
}

// accessibilityTree asks Chromium for all elements with an id that are in its tree.
func (p *page) accessibilityTree() map[string]axNode {
	p.t.Helper()
	type domNode struct {
		BackendNodeID int64
		Attributes    []string
		Children      []json.RawMessage
		ShadowRoots   []json.RawMessage
	}
	var document struct{ Root json.RawMessage }
	p.cdp("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &document)
	ids := map[int64]string{}
	var walk func(raw json.RawMessage)
	walk = func(raw json.RawMessage) {
		var node domNode
		p.must(json.Unmarshal(raw, &node))
		for i := 0; i+1 < len(node.Attributes); i += 2 {
			if node.Attributes[i] == "id" {
				ids[node.BackendNodeID] = node.Attributes[i+1]
			}
		}
		for _, child := range append(node.Children, node.ShadowRoots...) {
			walk(child)
		}
	}
	walk(document.Root)
	var tree struct {
		Nodes []struct {
			Ignored                 bool
			BackendDOMNodeID        int64
			Role, Name, Description struct{ Value any }
		}
	}
	p.cdp("Accessibility.getFullAXTree", nil, &tree)
	nodes := map[string]axNode{}
	for _, node := range tree.Nodes {
		if id := ids[node.BackendDOMNodeID]; id != "" && !node.Ignored {
			text := func(v any) string {
				s, _ := v.(string)
				return strings.Join(strings.Fields(s), " ")
			}
			nodes[id] = axNode{text(node.Role.Value), text(node.Name.Value), text(node.Description.Value)}
		}
	}
	return nodes
}

// sameRole are Chromium's names for what ARIA calls otherwise or has no role for.
var sameRole = map[string]string{
	"image": "img", "MathMLMath": "math", "generic": "", "LabelText": "", "Legend": "", "DisclosureTriangle": "", "Figcaption": "", "Iframe": "",
	"sectionheader": "", "sectionfooter": "", "DescriptionList": "",
}

// deviations are where Playwright decides differently from Chromium, and so do we.
var deviations = map[string]string{
	"forms/form2":        "a form without a name has no role",
	"hidden/h17":         "inert content counts",
	"hidden/h20":         "a hidden option does not count",
	"names/n15":          "a titled element without content adds its title",
	"names/n30":          "an option keeps its role outside of a listbox",
	"names/n38":          "a hidden label names its control",
	"names/n40":          "paragraphs cannot be named",
	"names/n43":          "invisible characters are left out",
	"names/n44":          "a row is named by its cells",
	"names/n49":          "owned content is joined like a child",
	"structure/address1": "address has no role",
	"structure/area1":    "an area has no box, so it counts as hidden",
	"structure/dfn1":     "terms cannot be named",
	"structure/dt1":      "terms cannot be named",
	"structure/figure1":  "a figure is named by its caption",
	"structure/img4":     "a title names an image with an empty alt",
	"tables/td8":         "cells of a layout table are said to be presentational",
	"tables/tr6":         "rows of a layout table are said to be presentational",
	"tables/tr1":         "a row is named by its cells",
	"tables/tr2":         "a row is named by its cells",
	"tables/tr3":         "a row is named by its cells",
	"tables/tr4":         "a row is named by its cells",
	"tables/tr7":         "a row is named by its cells",
	"tables/tr8":         "a row is named by its cells",
	"widgets/te1":        "terms cannot be named",
	"widgets/upper":      "role names are in lower case",
}

// Roles and names are Chromium's own, element by element, but for the deviations named above.
func TestRolesAndNamesAreChromiums(t *testing.T) {
	entries, err := os.ReadDir("testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, entry := range entries {
		file := strings.TrimSuffix(entry.Name(), ".html")
		p := open(t, "corpus/"+entry.Name())
		tree := p.accessibilityTree()
		ids := strings.Fields(p.ids("[id]"))
		roles := p.value("readAll", "[id]", "role").([]any)
		names := p.value("readAll", "[id]", "name").([]any)
		inTree := map[string]bool{}
		for _, role := range roles {
			if role != "" {
				for _, id := range strings.Fields(p.ids("role=" + role.(string))) {
					inTree[id] = true
				}
			}
		}
		for i, id := range ids {
			role, name := roles[i].(string), strings.Join(strings.Fields(names[i].(string)), " ")
			theirs, isInTheirs := tree[id]
			if same, ok := sameRole[theirs.Role]; ok {
				theirs.Role = same
			}
			var differs string
			switch {
			case role != "" && role != "none" && role != "presentation" && inTree[id] != isInTheirs:
				differs = fmt.Sprintf("in the tree: %v, in Chromium's: %v", inTree[id], isInTheirs)
			case !isInTheirs || role != "" && !inTree[id]:
			case theirs.Role != role:
				differs = fmt.Sprintf("role %q, Chromium says %q", role, theirs.Role)
			case theirs.Name != name:
				differs = fmt.Sprintf("name %q, Chromium says %q", name, theirs.Name)
			}
			compared++
			reason, expected := deviations[file+"/"+id]
			if differs != "" && !expected {
				t.Errorf("%s #%s: %s", file, id, differs)
			}
			if differs == "" && expected {
				t.Errorf("%s #%s: no difference any more: %s", file, id, reason)
			}
		}
	}
	if compared < 250 {
		t.Errorf("only %d elements were compared", compared)
	}
}

// The table of issue 3: custom elements whose shadow tree is a button around a slot.
func TestRoleOfSlottedButtons(t *testing.T) {
	p := open(t, "corpus/shadow.html")
	for _, c := range []struct{ selector, want string }{
		{`internal:role=button[name="Pay now"i]`, "in-x1 in-x3"},
		{`internal:role=button[name="Pay now"s]`, "in-x1"},
		{`internal:role=button[name=/now$/]`, "in-x1"},
		{`internal:role=button[include-hidden=true][name="Pay now"s]`, "in-x1 in-x2"},
		{`internal:role=heading[name="Card title"s]`, "in-title"},
		{`internal:role=region[name="Card title"s]`, "in-section"},
		{`internal:role=textbox[name="Inner label"s]`, "in-input"},
		{`internal:label="Inner label"i`, "in-input"},
		{`internal:role=button[name="Default text"s]`, "in-default"},
	} {
		if got := p.ids(c.selector); got != c.want {
			t.Errorf("%s finds %q, wanted %q", c.selector, got, c.want)
		}
	}
	r := p.call("pointer", `internal:role=button[name="Pay now"i]`, map[string]any{"action": "click", "strict": true})
	if !strings.HasPrefix(r.Error, "Error: strict mode violation: getByRole('button', { name: 'Pay now' }) resolved to 2 elements:\n") {
		t.Errorf("a click on both says %q", r.Error)
	}
	if !strings.Contains(r.Error, "aka getByRole('button', { name: 'Pay now', exact: true })") {
		t.Errorf("it does not suggest the exact name: %q", r.Error)
	}
	names := open(t, "corpus/names.html")
	if got := names.value("read", "#n21", "name", map[string]any{}); got != "falls back" {
		t.Errorf("aria-labelledby to a missing id: %q", got)
	}
	widgets := open(t, "corpus/widgets.html")
	if got := widgets.ids(`internal:role=combobox[name="Country"s]`); got != "cb1" {
		t.Errorf("a labelled combobox button: %q", got)
	}
}

func TestRoleOptions(t *testing.T) {
	p := setContent(t, `
<input type=checkbox id=c1 checked><input type=checkbox id=c2><div id=c3 role=checkbox aria-checked=mixed>m</div><div id=c4 role=switch aria-checked=true>s</div>
<button id=b1 aria-pressed=true>P</button><button id=b2 aria-pressed=mixed>P</button><button id=b3 aria-expanded=true>E</button><button id=b4 aria-expanded=false>E</button>
<button id=b5 disabled>D</button><fieldset disabled><legend><button id=b6>L</button></legend><button id=b7>F</button></fieldset><div aria-disabled=true><div id=b8 role=button>A</div></div>
<select aria-label=s><option id=o1 selected>1</option><option id=o2>2</option></select><div role=tab id=t1 aria-selected=true>T</div>
<h2 id=h1>H</h2><div role=heading aria-level=2 id=h2>H</div><h3 id=h3>H</h3><ul><li id=l1 aria-level=2>x</li></ul>
<button id=d1 aria-describedby=desc>X</button><span id=desc>It saves</span><button id=d2 title="It saves">Y</button>`)
	for _, c := range []struct{ selector, want string }{
		{"internal:role=checkbox[checked=true]", "c1"},
		{"internal:role=checkbox[checked=false]", "c2"},
		{"role=checkbox[checked]", "c1"},
		{`role=checkbox[checked="mixed"]`, "c3"},
		{"role=switch[checked]", "c4"},
		{"role=button[pressed]", "b1"},
		{`role=button[pressed="mixed"]`, "b2"},
		{"role=button[expanded]", "b3"},
		{"role=button[expanded=false]", "b4"},
		{"role=button[disabled]", "b5 b7 b8"},
		{"role=button[disabled=false]", "b1 b2 b3 b4 b6 d1 d2"},
		{"role=option[selected]", "o1"},
		{"role=option[selected=false]", "o2"},
		{"role=tab[selected]", "t1"},
		{"role=heading[level=2]", "h1 h2"},
		{"role=listitem[level=2]", "l1"},
		{`internal:role=button[description="saves"i]`, "d1 d2"},
		{`internal:role=button[description="It saves"s][name="y"i]`, "d2"},
		{`role=button[name="x"]`, ""},
		{`role=button[name="x" i]`, "d1"},
		{`role=button[name^="X"]`, "d1"},
		{`ROLE=x`, "error: Unknown engine \"ROLE\" while parsing selector ROLE=x"},
		{"role=BUTTON[pressed]", "b1"},
	} {
		if got := p.ids(c.selector); got != c.want {
			t.Errorf("%s finds %q, wanted %q", c.selector, got, c.want)
		}
	}
}

func TestLabels(t *testing.T) {
	p := setContent(t, `
<label for=a>User Name</label><input id=a><label id=lb>Pass <input id=b type=password></label><input id=c aria-label="User name"><span id=s1>Star</span><span id=s2>Ship</span><div id=d aria-labelledby="s1 s2">x</div>
<label for=e>Both</label><input id=e aria-label=Other><label for=f>First</label><label for=f>Second</label><textarea id=f></textarea><label for=h>Hidden</label><input id=h type=hidden><label for=g>Nope</label><div id=g></div>`)
	for _, c := range []struct{ selector, want string }{
		{`internal:label="user name"i`, "a c"},
		{`internal:label="User Name"s`, "a"},
		{`internal:label=/^user/i`, "a c"},
		{`internal:label="pass"i`, "b"},
		{`internal:label="Star"i`, "d"},
		{`internal:label="Ship"s`, "d"},
		{`internal:label="Both"i`, ""},
		{`internal:label="Other"i`, "e"},
		{`internal:label="second"i`, "f"},
		{`internal:label="hidden"i`, ""},
		{`internal:label="nope"i`, ""},
	} {
		if got := p.ids(c.selector); got != c.want {
			t.Errorf("%s finds %q, wanted %q", c.selector, got, c.want)
		}
	}
}
