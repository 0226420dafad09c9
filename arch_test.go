// Package pomerado_test keeps the shape of the tree: which folder runs in which process, what it may import and why not more. The
// table below is DESIGN's, as data. A new package or a new arrow is a decision made here, with its reason.
package pomerado_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "github.com/pomerado-go/pomerado"

// process says where code of a folder runs. Parent code is trusted and reads neither pages nor authored source; child code is jailed.
type process string

const (
	parent  process = "parent"  // the supervisor's process
	child   process = "child"   // a worker's process
	border  process = "border"  // both ends of the wire: pure data, or one side of it
	shared  process = "shared"  // pure code that both sides need
	command process = "command" // wiring: programs that choose a side when they start
	fixture process = "fixture" // tests and the demo serve it; nothing else knows it
)

// folder is one row: where it runs, and every package of ours it may import.
type folder struct {
	path    string
	process process
	may     []string
	// testMay is what its test files may import beyond `may`, the folder itself, its subfolders and fixtures.
	testMay []string
}

// table is DESIGN's "the folder tells you which process you are in". Only folders that exist have a row.
var table = []folder{
	{path: "cmd/pomerado", process: command, may: []string{
		"supervisor", "supervisor/asker", "supervisor/chromium", "plugin/host", "workers", "ipc",
		"operations/artifact", "operations/cursor", "operations/outcome", "operations/question", "testdata/site", "testdata/artifacts"}},

	{path: "supervisor", process: parent, may: []string{
		"supervisor/asker", "supervisor/chromium", "supervisor/egress", "supervisor/gate", "supervisor/sitehttp", "plugin/host", "ipc", "ipc/cdp",
		"ipc/workerpb", "operations/artifact", "operations/confirm", "operations/cursor", "operations/file", "operations/mask",
		"operations/outcome", "operations/question",
		"operations/schema", "operations/site"},
		testMay: []string{"workers", "workers/jail", "plugin/serve"}},
	{path: "supervisor/asker", process: parent, may: []string{"operations/question"}},
	{path: "supervisor/chromium", process: parent, may: []string{"ipc/cdp"}},
	{path: "supervisor/confirmtest", process: parent, may: []string{"operations/artifact", "operations/confirm", "operations/question"}},
	{path: "supervisor/egress", process: parent},
	{path: "supervisor/sitehttp", process: parent, may: []string{"supervisor/egress", "operations/site"}},
	{path: "supervisor/gate", process: parent, may: []string{"ipc", "ipc/cdp"}, testMay: []string{"supervisor/chromium", "supervisor/egress"}},

	{path: "plugin", process: border},
	{path: "plugin/host", process: border, may: []string{"plugin", "ipc", "ipc/workerpb"}, testMay: []string{"plugin/serve", "ipc/cdp"}},
	{path: "plugin/serve", process: border, may: []string{"plugin", "ipc", "ipc/workerpb"}, testMay: []string{"plugin/host", "ipc/cdp"}},
	{path: "ipc", process: border, may: []string{"ipc/workerpb"}},
	{path: "ipc/workerpb", process: border},
	{path: "ipc/cdp", process: border, may: []string{"ipc"}, testMay: []string{"supervisor/chromium"}},

	{path: "operations/artifact", process: shared, may: []string{"operations/question", "operations/schema"}},
	{path: "operations/confirm", process: shared},
	{path: "operations/cursor", process: shared},
	{path: "operations/file", process: shared},
	{path: "operations/mask", process: shared},
	{path: "operations/outcome", process: shared},
	{path: "operations/question", process: shared},
	{path: "operations/schema", process: shared},
	{path: "operations/site", process: shared},

	{path: "workers", process: child, may: []string{
		"workers/browser", "workers/browser/inject", "workers/contract", "workers/jail", "jsrt", "jsrt/playwright", "jsrt/sdk", "plugin/serve",
		"ipc", "ipc/cdp", "ipc/workerpb", "operations/question", "operations/schema"},
		testMay: []string{"plugin/host", "supervisor/chromium", "supervisor/gate"}},
	{path: "workers/browser", process: child, may: []string{"workers/browser/inject", "ipc", "ipc/cdp"},
		testMay: []string{"supervisor/chromium", "supervisor/gate", "workers/contract"}},
	{path: "workers/browser/inject", process: child, testMay: []string{"supervisor/chromium", "ipc/cdp"}},
	{path: "workers/contract", process: child, may: []string{
		"workers/browser/inject", "jsrt", "jsrt/sdk", "ipc", "operations/artifact", "operations/question", "operations/schema"}},
	{path: "workers/jail", process: child, testMay: []string{"plugin/host", "plugin/serve", "ipc", "ipc/workerpb"}},
	{path: "jsrt", process: child},
	{path: "jsrt/sdk", process: child, may: []string{"jsrt", "jsrt/sdk/markup", "ipc", "operations/question", "operations/schema"},
		testMay: []string{"workers/contract"}},
	{path: "jsrt/sdk/markup", process: child},
	{path: "jsrt/playwright", process: child, may: []string{"jsrt", "workers/browser"},
		testMay: []string{"supervisor/chromium", "supervisor/gate", "workers/browser/inject", "workers/contract", "ipc", "ipc/cdp"}},

	{path: "testdata/npm", process: fixture},
	{path: "testdata/site", process: fixture},
	{path: "testdata/artifacts", process: fixture},
}

