package browser

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// world tells the execution contexts of a frame apart.
type world int

const (
	mainWorld world = iota
	utilityWorld
	worlds
	otherWorld
)

// utilityWorldName names the isolated world in which the in-page program lives.
const utilityWorldName = "__pomerado_utility_world__"

// contextGone is Playwright's text for a context that a navigation took away.
const contextGone = "Execution context was destroyed, most likely because of a navigation"

// contextLost ends calls in a context that is gone. Actions try again in the next document, evaluate does not.
type contextLost struct{ reason string }

func (e *contextLost) Error() string { return e.reason }

// execContext is one JavaScript world of one document, or a web worker's.
type execContext struct {
	session *session
	id      int64
	frame   *Frame // nil for web workers
	world   world
	// life ends with the context; its cause is a *contextLost.
	life context.Context
	end  context.CancelCauseFunc

	programs [2]program // guarded by the browser's lock
	// reached: mouse events are known to arrive here; see Page.reach.
	reached atomic.Bool
}

// program is one of the in-page programs in a context.
type program struct {
	objectID string
	loading  chan struct{} // closed when an attempt to load has ended
}

type programKind int

const (
	injectProgram    programKind = iota // index.ts
	evaluatorProgram                    // main.ts
)

func newExecContext(s *session, id int64, f *Frame, w world) *execContext {
	ec := &execContext{session: s, id: id, frame: f, world: w}
	ec.life, ec.end = context.WithCancelCause(s.b.ctx)
	return ec
}

func (ec *execContext) destroy(reason string) { ec.end(&contextLost{reason}) }

// bound is ctx that also ends with the execution context.
func (ec *execContext) bound(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(ec.life, func() { cancel(context.Cause(ec.life)) })
	return ctx, func() {
		stop()
		cancel(context.Canceled)
	}
}

