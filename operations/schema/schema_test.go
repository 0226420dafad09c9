package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

func compile(t *testing.T, text string) *Schema {
	t.Helper()
	s, err := Compile(json.RawMessage(text))
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return s
}

// fits checks values against one schema: those that must pass, and those that must not.
func fits(t *testing.T, schema string, pass, fail []string) {
	t.Helper()
	s := compile(t, schema)
	for _, value := range pass {
		if err := s.Validate(json.RawMessage(value)); err != nil {
			t.Errorf("%.120s refuses %.80s: %v", schema, value, err)
		}
	}
	for _, value := range fail {
		if err := s.Validate(json.RawMessage(value)); err == nil {
			t.Errorf("%.120s passes %.80s", schema, value)
		}
	}
}

// Operations rely on this; by the letter of draft-07 the siblings would not count.
func TestKeywordsBesideAReferenceCount(t *testing.T) {
	for _, draft := range []string{`"$schema":"http://json-schema.org/draft-07/schema#",`, `"$schema":"https://json-schema.org/draft/2020-12/schema",`, ``} {
		fits(t, `{`+draft+`"$defs":{"Int":{"type":"integer"}},"$ref":"#/$defs/Int","minimum":1,"maximum":50}`, []string{`1`, `50`}, []string{`0`, `51`, `1.5`, `"1"`})
		fits(t, `{`+draft+`"definitions":{"Int":{"type":"integer"}},"type":"object","properties":{"limit":{"$ref":"#/definitions/Int","description":"d","minimum":1}}}`,
			[]string{`{"limit":1}`}, []string{`{"limit":0}`})
	}
}

func TestAReferenceIsAPointerFromTheRoot(t *testing.T) {
	fits(t, `{"type":"object","properties":{"a/b":{"type":"string"},"c d":{"$ref":"#/properties/a~1b"},"e":{"$ref":"#/properties/c%20d"}}}`,
		[]string{`{"c d":"x","e":"y"}`}, []string{`{"c d":1}`, `{"e":1}`})
	// A recursive schema, by its root and by a definition; and a pointer through a tuple, which is rewritten.
	fits(t, `{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`,
		[]string{`{"next":{"next":{}}}`}, []string{`{"next":{"next":{"last":1}}}`})
	fits(t, `{"$ref":"#/$defs/Tree","$defs":{"Tree":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"of":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}}}}`,
		[]string{`{"n":1,"of":[{"n":2,"of":[]}]}`}, []string{`{"n":1,"of":[{"n":2,"of":[{}]}]}`})
	fits(t, `{"items":[{"type":"string"},{"$ref":"#/items/0"}],"additionalItems":false}`, []string{`["a","b"]`, `["a"]`}, []string{`["a",1]`, `["a","b","c"]`})
	// An $id moves no pointer: contracts carry them ("/schemas/unknown").
	fits(t, `{"$id":"/schemas/x","$defs":{"A":{"$id":"/schemas/unknown","title":"unknown"},"B":{"$id":"https://x.test/b","type":"null"}},"anyOf":[{"$ref":"#/$defs/B"}]}`, []string{`null`}, []string{`1`})
}

