package browser

import (
	"context"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

type waitForParams struct {
	resolveOptions
	State string `json:"state,omitzero"`
}

func (f *Frame) waitForSelector(ctx context.Context, api, selector string, w WaitForOptions, scope *ElementHandle, omit bool) (*ElementHandle, error) {
	return runValue(f.page, ctx, api, f.page.timeouts.of(w.Timeout), func(o *op) (*ElementHandle, error) {
		return f.doWaitForSelector(o, selector, w, scope, omit)
	})
}

// doWaitForSelector waits for a state and answers the element, nil for states without one or when omit is set.
func (f *Frame) doWaitForSelector(o *op, selector string, w WaitForOptions, scope *ElementHandle, omit bool) (*ElementHandle, error) {
	state := w.State
	switch state {
	case "":
		state = "visible"
	case "attached", "detached", "visible", "hidden":
	default:
		return nil, plainError("state: expected one of (attached|detached|visible|hidden)")
	}
	t := f.find(selector, w.Strict)
	t.scope = scope
	line := "waiting for " + describeLocator(selector)
	if state != "attached" {
		line += " to be " + state
	}
	o.logLine(line)
	for {
		value, pl, err := t.run(o, pageCall{method: "waitForSelector", checks: true, absent: state == "hidden" || state == "detached", args: func(r resolveOptions) []arg {
			return []arg{jsonArg(waitForParams{r, state})}
		}})
		if err != nil || pl == nil {
			return nil, err
		}
		var found struct {
			Ref int64 `json:"ref"`
		}
		if err := decodeInto(value, &found); err != nil {
			return nil, err
		}
		if omit || found.Ref == 0 || state == "hidden" || state == "detached" {
			pl.release()
			return nil, nil
		}
		h, err := pl.element(o, found.Ref)
		pl.release()
		if err == nil && h != nil {
			return h, nil
		}
		if err != nil && !t.again(o, err) {
			return nil, err
		}
	}
}

// element answers a handle on the element of a ref; nil when it is gone.
func (pl *place) element(o *op, ref int64) (*ElementHandle, error) {
	r, err := pl.ec.callFunction(o.ctx, pl.program, callMethod, []arg{textArg("element"), refArg(ref)}, false)
	if err != nil || r.ObjectID == "" {
		return nil, err
	}
	return newElement(pl.ec, r.ObjectID), nil
}

func (f *Frame) querySelector(ctx context.Context, api, selector string, strict bool, scope *ElementHandle) (*ElementHandle, error) {
	t := f.find(selector, strict)
	t.scope = scope
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (*ElementHandle, error) {
		o.logf("    finding element using the selector \"%s\"", selector)
		h, err := t.query(o)
		if h != nil {
			h.describe()
		}
		o.mu.Lock()
		o.log = nil
		o.mu.Unlock()
		return h, err
	})
}

// query answers the first match, nil when there is none.
func (t *target) query(o *op) (*ElementHandle, error) {
	pl, err := t.locate(o)
	if err != nil || pl == nil {
		return nil, err
	}
	defer pl.release()
	args := []arg{textArg("query"), pl.arg, jsonArg(t.strict)}
	if pl.scope != nil {
		args = append(args, *pl.scope)
	}
	r, err := pl.ec.callFunction(o.ctx, pl.program, callMethod, args, false)
	if err != nil || r.ObjectID == "" {
		return nil, err
	}
	return newElement(pl.ec, r.ObjectID), nil
}

