package jsrt

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
)

// goja drops the backslash of \p{…}, so that /\p{L}/u looks for the text p{L}. Property classes are therefore spelled out as ranges
// before goja sees a pattern: in literals by changing the parsed tree (the text, which evaluate sends to the page, stays as it is), in
// constructor calls by a proxy before RegExp. The pattern as written travels at the end of the one goja gets, in a group that matches
// zero times, and the source getter gives it back.

const (
	sourceMark = "(?:pomerado-"
	sourceEnd  = "){0}"
)

// hasProperty is the cheap test that comes before everything else here.
func hasProperty(text string) bool {
	return strings.Contains(text, `\p`) || strings.Contains(text, `\P`)
}

// expandProperties gives the pattern goja is to compile for one written for flags. It fails with the text of a SyntaxError.
func expandProperties(pattern, flags string) (string, error) {
	if !strings.Contains(flags, "u") || !hasProperty(pattern) {
		return pattern, nil
	}
	var b strings.Builder
	class := false
	changed := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '\\' && i+1 < len(pattern):
			letter := pattern[i+1]
			if letter != 'p' && letter != 'P' {
				b.WriteByte(c)
				b.WriteByte(letter)
				i++
				continue
			}
			rest := pattern[i+2:]
			end := strings.IndexByte(rest, '}')
			if !strings.HasPrefix(rest, "{") || end < 0 {
				return "", fmt.Errorf("Invalid regular expression: /%s/%s: Invalid property name", pattern, flags)
			}
			name := rest[1:end]
			spans, ok := propertySpans(name)
			if !ok {
				return "", fmt.Errorf("Invalid regular expression: /%s/%s: the property \\%c{%s} is not known here; spell the characters out as a class", pattern, flags, letter, name)
			}
			if letter == 'P' {
				spans = invert(spans)
			}
			if !class {
				b.WriteByte('[')
			}
			for _, s := range spans {
				writeRune(&b, s[0])
				if s[1] > s[0] {
					b.WriteByte('-')
					writeRune(&b, s[1])
				}
			}
			if !class {
				b.WriteByte(']')
			}
			i += 2 + end
			changed = true
			continue
		}
		b.WriteByte(c)
	}
	if !changed {
		return pattern, nil
	}
	b.WriteString(sourceMark + hex.EncodeToString([]byte(pattern)) + sourceEnd)
	return b.String(), nil
}

// writeRune writes a class member so that no parser takes it for anything else.
func writeRune(b *strings.Builder, r rune) {
	if r <= 0xa0 || r >= 0xd800 && r <= 0xdfff || r == 0x2028 || r == 0x2029 || r == 0xfeff || r >= 0xfff0 && r <= 0xffff {
		fmt.Fprintf(b, `\u{%x}`, r)
		return
	}
	b.WriteRune(r)
}

// writtenSource gives back the pattern as written.
func writtenSource(pattern string) string {
	if !strings.HasSuffix(pattern, sourceEnd) {
		return pattern
	}
	i := strings.LastIndex(pattern, sourceMark)
	if i < 0 {
		return pattern
	}
	text, err := hex.DecodeString(pattern[i+len(sourceMark) : len(pattern)-len(sourceEnd)])
	if err != nil {
		return pattern
	}
	return string(text)
}

var flagAdvice = map[string]string{
	"v": "write the classes out and use the flag u",
	"d": "use the match's index and the length of its text",
}

// unsupportedFlag finds d or v in goja's message about flags.
func unsupportedFlag(message string) (string, bool) {
	const head = "Invalid flags supplied to RegExp constructor '"
	i := strings.Index(message, head)
	if i < 0 {
		return "", false
	}
	flags, _, _ := strings.Cut(message[i+len(head):], "'")
	for _, f := range []string{"v", "d"} {
		if strings.Contains(flags, f) && strings.Trim(flags, "dgimsuvy") == "" {
			return f, true
		}
	}
	return "", false
}

