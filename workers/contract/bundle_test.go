package contract_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/workers/contract"
)

// tool is the shortest operation, with something in its function.
const tool = `import { Schema } from "effect";
import { defineOperation } from "pomerado/runtime";
export default defineOperation({ input: Schema.Struct({}), output: Schema.Struct({}) }, async () => ({}));
`

func sourceError(t *testing.T, err error) *contract.SourceError {
	t.Helper()
	var e *contract.SourceError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a source error", err)
	}
	return e
}

// Each refusal has its code, names what is wrong, and stands at its place in the authored file.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []contract.File
		code  ipc.SourceCode
		place string // file:line:column
		says  []string
	}{
		{"syntax error", []contract.File{file("src/tool.mjs", "const a = 1;\nconst = 2;\n")},
			ipc.SourceSyntaxError, "src/tool.mjs:2:7", []string{`"="`}},
		{"syntax error in TypeScript", []contract.File{file("src/tool.ts", "const a: number = 1;\n\ntype = ;\n")},
			ipc.SourceSyntaxError, "src/tool.ts:3:8", nil},
		{"syntax error in JSON", []contract.File{file("src/tool.mjs", `import data from "./data.json"; export default data;`), file("src/data.json", "{\n  \"a\": 01\n}")},
			ipc.SourceSyntaxError, "src/data.json:2:8", nil},
		{"not UTF-8", []contract.File{file("src/tool.mjs", "const a = \"\xff\";")},
			ipc.SourceSyntaxError, "src/tool.mjs:1:1", []string{"UTF-8"}},
		{"file not listed", []contract.File{file("src/tool.mjs", "\nimport \"./helper.mjs\";")},
			ipc.SourceUnlistedFile, "src/tool.mjs:2:8", []string{`"src/tool.mjs"`, `"./helper.mjs"`}},
		{"file not listed, imported by another", []contract.File{file("tool.mjs", `import "./lib/a.js";`), file("lib/a.js", `export * from "../b.js";`)},
			ipc.SourceUnlistedFile, "lib/a.js:1:15", []string{`"lib/a.js"`, `"../b.js"`}},
		{"outside the artifact", []contract.File{file("src/tool.mjs", `import "../../secrets.js";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:8", []string{"outside the artifact"}},
		{"package", []contract.File{file("src/tool.mjs", `import _ from "lodash";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:15", []string{`"lodash"`, "node_modules"}},
		{"scoped package", []contract.File{file("src/tool.mjs", `import _ from "@a/b/c";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:15", []string{`"@a/b/c"`}},
		{"Node built-in", []contract.File{file("src/tool.mjs", `import fs from "node:fs";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:16", []string{`"node:fs"`, "without Node.js"}},
		{"Node built-in without its prefix", []contract.File{file("src/tool.mjs", `import fs from "fs/promises";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:16", []string{"without Node.js"}},
		{"required built-in", []contract.File{file("src/tool.mjs", `const fs = require("child_process");`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:20", []string{"without Node.js"}},
		{"absolute path", []contract.File{file("src/tool.mjs", `import "/etc/passwd";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:8", []string{"absolute"}},
		{"URL", []contract.File{file("src/tool.mjs", `import "https://example.test/x.js";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:8", []string{"absolute"}},
		{"data URL", []contract.File{file("src/tool.mjs", `import "data:text/javascript,1";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:8", []string{"absolute"}},
		{"query", []contract.File{file("src/tool.mjs", `import "./tool.mjs?x";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:8", []string{"plain path"}},
		{"private name", []contract.File{file("src/tool.mjs", `import "#x";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:8", []string{"private name"}},
		{"other part of the SDK", []contract.File{file("src/tool.mjs", `import "pomerado/browser";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:8", []string{"pomerado/runtime"}},
		{"part of effect we lack", []contract.File{file("src/tool.mjs", `import * as Stream from "effect/Stream";`)},
			ipc.SourceUnresolvedImport, "src/tool.mjs:1:25", []string{"effect/Stream", "node_modules"}},
		{"dynamic import of a computed path", []contract.File{file("src/tool.mjs", "const a = \"x\";\nexport default import(a);")},
			ipc.SourceUnresolvedImport, "src/tool.mjs:2:16", []string{"string literal"}},
		{"file that is no source", []contract.File{file("src/tool.mjs", `import "./a.txt";`), file("src/a.txt", "x")},
			ipc.SourceUnresolvedImport, "src/a.txt:1:1", []string{".mjs"}},
		{"missing export of the runtime", []contract.File{file("src/tool.mjs", "import { defineOperation,\n  waitForIt } from \"pomerado/runtime\";\nwaitForIt();")},
			ipc.SourceMissingExport, "src/tool.mjs:2:3", []string{`"waitForIt"`, `"pomerado/runtime"`}},
		{"missing export of effect", []contract.File{file("src/tool.mjs", `import { Stream } from "effect"; Stream.make();`)},
			ipc.SourceMissingExport, "src/tool.mjs:1:10", []string{`"Stream"`, `"effect"`}},
		{"missing export in TypeScript", []contract.File{file("src/tool.ts", `import { Stream } from "effect"; Stream.make();`)},
			ipc.SourceMissingExport, "src/tool.ts:1:10", []string{`"Stream"`, `"effect"`}},
		{"missing export of a namespace", []contract.File{file("src/tool.mjs", `import * as e from "effect"; e.Stream.make();`)},
			ipc.SourceMissingExport, "src/tool.mjs:1:32", []string{`"Stream"`}},
		{"missing export of a file", []contract.File{file("src/tool.mjs", `import { b } from "./a.mjs"; b();`), file("src/a.mjs", "export const a = 1;")},
			ipc.SourceMissingExport, "src/tool.mjs:1:10", []string{`"b"`, `"src/a.mjs"`}},
		{"top-level await", []contract.File{file("src/tool.mjs", "const a = 1;\nawait a;")},
			ipc.SourceUnsupportedSyntax, "src/tool.mjs:2:1", []string{"await"}},
		{"import.meta", []contract.File{file("src/tool.mjs", "const a = import.meta.url;")},
			ipc.SourceUnsupportedSyntax, "src/tool.mjs:1:11", []string{"import.meta"}},
		{"too deep", []contract.File{file("src/tool.mjs", "// brackets\n"+strings.Repeat("[", 4<<20))},
			ipc.SourceTooDeep, "src/tool.mjs:2:1400", []string{"1400"}},
		{"too deep in JSON", []contract.File{file("src/tool.mjs", `import "./a.json";`), file("src/a.json", strings.Repeat("[", 1<<20))},
			ipc.SourceTooDeep, "src/a.json:1:1400", nil},
		{"too long a run", []contract.File{file("src/tool.mjs", "const a = "+strings.Repeat("!", 4<<20)+"1;")},
			ipc.SourceTooDeep, "src/tool.mjs:1:50008", []string{"parts"}},
		{"too large a file", []contract.File{file("src/tool.mjs", strings.Repeat(" ", 8<<20+1))},
			ipc.SourceTooLarge, "src/tool.mjs:0:0", []string{"8388608"}},
		{"too large a set", []contract.File{file("src/tool.mjs", ""), file("a", strings.Repeat(" ", 8<<20)), file("b", strings.Repeat(" ", 8<<20)), file("c", " ")},
			ipc.SourceTooLarge, ":0:0", []string{"16777217"}},
		{"question out of bounds", []contract.File{file("src/tool.mjs", `import { defineOperation } from "pomerado/runtime";
export default defineOperation({
  questions: { "Bad Id": { type: "text", prompt: "?" } },
}, async () => ({}));`)},
			ipc.SourceBadContract, "src/tool.mjs:3:14", []string{"/Bad Id", "lower-case letter"}},
		{"question of no type", []contract.File{file("src/tool.mjs", `import { defineOperation } from "pomerado/runtime";
export default defineOperation({ questions: { q: { type: "date", prompt: "?" } } }, async () => ({}));`)},
			ipc.SourceBadContract, "src/tool.mjs:2:45", []string{"/q/type"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := contract.Bundle(c.files, c.files[0].Path)
			e := sourceError(t, err)
			place := strings.Join([]string{e.File, strconv.Itoa(e.Line), strconv.Itoa(e.Column)}, ":")
			if e.Code != c.code || place != c.place {
				t.Errorf("got %s at %s, want %s at %s (%s)", e.Code, place, c.code, c.place, e.Message)
			}
			for _, part := range c.says {
				if !strings.Contains(e.Message, part) {
					t.Errorf("%q does not say %q", e.Message, part)
				}
			}
		})
	}
}

// What authored text makes long is cut where the wire has its limits.
func TestLongErrorsFitTheWire(t *testing.T) {
	_, err := contract.Bundle([]contract.File{file("tool.mjs", "import \""+strings.Repeat("é", 1<<20)+"\";")}, "tool.mjs")
	if e := sourceError(t, err); len(e.Message) > ipc.MaxErrorText || len(e.Message) < 1000 {
		t.Errorf("the message is %d bytes long", len(e.Message))
	}
	_, _, err = contract.Read(t.Context(), []contract.File{file("tool.mjs", "throw new Error('x'.repeat(1e6));")}, "tool.mjs")
	if e := sourceError(t, err); len(e.Message) > ipc.MaxErrorText {
		t.Errorf("the message is %d bytes long", len(e.Message))
	}
	_, _, err = contract.Read(t.Context(), []contract.File{file("tool.mjs", `import { defineOperation } from "pomerado/runtime";
export default defineOperation({ input: { description: "x".repeat(300000) }, output: {} }, async () => ({}));`)}, "tool.mjs")
	if e := sourceError(t, err); e.Code != ipc.SourceTooLarge || !strings.Contains(e.Message, "input schema") {
		t.Errorf("got %s: %s", e.Code, e.Message)
	}
}

func TestEntrypointMustBeListed(t *testing.T) {
	_, err := contract.Bundle([]contract.File{file("a.mjs", "")}, "b.mjs")
	if e := sourceError(t, err); e.Code != ipc.SourceUnlistedFile || e.File != "b.mjs" {
		t.Errorf("got %s %s", e.Code, e.File)
	}
}

// The module's own faults are found when its contract is read.
func TestContractRefusals(t *testing.T) {
	const head = "import { Schema } from \"effect\";\nimport { defineOperation } from \"pomerado/runtime\";\n"
	for _, c := range []struct {
		name, source string
		code         ipc.SourceCode
		place        string
		says         string
	}{
		{"no default export", head + "export const a = 1;", ipc.SourceBadContract, "src/tool.mjs:0:0", "no default export"},
		{"not an operation", "export default { a: 1 };", ipc.SourceBadContract, "src/tool.mjs:0:0", "not an operation"},
		{"a promise", "export default Promise.resolve(1);", ipc.SourceBadContract, "src/tool.mjs:0:0", "not an operation"},
		{"no input", head + "export default defineOperation({ output: Schema.Struct({}) }, async () => ({}));", ipc.SourceBadContract, "src/tool.mjs:0:0", "input"},
		{"input is no schema", head + "export default defineOperation({ input: 1, output: Schema.Struct({}) }, async () => ({}));", ipc.SourceBadContract, "src/tool.mjs:0:0", "input schema"},
		{"schema without JSON Schema", head + "export default defineOperation({ input: Schema.Struct({ a: Schema.DateFromSelf }), output: Schema.Struct({}) }, async () => ({}));",
			ipc.SourceBadContract, "src/tool.mjs:0:0", "jsonSchema"},
		{"bad write", head + "export default defineOperation({ input: {}, output: {}, write: { confirmation: \"maybe\" } }, async () => ({}));", ipc.SourceBadContract, "src/tool.mjs:0:0", "write"},
		{"bad commit", head + "export default defineOperation({ input: {}, output: {}, write: { confirmation: \"readback\", commits: [\"Send It\"] } }, async () => ({}));",
			ipc.SourceBadContract, "src/tool.mjs:0:0", "commits"},
		{"throws while loading", "const a = 1;\nfunction deep() { throw new RangeError(\"out of it\"); }\n\ndeep();", ipc.SourceEvaluationFailed, "src/tool.mjs:2:25", "RangeError: out of it"},
		{"defineOperation without a function", head + "export default defineOperation({ input: {}, output: {} });", ipc.SourceEvaluationFailed, "src/tool.mjs:3:16", "defineOperation takes"},
		{"name of Schema we lack", head + "\nconst a = Schema.DateTimeUtc;", ipc.SourceUnknownSchemaName, "src/tool.mjs:4:18", `"Schema.DateTimeUtc"`},
		{"name of Effect we lack", "import { Effect } from \"effect\";\nEffect.makeSemaphore(1);", ipc.SourceUnknownSchemaName, "src/tool.mjs:2:1", `"Effect.makeSemaphore"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := contract.Read(t.Context(), []contract.File{file("src/tool.mjs", c.source)}, "src/tool.mjs")
			e := sourceError(t, err)
			place := strings.Join([]string{e.File, strconv.Itoa(e.Line), strconv.Itoa(e.Column)}, ":")
			if e.Code != c.code || place != c.place || !strings.Contains(e.Message, c.says) {
				t.Errorf("got %s at %s (%s), want %s at %s saying %q", e.Code, place, e.Message, c.code, c.place, c.says)
			}
		})
	}
}

// A module that never ends loading is ended by the caller's deadline.
func TestLoadingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("enough")
	done := make(chan error, 1)
	go func() {
		_, _, err := contract.Read(ctx, []contract.File{file("tool.mjs", "globalThis.started = true; for (;;);")}, "tool.mjs")
		done <- err
	}()
	cancel(stop)
	if err := <-done; !errors.Is(err, stop) {
		t.Errorf("got %v, want the context's cause", err)
	}
}
