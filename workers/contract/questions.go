package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/operations/question"
)

// questions reads the literal question declarations of the one call of defineOperation in the tool's own files. Declarations that are
// computed or imported count as none, and so do those of tools with several calls.
func (s *fileSet) questions() (json.RawMessage, error) {
	none := json.RawMessage("{}")
	var found *sdk.LiteralQuestions
	var in string
	for _, file := range s.sortedReached() {
		content := s.files[file]
		if !bytes.Contains(content, []byte("defineOperation")) {
			continue
		}
		loader, _ := loaderOf(file)
		if loader == api.LoaderJSON {
			continue
		}
		plain := api.Transform(string(content), api.TransformOptions{
			Loader: loader, Format: api.FormatCommonJS, Target: api.ES2022, Supported: supported(true), TsconfigRaw: "{}",
			Sourcemap: api.SourceMapExternal, Sourcefile: file, SourcesContent: api.SourcesContentExclude, Charset: api.CharsetUTF8,
			LogLevel: api.LogLevelSilent,
		})
		if e := firstError(plain.Errors); e != nil {
			return nil, e.at(file, e.Line, e.Column)
		}
		literals, err := sdk.ReadLiteralQuestions(file, plain.Code, plain.Map, func(spec string) bool {
			r := s.resolveFrom(file, spec, false)
			return r.namespace == provided && r.path == runtimeModule
		})
		if err != nil {
			return nil, asSourceError(err, file)
		}
		for i := range literals {
			if found != nil {
				return none, nil
			}
			found, in = &literals[i], file
		}
	}
	if found == nil {
		return none, nil
	}
	declared, err := question.ParseDeclarations(found.JSON)
	if err != nil {
		var wrong *question.Problem
		e := &SourceError{Code: ipc.SourceBadContract, Message: "the question declarations do not fit: " + err.Error()}
		if errors.As(err, &wrong) {
			e.Message = fmt.Sprintf("the question declaration at %s %s", wrong.Pointer, wrong.Rule)
		}
		return nil, e.at(in, found.Line, found.Column)
	}
	return json.Marshal(declared)
}
