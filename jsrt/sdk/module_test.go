package sdk_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
)

// Source that goja does not parse is placed in the authored file, not in the bundle.
func TestUnparsedBundleIsPlaced(t *testing.T) {
	rt := newRuntime(t)
	s, err := sdk.Load(t.Context(), rt, script(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	// Line 2 of the bundle is line 10 of src/x.ts.
	sourceMap := `{"version":3,"sources":["src/x.ts"],"names":[],"mappings":"AAAA;AASA;AACA"}`
	err = s.Evaluate(t.Context(), sdk.Bundle{Script: []byte("1;\nclass A { get = 1 }\n2;"), SourceMap: []byte(sourceMap)})
	var wrong *sdk.LoadError
	if !errors.As(err, &wrong) || wrong.Code != ipc.SourceUnsupportedSyntax || wrong.File != "src/x.ts" || wrong.Line != 10 {
		t.Errorf("got %+v", err)
	}
}

// A bundle that sets no module is no operation, and what it does with the globals does not reach the SDK.
func TestModuleIsWhatTheBundleHandsOver(t *testing.T) {
	rt := newRuntime(t)
	s, err := sdk.Load(t.Context(), rt, script(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Evaluate(t.Context(), sdk.Bundle{Script: []byte("globalThis.__pomerado_sdk__ = null;")}); err != nil {
		t.Fatal(err)
	}
	_, err = s.ReadContract(t.Context())
	var wrong *sdk.LoadError
	if !errors.As(err, &wrong) || wrong.Code != ipc.SourceBadContract || !strings.Contains(wrong.Message, "default export") {
		t.Errorf("got %v", err)
	}
	if got := eval(t, rt, "typeof globalThis.__pomerado_module__"); got != "undefined" {
		t.Errorf("the module's global is still there: %s", got)
	}
}

// The functions the worker calls are out of authored code's reach.
func TestBindingIsTakenOff(t *testing.T) {
	rt := newRuntime(t)
	if _, err := sdk.Load(t.Context(), rt, script(t), nil); err != nil {
		t.Fatal(err)
	}
	if got := eval(t, rt, "Object.keys(globalThis.__pomerado_sdk__).sort().join()"); got != "effect,effectExports,runtime,schemaExports" {
		t.Errorf("got %s", got)
	}
}

func TestEndlessRecursionEndsTheRun(t *testing.T) {
	_, err := body(t, &host{}, "", "const down = (n) => 1 + down(n + 1);\ntry { return down(0); } catch { return 1; }")
	var e *sdk.ScriptError
	if !errors.As(err, &e) || e.Tag != ipc.TagOperationFailure || !strings.Contains(e.Message, "call stack") {
		t.Errorf("got %v", err)
	}
}

// A run can only answer for input that is JSON; the supervisor has checked that, and a broken one is not the script's failure alone.
func TestInputThatIsNoJSON(t *testing.T) {
	s, _ := start(t, &host{}, head+"export default defineOperation({ input: {}, output: {} }, async () => ({}));")
	_, err := s.RunOperation(t.Context(), sdk.Start{Input: json.RawMessage("{"), SessionID: "s"})
	if e := failure(t, err); e.Tag != ipc.TagOperationFailure {
		t.Errorf("got %v", err)
	}
}

func FuzzInput(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1}`, `{"a":"x","b":[1,"2"]}`, `{"__proto__":{"a":1}}`, `{"b":[{}],"r":{"k":null}}`, `null`, `[]`, `{"a":1e999}`, "{", "\"\xff\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		s, _ := start(t, &host{}, head+`export default defineOperation({ input: Schema.Struct({ a: Schema.optional(Schema.Int), b: Schema.optional(Schema.Array(Schema.NumberFromString)),
			r: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Boolean })) }), output: Schema.Unknown }, async ({ input }) => input);`)
		out, err := s.RunOperation(t.Context(), sdk.Start{Input: json.RawMessage(input), SessionID: "s"})
		var e *sdk.ScriptError
		switch {
		case err == nil && !json.Valid(out.JSON):
			t.Errorf("%q gave %q", input, out.JSON)
		case err != nil && (!errors.As(err, &e) || !e.Tag.Valid() || len(e.InputIssues) > ipc.MaxInputIssues):
			t.Errorf("%q gave %v", input, err)
		}
	})
}
