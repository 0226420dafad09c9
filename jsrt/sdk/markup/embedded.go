package markup

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Selector says where a page embeds its data. One field is set.
type Selector struct {
	ID         string // the text of the element with this id
	Type       string // every script of the type application/<Type>: "ld+json" or "json"
	Attribute  string // the value of this attribute
	Assignment string // the value assigned to this name in an inline script
}

// ErrMissing and ErrUnparsable say why a page does not give embedded data: the place is not there, or what stands there is no JSON.
var (
	ErrMissing    = errors.New("the page holds no such data")
	ErrUnparsable = errors.New("what the page holds there is not JSON")
)

// Embedded gives the JSON a page embeds (spec runtime-sdk.md §2.5): the first value that parses, for a type an array of all that do, for an
// assignment the last one that does.
func Embedded(text string, s Selector) (string, error) {
	document, err := Parse(text)
	if err != nil {
		return "", err
	}
	var candidates []string
	switch {
	case s.Assignment != "":
		return document.assigned(s.Assignment)
	case s.Type != "":
		return document.blocks(s.Type)
	case s.ID != "":
		document.each(func(n Node) {
			if id, ok := n.Attr("id"); ok && id == s.ID {
				candidates = append(candidates, n.Raw())
			}
		})
	default:
		document.each(func(n Node) {
			if value, ok := n.Attr(s.Attribute); ok {
				candidates = append(candidates, value)
			}
		})
	}
	for _, one := range candidates {
		if value, ok := jsonIn(one); ok {
			return value, nil
		}
	}
	return "", none(len(candidates))
}

func none(found int) error {
	if found == 0 {
		return ErrMissing
	}
	return ErrUnparsable
}

// each calls f with every element below n, in document order.
func (n Node) each(f func(Node)) {
	for d := range n.node.Descendants() {
		if d.Type == html.ElementNode {
			f(Node{d})
		}
	}
}

func (n Node) blocks(kind string) (string, error) {
	found := 0
	var values []string
	n.each(func(one Node) {
		if one.node.DataAtom != atom.Script || one.scriptType() != "application/"+strings.ToLower(kind) {
			return
		}
		found++
		if value, ok := jsonIn(one.Raw()); ok {
			values = append(values, value)
		}
	})
	if len(values) == 0 {
		return "", none(found)
	}
	return "[" + strings.Join(values, ",") + "]", nil
}

// scriptType is a script's type without parameters.
func (n Node) scriptType() string {
	value, _ := n.Attr("type")
	value, _, _ = strings.Cut(value, ";")
	return strings.ToLower(strings.TrimSpace(value))
}

// isInlineScript tells the scripts whose text a browser would run.
func (n Node) isInlineScript() bool {
	if n.node.DataAtom != atom.Script {
		return false
	}
	if _, elsewhere := n.Attr("src"); elsewhere {
		return false
	}
	switch kind := n.scriptType(); {
	case kind == "", kind == "module", strings.HasSuffix(kind, "javascript"), strings.HasSuffix(kind, "ecmascript"):
		return true
	}
	return false
}

var wrappers = []struct{ open, end string }{{"<!--", "-->"}, {"//<![CDATA[", "//]]>"}, {"// <![CDATA[", "// ]]>"}, {"<![CDATA[", "]]>"}, {"/*<![CDATA[*/", "/*]]>*/"}}

// jsonIn takes JSON out of the wrappings pages put around it, and says whether it is JSON.
func jsonIn(text string) (string, bool) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	for changed := true; changed; {
		changed = false
		for _, w := range wrappers {
			inner, opened := strings.CutPrefix(text, w.open)
			if !opened {
				continue
			}
			inner = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), w.end))
			inner = strings.TrimSpace(strings.TrimSuffix(inner, "//")) // of an end that is spaced otherwise
			text, changed = inner, true
		}
		if inner, ended := strings.CutSuffix(text, ";"); ended {
			text, changed = strings.TrimSpace(inner), true
		}
	}
	return text, json.Valid([]byte(text))
}

