package contract_test

import (
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/workers/contract"
)

// named is an operation whose name is an expression's value, so that a contract shows what an import gave.
func named(imports, expression string) string {
	return "import { defineOperation as define } from \"pomerado/runtime\";\n" + imports +
		"\nexport default define({ name: String(" + expression + "), input: {}, output: {} }, async () => ({}));\n"
}

// Imports lead to listed files, packages the tool brings, and the modules we provide, wherever older tools look for them.
func TestImports(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []contract.File
		want  string
	}{
		{"a file beside", []contract.File{file("src/tool.mjs", named(`import { a } from "./a.mjs";`, "a")), file("src/a.mjs", "export const a = 1;")}, "1"},
		{"a file above", []contract.File{file("src/tool.mjs", named(`import { a } from "../lib/a.js";`, "a")), file("lib/a.js", "export const a = 2;")}, "2"},
		{"TypeScript", []contract.File{file("src/tool.ts", named(`import { A, type B } from "./a.ts";`, "A.Two as B")), file("src/a.ts", "export enum A { One = 1, Two }\nexport type B = number;")}, "2"},
		{"TypeScript by its JavaScript name", []contract.File{file("src/tool.ts", named(`import { a } from "./a.js";`, "a")), file("src/a.ts", "export const a: number = 3;")}, "3"},
		{"types of the runtime", []contract.File{file("src/tool.ts", named(`import { type ScriptAsk, WriteDeclaration } from "pomerado/runtime";`, "(1 as unknown as WriteDeclaration)"))}, "1"},
		{"JSON", []contract.File{file("src/tool.mjs", named(`import data from "./d.json" with { type: "json" };`, "data.a[1]")), file("src/d.json", `{"a":[1,4]}`)}, "4"},
		{"dynamic import of a listed file", []contract.File{file("src/tool.mjs", named(`const later = () => import("./a.mjs");`, "typeof later().then")), file("src/a.mjs", "export const a = 1;")}, "function"},
		{"CommonJS beside", []contract.File{file("src/tool.mjs", named(`import a from "./a.js";`, "a.b")), file("src/a.js", "module.exports = { b: 5 };")}, "5"},
		{"a package by exports", []contract.File{file("src/tool.mjs", named(`import { a } from "p"; import { x } from "p/x"; import { d } from "p/deep/d.js";`, "a + x + d")),
			file("node_modules/p/package.json", `{"exports":{".":{"require":"./no.cjs","import":"./a.js"},"./x":"./x.mjs","./deep/*":{"default":"./lib/*"}}}`),
			file("node_modules/p/a.js", "export const a = 'a';"), file("node_modules/p/x.mjs", "export const x = 'x';"), file("node_modules/p/lib/d.js", "export const d = 'd';")}, "axd"},
		{"a package by main", []contract.File{file("src/tool.mjs", named(`import p from "@s/p";`, "p.v")),
			file("node_modules/@s/p/package.json", `{"main":"lib"}`), file("node_modules/@s/p/lib/index.js", "exports.v = require('./v').v;"), file("node_modules/@s/p/lib/v.js", "exports.v = 6;")}, "6"},
		{"a package nearer by", []contract.File{file("src/tool.mjs", named(`import p from "p";`, "p")),
			file("node_modules/p/package.json", `{}`), file("node_modules/p/index.js", "export default 'far';"),
			file("src/node_modules/p/package.json", `{}`), file("src/node_modules/p/index.js", "export default 'near';")}, "near"},
		{"a package's own package", []contract.File{file("src/tool.mjs", named(`import p from "p";`, "p")),
			file("node_modules/p/package.json", `{}`), file("node_modules/p/index.js", "import q from 'q'; export default q;"),
			file("node_modules/p/node_modules/q/package.json", `{}`), file("node_modules/p/node_modules/q/index.js", "export default 'inner';")}, "inner"},
		{"packages are brought to what the runtime parses", []contract.File{file("src/tool.mjs", named(`import { A } from "p";`, "new A().get")),
			file("node_modules/p/package.json", `{"type":"module","exports":"./i.js"}`), file("node_modules/p/i.js", "export class A { get = 7; }")}, "7"},
		{"class fields named get", []contract.File{file("src/tool.mjs", named(`class A { get = 8; static async = 1; }`, "new A().get"))}, "8"},
		{"old path in a folder", []contract.File{file("src/tool.mjs", named(`import { timeoutDefaults } from "../../runtime/index.js";`, "timeoutDefaults.action"))}, "5000"},
		{"old path at the top", []contract.File{file("tool.mjs", named(`import { timeoutDefaults } from "../runtime/index.js";`, "timeoutDefaults.action"))}, "5000"},
		{"old path linked in", []contract.File{file("src/tool.mjs", named(`import { timeoutDefaults } from "../runtime/index.js";`, "timeoutDefaults.action"))}, "5000"},
		{"old path of the browser", []contract.File{file("src/tool.mjs", named(`import { listLimitMax } from "../../browser/index.js";`, "listLimitMax"))}, "50"},
		{"old path of a part", []contract.File{file("src/tool.mjs", named(`import { listLimitMax } from "../../runtime/operation.js";`, "listLimitMax"))}, "50"},
		{"one instance", []contract.File{file("src/tool.mjs", named(`import { OperationFailure as a, operationErrors } from "pomerado/runtime"; import { OperationFailure as b } from "../../runtime/index.js"; import * as all from "../runtime/index.js";`,
			"a === b && b === operationErrors.OperationFailure && all.OperationFailure === a && new a('x') instanceof b"))}, "true"},
		{"parts of effect", []contract.File{file("src/tool.mjs", named(`import * as Schema from "effect/Schema"; import { Schema as whole } from "effect"; import { left } from "effect/Either"; import * as E from "effect/Effect";`,
			"Schema.String === whole.String && left(1)._tag === 'Left' && E.runSync(E.try(() => 1)) === 1"))}, "true"},
		{"effect as a whole", []contract.File{file("src/tool.mjs", named(`import * as effect from "effect";`, "effect.pipe(1, (n) => n + 1)"))}, "2"},
		{"property classes", []contract.File{file("src/tool.mjs", named(``, `/^\p{Lu}\p{L}+$/u.test("Äpfel") && !/^\p{Lu}$/u.test("a")`))}, "true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := contract.Read(t.Context(), c.files, c.files[0].Path)
			if err != nil {
				t.Fatal(err)
			}
			if got.Name != c.want {
				t.Errorf("got %s, want %s", got.Name, c.want)
			}
		})
	}
}

