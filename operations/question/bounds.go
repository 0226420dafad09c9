package question

import (
	"errors"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// units is a string's length in UTF-16 code units.
func units(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

func bounded(at, text string, least, most int) error {
	switch n := units(text); {
	case !utf8.ValidString(text):
		return problem(at, "must be valid Unicode")
	case n < least:
		return problem(at, "must not be empty")
	case n > most:
		return problem(at, "must not be longer than %d characters", most)
	}
	return nil
}

func between(at string, value *int, least, most int) error {
	if value != nil && (*value < least || *value > most) {
		return problem(at, "must be a whole number from %d to %d", least, most)
	}
	return nil
}

// escape writes a JSON pointer token.
func escape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// decodeProblem says where JSON does not have the shape it should, without quoting it.
func decodeProblem(err error) error {
	var wrong *jsonv2.SemanticError
	if errors.As(err, &wrong) {
		if wrong.GoType != nil {
			return problem(string(wrong.JSONPointer), "must not be a JSON %s", kindName(wrong.JSONKind))
		}
		return problem(string(wrong.JSONPointer), "does not fit")
	}
	var broken *jsontext.SyntacticError
	if errors.As(err, &broken) {
		if errors.Is(broken.Err, jsontext.ErrDuplicateName) {
			return problem(string(broken.JSONPointer), "is there twice")
		}
		return problem(string(broken.JSONPointer), "is not valid JSON")
	}
	return problem("", "is not valid JSON")
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '0':
		return "number like this"
	case '[', ']':
		return "array"
	case '{', '}':
		return "object"
	}
	return "value like this"
}
