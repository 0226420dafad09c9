package playwright

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/workers/browser"
)

// args are the arguments of one call, read on the owner. A bad one throws an Error worded as Playwright's validator words it.
type args struct {
	m    *mapping
	api  string
	call goja.FunctionCall
	// signal is the AbortSignal among the options read so far.
	signal *goja.Object
}

// fail throws an Error with the API name before the text.
func (a *args) fail(format string, parts ...any) {
	panic(jsrt.NewErrorValue(a.m.vm, "Error", a.api+": "+fmt.Sprintf(format, parts...), a.m.rt.Stack(a.m.vm)))
}

// failPlain throws an Error whose text has no API name, as Playwright's client-side checks do.
func (a *args) failPlain(format string, parts ...any) {
	panic(jsrt.NewErrorValue(a.m.vm, "Error", fmt.Sprintf(format, parts...), a.m.rt.Stack(a.m.vm)))
}

func (a *args) value(i int) goja.Value { return a.call.Argument(i) }

func (a *args) given(i int) bool { return !absent(a.call.Argument(i)) }

// atMost refuses more arguments than an evaluate takes.
func (a *args) atMost(n int) {
	if len(a.call.Arguments) > n {
		a.failPlain("Too many arguments. If you need to pass more than 1 argument to the function wrap them in an object.")
	}
}

func absent(v goja.Value) bool { return v == nil || goja.IsUndefined(v) }

// typeName is typeof.
func typeName(v goja.Value) string {
	switch {
	case absent(v):
		return "undefined"
	case goja.IsNull(v):
		return "object"
	case goja.IsString(v):
		return "string"
	case goja.IsNumber(v):
		return "number"
	case goja.IsBigInt(v):
		return "bigint"
	}
	if o, ok := v.(*goja.Object); ok {
		if _, callable := goja.AssertFunction(o); callable {
			return "function"
		}
		return "object"
	}
	if _, ok := v.(*goja.Symbol); ok {
		return "symbol"
	}
	return "boolean"
}

func (a *args) str(i int, name string) string { return a.text(a.value(i), name) }

func (a *args) text(v goja.Value, name string) string {
	if !goja.IsString(v) {
		a.fail("%s: expected string, got %s", name, typeName(v))
	}
	return v.String()
}

func (a *args) number(i int, name string) float64 {
	v := a.value(i)
	if !goja.IsNumber(v) {
		a.fail("%s: expected float, got %s", name, typeName(v))
	}
	return v.ToFloat()
}

func (a *args) boolean(i int, name string) bool {
	v := a.value(i)
	if _, ok := v.Export().(bool); !ok {
		a.fail("%s: expected boolean, got %s", name, typeName(v))
	}
	return v.ToBoolean()
}

func (a *args) function(i int, name string) goja.Callable {
	f, ok := goja.AssertFunction(a.value(i))
	if !ok {
		a.fail("%s: expected function, got %s", name, typeName(a.value(i)))
	}
	return f
}

// options reads the i-th argument as an options object.
func (a *args) options(i int) options {
	v := a.value(i)
	if absent(v) || goja.IsNull(v) {
		return options{args: a}
	}
	o, ok := v.(*goja.Object)
	if !ok {
		a.fail("options: expected object, got %s", typeName(v))
	}
	if signal, ok := o.Get("signal").(*goja.Object); ok {
		a.signal = signal
	}
	return options{args: a, object: o}
}

// options is one options object; without one every read gives the zero value.
type options struct {
	args   *args
	object *goja.Object
}

func (o options) get(name string) goja.Value {
	if o.object == nil {
		return goja.Undefined()
	}
	v := o.object.Get(name)
	if v == nil {
		return goja.Undefined()
	}
	return v
}

func (o options) has(name string) bool { return !absent(o.get(name)) }

func (o options) boolean(name string) bool {
	v := o.optionalBool(name)
	return v != nil && *v
}

func (o options) optionalBool(name string) *bool {
	v := o.get(name)
	if absent(v) {
		return nil
	}
	b, ok := v.Export().(bool)
	if !ok {
		o.args.fail("%s: expected boolean, got %s", name, typeName(v))
	}
	return &b
}

