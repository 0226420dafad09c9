package sdk_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/operations/question"
)

// answered runs a body that returns data and gives it.
func answered(t *testing.T, h *host, contract, code string) any {
	t.Helper()
	text, err := body(t, h, contract, code)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// ---- execute ---------------------------------------------------------------------------------------------------------

func TestExecuteAnswers(t *testing.T) {
	h := &host{execute: func(c sdk.Call) (sdk.Reply, error) {
		switch c.Code {
		case "data":
			return sdk.Reply{Success: true, Result: json.RawMessage(`{"a":[1,null]}`), Stdout: "out\n"}, nil
		case "fails":
			return sdk.Reply{Error: "locator.click: strict mode violation", Stderr: "stack"}, nil
		}
		return sdk.Reply{Success: true}, nil
	}}
	got := answered(t, h, "", `return [await execute("data"), await execute("nothing"), await execute("fails"), "result" in await execute("nothing")];`)
	want := []any{
		map[string]any{"success": true, "result": map[string]any{"a": []any{1.0, nil}}, "stdout": "out\n"},
		map[string]any{"success": true},
		map[string]any{"success": false, "error": "locator.click: strict mode violation", "stderr": "stack"},
		false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestExecuteChecksItsCall(t *testing.T) {
	h := &host{}
	got := answered(t, h, "", `
		const playwright = kernel.browsers.playwright;
		const tries = [
			() => playwright.execute("other", { code: "1" }), () => playwright.execute(undefined, { code: "1" }),
			() => playwright.execute(sessionId), () => playwright.execute(sessionId, "1"), () => playwright.execute(sessionId, { code: 1 }),
			() => execute("1", { timeout_sec: 0 }), () => execute("1", { timeout_sec: 301 }), () => execute("1", { timeout_sec: "5" }),
			() => execute("x".repeat(1048577)),
			() => playwright.execute(sessionId, { code: "1" }, { maxRetries: -1 }), () => playwright.execute(sessionId, { code: "1" }, { timeout: 0.5 }),
			() => playwright.execute(sessionId, { code: "1" }, { timeout: 0 }), () => playwright.execute(sessionId, { code: "1" }, { signal: 1 }),
		];
		const out = [];
		for (const one of tries) { const said = await caught(one); out.push(typeof said === "string" ? said.split("|")[0] : said); }
		await playwright.execute(sessionId, { code: "plain", timeout_sec: 1.5, more: 1 }, { maxRetries: 5 });
		return out;`)
	for i, name := range got.([]any) {
		if name != "Error" {
			t.Errorf("try %d gave %v", i, name)
		}
	}
	if diff := cmp.Diff([]string{"declare false  []", "dispatch", "execute plain 1.5s", "executed"}, h.log); diff != "" {
		t.Error(diff)
	}
}

// Calls go one at a time, in order of asking.
func TestExecuteIsSerial(t *testing.T) {
	h := &host{}
	answered(t, h, "", `await Promise.all([execute("one"), execute("two"), caught(() => execute("three"))]); return 1;`)
	want := []string{"declare false  []", "dispatch", "execute one 1m0s", "executed", "execute two 1m0s", "executed", "execute three 1m0s", "executed"}
	if diff := cmp.Diff(want, h.log); diff != "" {
		t.Error(diff)
	}
}

func TestExecuteRejections(t *testing.T) {
	h := &host{execute: func(c sdk.Call) (sdk.Reply, error) {
		if c.Code == "lost" {
			return sdk.Reply{}, errors.New("the browser was lost")
		}
		return sdk.Reply{Success: true}, nil
	}}
	got := answered(t, h, "", `
		const dead = { aborted: true, addEventListener() {}, removeEventListener() {} };
		return [await caught(() => execute("lost")), await caught(() => kernel.browsers.playwright.execute(sessionId, { code: "1" }, { signal: dead })), (await execute("after")).success];`)
	want := []any{"Error|the browser was lost", "Error|execute was aborted before it was sent", true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// options.timeout stops the waiting, not the call; the next call waits for it.
func TestExecuteTimeoutOption(t *testing.T) {
	release := make(chan struct{})
	h := &host{execute: func(c sdk.Call) (sdk.Reply, error) {
		if c.Code == "slow" {
			<-release
		}
		return sdk.Reply{Success: true}, nil
	}}
	h.dialog = func(sdk.DialogReport) (sdk.DialogDecision, error) { close(release); return sdk.DialogDecision{}, nil }
	got := answered(t, h, "", `
		const late = await caught(() => kernel.browsers.playwright.execute(sessionId, { code: "slow" }, { timeout: 5 }));
		const next = execute("next");
		await decideDialog({ step: "s", type: "alert", message: "", url: "" });
		return [late.split(";")[0], (await next).success];`)
	if diff := cmp.Diff([]any{"Error|execute was not answered within 5 ms", true}, got); diff != "" {
		t.Error(diff)
	}
	calls := slices.DeleteFunc(h.log, func(line string) bool { return strings.HasPrefix(line, "dialog ") }) // it does not wait for the first call to begin
	want := []string{"declare false  []", "dispatch", "execute slow 1m0s", "executed", "execute next 1m0s", "executed"}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Error(diff)
	}
}

// A failure that repeats the last call's timeout is reported as one.
func TestBrowserActionTimeout(t *testing.T) {
	reply := func(text string) *host {
		return &host{execute: func(c sdk.Call) (sdk.Reply, error) {
			if c.Code == "fine" {
				return sdk.Reply{Success: true}, nil
			}
			return sdk.Reply{Error: text}, nil
		}}
	}
	const raise = `const r = await execute("x"); throw new errors.OperationFailure(String(r.error), { dispatch: "sent", stderr: r.stderr });`
	for _, c := range []struct {
		error, code string
		tag         ipc.Tag
	}{
		{"locator.click: Timeout 5000ms exceeded.\nCall log:\n  - waiting", raise, ipc.TagBrowserActionTimeout},
		{"TimeoutError: page.goto: Timeout 30000ms exceeded.", raise, ipc.TagBrowserActionTimeout},
		{"outcome_timeout after 30000 ms: still loading", raise, ipc.TagBrowserActionTimeout},
		{"OutcomeWaitFailure: outcome_timeout after 1 ms: x", raise, ipc.TagBrowserActionTimeout},
		{"Timeout 5000ms exceeded.", raise, ipc.TagOperationFailure},
		{"locator.click: Timeout 5000ms exceeded", `await execute("x"); throw new errors.OperationFailure("other words");`, ipc.TagOperationFailure},
		{"locator.click: Timeout 5000ms exceeded", `const r = await execute("x"); await execute("fine"); throw new errors.OperationFailure(r.error);`, ipc.TagOperationFailure},
		{"frame.fill: Timeout 5000ms exceeded. " + strings.Repeat("x", 5000), raise, ipc.TagBrowserActionTimeout},
	} {
		_, err := body(t, reply(c.error), "", c.code)
		e := failure(t, err)
		if e.Tag != c.tag {
			t.Errorf("%.60q with %s: got %s", c.error, c.code, e.Tag)
		}
		if c.tag == ipc.TagBrowserActionTimeout && (e.Dispatch != ipc.DispatchSent || e.Frame != "src/tool.mjs:8") {
			t.Errorf("%.60q: got dispatch %s, frame %s", c.error, e.Dispatch, e.Frame)
		}
	}
}

// ---- questions -------------------------------------------------------------------------------------------------------

const declared = `input: Schema.Struct({}), output: Schema.Unknown, questions: {
	seat: { type: "choice", prompt: "Which seat?", allowOther: true }, plain: { type: "choice", prompt: "Which?" }, extras: { type: "multi_choice", prompt: "Extras?", minSelections: 1, maxSelections: 2 },
	comment: { type: "text", prompt: "Comment?", maxLength: 5 }, go: { type: "confirm", prompt: "Go?", followUp: { prompt: "Why?" } }, code: { type: "secret", prompt: "Code?", secretKind: "totp" },
	old: { prompt: "Old?" }, many: { type: "multi_choice", prompt: "Many?", minSelections: 3 } }`

func TestAskForms(t *testing.T) {
	h := &host{answers: map[string]any{
		"seat": "o2", "plain": "o1", "extras": []string{"o3", "o1"}, "comment": "hello", "go": map[string]any{"confirmed": true, "text": "so"}, "code": "123", "old": "o1",
	}}
	got := answered(t, h, declared, `
		const options = [{ value: "a-1", label: "Aisle" }, { value: "w-1", label: "Window", accountSpecific: true, maskedLabel: "W" }, { value: "m", label: "Middle" }];
		return {
			one: await ask("code"), listed: await ask(["comment", "go"]), choice: await ask("seat", { options }), bare: await ask("seat", options),
			several: await ask({ seat: { options }, extras: options, comment: {}, code: undefined }), old: await ask("old", { options }),
		};`)
	want := map[string]any{
		"one": "123", "listed": map[string]any{"comment": "hello", "go": map[string]any{"confirmed": true, "text": "so"}}, "choice": "w-1", "bare": "w-1",
		"several": map[string]any{"seat": "w-1", "extras": []any{"m", "a-1"}, "comment": "hello", "code": "123"}, "old": "a-1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// What travels: the declaration, and options by number and label, never by value.
	options := []question.Option{{ID: "o1", Label: "Aisle"}, {ID: "o2", Label: "Window", AccountSpecific: true, MaskedLabel: "W"}, {ID: "o3", Label: "Middle"}}
	least, most, length := 1, 2, 5
	wantAsked := []question.Question{
		{ID: "code", Type: question.Secret, Prompt: "Code?", SecretKind: question.TOTP},
		{ID: "comment", Type: question.Text, Prompt: "Comment?", MaxLength: &length},
		{ID: "go", Type: question.Confirm, Prompt: "Go?", FollowUp: &question.FollowUp{Prompt: "Why?"}},
		{ID: "seat", Type: question.Choice, Prompt: "Which seat?", AllowOther: true, Options: options},
		{ID: "seat", Type: question.Choice, Prompt: "Which seat?", AllowOther: true, Options: options},
		{ID: "seat", Type: question.Choice, Prompt: "Which seat?", AllowOther: true, Options: options},
		{ID: "extras", Type: question.MultiChoice, Prompt: "Extras?", MinSelections: &least, MaxSelections: &most, Options: options},
		{ID: "comment", Type: question.Text, Prompt: "Comment?", MaxLength: &length},
		{ID: "code", Type: question.Secret, Prompt: "Code?", SecretKind: question.TOTP},
		{ID: "old", Type: question.Choice, Prompt: "Old?", Options: options},
	}
	if diff := cmp.Diff(wantAsked, h.questions); diff != "" {
		t.Error(diff)
	}
}

func TestAskAnswersOfEachKind(t *testing.T) {
	const ask = `const options = [{ value: "a", label: "Aisle  seat" }, { value: "b", label: "Bay", maskedLabel: "B***" }, { value: "c", label: "bay" }];
		const chooses = ["seat", "plain", "extras", "old"].includes(%ID%);
		return await caught(() => chooses ? ask(%ID%, { options }) : ask(%ID%));`
	for _, c := range []struct {
		id     string
		answer any
		want   any // nil: it does not fit
	}{
		{"seat", map[string]any{"other": "my own"}, map[string]any{"other": "my own"}},
		{"seat", map[string]any{"other": " AISLE SEAT "}, "a"},
		{"seat", map[string]any{"other": "b***"}, "b"},
		{"seat", map[string]any{"other": "o1 (aisle seat)"}, "a"},
		{"seat", map[string]any{"other": "bay"}, map[string]any{"other": "bay"}}, // two options are called so
		{"seat", map[string]any{"other": "o1"}, map[string]any{"other": "o1"}},
		{"plain", map[string]any{"other": "my own"}, nil},
		{"seat", "o4", nil}, {"seat", "a", nil}, {"seat", 1, nil}, {"seat", nil, nil},
		{"extras", []string{"o1"}, []any{"a"}}, {"extras", []string{}, nil}, {"extras", []string{"o1", "o2", "o3"}, nil}, {"extras", []string{"o1", "o1"}, nil}, {"extras", "o1", nil},
		{"comment", "12345", "12345"}, {"comment", "123456", nil}, {"comment", "", nil}, {"comment", 5, nil},
		{"go", map[string]any{"confirmed": false}, map[string]any{"confirmed": false}}, {"go", map[string]any{"confirmed": false, "text": "x"}, nil}, {"go", true, nil},
		{"code", "x", "x"}, {"code", map[string]any{}, nil},
	} {
		h := &host{answers: map[string]any{c.id: c.answer}}
		got := answered(t, h, declared, strings.ReplaceAll(ask, "%ID%", `"`+c.id+`"`))
		if c.want == nil {
			if text, ok := got.(string); !ok || !strings.HasPrefix(text, "ScriptInputFailure|") {
				t.Errorf("%s answered %v gave %v", c.id, c.answer, got)
			}
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s answered %v: %s", c.id, c.answer, diff)
		}
	}
}

func TestAskRefusals(t *testing.T) {
	const codes = `const code = async (f) => { try { await f(); return "asked"; } catch (e) { return e._tag === "ScriptInputFailure" && e instanceof sdk.ScriptInputFailure ? e.code : String(e); } };
		const o = (value, label = "L" + value, more = {}) => ({ value, label, ...more });
		const many = Array.from({ length: 51 }, (_, i) => o(String(i)));`
	for code, want := range map[string]string{
		`ask("nope")`: "Undeclared", `ask(["comment", "nope"])`: "Undeclared", `ask("toString")`: "Undeclared", `ask({ constructor: {} })`: "Undeclared",
		`ask("seat")`: "InvalidOptions", `ask("seat", { options: [] })`: "InvalidOptions", `ask("seat", { options: many })`: "InvalidOptions",
		`ask("seat", { options: [o("a"), o("a", "other")] })`: "InvalidOptions", `ask("seat", { options: [o("")] })`: "InvalidOptions", `ask("seat", { options: [o("a", "")] })`: "InvalidOptions",
		`ask("seat", { options: [o("a".repeat(257))] })`: "InvalidOptions", `ask("seat", { options: [o("a", "b", { more: 1 })] })`: "InvalidOptions",
		`ask("seat", { options: [o("a", "b", { accountSpecific: 1 })] })`: "InvalidOptions", `ask("seat", { options: [o("a", "b", { maskedLabel: "" })] })`: "InvalidOptions",
		`ask("seat", { choices: [] })`: "InvalidOptions", `ask("comment", { options: [o("a")] })`: "InvalidOptions", `ask({ comment: [o("a")] })`: "InvalidOptions",
		`ask("many", { options: [o("a"), o("b")] })`: "InvalidOptions", `ask([])`: "InvalidOptions", `ask(["code", "code"])`: "InvalidOptions", `ask(7)`: "InvalidOptions",
		`ask(["a","b","c","d","e","f","g","h","i"])`: "InvalidOptions", `ask("code")`: "Unavailable",
	} {
		h := &host{}
		if got := answered(t, h, declared, codes+"return await code(() => "+code+");"); got != want {
			t.Errorf("%s gave %v, want %s", code, got, want)
		}
		if len(h.questions) > 0 && want != "Unavailable" {
			t.Errorf("%s reached the host", code)
		}
	}
	for host1, want := range map[error]string{
		&sdk.Refused{Code: ipc.NoResponse}: "NoResponse", &sdk.Refused{Code: ipc.Unauthorized}: "Unauthorized", &sdk.Refused{Code: ipc.Undeclared}: "Undeclared",
		&sdk.Refused{Code: ipc.Cancelled}: "Unavailable", errors.New("the wire broke"): "Unavailable",
	} {
		if got := answered(t, &host{askError: host1}, declared, codes+`return await code(() => ask("code"));`); got != want {
			t.Errorf("%v gave %v, want %s", host1, got, want)
		}
	}
	// An ask nobody handles ends the run by its own tag.
	_, err := body(t, &host{askError: &sdk.Refused{Code: ipc.NoResponse}}, declared, `await ask("code");`)
	if e := failure(t, err); e.Tag != ipc.TagScriptInputFailure || e.Code != "NoResponse" {
		t.Errorf("got %s %s", e.Tag, e.Code)
	}
}

// ---- dialogs ---------------------------------------------------------------------------------------------------------

func TestDecideDialog(t *testing.T) {
	text := "typed"
	var seen []sdk.DialogReport
	h := &host{dialog: func(r sdk.DialogReport) (sdk.DialogDecision, error) {
		seen = append(seen, r)
		switch r.Step {
		case "prompt":
			return sdk.DialogDecision{Accept: true, PromptText: &text}, nil
		case "accept":
			return sdk.DialogDecision{Accept: true}, nil
		case "unauthorized":
			return sdk.DialogDecision{}, &sdk.Refused{Code: ipc.Unauthorized}
		case "broken":
			return sdk.DialogDecision{}, errors.New("x")
		}
		return sdk.DialogDecision{}, nil
	}}
	got := answered(t, h, "", `
		const at = (step, more) => decideDialog({ step, type: "confirm", message: "m".repeat(20000), url: "https://a", extra: 1, ...more });
		const reason = async (f) => { try { await f(); return "decided"; } catch (e) { return e instanceof sdk.DialogFailure ? e.reason : String(e); } };
		return [await at("prompt"), await at("accept"), await at("dismiss"), await reason(() => at("unauthorized")), await reason(() => at("broken")),
			await reason(() => at("")), await reason(() => at("a b")), await reason(() => at("x", { type: "other" })), await reason(() => at("x", { url: "u".repeat(8193) })),
			await reason(() => at("x", { message: 1 })), await reason(() => decideDialog())];`)
	want := []any{map[string]any{"choice": "accept", "promptText": "typed"}, map[string]any{"choice": "accept"}, map[string]any{"choice": "dismiss"},
		"unauthorized", "unavailable", "invalid_request", "invalid_request", "invalid_request", "invalid_request", "invalid_request", "invalid_request"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(seen) != 5 || len(seen[0].Message) != 16384 {
		t.Errorf("the host saw %d dialogs", len(seen))
	}
}

// ---- sign-in and challenges ------------------------------------------------------------------------------------------

func TestEnsureSignedIn(t *testing.T) {
	h := &host{}
	if got := answered(t, h, "", `return await ensureSignedIn();`); !cmp.Equal(got, map[string]any{"signedInAgain": false}) {
		t.Errorf("got %v", got)
	}
	// Concurrent calls are one, and calls asked for meanwhile wait.
	h = &host{signIn: func() (bool, error) { time.Sleep(5 * time.Millisecond); return true, nil }}
	answered(t, h, "", `await Promise.all([ensureSignedIn(), ensureSignedIn(), execute("after")]); await ensureSignedIn(); return 1;`)
	if diff := cmp.Diff([]string{"declare false  []", "dispatch", "sign in", "execute after 1m0s", "executed", "sign in"}, h.log); diff != "" {
		t.Error(diff)
	}
	h = &host{signIn: func() (bool, error) { return false, &sdk.Refused{Code: ipc.Unavailable} }}
	_, err := body(t, h, "", `await ensureSignedIn();`)
	if e := failure(t, err); e.SessionLoss != ipc.SessionNotKept || e.Dispatch != ipc.DispatchNotSent {
		t.Errorf("got %+v", e)
	}
	_, err = body(t, h, "", `await execute("x"); await ensureSignedIn();`)
	if e := failure(t, err); e.SessionLoss != ipc.SessionNotKept || e.Dispatch != ipc.DispatchUnknown {
		t.Errorf("got %+v", e)
	}
}

func TestRejectedSignIn(t *testing.T) {
	visible := &host{execute: func(c sdk.Call) (sdk.Reply, error) {
		return sdk.Reply{Success: true, Result: json.RawMessage(map[bool]string{true: "true", false: "false"}[strings.Contains(c.Code, `"#wrong \"x\""`)])}, nil
	}}
	_, err := body(t, visible, "", `await rejectedSignIn({ field: "code", selector: '#wrong "x"' });`)
	if e := failure(t, err); e.Tag != ipc.TagCredentialsRejected || e.Detail.Field != "code" {
		t.Errorf("got %+v", e)
	}
	got := answered(t, visible, "", `return [await rejectedSignIn({ field: "password", selector: "#fine" }) === undefined, await caught(() => rejectedSignIn({ field: "pin", selector: "a" })), await caught(() => rejectedSignIn({ field: "code", selector: "" }))];`)
	list := got.([]any)
	if list[0] != true || !strings.HasPrefix(list[1].(string), "TypeError|") || !strings.HasPrefix(list[2].(string), "TypeError|") {
		t.Errorf("got %v", got)
	}
}

func TestWaitPastChallenge(t *testing.T) {
	var calls []sdk.Call
	reply := func(result string) *host {
		return &host{execute: func(c sdk.Call) (sdk.Reply, error) {
			calls = append(calls, c)
			if result == "" {
				return sdk.Reply{Error: "crashed"}, nil
			}
			return sdk.Reply{Success: true, Result: json.RawMessage(result)}, nil
		}}
	}
	answered(t, reply("true"), "", `await waitPastChallenge({ ready: "return 1 === 1" }); return 1;`)
	if len(calls) != 1 || calls[0].Timeout != 40*time.Second || !strings.Contains(calls[0].Code, "return 1 === 1") {
		t.Errorf("got %v", calls)
	}
	_, err := body(t, reply("false"), "", `await waitPastChallenge({ ready: "return false" });`)
	if e := failure(t, err); e.Tag != ipc.TagChallengeFailure || e.Code != "Unavailable" {
		t.Errorf("got %+v", e)
	}
	_, err = body(t, reply(""), "", `await waitPastChallenge({ ready: "return false" });`)
	if e := failure(t, err); e.Tag != ipc.TagOperationFailure || e.Message != "crashed" {
		t.Errorf("got %+v", e)
	}
	if got := answered(t, reply("true"), "", `return await caught(() => waitPastChallenge({}));`); !strings.HasPrefix(got.(string), "TypeError|") {
		t.Errorf("got %v", got)
	}
}

func TestVerifiedKinds(t *testing.T) {
	h := &host{}
	got := answered(t, h, `input: {}, output: {}, write: { confirmation: "message" }`, `verified({ confirmation: "message" }); verified({}); return await caught(() => verified({ confirmation: "hope" }));`)
	if !strings.HasPrefix(got.(string), "TypeError|") {
		t.Errorf("got %v", got)
	}
	if diff := cmp.Diff([]string{"declare true message []", "dispatch", "verified message", "verified readback"}, h.log); diff != "" {
		t.Error(diff)
	}
}
