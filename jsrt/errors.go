package jsrt

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// Error is a value that script threw, read while the guard was up: nothing in it runs script any more.
type Error struct {
	// Name and Message are the thrown object's, as strings; Name is "Error" when it had none.
	Name    string
	Message string
	// Code is set on errors this package makes itself: CodeSyntax, CodeTooDeep, CodeUnsupported.
	Code Code
	// Stack is Node-shaped: the header, then a line "    at function (file:line:column)" a frame. Positions are of the authored files
	// where the code came with a source map.
	Stack  string
	Frames []Frame
	// Thrown is false when the value was no Error object; Message then is a generic sentence, and the value itself is lost.
	Thrown bool
	// Unhandled says that it was the reason of a promise that nothing handled.
	Unhandled bool
}

// Code is a closed list of what can be wrong with a source text before it runs.
type Code string

const (
	CodeSyntax      Code = "syntax_error"
	CodeUnsupported Code = "unsupported_syntax" // valid JavaScript that this runtime does not run
	CodeTooDeep     Code = "too_deep"           // nested so deep that parsing would exhaust the process's stack
)

// Frame is one place in a stack. Line and Column count from 1; both are 0 where unknown.
type Frame struct {
	Function string
	File     string
	Line     int
	Column   int
}

func (e *Error) Error() string { return e.header() }

func (e *Error) header() string {
	if e.Message == "" {
		return e.Name
	}
	return e.Name + ": " + e.Message
}

// Position gives the first frame's place as file:line:column, or "".
func (e *Error) Position() string {
	if len(e.Frames) == 0 {
		return ""
	}
	return e.Frames[0].place()
}

func (f Frame) place() string {
	if f.Line == 0 {
		return f.File
	}
	return f.File + ":" + strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Column)
}

func stackText(frames []Frame) string {
	var b strings.Builder
	for _, f := range frames {
		b.WriteString("\n    at ")
		if f.Function != "" {
			b.WriteString(f.Function + " (" + f.place() + ")")
		} else {
			b.WriteString(f.place())
		}
	}
	return b.String()
}

// nonError is the message of a thrown value that is no Error: its own text may hold anything, so it is not repeated.
const nonError = "the code threw a value that is not an Error"

// ErrorOf reads a thrown value. It may run script (getters, proxies, toString), so it belongs inside the guard: call it on the owner, in
// a function given to Do, Run or Post.
func (rt *Runtime) ErrorOf(vm *goja.Runtime, thrown goja.Value) *Error {
	return rt.errorOf(vm, thrown, nil)
}

func (rt *Runtime) errorOf(vm *goja.Runtime, thrown goja.Value, stack []goja.StackFrame) *Error {
	e := &Error{Name: "Error", Message: nonError, Frames: rt.frames(stack, maxFrames)}
	object, ok := thrown.(*goja.Object)
	if ok {
		read := func(name string) (text string, ok bool) {
			vm.Try(func() {
				if v := object.Get(name); v != nil && !goja.IsUndefined(v) && !goja.IsNull(v) {
					if s, isString := v.(goja.String); isString {
						text, ok = s.String(), true
					}
				}
			})
			return text, ok
		}
		name, hasName := read("name")
		message, hasMessage := read("message")
		if object.ClassName() == "Error" || hasName && hasMessage {
			e.Thrown = true
			e.Message = message
			if hasName && name != "" {
				e.Name = name
			}
			if text, ok := read("stack"); ok {
				if frames := rt.parseStack(text); len(frames) > 0 {
					e.Frames = frames
				}
			}
		}
	}
	e.Stack = e.header() + stackText(e.Frames)
	return e
}

const maxFrames = 50

// frames resolves goja's frames; native ones have no place and are left out.
func (rt *Runtime) frames(stack []goja.StackFrame, limit int) []Frame {
	var out []Frame
	for i := range stack {
		if len(out) == limit {
			break
		}
		f := &stack[i]
		p := f.Position()
		if p.Line == 0 || strings.HasPrefix(p.Filename, internalPrefix) {
			continue
		}
		name := f.FuncName()
		if name == "<anonymous>" || name == "<native>" {
			name = ""
		}
		out = append(out, rt.placed(Frame{Function: name, File: p.Filename, Line: p.Line, Column: p.Column}))
	}
	return out
}

// internalPrefix begins the file names of this package's own scripts, which never show in a stack.
const internalPrefix = "internal:"

// placed leads a place as goja reports it to the one a reader knows, and gives nameless code its name.
func (rt *Runtime) placed(f Frame) Frame {
	if f.File == "" || f.File == "<eval>" {
		f.File = rt.opts.Name
		if f.File == "" {
			f.File = "<anonymous>"
		}
	}
	place := rt.places[f.File]
	if f.Line == 1 && f.Column > place.shift {
		f.Column -= place.shift
	}
	if place.from != nil {
		if file, line, column, ok := place.from.at(f.Line, f.Column); ok {
			f.File, f.Line, f.Column = file, line, column
		}
	}
	return f
}

// parseStack reads a stack property: goja's lines are "\tat name (file:line:column(pc))", those this package writes are Node's.
func (rt *Runtime) parseStack(text string) []Frame {
	var out []Frame
	for line := range strings.SplitSeq(text, "\n") {
		if len(out) == maxFrames {
			break
		}
		ours := strings.HasPrefix(line, "    at ")
		line, ok := strings.CutPrefix(strings.TrimLeft(line, "\t "), "at ")
		if !ok {
			continue
		}
		var f Frame
		place := line
		if strings.HasSuffix(line, ")") {
			if i := strings.LastIndex(line, " ("); i >= 0 {
				f.Function, place = line[:i], line[i+2:len(line)-1]
			}
		}
		if i := strings.LastIndexByte(place, '('); i > 0 && strings.HasSuffix(place, ")") {
			place = place[:i]
		}
		file, column, ok1 := cutNumber(place)
		file, lineNo, ok2 := cutNumber(file)
		if !ok1 || !ok2 || strings.HasPrefix(file, internalPrefix) {
			continue
		}
		f.File, f.Line, f.Column = file, lineNo, column
		if !ours {
			f = rt.placed(f)
		}
		out = append(out, f)
	}
	return out
}

func cutNumber(s string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}
