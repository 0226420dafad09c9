package jsrt

import (
	"github.com/dop251/goja"
)

// install puts this package's globals on a new runtime. Nothing here may be dear: it runs for every runtime, used or not.
func (rt *Runtime) install() {
	vm := rt.vm
	global := vm.GlobalObject()
	rt.timers.install(rt, vm)
	rt.installRegExp(vm)
	rt.installFunctions(vm)
	lazy(vm, global, "console", false, func() goja.Value { return rt.newConsole(vm, rt.opts.Console) })
	method(vm, global, "queueMicrotask", 1, func(call goja.FunctionCall) goja.Value {
		f, ok := goja.AssertFunction(call.Argument(0))
		if !ok {
			panic(vm.NewTypeError(`The "callback" argument must be of type function. Received %s`, brief(call.Argument(0))))
		}
		rt.microtask(vm, f)
		return goja.Undefined()
	})
}

// microtask queues a promise job. What it throws becomes a rejection that nothing handles.
func (rt *Runtime) microtask(vm *goja.Runtime, f goja.Callable) {
	promise, resolve, _ := vm.NewPromise()
	if err := resolve(goja.Undefined()); err != nil {
		panic(err)
	}
	then, ok := goja.AssertFunction(vm.ToValue(promise).ToObject(vm).Get("then"))
	if !ok {
		panic(vm.NewTypeError("Promise.prototype.then is not a function"))
	}
	if _, err := then(vm.ToValue(promise), vm.ToValue(func(goja.FunctionCall) goja.Value {
		v, err := f(goja.Undefined())
		if err != nil {
			panic(err)
		}
		return v
	})); err != nil {
		panic(err)
	}
}
