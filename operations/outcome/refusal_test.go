package outcome

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const (
	sentBranch    = `{"type":"object","required":["status","receipt"],"properties":{"status":{"type":"string","enum":["sent"]},"receipt":{"type":"string"}},"additionalProperties":false}`
	refusedBranch = `{"type":"object","required":["status","reason"],"properties":{"status":{"type":"string","enum":["refused"]},"reason":{"type":"string","enum":["too_heavy","over_price_limit"]},"price":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"additionalProperties":false}`
	soldBranch    = `{"type":"object","required":["status","reason"],"properties":{"status":{"const":"refused"},"reason":{"const":"sold_out"}},"additionalProperties":false}`
)

func TestReadRefusals(t *testing.T) {
	union := func(branches ...string) string { return `{"anyOf":[` + strings.Join(branches, ",") + `]}` }
	rows := []struct {
		name       string
		schema     string
		reasons    []string
		unreadable bool
	}{
		{"two branches", union(sentBranch, refusedBranch), []string{"too_heavy", "over_price_limit"}, false},
		{"a union of refusals inside the union", union(sentBranch, union(refusedBranch, soldBranch)), []string{"too_heavy", "over_price_limit", "sold_out"}, false},
		{"oneOf", `{"oneOf":[` + sentBranch + `,` + soldBranch + `],"description":"d"}`, []string{"sold_out"}, false},
		{"branches by reference", `{"$defs":{"Paid":` + sentBranch + `,"No":` + refusedBranch + `},"anyOf":[{"$ref":"#/$defs/Paid"},{"$ref":"#/$defs/No","description":"no"}]}`, []string{"too_heavy", "over_price_limit"}, false},
		{"a reference with an escape", `{"definitions":{"a/b c":` + soldBranch + `},"anyOf":[` + sentBranch + `,{"$ref":"#/definitions/a~1b%20c"}]}`, []string{"sold_out"}, false},
		{"status by reference", `{"$defs":{"S":{"type":"string","enum":["refused"]}},"anyOf":[` + sentBranch + `,{"type":"object","required":["status","reason"],"properties":{"status":{"$ref":"#/$defs/S"},"reason":{"enum":["sold_out"]}},"additionalProperties":false}]}`, []string{"sold_out"}, false},
		{"allOf of one", union(sentBranch, `{"allOf":[`+soldBranch+`]}`), []string{"sold_out"}, false},
		{"the refusal alone", refusedBranch, []string{"too_heavy", "over_price_limit"}, false},
		{"reason as a union of constants", union(sentBranch, `{"type":"object","required":["status","reason"],"properties":{"status":{"enum":["refused"]},"reason":{"anyOf":[{"const":"a"},{"enum":["b_2","c"]}]}}}`), []string{"a", "b_2", "c"}, false},
		{"another branch that is no object", union(`{"type":"null"}`, `{"type":"array"}`, soldBranch), []string{"sold_out"}, false},
		{"another branch whose pattern excludes the word", union(`{"type":"object","properties":{"status":{"type":"string","pattern":"^[A-Z]+$"}}}`, soldBranch), []string{"sold_out"}, false},
		{"another branch whose status is a number", union(`{"type":"object","properties":{"status":{"type":"integer"}}}`, soldBranch), []string{"sold_out"}, false},
		{"another closed branch without status", union(`{"type":"object","properties":{"n":{"type":"number"}},"additionalProperties":false}`, soldBranch), []string{"sold_out"}, false},
		{"another branch of numbers by name", union(`{"type":"object","properties":{},"additionalProperties":{"type":"number"}}`, soldBranch), []string{"sold_out"}, false},
		{"another status is one of other words or null", union(`{"type":"object","properties":{"status":{"anyOf":[{"enum":["open","shut"]},{"type":"null"}]}}}`, soldBranch), []string{"sold_out"}, false},
		{"a branch that fits nothing", `{"anyOf":[false,` + soldBranch + `]}`, []string{"sold_out"}, false},

		{"no refusal", union(sentBranch, `{"type":"null"}`), nil, false},
		{"no schema to speak of", `{}`, nil, false},
		{"not JSON", `{"anyOf":[`, nil, false},
		{"another branch with a free-text status", union(`{"type":"object","properties":{"status":{"type":"string"}}}`, soldBranch), nil, true},
		{"another branch whose pattern admits the word", union(`{"type":"object","properties":{"status":{"type":"string","pattern":"^[a-z]+$"}}}`, soldBranch), nil, true},
		{"another branch whose pattern cannot be judged", union(`{"type":"object","properties":{"status":{"type":"string","pattern":"^(?=x)y"}}}`, soldBranch), nil, true},
		{"another branch open to anything", union(`{"type":"object","properties":{"n":{"type":"number"}}}`, soldBranch), nil, true},
		{"another branch of strings by name", union(`{"type":"object","additionalProperties":{"type":"string"}}`, soldBranch), nil, true},
		{"another branch by a pattern of names", union(`{"type":"object","patternProperties":{"^s":{"type":"string"}},"additionalProperties":false}`, soldBranch), nil, true},
		{"another branch that is anything", `{"anyOf":[true,` + soldBranch + `]}`, nil, true},
		{"status optional", union(sentBranch, `{"type":"object","required":["reason"],"properties":{"status":{"enum":["refused"]},"reason":{"enum":["a"]}}}`), nil, true},
		{"reason optional", union(sentBranch, `{"type":"object","required":["status"],"properties":{"status":{"enum":["refused"]},"reason":{"enum":["a"]}}}`), nil, true},
		{"reason in free text", union(sentBranch, `{"type":"object","required":["status","reason"],"properties":{"status":{"enum":["refused"]},"reason":{"type":"string"}}}`), nil, true},
		{"reason is no code", union(sentBranch, `{"type":"object","required":["status","reason"],"properties":{"status":{"enum":["refused"]},"reason":{"enum":["Too heavy"]}}}`), nil, true},
		{"status of two words", union(`{"type":"object","required":["status","reason"],"properties":{"status":{"enum":["sent","refused"]},"reason":{"enum":["a"]}}}`), nil, true},
		{"one readable, one not", union(refusedBranch, `{"type":"object","properties":{"status":{"enum":["refused"]}}}`), nil, true},
		{"an intersection", `{"allOf":[` + sentBranch + `,` + refusedBranch + `]}`, nil, true},
		{"a union beside properties", `{"type":"object","properties":{"n":{}},"anyOf":[` + sentBranch + `,` + refusedBranch + `]}`, nil, true},
		{"a reference to nothing", `{"anyOf":[{"$ref":"#/$defs/No"},` + soldBranch + `]}`, nil, true},
		{"a reference elsewhere", `{"anyOf":[{"$ref":"https://x.test/s"},` + soldBranch + `]}`, nil, true},
		{"recursion", `{"anyOf":[{"$ref":"#"},` + soldBranch + `]}`, nil, true},
	}
	for _, r := range rows {
		got := ReadRefusals(json.RawMessage(r.schema))
		if !slices.Equal(got.Reasons(), r.reasons) || got.Unreadable != r.unreadable {
			t.Errorf("%s: reasons %q unreadable %t, want %q %t", r.name, got.Reasons(), got.Unreadable, r.reasons, r.unreadable)
		}
	}
}

