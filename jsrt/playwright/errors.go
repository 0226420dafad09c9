package playwright

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/workers/browser"
)

// engineError is an error of the engine on its way to script: an Error or TimeoutError with Playwright's text.
type engineError struct {
	m   *mapping
	err error
}

func (e *engineError) Error() string { return e.err.Error() }
func (e *engineError) Unwrap() error { return e.err }

// ErrorValue implements jsrt.ErrorValuer.
func (e *engineError) ErrorValue(vm *goja.Runtime, stack string) goja.Value {
	var known *browser.Error
	if !errors.As(e.err, &known) {
		return jsrt.NewErrorValue(vm, "Error", e.err.Error(), stack)
	}
	if known.Name == "TimeoutError" {
		return e.m.classedError(known.Name, known.Message, stack)
	}
	name := known.Name
	if name == "" {
		name = "Error"
	}
	return jsrt.NewErrorValue(vm, name, known.Message, stack)
}

// scriptError carries a value that page code itself threw (in a predicate, a handler) back to page code unchanged.
type scriptError struct {
	value goja.Value
	text  string
}

func (e *scriptError) Error() string { return e.text }

// ErrorValue implements jsrt.ErrorValuer.
func (e *scriptError) ErrorValue(*goja.Runtime, string) goja.Value { return e.value }

// thrown prepares an operation's error for script.
func (m *mapping) thrown(err error) error {
	var ended *aborted
	if errors.As(err, &ended) {
		return ended
	}
	var script *scriptError
	if errors.As(err, &script) {
		return script
	}
	return &engineError{m: m, err: err}
}

// classedError makes an error of one of Playwright's own classes.
func (m *mapping) classedError(name, message, stack string) *goja.Object {
	if m.errorClasses == nil {
		v, err := m.vm.RunProgram(errorsProgram())
		if err != nil {
			panic(err)
		}
		m.errorClasses = v.ToObject(m.vm)
	}
	o, err := m.vm.New(m.errorClasses.Get(name), m.vm.ToValue(message))
	if err != nil {
		panic(err)
	}
	hidden(m.vm, o, "stack", m.vm.ToValue(name+": "+message+stack))
	return o
}

// aborted is the cause of an operation that page code's AbortSignal ended.
type aborted struct {
	m      *mapping
	reason goja.Value
	text   string // of the reason
	full   string // the operation's own message, its call log included
}

func (e *aborted) Error() string { return e.text }

// ErrorValue implements jsrt.ErrorValuer.
func (e *aborted) ErrorValue(_ *goja.Runtime, stack string) goja.Value {
	o := e.m.classedError("AbortError", e.full, stack)
	hidden(e.m.vm, o, "cause", e.reason)
	return o
}

// withLog gives the error its operation's message, with the abort as the call log's last line.
func (e *aborted) withLog(err error) error {
	out := *e
	out.full = err.Error()
	if strings.Contains(out.full, "Call log:") {
		out.full = strings.TrimRight(out.full, "\n") + "\n  - operation was aborted: " + e.text + "\n"
	}
	return &out
}

// abortion watches a call's AbortSignal. It reads it on the owner; the reason comes through the channel.
func (m *mapping) abortion(signal *goja.Object) (<-chan *aborted, *aborted) {
	reason := func() *aborted {
		v := signal.Get("reason")
		text := v.String()
		if o, ok := v.(*goja.Object); ok && isErrorLike(o) {
			text = textOf(o, "message")
		}
		return &aborted{m: m, reason: v, text: text, full: "The operation was aborted"}
	}
	if signal.Get("aborted").ToBoolean() {
		return nil, reason()
	}
	came := make(chan *aborted, 1)
	listen, ok := goja.AssertFunction(signal.Get("addEventListener"))
	if !ok {
		return nil, nil
	}
	once := m.object(object{{"once", true}})
	if _, err := listen(signal, m.vm.ToValue("abort"), m.vm.ToValue(func(goja.FunctionCall) goja.Value {
		came <- reason()
		return goja.Undefined()
	}), once); err != nil {
		panic(err)
	}
	return came, nil
}

// abortable runs an operation that ends early when the reason comes.
func abortable(ctx context.Context, run op, came <-chan *aborted) (any, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	over := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case a := <-came:
			cancel(a)
		case <-over:
		}
	})
	v, err := run(ctx)
	close(over)
	watching.Wait()
	var a *aborted
	if err != nil && errors.As(context.Cause(ctx), &a) {
		err = a.withLog(err)
	}
	cancel(nil)
	return v, err
}
