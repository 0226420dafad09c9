package playwright

import (
	"context"
	"sync"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/workers/browser"
)

// mapping is one runtime's view of the engine. All of it belongs to the runtime's owner.
type mapping struct {
	rt           *jsrt.Runtime
	vm           *goja.Runtime
	prototypes   map[string]*goja.Object
	objects      map[any]*goja.Object
	emitters     map[any]*emitter
	routes       map[any][]*route
	errorClasses *goja.Object
	builtins     builtins
	owned        map[*browser.Context]*browser.Page // contexts that browser.newPage made for one page
	exposed      int                                // functions that went to a page as arguments
}

// builtins are what the mapping needs of the runtime, as they were before page code could replace them.
type builtins struct {
	stringify  goja.Callable // result → JSON text, by the rules of Execute's result
	json       goja.Callable // JSON.stringify
	parse      goja.Callable // JSON.parse
	mapClass   goja.Value
	date       goja.Value
	regexp     goja.Value
	errorClass goja.Value
	bufferOf   goja.Callable
	regexpTest goja.Callable
}

// errorsProgram makes Playwright's error classes.
var errorsProgram = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("internal:errors", `(() => {
		const named = (C, name) => class extends C {
			static { Object.defineProperty(this, 'name', { value: name, configurable: true }); }
			constructor(message, options) {
				super(message, options);
				Object.defineProperty(this, 'name', { value: name, writable: true, configurable: true, enumerable: false });
			}
		};
		return { TimeoutError: named(Error, 'TimeoutError'), AbortError: named(Error, 'AbortError') };
	})()`, true)
})

// resultProgram turns a call's result into JSON. What JSON would change silently is an error: functions, symbols, NaN, infinities and,
// by themselves, bigints and cycles.
var resultProgram = sync.OnceValue(func() *goja.Program {
	return goja.MustCompile("internal:result", `(stringify => value => {
		if (value === undefined) return undefined;
		return stringify(value, (key, v) => {
			const at = key === '' ? 'The result' : 'The result at ' + JSON.stringify(key);
			if (typeof v === 'function' || typeof v === 'symbol' || typeof v === 'bigint') throw new TypeError(at + ' is a ' + typeof v + ', which is not JSON');
			if (typeof v === 'number' && !Number.isFinite(v)) throw new TypeError(at + ' is ' + v + ', which is not JSON');
			return v;
		});
	})(JSON.stringify)`, true)
})

func newMapping(rt *jsrt.Runtime, vm *goja.Runtime) *mapping {
	m := &mapping{rt: rt, vm: vm, prototypes: map[string]*goja.Object{}, objects: map[any]*goja.Object{}, emitters: map[any]*emitter{}, routes: map[any][]*route{}, owned: map[*browser.Context]*browser.Page{}}
	global := vm.GlobalObject()
	callable := func(object, name string) goja.Callable {
		f, _ := goja.AssertFunction(global.Get(object).ToObject(vm).Get(name))
		return f
	}
	m.builtins.json, m.builtins.parse = callable("JSON", "stringify"), callable("JSON", "parse")
	m.builtins.mapClass, m.builtins.date = global.Get("Map"), global.Get("Date")
	m.builtins.regexp, m.builtins.errorClass = global.Get("RegExp"), global.Get("Error")
	m.builtins.regexpTest, _ = goja.AssertFunction(global.Get("RegExp").ToObject(vm).Get("prototype").ToObject(vm).Get("test"))
	v, err := vm.RunProgram(resultProgram())
	if err != nil {
		panic(err)
	}
	m.builtins.stringify, _ = goja.AssertFunction(v)
	return m
}

// script calls into page code from a goroutine of the engine and waits for what it answers, promises awaited. then reads the answer on
// the owner. The end of ctx only ends the waiting.
func (m *mapping) script(ctx context.Context, f func(vm *goja.Runtime) (goja.Value, error), then func(vm *goja.Runtime, v goja.Value) error) error {
	_, err := m.rt.Run(ctx, f, jsrt.RunOptions{Detached: true, Then: then, Catch: func(vm *goja.Runtime, thrown goja.Value) error {
		return &scriptError{value: thrown, text: m.rt.ErrorOf(vm, thrown).Error()}
	}})
	return err
}

