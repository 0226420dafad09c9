package contract

import (
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// Texts that nest without end: each would have a recursive parser call itself once a repetition.
func TestTooDeepIsSeen(t *testing.T) {
	for _, unit := range []string{
		"[", "(", "{", "[a,", "{a;", "(a,", "!", "-", "a=>", "(a)=>", "async a=>", "x=>{a;", "if(a)", "if(a)b;else ", "if(a);else ", "if(a){}else ",
		"if(a){}/**/else ", "if(a){;}else ", "a?b:", "a?(b,c):", "a=", "a**", "await ", "new ", "typeof ", "void ", "yield ", "throw ", "`${", "`${a,",
		"for(;;)", "for(a of b)", "while(a)", "do ", "label:", "with(a)", "function a(){", "class A extends ", "class A{static{", "try{", "a={b(){",
		"let[a=[", "let{a={", "<T>", "(<A>", "type A<B=", "let a:keyof ", "let a:()=>", "let a:{b:c;d:", "let a:A extends B?C:", "declare module \"a\"{",
		"@(", "a.b(", "a?.[", "/[(]/.b(", "\"(\"+(", "// (\n(", "/* ( */(", "é(", "a<(", "}(",
	} {
		for _, prefix := range []string{"", "const a = ", "let a: "} {
			if _, what := tooDeep([]byte(prefix + strings.Repeat(unit, 2<<20/len(unit)))); what == "" {
				t.Errorf("%q without end after %q is accepted", unit, prefix)
			}
		}
	}
	if _, what := tooDeep([]byte("let a: " + strings.Repeat("A<B,", 1<<20))); what == "" {
		t.Error("type arguments without end are accepted")
	}
}

// What people and bundlers write is accepted, however long.
func TestOrdinaryLengthIsAccepted(t *testing.T) {
	for _, unit := range []string{
		"a;\n", "a,", "[1,2],", "{\"a\": [1, 2, {\"b\": \"[[[[\"}]},\n", "// ((((\n", "/* (((( */", "'((((';", "`((((`;", "/[(/]((((/;", "x.y(1);\n",
		"function f(a) {\n  if (a) return b\n  return c\n}\n", "if (a) {} else {}\n", "for (let i = 0; i < n; i++) {\n  if (i < m) continue;\n}\n",
		"class A { b = 1; c() { return `${a}`; } }\n", "import a from \"b\";\n", "const f = (a) => a < 1 && b > 2;\n", "switch (a) { case 1: b(); break; }\n",
		"type A = Map<string, Array<number>>;\n", "try { a() } catch { b() } finally { c() }\n", "a = b << 3 | c >>> 29;\n",
	} {
		text := strings.Repeat(unit, 200_000/len(unit))
		if at, what := tooDeep([]byte(text)); what != "" {
			t.Errorf("%q many times is refused at %d: %s", unit, at, what)
		}
	}
}

// What the scan accepts, esbuild's parser survives. A crash of the process is the failure.
func FuzzAcceptedTextParses(f *testing.F) {
	for _, seed := range []string{"a?b:", "let a:A<B,", "if(a)b;else ", "a;b=>", "`${`", "/[/", "x=>{", "\\u0061 ", "}{", "<!--", "'\\", "]["} {
		f.Add(seed, uint16(3), true)
	}
	f.Fuzz(func(t *testing.T, unit string, count uint16, ts bool) {
		if len(unit) == 0 || len(unit) > 64 {
			return
		}
		text := strings.Repeat(unit, int(count))
		at, what := tooDeep([]byte(text))
		if what != "" {
			if at < 0 || at >= len(text) {
				t.Fatalf("refused at %d of %d", at, len(text))
			}
			return
		}
		loader := api.LoaderJS
		if ts {
			loader = api.LoaderTS
		}
		api.Transform(text, api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}"})
	})
}

// The scan reads any bytes to their end, and gives an offset inside them when it refuses.
func FuzzNesting(f *testing.F) {
	for _, seed := range []string{"", "a", "`${`${a}`}`", "/a[/]/g", "\"\\\"\"", "/* ", "// \n", "((()))", "}}}", "a<b>c", "é\xff", "if(a);else b"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if at, what := tooDeep(text); what != "" && (at < 0 || at >= len(text)) {
			t.Fatalf("refused at %d of %d", at, len(text))
		}
	})
}
