package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/dlclark/regexp2/v2"
)

// pattern is a JavaScript regular expression. Most run on Go's own engine, in time linear in the text; one that looks ahead, looks behind or
// refers back runs on a backtracking engine, with a limit on its time.
type pattern struct {
	source       string
	linear       *regexp.Regexp
	backtracking *regexp2.Regexp
}

// matchTime bounds one backtracking match. A match that takes longer counts as none.
const matchTime = 250 * time.Millisecond

func compilePattern(source string) (*pattern, error) {
	t := translator{source: []rune(source)}
	if err := t.translate(); err != nil {
		return nil, err
	}
	p := &pattern{source: source}
	if !t.backtracks {
		if linear, err := regexp.Compile(t.linear.String()); err == nil {
			p.linear = linear
			return p, nil
		}
	}
	backtracking, err := regexp2.Compile(t.full.String(), regexp2.ECMAScript, regexp2.Unicode)
	if err != nil {
		return nil, errors.New("is not a JavaScript regular expression")
	}
	backtracking.MatchTimeout = matchTime
	p.backtracking = backtracking
	return p, nil
}

// match reports whether the pattern is found in text, and how long the search took when it could take long.
func (p *pattern) match(text string) (bool, time.Duration) {
	if p.linear != nil {
		return p.linear.MatchString(text), 0
	}
	started := time.Now()
	matched, err := p.backtracking.MatchString(text)
	return err == nil && matched, time.Since(started)
}

// translator writes a JavaScript pattern (as with the u flag) so that Go's engine and the backtracking one both read what JavaScript means by it.
// Neither reads it so by itself: they differ in what `.`, `\s` and `\b` stand for, in names of Unicode properties, and in syntax of their own.
type translator struct {
	source []rune
	at     int

	linear, full strings.Builder
	backtracks   bool
}

// both writes syntax that the two engines share.
func (t *translator) both(text string) {
	t.linear.WriteString(text)
	t.full.WriteString(text)
}

// write writes a set as the inside of a class.
func (t *translator) write(s set) {
	for _, one := range s {
		t.code(one.low)
		if one.high > one.low {
			t.both("-")
			t.code(one.high)
		}
	}
}

func (t *translator) code(c rune) {
	fmt.Fprintf(&t.linear, `\x{%x}`, c)
	fmt.Fprintf(&t.full, `\u{%x}`, c)
}

func (t *translator) peek(n int) rune {
	if t.at+n < len(t.source) {
		return t.source[t.at+n]
	}
	return -1
}

var errPattern = errors.New("is not a JavaScript regular expression")

func (t *translator) translate() error {
	for t.at < len(t.source) {
		c := t.source[t.at]
		switch c {
		case '\\':
			if err := t.escape(); err != nil {
				return err
			}
		case '[':
			if err := t.class(); err != nil {
				return err
			}
		case '.':
			t.both("[^")
			t.write(lineEnds)
			t.both("]")
			t.at++
		case '(':
			if err := t.group(); err != nil {
				return err
			}
		case '{':
			t.brace()
		case ']', '}':
			t.literal(c)
			t.at++
		default:
			if strings.ContainsRune("^$*+?|)", c) {
				t.both(string(c))
			} else {
				t.literal(c)
			}
			t.at++
		}
	}
	return nil
}

// literal writes a character that stands for itself, outside or inside a class.
func (t *translator) literal(c rune) {
	if c < 0x80 && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
		t.both(string(c))
		return
	}
	t.code(c)
}

// group copies how a group opens. Go's engine needs no names, and the two engines' own kinds of groups are not JavaScript's.
func (t *translator) group() error {
	t.at++
	if t.peek(0) != '?' {
		t.both("(")
		return nil
	}
	rest := string(t.source[t.at:min(len(t.source), t.at+3)])
	for _, opening := range []string{"?:", "?=", "?!", "?<=", "?<!"} {
		if strings.HasPrefix(rest, opening) {
			t.backtracks = t.backtracks || opening != "?:"
			t.both("(" + opening)
			t.at += len(opening)
			return nil
		}
	}
	name := strings.TrimPrefix(string(t.source[t.at:]), "?<")
	end := strings.IndexByte(name, '>')
	if !strings.HasPrefix(rest, "?<") || end < 1 || !plainName(name[:end]) {
		return errPattern
	}
	t.linear.WriteString("(")
	t.full.WriteString("(?<" + name[:end] + ">")
	t.at += end + 3
	return nil
}

// brace copies a quantifier; any other brace stands for itself.
func (t *translator) brace() {
	end := t.at + 1
	for end < len(t.source) && (t.source[end] == ',' || t.source[end] >= '0' && t.source[end] <= '9') {
		end++
	}
	text := string(t.source[t.at:min(end+1, len(t.source))])
	least, _, _ := strings.Cut(strings.Trim(text, "{}"), ",")
	if !strings.HasSuffix(text, "}") || least == "" || strings.Count(text, ",") > 1 {
		t.literal('{')
		t.at++
		return
	}
	t.both(text)
	t.at = end + 1
}

