package jsrt

import (
	"context"
	"errors"
	"slices"

	"github.com/dop251/goja"
)

// ErrNeverSettles is the end of a sealed run whose promise nothing can settle any more: no timer, host operation or job is left.
var ErrNeverSettles = errors.New("the promise can never settle: nothing is left that could resolve it")

// RunOptions say how a run is driven.
type RunOptions struct {
	// Sealed says that nothing outside the runtime can settle the promise (no Post is to come), so that a run with nothing pending
	// fails with ErrNeverSettles instead of waiting for its deadline.
	Sealed bool
	// Detached is for calls into script that are part of a host operation (a predicate, a route's handler): the end of ctx only forgets
	// the run, and uncaught errors elsewhere do not fail it.
	Detached bool
	// Then reads the settled value on the owner, inside the guard: getters, proxies and toJSON may run script there. Its error is the
	// run's.
	Then func(vm *goja.Runtime, value goja.Value) error
	// Catch reads the thrown value on the owner, inside the guard, and gives the run's error. When nil, or when it returns nil, the
	// error is an [*Error].
	Catch func(vm *goja.Runtime, thrown goja.Value) error
}

// Settled is what a run came to. The value belongs to the runtime's owner; read it in RunOptions.Then or within Do.
type Settled struct{ Value goja.Value }

// run is one Run under way.
type run struct {
	opts    RunOptions
	promise *goja.Promise
	done    chan outcome
	over    bool
}

type outcome struct {
	settled Settled
	err     error
}

func (r *run) end(s Settled, err error) {
	if r.over {
		return
	}
	r.over = true
	r.done <- outcome{s, err}
}

// Run calls f on the owner. When f returns a promise (or another thenable), Run waits for it to settle while the loop goes on with
// timers, host operations and posted functions. A rejection, a throw and an uncaught error elsewhere are the run's error; the end of ctx
// interrupts the runtime with its cause.
func (rt *Runtime) Run(ctx context.Context, f func(vm *goja.Runtime) (goja.Value, error), o RunOptions) (Settled, error) {
	r := &run{opts: o, done: make(chan outcome, 1)}
	rt.submit(task{
		run:  func(*goja.Runtime) { rt.begin(r, f) },
		drop: func(err error) { r.end(Settled{}, err) },
	})
	select {
	case out := <-r.done:
		return out.settled, out.err
	case <-ctx.Done():
		cause := context.Cause(ctx)
		if o.Detached {
			rt.submit(task{run: func(*goja.Runtime) { rt.finish(r, Settled{}, cause) }})
			return Settled{}, cause
		}
		rt.Interrupt(cause)
		return Settled{}, &Interrupted{Reason: cause}
	}
}

// begin is the run's first macrotask.
func (rt *Runtime) begin(r *run, f func(vm *goja.Runtime) (goja.Value, error)) {
	if r.over {
		return
	}
	rt.runs = append(rt.runs, r)
	var thrown goja.Value
	err := rt.enter(func(vm *goja.Runtime) error {
		var value goja.Value
		var failed error
		// A throw inside f reaches Catch as the value it was, so it is taken here and not at the guard.
		if ex := vm.Try(func() { value, failed = f(vm) }); ex != nil {
			failed = ex
		}
		var exception *goja.Exception
		if errors.As(failed, &exception) {
			thrown = exception.Value()
			if r.opts.Catch != nil {
				return nil
			}
		}
		if failed != nil {
			return failed
		}
		promise, err := rt.promiseOf(vm, value)
		r.promise = promise
		return err
	})
	switch {
	case err != nil:
		rt.finish(r, Settled{}, err)
	case r.promise == nil:
		rt.finish(r, Settled{}, rt.catch(r, thrown))
	}
}

// promiseOf wraps a value the way await does.
func (rt *Runtime) promiseOf(vm *goja.Runtime, value goja.Value) (*goja.Promise, error) {
	if value == nil {
		value = goja.Undefined()
	}
	if p, ok := value.Export().(*goja.Promise); ok {
		return p, nil
	}
	p, resolve, _ := vm.NewPromise()
	return p, resolve(value)
}

// settle looks after each macrotask at what it left: rejections that nothing handles, and runs whose promise is settled.
func (rt *Runtime) settle() {
	for len(rt.rejected) > 0 && rt.stopped() == nil {
		rejected := rt.rejected
		rt.rejected = nil
		for _, p := range rejected {
			if p == nil || slices.ContainsFunc(rt.runs, func(r *run) bool { return r.promise == p }) {
				continue
			}
			rt.uncaughtRejection(p)
		}
	}
	for _, r := range slices.Clone(rt.runs) {
		if r.promise == nil || r.over {
			continue
		}
		switch r.promise.State() {
		case goja.PromiseStateFulfilled:
			value := r.promise.Result()
			var err error
			if r.opts.Then != nil {
				err = rt.enter(func(vm *goja.Runtime) error { return r.opts.Then(vm, value) })
			}
			rt.finish(r, Settled{Value: value}, err)
		case goja.PromiseStateRejected:
			rt.finish(r, Settled{}, rt.catch(r, r.promise.Result()))
		}
	}
}

// catch gives the error of a run that ended with a thrown value.
func (rt *Runtime) catch(r *run, thrown goja.Value) error {
	var failure error
	err := rt.enter(func(vm *goja.Runtime) error {
		if r.opts.Catch != nil {
			failure = r.opts.Catch(vm, thrown)
		}
		if failure == nil {
			failure = rt.errorOf(vm, thrown, nil)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return failure
}

func (rt *Runtime) finish(r *run, s Settled, err error) {
	rt.runs = slices.DeleteFunc(rt.runs, func(other *run) bool { return other == r })
	r.end(s, err)
}

// failSealed ends sealed runs when nothing is left to do; it says whether it ended any.
func (rt *Runtime) failSealed() bool {
	if rt.pending > 0 || rt.timers.alive() {
		return false
	}
	rt.mu.Lock()
	busy := len(rt.queue) > 0 || rt.stop != nil
	rt.mu.Unlock()
	if busy {
		return false
	}
	any := false
	for _, r := range slices.Clone(rt.runs) {
		if r.opts.Sealed {
			rt.finish(r, Settled{}, ErrNeverSettles)
			any = true
		}
	}
	return any
}

// trackRejection keeps the promises that were rejected with no handler, in order, until the macrotask ends.
func (rt *Runtime) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		rt.rejected = append(rt.rejected, p)
		return
	}
	if i := slices.Index(rt.rejected, p); i >= 0 {
		rt.rejected[i] = nil
	}
}

func (rt *Runtime) uncaughtRejection(p *goja.Promise) {
	var e *Error
	err := rt.enter(func(vm *goja.Runtime) error {
		e = rt.errorOf(vm, p.Result(), nil)
		e.Unhandled = true
		return nil
	})
	if err == nil {
		err = e
	}
	rt.uncaught(err)
}

// uncaught is the end of an error that no script will see: it fails the runs under way, or goes to Options.Uncaught.
func (rt *Runtime) uncaught(err error) {
	var e *Error
	if errors.As(err, &e) && rt.opts.Uncaught != nil {
		rt.opts.Uncaught(e)
		return
	}
	for _, r := range slices.Clone(rt.runs) {
		if !r.opts.Detached {
			rt.finish(r, Settled{}, err)
		}
	}
}

// HandleUncaught replaces Options.Uncaught. It must be called on the owner.
func (rt *Runtime) HandleUncaught(f func(*Error)) { rt.opts.Uncaught = f }
