package browser

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

type readParams struct {
	resolveOptions
	Arg *string `json:"arg,omitzero"`
}

// read answers one value of one element, waiting for the element to be there.
func (t *target) read(ctx context.Context, api, kind string, name *string, timeout *time.Duration) (value jsontext.Value, err error) {
	err = t.act(ctx, api, timeout, func(o *op) error {
		var pl *place
		value, pl, err = t.run(o, pageCall{method: "read", args: func(r resolveOptions) []arg {
			return []arg{textArg(kind), jsonArg(readParams{r, name})}
		}})
		if err == nil {
			pl.release()
		}
		return err
	})
	return value, err
}

func (t *target) readText(ctx context.Context, api, kind string, name *string, timeout *time.Duration) (*string, error) {
	value, err := t.read(ctx, api, kind, name, timeout)
	if err != nil {
		return nil, err
	}
	var text *string
	return text, decodeInto(value, &text)
}

func (t *target) readString(ctx context.Context, api, kind string, timeout *time.Duration) (string, error) {
	text, err := t.readText(ctx, api, kind, nil, timeout)
	if err != nil || text == nil {
		return "", err
	}
	return *text, nil
}

func (t *target) readBool(ctx context.Context, api, kind string, timeout *time.Duration) (bool, error) {
	value, err := t.read(ctx, api, kind, nil, timeout)
	if err != nil {
		return false, err
	}
	var b bool
	return b, decodeInto(value, &b)
}

func (f *Frame) textContent(ctx context.Context, api, selector string, q TimeoutOptions) (*string, error) {
	return f.find(selector, q.Strict).readText(ctx, api, "textContent", nil, q.Timeout)
}

func (h *ElementHandle) textContent(ctx context.Context, api string, q TimeoutOptions) (*string, error) {
	return h.target().readText(ctx, api, "textContent", nil, handleTimeout(q))
}

func (f *Frame) innerText(ctx context.Context, api, selector string, q TimeoutOptions) (string, error) {
	return f.find(selector, q.Strict).readString(ctx, api, "innerText", q.Timeout)
}

func (h *ElementHandle) innerText(ctx context.Context, api string, q TimeoutOptions) (string, error) {
	return h.target().readString(ctx, api, "innerText", handleTimeout(q))
}

func (f *Frame) innerHTML(ctx context.Context, api, selector string, q TimeoutOptions) (string, error) {
	return f.find(selector, q.Strict).readString(ctx, api, "innerHTML", q.Timeout)
}

func (h *ElementHandle) innerHTML(ctx context.Context, api string, q TimeoutOptions) (string, error) {
	return h.target().readString(ctx, api, "innerHTML", handleTimeout(q))
}

func (f *Frame) inputValue(ctx context.Context, api, selector string, q TimeoutOptions) (string, error) {
	return f.find(selector, q.Strict).readString(ctx, api, "inputValue", q.Timeout)
}

func (h *ElementHandle) inputValue(ctx context.Context, api string, q TimeoutOptions) (string, error) {
	return h.target().readString(ctx, api, "inputValue", handleTimeout(q))
}

func (f *Frame) getAttribute(ctx context.Context, api, selector, name string, q TimeoutOptions) (*string, error) {
	return f.find(selector, q.Strict).readText(ctx, api, "attribute", &name, q.Timeout)
}

func (h *ElementHandle) getAttribute(ctx context.Context, api, name string, q TimeoutOptions) (*string, error) {
	return h.target().readText(ctx, api, "attribute", &name, handleTimeout(q))
}

func (f *Frame) isChecked(ctx context.Context, api, selector string, q TimeoutOptions) (bool, error) {
	return f.find(selector, q.Strict).readBool(ctx, api, "checked", q.Timeout)
}

func (h *ElementHandle) isChecked(ctx context.Context, api string, q TimeoutOptions) (bool, error) {
	return h.target().readBool(ctx, api, "checked", handleTimeout(q))
}

func (f *Frame) isDisabled(ctx context.Context, api, selector string, q TimeoutOptions) (bool, error) {
	return f.find(selector, q.Strict).readBool(ctx, api, "disabled", q.Timeout)
}

func (h *ElementHandle) isDisabled(ctx context.Context, api string, q TimeoutOptions) (bool, error) {
	return h.target().readBool(ctx, api, "disabled", handleTimeout(q))
}

