package jsrt

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start gives a runtime that the test closes.
func start(t testing.TB, o Options) *Runtime {
	t.Helper()
	if o.Name == "" {
		o.Name = "test.js"
	}
	rt := New(t.Context(), o)
	t.Cleanup(rt.Close)
	return rt
}

// eval runs a script and gives its value, awaited, as text: JSON for objects.
func eval(t testing.TB, rt *Runtime, source string) (string, error) {
	t.Helper()
	var text string
	_, err := rt.Run(t.Context(), func(vm *goja.Runtime) (goja.Value, error) {
		return rt.RunSource(vm, "test.js", source)
	}, RunOptions{Sealed: true, Then: func(vm *goja.Runtime, v goja.Value) error {
		if _, ok := v.(*goja.Object); ok {
			j, err := rt.stringify(vm, v)
			if err != nil {
				return err
			}
			text = j.String()
			return nil
		}
		if goja.IsString(v) {
			text = v.String()
			return nil
		}
		text = rt.Inspect(vm, v)
		return nil
	}})
	return text, err
}

func wantEval(t *testing.T, rt *Runtime, source, want string) {
	t.Helper()
	got, err := eval(t, rt, source)
	if err != nil {
		t.Errorf("%s: %v", source, err)
	} else if got != want {
		t.Errorf("%s\n got %s\nwant %s", source, got, want)
	}
}

func TestOrderOfJobsAndTimers(t *testing.T) {
	rt := start(t, Options{})
	wantEval(t, rt, `(async () => {
		const order = [];
		setTimeout(() => order.push('timeout'), 10);
		setImmediate(() => order.push('immediate'));
		queueMicrotask(() => order.push('microtask'));
		Promise.resolve().then(() => order.push('job'));
		order.push('sync');
		await new Promise(done => setTimeout(done, 20));
		return order;
	})()`, `["sync","microtask","job","immediate","timeout"]`)
}

func TestTimers(t *testing.T) {
	rt := start(t, Options{})
	wantEval(t, rt, `(async () => {
		let n = 0;
		await new Promise(done => { const i = setInterval(() => { if (++n === 3) { clearInterval(i); done(); } }, 1); });
		const cleared = setTimeout(() => n = 100, 1);
		clearTimeout(+cleared);
		const args = await new Promise(done => setTimeout((...a) => done(a), 1, 'a', 2));
		const again = setTimeout(() => n++, 1);
		await new Promise(done => setTimeout(done, 10));
		return [n, args, typeof again.ref().unref().hasRef(), again[Symbol.toPrimitive]() === +again];
	})()`, `[4,["a",2],"boolean",true]`)
	if _, err := eval(t, rt, `setTimeout('text', 1)`); err == nil || !strings.Contains(err.Error(), "must be of type function") {
		t.Errorf("a string for a callback: %v", err)
	}
}

func TestSealedRunThatCanNeverSettle(t *testing.T) {
	rt := start(t, Options{})
	if _, err := eval(t, rt, `new Promise(() => {})`); !errors.Is(err, ErrNeverSettles) {
		t.Errorf("got %v", err)
	}
	if _, err := eval(t, rt, `setTimeout(() => {}, 1e6).unref(); new Promise(() => {})`); !errors.Is(err, ErrNeverSettles) {
		t.Errorf("with a timer that was unreferenced: %v", err)
	}
	wantEval(t, rt, `new Promise(done => setTimeout(done, 5, 'late'))`, "late")
}

