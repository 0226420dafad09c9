package supervisor_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/supervisor/asker"
)

func TestRunGivesTheScriptsAnswer(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	read := operation{script: `return await page('return { heading: await page.getByRole("heading", { level: 1 }).innerText(), at: new URL(page.url()).pathname };');`}
	wantCompleted(t, read.execute(t, s, at.URL+"/clinic?never=loaded"), `{"heading":"`+frontHeading+`","at":"/"}`)
}

// frontHeading is what the fixture site's front page says.
const frontHeading = "Harbour Library"

func TestEveryBadEndHasItsOwnError(t *testing.T) {
	t.Parallel()
	s, at := newSupervisor(t), startSite(t)
	text := map[string]any{"type": "string"}
	for _, tt := range []struct {
		name    string
		op      operation
		code    outcome.Code
		cause   ipc.Cause
		message string
	}{
		{"throws", operation{script: `throw new errors.OperationFailure("the shelf is empty");`}, outcome.ExecutionFailed, "", "the shelf is empty"},
		{"throws a TypeError", operation{script: `undefined.length`}, outcome.ExecutionFailed, "", "undefined"},
		{"wrong shape", operation{script: `return 7;`, output: text}, outcome.InvalidOutput, "", "output"},
		{"never settles", operation{script: `await new Promise(() => {});`}, outcome.ExecutionFailed, ipc.CauseNeverSettles, "never settle"},
		{"returns 2 MiB", operation{script: `return "x".repeat(2 * 1024 * 1024);`, output: text}, outcome.InvalidOutput, "", "1048576"},
		{"names an unknown session", operation{script: `await kernel.browsers.playwright.execute("run-of-another", { code: "return 1" });`}, outcome.ExecutionFailed, "", "session"},
		{"forgets an awaited failure", operation{script: `Promise.reject(new Error("left behind")); await new Promise(done => setTimeout(done, 20)); return 1;`}, outcome.ExecutionFailed, "", "left behind"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := tt.op.execute(t, s, at.URL, func(r *supervisor.Request) { r.Effect = outcome.Read })
			wantFailed(t, out, tt.code, string(tt.cause), tt.message)
		})
	}
	t.Run("loops for ever", func(t *testing.T) {
		out := operation{script: `for (;;) {}`}.execute(t, s, at.URL, func(r *supervisor.Request) { r.Effect, r.Timeout = outcome.Read, time.Second })
		wantFailed(t, out, outcome.ExecutionFailed, string(ipc.CauseDeadline), "")
	})
	t.Run("and the next run works", func(t *testing.T) {
		wantCompleted(t, operation{script: `return 1 + 1;`}.execute(t, s, at.URL), `2`)
	})
}

func TestSourceThatCannotRunIsRefused(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	for _, tt := range []struct {
		name, source string
		code         ipc.SourceCode
		message      string
	}{
		{"4 MB of brackets", strings.Repeat("[", 4<<20), ipc.SourceTooDeep, "src/tool.mjs"},
		{"syntax", "export default defineOperation({,", ipc.SourceSyntaxError, "src/tool.mjs:1:"},
		{"unknown module", `import fs from "fs-extra"; export default fs;`, ipc.SourceUnresolvedImport, `"fs-extra"`},
		{"unlisted file", `import x from "./other.mjs"; export default x;`, ipc.SourceUnlistedFile, "./other.mjs"},
		{"no operation", `export default 7;`, ipc.SourceBadContract, "src/tool.mjs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.Run(t.Context(), supervisor.Request{Artifact: operation{source: tt.source}.save(t), URL: at.URL})
			var fault *supervisor.SourceError
			if !errors.As(err, &fault) || fault.Code != tt.code || !strings.Contains(err.Error(), tt.message) {
				t.Fatalf("error = %v (%T), want %s with %q", err, err, tt.code, tt.message)
			}
		})
	}
	wantCompleted(t, operation{script: `return "alive";`}.execute(t, s, at.URL), `"alive"`)
}

