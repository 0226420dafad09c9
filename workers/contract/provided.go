package contract

import (
	"fmt"
	"strings"

	"github.com/pomerado-go/pomerado/jsrt/sdk"
)

// exportsOf lists what a module we provide exports; nil when we do not provide it.
func exportsOf(spec string) []string { return sdk.Exports()[spec] }

// providedModule writes the source of a module we provide. Our modules were evaluated before the bundle and stand in a global variable, so
// there is one instance of each, whoever imports it; each export is named, so that importing one we lack is an error at its place.
func (s *fileSet) providedModule(spec string) (string, error) {
	var b strings.Builder
	names := exportsOf(spec)
	if names == nil {
		return "", fmt.Errorf("no module %q is provided", spec)
	}
	own := map[string]bool{}
	if spec == runtimeModule && s.ownEffect {
		// The runtime's schemas are made with the tool's own Schema, so that the tool can nest them in its contract.
		fmt.Fprintf(&b, "import {Schema} from %q;\nconst made = globalThis.%s.schemaExports(Schema);\nexport {Schema};\n", effectModule, sdk.Global)
		own["Schema"] = true
		for _, name := range sdk.SchemaExports() {
			own[name] = true
			fmt.Fprintf(&b, "export const %s = made.%s;\n", name, name)
		}
	}
	module := "runtime"
	if spec != runtimeModule {
		module = strings.ReplaceAll(spec, "/", ".")
	}
	fmt.Fprintf(&b, "const module = globalThis.%s.%s;\nconst take = (name) => module[name];\n", sdk.Global, module)
	for i, name := range names {
		if own[name] {
			continue
		}
		// A pure call is left out when nothing imports the name. Some names are words of the language, so each is exported under a text.
		fmt.Fprintf(&b, "const _%d = /* @__PURE__ */ take(%q);\nexport {_%d as %q};\n", i, name, i, name)
	}
	return b.String(), nil
}

// entryText is the module that hands the entrypoint over, with the parts of the tool's own effect that reading its schemas needs.
func (s *fileSet) entryText() string {
	b := new(strings.Builder)
	fmt.Fprintf(b, "import * as entrypoint from %q;\n", entryModule)
	effect := "undefined"
	if s.ownEffect {
		fmt.Fprintf(b, "import {Schema, JSONSchema, ParseResult} from %q;\n", effectModule)
		effect = "{Schema, JSONSchema, ParseResult}"
	}
	// Computed, so that a missing default export is found when the contract is read, with a sentence that says what to do.
	fmt.Fprintf(b, "const key = \"default\";\nglobalThis.%s = {default: entrypoint[key], effect: %s};\n", sdk.ModuleGlobal, effect)
	return b.String()
}
