package browser

import (
	"context"
	"strings"
)

// evaluate runs a script with arguments and answers its value.
func (ec *execContext) evaluate(ctx context.Context, s Script, args ...Value) (Value, error) {
	r, err := ec.runScript(ctx, "evaluate", s, args, true)
	if ec.frame != nil {
		ec.frame.page.bindingsBegun(ctx)
	}
	if err != nil {
		return nil, err
	}
	return wireResult(r)
}

// evaluateHandle runs a script with arguments and answers a handle on its value.
func (ec *execContext) evaluateHandle(ctx context.Context, s Script, args ...Value) (Handle, error) {
	r, err := ec.runScript(ctx, "evaluateHandle", s, args, false)
	if err != nil {
		return nil, err
	}
	return newHandle(ec, r), nil
}

func wireResult(r *remoteObject) (Value, error) {
	if r.Type == "undefined" || len(r.Value) == 0 {
		return Undefined{}, nil
	}
	return decodeValue(r.Value)
}

func (ec *execContext) runScript(ctx context.Context, method string, s Script, args []Value, byValue bool) (*remoteObject, error) {
	program, err := ec.program(ctx, evaluatorProgram)
	if err != nil {
		return nil, err
	}
	wire, handles, release, err := ec.arguments(ctx, args)
	if err != nil {
		return nil, err
	}
	defer release()
	return ec.callWithCode(ctx, program, method, s, append([]arg{rawArg(wire)}, handles...), byValue)
}

// callWithCode calls a method of a program whose first parameter is code; the rest of the arguments follow it. Functions travel as
// text too: what they throw later would be reported without its error if they were part of the call's declaration. A page whose
// policy refuses text gets them there.
func (ec *execContext) callWithCode(ctx context.Context, program, method string, s Script, args []arg, byValue bool) (*remoteObject, error) {
	source := strings.TrimSpace(s.Source)
	function := s.IsFunction != nil && *s.IsFunction
	switch {
	case function:
		source = "(" + normalizeFunction(source) + "\n)"
	case s.IsFunction != nil:
		// An expression that gives a function is that function, not a call of it.
		source = "()=>(0,eval)(" + quoteJSON(source) + ")"
	}
	r, err := ec.callFunction(ctx, program, callMethod, append([]arg{textArg(method), textArg(source)}, args...), byValue)
	js, thrown := err.(*jsError)
	if !thrown || !function {
		return r, err
	}
	switch {
	case strings.HasPrefix(js.message, "EvalError:"), strings.Contains(js.message, "TrustedScript"):
		return ec.callFunction(ctx, program, "function(...a){return this."+method+"("+source+",...a)}", args, byValue)
	case strings.HasPrefix(js.message, "SyntaxError:") && !ec.compiles(ctx, source):
		return nil, plainError("Passed function is not well-serializable!")
	}
	return r, err
}

// compiles reports whether source is a script.
func (ec *execContext) compiles(ctx context.Context, source string) bool {
	var res struct {
		Exception *exception `json:"exceptionDetails"`
	}
	err := ec.session.call(ctx, "Runtime.compileScript", obj{"expression": source, "sourceURL": "", "persistScript": false, "executionContextId": ec.id}, &res)
	return err != nil || res.Exception == nil
}

