// Package cursor owns list cursors: what a script says of where its next page begins (a draft), the signed form a caller gets, and whether a
// cursor that comes back may continue. It must not know pages, runs or stores: the clock, the keys and which addresses belong to the site are given to
// it. It runs in the supervisor; a caller never sees a draft and a script never sees a signature.
//
// Rules: spec/artifact-and-serving.md §8. Cursors are signed, not encrypted.
package cursor

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// TTL is how long a cursor may be used.
	TTL = 10 * time.Minute
	// MaxCursor bounds a cursor, MaxDraft a draft's JSON, in bytes.
	MaxCursor = 2048
	MaxDraft  = 1360

	draftPrefix  = "pcd1."
	sealedPrefix = "pc1"
	version      = 1
	maxSeen      = 16
	digestLength = 16
	minSecret    = 32
)

// Position is where a page begins, by whatever the site pages with. Numbers that are nil and texts that are empty were not given.
type Position struct {
	Page     *int   `json:"page,omitempty"`
	Steps    *int   `json:"steps,omitempty"`
	Offset   *int   `json:"offset"`
	PageSize *int   `json:"pageSize,omitempty"`
	Href     string `json:"href,omitempty"`
	Token    string `json:"token,omitempty"`
	Scope    string `json:"scope,omitempty"`
}

// Draft is what a script says of the page after the one it returned.
type Draft struct {
	// Mechanism is one of pages, next_link, append, scroll, api and offset.
	Mechanism string   `json:"m"`
	Position  Position `json:"pos"`
	// Returned is how many rows the list has given so far.
	Returned *int `json:"n"`
	// Anchor and Seen are digests of the keys of the last row and of the last rows; Context of what the list was filtered by.
	Anchor  string   `json:"a,omitempty"`
	Seen    []string `json:"s"`
	Context string   `json:"cx,omitempty"`
}

// DecodeDraft reads a draft as a script returns it, strictly.
func DecodeDraft(text string) (Draft, error) {
	encoded, ok := strings.CutPrefix(text, draftPrefix)
	if !ok || len(encoded) > base64.RawURLEncoding.EncodedLen(MaxDraft) {
		return Draft{}, errNoDraft
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if err != nil {
		return Draft{}, errNoDraft
	}
	var d Draft
	if jsonv2.Unmarshal(raw, &d, jsonv2.RejectUnknownMembers(true)) != nil || !d.valid() {
		return Draft{}, errNoDraft
	}
	return d, nil
}

var errNoDraft = fmt.Errorf("this is no draft of a cursor")

// Marshal writes a draft as scripts get it back.
func (d Draft) Marshal() (json.RawMessage, error) { return jsonv2.Marshal(d) }

func (d Draft) valid() bool {
	switch d.Mechanism {
	case "pages", "next_link", "append", "scroll", "api", "offset":
	default:
		return false
	}
	p := d.Position
	if p.Offset == nil || d.Returned == nil || d.Seen == nil || len(d.Seen) > maxSeen {
		return false
	}
	for _, n := range []struct {
		value       *int
		least, most int
	}{{p.Page, 1, 100_000}, {p.Steps, 0, 100_000}, {p.Offset, 0, 100_000}, {p.PageSize, 1, 10_000}, {d.Returned, 0, 100_000}} {
		if n.value != nil && (*n.value < n.least || *n.value > n.most) {
			return false
		}
	}
	if utf16Length(p.Href) > 1024 || utf16Length(p.Token) > 512 || utf16Length(p.Scope) > 200 {
		return false
	}
	for _, digest := range append([]string{d.Anchor, d.Context}, d.Seen...) {
		if digest != "" && (len(digest) != 8 || !alphabet(digest)) {
			return false
		}
	}
	return true
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// alphabet reports whether s is made of base64url characters.
func alphabet(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// Key signs cursors.
type Key struct {
	// ID is 1 to 16 of A-Z, a-z, 0-9, _ and -.
	ID string
	// Secret is at least 32 bytes.
	Secret []byte
}

// NewKey makes a key of its own, whose cursors end with it.
func NewKey() Key {
	var id [6]byte
	secret := make([]byte, minSecret)
	rand.Read(id[:])
	rand.Read(secret)
	return Key{base64.RawURLEncoding.EncodeToString(id[:]), secret}
}

func (k Key) validate() error {
	if k.ID == "" || len(k.ID) > 16 || !alphabet(k.ID) {
		return fmt.Errorf("a cursor key's id must hold 1 to 16 of A-Z, a-z, 0-9, _ and -")
	}
	if len(k.Secret) < minSecret {
		return fmt.Errorf("the secret of the cursor key %q has fewer than %d bytes", k.ID, minSecret)
	}
	return nil
}

func (k Key) sign(text string) string {
	h := hmac.New(sha256.New, k.Secret)
	h.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// digest tells whether two texts are the same without holding them.
func (k Key) digest(domain, text string) string {
	return k.sign(domain + "\x00" + text)[:digestLength]
}

// Keys are the key new cursors are signed with, and older ones that are still taken. Made by NewKeys.
type Keys struct {
	current Key
	held    map[string]Key
}

// NewKeys takes the current key and those before it.
func NewKeys(current Key, previous ...Key) (Keys, error) {
	k := Keys{current: current, held: map[string]Key{}}
	for _, key := range append([]Key{current}, previous...) {
		if err := key.validate(); err != nil {
			return Keys{}, err
		}
		if _, twice := k.held[key.ID]; twice {
			return Keys{}, fmt.Errorf("two cursor keys are called %q", key.ID)
		}
		k.held[key.ID] = key
	}
	return k, nil
}

// List is the list a cursor belongs to.
type List struct {
	// Operation identifies site and source, see OperationText.
	Operation string
	// Subject is the caller the cursor is bound to; empty on a host that knows only one.
	Subject string
	// OnSite reports whether an address belongs to the operation's site.
	OnSite func(address string) bool
}

// OperationText identifies an operation: any change of its source makes its older cursors another tool's.
func OperationText(siteOrigin, entrypoint, sourceDigest string) string {
	return siteOrigin + "\x00" + entrypoint + "\x00" + sourceDigest
}

// inputText is the input without what pages through it, in one canonical form. ok is false when it is not JSON.
func inputText(input json.RawMessage) (text string, ok bool) {
	if len(input) == 0 {
		input = json.RawMessage("null")
	}
	value := jsontext.Value(input).Clone()
	if value.Kind() == '{' {
		var members map[string]jsontext.Value
		if jsonv2.Unmarshal(value, &members) != nil {
			return "", false
		}
		for _, key := range []string{"cursor", "limit", "include"} {
			delete(members, key)
		}
		var err error
		if value, err = jsonv2.Marshal(members); err != nil {
			return "", false
		}
	}
	if value.Canonicalize() != nil {
		return "", false
	}
	return string(value), true
}

// body is a sealed cursor's content.
type body struct {
	Version   int    `json:"v"`
	Operation string `json:"op"`
	Input     string `json:"ih"`
	Subject   string `json:"sub"`
	Issued    int64  `json:"iat"`
	Expires   int64  `json:"exp"`
	Draft     `json:",inline"`
}