func TestRequestsThatAreNoRunAreRefusedBeforeAnythingStarts(t *testing.T) {
	s := newSupervisor(t)
	good := operation{script: `return 1`}.save(t)
	signed := *good
	signed.SignIn = &artifact.SignIn{}
	for _, tt := range []struct {
		name string
		req  supervisor.Request
		want string
	}{
		{"no artifact", supervisor.Request{URL: "https://a.test"}, "no artifact"},
		{"no site", supervisor.Request{Artifact: good}, "--url"},
		{"scheme", supervisor.Request{Artifact: good, URL: "ftp://a.test"}, "ftp"},
		{"credentials", supervisor.Request{Artifact: good, URL: "https://u:p@a.test"}, "password"},
		{"effect", supervisor.Request{Artifact: good, URL: "https://a.test", Effect: "maybe"}, "maybe"},
		{"input", supervisor.Request{Artifact: good, URL: "https://a.test", Input: json.RawMessage(`{`)}, "not JSON"},
		{"timeout", supervisor.Request{Artifact: good, URL: "https://a.test", Timeout: -1}, "time limit"},
		{"sign-in", supervisor.Request{Artifact: &signed, URL: "https://a.test"}, "sign-in"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.Run(t.Context(), tt.req)
			var usage *supervisor.UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error = %v (%T), want a UsageError with %q", err, err, tt.want)
			}
		})
	}
	wanted := operation{script: `return 1`, input: map[string]any{"type": "object", "required": []string{"plot"}}}
	out := wanted.execute(t, s, "https://a.test")
	wantFailed(t, out, outcome.InputRejected, "", "plot")
	if processes := processes(t, "user-data-dir=/tmp/pomerado-never"); len(processes) > 0 {
		t.Errorf("a browser was started: %v", processes)
	}
}

func TestQuestionsReachTheAskerAndPauseTheClock(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	op := operation{
		asks:   `{ seat: { type: "choice", prompt: "Which seat?" }, code: { type: "secret", prompt: "Code?", secretKind: "one_time_code" } }`,
		script: `return await ask({ seat: { options: [{ value: "v-window", label: "Window" }, { value: "v-aisle", label: "Aisle" }] }, code: {} });`,
	}
	slow := asker.Func(func(ctx context.Context, r question.Request) (map[string]json.RawMessage, error) {
		for _, q := range r.Questions {
			for _, o := range q.Options {
				if strings.HasPrefix(o.ID, "v-") {
					t.Errorf("the option's value left the worker: %+v", o)
				}
			}
		}
		select {
		case <-time.After(1500 * time.Millisecond): // longer than the run's whole active time
		case <-ctx.Done():
			t.Errorf("the clock did not stand still: %v", context.Cause(ctx))
		}
		return map[string]json.RawMessage{"seat": json.RawMessage(`"o2"`), "code": json.RawMessage(`"123"`)}, nil
	})
	out := op.execute(t, s, at.URL, func(r *supervisor.Request) { r.Asker, r.Timeout = slow, 1200*time.Millisecond })
	wantCompleted(t, out, `{"seat":"v-aisle","code":"123"}`)

	out = op.execute(t, s, at.URL)
	if out.Status != outcome.Failed || len(out.Unanswerable) != 2 {
		t.Fatalf("with nobody to ask: %s, unanswerable %v", out.Status, out.Unanswerable)
	}
	undeclared := operation{script: `return await ask("never_declared");`}
	wantFailed(t, undeclared.execute(t, s, at.URL, func(r *supervisor.Request) { r.Effect = outcome.Read }), outcome.ExecutionFailed, "", "")
}

