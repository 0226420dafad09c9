package jsrt

import (
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// The constructors of functions compile text with goja directly, past Compile. A proxy before each looks at the text first, so that it
// may hold property classes and cannot overflow the parser's stack.

var functionKinds = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile(internalPrefix+"functions", `[function () {}, async function () {}, function* () {}].map(f => Object.getPrototypeOf(f))`, true)
})

func (rt *Runtime) installFunctions(vm *goja.Runtime) {
	v, err := vm.RunProgram(functionKinds())
	if err != nil {
		panic(err)
	}
	for i, kind := range []string{"function", "async function", "function*"} {
		proto := v.ToObject(vm).Get(string(rune('0' + i))).ToObject(vm)
		native := proto.Get("constructor").(*goja.Object)
		proxy := rt.functionConstructor(vm, native, kind)
		writable := goja.FLAG_FALSE
		if i == 0 {
			writable = goja.FLAG_TRUE
			define(vm.GlobalObject(), "Function", proxy)
		}
		proto.DefineDataProperty("constructor", proxy, writable, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
}

func (rt *Runtime) functionConstructor(vm *goja.Runtime, native *goja.Object, kind string) goja.Value {
	construct, _ := goja.AssertConstructor(native)
	make := func(args []goja.Value, newTarget *goja.Object) *goja.Object {
		texts := append([]goja.Value{}, args...)
		var parts []string
		for i, a := range texts {
			text := a.ToString()
			texts[i] = text
			parts = append(parts, text.String())
		}
		all := strings.Join(parts, "\n")
		if err := checkNesting("Function", all); err != nil {
			rt.Throw(vm, err)
		}
		if !hasProperty(all) {
			o, err := construct(newTarget, texts...)
			if err != nil {
				panic(err)
			}
			return o
		}
		parameters, body := parts[:len(parts)-1], parts[len(parts)-1]
		p, err := compileFunction("Function", kind, parameters, "\n"+body)
		if err != nil {
			rt.Throw(vm, err)
		}
		f, err := rt.RunProgram(vm, p)
		if err != nil {
			panic(err)
		}
		return f.(*goja.Object)
	}
	var self goja.Value
	self = vm.ToValue(vm.NewProxy(native, &goja.ProxyTrapConfig{
		Apply: func(_ *goja.Object, _ goja.Value, args []goja.Value) goja.Value { return make(args, nil) },
		Construct: func(_ *goja.Object, args []goja.Value, newTarget *goja.Object) *goja.Object {
			if newTarget == self {
				newTarget = nil
			}
			return make(args, newTarget)
		},
	}))
	instanceOf(vm, native)
	return self
}
