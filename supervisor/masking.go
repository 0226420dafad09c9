package supervisor

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/pomerado-go/pomerado/operations/mask"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
)

// confide has the answers to secret questions masked wherever the run's words leave: in its outcome, its progress and the log (spec
// artifact-and-serving.md §5.3). It is called before anybody else sees an answer; r.asking is held.
func (r *run) confide(request question.Request, given map[string]json.RawMessage) {
	for _, q := range request.Questions {
		if q.Type != question.Secret {
			continue
		}
		var value string
		if json.Unmarshal(given[q.ID], &value) != nil {
			value = string(given[q.ID]) // no text, so no answer, but given in confidence all the same
		}
		r.given.Add(value)
		r.forget = append(r.forget, r.s.given.Add(value))
	}
}

// cleaned is a text without what was given in confidence and without credentials known by their shape (§11).
func cleaned(given *mask.Values, text string) string { return mask.Credentials(given.Text(text)) }

// forgetGiven ends the masking of this run's values in the log, when nothing of the run can write there any more.
func (r *run) forgetGiven() {
	r.asking.Lock()
	defer r.asking.Unlock()
	for _, forget := range r.forget {
		forget()
	}
	r.forget = nil
}

// maskThrown takes what was given in confidence out of the words an error came with, before anything is built of them: a value that the
// worker's bounds cut stands at the end of its text here.
func (r *run) maskThrown(t *outcome.Thrown) {
	r.maskTexts(&t.Code, &t.Message, &t.Frame, &t.Field, &t.Kind, &t.Requested, &t.Applied, &t.Step, &t.SiteMessage, &t.Reason)
	t.Available, t.Issues = r.maskedAll(t.Available), r.maskedAll(t.Issues)
}

// masked takes it out of everything an outcome says. Its output stays as the tool returned it (§6.7).
func (r *run) masked(o Outcome) Outcome {
	d := &o.Details
	r.maskTexts(&o.Error, &d.Reason, &d.Field, &d.Kind, &d.Requested, &d.Applied, &d.Step, &d.SiteMessage, &d.Frame)
	d.Available, d.Issues = r.maskedAll(d.Available), r.maskedAll(d.Issues)
	return o
}

func (r *run) maskTexts(texts ...*string) {
	for _, text := range texts {
		*text = cleaned(&r.given, *text)
	}
}

func (r *run) maskedAll(texts []string) []string {
	if texts == nil {
		return nil
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = cleaned(&r.given, text)
	}
	return out
}

// maskingHandler masks every text of a record on its way to the operator's log.
type maskingHandler struct {
	slog.Handler
	given *mask.Values
}

// Handle masks the message and the attributes.
func (h *maskingHandler) Handle(ctx context.Context, record slog.Record) error {
	masked := slog.NewRecord(record.Time, record.Level, cleaned(h.given, record.Message), record.PC)
	record.Attrs(func(a slog.Attr) bool {
		masked.AddAttrs(h.attr(a))
		return true
	})
	return h.Handler.Handle(ctx, masked)
}

// WithAttrs masks what the log is given for good.
func (h *maskingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	masked := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		masked[i] = h.attr(a)
	}
	return &maskingHandler{h.Handler.WithAttrs(masked), h.given}
}

// WithGroup keeps masking inside the group.
func (h *maskingHandler) WithGroup(name string) slog.Handler {
	return &maskingHandler{h.Handler.WithGroup(name), h.given}
}

func (h *maskingHandler) attr(a slog.Attr) slog.Attr {
	value := a.Value.Resolve()
	switch value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, cleaned(h.given, value.String()))
	case slog.KindGroup:
		var inner []any
		for _, one := range value.Group() {
			inner = append(inner, h.attr(one))
		}
		return slog.Group(a.Key, inner...)
	case slog.KindAny:
		text := fmt.Sprint(value.Any())
		if err, ok := value.Any().(error); ok {
			text = err.Error()
		}
		if masked := cleaned(h.given, text); masked != text {
			return slog.String(a.Key, masked)
		}
	}
	return slog.Attr{Key: a.Key, Value: value}
}