// rule keeps an import out of every folder but those named.
type rule struct {
	prefix string
	only   []string
	reason string
}

var rules = []rule{
	{"github.com/dop251/goja", []string{"jsrt", "jsrt/sdk", "jsrt/playwright"},
		"one goroutine owns a runtime; only the runtime's own packages may hold its values"},
	{"github.com/evanw/esbuild", []string{"workers/contract"},
		"authored source is parsed in a jailed worker only: a deep file overflows the parser's stack and ends the process"},
	{"github.com/hashicorp/go-plugin", []string{"plugin", "plugin/host", "plugin/serve"},
		"one package a side knows how workers are started"},
	{"google.golang.org/grpc", []string{"plugin", "plugin/host", "plugin/serve", "ipc/workerpb"},
		"everyone else sends and receives messages, whatever carries them"},
	{"github.com/chromedp", []string{"ipc/cdp", "supervisor/chromium", "supervisor/gate", "workers/browser"},
		"CDP is known to the gate, the launcher and the engine; JavaScript's side and the run's side know neither its types nor its names"},
	{"github.com/kaptinlin/jsonschema", []string{"operations/schema"},
		"its traps (ref siblings, loaders, RE2 patterns) are handled in one place"},
	{"github.com/alecthomas/kong", []string{"cmd/pomerado"}, "flags are the command's"},
	{"charm.land", []string{"supervisor/asker"}, "only the terminal door to a question draws on a terminal"},
	{"github.com/modelcontextprotocol", nil, "MCP types stay in the MCP servers' own package"},
	{"github.com/elastic/go-seccomp-bpf", []string{"workers/jail"}, "the jail is one package, so that it can be read whole"},
	{"github.com/landlock-lsm", []string{"workers/jail"}, "the jail is one package, so that it can be read whole"},
	{"os/exec", []string{"cmd/pomerado", "plugin/host", "supervisor/chromium"},
		"a worker starts no process, and a process that is started has one owner that ends it"},
	// The engine takes the texts of HTTP statuses from net/http; the jail would refuse it more. confirmtest serves the pages of its contract.
	{"net/http", []string{"cmd/pomerado", "supervisor", "supervisor/chromium", "supervisor/confirmtest", "supervisor/egress", "supervisor/sitehttp",
		"workers/browser", "testdata/site"},
		"a worker has no network; what a run may reach is decided by its egress"},
}

