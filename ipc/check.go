package ipc

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

// Violation says which rule of the wire a message breaks. It names fields and limits and never quotes what the sender wrote.
type Violation struct {
	// Field is the path of the offending field, "request.ask.questions[3].prompt"; empty for the message as a whole.
	Field string
	// Problem says what is wrong with it.
	Problem string
}

func (v *Violation) Error() string {
	if v.Field == "" {
		return "malformed message: " + v.Problem
	}
	return "malformed message: " + v.Field + " " + v.Problem
}

// CheckHost reports how m breaks the rules for what a supervisor sends, as a *Violation, or nil.
func CheckHost(m *workerpb.HostMessage) error {
	if m == nil {
		return &Violation{Problem: "is missing"}
	}
	return check(m)
}

// CheckWorker reports how m breaks the rules for what a worker sends, as a *Violation, or nil.
func CheckWorker(m *workerpb.WorkerMessage) error {
	if m == nil {
		return &Violation{Problem: "is missing"}
	}
	return check(m)
}

func check(m proto.Message) error {
	if size := proto.Size(m); size > MaxMessage {
		return &Violation{Problem: fmt.Sprintf("is %d bytes, at most %d are allowed", size, MaxMessage)}
	}
	if v := walk(m.ProtoReflect(), nil); v != nil {
		return v
	}
	return nil
}

// path is the way from a message to a field, linked towards the root; it becomes text only when something is wrong.
type path struct {
	up    *path
	name  protoreflect.Name
	index int // -1 when the field is no list
}

func (p *path) String() string {
	if p == nil {
		return ""
	}
	var parts []string
	for at := p; at != nil; at = at.up {
		part := string(at.name)
		if at.index >= 0 {
			part += "[" + strconv.Itoa(at.index) + "]"
		}
		parts = append(parts, part)
	}
	var text strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		text.WriteString(parts[i])
		if i > 0 {
			text.WriteByte('.')
		}
	}
	return text.String()
}

func (p *path) problem(format string, args ...any) *Violation {
	return &Violation{Field: p.String(), Problem: fmt.Sprintf(format, args...)}
}

// walk checks a message and all below it. Messages do not nest in themselves, so its depth is that of the .proto.
func walk(m protoreflect.Message, at *path) *Violation {
	if len(m.GetUnknown()) > 0 {
		return at.problem("has a field this version does not know")
	}
	descriptor := m.Descriptor()
	oneofs := descriptor.Oneofs()
	for i := range oneofs.Len() {
		oneof := oneofs.Get(i)
		if oneof.IsSynthetic() || mayBeEmpty(oneof.FullName()) {
			continue
		}
		if m.WhichOneof(oneof) == nil {
			return at.problem("has no %s", oneof.Name())
		}
	}
	fields := descriptor.Fields()
	for i := range fields.Len() {
		if v := walkField(m, fields.Get(i), at); v != nil {
			return v
		}
	}
	return relate(m.Interface(), at)
}

func walkField(m protoreflect.Message, field protoreflect.FieldDescriptor, at *path) *Violation {
	rule := rules()[field.FullName()]
	if field.IsList() {
		list := m.Get(field).List()
		here := &path{at, field.Name(), -1}
		if list.Len() > rule.list {
			return here.problem("has %d entries, at most %d are allowed", list.Len(), rule.list)
		}
		for i := range list.Len() {
			if v := checkValue(field, list.Get(i), rule, &path{at, field.Name(), i}); v != nil {
				return v
			}
		}
		return nil
	}
	present := m.Has(field)
	if field.HasPresence() && !present {
		return nil
	}
	here := &path{at, field.Name(), -1}
	if field.Kind() == protoreflect.BoolKind && field.ContainingOneof() != nil && !m.Get(field).Bool() {
		return here.problem("is false where only true has a meaning")
	}
	return checkValue(field, m.Get(field), rule, here)
}

func checkValue(field protoreflect.FieldDescriptor, value protoreflect.Value, rule rule, at *path) *Violation {
	switch field.Kind() {
	case protoreflect.MessageKind:
		return walk(value.Message(), at)
	case protoreflect.BoolKind:
		return nil
	case protoreflect.BytesKind:
		if n := len(value.Bytes()); n > rule.bytes {
			return at.problem("is %d bytes, at most %d are allowed", n, rule.bytes)
		}
		return nil
	case protoreflect.StringKind:
		return rule.text(value.String(), at)
	case protoreflect.Uint32Kind, protoreflect.Uint64Kind:
		n := value.Uint()
		if n < uint64(max(rule.low, 0)) || n > uint64(rule.high) {
			return at.problem("is outside %d..%d", rule.low, rule.high)
		}
		return nil
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		if n := value.Int(); n < rule.low || n > rule.high {
			return at.problem("is outside %d..%d", rule.low, rule.high)
		}
		return nil
	default:
		return at.problem("is of a kind no rule covers")
	}
}

// rule is what a field may hold. The zero rule allows nothing but an empty text, an empty list and the number 0.
type rule struct {
	bytes    int               // most bytes of a text or of data
	units    int               // most UTF-16 units of a text, where that is the limit; 0 for none
	required bool              // the text may not be empty
	list     int               // most entries of a list
	low      int64             // numbers
	high     int64             //
	is       func(string) bool // what a text that is not empty must be
	called   string            // what `is` asks for, for the error
}

func (r rule) text(s string, at *path) *Violation {
	if s == "" {
		if r.required {
			return at.problem("is empty")
		}
		return nil
	}
	if len(s) > r.bytes {
		return at.problem("is %d bytes, at most %d are allowed", len(s), r.bytes)
	}
	if !utf8.ValidString(s) {
		return at.problem("is not valid UTF-8")
	}
	if r.units > 0 {
		if n := units(s); n > r.units {
			return at.problem("is %d characters, at most %d are allowed", n, r.units)
		}
	}
	if r.is != nil && !r.is(s) {
		return at.problem("is not %s", r.called)
	}
	return nil
}

// units is a text's length as JavaScript counts it.
func units(s string) int {
	n := 0
	for _, c := range s {
		n++
		if c > 0xFFFF {
			n++
		}
	}
	return n
}

func isJSONObject(s string) bool { return s[0] == '{' && json.Valid([]byte(s)) }
func isJSONArray(s string) bool  { return s[0] == '[' && json.Valid([]byte(s)) }
