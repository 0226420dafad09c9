package browser

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

type fillParams struct {
	resolveOptions
	Value string `json:"value"`
	Force bool   `json:"force,omitzero"`
}

type forceParams struct {
	resolveOptions
	Force bool `json:"force,omitzero"`
}

func (f *Frame) fill(ctx context.Context, api, selector, value string, o FillOptions) error {
	return f.find(selector, o.Strict).fill(ctx, api, value, o)
}

func (h *ElementHandle) fill(ctx context.Context, api, value string, o FillOptions) error {
	return h.target().fill(ctx, api, value, o)
}

// fill is one call that checks, focuses and selects, and the typing when the element takes typed text.
func (t *target) fill(ctx context.Context, api, value string, q FillOptions) error {
	return t.act(ctx, api, q.Timeout, func(o *op) error {
		result, pl, err := t.run(o, pageCall{method: "fill", checks: !q.Force, args: func(r resolveOptions) []arg {
			return []arg{jsonArg(fillParams{r, value, q.Force})}
		}})
		if err != nil {
			return err
		}
		pl.release()
		var next struct {
			Next string  `json:"next"`
			Text *string `json:"text"`
		}
		if unmarshal(result, &next) != nil {
			return errWire
		}
		k := t.frame.page.Keyboard
		switch next.Next {
		case "insertText":
			if next.Text != nil {
				value = *next.Text
			}
			return k.doInsertText(o, value)
		case "delete":
			return k.doPress(o, "Delete", 0)
		}
		return nil
	})
}

func (f *Frame) typeText(ctx context.Context, api, selector, text string, o TypeOptions) error {
	return f.find(selector, o.Strict).typeText(ctx, api, text, o)
}

func (h *ElementHandle) typeText(ctx context.Context, api, text string, o TypeOptions) error {
	return h.target().typeText(ctx, api, text, o)
}

func (t *target) typeText(ctx context.Context, api, text string, q TypeOptions) error {
	return t.act(ctx, api, q.Timeout, func(o *op) error {
		if err := t.doFocus(o, true); err != nil {
			return err
		}
		return t.frame.page.Keyboard.doType(o, text, q.Delay)
	})
}

func (f *Frame) press(ctx context.Context, api, selector, key string, o TypeOptions) error {
	return f.find(selector, o.Strict).press(ctx, api, key, o)
}

func (h *ElementHandle) press(ctx context.Context, api, key string, o TypeOptions) error {
	return h.target().press(ctx, api, key, o)
}

func (t *target) press(ctx context.Context, api, key string, q TypeOptions) error {
	return t.act(ctx, api, q.Timeout, func(o *op) error {
		p := t.frame.page
		if q.NoWaitAfter {
			if err := t.doFocus(o, true); err != nil {
				return err
			}
			return p.Keyboard.doPress(o, key, q.Delay)
		}
		b := p.addBarrier(o)
		defer p.removeBarrier(b)
		if err := t.doFocus(o, true); err != nil {
			return err
		}
		if err := p.Keyboard.doPress(o, key, q.Delay); err != nil {
			return err
		}
		if err := p.roundTrip(o, p.mainFrame); err != nil {
			return err
		}
		return p.waitBarrier(o, b)
	})
}

type focusParams struct {
	resolveOptions
	ResetSelection bool `json:"resetSelection,omitzero"`
}

func (t *target) doFocus(o *op, resetSelection bool) error {
	_, pl, err := t.run(o, pageCall{method: "focus", checks: true, args: func(r resolveOptions) []arg {
		return []arg{jsonArg(focusParams{r, resetSelection})}
	}})
	if err == nil {
		pl.release()
	}
	return err
}

func (f *Frame) focus(ctx context.Context, api, selector string, q TimeoutOptions) error {
	t := f.find(selector, q.Strict)
	return t.act(ctx, api, q.Timeout, func(o *op) error { return t.doFocus(o, false) })
}

func (h *ElementHandle) focus(ctx context.Context, api string, q TimeoutOptions) error {
	t := h.target()
	return t.act(ctx, api, handleTimeout(q), func(o *op) error { return t.doFocus(o, false) })
}

// handleTimeout: reads and simple calls on handles have no default limit, as in Playwright.
func handleTimeout(q TimeoutOptions) *time.Duration {
	if q.Timeout != nil {
		return q.Timeout
	}
	return ptr(noTimeout)
}

func (f *Frame) blur(ctx context.Context, api, selector string, q TimeoutOptions) error {
	t := f.find(selector, q.Strict)
	return t.act(ctx, api, q.Timeout, func(o *op) error {
		return t.simple(o, pageCall{method: "blur", checks: true, args: func(r resolveOptions) []arg { return []arg{jsonArg(r)} }})
	})
}

// simple is a call whose value is of no interest.
func (t *target) simple(o *op, c pageCall) error {
	_, pl, err := t.run(o, c)
	if err == nil {
		pl.release()
	}
	return err
}

