package asker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pomerado-go/pomerado/operations/question"
)

// File answers from a prepared JSON object of question id to one answer, or to a list of answers that are used in order.
//
// An answer is written as its reader thinks of it:
//
//	choice        the option's label, its place as "o1", or {"other": "own text"}, or {"option": label or place, "note": "text"}
//	multi_choice  a list of labels or places, or {"options": […], "other": "own text", "note": "text"}
//	text, secret  a text
//	confirm       true, false, or {"confirmed": true, "text": "follow-up"}
//	credential    {"username": …, "password": …}
//
// One answer serves however often its question is asked; a list is used up. A list for a multi_choice question is one answer when all its elements are
// texts (so also when it is empty), and a list of answers when all are lists or objects.
type File struct {
	mu      sync.Mutex
	answers map[string]*prepared
}

// prepared are the answers to one question.
type prepared struct {
	line  int
	value jsontext.Value
	// elements are those of a list; nil for another value.
	elements []jsontext.Value
	// asked is how often the question was; used how many elements of a list of answers are gone.
	asked, used int
	// sequence: the list turned out to be one of answers.
	sequence bool
}

// FileError is a file of answers that cannot be read.
type FileError struct {
	// Line and Column count from 1, Column in characters.
	Line, Column int
	Problem      string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// maxAnswers bounds a file of answers, in bytes.
const maxAnswers = 1 << 20

// OpenFile reads prepared answers. The error is a *FileError or the system's.
func OpenFile(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxAnswers+1))
	if err != nil {
		return nil, err
	}
	return ParseFile(text)
}

// ParseFile reads prepared answers from their JSON text. The error is a *FileError.
func ParseFile(text []byte) (*File, error) {
	if len(text) > maxAnswers {
		return nil, &FileError{1, 1, "the answers are larger than 1 MiB"}
	}
	f := &File{answers: map[string]*prepared{}}
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	fail := func(at int64, format string, args ...any) error {
		line, column := place(text, int(at))
		return &FileError{line, column, fmt.Sprintf(format, args...)}
	}
	broken := func(err error) error {
		var wrong *jsontext.SyntacticError
		switch {
		case errors.As(err, &wrong) && errors.Is(err, jsontext.ErrDuplicateName):
			return fail(wrong.ByteOffset, "a key is there twice")
		case errors.As(err, &wrong):
			return fail(wrong.ByteOffset, "the file is not valid JSON")
		}
		return fail(int64(len(text)), "the file ends too early")
	}
	opening, err := decoder.ReadToken()
	if err != nil {
		return nil, broken(err)
	}
	if opening.Kind() != '{' {
		return nil, fail(0, "the file must hold one object of answers by question id")
	}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, broken(err)
		}
		id, after := name.String(), decoder.InputOffset()
		if !question.ValidID(id) {
			return nil, fail(after, "%q cannot be a question's id", id)
		}
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, broken(err)
		}
		start := decoder.InputOffset() - int64(len(value))
		line, _ := place(text, int(start))
		p := &prepared{line: line, value: slices.Clone(value)}
		switch value.Kind() {
		case '[':
			if jsonv2.Unmarshal(p.value, &p.elements) != nil {
				return nil, fail(start, "the file is not valid JSON")
			}
			for i, element := range p.elements {
				if kind := element.Kind(); kind == '0' || kind == 'n' {
					return nil, fail(start, "answer %d to %q is neither a text, true, false, a list nor an object", i+1, id)
				}
			}
		case '0', 'n':
			return nil, fail(start, "the answer to %q is neither a text, true, false, a list nor an object; write numbers as texts", id)
		}
		f.answers[id] = p
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nil, broken(err)
	}
	end := decoder.InputOffset()
	if _, err := decoder.ReadToken(); err != io.EOF {
		return nil, fail(end, "there is something after the object of answers")
	}
	return f, nil
}

// place gives line and column of a byte, the column in characters.
func place(text []byte, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	line = 1 + bytes.Count(before, []byte("\n"))
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// Ask answers from the file. A question it has no answer for, or none that fits, makes the whole request unavailable and uses nothing up.
func (f *File) Ask(ctx context.Context, request question.Request) (map[string]json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResponse, ctx.Err())
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make(map[string]json.RawMessage, len(request.Questions))
	var taken []func()
	for _, q := range request.Questions {
		p, has := f.answers[q.ID]
		if !has {
			return nil, fmt.Errorf("%w: the answers have none for %q", ErrUnavailable, q.ID)
		}
		value, use, err := p.next(q)
		if err != nil {
			return nil, fmt.Errorf("%w: the answers' line %d, for %q: %w", ErrUnavailable, p.line, q.ID, err)
		}
		answer, err := translate(q, value)
		if err != nil {
			return nil, fmt.Errorf("%w: the answers' line %d, for %q: %w", ErrUnavailable, p.line, q.ID, err)
		}
		out[q.ID], taken = answer, append(taken, use)
	}
	if _, err := question.CheckAnswers(request, out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	for _, use := range taken {
		use()
	}
	return out, nil
}

// next gives the answer to use now, and what notes its use.
func (p *prepared) next(q question.Question) (jsontext.Value, func(), error) {
	once := func() { p.asked++ }
	if p.elements == nil && p.value.Kind() != '[' {
		return p.value, once, nil
	}
	if q.Type == question.MultiChoice {
		texts := 0
		for _, element := range p.elements {
			if element.Kind() == '"' {
				texts++
			}
		}
		switch texts {
		case len(p.elements):
			return p.value, once, nil
		case 0:
		default:
			return nil, nil, errors.New("a list must hold either labels, as one answer, or lists and objects, as answers in order")
		}
	}
	if p.used == len(p.elements) {
		if p.used == 0 {
			return nil, nil, errors.New("the list of answers is empty")
		}
		return nil, nil, fmt.Errorf("all %d answers of the list are used", p.used)
	}
	return p.elements[p.used], func() { p.asked, p.used, p.sequence = p.asked+1, p.used+1, true }, nil
}

// Unused says which answers nobody asked for, by question id: those of questions never asked, and what is left of lists.
func (f *File) Unused() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, id := range slices.Sorted(maps.Keys(f.answers)) {
		p := f.answers[id]
		left := len(p.elements) - p.used
		switch {
		case p.asked == 0:
			out = append(out, fmt.Sprintf("%q was not asked", id))
		case p.sequence && left == 1:
			out = append(out, fmt.Sprintf("%q has 1 answer left over", id))
		case p.sequence && left > 1:
			out = append(out, fmt.Sprintf("%q has %d answers left over", id, left))
		}
	}
	return out
}

