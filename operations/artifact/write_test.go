package artifact

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/operations/schema"
)

func made() Artifact {
	return Artifact{
		Entrypoint:   "src/tool.mjs",
		Files:        []File{{"src/tool.mjs", []byte("// <&> é\n")}, {"node_modules/effect/index.js", []byte("")}},
		InputSchema:  json.RawMessage(`{"type":"object","properties":{},"required":[],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"$schema":"http://json-schema.org/draft-07/schema#","title":"<a & b>","maximum":1e2}`),
		Questions:    question.Declarations{"b": {Type: question.Confirm, Prompt: "<Go>?"}, "a": {Type: question.Choice, Prompt: "Which?", Legacy: true}},
		Deployment:   &Deployment{Name: "tool", Description: "It does <things>", URL: "https://x.test/?a=1&b=2", Intent: "Do things", Effect: "write"},
	}
}

const madeManifest = `{
  "entrypoint": "src/tool.mjs",
  "files": [
    "src/tool.mjs",
    "node_modules/effect/index.js"
  ],
  "inputSchema": {
    "type": "object",
    "properties": {},
    "required": [],
    "additionalProperties": false
  },
  "outputSchema": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "<a & b>",
    "maximum": 1e2
  },
  "questions": {
    "a": {
      "prompt": "Which?"
    },
    "b": {
      "type": "confirm",
      "prompt": "<Go>?"
    }
  }
}
`

const madeDeployment = `{
  "name": "tool",
  "description": "It does <things>",
  "request": {
    "url": "https://x.test/?a=1&b=2",
    "intent": "Do things",
    "effect": "write"
  }
}
`

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "tool")
	if err := Write(dir, made()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{ManifestName: madeManifest, DeploymentName: madeDeployment, "src/tool.mjs": "// <&> é\n"} {
		got, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", path, err, cmp.Diff(want, string(got)))
		}
		info, err := os.Stat(filepath.Join(dir, path))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := made()
	want.Dir, want.Name = got.Dir, "tool"
	if diff := cmp.Diff(&want, got, cmpopts.IgnoreTypes(&schema.Schema{}), cmp.Transformer("compact", compacted)); diff != "" {
		t.Error(diff)
	}
	if got.Hash() != want.Hash() {
		t.Error("another hash")
	}
	alone(t, dir)
}

func compacted(raw json.RawMessage) string {
	var value any
	_ = json.Unmarshal(raw, &value)
	text, _ := json.Marshal(value)
	return string(text)
}

// alone checks that nothing but dir is left in its parent.
func alone(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != filepath.Base(dir) {
			t.Errorf("%s is left behind", entry.Name())
		}
	}
}

