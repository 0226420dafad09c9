package browser

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"
)

// Values travel as inject/api.ts describes (type Wire): JSON for what JSON can say, objects with the key "$" for the rest.

// deepestValue bounds the nesting of arguments, so that a caller's endless structure is an error and not a lost stack.
const deepestValue = 2000

type wireEncoder struct {
	out     []byte
	handles []*JSHandle
	// ids of arrays and objects met more than once; those met once have none.
	seen map[any]int
	ids  map[any]int
	last int
}

// encodeValue appends value's wire form; handles inside are numbered from len(handles) on and appended to handles.
func encodeValue(out []byte, value Value, handles []*JSHandle) ([]byte, []*JSHandle, error) {
	e := &wireEncoder{out: out, handles: handles}
	if err := e.count(value, 0); err != nil {
		return nil, nil, err
	}
	if err := e.encode(value); err != nil {
		return nil, nil, err
	}
	return e.out, e.handles, nil
}

// count finds the arrays and objects that are referred to more than once.
func (e *wireEncoder) count(value Value, depth int) error {
	if depth > deepestValue {
		return &jsError{"Argument is nested too deeply to be sent to the page."}
	}
	switch v := value.(type) {
	case *Array:
		if e.met(v) {
			return nil
		}
		for _, item := range v.Items {
			if err := e.count(item, depth+1); err != nil {
				return err
			}
		}
	case *Object:
		if e.met(v) {
			return nil
		}
		for i := range v.Properties {
			if err := e.count(v.Properties[i].Value, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *wireEncoder) met(pointer any) bool {
	if e.seen == nil {
		e.seen = map[any]int{}
	}
	e.seen[pointer]++
	return e.seen[pointer] > 1
}

// refer writes a reference when pointer was written already, else it answers the id to write, 0 for none.
func (e *wireEncoder) refer(pointer any) (id int, written bool) {
	if e.seen[pointer] < 2 {
		return 0, false
	}
	if id := e.ids[pointer]; id != 0 {
		e.out = append(e.out, `{"$":"c","v":`...)
		e.out = strconv.AppendInt(e.out, int64(id), 10)
		e.out = append(e.out, '}')
		return 0, true
	}
	if e.ids == nil {
		e.ids = map[any]int{}
	}
	e.last++
	e.ids[pointer] = e.last
	return e.last, false
}

func (e *wireEncoder) id(id int) {
	if id != 0 {
		e.out = append(e.out, `,"id":`...)
		e.out = strconv.AppendInt(e.out, int64(id), 10)
	}
}

func (e *wireEncoder) tag(tag string, text string) {
	e.out = append(append(append(e.out, `{"$":"`...), tag...), `","v":`...)
	e.out = appendQuoted(e.out, text)
	e.out = append(e.out, '}')
}

func (e *wireEncoder) encode(value Value) error {
	switch v := value.(type) {
	case nil:
		e.out = append(e.out, "null"...)
	case Undefined:
		e.out = append(e.out, `{"$":"u"}`...)
	case bool:
		e.out = strconv.AppendBool(e.out, v)
	case string:
		e.out = appendQuoted(e.out, v)
	case int:
		e.out = strconv.AppendInt(e.out, int64(v), 10)
	case int64:
		e.out = strconv.AppendInt(e.out, v, 10)
	case float64:
		e.number(v)
	case *big.Int:
		e.tag("b", v.String())
	case Date:
		if !v.Valid() {
			e.out = append(e.out, `{"$":"d","v":null}`...)
		} else {
			e.tag("d", v.iso())
		}
	case URL:
		e.tag("l", string(v))
	case RegExp:
		e.out = append(e.out, `{"$":"r","v":`...)
		e.out = append(appendQuoted(e.out, v.Source), `,"f":`...)
		e.out = append(appendQuoted(e.out, v.Flags), '}')
	case *ErrorValue:
		e.out = append(e.out, `{"$":"e","n":`...)
		e.out = append(appendQuoted(e.out, v.Name), `,"m":`...)
		e.out = append(appendQuoted(e.out, v.Message), `,"s":`...)
		e.out = append(appendQuoted(e.out, v.Stack), '}')
	case TypedArray:
		kind, ok := wireKinds[v.Constructor]
		if !ok {
			return &jsError{"Unexpected value: " + v.Constructor}
		}
		e.out = append(append(append(e.out, `{"$":"t","k":"`...), kind...), `","v":"`...)
		e.out = append(base64.StdEncoding.AppendEncode(e.out, v.Bytes), '"', '}')
	case ArrayBuffer:
		e.out = append(e.out, `{"$":"x","v":"`...)
		e.out = append(base64.StdEncoding.AppendEncode(e.out, v), '"', '}')
	case *Array:
		id, written := e.refer(v)
		if written {
			return nil
		}
		e.out = append(e.out, `{"$":"a","v":[`...)
		for i, item := range v.Items {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			if err := e.encode(item); err != nil {
				return err
			}
		}
		e.out = append(e.out, ']')
		e.id(id)
		e.out = append(e.out, '}')
	case *Object:
		id, written := e.refer(v)
		if written {
			return nil
		}
		e.out = append(e.out, `{"$":"o","k":[`...)
		for i := range v.Properties {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			e.out = appendQuoted(e.out, v.Properties[i].Key)
		}
		e.out = append(e.out, `],"v":[`...)
		for i := range v.Properties {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			if err := e.encode(v.Properties[i].Value); err != nil {
				return err
			}
		}
		e.out = append(e.out, ']')
		e.id(id)
		e.out = append(e.out, '}')
	case Handle:
		h := v.js()
		if h.objectID == "" { // a handle on a primitive is that primitive
			return e.encode(h.primitive)
		}
		e.out = append(e.out, `{"$":"h","v":`...)
		e.out = strconv.AppendInt(e.out, int64(len(e.handles)), 10)
		e.out = append(e.out, '}')
		e.handles = append(e.handles, h)
	case FunctionName:
		// A function of the page's own that calls back; arguments makes it.
		e.out = append(e.out, `{"$":"h","v":`...)
		e.out = strconv.AppendInt(e.out, int64(len(e.handles)), 10)
		e.out = append(e.out, '}')
		e.handles = append(e.handles, &JSHandle{function: v})
	default:
		return &jsError{fmt.Sprintf("Unexpected value of type %T", value)}
	}
	return nil
}

func (e *wireEncoder) number(v float64) {
	switch {
	case math.IsNaN(v):
		e.out = append(e.out, `{"$":"n","v":"NaN"}`...)
	case math.IsInf(v, 1):
		e.out = append(e.out, `{"$":"n","v":"Infinity"}`...)
	case math.IsInf(v, -1):
		e.out = append(e.out, `{"$":"n","v":"-Infinity"}`...)
	case v == 0 && math.Signbit(v):
		e.out = append(e.out, `{"$":"n","v":"-0"}`...)
	default:
		e.out = strconv.AppendFloat(e.out, v, 'g', -1, 64)
	}
}

// iso is Date.prototype.toISOString.
func (d Date) iso() string {
	t := d.Time()
	if year := t.Year(); year < 0 || year > 9999 {
		sign := '+'
		if year < 0 {
			sign, year = '-', -year
		}
		return fmt.Sprintf("%c%06d%s", sign, year, t.Format("-01-02T15:04:05.000Z"))
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}

func parseISO(text string) (Date, error) {
	if len(text) > 7 && (text[0] == '+' || text[0] == '-') { // six-digit years
		year, err := strconv.Atoi(text[:7])
		if err != nil {
			return 0, err
		}
		t, err := time.Parse("-01-02T15:04:05.000Z", text[7:])
		if err != nil {
			return 0, err
		}
		return Date(time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC).UnixMilli()), nil
	}
	t, err := time.Parse("2006-01-02T15:04:05.000Z", text)
	if err != nil {
		return 0, err
	}
	return Date(t.UnixMilli()), nil
}

var wireKinds = map[string]string{
	"Int8Array": "i8", "Uint8Array": "ui8", "Uint8ClampedArray": "ui8c", "Int16Array": "i16", "Uint16Array": "ui16", "Int32Array": "i32",
	"Uint32Array": "ui32", "Float32Array": "f32", "Float64Array": "f64", "BigInt64Array": "bi64", "BigUint64Array": "bui64",
}

func wireConstructor(kind string) (string, bool) {
	for name, k := range wireKinds {
		if k == kind {
			return name, true
		}
	}
	return "", false
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends text as a JSON string. What is no UTF-8 becomes U+FFFD.
func appendQuoted(out []byte, text string) []byte {
	out = append(out, '"')
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			out = append(out, text[start:i]...)
			switch c {
			case '"', '\\':
				out = append(out, '\\', c)
			case '\n':
				out = append(out, '\\', 'n')
			case '\r':
				out = append(out, '\\', 'r')
			case '\t':
				out = append(out, '\\', 't')
			case '\b':
				out = append(out, '\\', 'b')
			case '\f':
				out = append(out, '\\', 'f')
			default:
				out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			out = append(append(out, text[start:i]...), `\ufffd`...)
			i++
			start = i
			continue
		}
		i += size
	}
	return append(append(out, text[start:]...), '"')
}

// quoteJSON is JSON.stringify of a string.
func quoteJSON(text string) string { return string(appendQuoted(nil, text)) }

func itoa(n int) string { return strconv.Itoa(n) }
