package sdk

import (
	"errors"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/jsrt/sdk/markup"
)

// markupGlobal holds what the SDK script's HTML part is made of, until the script has taken it.
const markupGlobal = "__pomerado_markup__"

// lendMarkup puts the functions that runtime/html.ts describes where the SDK script finds them. Nodes travel as values without properties.
func lendMarkup(rt *jsrt.Runtime, vm *goja.Runtime) error {
	object := vm.NewObject()
	text := func(call goja.FunctionCall, i int) string { return call.Argument(i).String() }
	set := func(name string, work func(call goja.FunctionCall) (goja.Value, error)) {
		object.DefineDataProperty(name, vm.ToValue(func(call goja.FunctionCall) goja.Value {
			value, err := work(call)
			if err != nil {
				rt.Throw(vm, err)
			}
			return value
		}), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	}
	// on makes a function of a node, which is its first argument.
	on := func(name string, work func(n markup.Node, call goja.FunctionCall) (goja.Value, error)) {
		set(name, func(call goja.FunctionCall) (goja.Value, error) {
			n, ok := call.Argument(0).Export().(markup.Node)
			if !ok {
				return nil, errors.New("this is no node of a parsed document")
			}
			return work(n, call)
		})
	}
	optional := func(value string, ok bool) (goja.Value, error) {
		if !ok {
			return goja.Undefined(), nil
		}
		return vm.ToValue(value), nil
	}

	set("parse", func(call goja.FunctionCall) (goja.Value, error) {
		n, err := markup.Parse(text(call, 0))
		return vm.ToValue(n), err
	})
	on("select", func(n markup.Node, call goja.FunctionCall) (goja.Value, error) {
		found, err := n.Select(text(call, 1))
		values := make([]any, len(found))
		for i, one := range found {
			values[i] = vm.ToValue(one)
		}
		return vm.NewArray(values...), err
	})
	on("selectOne", func(n markup.Node, call goja.FunctionCall) (goja.Value, error) {
		one, ok, err := n.SelectOne(text(call, 1))
		if !ok {
			return goja.Undefined(), err
		}
		return vm.ToValue(one), nil
	})
	on("title", func(n markup.Node, _ goja.FunctionCall) (goja.Value, error) { return optional(n.Title()) })
	on("text", func(n markup.Node, _ goja.FunctionCall) (goja.Value, error) { return optional(n.Text(), true) })
	on("attr", func(n markup.Node, call goja.FunctionCall) (goja.Value, error) {
		return optional(n.Attr(text(call, 1)))
	})
	on("html", func(n markup.Node, _ goja.FunctionCall) (goja.Value, error) {
		text, err := n.HTML()
		return vm.ToValue(text), err
	})
	// embedded gives JSON text, or the reason why there is none.
	set("embedded", func(call goja.FunctionCall) (goja.Value, error) {
		value, err := markup.Embedded(text(call, 0), markup.Selector{ID: text(call, 1), Type: text(call, 2), Attribute: text(call, 3), Assignment: text(call, 4)})
		reason := ""
		switch {
		case errors.Is(err, markup.ErrMissing):
			reason = "missing"
		case errors.Is(err, markup.ErrUnparsable):
			reason = "unparsable"
		case err != nil:
			return nil, err
		}
		return vm.NewArray(value, reason), nil
	})
	return vm.GlobalObject().Set(markupGlobal, object)
}
