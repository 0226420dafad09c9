package jsrt

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/dop251/goja"
)

// inspectOptions are those of util.inspect that console uses.
type inspectOptions struct {
	depth   int
	hidden  bool
	compact bool // one line
}

// Inspect writes a value as console.log of Node does. It may run script (getters of proxies, toString of errors): call it inside the
// guard.
func (rt *Runtime) Inspect(vm *goja.Runtime, v goja.Value) string {
	return rt.inspect(vm, v, inspectOptions{depth: 2})
}

const (
	lineWidth     = 80
	inspectItems  = 100 // of an array, map or set
	inspectString = 10_000
)

func (rt *Runtime) inspect(vm *goja.Runtime, v goja.Value, o inspectOptions) string {
	p := &inspector{rt: rt, vm: vm, options: o}
	return p.value(v, 0, 0, true)
}

type inspector struct {
	rt       *Runtime
	vm       *goja.Runtime
	options  inspectOptions
	path     []*goja.Object
	circular []*goja.Object
	depth    int // of the object written last
}

// value writes v at the given nesting level; indent is how far its continuation lines stand in.
func (p *inspector) value(v goja.Value, level, indent int, top bool) string {
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	case goja.IsString(v):
		return quoteString(v.String())
	case goja.IsNumber(v):
		return numberText(v.ToFloat())
	case goja.IsBigInt(v):
		return v.String() + "n"
	}
	if s, ok := v.(*goja.Symbol); ok {
		return "Symbol(" + s.String() + ")"
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return v.String()
	}
	for _, parent := range p.path {
		if parent == o {
			return "[Circular *" + strconv.Itoa(p.reference(o)) + "]"
		}
	}
	text := p.object(o, level, indent)
	for i, c := range p.circular {
		if c == o {
			return "<ref *" + strconv.Itoa(i+1) + "> " + text
		}
	}
	return text
}

func (p *inspector) reference(o *goja.Object) int {
	for i, c := range p.circular {
		if c == o {
			return i + 1
		}
	}
	p.circular = append(p.circular, o)
	return len(p.circular)
}

// get reads a property without letting a throwing getter end the print.
func (p *inspector) get(o *goja.Object, name string) (v goja.Value) {
	p.vm.Try(func() { v = o.Get(name) })
	return v
}

func (p *inspector) text(o *goja.Object, name string) string {
	if v := p.get(o, name); v != nil && goja.IsString(v) {
		return v.String()
	}
	return ""
}

// constructorName is the name of what made o; "" for an object without a prototype.
func (p *inspector) constructorName(o *goja.Object) string {
	for proto := o; proto != nil; proto = proto.Prototype() {
		if !hasOwn(proto, "constructor") {
			continue
		}
		if c, ok := p.get(proto, "constructor").(*goja.Object); ok {
			if _, callable := goja.AssertFunction(c); callable {
				if name := p.text(c, "name"); name != "" {
					return name
				}
			}
		}
	}
	return ""
}

func hasOwn(o *goja.Object, name string) bool {
	for _, n := range o.GetOwnPropertyNames() {
		if n == name {
			return true
		}
	}
	return false
}

