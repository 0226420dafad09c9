package jsrt

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// encodeText turns text into bytes by one of Node's encodings; false for an encoding there is not.
func encodeText(text goja.String, encoding string) ([]byte, bool) {
	switch encoding {
	case "utf8", "utf-8":
		return []byte(wellFormed(text)), true
	case "utf16le", "utf-16le", "ucs2", "ucs-2":
		out := make([]byte, 0, 2*text.Length())
		for i := range text.Length() {
			c := text.CharAt(i)
			out = append(out, byte(c), byte(c>>8))
		}
		return out, true
	case "latin1", "binary", "ascii":
		out := make([]byte, text.Length())
		for i := range out {
			out[i] = byte(text.CharAt(i))
		}
		return out, true
	case "hex":
		s := text.String()
		n := 0
		for n+1 < len(s) && unhex(s[n]) >= 0 && unhex(s[n+1]) >= 0 {
			n += 2
		}
		out, _ := hex.DecodeString(s[:n])
		return out, true
	case "base64", "base64url":
		return lenientBase64(text.String()), true
	}
	return nil, false
}

// wellFormed is the string as UTF-8, lone surrogates replaced.
func wellFormed(s goja.String) string { return strings.ToValidUTF8(s.String(), "\ufffd") }

// lenientBase64 decodes as Node does: both alphabets, whatever is no digit skipped, everything after the first = ignored.
func lenientBase64(s string) []byte {
	s, _, _ = strings.Cut(s, "=")
	digits := strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r == '+' || r == '/' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			return r
		}
		return -1
	}, s)
	if len(digits)%4 == 1 {
		digits = digits[:len(digits)-1]
	}
	out, _ := base64.RawStdEncoding.DecodeString(digits)
	return out
}

// decodeText turns bytes into a JavaScript string by one of Node's encodings.
func decodeText(vm *goja.Runtime, b []byte, encoding string) (goja.Value, bool) {
	switch encoding {
	case "utf8", "utf-8":
		return vm.ToValue(validUTF8(b)), true
	case "utf16le", "utf-16le", "ucs2", "ucs-2":
		return utf16Value(b), true
	case "latin1", "binary":
		return vm.ToValue(latin1(b)), true
	case "ascii":
		low := make([]byte, len(b))
		for i, c := range b {
			low[i] = c & 0x7f
		}
		return vm.ToValue(string(low)), true
	case "hex":
		return vm.ToValue(hex.EncodeToString(b)), true
	case "base64":
		return vm.ToValue(base64.StdEncoding.EncodeToString(b)), true
	case "base64url":
		return vm.ToValue(base64.RawURLEncoding.EncodeToString(b)), true
	}
	return nil, false
}

func utf16Value(b []byte) goja.Value {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return goja.StringFromUTF16(units)
}

func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// validUTF8 replaces what is no UTF-8 by U+FFFD, one for each maximal part of a sequence, as the encoding standard demands.
func validUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r != utf8.RuneError || n > 1 {
			out.Write(b[:n])
			b = b[n:]
			continue
		}
		out.WriteString("\ufffd")
		b = b[max(partial(b), 1):]
	}
	return out.String()
}

