// Package schema owns JSON Schema: which schemas an artifact may carry and whether a value fits one. It must not know artifacts, runs, files
// or the network: nothing a schema says is ever fetched. It runs in the supervisor, where it judges inputs and outputs, and may run in a worker.
//
// A schema is rewritten before github.com/kaptinlin/jsonschema compiles it, because that library, given the schema as it stands, passes values it
// must not (see normalise.go for each decision) and cannot be stopped. Decisions a caller may want to know:
//   - Keywords beside a `$ref` count, whatever `$schema` says: operations rely on {"$ref":"#/$defs/Int","minimum":1}.
//   - A `$ref` is a JSON pointer from the root of the schema. URLs, other files, anchors and missing places are refused.
//   - `pattern` is a JavaScript regular expression with the u flag, looked for anywhere in the text.
//   - `format` and the content keywords are annotations: they never refuse a value.
//   - Numbers are exact; 1.0 is an integer. Lengths of texts count code points.
//   - `$id`, anchors, `$vocabulary` and unknown keywords say nothing here.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/kaptinlin/jsonschema"
)

// Limits on what a schema or a value may ask of the process. They are far above what an operation needs: what they stop is a small schema that
// unfolds without end.
const (
	// MaxNodes is how many subschemas a schema may have, each place a `$ref` names counted once more.
	MaxNodes = 20_000
	// MaxChain is how many subschemas may apply to one and the same value, one inside the other.
	MaxChain = 64
	// maxNesting is how deep a schema may nest, in steps of its JSON pointers.
	maxNesting = 256
	// MaxDepth is how deep a value may nest.
	MaxDepth = 256
	// maxEvaluations is how many times a subschema may be applied to a value in one validation, and maxTime how long that may take.
	maxEvaluations = 1_000_000
	maxTime        = 5 * time.Second
	// maxNumber bounds a number's digits and exponent; JavaScript's own end at 1.8e308.
	maxNumber = 400
)

// Error is a schema that cannot be used.
type Error struct {
	// Pointer is the JSON pointer of the place in the schema; empty for the whole.
	Pointer string
	// Problem says what is wrong there.
	Problem string
}

func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Problem
	}
	return e.Pointer + ": " + e.Problem
}

// Schema judges values. It is safe for concurrent use; validations of one schema take turns.
type Schema struct {
	mu       sync.Mutex // the library keeps state in its compiled schema
	compiled *jsonschema.Schema
	patterns []*pattern

	// Of the validation under way.
	evaluations int
	started     time.Time
	patternTime time.Duration
}

// Compile checks and compiles a schema. The error is an *Error.
func Compile(raw json.RawMessage) (*Schema, error) {
	if err := wellFormed(raw); err != nil {
		return nil, err
	}
	root, err := decode(raw)
	if err != nil {
		return nil, &Error{Problem: "is not valid JSON"}
	}
	if issue := outOfBounds(root, 0, maxNesting+MaxDepth, nil); issue != nil {
		return nil, &Error{Problem: issue.String()}
	}
	s := &Schema{}
	n := &normaliser{root: root, schema: s, names: map[string]string{}}
	rewritten, err := n.run()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(rewritten)
	if err != nil {
		return nil, &Error{Problem: "cannot be rewritten: " + err.Error()}
	}
	compiler := jsonschema.NewCompiler()
	clear(compiler.Loaders) // the rewritten schema has no remote references; this makes it certain that none is fetched
	compiler.SetAssertFormat(true)
	compiler.RegisterFormat(tickFormat, func(any) bool { s.tick(); return true })
	for i, p := range s.patterns {
		compiler.RegisterFormat(patternFormat(i), func(value any) bool { s.tick(); return s.match(p, value) })
	}
	if s.compiled, err = compiler.Compile(text); err != nil {
		return nil, &Error{Problem: "cannot be compiled: " + strings.Join(strings.Fields(err.Error()), " ")}
	}
	return s, nil
}