func (f *Frame) querySelectorAll(ctx context.Context, api, selector string, scope *ElementHandle) ([]*ElementHandle, error) {
	t := f.find(selector, false)
	t.scope = scope
	return runValue(f.page, ctx, api, noTimeout, func(o *op) ([]*ElementHandle, error) {
		pl, err := t.locate(o)
		if err != nil || pl == nil {
			return nil, err
		}
		defer pl.release()
		args := []arg{textArg("queryAll"), pl.arg}
		if pl.scope != nil {
			args = append(args, *pl.scope)
		}
		r, err := pl.ec.callFunction(o.ctx, pl.program, callMethod, args, false)
		if err != nil || r.ObjectID == "" {
			return nil, err
		}
		list := &JSHandle{ctx: pl.ec, objectID: r.ObjectID}
		defer list.release()
		properties, err := list.properties(o.ctx)
		if err != nil {
			return nil, err
		}
		var elements []*ElementHandle
		for _, property := range properties {
			if h := property.Value.AsElement(); h != nil {
				elements = append(elements, h)
			}
		}
		return elements, nil
	})
}

func (f *Frame) evalOnSelector(ctx context.Context, api, selector string, s Script, value Value, scope *ElementHandle) (Value, error) {
	t := f.find(selector, false)
	t.scope = scope
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (Value, error) {
		h, err := t.query(o)
		if err != nil {
			return nil, err
		}
		if h == nil {
			return nil, plainError("Failed to find element matching selector \"" + selector + "\"")
		}
		defer h.release()
		ec, err := h.frame.worldOf(o, mainWorld)
		if err != nil {
			return nil, err
		}
		return ec.evaluate(o.ctx, s, h, value)
	})
}

func (f *Frame) evalOnSelectorAll(ctx context.Context, api, selector string, s Script, value Value, scope *ElementHandle) (Value, error) {
	t := f.find(selector, false)
	t.scope = scope
	t.world = mainWorld
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (Value, error) {
		pl, err := t.locate(o)
		if err != nil {
			return nil, err
		}
		if pl == nil {
			ec, err := f.worldOf(o, mainWorld)
			if err != nil {
				return nil, err
			}
			return ec.evaluate(o.ctx, s, &Array{}, value)
		}
		defer pl.release()
		wire, handles, release, err := pl.ec.arguments(o.ctx, []Value{value})
		if err != nil {
			return nil, err
		}
		defer release()
		scopeArg := jsonArg(nil)
		if pl.scope != nil {
			scopeArg = *pl.scope
		}
		r, err := pl.ec.callWithCode(o.ctx, pl.program, "evaluateAll", s, append([]arg{pl.arg, rawArg(wire), scopeArg}, handles...), true)
		if err != nil {
			return nil, err
		}
		return wireResult(r)
	})
}

// codeCall is a call of the main world's program whose first parameter is page code.
func (t *target) runCode(o *op, method string, s Script, value Value) (Value, error) {
	t.world = mainWorld
	t.announce(o)
	for n := 0; ; n++ {
		if err := o.pause(backoff(o, n)); err != nil {
			return nil, err
		}
		result, again, err := t.tryCode(o, method, s, value)
		if err != nil && t.again(o, err) {
			continue
		}
		if err != nil || !again {
			return result, err
		}
	}
}

func (t *target) tryCode(o *op, method string, s Script, value Value) (result Value, again bool, err error) {
	pl, err := t.locate(o)
	if err != nil || pl == nil {
		return nil, err == nil, err
	}
	defer pl.release()
	wire, handles, release, err := pl.ec.arguments(o.ctx, []Value{value})
	if err != nil {
		return nil, false, err
	}
	defer release()
	b := t.frame.page.browser
	b.mu.Lock()
	b.lastCall++
	options := resolveOptions{Strict: t.strict, Timeout: o.remaining(), Call: b.lastCall}
	b.mu.Unlock()
	if options.Timeout == 0 {
		options.Timeout = unlimited
	}
	ctx, cancel := o.patient()
	defer cancel()
	args := append([]arg{pl.arg, rawArg(wire), jsonArg(options), jsonArg(nil)}, handles...)
	r, err := pl.ec.callWithCode(ctx, pl.program, method, s, args, true)
	if err != nil {
		if o.base.Err() != nil || ctx.Err() != nil {
			pl.abort(options.Call)
		}
		return nil, false, err
	}
	reply := &pageReply{}
	if unmarshal(r.Value, reply) != nil {
		return nil, false, errWire
	}
	o.logLine(reply.Log...)
	switch {
	case reply.Error != nil:
		return nil, false, &jsError{*reply.Error}
	case reply.Retry != nil:
		if err := o.over(); err != nil {
			return nil, false, err
		}
		return nil, false, &timeoutError{}
	case method == "evaluateOn":
		result, err = decodeValue(reply.Value)
		return result, false, err
	}
	return nil, false, nil
}

