package playwright

import (
	"math"
	"math/big"
	"strconv"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/workers/browser"
)

// maxDepth bounds the recursion over arguments and results.
const maxDepth = 1000

// scriptOf makes the page's script from the i-th argument: a function travels as its own source text.
func (a *args) scriptOf(i int) browser.Script {
	v := a.value(i)
	if _, ok := goja.AssertFunction(v); ok {
		return browser.Function(v.String())
	}
	return browser.Script{Source: v.String(), IsFunction: new(bool)}
}

// argument serialises the i-th argument for the page, by Playwright's rules.
func (a *args) argument(i int) browser.Value { return a.m.toValue(a, a.value(i)) }

func (m *mapping) toValue(a *args, v goja.Value) browser.Value {
	w := &writer{m: m, a: a, seen: map[*goja.Object]browser.Value{}}
	return w.value(v, "", 0)
}

// writer serialises one argument.
type writer struct {
	m    *mapping
	a    *args
	seen map[*goja.Object]browser.Value
	// expose, when set, takes functions: page code asked for it with exposeFunctions.
	expose func(f goja.Callable) browser.FunctionName
}

func (w *writer) value(v goja.Value, path string, depth int) browser.Value {
	switch {
	case absent(v):
		return browser.Undefined{}
	case goja.IsNull(v):
		return nil
	case goja.IsString(v):
		return v.String()
	case goja.IsNumber(v):
		return v.ToFloat()
	case goja.IsBigInt(v):
		if n, ok := v.Export().(*big.Int); ok {
			return n
		}
	}
	o, ok := v.(*goja.Object)
	if !ok {
		if b, isBool := v.Export().(bool); isBool {
			return b
		}
		return browser.Undefined{} // a symbol
	}
	if handle, ok := selfOf(o).(browser.Handle); ok {
		return handle
	}
	if f, callable := goja.AssertFunction(o); callable {
		if w.expose != nil {
			return w.expose(f)
		}
		at := ""
		if path != "" {
			at = ` at position "` + path + `"`
		}
		w.a.failPlain("Attempting to serialize unexpected value%s: %s", at, o.String())
	}
	if depth > maxDepth {
		w.a.failPlain("Cannot serialize an argument that nests more than %d levels deep", maxDepth)
	}
	if known, ok := w.seen[o]; ok {
		return known
	}
	switch tag(o) {
	case "Error":
		return &browser.ErrorValue{Name: textOf(o, "name"), Message: textOf(o, "message"), Stack: textOf(o, "stack")}
	case "Date":
		ms := o.ToNumber().ToFloat()
		return browser.Date(ms)
	case "URL":
		return browser.URL(textOf(o, "href"))
	case "RegExp":
		return browser.RegExp{Source: textOf(o, "source"), Flags: textOf(o, "flags")}
	case "Array":
		out := &browser.Array{}
		w.seen[o] = out
		n := int(o.Get("length").ToInteger())
		out.Items = make([]browser.Value, n)
		for i := range n {
			key := strconv.Itoa(i)
			out.Items[i] = w.value(o.Get(key), path+"["+key+"]", depth+1)
		}
		return out
	}
	if name := typedArrayName(o); name != "" {
		if b, ok := jsrt.Bytes(o); ok {
			return browser.TypedArray{Constructor: name, Bytes: append([]byte{}, b...)}
		}
	}
	out := &browser.Object{}
	w.seen[o] = out
	for _, key := range o.Keys() {
		at := key
		if path != "" {
			at = path + "." + key
		}
		out.Properties = append(out.Properties, browser.Property{Key: key, Value: w.value(o.Get(key), at, depth+1)})
	}
	return out
}

// tag is what kind of built-in an object is: its own class, or what toString calls it.
func tag(o *goja.Object) string {
	switch class := o.ClassName(); class {
	case "Error", "Date", "RegExp", "Array":
		return class
	}
	if isErrorLike(o) {
		return "Error"
	}
	if t := o.GetSymbol(goja.SymToStringTag); t != nil && goja.IsString(t) {
		return t.String()
	}
	return ""
}

