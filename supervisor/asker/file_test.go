package asker

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/operations/question"
)

func of[T any](v T) *T { return &v }

func options(labels ...string) []question.Option {
	out := make([]question.Option, len(labels))
	for i, label := range labels {
		out[i] = question.Option{ID: question.OptionID(i), Label: label}
	}
	return out
}

func request(questions ...question.Question) question.Request {
	return question.Request{ID: "4b1f2c3d-0000-4000-8000-012345678901", Source: question.SourceScript, Questions: questions}
}

var (
	timeQ   = question.Question{ID: "time", Type: question.Choice, Prompt: "When?", Options: options("9:00", "10:00", "noon"), AllowOther: true, AllowNote: true}
	seatQ   = question.Question{ID: "seat", Type: question.Choice, Prompt: "Where?", Options: options("window", "o1", "aisle", "aisle")}
	extrasQ = question.Question{ID: "extras", Type: question.MultiChoice, Prompt: "Extras?", Options: options("tea", "cake", "book"), MinSelections: of(0), MaxSelections: of(2), AllowOther: true}
	textQ   = question.Question{ID: "comment", Type: question.Text, Prompt: "Anything?", MaxLength: of(9)}
	goQ     = question.Question{ID: "go_ahead", Type: question.Confirm, Prompt: "Go?", FollowUp: &question.FollowUp{Prompt: "Words?", DefaultText: of("none")}}
	codeQ   = question.Question{ID: "code", Type: question.Secret, Prompt: "Code?", SecretKind: question.OneTimeCode, MaxLength: of(8)}
	loginQ  = question.Question{ID: "login", Type: question.Credential, Prompt: "Log in", Login: &question.Login{Fields: question.LoginBoth, Reason: "missing_credentials", SiteOrigin: "https://x.test"}}
)

func TestAnswersFromAFile(t *testing.T) {
	for _, r := range []struct {
		question question.Question
		prepared string
		want     string
	}{
		{timeQ, `"10:00"`, `"o2"`},
		{timeQ, `"o3"`, `"o3"`},
		{timeQ, `" NOON "`, `"o3"`},
		{timeQ, `{"other":"later"}`, `{"other":"later"}`},
		{timeQ, `{"option":"noon","note":"by the door"}`, `{"note":"by the door","option":"o3"}`},
		{timeQ, `["9:00","noon"]`, `"o1"`},
		{seatQ, `"window"`, `"o1"`},
		{seatQ, `"o2"`, `"o2"`},
		{seatQ, `"o3"`, `"o3"`},
		{extrasQ, `["tea","o3"]`, `["o1","o3"]`},
		{extrasQ, `[]`, `[]`},
		{extrasQ, `[["cake"],[]]`, `["o2"]`},
		{extrasQ, `[{"options":["tea"],"other":"soup"}]`, `{"options":["o1"],"other":"soup"}`},
		{extrasQ, `{"options":["cake"]}`, `{"options":["o2"]}`},
		{textQ, `"words"`, `"words"`},
		{textQ, `["first","second"]`, `"first"`},
		{codeQ, `"123456"`, `"123456"`},
		{goQ, `true`, `{"confirmed":true}`},
		{goQ, `false`, `{"confirmed":false}`},
		{goQ, `[true,false]`, `{"confirmed":true}`},
		{goQ, `{"confirmed":true,"text":"yes please"}`, `{"confirmed":true,"text":"yes please"}`},
		{loginQ, `{"username":"u","password":"p"}`, `{"password":"p","saveLogin":false,"username":"u"}`},
	} {
		f, err := ParseFile([]byte(`{"` + r.question.ID + `":` + r.prepared + `}`))
		if err != nil {
			t.Errorf("%s: %v", r.prepared, err)
			continue
		}
		got, err := f.Ask(t.Context(), request(r.question))
		if err != nil {
			t.Errorf("%s: %v", r.prepared, err)
		} else if string(got[r.question.ID]) != r.want {
			t.Errorf("%s: %s, want %s", r.prepared, got[r.question.ID], r.want)
		}
	}
}

func TestAnswersThatDoNotFitAreSaidWhereTheyStand(t *testing.T) {
	for _, r := range []struct {
		question question.Question
		prepared string
		says     string
	}{
		{timeQ, `"11:00"`, `no option is called so; offered are o1 "9:00", o2 "10:00", o3 "noon", and own text is written as {"other": "text"}`},
		{seatQ, `"o1"`, "o1 is the place of one option and the label of another"},
		{seatQ, `"aisle"`, "several options have that label; write the place of the one that is meant (o3, o4)"},
		{seatQ, `{"other":"roof"}`, "other_not_allowed"},
		{seatQ, `true`, "malformed"},
		{seatQ, `[]`, "the list of answers is empty"},
		{extrasQ, `["tea",["cake"]]`, "a list must hold either labels"},
		{extrasQ, `[["tea",7]]`, "options are named by texts"},
		{extrasQ, `["tea","cake","book"]`, "selection_bounds"},
		{extrasQ, `"tea"`, "malformed"},
		{textQ, `"far too long"`, "too_long"},
		{textQ, `true`, "malformed"},
		{goQ, `"yes"`, "malformed"},
		{timeQ, `{"option":"canary","note":"x"}`, "no option is called so"},
	} {
		f, err := ParseFile([]byte("{\n\n\"" + r.question.ID + `":` + r.prepared + `}`))
		if err != nil {
			t.Errorf("%s: %v", r.prepared, err)
			continue
		}
		_, err = f.Ask(t.Context(), request(r.question))
		if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), r.says) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", r.prepared, err)
		}
		if len(f.Unused()) != 1 {
			t.Errorf("%s: used up by a request that failed: %q", r.prepared, f.Unused())
		}
	}
}

