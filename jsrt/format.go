package jsrt

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// format does what util.format of Node does: the first argument, when it is a string, may hold %s %d %i %f %j %o %O %c %%; what is left
// follows with a space between.
func (rt *Runtime) format(vm *goja.Runtime, args []goja.Value) string {
	if len(args) == 0 {
		return ""
	}
	var b strings.Builder
	rest := args
	if goja.IsString(args[0]) {
		text := args[0].String()
		rest = args[1:]
		if len(args) == 1 {
			return text
		}
		for {
			i := strings.IndexByte(text, '%')
			if i < 0 || i+1 == len(text) {
				break
			}
			b.WriteString(text[:i])
			verb := text[i+1]
			text = text[i+2:]
			if verb == '%' {
				b.WriteByte('%')
				continue
			}
			if len(rest) == 0 || !strings.ContainsRune("sdifjoOc", rune(verb)) {
				b.WriteString("%" + string(verb))
				continue
			}
			b.WriteString(rt.formatOne(vm, verb, rest[0]))
			rest = rest[1:]
		}
		b.WriteString(text)
		for _, v := range rest {
			b.WriteByte(' ')
			b.WriteString(rt.printed(vm, v))
		}
		return b.String()
	}
	for i, v := range rest {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(rt.printed(vm, v))
	}
	return b.String()
}

// printed is how an argument without a verb prints: strings as they are.
func (rt *Runtime) printed(vm *goja.Runtime, v goja.Value) string {
	if goja.IsString(v) {
		return v.String()
	}
	return rt.Inspect(vm, v)
}

func (rt *Runtime) formatOne(vm *goja.Runtime, verb byte, v goja.Value) string {
	_, isObject := v.(*goja.Object)
	_, isSymbol := v.(*goja.Symbol)
	number := func(parse func(goja.Value) float64) string {
		if goja.IsBigInt(v) {
			return v.String() + "n"
		}
		if isSymbol || isObject && verb != 'f' && verb != 'i' {
			return "NaN"
		}
		return numberText(parse(v))
	}
	switch verb {
	case 's':
		switch {
		case goja.IsNumber(v):
			return numberText(v.ToFloat())
		case goja.IsBigInt(v):
			return v.String() + "n"
		case isObject:
			o := v.(*goja.Object)
			if rt.ownToString(vm, o) {
				return v.String()
			}
			return rt.inspect(vm, v, inspectOptions{depth: 0, compact: true})
		case isSymbol:
			return "Symbol(" + v.(*goja.Symbol).String() + ")"
		}
		return v.String()
	case 'd':
		return number(func(v goja.Value) float64 { return v.ToFloat() })
	case 'i':
		return number(func(v goja.Value) float64 {
			f := leadingFloat(v.String())
			return math.Trunc(f)
		})
	case 'f':
		if isSymbol {
			return "NaN"
		}
		return numberText(leadingFloat(v.String()))
	case 'j':
		text, err := rt.stringify(vm, v)
		if err != nil {
			if strings.Contains(err.Error(), "circular") {
				return "[Circular]"
			}
			panic(err)
		}
		if text == nil || goja.IsUndefined(text) {
			return "undefined"
		}
		return text.String()
	case 'o':
		return rt.inspect(vm, v, inspectOptions{depth: 4, hidden: true})
	case 'O':
		return rt.Inspect(vm, v)
	}
	return "" // %c takes a style and prints nothing
}

// ownToString says whether String(o) says more than "[object Object]" or an error's own text.
func (rt *Runtime) ownToString(vm *goja.Runtime, o *goja.Object) bool {
	switch o.ClassName() {
	case "Error", "Date":
		return true
	case "Object":
	default:
		return false
	}
	f := o.Get("toString")
	base := vm.Get("Object").ToObject(vm).Get("prototype").ToObject(vm).Get("toString")
	if _, ok := goja.AssertFunction(f); !ok {
		return false
	}
	return !f.SameAs(base)
}

func (rt *Runtime) stringify(vm *goja.Runtime, v goja.Value) (goja.Value, error) {
	f, ok := goja.AssertFunction(vm.Get("JSON").ToObject(vm).Get("stringify"))
	if !ok {
		return nil, errors.New("JSON.stringify is not a function")
	}
	return f(goja.Undefined(), v)
}

// leadingFloat reads the number a text begins with, as parseFloat does.
func leadingFloat(s string) float64 {
	s = strings.TrimLeft(s, " \t\r\n\v\f\u00a0\ufeff")
	end := 0
	for end < len(s) && strings.IndexByte("+-.eE0123456789", s[end]) >= 0 {
		end++
	}
	if strings.HasPrefix(strings.TrimLeft(s, "+-"), "Infinity") {
		if strings.HasPrefix(s, "-") {
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	for ; end > 0; end-- {
		if f, err := strconv.ParseFloat(s[:end], 64); err == nil {
			return f
		}
	}
	return math.NaN()
}

// numberText is a number as inspect writes it: -0 keeps its sign.
func numberText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	return formatNumber(f)
}

// formatNumber is Number.prototype.toString.
func formatNumber(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	sign := exponent[:1]
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}