// wellFormed tells malformed JSON, duplicate keys and invalid Unicode, with their place.
func wellFormed(raw []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(raw))
	err := decoder.SkipValue()
	if err == nil {
		if _, after := decoder.ReadToken(); after == nil {
			err = errors.New("more than one value")
		}
	}
	var broken *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &broken) && errors.Is(broken.Err, jsontext.ErrDuplicateName):
		return &Error{string(broken.JSONPointer), "is there twice"}
	case errors.As(err, &broken):
		return &Error{string(broken.JSONPointer), "is not valid JSON"}
	}
	return &Error{Problem: "is not one JSON value"}
}

func decode(raw []byte) (any, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	return value, err
}

// Validate reports whether a JSON text fits. The error is an *Invalid and names places and rules, never values.
func (s *Schema) Validate(raw json.RawMessage) error {
	if wellFormed(raw) != nil {
		return &Invalid{Issues: []Issue{{Rule: "must be valid JSON"}}}
	}
	value, err := decode(raw)
	if err != nil {
		return &Invalid{Issues: []Issue{{Rule: "must be valid JSON"}}}
	}
	return s.validate(value)
}

// errExhausted ends a validation from within the library.
var errExhausted = errors.New("the validation costs too much")

func (s *Schema) validate(value any) (err error) {
	if issue := outOfBounds(value, 0, MaxDepth, nil); issue != nil {
		return &Invalid{Issues: []Issue{*issue}}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.evaluations, s.patternTime, s.started = 0, 0, time.Now()
	defer func() {
		if thrown := recover(); thrown == errExhausted {
			err = &Invalid{Issues: []Issue{{Rule: "costs more to check than a value may; send less at a time"}}}
		} else if thrown != nil {
			err = &Invalid{Issues: []Issue{{Rule: fmt.Sprintf("cannot be checked: %v", thrown)}}}
		}
	}()
	// ValidateStruct is the library's entry for any decoded value; the others decode again.
	result := s.compiled.ValidateStruct(value)
	if result.IsValid() {
		return nil
	}
	x := explanation{schema: s}
	x.explain(result, value, nil)
	return x.invalid()
}

// tick counts the work of a validation. The library offers no other way to stop it.
func (s *Schema) tick() {
	s.evaluations++
	if s.evaluations > maxEvaluations || s.evaluations%16 == 0 && time.Since(s.started) > maxTime {
		panic(errExhausted)
	}
}

func (s *Schema) match(p *pattern, value any) bool {
	text, isText := value.(string)
	if !isText {
		return true
	}
	matched, cost := p.match(text)
	if s.patternTime += cost; s.patternTime > maxTime {
		panic(errExhausted)
	}
	return matched
}

// outOfBounds finds a value that nests too deep or holds a number no program here can mean.
func outOfBounds(value any, depth, deepest int, path []any) *Issue {
	if depth > deepest {
		return &Issue{Path: pathText(path[:8]), Rule: fmt.Sprintf("must not nest deeper than %d levels", deepest)}
	}
	switch value := value.(type) {
	case map[string]any:
		for key, one := range value {
			if issue := outOfBounds(one, depth+1, deepest, append(path, key)); issue != nil {
				return issue
			}
		}
	case []any:
		for i, one := range value {
			if issue := outOfBounds(one, depth+1, deepest, append(path, i)); issue != nil {
				return issue
			}
		}
	case json.Number:
		if !sane(value) {
			return &Issue{Path: pathText(path), Rule: "must be a number JavaScript can hold"}
		}
	}
	return nil
}

// sane keeps numbers out whose exact value would fill the memory.
func sane(n json.Number) bool {
	digits, exponent, has := strings.Cut(strings.ToLower(string(n)), "e")
	if len(digits) > maxNumber {
		return false
	}
	if !has {
		return true
	}
	exponent = strings.TrimLeft(exponent, "+-0")
	return len(exponent) < 3 || len(exponent) == 3 && exponent <= fmt.Sprint(maxNumber)
}
