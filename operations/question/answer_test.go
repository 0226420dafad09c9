package question

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnswers(t *testing.T) {
	when := Question{ID: "q", Type: Choice, Prompt: "When?", Options: []Option{
		{ID: "o1", Label: "9 o'clock"}, {ID: "o2", Label: "Straße"}, {ID: "o3", Label: "Card 1234", AccountSpecific: true, MaskedLabel: "card …34"}, {ID: "o4", Label: "o1"},
	}}
	open := when
	open.AllowOther, open.AllowNote = true, true
	twins := open
	twins.Options = options("Noon", "noon", "night")
	several := Question{ID: "q", Type: MultiChoice, Prompt: "Which?", Options: options("a", "b", "c"), MinSelections: of(1), MaxSelections: of(2)}
	openSeveral := several
	openSeveral.AllowOther, openSeveral.AllowNote = true, true
	none := several
	none.MinSelections = of(0)
	text := Question{ID: "q", Type: Text, Prompt: "?", MaxLength: of(4)}
	secret := Question{ID: "q", Type: Secret, Prompt: "?", SecretKind: PrivateText}
	confirm := Question{ID: "q", Type: Confirm, Prompt: "?"}
	follow := Question{ID: "q", Type: Confirm, Prompt: "?", FollowUp: &FollowUp{Prompt: "Words?"}}
	both := Question{ID: "q", Type: Credential, Prompt: "?", Login: &Login{Fields: LoginBoth, Reason: "missing_credentials", SiteOrigin: "https://x.test"}}
	password := both
	password.Login = &Login{Fields: LoginPassword, Reason: "invalid_credentials", SiteOrigin: "https://x.test", AllowSave: true}
	long := strings.Repeat("x", 16385)

	for _, r := range []struct {
		question Question
		raw      string
		want     Answer
		reason   Reason
	}{
		{when, `"o2"`, Answer{Type: Choice, Option: "o2"}, ""},
		{when, `"o9"`, Answer{}, UnofferedOption},
		{when, `"9 o'clock"`, Answer{}, UnofferedOption},
		{when, `{"other":" 9  O'CLOCK "}`, Answer{Type: Choice, Option: "o1"}, ""},
		{when, `{"other":"STRAßE"}`, Answer{Type: Choice, Option: "o2"}, ""},
		{when, `{"other":"Card …34"}`, Answer{Type: Choice, Option: "o3"}, ""},
		{when, `{"other":"O3 (card 1234)"}`, Answer{Type: Choice, Option: "o3"}, ""},
		{when, `{"other":"o1"}`, Answer{Type: Choice, Option: "o4"}, ""}, // a label that looks like an id is a label
		{when, `{"other":"o2"}`, Answer{}, OtherNotAllowed},
		{when, `{"other":"later"}`, Answer{}, OtherNotAllowed},
		{open, `{"other":"later"}`, Answer{Type: Choice, Other: "later"}, ""},
		{open, `{"other":"o2"}`, Answer{Type: Choice, Other: "o2"}, ""},
		{twins, `{"other":"NOON"}`, Answer{Type: Choice, Other: "NOON"}, ""}, // names two, so it names none
		{open, `{"other":"  "}`, Answer{}, Malformed},
		{open, `{"other":"` + long + `"}`, Answer{}, TooLong},
		{open, `{"option":"o1","note":"by the door"}`, Answer{Type: Choice, Option: "o1", Note: "by the door"}, ""},
		{open, `{"option":"o7","note":"x"}`, Answer{}, UnofferedOption},
		{open, `{"option":"o1","note":""}`, Answer{}, Malformed},
		{when, `{"option":"o1","note":"x"}`, Answer{}, Malformed},
		{open, `{"option":"o1"}`, Answer{}, Malformed},
		{open, `{"option":"o1","other":"x"}`, Answer{}, Malformed},
		{open, `{"other":"x","extra":1}`, Answer{}, Malformed},
		{open, `{"Other":"x"}`, Answer{}, Malformed},
		{open, `{"other":"x","other":"y"}`, Answer{}, Malformed},
		{open, `{"other":"x","note":null}`, Answer{}, Malformed},
		{open, `{"other":"\ud800"}`, Answer{}, Malformed},
		{open, `null`, Answer{}, Malformed},
		{open, `["o1"]`, Answer{}, Malformed},
		{open, `"o1" "o2"`, Answer{}, Malformed},
		{open, `1`, Answer{}, Malformed},
		{open, ``, Answer{}, Malformed},

		{several, `["o3","o1"]`, Answer{Type: MultiChoice, Options: []string{"o3", "o1"}}, ""},
		{several, `[]`, Answer{}, SelectionBounds},
		{none, `[]`, Answer{Type: MultiChoice, Options: []string{}}, ""},
		{several, `["o1","o2","o3"]`, Answer{}, SelectionBounds},
		{several, `["o1","o1"]`, Answer{}, Malformed},
		{several, `["o1","o4"]`, Answer{}, UnofferedOption},
		{several, `["o1",null]`, Answer{}, Malformed},
		{several, `"o1"`, Answer{}, Malformed},
		{several, `{"options":["o1"]}`, Answer{Type: MultiChoice, Options: []string{"o1"}}, ""},
		{several, `{"options":["o1"],"other":"B"}`, Answer{Type: MultiChoice, Options: []string{"o1", "o2"}}, ""},
		{several, `{"options":["o1"],"other":"A"}`, Answer{Type: MultiChoice, Options: []string{"o1"}}, ""},
		{several, `{"options":["o1"],"other":"z"}`, Answer{}, OtherNotAllowed},
		{several, `{"options":["o1"],"note":"z"}`, Answer{}, Malformed},
		{several, `{"other":"a"}`, Answer{}, Malformed},
		{openSeveral, `{"options":[],"other":"z"}`, Answer{Type: MultiChoice, Options: []string{}, Other: "z"}, ""},
		{openSeveral, `{"options":["o1","o2"],"other":"z"}`, Answer{}, SelectionBounds},
		{openSeveral, `{"options":["o1"],"other":"z","note":"n"}`, Answer{Type: MultiChoice, Options: []string{"o1"}, Other: "z", Note: "n"}, ""},

		{text, `"a😀b"`, Answer{Type: Text, Text: "a😀b"}, ""},
		{text, `"a😀😀"`, Answer{}, TooLong},
		{text, `""`, Answer{}, Malformed},
		{text, `7`, Answer{}, Malformed},
		{text, `null`, Answer{}, Malformed},
		{secret, `" x "`, Answer{Type: Secret, Text: " x "}, ""},
		{secret, `"` + long + `"`, Answer{}, TooLong},

		{confirm, `{"confirmed":false}`, Answer{Type: Confirm}, ""},
		{confirm, `{"confirmed":true}`, Answer{Type: Confirm, Confirmed: true}, ""},
		{confirm, `{"confirmed":true,"text":"x"}`, Answer{}, Malformed},
		{confirm, `true`, Answer{}, Malformed},
		{confirm, `{}`, Answer{}, Malformed},
		{confirm, `{"confirmed":"yes"}`, Answer{}, Malformed},
		{follow, `{"confirmed":true,"text":"x"}`, Answer{Type: Confirm, Confirmed: true, Text: "x"}, ""},
		{follow, `{"confirmed":false,"text":"x"}`, Answer{}, Malformed},
		{follow, `{"confirmed":true,"text":""}`, Answer{}, Malformed},
		{follow, `{"confirmed":true,"text":null}`, Answer{}, Malformed},

		{both, `{"username":"u","password":"p","saveLogin":false,"identifierKind":"email"}`, Answer{Type: Credential, Username: "u", Password: "p", IdentifierKind: "email"}, ""},
		{both, `{"password":"p","saveLogin":false}`, Answer{}, Malformed},
		{both, `{"username":"u","saveLogin":false}`, Answer{}, PasswordRequired},
		{both, `{"username":"u","password":"p","saveLogin":true}`, Answer{}, Malformed},
		{both, `{"username":"u","password":"p"}`, Answer{}, Malformed},
		{both, `{"username":"u","password":"p","saveLogin":false,"identifierKind":"nick"}`, Answer{}, Malformed},
		{password, `{"password":"p","saveLogin":true}`, Answer{Type: Credential, Password: "p", SaveLogin: true}, ""},
		{password, `{"username":"u","password":"p","saveLogin":false}`, Answer{}, UsernameNotAllowed},
	} {
		request := Request{ID: uuid, Source: SourceSystem, Questions: []Question{r.question}}
		if err := request.Validate(); err != nil {
			t.Fatal(err)
		}
		got, err := CheckAnswers(request, map[string]json.RawMessage{"q": json.RawMessage(r.raw)})
		if r.reason != "" {
			var wrong *AnswerError
			if !errors.As(err, &wrong) || wrong.Reason != r.reason || wrong.Question != "q" || wrong.Wanted == "" {
				t.Errorf("%s %.60s: %v, want %s", r.question.Type, r.raw, err, r.reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %.60s: %v", r.question.Type, r.raw, err)
			continue
		}
		if diff := cmp.Diff(r.want, got["q"]); diff != "" {
			t.Errorf("%s %.60s: %s", r.question.Type, r.raw, diff)
		}
		// What a valid answer is written as is the same valid answer.
		back, err := json.Marshal(got["q"])
		if err != nil {
			t.Fatal(err)
		}
		again, err := CheckAnswers(request, map[string]json.RawMessage{"q": back})
		if err != nil {
			t.Errorf("%s: written as %s: %v", r.raw, back, err)
		} else if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("%s: written as %s: %s", r.raw, back, diff)
		}
	}
}

func TestEveryQuestionIsAnsweredAndNothingElse(t *testing.T) {
	request := Request{ID: uuid, Source: SourceScript, Questions: []Question{
		{ID: "a", Type: Text, Prompt: "?"}, {ID: "b", Type: Text, Prompt: "?"},
	}}
	for raw, want := range map[string]AnswerError{
		`{"a":"x"}`:                 {Question: "b", Reason: MissingAnswer},
		`{"a":"x","b":"y","c":"z"}`: {Question: "c", Reason: UnexpectedAnswer},
	} {
		answers, err := DecodeAnswers([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		_, err = CheckAnswers(request, answers)
		var wrong *AnswerError
		if !errors.As(err, &wrong) || wrong.Question != want.Question || wrong.Reason != want.Reason {
			t.Errorf("%s: %v", raw, err)
		}
	}
	for _, raw := range []string{``, `null`, `[]`, `{"a":"x","a":"y"}`, `{"a":"x"} {}`, `{"a":"` + "\xff" + `"}`} {
		if _, err := DecodeAnswers([]byte(raw)); err == nil {
			t.Errorf("%q was read as answers", raw)
		}
	}
}

func TestAnErrorNeverQuotesTheAnswer(t *testing.T) {
	request := Request{ID: uuid, Source: SourceScript, Questions: []Question{{ID: "code", Type: Secret, Prompt: "?", SecretKind: OneTimeCode, MaxLength: of(4)}}}
	for _, raw := range []string{`"canary-1"`, `["canary-1"]`, `{"canary-1":1}`, `"canary-1`} {
		_, err := CheckAnswers(request, map[string]json.RawMessage{"code": json.RawMessage(raw)})
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", raw, err)
		}
		if _, err := DecodeAnswers([]byte(`{"code":` + raw + `,`)); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func FuzzCheckAnswers(f *testing.F) {
	request := Request{ID: uuid, Source: SourceSystem, Questions: []Question{
		{ID: "a", Type: Choice, Prompt: "?", Options: options("x", "y"), AllowOther: true, AllowNote: true},
		{ID: "b", Type: MultiChoice, Prompt: "?", Options: options("x", "y", "z"), MinSelections: of(0), MaxSelections: of(2), AllowOther: true, AllowNote: true},
		{ID: "c", Type: Confirm, Prompt: "?", FollowUp: &FollowUp{Prompt: "?"}},
		{ID: "d", Type: Secret, Prompt: "?", SecretKind: TOTP, MaxLength: of(9)},
	}}
	f.Add([]byte(`{"a":"o1","b":["o2"],"c":{"confirmed":true,"text":"t"},"d":"1"}`))
	f.Add([]byte(`{"a":{"other":"O1 (X)"},"b":{"options":["o1"],"other":"q","note":"n"},"c":{"confirmed":false},"d":"😀"}`))
	f.Add([]byte(`{"a":{"option":"o1","note":"n"},"b":[],"c":{"confirmed":true},"d":"\u0000"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		given, err := DecodeAnswers(raw)
		if err != nil {
			return
		}
		answers, err := CheckAnswers(request, given)
		if err != nil {
			return
		}
		back := map[string]json.RawMessage{}
		for id, answer := range answers {
			text, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			back[id] = text
		}
		again, err := CheckAnswers(request, back)
		if err != nil {
			t.Fatalf("%s: %v", back, err)
		}
		if diff := cmp.Diff(answers, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