func TestPackageRefusals(t *testing.T) {
	manifest := file("node_modules/p/package.json", `{"exports":{".":"./a.js","./up":"./../../src/tool.mjs","./gone":"./gone.js","./none":null,"./bad":"a.js"}}`)
	for spec, says := range map[string]string{
		"p": "does not export", "p/up": "does not export", "p/gone": "does not list", "p/none": "does not export", "p/bad": "does not export", "p/a.js": "does not export",
	} {
		_, err := contract.Bundle([]contract.File{file("src/tool.mjs", `import "`+spec+`";`), manifest}, "src/tool.mjs")
		if e := sourceError(t, err); e.Code != ipc.SourceUnlistedFile || !strings.Contains(e.Message, says) {
			t.Errorf("%s: got %s: %s", spec, e.Code, e.Message)
		}
	}
}

// Declarations count when they are plain literals in the one call; others are as if not there.
func TestLiteralQuestions(t *testing.T) {
	const head = "import { defineOperation } from \"pomerado/runtime\";\n"
	call := func(questions string) string {
		return head + "const prompt = 'x'; const other = { o: { type: 'text', prompt } };\nexport default defineOperation({ input: {}, output: {}, questions: " + questions + " }, async () => ({}));"
	}
	const q = `{"q":{"type":"text","prompt":"?"}}`
	for _, c := range []struct{ name, source, want string }{
		{"none", head + "export default defineOperation({ input: {}, output: {} }, async () => ({}));", `{}`},
		{"literal", call(`{ q: { type: "text", prompt: "?" } }`), q},
		{"quoted keys", call(`{ "q": { "type": 'text', "prompt": '?' } }`), q},
		{"text in parts", call("{ q: { type: `text`, prompt: \"a \" + 'b ' + `c` } }"), `{"q":{"type":"text","prompt":"a b c"}}`},
		{"every kind", call(`{
			a: { type: "choice", prompt: "A?", allowOther: true }, b: { type: "multi_choice", prompt: "B?", minSelections: 0, maxSelections: 3 },
			c: { type: "confirm", prompt: "C?", followUp: { prompt: "Say more", defaultText: "" } }, d: { type: "secret", prompt: "D?", secretKind: "totp", maxLength: 8 },
			e: { prompt: "E?" } }`),
			`{"a":{"type":"choice","prompt":"A?","allowOther":true},"b":{"type":"multi_choice","prompt":"B?","minSelections":0,"maxSelections":3},` +
				`"c":{"type":"confirm","prompt":"C?","followUp":{"prompt":"Say more","defaultText":""}},"d":{"type":"secret","prompt":"D?","secretKind":"totp","maxLength":8},"e":{"prompt":"E?"}}`},
		{"computed prompt", call(`{ q: { type: "text", prompt: "?" }, r: { type: "text", prompt } }`), q},
		{"computed prompt in a template", call("{ q: { type: 'text', prompt: '?' }, r: { type: 'text', prompt: `${prompt}` } }"), q},
		{"spread", call(`{ q: { type: "text", prompt: "?" }, ...other }`), q},
		{"computed key", call(`{ q: { type: "text", prompt: "?" }, ["r"]: { type: "text", prompt: "?" } }`), q},
		{"a variable", call(`other`), `{}`},
		{"replaced by a computed one", call(`{ q: { type: "text", prompt: "?" }, q: prompt }`), `{}`},
		{"shorthand", head + "const questions = {};\nexport default defineOperation({ input: {}, output: {}, questions }, async () => ({}));", `{}`},
		{"renamed import", strings.Replace(call(`{ q: { type: "text", prompt: "?" } }`), "{ defineOperation }", "{ defineOperation as defineOperation }", 1), q},
		{"namespace import", strings.NewReplacer("{ defineOperation }", "* as sdk", "default defineOperation", "default sdk.defineOperation").Replace(call(`{ q: { type: "text", prompt: "?" } }`)), q},
		{"kept in a variable first", strings.Replace(call(`{ q: { type: "text", prompt: "?" } }`), "export default defineOperation", "const op = defineOperation", 1) + "\nexport { op as default };", q},
		{"two calls", call(`{ q: { type: "text", prompt: "?" } }`) + "\nexport const b = defineOperation({ input: {}, output: {} }, async () => ({}));", `{}`},
		{"another function of that name", strings.Replace(call(`{ q: { type: "text", prompt: "?" } }`), head, "const defineOperation = (a) => ({ ...a, name: 'a', run() {} });\n", 1), `{}`},
		{"only in a comment", "// defineOperation({ questions: { q: { type: 'text', prompt: '?' } } })\n" + head + "export default defineOperation({ input: {}, output: {} }, async () => ({}));", `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := contract.Read(t.Context(), []contract.File{file("src/tool.ts", c.source)}, "src/tool.ts")
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Questions) != c.want {
				t.Errorf("got %s, want %s", got.Questions, c.want)
			}
		})
	}
	t.Run("in an imported file", func(t *testing.T) {
		got, _, err := contract.Read(t.Context(), []contract.File{
			file("src/tool.mjs", `export { default } from "./op.mjs";`), file("src/op.mjs", call(`{ q: { type: "text", prompt: "?" } }`)),
			file("src/unused.mjs", call(`{ z: { type: "text", prompt: "?" } }`)),
		}, "src/tool.mjs")
		if err != nil || string(got.Questions) != q {
			t.Errorf("got %s, %v", got.Questions, err)
		}
	})
}
