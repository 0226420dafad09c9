package question

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Reason says why an answer does not fit.
type Reason string

// The closed list of reasons, spec/artifact-and-serving.md §5.1.
const (
	MissingAnswer      Reason = "missing_answer"
	UnexpectedAnswer   Reason = "unexpected_answer"
	Malformed          Reason = "malformed"
	UnofferedOption    Reason = "unoffered_option"
	OtherNotAllowed    Reason = "other_not_allowed"
	SelectionBounds    Reason = "selection_bounds"
	TooLong            Reason = "too_long"
	UsernameNotAllowed Reason = "username_not_allowed"
	PasswordRequired   Reason = "password_required"
)

// AnswerError is an answer that does not fit its question. Its text never quotes the answer.
type AnswerError struct {
	Question string
	Reason   Reason
	// Wanted says what would fit.
	Wanted string
}

func (e *AnswerError) Error() string {
	text := fmt.Sprintf("the answer to question %q does not fit (%s)", e.Question, e.Reason)
	switch e.Reason {
	case MissingAnswer:
		text = fmt.Sprintf("question %q has no answer", e.Question)
	case UnexpectedAnswer:
		return fmt.Sprintf("there is an answer to %q, which was not asked; leave it out", e.Question)
	}
	return text + "; answer with " + e.Wanted
}

// Answer is a valid answer. Which fields count depends on the question's type.
type Answer struct {
	Type Type

	// Option is the chosen option's id (choice); empty when Other is the answer. Options are those of a multi_choice, in the order given.
	Option  string
	Options []string
	// Other is own text beside or instead of options; Note goes with what was chosen.
	Other, Note string

	// Text is the answer of a text or secret, or the follow-up text of a confirm.
	Text      string
	Confirmed bool

	// credential
	Username, Password, IdentifierKind string
	SaveLogin                          bool
}

// What a credential question asks for.
const (
	LoginBoth     = "username_password"
	LoginPassword = "password"
)

// DecodeAnswers reads a JSON object of answers by question id, strictly: no duplicate keys, nothing after it.
func DecodeAnswers(raw []byte) (map[string]json.RawMessage, error) {
	var values map[string]jsontext.Value
	if err := jsonv2.Unmarshal(raw, &values); err != nil {
		return nil, decodeProblem(err)
	}
	if values == nil {
		return nil, problem("", "must be an object of answers by question id")
	}
	out := make(map[string]json.RawMessage, len(values))
	for id, value := range values {
		out[id] = json.RawMessage(value)
	}
	return out, nil
}

// CheckAnswers decodes and checks the answers to a valid request: every question answered, nothing else, every value strict. Own text that is one
// option's label becomes that option. The error is an *AnswerError, the first in the order of the questions.
func CheckAnswers(r Request, raw map[string]json.RawMessage) (map[string]Answer, error) {
	out := make(map[string]Answer, len(r.Questions))
	for _, q := range r.Questions {
		given, has := raw[q.ID]
		if !has {
			return nil, &AnswerError{q.ID, MissingAnswer, q.Wanted()}
		}
		answer, reason := q.decode(given)
		if reason != "" {
			return nil, &AnswerError{q.ID, reason, q.Wanted()}
		}
		out[q.ID] = answer
	}
	for _, id := range slices.Sorted(maps.Keys(raw)) {
		if _, asked := out[id]; !asked {
			return nil, &AnswerError{Question: id, Reason: UnexpectedAnswer}
		}
	}
	return out, nil
}

// Wanted says what answers the question, for an error's advice.
func (q Question) Wanted() string {
	switch q.Type {
	case Choice:
		text := "one option's id (" + q.ids() + ")"
		if q.AllowOther {
			text += ` or {"other": "own text"}`
		}
		if q.AllowNote {
			text += ` or {"option": "id", "note": "text"}`
		}
		return text
	case MultiChoice:
		return fmt.Sprintf("a list of %d to %d option ids (%s)", *q.MinSelections, *q.MaxSelections, q.ids())
	case Confirm:
		if q.FollowUp != nil {
			return `{"confirmed": true or false, "text": only when confirmed}`
		}
		return `{"confirmed": true} or {"confirmed": false}`
	case Credential:
		if q.Login.Fields == LoginPassword {
			return `{"password": …, "saveLogin": false}`
		}
		return `{"username": …, "password": …, "saveLogin": false}`
	}
	return fmt.Sprintf("a text of 1 to %d characters", q.most())
}

func (q Question) ids() string {
	first, last := q.Options[0].ID, q.Options[len(q.Options)-1].ID
	switch len(q.Options) {
	case 1:
		return first
	case 2:
		return first + ", " + last
	}
	return first + " … " + last
}

