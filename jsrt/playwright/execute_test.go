package playwright

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/jsrt"
)

func TestResultsAreJSON(t *testing.T) {
	s := open(t)
	for code, result := range map[string]string{
		`return 1`:         `1`,
		`return undefined`: ``,
		`1 + 1`:            ``,
		`return null`:      `null`,
		`return { a: [1, undefined], b: undefined }`: `{"a":[1,null]}`,
		`return new Date(0)`:                         `"1970-01-01T00:00:00.000Z"`,
		`return [new Date(NaN), new Map([[1, 2]]), new Set([1]), /x/, new Error('e')]`: `[null,{},{},{},{}]`,
		`return { toJSON() { return 'own' } }`:                                         `"own"`,
		`return await Promise.resolve('é')`:                                            `"é"`,
		`return { then(f) { f('thenable') } }`:                                         `"thenable"`,
	} {
		s.want(code, result)
	}
	for code, part := range map[string]string{
		`return 10n`:                      "bigint",
		`return { a: () => 1 }`:           "function",
		`return Symbol('x')`:              "symbol",
		`return [NaN]`:                    "NaN",
		`return { a: -Infinity }`:         "-Infinity",
		`const o = {}; o.o = o; return o`: "circular",
		`return 'x'.repeat(2 ** 20)`:      "over 1 MiB",
		`return page`:                     "",
	} {
		reply := s.run(code)
		if part == "" {
			continue
		}
		if reply.Success || !strings.Contains(reply.Error, part) {
			t.Errorf("%s: success %v, error %q", code, reply.Success, reply.Error)
		}
	}
}

func TestFailuresOfPageCode(t *testing.T) {
	s := open(t)
	reply := s.run("console.log('out', 1); console.error('err');\nthrow new TypeError('bad');")
	if reply.Success || reply.Error != "bad" || reply.Stdout != "out 1\n" || reply.Stderr != "err\nTypeError: bad\n    at page.js:3:7\n" {
		t.Errorf("got %+v", reply)
	}
	reply = s.run("throw 'text'")
	if reply.Success || strings.Contains(reply.Error, "text") {
		t.Errorf("a thrown string: %+v", reply)
	}
	reply = s.run("const x = ;")
	if reply.Success || !strings.HasPrefix(reply.Error, "SyntaxError: ") || !strings.Contains(reply.Stderr, "page.js:2:") {
		t.Errorf("a syntax error: %+v", reply)
	}
	reply = s.run("for await (const x of []) {}")
	if reply.Success || !strings.Contains(reply.Error, "for await is not supported") {
		t.Errorf("for await: %+v", reply)
	}
	reply = s.run("try { console.log('x'.repeat(2 ** 20)) } catch {}\nreturn 1")
	if reply.Success || reply.Error != jsrt.ErrOutputOverflow.Error() {
		t.Errorf("an overflow that was caught: %+v", reply)
	}
	s.want("return 'next'", `"next"`)
}

func TestGlobalThisTimersAndPromisesLiveFromCallToCall(t *testing.T) {
	s := open(t)
	s.want(`globalThis.n = 1; setTimeout(() => { globalThis.n++; console.log('tick') }, 20); return n`, `1`)
	reply := s.run(`while (globalThis.n === 1) await new Promise(f => setTimeout(f, 5)); return globalThis.n`)
	if string(reply.Result) != "2" || reply.Stdout != "tick\n" {
		t.Errorf("got %+v", reply)
	}
	s.want(`void Promise.reject(new Error('nobody')); return 1`, `1`)
	reply = s.run(`await new Promise(f => setTimeout(f, 1))`)
	if !reply.Success {
		t.Errorf("a call after a rejection that nobody handled: %+v", reply)
	}
}

func TestDeadlineInterruptsForGood(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithTimeout(s.ctx, 50*time.Millisecond)
	defer cancel()
	_, err := s.code.Execute(ctx, `for (;;) { try { await page.evaluate(() => 1) } catch {} }`)
	var stopped *jsrt.Interrupted
	if !errors.As(err, &stopped) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
	if _, err := s.code.Execute(s.ctx, `return 1`); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call after it: %v", err)
	}
}
