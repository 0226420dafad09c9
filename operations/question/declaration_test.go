package question

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func of[T any](v T) *T { return &v }

func TestDeclarationsOfEveryTypeAreReadAndWrittenBack(t *testing.T) {
	const text = `{` +
		`"code":{"type":"secret","prompt":"Code?","secretKind":"one_time_code","maxLength":8},` +
		`"comment":{"type":"text","prompt":"Anything else?","maxLength":200},` +
		`"extras":{"type":"multi_choice","prompt":"Extras?","allowNote":true,"minSelections":0,"maxSelections":3},` +
		`"go_ahead":{"type":"confirm","prompt":"Go?","followUp":{"prompt":"Words?","defaultText":""}},` +
		`"old":{"prompt":"Which?"},` +
		`"time":{"type":"choice","prompt":"When?","allowOther":true}}`
	got, err := ParseDeclarations([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := Declarations{
		"code":     {Type: Secret, Prompt: "Code?", SecretKind: OneTimeCode, MaxLength: of(8)},
		"comment":  {Type: Text, Prompt: "Anything else?", MaxLength: of(200)},
		"extras":   {Type: MultiChoice, Prompt: "Extras?", AllowNote: true, MinSelections: of(0), MaxSelections: of(3)},
		"go_ahead": {Type: Confirm, Prompt: "Go?", FollowUp: &FollowUp{Prompt: "Words?", DefaultText: of("")}},
		"old":      {Type: Choice, Prompt: "Which?", Legacy: true},
		"time":     {Type: Choice, Prompt: "When?", AllowOther: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	back, err := json.Marshal(got)
	if err != nil || string(back) != text {
		t.Errorf("written back as %s, %v", back, err)
	}
	if none, err := ParseDeclarations([]byte(` {} `)); err != nil || none == nil || len(none) != 0 {
		t.Errorf("no questions: %v, %v", none, err)
	}
}

func TestWhatDoesNotBelongToADeclarationIsIgnored(t *testing.T) {
	got, err := ParseDeclarations([]byte(`{"a":{"type":"text","prompt":"A?","allowOther":true,"secretKind":"totp","followUp":{"prompt":"x"},"minSelections":4,"new":1},
		"b":{"prompt":"B?","allowOther":true}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Declarations{"a": {Type: Text, Prompt: "A?"}, "b": {Type: Choice, Prompt: "B?", Legacy: true}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestDeclarationsThatBreakARule(t *testing.T) {
	long := strings.Repeat("x", 2001)
	for text, pointer := range map[string]string{
		`null`:                              "",
		`[]`:                                "",
		`{"a":`:                             "/a",
		`{"a":3}`:                           "/a",
		`{"a":{"type":"text"}}`:             "/a/prompt",
		`{"a":{"type":"text","prompt":""}}`: "/a/prompt",
		`{"a":{"type":"text","prompt":7}}`:  "/a/prompt",
		`{"A":{"prompt":"x"}}`:              "/A",
		`{"a/b":{"prompt":"x"}}`:            "/a~1b",
		`{"a":{"prompt":"x"},"a":{"prompt":"y"}}`:                                         "/a",
		`{"a":{"prompt":"` + long[:501] + `"}}`:                                           "/a/prompt",
		`{"a":{"type":"confirm","prompt":"` + long + `"}}`:                                "/a/prompt",
		`{"a":{"type":"confirm","prompt":"` + strings.Repeat("😀", 1001) + `"}}`:           "/a/prompt",
		`{"a":{"type":"date","prompt":"x"}}`:                                              "/a/type",
		`{"a":{"type":"credential","prompt":"x"}}`:                                        "/a/type",
		`{"a":{"type":"secret","prompt":"x"}}`:                                            "/a/secretKind",
		`{"a":{"type":"secret","prompt":"x","secretKind":"pin"}}`:                         "/a/secretKind",
		`{"a":{"type":"text","prompt":"x","maxLength":0}}`:                                "/a/maxLength",
		`{"a":{"type":"text","prompt":"x","maxLength":1.5}}`:                              "/a/maxLength",
		`{"a":{"type":"multi_choice","prompt":"x","minSelections":-1}}`:                   "/a/minSelections",
		`{"a":{"type":"multi_choice","prompt":"x","maxSelections":51}}`:                   "/a/maxSelections",
		`{"a":{"type":"multi_choice","prompt":"x","minSelections":3,"maxSelections":2}}`:  "/a/maxSelections",
		`{"a":{"type":"confirm","prompt":"x","followUp":{"prompt":""}}}`:                  "/a/followUp/prompt",
		`{"a":{"type":"confirm","prompt":"x","followUp":{"prompt":"y","defaultText":1}}}`: "/a/followUp/defaultText",
	} {
		_, err := ParseDeclarations([]byte(text))
		var wrong *Problem
		if !errors.As(err, &wrong) {
			t.Errorf("%.80s: %v", text, err)
		} else if wrong.Pointer != pointer || wrong.Rule == "" {
			t.Errorf("%.80s: at %q: %s, want %q", text, wrong.Pointer, wrong.Rule, pointer)
		}
	}
}

func FuzzParseDeclarations(f *testing.F) {
	f.Add([]byte(`{"a":{"type":"multi_choice","prompt":"x","minSelections":3,"maxSelections":4},"b":{"prompt":"y"}}`))
	f.Add([]byte(`{"c":{"type":"secret","prompt":"x","secretKind":"totp","maxLength":9},"d":{"type":"confirm","prompt":"?","followUp":{"prompt":"z","defaultText":"t"}}}`))
	f.Add([]byte(`{"a":{"prompt":"\ud800"}}`))
	f.Add([]byte(`{"a":null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := ParseDeclarations(raw)
		if err != nil {
			return
		}
		back, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseDeclarations(back)
		if err != nil {
			t.Fatalf("%s: %v", back, err)
		}
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
