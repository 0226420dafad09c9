package cursor

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Why an output has no next cursor although its list goes on, where the host finds it; scripts have reasons of their own.
const (
	unavailableDraft  = "not_a_draft"
	unavailableSite   = "off_site"
	unavailableInputs = "inputs_not_json"
	unavailableLength = "position_too_long"
)

// The fields of an output that sealing touches.
const (
	fieldCursor      = "next_cursor"
	fieldExpires     = "next_cursor_expires_at"
	fieldMore        = "has_more"
	fieldUnavailable = "next_cursor_unavailable"
)

// Seal replaces the draft of an output by a signed cursor, or by null and the reason. Any other output is given back as it is; it must be JSON. input is the caller's
// own, as sent.
func (k Keys) Seal(list List, input, output json.RawMessage, now time.Time) (json.RawMessage, error) {
	if jsontext.Value(output).Kind() != '{' {
		return output, nil
	}
	members, err := split(output)
	if err != nil {
		return nil, fmt.Errorf("reading the output: %w", err)
	}
	next := members.get(fieldCursor)
	if next == nil || next.Kind() == 'n' {
		return output, nil
	}
	var draft Draft
	var text string
	err = errNoDraft
	if next.Kind() == '"' && jsonv2.Unmarshal(next, &text) == nil {
		draft, err = DecodeDraft(text)
	}
	if err != nil {
		members = members.set(fieldCursor, jsontext.Value("null"))
		if more := members.get(fieldMore); more.Kind() == 't' {
			members = members.set(fieldUnavailable, quoted(unavailableDraft))
		}
		return members.join(), nil
	}
	inputs, ok := inputText(input)
	switch {
	case draft.Position.Href != "" && !list.OnSite(draft.Position.Href):
		return members.without(unavailableSite), nil
	case !ok:
		return members.without(unavailableInputs), nil
	}
	issued := now.Unix()
	expires := issued + int64(TTL.Seconds())
	content, err := jsonv2.Marshal(body{
		Version: version, Operation: k.current.digest("operation", list.Operation), Input: k.current.digest("inputs", inputs),
		Subject: k.current.digest("subject", list.Subject), Issued: issued, Expires: expires, Draft: draft,
	})
	if err != nil {
		return nil, fmt.Errorf("encoding a cursor: %w", err)
	}
	unsigned := strings.Join([]string{sealedPrefix, k.current.ID, base64.RawURLEncoding.EncodeToString(content)}, ".")
	sealed := unsigned + "." + k.current.sign(unsigned)
	if len(sealed) > MaxCursor {
		return members.without(unavailableLength), nil
	}
	members = members.set(fieldCursor, quoted(sealed))
	return members.set(fieldExpires, quoted(time.Unix(expires, 0).UTC().Format("2006-01-02T15:04:05.000Z"))).join(), nil
}

func quoted(plain string) jsontext.Value { return jsontext.Value(`"` + plain + `"`) }

// members are the fields of an object in their order.
type members []member

type member struct{ name, value jsontext.Value }

func split(object json.RawMessage) (members, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.ReadToken(); err != nil {
		return nil, err
	}
	var out members
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		name = name.Clone()
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, err
		}
		out = append(out, member{name, value.Clone()})
	}
	_, err := decoder.ReadToken()
	return out, err
}

func (m members) find(name string) int {
	return slices.IndexFunc(m, func(one member) bool {
		var text string
		return jsonv2.Unmarshal(one.name, &text) == nil && text == name
	})
}

// get gives a field's value, nil when it is not there.
func (m members) get(name string) jsontext.Value {
	if i := m.find(name); i >= 0 {
		return m[i].value
	}
	return nil
}

func (m members) set(name string, value jsontext.Value) members {
	if i := m.find(name); i >= 0 {
		m[i].value = value
		return m
	}
	return append(m, member{quoted(name), value})
}

// without drops the cursor and says why.
func (m members) without(reason string) json.RawMessage {
	return m.set(fieldCursor, jsontext.Value("null")).set(fieldUnavailable, quoted(reason)).join()
}

func (m members) join() json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, one := range m {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(one.name)
		out.WriteByte(':')
		out.Write(one.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}
