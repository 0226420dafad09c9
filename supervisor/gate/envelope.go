package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxDepth bounds nesting; Chromium's own parser stops at 300.
	maxDepth = 200
	// maxName bounds method names and session ids.
	maxName = 128
	// maxFields bounds the parameters of one command; the longest command has about 20.
	maxFields = 64
)

// command is a frame from a worker, decoded.
type command struct {
	id      int64
	method  string
	session string
	// params is the raw object as the worker wrote it; nil when there is none. fields are its members.
	params []byte
	fields []field
}

type field struct {
	name  string
	value jsontext.Value
}

// text gives a parameter that must be a string; "" when it is absent.
func (c *command) text(name string) (string, error) {
	for _, f := range c.fields {
		if f.name != name {
			continue
		}
		if f.value.Kind() != '"' {
			return "", fmt.Errorf("%s must be a string", name)
		}
		text, err := jsontext.AppendUnquote(nil, f.value)
		return string(text), err
	}
	return "", nil
}

// has says whether a parameter is present with any value but null and false.
func (c *command) has(name string) bool {
	for _, f := range c.fields {
		if f.name == name {
			return f.value.Kind() != 'n' && f.value.Kind() != 'f'
		}
	}
	return false
}

// decoder reads frames of one worker. It is strict: what two parsers could read in two ways does not get through.
type decoder struct {
	json   jsontext.Decoder
	fields []field
}

// decode reads one frame: one JSON object with the keys id, method, sessionId and params, each at most once, no duplicate key anywhere
// inside, valid UTF-8, no raw control byte, bounded depth. The command's slices point into the frame and into d until the next call.
func (d *decoder) decode(frame []byte) (command, error) {
	if err := checkBytes(frame); err != nil {
		return command{}, err
	}
	d.json.Reset(bytes.NewBuffer(frame), jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false))
	var c command
	if err := d.enter("the frame"); err != nil {
		return command{}, err
	}
	for d.json.PeekKind() != '}' {
		key, err := d.json.ReadToken()
		if err != nil {
			return command{}, malformed(err)
		}
		switch name := key.String(); name {
		case "id":
			value, err := d.json.ReadValue()
			if err != nil {
				return command{}, malformed(err)
			}
			if c.id, err = parseID(value); err != nil {
				return command{}, err
			}
		case "method", "sessionId":
			text, err := d.name(name)
			if err != nil {
				return command{}, err
			}
			if name == "method" {
				c.method = text
			} else {
				c.session = text
			}
		case "params":
			if err := d.params(frame, &c); err != nil {
				return command{}, err
			}
		default:
			return command{}, fmt.Errorf("the key %.64q is not one of id, method, sessionId and params", name)
		}
	}
	if _, err := d.json.ReadToken(); err != nil {
		return command{}, malformed(err)
	}
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		return command{}, errors.New("something follows the JSON value")
	}
	if c.id == 0 || c.method == "" {
		return command{}, errors.New("a command needs an id and a method")
	}
	return c, nil
}

// enter reads the opening brace of an object.
func (d *decoder) enter(what string) error {
	if kind := d.json.PeekKind(); kind != '{' {
		if _, err := d.json.ReadToken(); err != nil {
			return malformed(err)
		}
		return fmt.Errorf("%s must be a JSON object", what)
	}
	_, err := d.json.ReadToken()
	return err
}

// name reads a string of the few characters that method names and session ids consist of.
func (d *decoder) name(key string) (string, error) {
	token, err := d.json.ReadToken()
	if err != nil {
		return "", malformed(err)
	}
	if token.Kind() != '"' {
		return "", fmt.Errorf("%s must be a string", key)
	}
	text := token.String()
	if text == "" || len(text) > maxName {
		return "", fmt.Errorf("%s must have 1 to %d characters", key, maxName)
	}
	for _, b := range []byte(text) {
		if (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && (b < '0' || b > '9') && b != '.' {
			return "", fmt.Errorf("%s has a character that none of Chromium's has", key)
		}
	}
	return text, nil
}

// params reads the parameters' members and remembers where they stand.
func (d *decoder) params(frame []byte, c *command) error {
	if err := d.enter("params"); err != nil {
		return err
	}
	start := d.json.InputOffset() - 1
	d.fields = d.fields[:0]
	for d.json.PeekKind() != '}' {
		key, err := d.json.ReadToken()
		if err != nil {
			return malformed(err)
		}
		if len(d.fields) == maxFields {
			return fmt.Errorf("params has more than %d members", maxFields)
		}
		name := key.String()
		value, err := d.json.ReadValue()
		if err != nil {
			return malformed(err)
		}
		// The value is in the decoder's buffer, which is the frame itself; its place there outlives the next read.
		end := d.json.InputOffset()
		d.fields = append(d.fields, field{name, frame[end-int64(len(value)) : end]})
	}
	if _, err := d.json.ReadToken(); err != nil {
		return malformed(err)
	}
	c.params, c.fields = frame[start:d.json.InputOffset()], d.fields
	return nil
}

func malformed(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return errors.New("the frame has a key twice in one object")
	case errors.As(err, &syntactic):
		return fmt.Errorf("the frame is not JSON at byte %d", syntactic.ByteOffset)
	default:
		return errors.New("the frame is not JSON")
	}
}

