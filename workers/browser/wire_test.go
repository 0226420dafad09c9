package browser

import (
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
)

func TestWireValuesComeBack(t *testing.T) {
	shared := &Object{[]Property{{"k", 1.5}}}
	cyclic := &Array{}
	cyclic.Items = []Value{cyclic, shared, shared, "a\"\\\n\u2028\x01é"}
	for _, v := range []Value{
		nil, Undefined{}, true, "x", 2.0, math.Inf(-1), math.Copysign(0, -1), big.NewInt(-7), Date(1e12), Date(-62198755200000), URL("http://x/"),
		RegExp{"a/b", "gi"}, &ErrorValue{"E", "m", "s"}, TypedArray{"Int16Array", []byte{1, 0}}, ArrayBuffer{9}, &Array{[]Value{}}, &Object{[]Property{{"a", nil}}}, cyclic,
	} {
		raw, _, err := encodeValue(nil, v, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeValue(raw)
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%s came back as %#v, %v", raw, got, err)
		}
	}
	raw, _, _ := encodeValue(nil, math.NaN(), nil)
	if v, err := decodeValue(raw); err != nil || !math.IsNaN(v.(float64)) {
		t.Error(v, err)
	}
}

func TestForwardReferencesAreResolved(t *testing.T) {
	v, err := decodeValue([]byte(`{"$":"a","v":[{"$":"c","v":1},{"$":"o","k":["x"],"v":[{"$":"c","v":1}]}],"id":1}`))
	a, ok := v.(*Array)
	if err != nil || !ok || a.Items[0] != Value(a) || a.Items[1].(*Object).Properties[0].Value != Value(a) {
		t.Errorf("%#v %v", v, err)
	}
}

func TestEndlessArgumentsAreRefused(t *testing.T) {
	var v Value
	for range deepestValue + 2 {
		v = &Array{[]Value{v}}
	}
	if _, _, err := encodeValue(nil, v, nil); err == nil {
		t.Error("no error")
	}
}

func FuzzWire(f *testing.F) {
	for _, s := range []string{`null`, `{"$":"a","v":[1,{"$":"c","v":2}],"id":2}`, `{"$":"o","k":["a"],"v":[true]}`, `{"$":"t","k":"ui8","v":"AA=="}`, `{"$":"d","v":"2020-01-02T03:04:05.006Z"}`, `{"$":"b","v":"12"}`, `{"v":1}`, `[`, `{"$":"e","n":"a","m":"b","s":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := decodeValue(raw)
		if err != nil {
			return
		}
		// What was read can be sent.
		if _, _, err := encodeValue(nil, v, nil); err != nil && !strings.Contains(err.Error(), "too deeply") {
			t.Fatal(err)
		}
	})
}

func TestCallLogsShowRepetitionsOnce(t *testing.T) {
	got := formatCallLog([]string{"waiting", "  a", "  b", "  a", "  b", "", "end"})
	want := "\nCall log:\n  - waiting\n    2 × a\n      - b\n  - \n  - end\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFunctionsAreMadeExpressions(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"() => 1", "() => 1"},
		{"async x => x", "async x => x"},
		{"async (x) => x", "async (x) => x"},
		{"function f() {}", "function f() {}"},
		{"async function f() {}", "async function f() {}"},
		{"sum(a, b) { return a + b }", "function sum(a, b) { return a + b }"},
		{"async sum(a) { return a }", "async function sum(a) { return a }"},
		{"*gen() { yield 1 }", "function* gen() { yield 1 }"},
		{"async(a) { return a }", "function async(a) { return a }"},
		{"async => async", "async => async"},
		{"['a b'](x) { return x }", "function (x) { return x }"},
		{"/* c */ x => x", "/* c */ x => x"},
		{"class A {}", "class A {}"},
	} {
		if got := normalizeFunction(c.source); got != c.want {
			t.Errorf("%s\n gives %s\n want  %s", c.source, got, c.want)
		}
	}
}

func FuzzFunctions(f *testing.F) {
	f.Add("async(a) { return a }")
	f.Add("*")
	f.Add("/*")
	f.Fuzz(func(t *testing.T, s string) { _ = normalizeFunction(s) })
}