func TestAListIsUsedInOrderAndOneAnswerAsOftenAsAsked(t *testing.T) {
	f, err := ParseFile([]byte(`{"comment":["a","b","c"],"go_ahead":true,"extras":["tea"],"code":["1","2"],"seat":"window"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"a"`, `"b"`} {
		got, err := f.Ask(t.Context(), request(textQ, goQ, extrasQ))
		if err != nil {
			t.Fatal(err)
		}
		if string(got["comment"]) != want || string(got["go_ahead"]) != `{"confirmed":true}` || string(got["extras"]) != `["o1"]` {
			t.Errorf("%s", got)
		}
	}
	// A request that cannot be answered whole uses nothing up.
	if _, err := f.Ask(t.Context(), request(textQ, timeQ)); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), `none for "time"`) {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff([]string{`"code" was not asked`, `"comment" has 1 answer left over`, `"seat" was not asked`}, f.Unused()); diff != "" {
		t.Error(diff)
	}
	if got, err := f.Ask(t.Context(), request(textQ)); err != nil || string(got["comment"]) != `"c"` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := f.Ask(t.Context(), request(textQ)); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "all 3 answers of the list are used") {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Ask(ended, request(goQ)); !errors.Is(err, ErrNoResponse) {
		t.Errorf("%v", err)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]FileError{
		``:                               {Line: 1, Column: 1},
		"[]":                             {Line: 1, Column: 1},
		"{\n  \"a\": \"é\", x}":          {Line: 2, Column: 13},
		"{\n \"a\": 7}":                  {Line: 2, Column: 7},
		"{\"a\": null}":                  {Line: 1, Column: 7},
		"{\"a\": [\"x\", 7]}":            {Line: 1, Column: 7},
		"{\"A\": \"x\"}":                 {Line: 1, Column: 5},
		"{\"a\": \"x\",\n \"a\": \"y\"}": {Line: 2, Column: 2},
		"{\"a\": {\"b\":1,\"b\":2}}":     {Line: 1, Column: 14},
		"{\"a\": \"x\"} x":               {Line: 1, Column: 11},
		"{\"a\": \"x\"":                  {Line: 1, Column: 10},
		"{\"a\": \"\xff\"}":              {Line: 1, Column: 8},
	} {
		_, err := ParseFile([]byte(text))
		var wrong *FileError
		if !errors.As(err, &wrong) || wrong.Line != want.Line || wrong.Column != want.Column || wrong.Problem == "" {
			t.Errorf("%q: %v, want line %d, column %d", text, err, want.Line, want.Column)
		}
	}
	if _, err := ParseFile([]byte(`{"a":"` + strings.Repeat("x", maxAnswers) + `"}`)); err == nil {
		t.Error("more than 1 MiB is read")
	}
}

func TestOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.json")
	if _, err := OpenFile(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(path, []byte(`{"go_ahead":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Ask(t.Context(), request(goQ)); err != nil || len(got) != 1 || len(f.Unused()) != 0 {
		t.Errorf("%s, %v, %q", got, err, f.Unused())
	}
}

func TestFunc(t *testing.T) {
	var asked question.Request
	var a Asker = Func(func(_ context.Context, r question.Request) (map[string]json.RawMessage, error) {
		asked = r
		return map[string]json.RawMessage{"comment": json.RawMessage(`"x"`)}, nil
	})
	got, err := a.Ask(t.Context(), request(textQ))
	if err != nil || string(got["comment"]) != `"x"` || asked.Questions[0].ID != "comment" {
		t.Errorf("%s, %v", got, err)
	}
}

func FuzzParseFile(f *testing.F) {
	f.Add([]byte(`{"time":"noon","seat":["window",{"other":"x"}],"extras":[["tea"],{"options":["o1"],"other":"y"}],"go_ahead":true,"comment":"c","code":["1"]}`))
	f.Add([]byte(`{"extras":["tea",["o2"]],"time":{"option":"9:00","note":"n"},"login":{"username":"u","password":"p"}}`))
	f.Add([]byte("{\"a\":\n[7]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := ParseFile(text)
		if err != nil {
			var wrong *FileError
			if !errors.As(err, &wrong) || wrong.Line < 1 || wrong.Column < 1 {
				t.Fatal(err)
			}
			return
		}
		for _, q := range []question.Question{timeQ, seatQ, extrasQ, textQ, goQ, codeQ, loginQ} {
			r := request(q)
			got, err := file.Ask(t.Context(), r)
			if err != nil {
				if !errors.Is(err, ErrUnavailable) {
					t.Fatal(err)
				}
				continue
			}
			if _, err := question.CheckAnswers(r, got); err != nil {
				t.Fatal(err)
			}
		}
		file.Unused()
	})
}
