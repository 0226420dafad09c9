package playwright

import (
	"context"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// source is anything of the engine that has events.
type source interface {
	On(event browser.Event, fn func(payload any)) (off func())
}

// emitter holds the listeners page code put on one object, in Node's EventEmitter order. The engine is listened to only while there are
// some: a dialog without a listener is the engine's to answer.
type emitter struct {
	m         *mapping
	source    source
	order     []string
	listeners map[string][]listener
	off       map[string]func()
}

type listener struct {
	f    *goja.Object // as page code gave it
	call goja.Callable
	once bool
}

func (m *mapping) emitterOf(self any) *emitter {
	if e, ok := m.emitters[self]; ok {
		return e
	}
	e := &emitter{m: m, source: self.(source), listeners: map[string][]listener{}, off: map[string]func(){}}
	m.emitters[self] = e
	return e
}

func (e *emitter) add(event string, l listener, first bool) {
	if _, known := e.listeners[event]; !known {
		e.order = append(e.order, event)
	}
	if first {
		e.listeners[event] = append([]listener{l}, e.listeners[event]...)
	} else {
		e.listeners[event] = append(e.listeners[event], l)
	}
	if e.off[event] == nil {
		e.off[event] = e.source.On(browser.Event(event), func(payload any) {
			e.m.rt.Post(func(*goja.Runtime) { e.emit(event, e.m.out(payload)) })
		})
	}
}

// remove takes away the last listener that is f, as Node does.
func (e *emitter) remove(event string, f goja.Value) {
	list := e.listeners[event]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].f == f {
			kept := append(append([]listener{}, list[:i]...), list[i+1:]...)
			e.set(event, kept)
			return
		}
	}
}

func (e *emitter) set(event string, list []listener) {
	if len(list) > 0 {
		e.listeners[event] = list
		return
	}
	delete(e.listeners, event)
	for i, name := range e.order {
		if name == event {
			e.order = append(append([]string{}, e.order[:i]...), e.order[i+1:]...)
			break
		}
	}
	if off := e.off[event]; off != nil {
		off()
		delete(e.off, event)
	}
}

// emit calls the listeners there are now; a throw of one is the caller's and ends the round.
func (e *emitter) emit(event string, payload ...goja.Value) bool {
	list := e.listeners[event]
	this := e.m.out(e.source)
	for _, l := range list {
		if l.once {
			e.remove(event, l.f)
		}
		if _, err := l.call(this, payload...); err != nil {
			panic(err)
		}
	}
	return len(list) > 0
}

// eventMembers are EventEmitter's methods, for a class whose engine type has events.
func eventMembers() []member {
	on := func(name string, once, first bool) member {
		return direct(name, func(m *mapping, self source, a *args) any {
			f, ok := a.value(1).(*goja.Object)
			call, callable := goja.AssertFunction(a.value(1))
			if !ok || !callable {
				panic(m.vm.NewTypeError("The listener argument must be of type Function. Received type %s", typeName(a.value(1))))
			}
			m.emitterOf(self).add(a.value(0).String(), listener{f: f, call: call, once: once}, first)
			return a.call.This
		})
	}
	off := func(name string) member {
		return direct(name, func(m *mapping, self source, a *args) any {
			m.emitterOf(self).remove(a.value(0).String(), a.value(1))
			return a.call.This
		})
	}
	return []member{
		on("on", false, false), on("addListener", false, false), on("once", true, false),
		on("prependListener", false, true), on("prependOnceListener", true, true),
		off("off"), off("removeListener"),
		direct("removeAllListeners", func(m *mapping, self source, a *args) any {
			e := m.emitterOf(self)
			if a.given(0) {
				e.set(a.value(0).String(), nil)
			} else {
				for _, event := range append([]string{}, e.order...) {
					e.set(event, nil)
				}
			}
			if a.given(1) {
				return m.start(a, func() op { return func(context.Context) (any, error) { return nil, nil } })
			}
			return a.call.This
		}),
		direct("emit", func(m *mapping, self source, a *args) any {
			var payload []goja.Value
			if len(a.call.Arguments) > 1 {
				payload = a.call.Arguments[1:]
			}
			return m.emitterOf(self).emit(a.value(0).String(), payload...)
		}),
		direct("listenerCount", func(m *mapping, self source, a *args) any {
			return len(m.emitterOf(self).listeners[a.value(0).String()])
		}),
		direct("listeners", func(m *mapping, self source, a *args) any {
			list := m.emitterOf(self).listeners[a.value(0).String()]
			return m.array(len(list), func(i int) any { return goja.Value(list[i].f) })
		}),
		direct("rawListeners", func(m *mapping, self source, a *args) any {
			list := m.emitterOf(self).listeners[a.value(0).String()]
			return m.array(len(list), func(i int) any { return goja.Value(list[i].f) })
		}),
		direct("eventNames", func(m *mapping, self source, a *args) any {
			return append([]string{}, m.emitterOf(self).order...)
		}),
		direct("setMaxListeners", func(m *mapping, self source, a *args) any { return a.call.This }),
		direct("getMaxListeners", func(m *mapping, self source, a *args) any { return 0 }),
	}
}

// expectOptions reads what waitForEvent and its kind take: a predicate, or options with one.
func (a *args) expectOptions(i int) browser.ExpectOptions {
	if f, ok := goja.AssertFunction(a.value(i)); ok {
		return browser.ExpectOptions{Predicate: a.m.predicate(f)}
	}
	o := a.options(i)
	out := browser.ExpectOptions{Timeout: o.timeout()}
	if v := o.get("predicate"); !absent(v) {
		f, ok := goja.AssertFunction(v)
		if !ok {
			a.fail("predicate: expected function, got %s", typeName(v))
		}
		out.Predicate = a.m.predicate(f)
	}
	return out
}

// predicate lets page code judge a payload.
func (m *mapping) predicate(f goja.Callable) func(ctx context.Context, payload any) (bool, error) {
	return func(ctx context.Context, payload any) (took bool, err error) {
		err = m.script(ctx, func(*goja.Runtime) (goja.Value, error) {
			return f(goja.Undefined(), m.out(payload))
		}, func(_ *goja.Runtime, v goja.Value) error {
			took = v.ToBoolean()
			return nil
		})
		return took, err
	}
}

// await waits for a waiter that was armed when the method was called.
func await(w *browser.Waiter) op { return w.Wait }

// awaitDone is await for waiters whose payload is nobody's business.
func awaitDone(w *browser.Waiter) op {
	return func(ctx context.Context) (any, error) {
		_, err := w.Wait(ctx)
		return nil, err
	}
}
