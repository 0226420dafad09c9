package outcome

import "encoding/json"

// Stage is how far a run came.
type Stage string

// A run is either stopped before its operation starts, or its operation ran.
const (
	BeforeOperation Stage = "before_operation"
	Operation       Stage = "operation"
)

// End is how a run's stage ended.
type End string

const (
	// Returned: the script returned. Output, OutputIssues and OutputLost say what.
	Returned End = "returned"
	// Threw: the script ended with an error of its own. Thrown says which.
	Threw End = "threw"
	// Lost: something other than the script ended the run: the clock, the worker's or browser's death, a cancel. Cause says what.
	Lost End = "lost"

	// Refused: the host refused the input before the operation started: its schema, its cursor. Thrown.Field and Thrown.Kind say which. BeforeOperation only.
	Refused End = "refused"
	// Unanswered: a question asked before the operation was not answered. BeforeOperation only.
	Unanswered End = "unanswered"
	// Unprepared: the site's address is unusable, or staging or the start page failed. BeforeOperation only.
	Unprepared End = "unprepared"
)

// State is what the journal's reported column says of the site's change.
type State string

// The states of a journal, in the order a run passes through them.
const (
	Nothing  State = "nothing"
	Possible State = "possible"
	Verified State = "verified"
)

// Marks is what the journal says of the declared commit steps.
type Marks string

// Undeclared is an empty list of commit steps; Unreported one that cannot be read.
const (
	Undeclared Marks = "undeclared"
	NotEntered Marks = "not_entered"
	Entered    Marks = "entered"
	Unreported Marks = "unreported"
)

// Facts are what the host knows of a run at its end. Plain data: the supervisor fills it, Classify reads it.
type Facts struct {
	Stage Stage
	// Declared is the effect from deployment.json or --effect.
	Declared Effect
	// ScriptWrites: the contract declares a write. Confirmation is what it declares: "readback", "message" or "unverifiable".
	ScriptWrites bool
	Confirmation string

	End End
	// Reported: the worker itself reported the end, with no host request outstanding. Meaningful for Returned and Threw.
	Reported bool
	// Output is what the script returned, nil for undefined.
	Output json.RawMessage
	// OutputIssues: how Output fails its schema, empty when it fits; places and rules, never values.
	OutputIssues []string
	// OutputLost: the script's output failed its schema in the worker or was too large to travel, so the host has none.
	OutputLost bool
	// Refusals are the output schema's declared refusals, see ReadRefusals.
	Refusals Refusals

	Thrown Thrown
	// Cause is what ended a Lost run, one of the ipc.Cause list; passed through to Details.
	Cause string

	// State, Recorded and Marks are the journal's reported column; Seen is the other one.
	State State
	// Recorded is the confirmation `verified` recorded last, "readback" or "message"; empty when none.
	Recorded string
	Marks    Marks
	Seen     Seen

	// PopupUnanswered: a native dialog's question of this run ended unanswered.
	PopupUnanswered bool
	// Questions are the ids of this run's questions that nobody answered.
	Questions []string
}

// Thrown is an error a script ended with, as the worker reported it.
type Thrown struct {
	// Tag is one of the ipc.Tag list.
	Tag string
	// Code is the error's own code when it has one, such as "NoResponse" or "FileRefused:too_large".
	Code    string
	Message string
	// Frame is the place in the authored source, "src/tool.mjs:12".
	Frame string
	// SessionLoss is set when the sign-in was lost during the run and could not be renewed.
	SessionLoss string

	Field       string
	Available   []string
	Kind        string
	Requested   string
	Applied     string
	Step        string
	SiteMessage string
	Reason      string
	// Issues are the places of an input that do not fit, "path: rule".
	Issues []string
}

// Seen is the journal's second column: what the host itself saw act on the site since the script's start.
type Seen struct {
	// Acted: frames of the acting class were forwarded. Placed: files were put into fields. Sent: HTTP requests left. Answered: dialogs were answered.
	Acted, Placed, Sent, Answered bool
	// Reopened: an Input.* or navigation frame was forwarded outside every execute after `verified`.
	Reopened bool
}

// Any reports whether anything of the four kinds was seen.
func (s Seen) Any() bool { return s.Acted || s.Placed || s.Sent || s.Answered }