// partial is how many bytes at the start of b are the beginning of a sequence that goes wrong after them.
func partial(b []byte) int {
	need, low, high := 0, byte(0x80), byte(0xbf)
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		need = 1
	case c >= 0xe0 && c <= 0xef:
		need = 2
		if c == 0xe0 {
			low = 0xa0
		} else if c == 0xed {
			high = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		need = 3
		if c == 0xf0 {
			low = 0x90
		} else if c == 0xf4 {
			high = 0x8f
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= low && b[n] <= high {
		n++
		low, high = 0x80, 0xbf
	}
	return n
}

// incomplete is how many bytes at the end of b may still become a sequence.
func incomplete(b []byte) int {
	for back := 1; back <= 3 && back <= len(b); back++ {
		c := b[len(b)-back]
		if c&0xc0 == 0x80 {
			continue
		}
		if c >= 0xc2 && c <= 0xf4 && !utf8.FullRune(b[len(b)-back:]) && partial(b[len(b)-back:]) == back {
			return back
		}
		return 0
	}
	return 0
}

// bytesOf gives the bytes of an ArrayBuffer or a view, not copied; false for anything else.
func bytesOf(v goja.Value) ([]byte, bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, false
	}
	switch x := o.Export().(type) {
	case goja.ArrayBuffer:
		return x.Bytes(), !x.Detached()
	case []byte:
		return x, true
	}
	buffer, ok := o.Get("buffer").(*goja.Object)
	if !ok {
		return nil, false
	}
	whole, ok := buffer.Export().(goja.ArrayBuffer)
	if !ok {
		return nil, false
	}
	from, n := int(o.Get("byteOffset").ToInteger()), int(o.Get("byteLength").ToInteger())
	all := whole.Bytes()
	if from < 0 || n < 0 || from+n > len(all) {
		return nil, false
	}
	return all[from : from+n], true
}

// atob decodes forgiving base64; nil with false for what is none.
func atob(s string) ([]byte, bool) {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\f\r", r) {
			return -1
		}
		return r
	}, s)
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	}
	if len(s)%4 == 1 || strings.Contains(s, "=") {
		return nil, false
	}
	out, err := base64.RawStdEncoding.DecodeString(s)
	return out, err == nil
}

// decoder is the state of one TextDecoder.
type decoder struct {
	encoding  string // utf-8, utf-16le, utf-16be or windows-1252
	fatal     bool
	ignoreBOM bool
	rest      []byte
	started   bool
}

var decoderLabels = map[string]string{
	"utf-8": "utf-8", "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-16le": "utf-16le", "utf-16": "utf-16le", "ucs-2": "utf-16le",
	"unicode": "utf-16le", "utf-16be": "utf-16be", "latin1": "windows-1252", "iso-8859-1": "windows-1252", "ascii": "windows-1252",
	"us-ascii": "windows-1252", "windows-1252": "windows-1252", "cp1252": "windows-1252", "l1": "windows-1252", "iso8859-1": "windows-1252",
}

func (d *decoder) decode(vm *goja.Runtime, b []byte, stream bool) (goja.Value, error) {
	b = append(d.rest, b...)
	d.rest = nil
	if stream {
		keep := 0
		switch d.encoding {
		case "utf-8":
			keep = incomplete(b)
		case "utf-16le", "utf-16be":
			keep = len(b) % 2
		}
		d.rest = append([]byte{}, b[len(b)-keep:]...)
		b = b[:len(b)-keep]
	}
	first := !d.started
	d.started = stream && (d.started || len(b) > 0)
	bad := fmt.Errorf("The encoded data was not valid for encoding %s", d.encoding)
	switch d.encoding {
	case "utf-8":
		if d.fatal && !utf8.Valid(b) {
			return nil, bad
		}
		text := validUTF8(b)
		if first && !d.ignoreBOM {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		return vm.ToValue(text), nil
	case "utf-16le", "utf-16be":
		odd := len(b)%2 == 1
		if odd {
			b = b[:len(b)-1]
		}
		units := make([]uint16, 0, len(b)/2+1)
		for i := 0; i < len(b); i += 2 {
			if d.encoding == "utf-16le" {
				units = append(units, uint16(b[i])|uint16(b[i+1])<<8)
			} else {
				units = append(units, uint16(b[i+1])|uint16(b[i])<<8)
			}
		}
		if first && !d.ignoreBOM && len(units) > 0 && units[0] == 0xfeff {
			units = units[1:]
		}
		text := string(utf16.Decode(units))
		if d.fatal && (odd || strings.ContainsRune(text, '\ufffd')) {
			return nil, bad
		}
		if odd {
			text += "\ufffd"
		}
		return vm.ToValue(text), nil
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
		if c >= 0x80 && c <= 0x9f {
			runes[i] = windows1252[c-0x80]
		}
	}
	return vm.ToValue(string(runes)), nil
}

var windows1252 = [32]rune{'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f, 0x90, '‘', '’', '“', '”', '•', '–',
	'—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ'}

// stringOf is ToString.
func stringOf(v goja.Value) goja.String { return v.ToString().(goja.String) }

// Bytes gives the bytes of an ArrayBuffer, typed array or Buffer, not copied; false for anything else.
func Bytes(v goja.Value) ([]byte, bool) { return bytesOf(v) }
