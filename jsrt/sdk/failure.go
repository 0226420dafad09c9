package sdk

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt"
)

// ScriptError is the failure of an operation by its own script: what it threw, as the host is told.
type ScriptError struct {
	Tag     ipc.Tag
	Code    string
	Message string
	// Dispatch says whether the failed action had left for the site; "unknown" when the error does not say.
	Dispatch ipc.Dispatch
	// Frame is the authored line it came from, as "src/tool.mjs:12"; empty when none is known.
	Frame       string
	SessionLoss ipc.SessionLoss
	Detail      Detail
	InputIssues []InputIssue
	// Stack is for the run's own diagnostics.
	Stack string
}

// Detail holds the fields of errors that the host words for its caller; empty ones are absent.
type Detail struct {
	Field       string
	Available   []string
	Kind        string
	Requested   string
	Applied     string
	Step        string
	SiteMessage string
	Reason      string
}

// InputIssue is one place of the input that does not fit. Path words it without repeating keys the caller made up.
type InputIssue struct {
	Path  string
	Issue string // missing or invalid
}

func (e *ScriptError) Error() string {
	text := string(e.Tag) + ": " + e.Message
	if e.Frame != "" {
		text += " (" + e.Frame + ")"
	}
	return text
}

// LoadError is a module that did not load, or that is no operation.
type LoadError struct {
	Code    ipc.SourceCode
	Message string
	// File, Line and Column place it in the authored source; zero where unknown.
	File         string
	Line, Column int
}

func (e *LoadError) Error() string {
	if e.File == "" {
		return e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// loadError words what went wrong while a bundle was compiled or evaluated. Interrupts and the like stay what they are.
func (s *SDK) loadError(err error, unknownName string) error {
	var thrown *jsrt.Error
	if !errors.As(err, &thrown) {
		if errors.Is(err, jsrt.ErrNeverSettles) {
			return &LoadError{Code: ipc.SourceEvaluationFailed, Message: "loading the module never ends"}
		}
		return err
	}
	out := &LoadError{Code: ipc.SourceEvaluationFailed, Message: cut(thrown.Message, ipc.MaxErrorText)}
	switch thrown.Code {
	case jsrt.CodeSyntax:
		out.Code = ipc.SourceSyntaxError
	case jsrt.CodeUnsupported:
		out.Code = ipc.SourceUnsupportedSyntax
	case jsrt.CodeTooDeep:
		out.Code = ipc.SourceTooDeep
	default:
		if unknownName != "" {
			out.Code = ipc.SourceUnknownSchemaName
		} else if thrown.Name != "Error" {
			out.Message = cut(thrown.Name+": "+thrown.Message, ipc.MaxErrorText)
		}
	}
	if f := s.authoredFrame(thrown.Frames); f != nil {
		out.File, out.Line, out.Column = f.File, f.Line, f.Column
	}
	return out
}

// authoredFrame is the first frame in a file of the tool's own; in one of a package it brings when there is none.
func (s *SDK) authoredFrame(frames []jsrt.Frame) *jsrt.Frame {
	var packaged *jsrt.Frame
	for i, f := range frames {
		if !s.sources[f.File] {
			continue
		}
		if !strings.Contains("/"+f.File, "/node_modules/") {
			return &frames[i]
		}
		if packaged == nil {
			packaged = &frames[i]
		}
	}
	return packaged
}

// failure reads a thrown value on the owner.
func (s *SDK) failure(vm *goja.Runtime, thrown goja.Value) error {
	described, err := s.call("describeFailure", thrown)
	if err != nil {
		return err
	}
	object, ok := described.(*goja.Object)
	if !ok {
		return errors.New("the runtime module did not describe a failure")
	}
	text := func(name string, most int) string { return textOf(object, name, most) }
	e := &ScriptError{
		Tag: ipc.Tag(text("tag", ipc.MaxName)), Code: text("code", ipc.MaxName), Message: text("message", ipc.MaxErrorText),
		Dispatch: ipc.Dispatch(text("dispatch", ipc.MaxName)), SessionLoss: ipc.SessionLoss(text("sessionLoss", ipc.MaxName)),
		Detail: Detail{
			Field: text("field", ipc.MaxName), Kind: text("kind", ipc.MaxKind), Requested: text("requested", ipc.MaxName),
			Applied: text("applied", ipc.MaxName), Step: text("step", ipc.MaxName), SiteMessage: text("siteMessage", ipc.MaxErrorText),
			Reason: text("reason", ipc.MaxName),
		},
	}
	if !e.Tag.Valid() {
		e.Tag = ipc.TagUnclassified
	}
	if !e.Dispatch.Valid() {
		e.Dispatch = ipc.DispatchUnknown
	}
	if !e.SessionLoss.Valid() {
		e.SessionLoss = ""
	}
	each(vm, object, "available", ipc.MaxAvailable, func(one goja.Value) { e.Detail.Available = append(e.Detail.Available, cut(one.String(), ipc.MaxName)) })
	each(vm, object, "issues", ipc.MaxInputIssues, func(one goja.Value) {
		if issue, ok := one.(*goja.Object); ok {
			e.InputIssues = append(e.InputIssues, InputIssue{textOf(issue, "path", ipc.MaxName), textOf(issue, "issue", ipc.MaxName)})
		}
	})
	each(vm, object, "places", 8, func(one goja.Value) {
		read := s.rt.ErrorOf(vm, one)
		if e.Stack == "" {
			e.Stack = read.Stack
		}
		if e.Frame == "" {
			if f := s.authoredFrame(read.Frames); f != nil {
				e.Frame = cut(fmt.Sprintf("%s:%d", f.File, f.Line), ipc.MaxFrameText)
			}
		}
	})
	return e
}

func textOf(object *goja.Object, name string, most int) string {
	value := object.Get(name)
	if value == nil || goja.IsUndefined(value) || goja.IsNull(value) {
		return ""
	}
	return cut(value.String(), most)
}

// each calls f with the items of a list, at most `most` of them.
func each(vm *goja.Runtime, object *goja.Object, name string, most int, f func(goja.Value)) {
	list, ok := object.Get(name).(*goja.Object)
	if !ok {
		return
	}
	count := 0
	vm.ForOf(list, func(one goja.Value) bool {
		f(one)
		count++
		return count < most
	})
}

// cut shortens a text to at most `most` bytes, at a character's border.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && text[most]&0xC0 == 0x80 {
		most--
	}
	return text[:most]
}
