package jsrt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// goja's parser and compiler are recursive, and a Go stack that overflows ends the process without a word. So a text is looked over
// before they see it: how deep its brackets nest, and how long a chain of operators, prefixes or heads runs without one of the marks
// that end it. Both numbers are far above what people and bundlers write, and far below what fills a stack.
const (
	// MaxNesting is how deep brackets may nest.
	MaxNesting = 1500
	// maxChain is how many tokens may follow each other at one level without ; , or a closed block. Every level of recursion outside
	// brackets (a+a+…, !!!…, a?b:c?…, x=>x=>…, if(a)if(b)…) takes at least one.
	maxChain = 20_000
	// maxTotal bounds the chains of all open levels together.
	maxTotal = 60_000
)

// checkNesting refuses a text that would exhaust the stack, with CodeTooDeep and the place.
func checkNesting(name, source string) error {
	if !suspicious(source) {
		return nil
	}
	s := scanner{source: source}
	if at, what := s.tooDeep(); at >= 0 {
		line, column := placeOf(source, at)
		e := syntaxError(name, what, line, column)
		e.Code = CodeTooDeep
		e.Stack = e.header() + stackText(e.Frames)
		return e
	}
	return nil
}

// suspicious is the cheap first look, which most texts pass: brackets counted wherever they stand, and tokens bounded by the length.
func suspicious(source string) bool {
	if len(source) > maxChain {
		return true
	}
	depth, low := 0, 0
	for i := range len(source) {
		switch source[i] {
		case '(', '[', '{':
			if depth++; depth-low > MaxNesting {
				return true
			}
		case ')', ']', '}':
			depth--
			low = min(low, depth)
		}
	}
	return false
}

// level is one open bracket.
type level struct {
	bracket byte
	chain   int
	control bool // the ( of if, while, for or with: a / after its ) begins a regular expression
	quote   bool // ${ inside a template: its } goes on with the text
}

// scanner walks the tokens of a text, exactly enough to know brackets from their look-alikes in strings, comments, templates and
// regular expressions.
type scanner struct {
	source string
	at     int
	levels []level
	// regexpNext says that a / here would begin a regular expression.
	regexpNext bool
	control    bool // the last token was if, while, for or with
	blockEnd   bool // the last token was the } of a block
	total      int  // the chains of all open levels
}

// tooDeep gives the offset at which a limit is passed, or -1.
func (s *scanner) tooDeep() (int, string) {
	s.begin(0)
	for s.at < len(s.source) {
		start := s.at
		s.next()
		if len(s.levels) > MaxNesting {
			return start, fmt.Sprintf("the code nests more than %d brackets deep; split it into functions or data", MaxNesting)
		}
		if s.top().chain > maxChain || s.total > maxTotal {
			return start, fmt.Sprintf("one expression or statement has more than %d parts; split it into several", maxChain)
		}
	}
	return -1, ""
}

// begin starts the scan at an offset where an expression or statement may begin.
func (s *scanner) begin(at int) {
	s.at = at
	s.levels = append(s.levels[:0], level{})
	s.regexpNext = true
}

// next passes one token, or one piece of what stands between tokens, which it says.
func (s *scanner) next() (token bool) {
	c := s.source[s.at]
	switch {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f':
		s.at++
		return false
	case c == '/' && s.comment():
		return false
	case c == '"' || c == '\'':
		s.quoted(c)
		s.token(false)
	case c == '`':
		s.at++
		s.template()
	case c == '/' && s.regexpNext && s.regexp():
		s.token(false)
	case c == '(' || c == '[' || c == '{':
		s.at++
		s.open(level{bracket: c, control: c == '(' && s.control})
	case c == ')' || c == ']' || c == '}':
		s.at++
		s.close()
	case c == ';' || c == ',':
		s.at++
		s.restart()
		s.after(true)
	case isWordByte(c):
		return s.word()
	default:
		s.at++
		// Every byte of an operator counts: != is two, which only makes the bound stricter.
		s.token(true)
	}
	return true
}

