package sdk

import (
	_ "embed"
	"strings"
	"sync"
)

// exportsText lists the exports of every module the script provides, one module a line: "specifier: name name …". A test keeps it equal to
// what the modules have.
//
//go:embed exports.txt
var exportsText string

var exportLists = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(exportsText) {
		if spec, names, ok := strings.Cut(line, ":"); ok {
			out[spec] = strings.Fields(names)
		}
	}
	return out
})

// schemaList is the line of exportsText with the exports of pomerado/runtime that are made of a Schema.
const schemaList = "pomerado/runtime schemas"

// effectList is the line of exportsText with the exports of pomerado/runtime that speak Effect.
const effectList = "pomerado/runtime effects"

// Exports lists the exports of each module by its import specifier: pomerado/runtime, effect, effect/Schema and so on.
func Exports() map[string][]string {
	lists := exportLists()
	out := make(map[string][]string, len(lists))
	for spec, names := range lists {
		if spec != schemaList && spec != effectList {
			out[spec] = names
		}
	}
	return out
}

// SchemaExports lists the exports of pomerado/runtime that the global's schemaExports makes of a tool's own Schema.
func SchemaExports() []string { return exportLists()[schemaList] }

// EffectParts are the parts of an effect package that the global's effectExports is given, as one object.
func EffectParts() []string { return []string{"Effect", "Context", "Either", "Cause"} }

// EffectExports lists the exports of pomerado/runtime that the global's effectExports makes of a tool's own effect package.
func EffectExports() []string { return exportLists()[effectList] }