func TestThrowsAndRejections(t *testing.T) {
	rt := start(t, Options{})
	for source, want := range map[string]string{
		"throw new TypeError('bad')":                                "TypeError: bad",
		"Promise.reject(new RangeError('far'))":                     "RangeError: far",
		"throw 'text'":                                              "Error: " + nonError,
		"Promise.reject(7)":                                         "Error: " + nonError,
		"throw { name: 'Odd', message: 'shape' }":                   "Odd: shape",
		"Promise.reject(new Error('alone')); new Promise(() => {})": "Error: alone",
		"setTimeout(() => { throw new Error('tick') }, 1); new Promise(d=>setTimeout(d,99))":      "Error: tick",
		"queueMicrotask(() => { throw new Error('micro') }); new Promise(d => setTimeout(d, 50))": "Error: micro",
	} {
		_, err := eval(t, rt, source)
		var e *Error
		if !errors.As(err, &e) || e.Error() != want {
			t.Errorf("%s: got %v, want %s", source, err, want)
		}
	}
	wantEval(t, rt, `const late = Promise.reject(new Error('seen')); late.catch(() => {}); 1`, "1")
}

func TestStackNamesThePlace(t *testing.T) {
	rt := start(t, Options{})
	_, err := eval(t, rt, "function inner() {\n  throw new Error('here');\n}\ninner();")
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e.Position() != "test.js:2:9" || e.Frames[0].Function != "inner" {
		t.Errorf("frames %+v", e.Frames)
	}
	if want := "Error: here\n    at inner (test.js:2:9)\n    at test.js:4:6"; e.Stack != want {
		t.Errorf("stack %q", e.Stack)
	}
}

func TestAsyncBodyCountsFromItsOwnFirstLine(t *testing.T) {
	rt := start(t, Options{})
	p, err := CompileAsyncBody("page.js", []string{"a", "b"}, "throw new Error(a + b) // tail")
	if err != nil {
		t.Fatal(err)
	}
	_, err = rt.Run(t.Context(), func(vm *goja.Runtime) (goja.Value, error) {
		f, err := rt.RunProgram(vm, p)
		if err != nil {
			return nil, err
		}
		call, _ := goja.AssertFunction(f)
		return call(goja.Undefined(), vm.ToValue("x"), vm.ToValue("y"))
	}, RunOptions{})
	var e *Error
	if !errors.As(err, &e) || e.Message != "xy" || e.Position() != "page.js:1:7" {
		t.Errorf("got %v at %v", err, e)
	}
	if _, err := CompileAsyncBody("page.js", nil, "}); (async function () {"); !errors.As(err, &e) || e.Code != CodeSyntax {
		t.Errorf("a body that closes itself: %v", err)
	}
}

func TestInterruptEndsLoopsWaitsAndGetters(t *testing.T) {
	reason := errors.New("told to stop")
	for name, source := range map[string]string{
		"loop":            `for (;;) {}`,
		"try loop":        `for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }`,
		"wait":            `new Promise(done => setTimeout(done, 1e6))`,
		"microtasks":      `(function f() { Promise.resolve().then(f) })()`,
		"getter of error": `throw Object.defineProperty(new Error(), 'message', { get() { for (;;) {} } })`,
		"proxy":           `throw new Proxy(new Error('x'), { get() { for (;;) {} } })`,
		"rejection":       `Promise.reject(new Proxy({}, { get() { for (;;) {} }, has() { for (;;) {} } }))`,
	} {
		t.Run(name, func(t *testing.T) {
			rt := start(t, Options{})
			ctx, cancel := context.WithCancelCause(t.Context())
			timer := time.AfterFunc(30*time.Millisecond, func() { cancel(reason) })
			defer timer.Stop()
			_, err := rt.Run(ctx, func(vm *goja.Runtime) (goja.Value, error) { return rt.RunSource(vm, "test.js", source) }, RunOptions{})
			var stopped *Interrupted
			if !errors.As(err, &stopped) || !errors.Is(err, reason) {
				t.Errorf("got %v", err)
			}
			<-rt.Yielded()
			if err := rt.Do(t.Context(), func(*goja.Runtime) error { return nil }); !errors.Is(err, reason) {
				t.Errorf("a call after the interrupt: %v", err)
			}
		})
	}
}

