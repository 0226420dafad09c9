package asker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
	"github.com/rivo/uniseg"

	"github.com/pomerado-go/pomerado/operations/question"
)

// Terminal asks a person at a terminal, line by line (spec artifact-and-serving.md §5.5): questions are written to the error stream, so that standard
// output stays the answer's. A wrong answer is explained and asked again. The end of input ends the ask with ErrNoResponse; so does Ctrl-C where
// a secret is typed, while elsewhere it is the signal it always is.
//
// It draws no forms on purpose: a form library costs every process of the program several milliseconds at its start.
type Terminal struct {
	mu   sync.Mutex // one request at a time has the terminal
	in   *os.File
	out  io.Writer
	rest []byte // read, and not used yet
}

// NewTerminal asks on out and reads from in. Both stay the caller's.
func NewTerminal(in *os.File, out io.Writer) *Terminal { return &Terminal{in: in, out: out} }

// Ask asks every question of the request in turn.
func (t *Terminal) Ask(ctx context.Context, request question.Request) (map[string]json.RawMessage, error) {
	if !term.IsTerminal(t.in.Fd()) {
		return nil, fmt.Errorf("%w: the input is no terminal", ErrUnavailable)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	reader, err := cancelreader.NewReader(t.in)
	if err != nil {
		return nil, fmt.Errorf("%w: the terminal cannot be read: %w", ErrUnavailable, err)
	}
	defer reader.Close()
	defer context.AfterFunc(ctx, func() { reader.Cancel() })()
	s := session{Terminal: t, ctx: ctx, reader: reader}
	t.rest = nil
	forget(t.in)

	if request.Notice != "" {
		s.say("%s\n", shown(request.Notice))
	}
	out := make(map[string]json.RawMessage, len(request.Questions))
	for _, q := range request.Questions {
		answer, err := s.ask(q)
		if err != nil {
			s.say("\n")
			return nil, err
		}
		out[q.ID] = answer
	}
	return out, nil
}

// session is one request being asked.
type session struct {
	*Terminal
	ctx    context.Context
	reader io.Reader
}

// errAgain is an answer to be asked for again; its text says why.
type errAgain struct{ why string }

func (e errAgain) Error() string { return e.why }

// ask asks one question until its answer fits.
func (s *session) ask(q question.Question) (json.RawMessage, error) {
	s.say("\n%s\n", shown(q.Prompt))
	for i, o := range q.Options {
		s.say("  %2d) %s\n", i+1, shown(o.Label))
	}
	for {
		raw, err := s.answer(q)
		var again errAgain
		if !errors.As(err, &again) {
			return raw, err
		}
		s.say("  %s\n", shown(again.why))
	}
}

// answer reads one answer and checks it.
func (s *session) answer(q question.Question) (json.RawMessage, error) {
	value, err := s.read(q)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encoding the answer to %q: %w", q.ID, err)
	}
	alone := question.Request{Questions: []question.Question{q}}
	if _, err := question.CheckAnswers(alone, map[string]json.RawMessage{q.ID: raw}); err != nil {
		return nil, errAgain{explain(q, err)}
	}
	return raw, nil
}

// explain says in a person's words why an answer does not fit.
func explain(q question.Question, err error) string {
	var wrong *question.AnswerError
	errors.As(err, &wrong)
	switch wrong.Reason {
	case question.SelectionBounds:
		return fmt.Sprintf("Choose %d to %d of them.", *q.MinSelections, *q.MaxSelections)
	case question.TooLong:
		return "That is too long."
	case question.OtherNotAllowed, question.UnofferedOption:
		return "That is none of the options; answer with a number from the list."
	}
	if q.Type == question.MultiChoice {
		return "Name each option once, by its number, with commas between."
	}
	return "An answer is needed here."
}

func (s *session) read(q question.Question) (any, error) {
	switch q.Type {
	case question.Choice:
		return s.readChoice(q)
	case question.MultiChoice:
		return s.readMulti(q)
	case question.Confirm:
		return s.readConfirm(q)
	case question.Secret:
		return s.secret("  (not shown) > ")
	case question.Credential:
		return s.readLogin(q)
	}
	return s.line("  > ")
}