// out turns what the engine answers into a JavaScript value. A nil pointer is null, a nil interface undefined.
func (m *mapping) out(v any) goja.Value {
	vm := m.vm
	if v == nil {
		return goja.Undefined()
	}
	switch x := v.(type) {
	case goja.Value:
		return x
	case later:
		return x()
	case answer:
		return m.fromValue(x.value)
	case []byte:
		return m.buffer(x)
	case []string:
		return m.array(len(x), func(i int) any { return x[i] })
	case string, bool, int, int64, float64:
		return vm.ToValue(x)
	case object:
		return m.object(x)
	case *webStorage:
		return m.wrapNew(webStorageClass(), x)
	case disposer:
		return m.wrapNew(disposableClass(), &x)
	case browser.ErrorValue:
		return m.errorValue(x)
	case rawJSON:
		value, err := m.builtins.parse(goja.Undefined(), vm.ToValue(string(x)))
		if err != nil {
			panic(err)
		}
		return value
	case []any:
		return m.array(len(x), func(i int) any { return x[i] })
	case []object:
		return m.array(len(x), func(i int) any { return x[i] })
	case []browser.Header:
		return m.array(len(x), func(i int) any { return object{{"name", x[i].Name}, {"value", x[i].Value}} })
	}
	if isNil(v) {
		return goja.Null()
	}
	switch x := v.(type) {
	case *string:
		return vm.ToValue(*x)
	case *browser.Rect:
		return m.object(object{{"x", x.X}, {"y", x.Y}, {"width", x.Width}, {"height", x.Height}})
	case *browser.Size:
		return m.object(object{{"width", x.Width}, {"height", x.Height}})
	case *browser.Browser:
		return m.wrap(browserClass(), x)
	case *browser.Context:
		return m.wrap(contextClass(), x)
	case *browser.Page:
		return m.wrap(pageClass(), x)
	case *browser.Frame:
		return m.wrap(frameClass(), x)
	case *browser.Locator:
		return m.wrapNew(locatorClass(), x)
	case *browser.FrameLocator:
		return m.wrapNew(frameLocatorClass(), x)
	case *browser.ElementHandle:
		return m.wrapNew(elementHandleClass(), x)
	case *browser.JSHandle:
		return m.wrapNew(jsHandleClass(), x)
	case *browser.Request:
		return m.wrap(requestClass(), x)
	case *browser.Response:
		return m.wrap(responseClass(), x)
	case *browser.Route:
		return m.wrap(routeClass(), x)
	case *browser.Worker:
		return m.wrap(workerClass(), x)
	case *browser.WebSocket:
		return m.wrap(webSocketClass(), x)
	case *browser.Keyboard:
		return m.wrap(keyboardClass(), x)
	case *browser.Mouse:
		return m.wrap(mouseClass(), x)
	case *browser.Touchscreen:
		return m.wrap(touchscreenClass(), x)
	case *browser.Clock:
		return m.wrap(clockClass(), x)
	case *browser.Dialog:
		return m.wrap(dialogClass(), x)
	case *browser.ConsoleMessage:
		return m.wrap(consoleMessageClass(), x)
	case *browser.WebError:
		return m.wrap(webErrorClass(), x)
	case *browser.PageError:
		return m.errorValue(x.Value())
	case *browser.WebSocketFrame:
		return m.frameObject(x)
	case *browser.Download:
		return m.wrap(downloadClass(), x)
	case *browser.FileChooser:
		return m.wrap(fileChooserClass(), x)
	case []*browser.Page:
		return m.array(len(x), func(i int) any { return x[i] })
	case []*browser.Frame:
		return m.array(len(x), func(i int) any { return x[i] })
	case []*browser.Locator:
		return m.array(len(x), func(i int) any { return x[i] })
	case []*browser.ElementHandle:
		return m.array(len(x), func(i int) any { return x[i] })
	case []*browser.Worker:
		return m.array(len(x), func(i int) any { return x[i] })
	case []*browser.Request:
		return m.array(len(x), func(i int) any { return x[i] })
	case []*browser.Context:
		return m.array(len(x), func(i int) any { return x[i] })
	case []*browser.ConsoleMessage:
		return m.array(len(x), func(i int) any { return x[i] })
	case []*browser.PageError:
		return m.array(len(x), func(i int) any { return x[i] })
	case []browser.Handle:
		return m.array(len(x), func(i int) any { return x[i] })
	case []browser.Cookie:
		return m.array(len(x), func(i int) any { return cookieObject(x[i]) })
	case []browser.HandleProperty:
		out, err := vm.New(m.builtins.mapClass)
		if err != nil {
			panic(err)
		}
		set, _ := goja.AssertFunction(out.Get("set"))
		for _, p := range x {
			if _, err := set(out, vm.ToValue(p.Name), m.out(p.Value)); err != nil {
				panic(err)
			}
		}
		return out
	}
	return vm.ToValue(v)
}

// later makes its value on the owner.
type later func() goja.Value

// answer is a value of the page on its way to script.
type answer struct{ value browser.Value }

// object is a plain object, keys in order.
type object []field

type field struct {
	key   string
	value any
}

func (m *mapping) object(o object) goja.Value {
	out := m.vm.NewObject()
	for _, f := range o {
		if err := out.Set(f.key, m.out(f.value)); err != nil {
			panic(err)
		}
	}
	return out
}

func (m *mapping) array(n int, item func(int) any) goja.Value {
	items := make([]any, n)
	for i := range items {
		items[i] = m.out(item(i))
	}
	return m.vm.NewArray(items...)
}

// buffer makes a Buffer of bytes.
func (m *mapping) buffer(b []byte) goja.Value {
	if m.builtins.bufferOf == nil {
		m.builtins.bufferOf, _ = goja.AssertFunction(m.vm.Get("Buffer").ToObject(m.vm).Get("from"))
	}
	if b == nil {
		return goja.Null()
	}
	v, err := m.builtins.bufferOf(goja.Undefined(), m.vm.ToValue(m.vm.NewArrayBuffer(b)))
	if err != nil {
		panic(err)
	}
	return v
}