func (f *Frame) evaluateOnElement(ctx context.Context, api, selector string, s Script, value Value, q TimeoutOptions) (Value, error) {
	t := f.find(selector, true)
	return runValue(f.page, ctx, api, f.page.timeouts.of(q.Timeout), func(o *op) (Value, error) {
		if !strings.Contains(selector, "aria-ref=") {
			return t.runCode(o, "evaluateOn", s, value)
		}
		// Only the utility world's program knows the refs it gave.
		h, err := f.doWaitForSelector(o, selector, WaitForOptions{State: "attached", Strict: true}, nil, false)
		if err != nil {
			return nil, err
		}
		defer h.release()
		ec, err := h.frame.worldOf(o, mainWorld)
		if err != nil {
			return nil, err
		}
		return ec.evaluate(o.ctx, s, h, value)
	})
}

func (f *Frame) waitForFunctionOnElement(ctx context.Context, api, selector string, s Script, value Value, q TimeoutOptions) error {
	t := f.find(selector, true)
	return f.page.run(ctx, api, f.page.timeouts.of(q.Timeout), func(o *op) error {
		_, err := t.runCode(o, "waitForFunctionOn", s, value)
		return err
	})
}

func (h *ElementHandle) doEvaluateHandle(o *op, s Script, value Value) (Handle, error) {
	ec, err := h.frame.worldOf(o, mainWorld)
	if err != nil {
		return nil, err
	}
	return ec.evaluateHandle(o.ctx, s, h, value)
}

type waitFunctionParams struct {
	Timeout int64    `json:"timeout,omitzero"`
	Call    int64    `json:"call,omitzero"`
	Polling *float64 `json:"polling,omitzero"`
}

func (f *Frame) waitForFunction(ctx context.Context, api string, s Script, value Value, w WaitForFunctionOptions) (Handle, error) {
	return runValue(f.page, ctx, api, f.page.timeouts.of(w.Timeout), func(o *op) (Handle, error) {
		if w.Polling != nil && *w.Polling <= 0 {
			return nil, plainError("Cannot poll with non-positive interval: " + milliseconds(*w.Polling))
		}
		for n := 0; ; n++ {
			if n > 0 {
				if err := o.pause(100 * time.Millisecond); err != nil {
					return nil, err
				}
			}
			h, err := f.tryFunction(o, s, value, w.Polling)
			if err == nil || !o.retriable(f, err) {
				return h, err
			}
		}
	})
}

func (f *Frame) tryFunction(o *op, s Script, value Value, polling *time.Duration) (Handle, error) {
	ec, err := f.worldOf(o, mainWorld)
	if err != nil {
		return nil, err
	}
	program, err := ec.program(o.ctx, evaluatorProgram)
	if err != nil {
		return nil, err
	}
	wire, handles, release, err := ec.arguments(o.ctx, []Value{value})
	if err != nil {
		return nil, err
	}
	defer release()
	params := waitFunctionParams{Timeout: o.remaining()}
	if params.Timeout == 0 {
		params.Timeout = unlimited
	}
	if polling != nil {
		ms := float64(*polling) / float64(time.Millisecond)
		params.Polling = &ms
	}
	b := f.page.browser
	b.mu.Lock()
	b.lastCall++
	params.Call = b.lastCall
	b.mu.Unlock()
	ctx, cancel := o.patient()
	defer cancel()
	r, err := ec.callWithCode(ctx, program, "waitForFunction", s, append([]arg{rawArg(wire), jsonArg(params)}, handles...), false)
	if err != nil {
		if ctx.Err() != nil && ec.life.Err() == nil {
			ec.startFunction(b.ctx, program, callMethod, []arg{textArg("abort"), jsonArg(params.Call)}, true)
		}
		return nil, err
	}
	if r.ObjectID == "" {
		if err := o.over(); err != nil {
			return nil, err
		}
		return nil, &timeoutError{}
	}
	result := &JSHandle{ctx: ec, objectID: r.ObjectID}
	defer result.release()
	properties, err := result.properties(o.ctx)
	if err != nil || len(properties) == 0 {
		return nil, err
	}
	return properties[0].Value, nil
}