// str reads a string; allowed, when given, lists all there are.
func (o options) str(name string, allowed ...string) string {
	v := o.get(name)
	if absent(v) {
		return ""
	}
	if !goja.IsString(v) || len(allowed) > 0 && !slices.Contains(allowed, v.String()) {
		if len(allowed) > 0 {
			o.args.fail("%s: expected one of (%s)", name, strings.Join(allowed, "|"))
		}
		o.args.fail("%s: expected string, got %s", name, typeName(v))
	}
	return v.String()
}

func (o options) optionalStr(name string) *string {
	if !o.has(name) {
		return nil
	}
	s := o.str(name)
	return &s
}

func (o options) number(name string) *float64 {
	v := o.get(name)
	if absent(v) {
		return nil
	}
	if !goja.IsNumber(v) {
		o.args.fail("%s: expected float, got %s", name, typeName(v))
	}
	f := v.ToFloat()
	return &f
}

func (o options) integer(name string) *int {
	f := o.number(name)
	if f == nil {
		return nil
	}
	if *f != math.Trunc(*f) {
		o.args.fail("%s: expected integer, got %s", name, strconv.FormatFloat(*f, 'g', -1, 64))
	}
	n := int(*f)
	return &n
}

func (o options) whole(name string) int {
	if n := o.integer(name); n != nil {
		return *n
	}
	return 0
}

// milliseconds reads a duration; nil when it is not there.
func (o options) milliseconds(name string) *time.Duration {
	f := o.number(name)
	if f == nil {
		return nil
	}
	d := duration(*f)
	return &d
}

func duration(ms float64) time.Duration {
	switch {
	case !(ms > 0):
		return 0
	case ms > 1e12:
		ms = 1e12
	}
	return time.Duration(ms * float64(time.Millisecond))
}

func (o options) timeout() *time.Duration { return o.milliseconds("timeout") }

func (o options) delay() time.Duration {
	if d := o.milliseconds("delay"); d != nil {
		return *d
	}
	return 0
}

// inner reads an options object within.
func (o options) inner(name string) options {
	v := o.get(name)
	if absent(v) || goja.IsNull(v) {
		return options{args: o.args}
	}
	object, ok := v.(*goja.Object)
	if !ok {
		o.args.fail("%s: expected object, got %s", name, typeName(v))
	}
	return options{args: o.args, object: object}
}

func (o options) point(name string) *browser.Point {
	in := o.inner(name)
	if in.object == nil {
		return nil
	}
	return &browser.Point{X: in.required(name, "x"), Y: in.required(name, "y")}
}

func (o options) required(path, name string) float64 {
	v := o.get(name)
	if !goja.IsNumber(v) {
		o.args.fail("%s.%s: expected float, got %s", path, name, typeName(v))
	}
	return v.ToFloat()
}

func (o options) strings(name string, allowed ...string) []string {
	v := o.get(name)
	if absent(v) {
		return nil
	}
	items, ok := o.args.m.list(v)
	if !ok {
		o.args.fail("%s: expected array, got %s", name, typeName(v))
	}
	out := make([]string, 0, len(items))
	for i, item := range items {
		if !goja.IsString(item) || len(allowed) > 0 && !slices.Contains(allowed, item.String()) {
			if len(allowed) > 0 {
				o.args.fail("%s[%d]: expected one of (%s)", name, i, strings.Join(allowed, "|"))
			}
			o.args.fail("%s[%d]: expected string, got %s", name, i, typeName(item))
		}
		out = append(out, item.String())
	}
	return out
}

// list gives the items of an array; false for anything else.
func (m *mapping) list(v goja.Value) ([]goja.Value, bool) {
	o, ok := v.(*goja.Object)
	if !ok || !m.isArray(o) {
		return nil, false
	}
	n := int(o.Get("length").ToInteger())
	out := make([]goja.Value, n)
	for i := range out {
		if out[i] = o.Get(strconv.Itoa(i)); out[i] == nil {
			out[i] = goja.Undefined()
		}
	}
	return out, true
}

func (m *mapping) isArray(o *goja.Object) bool { return o.ClassName() == "Array" }
