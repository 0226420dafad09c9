package jsrt

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// Every name of ECMAScript 2025 is there, but for those that say themselves that they are not.
func TestNamesOfECMAScript2025(t *testing.T) {
	rt := start(t, Options{})
	for object, names := range map[string]string{
		"globalThis":            "AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape",
		"Array":                 "from fromAsync isArray of",
		"Array.prototype":       "at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toLocaleString toReversed toSorted toSpliced toString unshift values with",
		"String":                "fromCharCode fromCodePoint raw",
		"String.prototype":      "anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fixed fontcolor fontsize includes indexOf isWellFormed italics lastIndexOf link localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search slice small split startsWith strike sub substr substring sup toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase toWellFormed trim trimEnd trimStart valueOf",
		"Object":                "assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf groupBy hasOwn is isExtensible isFrozen isSealed keys preventExtensions seal setPrototypeOf values",
		"Object.prototype":      "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf",
		"Promise":               "all allSettled any race reject resolve try withResolvers",
		"Promise.prototype":     "catch finally then",
		"Map":                   "groupBy",
		"Map.prototype":         "clear delete entries forEach get has keys set size values",
		"Set.prototype":         "add clear delete difference entries forEach has intersection isDisjointFrom isSubsetOf isSupersetOf keys size symmetricDifference union values",
		"Iterator":              "from",
		"Iterator.prototype":    "drop every filter find flatMap forEach map reduce some take toArray",
		"Symbol":                "asyncIterator hasInstance isConcatSpreadable iterator match matchAll replace search species split toPrimitive toStringTag unscopables for keyFor",
		"RegExp":                "escape",
		"RegExp.prototype":      "compile exec test toString source flags global ignoreCase multiline dotAll unicode sticky hasIndices unicodeSets",
		"Math":                  "abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 f16round floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt tan tanh trunc E PI",
		"Number":                "EPSILON MAX_SAFE_INTEGER isFinite isInteger isNaN isSafeInteger parseFloat parseInt",
		"Date.prototype":        "getYear setYear toGMTString toISOString toJSON toLocaleDateString toLocaleString toLocaleTimeString",
		"ArrayBuffer.prototype": "byteLength maxByteLength resizable resize slice detached transfer transferToFixedLength",
		"Uint8Array.prototype":  "at buffer byteLength byteOffset copyWithin entries every fill filter find findIndex findLast findLastIndex forEach includes indexOf join keys lastIndexOf length map reduce reduceRight reverse set slice some sort subarray toLocaleString toReversed toSorted toString values with",
		"Reflect":               "apply construct defineProperty deleteProperty get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys preventExtensions set setPrototypeOf",
		"Error":                 "captureStackTrace isError stackTraceLimit",
		"WeakRef.prototype":     "deref",
	} {
		for _, name := range strings.Fields(names) {
			wantEval(t, rt, `"`+name+`" in `+object, "true")
		}
	}
	// What is not there is not there at all: touching it names it.
	for _, name := range []string{"Atomics", "SharedArrayBuffer", "Float16Array", "Temporal", "process", "require", "fetch"} {
		if _, err := eval(t, rt, name); err == nil || err.Error() != "ReferenceError: "+name+" is not defined" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatGojaLacked(t *testing.T) {
	rt := start(t, Options{})
	for source, want := range map[string]string{
		`(() => { const { promise, resolve } = Promise.withResolvers(); resolve(3); return promise })()`: "3",
		`Promise.try((a, b) => a + b, 1, 2)`:                                                                                        "3",
		`Promise.try(() => { throw new Error('x') }).catch(e => e.message)`:                                                         "x",
		`Object.groupBy([1, 2, 3], n => n % 2 ? 'odd' : 'even')`:                                                                    `{"odd":[1,3],"even":[2]}`,
		`[...Map.groupBy([1, 2, 3], n => n % 2).entries()]`:                                                                         `[[1,[1,3]],[0,[2]]]`,
		`Array.fromAsync([1, Promise.resolve(2)], n => n * 2)`:                                                                      "[2,4]",
		`Array.fromAsync({ [Symbol.asyncIterator]() { let i = 0; return { next: async () => ({ done: i === 2, value: i++ }) } } })`: "[0,1]",
		`[1, 2, 3, 4].values().filter(n => n % 2).map(n => n * 10).toArray()`:                                                       "[10,30]",
		`Iterator.from([1, 2, 3]).drop(1).take(1).toArray()`:                                                                        "[2]",
		`[1, 2].values().flatMap(n => [n, n]).reduce((a, b) => a + b)`:                                                              "6",
		`(() => { let closed = 0; const it = { __proto__: Iterator.prototype, next() { return { done: false, value: 1 } }, return() { closed++; return {} } }; it.take(2).toArray(); return [closed, it.some(x => x === 1), closed] })()`: "[1,true,2]",
		`new WeakRef({ a: 1 }).deref().a`:                                   "1",
		`'a\ud800'.isWellFormed() + 'a\ud800b'.toWellFormed()`:              "falsea\ufffdb",
		`Math.f16round(1.337)`:                                              "1.3369140625",
		`typeof Object.getOwnPropertyDescriptor(Array, 'fromAsync').value`:  "function",
		`Object.keys(Array.prototype).length + Object.keys(Promise).length`: "0",
	} {
		wantEval(t, rt, source, want)
	}
}

func TestURL(t *testing.T) {
	rt := start(t, Options{})
	for source, want := range map[string]string{
		`new URL('http://localhost:8080/a?b=1#c').origin`:   "http://localhost:8080",
		`new URL('http://localhost:80/').origin`:            "http://localhost",
		`new URL('../x', 'https://e.com/a/b/c').href`:       "https://e.com/a/x",
		`new URL('https://EXAMPLE.com:443/%7Ea/../b').href`: "https://example.com/b",
		`new URL('file:///etc/hosts').origin`:               "null",
		`new URL('data:text/html,<b>').pathname`:            "text/html,<b>",
		`new URL('blob:https://e.com/uuid').origin`:         "https://e.com",
		`URL.canParse('nope')`:                              "false",
		`URL.parse('nope')`:                                 "null",
		`URL.parse('/x', 'http://e.com').href`:              "http://e.com/x",
		`(() => { const u = new URL('http://e.com/?a=1'); u.searchParams.append('b', 'x y'); return u.href })()`:                                  "http://e.com/?a=1&b=x+y",
		`(() => { const u = new URL('http://e.com/?a=1'); const p = u.searchParams; u.search = '?q=2'; return p.get('q') + p.has('a') })()`:       "2false",
		`(() => { const u = new URL('http://e.com:81/p'); u.port = ''; u.protocol = 'https'; u.pathname = '/ü'; u.hash = 'h'; return u + '' })()`: "https://e.com/%C3%BC#h",
		`new URL('http://bücher.example/').hostname`:            "xn--bcher-kva.example",
		`JSON.stringify(new URL('http://u:p@e.com'))`:           `"http://u:p@e.com/"`,
		`new URLSearchParams({ a: '1', b: 'é&=+' }).toString()`: "a=1&b=%C3%A9%26%3D%2B",
		`[...new URLSearchParams('?a=1&a=2&b=%20+')].join('|')`: "a,1|a,2|b,  ",
		`(() => { const p = new URLSearchParams('c=3&a=1&b=2&a=0'); p.sort(); p.set('a', 9); p.delete('b'); return p + '' + p.size })()`: "a=9&c=32",
		`(() => { try { new URL('nope') } catch (e) { return e.name + e.code + e.message } })()`:                                         "TypeErrorERR_INVALID_URLInvalid URL",
	} {
		wantEval(t, rt, source, want)
	}
}

func TestWebGlobals(t *testing.T) {
	rt := start(t, Options{})
	for source, want := range map[string]string{
		`[...new TextEncoder().encode('é€')]`:                                      "[195,169,226,130,172]",
		`new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0xe2, 0x82]))`: "\ufffd",
		`(() => { const d = new TextDecoder(); return d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + d.decode(new Uint8Array([0xac])) })()`: "€",
		`new TextDecoder('utf-16le').decode(new Uint8Array([0x41, 0, 0x3d, 0xd8, 0, 0xde]))`:                                                            "A😀",
		`new TextDecoder('latin1').decode(new Uint8Array([0x80, 0xe9]))`:                                                                                "€é",
		`(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])) } catch (e) { return e.name } })()`:                    "TypeError",
		`atob(btoa('\xff\x00a'))`: "\u00ff\x00a",
		`(() => { try { btoa('€') } catch (e) { return e.name + e.code } })()`: "InvalidCharacterError5",
		`(() => { const o = { d: new Date(5), m: new Map([[1, { a: 1 }]]), r: /x/g, u: new Uint8Array([1, 2]) }; o.self = o; const c = structuredClone(o); return [c.self === c, +c.d, c.m.get(1).a, String(c.r), c.u[1], c.m !== o.m] })()`: `[true,5,1,"/x/g",2,true]`,
		`(() => { try { structuredClone(() => 1) } catch (e) { return e.name } })()`: "DataCloneError",
		`(() => { const c = new AbortController(); let n = 0; c.signal.addEventListener('abort', () => n++); c.signal.onabort = () => n += 10; c.abort(); c.abort(); return [n, c.signal.aborted, c.signal.reason.name] })()`: `[11,true,"AbortError"]`,
		`new Promise(done => { const s = AbortSignal.timeout(5); s.onabort = () => done(s.reason.name); setTimeout(() => {}, 50) })`:                                                                                          "TimeoutError",
		`AbortSignal.any([AbortSignal.abort('why')]).reason`: "why",
		`(() => { const t = new EventTarget(); const seen = []; t.addEventListener('x', { handleEvent(e) { seen.push(e.type, e.target === t) } }, { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); return seen })()`: `["x",true]`,
		`new CustomEvent('c', { detail: 4 }).detail`:                                                        "4",
		`/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())`: "true",
		`crypto.getRandomValues(new Uint32Array(4)).some(n => n > 0)`:                                       "true",
		`typeof performance.now()`:                                                                          "number",
		`Buffer.from('héllo').toString('base64') + Buffer.from('aGk=', 'base64') + Buffer.from('ff00', 'hex').toString('latin1').length`:                                               "aMOpbGxvhi2",
		`Buffer.concat([Buffer.from('a'), new Uint8Array([98])]).toString() + Buffer.byteLength('€') + Buffer.isBuffer(Buffer.alloc(1)) + Buffer.from('ab').equals(Buffer.from('ab'))`: "ab3truetrue",
		`Buffer.from('abc') instanceof Uint8Array && Buffer.from('abcd').slice(1, 3).toString() === 'bc'`:                                                                              "true",
		`JSON.stringify(Buffer.from([1, 2]))`:                                                     `{"type":"Buffer","data":[1,2]}`,
		`(() => { const b = Buffer.alloc(4); b.writeUInt32BE(258); return b.readUInt16LE(2) })()`: "513",
		`Buffer.from('a-_b', 'base64url').toString('hex')`:                                        "6befdb",
	} {
		wantEval(t, rt, source, want)
	}
}

func TestConsoleIsNodes(t *testing.T) {
	for _, c := range [][2]string{
		{`console.log('a %s %d %i %f %j %o %O %% %c!', 'b', '4.5', 4.9, '1.5x', {a:1}, [1], {x:{y:{z:{}}}}, 'css')`, "a b 4.5 4 1.5 {\"a\":1} [ 1, [length]: 1 ] { x: { y: { z: {} } } } % !\n"},
		{`console.log()`, "\n"},
		{`console.log('x', 1, true, null, undefined, 10n, Symbol('s'), -0)`, "x 1 true null undefined 10n Symbol(s) -0\n"},
		{`console.log({ a: 'it', b: [1, 'two', { c: { d: { e: 1 } } }], f() {}, g: class A {}, 'h-i': () => {} })`, "{\n  a: 'it',\n  b: [ 1, 'two', { c: [Object] } ],\n  f: [Function: f],\n  g: [class A],\n  'h-i': [Function: h-i]\n}\n"},
		{`console.log([1,,3], [undefined, null], new Map([['a', { b: 1 }]]), new Set([1, 'x']))`, "[ 1, <1 empty item>, 3 ] [ undefined, null ] Map(1) { 'a' => { b: 1 } } Set(2) { 1, 'x' }\n"},
		{`const o = { n: 1 }; o.self = o; console.log(o)`, "<ref *1> { n: 1, self: [Circular *1] }\n"},
		{`console.log(Array.from({ length: 30 }, (_, i) => i))`, "[\n   0,  1,  2,  3,  4,  5,  6,  7,  8,\n   9, 10, 11, 12, 13, 14, 15, 16, 17,\n  18, 19, 20, 21, 22, 23, 24, 25, 26,\n  27, 28, 29\n]\n"},
		{`console.log('%s', { toString() { return 'own' } }, [1, [2, [3]]])`, "own [ 1, [ 2, [ 3 ] ] ]\n"},
		{`console.log(new Date(0), /x/g, Promise.resolve(4), new (class Foo { a = 1 }), Object.create(null))`, "1970-01-01T00:00:00.000Z /x/g Promise { 4 } Foo { a: 1 } [Object: null prototype] {}\n"},
		{`console.log(new Uint8Array([1, 2]), Buffer.from('hi'), { get a() { return 1 }, set b(v) {} })`, "Uint8Array(2) [ 1, 2 ] <Buffer 68 69> { a: [Getter], b: [Setter] }\n"},
		{`console.log("it's", ["it's"], ['"\''])`, "it's [ \"it's\" ] [ `\"'` ]\n"},
	} {
		var out Capture
		rt := start(t, Options{Console: &out})
		if _, err := eval(t, rt, c[0]); err != nil {
			t.Errorf("%s: %v", c[0], err)
		}
		if got := out.Text(Stdout); got != c[1] {
			t.Errorf("%s\n got %q\nwant %q", c[0], got, c[1])
		}
	}
	var out Capture
	rt := start(t, Options{Console: &out})
	wantEval(t, rt, `console.error('e'); console.warn('w'); console.info('i'); console.debug('d'); 1`, "1")
	if out.Text(Stderr) != "e\nw\n" || out.Text(Stdout) != "i\nd\n" {
		t.Errorf("stderr %q stdout %q", out.Text(Stderr), out.Text(Stdout))
	}
	wantEval(t, rt, `let caught; try { console.log('x'.repeat(2 ** 20)) } catch (e) { caught = e.message } caught`, ErrOutputOverflow.Error())
	if out.Err() == nil {
		t.Error("the overflow was forgotten")
	}
}

func TestCompileWithASourceMap(t *testing.T) {
	// Line 2 of the script is line 10 of src/op.ts.
	m, _ := json.Marshal(map[string]any{"version": 3, "sources": []string{"src/op.ts"}, "names": []string{}, "mappings": ";AASA"})
	p, err := Compile("bundle.js", "\nthrow new Error('x')", m)
	if err != nil {
		t.Fatal(err)
	}
	rt := start(t, Options{})
	_, err = rt.Run(t.Context(), func(vm *goja.Runtime) (goja.Value, error) { return rt.RunProgram(vm, p) }, RunOptions{})
	if e, ok := err.(*Error); !ok || len(e.Frames) == 0 || e.Frames[0].File != "src/op.ts" || e.Frames[0].Line != 10 {
		t.Errorf("got %#v", err)
	}
}

func FuzzParseSourceMap(f *testing.F) {
	for _, mappings := range []string{"AAAA;AASA,CACA", "A", ";;;", "AAAAA,C", "gggggggggggggB", "!", "D"} {
		f.Add(mappings, 1, 1)
	}
	f.Fuzz(func(t *testing.T, mappings string, line, column int) {
		text, _ := json.Marshal(map[string]any{"version": 3, "sources": []string{"a.ts", "b.ts"}, "mappings": mappings})
		if m, err := parseSourceMap(text); err == nil {
			m.at(line, column)
		}
	})
}
