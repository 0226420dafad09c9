package question

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// AskError is a request a script may not put. Code is what the script sees.
type AskError struct {
	// Code is "Undeclared" or "InvalidOptions".
	Code string
	// Question is the id concerned; empty when the request as a whole is wrong.
	Question string
	// Rule says what must hold.
	Rule string
}

// Codes of an AskError, as scripts see them.
const (
	Undeclared     = "Undeclared"
	InvalidOptions = "InvalidOptions"
)

func (e *AskError) Error() string {
	if e.Question == "" {
		return e.Rule
	}
	return fmt.Sprintf("question %q: %s", e.Question, e.Rule)
}

// OptionID is the id of a script's option by its place, counted from 0: "o1", "o2", ….
func OptionID(place int) string { return "o" + strconv.Itoa(place+1) }

// OptionPlace is the place of a script's option by its id, counted from 0.
func OptionPlace(id string) (int, bool) {
	if len(id) < 2 || id[0] != 'o' {
		return 0, false
	}
	n, err := strconv.Atoi(id[1:])
	if err != nil || n < 1 || n > MaxOptions || id != OptionID(n-1) {
		return 0, false
	}
	return n - 1, true
}

// AsksAsDeclared checks a script's request against its declarations: source, no notice, and every part of every question but its options equal to what was
// declared. It returns the request to put, with the bounds of a multi_choice narrowed to what is offered (left out, they count as asked as declared).
// The error is an *AskError.
func AsksAsDeclared(declared Declarations, r Request) (Request, error) {
	if r.Source != SourceScript {
		return Request{}, &AskError{Undeclared, "", "a script's request must name the script as its source"}
	}
	if r.Notice != "" {
		return Request{}, &AskError{Undeclared, "", "a script cannot add a notice to its questions"}
	}
	out := Request{ID: r.ID, Source: r.Source, Questions: make([]Question, len(r.Questions))}
	for i, q := range r.Questions {
		d, known := declared[q.ID]
		if !known {
			return Request{}, &AskError{Undeclared, q.ID, "is not declared by the operation"}
		}
		built := d.Question(q.ID, q.Options)
		if d.Type == MultiChoice {
			q.MinSelections = asDeclared(q.MinSelections, d.MinSelections, built.MinSelections)
			q.MaxSelections = asDeclared(q.MaxSelections, d.MaxSelections, built.MaxSelections)
		}
		if !reflect.DeepEqual(q, built) {
			return Request{}, &AskError{Undeclared, q.ID, "is not asked as it is declared"}
		}
		if err := built.offers(); err != nil {
			return Request{}, err
		}
		out.Questions[i] = built
	}
	if err := out.Validate(); err != nil {
		var wrong *Problem
		errors.As(err, &wrong)
		return Request{}, &AskError{InvalidOptions, "", wrong.Error()}
	}
	return out, nil
}

// asDeclared gives the bound to put for one a script left out or gave as it is declared; what is offered may narrow it. Any other stays, and differs.
func asDeclared(asked, declared, put *int) *int {
	if asked == nil || declared != nil && *asked == *declared {
		return put
	}
	return asked
}

// offers checks a script's options: there when they belong, numbered in order, and enough of them.
func (q Question) offers() error {
	wrong := func(rule string) error { return &AskError{InvalidOptions, q.ID, rule} }
	if q.Type != Choice && q.Type != MultiChoice {
		if len(q.Options) > 0 {
			return wrong("takes no options")
		}
		return nil
	}
	if len(q.Options) == 0 || len(q.Options) > MaxOptions {
		return wrong(fmt.Sprintf("needs 1 to %d options", MaxOptions))
	}
	for i, option := range q.Options {
		if option.ID != OptionID(i) {
			return wrong("options must be numbered o1, o2 and so on")
		}
		if err := option.validate(""); err != nil {
			return wrong("an option's label must have 1 to 256 characters, its masked label 1 to 64")
		}
	}
	if q.Type == MultiChoice && (*q.MaxSelections < 1 || *q.MinSelections > *q.MaxSelections) {
		return wrong("fewer options are offered than must be chosen")
	}
	return nil
}

