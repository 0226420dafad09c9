package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Recipe versions that are known. Of 4 to 8 only the names of what they add are; it is kept as saved.
const (
	oldestRecipe = 1
	newestRecipe = 8
)

const recipeFix = "Mint the operation again; it is not run signed out instead"

func missingRecipe(reason, pointer, problem string) error {
	return &Error{Code: MissingRecipe, Path: RecipeName, Reason: reason, Pointer: pointer, Problem: problem, Fix: recipeFix}
}

// recipe reads the recorded sign-in of the folder.
func (f folder) recipe() (*Recipe, error) {
	text, err := f.text(RecipeName, "")
	var wrong *Error
	if errors.As(err, &wrong) {
		if wrong.Code == MissingFile {
			return nil, missingRecipe("missing", "", "the recorded sign-in is missing")
		}
		wrong.Code, wrong.Reason, wrong.Fix = MissingRecipe, "invalid", recipeFix
		return nil, wrong
	}
	return decodeRecipe(text)
}

type recipeOnDisk struct {
	Version   jsontext.Value  `json:"version"`
	Steps     *[]stepOnDisk   `json:"steps"`
	SignedIn  *signedInOnDisk `json:"signedIn"`
	Workspace jsontext.Value  `json:"workspace"`
}

type signedInOnDisk struct {
	Selector *string `json:"selector"`
	URLPath  *string `json:"urlPath"`
	OpenPath *string `json:"openPath"`
}

type stepOnDisk struct {
	Page            *string `json:"page"`
	Approval        *string `json:"approval"`
	Popup           *popup  `json:"popup"`
	RejectedMarkers []struct {
		Slot     string `json:"slot"`
		Selector string `json:"selector"`
	} `json:"rejectedMarkers"`
	Fields *[]struct {
		Selector         string    `json:"selector"`
		Accepts          *[]string `json:"accepts"`
		Slot             *string   `json:"slot"`
		Format           *string   `json:"format"`
		Control          *string   `json:"control"`
		QuestionSelector *string   `json:"questionSelector"`
	} `json:"fields"`
	Submit      *string `json:"submit"`
	SubmittedBy *string `json:"submittedBy"`
	Methods     *[]struct {
		Method   string `json:"method"`
		Selector string `json:"selector"`
	} `json:"methods"`
	Refills     jsontext.Value `json:"refills"`
	Dismiss     jsontext.Value `json:"dismiss"`
	AnySegments jsontext.Value `json:"anySegments"`
	SubmitVia   jsontext.Value `json:"submitVia"`
}

type popup struct {
	Opener string `json:"opener"`
	Origin string `json:"origin"`
}

// The closed lists of a recipe (spec §1.6).
var (
	identifiers = []string{"username", "email", "phone", "account_number"}
	secretSlots = []string{"password", "code", "date_of_birth", "zip", "recovery_code", "private_answer"}
	methods     = []string{"sms", "call", "email", "totp", "push", "recovery_code"}
	controls    = []string{"date", "text", "select", "combobox"}
	formats     = []string{"YYYY-MM-DD", "MM/DD/YYYY", "DD/MM/YYYY", "M/D/YYYY", "D/M/YYYY", "MM-DD-YYYY", "DD-MM-YYYY", "DD.MM.YYYY", "YYYY/MM/DD",
		"MMDDYYYY", "DDMMYYYY", "YYYYMMDD", "YYYY", "YY", "MM", "M", "MMM", "MMMM", "DD", "D"}
)

const (
	maxSteps    = 12
	maxFields   = 6
	maxMarkers  = 6
	maxMethods  = 8
	maxAccepts  = 4
	maxSelector = 1000
	maxAddress  = 2000
)

// decodeRecipe decodes a recorded sign-in of any known version. What a later version added makes an earlier one invalid: nothing recorded is
// ever dropped.
func decodeRecipe(text []byte) (*Recipe, error) {
	var onDisk recipeOnDisk
	if err := decodeFile(RecipeName, text, &onDisk, MissingRecipe, recipeFix); err != nil {
		var wrong *Error
		errors.As(err, &wrong)
		wrong.Code, wrong.Reason = MissingRecipe, "invalid"
		return nil, wrong
	}
	if onDisk.Version.Kind() != '0' {
		return nil, missingRecipe("invalid", "/version", "the recorded sign-in names no version")
	}
	version, err := strconv.Atoi(string(onDisk.Version))
	if err != nil || version < oldestRecipe || version > newestRecipe {
		return nil, missingRecipe("unknown_version", "/version", fmt.Sprintf("the recorded sign-in is of a version this program does not know (it knows %d to %d)", oldestRecipe, newestRecipe))
	}
	d := recipeDecoder{version: version}
	r := &Recipe{Version: version}
	r.Workspace = d.later("/workspace", onDisk.Workspace, 4)
	if onDisk.Steps == nil || len(*onDisk.Steps) == 0 || len(*onDisk.Steps) > maxSteps {
		d.refuse("/steps", "there must be 1 to %d steps", maxSteps)
	} else {
		for i, step := range *onDisk.Steps {
			r.Steps = append(r.Steps, d.step(fmt.Sprintf("/steps/%d", i), step))
		}
	}
	if onDisk.SignedIn == nil {
		d.refuse("/signedIn", "the key is missing")
	} else {
		d.optional("/signedIn/selector", onDisk.SignedIn.Selector, maxSelector, &r.SignedIn.Selector)
		d.optional("/signedIn/urlPath", onDisk.SignedIn.URLPath, maxAddress, &r.SignedIn.URLPath)
		d.optional("/signedIn/openPath", onDisk.SignedIn.OpenPath, maxAddress, &r.SignedIn.OpenPath)
	}
	if d.err != nil {
		return nil, d.err
	}
	return r, nil
}

