package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/pomerado-go/pomerado/ipc"
)

// SourceError is a fault in authored source, at its place in the authored file.
type SourceError struct {
	Code    ipc.SourceCode
	Message string
	// File is empty when the fault is of the set of files as a whole. Line and Column count from 1, the column in bytes; 0 is unknown.
	File         string
	Line, Column int
}

func (e *SourceError) Error() string {
	switch {
	case e.File == "":
		return e.Message
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// bounded cuts what authored text made long, so that the error fits the wire.
func (e *SourceError) bounded() *SourceError {
	cut := func(text string, most int) string {
		if len(text) <= most {
			return text
		}
		return strings.ToValidUTF8(text[:most], "")
	}
	e.Message, e.File = cut(e.Message, ipc.MaxErrorText), cut(e.File, ipc.MaxPath)
	return e
}

func (e *SourceError) at(file string, line, column int) *SourceError {
	e.File, e.Line, e.Column = file, line, column
	return e
}

// fault makes an error that a resolver or loader found; esbuild places it.
func fault(code ipc.SourceCode, format string, args ...any) api.Message {
	return api.Message{Text: fmt.Sprintf(format, args...), Detail: code}
}

// firstError gives the first of a build's errors by place: builds run in parallel and report in any order.
func firstError(messages []api.Message) *SourceError {
	if len(messages) == 0 {
		return nil
	}
	found := make([]*SourceError, len(messages))
	for i, m := range messages {
		found[i] = sourceError(m)
	}
	slices.SortStableFunc(found, func(a, b *SourceError) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return found[0].bounded()
}

func sourceError(m api.Message) *SourceError {
	e := &SourceError{Code: ipc.SourceSyntaxError, Message: m.Text}
	if m.Location != nil {
		e.at(strings.TrimPrefix(m.Location.File, authored+":"), m.Location.Line, m.Location.Column+1)
	}
	if code, ok := m.Detail.(ipc.SourceCode); ok {
		e.Code = code
		return e
	}
	switch {
	case strings.HasPrefix(m.Text, "No matching export in "):
		e.Code = ipc.SourceMissingExport
		e.Message = missingExport(m.Text)
	case m.ID == "empty-import-meta":
		e.Code = ipc.SourceUnsupportedSyntax
		e.Message = "import.meta is not supported here; a tool is one script and has no address"
	case m.ID == "unsupported-dynamic-import" || m.ID == "unsupported-require-call" || m.ID == "indirect-require":
		e.Code = ipc.SourceUnresolvedImport
		e.Message = "this import's path is not a string literal, so the file it names is not known before the tool runs; write the path out"
	case m.ID == "import-is-undefined":
		e.Code = ipc.SourceMissingExport
	case strings.HasPrefix(m.Text, "Top-level await is"):
		e.Code = ipc.SourceUnsupportedSyntax
		e.Message = "await outside an async function is not supported here; move it into the operation's function"
	case strings.Contains(m.Text, "is not supported yet") || strings.Contains(m.Text, "is not available in the configured target environment"):
		e.Code = ipc.SourceUnsupportedSyntax
	}
	return e
}

// missingExport rewords esbuild's sentence, which names our virtual modules: No matching export in "module" for import "name".
func missingExport(text string) string {
	parts := strings.Split(text, `"`)
	if len(parts) != 5 {
		return text
	}
	module := strings.TrimPrefix(parts[1], authored+":")
	if name, ok := strings.CutPrefix(parts[1], provided+":"); ok {
		return fmt.Sprintf("%q is not exported by %q here", parts[3], name)
	}
	return fmt.Sprintf("%q is not exported by %q", parts[3], module)
}
