package supervisor_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/supervisor/asker"
)

// expected is what the guide says of an example, in a comment before it.
type expected struct {
	Input, Output, Answers json.RawMessage
	Code, Error            string
	Write, Files           bool
}

var guided = regexp.MustCompile("(?s)((?:<!-- test: [^\n]* -->\n)+)```js\n(.*?)```")

// The guide's examples do what the guide says.
func TestAuthoringGuide(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/authoring.md")
	if err != nil {
		t.Fatal(err)
	}
	found := guided.FindAllStringSubmatch(string(text), -1)
	if blocks := strings.Count(string(text), "```js\n"); len(found) != blocks || blocks < 6 {
		t.Fatalf("%d of %d examples say what they do", len(found), blocks)
	}
	s, at := newSupervisor(t), startSite(t)
	for _, parts := range found {
		contract, err := s.Inspect(t.Context(), []artifact.File{{Path: "src/tool.mjs", Content: []byte(parts[2])}}, "src/tool.mjs")
		if err != nil {
			t.Fatalf("%v\n%s", err, parts[2])
		}
		for i, line := range strings.Split(strings.TrimSpace(parts[1]), "\n") {
			t.Run(fmt.Sprintf("%s %d", contract.Name, i+1), func(t *testing.T) {
				var want expected
				if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(line, "<!-- test: "), " -->")), &want); err != nil {
					t.Fatal(err)
				}
				op := operation{source: parts[2], input: schemaOf(t, contract.InputSchema), output: schemaOf(t, contract.OutputSchema)}
				out := op.execute(t, s, at.URL, func(r *supervisor.Request) {
					r.Input, r.Effect = want.Input, outcome.Read
					if want.Write {
						r.Effect = outcome.Write
					}
					if want.Answers != nil {
						file, err := asker.ParseFile(want.Answers)
						if err != nil {
							t.Fatal(err)
						}
						r.Asker = file
					}
				})
				switch {
				case want.Code != "":
					wantFailed(t, out, outcome.Code(want.Code), "", want.Error)
				case want.Files:
					if out.Status != outcome.Completed || !strings.Contains(string(out.Output), `"name":"report.csv"`) {
						t.Errorf("%s %s %+v", out.Output, out.Error, out.Details)
					}
				default:
					wantCompleted(t, out, string(compactJSON(t, want.Output)))
				}
			})
		}
	}
}

func schemaOf(t *testing.T, text json.RawMessage) (schema map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

func compactJSON(t *testing.T, text json.RawMessage) []byte {
	t.Helper()
	compact, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return compact
}
