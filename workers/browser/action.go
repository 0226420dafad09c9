package browser

import (
	"context"
	"encoding/base64"
	"time"
)

// find is the target of a frame's selector.
func (f *Frame) find(selector string, s Strictness) *target {
	strict := s == Strictly || s == AsContext && f.page.context.options.StrictSelectors
	return &target{frame: f, selector: selector, strict: strict, world: utilityWorld}
}

// target is the node of the handle.
func (h *ElementHandle) target() *target {
	return &target{frame: h.frame, handle: h, world: utilityWorld}
}

// act is one API call on a target: log line, action, error wording.
func (t *target) act(ctx context.Context, api string, timeout *time.Duration, action func(o *op) error) error {
	p := t.frame.page
	return p.run(ctx, api, p.timeouts.of(timeout), func(o *op) error {
		t.announce(o)
		return action(o)
	})
}

// announce says what is waited for.
func (t *target) announce(o *op) {
	if t.handle == nil {
		o.logLine("waiting for " + describeLocator(t.selector))
	}
}

func (f *Frame) click(ctx context.Context, api, selector string, c ClickOptions) error {
	return f.find(selector, c.Strict).click(ctx, api, c)
}

func (h *ElementHandle) click(ctx context.Context, api string, c ClickOptions) error {
	return h.target().click(ctx, api, c)
}

func (t *target) click(ctx context.Context, api string, c ClickOptions) error {
	return t.act(ctx, api, c.Timeout, func(o *op) error {
		after := waitNavigations
		if c.NoWaitAfter {
			after = waitNothing
		}
		return t.point(o, pointerAction{name: "click", options: c.pointer(), after: after, send: t.clicks(c)})
	})
}

// clicks sends the mouse events of a click.
func (t *target) clicks(c ClickOptions) func(*op, Point) error {
	m := MouseOptions{Button: c.Button, ClickCount: c.ClickCount, Delay: c.Delay, Steps: c.Steps}
	return func(o *op, at Point) error { return t.frame.page.Mouse.doClick(o, at.X, at.Y, m) }
}

func (f *Frame) dblclick(ctx context.Context, api, selector string, c ClickOptions) error {
	return f.find(selector, c.Strict).dblclick(ctx, api, c)
}

func (h *ElementHandle) dblclick(ctx context.Context, api string, c ClickOptions) error {
	return h.target().dblclick(ctx, api, c)
}

func (t *target) dblclick(ctx context.Context, api string, c ClickOptions) error {
	c.ClickCount = 2
	return t.act(ctx, api, c.Timeout, func(o *op) error {
		return t.point(o, pointerAction{name: "dblclick", options: c.pointer(), send: t.clicks(c)})
	})
}

func (f *Frame) hover(ctx context.Context, api, selector string, q PointerOptions) error {
	return f.find(selector, q.Strict).hover(ctx, api, q)
}

func (h *ElementHandle) hover(ctx context.Context, api string, q PointerOptions) error {
	return h.target().hover(ctx, api, q)
}

func (t *target) hover(ctx context.Context, api string, q PointerOptions) error {
	return t.act(ctx, api, q.Timeout, func(o *op) error {
		return t.point(o, pointerAction{name: "hover", options: q, send: func(o *op, at Point) error {
			return t.frame.page.Mouse.doMove(o, at.X, at.Y, 1, false)
		}})
	})
}

func (f *Frame) tap(ctx context.Context, api, selector string, q PointerOptions) error {
	return f.find(selector, q.Strict).tap(ctx, api, q)
}

func (h *ElementHandle) tap(ctx context.Context, api string, q PointerOptions) error {
	return h.target().tap(ctx, api, q)
}

func (t *target) tap(ctx context.Context, api string, q PointerOptions) error {
	p := t.frame.page
	return p.run(ctx, api, p.timeouts.of(q.Timeout), func(o *op) error {
		if !p.context.options.HasTouch {
			return plainError("The page does not support tap. Use hasTouch context option to enable touch support.")
		}
		t.announce(o)
		return t.point(o, pointerAction{name: "tap", options: q, send: func(o *op, at Point) error {
			return p.Touchscreen.doTap(o, at.X, at.Y)
		}})
	})
}

func (f *Frame) check(ctx context.Context, api, selector string, q PointerOptions) error {
	return f.find(selector, q.Strict).setChecked(ctx, api, true, q)
}

func (f *Frame) uncheck(ctx context.Context, api, selector string, q PointerOptions) error {
	return f.find(selector, q.Strict).setChecked(ctx, api, false, q)
}

