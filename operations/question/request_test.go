package question

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const uuid = "4b1f2c3d-0000-4000-8000-0123456789aB"

func options(labels ...string) []Option {
	out := make([]Option, len(labels))
	for i, label := range labels {
		out[i] = Option{ID: OptionID(i), Label: label}
	}
	return out
}

var declared = Declarations{
	"time":     {Type: Choice, Prompt: "When?", AllowOther: true},
	"extras":   {Type: MultiChoice, Prompt: "Extras?", MinSelections: of(0), MaxSelections: of(3)},
	"seats":    {Type: MultiChoice, Prompt: "Seats?"},
	"comment":  {Type: Text, Prompt: "Anything?", MaxLength: of(200)},
	"go_ahead": {Type: Confirm, Prompt: "Go?", FollowUp: &FollowUp{Prompt: "Words?"}},
	"code":     {Type: Secret, Prompt: "Code?", SecretKind: OneTimeCode},
	"old":      {Type: Choice, Prompt: "Which?", Legacy: true},
}

func TestAsksAsDeclared(t *testing.T) {
	asked := Request{ID: uuid, Source: SourceScript, Questions: []Question{
		{ID: "time", Type: Choice, Prompt: "When?", AllowOther: true, Options: options("9", "10")},
		{ID: "extras", Type: MultiChoice, Prompt: "Extras?", Options: options("a", "b")},
		{ID: "seats", Type: MultiChoice, Prompt: "Seats?", Options: options("a", "b"), MinSelections: of(1), MaxSelections: of(2)},
		{ID: "comment", Type: Text, Prompt: "Anything?", MaxLength: of(200)},
		{ID: "go_ahead", Type: Confirm, Prompt: "Go?", FollowUp: &FollowUp{Prompt: "Words?"}},
		{ID: "code", Type: Secret, Prompt: "Code?", SecretKind: OneTimeCode},
		{ID: "old", Type: Choice, Prompt: "Which?", Options: []Option{{ID: "o1", Label: "a", AccountSpecific: true, MaskedLabel: "…1"}}},
	}}
	got, err := AsksAsDeclared(declared, asked)
	if err != nil {
		t.Fatal(err)
	}
	want := asked
	want.Questions = append([]Question{}, asked.Questions...)
	want.Questions[1].MinSelections, want.Questions[1].MaxSelections = of(0), of(2)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if asked.Questions[1].MinSelections != nil {
		t.Error("the caller's request was changed")
	}
	// Bounds given as they are declared are narrowed to what is offered, as those left out are.
	asked.Questions[1].MinSelections, asked.Questions[1].MaxSelections = of(0), of(3)
	if got, err = AsksAsDeclared(declared, asked); err != nil || *got.Questions[1].MaxSelections != 2 {
		t.Errorf("declared bounds over fewer options: %+v, %v", got.Questions[1], err)
	}
}

