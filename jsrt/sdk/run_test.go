package sdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/workers/contract"
)

// host grants what its functions say and keeps what it was asked, in order.
type host struct {
	mu  sync.Mutex
	log []string

	execute   func(sdk.Call) (sdk.Reply, error)
	answers   map[string]any
	askError  error
	dialog    func(sdk.DialogReport) (sdk.DialogDecision, error)
	signIn    func() (bool, error)
	commit    func(name string) error
	http      func(request []byte) (sdk.HTTPAnswer, error)
	fileError error
	remaining time.Duration
	questions []question.Question
}

func (h *host) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *host) Execute(_ context.Context, c sdk.Call) (sdk.Reply, error) {
	h.note("execute %s %s", strings.TrimSpace(c.Code), c.Timeout)
	defer h.note("executed")
	if h.execute == nil {
		return sdk.Reply{Success: true}, nil
	}
	return h.execute(c)
}

func (h *host) Ask(_ context.Context, questions []question.Question) (map[string]json.RawMessage, error) {
	h.mu.Lock()
	h.questions = append(h.questions, questions...)
	h.mu.Unlock()
	if h.askError != nil {
		return nil, h.askError
	}
	out := map[string]json.RawMessage{}
	for _, q := range questions {
		if answer, ok := h.answers[q.ID]; ok {
			text, err := json.Marshal(answer)
			if err != nil {
				return nil, err
			}
			out[q.ID] = text
		}
	}
	return out, nil
}

func (h *host) DecideDialog(_ context.Context, r sdk.DialogReport) (sdk.DialogDecision, error) {
	h.note("dialog %s %s %s", r.Step, r.Type, r.URL)
	return h.dialog(r)
}

func (h *host) SignIn(context.Context) (bool, error) {
	h.note("sign in")
	if h.signIn == nil {
		return false, nil
	}
	return h.signIn()
}

func (h *host) SendHTTP(ctx context.Context, request []byte) (sdk.HTTPAnswer, error) {
	h.note("http %s", request)
	if strings.Contains(string(request), "/endless") {
		<-ctx.Done()
		h.note("cancelled")
		return sdk.HTTPAnswer{}, ctx.Err()
	}
	return h.http(request)
}

func (h *host) PlaceFile(_ context.Context, reference string, field sdk.FileField, timeout time.Duration) (sdk.PlacedFile, error) {
	h.note("place %s %+v %s", reference, field, timeout)
	return sdk.PlacedFile{Name: "a.pdf", MediaType: "application/pdf", Size: 5}, h.fileError
}
func (h *host) ArmDownload(context.Context) (string, error) { h.note("arm"); return "slot-1", nil }
func (h *host) CollectFile(_ context.Context, slot string, timeout time.Duration) (json.RawMessage, error) {
	h.note("collect %s %s", slot, timeout)
	return json.RawMessage(`{"$file":{"id":"1"}}`), h.fileError
}

func (h *host) DeclareCommits(_ context.Context, d sdk.WriteDeclaration, write bool) error {
	h.note("declare %v %s %v", write, d.Confirmation, d.Commits)
	return nil
}
func (h *host) Dispatch(context.Context) error { h.note("dispatch"); return nil }
func (h *host) EnteringCommit(_ context.Context, name string) error {
	h.note("commit %s", name)
	if h.commit != nil {
		return h.commit(name)
	}
	return nil
}
func (h *host) Verified(_ context.Context, kind string) error {
	h.note("verified %s", kind)
	return nil
}
func (h *host) Remaining() time.Duration {
	if h.remaining != 0 {
		return h.remaining
	}
	return time.Minute
}

const head = `import { Schema, Effect, Data } from "effect";
import * as sdk from "pomerado/runtime";
import { defineOperation } from "pomerado/runtime";
`

// start loads an authored module in a runtime of its own.
func start(t testing.TB, h sdk.Host, source string) (*sdk.SDK, *jsrt.Runtime) {
	t.Helper()
	bundled, err := contract.Bundle([]contract.File{{Path: "src/tool.mjs", Content: []byte(source)}}, "src/tool.mjs")
	if err != nil {
		t.Fatal(err)
	}
	rt := newRuntime(t)
	s, err := sdk.Load(t.Context(), rt, script(t), h)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Evaluate(t.Context(), sdk.Bundle{Script: bundled.Script, SourceMap: bundled.SourceMap}); err != nil {
		t.Fatal(err)
	}
	return s, rt
}

func begin(input string) sdk.Start {
	return sdk.Start{Input: json.RawMessage(input), SessionID: "session-1", SiteOrigin: "https://shop.example", SiteDomain: "shop.example"}
}

