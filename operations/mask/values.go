// Package mask owns what must not leave in a text: the values a run was given in confidence, in every form they may take on their way, and
// credentials known by their shape.
//
// It is pure and runs in both processes. It knows neither runs nor questions. The rules are those of spec artifact-and-serving.md §5.3 and §11.
package mask

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Private stands where a given value was.
const Private = "[private]"

// minTail is how many bytes of a value at the end of a text are taken for a value that was cut there.
const minTail = 6

// maxPattern is how many bytes of a value are looked for in percent-encodings.
const maxPattern = 256

// Values are the values given to a run in confidence. The zero value holds none; it may be used from many goroutines.
type Values struct {
	mu     sync.RWMutex
	counts map[string]int // value to how often it was added
	sorted []string       // the forms of all values, longest first
	all    *strings.Replacer
	inURLs *regexp.Regexp // the values with any of their characters percent-encoded
}

// Add has every form of a value masked from now on, until forget is called. White space alone is no value.
func (v *Values) Add(value string) (forget func()) {
	if strings.TrimSpace(value) == "" {
		return func() {}
	}
	v.change(value, 1)
	return sync.OnceFunc(func() { v.change(value, -1) })
}

func (v *Values) change(value string, by int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.counts == nil {
		v.counts = map[string]int{}
	}
	if v.counts[value] += by; v.counts[value] <= 0 {
		delete(v.counts, value)
	}
	var pairs, encoded []string
	v.sorted = nil
	for held := range v.counts {
		v.sorted = append(v.sorted, Forms(held)...)
		encoded = append(encoded, bases(held)...)
	}
	slices.SortFunc(v.sorted, longestFirst)
	slices.SortFunc(encoded, longestFirst)
	for _, form := range v.sorted {
		pairs = append(pairs, form, Private)
	}
	for i, base := range encoded {
		encoded[i] = percentPattern(base)
	}
	v.all, v.inURLs = strings.NewReplacer(pairs...), regexp.MustCompile("(?s:"+strings.Join(encoded, "|")+")")
}

func longestFirst(a, b string) int {
	if len(a) != len(b) {
		return len(b) - len(a)
	}
	return strings.Compare(a, b)
}

// Text masks every form of every value in text, the longest first, and the beginning of one that the text's end cuts off.
func (v *Values) Text(text string) string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if len(v.sorted) == 0 || text == "" {
		return text
	}
	text = v.tail(text)
	// What is put together anew by a replacement is looked at again; each round makes the text's unmasked part shorter.
	for range 8 {
		masked := v.all.Replace(v.inURLs.ReplaceAllLiteralString(text, Private))
		if masked == text {
			break
		}
		text = masked
	}
	return text
}

// tail masks what begins a value at the very end of a text: whoever made the text may have cut it there. The lock is held.
func (v *Values) tail(text string) string {
	cut := len(text)
	for _, form := range v.sorted {
		for n := min(len(form)-1, len(text)); n >= minTail && len(text)-n < cut; n-- {
			if strings.HasSuffix(text, form[:n]) {
				cut = len(text) - n
				break
			}
		}
	}
	if cut == len(text) {
		return text
	}
	return text[:cut] + Private
}

// bases are what the forms of a value are made of: the value as given, trimmed, and with its white space collapsed.
func bases(value string) []string {
	all := []string{value, strings.TrimSpace(value), strings.Join(strings.Fields(value), " ")}
	slices.SortFunc(all, longestFirst)
	return slices.DeleteFunc(slices.Compact(all), func(base string) bool { return base == "" })
}

// Forms are the forms a value is known in besides percent-encodings: as given, trimmed and with its white space collapsed, each of them
// plain, escaped as in JSON, HTML, quoted YAML and the quotes of a script, in base64 and in hex.
func Forms(value string) []string {
	found := map[string]bool{}
	for _, base := range bases(value) {
		jsoned := escaped(base, false)
		for _, form := range []string{
			base, jsoned, escaped(base, true), escaped(jsoned, false), strings.ReplaceAll(base, "'", "''"), html.EscapeString(base),
			quotedOnce.Replace(base), singleQuoted.Replace(base), strings.ReplaceAll(jsoned, "'", `\'`),
			base64.StdEncoding.EncodeToString([]byte(base)), base64.RawStdEncoding.EncodeToString([]byte(base)),
			base64.URLEncoding.EncodeToString([]byte(base)), base64.RawURLEncoding.EncodeToString([]byte(base)),
			hex.EncodeToString([]byte(base)), strings.ToUpper(hex.EncodeToString([]byte(base))),
		} {
			found[form] = true
		}
	}
	out := make([]string, 0, len(found))
	for form := range found {
		out = append(out, form)
	}
	slices.SortFunc(out, longestFirst)
	return out
}

// How a text stands between quotes of a script: in double and in single ones.
var (
	quotedOnce   = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	singleQuoted = strings.NewReplacer(`\`, `\\`, `'`, `\'`)
)

// percentPattern matches a text with any of its bytes percent-encoded, once or twice, in either case of hex digits, and its spaces as +:
// what an encoder leaves as it is differs from encoder to encoder.
// A long value is known by its beginning and goes to the next white space, so that the pattern stays small.
func percentPattern(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if i >= maxPattern {
			b.WriteString(`\S*`)
			break
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		plain := regexp.QuoteMeta(strings.ToValidUTF8(text[i:i+size], "\uFFFD"))
		if text[i] == ' ' {
			plain += `|\+`
		}
		b.WriteString("(?:" + plain + "|")
		for _, c := range []byte(text[i : i+size]) {
			fmt.Fprintf(&b, "%%(?:25)?(?i:%02x)", c)
		}
		b.WriteString(")")
		i += size
	}
	return b.String()
}

// escaped is a text inside a JSON string; forHTML also escapes <, > and & as Go's encoder does by itself.
func escaped(text string, forHTML bool) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(forHTML)
	if encoder.Encode(text) != nil { // texts always encode
		return text
	}
	quoted := strings.TrimSuffix(b.String(), "\n")
	return quoted[1 : len(quoted)-1]
}
