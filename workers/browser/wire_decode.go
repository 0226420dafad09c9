package browser

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/go-json-experiment/json/jsontext"
)

var errWire = errors.New("the page sent a value that cannot be read")

// forwardRef stands for an array or object that is referred to before its id was read.
type forwardRef struct{ id int64 }

type wireDecoder struct {
	dec     *jsontext.Decoder
	known   map[int64]Value
	forward bool
}

// decodeValue reads one wire value. What pages send is not trusted: anything malformed is an error.
func decodeValue(raw []byte) (Value, error) {
	d := &wireDecoder{dec: jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))}
	v, err := d.value()
	if err != nil {
		return nil, err
	}
	if d.forward {
		v = d.resolve(v, map[any]bool{})
	}
	return v, nil
}

func (d *wireDecoder) value() (Value, error) {
	t, err := d.dec.ReadToken()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errWire, err)
	}
	switch t.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return t.Bool(), nil
	case '"':
		return t.String(), nil
	case '0':
		return number(t)
	case '{':
		return d.tagged()
	}
	return nil, errWire
}

// tagged reads the rest of an object; its first key is "$".
func (d *wireDecoder) tagged() (Value, error) {
	key, err := d.text()
	if err != nil || key != "$" {
		return nil, errWire
	}
	tag, err := d.text()
	if err != nil {
		return nil, err
	}
	switch tag {
	case "a":
		return d.array()
	case "o":
		return d.object()
	case "c":
		return d.reference()
	}
	var fields [5]string // v f n m s
	null := false
	for d.dec.PeekKind() != '}' {
		key, err := d.text()
		if err != nil {
			return nil, err
		}
		if d.dec.PeekKind() == 'n' {
			null = true
			if err := d.dec.SkipValue(); err != nil {
				return nil, errWire
			}
			continue
		}
		text, err := d.text()
		if err != nil {
			return nil, err
		}
		switch key {
		case "v":
			fields[0] = text
		case "f", "k":
			fields[1] = text
		case "n":
			fields[2] = text
		case "m":
			fields[3] = text
		case "s":
			fields[4] = text
		}
	}
	if _, err := d.dec.ReadToken(); err != nil {
		return nil, errWire
	}
	return scalar(tag, fields, null)
}

func scalar(tag string, fields [5]string, null bool) (Value, error) {
	switch tag {
	case "u":
		return Undefined{}, nil
	case "n":
		switch fields[0] {
		case "NaN":
			return math.NaN(), nil
		case "Infinity":
			return math.Inf(1), nil
		case "-Infinity":
			return math.Inf(-1), nil
		case "-0":
			return math.Copysign(0, -1), nil
		}
	case "b":
		if len(fields[0]) < 1<<20 {
			if v, ok := new(big.Int).SetString(fields[0], 10); ok {
				return v, nil
			}
		}
	case "d":
		if null {
			return Date(math.NaN()), nil
		}
		if v, err := parseISO(fields[0]); err == nil {
			return v, nil
		}
	case "l":
		return URL(fields[0]), nil
	case "r":
		return RegExp{fields[0], fields[1]}, nil
	case "e":
		return &ErrorValue{fields[2], fields[3], fields[4]}, nil
	case "t":
		name, ok := wireConstructor(fields[1])
		if raw, err := base64.StdEncoding.DecodeString(fields[0]); ok && err == nil {
			return TypedArray{name, raw}, nil
		}
	case "x":
		if raw, err := base64.StdEncoding.DecodeString(fields[0]); err == nil {
			return ArrayBuffer(raw), nil
		}
	}
	return nil, errWire
}

func (d *wireDecoder) array() (Value, error) {
	a := &Array{}
	err := d.members(func(key string) error {
		switch key {
		case "v":
			items, err := d.list()
			a.Items = items
			return err
		case "id":
			return d.remember(a)
		}
		return d.dec.SkipValue()
	})
	if a.Items == nil {
		a.Items = []Value{}
	}
	return a, err
}

func (d *wireDecoder) object() (Value, error) {
	o := &Object{}
	var keys []string
	var values []Value
	err := d.members(func(key string) error {
		switch key {
		case "k":
			list, err := d.list()
			for _, item := range list {
				name, ok := item.(string)
				if !ok {
					return errWire
				}
				keys = append(keys, name)
			}
			return err
		case "v":
			list, err := d.list()
			values = list
			return err
		case "id":
			return d.remember(o)
		}
		return d.dec.SkipValue()
	})
	if err != nil {
		return nil, err
	}
	if len(keys) != len(values) {
		return nil, errWire
	}
	o.Properties = make([]Property, len(keys))
	for i := range keys {
		o.Properties[i] = Property{keys[i], values[i]}
	}
	return o, nil
}

func (d *wireDecoder) reference() (Value, error) {
	var found Value
	err := d.members(func(key string) error {
		if key != "v" {
			return d.dec.SkipValue()
		}
		id, err := d.int()
		if err != nil {
			return err
		}
		if v, ok := d.known[id]; ok {
			found = v
			return nil
		}
		d.forward = true
		found = forwardRef{id}
		return nil
	})
	return found, err
}

func (d *wireDecoder) members(read func(key string) error) error {
	for d.dec.PeekKind() != '}' {
		key, err := d.text()
		if err != nil {
			return err
		}
		if err := read(key); err != nil {
			return err
		}
	}
	if _, err := d.dec.ReadToken(); err != nil {
		return errWire
	}
	return nil
}

func (d *wireDecoder) list() ([]Value, error) {
	t, err := d.dec.ReadToken()
	if err != nil || t.Kind() != '[' {
		return nil, errWire
	}
	items := []Value{}
	for d.dec.PeekKind() != ']' {
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	_, err = d.dec.ReadToken()
	return items, err
}

func (d *wireDecoder) text() (string, error) {
	t, err := d.dec.ReadToken()
	if err != nil || t.Kind() != '"' {
		return "", errWire
	}
	return t.String(), nil
}

func (d *wireDecoder) int() (int64, error) {
	t, err := d.dec.ReadToken()
	if err != nil || t.Kind() != '0' {
		return 0, errWire
	}
	v, err := number(t)
	return int64(v), err
}

func number(t jsontext.Token) (float64, error) {
	v, err := t.Float()
	if err != nil {
		return 0, errWire
	}
	return v, nil
}

func (d *wireDecoder) remember(v Value) error {
	id, err := d.int()
	if err != nil {
		return err
	}
	if d.known == nil {
		d.known = map[int64]Value{}
	}
	d.known[id] = v
	return nil
}

// resolve puts the arrays and objects in the place of references that came before their ids.
func (d *wireDecoder) resolve(v Value, done map[any]bool) Value {
	switch v := v.(type) {
	case forwardRef:
		if known, ok := d.known[v.id]; ok {
			return known
		}
		return Undefined{}
	case *Array:
		if !done[v] {
			done[v] = true
			for i := range v.Items {
				v.Items[i] = d.resolve(v.Items[i], done)
			}
		}
	case *Object:
		if !done[v] {
			done[v] = true
			for i := range v.Properties {
				v.Properties[i].Value = d.resolve(v.Properties[i].Value, done)
			}
		}
	}
	return v
}
