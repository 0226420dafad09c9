package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pomerado-go/pomerado/operations/question"
)

// manifest is pomerado.json, decoded.
type manifest struct {
	entrypoint                string
	files                     []string
	inputSchema, outputSchema json.RawMessage
	signIn                    *SignIn
	questions                 question.Declarations
	acceptedConfirms          []AcceptedConfirm
}

const manifestFix = "Correct it, or pack or mint the operation again"

func decodeManifest(text []byte) (manifest, error) {
	var onDisk struct {
		Entrypoint   *string        `json:"entrypoint"`
		Files        *[]string      `json:"files"`
		InputSchema  jsontext.Value `json:"inputSchema"`
		OutputSchema jsontext.Value `json:"outputSchema"`
		SignIn       jsontext.Value `json:"signIn"`
		Questions    jsontext.Value `json:"questions"`

		AcceptedConfirms *[]AcceptedConfirm `json:"acceptedConfirms"`
	}
	if err := decodeFile(ManifestName, text, &onDisk, BadManifest, manifestFix); err != nil {
		return manifest{}, err
	}
	missing := func(key string) error {
		return &Error{Code: BadManifest, Path: ManifestName, Pointer: "/" + key, Problem: "the key is missing", Fix: manifestFix}
	}
	switch {
	case onDisk.Entrypoint == nil:
		return manifest{}, missing("entrypoint")
	case onDisk.Files == nil:
		return manifest{}, missing("files")
	case onDisk.InputSchema == nil:
		return manifest{}, missing("inputSchema")
	case onDisk.OutputSchema == nil:
		return manifest{}, missing("outputSchema")
	}
	m := manifest{entrypoint: unrooted(*onDisk.Entrypoint), inputSchema: json.RawMessage(onDisk.InputSchema), outputSchema: json.RawMessage(onDisk.OutputSchema)}
	for _, path := range *onDisk.Files {
		m.files = append(m.files, unrooted(path))
	}
	if onDisk.Questions != nil {
		var err error
		if m.questions, err = question.ParseDeclarations(onDisk.Questions); err != nil {
			return manifest{}, badQuestions(err)
		}
	}
	if onDisk.AcceptedConfirms != nil {
		m.acceptedConfirms = *onDisk.AcceptedConfirms
		if err := checkConfirms(m.acceptedConfirms); err != nil {
			return manifest{}, err
		}
	}
	if onDisk.SignIn != nil {
		var err error
		if m.signIn, err = decodeSignIn(onDisk.SignIn); err != nil {
			return manifest{}, err
		}
	}
	return m, nil
}

// unrooted takes the folder's name inside a build off a path.
func unrooted(path string) string { return strings.TrimPrefix(path, "/workspace/") }

func decodeSignIn(raw jsontext.Value) (*SignIn, error) {
	var onDisk struct {
		Recipe                *string   `json:"recipe"`
		EntryURL              *string   `json:"entryUrl"`
		AuthenticationOrigins *[]string `json:"authenticationOrigins"`
	}
	if raw.Kind() != '{' || jsonv2.Unmarshal(raw, &onDisk) != nil || onDisk.Recipe == nil || *onDisk.Recipe != RecipeName || onDisk.EntryURL == nil {
		return nil, badSignIn("", fmt.Sprintf("it must name the recipe %s and an entryUrl", RecipeName))
	}
	s := &SignIn{EntryURL: *onDisk.EntryURL}
	if onDisk.AuthenticationOrigins != nil {
		s.AuthenticationOrigins = *onDisk.AuthenticationOrigins
	}
	return s, s.check()
}

func badSignIn(pointer, problem string) error {
	return &Error{Code: BadManifest, Path: ManifestName, Pointer: "/signIn" + pointer, Problem: "the recorded sign-in cannot be used: " + problem, Fix: "Mint the operation again"}
}

func (s *SignIn) check() error {
	u, problem := webAddress(s.EntryURL)
	if problem == "" && (u.Fragment != "" || strings.Contains(s.EntryURL, "#")) {
		problem = "has a fragment"
	}
	if problem != "" {
		return badSignIn("/entryUrl", "its address "+problem)
	}
	for i, origin := range s.AuthenticationOrigins {
		if !secureOrigin(origin) {
			return badSignIn(fmt.Sprintf("/authenticationOrigins/%d", i), "an origin must be written as https://host or https://host:port")
		}
	}
	return nil
}

// webAddress parses an http or https URL without user and password; problem says why it is none.
func webAddress(text string) (u *url.URL, problem string) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "":
		return nil, "is not a URL"
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, "is neither http nor https"
	case u.User != nil:
		return nil, "has a user or password in it"
	}
	return u, ""
}

// secureOrigin reports whether text is an https origin exactly as a browser writes it.
func secureOrigin(text string) bool {
	u, problem := webAddress(text)
	if problem != "" || u.Scheme != "https" || u.Port() == "443" || strings.HasSuffix(u.Host, ":") {
		return false
	}
	for _, c := range u.Host {
		if c > 0x7f || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return text == "https://"+u.Host
}

// decodeFile decodes one of the folder's own JSON files, an object, into v. Unknown keys are ignored; an error has its place.
func decodeFile(path string, text []byte, v any, code Code, fix string) error {
	err := jsonv2.Unmarshal(text, v)
	if err == nil {
		if kind := jsontext.Value(bytes.TrimSpace(text)).Kind(); kind != '{' {
			return &Error{Code: code, Path: path, Line: 1, Column: 1, Problem: "the file must hold a JSON object", Fix: fix}
		}
		return nil
	}
	e := &Error{Code: BadJSON, Path: path, Problem: "the file is not valid JSON", Fix: fix}
	var broken *jsontext.SyntacticError
	var wrong *jsonv2.SemanticError
	switch {
	case errors.As(err, &broken):
		e.Line, e.Column = place(text, int(broken.ByteOffset))
		if errors.Is(broken.Err, jsontext.ErrDuplicateName) {
			e.Problem, e.Pointer = "a key is there twice", string(broken.JSONPointer)
		}
	case errors.As(err, &wrong):
		e.Code, e.Pointer = code, string(wrong.JSONPointer)
		e.Line, e.Column = place(text, skipSpace(text, int(wrong.ByteOffset)))
		e.Problem = "the value is not of the kind that belongs here"
	}
	return e
}

// skipSpace moves on from where a value was expected to where it begins.
func skipSpace(text []byte, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n:,", text[at]) >= 0 {
		at++
	}
	return at
}
