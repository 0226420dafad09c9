package playwright

import (
	"encoding/json"
	"testing"
)

func TestAriaSnapshotAsData(t *testing.T) {
	s := open(t)
	s.want(`
		await page.setContent('Hi <h1>A: "b"</h1><ul aria-label="my list"><li>one</li><li>two <a href="/x">l</a></li></ul><input type=checkbox title=C checked><button disabled>x</button>');
		return page.ariaSnapshotJSON();
	`, `[{"role":"text","text":"Hi"},{"role":"heading","name":"A: \"b\"","level":1},{"role":"list","name":"my list","children":[{"role":"listitem","text":"one"},`+
		`{"role":"listitem","children":["two",{"role":"link","name":"l","url":"/x"}]}]},{"role":"checkbox","name":"C","checked":true},{"role":"button","name":"x","disabled":true}]`)
}

func FuzzParseAria(f *testing.F) {
	for _, seed := range []string{"- list:\n  - listitem: one", "- 'heading \"a: b\" [level=1]'", `- text: "x\ny"`, "- link \"l\":\n  - /url: /x", "- a [box=1,2", "- '", "      - deep"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range parseAria(text) {
			if _, err := json.Marshal(n.name + n.role + n.text); err != nil {
				t.Error(err)
			}
		}
	})
}
