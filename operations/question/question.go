// Package question owns what may be asked during a run and what counts as an answer: the declarations an operation carries, the requests
// that reach whoever started the run, and the answers that come back. It decides and never asks: it must not know terminals, MCP, jobs,
// processes, goja or CDP. It runs in the supervisor (every check that counts) and may run in a worker (early refusals).
//
// Rules: spec/artifact-and-serving.md §5 and spec/runtime-sdk.md §2.2. Lengths are counted in UTF-16 code units, as upstream counts them.
package question

// Type is the kind of a question.
type Type string

// The kinds of question. A script may declare all but Credential, which only the host itself asks.
const (
	Choice      Type = "choice"
	MultiChoice Type = "multi_choice"
	Text        Type = "text"
	Confirm     Type = "confirm"
	Secret      Type = "secret"
	Credential  Type = "credential"
)

// Valid reports whether t is one of the kinds above.
func (t Type) Valid() bool {
	switch t {
	case Choice, MultiChoice, Text, Confirm, Secret, Credential:
		return true
	}
	return false
}

// SecretKind says what a secret is, so that a door can word its prompt.
type SecretKind string

// The kinds of secret.
const (
	OneTimeCode SecretKind = "one_time_code"
	TOTP        SecretKind = "totp"
	PrivateText SecretKind = "private_text"
)

// Valid reports whether k is one of the kinds above.
func (k SecretKind) Valid() bool { return k == OneTimeCode || k == TOTP || k == PrivateText }

// Source says who asks.
type Source string

// Who asks: the agent while minting, the running script, or the host itself.
const (
	SourceAgent      Source = "agent"
	SourceScript     Source = "script"
	SourceSystem     Source = "system"
	SourceKernelAuth Source = "kernel_auth"
)

// Valid reports whether s is one of the sources above.
func (s Source) Valid() bool {
	return s == SourceAgent || s == SourceScript || s == SourceSystem || s == SourceKernelAuth
}

// Bounds of the parts, in UTF-16 code units or in numbers of things.
const (
	MaxQuestions    = 8
	MaxOptions      = 50
	MaxPrompt       = 2000
	MaxLegacyPrompt = 500
	MaxNotice       = 16384
	MaxText         = 16384
	MaxLabel        = 256
	MaxMaskedLabel  = 64
	MaxSiteOrigin   = 2048
	MaxUsername     = 1024
)

// FollowUp is a text asked for once a confirm question is confirmed.
type FollowUp struct {
	Prompt string `json:"prompt"`
	// DefaultText is offered as the text to keep; nil when none was declared.
	DefaultText *string `json:"defaultText,omitempty"`
}

// Option is one thing to choose. Its value stays in the worker; here it is known by its id ("o1", "o2", …) and label.
type Option struct {
	ID              string `json:"id"`
	Label           string `json:"label"`
	AccountSpecific bool   `json:"accountSpecific,omitempty"`
	// MaskedLabel stands for Label wherever an account-specific label must not be shown.
	MaskedLabel string `json:"maskedLabel,omitempty"`
}

// Question is one question as it reaches whoever answers. Fields that do not belong to Type are zero.
type Question struct {
	ID     string `json:"id"`
	Type   Type   `json:"type"`
	Prompt string `json:"prompt"`

	// choice, multi_choice
	Options    []Option `json:"options,omitempty"`
	AllowOther bool     `json:"allowOther,omitempty"`
	AllowNote  bool     `json:"allowNote,omitempty"`
	// multi_choice; both set in a valid request.
	MinSelections *int `json:"minSelections,omitempty"`
	MaxSelections *int `json:"maxSelections,omitempty"`

	// text, secret
	MaxLength  *int       `json:"maxLength,omitempty"`
	SecretKind SecretKind `json:"secretKind,omitempty"`

	// confirm
	FollowUp *FollowUp `json:"followUp,omitempty"`

	// credential; its keys stand beside the question's own.
	*Login
}

// Login is what a credential question adds. Only the host asks one.
type Login struct {
	// Fields is LoginBoth or LoginPassword.
	Fields string `json:"fields"`
	// Reason is "missing_credentials", "invalid_credentials" or "credentials_expired".
	Reason     string `json:"reason"`
	Username   string `json:"username,omitempty"`
	SiteOrigin string `json:"siteOrigin"`
	AllowSave  bool   `json:"allowSave"`
}

// Request is what is asked at one time.
type Request struct {
	// ID is a UUID.
	ID        string     `json:"id"`
	Source    Source     `json:"source"`
	Notice    string     `json:"notice,omitempty"`
	Questions []Question `json:"questions"`
}
