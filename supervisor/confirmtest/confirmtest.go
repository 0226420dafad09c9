// Package confirmtest, for tests of hosts, is the contract of a host for native confirms: eight runs that every host must end alike (spec
// artifact-and-serving.md §7). A host's own test gives Test a function that runs an operation.
package confirmtest

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/confirm"
	"github.com/pomerado-go/pomerado/operations/question"
)

// Run is one run a host is to do.
type Run struct {
	Artifact *artifact.Artifact
	// URL is the site, on loopback.
	URL string
	// Write: the run may write; else it is declared to read only.
	Write bool
	// Input is the operation's input.
	Input json.RawMessage
	// Ask answers the yes/no question a host puts about a confirm that no record covers, with no. It fits asker.Func.
	Ask func(context.Context, question.Request) (map[string]json.RawMessage, error)
}

// Host does a run with Chromium and returns the output of its operation. It fails the test when the run does not complete.
type Host func(t *testing.T, run Run) json.RawMessage

const (
	recordedText = "Place this order?"
	recordedStep = "place-order"
)

// Test runs the eight cases. The output of a case is what the page itself got from its confirms.
func Test(t *testing.T, host Host) {
	for _, c := range []struct {
		name string
		// what the page does, and the step the script names
		page, step string
		read       bool
		want       []bool
		asked      int32
	}{
		{name: "recorded", page: "once", step: recordedStep, want: []bool{true}},
		{name: "repeated in one click", page: "twice", step: recordedStep, want: []bool{true, false}, asked: 1},
		{name: "not recorded", page: "other", step: recordedStep, want: []bool{false}, asked: 1},
		{name: "recorded at another step", page: "once", step: "pay-order", want: []bool{false}, asked: 1},
		{name: "other text in a frame of the page's origin", page: "frame", step: recordedStep, want: []bool{false}, asked: 1},
		{name: "recorded text in a foreign frame", page: "foreign", step: recordedStep, want: []bool{true}},
		{name: "in a popup window", page: "popup", step: recordedStep, want: []bool{false}},
		{name: "in a run that reads", page: "once", step: recordedStep, read: true, want: []bool{false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := serve(t)
			record := confirm.Digest(confirm.Shown{Message: recordedText, Page: address, Step: recordedStep})
			var asked atomic.Int32
			input, err := json.Marshal(map[string]string{"page": c.page, "step": c.step})
			if err != nil {
				t.Fatal(err)
			}
			output := host(t, Run{
				Artifact: operation(t, record), URL: address.String(), Write: !c.read, Input: input,
				Ask: func(_ context.Context, r question.Request) (map[string]json.RawMessage, error) {
					asked.Add(1)
					if len(r.Questions) != 1 || r.Questions[0].Type != question.Confirm {
						return nil, fmt.Errorf("%d questions were put about one confirm", len(r.Questions))
					}
					return map[string]json.RawMessage{r.Questions[0].ID: json.RawMessage(`{"confirmed":false}`)}, nil
				},
			})
			var got []bool
			if err := json.Unmarshal(output, &got); err != nil {
				t.Fatalf("the output %s: %v", output, err)
			}
			if !reflect.DeepEqual(got, c.want) || asked.Load() != c.asked {
				t.Errorf("the page was answered %v after %d questions; want %v after %d", got, asked.Load(), c.want, c.asked)
			}
		})
	}
}

//go:embed page.html
var page []byte

//go:embed tool.mjs
var tool []byte

// serve is the site, at 127.0.0.1; its foreign frame is the same server at localhost.
func serve(t *testing.T) *url.URL {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return &url.URL{Scheme: "http", Host: "127.0.0.1:" + port, Path: "/"}
}

func operation(t *testing.T, record string) *artifact.Artifact {
	t.Helper()
	dir := t.TempDir()
	manifest, err := json.Marshal(map[string]any{
		"entrypoint": "tool.mjs", "files": []string{"tool.mjs"}, "inputSchema": json.RawMessage(`{"type":"object"}`),
		"outputSchema": json.RawMessage(`{"type":"array"}`), "acceptedConfirms": []artifact.AcceptedConfirm{{Digest: record}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"pomerado.json": manifest, "tool.mjs": tool} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := artifact.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