func TestWritingASignInKeepsAllOfIt(t *testing.T) {
	a := made()
	a.Deployment = nil
	recipe, err := decodeRecipe([]byte(strings.Replace(login, `"version":1`, `"workspace":{},"version":8`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	a.SignIn = &SignIn{EntryURL: "https://x.test/login?next=1", AuthenticationOrigins: []string{"https://id.test:8443"}, Recipe: recipe}
	a.AcceptedConfirms = []AcceptedConfirm{{strings.Repeat("ab", 32)}}
	dir := filepath.Join(t.TempDir(), "tool")
	if err := os.Mkdir(dir, 0o755); err != nil { // an empty folder may be filled
		t.Fatal(err)
	}
	if err := Write(dir, a); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a.SignIn, got.SignIn, cmp.Transformer("compact", compacted)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(a.AcceptedConfirms, got.AcceptedConfirms); diff != "" {
		t.Error(diff)
	}
	alone(t, dir)
	if _, err := os.Stat(filepath.Join(dir, DeploymentName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a deployment nobody gave: %v", err)
	}
}

func TestWhatMayNotBeWritten(t *testing.T) {
	change := func(f func(*Artifact)) Artifact {
		a := made()
		f(&a)
		return a
	}
	for name, r := range map[string]struct {
		artifact Artifact
		want     refusal
	}{
		"no entrypoint":          {change(func(a *Artifact) { a.Entrypoint = "x.mjs" }), refusal{code: UnlistedEntry, path: ManifestName, pointer: "/entrypoint"}},
		"an escaping file":       {change(func(a *Artifact) { a.Files[1].Path = "../x" }), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"a file of the server's": {change(func(a *Artifact) { a.Files[1].Path = "ReadMe.md" }), refusal{code: ReservedPath, path: ManifestName, pointer: "/files/1"}},
		"a file in .jobs":        {change(func(a *Artifact) { a.Files[1].Path = ".jobs/x" }), refusal{code: ReservedPath, path: ManifestName, pointer: "/files/1"}},
		"bad UTF-8":              {change(func(a *Artifact) { a.Files[1].Content = []byte("\xff") }), refusal{code: BadUTF8, path: "node_modules/effect/index.js", line: 1, column: 1}},
		"a large file":           {change(func(a *Artifact) { a.Files[1].Content = make([]byte, MaxFile+1) }), refusal{code: TooLarge, path: "node_modules/effect/index.js"}},
		"a bad schema":           {change(func(a *Artifact) { a.InputSchema = json.RawMessage(`{"type":3}`) }), refusal{code: BadSchema, path: ManifestName, pointer: "/inputSchema/type"}},
		"no schema":              {change(func(a *Artifact) { a.OutputSchema = nil }), refusal{code: BadSchema, path: ManifestName, pointer: "/outputSchema"}},
		"a bad question":         {change(func(a *Artifact) { a.Questions = question.Declarations{"a": {Type: "x"}} }), refusal{code: BadManifest, path: ManifestName, pointer: "/questions/a/type"}},
		"a bad name":             {change(func(a *Artifact) { a.Deployment.Name = "mint" }), refusal{code: BadDeployment, path: DeploymentName, pointer: "/name"}},
		"a sign-in without one":  {change(func(a *Artifact) { a.SignIn = &SignIn{EntryURL: "https://x.test"} }), refusal{code: MissingRecipe, path: RecipeName, reason: "missing"}},
	} {
		dir := filepath.Join(t.TempDir(), "tool")
		refused(t, name, Write(dir, r.artifact), r.want)
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
		alone(t, dir)
	}
}

func TestAFolderWithSomethingInItIsLeftAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tool")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, "not empty", Write(dir, made()), refusal{code: FolderNotEmpty, path: dir})
	if kept, err := os.ReadFile(filepath.Join(dir, "mine")); err != nil || string(kept) != "x" {
		t.Errorf("%q, %v", kept, err)
	}
	alone(t, dir)
	file := filepath.Join(dir, "mine")
	refused(t, "a file", Write(file, made()), refusal{code: FolderNotEmpty, path: file})
	below := filepath.Join(file, "tool")
	refused(t, "below a file", Write(below, made()), refusal{code: UnwritableFiles, path: below})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Skip(err)
	}
	refused(t, "a link to an empty folder", Write(link, made()), refusal{code: FolderNotEmpty, path: link})
}

func TestHashes(t *testing.T) {
	a := made()
	first := a.Hash()
	a.Files[0], a.Files[1] = a.Files[1], a.Files[0]
	if a.Hash() != first {
		t.Error("the order of files changes the hash")
	}
	for name, change := range map[string]func(*Artifact){
		"entrypoint":     func(a *Artifact) { a.Entrypoint = "node_modules/effect/index.js" },
		"a path":         func(a *Artifact) { a.Files[0].Path += "x" },
		"a byte":         func(a *Artifact) { a.Files[0].Content = []byte("// <&> e\n") },
		"a moved border": func(a *Artifact) { a.Files[0].Path, a.Files[0].Content = "src/tool.mjs/", []byte("/ <&> é\n") },
	} {
		b := made()
		change(&b)
		if b.Hash() == first {
			t.Errorf("%s does not change the hash", name)
		}
	}
	// SHA-256 of "a", NUL, "x", NUL, "b", NUL, "y", NUL.
	c := Artifact{Files: []File{{"b", []byte("y")}, {"a", []byte("x")}}}
	if got := c.SourceDigest(); got != "938fbc10036622392fd65d18a55d15b7e80ee4a3583ca4fadda2d0c1f04efbe4" {
		t.Error(got)
	}
}
