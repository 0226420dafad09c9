package main

import (
	"encoding/json"
	"testing"
)

func TestPlaceOfAFaultInJSON(t *testing.T) {
	for text, want := range map[string]*position{
		`{}`:                  nil,
		" \n[1,\"é\"]\n":      nil,
		`"x"`:                 nil,
		``:                    {1, 1, "unexpected end of JSON input"},
		"{\n  \"a\": 1,\n}":   {3, 1, "invalid character '}' looking for beginning of object key string"},
		`{"é":tru}`:           {1, 9, "invalid character '}' in literal true (expecting 'e')"},
		"{\"a\":1}\n{}":       {2, 1, "invalid character '{' after top-level value"},
		`{"a":"b`:             {1, 8, "unexpected end of JSON input"},
		"{\"a\":\"\xc3\x28\"": {1, 7, "the bytes are not UTF-8"},
		`{a:1}`:               {1, 2, "invalid character 'a' looking for beginning of object key string"},
	} {
		got := checkJSON([]byte(text))
		switch {
		case got == nil && want == nil:
		case got == nil || want == nil || *got != *want:
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{`{}`, "{\n\"a\":1,}", "\xff", `"\ud800"`, "1 2", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		problem := checkJSON(text)
		if problem == nil && !json.Valid(text) {
			t.Fatalf("%q passed", text)
		}
		if problem != nil && (problem.line < 1 || problem.column < 1 || problem.column > len(text)+1) {
			t.Fatalf("%q: the fault is at %d:%d", text, problem.line, problem.column)
		}
	})
}
