package outcome

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// How a row's run ended.
const (
	valid             = "valid"
	invalid           = "invalid"
	invalidLost       = "invalid, the output did not travel"
	refusal           = "refusal"
	undeclaredRefusal = "undeclared refusal"
	other             = "other error"
	invalidInput      = "InvalidInput"
	badLogin          = "CredentialsRejected"
	notApplied        = "InputNotApplied"
	ownQuestion       = "own question"
	signedOut         = "signed out"
	lost              = "lost"
)

const (
	answered, popup              = false, true
	silent, impossible, possible = "silent", "impossible", "possible"
	kept                         = "kept"
)

type row struct {
	name     string
	declared Effect
	cause    string
	state    State
	marks    Marks
	popup    bool

	status   Status
	code     Code
	write    WriteStatus
	possible string
	retry    Retry
	output   string
}

// operationRows are the spec's table O01 to O74, row for row.
var operationRows = []row{
	{"O01", Read, valid, Possible, Undeclared, answered, Completed, "", "", silent, "", kept},
	{"O02", Read, invalid, Possible, Undeclared, answered, Failed, InvalidOutput, "", impossible, Never, ""},
	{"O03", Read, other, Possible, Undeclared, answered, Failed, ExecutionFailed, "", impossible, Never, ""},
	{"O04", Read, invalidInput, Possible, Undeclared, answered, Failed, InputRejected, "", impossible, FixInput, ""},
	{"O05", Read, badLogin, Possible, Undeclared, answered, Failed, CredentialsRejected, "", impossible, FixInput, ""},
	{"O06", Read, notApplied, Possible, Undeclared, answered, Failed, InputNotApplied, "", impossible, SameKey, ""},
	{"O07", Read, ownQuestion, Possible, Undeclared, answered, Failed, NoResponse, "", impossible, NewKey, ""},
	{"O08", Read, signedOut, Possible, Undeclared, answered, Failed, WebsiteSignInUnavailable, "", impossible, SameKey, ""},
	{"O09", Read, lost, Possible, Undeclared, answered, Failed, ExecutionFailed, "", impossible, Never, ""},
	{"O10", Read, other, Possible, Undeclared, popup, Failed, NoResponse, "", impossible, NewKey, ""},
	{"O11", Read, invalidInput, Nothing, Undeclared, answered, Failed, InputRejected, "", impossible, FixInput, ""},
	{"O12", Read, signedOut, Possible, Entered, answered, Failed, ExecutionFailed, "", impossible, Never, ""},
	{"O13", Write, valid, Verified, Entered, answered, Completed, "", Applied, silent, "", kept},
	{"O14", Write, valid, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O15", Write, valid, Possible, Undeclared, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O16", Write, valid, Possible, NotEntered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O17", Write, valid, Nothing, Undeclared, answered, Completed, "", NotAttempted, silent, "", kept},
	{"O18", Write, invalid, Verified, Entered, answered, Completed, "", Applied, silent, "", kept},
	{"O18b", Write, invalidLost, Verified, Entered, answered, Failed, InvalidOutput, Applied, impossible, Never, ""},
	{"O19", Write, invalid, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O20", Write, invalid, Possible, Undeclared, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O21", Write, invalid, Possible, NotEntered, answered, Failed, InvalidOutput, NotApplied, impossible, Never, ""},
	{"O22", Write, invalid, Nothing, Undeclared, answered, Completed, "", NotAttempted, silent, "", kept},
	{"O23", Write, valid, Possible, Entered, popup, Failed, NoResponse, MayHaveApplied, possible, NewKey, kept},
	{"O24", Write, invalid, Possible, NotEntered, popup, Failed, NoResponse, MayHaveApplied, possible, NewKey, kept},
	{"O25", Write, refusal, Possible, NotEntered, answered, Completed, "", NotApplied, impossible, "", kept},
	{"O26", Write, refusal, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O27", Write, refusal, Possible, Undeclared, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O28", Write, undeclaredRefusal, Possible, NotEntered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O29", Write, other, Nothing, NotEntered, answered, Failed, ExecutionFailed, NotAttempted, impossible, Never, ""},
	{"O30", Write, other, Possible, NotEntered, answered, Failed, ExecutionFailed, NotApplied, impossible, Never, ""},
	{"O31", Write, other, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O32", Write, other, Possible, Undeclared, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O33", Write, other, Verified, Entered, answered, Failed, ExecutionFailed, Applied, impossible, Never, ""},
	{"O34", Write, invalidInput, Nothing, NotEntered, answered, Failed, InputRejected, NotAttempted, impossible, FixInput, ""},
	{"O35", Write, invalidInput, Possible, NotEntered, answered, Failed, InputRejected, NotApplied, impossible, FixInput, ""},
	{"O36", Write, invalidInput, Possible, Entered, answered, Failed, InputRejected, MayHaveApplied, possible, FixInput, ""},
	{"O37", Write, invalidInput, Possible, Undeclared, answered, Failed, InputRejected, MayHaveApplied, possible, FixInput, ""},
	{"O38", Write, invalidInput, Verified, Entered, answered, Failed, InputRejected, Applied, possible, Never, ""},
	{"O39", Write, badLogin, Nothing, NotEntered, answered, Failed, CredentialsRejected, NotAttempted, impossible, FixInput, ""},
	{"O40", Write, badLogin, Possible, NotEntered, answered, Failed, CredentialsRejected, NotApplied, impossible, FixInput, ""},
	{"O41", Write, badLogin, Possible, Entered, answered, Failed, CredentialsRejected, MayHaveApplied, possible, FixInput, ""},
	{"O42", Write, badLogin, Possible, Undeclared, answered, Failed, CredentialsRejected, MayHaveApplied, possible, FixInput, ""},
	{"O43", Write, badLogin, Verified, Entered, answered, Failed, CredentialsRejected, Applied, possible, Never, ""},
	{"O44", Write, notApplied, Nothing, NotEntered, answered, Failed, InputNotApplied, NotAttempted, impossible, SameKey, ""},
	{"O45", Write, notApplied, Possible, NotEntered, answered, Failed, ExecutionFailed, NotApplied, impossible, Never, ""},
	{"O46", Write, notApplied, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O47", Write, notApplied, Possible, Undeclared, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O48", Write, notApplied, Verified, Entered, answered, Failed, ExecutionFailed, Applied, impossible, Never, ""},
	{"O49", Write, ownQuestion, Nothing, NotEntered, answered, Failed, NoResponse, NotAttempted, impossible, NewKey, ""},
	{"O50", Write, ownQuestion, Possible, NotEntered, answered, Failed, NoResponse, MayHaveApplied, possible, NewKey, ""},
	{"O51", Write, ownQuestion, Possible, Entered, answered, Failed, NoResponse, MayHaveApplied, possible, NewKey, ""},
	{"O52", Write, ownQuestion, Possible, Undeclared, answered, Failed, NoResponse, MayHaveApplied, possible, NewKey, ""},
	{"O53", Write, ownQuestion, Verified, Entered, answered, Failed, NoResponse, Applied, possible, Never, ""},
	{"O54", Write, signedOut, Nothing, NotEntered, answered, Failed, WebsiteSignInUnavailable, NotAttempted, impossible, SameKey, ""},
	{"O55", Write, signedOut, Possible, NotEntered, answered, Failed, WebsiteSignInUnavailable, NotApplied, impossible, SameKey, ""},
	{"O56", Write, signedOut, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O57", Write, signedOut, Possible, Undeclared, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O58", Write, signedOut, Verified, Entered, answered, Failed, ExecutionFailed, Applied, impossible, Never, ""},
	{"O59", Write, lost, Nothing, NotEntered, answered, Failed, ExecutionFailed, NotAttempted, impossible, Never, ""},
	{"O60", Write, lost, Possible, NotEntered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O61", Write, lost, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O62", Write, lost, Verified, Entered, answered, Failed, ExecutionFailed, Applied, impossible, Never, ""},
	{"O63", Write, other, Possible, NotEntered, popup, Failed, NoResponse, MayHaveApplied, possible, NewKey, ""},
	{"O64", Write, other, Possible, Entered, popup, Failed, NoResponse, MayHaveApplied, possible, NewKey, ""},
	{"O65", Write, other, Verified, Entered, popup, Failed, NoResponse, Applied, possible, Never, ""},
	{"O66", Write, ownQuestion, Possible, Undeclared, answered, Failed, NoResponse, MayHaveApplied, possible, NewKey, ""},
	{"O67", NoEffect, valid, Possible, Undeclared, answered, Completed, "", "", silent, "", kept},
	{"O68", NoEffect, valid, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, kept},
	{"O69", NoEffect, other, Possible, Undeclared, answered, Failed, OutcomeUnknown, "", possible, Never, ""},
	{"O70", NoEffect, other, Possible, NotEntered, answered, Failed, ExecutionFailed, NotApplied, impossible, Never, ""},
	{"O71", NoEffect, other, Possible, Entered, answered, Failed, OutcomeUnknown, MayHaveApplied, possible, Never, ""},
	{"O72", NoEffect, invalidInput, Possible, Undeclared, answered, Failed, InputRejected, "", possible, FixInput, ""},
	{"O73", NoEffect, signedOut, Possible, Undeclared, answered, Failed, OutcomeUnknown, "", possible, Never, ""},
	{"O74", NoEffect, signedOut, Possible, NotEntered, answered, Failed, WebsiteSignInUnavailable, NotApplied, impossible, SameKey, ""},
}

// scriptWrites: the row's script declares a write. O67, O69, O72 and O73 are runs without a declared effect whose script declares none.
func (r row) scriptWrites() bool {
	return r.declared == Write || r.declared == NoEffect && (r.marks != Undeclared || r.name == "O68")
}

// facts of a row: what a host would have noted.
func (r row) facts(scriptWrites bool) Facts {
	f := Facts{
		Stage: Operation, Declared: r.declared, ScriptWrites: scriptWrites, State: r.state, Marks: r.marks, PopupUnanswered: r.popup, Reported: true,
		Refusals: Refusals{reasons: []string{"too_late", "over_limit"}},
	}
	if scriptWrites {
		f.Confirmation = "readback"
	}
	f.Seen.Acted = r.state != Nothing
	if r.state == Verified {
		f.Recorded = "readback"
	}
	f.End = Threw
	switch r.cause {
	case valid:
		f.End, f.Output = Returned, json.RawMessage(`{"n":1}`)
	case invalid:
		f.End, f.Output, f.OutputIssues = Returned, json.RawMessage(`{"n":"one"}`), []string{"n: must be a number"}
	case invalidLost:
		f.End, f.OutputIssues, f.OutputLost = Returned, []string{"n: must be a number"}, true
	case refusal:
		f.End, f.Output = Returned, json.RawMessage(`{"status":"refused","reason":"too_late"}`)
	case undeclaredRefusal:
		f.End, f.Output, f.OutputIssues = Returned, json.RawMessage(`{"status":"refused"}`), []string{"reason: is required"}
	case other:
		f.Thrown = Thrown{Tag: "OperationFailure", Message: "the button is gone", Frame: "src/tool.mjs:12"}
	case invalidInput:
		f.Thrown = Thrown{Tag: "InvalidInput", Message: "no such plot", Field: "plot", Kind: "not_listed", Available: []string{"A01", "B07"}}
	case badLogin:
		f.Thrown = Thrown{Tag: "CredentialsRejected", Code: "CredentialsRejected", Field: "account_number"}
	case notApplied:
		f.Thrown = Thrown{Tag: "InputNotApplied", Field: "city", Requested: "Lyon", Applied: "Paris", Step: "set-city", Message: "the site kept its own city"}
	case ownQuestion:
		f.Thrown = Thrown{Tag: "ScriptInputFailure", Code: "NoResponse"}
		f.Questions = []string{"go_ahead"}
	case signedOut:
		f.Thrown = Thrown{Tag: "OperationFailure", Message: "signed out", SessionLoss: "session_not_kept"}
	case lost:
		f.End, f.Reported, f.Cause = Lost, false, "worker_lost"
	}
	return f
}

func (r row) check(t *testing.T, f Facts) Outcome {
	t.Helper()
	got := Classify(f)
	want := Outcome{Status: r.status, Code: r.code, WriteStatus: r.write, Retry: r.retry}
	if r.output == kept {
		want.Output = f.Output
	}
	if r.possible != silent {
		yes := r.possible == possible
		want.PossibleCommit = &yes
	}
	bare := got
	bare.Error, bare.Details = "", Details{}
	if diff := cmp.Diff(want, bare); diff != "" {
		t.Errorf("%s: outcome (-want +got):\n%s", r.name, diff)
	}
	if (got.Error == "") != (got.Status == Completed) {
		t.Errorf("%s: status %s with error %q", r.name, got.Status, got.Error)
	}
	return got
}

func TestEveryOperationRowEndsAsTheTableSays(t *testing.T) {
	if len(operationRows) != 75 {
		t.Fatalf("%d rows, the table has 74 and O18b", len(operationRows))
	}
	for _, r := range operationRows {
		scriptWrites := r.scriptWrites()
		r.check(t, r.facts(scriptWrites))
		if r.declared == Write {
			// Our deviation: a run declared "read" whose script declares a write is judged as that write, thrown or returned.
			asRead := r
			asRead.name, asRead.declared = r.name+" declared read", Read
			asRead.check(t, asRead.facts(true))
		}
		if r.cause == undeclaredRefusal {
			fits := r.facts(true)
			fits.OutputIssues, fits.Refusals = nil, Refusals{Unreadable: true}
			r.check(t, fits)
		}
		if r.cause == invalidLost {
			thrown := r.facts(true)
			thrown.End, thrown.OutputLost, thrown.Thrown = Threw, false, Thrown{Tag: "InvalidOutput"}
			r.check(t, thrown)
		}
		if r.cause == invalidInput {
			file := r.facts(scriptWrites)
			file.Thrown = Thrown{Tag: "OperationFailure", Code: "FileRefused:too_large", Message: "file refused"}
			got := r.check(t, file)
			if got.Details.Reason != "too_large" {
				t.Errorf("%s: details.reason %q", r.name, got.Details.Reason)
			}
		}
	}
}

func TestRunsStoppedBeforeTheirOperation(t *testing.T) {
	rows := []struct {
		name  string
		facts Facts
		code  Code
		retry Retry
	}{
		{"B1", Facts{End: Unprepared, Thrown: Thrown{Message: "the address has a password in it"}}, ExecutionFailed, Never},
		{"B1 by the clock", Facts{End: Lost, Cause: "deadline"}, ExecutionFailed, Never},
		{"B2", Facts{End: Unanswered, Questions: []string{"workspace"}}, NoResponse, NewKey},
		{"B3", Facts{End: Refused, Thrown: Thrown{Field: "cursor", Kind: "expired"}}, InputRejected, FixInput},
	}
	for _, r := range rows {
		for _, run := range []struct {
			declared Effect
			writes   bool
			status   WriteStatus
		}{{Read, false, ""}, {NoEffect, false, ""}, {NoEffect, true, ""}, {Write, true, NotAttempted}, {Read, true, NotAttempted}} {
			f := r.facts
			f.Stage, f.Declared, f.ScriptWrites = BeforeOperation, run.declared, run.writes
			got := Classify(f)
			no := false
			want := Outcome{Status: Failed, Code: r.code, WriteStatus: run.status, PossibleCommit: &no, Retry: r.retry}
			bare := got
			bare.Error, bare.Details = "", Details{}
			if diff := cmp.Diff(want, bare); diff != "" {
				t.Errorf("%s declared %q: (-want +got):\n%s", r.name, run.declared, diff)
			}
			if got.Details.Field != f.Thrown.Field || got.Details.Kind != f.Thrown.Kind || got.Details.Cause != f.Cause {
				t.Errorf("%s: details %+v", r.name, got.Details)
			}
		}
	}
}

// The seen column corrects the reported one in two cases only.
func TestWhatTheHostSawCorrectsWhatWasReported(t *testing.T) {
	confirmed := row{declared: Write, cause: valid, state: Verified, marks: Entered}
	f := confirmed.facts(true)

	f.Seen = Seen{Acted: true, Reopened: true}
	if got := Classify(f); got.Code != OutcomeUnknown || got.WriteStatus != MayHaveApplied || got.Output == nil {
		t.Errorf("an input after the confirmation: %+v", got)
	}

	f.Seen = Seen{}
	if got := Classify(f); got.Status != Completed || got.WriteStatus != NotAttempted {
		t.Errorf("a confirmation of nothing seen: %+v", got)
	}
	for _, seen := range []Seen{{Acted: true}, {Placed: true}, {Sent: true}, {Answered: true}} {
		f.Seen = seen
		if got := Classify(f); got.WriteStatus != Applied {
			t.Errorf("a confirmation with %+v seen: %+v", seen, got)
		}
	}

	died := row{declared: Write, cause: lost, state: Possible, marks: Entered}.facts(true)
	died.Seen = Seen{}
	if got := Classify(died); got.Code != ExecutionFailed || got.WriteStatus != NotAttempted {
		t.Errorf("a worker that died before anything was seen: %+v", got)
	}

	plain := row{declared: NoEffect, cause: other, state: Possible, marks: Undeclared}.facts(false)
	plain.Seen = Seen{}
	if got := Classify(plain); got.Code != ExecutionFailed || *got.PossibleCommit || got.WriteStatus != "" {
		t.Errorf("a run of unknown effect in which nothing was seen: %+v", got)
	}

	refused := row{declared: Write, cause: refusal, state: Possible, marks: NotEntered}.facts(true)
	refused.Seen = Seen{}
	if got := Classify(refused); got.Status != Completed || got.WriteStatus != NotAttempted || got.PossibleCommit == nil {
		t.Errorf("a refusal in which nothing was seen: %+v", got)
	}
}

func TestARunThatIsNotReportedProvesNothing(t *testing.T) {
	// A result or an error that overtakes a request of its own run is not a report.
	returned := row{declared: Write, cause: valid, state: Possible, marks: NotEntered}.facts(true)
	returned.Reported = false
	if got := Classify(returned); got.Code != OutcomeUnknown || got.WriteStatus != MayHaveApplied || got.Output != nil {
		t.Errorf("a return with a request outstanding: %+v", got)
	}
	read := row{declared: Read, cause: valid, state: Possible, marks: Undeclared}.facts(false)
	read.Reported = false
	if got := Classify(read); got.Code != ExecutionFailed || got.WriteStatus != "" {
		t.Errorf("a read's return with a request outstanding: %+v", got)
	}
	threw := row{declared: Write, cause: invalidInput, state: Possible, marks: NotEntered}.facts(true)
	threw.Reported = false
	if got := Classify(threw); got.Code != InputRejected || got.WriteStatus != MayHaveApplied || !*got.PossibleCommit {
		t.Errorf("an error with a request outstanding: %+v", got)
	}
	// Marks that cannot be read prove no more than entered ones.
	for _, cause := range []string{other, signedOut, lost} {
		f := row{declared: Write, cause: cause, state: Possible, marks: Unreported}.facts(true)
		if got := Classify(f); got.Code != OutcomeUnknown || got.WriteStatus != MayHaveApplied {
			t.Errorf("%s with unreadable marks: %+v", cause, got)
		}
	}
}

func TestAReturnedWriteNeedsItsRecordedConfirmation(t *testing.T) {
	f := row{declared: Write, cause: valid, state: Verified, marks: Entered}.facts(true)
	f.Recorded = ""
	if got := Classify(f); got.Code != OutcomeUnknown || got.WriteStatus != MayHaveApplied {
		t.Errorf("verified without a kind: %+v", got)
	}
	f.End, f.Thrown = Threw, Thrown{Tag: "OperationFailure"}
	if got := Classify(f); got.Code != ExecutionFailed || got.WriteStatus != Applied {
		t.Errorf("the same, thrown: %+v", got)
	}
}

func TestACaughtQuestionIsNotTheEndOfTheRun(t *testing.T) {
	f := row{declared: Read, cause: other, state: Possible, marks: Undeclared}.facts(false)
	f.Questions = []string{"time"}
	if got := Classify(f); got.Code != ExecutionFailed || got.Details.Questions != nil {
		t.Errorf("a script that failed otherwise after its question: %+v", got)
	}
	f.Thrown = Thrown{Tag: "ScriptInputFailure", Code: "Unavailable"}
	if got := Classify(f); got.Code != ExecutionFailed {
		t.Errorf("a question nobody could be asked: %+v", got)
	}
}

// TestSentences checks, over every row, what an error may and must say.
func TestSentences(t *testing.T) {
	for _, r := range operationRows {
		f := r.facts(r.scriptWrites())
		got := Classify(f)
		if got.Status == Completed {
			continue
		}
		text := got.Error
		readBack := strings.Contains(text, "Read the site back")
		repeats := strings.Contains(text, "call again") || strings.Contains(text, "Call again") || strings.Contains(text, "new run") || strings.Contains(text, "may be repeated")
		uncertain := *got.PossibleCommit || got.WriteStatus == MayHaveApplied
		switch {
		case uncertain != readBack:
			t.Errorf("%s: reading the site back: %q", r.name, text)
		case got.WriteStatus == Applied && repeats:
			t.Errorf("%s: tells to repeat a write that was made: %q", r.name, text)
		case got.Retry == Never && repeats:
			t.Errorf("%s: tells to repeat what must not be: %q", r.name, text)
		case got.Retry != Never && !repeats:
			t.Errorf("%s: does not say that it may be repeated: %q", r.name, text)
		case r.declared == Read && !strings.Contains(text, "Nothing was changed"):
			t.Errorf("%s: a read changes nothing: %q", r.name, text)
		case strings.Contains(text, ".."), strings.Contains(text, "  "), !strings.HasSuffix(text, "."):
			t.Errorf("%s: punctuation: %q", r.name, text)
		}
	}
}

func TestEveryCauseHasItsWords(t *testing.T) {
	for _, cause := range []string{"deadline", "call_timeout", "out_of_memory", "worker_lost", "browser_lost", "tab_crashed", "never_settles", "flooded", "cancelled", "jail_failed", "something_new"} {
		f := row{declared: Read, cause: lost, state: Possible, marks: Undeclared}.facts(false)
		f.Cause = cause
		got := Classify(f)
		if got.Details.Cause != cause || !strings.Contains(got.Error, "Nothing was changed") {
			t.Errorf("%s: %+v", cause, got)
		}
	}
}

func TestLongWordsOfAScriptAreCut(t *testing.T) {
	f := row{declared: Read, cause: other, state: Possible, marks: Undeclared}.facts(false)
	f.Thrown.Message = strings.Repeat("é", 5000)
	if got := Classify(f); len(got.Error) > maxMessage+300 || strings.Contains(got.Error, "\ufffd") {
		t.Errorf("%d bytes", len(got.Error))
	}
}

func TestOutcomeAsJSON(t *testing.T) {
	rows := []struct {
		name string
		f    Facts
		want string
	}{
		{"completed read", row{declared: Read, cause: valid, state: Possible, marks: Undeclared}.facts(false),
			`{"status":"completed","output":{"n":1}}`},
		{"declared refusal", row{declared: Write, cause: refusal, state: Possible, marks: NotEntered}.facts(true),
			`{"status":"completed","output":{"status":"refused","reason":"too_late"},"write_status":"not_applied","possible_commit":false}`},
		{"unconfirmed write", row{declared: Write, cause: valid, state: Possible, marks: Entered}.facts(true),
			`{"status":"failed","output":{"n":1},"code":"outcome_unknown","write_status":"may_have_applied","possible_commit":true,"retry":"never",` +
				`"error":"The tool returned without confirming its write. The write may have been made. ` +
				`Read the site back first, and do not repeat the call on the strength of this answer."}`},
		{"failed read", row{declared: Read, cause: invalidInput, state: Possible, marks: Undeclared}.facts(false),
			`{"status":"failed","code":"input_rejected","write_status":null,"possible_commit":false,"retry":"fix_input",` +
				`"error":"The input field \"plot\" was refused: no such plot. Nothing was changed on the site. Call again with one of the values the site offers: \"A01\", \"B07\".",` +
				`"details":{"field":"plot","available":["A01","B07"],"kind":"not_listed"}}`},
	}
	for _, r := range rows {
		o := Classify(r.f)
		got, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != r.want {
			t.Errorf("%s:\n got %s\nwant %s", r.name, got, r.want)
		}
	}
	angle, err := Outcome{Status: Completed, Output: json.RawMessage(`"<b>"`)}.MarshalJSON()
	if err != nil || string(angle) != `{"status":"completed","output":"<b>"}` {
		t.Errorf("%s, %v", angle, err)
	}
}