func (s *session) readChoice(q question.Question) (any, error) {
	prompt := "  number > "
	if q.AllowOther {
		prompt = "  number, or own text > "
	}
	text, err := s.line(prompt)
	if err != nil {
		return nil, err
	}
	id, found, err := pick(q, text)
	if err != nil {
		return nil, err
	}
	if !found {
		return map[string]string{"other": text}, nil
	}
	note, err := s.note(q)
	if err != nil || note == "" {
		return id, err
	}
	return map[string]string{"option": id, "note": note}, nil
}

func (s *session) readMulti(q question.Question) (any, error) {
	prompt := "  numbers, with commas between > "
	if q.AllowOther {
		prompt = "  numbers or own text, with commas between > "
	}
	text, err := s.line(prompt)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{}
	options, other := []string{}, []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		id, found, err := pick(q, part)
		switch {
		case err != nil:
			return nil, err
		case found:
			options = append(options, id)
		default:
			other = append(other, part)
		}
	}
	answer["options"] = options
	if len(other) > 0 {
		answer["other"] = strings.Join(other, ", ")
	}
	note, err := s.note(q)
	if err != nil {
		return nil, err
	}
	if note != "" {
		answer["note"] = note
	}
	if len(answer) == 1 {
		return options, nil
	}
	return answer, nil
}

// pick finds the option a person means: its number, its id or its label. A text that is the number of one option and the label of another is asked again.
func pick(q question.Question, text string) (id string, found bool, err error) {
	text = strings.TrimSpace(text)
	for i, o := range q.Options {
		if text == o.ID || text == strconv.Itoa(i+1) {
			id, found = o.ID, true
		}
	}
	named, isName := q.Named(text)
	switch {
	case found && isName && named != id:
		return "", false, errAgain{fmt.Sprintf("%s is the number of one option and the name of another; answer %s or %s.", text, id, named)}
	case isName:
		return named, true, nil
	}
	return id, found, nil
}

func (s *session) note(q question.Question) (string, error) {
	if !q.AllowNote {
		return "", nil
	}
	return s.line("  a note with it (Enter for none) > ")
}

func (s *session) readConfirm(q question.Question) (any, error) {
	text, err := s.line("  yes or no > ")
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "y", "yes":
	case "n", "no", "":
		return map[string]bool{"confirmed": false}, nil
	default:
		return nil, errAgain{"Answer yes or no."}
	}
	answer := map[string]any{"confirmed": true}
	if q.FollowUp == nil {
		return answer, nil
	}
	prompt := "  " + shown(q.FollowUp.Prompt)
	if kept := q.FollowUp.DefaultText; kept != nil && *kept != "" {
		prompt += fmt.Sprintf(" (Enter for %q)", shown(*kept))
	}
	if text, err = s.line(prompt + " > "); err != nil {
		return nil, err
	}
	if text == "" && q.FollowUp.DefaultText != nil {
		text = *q.FollowUp.DefaultText
	}
	if text != "" {
		answer["text"] = text
	}
	return answer, nil
}

func (s *session) readLogin(q question.Question) (any, error) {
	answer := map[string]any{"saveLogin": false}
	if q.Fields == question.LoginBoth {
		prompt := "  user name > "
		if q.Username != "" {
			prompt = fmt.Sprintf("  user name (Enter for %s) > ", shown(q.Username))
		}
		name, err := s.line(prompt)
		if err != nil {
			return nil, err
		}
		if name == "" {
			name = q.Username
		}
		answer["username"] = name
	}
	password, err := s.secret("  password (not shown) > ")
	answer["password"] = password
	return answer, err
}

