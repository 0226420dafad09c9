// Package jsrt hosts JavaScript that authored operations and page code are written in: goja with an event loop, timers, console,
// source positions, the web globals scripts expect, and interrupts that end a run whatever it is doing. What goja gets silently wrong
// gives Node's answer here or a clear error.
//
// It runs in the worker process. It knows nothing of browsers, operations or the wire to the supervisor; packages that do give it
// values and host functions.
//
// One goroutine, started by [New], owns the goja runtime; every function that gets a *goja.Runtime is called on it, and no goja value
// may be touched on another. Each function given to the loop is one macrotask: when it returns, all promise jobs have run.
package jsrt

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// DefaultStackSize is the call depth at which a runtime gives up with a RangeError. JavaScript cannot catch it: goja unwinds to Go.
const DefaultStackSize = 4000

// ErrClosed is the reason of an interrupt made by [Runtime.Close].
var ErrClosed = errors.New("the JavaScript runtime is closed")

// Options say what a new runtime is made of. The zero value is a runtime whose console goes nowhere.
type Options struct {
	// Name is the file name of code that has none of its own, as it stands in stacks.
	Name string
	// Console takes what scripts print; nil drops it.
	Console Console
	// StackSize is the greatest call depth; 0 means DefaultStackSize.
	StackSize int
	// Uncaught takes rejections that nothing handled and errors thrown by timers. When nil they fail the runs under way, which is what
	// an authored operation wants; page code, whose background promises outlive a call, takes them itself.
	Uncaught func(*Error)
}

// Runtime is one goja runtime and the goroutine that owns it.
type Runtime struct {
	opts   Options
	vm     *goja.Runtime
	ctx    context.Context
	cancel context.CancelCauseFunc
	loop   sync.WaitGroup
	ops    sync.WaitGroup
	wake   chan struct{}

	mu       sync.Mutex
	queue    []task
	inside   bool            // the owner is inside a macrotask
	yielded  []chan struct{} // closed when it next is not
	stop     *Interrupted    // set once: no script runs after it
	finished bool            // the loop has ended

	// What follows belongs to the owner goroutine.
	timers   timers
	runs     []*run
	pending  int // host operations that keep a sealed run alive
	started  time.Time
	rejected []*goja.Promise
	places   map[string]placing // by file name
}

// task is one macrotask. drop is called instead of run when the runtime was interrupted first.
type task struct {
	run  func(vm *goja.Runtime)
	drop func(error)
}

// New starts a runtime. ctx is the parent of every host operation's context; its end interrupts the runtime with its cause.
// The caller owes a Close.
func New(ctx context.Context, o Options) *Runtime {
	if o.StackSize == 0 {
		o.StackSize = DefaultStackSize
	}
	rt := &Runtime{opts: o, vm: goja.New(), wake: make(chan struct{}, 1), places: map[string]placing{}, started: time.Now()}
	rt.ctx, rt.cancel = context.WithCancelCause(ctx)
	rt.vm.SetMaxCallStackSize(o.StackSize)
	rt.vm.SetParserOptions(parserOptions...)
	rt.vm.SetPromiseRejectionTracker(rt.trackRejection)
	rt.install()
	stopWatching := context.AfterFunc(rt.ctx, func() { rt.Interrupt(context.Cause(rt.ctx)) })
	rt.loop.Go(func() {
		defer stopWatching()
		rt.serve()
	})
	return rt
}

// Close interrupts the runtime and waits for its goroutine and those of its host operations. It blocks while the owner is inside a Go
// function that does not end, which Interrupt cannot stop (see Yielded).
func (rt *Runtime) Close() {
	rt.Interrupt(ErrClosed)
	rt.ops.Wait()
	rt.loop.Wait()
}

// Interrupt ends everything the runtime does, for good: running script is stopped at its next instruction (catch and finally do not
// run), waiting runs fail with an [Interrupted] that wraps reason, host operations' contexts end with it as their cause. The first
// reason stays.
func (rt *Runtime) Interrupt(reason error) {
	if reason == nil {
		reason = context.Canceled
	}
	rt.mu.Lock()
	if rt.stop != nil {
		rt.mu.Unlock()
		return
	}
	rt.stop = &Interrupted{Reason: reason}
	rt.vm.Interrupt(reason)
	rt.mu.Unlock()
	rt.cancel(reason)
	rt.nudge()
}

// Interrupted is the error of everything that an interrupt ended. Unwrap gives the reason, so that a deadline is told apart from a
// cancellation with errors.Is.
type Interrupted struct{ Reason error }

func (e *Interrupted) Error() string { return "JavaScript was interrupted: " + e.Reason.Error() }

func (e *Interrupted) Unwrap() error { return e.Reason }

// Idle tells whether the owner is outside script and outside host functions called by it.
func (rt *Runtime) Idle() bool {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return !rt.inside
}

// Yielded gives a channel that is closed as soon as the owner is outside script. After an interrupt it tells whether the runtime could
// be stopped: a backtracking regular expression, a huge join or a giant allocation goes on regardless.
func (rt *Runtime) Yielded() <-chan struct{} {
	c := make(chan struct{})
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if rt.inside {
		rt.yielded = append(rt.yielded, c)
	} else {
		close(c)
	}
	return c
}