// program answers the object id of an in-page program, loading it when it is not there. Loading goes on when ctx ends, for
// whoever comes next.
func (ec *execContext) program(ctx context.Context, kind programKind) (string, error) {
	b := ec.session.b
	for {
		b.mu.Lock()
		p := &ec.programs[kind]
		if p.objectID != "" {
			id := p.objectID
			b.mu.Unlock()
			return id, nil
		}
		if ec.life.Err() != nil {
			b.mu.Unlock()
			return "", context.Cause(ec.life)
		}
		loading := p.loading
		if loading == nil {
			loading = ec.load(kind)
		}
		b.mu.Unlock()
		select {
		case <-loading:
		case <-ec.life.Done():
			return "", context.Cause(ec.life)
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
		b.mu.Lock()
		id := p.objectID
		b.mu.Unlock()
		if id != "" {
			return id, nil
		}
		if ec.life.Err() != nil {
			return "", context.Cause(ec.life)
		}
		return "", &contextLost{contextGone}
	}
}

// load starts loading a program; the browser's lock is held.
func (ec *execContext) load(kind programKind) chan struct{} {
	b := ec.session.b
	p := &ec.programs[kind]
	loading := make(chan struct{})
	p.loading = loading
	source := b.options.Inject
	if kind == evaluatorProgram {
		source = b.options.Evaluator
	}
	out := append(make([]byte, 0, len(source)+len(source)/8+200), `{"expression":`...)
	expression := "(" + source + "\n)({})"
	if ec.frame == nil {
		// A web worker has no document, and no way to ask for one without an error.
		expression = "((document)=>" + expression + ")()"
	}
	out = appendQuoted(out, expression)
	out = append(out, `,"contextId":`...)
	out = strconv.AppendInt(out, ec.id, 10)
	out = append(out, `,"silent":true}`...)
	pending := ec.session.start(b.ctx, "Runtime.evaluate", jsontext.Value(out))
	b.background(func() {
		var res evaluateResult
		ctx, release := ec.bound(b.ctx)
		err := pending.Wait(ctx, &res)
		release()
		if err == nil && res.Exception != nil {
			err = errors.New(res.Exception.message())
		}
		b.mu.Lock()
		if err == nil {
			p.objectID = res.Result.ObjectID
		} else if ec.life.Err() == nil && !lostContext(err) {
			b.log.Error("loading the in-page program", "error", err)
		}
		p.loading = nil
		b.mu.Unlock()
		close(loading)
	})
	return loading
}

// remoteObject is CDP's view of a value.
type remoteObject struct {
	Type           string         `json:"type"`
	Subtype        string         `json:"subtype"`
	ClassName      string         `json:"className"`
	Value          jsontext.Value `json:"value"`
	Unserializable string         `json:"unserializableValue"`
	Description    string         `json:"description"`
	ObjectID       string         `json:"objectId"`
	Preview        *objectPreview `json:"preview"`
}

type objectPreview struct {
	Properties []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"properties"`
}

type exception struct {
	Text       string        `json:"text"`
	Exception  *remoteObject `json:"exception"`
	StackTrace *stackTrace   `json:"stackTrace"`
}

type stackTrace struct {
	CallFrames []callFrame `json:"callFrames"`
}

type callFrame struct {
	FunctionName string `json:"functionName"`
	URL          string `json:"url"`
	LineNumber   int    `json:"lineNumber"`
	ColumnNumber int    `json:"columnNumber"`
}

func (t *stackTrace) location() Location {
	if t == nil || len(t.CallFrames) == 0 {
		return Location{}
	}
	f := t.CallFrames[0]
	return Location{f.URL, f.LineNumber, f.ColumnNumber}
}

type evaluateResult struct {
	Result    remoteObject `json:"result"`
	Exception *exception   `json:"exceptionDetails"`
}

// message is the exception as Playwright words it: an Error's stack, another value as a string.
func (e *exception) message() string {
	if v := e.Exception; v != nil {
		if v.Description != "" {
			return v.Description
		}
		return v.text()
	}
	var b strings.Builder
	b.WriteString(e.Text)
	if e.StackTrace != nil {
		for _, f := range e.StackTrace.CallFrames {
			name := f.FunctionName
			if name == "" {
				name = "<anonymous>"
			}
			b.WriteString("\n    at " + name + " (" + f.URL + ":" + itoa(f.LineNumber) + ":" + itoa(f.ColumnNumber) + ")")
		}
	}
	return b.String()
}

// text is String(value) of a primitive.
func (r *remoteObject) text() string {
	switch {
	case r.Unserializable != "":
		return r.Unserializable
	case r.Type == "undefined":
		return "undefined"
	case r.Value == nil:
		return r.Description
	case r.Type == "string":
		var text string
		if unmarshal(r.Value, &text) == nil {
			return text
		}
	}
	return string(r.Value)
}

// arg is one argument of a call in the page.
type arg struct {
	json     []byte
	objectID string
}

func textArg(s string) arg    { return arg{json: appendQuoted(nil, s)} }
func jsonArg(v any) arg       { return arg{json: marshal(v)} }
func objectArg(id string) arg { return arg{objectID: id} }
func rawArg(raw []byte) arg   { return arg{json: raw} }
func refArg(ref int64) arg    { return arg{json: strconv.AppendInt(nil, ref, 10)} }
func undefinedArg() arg       { return arg{} }
func handleArgs(h []*JSHandle) []arg {
	args := make([]arg, len(h))
	for i := range h {
		args[i] = objectArg(h[i].objectID)
	}
	return args
}

func (a arg) append(out []byte) []byte {
	switch {
	case a.objectID != "":
		out = append(out, `{"objectId":`...)
		out = appendQuoted(out, a.objectID)
	case a.json != nil:
		out = append(out, `{"value":`...)
		out = append(out, a.json...)
	default:
		out = append(out, '{')
	}
	return append(out, '}')
}

// method calls one method of a program; it is one declaration so that V8 compiles it once.
const callMethod = `function(m,...a){return this[m](...a)}`

// startFunction sends Runtime.callFunctionOn.
func (ec *execContext) startFunction(ctx context.Context, objectID, declaration string, args []arg, byValue bool) *cdp.Pending {
	size := len(declaration) + 160
	for i := range args {
		size += len(args[i].json) + len(args[i].objectID) + 16
	}
	out := append(make([]byte, 0, size), `{"functionDeclaration":`...)
	out = appendQuoted(out, declaration)
	if objectID != "" {
		out = append(out, `,"objectId":`...)
		out = appendQuoted(out, objectID)
	} else {
		out = append(out, `,"executionContextId":`...)
		out = strconv.AppendInt(out, ec.id, 10)
	}
	out = append(out, `,"arguments":[`...)
	for i := range args {
		if i > 0 {
			out = append(out, ',')
		}
		out = args[i].append(out)
	}
	out = append(out, `],"returnByValue":`...)
	out = strconv.AppendBool(out, byValue)
	out = append(out, `,"awaitPromise":true,"userGesture":true}`...)
	return ec.session.start(ctx, "Runtime.callFunctionOn", jsontext.Value(out))
}

// callFunction is startFunction and its result. A script's exception is a *jsError.
func (ec *execContext) callFunction(ctx context.Context, objectID, declaration string, args []arg, byValue bool) (*remoteObject, error) {
	ctx, release := ec.bound(ctx)
	defer release()
	return ec.result(ctx, ec.startFunction(ctx, objectID, declaration, args, byValue))
}

func (ec *execContext) result(ctx context.Context, pending *cdp.Pending) (*remoteObject, error) {
	var res evaluateResult
	if err := pending.Wait(ctx, &res); err != nil {
		return nil, ec.translate(ctx, err)
	}
	if res.Exception != nil {
		return nil, &jsError{res.Exception.message()}
	}
	return &res.Result, nil
}

// translate words the refusals of Runtime.* as Playwright does.
func (ec *execContext) translate(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if lostContext(err) {
		if cause := context.Cause(ec.life); cause != nil {
			return cause
		}
		return &contextLost{contextGone}
	}
	var refused *cdp.Error
	if errors.As(err, &refused) {
		switch {
		case strings.Contains(refused.Message, "Object reference chain is too long"), strings.Contains(refused.Message, "stack limit exceeded"):
			return plainError("Cannot serialize result: object reference chain is too long.")
		case strings.Contains(refused.Message, "couldn't be returned by value"):
			return plainError("The page's value cannot be sent.")
		}
	}
	return err
}