func parseID(value []byte) (int64, error) {
	id, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || id <= 0 || id >= 1e15 || value[0] == '+' {
		return 0, errors.New("id must be a whole number from 1 to 999999999999999")
	}
	return id, nil
}

// checkBytes looks for what Chromium's pipe or parser stumbles over whatever the JSON says: control bytes (a NUL splits a message) and
// depth.
func checkBytes(frame []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(frame); i++ {
		c := frame[i]
		if c < 0x20 {
			return fmt.Errorf("the frame has a raw control byte at byte %d", i)
		}
		if inString {
			switch c {
			case '"':
				inString = false
			case '\\':
				if i++; i < len(frame) && frame[i] < 0x20 {
					return fmt.Errorf("the frame has a raw control byte at byte %d", i)
				}
			}
			continue
		}
		switch c {
		case '"':
			inString = true
		case '{', '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("the frame is nested deeper than %d", maxDepth)
			}
		case '}', ']':
			depth--
		}
	}
	return nil
}

// idOf finds the id of a frame that could not be decoded, so that its sender gets an answer. Only the layout our own engine writes is
// looked for.
func idOf(frame []byte) (int64, bool) {
	rest, ok := bytes.CutPrefix(frame[:min(len(frame), 32)], []byte(`{"id":`))
	if !ok {
		return 0, false
	}
	end := bytes.IndexByte(rest, ',')
	if end <= 0 {
		return 0, false
	}
	id, err := parseID(rest[:end])
	return id, err == nil
}

// strictJSON holds a JSON text from a worker that is not a frame against the same rules.
func strictJSON(text []byte, kind jsontext.Kind) error {
	if err := checkBytes(text); err != nil {
		return err
	}
	json := jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(text)))
	value, err := json.ReadValue()
	if err != nil {
		return malformed(err)
	}
	if value.Kind() != kind {
		return errors.New("the value is of another kind than it must be")
	}
	if _, err := json.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// appendCommand writes a command. method, session and params are known to be well-formed.
func appendCommand(id int32, session, method string, params []byte) []byte {
	frame := make([]byte, 0, len(params)+len(method)+len(session)+64)
	frame = append(frame, `{"id":`...)
	frame = strconv.AppendInt(frame, int64(id), 10)
	frame = append(frame, `,"method":"`...)
	frame = append(frame, method...)
	frame = append(frame, '"')
	if len(params) > 0 {
		frame = append(frame, `,"params":`...)
		frame = append(frame, params...)
	}
	if session != "" {
		frame = append(frame, `,"sessionId":"`...)
		frame = append(frame, session...)
		frame = append(frame, '"')
	}
	return append(frame, '}')
}

// withID gives an answer of Chromium's, `{"id":N,…`, the id its sender knows it by.
func withID(frame []byte, id int64) []byte {
	comma := bytes.IndexByte(frame, ',')
	out := make([]byte, 0, len(frame)+16)
	out = append(out, `{"id":`...)
	out = strconv.AppendInt(out, id, 10)
	return append(out, frame[comma:]...)
}

// appendError writes an answer of the gate's own.
func appendError(id int64, session string, code int, message string) []byte {
	frame := append([]byte(`{"id":`), strconv.FormatInt(id, 10)...)
	frame = append(frame, `,"error":{"code":`...)
	frame = strconv.AppendInt(frame, int64(code), 10)
	frame = append(frame, `,"message":`...)
	frame, _ = jsontext.AppendQuote(frame, strings.ToValidUTF8(message, "?")) // it fails on invalid UTF-8 only
	frame = append(frame, '}')
	if session != "" {
		frame = append(frame, `,"sessionId":"`...)
		frame = append(frame, session...)
		frame = append(frame, '"')
	}
	return append(frame, '}')
}