// line reads one line as the terminal edits it.
func (s *session) line(prompt string) (string, error) {
	s.say("%s", prompt)
	for {
		if i := strings.IndexByte(string(s.rest), '\n'); i >= 0 {
			line := strings.TrimSuffix(string(s.rest[:i]), "\r")
			s.rest = s.rest[i+1:]
			if !utf8.ValidString(line) {
				return "", errAgain{"That is not readable as text."}
			}
			return line, nil
		}
		if len(s.rest) > 4*question.MaxText {
			s.rest = nil
			return "", errAgain{"That is too long."}
		}
		if err := s.more(); err != nil {
			return "", err
		}
	}
}

// more waits for input.
func (s *session) more() error {
	var chunk [4096]byte
	n, err := s.reader.Read(chunk[:])
	s.rest = append(s.rest, chunk[:n]...)
	switch {
	case s.ctx.Err() != nil:
		s.rest = nil
		return fmt.Errorf("%w: %w", ErrNoResponse, s.ctx.Err())
	case n > 0:
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return fmt.Errorf("%w: the terminal's input ended", ErrNoResponse)
	}
	return fmt.Errorf("%w: reading the terminal: %w", ErrNoResponse, err)
}

// secret reads a line that is not echoed. The terminal is put back before anything else is written.
func (s *session) secret(prompt string) (text string, err error) {
	s.say("%s", prompt)
	before, err := term.MakeRaw(s.in.Fd())
	if err != nil {
		return "", fmt.Errorf("%w: the terminal cannot hide what is typed: %w", ErrUnavailable, err)
	}
	defer func() {
		err = errors.Join(err, term.Restore(s.in.Fd(), before))
		s.say("\n")
	}()
	var e hiddenLine
	for {
		for i, c := range s.rest {
			switch e.key(c) {
			case entered:
				s.rest = s.rest[i+1:]
				return e.text()
			case gaveUp:
				s.rest = nil
				return "", fmt.Errorf("%w: cancelled at the terminal", ErrNoResponse)
			}
		}
		s.rest = nil
		if err := s.more(); err != nil {
			return "", err
		}
	}
}

func (s *session) say(format string, args ...any) { fmt.Fprintf(s.out, format, args...) }

// hiddenLine is a line being typed without echo.
type hiddenLine struct {
	typed []byte
	// escape is where in an escape sequence of the terminal the last key was: 0 outside, 1 after ESC, 2 within "ESC [", 3 after "ESC O".
	escape int
}

type keyResult int

const (
	goesOn keyResult = iota
	entered
	gaveUp
)

// key takes one byte. Control characters and the sequences of arrow and function keys are no part of a secret.
func (l *hiddenLine) key(c byte) keyResult {
	switch {
	case l.escape == 1 && c == '[':
		l.escape = 2
		return goesOn
	case l.escape == 1 && c == 'O':
		l.escape = 3
		return goesOn
	case l.escape == 2 && c >= 0x20 && c < 0x40:
		return goesOn
	case l.escape >= 2 && c >= 0x40 && c < 0x7f:
		l.escape = 0
		return goesOn
	}
	l.escape = 0
	switch c {
	case '\r', '\n':
		return entered
	case 3, 4: // Ctrl-C, Ctrl-D
		return gaveUp
	case 8, 0x7f: // backspace
		l.erase()
	case 0x15: // Ctrl-U
		l.typed = nil
	case 0x1b:
		l.escape = 1
	default:
		if c >= 0x20 && len(l.typed) < 4*question.MaxText {
			l.typed = append(l.typed, c)
		}
	}
	return goesOn
}

// erase takes the last character off, as a person sees it.
func (l *hiddenLine) erase() {
	graphemes := uniseg.NewGraphemes(string(l.typed))
	last := 0
	for graphemes.Next() {
		last, _ = graphemes.Positions()
	}
	l.typed = l.typed[:last]
}

func (l *hiddenLine) text() (string, error) {
	if !utf8.Valid(l.typed) {
		return "", errAgain{"That is not readable as text."}
	}
	return string(l.typed), nil
}

// shown makes a text safe to write on a terminal: labels come from pages, and a page must not move the cursor, hide a line or turn text around.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c, r == 0xfeff:
			return unicode.ReplacementChar
		case r == 0x2028, r == 0x2029:
			return ' '
		}
		return r
	}, text)
}