// body runs one script whose body is given, with what it may destructure from its context.
func body(t testing.TB, h *host, contractParts, code string) (string, error) {
	t.Helper()
	if contractParts == "" {
		contractParts = "input: Schema.Struct({}), output: Schema.Unknown"
	}
	s, _ := start(t, h, head+"export default defineOperation({ name: \"tool\", "+contractParts+" }, async (context) => {\n"+
		"const { kernel, sessionId, siteOrigin, siteDomain, input, ask, decideDialog, waitPastChallenge, verified, enteringCommit, remainingMs, rejectedSignIn, ensureSignedIn, files, errors, fillCard } = context;\n"+
		"const execute = (code, rest) => kernel.browsers.playwright.execute(sessionId, { code, ...rest });\n"+
		"const caught = async (f) => { try { return await f(); } catch (e) { return `${e.name}|${e.message}`; } };\n"+code+"\n});\n")
	out, err := s.RunOperation(t.Context(), begin("{}"))
	return string(out.JSON), err
}

func failure(t testing.TB, err error) *sdk.ScriptError {
	t.Helper()
	var e *sdk.ScriptError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a script error", err)
	}
	return e
}

// The order of one run: commits, input, dispatch, script, output.
func TestRunInOrder(t *testing.T) {
	h := &host{}
	s, _ := start(t, h, head+`export default defineOperation({
		name: "order", input: Schema.Struct({ n: Schema.NumberFromString }), output: Schema.Struct({ n: Schema.Number }),
		write: { confirmation: "readback", commits: ["first-step", "second"] },
	}, async ({ input, kernel, sessionId, enteringCommit, verified, siteOrigin, siteDomain }) => {
		enteringCommit("first-step");
		await kernel.browsers.playwright.execute(sessionId, { code: siteOrigin + " " + siteDomain, timeout_sec: 7 });
		verified();
		return { n: input.n + 1, extra: "dropped" };
	});`)
	out, err := s.RunOperation(t.Context(), begin(`{"n":"41","excess":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if string(out.JSON) != `{"n":42}` {
		t.Errorf("got %s", out.JSON)
	}
	want := []string{"declare true readback [first-step second]", "dispatch", "commit first-step", "execute https://shop.example shop.example 7s", "executed", "verified readback"}
	if diff := cmp.Diff(want, h.log); diff != "" {
		t.Error(diff)
	}
}

func TestInputIsDecodedBeforeAnythingStarts(t *testing.T) {
	h := &host{}
	s, _ := start(t, h, head+`export default defineOperation({
		name: "strict", output: Schema.Struct({}), input: Schema.Struct({
			a: Schema.Int, b: Schema.Array(Schema.Struct({ c: Schema.String })), "odd key": Schema.String, m: Schema.Record({ key: Schema.String, value: Schema.Int }),
			u: Schema.Union(Schema.Struct({ k: Schema.Literal("x"), v: Schema.Int }), Schema.Struct({ k: Schema.Literal("y") })), n: Schema.NumberFromString,
		}) }, async () => { throw new Error("the script must not run"); });`)
	_, err := s.RunOperation(t.Context(), begin(`{"a":"x","b":[{"c":"q"},{}],"m":{"secret":"q"},"u":{"k":"x"},"n":"q"}`))
	e := failure(t, err)
	if e.Tag != ipc.TagInvalidInput || e.Code != "InvalidInput" {
		t.Errorf("got %s %s", e.Tag, e.Code)
	}
	want := []sdk.InputIssue{{"a", "invalid"}, {"b[1].c", "missing"}, {`["odd key"]`, "missing"}, {"m[key]", "invalid"}, {"u.v", "missing"}, {"n", "invalid"}}
	if diff := cmp.Diff(want, e.InputIssues); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"declare false  []"}, h.log); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(e.Message, "secret") {
		t.Errorf("the message repeats a key of the input: %s", e.Message)
	}
}

// How a script ends is told by tag, dispatch, detail and the authored line.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name, contract, code string
		want                 sdk.ScriptError
	}{
		{"OperationFailure", "", `throw new errors.OperationFailure("no luck", { dispatch: "sent" });`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "no luck", Dispatch: "sent", Frame: "src/tool.mjs:8"}},
		{"OperationFailure without a dispatch", "", `throw new errors.OperationFailure("no luck");`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "no luck", Dispatch: "unknown", Frame: "src/tool.mjs:8"}},
		{"the exported class", "", `throw new sdk.OperationFailure("same", { dispatch: "not_sent" });`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "same", Dispatch: "not_sent", Frame: "src/tool.mjs:8"}},
		{"lost session", "", `throw new errors.OperationFailure("gone", { sessionLoss: "session_not_kept" });`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "gone", Dispatch: "unknown", SessionLoss: "session_not_kept", Frame: "src/tool.mjs:8"}},
		{"any other error", "", `const deep = () => { throw new RangeError("odd"); };` + "\ndeep();",
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "odd", Dispatch: "unknown", Frame: "src/tool.mjs:8"}},
		{"a value", "", `throw "just text";`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "the operation threw a value that is not an Error", Dispatch: "unknown"}},
		{"an error of the tool's own", "", `class Mine extends Data.TaggedError("Mine") {}` + "\nthrow new Mine({ message: 'own', code: 'mine' });",
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "own", Dispatch: "unknown", Frame: "src/tool.mjs:9"}},
		{"InvalidInput", "", `throw new errors.InvalidInput("not offered", { field: "season", available: ["a", " ", 3, "b"], kind: "not_offered" });`,
			sdk.ScriptError{Tag: "InvalidInput", Code: "InvalidInput", Message: "not offered", Dispatch: "unknown", Frame: "src/tool.mjs:8",
				Detail: sdk.Detail{Field: "season", Available: []string{"a", "b"}, Kind: "not_offered"}}},
		{"InvalidInput with a bad kind", "", `throw new errors.InvalidInput("x", { kind: "Not Offered", available: [] });`,
			sdk.ScriptError{Tag: "InvalidInput", Code: "InvalidInput", Message: "x", Dispatch: "unknown", Frame: "src/tool.mjs:8"}},
		{"InputNotApplied", "", `throw new errors.InputNotApplied("other", { field: "city", requested: "Skye", applied: "Mull", step: "search", siteMessage: "?" });`,
			sdk.ScriptError{Tag: "InputNotApplied", Code: "InputNotApplied", Message: "other", Dispatch: "unknown", Frame: "src/tool.mjs:8",
				Detail: sdk.Detail{Field: "city", Requested: "Skye", Applied: "Mull", Step: "search", SiteMessage: "?"}}},
		{"LocationNotApplied", "", `const e = new errors.LocationNotApplied("other", { field: "city" }); if (!(e instanceof errors.InputNotApplied)) throw 1; throw e;`,
			sdk.ScriptError{Tag: "LocationNotApplied", Code: "LocationNotApplied", Message: "other", Dispatch: "unknown", Frame: "src/tool.mjs:8", Detail: sdk.Detail{Field: "city"}}},
		{"CredentialsRejected", "", `throw new errors.CredentialsRejected("password");`,
			sdk.ScriptError{Tag: "CredentialsRejected", Code: "CredentialsRejected", Message: "The site did not accept the password", Dispatch: "unknown", Frame: "src/tool.mjs:8", Detail: sdk.Detail{Field: "password"}}},
		{"unconfirmable write", `input: {}, output: {}, write: { confirmation: "unverifiable" }`, `verified();`,
			sdk.ScriptError{Tag: "WriteConfirmationRefused", Code: "WriteConfirmationRefused", Message: "The operation declares its write unverifiable, so it cannot be confirmed by readback", Dispatch: "unknown", Frame: "src/tool.mjs:8"}},
		{"an Effect that failed", "", `await Effect.runPromise(Effect.fail(new errors.OperationFailure("in effect", { dispatch: "sent" })));`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "in effect", Dispatch: "sent", Frame: "src/tool.mjs:8"}},
		{"an Effect returned", "", `return Effect.succeed({});`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "the operation returned an Effect instead of data; await Effect.runPromise(effect) and return its value", Dispatch: "not_sent"}},
		{"wrong output", `input: {}, output: Schema.Struct({ a: Schema.Int })`, `return { a: "x" };`,
			sdk.ScriptError{Tag: "InvalidOutput", Code: "InvalidOutput", Dispatch: "unknown",
				Message: "The output of tool does not fit its schema: { readonly a: Int }\n└─ [\"a\"]\n   └─ Int\n      └─ From side refinement failure\n         └─ Expected number, actual \"x\""}},
		{"output that JSON would change", "", `return { a: [1, NaN] };`,
			sdk.ScriptError{Tag: "InvalidOutput", Code: "InvalidOutput", Dispatch: "unknown", Message: `The output of tool does not fit its schema: "1" is NaN, which JSON cannot hold`}},
		{"cyclic output", "", `const a = {}; a.a = a; return a;`,
			sdk.ScriptError{Tag: "InvalidOutput", Code: "InvalidOutput", Dispatch: "unknown", Message: "The output of tool does not fit its schema: Converting circular structure to JSON"}},
		{"output over 1 MiB", "", `return "x".repeat(2 << 20);`,
			sdk.ScriptError{Tag: "InvalidOutput", Code: "InvalidOutput", Dispatch: "unknown", Message: "The operation's output is 2097154 bytes of JSON; at most 1048576 are taken. Return less, or return it in pages"}},
		{"a promise nobody handles", "", `Promise.reject(new TypeError("lost")); await new Promise((r) => setTimeout(r, 1)); return {};`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "lost", Dispatch: "unknown", Frame: "src/tool.mjs:8"}},
		{"cards", "", `fillCard({});`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "card answers are not supported here", Dispatch: "unknown"}},
		{"a commit's name", "", `enteringCommit("Not A Name");`,
			sdk.ScriptError{Tag: "OperationFailure", Code: "OperationFailure", Message: "enteringCommit takes a step's name: lower-case words joined by -, at most 48 characters", Dispatch: "unknown", Frame: "src/tool.mjs:8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := body(t, &host{}, c.contract, c.code)
			e := *failure(t, err)
			e.Stack = ""
			if c.want.Frame == "" {
				e.Frame = ""
			}
			if diff := cmp.Diff(c.want, e); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	_, err := body(t, &host{}, "", `throw new errors.OperationFailure("é".repeat(5000), { stderr: "s".repeat(20000) });`)
	if e := failure(t, err); len(e.Message) > ipc.MaxErrorText || !strings.HasPrefix(e.Message, "éé") {
		t.Errorf("the message is %d bytes long", len(e.Message))
	}
}

func TestDeadlineBeforeTheScript(t *testing.T) {
	h := &host{remaining: -time.Second}
	_, err := body(t, h, "", `throw new Error("the script must not run");`)
	if e := failure(t, err); e.Tag != ipc.TagDeadlineExceeded || e.Dispatch != ipc.DispatchNotSent {
		t.Errorf("got %s %s", e.Tag, e.Dispatch)
	}
}

// What is not the script's doing stays package jsrt's.
func TestEndsThatAreNotTheScripts(t *testing.T) {
	if _, err := body(t, &host{}, "", `await new Promise(() => {});`); !errors.Is(err, jsrt.ErrNeverSettles) {
		t.Errorf("got %v", err)
	}
	stop := errors.New("the clock ran out")
	ctx, cancel := context.WithCancelCause(t.Context())
	h := &host{}
	s, _ := start(t, h, head+`export default defineOperation({ input: {}, output: {} }, async ({ enteringCommit }) => { enteringCommit("looping"); for (;;); });`)
	h.commit = func(string) error { cancel(stop); return nil }
	_, err := s.RunOperation(ctx, begin("{}"))
	var interrupted *jsrt.Interrupted
	if !errors.As(err, &interrupted) || !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

func TestOutputForms(t *testing.T) {
	for code, want := range map[string]string{
		`return undefined;`: "", `return null;`: "null", `return { d: new Date(0), u: undefined };`: `{"d":"1970-01-01T00:00:00.000Z"}`,
		`return [remainingMs(), siteOrigin, siteDomain, sessionId, typeof input];`: `[60000,"https://shop.example","shop.example","session-1","object"]`,
	} {
		if got, err := body(t, &host{}, "", code); err != nil || got != want {
			t.Errorf("%s gave %s, %v; want %s", code, got, err, want)
		}
	}
	s, _ := start(t, &host{}, head+`export default defineOperation({ input: {}, output: {} }, async ({ siteOrigin, siteDomain }) => [siteOrigin === undefined, siteDomain === undefined]);`)
	out, err := s.RunOperation(t.Context(), sdk.Start{Input: json.RawMessage("{}"), SessionID: "offline"})
	if err != nil || string(out.JSON) != "[true,true]" {
		t.Errorf("got %s, %v", out.JSON, err)
	}
}

func TestHTTPFormRuns(t *testing.T) {
	h := &host{}
	s, _ := start(t, h, head+`export default sdk.defineHttpOperation({ name: "h", input: Schema.Struct({}), output: Schema.Struct({ n: Schema.Int }), run: () => Effect.succeed({ n: 1, more: 2 }) });`)
	c, err := s.ReadContract(t.Context())
	if err != nil || c.Form != "http" || c.Name != "h" {
		t.Errorf("got %+v, %v", c, err)
	}
	out, err := s.RunOperation(t.Context(), begin("{}"))
	if err != nil || string(out.JSON) != `{"n":1}` {
		t.Errorf("got %s, %v", out.JSON, err)
	}
	if diff := cmp.Diff([]string{"declare false  []"}, h.log); diff != "" {
		t.Error(diff)
	}
}

func TestCommitAlreadySent(t *testing.T) {
	h := &host{commit: func(string) error { return &sdk.Refused{Code: ipc.InvalidRequest} }}
	_, err := body(t, h, "", `enteringCommit("pay");`)
	if e := failure(t, err); e.Tag != ipc.TagCommitAlreadySent || e.Frame != "src/tool.mjs:8" {
		t.Errorf("got %+v", e)
	}
}
