package playwright

import (
	"context"
	"reflect"
	"strings"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
)

// class is one of Playwright's types as page code sees it: a prototype whose members call the engine.
type class struct {
	name string
	// base is the class whose members it has too.
	base    func() class
	members func() []member
	// refused are members Playwright has and this does not: name and reason. Reading one throws.
	refused func() map[string]string
}

// op is the part of a method that talks to the browser. It runs on a goroutine of its own; what it answers goes through out.
type op func(ctx context.Context) (any, error)

// member is one method or property. Exactly one of the functions is set.
type member struct {
	name string
	// promise reads the arguments on the owner and gives the operation; a throw while reading rejects the promise.
	promise func(m *mapping, self any, a *args) op
	// direct answers at once.
	direct func(m *mapping, self any, a *args) any
	// property is read without a call.
	property func(m *mapping, self any) any
}

func promise[T any](name string, f func(m *mapping, self T, a *args) op) member {
	return member{name: name, promise: func(m *mapping, self any, a *args) op { return f(m, receiver[T](a, self), a) }}
}

func direct[T any](name string, f func(m *mapping, self T, a *args) any) member {
	return member{name: name, direct: func(m *mapping, self any, a *args) any { return f(m, receiver[T](a, self), a) }}
}

func property[T any](name string, f func(m *mapping, self T) any) member {
	return member{name: name, property: func(m *mapping, self any) any {
		t, ok := self.(T)
		if !ok {
			return nil
		}
		return f(m, t)
	}}
}

func receiver[T any](a *args, self any) T {
	t, ok := self.(T)
	if !ok {
		panic(a.m.vm.NewTypeError("Illegal invocation of " + a.api))
	}
	return t
}

// holder keeps the engine's object inside its JavaScript one.
type holder struct{ self any }

var selfKey = goja.NewSymbol("self")

// selfOf gives the engine's object of a JavaScript one, nil when it has none.
func selfOf(v goja.Value) any {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	inner := o.GetSymbol(selfKey)
	if inner == nil {
		return nil
	}
	h, ok := inner.Export().(*holder)
	if !ok {
		return nil
	}
	return h.self
}

// prototype gives the class's prototype in this runtime, made when first asked for.
func (m *mapping) prototype(c class) *goja.Object {
	if p, ok := m.prototypes[c.name]; ok {
		return p
	}
	vm := m.vm
	var p *goja.Object
	if c.base != nil {
		p = vm.CreateObject(m.prototype(c.base()))
	} else {
		p = vm.NewObject()
	}
	m.prototypes[c.name] = p
	constructor := vm.ToValue(func(goja.ConstructorCall) *goja.Object {
		panic(vm.NewTypeError("Illegal constructor"))
	}).(*goja.Object)
	hidden(vm, constructor, "name", vm.ToValue(c.name))
	hidden(vm, constructor, "prototype", p)
	hidden(vm, p, "constructor", constructor)
	api := strings.ToLower(c.name[:1]) + c.name[1:]
	if c.name == "JSHandle" {
		api = "jsHandle"
	}
	for _, one := range c.members() {
		m.defineMember(p, api, one)
	}
	if c.refused == nil {
		return p
	}
	for name, reason := range c.refused() {
		text := api + "." + name + " is not supported here: " + reason
		p.DefineAccessorProperty(name, vm.ToValue(func(goja.FunctionCall) goja.Value {
			panic(jsrt.NewErrorValue(vm, "Error", text, m.rt.Stack(vm)))
		}), nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return p
}

func hidden(vm *goja.Runtime, o *goja.Object, name string, v goja.Value) {
	o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

func (m *mapping) defineMember(p *goja.Object, api string, one member) {
	vm := m.vm
	full := api + "." + one.name
	switch {
	case one.property != nil:
		p.DefineAccessorProperty(one.name, vm.ToValue(func(call goja.FunctionCall) goja.Value {
			return m.out(one.property(m, selfOf(call.This)))
		}), nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
	case one.direct != nil:
		m.method(p, one.name, func(call goja.FunctionCall) goja.Value {
			return m.out(one.direct(m, selfOf(call.This), &args{m: m, api: full, call: call}))
		})
	case one.promise != nil:
		m.method(p, one.name, func(call goja.FunctionCall) goja.Value {
			a := &args{m: m, api: full, call: call}
			return m.start(a, func() op { return one.promise(m, selfOf(call.This), a) })
		})
	}
}

func (m *mapping) method(p *goja.Object, name string, f func(goja.FunctionCall) goja.Value) {
	o := m.vm.ToValue(f).(*goja.Object)
	hidden(m.vm, o, "name", m.vm.ToValue(name))
	hidden(m.vm, p, name, o)
}

// start runs what prepare gives as a host operation. What prepare throws rejects the promise, as in an async function.
func (m *mapping) start(a *args, prepare func() op) goja.Value {
	vm := m.vm
	var run op
	var came <-chan *aborted
	var early *aborted
	if ex := vm.Try(func() {
		run = prepare()
		if a.signal != nil {
			came, early = m.abortion(a.signal)
		}
	}); ex != nil {
		return m.rejected(ex.Value())
	}
	if early != nil {
		return m.rejected(early.ErrorValue(vm, m.rt.Stack(vm)))
	}
	return m.rt.Go(vm, func(ctx context.Context) (jsrt.Finish, error) {
		var v any
		var err error
		if came != nil {
			v, err = abortable(ctx, run, came)
		} else {
			v, err = run(ctx)
		}
		if err != nil {
			return nil, m.thrown(err)
		}
		return func(*goja.Runtime) (goja.Value, error) { return m.out(v), nil }, nil
	})
}

func (m *mapping) rejected(reason goja.Value) goja.Value {
	p, _, reject := m.vm.NewPromise()
	if err := reject(reason); err != nil {
		panic(err)
	}
	return m.vm.ToValue(p)
}

// wrap gives the JavaScript object of one of the engine's, the same one each time for what has an identity.
func (m *mapping) wrap(c class, self any) *goja.Object {
	if o, ok := m.objects[self]; ok {
		return o
	}
	o := m.wrapNew(c, self)
	m.objects[self] = o
	return o
}

// wrapNew makes an object for what has none: locators and handles.
func (m *mapping) wrapNew(c class, self any) *goja.Object {
	o := m.vm.CreateObject(m.prototype(c))
	o.DefineDataPropertySymbol(selfKey, m.vm.ToValue(&holder{self}), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return o
}

// isNil tells a nil pointer; an empty list is none.
func isNil(v any) bool {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Pointer, reflect.Interface:
		return r.IsNil()
	}
	return false
}
