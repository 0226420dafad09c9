package main

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/pomerado-go/pomerado/operations/artifact"
)

func TestToolNames(t *testing.T) {
	for free, want := range map[string]string{
		"read_front_page":       "read_front_page",
		"Read Front-Page!":      "read_front_page",
		"7 days":                "days",
		"été":                   "t",
		"":                      "operation",
		"___":                   "operation",
		string(make([]byte, 3)): "operation",
	} {
		if got := toolName(free); got != want {
			t.Errorf("%q became %q, want %q", free, got, want)
		}
	}
	long := toolName("a" + string(slices.Repeat([]byte("b"), 99)))
	if len(long) != 64 {
		t.Errorf("a long name became %d bytes", len(long))
	}
}

func TestFolderOfSources(t *testing.T) {
	tree := fstest.MapFS{
		"src/tool.ts":                         {Data: []byte("t")},
		"src/data.json":                       {Data: []byte("{}")},
		"src/notes.md":                        {Data: []byte("n")},
		"package.json":                        {Data: []byte("{}")},
		"pomerado.json":                       {Data: []byte("{}")},
		"deployment.json":                     {Data: []byte("{}")},
		".git/hooks/x.js":                     {Data: []byte("x")},
		"node_modules/effect/index.js":        {Data: []byte("e")},
		"node_modules/effect/deployment.json": {Data: []byte("{}")},
	}
	files, err := readFolder(tree, "tool")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, file := range files {
		paths = append(paths, file.Path)
	}
	want := []string{"node_modules/effect/deployment.json", "node_modules/effect/index.js", "package.json", "src/data.json", "src/tool.ts"}
	if !slices.Equal(paths, want) {
		t.Errorf("got %q, want %q", paths, want)
	}
}

func TestEntrypointOfAFolder(t *testing.T) {
	for name, one := range map[string]struct {
		paths []string
		want  string
	}{
		"the only source in src":  {[]string{"src/lookup.ts", "src/data.json", "package.json"}, "src/lookup.ts"},
		"tool before others":      {[]string{"src/celsius.ts", "src/tool.ts"}, "src/tool.ts"},
		"operation before tool":   {[]string{"src/tool.ts", "src/operation.mjs"}, "src/operation.mjs"},
		"src before the top":      {[]string{"tool.ts", "src/main.js"}, "src/main.js"},
		"the only one at the top": {[]string{"lookup.mjs", "lib/more.mjs"}, "lookup.mjs"},
		"several, none of a name": {[]string{"src/a.ts", "src/b.ts"}, ""},
		"none":                    {[]string{"package.json", "lib/a.ts"}, ""},
	} {
		var files []artifact.File
		for _, path := range one.paths {
			files = append(files, artifact.File{Path: path})
		}
		c := packCommand{Source: t.TempDir()}
		got, err := c.entrypoint(files)
		var refused *failure
		if got != one.want || (one.want == "") != errors.As(err, &refused) || (refused != nil && refused.code != exitUsage) {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, one.want)
		}
	}
}
