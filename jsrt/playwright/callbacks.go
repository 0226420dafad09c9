package playwright

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// initScript reads addInitScript's script and argument as one text.
func (a *args) initScript() (string, []exposure) {
	v := a.value(0)
	if _, ok := goja.AssertFunction(v); ok {
		argument := "undefined"
		if a.options(2).boolean("exposeFunctions") {
			l := &literal{a: a}
			text := "(" + v.String() + ")(" + l.text(a.value(1), 0) + ")"
			return text, l.exposed
		}
		if a.given(1) {
			text, err := a.m.builtins.json(goja.Undefined(), a.value(1))
			if err != nil {
				panic(err)
			}
			argument = text.String()
		}
		return "(" + v.String() + ")(" + argument + ")", nil
	}
	if a.given(1) {
		a.failPlain("Cannot evaluate a string with arguments")
	}
	if goja.IsString(v) {
		return v.String(), nil
	}
	o := a.options(0)
	if !o.has("content") {
		o.noPath()
		a.failPlain("Either path or content property must be present")
	}
	return o.str("content"), nil
}

// exposure is a function that an init script's argument holds.
type exposure struct {
	name string
	f    browser.BindingFunc
}

// literal writes an argument as JavaScript source in which functions are the bindings that call back.
type literal struct {
	a       *args
	exposed []exposure
}

func (l *literal) text(v goja.Value, depth int) string {
	m := l.a.m
	if depth > maxDepth {
		l.a.failPlain("Cannot serialize an argument that nests more than %d levels deep", maxDepth)
	}
	o, ok := v.(*goja.Object)
	if !ok {
		switch {
		case absent(v):
			return "undefined"
		case goja.IsBigInt(v):
			return v.String() + "n"
		case goja.IsNumber(v):
			return m.rt.Inspect(m.vm, v)
		}
		return l.json(v)
	}
	if f, callable := goja.AssertFunction(o); callable {
		e := exposure{name: m.exposedName(), f: m.binding(f, false)}
		l.exposed = append(l.exposed, e)
		return "globalThis[" + l.json(m.vm.ToValue(e.name)) + "]"
	}
	var b strings.Builder
	if items, ok := m.list(o); ok {
		for _, item := range items {
			b.WriteString(l.text(item, depth+1) + ",")
		}
		return "[" + b.String() + "]"
	}
	switch tag(o) {
	case "":
	case "Date":
		return "new Date(" + m.rt.Inspect(m.vm, o.ToNumber()) + ")"
	case "RegExp":
		return "new RegExp(" + l.json(o.Get("source")) + "," + l.json(o.Get("flags")) + ")"
	default:
		return l.json(o)
	}
	for _, key := range o.Keys() {
		b.WriteString("[" + l.json(m.vm.ToValue(key)) + "]:" + l.text(o.Get(key), depth+1) + ",")
	}
	return "({" + b.String() + "})"
}

func (l *literal) json(v goja.Value) string {
	text, err := l.a.m.builtins.json(goja.Undefined(), v)
	if err != nil {
		panic(err)
	}
	return text.String()
}

// exposedName is a new name for a function that goes to a page.
func (m *mapping) exposedName() string {
	m.exposed++
	return "__pomerado_function_" + strconv.Itoa(m.exposed)
}

// scripted is what pages and contexts have in common.
type scripted interface {
	AddInitScript(ctx context.Context, source string) (func(context.Context) error, error)
	ExposeBinding(ctx context.Context, name string, fn browser.BindingFunc) (func(context.Context) error, error)
}

// addInitScript is the operation of addInitScript; what it exposes goes with the script.
func (m *mapping) addInitScript(s scripted, a *args) op {
	source, exposed := a.initScript()
	return m.disposable(func(ctx context.Context) (func(context.Context) error, error) {
		var all []func(context.Context) error
		for _, e := range exposed {
			dispose, err := s.ExposeBinding(ctx, e.name, e.f)
			if err != nil {
				return nil, err
			}
			all = append(all, dispose)
		}
		dispose, err := s.AddInitScript(ctx, source)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) error {
			for _, one := range append(all, dispose) {
				if err := one(ctx); err != nil {
					return err
				}
			}
			return nil
		}, nil
	})
}

// errPageGone keeps the calls of a closed page from page code: nobody is there to hear the answer.
var errPageGone = errors.New("the page that called is closed")

// binding makes the Go side of an exposed function. What page code throws arrives in the page as an Error of the same name and text.
func (m *mapping) binding(f goja.Callable, withSource bool) browser.BindingFunc {
	return func(ctx context.Context, source browser.BindingSource, given []browser.Value) (answered browser.Value, err error) {
		a := &args{m: m}
		err = m.script(ctx, func(vm *goja.Runtime) (goja.Value, error) {
			var list []goja.Value
			if withSource {
				list = append(list, m.object(object{{"context", source.Context}, {"page", source.Page}, {"frame", source.Frame}}))
			}
			for _, v := range given {
				list = append(list, m.fromValue(v))
			}
			source.Begun()
			if source.Page.IsClosed() {
				return nil, errPageGone
			}
			return f(goja.Undefined(), list...)
		}, func(_ *goja.Runtime, v goja.Value) error {
			answered = m.toValue(a, v)
			return nil
		})
		var thrown *scriptError
		if errors.As(err, &thrown) {
			return nil, m.bindingError(ctx, thrown)
		}
		return answered, err
	}
}

func (m *mapping) bindingError(ctx context.Context, thrown *scriptError) error {
	out := &browser.BindingError{}
	err := m.script(ctx, func(*goja.Runtime) (goja.Value, error) {
		out.Value = m.toValue(&args{m: m}, thrown.value)
		return goja.Undefined(), nil
	}, nil)
	if err != nil {
		return err
	}
	return out
}

// disposable is an operation that answers an object with dispose.
func (m *mapping) disposable(f func(ctx context.Context) (func(context.Context) error, error)) op {
	return func(ctx context.Context) (any, error) {
		dispose, err := f(ctx)
		return disposer(dispose), err
	}
}

// disposer takes something back.
type disposer func(context.Context) error

func disposableClass() class {
	return class{name: "Disposable", members: func() []member {
		return []member{promise("dispose", func(_ *mapping, d *disposer, _ *args) op {
			return done(func(ctx context.Context) error {
				if *d == nil {
					return nil
				}
				return (*d)(ctx)
			})
		})}
	}}
}