// rewriteRegExps changes the patterns of a tree's regular expression literals, and makes its direct eval calls do the same with the
// texts they are given.
func rewriteRegExps(name, source string, shift int, tree *ast.Program) error {
	evals := strings.Contains(source, "eval")
	if !hasProperty(source) && !evals {
		return nil
	}
	var failed error
	visit(reflect.ValueOf(tree.Body), func(node any) {
		switch n := node.(type) {
		case *ast.RegExpLiteral:
			pattern, err := expandProperties(n.Pattern, n.Flags)
			if err != nil {
				if failed == nil {
					line, column := placeOf(source, int(n.Idx)-1)
					if line == 1 {
						column = max(column-shift, 1)
					}
					failed = syntaxError(name, err.Error(), line, column)
				}
				return
			}
			n.Pattern = pattern
		case *ast.CallExpression:
			callee, ok := n.Callee.(*ast.Identifier)
			if !evals || !ok || callee.Name != "eval" || len(n.ArgumentList) == 0 {
				return
			}
			if _, spread := n.ArgumentList[0].(*ast.SpreadElement); spread {
				return
			}
			if inner, ok := n.ArgumentList[0].(*ast.CallExpression); ok {
				if id, ok := inner.Callee.(*ast.Identifier); ok && id.Name == evalSourceName {
					return
				}
			}
			n.ArgumentList[0] = &ast.CallExpression{
				Callee:           &ast.Identifier{Name: evalSourceName, Idx: n.ArgumentList[0].Idx0()},
				LeftParenthesis:  n.ArgumentList[0].Idx0(),
				ArgumentList:     []ast.Expression{n.ArgumentList[0]},
				RightParenthesis: n.ArgumentList[0].Idx1(),
			}
		}
	})
	return failed
}

// evalSourceName is the global that prepares the text of a direct eval. No script can write its name as an identifier.
const evalSourceName = "%evalSource%"

// visit calls f for every node below v, parents first.
func visit(v reflect.Value, f func(node any)) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			visit(v.Elem(), f)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct || v.Elem().Type().PkgPath() != astPackage {
			return
		}
		f(v.Interface())
		visit(v.Elem(), f)
	case reflect.Struct:
		for i := range v.NumField() {
			switch v.Field(i).Kind() {
			case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Struct:
				visit(v.Field(i), f)
			}
		}
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Struct:
			for i := range v.Len() {
				visit(v.Index(i), f)
			}
		}
	}
}

const astPackage = "github.com/dop251/goja/ast"

// rewriteText spells out the property classes of a text that goja will parse itself (eval), by replacing its literals. A text that does
// not parse is left to goja's own error.
func rewriteText(text string) (string, error) {
	if !hasProperty(text) {
		return text, nil
	}
	tree, err := goja.Parse("", text, parserOptions...)
	if err != nil {
		return text, nil
	}
	var b strings.Builder
	at := 0
	var failed error
	visit(reflect.ValueOf(tree.Body), func(node any) {
		n, ok := node.(*ast.RegExpLiteral)
		if !ok || failed != nil || int(n.Idx)-1 < at {
			return
		}
		pattern, err := expandProperties(n.Pattern, n.Flags)
		if err != nil {
			failed = err
			return
		}
		start := int(n.Idx) - 1
		b.WriteString(text[at:start] + "/" + pattern + "/" + n.Flags)
		at = start + len(n.Pattern) + len(n.Flags) + 2
	})
	if failed != nil {
		return "", failed
	}
	return b.String() + text[at:], nil
}

