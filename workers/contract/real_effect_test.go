//go:build realeffect

package contract_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/workers/contract"
)

// A tool that brings the real effect package has the same contract as with the builder, and uses what the builder lacks. It needs the
// package, so it is run by hand: install effect 3.22 with npm in a folder, then
//
//	EFFECT_DIR=that/folder go test -tags realeffect -run RealEffect ./workers/contract
func TestRealEffect(t *testing.T) {
	root := os.Getenv("EFFECT_DIR")
	if root == "" {
		t.Fatal("EFFECT_DIR must name the folder that holds node_modules/effect")
	}
	var packages []contract.File
	for _, name := range []string{"effect", "fast-check", "pure-rand", "@standard-schema/spec"} {
		err := filepath.WalkDir(filepath.Join(root, "node_modules", name), func(path string, entry fs.DirEntry, err error) error {
			relative, _ := filepath.Rel(root, path)
			keep := strings.HasSuffix(path, ".js") && !strings.Contains(path, "/cjs/") || entry.Name() == "package.json"
			if err != nil || entry.IsDir() || !keep {
				return err
			}
			content, err := os.ReadFile(path)
			packages = append(packages, contract.File{Path: relative, Content: content})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
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