func TestConfirmOfAWriteNeedsAYes(t *testing.T) {
	s := newSupervisor(t)
	op := operation{
		write: `{ confirmation: "readback", commits: ["release-plot"] }`,
		script: `
		const popup = await page('const raised = new Promise(done => page.once("dialog", d => { globalThis.dialog = d; done({ type: d.type(), message: d.message(), url: page.url() }); }));' +
			'await page.goto("' + siteOrigin + '/garden"); void page.getByRole("row", { name: "B07" }).getByRole("button").click().catch(() => {}); return await raised;');
		const decision = await decideDialog({ step: "release-plot", ...popup });
		if (decision.choice === "accept") enteringCommit("release-plot");
		await page('await globalThis.dialog.' + (decision.choice === "accept" ? "accept" : "dismiss") + '();');
		if (decision.choice !== "accept") return { released: false };
		const left = await page('await page.waitForTimeout(200); await page.goto("' + siteOrigin + '/garden"); return await page.getByText("B07").count();');
		if (left === 0) verified();
		return { released: left === 0 };`,
	}
	answer := func(yes bool) func(*supervisor.Request) {
		return func(r *supervisor.Request) {
			r.Effect = outcome.Write
			r.Asker = asker.Func(func(_ context.Context, q question.Request) (map[string]json.RawMessage, error) {
				if len(q.Questions) != 1 || q.Questions[0].Type != question.Confirm || !strings.Contains(q.Notice, "B07") {
					t.Errorf("asked %+v", q)
				}
				given, _ := json.Marshal(map[string]any{"confirmed": yes})
				return map[string]json.RawMessage{q.Questions[0].ID: given}, nil
			})
		}
	}
	at := startSite(t)
	out := op.execute(t, s, at.URL, answer(true))
	wantCompleted(t, out, `{"released":true}`)
	if out.WriteStatus != outcome.Applied || len(at.Plots()) != 2 {
		t.Errorf("write status %s, plots %v", out.WriteStatus, at.Plots())
	}
	at = startSite(t)
	out = op.execute(t, s, at.URL, answer(false))
	if out.Code != outcome.OutcomeUnknown || len(at.Plots()) != 3 {
		t.Errorf("after a no: %s/%s, plots %v", out.Status, out.Code, at.Plots())
	}
}

func TestPageCodeKeepsItsGlobalsAcrossCallsAndFailsAsAReply(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	op := operation{script: `
		await page('globalThis.kept = 1; setTimeout(() => globalThis.kept++, 0);');
		const failed = await kernel.browsers.playwright.execute(sessionId, { code: 'console.log("seen"); throw new Error("by page code")' });
		return { kept: await page('return globalThis.kept'), success: failed.success, error: failed.error, stdout: failed.stdout };`}
	wantCompleted(t, op.execute(t, s, at.URL), `{"kept":2,"success":false,"error":"by page code","stdout":"seen\n"}`)
}

func TestAWriteThatDidNothingWasNotAttempted(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	write := func(r *supervisor.Request) { r.Effect = outcome.Write }
	early := operation{write: `{ confirmation: "readback", commits: ["send"] }`, script: `await new Promise(done => setTimeout(done, 500)); throw new errors.OperationFailure("no");`}
	if out := early.execute(t, s, at.URL, write); out.WriteStatus != outcome.NotAttempted {
		t.Errorf("before any call: %s/%s, want not_attempted", out.Code, out.WriteStatus)
	}
	looked := operation{write: `{ confirmation: "readback", commits: ["send"] }`, script: `await page("return await page.title()"); throw new errors.OperationFailure("no");`}
	if out := looked.execute(t, s, at.URL, write); out.WriteStatus != outcome.NotApplied {
		t.Errorf("after a look, before its step: %s/%s, want not_applied", out.Code, out.WriteStatus)
	}
	entered := operation{write: `{ confirmation: "readback", commits: ["send"] }`, script: `enteringCommit("send"); await page("return await page.title()"); throw new errors.OperationFailure("no");`}
	if out := entered.execute(t, s, at.URL, write); out.Code != outcome.OutcomeUnknown || out.WriteStatus != outcome.MayHaveApplied {
		t.Errorf("after its step: %s/%s, want outcome_unknown, may_have_applied", out.Code, out.WriteStatus)
	}
}
