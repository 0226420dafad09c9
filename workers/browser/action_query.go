package browser

import (
	"context"
	"strings"
)

func (f *Frame) querySelector(ctx context.Context, api, selector string, strict Strictness, scope *ElementHandle) (*ElementHandle, error) {
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
	t := f.find(selector, AsContext)
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
	t := f.find(selector, AsContext)
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
	t := f.find(selector, AsContext)
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
	t := f.find(selector, Strictly)
	return runValue(f.page, ctx, api, f.page.timeouts.of(q.Timeout), func(o *op) (Value, error) {
		if !strings.Contains(selector, "aria-ref=") {
			return t.runCode(o, "evaluateOn", s, value)
		}
		// Only the utility world's program knows the refs it gave.
		h, err := f.doWaitForSelector(o, selector, WaitForOptions{State: "attached", Strict: Strictly}, nil, false)
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

func (h *ElementHandle) doEvaluateHandle(o *op, s Script, value Value) (Handle, error) {
	ec, err := h.frame.worldOf(o, mainWorld)
	if err != nil {
		return nil, err
	}
	return ec.evaluateHandle(o.ctx, s, h, value)
}

func (f *Frame) resolveSelector(ctx context.Context, api, selector string) (string, error) {
	t := f.find(selector, Strictly)
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
