package browser

import (
	"context"
	"strconv"
	"strings"
)

type ariaParams struct {
	resolveOptions
	Mode      string `json:"mode,omitzero"`
	Depth     int    `json:"depth,omitzero"`
	RefPrefix string `json:"refPrefix,omitzero"`
	Boxes     bool   `json:"boxes,omitzero"`
}

// wholeDocument is what a page's snapshot is of.
const wholeDocument = "body,frameset"

func (f *Frame) ariaSnapshot(ctx context.Context, api, selector string, a AriaSnapshotOptions) (string, error) {
	return runValue(f.page, ctx, api, f.page.timeouts.of(a.Timeout), func(o *op) (string, error) {
		t := f.find(wholeDocument, AsContext)
		if selector != "" {
			t = f.find(selector, Strictly)
			t.announce(o)
		}
		return t.snapshot(o, a, selector != "" && a.Mode != "ai")
	})
}

// snapshot is the accessibility tree of one element; for models with the trees of the frames in it.
func (t *target) snapshot(o *op, a AriaSnapshotOptions, checks bool) (text string, err error) {
	b := t.frame.page.browser
	value, pl, err := t.run(o, pageCall{method: "ariaSnapshot", checks: checks, prepare: func(pl *place) []arg {
		b.mu.Lock()
		seq := pl.frame.seq
		b.mu.Unlock()
		params := ariaParams{Mode: a.Mode, Depth: a.Depth, Boxes: a.Boxes}
		if seq > 0 {
			params.RefPrefix = "f" + itoa(seq)
		}
		params.resolveOptions = pl.options
		return []arg{jsonArg(params)}
	}})
	if err != nil {
		return "", err
	}
	pl.release()
	if err := decodeInto(value, &text); err != nil || a.Mode != "ai" {
		return text, err
	}
	return pl.frame.withFrames(o, text, a), nil
}

// withFrames puts the snapshots of a document's frames below their lines. A frame that cannot answer stays empty.
func (f *Frame) withFrames(o *op, text string, a AriaSnapshotOptions) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		ref, indent, ok := iframeLine(line)
		if !ok {
			out = append(out, line)
			continue
		}
		inner := a
		if a.Depth != 0 {
			inner.Depth = a.Depth - indent/2 - 1
			if inner.Depth < 0 {
				out = append(out, line)
				continue
			}
		}
		child := f.snapshotOfFrame(o, ref, inner)
		if child == "" {
			out = append(out, line)
			continue
		}
		out = append(out, line+":")
		for _, below := range strings.Split(child, "\n") {
			out = append(out, strings.Repeat(" ", indent+2)+below)
		}
	}
	return strings.Join(out, "\n")
}

// iframeLine reads the ref and indentation of a line that stands for a frame.
func iframeLine(line string) (ref string, indent int, ok bool) {
	trimmed := strings.TrimLeft(line, " ")
	rest, ok := strings.CutPrefix(trimmed, "- ")
	if !ok || !strings.HasPrefix(strings.TrimPrefix(rest, "'"), "iframe") {
		return "", 0, false
	}
	_, rest, ok = strings.Cut(rest, "[ref=")
	if !ok || strings.HasSuffix(line, ":") {
		return "", 0, false
	}
	ref, _, ok = strings.Cut(rest, "]")
	return ref, len(line) - len(trimmed), ok
}

func (f *Frame) snapshotOfFrame(o *op, ref string, a AriaSnapshotOptions) string {
	t := f.find("aria-ref="+ref+" >> internal:control=enter-frame >> "+wholeDocument, AsContext)
	pl, err := t.locate(o)
	if err != nil || pl == nil {
		return ""
	}
	pl.release()
	inner := pl.frame.find(wholeDocument, AsContext)
	var text string
	// A frame on its way elsewhere or behind a dialog is not waited for.
	_ = pl.frame.unstalled(o, func(ctx context.Context) error {
		short := &op{ctx: ctx, base: ctx, deadline: o.deadline, timeout: o.timeout}
		text, err = inner.snapshot(short, a, false)
		return err
	})
	return text
}

// refFrame answers the frame that an aria-ref with a frame's number is in: f itself for one without.
func (f *Frame) refFrame(chunk string) (*Frame, error) {
	ref, ok := strings.CutPrefix(chunk, "aria-ref=")
	if !ok {
		return f, nil
	}
	ref, _, _ = strings.Cut(ref, " ")
	number, _, ok := strings.Cut(strings.TrimPrefix(ref, "f"), "e")
	if !ok || !strings.HasPrefix(ref, "f") {
		return f, nil
	}
	seq, err := strconv.Atoi(number)
	if err != nil {
		return f, nil
	}
	b := f.page.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, other := range f.page.attachedOrder {
		if other.seq == seq {
			return other, nil
		}
	}
	return nil, &selectorError{"Invalid frame in aria-ref selector \"" + chunk + "\""}
}
