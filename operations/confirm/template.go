package confirm

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// What of an input and an address is looked at; the rest names nothing.
const (
	maxValues     = 256
	maxValueRunes = 200
	maxDepth      = 32
)

// named is a value a message may name, and the place it comes from.
type named struct {
	place string
	value []rune
}

// amount is a query value that is likely to stand in a message by chance.
var amount = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+[.,]\d{2}$`) })

// template is the message with each value it names replaced by the place the value comes from: {input:/json/pointer}, {url:path:N} with N
// counted from 0, or {url:query:name}. A brace of the message itself is doubled. Of two values the longer goes first, of equal ones the
// input's. It reports whether the message names any (spec artifact-and-serving.md §7, templates).
func template(s Shown) (string, bool) {
	text := []rune(normalize(s.Message))
	if len(text) > MaxMessage {
		return "", false
	}
	values := append(inputValues(s.Input), addressValues(s.Page)...)
	slices.SortStableFunc(values, func(a, b named) int { return len(b.value) - len(a.value) })
	places := make([]string, len(text)) // by where a value begins
	taken := make([]bool, len(text))
	found := false
	for _, v := range values {
		for at := 0; at+len(v.value) <= len(text); at++ {
			if end := at + len(v.value); !slices.Contains(taken[at:end], true) && same(text[at:end], v.value) && whole(text, at, end) {
				places[at], found = v.place, true
				for i := at; i < end; i++ {
					taken[i] = true
				}
			}
		}
	}
	var out strings.Builder
	for i, c := range text {
		switch {
		case places[i] != "":
			out.WriteString("{" + places[i] + "}")
		case taken[i]:
		case c == '{', c == '}':
			out.WriteRune(c)
			out.WriteRune(c)
		default:
			out.WriteRune(c)
		}
	}
	return out.String(), found
}

// counts reports whether a value is telling enough to be looked for.
func counts(value []rune) bool {
	return len(value) <= maxValueRunes && (len(value) >= 3 || len(value) == 2 && slices.ContainsFunc(value, unicode.IsDigit))
}

// same compares in any letter case when the value is long enough for that.
func same(text, value []rune) bool {
	if len(value) >= 4 {
		return strings.EqualFold(string(text), string(value))
	}
	return slices.Equal(text, value)
}

// whole reports whether text[at:end] is a word or number and not a part of one.
func whole(text []rune, at, end int) bool {
	inWord := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' }
	digit := func(i int) bool { return i >= 0 && i < len(text) && unicode.IsDigit(text[i]) }
	point := func(i int) bool { return i >= 0 && i < len(text) && (text[i] == '.' || text[i] == ',') }
	switch {
	case at > 0 && inWord(text[at-1]) && inWord(text[at]), end < len(text) && inWord(text[end]) && inWord(text[end-1]):
		return false
	case digit(at) && point(at-1) && digit(at-2), digit(end-1) && point(end) && digit(end+1):
		return false
	}
	return true
}

// inputValues lists the texts and numbers of the input with their JSON pointers, objects in the order of their keys.
func inputValues(input json.RawMessage) []named {
	decoder := json.NewDecoder(strings.NewReader(string(input)))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	var values []named
	var walk func(pointer string, value any, depth int)
	walk = func(pointer string, value any, depth int) {
		if len(values) >= maxValues || depth > maxDepth {
			return
		}
		switch v := value.(type) {
		case string:
			values = add(values, "input:"+pointer, v)
		case json.Number:
			values = add(values, "input:"+pointer, v.String())
		case []any:
			for i, item := range v {
				walk(pointer+"/"+strconv.Itoa(i), item, depth+1)
			}
		case map[string]any:
			keys := make([]string, 0, len(v))
			for key := range v {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				walk(pointer+"/"+pointerEscapes.Replace(key), v[key], depth+1)
			}
		}
	}
	walk("", value, 0)
	return values
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// addressValues lists the parts of a page's address that may be identifiers: those that hold a digit, but for amounts in its query.
func addressValues(page *url.URL) []named {
	if page == nil {
		return nil
	}
	var values []named
	for i, part := range strings.Split(strings.Trim(page.Path, "/"), "/") {
		if strings.ContainsFunc(part, unicode.IsDigit) {
			values = add(values, "url:path:"+strconv.Itoa(i), part)
		}
	}
	query := page.Query()
	names := make([]string, 0, len(query))
	for name := range query {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range query[name] {
			if strings.ContainsFunc(value, unicode.IsDigit) && !amount().MatchString(value) {
				values = add(values, "url:query:"+name, value)
			}
		}
	}
	return values
}

func add(values []named, place, value string) []named {
	runes := []rune(normalize(value))
	if len(values) < maxValues && counts(runes) {
		values = append(values, named{place, runes})
	}
	return values
}