// recipeDecoder keeps the first refusal.
type recipeDecoder struct {
	version int
	err     error
}

func (d *recipeDecoder) refuse(pointer, format string, args ...any) {
	if d.err == nil {
		d.err = missingRecipe("invalid", pointer, "the recorded sign-in cannot be used: "+fmt.Sprintf(format, args...))
	}
}

// optional takes a text of at least one character.
func (d *recipeDecoder) optional(pointer string, from *string, most int, to *string) {
	if from == nil {
		return
	}
	if n := units(*from); n < 1 || n > most {
		d.refuse(pointer, "a text of 1 to %d characters is expected", most)
	}
	*to = *from
}

func (d *recipeDecoder) among(pointer string, from *string, list []string, to *string) {
	if from == nil {
		return
	}
	if !slices.Contains(list, *from) {
		d.refuse(pointer, "it must be one of %s", strings.Join(list, ", "))
	}
	*to = *from
}

// later takes what a version added, as saved.
func (d *recipeDecoder) later(pointer string, value jsontext.Value, since int) json.RawMessage {
	if value != nil && d.version < since {
		d.refuse(pointer, "version %d has no such key", d.version)
	}
	return json.RawMessage(value)
}

func (d *recipeDecoder) step(at string, s stepOnDisk) RecipeStep {
	out := RecipeStep{
		Refills: d.later(at+"/refills", s.Refills, 5), Dismiss: d.later(at+"/dismiss", s.Dismiss, 6),
		AnySegments: d.later(at+"/anySegments", s.AnySegments, 7), SubmitVia: d.later(at+"/submitVia", s.SubmitVia, 8),
	}
	if s.Page == nil {
		d.refuse(at+"/page", "the key is missing")
	}
	d.optional(at+"/page", s.Page, maxAddress, &out.Page)
	d.optional(at+"/submit", s.Submit, maxSelector, &out.Submit)
	d.among(at+"/submittedBy", s.SubmittedBy, []string{"host", "minter"}, &out.SubmittedBy)
	d.among(at+"/approval", s.Approval, []string{"email_link", "device"}, &out.Approval)
	if (s.Approval != nil || s.Popup != nil) && d.version < 2 {
		d.refuse(at, "version 1 has neither approval nor popup")
	}
	if s.Popup != nil {
		if s.Popup.Opener != "primary" || !secureOrigin(s.Popup.Origin) {
			d.refuse(at+"/popup", "a popup has the opener primary and an https origin")
		}
		out.Popup = &RecipePopup{s.Popup.Opener, s.Popup.Origin}
	}
	if len(s.RejectedMarkers) > maxMarkers {
		d.refuse(at+"/rejectedMarkers", "there may be at most %d", maxMarkers)
	}
	for i, marker := range s.RejectedMarkers {
		place := fmt.Sprintf("%s/rejectedMarkers/%d", at, i)
		if marker.Slot == "private_answer" || !slices.Contains(identifiers, marker.Slot) && !slices.Contains(secretSlots, marker.Slot) {
			d.refuse(place+"/slot", "no value that can be rejected is called so")
		}
		d.optional(place+"/selector", &marker.Selector, maxSelector, &marker.Selector)
		out.RejectedMarkers = append(out.RejectedMarkers, RejectedMarker{marker.Slot, marker.Selector})
	}
	d.fields(at, s, &out)
	if s.Methods != nil {
		if len(*s.Methods) < 1 || len(*s.Methods) > maxMethods {
			d.refuse(at+"/methods", "there must be 1 to %d", maxMethods)
		}
		for i, method := range *s.Methods {
			place := fmt.Sprintf("%s/methods/%d", at, i)
			d.among(place+"/method", &method.Method, methods, &method.Method)
			d.optional(place+"/selector", &method.Selector, maxSelector, &method.Selector)
			out.Methods = append(out.Methods, RecipeMethod{method.Method, method.Selector})
		}
	}
	return out
}

