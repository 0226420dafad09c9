package outcome

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxMessage bounds a script's own words in an error, in bytes (spec §6.3: 4096 characters).
const maxMessage = 4096

// sentence says what happened, what that means for the site, and what to do. The host's words, with the script's message quoted in them;
// masking credentials is the caller's business.
func (v *verdict) sentence(o Outcome) string {
	parts := []string{v.happened(o), v.meaning(o), v.advice(o)}
	out := parts[:0]
	for _, part := range parts {
		if part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, " ")
}

// happened names the failure.
func (v *verdict) happened(o Outcome) string {
	switch o.Code {
	case NoResponse:
		switch {
		case len(v.Questions) == 1:
			return fmt.Sprintf("Nobody answered the question %q in time.", v.Questions[0])
		case len(v.Questions) > 1:
			return fmt.Sprintf("Nobody answered the questions %s in time.", quoted(v.Questions))
		case v.PopupUnanswered:
			return "Nobody answered in time whether to accept a popup of the site, so it was dismissed, and the run failed."
		}
		return "A question of this run was not answered in time."
	case CredentialsRejected:
		if v.Thrown.Field != "" {
			return fmt.Sprintf("The site refused the login's %s.", strings.ReplaceAll(v.Thrown.Field, "_", " "))
		}
		return "The site refused the login."
	case InputRejected:
		return v.inputRefused()
	case InputNotApplied:
		return v.inputIgnored()
	case WebsiteSignInUnavailable:
		return "The site signed the run out, and it could not be signed in again."
	case InvalidOutput:
		return v.badlyShaped()
	case OutcomeUnknown:
		if v.returned && v.badOutput && !saysRefused(v.Output) {
			return v.badlyShaped()
		}
		if v.returned && saysRefused(v.Output) {
			return "The tool returned a refusal that cannot be told apart from a write that went through."
		}
		if v.returned {
			return "The tool returned without confirming its write."
		}
		return v.ended()
	}
	return v.ended()
}

func (v *verdict) inputRefused() string {
	if reason := v.Thrown.callerFileReason(); reason != "" {
		return fmt.Sprintf("A file of the input was refused: %s.", fileReasons[reason])
	}
	what := "The input was refused"
	if v.Thrown.Field != "" {
		what = fmt.Sprintf("The input field %q was refused", v.Thrown.Field)
	}
	said := message(v.Thrown.Message)
	if said == "" && len(v.Thrown.Issues) > 0 {
		said = strings.Join(v.Thrown.Issues, "; ")
	}
	if said == "" && v.Thrown.Kind != "" {
		said = strings.ReplaceAll(v.Thrown.Kind, "_", " ")
	}
	return ended(what, said)
}

// fileReasons are the caller's file refusals in words.
var fileReasons = map[string]string{
	"too_large":     "it is larger than a file may be",
	"run_limit":     "the run's files together are more than a run may handle",
	"type_mismatch": "its bytes do not fit its type",
	"executable":    "it is a program",
	"not_accepted":  "the site's field does not take its type",
}

func (v *verdict) inputIgnored() string {
	what := "The site did not apply a value of the input"
	if v.Thrown.Field != "" {
		what = fmt.Sprintf("The site did not apply the input field %q", v.Thrown.Field)
	}
	if v.Thrown.Requested != "" && v.Thrown.Applied != "" {
		what += fmt.Sprintf(": %q was asked for and it shows %q", v.Thrown.Requested, v.Thrown.Applied)
	}
	return ended(what, message(v.Thrown.Message))
}

func (v *verdict) badlyShaped() string {
	const what = "The tool returned output that does not fit its output schema"
	if said := message(v.Thrown.Message); len(v.OutputIssues) == 0 && said != "" {
		return ended("The tool's output was refused", said) // in the worker, before it could travel
	}
	return ended(what, strings.Join(v.OutputIssues, "; "))
}

// ended tells of a run that something stopped, or that an error ended.
func (v *verdict) ended() string {
	what := causes[v.Cause]
	if v.Cause != "" && what == "" {
		what = "The run was ended (" + v.Cause + ")"
	}
	switch {
	case v.End == Threw && message(v.Thrown.Message) != "":
		if v.Cause == "" {
			what = "The tool failed"
		}
		if v.Thrown.Frame != "" {
			what += " at " + v.Thrown.Frame
		}
		return ended(what, message(v.Thrown.Message))
	case what != "":
		return ended(what, message(v.Thrown.Message))
	case v.Stage == BeforeOperation:
		return ended("The run could not be prepared", message(v.Thrown.Message))
	case v.End == Threw:
		return "The tool failed without saying why."
	case v.End == Returned:
		return "The tool returned while it still waited for the host, so how it ended is not known."
	}
	return "The run ended before the tool did."
}