func TestARefusalIsRecognisedByStatusAndListedReason(t *testing.T) {
	refusals := ReadRefusals(json.RawMessage(`{"anyOf":[` + sentBranch + `,` + refusedBranch + `]}`))
	for output, want := range map[string]bool{
		`{"status":"refused","reason":"too_heavy","price":3}`: true,
		`{"status":"refused","reason":"sold_out"}`:            false,
		`{"status":"sent","reason":"too_heavy"}`:              false,
		`{"status":"refused","reason":7}`:                     false,
		`"refused"`:                                           false,
		``:                                                    false,
	} {
		if got := refusals.Declare(json.RawMessage(output)); got != want {
			t.Errorf("%s: %t", output, got)
		}
	}
}

// Without a bound this schema would unfold into 2^32 branches.
func TestAFoldedSchemaCostsLittle(t *testing.T) {
	var defs []string
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	defs = append(defs, `"d40":`+soldBranch)
	got := ReadRefusals(json.RawMessage(`{"$defs":{` + strings.Join(defs, ",") + `},"$ref":"#/$defs/d0"}`))
	if got.Reasons() != nil || !got.Unreadable {
		t.Errorf("%+v", got)
	}
}

func FuzzReadRefusals(f *testing.F) {
	f.Add(`{"anyOf":[` + sentBranch + `,` + refusedBranch + `]}`)
	f.Add(`{"$defs":{"a/b":` + soldBranch + `},"anyOf":[{"$ref":"#/$defs/a~1b"},{"allOf":[true]}]}`)
	f.Add(`{"properties":{"status":{"$ref":"#/properties/status"}}}`)
	f.Add(`[{"enum":[null]}]`)
	f.Fuzz(func(t *testing.T, schema string) {
		got := ReadRefusals(json.RawMessage(schema))
		if got.Unreadable && got.reasons != nil {
			t.Fatal("unreadable refusals with reasons")
		}
		for _, code := range got.reasons {
			if code == "" || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
				t.Fatalf("reason %q", code)
			}
		}
	})
}