func (p *inspector) object(o *goja.Object, level, indent int) string {
	class := kindOf(o)
	name := p.constructorName(o)
	prefix := func(fallback string, size int) string {
		n := name
		if n == "" {
			n = "[" + fallback + ": null prototype]"
		}
		if size >= 0 {
			n += "(" + strconv.Itoa(size) + ")"
		}
		return n + " "
	}
	deeper := level <= p.options.depth
	p.path = append(p.path, o)
	defer func() { p.path = p.path[:len(p.path)-1] }()

	if _, callable := goja.AssertFunction(o); callable {
		return p.joined(p.functionText(o), p.properties(o, level, indent, nil), "{", "}", level, indent, false)
	}
	exported := o.Export()
	switch class {
	case "Error":
		return p.errorText(o, level, indent)
	case "RegExp":
		return p.joined(o.String(), p.properties(o, level, indent, nil), "{", "}", level, indent, false)
	case "Date":
		text := "Invalid Date"
		p.vm.Try(func() {
			if f, ok := goja.AssertFunction(o.Get("toISOString")); ok {
				if v, err := f(o); err == nil {
					text = v.String()
				}
			}
		})
		return p.joined(text, p.properties(o, level, indent, nil), "{", "}", level, indent, false)
	case "Array":
		length := int(p.get(o, "length").ToInteger())
		if !deeper && length > 0 {
			return "[" + orName(name, "Array") + "]"
		}
		p.enter(length > 0, level)
		head := ""
		if name != "Array" {
			head = prefix("Array", length)
		}
		return p.joined(head, p.elements(o, length, level, indent), "[", "]", level, indent, true)
	case "Map", "Set":
		if !deeper {
			return "[" + orName(name, class) + "]"
		}
		p.enter(true, level)
		return p.collection(o, class, prefix, level, indent)
	case "Number", "String", "Boolean", "BigInt", "Symbol":
		if inner, ok := primitive(o); ok {
			return p.joined("["+class+": "+inner+"]", nil, "{", "}", level, indent, false)
		}
	}
	if promise, ok := exported.(*goja.Promise); ok {
		body := "<pending>"
		switch promise.State() {
		case goja.PromiseStateFulfilled:
			body = p.value(promise.Result(), level+1, indent+2, false)
		case goja.PromiseStateRejected:
			body = "<rejected> " + p.value(promise.Result(), level+1, indent+2, false)
		}
		return p.joined("Promise ", []string{body}, "{", "}", level, indent, false)
	}
	if buffer, ok := exported.(goja.ArrayBuffer); ok {
		return p.joined("ArrayBuffer ", []string{"[Uint8Contents]: <" + hexDump(buffer.Bytes()) + ">", "byteLength: " + strconv.Itoa(len(buffer.Bytes()))}, "{", "}", level, indent, false)
	}
	if typed(name) || typedArray(o) {
		length := int(p.get(o, "length").ToInteger())
		if name == "Buffer" {
			if b, ok := exported.([]byte); ok {
				return "<Buffer " + hexDump(b) + ">"
			}
		}
		if !deeper {
			return "[" + name + "]"
		}
		p.enter(true, level)
		return p.joined(prefix("TypedArray", length), p.elements(o, length, level, indent), "[", "]", level, indent, true)
	}
	some := len(o.Keys())+len(o.Symbols()) > 0
	if !deeper && some {
		return "[" + orName(name, "Object: null prototype") + "]"
	}
	p.enter(some, level)
	head := ""
	if name != "Object" {
		head = prefix("Object", -1)
	}
	if tag := o.GetSymbol(goja.SymToStringTag); tag != nil && goja.IsString(tag) && tag.String() != name {
		if head == "" {
			head = "Object "
		}
		head += "[" + tag.String() + "] "
	}
	return p.joined(head, p.properties(o, level, indent, nil), "{", "}", level, indent, false)
}

// enter notes how deep the objects written so far nest; empty ones do not count.
func (p *inspector) enter(some bool, level int) {
	if some {
		p.depth = level
	}
}

// kindOf is the class of an object, Map and Set told apart from plain objects.
func kindOf(o *goja.Object) string {
	class := o.ClassName()
	if class == "Object" {
		switch o.ExportType() {
		case mapType:
			return "Map"
		case setType:
			return "Set"
		}
	}
	return class
}

var (
	mapType = reflect.TypeFor[[][2]any]()
	setType = reflect.TypeFor[[]any]()
)

func orName(name, fallback string) string {
	if name == "" {
		return fallback
	}
	return name
}

func typed(name string) bool {
	switch name {
	case "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array", "Float32Array",
		"Float64Array", "BigInt64Array", "BigUint64Array", "Buffer":
		return true
	}
	return false
}

func typedArray(o *goja.Object) bool {
	for proto := o.Prototype(); proto != nil; proto = proto.Prototype() {
		if c, ok := proto.Get("constructor").(*goja.Object); ok && c.Get("name") != nil && typed(c.Get("name").String()) {
			return true
		}
	}
	return false
}

func primitive(o *goja.Object) (string, bool) {
	switch v := o.Export().(type) {
	case string:
		return quoteString(v), true
	case int64, float64, bool:
		return fmt.Sprint(v), true
	}
	return "", false
}

func hexDump(b []byte) string {
	var parts []string
	for i, c := range b {
		if i == 50 {
			parts = append(parts, "... "+strconv.Itoa(len(b)-50)+" more bytes")
			break
		}
		parts = append(parts, fmt.Sprintf("%02x", c))
	}
	return strings.Join(parts, " ")
}

func (p *inspector) functionText(o *goja.Object) string {
	name := p.text(o, "name")
	var source string
	p.vm.Try(func() { source = o.String() })
	if strings.HasPrefix(source, "class") {
		text := "[class " + orName(name, "(anonymous)")
		if parent := o.Prototype(); parent != nil {
			if base := p.text(parent, "name"); base != "" {
				text += " extends " + base
			}
		}
		return text + "]"
	}
	kind := "Function"
	if c := p.constructorName(o); c != "" {
		kind = c
	}
	if name == "" {
		return "[" + kind + " (anonymous)]"
	}
	return "[" + kind + ": " + name + "]"
}