func TestSchemasThatCannotBeUsed(t *testing.T) {
	deep := strings.Repeat(`{"not":`, 300) + `true` + strings.Repeat(`}`, 300)
	for schema, pointer := range map[string]string{
		``:                         "",
		`{"type":`:                 "/type",
		`{"a":1,"a":2}`:            "/a",
		`{} {}`:                    "",
		`null`:                     "",
		`[]`:                       "",
		`"string"`:                 "",
		`{"type":"strng"}`:         "/type",
		`{"type":["null",""]}`:     "/type",
		`{"type":[]}`:              "/type",
		`{"type":["null","null"]}`: "/type",
		`{"properties":{"a/b":{"type":"strng"}}}`:                   "/properties/a~1b/type",
		`{"properties":[]}`:                                         "/properties",
		`{"properties":{"a":null}}`:                                 "/properties/a",
		`{"items":3}`:                                               "/items",
		`{"items":[{"type":"x"}]}`:                                  "/items/0/type",
		`{"additionalItems":3}`:                                     "/additionalItems",
		`{"anyOf":[]}`:                                              "/anyOf",
		`{"anyOf":{"type":"null"}}`:                                 "/anyOf",
		`{"allOf":[true,{"oneOf":[{"enum":"a"}]}]}`:                 "/allOf/1/oneOf/0/enum",
		`{"$defs":{"Unused":{"minLength":-1}}}`:                     "/$defs/Unused/minLength",
		`{"definitions":{"Unused":{"maxItems":1.5}}}`:               "/definitions/Unused/maxItems",
		`{"minimum":"1"}`:                                           "/minimum",
		`{"exclusiveMinimum":true}`:                                 "/exclusiveMinimum",
		`{"multipleOf":0}`:                                          "/multipleOf",
		`{"uniqueItems":"yes"}`:                                     "/uniqueItems",
		`{"required":"a"}`:                                          "/required",
		`{"required":["a","a"]}`:                                    "/required",
		`{"dependentRequired":{"a":"b"}}`:                           "/dependentRequired/a",
		`{"dependencies":{"a":3}}`:                                  "/dependencies/a",
		`{"format":7}`:                                              "/format",
		`{"pattern":7}`:                                             "/pattern",
		`{"pattern":"("}`:                                           "/pattern",
		`{"patternProperties":{"(?=a)":true}}`:                      "/patternProperties/(?=a)",
		`{"$ref":7}`:                                                "/$ref",
		`{"$ref":"https://x.test/s.json"}`:                          "/$ref",
		`{"$ref":"//x.test/s.json"}`:                                "/$ref",
		`{"$ref":"urn:x"}`:                                          "/$ref",
		`{"$ref":"other.json#/a"}`:                                  "/$ref",
		`{"properties":{"a":{"$ref":"#/$defs/Missing"}}}`:           "/properties/a/$ref",
		`{"$defs":{"A":{"$ref":"#/$defs/B"}}}`:                      "/$defs/A/$ref",
		`{"$ref":"#Anchor"}`:                                        "/$ref",
		`{"$ref":"#/%zz"}`:                                          "/$ref",
		`{"$ref":"#/title","title":"t"}`:                            "/$ref",
		`{"anyOf":[true],"properties":{"a":{"$ref":"#/anyOf/00"}}}`: "/properties/a/$ref",
		`{"$dynamicRef":"#a"}`:                                      "/$dynamicRef",
		`{"$ref":"#"}`:                                              "",
		`{"$defs":{"A":{"allOf":[{"$ref":"#/$defs/B"}]},"B":{"not":{"$ref":"#/$defs/A"}}},"$ref":"#/$defs/A"}`: "/$defs/A",
		deep:                 "",
		`{"const":1e999999}`: "",
	} {
		_, err := Compile(json.RawMessage(schema))
		var wrong *Error
		if !errors.As(err, &wrong) {
			t.Errorf("%.100s: %v", schema, err)
			continue
		}
		if schema != deep && wrong.Pointer != pointer || wrong.Problem == "" {
			t.Errorf("%.100s: at %q: %s, want %q", schema, wrong.Pointer, wrong.Problem, pointer)
		}
	}
}