// reach lists what code of a process must not get to even through other packages of ours.
var reach = map[process][]rule{
	parent: {
		{"github.com/dop251/goja", nil, "no authored code runs in the supervisor"},
		{"github.com/evanw/esbuild", nil, "no authored source is parsed in the supervisor"},
		{module + "/workers", nil, "the supervisor and its workers meet on the wire only"},
		{module + "/jsrt", nil, "the supervisor and its workers meet on the wire only"},
	},
	border: {
		{module + "/workers", nil, "the wire knows neither of its ends"},
		{module + "/supervisor", nil, "the wire knows neither of its ends"},
	},
	shared: {
		{module + "/workers", nil, "pure code knows no process"},
		{module + "/supervisor", nil, "pure code knows no process"},
		{module + "/ipc", nil, "pure code knows no wire"},
	},
	child: {
		{module + "/supervisor", nil, "a worker holds nothing of its supervisor"},
	},
}

// isCommand tells folders of programs: they own their process, so they may make a root context.
func isCommand(dir string) bool {
	return strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "bench/") || dir == "bench"
}

// rootContexts are the product files that may make a root context all the same, with the reason.
var rootContexts = map[string]string{
	"supervisor/supervisor.go": "a supervisor's own life, which is nobody's call: Close ends it",
}

// vagueNames say nothing of what a package or file owns.
var vagueNames = []string{"util", "utils", "common", "helper", "helpers", "types", "misc"}

const maxLines = 800

// generated is the line Go's own tools know generated files by.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// source is one Go file, parsed.
type source struct {
	dir, path string
	test      bool
	file      *ast.File
	positions *token.FileSet
}

// TestTheTreeKeepsItsShape holds every rule of this file against the repository.
func TestTheTreeKeepsItsShape(t *testing.T) {
	for _, problem := range inspect(os.DirFS("."), table) {
		t.Error(problem)
	}
}

// inspect returns every broken rule as "place: what; why".
func inspect(tree fs.FS, table []folder) []string {
	var problems []string
	report := func(place, format string, args ...any) {
		problems = append(problems, place+": "+fmt.Sprintf(format, args...))
	}
	rows := map[string]folder{}
	for _, row := range table {
		if _, twice := rows[row.path]; twice {
			report(row.path, "has two rows in arch_test.go's table")
		}
		rows[row.path] = row
	}

	sources, unreadable := read(tree)
	problems = append(problems, unreadable...)
	byDir := map[string][]source{}
	for _, one := range sources {
		byDir[one.dir] = append(byDir[one.dir], one)
	}
	for _, row := range table {
		if len(byDir[row.path]) == 0 {
			report(row.path, "has a row in arch_test.go's table but no Go file; delete the row")
		}
	}

	imports := map[string]map[string]bool{} // folder → what its product files import
	for dir, files := range byDir {
		row, known := rows[dir]
		// bench/ measures the product from outside: nothing imports it, and it may import everything.
		if !known && dir != "." && dir != "bench" && !strings.HasPrefix(dir, "bench/") {
			report(dir, "has no row in arch_test.go's table; say there which process it runs in and what it may import")
		}
		documented := false
		product := false
		for _, one := range files {
			product = product || !one.test
			documented = documented || (!one.test && (one.file.Doc != nil || ast.IsGenerated(one.file)))
			problems = append(problems, checkNames(one)...)
			problems = append(problems, checkClock(one)...)
			for _, spec := range one.file.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					report(one.path, "imports %s, which is no import path", spec.Path.Value)
					continue
				}
				if known {
					problems = append(problems, checkImport(row, one, name)...)
				}
				if !one.test {
					if imports[dir] == nil {
						imports[dir] = map[string]bool{}
					}
					imports[dir][name] = true
				}
			}
		}
		if product && !documented {
			report(dir, "has no package comment; say what it owns, what it must not know and which process it runs in")
		}
	}
	for dir, row := range rows {
		for _, ban := range reach[row.process] {
			if chain := way(imports, dir, ban.prefix, map[string]bool{}); chain != nil {
				report(dir, "reaches %s by %s; %s", ban.prefix, strings.Join(chain, " → "), ban.reason)
			}
		}
	}
	problems = append(problems, checkSizes(tree)...)
	sort.Strings(problems)
	return slices.Compact(problems)
}

