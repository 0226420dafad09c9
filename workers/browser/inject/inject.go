// Package inject holds the program that runs inside pages: selectors, roles and names, element states, the work around actions, and values on the wire. It is TypeScript
// (api.ts is what the engine calls), embedded as source; whoever starts workers bundles it once (see Programs).
//
// It runs in a worker's process, where it is only text, and in the pages' renderers. It knows the document it is in and nothing else: no CDP, no frames but its own, no
// run. It stores nothing on the page's globals.
package inject

import (
	"embed"
	"io/fs"
)

//go:embed *.ts
var sources embed.FS

// Sources are the TypeScript files, at the root.
func Sources() fs.FS { return sources }

// Program is one bundle to make of the sources.
type Program struct {
	// Entry is the file to start from.
	Entry string
	// Banner and Footer go around the bundle, an IIFE. Together they are one expression whose value is a function: called with the options (api.ts, InstallOptions)
	// it gives the program's object. The bundle assigns that function instead of exporting it, because a page may have broken what export helpers call.
	Banner, Footer string
}

const (
	banner = "(()=>{let install;"
	footer = "return install})()"
)

// Programs are: the whole program, for isolated worlds (and the page's own world where selectors meet page code); the evaluator alone, for the page's own world; and the
// clock, an init script where page code sets one, called with the changes so far. Bundle each with format IIFE, target ES2022 or later, minified, without source map,
// ASCII charset.
func Programs() (whole, evaluator, clock Program) {
	return Program{"index.ts", banner, footer}, Program{"main.ts", banner, footer}, Program{"clockworld.ts", banner, footer}
}