func TestPatternsAreJavaScripts(t *testing.T) {
	for _, r := range []struct {
		pattern    string
		pass, fail []string
	}{
		{`^\d+$`, []string{"123"}, []string{"١٢", "12\n", ""}},
		{`b`, []string{"abc"}, []string{"ac"}},
		{`^\w+$`, []string{"aZ_9"}, []string{"é"}},
		{`^\W$`, []string{"é", "-"}, []string{"a"}},
		{`^\s$`, []string{"\u00a0", "\ufeff", "\u2028", "\t", "\v"}, []string{"\u0085", "\u180e", "a"}},
		{`^\S$`, []string{"\u0085", "a"}, []string{"\ufeff", " "}},
		{`^[\s\S]$`, []string{"\n", "é", "😀"}, []string{"ab"}},
		{`^[^\s]$`, []string{"x"}, []string{"\u3000"}},
		{`^.$`, []string{"a", "😀", "\u0085"}, []string{"\n", "\r", "\u2028", "\u2029", "ab"}},
		{`^(?=.*\d)(?=.*[a-z])[a-z\d]{4,}$`, []string{"ab12"}, []string{"abcd", "1234", "a1"}},
		{`^(?!x)\w+$`, []string{"ax"}, []string{"xa"}},
		{`(?<=\$)\d+`, []string{"cost $42"}, []string{"42"}},
		{`^(a|b)\1$`, []string{"aa", "bb"}, []string{"ab"}},
		{`^(?<first>a|b)\k<first>$`, []string{"bb"}, []string{"ba"}},
		{`^(?<year>\d{4})-(?:\d\d)$`, []string{"2024-05"}, []string{"24-05"}},
		{`^\p{L}+$`, []string{"éaß", "字"}, []string{"a1"}},
		{`^\p{Letter}\P{Letter}$`, []string{"é1"}, []string{"éa"}},
		{`^[\p{Lu}\p{Nd}-]+$`, []string{"A-9"}, []string{"a"}},
		{`^[^\P{Lu}]$`, []string{"A"}, []string{"a"}},
		{`^\p{Script=Greek}+$`, []string{"αβ"}, []string{"ab"}},
		{`^\p{gc=Decimal_Number}$`, []string{"٣"}, []string{"x"}},
		{`^\p{Alphabetic}+$`, []string{"abcé", "\u0345"}, []string{"1"}},
		{`^(?=\p{L})\p{ASCII}$`, []string{"a"}, []string{"é", "1"}},
		{`\bfoo\b`, []string{"a foo b", "éfoo"}, []string{"afoo"}},
		{`^(?=\b)foo\b.\B`, []string{"foo--"}, []string{"foo-a"}},
		{`\bfoo(?!d)`, []string{"éfoo"}, []string{"afoo", "food"}},
		{`^\u0041\x42\u{1F600}\ud83d\ude00\t\cJ\0$`, []string{"AB😀😀\t\n\x00"}, []string{"AB"}},
		{`^[\u0041-\u0043\b]+$`, []string{"ABC\b"}, []string{"D", "b"}},
		{`^\/a\-b\.c\$$`, []string{"/a-b.c$"}, []string{"/a-bxc$"}},
		{`^[[:alpha:]]$`, []string{":]", "a]"}, []string{"b"}},
		{`^[a-z&&[b]]$`, []string{"q]", "&]", "[]"}, []string{"b"}},
		{`^[a-c-[b]]$`, []string{"-]", "b]", "[]"}, []string{"a"}},
		{`^[]$`, nil, []string{"", "a"}},
		{`^[^]$`, []string{"\n", "a"}, []string{""}},
		{`^[-a][b-]$`, []string{"-b", "a-"}, []string{"bb"}},
		{`^[\w-.]+$`, []string{"a-.b"}, []string{"a/b"}},
		{`^a{2,3}b{2}c{1,}$`, []string{"aabbc", "aaabbccc"}, []string{"abbc"}},
		{`^a{,2}{$`, []string{"a{,2}{"}, []string{"aa{"}},
		{`^a+?b*?$`, []string{"aab"}, []string{"b"}},
		{`^x{1500}$`, []string{strings.Repeat("x", 1500)}, []string{"x"}}, // more than Go's engine repeats
		{``, []string{"", "a"}, nil},
		{`^}]$`, []string{"}]"}, []string{"}"}},
		{`^#\ \x20 x$`, []string{"#   x"}, []string{"#x"}},
	} {
		encoded, err := json.Marshal(r.pattern)
		if err != nil {
			t.Fatal(err)
		}
		text := func(values []string) (out []string) {
			for _, value := range values {
				encoded, err := json.Marshal(value)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, string(encoded))
			}
			return out
		}
		fits(t, fmt.Sprintf(`{"pattern":%s}`, encoded), append(text(r.pass), `7`, `null`), text(r.fail))
	}
	for _, pattern := range []string{`(`, `[a`, `a**`, `*a`, `(?i)a`, `(?>a)`, `(?#a)`, `(?P<a>b)`, `\A`, `\z`, `\Qa\E`, `[b-a]`, `\p{Emoji_Nonsense}`, `\p{scx=Greek}`, `\pL`, `\u{110000}`, `\u12`, `\ud800`, `\`, `[\`, `\c1`, `(?<a`, `\k<a`, `\x1`} {
		if _, err := compilePattern(pattern); err == nil {
			t.Errorf("%s is taken for JavaScript", pattern)
		}
	}
}

func TestPatternsOfPropertyNames(t *testing.T) {
	fits(t, `{"patternProperties":{"^\\p{Lu}+$":{"type":"integer"},"":{"maximum":9}},"additionalProperties":false}`, []string{`{"É":9}`, `{"b":1}`}, []string{`{"É":"x"}`, `{"b":10}`, `{"É":10}`})
	fits(t, `{"patternProperties":{"^a":{"type":"integer"},"^\\u0061":{"minimum":3}},"additionalProperties":false}`, []string{`{"a":3}`}, []string{`{"a":2}`, `{"a":"x"}`, `{"b":1}`})
}

// A text that makes a backtracking pattern search for ever is no match; it does not hold the process up.
func TestAPatternThatNeverEnds(t *testing.T) {
	s := compile(t, `{"type":"array","items":{"pattern":"^(?=(a+)+$)b"}}`)
	value := `["` + strings.Repeat("a", 40) + `b"]`
	if err := s.Validate(json.RawMessage(value)); err == nil || !strings.Contains(err.Error(), "[0]: must match") {
		t.Errorf("%v", err)
	}
}

func TestFormatIsAnAnnotation(t *testing.T) {
	fits(t, `{"type":"string","format":"date"}`, []string{`"yesterday"`}, nil)
	fits(t, `{"type":"string","title":"File","minLength":1,"format":"file"}`, []string{`"file:///x"`}, []string{`""`, `7`})
	fits(t, `{"type":"string","format":"pomerado-pattern-0"}`, []string{`"x"`}, nil)
	fits(t, `{"contentEncoding":"base64","contentMediaType":"application/json","contentSchema":{"type":"null"}}`, []string{`"%%%"`}, nil)
}

func TestNumbersAreExact(t *testing.T) {
	fits(t, `{"type":"integer"}`, []string{`1`, `1.0`, `1e2`, `-0`, `9007199254740993`, `123456789012345678901234567890`}, []string{`1.5`, `1e-1`, `"1"`})
	fits(t, `{"maximum":9007199254740992}`, []string{`9007199254740992`}, []string{`9007199254740993`, `9007199254740992.0000001`})
	fits(t, `{"enum":[9007199254740993,0.1,"a",null,{"b":1}]}`, []string{`9007199254740993`, `0.10`, `1e-1`, `null`, `{"b":1.0}`}, []string{`9007199254740992`, `0`, `"b"`})
	fits(t, `{"const":1}`, []string{`1.0`}, []string{`true`, `"1"`})
	fits(t, `{"multipleOf":0.01}`, []string{`0.07`, `19.99`}, []string{`0.001`})
	fits(t, `{"type":"number"}`, []string{`1e308`}, []string{`1e999999`, `1e401`, `-1E+0000000999`, strings.Repeat("9", 401)})
}

func TestKeywordsOfOlderDrafts(t *testing.T) {
	// What a contract of the authoring library looks like.
	empty := `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":[],"properties":{},"additionalProperties":false}`
	fits(t, empty, []string{`{}`}, []string{`{"a":1}`, `[]`, `null`})
	fits(t, `{"$id":"/schemas/%7B%7D","anyOf":[{"type":"object"},{"type":"array"}]}`, []string{`{}`, `[]`}, []string{`null`})
	fits(t, `{"$id":"/schemas/never","not":{}}`, nil, []string{`1`, `null`})
	fits(t, `{"type":"array","minItems":2,"items":[{"type":"string"},{"type":"number"}],"additionalItems":false}`, []string{`["a",1]`}, []string{`["a"]`, `[1,"a"]`, `["a",1,2]`})
	fits(t, `{"items":[],"additionalItems":{"type":"null"}}`, []string{`[null]`}, []string{`[1]`})
	fits(t, `{"items":{"type":"null"},"additionalItems":{"type":"string"}}`, []string{`[null,null]`}, []string{`[null,"x"]`})
	fits(t, `{"dependencies":{"a":["b"],"c":{"required":["d"]}},"dependentRequired":{"e":["f"]}}`, []string{`{"a":1,"b":1}`, `{"c":1,"d":1}`, `{"e":1,"f":1}`}, []string{`{"a":1}`, `{"c":1}`, `{"e":1}`})
	fits(t, `{"enum":[],"not":{"type":"null"}}`, nil, []string{`1`, `null`})
	fits(t, `{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`, []string{`["a",1]`}, []string{`["a","b"]`})
	fits(t, `{"properties":{"a":true},"unevaluatedProperties":false}`, []string{`{"a":1}`}, []string{`{"b":1}`})
	fits(t, `{"if":{"properties":{"k":{"const":"x"}},"required":["k"]},"then":{"required":["a"]},"else":{"required":["b"]}}`, []string{`{"k":"x","a":1}`, `{"b":1}`}, []string{`{"k":"x","b":1}`, `{"a":1}`})
	fits(t, `{"contains":{"type":"null"},"minContains":2,"uniqueItems":true}`, nil, []string{`[null]`, `[null,null]`})
	fits(t, `{"propertyNames":{"pattern":"^[a-z]+$"}}`, []string{`{"a":1}`}, []string{`{"A":1}`})
	fits(t, `true`, []string{`1`}, nil)
	fits(t, `false`, nil, []string{`1`})
	fits(t, `{"x-mine":{"type":"strng"},"default":{"$ref":"#/nowhere"},"examples":[{"$ref":7}]}`, []string{`1`}, nil)
}

func TestIssuesNamePlacesAndRulesNeverValues(t *testing.T) {
	const schema = `{"type":"object","required":["name","tags"],"properties":{
		"name":{"type":"string","minLength":2,"maxLength":3,"pattern":"^[a-z]+$"},
		"tags":{"type":"array","maxItems":1,"items":{"enum":["red","blue"]}},
		"odd key":{"type":["integer","null"],"minimum":3},
		"pick":{"anyOf":[{"type":"object","required":["status","id"],"properties":{"status":{"const":"sent"},"id":{"type":"integer"}},"additionalProperties":false},
			{"type":"object","required":["status","why"],"properties":{"status":{"const":"refused"},"why":{"type":"string"}},"additionalProperties":false}]},
		"when":{"$ref":"#/$defs/Day"}},
		"additionalProperties":false,"$defs":{"Day":{"type":"string","minLength":10}}}`
	for value, want := range map[string][]string{
		`{"name":"ab","tags":["red"]}`:          nil,
		`[]`:                                    {"must be an object"},
		`{"name":"canary7"}`:                    {"lacks tags", "name: must match the pattern ^[a-z]+$", "name: must have at most 3 characters"},
		`{"name":"a","tags":[]}`:                {"name: must have at least 2 characters"},
		`{"name":"ab","tags":["red","canary"]}`: {"tags: must have at most 1 item", "tags[1]: must be one of red, blue"},
		`{"name":"ab","tags":[],"odd key":"canary","extra":"canary"}`:                   {"extra: is not a property of the schema", `["odd key"]: must be an integer or null`},
		`{"name":"ab","tags":[],"odd key":2}`:                                           {`["odd key"]: must be at least 3`},
		`{"name":"ab","tags":[],"pick":{"status":"sent","id":"canary"}}`:                {"pick.id: must be an integer"},
		`{"name":"ab","tags":[],"pick":{"status":"refused","why":"x","more":"canary"}}`: {"pick.more: is not a property of the schema"},
		`{"name":"ab","tags":[],"pick":"canary"}`:                                       {"pick: must fit one of 2 forms the schema allows"},
		`{"name":"ab","tags":[],"when":"canary"}`:                                       {"when: must have at least 10 characters"},
		`{"name":"canary"`: {"must be valid JSON"},
	} {
		err := compile(t, schema).Validate(json.RawMessage(value))
		var wrong *Invalid
		if want == nil {
			if err != nil {
				t.Errorf("%s: %v", value, err)
			}
			continue
		}
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", value, err)
			continue
		}
		if got := strings.Join(wrong.Texts(), "\n"); got != strings.Join(want, "\n") || strings.Contains(got, "canary") {
			t.Errorf("%s:\n%s", value, got)
		}
	}
}

func TestOnlySoManyIssuesAreNamed(t *testing.T) {
	s := compile(t, `{"items":{"type":"integer"}}`)
	err := s.Validate(json.RawMessage("[" + strings.Repeat(`"x",`, 99) + `"x"]`))
	var wrong *Invalid
	if !errors.As(err, &wrong) || len(wrong.Issues) != maxIssues || wrong.More != 80 || wrong.Issues[2].Path != "[2]" {
		t.Errorf("%v", err)
	}
}

func TestAMissingPropertyIsNamedOnce(t *testing.T) {
	err := compile(t, `{"required":["a","b"],"properties":{"a":{"type":"string"},"b":{"type":"object"}}}`).Validate(json.RawMessage(`{}`))
	if err == nil || err.Error() != "lacks a, b" {
		t.Errorf("%v", err)
	}
	err = compile(t, `{"dependentRequired":{"a":["b"]}}`).Validate(json.RawMessage(`{"a":1}`))
	if err == nil || err.Error() != "lacks a property that another one asks for" {
		t.Errorf("%v", err)
	}
}

// A small schema that unfolds without end costs a bounded amount.
func TestWhatCostsTooMuchEndsInAnError(t *testing.T) {
	// Two ways down at every level: 2^40 applications for 40 nested lists.
	s := compile(t, `{"anyOf":[{"items":{"$ref":"#"},"minItems":1},{"items":{"$ref":"#"},"minItems":1},{"type":"null"}]}`)
	value := strings.Repeat("[", 40) + `1` + strings.Repeat("]", 40)
	if err := s.Validate(json.RawMessage(value)); err == nil || !strings.Contains(err.Error(), "costs more") {
		t.Errorf("%v", err)
	}
	// Nesting is bounded, so a deep value cannot overflow the stack.
	deep := strings.Repeat("[", MaxDepth+2) + strings.Repeat("]", MaxDepth+2)
	if err := s.Validate(json.RawMessage(deep)); err == nil || !strings.Contains(err.Error(), "nest deeper") {
		t.Errorf("%v", err)
	}
	// So is how many schemas apply to one value.
	var defs []string
	for i := range MaxChain + 1 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
	}
	chain := `{"$defs":{` + strings.Join(defs, ",") + fmt.Sprintf(`,"d%d":true},"$ref":"#/$defs/d0"}`, MaxChain+1)
	if _, err := Compile(json.RawMessage(chain)); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
	// And how many parts a schema unfolds to: here every rung of a ladder is referred to, and all of them end in the same 300 parts.
	var parts []string
	for i := range 300 {
		parts = append(parts, fmt.Sprintf(`"p%d":true`, i))
	}
	const rungs = 80
	ladder := strings.Repeat(`{"properties":{"a":`, rungs) + `{"properties":{` + strings.Join(parts, ",") + `}}` + strings.Repeat("}}", rungs)
	defs = defs[:0]
	for i := range rungs {
		defs = append(defs, fmt.Sprintf(`"r%d":{"$ref":"#/properties/l%s"}`, i, strings.Repeat("/properties/a", i)))
	}
	wide := `{"properties":{"l":` + ladder + `},"$defs":{` + strings.Join(defs, ",") + `}}`
	if _, err := Compile(json.RawMessage(wide)); err == nil || !strings.Contains(err.Error(), "more than 20000 parts") {
		t.Errorf("%v", err)
	}
}

