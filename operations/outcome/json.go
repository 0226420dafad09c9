package outcome

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// Bounds of details (spec §6.3), in numbers and in bytes.
const (
	maxAvailable = 100
	maxIssues    = 20
	maxDetail    = 200
)

func (v *verdict) details() Details {
	t := v.Thrown
	d := Details{
		Cause: v.Cause, Frame: cut(t.Frame, 300), Field: cut(t.Field, maxDetail), Kind: cut(t.Kind, 40), Reason: cut(t.Reason, maxDetail),
		Requested: cut(t.Requested, maxDetail), Applied: cut(t.Applied, maxDetail), Step: cut(t.Step, maxDetail), SiteMessage: message(t.SiteMessage),
		Available: list(t.Available, maxAvailable), Issues: list(t.Issues, maxIssues),
	}
	if reason := t.callerFileReason(); reason != "" {
		d.Reason = reason
	}
	if v.badOutput {
		d.Issues = list(v.OutputIssues, maxIssues)
	}
	if v.code == NoResponse {
		d.Questions = v.Questions
	}
	return d
}

func list(values []string, most int) []string {
	var out []string
	for _, value := range values[:min(most, len(values))] {
		out = append(out, cut(value, maxDetail))
	}
	return out
}

// cut bounds a text by characters.
func cut(text string, most int) string {
	count := 0
	for i := range text {
		if count == most {
			return text[:i]
		}
		count++
	}
	return text
}

// Empty reports whether there is nothing to tell.
func (d Details) Empty() bool { return reflect.ValueOf(d).IsZero() }

// MarshalJSON writes what `pomerado run --json` prints: keys that do not apply are left out, and a failed run always has its write_status, null
// when the run was a read or nothing is known.
func (o Outcome) MarshalJSON() ([]byte, error) {
	wire := struct {
		Status         Status          `json:"status"`
		Output         json.RawMessage `json:"output,omitempty"`
		Code           Code            `json:"code,omitempty"`
		WriteStatus    any             `json:"write_status,omitempty"`
		PossibleCommit *bool           `json:"possible_commit,omitempty"`
		Retry          Retry           `json:"retry,omitempty"`
		Error          string          `json:"error,omitempty"`
		Details        *Details        `json:"details,omitempty"`
	}{
		Status: o.Status, Output: o.Output, Code: o.Code, PossibleCommit: o.PossibleCommit, Retry: o.Retry, Error: o.Error,
	}
	switch {
	case o.WriteStatus != "":
		wire.WriteStatus = o.WriteStatus
	case o.Status == Failed:
		wire.WriteStatus = json.RawMessage("null")
	}
	if !o.Details.Empty() {
		wire.Details = &o.Details
	}
	// Not json.Marshal: it would write the script's "<" as an escape.
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(wire); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}