// most is how long a text may be.
func (q Question) most() int {
	if q.MaxLength != nil {
		return *q.MaxLength
	}
	return MaxText
}

func (q Question) decode(raw json.RawMessage) (Answer, Reason) {
	switch q.Type {
	case Choice:
		return q.decodeChoice(raw)
	case MultiChoice:
		return q.decodeMulti(raw)
	case Text, Secret:
		text, ok := strictText(raw)
		if !ok || text == "" {
			return Answer{}, Malformed
		}
		if units(text) > q.most() {
			return Answer{}, TooLong
		}
		return Answer{Type: q.Type, Text: text}, ""
	case Confirm:
		return q.decodeConfirm(raw)
	case Credential:
		return q.decodeLogin(raw)
	}
	return Answer{}, Malformed
}

func (q Question) decodeChoice(raw json.RawMessage) (Answer, Reason) {
	if id, ok := strictText(raw); ok {
		if !q.offered(id) {
			return Answer{}, UnofferedOption
		}
		return Answer{Type: Choice, Option: id}, ""
	}
	var given struct {
		Other  *string `json:"other"`
		Option *string `json:"option"`
		Note   *string `json:"note"`
	}
	if !strict(raw, &given) {
		return Answer{}, Malformed
	}
	switch {
	case given.Other != nil && given.Option == nil && given.Note == nil:
		id, reason := q.other(*given.Other)
		switch {
		case reason != "":
			return Answer{}, reason
		case id != "":
			return Answer{Type: Choice, Option: id}, ""
		}
		return Answer{Type: Choice, Other: *given.Other}, ""
	case given.Other == nil && given.Option != nil && given.Note != nil:
		if !q.offered(*given.Option) {
			return Answer{}, UnofferedOption
		}
		if reason := q.note(*given.Note); reason != "" {
			return Answer{}, reason
		}
		return Answer{Type: Choice, Option: *given.Option, Note: *given.Note}, ""
	}
	return Answer{}, Malformed
}

func (q Question) decodeMulti(raw json.RawMessage) (Answer, Reason) {
	var given struct {
		Options *[]string `json:"options"`
		Other   *string   `json:"other"`
		Note    *string   `json:"note"`
	}
	if !strict(raw, &given.Options) || given.Options == nil {
		given.Options = nil
		if !strict(raw, &given) || given.Options == nil {
			return Answer{}, Malformed
		}
	}
	out := Answer{Type: MultiChoice, Options: []string{}}
	for _, id := range *given.Options {
		if !q.offered(id) {
			return Answer{}, UnofferedOption
		}
		if slices.Contains(out.Options, id) {
			return Answer{}, Malformed
		}
		out.Options = append(out.Options, id)
	}
	count := len(out.Options)
	if given.Other != nil {
		id, reason := q.other(*given.Other)
		switch {
		case reason != "":
			return Answer{}, reason
		case id == "":
			out.Other = *given.Other
			count++
		case !slices.Contains(out.Options, id):
			out.Options = append(out.Options, id)
			count++
		}
	}
	if given.Note != nil {
		if reason := q.note(*given.Note); reason != "" {
			return Answer{}, reason
		}
		out.Note = *given.Note
	}
	if count < *q.MinSelections || count > *q.MaxSelections {
		return Answer{}, SelectionBounds
	}
	return out, ""
}

func (q Question) decodeConfirm(raw json.RawMessage) (Answer, Reason) {
	var given struct {
		Confirmed *bool   `json:"confirmed"`
		Text      *string `json:"text"`
	}
	if !strict(raw, &given) || given.Confirmed == nil {
		return Answer{}, Malformed
	}
	out := Answer{Type: Confirm, Confirmed: *given.Confirmed}
	if given.Text == nil {
		return out, ""
	}
	if q.FollowUp == nil || !out.Confirmed || *given.Text == "" {
		return Answer{}, Malformed
	}
	if units(*given.Text) > MaxText {
		return Answer{}, TooLong
	}
	out.Text = *given.Text
	return out, ""
}