// causes are the ipc.Cause list in words.
var causes = map[string]string{
	"deadline":      "The run's time ran out",
	"call_timeout":  "A call into the page passed its time limit and had to be stopped with its worker",
	"out_of_memory": "The tool needed more memory than a run may have",
	"worker_lost":   "The process that ran the tool ended unexpectedly",
	"browser_lost":  "The browser ended or could no longer be reached",
	"tab_crashed":   "The page crashed",
	"never_settles": "The tool waits for something that can never happen",
	"flooded":       "The page sent more than a run may receive",
	"cancelled":     "The run was cancelled",
	"jail_failed":   "The process that runs the tool could not be isolated, so nothing was run in it",
}

// meaning says what became of the site.
func (v *verdict) meaning(o Outcome) string {
	switch o.WriteStatus {
	case NotAttempted:
		return "Nothing was changed on the site."
	case NotApplied:
		return "None of its writing steps was begun, so the write was not made."
	case Applied:
		return "The write itself was made and confirmed."
	case MayHaveApplied:
		return "The write may have been made."
	}
	if *o.PossibleCommit {
		return "It is not known whether something changed on the site."
	}
	return "Nothing was changed on the site."
}

// advice says what to do. It never suggests repeating a write that was made.
func (v *verdict) advice(o Outcome) string {
	switch {
	case o.WriteStatus == Applied && *o.PossibleCommit:
		return "Read the site back to see the result, and do not start the write a second time."
	case o.WriteStatus == Applied:
		return "Do not start the write a second time."
	case *o.PossibleCommit:
		return "Read the site back first" + map[Retry]string{
			Never:    ", and do not repeat the call on the strength of this answer.",
			FixInput: "; if the change is not there, correct the input and call again.",
			NewKey:   "; if the change is not there, start a new run and answer its questions.",
			SameKey:  "; if the change is not there, call again.",
		}[o.Retry]
	}
	switch o.Code {
	case InputRejected:
		if len(v.Thrown.Available) > 0 {
			return fmt.Sprintf("Call again with one of the values the site offers: %s.", quoted(v.Thrown.Available))
		}
		return "Correct the input and call again."
	case CredentialsRejected:
		return "Correct the login and call again."
	case NoResponse:
		return "Start a new run and answer its questions."
	case InputNotApplied:
		return "The same call may be repeated; if it fails again, choose a value the site shows."
	case WebsiteSignInUnavailable:
		return "The same call may be repeated."
	case InvalidOutput:
		return "Correct the tool or its output schema; the same call would fail again."
	}
	if advice, has := causeAdvice[v.Cause]; has {
		return advice
	}
	if v.Stage == BeforeOperation {
		return "Check the site's address and that it can be reached."
	}
	return "Do not repeat the call unchanged; check that the site still works as the tool expects."
}

// causeAdvice is for runs that changed nothing.
var causeAdvice = map[string]string{
	"deadline":      "Give the run more time or less to do.",
	"out_of_memory": "Let the tool hold less at a time.",
	"worker_lost":   "If it happens again with this input, the tool or this installation is at fault.",
	"browser_lost":  "Check that the browser can run on this machine.",
	"never_settles": "Correct the tool: its last await has nothing left that could end it.",
	"cancelled":     "Start it again when the answer is wanted.",
	"jail_failed":   "Run pomerado doctor to see what this machine lacks.",
}

// ended joins what happened with what was said of it, as one sentence.
func ended(what, said string) string {
	if said != "" {
		what += ": " + said
	}
	if strings.HasSuffix(what, ".") || strings.HasSuffix(what, "!") || strings.HasSuffix(what, "?") {
		return what
	}
	return what + "."
}

// message is a script's own text, bounded.
func message(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxMessage {
		return text
	}
	end := maxMessage
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// quoted lists values, a dozen at most.
func quoted(values []string) string {
	const most = 12
	shown := make([]string, 0, most)
	for _, value := range values[:min(most, len(values))] {
		shown = append(shown, fmt.Sprintf("%q", value))
	}
	text := strings.Join(shown, ", ")
	if more := len(values) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
