package jsrt

import (
	"container/heap"
	"math"
	"time"

	"github.com/dop251/goja"
)

// timer is one setTimeout, setInterval or setImmediate.
type timer struct {
	id        int64
	at        time.Time
	seq       int64
	after     time.Duration
	repeat    bool
	call      func() error
	object    *goja.Object
	index     int // in the heap; -1 when not armed
	ref       bool
	immediate bool
}

// timers is the runtime's schedule. It belongs to the owner.
type timers struct {
	heap   timerHeap
	byID   map[int64]*timer
	lastID int64
	seq    int64
	refs   int // armed timers that keep a sealed run alive
	proto  *goja.Object
	rt     *Runtime
}

type timerHeap []*timer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].seq < h[j].seq
	}
	return h[i].at.Before(h[j].at)
}
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *timerHeap) Push(x any) {
	t := x.(*timer)
	t.index = len(*h)
	*h = append(*h, t)
}
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.index = -1
	return t
}

func (ts *timers) arm(t *timer, at time.Time) {
	ts.seq++
	t.at, t.seq = at, ts.seq
	heap.Push(&ts.heap, t)
	if t.ref {
		ts.refs++
	}
}

func (ts *timers) disarm(t *timer) {
	if t.index < 0 {
		return
	}
	heap.Remove(&ts.heap, t.index)
	if t.ref {
		ts.refs--
	}
}

func (ts *timers) setRef(t *timer, ref bool) {
	if t.index >= 0 && t.ref != ref {
		if ref {
			ts.refs++
		} else {
			ts.refs--
		}
	}
	t.ref = ref
}

// alive says whether a timer that keeps a sealed run alive is armed.
func (ts *timers) alive() bool { return ts.refs > 0 }

// due takes the first timer whose time has come and gives its macrotask.
func (ts *timers) due(now time.Time) func() {
	if len(ts.heap) == 0 || ts.heap[0].at.After(now) {
		return nil
	}
	t := ts.heap[0]
	ts.disarm(t)
	return func() {
		err := ts.rt.enter(func(*goja.Runtime) error { return t.call() })
		if t.repeat && ts.byID[t.id] == t && t.index < 0 {
			ts.arm(t, time.Now().Add(t.after))
		} else if !t.repeat && t.index < 0 {
			delete(ts.byID, t.id)
		}
		if err != nil {
			ts.rt.uncaught(err)
		}
	}
}

// wait gives a channel that fires when the next timer is due, and how to stop it; a nil channel when there is none.
func (ts *timers) wait() (<-chan time.Time, func()) {
	if len(ts.heap) == 0 {
		return nil, func() {}
	}
	t := time.NewTimer(time.Until(ts.heap[0].at))
	return t.C, func() { t.Stop() }
}

// delay reads a timeout the way Node does: anything that is no number from 1 to 2^31-1 is 1 ms.
func delay(v goja.Value) time.Duration {
	ms := v.ToFloat()
	if !(ms >= 1 && ms <= math.MaxInt32) {
		ms = 1
	}
	return time.Duration(ms) * time.Millisecond
}

// install puts the timer functions on the global object.
func (ts *timers) install(rt *Runtime, vm *goja.Runtime) {
	ts.rt = rt
	ts.byID = map[int64]*timer{}
	start := func(name string, repeat, immediate bool) func(goja.FunctionCall) goja.Value {
		return func(call goja.FunctionCall) goja.Value {
			f, ok := goja.AssertFunction(call.Argument(0))
			if !ok {
				panic(vm.NewTypeError(`The "callback" argument must be of type function. Received %s`, brief(call.Argument(0))))
			}
			var args []goja.Value
			skip := 2
			if immediate {
				skip = 1
			}
			if len(call.Arguments) > skip {
				args = call.Arguments[skip:]
			}
			ts.lastID++
			t := &timer{id: ts.lastID, index: -1, ref: true, immediate: immediate}
			t.object = ts.object(vm, t)
			t.call = func() error {
				_, err := f(t.object, args...)
				return err
			}
			if !immediate {
				t.after, t.repeat = delay(call.Argument(1)), repeat
			}
			ts.byID[t.id] = t
			ts.arm(t, time.Now().Add(t.after))
			return t.object
		}
	}
	clear := func(call goja.FunctionCall) goja.Value {
		if t := ts.find(call.Argument(0)); t != nil {
			ts.disarm(t)
			delete(ts.byID, t.id)
		}
		return goja.Undefined()
	}
	global := vm.GlobalObject()
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		"setTimeout": start("setTimeout", false, false), "setInterval": start("setInterval", true, false),
		"setImmediate": start("setImmediate", false, true),
		"clearTimeout": clear, "clearInterval": clear, "clearImmediate": clear,
	} {
		define(global, name, function(vm, name, 1, f))
	}
}

// find takes what setTimeout returned, or its number.
func (ts *timers) find(v goja.Value) *timer {
	if o, ok := v.(*goja.Object); ok {
		if t, ok := o.GetSymbol(timerKey).Export().(*timer); ok {
			return t
		}
		return nil
	}
	if goja.IsNumber(v) || goja.IsString(v) {
		return ts.byID[v.ToInteger()]
	}
	return nil
}

var timerKey = goja.NewSymbol("timer")

// object makes the Timeout that Node's timers return.
func (ts *timers) object(vm *goja.Runtime, t *timer) *goja.Object {
	if ts.proto == nil {
		ts.proto = ts.prototype(vm)
	}
	o := vm.CreateObject(ts.proto)
	o.DefineDataPropertySymbol(timerKey, vm.ToValue(t), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return o
}

func (ts *timers) prototype(vm *goja.Runtime) *goja.Object {
	p := vm.NewObject()
	method := func(name string, f func(t *timer, this goja.Value) goja.Value) *goja.Object {
		o := function(vm, name, 0, func(call goja.FunctionCall) goja.Value {
			t := ts.find(call.This)
			if t == nil {
				panic(vm.NewTypeError("%s needs a timer", name))
			}
			return f(t, call.This)
		})
		define(p, name, o)
		return o
	}
	method("ref", func(t *timer, this goja.Value) goja.Value { ts.setRef(t, true); return this })
	method("unref", func(t *timer, this goja.Value) goja.Value { ts.setRef(t, false); return this })
	method("hasRef", func(t *timer, _ goja.Value) goja.Value { return vm.ToValue(t.ref) })
	method("close", func(t *timer, this goja.Value) goja.Value {
		ts.disarm(t)
		delete(ts.byID, t.id)
		return this
	})
	method("refresh", func(t *timer, this goja.Value) goja.Value {
		if !t.immediate {
			ts.disarm(t)
			ts.byID[t.id] = t
			ts.arm(t, time.Now().Add(t.after))
		}
		return this
	})
	primitive := method("toPrimitive", func(t *timer, _ goja.Value) goja.Value { return vm.ToValue(t.id) })
	p.Delete("toPrimitive")
	p.DefineDataPropertySymbol(goja.SymToPrimitive, primitive, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return p
}
