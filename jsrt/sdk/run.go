package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/operations/question"
)

// Start is what a run begins with.
type Start struct {
	// Input is the call's input as JSON text.
	Input json.RawMessage
	// SessionID is the only session that execute takes.
	SessionID string
	// SiteOrigin and SiteDomain are empty when the site has none.
	SiteOrigin string
	SiteDomain string
	// Lists is nil when the host signs no list cursors: then a list has no next page.
	Lists *Lists
}

// Lists is the host's side of list cursors.
type Lists struct {
	// Position is the draft the caller's cursor holds, as JSON; empty at the first page.
	Position json.RawMessage
}

// Output is what an operation returned. JSON is nil when it returned undefined.
type Output struct{ JSON json.RawMessage }

// RunOperation runs the evaluated module: it declares the commits, decodes the input, looks at the clock, marks the dispatch, runs the
// script and checks what it returned. A failure of the script is a *[ScriptError]; what else ends a run (an interrupt, a promise that
// can never settle, the call depth) is package jsrt's error.
func (s *SDK) RunOperation(ctx context.Context, start Start) (Output, error) {
	var out Output
	_, err := s.rt.Run(ctx, func(vm *goja.Runtime) (goja.Value, error) {
		return s.call("runOperation", s.module, s.native(ctx, vm), startValue(vm, start), vm.ToValue(string(start.Input)))
	}, jsrt.RunOptions{
		Sealed: true,
		Then: func(vm *goja.Runtime, value goja.Value) error {
			if goja.IsUndefined(value) {
				return nil
			}
			text := value.String()
			if len(text) > ipc.MaxOutput {
				return &ScriptError{Tag: ipc.TagInvalidOutput, Code: string(ipc.TagInvalidOutput), Dispatch: ipc.DispatchUnknown,
					Message: fmt.Sprintf("The operation's output is %d bytes of JSON; at most %d are taken. Return less, or return it in pages", len(text), ipc.MaxOutput)}
			}
			out.JSON = json.RawMessage(text)
			return nil
		},
		Catch: s.failure,
	})
	return out, s.uncaught(err)
}

// uncaught makes a ScriptError of an error that no promise of the operation carried: a rejection nobody handled, a throwing timer.
func (s *SDK) uncaught(err error) error {
	var thrown *jsrt.Error
	if !errors.As(err, &thrown) {
		return err
	}
	e := &ScriptError{Tag: ipc.TagOperationFailure, Code: string(ipc.TagOperationFailure), Dispatch: ipc.DispatchUnknown,
		Message: cut(thrown.Message, ipc.MaxErrorText), Stack: thrown.Stack}
	if f := s.authoredFrame(thrown.Frames); f != nil {
		e.Frame = cut(fmt.Sprintf("%s:%d", f.File, f.Line), ipc.MaxFrameText)
	}
	return e
}