// isErrorLike says whether Error's name stands somewhere in the prototype chain.
func isErrorLike(o *goja.Object) bool {
	for p := o.Prototype(); p != nil; p = p.Prototype() {
		if p.ClassName() == "Error" || textOf(p, "name") == "Error" && p.Get("message") != nil {
			return true
		}
	}
	return false
}

func textOf(o *goja.Object, name string) string {
	if v := o.Get(name); v != nil && !goja.IsUndefined(v) {
		return v.String()
	}
	return ""
}

// typedArrayName is the constructor that made a view, as Playwright tells them apart: exactly, so that a Buffer is a plain object there
// as here.
func typedArrayName(o *goja.Object) string {
	c, ok := o.Get("constructor").(*goja.Object)
	if !ok {
		return ""
	}
	switch name := textOf(c, "name"); name {
	case "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array", "Float32Array",
		"Float64Array", "BigInt64Array", "BigUint64Array":
		return name
	}
	return ""
}

// fromValue makes a JavaScript value of one that came from a page.
func (m *mapping) fromValue(v browser.Value) goja.Value {
	r := &reader{m: m, seen: map[any]goja.Value{}}
	return r.value(v)
}

// reader makes the JavaScript side of one result.
type reader struct {
	m    *mapping
	seen map[any]goja.Value
}

func (r *reader) make(constructor string, args ...goja.Value) goja.Value {
	vm := r.m.vm
	o, err := vm.New(vm.Get(constructor), args...)
	if err != nil {
		panic(err)
	}
	return o
}

func (r *reader) value(v browser.Value) goja.Value {
	vm := r.m.vm
	switch x := v.(type) {
	case nil:
		return goja.Null()
	case browser.Undefined:
		return goja.Undefined()
	case bool, string, int:
		return vm.ToValue(x)
	case float64:
		if x == 0 && math.Signbit(x) {
			return vm.ToValue(math.Copysign(0, -1))
		}
		return vm.ToValue(x)
	case *big.Int:
		return vm.ToValue(x)
	case browser.Date:
		return r.make("Date", vm.ToValue(float64(x)))
	case browser.URL:
		return r.make("URL", vm.ToValue(string(x)))
	case browser.RegExp:
		return r.make("RegExp", vm.ToValue(x.Source), vm.ToValue(x.Flags))
	case *browser.ErrorValue:
		return r.m.errorValue(*x)
	case *browser.Array:
		if known, ok := r.seen[x]; ok {
			return known
		}
		out := vm.NewArray()
		r.seen[x] = out
		for i, item := range x.Items {
			if err := out.Set(strconv.Itoa(i), r.value(item)); err != nil {
				panic(err)
			}
		}
		return out
	case *browser.Object:
		if known, ok := r.seen[x]; ok {
			return known
		}
		out := vm.NewObject()
		r.seen[x] = out
		for _, p := range x.Properties {
			out.DefineDataProperty(p.Key, r.value(p.Value), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		}
		return out
	case browser.TypedArray:
		return r.make(x.Constructor, vm.ToValue(vm.NewArrayBuffer(x.Bytes)))
	case browser.ArrayBuffer:
		return vm.ToValue(vm.NewArrayBuffer(x))
	}
	return r.m.out(v)
}

// errorValue makes an Error of one met in a page, its stack kept.
func (m *mapping) errorValue(e browser.ErrorValue) goja.Value {
	o, err := m.vm.New(m.builtins.errorClass, m.vm.ToValue(e.Message))
	if err != nil {
		panic(err)
	}
	hidden(m.vm, o, "name", m.vm.ToValue(e.Name))
	hidden(m.vm, o, "stack", m.vm.ToValue(e.Stack))
	return o
}