func (s *scanner) top() *level { return &s.levels[len(s.levels)-1] }

// after notes what a following / would mean.
func (s *scanner) after(regexpNext bool) {
	s.regexpNext, s.control, s.blockEnd = regexpNext, false, false
}

// restart begins a new chain at this level.
func (s *scanner) restart() {
	s.total -= s.top().chain
	s.top().chain = 0
}

func (s *scanner) token(regexpNext bool) {
	s.top().chain++
	s.total++
	s.after(regexpNext)
}

func (s *scanner) open(l level) {
	// After a block, { begins another; anything else may go on with an expression whose last part the block was.
	if s.blockEnd && l.bracket == '{' {
		s.restart()
	}
	s.token(true)
	s.levels = append(s.levels, l)
}

func (s *scanner) close() {
	if len(s.levels) == 1 {
		s.after(true)
		return
	}
	closed := *s.top()
	s.total -= closed.chain
	s.levels = s.levels[:len(s.levels)-1]
	switch {
	case closed.quote:
		s.template()
	case closed.bracket == '{':
		s.after(true)
		s.blockEnd = true
	default:
		s.after(closed.control)
	}
}

// words after which an expression begins.
const beforeExpression = " return typeof instanceof in of new delete void throw case do else await yield "

// words that go on with the statement or expression that a block ended.
const afterBlock = " else in instanceof "

func (s *scanner) word() (token bool) {
	start := s.at
	for s.at < len(s.source) {
		c := s.source[s.at]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s.source[s.at:])
			if unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
				if s.at == start {
					s.at += n
					return false
				}
				break
			}
			s.at += n
			continue
		}
		if !isWordByte(c) && c != '.' || c == '.' && !(s.source[start] >= '0' && s.source[start] <= '9') {
			break
		}
		s.at++
	}
	text := s.source[start:s.at]
	if s.blockEnd && !strings.Contains(afterBlock, " "+text+" ") {
		s.restart()
	}
	s.token(strings.Contains(beforeExpression, " "+text+" "))
	s.control = text == "if" || text == "while" || text == "for" || text == "with"
	return true
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c == '\\' || c == '#' || c >= utf8.RuneSelf ||
		'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func (s *scanner) comment() bool {
	rest := s.source[s.at:]
	switch {
	case strings.HasPrefix(rest, "//"):
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			s.at += i
		} else {
			s.at = len(s.source)
		}
	case strings.HasPrefix(rest, "/*"):
		if i := strings.Index(rest[2:], "*/"); i >= 0 {
			s.at += i + 4
		} else {
			s.at = len(s.source)
		}
	default:
		return false
	}
	return true
}

func (s *scanner) quoted(quote byte) {
	for s.at++; s.at < len(s.source); s.at++ {
		switch s.source[s.at] {
		case '\\':
			s.at++
		case quote, '\n':
			s.at++
			return
		}
	}
	s.at = len(s.source)
}

// template reads the text of a template up to its end or the next ${.
func (s *scanner) template() {
	for ; s.at < len(s.source); s.at++ {
		switch s.source[s.at] {
		case '\\':
			s.at++
		case '`':
			s.at++
			s.token(false)
			return
		case '$':
			if s.at+1 < len(s.source) && s.source[s.at+1] == '{' {
				s.at += 2
				s.open(level{bracket: '{', quote: true})
				return
			}
		}
	}
	s.at = len(s.source)
}

// regexp reads a regular expression literal; false, with nothing read, when its line does not hold one.
func (s *scanner) regexp() bool {
	class := false
	for i := s.at + 1; i < len(s.source); i++ {
		switch s.source[i] {
		case '\\':
			i++
		case '\n':
			return false
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				s.at = i + 1
				for s.at < len(s.source) && isWordByte(s.source[s.at]) {
					s.at++
				}
				return true
			}
		}
	}
	return false
}

// placeOf counts the line and column of an offset.
func placeOf(source string, at int) (line, column int) {
	before := source[:at]
	return 1 + strings.Count(before, "\n"), at - strings.LastIndexByte(before, '\n')
}
