package jsrt

import (
	"crypto/rand"
	"embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

//go:embed js
var scripts embed.FS

// scriptPrograms compiles each of the embedded scripts once per process. Each is the expression of a function that takes the host object.
var scriptPrograms = func() map[string]func() *goja.Program {
	out := map[string]func() *goja.Program{}
	for _, name := range []string{"core", "web", "url", "text", "buffer", "intl", "crypto", "performance"} {
		out[name] = sync.OnceValue(func() *goja.Program {
			source, err := scripts.ReadFile("js/" + name + ".js")
			if err != nil {
				panic(err)
			}
			return goja.MustCompile(internalPrefix+name, string(source), true)
		})
	}
	return out
}()

// lazyGlobals are the globals made when first read, by the script that makes them.
var lazyGlobals = []struct {
	script string
	names  []string
}{
	{"web", []string{"DOMException", "Event", "CustomEvent", "EventTarget", "AbortSignal", "AbortController"}},
	{"url", []string{"URL", "URLSearchParams"}},
	{"text", []string{"TextEncoder", "TextDecoder"}},
	{"buffer", []string{"Buffer"}},
	{"intl", []string{"Intl"}},
	{"crypto", []string{"crypto"}},
	{"performance", []string{"performance"}},
}

// install puts this package's globals on a new runtime. Nothing here may be dear: it runs for every runtime, used or not.
func (rt *Runtime) install() {
	vm := rt.vm
	global := vm.GlobalObject()
	rt.timers.install(rt, vm)
	rt.installRegExp(vm)
	rt.installFunctions(vm)
	rt.runScript(vm, "core", rt.host(vm))
	lazy(vm, global, "console", false, func() goja.Value { return rt.newConsole(vm, rt.opts.Console) })
	method(vm, global, "queueMicrotask", 1, func(call goja.FunctionCall) goja.Value {
		f, ok := goja.AssertFunction(call.Argument(0))
		if !ok {
			panic(vm.NewTypeError(`The "callback" argument must be of type function. Received %s`, brief(call.Argument(0))))
		}
		rt.microtask(vm, f)
		return goja.Undefined()
	})
	method(vm, global, "structuredClone", 1, func(call goja.FunctionCall) goja.Value {
		if len(call.Arguments) == 0 {
			panic(vm.NewTypeError("The \"value\" argument must be specified"))
		}
		c := &cloner{rt: rt, vm: vm, seen: map[*goja.Object]*goja.Object{}, fail: func(what string) {
			panic(rt.domException(vm, what+" could not be cloned.", "DataCloneError"))
		}}
		return c.value(call.Argument(0))
	})
	method(vm, global, "atob", 1, func(call goja.FunctionCall) goja.Value {
		b, ok := atob(call.Argument(0).String())
		if !ok {
			panic(rt.domException(vm, "The string to be decoded is not correctly encoded.", "InvalidCharacterError"))
		}
		return vm.ToValue(latin1(b))
	})
	method(vm, global, "btoa", 1, func(call goja.FunctionCall) goja.Value {
		text := stringOf(call.Argument(0))
		for i := range text.Length() {
			if text.CharAt(i) > 0xff {
				panic(rt.domException(vm, "Invalid character", "InvalidCharacterError"))
			}
		}
		b, _ := encodeText(text, "latin1")
		encoded, _ := decodeText(vm, b, "base64")
		return encoded
	})
}

func (rt *Runtime) runScript(vm *goja.Runtime, name string, host *goja.Object) goja.Value {
	f, err := vm.RunProgram(scriptPrograms[name]())
	if err != nil {
		panic(err)
	}
	call, _ := goja.AssertFunction(f)
	v, err := call(goja.Undefined(), host)
	if err != nil {
		panic(fmt.Errorf("installing %s: %w", name, err))
	}
	return v
}

func (rt *Runtime) domException(vm *goja.Runtime, message, name string) goja.Value {
	o, err := vm.New(vm.Get("DOMException"), vm.ToValue(message), vm.ToValue(name))
	if err != nil {
		panic(err)
	}
	return o
}

// host makes what Go lends the embedded scripts. Its members are made as they are read.
func (rt *Runtime) host(vm *goja.Runtime) *goja.Object {
	host := vm.NewObject()
	lent := func(name string, f func(call goja.FunctionCall) goja.Value) { _ = host.Set(name, f) }
	lent("define", func(call goja.FunctionCall) goja.Value {
		target, members := call.Argument(0).ToObject(vm), call.Argument(1).ToObject(vm)
		for _, key := range members.Keys() {
			if target.Get(key) == nil {
				define(target, key, members.Get(key))
			}
		}
		return goja.Undefined()
	})
	loaded := map[string]goja.Value{}
	lent("load", func(call goja.FunctionCall) goja.Value {
		name := call.Argument(0).String()
		if v, ok := loaded[name]; ok {
			return v
		}
		rt.lend(vm, host, name)
		v := rt.runScript(vm, name, host)
		loaded[name] = v
		return v
	})
	lent("stack", func(goja.FunctionCall) goja.Value {
		// The frame of the script that asks is no part of the answer.
		return vm.ToValue(rt.Stack(vm))
	})
	lent("caseFold", func(call goja.FunctionCall) goja.Value {
		tag, err := language.Parse(call.Argument(1).String())
		if err != nil {
			panic(NewErrorValue(vm, "RangeError", "Incorrect locale information provided", ""))
		}
		caser := cases.Lower(tag)
		if call.Argument(2).ToBoolean() {
			caser = cases.Upper(tag)
		}
		return vm.ToValue(caser.String(call.Argument(0).String()))
	})
	names := vm.NewObject()
	for _, l := range lazyGlobals {
		_ = names.Set(l.script, vm.ToValue(l.names))
	}
	_ = host.Set("lazy", names)
	return host
}

// lend adds the functions that only one script needs.
func (rt *Runtime) lend(vm *goja.Runtime, host *goja.Object, script string) {
	lent := func(name string, f func(call goja.FunctionCall) goja.Value) { _ = host.Set(name, f) }
	switch script {
	case "web", "performance":
		lent("now", func(goja.FunctionCall) goja.Value {
			return vm.ToValue(float64(time.Since(rt.started).Microseconds()) / 1000)
		})
		lent("origin", func(goja.FunctionCall) goja.Value {
			return vm.ToValue(float64(rt.started.UnixMicro()) / 1000)
		})
	case "url":
		lent("url", rt.hostURL(vm))
		lent("decode", func(call goja.FunctionCall) goja.Value { return vm.ToValue(percentDecode(call.Argument(0).String())) })
	case "text":
		lent("utf8", func(call goja.FunctionCall) goja.Value {
			b, _ := encodeText(stringOf(call.Argument(0)), "utf8")
			return vm.ToValue(vm.NewArrayBuffer(b))
		})
		lent("decoder", func(call goja.FunctionCall) goja.Value { return rt.newDecoder(vm, call) })
	case "buffer":
		lent("encode", func(call goja.FunctionCall) goja.Value {
			b, ok := encodeText(stringOf(call.Argument(0)), call.Argument(1).String())
			if !ok {
				panic(vm.NewTypeError("Unknown encoding: %s", call.Argument(1).String()))
			}
			return vm.ToValue(vm.NewArrayBuffer(b))
		})
		lent("decodeBytes", func(call goja.FunctionCall) goja.Value {
			all, _ := bytesOf(call.Argument(0))
			from, n := int(call.Argument(1).ToInteger()), int(call.Argument(2).ToInteger())
			v, ok := decodeText(vm, all[from:from+n], call.Argument(3).String())
			if !ok {
				panic(vm.NewTypeError("Unknown encoding: %s", call.Argument(3).String()))
			}
			return v
		})
	case "crypto":
		lent("uuid", func(goja.FunctionCall) goja.Value {
			var b [16]byte
			_, _ = rand.Read(b[:])
			b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
			return vm.ToValue(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
		})
		lent("random", func(call goja.FunctionCall) goja.Value {
			if b, ok := bytesOf(call.Argument(0)); ok {
				_, _ = rand.Read(b)
			}
			return call.Argument(0)
		})
	case "intl":
		rt.lendIntl(vm, host)
	}
}

func (rt *Runtime) newDecoder(vm *goja.Runtime, call goja.FunctionCall) goja.Value {
	label := strings.ToLower(strings.TrimSpace(call.Argument(0).String()))
	encoding, ok := decoderLabels[label]
	if !ok {
		panic(NewErrorValue(vm, "RangeError", fmt.Sprintf("The %q encoding is not supported", label), ""))
	}
	d := &decoder{encoding: encoding, fatal: call.Argument(1).ToBoolean(), ignoreBOM: call.Argument(2).ToBoolean()}
	o := vm.NewObject()
	_ = o.Set("encoding", encoding)
	_ = o.Set("decode", func(call goja.FunctionCall) goja.Value {
		var b []byte
		if !goja.IsUndefined(call.Argument(0)) {
			if b, ok = bytesOf(call.Argument(0)); !ok {
				panic(vm.NewTypeError(`The "input" argument must be an instance of ArrayBuffer or ArrayBufferView. Received %s`, brief(call.Argument(0))))
			}
		}
		v, err := d.decode(vm, b, call.Argument(1).ToBoolean())
		if err != nil {
			panic(NewErrorValue(vm, "TypeError", err.Error(), ""))
		}
		return v
	})
	return o
}

// microtask queues a promise job. What it throws becomes a rejection that nothing handles.
func (rt *Runtime) microtask(vm *goja.Runtime, f goja.Callable) {
	promise, resolve, _ := vm.NewPromise()
	if err := resolve(goja.Undefined()); err != nil {
		panic(err)
	}
	object := vm.ToValue(promise).ToObject(vm)
	then, ok := goja.AssertFunction(object.Get("then"))
	if !ok {
		panic(vm.NewTypeError("Promise.prototype.then is not a function"))
	}
	if _, err := then(object, vm.ToValue(func(goja.FunctionCall) goja.Value {
		v, err := f(goja.Undefined())
		if err != nil {
			panic(err)
		}
		return v
	})); err != nil {
		panic(err)
	}
}