func (p *inspector) errorText(o *goja.Object, level, indent int) string {
	header := p.rt.errorOf(p.vm, o, nil)
	text := header.Stack
	if !header.Thrown {
		text = o.String()
	}
	if len(header.Frames) == 0 {
		text = "[" + header.header() + "]"
	}
	if indent > 0 {
		text = strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", indent))
	}
	extra := p.properties(o, level, indent, func(key string) bool {
		return key == "stack" || key == "message" || key == "name"
	})
	if cause := p.get(o, "cause"); hasOwn(o, "cause") && cause != nil {
		extra = append(extra, "[cause]: "+p.value(cause, level+1, indent+2, false))
	}
	return p.joined(text, extra, "{", "}", level, indent, false)
}

// elements writes the items of an array-like, with its holes and its other properties.
func (p *inspector) elements(o *goja.Object, length, level, indent int) []string {
	var out []string
	holes := 0
	flush := func() {
		if holes == 1 {
			out = append(out, "<1 empty item>")
		} else if holes > 1 {
			out = append(out, "<"+strconv.Itoa(holes)+" empty items>")
		}
		holes = 0
	}
	isArray := o.ClassName() == "Array"
	present := map[string]bool{}
	if isArray {
		for _, k := range o.GetOwnPropertyNames() {
			present[k] = true
		}
	}
	for i := 0; i < length; i++ {
		if len(out) == inspectItems {
			out = append(out, more(length-i))
			break
		}
		key := strconv.Itoa(i)
		if isArray && !present[key] {
			holes++
			continue
		}
		flush()
		out = append(out, p.value(p.get(o, key), level+1, indent+2, false))
	}
	flush()
	if p.options.hidden && isArray {
		out = append(out, "[length]: "+strconv.Itoa(length))
	}
	return append(out, p.properties(o, level, indent, func(key string) bool { return isIndex(key) })...)
}

func more(n int) string {
	if n == 1 {
		return "... 1 more item"
	}
	return "... " + strconv.Itoa(n) + " more items"
}

func isIndex(key string) bool {
	_, err := strconv.ParseUint(key, 10, 32)
	return err == nil
}

func (p *inspector) collection(o *goja.Object, class string, prefix func(string, int) string, level, indent int) string {
	var out []string
	size := int(p.get(o, "size").ToInteger())
	p.vm.Try(func() {
		p.vm.ForOf(o, func(item goja.Value) bool {
			if len(out) == inspectItems {
				out = append(out, more(size-inspectItems))
				return false
			}
			if class == "Map" {
				pair := item.ToObject(p.vm)
				out = append(out, p.value(pair.Get("0"), level+1, indent+2, false)+" => "+p.value(pair.Get("1"), level+1, indent+2, false))
			} else {
				out = append(out, p.value(item, level+1, indent+2, false))
			}
			return true
		})
	})
	return p.joined(prefix(class, size), append(out, p.properties(o, level, indent, nil)...), "{", "}", level, indent, false)
}

// properties writes an object's own enumerable properties. Accessors are named, not called.
func (p *inspector) properties(o *goja.Object, level, indent int, skip func(string) bool) []string {
	var out []string
	describe, _ := goja.AssertFunction(p.vm.Get("Object").ToObject(p.vm).Get("getOwnPropertyDescriptor"))
	line := func(label string, key goja.Value, plain func() goja.Value) {
		text := ""
		if describe != nil {
			if d, err := describe(goja.Undefined(), o, key); err == nil {
				if desc, ok := d.(*goja.Object); ok {
					_, hasGet := desc.Get("get").(*goja.Object)
					_, hasSet := desc.Get("set").(*goja.Object)
					switch {
					case hasGet && hasSet:
						text = "[Getter/Setter]"
					case hasGet:
						text = "[Getter]"
					case hasSet:
						text = "[Setter]"
					}
				}
			}
		}
		if text == "" {
			text = p.value(plain(), level+1, indent+2, false)
		}
		out = append(out, label+": "+text)
	}
	for _, key := range o.Keys() {
		if skip != nil && skip(key) {
			continue
		}
		label := key
		if !isIdentifier(key) {
			label = quoteString(key)
		}
		line(label, p.vm.ToValue(key), func() goja.Value { return p.get(o, key) })
	}
	for _, s := range o.Symbols() {
		line("[Symbol("+s.String()+")]", s, func() goja.Value { return o.GetSymbol(s) })
	}
	return out
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && !(unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}