func (h *ElementHandle) waitForElementState(ctx context.Context, api, state string, q TimeoutOptions) error {
	return h.run(ctx, api, q.Timeout, func(o *op) error {
		switch state {
		case "visible", "hidden", "stable", "enabled", "disabled", "editable":
		default:
			return plainError("state: expected one of (visible|hidden|stable|enabled|disabled|editable)")
		}
		return h.target().simple(o, pageCall{method: "waitForState", checks: true, args: func(r resolveOptions) []arg {
			return []arg{textArg(state), jsonArg(r)}
		}})
	})
}

func (h *ElementHandle) doBoundingBox(o *op) (*Rect, error) {
	var res dom.GetBoxModelResult
	if err := h.ctx.session.call(o.ctx, "DOM.getBoxModel", obj{"objectId": h.objectID}, &res); err != nil {
		if over := o.over(); over != nil {
			return nil, over
		}
		return nil, nil
	}
	q := res.Model.Border
	if len(q) < 8 {
		return nil, nil
	}
	x, y := min(q[0], q[2], q[4], q[6]), min(q[1], q[3], q[5], q[7])
	offset, err := h.ctx.session.offset(o)
	if err != nil {
		return nil, err
	}
	return &Rect{x + offset.X, y + offset.Y, max(q[0], q[2], q[4], q[6]) - x, max(q[1], q[3], q[5], q[7]) - y}, nil
}

// offset is where the viewport of a session's root frame lies in the main frame's.
func (s *session) offset(o *op) (Point, error) {
	if s.kind != frameSession {
		return Point{}, nil
	}
	b := s.b
	b.mu.Lock()
	f := s.page.frameByID[s.targetID]
	b.mu.Unlock()
	if f == nil {
		return Point{}, frameDetachedError
	}
	parent := f.ParentFrame()
	if parent == nil {
		return Point{}, nil
	}
	h, err := f.ownerHop(o, parent)
	if err != nil {
		return Point{}, err
	}
	defer h.ec.session.post("Runtime.releaseObject", obj{"objectId": h.objectID})
	// The content box, in the parent process's coordinates.
	var res dom.GetBoxModelResult
	if err := h.ec.session.call(o.ctx, "DOM.getBoxModel", obj{"objectId": h.objectID}, &res); err != nil {
		return Point{}, h.ec.translate(o.ctx, err)
	}
	if len(res.Model.Content) < 8 {
		return Point{}, nil
	}
	outer, err := h.ec.session.offset(o)
	return Point{res.Model.Content[0] + outer.X, res.Model.Content[1] + outer.Y}, err
}

// ownerNode answers the element that holds the frame, by its id in the parent's session.
func (f *Frame) ownerNode(o *op) (int64, *session, error) {
	p := f.page
	p.browser.mu.Lock()
	id := f.id
	var s *session
	if f.parent != nil {
		s = p.sessionOf(f.parent)
	}
	p.browser.mu.Unlock()
	if s == nil {
		return 0, nil, plainError("Frame has been detached.")
	}
	var res dom.GetFrameOwnerResult
	if err := s.call(o.ctx, "DOM.getFrameOwner", obj{"frameId": id}, &res); err != nil {
		if over := o.over(); over != nil {
			return 0, nil, over
		}
		if f.IsDetached() || refusal(err) != nil {
			return 0, nil, plainError("Frame has been detached.")
		}
		return 0, nil, err
	}
	return int64(res.BackendNodeID), s, nil
}