func startValue(vm *goja.Runtime, start Start) goja.Value {
	object := vm.NewObject()
	set := func(name, value string) {
		if value != "" {
			object.DefineDataProperty(name, vm.ToValue(value), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
		}
	}
	set("sessionId", start.SessionID)
	set("siteOrigin", start.SiteOrigin)
	set("siteDomain", start.SiteDomain)
	if start.Lists != nil {
		channel := "{}"
		if len(start.Lists.Position) > 0 {
			channel = `{"position":` + string(start.Lists.Position) + `}`
		}
		set("lists", channel)
	}
	return object
}

// native makes the object of host functions that runtime/host.ts describes.
func (s *SDK) native(ctx context.Context, vm *goja.Runtime) goja.Value {
	object := vm.NewObject()
	set := func(name string, f func(goja.FunctionCall) goja.Value) {
		object.DefineDataProperty(name, vm.ToValue(f), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	}
	text := func(call goja.FunctionCall, i int) string { return call.Argument(i).String() }
	// now makes a host function that the script waits for.
	now := func(name string, work func(goja.FunctionCall) error) {
		set(name, func(call goja.FunctionCall) goja.Value {
			if err := work(call); err != nil {
				s.rt.Throw(vm, err)
			}
			return goja.Undefined()
		})
	}

	set("execute", func(call goja.FunctionCall) goja.Value {
		c := Call{Code: text(call, 0), Timeout: time.Duration(call.Argument(1).ToInteger()) * time.Millisecond}
		return s.rt.Go(vm, func(ctx context.Context) (jsrt.Finish, error) {
			reply, err := s.host.Execute(ctx, c)
			return func(vm *goja.Runtime) (goja.Value, error) { return replyValue(vm, reply), nil }, err
		})
	})
	set("ask", func(call goja.FunctionCall) goja.Value {
		raw := text(call, 0)
		return s.rt.Go(vm, func(ctx context.Context) (jsrt.Finish, error) {
			answers, err := s.ask(ctx, raw)
			return func(vm *goja.Runtime) (goja.Value, error) { return vm.ToValue(answers), nil }, err
		})
	})
	set("dialog", func(call goja.FunctionCall) goja.Value {
		report := DialogReport{text(call, 0), text(call, 1), text(call, 2), text(call, 3)}
		return s.rt.Go(vm, func(ctx context.Context) (jsrt.Finish, error) {
			decision, err := s.host.DecideDialog(ctx, report)
			return func(vm *goja.Runtime) (goja.Value, error) { return decisionValue(vm, decision) }, err
		})
	})
	s.requests(ctx, vm, set)
	set("signIn", func(goja.FunctionCall) goja.Value {
		return s.rt.Go(vm, func(ctx context.Context) (jsrt.Finish, error) {
			again, err := s.host.SignIn(ctx)
			return func(vm *goja.Runtime) (goja.Value, error) { return vm.ToValue(again), nil }, err
		})
	})
	s.fileFunctions(vm, set)
	now("declareCommits", func(call goja.FunctionCall) error {
		d := WriteDeclaration{Confirmation: text(call, 2), Commits: []string{}}
		if err := vm.ExportTo(call.Argument(0), &d.Commits); err != nil {
			return err
		}
		return s.host.DeclareCommits(ctx, d, call.Argument(1).ToBoolean())
	})
	now("dispatch", func(goja.FunctionCall) error { return s.host.Dispatch(ctx) })
	now("enteringCommit", func(call goja.FunctionCall) error { return s.host.EnteringCommit(ctx, text(call, 0)) })
	now("verified", func(call goja.FunctionCall) error { return s.host.Verified(ctx, text(call, 0)) })
	set("remainingMs", func(goja.FunctionCall) goja.Value { return vm.ToValue(max(0, s.host.Remaining().Milliseconds())) })
	return object
}

func (s *SDK) ask(ctx context.Context, raw string) (string, error) {
	var questions []question.Question
	if err := json.Unmarshal([]byte(raw), &questions); err != nil {
		return "", fmt.Errorf("reading the questions: %w", err)
	}
	answers, err := s.host.Ask(ctx, questions)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(answers)
	return string(text), err
}

func replyValue(vm *goja.Runtime, r Reply) goja.Value {
	object := vm.NewObject()
	set := func(name string, value any) {
		object.DefineDataProperty(name, vm.ToValue(value), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	set("success", r.Success)
	if r.Result != nil {
		set("result", string(r.Result))
	}
	if !r.Success {
		set("error", r.Error)
	}
	if r.Stdout != "" {
		set("stdout", r.Stdout)
	}
	if r.Stderr != "" {
		set("stderr", r.Stderr)
	}
	return object
}

func decisionValue(vm *goja.Runtime, d DialogDecision) (goja.Value, error) {
	object := vm.NewObject()
	if err := object.Set("accept", d.Accept); err != nil {
		return nil, err
	}
	if d.PromptText != nil {
		if err := object.Set("promptText", *d.PromptText); err != nil {
			return nil, err
		}
	}
	return object, nil
}