func TestAsksOtherThanDeclared(t *testing.T) {
	one := func(q Question) Request { return Request{ID: uuid, Source: SourceScript, Questions: []Question{q}} }
	time := Question{ID: "time", Type: Choice, Prompt: "When?", AllowOther: true, Options: options("9", "10")}
	with := func(change func(*Question)) Request {
		q := time
		q.Options = append([]Option{}, time.Options...)
		change(&q)
		return one(q)
	}
	notice := one(time)
	notice.Notice = "hear"
	agent := one(time)
	agent.Source = SourceAgent
	var many Request
	many = one(time)
	many.Questions = append(many.Questions, time)
	for name, r := range map[string]struct {
		request Request
		code    string
	}{
		"with a notice":            {notice, Undeclared},
		"as the agent":             {agent, Undeclared},
		"an unknown id":            {with(func(q *Question) { q.ID = "when" }), Undeclared},
		"another prompt":           {with(func(q *Question) { q.Prompt = "When exactly?" }), Undeclared},
		"another type":             {with(func(q *Question) { q.Type = MultiChoice }), Undeclared},
		"without other":            {with(func(q *Question) { q.AllowOther = false }), Undeclared},
		"with a note":              {with(func(q *Question) { q.AllowNote = true }), Undeclared},
		"with a bound":             {with(func(q *Question) { q.MaxLength = of(3) }), Undeclared},
		"another bound":            {one(Question{ID: "comment", Type: Text, Prompt: "Anything?", MaxLength: of(201)}), Undeclared},
		"other selections":         {one(Question{ID: "extras", Type: MultiChoice, Prompt: "Extras?", Options: options("a"), MinSelections: of(1), MaxSelections: of(1)}), Undeclared},
		"another follow-up":        {one(Question{ID: "go_ahead", Type: Confirm, Prompt: "Go?"}), Undeclared},
		"another kind of secret":   {one(Question{ID: "code", Type: Secret, Prompt: "Code?", SecretKind: TOTP}), Undeclared},
		"a login":                  {one(Question{ID: "code", Type: Credential, Prompt: "Code?", Login: &Login{}}), Undeclared},
		"no options":               {with(func(q *Question) { q.Options = nil }), InvalidOptions},
		"options for a text":       {one(Question{ID: "comment", Type: Text, Prompt: "Anything?", MaxLength: of(200), Options: options("a")}), InvalidOptions},
		"too many options":         {with(func(q *Question) { q.Options = options(make([]string, 51)...) }), InvalidOptions},
		"an empty label":           {with(func(q *Question) { q.Options[1].Label = "" }), InvalidOptions},
		"a long label":             {with(func(q *Question) { q.Options[1].Label = strings.Repeat("x", 257) }), InvalidOptions},
		"a long masked label":      {with(func(q *Question) { q.Options[1].MaskedLabel = strings.Repeat("x", 65) }), InvalidOptions},
		"the site's own values":    {with(func(q *Question) { q.Options[1].ID = "nine" }), InvalidOptions},
		"fewer options than bound": {one(Question{ID: "seats2", Type: MultiChoice, Prompt: "Seats?", Options: options("a")}), InvalidOptions},
		"the same question twice":  {many, InvalidOptions},
		"no question":              {Request{ID: uuid, Source: SourceScript}, InvalidOptions},
	} {
		more := Declarations{"seats2": {Type: MultiChoice, Prompt: "Seats?", MinSelections: of(2)}}
		for id, d := range declared {
			more[id] = d
		}
		_, err := AsksAsDeclared(more, r.request)
		var wrong *AskError
		if !errors.As(err, &wrong) || wrong.Code != r.code || wrong.Error() == "" {
			t.Errorf("%s: %v, want %s", name, err, r.code)
		}
	}
}

func TestOptionIDs(t *testing.T) {
	for place := range MaxOptions {
		if got, ok := OptionPlace(OptionID(place)); !ok || got != place {
			t.Errorf("place %d: %q, %d, %t", place, OptionID(place), got, ok)
		}
	}
	for _, id := range []string{"", "o", "o0", "o51", "o01", "o+1", "p1", "o1x", "1"} {
		if _, ok := OptionPlace(id); ok {
			t.Errorf("%q is no option id", id)
		}
	}
}

