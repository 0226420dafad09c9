// Package sdk owns what authored operations import: the `pomerado/runtime` module and the small `effect`-compatible builder, written in
// TypeScript beside this file, and the Go side that evaluates them, reads an operation's contract and runs it.
//
// It runs in the worker process. It knows no browser, no wire and no bundler: what a run may do comes in as a [Host], and scripts come
// in bundled.
package sdk

import (
	"embed"
	"io/fs"
)

//go:embed index.ts effect runtime pagecode
var sources embed.FS

// Entry is the file of Sources that the SDK script is bundled from.
const Entry = "index.ts"

// Sources are the TypeScript files of the SDK, and the page code it exports as text (pagecode/*.js). Bundled from Entry into one IIFE they
// are the script that Load takes.
func Sources() fs.FS { return sources }

// Global is the global variable that holds both modules for authored bundles: an object with "runtime" and "effect", whose properties
// are the modules' exports, and "schemaExports" and "effectExports", which make parts of pomerado/runtime for a tool with an effect of its own.
const Global = "__pomerado_sdk__"

// ModuleGlobal is the global variable through which an authored bundle hands over its entrypoint: {default, effect}, effect being
// {Schema, JSONSchema, ParseResult} of the tool's own effect package if it brings one, and EffectParts if its own files speak Effect.
const ModuleGlobal = "__pomerado_module__"
