package cdp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCutReadsWhatChromiumWrites(t *testing.T) {
	tests := []struct {
		frame string
		want  Parts
	}{
		{`{"id":7,"result":{}}`, Parts{ID: 7, Body: []byte(`{}`)}},
		{`{"id":7,"result":{"a":{}},"sessionId":"A1"}`, Parts{ID: 7, Session: []byte("A1"), Body: []byte(`{"a":{}}`)}},
		{`{"id":2147483647,"error":{"code":-32000,"message":"x"},"sessionId":"AB"}`,
			Parts{ID: 2147483647, Session: []byte("AB"), Failed: true, Body: []byte(`{"code":-32000,"message":"x"}`)}},
		{`{"id":3,"error":{"code":-32000,"message":"x"}}`, Parts{ID: 3, Failed: true, Body: []byte(`{"code":-32000,"message":"x"}`)}},
		{`{"method":"Page.loadEventFired","params":{"timestamp":1},"sessionId":"F0"}`,
			Parts{Method: []byte("Page.loadEventFired"), Session: []byte("F0"), Body: []byte(`{"timestamp":1}`)}},
		{`{"method":"Target.attachedToTarget","params":{"sessionId":"F0"}}`,
			Parts{Method: []byte("Target.attachedToTarget"), Body: []byte(`{"sessionId":"F0"}`)}},
		{`{"method":"Inspector.targetCrashed"}`, Parts{Method: []byte("Inspector.targetCrashed")}},
		{`{"method":"Inspector.targetCrashed","sessionId":"F0"}`, Parts{Method: []byte("Inspector.targetCrashed"), Session: []byte("F0")}},
		// Text of a page that looks like a tail stays text: its quotes are escaped.
		{`{"id":1,"result":{"value":",\"sessionId\":\"EVIL\"}"}}`, Parts{ID: 1, Body: []byte(`{"value":",\"sessionId\":\"EVIL\"}"}`)}},
	}
	for _, test := range tests {
		got, ok := Cut([]byte(test.frame))
		if !ok {
			t.Errorf("Cut(%s) does not read it", test.frame)
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Cut(%s):\n%s", test.frame, diff)
		}
	}
}

func TestCutRefusesOtherLayouts(t *testing.T) {
	for _, frame := range []string{
		``, `{`, `{}`, `[]`, `null`, `{"id":1}`, `{"id":0,"result":{}}`, `{"id":-1,"result":{}}`, `{"id":01,"result":{}}`, `{"id":1.5,"result":{}}`,
		`{"id":1234567890123456,"result":{}}`, `{ "id":1,"result":{}}`, `{"result":{},"id":1}`, `{"id":1,"result":{}`, `{"id":1,"result":1}`,
		`{"id":1,"result":{},"sessionId":""}`, `{"id":1,"result":{},"sessionId":"a b"}`, `{"id":1,"result":{},"sessionId":"a","x":"b"}`,
		`{"method":"","params":{}}`, `{"method":"A b","params":{}}`, `{"method":"A.b","params":[]}`, `{"method":"A.b"`, `{"method":"A.b","x":"y"}`,
		`{"method":"A.b","x":{},"sessionId":"F0"}`, `{"error":{"code":-32700,"message":"x"}}`,
		`{"id":1,"result":{},"sessionId":"` + strings.Repeat("a", 200) + `"}`,
	} {
		if got, ok := Cut([]byte(frame)); ok {
			t.Errorf("Cut(%s) gives %+v, want nothing", frame, got)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, seed := range []string{
		`{"id":7,"result":{},"sessionId":"A1"}`, `{"id":7,"error":{"code":1,"message":"\"}"}}`, `{"method":"A.b","params":{"a":"\\\""},"sessionId":"F0"}`,
		`{"method":"A.b","sessionId":"F0"}`, `{"method":"A.b"}`, `{"id":1,"result":{"sessionId":"x"}}`, `{"id":1,"result":{"a":{}},"sessionId":"x"}`,
		`{"id":1,"result":{},"extra":1,"sessionId":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		p, ok := Cut(frame)
		if !ok || !json.Valid(frame) || p.Body != nil && !json.Valid(p.Body) {
			return
		}
		// On every valid message the quick reading is the full reading.
		var full map[string]json.RawMessage
		if err := json.Unmarshal(frame, &full); err != nil {
			t.Fatalf("Cut read %q, which is no object: %v", frame, err)
		}
		var session string
		if raw, found := full["sessionId"]; found {
			if err := json.Unmarshal(raw, &session); err != nil {
				t.Fatal(err)
			}
		}
		if session != string(p.Session) {
			t.Errorf("session %q, want %q in %q", p.Session, session, frame)
		}
		key := "params"
		if p.ID != 0 {
			key = "result"
			if p.Failed {
				key = "error"
			}
		}
		if !bytes.Equal(bytes.TrimSpace(full[key]), bytes.TrimSpace(p.Body)) && len(full) <= 3 {
			t.Errorf("body %q, want %q in %q", p.Body, full[key], frame)
		}
	})
}