func TestRequestsThatBreakARule(t *testing.T) {
	login := Question{ID: "login", Type: Credential, Prompt: "Log in", Login: &Login{Fields: LoginBoth, Reason: "missing_credentials", SiteOrigin: "https://x.test"}}
	if err := (Request{ID: uuid, Source: SourceSystem, Notice: "n", Questions: []Question{login}}).Validate(); err != nil {
		t.Errorf("a login asked by the host: %v", err)
	}
	question := func(change func(*Question)) Request {
		q := Question{ID: "a", Type: MultiChoice, Prompt: "A?", Options: options("x", "y"), MinSelections: of(0), MaxSelections: of(2)}
		change(&q)
		return Request{ID: uuid, Source: SourceSystem, Questions: []Question{q}}
	}
	for pointer, r := range map[string]Request{
		"/id":                          {ID: "1", Source: SourceScript, Questions: []Question{login}},
		"/source":                      {ID: uuid, Source: "page", Questions: []Question{login}},
		"/notice":                      {ID: uuid, Source: SourceSystem, Notice: strings.Repeat("x", 16385), Questions: []Question{login}},
		"/questions":                   {ID: uuid, Source: SourceSystem, Questions: make([]Question, 9)},
		"/questions/0/type":            {ID: uuid, Source: SourceScript, Questions: []Question{login}},
		"/questions/1/id":              {ID: uuid, Source: SourceSystem, Questions: []Question{login, login}},
		"/questions/0/id":              question(func(q *Question) { q.ID = "9" }),
		"/questions/0/options":         question(func(q *Question) { q.Options = nil }),
		"/questions/0/options/1/id":    question(func(q *Question) { q.Options[1].ID = "o1" }),
		"/questions/0/minSelections":   question(func(q *Question) { q.MinSelections = of(3) }),
		"/questions/0/maxSelections":   question(func(q *Question) { q.MaxSelections = of(3) }),
		"/questions/0/secretKind":      question(func(q *Question) { q.SecretKind = TOTP }),
		"/questions/0/fields":          question(func(q *Question) { q.Login = login.Login }),
		"/questions/0/prompt":          question(func(q *Question) { q.Prompt = "" }),
		"/questions/0/options/0/label": question(func(q *Question) { q.Options[0].Label = "" }),
		"/questions/0/followUp":        question(func(q *Question) { q.FollowUp = &FollowUp{Prompt: "x"} }),
		"/questions/0/maxLength":       question(func(q *Question) { q.MaxLength = of(1) }),
		"/questions/0/options/1/label": question(func(q *Question) { q.Options[1].Label = "\xff" }),
		"/questions/0/reason":          {ID: uuid, Source: SourceSystem, Questions: []Question{{ID: "a", Type: Credential, Prompt: "x", Login: &Login{Fields: LoginPassword}}}},
		"/questions/0/siteOrigin":      {ID: uuid, Source: SourceSystem, Questions: []Question{{ID: "a", Type: Credential, Prompt: "x", Login: &Login{Fields: LoginPassword, Reason: "credentials_expired"}}}},
		"/questions/0/options/0/id":    question(func(q *Question) { q.Options[0].ID = "A" }),
		"/questions/0/followUp/prompt": {ID: uuid, Source: SourceSystem, Questions: []Question{{ID: "a", Type: Confirm, Prompt: "x", FollowUp: &FollowUp{}}}},
		"/questions/0/allowOther":      {ID: uuid, Source: SourceSystem, Questions: []Question{{ID: "a", Type: Text, Prompt: "x", AllowOther: true}}},
	} {
		err := r.Validate()
		var wrong *Problem
		if !errors.As(err, &wrong) || wrong.Pointer != pointer {
			t.Errorf("%s: %v", pointer, err)
		}
	}
}

func TestARequestAsJSON(t *testing.T) {
	r := Request{ID: uuid, Source: SourceSystem, Questions: []Question{
		{ID: "login", Type: Credential, Prompt: "Log in", Login: &Login{Fields: LoginBoth, Reason: "missing_credentials", SiteOrigin: "https://x.test"}},
		{ID: "extras", Type: MultiChoice, Prompt: "Extras?", Options: options("a"), MinSelections: of(0), MaxSelections: of(1)},
	}}
	got, err := json.Marshal(r)
	want := fmt.Sprintf(`{"id":%q,"source":"system","questions":[`+
		`{"id":"login","type":"credential","prompt":"Log in","fields":"username_password","reason":"missing_credentials","siteOrigin":"https://x.test","allowSave":false},`+
		`{"id":"extras","type":"multi_choice","prompt":"Extras?","options":[{"id":"o1","label":"a"}],"minSelections":0,"maxSelections":1}]}`, uuid)
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}
