package artifact

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/operations/question"
)

const heading = `{ "entrypoint": "src/tool.mjs", "files": ["src/tool.mjs","src/heading.mjs"],
  "inputSchema": {"type":"object","properties":{},"additionalProperties":false},
  "outputSchema": {"type":"object","required":["heading"],"properties":{"heading":{"type":"string"}},"additionalProperties":false},
  "questions": {} }
`

const deployed = `{"name":"page_heading","description":"Reads a heading","request":{"url":"https://x.test/a?b#c","intent":"read it","effect":"read","authenticationOrigins":["https://login.test/"]},"new":1}`

const login = `{"version":1,"steps":[{"page":"https://www.example.test/login","fields":[{"selector":"#username","accepts":["username"]},{"selector":"#password","slot":"password"}],"submit":"#sign-in","submittedBy":"host"}],"signedIn":{"selector":"#account"}}`

// whole is a folder with everything in it. Keys are paths.
func whole() map[string]string {
	return map[string]string{ManifestName: heading, "src/tool.mjs": "export default 1;\n", "src/heading.mjs": "export {}; // é\n"}
}

func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "heading")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, content := range files {
		at := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoad(t *testing.T) {
	dir := folderOf(t, whole())
	a, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "heading" || a.Entrypoint != "src/tool.mjs" || a.Deployment != nil || a.SignIn != nil || a.Questions == nil || len(a.Questions) != 0 {
		t.Errorf("%+v", a)
	}
	want := []File{{"src/tool.mjs", []byte("export default 1;\n")}, {"src/heading.mjs", []byte("export {}; // é\n")}}
	if diff := cmp.Diff(want, a.Files); diff != "" {
		t.Error(diff)
	}
	if err := a.Input.Validate([]byte(`{"a":1}`)); err == nil {
		t.Error("the input schema is not compiled")
	}
	if err := a.Output.Validate([]byte(`{"heading":"x"}`)); err != nil {
		t.Errorf("the output schema: %v", err)
	}
}

func TestOtherFilesAndUnknownKeysAreIgnored(t *testing.T) {
	files := whole()
	files["README.md"], files["src/unlisted.mjs"], files["mcp.json"] = "\xff", "}{", "x"
	files[ManifestName] = strings.Replace(heading, `"questions": {}`, `"from":{"later":[1]}, "questions": {"go":{"type":"confirm","prompt":"Go?","later":1}}, "acceptedConfirms":[{"digest":"`+strings.Repeat("0f", 32)+`","at":1}]`, 1)
	files[DeploymentName] = deployed
	a, err := Load(folderOf(t, files))
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "page_heading" {
		t.Errorf("name %q", a.Name)
	}
	if diff := cmp.Diff(&Deployment{Name: "page_heading", Description: "Reads a heading", URL: "https://x.test/a?b#c", Intent: "read it", Effect: "read", AuthenticationOrigins: []string{"https://login.test/"}}, a.Deployment); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(question.Declarations{"go": {Type: question.Confirm, Prompt: "Go?"}}, a.Questions); diff != "" {
		t.Error(diff)
	}
	if len(a.AcceptedConfirms) != 1 {
		t.Errorf("%+v", a.AcceptedConfirms)
	}
}

func TestAnOlderArtifactHasNoQuestions(t *testing.T) {
	files := whole()
	files[ManifestName] = strings.Replace(heading, `,
  "questions": {}`, "", 1)
	a, err := Load(folderOf(t, files))
	if err != nil || a.Questions != nil {
		t.Errorf("%v, %v", a, err)
	}
}

func TestAPathMayNameTheBuildsFolder(t *testing.T) {
	files := whole()
	files[ManifestName] = strings.NewReplacer(`"entrypoint": "src`, `"entrypoint": "/workspace/src`, `["src/tool`, `["/workspace/src/tool`).Replace(heading)
	a, err := Load(folderOf(t, files))
	if err != nil || a.Entrypoint != "src/tool.mjs" || a.Files[0].Path != "src/tool.mjs" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestTheFolderMayBeReachedThroughALink(t *testing.T) {
	dir := folderOf(t, whole())
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	a, err := Load(link)
	if err != nil || filepath.Base(a.Dir) != "heading" {
		t.Errorf("%+v, %v", a, err)
	}
}

// refusal is what an *Error must say.
type refusal struct {
	code          Code
	path, pointer string
	line, column  int
	reason        string
}

func refused(t *testing.T, name string, err error, want refusal) {
	t.Helper()
	var wrong *Error
	if !errors.As(err, &wrong) {
		t.Errorf("%s: %v", name, err)
		return
	}
	got := refusal{wrong.Code, wrong.Path, wrong.Pointer, wrong.Line, wrong.Column, wrong.Reason}
	if got != want {
		t.Errorf("%s:\n got %+v\nwant %+v\n(%v)", name, got, want, err)
	}
	if wrong.Problem == "" || wrong.Fix == "" || errors.Is(err, ErrMissingRecipe) != (want.code == MissingRecipe) {
		t.Errorf("%s: %#v", name, wrong)
	}
}

func TestFoldersThatCannotBeUsed(t *testing.T) {
	manifest := func(from, to string) func(map[string]string) {
		if !strings.Contains(heading, from) {
			t.Fatalf("%q is not in the manifest", from)
		}
		return func(files map[string]string) { files[ManifestName] = strings.Replace(heading, from, to, 1) }
	}
	content := func(path, text string) func(map[string]string) {
		return func(files map[string]string) { files[path] = text }
	}
	listed := func(paths ...string) func(map[string]string) {
		return manifest(`["src/tool.mjs","src/heading.mjs"]`, `["src/tool.mjs","`+strings.Join(paths, `","`)+`"]`)
	}
	many := make([]string, MaxFiles)
	for i := range many {
		many[i] = "a/" + strings.Repeat("b", i%100) + string(rune('a'+i/100%26)) + strings.Repeat("c", i/2600)
	}
	signed := func(recipe string) func(map[string]string) {
		return func(files map[string]string) {
			files[ManifestName] = strings.Replace(heading, `"questions"`, `"signIn":{"recipe":"auth-fill.json","entryUrl":"https://x.test/login"},"questions"`, 1)
			if recipe != "" {
				files[RecipeName] = recipe
			}
		}
	}
	for name, r := range map[string]struct {
		change func(map[string]string)
		want   refusal
	}{
		"no manifest":                     {func(f map[string]string) { delete(f, ManifestName) }, refusal{code: MissingFile, path: ManifestName}},
		"a listed file missing":           {func(f map[string]string) { delete(f, "src/heading.mjs") }, refusal{code: MissingFile, path: "src/heading.mjs"}},
		"a listed file's folder missing":  {listed("lib/x.mjs"), refusal{code: MissingFile, path: "lib/x.mjs"}},
		"a file where a folder should be": {listed("src/tool.mjs/x.mjs"), refusal{code: MissingFile, path: "src/tool.mjs/x.mjs"}},
		"a folder where a file should be": {listed("src"), refusal{code: NotRegular, path: "src"}},
		"entrypoint not listed":           {manifest(`"src/tool.mjs", "files"`, `"src/other.mjs", "files"`), refusal{code: UnlistedEntry, path: ManifestName, pointer: "/entrypoint"}},
		"no files":                        {manifest(`["src/tool.mjs","src/heading.mjs"]`, `[]`), refusal{code: UnlistedEntry, path: ManifestName, pointer: "/entrypoint"}},
		"an absolute path":                {listed("/etc/passwd"), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"an absolute path in a build":     {listed("/workspace//etc/passwd"), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"an escaping path":                {listed("src/../../x"), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"a path through the folder":       {listed("./src/heading.mjs"), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"an empty part":                   {listed("src//heading.mjs"), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"an empty path":                   {listed(""), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"a backslash":                     {listed(`src\\heading.mjs`), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"a space":                         {listed(`src/a b.mjs`), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"a scoped package":                {listed(`node_modules/@a/b.js`), refusal{code: BadPath, path: ManifestName, pointer: "/files/1"}},
		"a path twice":                    {listed("src/tool.mjs"), refusal{code: DuplicatePath, path: ManifestName, pointer: "/files/1"}},
		"a path twice by its build name":  {listed("/workspace/src/tool.mjs"), refusal{code: DuplicatePath, path: ManifestName, pointer: "/files/1"}},
		"the manifest as a file":          {listed("Pomerado.JSON"), refusal{code: ReservedPath, path: ManifestName, pointer: "/files/1"}},
		"a file below the recipe":         {listed("AUTH-fill.json/x.mjs"), refusal{code: ReservedPath, path: ManifestName, pointer: "/files/1"}},
		"too many files":                  {listed(many...), refusal{code: TooLarge, path: ManifestName, pointer: "/files"}},
		"a large file":                    {content("src/heading.mjs", strings.Repeat("x", MaxFile+1)), refusal{code: TooLarge, path: "src/heading.mjs"}},
		"bad UTF-8":                       {content("src/heading.mjs", "// é\n// é \xff\n"), refusal{code: BadUTF8, path: "src/heading.mjs", line: 2, column: 6}},
		"half a character":                {content("src/heading.mjs", "a\xc3"), refusal{code: BadUTF8, path: "src/heading.mjs", line: 1, column: 2}},
		"a surrogate":                     {content("src/heading.mjs", "\xed\xa0\x80"), refusal{code: BadUTF8, path: "src/heading.mjs", line: 1, column: 1}},
		"bad UTF-8 in the manifest":       {content(ManifestName, "{\"\xff\":1}"), refusal{code: BadUTF8, path: ManifestName, line: 1, column: 3}},
		"bad JSON":                        {manifest(`"outputSchema": {`, `"outputSchema": ,{`), refusal{code: BadJSON, path: ManifestName, line: 3, column: 19}},
		"JSON cut short":                  {content(ManifestName, "{\n \"entrypoint\":"), refusal{code: BadJSON, path: ManifestName, line: 2, column: 15}},
		"nothing":                         {content(ManifestName, ""), refusal{code: BadJSON, path: ManifestName, line: 1, column: 1}},
		"more after the JSON":             {content(ManifestName, heading+"x"), refusal{code: BadJSON, path: ManifestName, line: 5, column: 1}},
		"a key twice":                     {manifest(`"questions": {}`, `"questions": {}, "questions": {}`), refusal{code: BadJSON, path: ManifestName, pointer: "/questions", line: 4, column: 20}},
		"not an object":                   {content(ManifestName, "[]"), refusal{code: BadManifest, path: ManifestName, line: 1, column: 1}},
		"null":                            {content(ManifestName, " null"), refusal{code: BadManifest, path: ManifestName, line: 1, column: 1}},
		"a list that is none":             {manifest(`["src/tool.mjs","src/heading.mjs"]`, `"src/tool.mjs"`), refusal{code: BadManifest, path: ManifestName, pointer: "/files", line: 1, column: 42}},
		"a path that is none":             {manifest(`"src/heading.mjs"]`, `7]`), refusal{code: BadManifest, path: ManifestName, pointer: "/files/1", line: 1, column: 58}},
		"no entrypoint":                   {manifest(`"entrypoint"`, `"start"`), refusal{code: BadManifest, path: ManifestName, pointer: "/entrypoint"}},
		"no input schema":                 {manifest(`"inputSchema"`, `"input"`), refusal{code: BadManifest, path: ManifestName, pointer: "/inputSchema"}},
		"no output schema":                {manifest(`"outputSchema"`, `"output"`), refusal{code: BadManifest, path: ManifestName, pointer: "/outputSchema"}},
		"a malformed schema":              {manifest(`{"heading":{"type":"string"}}`, `{"heading":{"type":"strng"}}`), refusal{code: BadSchema, path: ManifestName, pointer: "/outputSchema/properties/heading/type"}},
		"a schema that names a URL":       {manifest(`"properties":{}`, `"properties":{"a":{"$ref":"https://x.test/s"}}`), refusal{code: BadSchema, path: ManifestName, pointer: "/inputSchema/properties/a/$ref"}},
		"a schema that names a file":      {manifest(`"properties":{}`, `"properties":{"a":{"$ref":"s.json#/a"}}`), refusal{code: BadSchema, path: ManifestName, pointer: "/inputSchema/properties/a/$ref"}},
		"a schema without a definition":   {manifest(`"properties":{}`, `"properties":{"a":{"$ref":"#/$defs/A"}}`), refusal{code: BadSchema, path: ManifestName, pointer: "/inputSchema/properties/a/$ref"}},
		"a question of no type":           {manifest(`"questions": {}`, `"questions": {"a":{"type":"date","prompt":"x"}}`), refusal{code: BadManifest, path: ManifestName, pointer: "/questions/a/type"}},
		"questions that are null":         {manifest(`"questions": {}`, `"questions": null`), refusal{code: BadManifest, path: ManifestName, pointer: "/questions"}},
		"a confirm that is no digest":     {manifest(`"questions"`, `"acceptedConfirms":[{"digest":"0F"}], "questions"`), refusal{code: BadManifest, path: ManifestName, pointer: "/acceptedConfirms/0/digest"}},
		"too many confirms":               {manifest(`"questions"`, `"acceptedConfirms":[`+strings.Repeat(`{"digest":"`+strings.Repeat("0", 64)+`"},`, 32)+`{}], "questions"`), refusal{code: BadManifest, path: ManifestName, pointer: "/acceptedConfirms"}},

		"a sign-in that is null":       {manifest(`"questions"`, `"signIn":null,"questions"`), refusal{code: BadManifest, path: ManifestName, pointer: "/signIn"}},
		"a sign-in by another file":    {manifest(`"questions"`, `"signIn":{"recipe":"x.json","entryUrl":"https://x.test"},"questions"`), refusal{code: BadManifest, path: ManifestName, pointer: "/signIn"}},
		"a sign-in with a password":    {manifest(`"questions"`, `"signIn":{"recipe":"auth-fill.json","entryUrl":"https://u:p@x.test"},"questions"`), refusal{code: BadManifest, path: ManifestName, pointer: "/signIn/entryUrl"}},
		"a sign-in with a fragment":    {manifest(`"questions"`, `"signIn":{"recipe":"auth-fill.json","entryUrl":"https://x.test/#"},"questions"`), refusal{code: BadManifest, path: ManifestName, pointer: "/signIn/entryUrl"}},
		"a sign-in by a path":          {manifest(`"questions"`, `"signIn":{"recipe":"auth-fill.json","entryUrl":"/login"},"questions"`), refusal{code: BadManifest, path: ManifestName, pointer: "/signIn/entryUrl"}},
		"a sign-in origin with a path": {manifest(`"questions"`, `"signIn":{"recipe":"auth-fill.json","entryUrl":"https://x.test","authenticationOrigins":["https://a.test","https://b.test/"]},"questions"`), refusal{code: BadManifest, path: ManifestName, pointer: "/signIn/authenticationOrigins/1"}},

		"no recipe":                  {signed(""), refusal{code: MissingRecipe, path: RecipeName, reason: "missing"}},
		"a recipe that is no JSON":   {signed("{"), refusal{code: MissingRecipe, path: RecipeName, reason: "invalid", line: 1, column: 2}},
		"a recipe in no encoding":    {signed("{\xff"), refusal{code: MissingRecipe, path: RecipeName, reason: "invalid", line: 1, column: 2}},
		"a recipe of a new version":  {signed(strings.Replace(login, `:1,`, `:9,`, 1)), refusal{code: MissingRecipe, path: RecipeName, pointer: "/version", reason: "unknown_version"}},
		"a recipe of half a version": {signed(strings.Replace(login, `:1,`, `:1.5,`, 1)), refusal{code: MissingRecipe, path: RecipeName, pointer: "/version", reason: "unknown_version"}},
		"a recipe of no version":     {signed(strings.Replace(login, `"version":1,`, ``, 1)), refusal{code: MissingRecipe, path: RecipeName, pointer: "/version", reason: "invalid"}},
		"a recipe without steps":     {signed(`{"version":1,"steps":[],"signedIn":{}}`), refusal{code: MissingRecipe, path: RecipeName, pointer: "/steps", reason: "invalid"}},
		"a recipe with a later key":  {signed(strings.Replace(login, `"fields"`, `"dismiss":"#x","fields"`, 1)), refusal{code: MissingRecipe, path: RecipeName, pointer: "/steps/0/dismiss", reason: "invalid"}},

		"a deployment that is no JSON":   {content(DeploymentName, "{}}"), refusal{code: BadJSON, path: DeploymentName, line: 1, column: 3}},
		"a deployment without request":   {content(DeploymentName, `{"name":"a"}`), refusal{code: BadDeployment, path: DeploymentName, pointer: "/request"}},
		"a deployment without name":      {content(DeploymentName, strings.Replace(deployed, `"name":"page_heading",`, "", 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/name"}},
		"a deployment with a bad name":   {content(DeploymentName, strings.Replace(deployed, "page_heading", "Page", 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/name"}},
		"a deployment with a taken name": {content(DeploymentName, strings.Replace(deployed, "page_heading", "get_job", 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/name"}},
		"a deployment without words":     {content(DeploymentName, strings.Replace(deployed, "Reads a heading", "", 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/description"}},
		"a deployment of many words":     {content(DeploymentName, strings.Replace(deployed, "Reads a heading", strings.Repeat("😀", 2049), 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/description"}},
		"a deployment of a file":         {content(DeploymentName, strings.Replace(deployed, "https://x.test", "file:///x", 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/request/url"}},
		"a deployment with a password":   {content(DeploymentName, strings.Replace(deployed, "https://x", "https://u@x", 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/request/url"}},
		"a deployment with no intent":    {content(DeploymentName, strings.Replace(deployed, "read it", "", 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/request/intent"}},
		"a deployment of no effect":      {content(DeploymentName, strings.Replace(deployed, `"effect":"read"`, `"effect":"ask"`, 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/request/effect"}},
		"a deployment with a bad origin": {content(DeploymentName, strings.Replace(deployed, "https://login.test/", "login.test", 1)), refusal{code: BadDeployment, path: DeploymentName, pointer: "/request/authenticationOrigins/0"}},
	} {
		files := whole()
		r.change(files)
		_, err := Load(folderOf(t, files))
		refused(t, name, err, r.want)
	}
}

func TestFilesThatAreTooLargeTogether(t *testing.T) {
	files := whole()
	paths := []string{"src/tool.mjs"}
	for _, name := range []string{"a", "b", "c"} {
		files[name+".mjs"] = strings.Repeat("x", 6<<20)
		paths = append(paths, name+".mjs")
	}
	files[ManifestName] = strings.Replace(heading, `["src/tool.mjs","src/heading.mjs"]`, `["`+strings.Join(paths, `","`)+`"]`, 1)
	_, err := Load(folderOf(t, files))
	refused(t, "18 MiB", err, refusal{code: TooLarge, path: "c.mjs"})
}

func TestNoFolder(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	_, err := Load(gone)
	refused(t, "no folder", err, refusal{code: NoFolder, path: gone})
	file := filepath.Join(folderOf(t, whole()), ManifestName)
	_, err = Load(file)
	refused(t, "a file", err, refusal{code: NoFolder, path: file})
	if text := err.Error(); !strings.HasPrefix(text, file+": the artifact's folder cannot be opened (not a directory). Name a folder") {
		t.Error(text)
	}
}

func TestAnErrorSaysWhereAndWhatToDo(t *testing.T) {
	files := whole()
	files["src/heading.mjs"] = "\xff"
	_, err := Load(folderOf(t, files))
	if err.Error() != "src/heading.mjs:1:1: the file is not valid UTF-8. Save it as UTF-8." {
		t.Error(err)
	}
}

func TestNamesOfCodesAreDifferent(t *testing.T) {
	codes := []Code{NoFolder, MissingFile, BadPath, ReservedPath, DuplicatePath, SymlinkOnPath, NotRegular, TooLarge, BadUTF8, BadJSON, BadManifest, BadSchema, BadDeployment, UnlistedEntry, MissingRecipe, UnreadableFile, FolderNotEmpty, UnwritableFiles}
	seen := map[Code]bool{}
	for _, code := range codes {
		seen[code] = true
	}
	if len(seen) != len(codes) {
		t.Errorf("%v", slices.Sorted(maps.Keys(seen)))
	}
}
