package supervisor_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/testdata/site"
	"github.com/pomerado-go/pomerado/workers"
)

// The test binary is its own worker, as pomerado is; and its own supervisor in another process, for the tests that kill one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "worker":
			workers.Main(os.Args[2:])
			return
		case "forge":
			forge(os.Args[2], os.Args[3:])
			return
		case "supervise":
			supervise(os.Args[2:])
			return
		}
	}
	os.Exit(m.Run())
}

func workerCommand() []string { return []string{self(), "worker"} }

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// testLog shows the supervisor's log when a test is run with -v.
func testLog() *slog.Logger {
	if !testing.Verbose() {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(os.Stderr, nil))
}

func newSupervisor(t testing.TB, change ...func(*supervisor.Options)) *supervisor.Supervisor {
	t.Helper()
	opts := supervisor.Options{Worker: workerCommand(), Log: testLog()}
	for _, f := range change {
		f(&opts)
	}
	s, err := supervisor.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing the supervisor: %v", err)
		}
	})
	return s
}

func startSite(t testing.TB) *site.Server {
	t.Helper()
	s, err := site.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// operation is an authored tool written down in a test.
type operation struct {
	source string         // the whole module; or
	script string         // the body of run, with every field of its argument in scope
	write  string         // the contract's write, as source
	asks   string         // the contract's questions, as source
	input  map[string]any // JSON Schema; {} accepts {}
	output map[string]any // JSON Schema; nil accepts anything
}

const fieldsInScope = `{ kernel, sessionId, siteOrigin, siteDomain, input, ask, decideDialog, waitPastChallenge, verified, enteringCommit, remainingMs, rejectedSignIn, ensureSignedIn, files, errors }`

func (o operation) module() string {
	if o.source != "" {
		return o.source
	}
	var extra string
	if o.write != "" {
		extra += ", write: " + o.write
	}
	if o.asks != "" {
		extra += ", questions: " + o.asks
	}
	return fmt.Sprintf(`import { defineOperation } from "pomerado/runtime";
export default defineOperation({ name: "tool", input: %s, output: %s%s }, async (%s) => {
const page = async (code, timeout_sec = 30) => {
  const reply = await kernel.browsers.playwright.execute(sessionId, { code, timeout_sec });
  if (!reply.success) throw new errors.OperationFailure(reply.error, { stderr: reply.stderr });
  return reply.result;
};
%s
});`, schemaText(o.input), schemaText(o.output), extra, fieldsInScope, o.script)
}

func schemaText(s map[string]any) string {
	if s == nil {
		return `{}`
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// save writes o as an artifact folder and loads it again.
func (o operation) save(t testing.TB) *artifact.Artifact {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	manifest := map[string]any{
		"entrypoint": "src/tool.mjs", "files": []string{"src/tool.mjs"},
		"inputSchema": json.RawMessage(schemaText(o.input)), "outputSchema": json.RawMessage(schemaText(o.output)),
	}
	encoded, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"pomerado.json": string(encoded), "src/tool.mjs": o.module()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := artifact.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// execute runs o and fails the test when no run could be made of it.
func (o operation) execute(t testing.TB, s *supervisor.Supervisor, url string, change ...func(*supervisor.Request)) supervisor.Outcome {
	t.Helper()
	req := supervisor.Request{Artifact: o.save(t), URL: url}
	for _, f := range change {
		f(&req)
	}
	out, err := s.Run(t.Context(), req)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	return out
}

func wantCompleted(t testing.TB, out supervisor.Outcome, output string) {
	t.Helper()
	if out.Status != outcome.Completed {
		t.Fatalf("the run failed: %s (%+v)", out.Error, out.Details)
	}
	if string(out.Output) != output {
		t.Fatalf("output = %s, want %s", out.Output, output)
	}
}

func wantFailed(t testing.TB, out supervisor.Outcome, code outcome.Code, cause, message string) {
	t.Helper()
	if out.Status != outcome.Failed || out.Code != code || out.Details.Cause != cause || !strings.Contains(out.Error, message) {
		t.Fatalf("got %s/%s, cause %q, error %q; want failed/%s, cause %q, an error with %q\noutput %s", out.Status, out.Code, out.Details.Cause, out.Error, code, cause, message, out.Output)
	}
}

// processes lists the live processes whose command line holds mark.
func processes(t testing.TB, mark string) []string {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range entries {
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), mark) {
			found = append(found, path+" "+strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return found
}

// eventually waits for ok within limit, looking often.
func eventually(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

func command(args ...string) *exec.Cmd {
	cmd := exec.Command(self(), args...)
	cmd.Stderr = os.Stderr
	return cmd
}