func refusal(err error) *cdp.Error {
	if e, ok := err.(*cdp.Error); ok {
		return e
	}
	return nil
}

func (f *Frame) frameElement(ctx context.Context, api string) (*ElementHandle, error) {
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (*ElementHandle, error) {
		backend, _, err := f.ownerNode(o)
		if err != nil {
			return nil, err
		}
		parent := f.ParentFrame()
		if parent == nil {
			return nil, plainError("Frame has been detached.")
		}
		ec, err := parent.worldOf(o, mainWorld)
		if err != nil {
			return nil, err
		}
		id, err := ec.resolveNode(o.ctx, backend)
		if err != nil {
			return nil, err
		}
		return newElement(ec, id).describe(), nil
	})
}

func (h *ElementHandle) ownerFrame(ctx context.Context, api string) (*Frame, error) {
	return runValue(h.frame.page, ctx, api, noTimeout, func(o *op) (*Frame, error) {
		r, err := h.ctx.callFunction(o.ctx, h.objectID, `function(){const d=this;if(d.documentElement&&d.documentElement.ownerDocument===d)return d.documentElement;`+
			`return d.ownerDocument?d.ownerDocument.documentElement:null}`, nil, false)
		if err != nil || r.ObjectID == "" {
			return nil, err
		}
		defer h.ctx.session.post("Runtime.releaseObject", obj{"objectId": r.ObjectID})
		return h.frameOfNode(o, r.ObjectID)
	})
}

func (h *ElementHandle) contentFrame(ctx context.Context, api string) (*Frame, error) {
	return runValue(h.frame.page, ctx, api, noTimeout, func(o *op) (*Frame, error) {
		r, err := h.ctx.callFunction(o.ctx, h.objectID, `function(){return this.nodeName==='IFRAME'||this.nodeName==='FRAME'}`, nil, true)
		if err != nil || string(r.Value) != "true" {
			return nil, err
		}
		return h.frameOfNode(o, h.objectID)
	})
}

// frameOfNode answers the frame that CDP names with a node: the content of a frame element, the owner of a document element.
func (h *ElementHandle) frameOfNode(o *op, objectID string) (*Frame, error) {
	var node dom.DescribeNodeResult
	if err := h.ctx.session.call(o.ctx, "DOM.describeNode", obj{"objectId": objectID}, &node); err != nil {
		return nil, h.ctx.translate(o.ctx, err)
	}
	b := h.frame.page.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.allPages() {
		if f := p.frameByID[string(node.Node.FrameID)]; f != nil {
			return f, nil
		}
	}
	return nil, nil
}

func (f *Frame) resolveSelector(ctx context.Context, api, selector string) (string, error) {
	t := f.find(selector, true)
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (string, error) {
		h, err := t.query(o)
		if err != nil {
			return "", err
		}
		if h == nil {
			return "", plainError("No element matching " + selector)
		}
		defer h.release()
		suggested, err := h.suggestion(o)
		if err != nil {
			return "", err
		}
		for at := h.frame; at != f; {
			parent := at.ParentFrame()
			if parent == nil {
				break
			}
			owner, err := at.ownerHop(o, parent)
			if err != nil {
				return "", err
			}
			outer, err := newElement(owner.ec, owner.objectID).suggestion(o)
			if err != nil {
				return "", err
			}
			suggested = outer + " >> internal:control=enter-frame >> " + suggested
			at = parent
		}
		return suggested, nil
	})
}

func (h *ElementHandle) suggestion(o *op) (selector string, err error) {
	value, pl, err := h.target().run(o, pageCall{method: "read", args: func(r resolveOptions) []arg { return []arg{textArg("selector"), jsonArg(readParams{r, nil})} }})
	if err != nil {
		return "", err
	}
	pl.release()
	return selector, decodeInto(value, &selector)
}