func (d *recipeDecoder) fields(at string, s stepOnDisk, out *RecipeStep) {
	if s.Fields == nil || len(*s.Fields) > maxFields {
		d.refuse(at+"/fields", "there must be a list of at most %d fields", maxFields)
		return
	}
	for i, field := range *s.Fields {
		place := fmt.Sprintf("%s/fields/%d", at, i)
		f := RecipeField{}
		d.optional(place+"/selector", &field.Selector, maxSelector, &f.Selector)
		switch {
		case (field.Accepts == nil) == (field.Slot == nil):
			d.refuse(place, "a field either accepts identifiers or is the slot of a secret")
		case field.Accepts != nil:
			if len(*field.Accepts) < 1 || len(*field.Accepts) > maxAccepts {
				d.refuse(place+"/accepts", "there must be 1 to %d", maxAccepts)
			}
			for _, kind := range *field.Accepts {
				d.among(place+"/accepts", &kind, identifiers, &kind)
			}
			f.Accepts = *field.Accepts
		default:
			d.among(place+"/slot", field.Slot, secretSlots, &f.Slot)
			d.among(place+"/format", field.Format, formats, &f.Format)
			d.among(place+"/control", field.Control, controls, &f.Control)
			d.optional(place+"/questionSelector", field.QuestionSelector, maxSelector, &f.QuestionSelector)
			if d.version == 3 && field.QuestionSelector != nil && f.Slot != "private_answer" {
				d.refuse(place+"/questionSelector", "in version 3 only a security answer has one")
			}
		}
		out.Fields = append(out.Fields, f)
	}
}

// MarshalJSON writes the recipe as it is saved: keys in a fixed order, so that one recipe is one text.
func (r *Recipe) MarshalJSON() ([]byte, error) {
	type field struct {
		Selector         string   `json:"selector"`
		Accepts          []string `json:"accepts,omitempty"`
		Slot             string   `json:"slot,omitempty"`
		Format           string   `json:"format,omitempty"`
		Control          string   `json:"control,omitempty"`
		QuestionSelector string   `json:"questionSelector,omitempty"`
	}
	type pair struct {
		Slot     string `json:"slot,omitempty"`
		Method   string `json:"method,omitempty"`
		Selector string `json:"selector"`
	}
	type step struct {
		Page            string          `json:"page"`
		Approval        string          `json:"approval,omitempty"`
		Popup           *popup          `json:"popup,omitempty"`
		RejectedMarkers []pair          `json:"rejectedMarkers,omitempty"`
		Fields          []field         `json:"fields"`
		Submit          string          `json:"submit,omitempty"`
		SubmittedBy     string          `json:"submittedBy,omitempty"`
		Methods         []pair          `json:"methods,omitempty"`
		Refills         json.RawMessage `json:"refills,omitempty"`
		Dismiss         json.RawMessage `json:"dismiss,omitempty"`
		AnySegments     json.RawMessage `json:"anySegments,omitempty"`
		SubmitVia       json.RawMessage `json:"submitVia,omitempty"`
	}
	wire := struct {
		Version  int    `json:"version"`
		Steps    []step `json:"steps"`
		SignedIn struct {
			Selector string `json:"selector,omitempty"`
			URLPath  string `json:"urlPath,omitempty"`
			OpenPath string `json:"openPath,omitempty"`
		} `json:"signedIn"`
		Workspace json.RawMessage `json:"workspace,omitempty"`
	}{Version: r.Version, Workspace: r.Workspace}
	wire.SignedIn.Selector, wire.SignedIn.URLPath, wire.SignedIn.OpenPath = r.SignedIn.Selector, r.SignedIn.URLPath, r.SignedIn.OpenPath
	for _, s := range r.Steps {
		one := step{Page: s.Page, Approval: s.Approval, Fields: []field{}, Submit: s.Submit, SubmittedBy: s.SubmittedBy,
			Refills: s.Refills, Dismiss: s.Dismiss, AnySegments: s.AnySegments, SubmitVia: s.SubmitVia}
		if s.Popup != nil {
			one.Popup = &popup{s.Popup.Opener, s.Popup.Origin}
		}
		for _, m := range s.RejectedMarkers {
			one.RejectedMarkers = append(one.RejectedMarkers, pair{Slot: m.Slot, Selector: m.Selector})
		}
		for _, f := range s.Fields {
			one.Fields = append(one.Fields, field(f))
		}
		for _, m := range s.Methods {
			one.Methods = append(one.Methods, pair{Method: m.Method, Selector: m.Selector})
		}
		wire.Steps = append(wire.Steps, one)
	}
	return marshal(wire)
}

// marshal writes JSON as JavaScript does, without escapes for "<", ">" and "&".
func marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}
