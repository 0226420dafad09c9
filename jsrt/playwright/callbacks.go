package playwright

import (
	"context"
	"errors"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// initScript reads addInitScript's script and argument as one text.
func (a *args) initScript() string {
	v := a.value(0)
	if o := a.options(2); o.boolean("exposeFunctions") {
		a.fail("the option exposeFunctions is not supported here; use exposeFunction")
	}
	if _, ok := goja.AssertFunction(v); ok {
		argument := "undefined"
		if a.given(1) {
			text, err := a.m.builtins.json(goja.Undefined(), a.value(1))
			if err != nil {
				panic(err)
			}
			argument = text.String()
		}
		return "(" + v.String() + ")(" + argument + ")"
	}
	if a.given(1) {
		a.failPlain("Cannot evaluate a string with arguments")
	}
	if goja.IsString(v) {
		return v.String()
	}
	o := a.options(0)
	if !o.has("content") {
		o.noPath()
		a.failPlain("Either path or content property must be present")
	}
	return o.str("content")
}

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
