package jsrt

import (
	"github.com/dop251/goja"
)

// cloner copies a value as the structured clone algorithm does, cycles and shared references kept.
type cloner struct {
	rt    *Runtime
	vm    *goja.Runtime
	seen  map[*goja.Object]*goja.Object
	fail  func(what string) // throws a DataCloneError
	depth int
}

// maxCloneDepth keeps the recursion far from the end of the stack.
const maxCloneDepth = 2000

func (c *cloner) value(v goja.Value) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok {
		if _, symbol := v.(*goja.Symbol); symbol {
			c.fail(v.String())
		}
		return v
	}
	if copied, ok := c.seen[o]; ok {
		return copied
	}
	if c.depth++; c.depth > maxCloneDepth {
		c.fail("a value nested more than 2000 levels deep")
	}
	defer func() { c.depth-- }()
	return c.object(o)
}

func (c *cloner) construct(name string, args ...goja.Value) *goja.Object {
	o, err := c.vm.New(c.vm.Get(name), args...)
	if err != nil {
		panic(err)
	}
	return o
}

func (c *cloner) object(o *goja.Object) goja.Value {
	if _, callable := goja.AssertFunction(o); callable {
		c.fail(o.String())
	}
	keep := func(copied *goja.Object) *goja.Object {
		c.seen[o] = copied
		return copied
	}
	exported := o.Export()
	switch kindOf(o) {
	case "Date":
		return keep(c.construct("Date", c.vm.ToValue(o.ToNumber())))
	case "RegExp":
		return keep(c.construct("RegExp", o.Get("source"), o.Get("flags")))
	case "Boolean", "Number", "String", "BigInt":
		f, _ := goja.AssertFunction(o.Get("valueOf"))
		inner, err := f(o)
		if err != nil {
			panic(err)
		}
		return keep(inner.ToObject(c.vm))
	case "Map":
		out := keep(c.construct("Map"))
		set, _ := goja.AssertFunction(out.Get("set"))
		for _, pair := range c.items(o) {
			p := pair.ToObject(c.vm)
			if _, err := set(out, c.value(p.Get("0")), c.value(p.Get("1"))); err != nil {
				panic(err)
			}
		}
		return out
	case "Set":
		out := keep(c.construct("Set"))
		add, _ := goja.AssertFunction(out.Get("add"))
		for _, item := range c.items(o) {
			if _, err := add(out, c.value(item)); err != nil {
				panic(err)
			}
		}
		return out
	case "Error":
		name := "Error"
		if n := o.Get("name"); n != nil {
			switch n.String() {
			case "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError":
				name = n.String()
			}
		}
		out := keep(NewErrorValue(c.vm, name, textOf(o.Get("message")), ""))
		for _, key := range []string{"stack", "cause"} {
			if hasOwn(o, key) {
				define(out, key, c.value(o.Get(key)))
			}
		}
		return out
	case "Array":
		out := keep(c.vm.NewArray())
		if err := out.Set("length", o.Get("length")); err != nil {
			panic(err)
		}
		c.properties(o, out)
		return out
	}
	if tag := o.GetSymbol(goja.SymToStringTag); tag != nil && goja.IsString(tag) {
		switch tag.String() {
		case "WeakMap", "WeakSet", "WeakRef":
			c.fail("#<" + tag.String() + ">")
		}
	}
	switch x := exported.(type) {
	case goja.ArrayBuffer:
		return keep(c.vm.ToValue(c.vm.NewArrayBuffer(append([]byte{}, x.Bytes()...))).ToObject(c.vm))
	case *goja.Promise:
		c.fail("#<Promise>")
	}
	if typedArray(o) || isDataView(o) {
		b, _ := bytesOf(o)
		name := viewName(o)
		if name == "" {
			name = "DataView"
		}
		buffer := c.vm.ToValue(c.vm.NewArrayBuffer(append([]byte{}, b...)))
		return keep(c.construct(name, buffer))
	}
	out := keep(c.vm.NewObject())
	c.properties(o, out)
	return out
}

func textOf(v goja.Value) string {
	if v == nil || goja.IsUndefined(v) {
		return ""
	}
	return v.String()
}

func (c *cloner) items(o *goja.Object) []goja.Value {
	var out []goja.Value
	c.vm.ForOf(o, func(v goja.Value) bool {
		out = append(out, v)
		return true
	})
	return out
}

func (c *cloner) properties(from, to *goja.Object) {
	for _, key := range from.Keys() {
		to.DefineDataProperty(key, c.value(from.Get(key)), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
}

func isDataView(o *goja.Object) bool {
	tag := o.GetSymbol(goja.SymToStringTag)
	return tag != nil && goja.IsString(tag) && tag.String() == "DataView"
}

// viewName is the built-in constructor a typed array descends from.
func viewName(o *goja.Object) string {
	tag := o.GetSymbol(goja.SymToStringTag)
	if tag != nil && goja.IsString(tag) && typed(tag.String()) && tag.String() != "Buffer" {
		return tag.String()
	}
	return ""
}
