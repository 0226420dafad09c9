package cursor

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kind says why a cursor was refused; it becomes details.kind of the outcome. Scripts add mechanism_changed and site_expired.
type Kind string

// The kinds the host finds, in the order they are looked for where that is fixed.
const (
	Malformed     Kind = "malformed"
	Version       Kind = "version"
	UnknownKey    Kind = "unknown_key"
	Altered       Kind = "altered"
	OtherTool     Kind = "other_tool"
	OtherAccount  Kind = "other_account"
	InputsChanged Kind = "inputs_changed"
	Expired       Kind = "expired"
	OffSite       Kind = "off_site"
)

// Refusal is a cursor that may not continue. It belongs to the input field "cursor".
type Refusal struct{ Kind Kind }

func (r *Refusal) Error() string {
	return kindTexts[r.Kind] + "; call again without a cursor to start at the first page"
}

var kindTexts = map[Kind]string{
	Malformed:     "this is no cursor this tool gave",
	Version:       "the cursor is of a version this server does not read",
	UnknownKey:    "the cursor was signed by a server that has ended or changed its key",
	Altered:       "the cursor was changed after it was given",
	OtherTool:     "the cursor belongs to another tool, or to this one before it was changed",
	OtherAccount:  "the cursor was given to another account",
	InputsChanged: "the cursor belongs to a list with other inputs",
	Expired:       fmt.Sprintf("the cursor is older than %d minutes", int(TTL.Minutes())),
	OffSite:       "the cursor leads away from the tool's site",
}

// Admit checks the cursor of an input. It gives the position to continue from, nil for the first page; the error is a *Refusal.
func (k Keys) Admit(list List, input json.RawMessage, now time.Time) (*Draft, error) {
	var fields map[string]jsontext.Value
	if jsontext.Value(input).Kind() != '{' || jsonv2.Unmarshal(input, &fields) != nil {
		return nil, nil
	}
	given, has := fields["cursor"]
	if !has || given.Kind() == 'n' {
		return nil, nil
	}
	var text string
	if given.Kind() != '"' || jsonv2.Unmarshal(given, &text) != nil {
		return nil, &Refusal{Malformed}
	}
	if text == "" {
		return nil, nil
	}
	draft, kind := k.admit(list, input, text, now)
	if kind != "" {
		return nil, &Refusal{kind}
	}
	return draft, nil
}

func (k Keys) admit(list List, input json.RawMessage, text string, now time.Time) (*Draft, Kind) {
	prefix, _, _ := strings.Cut(text, ".")
	if digits, numbered := strings.CutPrefix(prefix, "pc"); numbered && digits != "" && strings.Trim(digits, "0123456789") == "" && prefix != sealedPrefix {
		return nil, Version
	}
	parts := strings.Split(text, ".")
	if len(text) > MaxCursor || len(parts) != 4 || parts[0] != sealedPrefix || parts[1] == "" || len(parts[1]) > 16 || parts[2] == "" || len(parts[3]) != 43 ||
		!alphabet(parts[1]+parts[2]+parts[3]) {
		return nil, Malformed
	}
	key, held := k.held[parts[1]]
	if !held {
		return nil, UnknownKey
	}
	if !hmac.Equal([]byte(key.sign(strings.Join(parts[:3], "."))), []byte(parts[3])) {
		return nil, Altered
	}
	b, kind := decodeBody(parts[2])
	if kind != "" {
		return nil, kind
	}
	inputs, ok := inputText(input)
	switch {
	case b.Operation != key.digest("operation", list.Operation):
		return nil, OtherTool
	case b.Subject != key.digest("subject", list.Subject):
		return nil, OtherAccount
	case !ok || b.Input != key.digest("inputs", inputs):
		return nil, InputsChanged
	case now.Unix() >= b.Expires:
		return nil, Expired
	case b.Position.Href != "" && !list.OnSite(b.Position.Href):
		return nil, OffSite
	}
	return &b.Draft, ""
}

func decodeBody(encoded string) (body, Kind) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil {
		return body{}, Malformed
	}
	var head struct {
		Version jsontext.Value `json:"v"`
	}
	if jsonv2.Unmarshal(raw, &head) != nil || head.Version.Kind() != '0' {
		return body{}, Malformed
	}
	if string(head.Version) != fmt.Sprint(version) {
		return body{}, Version
	}
	var b body
	if jsonv2.Unmarshal(raw, &b, jsonv2.RejectUnknownMembers(true)) != nil || !b.valid() {
		return body{}, Malformed
	}
	return b, ""
}
