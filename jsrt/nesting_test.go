package jsrt

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

func TestSourceThatWouldOverflowTheParser(t *testing.T) {
	for name, source := range map[string]string{
		"brackets":   strings.Repeat("[", 4<<20),
		"braces":     strings.Repeat("{", 1<<20),
		"calls":      strings.Repeat("f(", 1<<20),
		"not":        strings.Repeat("!", 4<<20) + "1",
		"sum":        "a" + strings.Repeat("+a", 2<<20),
		"ternary":    strings.Repeat("a?b:", 1<<20) + "c",
		"arrows":     strings.Repeat("a=>", 1<<20) + "1",
		"assign":     strings.Repeat("a=", 1<<20) + "1",
		"else if":    strings.Repeat("if(a){}else ", 1<<20) + ";",
		"if":         strings.Repeat("if(a)", 1<<20) + ";",
		"labels":     strings.Repeat("a:", 1<<20) + ";",
		"templates":  strings.Repeat("`${", 1<<20),
		"typeof":     strings.Repeat("typeof ", 1<<20) + "1",
		"members":    "a" + strings.Repeat(".b", 2<<20),
		"new":        strings.Repeat("new ", 1<<20) + "a",
		"do":         strings.Repeat("do ", 1<<20) + ";",
		"exponent":   strings.Repeat("a**", 1<<20) + "a",
		"in strings": strings.Repeat("[", 3000) + `")))))"` + strings.Repeat("[", 3000),
	} {
		_, err := Compile(name+".js", source, nil)
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeTooDeep {
			t.Errorf("%s: got %.200v", name, err)
		}
	}
}

// What the limits let through must leave the stack far from the 1 GB at which Go gives up: here it may take a quarter.
func TestDeepestAllowedSourceFitsTheStack(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(256 << 20))
	chain := maxChain/2 - 10
	for name, source := range map[string]string{
		"brackets":     strings.Repeat("[", MaxNesting-1) + strings.Repeat("]", MaxNesting-1),
		"calls":        strings.Repeat("f(", MaxNesting-1) + strings.Repeat(")", MaxNesting-1),
		"blocks":       strings.Repeat("{", MaxNesting-1) + strings.Repeat("}", MaxNesting-1),
		"functions":    strings.Repeat("(()=>{", (MaxNesting-2)/2) + strings.Repeat("})", (MaxNesting-2)/2),
		"not":          strings.Repeat("!", 2*chain) + "1",
		"sum":          "var a=1;a" + strings.Repeat("+a", chain),
		"ternary":      "var a;" + strings.Repeat("a?a:", chain/2) + "a",
		"arrows":       "f=" + strings.Repeat("a=>", chain/2) + "1",
		"assign":       "var a;" + strings.Repeat("a=", chain) + "1",
		"else if":      strings.Repeat("if(0){}else ", chain/2) + ";",
		"if":           strings.Repeat("if(0)", chain/2) + ";",
		"typeof":       strings.Repeat("typeof ", chain) + "1",
		"members":      "var a={};a?" + strings.Repeat(".b?", chain/2) + ".b",
		"and":          "var a=1;a" + strings.Repeat("&&a", chain/2),
		"nullish":      "var a;a" + strings.Repeat("??a", chain/2),
		"sum of calls": "f=a=>1;1" + strings.Repeat("+f(1)", chain/2),
	} {
		rt := start(t, Options{})
		if _, err := eval(t, rt, source); err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Code == CodeTooDeep {
				t.Errorf("%s: %.200v", name, err)
			}
		}
	}
}

func TestOrdinarySourceIsNotTooDeep(t *testing.T) {
	var b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&b, "function f%d(a) { if (a / 2 > 1 && /[(\"']/.test(a)) { return `x${a ? `y${a}` : '('}` } else if (a) { return [a, { b: ')' }] } }\n", i)
	}
	if _, err := Compile("big.js", b.String(), nil); err != nil {
		t.Error(err)
	}
	b.Reset()
	b.WriteString("x = [")
	for i := range 200_000 {
		fmt.Fprintf(&b, "%d, ", i)
	}
	b.WriteString("]")
	if _, err := Compile("array.js", b.String(), nil); err != nil {
		t.Error(err)
	}
	if _, err := Compile("strings.js", "x = "+strings.Repeat(`"(((([[[["+`, 5000)+`""; // ((((`+"\n/* [[[[ */", nil); err != nil {
		t.Error(err)
	}
}

func TestSyntaxNodeHasAndWeLackIsNamed(t *testing.T) {
	for source, want := range map[string]string{
		"async function f() { for await (const x of []) {} }": "for await is not supported",
		"for await (const x of y) {}":                         "for await is not supported",
		"async function* g() {}":                              "an async generator is not supported",
		"const g = async function* () {}":                     "an async generator is not supported",
		"const o = { async *m() {} }":                         "an async generator is not supported",
		"class A { async *m() {} }":                           "an async generator is not supported",
		"const m = await import('fs')":                        "import() is not supported",
		"import fs from 'fs'":                                 "an import declaration is not supported",
		"export const a = 1":                                  "an export declaration is not supported",
		"{ using x = y }":                                     "a using declaration is not supported",
		"class A { get = 1 }":                                 "a class field named get",
		"class A { @dec m() {} }":                             "a decorator is not supported",
		"x = import.meta.url":                                 "import.meta is not supported",
		"x = /(?i:a)b/":                                       "inline flags",
	} {
		_, err := CompileAsyncBody("page.js", []string{"page"}, "const before = 1;\n"+source)
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeUnsupported || !strings.Contains(e.Message, want) {
			t.Errorf("%s: got %v", source, err)
		} else if e.Frames[0].Line != 2 {
			t.Errorf("%s: at %s", source, e.Position())
		}
	}
	for _, source := range []string{"const x = ;", "if (", "let a; let a;", "function (", "x = 'abc", "for (const x of )"} {
		_, err := CompileAsyncBody("page.js", nil, source)
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeSyntax {
			t.Errorf("%s: got %#v", source, err)
		}
	}
}

func FuzzCheckNesting(f *testing.F) {
	for _, seed := range []string{"a", "`${`${1}`}`", "/[/]/g", "a/b/c", "}}}", "'\\", "/*", "//", "x\u2028y", "\\u0061", "if(a)/b/.c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		s := scanner{source: source}
		s.tooDeep()
		if len(s.levels) == 0 || s.total < 0 {
			t.Errorf("levels %d, total %d", len(s.levels), s.total)
		}
	})
}
