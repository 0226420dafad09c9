// Package playwright runs page code: the body of an async function that sees page, context, browser and console, with Playwright's and
// Kernel's shapes over the engine of package workers/browser. It is the only place where JavaScript's runtime meets the engine.
//
// It runs in the worker process. It owns the JavaScript objects, the argument and result rules, listeners and handlers of page code. It
// must not know CDP, the wire or authored operations: the engine's methods are Playwright's, and everything here is turning JavaScript
// values into their arguments and answers back into values.
//
// Each mapping file has the same shape: a class function that lists its members by name, each promise or direct as in Playwright, reading
// its arguments on the runtime's owner and calling the engine on a goroutine of the runtime. A test finds engine methods that no member
// maps.
package playwright

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/workers/browser"
)

// MaxResult is how long a result's JSON may be, in bytes of UTF-8.
const MaxResult = 1 << 20

// Reply is what one call of page code came to.
type Reply struct {
	// Success is false when the code threw, did not parse, gave a result that is not JSON, or printed too much; Error then says why.
	Success bool
	// Result is the returned value's JSON; nil for undefined.
	Result json.RawMessage
	Error  string
	Stdout string
	// Stderr is what was printed there and, after a failure, the error's stack.
	Stderr string
}

// PageCode runs page code on one page. Its runtime's globalThis, timers, listeners and background promises live from call to call.
type PageCode struct {
	rt      *jsrt.Runtime
	m       *mapping
	call    sync.Mutex // one call at a time
	params  []goja.Value
	capture *jsrt.Capture // of the owner
}

// parameters are the names page code sees beside the globals.
var parameters = []string{"page", "context", "browser", "console"}

// RuntimeOptions are those of a runtime for page code.
func RuntimeOptions() jsrt.Options { return jsrt.Options{Name: codeName} }

// codeName is the file that positions in page code are in.
const codeName = "page.js"

// Load prepares a runtime for page code on page. The runtime belongs to the page code from then on: its console and its uncaught errors
// are the calls'. The caller closes it.
func Load(ctx context.Context, rt *jsrt.Runtime, page *browser.Page) (*PageCode, error) {
	p := &PageCode{rt: rt, capture: &jsrt.Capture{}}
	err := rt.Do(ctx, func(vm *goja.Runtime) error {
		p.m = newMapping(rt, vm)
		console := rt.NewConsole(vm, p)
		hidden(vm, vm.GlobalObject(), "console", console)
		p.params = []goja.Value{p.m.out(page), p.m.out(page.Context()), p.m.out(page.Context().Browser()), console}
		rt.HandleUncaught(func(e *jsrt.Error) {
			text := "Uncaught "
			if e.Unhandled {
				text = "Uncaught (in promise) "
			}
			// Output that is over its limit is the call's error already.
			_ = p.Print(jsrt.Stderr, text+e.Stack+"\n")
		})
		return nil
	})
	return p, err
}

// Print implements jsrt.Console: what is printed between two calls comes with the second.
func (p *PageCode) Print(stream jsrt.Stream, text string) error { return p.capture.Print(stream, text) }

// Execute runs code as the body of an async function and waits for its promise. The error is nil whenever the code came to an end of its
// own, be it a throw; it is a *jsrt.Interrupted when the runtime was interrupted, which the end of ctx does for good.
func (p *PageCode) Execute(ctx context.Context, code string) (Reply, error) {
	p.call.Lock()
	defer p.call.Unlock()
	var reply Reply
	program, err := jsrt.CompileAsyncBody(codeName, parameters, code)
	if err == nil {
		_, err = p.rt.Run(ctx, p.body(program), jsrt.RunOptions{Then: func(_ *goja.Runtime, v goja.Value) error {
			text, err := p.m.builtins.stringify(goja.Undefined(), v)
			if err != nil {
				return err
			}
			if !goja.IsUndefined(text) {
				reply.Result = json.RawMessage(text.String())
			}
			return nil
		}})
	}
	var stopped *jsrt.Interrupted
	if errors.As(err, &stopped) {
		return Reply{}, stopped
	}
	output, taken := p.take(ctx)
	if taken != nil {
		return Reply{}, taken
	}
	if err == nil && len(reply.Result) > MaxResult {
		err = errors.New("the result's JSON is over 1 MiB; return less, or in parts")
	}
	if over := output.Err(); over != nil {
		err = over
	}
	reply.Success = err == nil
	reply.Stdout, reply.Stderr = output.Text(jsrt.Stdout), output.Text(jsrt.Stderr)
	if err != nil {
		reply.Result = nil
		reply.Error = err.Error()
		stack := reply.Error
		var thrown *jsrt.Error
		if errors.As(err, &thrown) {
			reply.Error, stack = thrown.Message, thrown.Stack
			if thrown.Code != "" {
				reply.Error = thrown.Error()
			}
		}
		reply.Stderr = cut(reply.Stderr + stack + "\n")
	}
	return reply, nil
}

// body calls a compiled body with page code's parameters.
func (p *PageCode) body(program *jsrt.Program) func(*goja.Runtime) (goja.Value, error) {
	return func(vm *goja.Runtime) (goja.Value, error) {
		f, err := p.rt.RunProgram(vm, program)
		if err != nil {
			return nil, err
		}
		call, _ := goja.AssertFunction(f)
		return call(goja.Undefined(), p.params...)
	}
}

// Locator evaluates an expression of page code that gives a locator, such as `page.getByLabel("Receipt")`.
func (p *PageCode) Locator(ctx context.Context, expression string) (locator *browser.Locator, err error) {
	p.call.Lock()
	defer p.call.Unlock()
	program, err := jsrt.CompileAsyncBody(codeName, parameters, "return (\n"+expression+"\n);")
	if err != nil {
		return nil, err
	}
	_, err = p.rt.Run(ctx, p.body(program), jsrt.RunOptions{Then: func(_ *goja.Runtime, v goja.Value) error {
		var ok bool
		if locator, ok = selfOf(v).(*browser.Locator); !ok {
			return errors.New("the expression gives no locator")
		}
		return nil
	}})
	return locator, err
}

// take gives the output of the call that has ended and begins the next one's.
func (p *PageCode) take(ctx context.Context) (output *jsrt.Capture, err error) {
	err = p.rt.Do(ctx, func(*goja.Runtime) error {
		output, p.capture = p.capture, &jsrt.Capture{}
		return nil
	})
	return output, err
}

func cut(s string) string {
	if len(s) > jsrt.MaxOutput {
		return s[:jsrt.MaxOutput]
	}
	return s
}
