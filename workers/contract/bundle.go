package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/pomerado-go/pomerado/ipc"
)

// Namespaces of modules inside a build: authored files by their path, and modules we provide by their import specifier.
const (
	authored = "authored"
	provided = "provided"
)

// File is one authored file. Path is relative to the artifact, with slashes.
type File struct {
	Path    string
	Content []byte
}

// Bundled is an artifact's source as one script for package jsrt/sdk.
type Bundled struct {
	Script []byte
	// SourceMap leads from the script to the authored files, named by their paths in the artifact.
	SourceMap []byte
	// Questions are the literal declarations, checked, as a JSON object; "{}" when there are none.
	Questions json.RawMessage
}

// notInGoja are constructs goja lacks: esbuild rewrites them or says that it cannot.
var notInGoja = map[string]bool{
	"async-generator":                 false,
	"for-await":                       false,
	"using":                           false,
	"decorators":                      false,
	"top-level-await":                 false,
	"dynamic-import":                  false,
	"regexp-set-notation":             false,
	"regexp-match-indices":            false,
	"regexp-unicode-property-escapes": false,
}

// strictly makes errors of what would come out as a silently wrong value.
var strictly = map[string]api.LogLevel{
	"empty-import-meta":          api.LogLevelError,
	"unsupported-dynamic-import": api.LogLevelError,
	"unsupported-require-call":   api.LogLevelError,
	"indirect-require":           api.LogLevelError,
	"import-is-undefined":        api.LogLevelError,
}

// Bundle makes one script of the files, starting from the entrypoint. What is wrong with the source is a *[SourceError].
func Bundle(files []File, entrypoint string) (Bundled, error) {
	set, err := newFileSet(files, entrypoint)
	if err != nil {
		return Bundled{}, err
	}
	out, err := set.build(false)
	if err != nil {
		return Bundled{}, err
	}
	if bareField().Match(out.Script) {
		if out, err = set.build(true); err != nil {
			return Bundled{}, err
		}
	}
	out.Questions, err = set.questions()
	return out, err
}

