// Package outcome decides how a run ended: completed or failed, with which code, whether a write took effect, and whether the caller may
// repeat it. It owns the rules and the facts they are read from; it must not know processes, pages, MCP or goja. It runs in the
// supervisor.
//
// Rules: spec/artifact-and-serving.md §6. Deviations, with their reasons in RATIONALE.md: a run declared "read" whose script declares a
// write is judged as a write, thrown or returned; a run in which the host saw nothing act since its start is not_attempted.
package outcome

import "encoding/json"

// Effect is what a run was declared to do.
type Effect string

// NoEffect is the effect of a run nobody declared one for.
const (
	NoEffect Effect = ""
	Read     Effect = "read"
	Write    Effect = "write"
)

// Valid reports whether e is an effect, declared or not.
func (e Effect) Valid() bool { return e == NoEffect || e == Read || e == Write }

// Status says whether the run gave an answer.
type Status string

// The two ends of a run.
const (
	Completed Status = "completed"
	Failed    Status = "failed"
)

// Code says why a run failed.
type Code string

// The closed list of codes, spec §6.3.
const (
	NoResponse               Code = "no_response"
	CredentialsRejected      Code = "credentials_rejected"
	InputRejected            Code = "input_rejected"
	InputNotApplied          Code = "input_not_applied"
	WebsiteSignInUnavailable Code = "website_sign_in_unavailable"
	OutcomeUnknown           Code = "outcome_unknown"
	InvalidOutput            Code = "invalid_output"
	ExecutionFailed          Code = "execution_failed"
)

// WriteStatus says what became of a write. The empty status is JSON null: the run was a read, or nothing is known of its effect.
type WriteStatus string

// The closed list of write statuses.
const (
	NotAttempted   WriteStatus = "not_attempted"
	MayHaveApplied WriteStatus = "may_have_applied"
	Applied        WriteStatus = "applied"
	NotApplied     WriteStatus = "not_applied"
)

// Retry says whether the same request may be repeated.
type Retry string

// The closed list of retry classes: do not repeat as is; correct the input, then call; call anew (after reading the site back when a
// commit is possible); the same request may be repeated.
const (
	Never    Retry = "never"
	FixInput Retry = "fix_input"
	NewKey   Retry = "new_key"
	SameKey  Retry = "same_key"
)

// Outcome is the classified end of a run. Its JSON form is what `pomerado run --json` prints.
type Outcome struct {
	Status Status
	// Output is the script's answer: the result of a completed run, or the unconfirmed output of a failed write. Nil when there is none.
	Output json.RawMessage
	// Code is empty when the run completed.
	Code        Code
	WriteStatus WriteStatus
	// PossibleCommit is nil where the rules say nothing of it.
	PossibleCommit *bool
	// Retry is empty when the run completed.
	Retry Retry
	// Error says in at most a few sentences what happened and what to do next. Empty when the run completed.
	Error   string
	Details Details
}

// Details say more of a failure than its code. Every field may be empty.
type Details struct {
	// Cause is what ended the run when it was not the script, one of the ipc.Cause list.
	Cause string `json:"cause,omitempty"`
	// Reason is a machine-readable word for a refusal, such as a file refusal's reason.
	Reason string `json:"reason,omitempty"`
	// Field is the input field concerned.
	Field string `json:"field,omitempty"`
	// Available are the values the site offers instead.
	Available []string `json:"available,omitempty"`
	// Kind is the tool's or the host's own word for what is wrong with the field.
	Kind string `json:"kind,omitempty"`
	// Requested, Applied, Step and SiteMessage describe an input the site ignored.
	Requested   string `json:"requested,omitempty"`
	Applied     string `json:"applied,omitempty"`
	Step        string `json:"step,omitempty"`
	SiteMessage string `json:"site_message,omitempty"`
	// Frame is where in the authored source the failure arose, "src/tool.mjs:12".
	Frame string `json:"frame,omitempty"`
	// Issues name places of an input or output that do not fit their schema, never values.
	Issues []string `json:"issues,omitempty"`
	// Questions are the ids of questions nobody answered.
	Questions []string `json:"questions,omitempty"`
}
