package outcome

import (
	"slices"
	"strings"
)

// toolEffect is what a run is judged as. Unlike an Effect it may be unknown.
type toolEffect int

const (
	unknownEffect toolEffect = iota
	readEffect
	writeEffect
)

// standing is what is known of the site's change once both columns of the journal are read.
type standing int

const (
	// none: the site was not changed by this run.
	none standing = iota
	// open: it may have been.
	open
	// confirmed: it was, and the script proved it.
	confirmed
	// rejected: the script worked on the site but, by its own report, entered none of its commit steps.
	rejected
)

// Classify says how a run ended. It is the whole of spec §6.4 and depends on nothing but its argument.
func Classify(f Facts) Outcome {
	if f.Stage == BeforeOperation {
		return classifyBefore(f)
	}
	v := verdict{Facts: f}
	v.judge()
	if v.completed {
		return v.complete()
	}
	return v.fail()
}

// verdict is a run under judgement.
type verdict struct {
	Facts

	effect   toolEffect
	standing standing
	// returned: the script's return counts: it was reported with nothing outstanding.
	returned bool
	// badOutput: what it returned fails the output schema.
	badOutput bool
	// refused: what it returned is a refusal the output schema declares.
	refused   bool
	completed bool
	code      Code
}

func (v *verdict) judge() {
	lostOutput := v.End == Threw && v.Thrown.Tag == tagInvalidOutput && v.Reported
	v.returned = v.End == Returned && v.Reported || lostOutput
	v.badOutput = v.returned && (len(v.OutputIssues) > 0 || v.OutputLost || lostOutput)
	v.effect = v.judgedAs()
	v.standing = v.stands()

	if v.returned && v.finish() {
		return
	}
	v.code = v.failureCode()
}

// judgedAs is the tool effect T of the spec, with our one deviation: a declared read whose script declares a write is a write however it ends.
func (v *verdict) judgedAs() toolEffect {
	switch {
	case v.Declared == Write, v.Declared == Read && v.ScriptWrites, v.returned && v.ScriptWrites:
		return writeEffect
	case v.Declared == Read, v.returned:
		return readEffect
	case v.Marks != Undeclared:
		return writeEffect
	}
	return unknownEffect
}

// stands reads both columns. The reported one decides; the seen one corrects it in two cases only.
func (v *verdict) stands() standing {
	state := v.State
	if v.returned && v.ScriptWrites && v.Confirmation != confirmationNone && v.Recorded == "" && state == Verified {
		state = Possible // a return proves its write by the confirmation it recorded, not by the state alone
	}
	if state == Verified && v.Seen.Reopened {
		state = Possible
	}
	if !v.Seen.Any() {
		state = Nothing // whatever the script claims
	}
	switch {
	case v.effect == readEffect, state == Nothing:
		return none
	case state == Verified:
		return confirmed
	}
	return open
}

// finish decides whether a script that returned completed its run.
func (v *verdict) finish() bool {
	if v.effect == readEffect {
		v.completed = !v.badOutput
		return v.completed
	}
	if v.OutputLost || v.End == Threw {
		return false
	}
	v.refused = !v.badOutput && v.Refusals.Declare(v.Output)
	v.completed = v.standing == none || v.standing == confirmed || v.refused && v.Marks == NotEntered
	return v.completed
}

// failureCode is steps 2 and 3 of the spec.
func (v *verdict) failureCode() Code {
	ownQuestion := v.End == Threw && v.Thrown.unanswered()
	switch {
	case ownQuestion || v.PopupUnanswered:
		return NoResponse // the standing is kept: what the page sent meanwhile is not known
	case v.unentered():
		v.standing = rejected
	}

	thrown := v.End == Threw && !v.returned
	unentered := v.Marks == NotEntered || v.Marks == Undeclared
	switch {
	case thrown && v.Thrown.Tag == tagCredentialsRejected:
		return CredentialsRejected
	case thrown && v.Thrown.inputRefused():
		return InputRejected
	case thrown && v.Thrown.SessionLoss != "" && unentered && (v.standing == none || v.standing == rejected):
		return WebsiteSignInUnavailable
	case thrown && v.Thrown.inputIgnored() && v.standing == none:
		return InputNotApplied
	case v.standing == open:
		return OutcomeUnknown
	case v.badOutput:
		return InvalidOutput
	}
	return ExecutionFailed
}

