package supervisor_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
)

// inspected makes an artifact of a module with the schemas its own contract has, as pack does.
func inspected(t testing.TB, s *supervisor.Supervisor, source string) *artifact.Artifact {
	t.Helper()
	files := []artifact.File{{Path: "src/tool.mjs", Content: []byte(source)}}
	c, err := s.Inspect(t.Context(), files, "src/tool.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if c.Form != "http" {
		t.Fatalf("the form is %s", c.Form)
	}
	a := &artifact.Artifact{Name: "tool", Entrypoint: "src/tool.mjs", Files: files, InputSchema: c.InputSchema, OutputSchema: c.OutputSchema}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTheHTTPExampleRuns(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	source, err := os.ReadFile("../workers/contract/testdata/examples/10-http.js")
	if err != nil {
		t.Fatal(err)
	}
	a := inspected(t, s, string(source))
	for input, want := range map[string]string{
		`{"query":"clock"}`:          `{"rooms":[{"id":1,"name":"Clock Room","opens":"10:00"},{"id":2,"name":"Clock Store","opens":"10:00"}]}`,
		`{"query":"clock","most":1}`: `{"rooms":[{"id":1,"name":"Clock Room","opens":"10:00"}]}`,
		`{"query":"whale"}`:          `{"rooms":[]}`,
	} {
		out, err := s.Run(t.Context(), supervisor.Request{Artifact: a, URL: at.URL, Input: json.RawMessage(input), Effect: outcome.Read})
		if err != nil {
			t.Fatal(err)
		}
		wantCompleted(t, out, want)
	}
}