// translate turns an answer of the file into one of the form questions are answered in. It names labels in errors, never the answer.
func translate(q question.Question, value jsontext.Value) (json.RawMessage, error) {
	switch q.Type {
	case question.Choice:
		return translateChoice(q, value)
	case question.MultiChoice:
		return translateMulti(q, value)
	case question.Confirm:
		if kind := value.Kind(); kind == 't' || kind == 'f' {
			return json.Marshal(map[string]bool{"confirmed": kind == 't'})
		}
	case question.Credential:
		var given map[string]jsontext.Value
		if jsonv2.Unmarshal(value, &given) == nil && given != nil && given["saveLogin"] == nil {
			given["saveLogin"] = jsontext.Value("false")
			return jsonv2.Marshal(given, jsonv2.Deterministic(true))
		}
	}
	return json.RawMessage(value), nil
}

func translateChoice(q question.Question, value jsontext.Value) (json.RawMessage, error) {
	if value.Kind() == '"' {
		id, err := optionOf(q, value)
		if err != nil {
			return nil, err
		}
		return json.Marshal(id)
	}
	var given map[string]jsontext.Value
	if value.Kind() != '{' || jsonv2.Unmarshal(value, &given) != nil || given["option"].Kind() != '"' {
		return json.RawMessage(value), nil
	}
	return withOptions(given, "option", func() (any, error) { return optionOf(q, given["option"]) })
}

func translateMulti(q question.Question, value jsontext.Value) (json.RawMessage, error) {
	if value.Kind() == '[' {
		ids, err := optionsOf(q, value)
		if err != nil {
			return nil, err
		}
		return json.Marshal(ids)
	}
	var given map[string]jsontext.Value
	if value.Kind() != '{' || jsonv2.Unmarshal(value, &given) != nil || given["options"].Kind() != '[' {
		return json.RawMessage(value), nil
	}
	return withOptions(given, "options", func() (any, error) { return optionsOf(q, given["options"]) })
}

// withOptions replaces one key of an answer by ids.
func withOptions(given map[string]jsontext.Value, key string, ids func() (any, error)) (json.RawMessage, error) {
	found, err := ids()
	if err != nil {
		return nil, err
	}
	if given[key], err = json.Marshal(found); err != nil {
		return nil, err
	}
	return jsonv2.Marshal(given, jsonv2.Deterministic(true))
}

func optionsOf(q question.Question, list jsontext.Value) ([]string, error) {
	var elements []jsontext.Value
	if err := jsonv2.Unmarshal(list, &elements); err != nil {
		return nil, errors.New("the list is not valid JSON")
	}
	ids := make([]string, 0, len(elements))
	for _, element := range elements {
		if element.Kind() != '"' {
			return nil, errors.New("options are named by texts")
		}
		id, err := optionOf(q, element)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// optionOf finds the option a text means: its label as it stands, else its place, else its label whatever the case and the spaces.
func optionOf(q question.Question, value jsontext.Value) (string, error) {
	var text string
	if err := jsonv2.Unmarshal(value, &text); err != nil {
		return "", errors.New("the answer is not valid JSON")
	}
	var labelled []string
	placed := false
	for _, o := range q.Options {
		if o.Label == text {
			labelled = append(labelled, o.ID)
		}
		placed = placed || o.ID == text
	}
	switch {
	case len(labelled) == 1 && placed && labelled[0] != text:
		return "", fmt.Errorf("%s is the place of one option and the label of another; write the place of the one that is meant", text)
	case len(labelled) == 1:
		return labelled[0], nil
	case placed:
		return text, nil
	case len(labelled) > 1:
		return "", fmt.Errorf("several options have that label; write the place of the one that is meant (%s)", strings.Join(labelled, ", "))
	}
	if id, found := q.Named(text); found {
		return id, nil
	}
	advice := ""
	if q.AllowOther {
		advice = `, and own text is written as {"other": "text"}`
	}
	return "", fmt.Errorf("no option is called so; offered are %s%s", labels(q), advice)
}

// labels lists what is offered, a dozen at most.
func labels(q question.Question) string {
	const most = 12
	var out []string
	for _, o := range q.Options[:min(most, len(q.Options))] {
		out = append(out, fmt.Sprintf("%s %q", o.ID, o.Label))
	}
	if more := len(q.Options) - most; more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}