func (f *Frame) setChecked(ctx context.Context, api, selector string, checked bool, q PointerOptions) error {
	return f.find(selector, q.Strict).setChecked(ctx, api, checked, q)
}

func (h *ElementHandle) check(ctx context.Context, api string, q PointerOptions) error {
	return h.target().setChecked(ctx, api, true, q)
}

func (h *ElementHandle) uncheck(ctx context.Context, api string, q PointerOptions) error {
	return h.target().setChecked(ctx, api, false, q)
}

func (h *ElementHandle) setChecked(ctx context.Context, api string, checked bool, q PointerOptions) error {
	return h.target().setChecked(ctx, api, checked, q)
}

func (t *target) setChecked(ctx context.Context, api string, checked bool, q PointerOptions) error {
	return t.act(ctx, api, q.Timeout, func(o *op) error {
		return t.point(o, pointerAction{name: "click", options: q, checked: &checked, send: t.clicks(ClickOptions{})})
	})
}

func (f *Frame) dragAndDrop(ctx context.Context, api, source, to string, d DragOptions) error {
	p := f.page
	return p.run(ctx, api, p.timeouts.of(d.Timeout), func(o *op) error {
		from, into := f.find(source, d.Strict), f.find(to, d.Strict)
		from.announce(o)
		options := PointerOptions{Force: d.Force, Position: d.SourcePosition, Trial: d.Trial}
		err := from.point(o, pointerAction{name: "move and down", options: options, send: func(o *op, at Point) error {
			if err := p.Mouse.doMove(o, at.X, at.Y, 1, false); err != nil {
				return err
			}
			return p.Mouse.doDown(o, MouseOptions{})
		}})
		if err != nil {
			return err
		}
		into.announce(o)
		options.Position = d.TargetPosition
		return into.point(o, pointerAction{name: "move and up", options: options, unchecked: true, send: func(o *op, at Point) error {
			if err := p.Mouse.doMove(o, at.X, at.Y, d.Steps, false); err != nil {
				return err
			}
			return p.Mouse.doUp(o, MouseOptions{})
		}})
	})
}

// filePayload is FilePayload of inject/api.ts.
type filePayload struct {
	Name         string  `json:"name"`
	MimeType     string  `json:"mimeType,omitzero"`
	Buffer       string  `json:"buffer"`
	LastModified float64 `json:"lastModified,omitzero"`
}

// largestUpload bounds files given as buffers: Playwright's figure.
const largestUpload = 50 << 20

func payloads(files []FilePayload) ([]filePayload, error) {
	list := make([]filePayload, len(files))
	total := 0
	for i, f := range files {
		total += len(f.Buffer)
		list[i] = filePayload{f.Name, f.MimeType, base64.StdEncoding.EncodeToString(f.Buffer), f.LastModified}
	}
	if total >= largestUpload {
		return nil, plainError("Cannot set buffer larger than 50Mb, please write it to a file and pass its path instead.")
	}
	return list, nil
}

type dropData struct {
	MimeType string `json:"mimeType"`
	Value    string `json:"value"`
}

func (f *Frame) drop(ctx context.Context, api, selector string, payload DropPayload, q PointerOptions) error {
	t := f.find(selector, q.Strict)
	return t.act(ctx, api, q.Timeout, func(o *op) error {
		if len(payload.Files) == 0 && len(payload.Data) == 0 {
			return plainError(`At least one of "files" or "data" must be provided.`)
		}
		files, err := payloads(payload.Files)
		if err != nil {
			return err
		}
		data := make([]dropData, len(payload.Data))
		for i, d := range payload.Data {
			data[i] = dropData(d)
		}
		params := pointerParams{Action: "drop", Force: q.Force, Trial: q.Trial}
		if q.Position != nil {
			params.Position = &point{q.Position.X, q.Position.Y}
		}
		value, pl, err := t.run(o, pageCall{method: "pointer", checks: !q.Force, args: func(r resolveOptions) []arg {
			with := params
			with.resolveOptions = r
			return []arg{jsonArg(with)}
		}})
		if err != nil {
			return err
		}
		defer pl.release()
		var ready pointerReady
		if unmarshal(value, &ready) != nil {
			return errWire
		}
		pl.disarm(ready.Token)
		o.logLine("  performing drop action")
		reply, err := pl.call(o.ctx, "drop", refArg(ready.Ref), jsonArg(files), jsonArg(data), jsonArg(ready.Point))
		if err != nil {
			return err
		}
		if reply.Error != nil {
			return &jsError{*reply.Error}
		}
		return nil
	})
}
