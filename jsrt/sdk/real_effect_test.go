//go:build realeffect

package sdk_test

import (
	"os"
	"testing"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/testdata/npm"
	"github.com/pomerado-go/pomerado/workers/contract"
)

// An HTTP version that brings the real effect package runs on it: its services, its failures and its clock are that package's. It needs the
// package, so it has a tag of its own; .ci/run runs it. By hand: install effect 3.22 with npm in a folder, then
//
//	EFFECT_DIR=that/folder go test -tags realeffect -run RealEffect ./jsrt/sdk
func TestRealEffectRunsHTTPVersions(t *testing.T) {
	var packages []contract.File
	for path, content := range npm.Effect(t) {
		packages = append(packages, contract.File{Path: path, Content: content})
	}
	run := func(source, input string, p pages) (string, error) {
		t.Helper()
		files := append(packages[:len(packages):len(packages)], contract.File{Path: "src/tool.mjs", Content: []byte(source)})
		bundled, err := contract.Bundle(files, "src/tool.mjs")
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("the bundle is %d KB", len(bundled.Script)>>10)
		s, err := sdk.Load(t.Context(), newRuntime(t), script(t), &host{http: p.answer, answers: map[string]any{"seat": "o1"}})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Evaluate(t.Context(), sdk.Bundle{Script: bundled.Script, SourceMap: bundled.SourceMap}); err != nil {
			t.Fatal(err)
		}
		out, err := s.RunOperation(t.Context(), begin(input))
		return string(out.JSON), err
	}
	example, err := os.ReadFile("../../workers/contract/testdata/examples/10-http.js")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := run(string(example), `{"query":"clock"}`, museum); err != nil || got != museumAnswer {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := run(string(example), `{"query":"clock"}`, pages{"/museum/search": `<p class="nothing">Nothing found</p>`}); err != nil || got != `{"rooms":[]}` {
		t.Errorf("got %s, %v", got, err)
	}
	_, err = run(string(example), `{"query":"clock"}`, pages{"/museum/search": museum["/museum/search"]})
	if e := failure(t, err); e.Tag != ipc.TagOperationFailure || e.Dispatch != ipc.DispatchSent {
		t.Errorf("got %+v", e)
	}
	more := `import { Effect, Schema, Stream, Chunk, Layer, Schedule } from "effect";
		import { ExecutionContext, ScriptInput, Deadline, HttpFailure, defineHttpOperation, embeddedJson, makeEffectJournal, operationErrors, readText } from "pomerado/runtime";
		export default defineHttpOperation({ name: "more", input: Schema.Struct({}), output: Schema.Unknown, questions: { seat: { type: "choice", prompt: "Which?" } },
		run: (input, http) => Effect.gen(function* () {
			const { journal } = yield* ExecutionContext;
			const own = yield* makeEffectJournal;
			yield* own.confirmed("readback");
			const sum = (yield* Stream.runCollect(Stream.range(1, 4))).pipe(Chunk.size);
			const seat = yield* (yield* ScriptInput).ask("seat", [{ value: "w", label: "Window" }]);
			yield* Deadline.after(5).awaitExpiry;
			const raised = yield* Effect.either(Effect.gen(function* () { yield* new operationErrors.OperationFailure("here"); }));
			const dead = yield* http.request({ url: "/dead", method: "GET" }).pipe(Effect.catchTag("HttpFailure", (f) => Effect.succeed([f.code, f instanceof HttpFailure])));
			const all = yield* Effect.all([1, 2].map(() => readText(http, { url: "/a", method: "GET" })), { concurrency: 2 });
			return [sum, seat, yield* journal.state, yield* own.state, raised.left.message, dead, all.map(({ text }) => text), embeddedJson("<p x=1>", { attribute: "x" }).right];
		}).pipe(Effect.retry(Schedule.recurs(1))) });`
	want := `[4,"w","not_started","verified","here",["transport_failed",true],["A","A"],1]`
	if got, err := run(more, `{}`, pages{"/a": "A", "/dead": `failure {"code":"transport_failed","dispatch":"not_sent","message":"it broke"}`}); err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}
