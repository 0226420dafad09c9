package jsrt

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// Stream is where a console method prints: log, info and debug go to Stdout, warn and error to Stderr.
type Stream int

// The two streams, as in Node.
const (
	Stdout Stream = iota
	Stderr
)

// Console takes a runtime's output, on the owner. text ends with a newline. An error is thrown at the script that printed.
type Console interface {
	Print(stream Stream, text string) error
}

// MaxOutput is how much one stream of a [Capture] holds, in bytes of UTF-8.
const MaxOutput = 1 << 20

// ErrOutputOverflow is thrown at the script whose console call passed MaxOutput, and the end of the call it belongs to even when script
// caught it: see [Capture.Err].
var ErrOutputOverflow = errors.New("the console output is over 1 MiB")

// Capture is a Console that keeps both streams, at most MaxOutput bytes each. Use it on the owner, or after the run.
type Capture struct {
	out  [2]strings.Builder
	over bool
}

// Print implements Console.
func (c *Capture) Print(stream Stream, text string) error {
	if c.over || c.out[stream].Len()+len(text) > MaxOutput {
		c.over = true
		return ErrOutputOverflow
	}
	c.out[stream].WriteString(text)
	return nil
}

// Text gives what a stream holds.
func (c *Capture) Text(stream Stream) string { return c.out[stream].String() }

// Err is ErrOutputOverflow once a stream has overflowed.
func (c *Capture) Err() error {
	if c.over {
		return ErrOutputOverflow
	}
	return nil
}

// NewConsole makes a console object that prints to c, for code that gets its console as a parameter. It must be called on the owner.
func (rt *Runtime) NewConsole(vm *goja.Runtime, c Console) *goja.Object {
	return rt.newConsole(vm, c)
}

func (rt *Runtime) newConsole(vm *goja.Runtime, c Console) *goja.Object {
	o := vm.NewObject()
	indent := ""
	counts := map[string]int{}
	started := map[string]time.Time{}
	print := func(s Stream, text string) {
		if c == nil {
			return
		}
		if indent != "" {
			text = indent + strings.ReplaceAll(text, "\n", "\n"+indent)
		}
		if err := c.Print(s, text+"\n"); err != nil {
			panic(NewErrorValue(vm, "Error", err.Error(), rt.Stack(vm)))
		}
	}
	label := func(call goja.FunctionCall) string {
		if goja.IsUndefined(call.Argument(0)) {
			return "default"
		}
		return call.Argument(0).String()
	}
	def := func(name string, f func(call goja.FunctionCall)) {
		method := function(vm, name, 0, func(call goja.FunctionCall) goja.Value {
			f(call)
			return goja.Undefined()
		})
		o.DefineDataProperty(name, method, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	for _, name := range []string{"log", "info", "debug", "warn", "error"} {
		stream := Stdout
		if name == "warn" || name == "error" {
			stream = Stderr
		}
		def(name, func(call goja.FunctionCall) { print(stream, rt.format(vm, call.Arguments)) })
	}
	def("trace", func(call goja.FunctionCall) {
		text := "Trace"
		if len(call.Arguments) > 0 {
			text += ": " + rt.format(vm, call.Arguments)
		}
		print(Stderr, text+rt.Stack(vm))
	})
	def("assert", func(call goja.FunctionCall) {
		if call.Argument(0).ToBoolean() {
			return
		}
		text := "Assertion failed"
		if len(call.Arguments) > 1 {
			text += ": " + rt.format(vm, call.Arguments[1:])
		}
		print(Stderr, text)
	})
	def("dir", func(call goja.FunctionCall) { print(Stdout, rt.Inspect(vm, call.Argument(0))) })
	def("dirxml", func(call goja.FunctionCall) { print(Stdout, rt.format(vm, call.Arguments)) })
	def("table", func(call goja.FunctionCall) { print(Stdout, rt.format(vm, call.Arguments)) })
	def("count", func(call goja.FunctionCall) {
		l := label(call)
		counts[l]++
		print(Stdout, l+": "+strconv.Itoa(counts[l]))
	})
	def("countReset", func(call goja.FunctionCall) { delete(counts, label(call)) })
	def("time", func(call goja.FunctionCall) { started[label(call)] = time.Now() })
	elapsed := func(call goja.FunctionCall) string {
		l := label(call)
		ms := float64(time.Since(started[l]).Microseconds()) / 1000
		text := l + ": " + strconv.FormatFloat(ms, 'f', 3, 64) + "ms"
		if len(call.Arguments) > 1 {
			text += " " + rt.format(vm, call.Arguments[1:])
		}
		return text
	}
	def("timeLog", func(call goja.FunctionCall) { print(Stdout, elapsed(call)) })
	def("timeEnd", func(call goja.FunctionCall) {
		print(Stdout, elapsed(call))
		delete(started, label(call))
	})
	group := func(call goja.FunctionCall) {
		if len(call.Arguments) > 0 {
			print(Stdout, rt.format(vm, call.Arguments))
		}
		indent += "  "
	}
	def("group", group)
	def("groupCollapsed", group)
	def("groupEnd", func(goja.FunctionCall) { indent = indent[:max(len(indent)-2, 0)] })
	return o
}
