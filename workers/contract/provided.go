package contract

import (
	"bytes"
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
	if spec == runtimeModule && s.ownEffect {
		// So are the functions that give effects. A tool that imports none of them does not get its effect's run-time half through them.
		fmt.Fprintf(&b, "import {%[1]s} from %[2]q;\nconst carried = /* @__PURE__ */ globalThis.%[3]s.effectExports({%[1]s});\nconst carry = (name) => carried[name];\n",
			strings.Join(sdk.EffectParts(), ", "), effectModule, sdk.Global)
		for _, name := range sdk.EffectExports() {
			own[name] = true
			fmt.Fprintf(&b, "export const %s = /* @__PURE__ */ carry(%q);\n", name, name)
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
		parts := "Schema, JSONSchema, ParseResult"
		if s.speaksEffect() {
			parts += ", " + strings.Join(sdk.EffectParts(), ", ")
		}
		fmt.Fprintf(b, "import {%s} from %q;\n", parts, effectModule)
		effect = "{" + parts + "}"
	}
	// Computed, so that a missing default export is found when the contract is read, with a sentence that says what to do.
	fmt.Fprintf(b, "const key = \"default\";\nglobalThis.%s = {default: entrypoint[key], effect: %s};\n", sdk.ModuleGlobal, effect)
	return b.String()
}

// speaksEffect tells whether the tool's own files may make effects: those that do name Effect. Running what they make takes most of the
// package, which others are spared.
func (s *fileSet) speaksEffect() bool {
	for name, content := range s.files {
		if !inPackage(name) && bytes.Contains(content, []byte("Effect")) {
			return true
		}
	}
	return false
}