// assigned gives the last value of the inline scripts that is assigned to name and parses.
func (n Node) assigned(name string) (string, error) {
	quoted := regexp.QuoteMeta(name)
	place, err := regexp.Compile(`(?:(?:^|[^\w$.])(?:(?:window|self|globalThis)\s*\.\s*)?` + quoted +
		`|(?:^|[^\w$.])(?:window|self|globalThis)\s*\[\s*(?:"` + quoted + `"|'` + quoted + `')\s*\])\s*=`)
	if err != nil {
		return "", ErrMissing // a name no script can have
	}
	found, last := 0, ""
	n.each(func(one Node) {
		if !one.isInlineScript() {
			return
		}
		code := one.Raw()
		for from := 0; from < len(code); {
			at := place.FindStringIndex(code[from:])
			if at == nil {
				return
			}
			from += at[1]
			rest := code[from:]
			if strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ">") {
				continue // a comparison, a function
			}
			found++
			if value, ok := literal(strings.TrimLeft(rest, " \t\r\n\v\f")); ok {
				last = value
			}
		}
	})
	if last == "" {
		return "", none(found)
	}
	return last, nil
}

// literal reads the JSON that code begins with: an object, an array, or JSON.parse of a text.
func literal(code string) (string, bool) {
	if strings.HasPrefix(code, "{") || strings.HasPrefix(code, "[") {
		end := balanced(code)
		return code[:end], end > 0 && json.Valid([]byte(code[:end]))
	}
	rest, ok := strings.CutPrefix(code, "JSON.parse")
	if !ok {
		return "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), "(")
	if !ok {
		return "", false
	}
	text, ok := unquote(strings.TrimLeft(rest, " \t\r\n"))
	return text, ok && json.Valid([]byte(text))
}

// balanced is where the bracket that code begins with is closed, texts skipped; 0 when it never is.
func balanced(code string) int {
	depth := 0
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'', '`':
			end := textEnd(code[i:])
			if end == 0 {
				return 0
			}
			i += end - 1
		}
	}
	return 0
}

// textEnd is where the text that code begins with ends, its quotes included; 0 when it never does.
func textEnd(code string) int {
	for i := 1; i < len(code); i++ {
		switch code[i] {
		case '\\':
			i++
		case code[0]:
			return i + 1
		}
	}
	return 0
}

// unquote decodes the JavaScript text that code begins with.
func unquote(code string) (string, bool) {
	if code == "" || !strings.ContainsRune("\"'`", rune(code[0])) {
		return "", false
	}
	end := textEnd(code)
	if end == 0 {
		return "", false
	}
	if code[0] == '`' && strings.Contains(code[:end], "${") {
		return "", false
	}
	var b strings.Builder
	for rest := code[1 : end-1]; rest != ""; {
		if rest[0] != '\\' {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		var ok bool
		if rest, ok = escape(&b, rest[1:]); !ok {
			return "", false
		}
	}
	return b.String(), true
}

var simple = map[byte]string{'n': "\n", 'r': "\r", 't': "\t", 'b': "\b", 'f': "\f", 'v': "\v", '0': "\x00", '\n': "", '\r': ""}

// escape writes what an escape means and gives what follows it.
func escape(b *strings.Builder, rest string) (string, bool) {
	c := rest[0]
	switch {
	case c == 'x':
		n, ok := hex(rest, 1, 3)
		b.WriteRune(n)
		return rest[min(3, len(rest)):], ok
	case strings.HasPrefix(rest, "u{"):
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return "", false
		}
		n, ok := hex(rest, 2, end)
		b.WriteRune(n)
		return rest[end+1:], ok
	case c == 'u':
		n, ok := hex(rest, 1, 5)
		rest = rest[min(5, len(rest)):]
		if ok && utf16.IsSurrogate(n) && strings.HasPrefix(rest, `\u`) {
			if low, paired := hex(rest, 2, 6); paired && utf16.DecodeRune(n, low) != utf8.RuneError {
				n, rest = utf16.DecodeRune(n, low), rest[6:]
			}
		}
		b.WriteRune(n)
		return rest, ok
	}
	if text, ok := simple[c]; ok {
		b.WriteString(text)
		return rest[1:], true
	}
	b.WriteByte(c) // an escaped quote, or a character that needs no escape
	return rest[1:], true
}

func hex(text string, from, to int) (rune, bool) {
	if to > len(text) || from >= to {
		return 0, false
	}
	n, err := strconv.ParseUint(text[from:to], 16, 21)
	return rune(n), err == nil && n <= utf8.MaxRune
}
