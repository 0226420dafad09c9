package question

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
)

// Declaration is a question as an operation declares it: all of it but the options, which come from the page at run time.
type Declaration struct {
	// Type is Choice for the legacy form that has a prompt alone.
	Type   Type
	Prompt string

	// choice, multi_choice
	AllowOther, AllowNote bool
	// multi_choice; nil means 1 and as many as are offered.
	MinSelections, MaxSelections *int
	// text, secret
	MaxLength *int
	// secret
	SecretKind SecretKind
	// confirm
	FollowUp *FollowUp

	// Legacy: declared as {prompt} alone.
	Legacy bool
}

// Declarations are an operation's questions by id.
type Declarations map[string]Declaration

// Problem is a declaration or a request that breaks a rule.
type Problem struct {
	// Pointer is the JSON pointer of the place, from the value that was checked.
	Pointer string
	// Rule says what must hold there. It never quotes an answer.
	Rule string
}

func (p *Problem) Error() string {
	if p.Pointer == "" {
		return p.Rule
	}
	return p.Pointer + ": " + p.Rule
}

func problem(pointer, format string, args ...any) error {
	return &Problem{pointer, fmt.Sprintf(format, args...)}
}

// declarationOnDisk is the JSON of a declaration, in the order its keys are written.
type declarationOnDisk struct {
	Type          *Type      `json:"type,omitempty"`
	Prompt        string     `json:"prompt"`
	SecretKind    SecretKind `json:"secretKind,omitempty"`
	AllowOther    bool       `json:"allowOther,omitempty"`
	AllowNote     bool       `json:"allowNote,omitempty"`
	MinSelections *int       `json:"minSelections,omitempty"`
	MaxSelections *int       `json:"maxSelections,omitempty"`
	MaxLength     *int       `json:"maxLength,omitempty"`
	FollowUp      *FollowUp  `json:"followUp,omitempty"`
}

// ParseDeclarations reads a JSON object of declarations by id and checks them. Unknown keys are ignored; a *Problem says what else is wrong.
func ParseDeclarations(raw []byte) (Declarations, error) {
	var onDisk map[string]declarationOnDisk
	if err := jsonv2.Unmarshal(raw, &onDisk); err != nil {
		return nil, decodeProblem(err)
	}
	if onDisk == nil {
		return nil, problem("", "must be an object of declarations")
	}
	out := make(Declarations, len(onDisk))
	for id, d := range onDisk {
		one := Declaration{
			Prompt: d.Prompt, SecretKind: d.SecretKind, AllowOther: d.AllowOther, AllowNote: d.AllowNote,
			MinSelections: d.MinSelections, MaxSelections: d.MaxSelections, MaxLength: d.MaxLength, FollowUp: d.FollowUp,
		}
		if d.Type == nil {
			one = Declaration{Type: Choice, Prompt: d.Prompt, Legacy: true}
		} else {
			one.Type = *d.Type
		}
		out[id] = one.own()
	}
	if err := out.Validate(); err != nil {
		return nil, err
	}
	return out, nil
}

// own drops what does not belong to the declaration's type, so that equal questions are equal values.
func (d Declaration) own() Declaration {
	if d.Type != Choice && d.Type != MultiChoice {
		d.AllowOther, d.AllowNote = false, false
	}
	if d.Type != MultiChoice {
		d.MinSelections, d.MaxSelections = nil, nil
	}
	if d.Type != Text && d.Type != Secret {
		d.MaxLength = nil
	}
	if d.Type != Secret {
		d.SecretKind = ""
	}
	if d.Type != Confirm {
		d.FollowUp = nil
	}
	return d
}

// MarshalJSON writes the declaration as it stands in pomerado.json.
func (d Declaration) MarshalJSON() ([]byte, error) {
	onDisk := declarationOnDisk{
		Type: &d.Type, Prompt: d.Prompt, SecretKind: d.SecretKind, AllowOther: d.AllowOther, AllowNote: d.AllowNote,
		MinSelections: d.MinSelections, MaxSelections: d.MaxSelections, MaxLength: d.MaxLength, FollowUp: d.FollowUp,
	}
	if d.Legacy {
		onDisk.Type = nil
	}
	// Not json.Marshal: the file is written as JavaScript writes it, without escapes for "<", ">" and "&".
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(onDisk); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Validate checks every declaration. The error is a *Problem, the first by id.
func (d Declarations) Validate() error {
	for _, id := range slices.Sorted(maps.Keys(d)) {
		at := "/" + escape(id)
		if !ValidID(id) {
			return problem(at, "a question's id must start with a lower-case letter and hold at most 64 of a-z, 0-9 and _")
		}
		if err := d[id].validate(at); err != nil {
			return err
		}
	}
	return nil
}

func (d Declaration) validate(at string) error {
	if !d.Type.Valid() || d.Type == Credential {
		return problem(at+"/type", "must be choice, multi_choice, text, confirm or secret")
	}
	most := MaxPrompt
	if d.Legacy {
		most = MaxLegacyPrompt
	}
	if err := bounded(at+"/prompt", d.Prompt, 1, most); err != nil {
		return err
	}
	if d.Type == MultiChoice {
		if err := between(at+"/minSelections", d.MinSelections, 0, MaxOptions); err != nil {
			return err
		}
		if err := between(at+"/maxSelections", d.MaxSelections, 0, MaxOptions); err != nil {
			return err
		}
		if d.MinSelections != nil && d.MaxSelections != nil && *d.MinSelections > *d.MaxSelections {
			return problem(at+"/maxSelections", "must not be less than minSelections")
		}
	}
	if err := between(at+"/maxLength", d.MaxLength, 1, MaxText); err != nil {
		return err
	}
	if d.Type == Secret && !d.SecretKind.Valid() {
		return problem(at+"/secretKind", "must be one_time_code, totp or private_text")
	}
	return d.FollowUp.validate(at + "/followUp")
}

func (f *FollowUp) validate(at string) error {
	if f == nil {
		return nil
	}
	if err := bounded(at+"/prompt", f.Prompt, 1, MaxPrompt); err != nil {
		return err
	}
	if f.DefaultText != nil {
		return bounded(at+"/defaultText", *f.DefaultText, 0, MaxText)
	}
	return nil
}

// Question makes the question that asks d with these options.
func (d Declaration) Question(id string, options []Option) Question {
	q := Question{
		ID: id, Type: d.Type, Prompt: d.Prompt, AllowOther: d.AllowOther, AllowNote: d.AllowNote, MaxLength: d.MaxLength, SecretKind: d.SecretKind,
		FollowUp: d.FollowUp, Options: options,
	}
	if d.Type == MultiChoice {
		least, most := 1, len(options)
		if d.MinSelections != nil {
			least = *d.MinSelections
		}
		if d.MaxSelections != nil {
			most = min(most, *d.MaxSelections)
		}
		q.MinSelections, q.MaxSelections = &least, &most
	}
	return q
}

// ValidID reports whether id can name a question.
func ValidID(id string) bool {
	if id == "" || len(id) > 64 || id[0] < 'a' || id[0] > 'z' {
		return false
	}
	return word(id)
}

// word reports whether s is not empty and made of a-z, 0-9 and _.
func word(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
