package contract

import "fmt"

// esbuild's parser calls itself once a level, and a Go stack that overflows ends the process without a word. So each file is looked over
// first: how deep its brackets nest, and how many tokens run on without one of the marks that end an expression or a statement. The scan
// only has to tell brackets from their look-alikes in strings, comments, templates and regular expressions. Where it guesses wrong about a
// regular expression it is at most too strict, and the limits are far above what people and bundlers write.
const (
	// maxNesting is also what package jsrt takes of the bundle, which nests a few levels deeper than its parts.
	maxNesting = 1400
	// maxRun is how many tokens may follow each other at one level without ; , or a closed bracket.
	maxRun = 50_000
)

// tooDeep gives the offset at which a limit is passed and a sentence about it; the sentence is empty for a text that may be parsed.
func tooDeep(text []byte) (at int, what string) {
	s := scan{text: text, open: []level{{}}, operand: true}
	for s.at < len(text) {
		start := s.at
		s.step()
		switch {
		case len(s.open)+s.angles > maxNesting:
			return start, fmt.Sprintf("the source nests more than %d brackets deep; split it into functions or data", maxNesting)
		case s.run > maxRun:
			return start, fmt.Sprintf("one expression or statement has more than %d parts; split it into several", maxRun)
		}
	}
	return 0, ""
}

// level is an open bracket, or the ${ of a template, after whose } text goes on. run and angles are what they were before it.
type level struct {
	template    bool
	run, angles int
}

type scan struct {
	text []byte
	at   int
	open []level
	// run counts the tokens since the last mark, over all open levels: recursion goes through all of them.
	run int
	// angles counts < without its > since the last ; of each open level: type arguments nest too.
	angles int
	// operand says that an operand may come next, so that a / begins a regular expression.
	operand bool
}

func (s *scan) step() {
	c := s.text[s.at]
	switch {
	case c <= ' ':
		s.at++
	case c == '/' && s.follows('/'):
		s.skipTo("\n")
	case c == '/' && s.follows('*'):
		s.at += 2
		s.skipTo("*/")
	case c == '"' || c == '\'':
		s.quoted(c)
		s.token(false)
	case c == '`':
		s.at++
		s.template()
	case c == '/' && s.operand && s.regexp():
		s.token(false)
	case c == '(' || c == '[' || c == '{':
		s.at++
		s.push(level{run: s.run, angles: s.angles})
	case c == ')' || c == ']' || c == '}':
		s.at++
		s.pop(c)
	case c == ',' || c == ';':
		s.at++
		// if(a)b;else if(a)b;else … is one statement.
		if c == ',' || s.next() != "else" {
			s.run = s.top().run
		}
		if c == ';' {
			s.angles = s.top().angles
		}
		s.operand = true
	case c == '<':
		s.at++
		s.angles++
		s.token(true)
	case c == '>':
		if s.angles > s.top().angles && s.text[max(0, s.at-1)] != '=' {
			s.angles--
		}
		s.at++
		s.token(true)
	case isWord(c):
		s.word()
	default:
		s.at++
		s.token(true)
	}
}

func (s *scan) follows(c byte) bool { return s.at+1 < len(s.text) && s.text[s.at+1] == c }

func (s *scan) top() level { return s.open[len(s.open)-1] }

func (s *scan) token(operand bool) {
	s.run++
	s.operand = operand
}

func (s *scan) push(l level) {
	s.token(true)
	s.open = append(s.open, l)
}

func (s *scan) pop(c byte) {
	if len(s.open) == 1 {
		s.token(true)
		return
	}
	closed := s.top()
	s.open = s.open[:len(s.open)-1]
	s.angles = closed.angles
	if closed.template {
		s.run = closed.run
		s.template()
		return
	}
	// What stood inside is done with. A } may end a block, and then the statement with it; else the run goes on.
	s.run = closed.run + 1
	if c == '}' && s.endsStatement() {
		s.run, s.angles = s.top().run, s.top().angles
	}
	s.operand = c == '}'
}

// endsStatement looks past a } at what comes next: an operator or one of the words that go on with a statement keep the run.
func (s *scan) endsStatement() bool {
	switch next := s.next(); next {
	case "else", "in", "instanceof", "of", "as", "satisfies", "extends", "while", "catch", "finally":
		return false
	default:
		return next == "" || next == "}" || next == "@" || isWord(next[0])
	}
}

// next is the next word, or the next single byte that is none; "" at the end.
func (s *scan) next() string {
	ahead := scan{text: s.text, at: s.at}
	for ahead.at < len(ahead.text) {
		switch c := ahead.text[ahead.at]; {
		case c <= ' ':
			ahead.at++
		case c == '/' && ahead.follows('/'):
			ahead.skipTo("\n")
		case c == '/' && ahead.follows('*'):
			ahead.at += 2
			ahead.skipTo("*/")
		case isWord(c):
			start := ahead.at
			for ahead.at < len(ahead.text) && isWord(ahead.text[ahead.at]) {
				ahead.at++
			}
			return string(ahead.text[start:ahead.at])
		default:
			return string(ahead.text[ahead.at : ahead.at+1])
		}
	}
	return ""
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c == '\\' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func (s *scan) word() {
	start := s.at
	for s.at < len(s.text) && isWord(s.text[s.at]) {
		s.at++
	}
	operand := false
	switch string(s.text[start:s.at]) {
	case "return", "typeof", "instanceof", "in", "of", "new", "delete", "void", "throw", "case", "do", "else", "await", "yield":
		operand = true
	}
	s.token(operand)
}

// skipTo moves past the next mark, or to the end.
func (s *scan) skipTo(mark string) {
	for ; s.at < len(s.text); s.at++ {
		if s.text[s.at] == mark[0] && (len(mark) == 1 || s.follows(mark[1])) {
			s.at += len(mark)
			return
		}
	}
}

func (s *scan) quoted(quote byte) {
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case quote, '\n':
			s.at++
			return
		}
	}
	s.at = len(s.text)
}

// template reads the text of a template up to its end or its next ${.
func (s *scan) template() {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			s.at++
		case c == '`':
			s.at++
			s.token(false)
			return
		case c == '$' && s.follows('{'):
			s.at += 2
			s.push(level{template: true, run: s.run, angles: s.angles})
			return
		}
	}
	s.at = len(s.text)
}

// regexp reads a regular expression; false, with nothing read, when its line does not hold the end of one.
func (s *scan) regexp() bool {
	class := false
	for i := s.at + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return false
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			s.at = i + 1
			for s.at < len(s.text) && isWord(s.text[s.at]) {
				s.at++
			}
			return true
		}
	}
	return false
}
