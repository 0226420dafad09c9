package jsrt

import (
	"regexp"
	"strings"
	"sync"

	"github.com/dop251/goja/file"
)

// construct is one piece of JavaScript that Node runs and goja does not parse: how to know it from the text where the parser stopped,
// and what to do instead.
type construct struct {
	name    string
	matches *regexp.Regexp // on the source line, close to the error
	advice  string
}

var constructs = sync.OnceValue(func() []construct {
	return []construct{
		{"for await", regexp.MustCompile(`\bfor\s+await\b`), "loop over an array, or call the iterator's next() and await each result"},
		{"an async generator", regexp.MustCompile(`\basync\s*(function\s*)?\*`), "return an array from an async function, or write the iterator's next() yourself"},
		{"import()", regexp.MustCompile(`\bimport\s*\(`), "put the code in the same text; page code loads no modules"},
		{"import.meta", regexp.MustCompile(`\bimport\s*\.`), "leave it out; page code is no module"},
		{"an import declaration", regexp.MustCompile(`^\s*import\b`), "put the code in the same text; page code loads no modules"},
		{"an export declaration", regexp.MustCompile(`^\s*export\b`), "leave the word out; page code is the body of a function"},
		{"a using declaration", regexp.MustCompile(`\b(await\s+)?using\s+[\p{L}$_]`), "use const and a finally block"},
		{"a decorator", regexp.MustCompile(`@[\p{L}$_]`), "call the function yourself"},
		{"a class field named get, set, static or async", regexp.MustCompile(`\b(get|set|static|async)\s*(=|;|$)`), `write the name in quotes: "get" = …`},
	}
})

// explainSyntax makes the error for a text the parser refused. at counts within the wrapped source; shift columns of its first line are
// the wrapper's.
func explainSyntax(name, source string, shift int, message string, at file.Position) *Error {
	line, column := at.Line, at.Column
	text := lineOf(source, line)
	if line == 1 && shift > 0 {
		column = max(column-shift, 1)
		text = text[min(shift, len(text)):]
	}
	message = strings.TrimPrefix(message, "SyntaxError: ")
	e := syntaxError(name, message, max(line, 1), max(column, 1))
	if flag, ok := unsupportedFlag(message); ok {
		e.Code = CodeUnsupported
		e.Message = "the regular expression flag " + flag + " is not supported in code that runs here; " + flagAdvice[flag]
	} else if strings.Contains(message, "Async generators are not supported") {
		e.Code = CodeUnsupported
		e.Message = "an async generator is not supported in code that runs here; return an array from an async function, or write the iterator's next() yourself"
	} else {
		if c := constructNear(text, column, message); c != nil {
			e.Code = CodeUnsupported
			e.Message = c.name + " is not supported in code that runs here; " + c.advice
		}
	}
	e.Stack = e.header() + stackText(e.Frames)
	return e
}

func lineOf(source string, line int) string {
	for i := 1; i < line; i++ {
		n := strings.IndexByte(source, '\n')
		if n < 0 {
			return ""
		}
		source = source[n+1:]
	}
	if n := strings.IndexByte(source, '\n'); n >= 0 {
		source = source[:n]
	}
	return source
}

// constructNear finds what the parser stumbled over: it reports a place up to a few tokens after.
func constructNear(line string, column int, message string) *construct {
	for _, c := range constructs() {
		for _, at := range c.matches.FindAllStringIndex(line, -1) {
			if at[0] <= column+24 && at[1] >= column-16 {
				return &c
			}
		}
	}
	if inlineFlags().MatchString(line) && strings.Contains(message, "Invalid group") {
		return &construct{name: "a group with inline flags, (?i:…),", advice: "set the flag for the whole regular expression, or write [aA]"}
	}
	return nil
}

var inlineFlags = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(\?[ims]*-?[ims]*:`) })