// Post gives the owner a macrotask, from any goroutine. It is dropped when the runtime is interrupted first. An error or panic inside
// f that comes from script counts as an uncaught error.
func (rt *Runtime) Post(f func(vm *goja.Runtime)) {
	rt.submit(task{run: func(*goja.Runtime) {
		if err := rt.enter(func(vm *goja.Runtime) error { f(vm); return nil }); err != nil {
			rt.uncaught(err)
		}
	}})
}

// Do runs f on the owner as a macrotask and waits for it. The end of ctx interrupts the runtime when f is running, and forgets f when
// it has not begun. It must not be called on the owner itself.
func (rt *Runtime) Do(ctx context.Context, f func(vm *goja.Runtime) error) error {
	type state int
	const (
		waiting state = iota
		begun
		forgotten
	)
	var mu sync.Mutex
	now := waiting
	done := make(chan error, 1)
	rt.submit(task{
		run: func(*goja.Runtime) {
			mu.Lock()
			if now == forgotten {
				mu.Unlock()
				return
			}
			now = begun
			mu.Unlock()
			done <- rt.enter(f)
		},
		drop: func(err error) { done <- err },
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		cause := context.Cause(ctx)
		mu.Lock()
		started := now == begun
		if !started {
			now = forgotten
		}
		mu.Unlock()
		if started {
			rt.Interrupt(cause)
		}
		return &Interrupted{Reason: cause}
	}
}

// submit queues a task, or drops it at once when nothing will run it.
func (rt *Runtime) submit(t task) {
	rt.mu.Lock()
	if rt.stop != nil {
		stop := rt.stop
		rt.mu.Unlock()
		if t.drop != nil {
			t.drop(stop)
		}
		return
	}
	rt.queue = append(rt.queue, t)
	rt.mu.Unlock()
	rt.nudge()
}

func (rt *Runtime) nudge() {
	select {
	case rt.wake <- struct{}{}:
	default:
	}
}

// serve is the owner goroutine: one macrotask at a time, each followed by what it left behind.
func (rt *Runtime) serve() {
	for {
		if stop := rt.stopped(); stop != nil {
			rt.abandon(stop)
			return
		}
		// One of each in turn, so that neither a flood of events nor one of timers keeps the other waiting.
		t, posted := rt.take()
		if posted {
			t.run(rt.vm)
			rt.settle()
		}
		fire := rt.timers.due(time.Now())
		if fire != nil {
			fire()
			rt.settle()
		}
		if posted || fire != nil || rt.failSealed() {
			continue
		}
		wait, stopTimer := rt.timers.wait()
		select {
		case <-rt.wake:
		case <-wait:
		}
		stopTimer()
	}
}

func (rt *Runtime) stopped() *Interrupted {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return rt.stop
}

func (rt *Runtime) take() (task, bool) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if len(rt.queue) == 0 {
		return task{}, false
	}
	t := rt.queue[0]
	rt.queue[0] = task{}
	rt.queue = rt.queue[1:]
	return t, true
}

// abandon tells everyone who waits that the runtime was interrupted.
func (rt *Runtime) abandon(stop *Interrupted) {
	rt.mu.Lock()
	queue := rt.queue
	rt.queue, rt.finished = nil, true
	rt.mu.Unlock()
	for _, r := range rt.runs {
		r.end(Settled{}, stop)
	}
	rt.runs = nil
	for _, t := range queue {
		if t.drop != nil {
			t.drop(stop)
		}
	}
}

// enter runs f inside the guard: interrupts, stack overflow and thrown values come back as errors of this package, and Idle is false
// meanwhile. All promise jobs have run when it returns.
func (rt *Runtime) enter(f func(vm *goja.Runtime) error) (err error) {
	rt.mu.Lock()
	if rt.stop != nil {
		defer rt.mu.Unlock()
		return rt.stop
	}
	rt.inside = true
	rt.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a host function failed: %v", p)
			rt.Interrupt(err)
		}
		rt.leave()
	}()
	err = rt.guarded(f)
	var thrown *goja.Exception
	if errors.As(err, &thrown) {
		var converted *Error
		if again := rt.guarded(func(vm *goja.Runtime) error { converted = rt.errorOf(vm, thrown.Value(), thrown.Stack()); return nil }); again != nil {
			return rt.convert(again)
		}
		return converted
	}
	return rt.convert(err)
}

func (rt *Runtime) leave() {
	rt.mu.Lock()
	rt.inside = false
	waiting := rt.yielded
	rt.yielded = nil
	rt.mu.Unlock()
	for _, c := range waiting {
		close(c)
	}
}

// guarded calls f through goja's own border, which turns panics of script into errors and runs promise jobs on the way out.
func (rt *Runtime) guarded(f func(vm *goja.Runtime) error) error {
	var inner error
	call, _ := goja.AssertFunction(rt.vm.ToValue(func(goja.FunctionCall) goja.Value {
		inner = f(rt.vm)
		return goja.Undefined()
	}))
	if _, err := call(goja.Undefined()); err != nil {
		return err
	}
	return inner
}

// convert turns goja's uncatchable errors into ours.
func (rt *Runtime) convert(err error) error {
	var interrupted *goja.InterruptedError
	var overflow *goja.StackOverflowError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &interrupted):
		if stop := rt.stopped(); stop != nil {
			return stop
		}
		return &Interrupted{Reason: interrupted}
	case errors.As(err, &overflow):
		e := &Error{Name: "RangeError", Message: "Maximum call stack size exceeded", Thrown: true}
		e.Frames = rt.frames(overflow.Stack(), 10)
		e.Stack = e.header() + stackText(e.Frames)
		return e
	}
	return err
}
