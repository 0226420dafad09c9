package cursor

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const draftJSON = `{"m":"pages","pos":{"page":2,"offset":0},"n":20,"a":"D3GbHzpC","s":["D3GbHzpC"]}`

func draftOf(content string) string {
	return draftPrefix + base64.RawURLEncoding.EncodeToString([]byte(content))
}

func testKey(id string, first byte) Key {
	secret := make([]byte, 32)
	for i := range secret {
		secret[i] = first + byte(i)
	}
	return Key{id, secret}
}

func keys(t *testing.T, current Key, previous ...Key) Keys {
	t.Helper()
	k, err := NewKeys(current, previous...)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

var (
	issued = time.Unix(1_700_000_000, 0)
	list   = List{Operation: "op", OnSite: func(address string) bool { return strings.HasPrefix(address, "https://x.test/") }}
)

// seal seals a draft for an input and gives the cursor.
func seal(t *testing.T, k Keys, l List, input, draft string) string {
	t.Helper()
	out, err := k.Seal(l, json.RawMessage(input), json.RawMessage(`{"next_cursor":"`+draft+`","has_more":true}`), issued)
	if err != nil {
		t.Fatal(err)
	}
	var fields struct {
		Cursor  string `json:"next_cursor"`
		Expires string `json:"next_cursor_expires_at"`
	}
	if err := json.Unmarshal(out, &fields); err != nil || fields.Expires != "2023-11-14T22:23:20.000Z" {
		t.Fatalf("%s, %v", out, err)
	}
	return fields.Cursor
}

// The vector of spec §8.3.
func TestTheKnownCursor(t *testing.T) {
	k := keys(t, testKey("k1", 0))
	got := strings.Split(seal(t, k, list, `{"q":"x"}`, draftOf(draftJSON)), ".")
	content, err := base64.RawURLEncoding.DecodeString(got[2])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"v":1,"op":"b_SZoe_ogRDcOj4D","ih":"vonMe48_IounxstB","sub":"uiQQcm7fpyfvuoN6","iat":1700000000,"exp":1700000600,` + draftJSON[1:]
	if string(content) != want {
		t.Error(cmp.Diff(want, string(content)))
	}
	if got[0] != "pc1" || got[1] != "k1" || got[3] != "-sT_9geLAlnEU5tDPq-TGPwvG2p9-xa5N_F3GEYgBqk" {
		t.Errorf("%q", got)
	}
}

func TestACursorComesBack(t *testing.T) {
	k := keys(t, testKey("k1", 0))
	text := seal(t, k, list, `{"q":"x","limit":20}`, draftOf(`{"m":"next_link","pos":{"offset":3,"href":"https://x.test/p?2","scope":"é"},"n":40,"s":[],"cx":"D3GbHzpC"}`))
	// Order, spacing, limit and include of the input do not matter; the number's spelling does not either.
	for _, input := range []string{`{"q":"x","cursor":"CURSOR"}`, ` { "include" : ["a"], "cursor":"CURSOR","limit":5, "q":"\u0078" }`} {
		got, err := k.Admit(list, json.RawMessage(strings.Replace(input, "CURSOR", text, 1)), issued.Add(TTL-time.Second))
		if err != nil {
			t.Fatal(err)
		}
		offset, n := 3, 40
		if diff := cmp.Diff(&Draft{Mechanism: "next_link", Position: Position{Offset: &offset, Href: "https://x.test/p?2", Scope: "é"}, Returned: &n, Seen: []string{}, Context: "D3GbHzpC"}, got); diff != "" {
			t.Error(diff)
		}
		back, err := got.Marshal()
		if err != nil || string(back) != `{"m":"next_link","pos":{"offset":3,"href":"https://x.test/p?2","scope":"é"},"n":40,"s":[],"cx":"D3GbHzpC"}` {
			t.Errorf("%s, %v", back, err)
		}
	}
	rotated := keys(t, testKey("k2", 9), testKey("k1", 0))
	if got, err := rotated.Admit(list, json.RawMessage(`{"q":"x","cursor":"`+text+`"}`), issued); err != nil || got == nil {
		t.Errorf("after the key was rotated: %v", err)
	}
}

func TestTheFirstPage(t *testing.T) {
	k := keys(t, NewKey())
	for _, input := range []string{``, `null`, `[]`, `{}`, `{"cursor":null}`, `{"cursor":""}`, `{"Cursor":"x"}`} {
		if got, err := k.Admit(list, json.RawMessage(input), issued); got != nil || err != nil {
			t.Errorf("%s: %v, %v", input, got, err)
		}
	}
}

func TestCursorsThatMayNotContinue(t *testing.T) {
	k := keys(t, testKey("k1", 0))
	good := seal(t, k, list, `{"q":"x"}`, draftOf(draftJSON))
	parts := strings.Split(good, ".")
	signed := func(content string) string {
		unsigned := "pc1.k1." + base64.RawURLEncoding.EncodeToString([]byte(content))
		return unsigned + "." + testKey("k1", 0).sign(unsigned)
	}
	content, _ := base64.RawURLEncoding.DecodeString(parts[2])
	away := seal(t, k, List{Operation: "op", OnSite: func(string) bool { return true }}, `{"q":"x"}`, draftOf(`{"m":"next_link","pos":{"offset":0,"href":"https://y.test/"},"n":0,"s":[]}`))
	other := List{Operation: "op2", OnSite: list.OnSite}
	for name, r := range map[string]struct {
		cursor string
		list   List
		input  string
		now    time.Time
		kind   Kind
	}{
		"a number":               {"7", list, "", issued, Malformed},
		"a draft":                {`"` + draftOf(draftJSON) + `"`, list, "", issued, Malformed},
		"any text":               {`"page 2"`, list, "", issued, Malformed},
		"pc alone":               {`"pc.k1.a.b"`, list, "", issued, Malformed},
		"a later version":        {`"pc2.` + strings.Join(parts[1:], ".") + `"`, list, "", issued, Version},
		"a later version, short": {`"pc17"`, list, "", issued, Version},
		"too long":               {`"pc1.k1.` + strings.Repeat("A", MaxCursor) + "." + parts[3] + `"`, list, "", issued, Malformed},
		"a part too few":         {`"` + strings.Join(parts[:3], ".") + `"`, list, "", issued, Malformed},
		"a part too many":        {`"` + good + `.x"`, list, "", issued, Malformed},
		"no body":                {`"pc1.k1..` + parts[3] + `"`, list, "", issued, Malformed},
		"another alphabet":       {`"` + strings.Replace(good, parts[3], strings.Repeat("+", 43), 1) + `"`, list, "", issued, Malformed},
		"a short signature":      {`"` + good[:len(good)-1] + `"`, list, "", issued, Malformed},
		"another key":            {`"` + strings.Replace(good, ".k1.", ".k9.", 1) + `"`, list, "", issued, UnknownKey},
		"another signature":      {`"` + good[:len(good)-43] + strings.Repeat("A", 43) + `"`, list, "", issued, Altered},
		"another body":           {`"` + strings.Replace(good, parts[2], parts[2][:len(parts[2])-1]+"A", 1) + `"`, list, "", issued, Altered},
		"signed, not JSON":       {`"` + signed("x") + `"`, list, "", issued, Malformed},
		"signed, no version":     {`"` + signed(`{}`) + `"`, list, "", issued, Malformed},
		"signed, version 2":      {`"` + signed(strings.Replace(string(content), `"v":1`, `"v":2`, 1)) + `"`, list, "", issued, Version},
		"signed, unknown key":    {`"` + signed(strings.Replace(string(content), `"v":1`, `"v":1,"x":1`, 1)) + `"`, list, "", issued, Malformed},
		"signed, bad position":   {`"` + signed(strings.Replace(string(content), `"page":2`, `"page":0`, 1)) + `"`, list, "", issued, Malformed},
		"another tool":           {`"` + good + `"`, other, "", issued, OtherTool},
		"another account":        {`"` + good + `"`, List{Operation: "op", Subject: "me"}, "", issued, OtherAccount},
		"other inputs":           {`"` + good + `"`, list, `"q":"y",`, issued, InputsChanged},
		"one more input":         {`"` + good + `"`, list, `"q":"x","r":1,`, issued, InputsChanged},
		"tool before account":    {`"` + good + `"`, List{Operation: "op2", Subject: "me"}, `"q":"y",`, issued.Add(time.Hour), OtherTool},
		"its time is up":         {`"` + good + `"`, list, "", issued.Add(TTL), Expired},
		"a link off the site":    {`"` + away + `"`, list, "", issued, OffSite},
	} {
		input := r.input
		if input == "" {
			input = `"q":"x",`
		}
		got, err := k.Admit(r.list, json.RawMessage(`{`+input+`"cursor":`+r.cursor+`}`), r.now)
		var refusal *Refusal
		if got != nil || !errors.As(err, &refusal) || refusal.Kind != r.kind {
			t.Errorf("%s: %v, %v, want %s", name, got, err, r.kind)
			continue
		}
		if text := err.Error(); !strings.Contains(text, "without a cursor") || strings.HasPrefix(text, ";") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestSealing(t *testing.T) {
	k := keys(t, testKey("k1", 0))
	long := draftOf(`{"m":"api","pos":{"offset":0,"href":"https://x.test/` + strings.Repeat("a", 600) + `","token":"` + strings.Repeat("b", 500) + `"},"n":0,"s":[]}`)
	for _, r := range []struct{ name, input, output, want string }{
		{"not an object", `{}`, `[1]`, `[1]`},
		{"nothing", `{}`, ``, ``},
		{"no list", `{}`, `{"a": 1}`, `{"a": 1}`},
		{"the last page", `{}`, `{"next_cursor": null}`, `{"next_cursor": null}`},
		{"a text of the script's own", `{}`, `{"rows": [1],"next_cursor":"page 2","has_more":true}`, `{"rows":[1],"next_cursor":null,"has_more":true,"next_cursor_unavailable":"not_a_draft"}`},
		{"a number", `{}`, `{"next_cursor":2,"has_more":false}`, `{"next_cursor":null,"has_more":false}`},
		{"an object", `{}`, `{"next_cursor":{},"has_more":true,"next_cursor_unavailable":"x"}`, `{"next_cursor":null,"has_more":true,"next_cursor_unavailable":"not_a_draft"}`},
		{"a sealed cursor", `{}`, `{"next_cursor":"pc1.k1.AA.` + strings.Repeat("A", 43) + `"}`, `{"next_cursor":null}`},
		{"a link off the site", `{}`, `{"next_cursor":"` + draftOf(`{"m":"next_link","pos":{"offset":0,"href":"https://y.test/"},"n":0,"s":[]}`) + `","has_more":true}`, `{"next_cursor":null,"has_more":true,"next_cursor_unavailable":"off_site"}`},
		{"an input that is no JSON", `{`, `{"next_cursor":"` + draftOf(draftJSON) + `","has_more":true}`, `{"next_cursor":null,"has_more":true,"next_cursor_unavailable":"inputs_not_json"}`},
	} {
		got, err := k.Seal(list, json.RawMessage(r.input), json.RawMessage(r.output), issued)
		if err != nil || string(got) != r.want {
			t.Errorf("%s: %s, %v", r.name, got, err)
		}
	}
	if got := seal(t, k, list, `{}`, long); len(got) > MaxCursor {
		t.Errorf("%d bytes", len(got))
	}
}

func TestAnOutputThatIsNoJSONIsNotSealed(t *testing.T) {
	k := keys(t, testKey("k1", 0))
	for _, output := range []string{`{"next_cursor":`, `{"next_cursor":null,"next_cursor":"` + draftOf(draftJSON) + `"}`} {
		if got, err := k.Seal(list, json.RawMessage(`{}`), json.RawMessage(output), issued); err == nil {
			t.Errorf("%s: %s", output, got)
		}
	}
}

func TestDraftsAreStrict(t *testing.T) {
	if _, err := DecodeDraft(draftOf(draftJSON)); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{
		``, `null`, `{}`, `[]`, draftJSON + ` x`,
		strings.Replace(draftJSON, `"n":20`, `"n":20,"x":1`, 1), strings.Replace(draftJSON, `"offset":0`, `"offset":0,"x":1`, 1),
		strings.Replace(draftJSON, `pages`, `leaps`, 1), strings.Replace(draftJSON, `"page":2`, `"page":0`, 1), strings.Replace(draftJSON, `"page":2`, `"page":100001`, 1),
		strings.Replace(draftJSON, `"page":2`, `"page":"2"`, 1), strings.Replace(draftJSON, `,"offset":0`, ``, 1), strings.Replace(draftJSON, `"offset":0`, `"offset":-1`, 1),
		strings.Replace(draftJSON, `"offset":0`, `"offset":0,"pageSize":0`, 1), strings.Replace(draftJSON, `"n":20,`, ``, 1), strings.Replace(draftJSON, `"n":20`, `"n":1.5`, 1),
		strings.Replace(draftJSON, `"a":"D3GbHzpC"`, `"a":"short"`, 1), strings.Replace(draftJSON, `["D3GbHzpC"]`, `["D3GbHzp+"]`, 1), strings.Replace(draftJSON, `,"s":["D3GbHzpC"]`, ``, 1),
		strings.Replace(draftJSON, `["D3GbHzpC"]`, `["`+strings.Repeat(`D3GbHzpC","`, 16)+`D3GbHzpC"]`, 1),
		strings.Replace(draftJSON, `"offset":0`, `"offset":0,"href":"`+strings.Repeat("x", 1025)+`"`, 1), strings.Replace(draftJSON, `"offset":0`, `"offset":0,"token":"`+strings.Repeat("x", 513)+`"`, 1),
		strings.Replace(draftJSON, `"offset":0`, `"offset":0,"scope":"`+strings.Repeat("😀", 101)+`"`, 1),
	} {
		if _, err := DecodeDraft(draftOf(content)); err == nil {
			t.Errorf("%s is taken for a draft", content)
		}
	}
	for _, text := range []string{"", "pcd1.", "pcd2." + draftOf(draftJSON)[5:], draftOf(draftJSON) + "=", draftPrefix + strings.Repeat("A", 2000)} {
		if _, err := DecodeDraft(text); err == nil {
			t.Errorf("%s is taken for a draft", text)
		}
	}
}

func TestKeysThatCannotSign(t *testing.T) {
	for _, list := range [][]Key{
		{{"", make([]byte, 32)}}, {{"k.1", make([]byte, 32)}}, {{strings.Repeat("k", 17), make([]byte, 32)}}, {{"k", make([]byte, 31)}},
		{testKey("k", 0), testKey("k", 1)}, {testKey("k", 0), {"l", nil}},
	} {
		if _, err := NewKeys(list[0], list[1:]...); err == nil {
			t.Errorf("%d keys, the first called %q", len(list), list[0].ID)
		}
	}
	if a, b := NewKey(), NewKey(); a.ID == b.ID || string(a.Secret) == string(b.Secret) || a.validate() != nil {
		t.Error("random keys are not")
	}
}

func TestOperationText(t *testing.T) {
	if got := OperationText("https://x.test", "src/tool.mjs", "abc"); got != "https://x.test\x00src/tool.mjs\x00abc" {
		t.Errorf("%q", got)
	}
}

func FuzzAdmitAndSeal(f *testing.F) {
	k, err := NewKeys(testKey("k1", 0))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(`{"q":"x","cursor":"pc1.k1.e30.`+strings.Repeat("A", 43)+`"}`, `{"next_cursor":"`+draftOf(draftJSON)+`","has_more":true}`)
	f.Add(`{"cursor":"pc2.x"}`, `{"next_cursor":7,"has_more":true}`)
	f.Add(`[1e400]`, `{"next_\u0063ursor":"pcd1.e30"}`)
	f.Fuzz(func(t *testing.T, input, output string) {
		var refusal *Refusal
		if _, err := k.Admit(list, json.RawMessage(input), issued); err != nil && !errors.As(err, &refusal) {
			t.Fatal(err)
		}
		sealed, err := k.Seal(list, json.RawMessage(input), json.RawMessage(output), issued)
		if err != nil {
			return // not JSON, or a key twice
		}
		var fields map[string]json.RawMessage
		if json.Valid([]byte(output)) && json.Unmarshal(sealed, &fields) == nil && fields["next_cursor"] != nil {
			var text string
			if json.Unmarshal(fields["next_cursor"], &text) == nil && strings.HasPrefix(text, draftPrefix) {
				t.Fatalf("a draft reaches the caller: %s", sealed)
			}
		}
	})
}