func TestDeadlineIsToldApartFromCancel(t *testing.T) {
	rt := start(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := rt.Run(ctx, func(vm *goja.Runtime) (goja.Value, error) { return rt.RunSource(vm, "a.js", "for(;;){}") }, RunOptions{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestStackOverflowIsAnErrorOfTheRun(t *testing.T) {
	rt := start(t, Options{})
	_, err := eval(t, rt, `(function f() { try { f() } catch {} })()`)
	var e *Error
	if !errors.As(err, &e) || e.Name != "RangeError" {
		t.Errorf("got %v", err)
	}
	wantEval(t, rt, "1 + 1", "2")
}

func TestHostOperations(t *testing.T) {
	rt := start(t, Options{})
	err := rt.Do(t.Context(), func(vm *goja.Runtime) error {
		return vm.Set("op", func(call goja.FunctionCall) goja.Value {
			fail := call.Argument(0).ToBoolean()
			return rt.Go(vm, func(ctx context.Context) (Finish, error) {
				if fail {
					return nil, errors.New("the disk is full")
				}
				return func(vm *goja.Runtime) (goja.Value, error) { return vm.ToValue("done"), nil }, nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	wantEval(t, rt, `op(false)`, "done")
	_, err = eval(t, rt, "async function caller() { await op(true) }\ncaller()")
	var e *Error
	if !errors.As(err, &e) || e.Error() != "Error: the disk is full" || e.Position() != "test.js:1:35" {
		t.Errorf("got %v at %+v", err, e)
	}
}

func TestHostOperationsEndWithTheRuntime(t *testing.T) {
	rt := New(t.Context(), Options{})
	started := make(chan struct{})
	ended := make(chan error, 1)
	if err := rt.Do(t.Context(), func(vm *goja.Runtime) error {
		rt.Go(vm, func(ctx context.Context) (Finish, error) {
			close(started)
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil, ctx.Err()
		})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	<-started
	rt.Close()
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("the operation ended with %v", err)
	}
}

func TestPostedErrorsFailTheRun(t *testing.T) {
	rt := start(t, Options{})
	_, err := rt.Run(t.Context(), func(vm *goja.Runtime) (goja.Value, error) {
		rt.Post(func(vm *goja.Runtime) {
			if _, err := vm.RunString(`throw new Error('in an event')`); err != nil {
				panic(err)
			}
		})
		return vm.RunString(`new Promise(() => {})`)
	}, RunOptions{})
	if err == nil || err.Error() != "Error: in an event" {
		t.Errorf("got %v", err)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(b.Context(), Options{}).Close()
	}
}

func TestArrowFunctionsKeepTheirWholeText(t *testing.T) {
	rt := start(t, Options{})
	for _, text := range []string{
		"() => ({ a: 1 })", "() => (1)", "() => ((1))", "x => (x, 2)", "x => x++", "x => new Foo(1)", "x => new Foo()", "x => `a${x}b`", "x => x ? 1 : (2)",
		"x => (1) + (2)", "x => x = (1)", "x => typeof (x)", "async x => await (x)", "x => (y => (z => (1)))", "x => ( 1 /* ) */ )", "x => y => ({})",
		"x => x ?? (y)", "x => ({ ...x })", "x=>(x)", "é => é", "é => (é.ü)", "x => x?.[0]", "x => x?.y", "x => f(...(a))", "x => /[)]/.test((x))",
		"x => ')' + ('(')", "(a, b = (1)) => (a)", "x => async () => (1)", "() => { return (1) }", "x => function () { return (1) }", "x => class { }",
	} {
		p, err := CompileAsyncBody("a.js", nil, "return String("+text+")")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var got string
		_, err = rt.Run(t.Context(), func(vm *goja.Runtime) (goja.Value, error) {
			f, err := rt.RunProgram(vm, p)
			if err != nil {
				return nil, err
			}
			call, _ := goja.AssertFunction(f)
			return call(goja.Undefined())
		}, RunOptions{Then: func(_ *goja.Runtime, v goja.Value) error { got = v.String(); return nil }})
		if err != nil || got != text {
			t.Errorf("%q came back as %q, %v", text, got, err)
		}
	}
}
