package browser

import (
	"context"
	"time"
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

func (f *Frame) waitForFunctionOnElement(ctx context.Context, api, selector string, s Script, value Value, q TimeoutOptions) error {
	t := f.find(selector, Strictly)
	return f.page.run(ctx, api, f.page.timeouts.of(q.Timeout), func(o *op) error {
		_, err := t.runCode(o, "waitForFunctionOn", s, value)
		return err
	})
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
