package contract

import (
	"strings"
	"testing"
)

// Whatever a file imports, the answer is a listed file, a module we provide, or a sentence that names importer and import.
func FuzzResolve(f *testing.F) {
	for _, spec := range []string{"./a.mjs", "../runtime/index.js", "../../browser/x.js", "effect", "effect/Schema", "@a/b", "@a", "@", "p", "p/x", "p/x/../../..",
		"node:fs", "fs", "#x", "", ".", "..", "/", "https://a", "a?b", "./a.mjs#b", "p/lib/deep", "./%2e", "\x00"} {
		f.Add("src/tool.mjs", spec, `{"exports":{".":"./a.js","./x":{"import":"./x.js"},"./lib/*":["./nope.js","./a.js"]}}`)
	}
	f.Add("node_modules/p/a.js", "./lib", `{"main":"../../src/tool.mjs"}`)
	f.Add("node_modules/p/a.js", "p", `{"exports":"./../../src/tool.mjs"}`)
	f.Fuzz(func(t *testing.T, importer, spec, manifest string) {
		set, err := newFileSet([]File{
			{Path: "src/tool.mjs"}, {Path: "src/a.mjs"}, {Path: "data.json"},
			{Path: "node_modules/p/package.json", Content: []byte(manifest)}, {Path: "node_modules/p/a.js"}, {Path: "node_modules/p/lib/index.js"},
		}, "src/tool.mjs")
		if err != nil {
			t.Fatal(err)
		}
		for _, required := range []bool{false, true} {
			r := set.resolveFrom(importer, spec, required)
			switch {
			case r.fault.Text != "":
				if r.namespace != "" || r.path != "" {
					t.Errorf("%q is refused and resolved", spec)
				}
			case r.namespace == authored:
				if _, ok := set.files[r.path]; !ok {
					t.Errorf("%q leads to %q, which is not listed", spec, r.path)
				}
				if !strings.HasPrefix(spec, ".") && !strings.HasPrefix(r.path, "node_modules/p/") {
					t.Errorf("the package %q leads out of its folder to %q", spec, r.path)
				}
			case r.namespace == provided:
				if exportsOf(r.path) == nil {
					t.Errorf("%q leads to %q, which is not provided", spec, r.path)
				}
			default:
				t.Errorf("%q leads nowhere, without a reason", spec)
			}
		}
	})
}