// bareField finds what may be a class field named get, set or async with an initialiser, as esbuild writes it. goja does not parse those.
var bareField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s+(?:static )?(?:get|set|async) = `) })

// supported is notInGoja, with class fields lowered to assignments where that is asked for.
func supported(lowerFields bool) map[string]bool {
	out := maps.Clone(notInGoja)
	if lowerFields {
		out["class-field"], out["class-static-field"] = false, false
	}
	return out
}

func (s *fileSet) build(lowerFields bool) (Bundled, error) {
	result := api.Build(api.BuildOptions{
		// The entry is given as text: for an entry that is a path esbuild would list a folder.
		Stdin:          &api.StdinOptions{Contents: s.entryText(), Sourcefile: entryModule, Loader: api.LoaderJS},
		Plugins:        []api.Plugin{{Name: "artifact", Setup: s.setup}},
		Bundle:         true,
		Write:          false,
		Outfile:        "/operation.js",
		Format:         api.FormatIIFE,
		Platform:       api.PlatformNeutral,
		Target:         api.ES2022,
		Supported:      supported(lowerFields),
		KeepNames:      lowerFields,
		LogOverride:    strictly,
		Sourcemap:      api.SourceMapExternal,
		SourcesContent: api.SourcesContentExclude,
		TreeShaking:    api.TreeShakingTrue,
		LegalComments:  api.LegalCommentsNone,
		Charset:        api.CharsetUTF8,
		Define:         map[string]string{"process.env.NODE_ENV": `"production"`},
		// With these two esbuild looks neither for the working directory nor for a tsconfig.json.
		AbsWorkingDir: "/",
		TsconfigRaw:   "{}",
		LogLevel:      api.LogLevelSilent,
	})
	if e := firstError(result.Errors); e != nil {
		return Bundled{}, e
	}
	var out Bundled
	for _, file := range result.OutputFiles {
		if strings.HasSuffix(file.Path, ".map") {
			out.SourceMap = file.Contents
		} else {
			out.Script = file.Contents
		}
	}
	if len(out.Script) > ipc.MaxFileSet {
		return Bundled{}, &SourceError{Code: ipc.SourceTooLarge,
			Message: fmt.Sprintf("the bundled source is %d bytes; at most %d are taken. Leave out packages the tool does not need", len(out.Script), ipc.MaxFileSet)}
	}
	var err error
	out.SourceMap, err = authoredNames(out.SourceMap)
	return out, err
}

// authoredNames names a source map's files as the artifact does. Modules of ours get the prefix that keeps them out of stacks.
func authoredNames(sourceMap []byte) ([]byte, error) {
	var m map[string]json.RawMessage
	var sources []string
	if err := json.Unmarshal(sourceMap, &m); err != nil {
		return nil, fmt.Errorf("reading the bundle's source map: %w", err)
	}
	if err := json.Unmarshal(m["sources"], &sources); err != nil {
		return nil, fmt.Errorf("reading the bundle's source map: %w", err)
	}
	for i, source := range sources {
		if name, ok := strings.CutPrefix(source, authored+":"); ok {
			sources[i] = name
		} else {
			sources[i] = "internal:" + source
		}
	}
	text, err := json.Marshal(sources)
	if err != nil {
		return nil, err
	}
	m["sources"] = text
	return json.Marshal(m)
}

// fileSet is the artifact during one build. esbuild calls its methods from many goroutines.
type fileSet struct {
	files      map[string][]byte
	entrypoint string
	// ownEffect says that the tool brings its own effect package, as its entrypoint sees it.
	ownEffect bool

	mu       sync.Mutex
	packages map[string]*packageJSON
	// reached are the authored files that the entrypoint leads to, packages not counted.
	reached map[string]bool
}

func newFileSet(files []File, entrypoint string) (*fileSet, error) {
	s := &fileSet{files: make(map[string][]byte, len(files)), entrypoint: entrypoint, packages: map[string]*packageJSON{}, reached: map[string]bool{}}
	total := 0
	for _, f := range files {
		total += len(f.Content)
		if len(f.Content) > ipc.MaxFile {
			return nil, (&SourceError{Code: ipc.SourceTooLarge,
				Message: fmt.Sprintf("the file is %d bytes; at most %d are taken", len(f.Content), ipc.MaxFile)}).at(f.Path, 0, 0)
		}
		s.files[f.Path] = f.Content
	}
	if total > ipc.MaxFileSet || len(files) > ipc.MaxFiles {
		return nil, &SourceError{Code: ipc.SourceTooLarge,
			Message: fmt.Sprintf("the artifact's %d files hold %d bytes; at most %d files and %d bytes are taken", len(files), total, ipc.MaxFiles, ipc.MaxFileSet)}
	}
	if _, ok := s.files[entrypoint]; !ok {
		return nil, (&SourceError{Code: ipc.SourceUnlistedFile, Message: "the entrypoint is not one of the artifact's files"}).at(entrypoint, 0, 0)
	}
	_, s.ownEffect = s.packageFile("effect", path.Dir(entrypoint))
	return s, nil
}

// loaderOf gives the loader for an authored file, or false for files that are no source.
func loaderOf(file string) (api.Loader, bool) {
	switch path.Ext(file) {
	case ".js", ".mjs":
		return api.LoaderJS, true
	case ".ts":
		return api.LoaderTS, true
	case ".json":
		return api.LoaderJSON, true
	case ".cjs":
		if inPackage(file) {
			return api.LoaderJS, true
		}
	}
	return api.LoaderNone, false
}

func inPackage(file string) bool { return strings.Contains("/"+file, "/node_modules/") }

// load gives esbuild a file. What would overflow its parser's stack never reaches it.
func (s *fileSet) load(file string) (api.OnLoadResult, error) {
	content := s.files[file]
	loader, ok := loaderOf(file)
	if !ok {
		return failed(file, fault(ipc.SourceUnresolvedImport, "%q is not a file that can be imported; only .js, .mjs, .ts and .json are", file)), nil
	}
	if !utf8.Valid(content) {
		return failed(file, fault(ipc.SourceSyntaxError, "the file is not valid UTF-8")), nil
	}
	if at, what := tooDeep(content); what != "" {
		m := fault(ipc.SourceTooDeep, "%s", what)
		line, column := placeOf(content, at)
		m.Location = &api.Location{File: authored + ":" + file, Line: line, Column: column - 1}
		return api.OnLoadResult{Errors: []api.Message{m}}, nil
	}
	if !inPackage(file) {
		s.mu.Lock()
		s.reached[file] = true
		s.mu.Unlock()
	} else if loader != api.LoaderJSON {
		lowered := api.Transform(string(content), api.TransformOptions{
			Loader: loader, Target: api.ES2018, Supported: notInGoja, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}", Charset: api.CharsetUTF8,
		})
		if len(lowered.Errors) > 0 {
			for i := range lowered.Errors {
				if at := lowered.Errors[i].Location; at != nil {
					at.File = authored + ":" + file
				}
			}
			return api.OnLoadResult{Errors: lowered.Errors}, nil
		}
		content = lowered.Code
	}
	text := string(content)
	return api.OnLoadResult{Contents: &text, Loader: loader}, nil
}

func failed(file string, m api.Message) api.OnLoadResult {
	m.Location = &api.Location{File: authored + ":" + file, Line: 1}
	return api.OnLoadResult{Errors: []api.Message{m}}
}

// sortedReached are the reached files in a fixed order.
func (s *fileSet) sortedReached() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]string, 0, len(s.reached))
	for file := range s.reached {
		out = append(out, file)
	}
	slices.Sort(out)
	return out
}

// placeOf counts the line and the column, in bytes, of an offset.
func placeOf(content []byte, at int) (line, column int) {
	before := content[:at]
	return 1 + bytes.Count(before, []byte("\n")), at - bytes.LastIndexByte(before, '\n')
}