func (f *Frame) isEnabled(ctx context.Context, api, selector string, q TimeoutOptions) (bool, error) {
	return f.find(selector, q.Strict).readBool(ctx, api, "enabled", q.Timeout)
}

func (h *ElementHandle) isEnabled(ctx context.Context, api string, q TimeoutOptions) (bool, error) {
	return h.target().readBool(ctx, api, "enabled", handleTimeout(q))
}

func (f *Frame) isEditable(ctx context.Context, api, selector string, q TimeoutOptions) (bool, error) {
	return f.find(selector, q.Strict).readBool(ctx, api, "editable", q.Timeout)
}

func (h *ElementHandle) isEditable(ctx context.Context, api string, q TimeoutOptions) (bool, error) {
	return h.target().readBool(ctx, api, "editable", handleTimeout(q))
}

func (f *Frame) isVisible(ctx context.Context, api, selector string, q TimeoutOptions) (bool, error) {
	return f.find(selector, q.Strict).visible(ctx, api)
}

func (f *Frame) isHidden(ctx context.Context, api, selector string, q TimeoutOptions) (bool, error) {
	visible, err := f.find(selector, q.Strict).visible(ctx, api)
	return !visible && err == nil, err
}

func (h *ElementHandle) isVisible(ctx context.Context, api string, q TimeoutOptions) (bool, error) {
	return h.target().visible(ctx, api)
}

func (h *ElementHandle) isHidden(ctx context.Context, api string, q TimeoutOptions) (bool, error) {
	visible, err := h.target().visible(ctx, api)
	return !visible && err == nil, err
}

// visible never waits: what is not there is not visible.
func (t *target) visible(ctx context.Context, api string) (visible bool, err error) {
	err = t.frame.page.run(ctx, api, noTimeout, func(o *op) error {
		if t.handle == nil {
			o.logLine("  checking visibility of " + describeLocator(t.selector))
		}
		visible, err = t.isVisible(o)
		return err
	})
	return visible, err
}

func (t *target) isVisible(o *op) (bool, error) {
	reply, err := t.once(o, "read", func(pl *place) []arg {
		return []arg{pl.arg, textArg("visible"), jsonArg(resolveOptions{Strict: t.strict})}
	})
	if err != nil || reply == nil || reply.Retry != nil {
		return false, err
	}
	var visible bool
	return visible, decodeInto(reply.Value, &visible)
}

// once makes one call that waits for nothing. A document that goes away under it, and a frame that is not there, answer nil.
func (t *target) once(o *op, method string, args func(*place) []arg) (*pageReply, error) {
	pl, err := t.locate(o)
	if err == nil && pl != nil {
		defer pl.release()
		list := args(pl)
		if pl.scope != nil {
			list = append(list, *pl.scope)
		}
		var reply *pageReply
		if reply, err = pl.call(o.ctx, method, list...); err == nil {
			if reply.Error != nil {
				return nil, &jsError{*reply.Error}
			}
			o.logLine(reply.Log...)
			return reply, nil
		}
	}
	if err != nil && !o.retriable(t.frame, err) {
		return nil, err
	}
	return nil, nil
}

func (f *Frame) count(ctx context.Context, api, selector string) (int, error) {
	t := f.find(selector, AsContext)
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (n int, err error) {
		reply, err := t.once(o, "count", func(pl *place) []arg { return []arg{pl.arg} })
		if err != nil || reply == nil {
			return 0, err
		}
		return n, decodeInto(reply.Value, &n)
	})
}

func (f *Frame) allTexts(ctx context.Context, api, selector string, inner bool) ([]string, error) {
	t := f.find(selector, AsContext)
	kind := "textContent"
	if inner {
		kind = "innerText"
	}
	return runValue(f.page, ctx, api, noTimeout, func(o *op) ([]string, error) {
		pl, err := t.locate(o)
		if err != nil || pl == nil {
			return []string{}, err
		}
		defer pl.release()
		reply, err := pl.call(o.ctx, "readAll", pl.arg, textArg(kind))
		if err != nil {
			return nil, err
		}
		if reply.Error != nil {
			return nil, &jsError{*reply.Error}
		}
		var texts []*string
		if err := decodeInto(reply.Value, &texts); err != nil {
			return nil, err
		}
		list := make([]string, len(texts))
		for i, text := range texts {
			if text != nil {
				list[i] = *text
			}
		}
		return list, nil
	})
}