// escape translates what follows a backslash outside a class.
func (t *translator) escape() error {
	c := t.peek(1)
	switch {
	case c == 'b' || c == 'B':
		// Both engines have \b, but only Go's counts ASCII alone as JavaScript does.
		t.linear.WriteString(`\` + string(c))
		const before, after = `(?<=[0-9A-Za-z_])`, `(?=[0-9A-Za-z_])`
		const notBefore, notAfter = `(?<![0-9A-Za-z_])`, `(?![0-9A-Za-z_])`
		if c == 'b' {
			t.full.WriteString(`(?:` + before + notAfter + `|` + notBefore + after + `)`)
		} else {
			t.full.WriteString(`(?:` + before + after + `|` + notBefore + notAfter + `)`)
		}
		t.at += 2
		return nil
	case c >= '1' && c <= '9':
		t.backtracks = true
		t.both(`\` + string(c))
		for t.at += 2; t.peek(0) >= '0' && t.peek(0) <= '9'; t.at++ {
			t.both(string(t.peek(0)))
		}
		return nil
	case c == 'k' && t.peek(2) == '<':
		end := t.at + 3
		for end < len(t.source) && t.source[end] != '>' {
			end++
		}
		if end == len(t.source) {
			return errPattern
		}
		t.backtracks = true
		t.both(string(t.source[t.at : end+1]))
		t.at = end + 1
		return nil
	}
	members, isSet, err := t.set()
	if err != nil {
		return err
	}
	if isSet {
		t.both("[")
		t.write(members)
		t.both("]")
		return nil
	}
	one, err := t.character()
	if err == nil {
		t.literal(one)
	}
	return err
}

// class translates a bracketed class.
func (t *translator) class() error {
	t.at++
	opening := "["
	if t.peek(0) == '^' {
		opening, t.at = "[^", t.at+1
	}
	if t.peek(0) == ']' { // [] fits nothing, [^] anything
		t.at++
		t.both(map[string]string{"[": "[^", "[^": "["}[opening])
		t.write(everything)
		t.both("]")
		return nil
	}
	t.both(opening)
	for t.peek(0) != ']' {
		switch c := t.peek(0); c {
		case -1:
			return errPattern
		case '-':
			// Between two characters it makes a range; next to a set or an end it stands for itself.
			t.at++
			t.both(`\-`)
			continue
		case '\\':
			members, isSet, err := t.set()
			if err != nil {
				return err
			}
			if isSet {
				t.write(members)
				continue
			}
		}
		first, err := t.classCharacter()
		if err != nil {
			return err
		}
		t.literal(first)
		if t.peek(0) != '-' || t.peek(1) == ']' || t.peek(1) == -1 || t.setAhead(1) {
			continue
		}
		t.at++
		last, err := t.classCharacter()
		if err != nil || last < first {
			return errPattern
		}
		t.both("-")
		t.literal(last)
	}
	t.at++
	t.both("]")
	return nil
}

// setAhead reports whether an escape that stands for a set begins n characters on.
func (t *translator) setAhead(n int) bool {
	return t.peek(n) == '\\' && strings.ContainsRune("dDwWsSpP", t.peek(n+1))
}

func (t *translator) classCharacter() (rune, error) {
	if t.peek(0) != '\\' {
		t.at++
		return t.source[t.at-1], nil
	}
	if t.peek(1) == 'b' {
		t.at += 2
		return '\b', nil
	}
	return t.character()
}

// set reads an escape that stands for a set of characters.
func (t *translator) set() (members set, isSet bool, err error) {
	kind := t.peek(1)
	switch kind {
	case 'd', 'D':
		members = digits
	case 'w', 'W':
		members = words
	case 's', 'S':
		members = spaces
	case 'p', 'P':
		end := t.at + 3
		for end < len(t.source) && t.source[end] != '}' {
			end++
		}
		if t.peek(2) != '{' || end >= len(t.source) {
			return nil, false, errPattern
		}
		if members, err = property(string(t.source[t.at+3 : end])); err != nil {
			return nil, false, err
		}
		t.at = end - 1
	default:
		return nil, false, nil
	}
	t.at += 2
	if unicode.IsUpper(kind) {
		members = members.complement()
	}
	return members, true, nil
}

// character reads an escape that stands for one character.
func (t *translator) character() (rune, error) {
	c := t.peek(1)
	t.at += 2
	switch c {
	case 't':
		return '\t', nil
	case 'n':
		return '\n', nil
	case 'v':
		return '\v', nil
	case 'f':
		return '\f', nil
	case 'r':
		return '\r', nil
	case '0':
		return 0, nil
	case 'c':
		if letter := t.peek(0); letter >= 'A' && letter <= 'Z' || letter >= 'a' && letter <= 'z' {
			t.at++
			return letter & 31, nil
		}
		return 0, errPattern
	case 'x':
		return t.hex(2)
	case 'u':
		if t.peek(0) == '{' {
			end := t.at + 1
			for end < len(t.source) && t.source[end] != '}' {
				end++
			}
			code, err := strconv.ParseUint(string(t.source[t.at+1:min(end, len(t.source))]), 16, 32)
			if err != nil || code > unicode.MaxRune || end == len(t.source) {
				return 0, errPattern
			}
			t.at = end + 1
			return whole(rune(code))
		}
		first, err := t.hex(4)
		if err != nil || first < 0xd800 || first > 0xdbff || t.peek(0) != '\\' || t.peek(1) != 'u' {
			if err != nil {
				return 0, err
			}
			return whole(first)
		}
		t.at += 2
		second, err := t.hex(4)
		if err != nil || second < 0xdc00 || second > 0xdfff {
			return 0, errPattern
		}
		return (first-0xd800)<<10 + (second - 0xdc00) + 0x10000, nil
	case -1:
		return 0, errPattern
	}
	if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
		return 0, fmt.Errorf(`uses \%c, which JavaScript does not know`, c)
	}
	return c, nil
}

// whole refuses half of a surrogate pair, which no text can hold.
func whole(c rune) (rune, error) {
	if c >= 0xd800 && c <= 0xdfff {
		return 0, errors.New("names half of a surrogate pair")
	}
	return c, nil
}

func (t *translator) hex(n int) (rune, error) {
	if t.at+n > len(t.source) {
		return 0, errPattern
	}
	code, err := strconv.ParseUint(string(t.source[t.at:t.at+n]), 16, 32)
	if err != nil {
		return 0, errPattern
	}
	t.at += n
	return rune(code), nil
}