// Validate checks a request's shape, whoever asks. The error is a *Problem.
func (r Request) Validate() error {
	if !validUUID(r.ID) {
		return problem("/id", "must be a UUID")
	}
	if !r.Source.Valid() {
		return problem("/source", "must be agent, script, system or kernel_auth")
	}
	if err := bounded("/notice", r.Notice, 0, MaxNotice); err != nil {
		return err
	}
	if len(r.Questions) == 0 || len(r.Questions) > MaxQuestions {
		return problem("/questions", "must hold 1 to %d questions", MaxQuestions)
	}
	seen := make(map[string]bool, len(r.Questions))
	for i, q := range r.Questions {
		at := "/questions/" + strconv.Itoa(i)
		if seen[q.ID] {
			return problem(at+"/id", "is there twice")
		}
		seen[q.ID] = true
		if q.Type == Credential && r.Source != SourceSystem {
			return problem(at+"/type", "only the host itself may ask for a login")
		}
		if err := q.validate(at); err != nil {
			return err
		}
	}
	return nil
}

func (q Question) validate(at string) error {
	if !ValidID(q.ID) {
		return problem(at+"/id", "must start with a lower-case letter and hold at most 64 of a-z, 0-9 and _")
	}
	if err := bounded(at+"/prompt", q.Prompt, 1, MaxPrompt); err != nil {
		return err
	}
	chooses := q.Type == Choice || q.Type == MultiChoice
	for _, part := range []struct {
		name      string
		has, fits bool
	}{
		{"options", len(q.Options) > 0, chooses},
		{"allowOther", q.AllowOther, chooses},
		{"allowNote", q.AllowNote, chooses},
		{"minSelections", q.MinSelections != nil, q.Type == MultiChoice},
		{"maxSelections", q.MaxSelections != nil, q.Type == MultiChoice},
		{"maxLength", q.MaxLength != nil, q.Type == Text || q.Type == Secret},
		{"secretKind", q.SecretKind != "", q.Type == Secret},
		{"followUp", q.FollowUp != nil, q.Type == Confirm},
		{"fields", q.Login != nil, q.Type == Credential},
	} {
		if part.has && !part.fits {
			return problem(at+"/"+part.name, "does not belong to a %s question", q.Type)
		}
	}
	switch q.Type {
	case Choice, MultiChoice:
		return q.validateOptions(at)
	case Text:
		return between(at+"/maxLength", q.MaxLength, 1, MaxText)
	case Secret:
		if !q.SecretKind.Valid() {
			return problem(at+"/secretKind", "must be one_time_code, totp or private_text")
		}
		return between(at+"/maxLength", q.MaxLength, 1, MaxText)
	case Confirm:
		return q.FollowUp.validate(at + "/followUp")
	case Credential:
		return q.Login.validate(at)
	}
	return problem(at+"/type", "must be choice, multi_choice, text, confirm, secret or credential")
}

func (q Question) validateOptions(at string) error {
	if len(q.Options) == 0 || len(q.Options) > MaxOptions {
		return problem(at+"/options", "must hold 1 to %d options", MaxOptions)
	}
	seen := make(map[string]bool, len(q.Options))
	for i, option := range q.Options {
		place := at + "/options/" + strconv.Itoa(i)
		if err := option.validate(place); err != nil {
			return err
		}
		if seen[option.ID] {
			return problem(place+"/id", "is there twice")
		}
		seen[option.ID] = true
	}
	if q.Type == Choice {
		return nil
	}
	if q.MinSelections == nil || q.MaxSelections == nil {
		return problem(at+"/minSelections", "a multi_choice needs minSelections and maxSelections")
	}
	if err := between(at+"/minSelections", q.MinSelections, 0, *q.MaxSelections); err != nil {
		return err
	}
	return between(at+"/maxSelections", q.MaxSelections, 1, len(q.Options))
}

func (o Option) validate(at string) error {
	if len(o.ID) > 64 || !word(o.ID) {
		return problem(at+"/id", "must hold 1 to 64 of a-z, 0-9 and _")
	}
	if err := bounded(at+"/label", o.Label, 1, MaxLabel); err != nil {
		return err
	}
	return bounded(at+"/maskedLabel", o.MaskedLabel, 0, MaxMaskedLabel)
}

func (l *Login) validate(at string) error {
	if l == nil || l.Fields != LoginBoth && l.Fields != LoginPassword {
		return problem(at+"/fields", "must be username_password or password")
	}
	switch l.Reason {
	case "missing_credentials", "invalid_credentials", "credentials_expired":
	default:
		return problem(at+"/reason", "must be missing_credentials, invalid_credentials or credentials_expired")
	}
	if err := bounded(at+"/username", l.Username, 0, MaxUsername); err != nil {
		return err
	}
	return bounded(at+"/siteOrigin", l.SiteOrigin, 1, MaxSiteOrigin)
}

func validUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i] | 0x20
		switch i {
		case 8, 13, 18, 23:
			if s[i] != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9' || s[i] < '0') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}
