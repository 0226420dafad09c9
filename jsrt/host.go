package jsrt

import (
	"context"
	"errors"

	"github.com/dop251/goja"
)

// Op is the part of a host operation that runs on a goroutine of its own. Its ctx ends with the runtime. The Finish it returns makes the
// JavaScript value; a nil one stands for undefined.
type Op func(ctx context.Context) (Finish, error)

// Finish turns an operation's result into a value on the owner. Its error rejects the promise.
type Finish func(vm *goja.Runtime) (goja.Value, error)

// GoOption changes how a host operation counts.
type GoOption int

// Background is for operations that must not keep a sealed run alive: it may end while they are under way.
const Background GoOption = 1

// ErrorValuer is implemented by Go errors that know the JavaScript value they are to be thrown as.
type ErrorValuer interface {
	error
	// ErrorValue makes the value on the owner. stack is the text of the calling script's frames, each on a line that begins with
	// "\n    at ", to be put after the error's header.
	ErrorValue(vm *goja.Runtime, stack string) goja.Value
}

// Go starts a host operation and returns its promise. It must be called on the owner, usually by a host function that script called.
func (rt *Runtime) Go(vm *goja.Runtime, op Op, options ...GoOption) goja.Value {
	counts := true
	for _, o := range options {
		if o == Background {
			counts = false
		}
	}
	promise, resolve, reject := vm.NewPromise()
	frames := vm.CaptureCallStack(callerDepth, nil)
	if counts {
		rt.pending++
	}
	rt.ops.Go(func() {
		finish, err := op(rt.ctx)
		rt.submit(task{run: func(*goja.Runtime) {
			if counts {
				rt.pending--
			}
			failed := rt.enter(func(vm *goja.Runtime) error {
				value := goja.Undefined()
				if err == nil && finish != nil {
					var thrown goja.Value
					if ex := vm.Try(func() {
						if v, failed := finish(vm); failed != nil {
							err = failed
						} else if v != nil {
							value = v
						}
					}); ex != nil {
						thrown = ex.Value()
						return reject(thrown)
					}
				}
				if err != nil {
					return reject(rt.ErrorValue(vm, err, stackText(rt.frames(frames, callerDepth))))
				}
				return resolve(value)
			})
			if failed != nil {
				rt.uncaught(failed)
			}
		}})
	})
	return vm.ToValue(promise)
}

const callerDepth = 12

// ErrorValue gives the JavaScript value for a Go error: what an [ErrorValuer] says, the value of an exception, else an Error with its
// text. stack is put after the header when it is not empty.
func (rt *Runtime) ErrorValue(vm *goja.Runtime, err error, stack string) goja.Value {
	var valuer ErrorValuer
	var exception *goja.Exception
	var ours *Error
	switch {
	case errors.As(err, &valuer):
		return valuer.ErrorValue(vm, stack)
	case errors.As(err, &exception):
		return exception.Value()
	case errors.As(err, &ours):
		return NewErrorValue(vm, ours.Name, ours.Message, stack)
	}
	return NewErrorValue(vm, "Error", err.Error(), stack)
}

// Stack gives the calling script's frames as they stand in an error's stack after the header; "" outside script.
func (rt *Runtime) Stack(vm *goja.Runtime) string {
	return stackText(rt.frames(vm.CaptureCallStack(callerDepth, nil), callerDepth))
}

// NewErrorValue makes an Error object. name is one of the built-in constructors' names, or any other, which is then the object's own
// name property.
func NewErrorValue(vm *goja.Runtime, name, message, stack string) *goja.Object {
	constructor := "Error"
	switch name {
	case "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError":
		constructor = name
	}
	object, err := vm.New(vm.Get(constructor), vm.ToValue(message))
	if err != nil {
		// Someone replaced the global: an Error that goja makes itself does for all of them.
		object = vm.NewGoError(errors.New(message))
		constructor = "GoError"
	}
	if name != constructor {
		object.DefineDataProperty("name", vm.ToValue(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	if stack != "" {
		header := name
		if message != "" {
			header += ": " + message
		}
		object.DefineDataProperty("stack", vm.ToValue(header+stack), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return object
}

// Throw ends the host function that script called by throwing err as a JavaScript value. It panics with a goja value, which only goja
// may recover: call it on the owner, inside a host function.
func (rt *Runtime) Throw(vm *goja.Runtime, err error) {
	panic(rt.ErrorValue(vm, err, rt.Stack(vm)))
}

// Context is the parent of every host operation: it ends with the runtime, its cause the reason.
func (rt *Runtime) Context() context.Context { return rt.ctx }