func (q Question) decodeLogin(raw json.RawMessage) (Answer, Reason) {
	var given struct {
		Username       *string `json:"username"`
		Password       *string `json:"password"`
		SaveLogin      *bool   `json:"saveLogin"`
		IdentifierKind *string `json:"identifierKind"`
	}
	if !strict(raw, &given) || given.SaveLogin == nil || *given.SaveLogin && !q.Login.AllowSave {
		return Answer{}, Malformed
	}
	out := Answer{Type: Credential, SaveLogin: *given.SaveLogin}
	if q.Login.Fields == LoginPassword {
		if given.Username != nil {
			return Answer{}, UsernameNotAllowed
		}
	} else {
		if given.Username == nil || *given.Username == "" {
			return Answer{}, Malformed
		}
		if units(*given.Username) > MaxUsername {
			return Answer{}, TooLong
		}
		out.Username = *given.Username
	}
	if given.Password == nil || *given.Password == "" {
		return Answer{}, PasswordRequired
	}
	if units(*given.Password) > MaxText {
		return Answer{}, TooLong
	}
	out.Password = *given.Password
	if given.IdentifierKind != nil {
		switch *given.IdentifierKind {
		case "username", "email", "phone", "account_number":
			out.IdentifierKind = *given.IdentifierKind
		default:
			return Answer{}, Malformed
		}
	}
	return out, ""
}

// other takes own text: the id of the option whose name it is, or nothing when it stands for itself.
func (q Question) other(text string) (id string, reason Reason) {
	if strings.TrimSpace(text) == "" {
		return "", Malformed
	}
	if units(text) > MaxText {
		return "", TooLong
	}
	if id, found := q.Named(text); found {
		return id, ""
	}
	if !q.AllowOther {
		return "", OtherNotAllowed
	}
	return "", ""
}

func (q Question) note(text string) Reason {
	switch {
	case !q.AllowNote || text == "":
		return Malformed
	case units(text) > MaxText:
		return TooLong
	}
	return ""
}

func (q Question) offered(id string) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return o.ID == id })
}

// Named finds the one option that text names: by its label, its masked label or "id (label)", whatever the case and the spaces. A bare id
// names none.
func (q Question) Named(text string) (id string, found bool) {
	text = fold(text)
	for _, o := range q.Options {
		if text != fold(o.Label) && (o.MaskedLabel == "" || text != fold(o.MaskedLabel)) && text != fold(o.ID+" ("+o.Label+")") {
			continue
		}
		if found {
			return "", false
		}
		id, found = o.ID, true
	}
	return id, found
}

// fold makes texts that differ in case or spacing alone equal.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, strings.Join(strings.Fields(text), " "))
}

// MarshalJSON writes the answer in the form answers are given in, so that it can travel on.
func (a Answer) MarshalJSON() ([]byte, error) {
	set := func(text string) *string {
		if text == "" {
			return nil
		}
		return &text
	}
	switch a.Type {
	case Choice:
		switch {
		case a.Other != "":
			return json.Marshal(map[string]string{"other": a.Other})
		case a.Note != "":
			return json.Marshal(struct {
				Option string `json:"option"`
				Note   string `json:"note"`
			}{a.Option, a.Note})
		}
		return json.Marshal(a.Option)
	case MultiChoice:
		if a.Other == "" && a.Note == "" {
			return json.Marshal(append([]string{}, a.Options...))
		}
		return json.Marshal(struct {
			Options []string `json:"options"`
			Other   *string  `json:"other,omitempty"`
			Note    *string  `json:"note,omitempty"`
		}{append([]string{}, a.Options...), set(a.Other), set(a.Note)})
	case Confirm:
		return json.Marshal(struct {
			Confirmed bool    `json:"confirmed"`
			Text      *string `json:"text,omitempty"`
		}{a.Confirmed, set(a.Text)})
	case Credential:
		return json.Marshal(struct {
			Username       *string `json:"username,omitempty"`
			Password       string  `json:"password"`
			SaveLogin      bool    `json:"saveLogin"`
			IdentifierKind *string `json:"identifierKind,omitempty"`
		}{set(a.Username), a.Password, a.SaveLogin, set(a.IdentifierKind)})
	}
	return json.Marshal(a.Text)
}

// strict decodes one JSON value into v: no unknown or duplicate keys, exact names, valid Unicode, and no null for a value that is not there.
func strict(raw json.RawMessage, v any) bool {
	if jsonv2.Unmarshal(raw, v, jsonv2.RejectUnknownMembers(true)) != nil {
		return false
	}
	switch jsontext.Value(raw).Kind() {
	case 'n':
		return false
	case '{':
		var members map[string]jsontext.Value
		if jsonv2.Unmarshal(raw, &members) != nil {
			return false
		}
		for _, member := range members {
			if member.Kind() == 'n' {
				return false
			}
		}
	case '[':
		var elements []jsontext.Value
		if jsonv2.Unmarshal(raw, &elements) != nil {
			return false
		}
		return !slices.ContainsFunc(elements, func(element jsontext.Value) bool { return element.Kind() == 'n' })
	}
	return true
}

func strictText(raw json.RawMessage) (string, bool) {
	var text *string
	if !strict(raw, &text) || text == nil {
		return "", false
	}
	return *text, true
}
