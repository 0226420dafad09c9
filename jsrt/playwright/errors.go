package playwright

import (
	"errors"

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
		o, err := vm.New(e.m.timeoutError(), vm.ToValue(known.Message))
		if err != nil {
			panic(err)
		}
		hidden(vm, o, "stack", vm.ToValue(known.Name+": "+known.Message+stack))
		return o
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
	var script *scriptError
	if errors.As(err, &script) {
		return script
	}
	return &engineError{m: m, err: err}
}

// timeoutError is the class of Playwright's time-outs.
func (m *mapping) timeoutError() goja.Value {
	if m.timeoutClass == nil {
		v, err := m.vm.RunProgram(timeoutErrorProgram())
		if err != nil {
			panic(err)
		}
		m.timeoutClass = v
	}
	return m.timeoutClass
}