func TestTheDeepestAllowedSchemaOnTheDeepestAllowedValue(t *testing.T) {
	// The worst case for the stack: as many schemas as may apply to one value, at every level of the deepest value.
	var defs []string
	half := (MaxChain - 4) / 2
	for i := range half {
		defs = append(defs, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"}]}`, i, i+1))
	}
	s := compile(t, `{"$defs":{`+strings.Join(defs, ",")+fmt.Sprintf(`,"d%d":{"items":{"$ref":"#/$defs/d0"}}},"$ref":"#/$defs/d0"}`, half))
	value := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	if err := s.Validate(json.RawMessage(value)); err != nil {
		t.Errorf("%v", err)
	}
}

func TestOneSchemaForEveryone(t *testing.T) {
	s := compile(t, `{"patternProperties":{"^a":{"type":"string","pattern":"^x"}},"additionalProperties":false}`)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 50 {
				value, bad := `{"ab":"xy"}`, `{"ab":"yx"}`
				if i%2 == 0 {
					value, bad = bad, value
					if s.Validate(json.RawMessage(value)) == nil {
						t.Error("passes")
					}
					continue
				}
				if err := s.Validate(json.RawMessage(value)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func FuzzCompileAndValidate(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#/$defs/A","minimum":1}},"$defs":{"A":{"type":"integer"}}}`, `{"a":0}`)
	f.Add(`{"anyOf":[{"items":{"$ref":"#"}},{"type":"null"}],"pattern":"(?=a)\\p{L}"}`, `[[[null]]]`)
	f.Add(`{"items":[true,false],"additionalItems":{"enum":[]},"dependencies":{"a":["b"]}}`, `[1,2,3]`)
	f.Add(`{"patternProperties":{"^a|b$":{"not":{}}},"unevaluatedProperties":false,"propertyNames":{"maxLength":2}}`, `{"abc":1}`)
	f.Add(`{"oneOf":[{"const":1},{"const":1.0}],"multipleOf":0.1,"if":{},"then":{"minItems":1}}`, `1e3`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		s, err := Compile(json.RawMessage(schema))
		if err != nil {
			var wrong *Error
			if !errors.As(err, &wrong) {
				t.Fatal(err)
			}
			return
		}
		if err := s.Validate(json.RawMessage(value)); err != nil {
			var wrong *Invalid
			if !errors.As(err, &wrong) || len(wrong.Issues) == 0 || len(wrong.Issues) > maxIssues {
				t.Fatal(err)
			}
		}
	})
}

func FuzzPattern(f *testing.F) {
	f.Add(`^(?=.*\d)[\p{Lu}-]{2,}\b\u{1F600}(?<n>a)\k<n>$`, "A-😀")
	f.Add(`[^\s\W]|\cA|\x41`, "x")
	f.Fuzz(func(t *testing.T, source, text string) {
		p, err := compilePattern(source)
		if err != nil || len(source) > 100 {
			return
		}
		p.match(text)
	})
}