// unentered: the worker itself reported a failure before any declared commit step was entered. A refusal in a shape the schema does not declare is
// no such failure: the host cannot tell what it says.
func (v *verdict) unentered() bool {
	failed := v.End == Threw || v.badOutput
	return failed && v.Reported && v.standing == open && v.Marks == NotEntered && !(v.badOutput && saysRefused(v.Output))
}

func (v *verdict) complete() Outcome {
	o := Outcome{Status: Completed, Output: v.Output}
	if v.effect != writeEffect {
		return o
	}
	switch {
	case v.standing == confirmed:
		o.WriteStatus = Applied
	case v.standing == none:
		o.WriteStatus = NotAttempted
	default:
		o.WriteStatus = NotApplied
	}
	if v.refused && v.standing != confirmed {
		o.PossibleCommit = new(bool)
	}
	return o
}

func (v *verdict) fail() Outcome {
	o := Outcome{Status: Failed, Code: v.code, Retry: retryOf(v.code), Details: v.details()}
	if v.effect == writeEffect {
		o.WriteStatus = [...]WriteStatus{none: NotAttempted, open: MayHaveApplied, confirmed: Applied, rejected: NotApplied}[v.standing]
	}
	if v.standing == confirmed {
		o.Retry = Never
	}
	possible := v.code == OutcomeUnknown
	switch v.code {
	case NoResponse, CredentialsRejected, InputRejected:
		possible = v.standing == open || v.standing == confirmed
	}
	o.PossibleCommit = &possible
	if v.returned && v.effect == writeEffect && v.standing == open && !v.OutputLost {
		o.Output = v.Output
	}
	o.Error = v.sentence(o)
	return o
}

// classifyBefore is for a run that never reached its operation (spec B1 to B3): nothing was done to the site.
func classifyBefore(f Facts) Outcome {
	v := verdict{Facts: f}
	v.effect = unknownEffect
	if f.Declared == Write || f.Declared == Read && f.ScriptWrites {
		v.effect = writeEffect
	} else if f.Declared == Read {
		v.effect = readEffect
	}
	switch f.End {
	case Refused:
		v.code = InputRejected
	case Unanswered:
		v.code = NoResponse
	default:
		v.code = ExecutionFailed
	}
	return v.fail()
}

func retryOf(code Code) Retry {
	switch code {
	case NoResponse:
		return NewKey
	case CredentialsRejected, InputRejected:
		return FixInput
	case InputNotApplied, WebsiteSignInUnavailable:
		return SameKey
	}
	return Never
}

// The tags and codes that decide; every other one is "any other error".
const (
	tagInvalidInput        = "InvalidInput"
	tagCredentialsRejected = "CredentialsRejected"
	tagInputNotApplied     = "InputNotApplied"
	tagLocationNotApplied  = "LocationNotApplied" // the name it had in older tools
	tagInvalidOutput       = "InvalidOutput"
	codeNoResponse         = "NoResponse"
	fileRefusedPrefix      = "FileRefused:"
	confirmationNone       = "unverifiable"
)

// callerFileReasons are the file refusals that are the caller's to mend.
var callerFileReasons = []string{"too_large", "run_limit", "type_mismatch", "executable", "not_accepted"}

// unanswered: the script ended on its own question that nobody answered.
func (t Thrown) unanswered() bool {
	return t.Tag == codeNoResponse || t.Code == codeNoResponse && (t.Tag == "" || t.Tag == "ScriptInputFailure")
}

func (t Thrown) inputRefused() bool { return t.Tag == tagInvalidInput || t.callerFileReason() != "" }

func (t Thrown) inputIgnored() bool {
	return t.Tag == tagInputNotApplied || t.Tag == tagLocationNotApplied
}

// callerFileReason is the reason of a file refusal that is the caller's to mend, else empty.
func (t Thrown) callerFileReason() string {
	reason, ok := strings.CutPrefix(t.Code, fileRefusedPrefix)
	if !ok || !slices.Contains(callerFileReasons, reason) {
		return ""
	}
	return reason
}