// read parses every Go file of the tree. Test data of packages is data; the root's testdata holds packages and is read.
func read(tree fs.FS) (sources []source, problems []string) {
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if skipped(name) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, name, text, parser.ParseComments)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: does not parse: %v", name, err))
			return nil
		}
		sources = append(sources, source{path.Dir(name), name, strings.HasSuffix(name, "_test.go"), file, positions})
		return nil
	})
	if err != nil {
		problems = append(problems, fmt.Sprintf("reading the tree: %v", err))
	}
	return sources, problems
}

func skipped(dir string) bool {
	base := path.Base(dir)
	if dir == "." || dir == "testdata" {
		return false
	}
	return base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".")
}

func checkNames(one source) []string {
	var problems []string
	if name := strings.TrimSuffix(one.file.Name.Name, "_test"); slices.Contains(vagueNames, name) {
		problems = append(problems, fmt.Sprintf("%s: package %s says nothing of what it owns; name it after that", one.path, name))
	}
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(one.path), ".go"), "_test")
	for _, part := range append(strings.Split(one.dir, "/"), base) {
		if slices.Contains(vagueNames, part) {
			problems = append(problems, fmt.Sprintf("%s: the name %q says nothing of what it owns; name it after that", one.path, part))
		}
	}
	return problems
}

// checkClock keeps root contexts and sleeps out of product code: a context that nobody can end, or a pause that nobody can cut short, outlives a run.
func checkClock(one source) []string {
	if one.test || isCommand(one.dir) {
		return nil
	}
	var problems []string
	ast.Inspect(one.file, func(node ast.Node) bool {
		call, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := call.X.(*ast.Ident)
		if !ok {
			return true
		}
		switch pkg.Name + "." + call.Sel.Name {
		case "context.Background", "context.TODO":
			if rootContexts[one.path] != "" {
				break
			}
			problems = append(problems, fmt.Sprintf("%s: makes a root context; take the caller's, or detach from it with context.WithoutCancel and say why",
				one.positions.Position(call.Pos())))
		case "time.Sleep":
			problems = append(problems, fmt.Sprintf("%s: sleeps; wait on a timer together with ctx.Done()", one.positions.Position(call.Pos())))
		}
		return true
	})
	return problems
}

func checkImport(row folder, one source, name string) []string {
	var problems []string
	if inside, ours := strings.CutPrefix(name, module+"/"); ours {
		allowed := slices.Contains(row.may, inside)
		if one.test {
			allowed = allowed || inside == row.path || strings.HasPrefix(inside, row.path+"/") || strings.HasPrefix(inside, "testdata/") || slices.Contains(row.testMay, inside)
		}
		if !allowed {
			problems = append(problems, fmt.Sprintf("%s: imports %s; %s (%s) may import: %s",
				one.path, inside, row.path, row.process, strings.Join(row.may, ", ")))
		}
	}
	if one.test {
		return problems
	}
	for _, ban := range rules {
		if (name == ban.prefix || strings.HasPrefix(name, ban.prefix+"/")) && !slices.Contains(ban.only, row.path) {
			problems = append(problems, fmt.Sprintf("%s: imports %s; %s", one.path, name, ban.reason))
		}
	}
	return problems
}

// way returns a chain of our packages from dir to an import with the prefix, nil when there is none.
func way(imports map[string]map[string]bool, dir, prefix string, seen map[string]bool) []string {
	if seen[dir] {
		return nil
	}
	seen[dir] = true
	for _, name := range slices.Sorted(maps.Keys(imports[dir])) {
		if name == prefix || strings.HasPrefix(name, prefix+"/") {
			return []string{dir, name}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(imports[dir])) {
		if inside, ours := strings.CutPrefix(name, module+"/"); ours {
			if chain := way(imports, inside, prefix, seen); chain != nil {
				return append([]string{dir}, chain...)
			}
		}
	}
	return nil
}

// checkSizes bounds source files of every language we write. Generated files are as long as they are.
func checkSizes(tree fs.FS) []string {
	var problems []string
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if skipped(name) {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".ts", ".js", ".mjs"}, path.Ext(name)) {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if lines := strings.Count(string(text), "\n"); lines > maxLines && !generated.Match(text) {
			problems = append(problems, fmt.Sprintf("%s: has %d lines; past %d it is two concepts", name, lines, maxLines))
		}
		return nil
	})
	if err != nil {
		problems = append(problems, fmt.Sprintf("reading the tree: %v", err))
	}
	return problems
}