// installRegExp puts the proxy before RegExp, and the getters that hide what was done.
func (rt *Runtime) installRegExp(vm *goja.Runtime) {
	global := vm.GlobalObject()
	native := global.Get("RegExp").(*goja.Object)
	proto := native.Get("prototype").(*goja.Object)
	construct, _ := goja.AssertConstructor(native)
	getter := func(name string) goja.Callable {
		f, _ := goja.AssertFunction(rt.accessor(vm, proto, name))
		return f
	}
	nativeSource, nativeFlags := getter("source"), getter("flags")
	must := func(v goja.Value, err error) goja.Value {
		if err != nil {
			panic(err)
		}
		return v
	}
	// prepare turns the arguments of a constructor call into those for goja.
	prepare := func(args []goja.Value) []goja.Value {
		var pattern, flags goja.Value = goja.Undefined(), goja.Undefined()
		if len(args) > 0 {
			pattern = args[0]
		}
		if len(args) > 1 {
			flags = args[1]
		}
		if o, ok := pattern.(*goja.Object); ok && o.ClassName() == "RegExp" {
			if goja.IsUndefined(flags) {
				return []goja.Value{pattern, must(nativeFlags(pattern))}
			}
			pattern = vm.ToValue(writtenSource(must(nativeSource(pattern)).String()))
		} else if ok || goja.IsUndefined(pattern) && goja.IsUndefined(flags) {
			return args
		}
		if !goja.IsUndefined(flags) {
			flags = flags.ToString()
		}
		text := pattern.ToString().String()
		if goja.IsUndefined(pattern) {
			text = ""
		}
		if f := flags.String(); !goja.IsUndefined(flags) {
			if flag, ok := unsupportedFlag("Invalid flags supplied to RegExp constructor '" + f + "'"); ok {
				panic(NewErrorValue(vm, "SyntaxError", "the regular expression flag "+flag+" is not supported in code that runs here; "+flagAdvice[flag], ""))
			}
			if hasProperty(text) {
				expanded, err := expandProperties(text, f)
				if err != nil {
					panic(NewErrorValue(vm, "SyntaxError", err.Error(), ""))
				}
				if expanded != text {
					pattern = vm.ToValue(expanded)
				}
			}
		}
		return []goja.Value{pattern, flags}
	}
	var self goja.Value
	proxy := vm.NewProxy(native, &goja.ProxyTrapConfig{
		Apply: func(_ *goja.Object, _ goja.Value, args []goja.Value) goja.Value {
			if len(args) > 0 && (len(args) == 1 || goja.IsUndefined(args[1])) {
				if o, ok := args[0].(*goja.Object); ok && o.ClassName() == "RegExp" && o.Get("constructor") == self {
					return o
				}
			}
			o, err := construct(nil, prepare(args)...)
			if err != nil {
				panic(err)
			}
			return o
		},
		Construct: func(_ *goja.Object, args []goja.Value, newTarget *goja.Object) *goja.Object {
			if newTarget == self {
				newTarget = nil
			}
			o, err := construct(newTarget, prepare(args)...)
			if err != nil {
				panic(err)
			}
			return o
		},
	})
	self = vm.ToValue(proxy)
	define(proto, "constructor", self)
	define(global, "RegExp", self)
	defineGetter(vm, proto, "source", func(call goja.FunctionCall) goja.Value {
		v := must(nativeSource(call.This))
		if text := v.String(); strings.HasSuffix(text, sourceEnd) {
			return vm.ToValue(writtenSource(text))
		}
		return v
	})
	for _, name := range []string{"hasIndices", "unicodeSets"} {
		defineGetter(vm, proto, name, func(goja.FunctionCall) goja.Value { return vm.ToValue(false) })
	}
	method(vm, proto, "toString", 0, func(call goja.FunctionCall) goja.Value {
		o := call.This.ToObject(vm)
		return vm.ToValue("/" + o.Get("source").String() + "/" + o.Get("flags").String())
	})
	compile, _ := goja.AssertFunction(proto.Get("compile"))
	method(vm, proto, "compile", 2, func(call goja.FunctionCall) goja.Value {
		return must(compile(call.This, prepare(call.Arguments)...))
	})
	instanceOf(vm, native)
	// What the last match left on the constructor is not kept: reading it must not give undefined.
	for _, name := range []string{"$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "input", "$_", "lastMatch", "$&", "lastParen", "$+",
		"leftContext", "$`", "rightContext", "$'"} {
		defineGetter(vm, native, name, func(goja.FunctionCall) goja.Value {
			panic(vm.NewTypeError("RegExp.%s is not supported in code that runs here; use the array that exec or match returns", name))
		})
	}
	method(vm, native, "escape", 1, func(call goja.FunctionCall) goja.Value {
		if !goja.IsString(call.Argument(0)) {
			panic(vm.NewTypeError("RegExp.escape needs a string"))
		}
		return vm.ToValue(escapeRegExp(call.Argument(0).String()))
	})
	define(global, evalSourceName, function(vm, "eval", 1, func(call goja.FunctionCall) goja.Value {
		if !goja.IsString(call.Argument(0)) {
			return call.Argument(0)
		}
		text := call.Argument(0).String()
		if err := checkNesting("eval", text); err != nil {
			rt.Throw(vm, err)
		}
		changed, err := rewriteText(text)
		if err != nil {
			panic(NewErrorValue(vm, "SyntaxError", err.Error(), ""))
		}
		if changed == text {
			return call.Argument(0)
		}
		return vm.ToValue(changed)
	}))
}

// escapeRegExp does what RegExp.escape of ECMAScript 2025 does.
func escapeRegExp(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case i == 0 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
			fmt.Fprintf(&b, `\x%02x`, r)
		case strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case strings.ContainsRune("\t\n\v\f\r", r):
			b.WriteString(map[rune]string{'\t': `\t`, '\n': `\n`, '\v': `\v`, '\f': `\f`, '\r': `\r`}[r])
		case strings.ContainsRune(",-=<>#&!%:;@~'`\" ", r) || r == 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == 0x1680 || r >= 0x2000 && r <= 0x200a || r == 0x2028 || r == 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000 || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
