//go:build realeffect

package contract_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/testdata/npm"
	"github.com/pomerado-go/pomerado/workers/contract"
)

// A tool that brings the real effect package has the same contract as with the builder, and uses what the builder lacks. It needs the
// package, so it has a tag of its own; .ci/run runs it. By hand: install effect 3.22 with npm in a folder, then
//
//	EFFECT_DIR=that/folder go test -tags realeffect -run RealEffect ./workers/contract
func TestRealEffect(t *testing.T) {
	var packages []contract.File
	for path, content := range npm.Effect(t) {
		packages = append(packages, contract.File{Path: path, Content: content})
	}
	read := func(source []byte, with []contract.File) contract.Contract {
		t.Helper()
		c, _, err := contract.Read(t.Context(), append(with[:len(with):len(with)], contract.File{Path: "src/tool.mjs", Content: source}), "src/tool.mjs")
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	paths, err := filepath.Glob("testdata/examples/*.js")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		real, ours := read(source, packages), read(source, nil)
		if string(real.Input) != string(ours.Input) || string(real.Output) != string(ours.Output) || string(real.Questions) != string(ours.Questions) {
			t.Errorf("%s: effect says\n%s\n%s\nthe builder says\n%s\n%s", path, real.Input, real.Output, ours.Input, ours.Output)
		}
	}
	more := read([]byte(`import { Schema, Stream, Effect, Chunk } from "effect";
		import { CalendarDate, defineOperation } from "pomerado/runtime";
		const sum = Effect.runSync(Stream.runCollect(Stream.range(1, 4)).pipe(Effect.map(Chunk.size)));
		export default defineOperation({ name: "n" + sum, input: Schema.Struct({ on: CalendarDate, at: Schema.DateTimeUtc }), output: Schema.Struct({}) }, async () => ({}));`), packages)
	if more.Name != "n4" || !strings.Contains(string(more.Input), `"format":"date"`) {
		t.Errorf("got %s %s", more.Name, more.Input)
	}
}
