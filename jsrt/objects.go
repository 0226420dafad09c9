package jsrt

import (
	"github.com/dop251/goja"
)

// function makes a host function that looks like a built-in: its own name and length, not enumerable.
func function(vm *goja.Runtime, name string, length int, f func(goja.FunctionCall) goja.Value) *goja.Object {
	o := vm.ToValue(f).(*goja.Object)
	o.DefineDataProperty("name", vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	o.DefineDataProperty("length", vm.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return o
}

// define puts a value where built-ins stand: writable, configurable, not enumerable.
func define(o *goja.Object, name string, value goja.Value) {
	o.DefineDataProperty(name, value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// method is function and define in one.
func method(vm *goja.Runtime, o *goja.Object, name string, length int, f func(goja.FunctionCall) goja.Value) {
	define(o, name, function(vm, name, length, f))
}

// lazy defines a property whose value is made when it is first read. Writing it first makes it an ordinary property.
func lazy(vm *goja.Runtime, o *goja.Object, name string, enumerable bool, make func() goja.Value) {
	flag := goja.ToFlag(enumerable)
	settle := func(v goja.Value) {
		o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, flag)
	}
	get := vm.ToValue(func(goja.FunctionCall) goja.Value {
		v := make()
		settle(v)
		return v
	})
	set := vm.ToValue(func(call goja.FunctionCall) goja.Value {
		settle(call.Argument(0))
		return goja.Undefined()
	})
	o.DefineAccessorProperty(name, get, set, goja.FLAG_TRUE, flag)
}

// brief words a value for an error message, as Node's argument errors do: it runs no script.
func brief(v goja.Value) string {
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	}
	if o, ok := v.(*goja.Object); ok {
		if _, callable := goja.AssertFunction(o); callable {
			return "a function"
		}
		return "an object of class " + o.ClassName()
	}
	if _, ok := v.(*goja.Symbol); ok {
		return "a symbol"
	}
	text := v.String()
	if goja.IsString(v) {
		if len(text) > 25 {
			text = text[:25] + "..."
		}
		return "type string ('" + text + "')"
	}
	return "type " + v.ExportType().String() + " (" + text + ")"
}

// defineGetter puts a read-only accessor where built-ins have one.
func defineGetter(vm *goja.Runtime, o *goja.Object, name string, get func(goja.FunctionCall) goja.Value) {
	o.DefineAccessorProperty(name, function(vm, "get "+name, 0, get), nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// accessor gives the getter of an own accessor property.
func (rt *Runtime) accessor(vm *goja.Runtime, o *goja.Object, name string) goja.Value {
	describe, _ := goja.AssertFunction(vm.Get("Object").ToObject(vm).Get("getOwnPropertyDescriptor"))
	d, err := describe(goja.Undefined(), o, vm.ToValue(name))
	if err != nil {
		panic(err)
	}
	return d.ToObject(vm).Get("get")
}

// instanceOf lets a proxy before native stand on the right of instanceof, which goja otherwise refuses.
func instanceOf(vm *goja.Runtime, native *goja.Object) {
	has := function(vm, "[Symbol.hasInstance]", 1, func(call goja.FunctionCall) goja.Value {
		right, ok := call.This.(*goja.Object)
		left, isObject := call.Argument(0).(*goja.Object)
		if !ok || !isObject {
			return vm.ToValue(false)
		}
		proto, _ := right.Get("prototype").(*goja.Object)
		for o := left.Prototype(); o != nil; o = o.Prototype() {
			if o == proto {
				return vm.ToValue(true)
			}
		}
		return vm.ToValue(false)
	})
	native.DefineDataPropertySymbol(goja.SymHasInstance, has, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}
