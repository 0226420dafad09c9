package sdk_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/dop251/goja"
	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/workers/contract"
)

// module bundles files and evaluates them as authored source that exports a text by default.
func module(t testing.TB, rt *jsrt.Runtime, entry string, more ...contract.File) string {
	t.Helper()
	bundled, err := contract.Bundle(append(more, contract.File{Path: "entry.js", Content: []byte(entry)}), "entry.js")
	if err != nil {
		t.Fatal(err)
	}
	return eval(t, rt, string(bundled.Script)+"\n;String(globalThis."+sdk.ModuleGlobal+".default)")
}

// The builder says what effect 3.22.4 says, to the letter: the schemas' names, their JSON Schema text, decoded and encoded values, and
// every error message. The recorded answers were taken from the real package, run on the same file.
func TestSchemaAnswersAsEffectDoes(t *testing.T) {
	rt := newRuntime(t)
	if _, err := sdk.Load(t.Context(), rt, script(t), nil); err != nil {
		t.Fatal(err)
	}
	cases, err := os.ReadFile("testdata/effect_cases.js")
	if err != nil {
		t.Fatal(err)
	}
	text := module(t, rt, `
		import * as effect from "effect";
		import { report } from "./effect_cases.js";
		export default JSON.stringify(report(effect));`, contract.File{Path: "effect_cases.js", Content: cases})
	compareReports(t, "testdata/effect_expected.json", text)
}

func compareReports(t *testing.T, recorded, text string) {
	t.Helper()
	raw, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	var want, got map[string]json.RawMessage
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if len(want) == 0 || len(want) != len(got) {
		t.Fatalf("%d cases are recorded, %d were run", len(want), len(got))
	}
	for name, expected := range want {
		if diff := cmp.Diff(string(expected), string(got[name])); diff != "" {
			t.Errorf("%s (-effect +ours):\n%s", name, diff)
		}
	}
}

// Effects run as effect's own do: values, failures, defects, what closes and in which order.
func TestEffectsEndAsEffectsDo(t *testing.T) {
	rt := newRuntime(t)
	if _, err := sdk.Load(t.Context(), rt, script(t), nil); err != nil {
		t.Fatal(err)
	}
	programs, err := os.ReadFile("testdata/effect_programs.js")
	if err != nil {
		t.Fatal(err)
	}
	bundled, err := contract.Bundle([]contract.File{
		{Path: "effect_programs.js", Content: programs},
		{Path: "entry.js", Content: []byte(`
			import * as effect from "effect";
			import { ends } from "./effect_programs.js";
			export default ends(effect).then(JSON.stringify);`)},
	}, "entry.js")
	if err != nil {
		t.Fatal(err)
	}
	program, err := jsrt.Compile("test.js", string(bundled.Script)+"\n;globalThis."+sdk.ModuleGlobal+".default", nil)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	if _, err := rt.Run(t.Context(), func(vm *goja.Runtime) (goja.Value, error) { return rt.RunProgram(vm, program) },
		jsrt.RunOptions{Then: func(_ *goja.Runtime, v goja.Value) error { text = v.String(); return nil }}); err != nil {
		t.Fatal(err)
	}
	compareReports(t, "testdata/effect_ends.json", text)
}