// TestEachRuleCanFail breaks one rule at a time in a small tree and expects exactly that rule's sentence.
func TestEachRuleCanFail(t *testing.T) {
	table := []folder{
		{path: "supervisor", process: parent, may: []string{"ipc"}},
		{path: "ipc", process: border},
		{path: "workers", process: child, may: []string{"ipc"}},
	}
	sound := func() fstest.MapFS {
		return fstest.MapFS{
			"supervisor/run.go": file("// Package supervisor runs.\npackage supervisor\nimport _ \"" + module + "/ipc\"\n"),
			"ipc/limits.go":     file("// Package ipc bounds.\npackage ipc\n"),
			"workers/loop.go":   file("// Package workers works.\npackage workers\nimport _ \"" + module + "/ipc\"\n"),
		}
	}
	if problems := inspect(sound(), table); len(problems) != 0 {
		t.Fatalf("the sound tree is refused: %q", problems)
	}
	for name, broken := range map[string]struct {
		path, text, want string
	}{
		"a folder without a row":              {"extra/extra.go", "// Package extra is new.\npackage extra\n", "extra: has no row"},
		"an arrow that is not in the table":   {"supervisor/pool.go", "package supervisor\nimport _ \"" + module + "/workers\"\n", "supervisor/pool.go: imports workers"},
		"a library outside its folder":        {"supervisor/js.go", "package supervisor\nimport _ \"github.com/dop251/goja\"\n", "supervisor/js.go: imports github.com/dop251/goja"},
		"a library reached through a package": {"ipc/js.go", "package ipc\nimport _ \"github.com/dop251/goja/parser\"\n", "supervisor: reaches github.com/dop251/goja by supervisor → ipc → github.com/dop251/goja/parser"},
		"a worker that starts a process":      {"workers/spawn.go", "package workers\nimport _ \"os/exec\"\n", "workers/spawn.go: imports os/exec"},
		"a test with an arrow not allowed":    {"ipc/limits_test.go", "package ipc_test\nimport _ \"" + module + "/supervisor\"\n", "ipc/limits_test.go: imports supervisor"},
		"a root context":                      {"ipc/wait.go", "package ipc\nimport \"context\"\nvar Forever = context.Background()\n", "ipc/wait.go:3:15: makes a root context"},
		"a sleep":                             {"ipc/wait.go", "package ipc\nimport \"time\"\nfunc Wait() { time.Sleep(1) }\n", "ipc/wait.go:3:15: sleeps"},
		"a vague file":                        {"ipc/helpers.go", "package ipc\n", "ipc/helpers.go: the name \"helpers\""},
		"a vague package":                     {"ipc/limits.go", "// Package types is vague.\npackage types\n", "ipc/limits.go: package types says nothing"},
		"a package without a comment":         {"ipc/limits.go", "package ipc\n", "ipc: has no package comment"},
		"a file of two concepts":              {"workers/long.ts", strings.Repeat("\n", maxLines+1), "workers/long.ts: has 801 lines"},
		"a file that does not parse":          {"ipc/broken.go", "package ipc\nfunc {", "ipc/broken.go: does not parse"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := sound()
			tree[broken.path] = file(broken.text)
			problems := inspect(tree, table)
			if !slices.ContainsFunc(problems, func(problem string) bool { return strings.HasPrefix(problem, broken.want) }) {
				t.Errorf("got %q, want one that starts with %q", problems, broken.want)
			}
		})
	}
	t.Run("a row without a folder", func(t *testing.T) {
		problems := inspect(sound(), append(slices.Clone(table), folder{path: "gone", process: shared}))
		if len(problems) != 1 || !strings.HasPrefix(problems[0], "gone: has a row") {
			t.Errorf("got %q", problems)
		}
	})
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
