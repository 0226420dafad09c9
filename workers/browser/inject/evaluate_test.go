package inject_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// evaluators are the evaluator's object ids in the page's own world: alone, and as part of the whole program.
func (p *page) evaluators() map[string]string {
	p.t.Helper()
	scripts, err := programs()
	p.must(err)
	return map[string]string{"alone": p.object(scripts[1]+"({})", 0), "whole": p.object("("+scripts[0]+"({})).evaluator", 0)}
}

func (p *page) wire(evaluator string, source string, args ...any) string {
	p.t.Helper()
	list := []any{}
	var handles []any
	for _, arg := range args {
		if handle, ok := arg.(object); ok {
			list = append(list, options{"$": "h", "v": len(handles)})
			handles = append(handles, handle)
			continue
		}
		list = append(list, arg)
	}
	result := p.invoke(evaluator, true, "evaluate", append([]any{code(source), list}, handles...)...)
	if text := result.thrown(); text != "" {
		return "threw " + strings.SplitN(text, "\n", 2)[0]
	}
	return string(result.Result.Value)
}

func TestResultsOnTheWire(t *testing.T) {
	p := setContent(t, "<p id=p>x")
	evaluator := p.evaluators()["alone"]
	for source, want := range map[string]string{
		"() => 1":                        `1`,
		"() => 'é\\u0000'":               `"é\u0000"`,
		"() => true":                     `true`,
		"() => null":                     `null`,
		"() => undefined":                `{"$":"u"}`,
		"() => () => 1":                  `{"$":"u"}`,
		"() => Symbol()":                 `{"$":"u"}`,
		"() => NaN":                      `{"$":"n","v":"NaN"}`,
		"() => Infinity":                 `{"$":"n","v":"Infinity"}`,
		"() => -Infinity":                `{"$":"n","v":"-Infinity"}`,
		"() => -0":                       `{"$":"n","v":"-0"}`,
		"() => 10n ** 20n":               `{"$":"b","v":"100000000000000000000"}`,
		"() => new Date(0)":              `{"$":"d","v":"1970-01-01T00:00:00.000Z"}`,
		"() => new Date('x')":            `{"$":"d","v":null}`,
		"() => new URL('http://a.b/c')":  `{"$":"l","v":"http://a.b/c"}`,
		"() => /a\\/b/gi":                `{"$":"r","f":"gi","v":"a\\/b"}`,
		"() => [1, [2], {a: undefined}]": `{"$":"a","v":[1,{"$":"a","v":[2]},{"$":"o","k":["a"],"v":[{"$":"u"}]}]}`,
		"() => [ , 1]":                   `{"$":"a","v":[{"$":"u"},1]}`,
		"() => ({b: 1, a: {c: null}})":   `{"$":"o","k":["b","a"],"v":[1,{"$":"o","k":["c"],"v":[null]}]}`,
		"() => new Map([[1, 2]])":        `{"$":"o","k":[],"v":[]}`,
		"() => new Set([1])":             `{"$":"o","k":[],"v":[]}`,
		"() => new Uint8Array([1, 255])": `{"$":"t","k":"ui8","v":"Af8="}`,
		"() => new Uint8Array([0, 1, 255, 0]).subarray(1, 3)": `{"$":"t","k":"ui8","v":"Af8="}`,
		"() => new Float64Array([1])":                         `{"$":"t","k":"f64","v":"AAAAAAAA8D8="}`,
		"() => new BigInt64Array([1n])":                       `{"$":"t","k":"bi64","v":"AQAAAAAAAAA="}`,
		"() => new Uint8Array([7]).buffer":                    `{"$":"x","v":"Bw=="}`,
		"() => { const a = []; a.push(a); return a }":         `{"$":"a","id":1,"v":[{"$":"c","v":1}]}`,
		"() => { const a = {}; return [a, a, {}] }":           `{"$":"a","v":[{"$":"o","id":1,"k":[],"v":[]},{"$":"c","v":1},{"$":"o","k":[],"v":[]}]}`,
		"() => window":        `"ref: <Window>"`,
		"() => document":      `"ref: <Document>"`,
		"() => document.body": `"ref: <Node>"`,
		"() => ({d: [document.createTextNode('')]})":                                 `{"$":"o","k":["d"],"v":[{"$":"a","v":["ref: <Node>"]}]}`,
		"() => Object.assign(Object.create({inherited: 1}), {own: 2})":               `{"$":"o","k":["own"],"v":[2]}`,
		"() => ({get bad() { throw 1 }, good: 1})":                                   `{"$":"o","k":["good"],"v":[1]}`,
		"() => ({toJSON: () => 'no', data: 1})":                                      `{"$":"o","k":["toJSON","data"],"v":[{"$":"o","k":[],"v":[]},1]}`,
		"() => new (class { toJSON() { return {x: 1} } })()":                         `{"$":"o","k":["x"],"v":[1]}`,
		"() => new (class { toJSON() { throw 1 } })()":                               `{"$":"o","k":[],"v":[]}`,
		"() => new Proxy({}, {ownKeys() { throw 1 }})":                               `{"$":"u"}`,
		"() => ({[Symbol.toStringTag]: 'Date'})":                                     `{"$":"o","k":[],"v":[]}`,
		"() => Promise.resolve(5)":                                                   `5`,
		"async () => -0":                                                             `{"$":"n","v":"-0"}`,
		"() => ({then(f) { f('thenable') }})":                                        `"thenable"`,
		"function() { return typeof this }":                                          `"object"`,
		"() => { throw new TypeError('bad') }":                                       "threw TypeError: bad",
		"async () => { throw new TypeError('worse') }":                               "threw TypeError: worse",
		"() => { throw 'text' }":                                                     "threw text",
		"d => { let o = {}; for (let i = 0; i < 90; i++) o = {o}; return typeof o }": `"object"`,
		"() => { let o = {}; for (let i = 0; i < 200; i++) o = {o}; return o }":      "threw Cannot serialize result: object reference chain is too long.",
	} {
		if got := p.wire(evaluator, source); !sameJSON(got, want) {
			t.Errorf("%s gives %s, wanted %s", source, got, want)
		}
	}
	var failure struct{ Kind, N, M, S string }
	p.must(json.Unmarshal([]byte(p.wire(evaluator, "() => { class MyError extends Error { name = 'MyError' } return new MyError('m') }")), &failure))
	if failure.N != "MyError" || failure.M != "m" || !strings.HasPrefix(failure.S, "MyError: m\n") {
		t.Errorf("an error is %+v", failure)
	}
	// Deep enough for anything sensible, and through the protocol.
	if got := p.wire(evaluator, "() => { let o = 1; for (let i = 0; i < 95; i++) o = [o]; return o }"); strings.Count(got, `"a"`) != 95 {
		t.Errorf("95 levels: %s", got)
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return reflect.DeepEqual(x, y)
}

func TestArgumentsOnTheWire(t *testing.T) {
	p := setContent(t, "<p id=p>x")
	for name, evaluator := range p.evaluators() {
		for _, c := range []struct {
			arg    any
			source string
		}{
			{1, "a => a === 1"},
			{nil, "a => a === null"},
			{options{"$": "u"}, "a => a === undefined"},
			{options{"$": "n", "v": "NaN"}, "a => Number.isNaN(a)"},
			{options{"$": "n", "v": "-0"}, "a => Object.is(a, -0)"},
			{options{"$": "n", "v": "Infinity"}, "a => a === Infinity"},
			{options{"$": "n", "v": "-Infinity"}, "a => a === -Infinity"},
			{options{"$": "b", "v": "12"}, "a => a === 12n"},
			{options{"$": "d", "v": "1970-01-01T00:00:00.000Z"}, "a => a instanceof Date && a.getTime() === 0"},
			{options{"$": "d", "v": nil}, "a => a instanceof Date && Number.isNaN(a.getTime())"},
			{options{"$": "l", "v": "http://a.b/"}, "a => a instanceof URL && a.href === 'http://a.b/'"},
			{options{"$": "r", "v": "a", "f": "gi"}, "a => a instanceof RegExp && String(a) === '/a/gi'"},
			{options{"$": "e", "n": "N", "m": "M", "s": "S"}, "a => a instanceof Error && a.name === 'N' && a.message === 'M' && a.stack === 'S'"},
			{options{"$": "t", "k": "ui16", "v": "AQA="}, "a => a instanceof Uint16Array && a.length === 1 && a[0] === 1"},
			{options{"$": "x", "v": "AQA="}, "a => a instanceof ArrayBuffer && a.byteLength === 2"},
			{options{"$": "a", "v": []any{1, options{"$": "o", "k": []any{"x", "__proto__"}, "v": []any{2, 3}}}}, "a => Array.isArray(a) && a[1].x === 2 && Object.getPrototypeOf(a[1]) === Object.prototype"},
			{options{"$": "o", "id": 1, "k": []any{"self"}, "v": []any{options{"$": "c", "v": 1}}}, "a => a.self === a"},
		} {
			if got := p.wire(evaluator, c.source, c.arg); got != "true" {
				t.Errorf("%s: %v: %s is %s", name, c.arg, c.source, got)
			}
		}
		element := object(p.object("document.getElementById('p')", 0))
		if got := p.wire(evaluator, "(a, b, c) => a === p && b === 2 && c === p", element, 2, element); got != "true" {
			t.Errorf("%s: handles: %s", name, got)
		}
	}
}

// Strings are scripts: the value of the last statement, called when it is a function.
func TestScripts(t *testing.T) {
	p := setContent(t, "")
	evaluator := p.evaluators()["alone"]
	for script, want := range map[string]string{
		"1 + 1":                      "2",
		"const a = 3; a * 2":         "6",
		"(a) => a + 1":               "6",
		"function f(a){return a}; f": "5",
		"var globalName = 7":         `{"$":"u"}`,
		"globalName":                 "7",
		"this === window":            "true",
	} {
		if script == "globalName" {
			p.invoke(evaluator, true, "evaluate", "var globalName = 7", []any{})
		}
		result := p.invoke(evaluator, true, "evaluate", script, []any{5})
		if got := string(result.Result.Value); !sameJSON(got, want) {
			t.Errorf("%s gives %s %s", script, got, result.thrown())
		}
	}
}

// A page may break what programs usually rest on, before and after ours is there.
func TestHostilePages(t *testing.T) {
	for name, hostility := range map[string]string{
		"JSON":    "JSON = null",
		"toJSON":  "Array.prototype.toJSON = Object.prototype.toJSON = () => 'busted'",
		"Object":  "Object.create = Object.defineProperty = Object.getOwnPropertyDescriptor = Object.getOwnPropertyNames = Object.getPrototypeOf = null",
		"Array":   "Array.prototype.map = Array.prototype.push = Array.prototype.forEach = Array.from = () => { throw 1 }",
		"Map":     "Map.prototype.get = Map.prototype.set = Map.prototype.has = Set.prototype.add = () => { throw 1 }",
		"Promise": "Promise = class { then() { throw 1 } }; Promise.resolve = null",
		"Symbol":  "Symbol = null",
		"classes": "Date = RegExp = URL = 'foo'",
		"nodes":   "Window = Document = Node = Element = null",
		"hasOwn":  "Object.prototype.hasOwnProperty = null; Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 1 }",
		"timers":  "setTimeout = requestAnimationFrame = performance = null",
		"strings": "String.prototype.charCodeAt = String.prototype.startsWith = String.fromCharCode = () => { throw 1 }",
	} {
		p := setContent(t, "")
		before := p.evaluators()["alone"]
		p.eval(hostility + "; 0")
		for when, evaluator := range map[string]string{"before": before, "after": ""} {
			if when == "after" {
				switch name {
				case "Map", "Symbol", "hasOwn", "timers", "strings":
					// Installed after that, the program has nothing to capture; these do not occur together with pages that work.
					continue
				}
				scripts, err := programs()
				p.must(err)
				evaluator = p.object(scripts[1]+"({})", 0)
			}
			got := p.wire(evaluator, "async a => { const o = {list: [1, a], big: 5n, not: NaN, bytes: new Uint8Array([1]), r: /x/g, e: undefined}; o.self = o; return o }", options{"$": "a", "v": []any{2, "x"}})
			want := `{"$":"o","id":1,"k":["list","big","not","bytes","r","e","self"],"v":[{"$":"a","v":[1,{"$":"a","v":[2,"x"]}]},{"$":"b","v":"5"},{"$":"n","v":"NaN"},{"$":"t","k":"ui8","v":"AQ=="},{"$":"r","v":"x","f":"g"},{"$":"u"},{"$":"c","v":1}]}`
			if !sameJSON(got, want) {
				t.Errorf("%s %s: %s", name, when, got)
			}
		}
	}
}

func TestWaitForFunction(t *testing.T) {
	p := newPage(t)
	p.navigate(server().URL + "/csp.html")
	for name, evaluator := range p.evaluators() {
		p.eval("window.flag = 0; setTimeout(() => window.flag = {x: 5}, 50); 0")
		for _, o := range []options{{"timeout": 20000}, {"timeout": 20000, "polling": 10}} {
			r := p.invoke(evaluator, true, "waitForFunction", code("a => window.flag && {got: window.flag.x + a}"), []any{1}, o)
			if got := string(r.Result.Value); got != `{"value":{"got":6}}` {
				t.Errorf("%s: %s %s", name, got, r.thrown())
			}
		}
		r := p.invoke(evaluator, true, "waitForFunction", "() => window.flag.x", []any{}, options{"timeout": 20000})
		if got := string(r.Result.Value); got != `{"value":5}` {
			t.Errorf("%s: a string: %s %s", name, got, r.thrown())
		}
		if r := p.invoke(evaluator, true, "waitForFunction", code("() => { throw new Error('bad') }"), []any{}, options{"timeout": 20000}); !strings.HasPrefix(r.thrown(), "Error: bad\n") {
			t.Errorf("%s: %s", name, r.thrown())
		}
		if r := p.invoke(evaluator, true, "waitForFunction", code("() => (window.count = (window.count || 0) + 1, false)"), []any{}, options{"timeout": 60}); r.Result.Subtype != "null" && string(r.Result.Value) != "null" {
			t.Errorf("%s: in vain: %+v", name, r)
		}
		before := p.eval("count")
		if after := p.eval("new Promise(f => setTimeout(() => f(count), 100))"); before != after || before == 0.0 {
			t.Errorf("%s: it was called %v times, later %v", name, before, after)
		}
		r = p.invoke(evaluator, true, "waitForFunction", code("async () => 7"), []any{}, options{"timeout": 20000})
		if got := string(r.Result.Value); got != `{"value":7}` {
			t.Errorf("%s: a promise: %s", name, got)
		}
		done := make(chan evaluation, 1)
		go func() {
			done <- p.invoke(evaluator, true, "waitForFunction", code("() => 0"), []any{}, options{"timeout": 50000, "call": 9})
		}()
		for aborted := false; !aborted; {
			select {
			case <-done:
				aborted = true
			case <-time.After(50 * time.Millisecond):
				p.session.Conn.Start(p.ctx, p.session.ID, "Runtime.callFunctionOn", map[string]any{
					"objectId": evaluator, "functionDeclaration": declaration, "arguments": []any{options{"value": "abort"}, options{"value": 9}}})
			}
		}
	}
}

func TestPageCodeOnElements(t *testing.T) {
	p := setContent(t, `<ul><li id=a>One</li><li id=b>Two</li></ul>`)
	on := func(method string, args ...any) reply {
		t.Helper()
		return p.decode(method, p.invoke(p.main, true, method, args...))
	}
	if r := on("evaluateOn", code("(e, n) => e.textContent + n"), "#a", []any{5}, options{"strict": true}, nil); r.Value != "One5" {
		t.Errorf("%+v", r)
	}
	if r := on("evaluateOn", code("async e => -0"), "#a", []any{}, options{}, nil); string(r.raw) != `{"$":"n","v":"-0"}` {
		t.Errorf("%+v", r)
	}
	if r := on("evaluateOn", code("e => e.id"), "li", []any{}, options{"strict": true}, nil); !strings.HasPrefix(r.Error, "Error: strict mode violation: locator('li')") {
		t.Errorf("%+v", r)
	}
	if r := p.invoke(p.main, true, "evaluateOn", code("e => { throw new TypeError('mine') }"), "#a", []any{}, options{}, nil); !strings.HasPrefix(r.thrown(), "TypeError: mine\n") {
		t.Errorf("%q", r.thrown())
	}
	if r := p.invoke(p.main, true, "evaluateOn", code("async e => { throw new TypeError('mine') }"), "#a", []any{}, options{}, nil); !strings.HasPrefix(r.thrown(), "TypeError: mine\n") {
		t.Errorf("%q", r.thrown())
	}
	p.eval(`setTimeout(() => document.body.innerHTML += '<p id=late>L</p>', 40)`)
	if r := on("evaluateOn", code("e => e.textContent"), "#late", []any{}, options{"timeout": 20000}, nil); r.Value != "L" {
		t.Errorf("%+v", r)
	}
	if r := p.invoke(p.main, true, "evaluateAll", code("(list, sep) => list.map(e => e.id).join(sep)"), "li", []any{"-"}, nil); string(r.Result.Value) != `"a-b"` {
		t.Errorf("%+v", r)
	}
	if r := p.invoke(p.main, true, "evaluateAll", code("list => list.length"), "i", []any{}, nil); string(r.Result.Value) != "0" {
		t.Errorf("%+v", r)
	}
	ref := p.callMain("find", "#b", options{}).Value.(map[string]any)["ref"]
	if r := p.invoke(p.main, false, "evaluateHandleOn", code("(e, n) => ({e, n})"), ref, []any{3}); r.Result.ObjectID == "" {
		t.Errorf("%+v", r)
	}
	p.eval("setTimeout(() => b.className = 'ready', 40)")
	if r := on("waitForFunctionOn", code("(e, c) => e.className === c"), "#b", []any{"ready"}, options{"timeout": 20000, "strict": true}, nil); r.Value != true || len(r.Log) != 1 {
		t.Errorf("%+v", r)
	}
	if r := on("waitForFunctionOn", code("e => 0"), "#b", []any{}, options{"timeout": 30}, nil); r.Retry == nil || r.Retry.Reason != "mismatch" {
		t.Errorf("%+v", r)
	}
	if r := p.invoke(p.main, true, "waitForFunctionOn", code("e => { throw new RangeError('r') }"), "#b", []any{}, options{"timeout": 20000}, nil); !strings.HasPrefix(r.thrown(), "RangeError: r\n") {
		t.Errorf("%q", r.thrown())
	}
}

// Nothing of the programs is on the page's globals.
func TestNothingOnGlobals(t *testing.T) {
	p := setContent(t, "")
	before := p.eval("Object.getOwnPropertyNames(window).length")
	p.evaluators()
	p.callMain("count", "li")
	if after := p.eval("Object.getOwnPropertyNames(window).length"); after != before {
		t.Errorf("%v names before, %v after", before, after)
	}
}