// arguments encodes values as one wire array and the handles in them as arguments of this context. release lets adopted handles go.
func (ec *execContext) arguments(ctx context.Context, values []Value) (wire []byte, handles []arg, release func(), err error) {
	out := []byte{'['}
	var list []*JSHandle
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		if out, list, err = encodeValue(out, v, list); err != nil {
			return nil, nil, nil, err
		}
	}
	var made []string
	release = func() {
		for _, id := range made {
			if ec.life.Err() == nil {
				ec.session.post("Runtime.releaseObject", obj{"objectId": id})
			}
		}
	}
	for _, h := range list {
		if h.function != "" {
			r, err := ec.callFunction(ctx, "", callBack, []arg{textArg(string(h.function))}, false)
			if err != nil {
				return nil, nil, nil, err
			}
			made = append(made, r.ObjectID)
			handles = append(handles, objectArg(r.ObjectID))
			continue
		}
		if h.isDisposed() {
			return nil, nil, nil, &jsError{"JSHandle is disposed!"}
		}
		id := h.objectID
		if h.ctx != ec {
			if h.element == nil {
				return nil, nil, nil, &jsError{"JSHandles can be evaluated only in the context they were created!"}
			}
			if id, err = h.element.objectIn(ctx, ec); err != nil {
				return nil, nil, nil, err
			}
		}
		handles = append(handles, objectArg(id))
	}
	return append(out, ']'), handles, release, nil
}

func (f *Frame) evaluate(ctx context.Context, api string, s Script, arg Value) (Value, error) {
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (Value, error) {
		ec, err := f.worldOf(o, mainWorld)
		if err != nil {
			return nil, err
		}
		return ec.evaluate(o.ctx, s, arg)
	})
}

func (f *Frame) evaluateHandle(ctx context.Context, api string, s Script, arg Value) (Handle, error) {
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (Handle, error) {
		ec, err := f.worldOf(o, mainWorld)
		if err != nil {
			return nil, err
		}
		return ec.evaluateHandle(o.ctx, s, arg)
	})
}

// normalizeFunction makes a function's text an expression: a method's text ("name() {}", "async name() {}") gets the word
// function in front, as in Playwright.
func normalizeFunction(source string) string {
	source = strings.TrimSpace(source)
	rest := source
	async := false
	if after, ok := cutWord(rest, "async"); ok {
		// `async` may also be the name of a method or a parameter.
		next := skipSpace(after)
		if !strings.HasPrefix(next, "=>") && !(strings.HasPrefix(next, "(") && methodBody(next)) {
			rest, async = next, true
		}
	}
	if rest == "" || rest[0] == '(' {
		return source
	}
	if _, ok := cutWord(rest, "function"); ok {
		return source
	}
	if _, ok := cutWord(rest, "class"); ok {
		return source
	}
	name := rest
	generator := strings.HasPrefix(name, "*")
	if generator {
		name = skipSpace(name[1:])
	}
	end := 0
	for end < len(name) && identifierByte(name[end]) {
		end++
	}
	after := skipSpace(name[end:])
	if end == 0 && !generator || strings.HasPrefix(after, "=>") || !strings.HasPrefix(after, "(") {
		if !strings.HasPrefix(rest, "[") && !strings.HasPrefix(rest, "#") && !strings.HasPrefix(rest, "'") && !strings.HasPrefix(rest, "\"") {
			return source
		}
		// A computed, private or quoted name: only its parameters and body are of use.
		open := strings.Index(rest, "(")
		if open < 0 {
			return source
		}
		after = rest[open:]
		end = 0
	}
	word := "function"
	if generator {
		word = "function*"
	}
	if async {
		word = "async " + word
	}
	return word + " " + name[:end] + after
}

// methodBody reports whether text, which begins with "(", is parameters and a body, not an arrow function.
func methodBody(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return strings.HasPrefix(skipSpace(text[i+1:]), "{")
			}
		case '"', '\'', '`':
			quote := text[i]
			for i++; i < len(text) && text[i] != quote; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return false
}

func cutWord(text, word string) (after string, ok bool) {
	if !strings.HasPrefix(text, word) {
		return text, false
	}
	after = text[len(word):]
	if after != "" && identifierByte(after[0]) {
		return text, false
	}
	return after, true
}

func identifierByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// skipSpace drops white space and comments.
func skipSpace(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n\f\v\u00a0\ufeff\u2028\u2029")
		switch {
		case strings.HasPrefix(text, "//"):
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text[2:], "*/")
		default:
			return text
		}
	}
}