func (h *ElementHandle) doSelectText(o *op, q FillOptions) error {
	return h.target().simple(o, pageCall{method: "selectText", checks: !q.Force, args: func(r resolveOptions) []arg {
		return []arg{jsonArg(forceParams{r, q.Force})}
	}})
}

func (h *ElementHandle) doScrollIntoView(o *op) error {
	return h.target().simple(o, pageCall{method: "scrollIntoView", checks: true, args: func(r resolveOptions) []arg { return []arg{jsonArg(r)} }})
}

func (f *Frame) dispatchEvent(ctx context.Context, api, selector, event string, init Value, q TimeoutOptions) error {
	t := f.find(selector, q.Strict)
	return t.act(ctx, api, q.Timeout, func(o *op) error { return t.dispatchEvent(o, event, init) })
}

func (h *ElementHandle) dispatchEvent(ctx context.Context, api, event string, init Value, q TimeoutOptions) error {
	t := h.target()
	return t.act(ctx, api, handleTimeout(q), func(o *op) error { return t.dispatchEvent(o, event, init) })
}

// dispatchEvent makes the event in the page's own world, so that its init may hold the page's objects.
func (t *target) dispatchEvent(o *op, event string, init Value) error {
	t.world = mainWorld
	switch init.(type) {
	case nil, Undefined:
		init = &Object{}
	}
	var failed error
	err := t.simple(o, pageCall{method: "dispatchEvent", args: func(r resolveOptions) []arg {
		wire, handles, err := t.eventInit(o, init)
		if err != nil {
			failed = err
			return []arg{textArg(event), jsonArg(obj{}), jsonArg(r)}
		}
		return append([]arg{textArg(event), rawArg(wire), jsonArg(r)}, handles...)
	}})
	if failed != nil {
		return failed
	}
	return err
}

// eventInit encodes an event's init with its handles for the world the event is made in.
func (t *target) eventInit(o *op, init Value) (wire []byte, handles []arg, err error) {
	var list []*JSHandle
	if wire, list, err = encodeValue(nil, init, nil); err != nil {
		return nil, nil, err
	}
	for _, h := range list {
		id := h.objectID
		if h.element != nil {
			if _, id, err = h.element.in(o.ctx, o, mainWorld); err != nil {
				return nil, nil, err
			}
		}
		handles = append(handles, objectArg(id))
	}
	return wire, handles, nil
}

// optionMatch is OptionMatch of inject/api.ts.
type optionMatch struct {
	ValueOrLabel *string `json:"valueOrLabel,omitzero"`
	Value        *string `json:"value,omitzero"`
	Label        *string `json:"label,omitzero"`
	Index        *int    `json:"index,omitzero"`
}

func (f *Frame) selectOption(ctx context.Context, api, selector string, options []SelectOption, q FillOptions) ([]string, error) {
	return f.find(selector, q.Strict).selectOption(ctx, api, options, q)
}

func (h *ElementHandle) selectOption(ctx context.Context, api string, options []SelectOption, q FillOptions) ([]string, error) {
	return h.target().selectOption(ctx, api, options, q)
}

func (t *target) selectOption(ctx context.Context, api string, options []SelectOption, q FillOptions) (selected []string, err error) {
	err = t.act(ctx, api, q.Timeout, func(o *op) error {
		matches := []optionMatch{}
		var elements []arg
		for _, option := range options {
			if option.Element == nil {
				matches = append(matches, optionMatch{option.ValueOrLabel, option.Value, option.Label, option.Index})
				continue
			}
			_, id, err := option.Element.in(o.ctx, o, utilityWorld)
			if err != nil {
				return err
			}
			elements = append(elements, objectArg(id))
		}
		value, pl, err := t.run(o, pageCall{method: "selectOptions", checks: !q.Force, args: func(r resolveOptions) []arg {
			return append([]arg{jsonArg(matches), jsonArg(forceParams{r, q.Force})}, elements...)
		}})
		if err != nil {
			return err
		}
		pl.release()
		return decodeInto(value, &selected)
	})
	return selected, err
}

func decodeInto(raw jsontext.Value, v any) error {
	if unmarshal(raw, v) != nil {
		return errWire
	}
	return nil
}

func (f *Frame) setInputFiles(ctx context.Context, api, selector string, files []FilePayload, q FillOptions) error {
	return f.find(selector, q.Strict).setInputFiles(ctx, api, files, q)
}

func (h *ElementHandle) setInputFiles(ctx context.Context, api string, files []FilePayload, q FillOptions) error {
	return h.target().setInputFiles(ctx, api, files, q)
}

func (t *target) setInputFiles(ctx context.Context, api string, files []FilePayload, q FillOptions) error {
	return t.act(ctx, api, q.Timeout, func(o *op) error {
		list, err := payloads(files)
		if err != nil {
			return err
		}
		return t.simple(o, pageCall{method: "setInputFiles", checks: !q.Force, args: func(r resolveOptions) []arg {
			return []arg{jsonArg(list), jsonArg(r)}
		}})
	})
}
