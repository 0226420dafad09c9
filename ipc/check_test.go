package ipc

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

// Every field that can hold more than its kind's zero has a line in the table, and every line has a field.
func TestEveryFieldHasARule(t *testing.T) {
	seen := map[protoreflect.FullName]bool{}
	messages := workerpb.File_worker_proto.Messages()
	for i := range messages.Len() {
		fields := messages.Get(i).Fields()
		for j := range fields.Len() {
			field := fields.Get(j)
			_, ruled := rules()[field.FullName()]
			needs := field.IsList()
			switch field.Kind() {
			case protoreflect.BoolKind, protoreflect.MessageKind:
			case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Int64Kind:
				needs = true
			default:
				t.Errorf("%s is of kind %s, which checkValue does not know", field.FullName(), field.Kind())
			}
			if field.IsMap() {
				t.Errorf("%s is a map, which walk does not know", field.FullName())
			}
			if needs != ruled {
				t.Errorf("%s: needs a rule %v, has one %v", field.FullName(), needs, ruled)
			}
			seen[field.FullName()] = true
		}
	}
	for name := range rules() {
		if !seen[name] {
			t.Errorf("rule for %s, which is no field", name)
		}
	}
}

// A list's entries are checked one by one, so a list of texts that may hold nothing would be a rule forgotten.
func TestEveryListHasABound(t *testing.T) {
	messages := workerpb.File_worker_proto.Messages()
	for i := range messages.Len() {
		fields := messages.Get(i).Fields()
		for j := range fields.Len() {
			if field := fields.Get(j); field.IsList() && rules()[field.FullName()].list == 0 {
				t.Errorf("%s has no bound on its length", field.FullName())
			}
		}
	}
}

func ready(layers ...string) *workerpb.WorkerMessage {
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Ready{Ready: &workerpb.Ready{Jail: layers}}}
}

func request(r *workerpb.Request) *workerpb.WorkerMessage {
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Request{Request: r}}
}

func journal(j *workerpb.Journal) *workerpb.WorkerMessage {
	return request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_Journal{Journal: j}})
}

func ask(questions ...*workerpb.Question) *workerpb.WorkerMessage {
	return request(&workerpb.Request{Id: 7, Kind: &workerpb.Request_Ask{Ask: &workerpb.Ask{Questions: questions}}})
}

func options(ids ...string) (list []*workerpb.Option) {
	for _, id := range ids {
		list = append(list, &workerpb.Option{Id: id, Label: "L" + id})
	}
	return list
}

func result(r *workerpb.Result) *workerpb.WorkerMessage {
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Result{Result: r}}
}

func failure(f *workerpb.Failure) *workerpb.WorkerMessage {
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Failure{Failure: f}}
}

func bundled(b *workerpb.Bundled) *workerpb.WorkerMessage {
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Bundled{Bundled: b}}
}

func workerChunk(c *workerpb.Chunk) *workerpb.WorkerMessage {
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Chunk{Chunk: c}}
}

func contract() *workerpb.Contract {
	return &workerpb.Contract{Name: "op", InputSchema: "{}", OutputSchema: `{"type":"object"}`, Questions: "{}", Form: "kernel"}
}

func TestCheckWorker(t *testing.T) {
	dialog := &workerpb.Dialog{Step: "confirm-order_1", Type: "confirm", Message: "Sure?", Url: "https://example.org/"}
	tests := []struct {
		name    string
		message *workerpb.WorkerMessage
		field   string // the violation's field; "ok" when there is none
	}{
		{"ready", ready("rlimits", "seccomp"), "ok"},
		{"ready without a jail", ready(), "ok"},
		{"unknown layer", ready("chroot"), "ready.jail[0]"},
		{"empty layer", ready(""), "ready.jail[0]"},
		{"layer twice", ready("seccomp", "seccomp"), "ready"},
		{"no kind", &workerpb.WorkerMessage{}, ""},
		{"no request kind", request(&workerpb.Request{Id: 1}), "request"},
		{"request id 0", request(&workerpb.Request{Kind: &workerpb.Request_NewContext{NewContext: &workerpb.NewContext{}}}), "request.id"},
		{"request", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_NewContext{NewContext: &workerpb.NewContext{}}}), "ok"},
		{"request id past int64", request(&workerpb.Request{Id: 1 << 63, Kind: &workerpb.Request_SignIn{SignIn: &workerpb.SignIn{}}}), "request.id"},

		{"no journal event", journal(&workerpb.Journal{}), "request.journal"},
		{"dispatch", journal(&workerpb.Journal{Event: &workerpb.Journal_Dispatch{Dispatch: true}}), "ok"},
		{"dispatch false", journal(&workerpb.Journal{Event: &workerpb.Journal_Dispatch{}}), "request.journal.dispatch"},
		{"execute without end", journal(&workerpb.Journal{Event: &workerpb.Journal_ExecuteBegin{}}), "request.journal.execute_begin"},
		{"execute", journal(&workerpb.Journal{Event: &workerpb.Journal_ExecuteBegin{ExecuteBegin: 60_000}}), "ok"},
		{"commit name", journal(&workerpb.Journal{Event: &workerpb.Journal_EnteringCommit{EnteringCommit: "place-order2"}}), "ok"},
		{"commit name with two joints", journal(&workerpb.Journal{Event: &workerpb.Journal_EnteringCommit{EnteringCommit: "place--order"}}), "request.journal.entering_commit"},
		{"commit name ends in a joint", journal(&workerpb.Journal{Event: &workerpb.Journal_EnteringCommit{EnteringCommit: "place-"}}), "request.journal.entering_commit"},
		{"no commit name", journal(&workerpb.Journal{Event: &workerpb.Journal_EnteringCommit{}}), "request.journal.entering_commit"},
		{"long commit name", journal(&workerpb.Journal{Event: &workerpb.Journal_EnteringCommit{EnteringCommit: strings.Repeat("a", 49)}}), "request.journal.entering_commit"},
		{"verified", journal(&workerpb.Journal{Event: &workerpb.Journal_Verified{Verified: "readback"}}), "ok"},
		{"verified as unverifiable", journal(&workerpb.Journal{Event: &workerpb.Journal_Verified{Verified: "unverifiable"}}), "request.journal.verified"},
		{"too many commits", journal(&workerpb.Journal{Event: &workerpb.Journal_DeclareCommits{DeclareCommits: &workerpb.DeclareCommits{Names: strings.Split(strings.Repeat("a,", 64)+"a", ",")}}}), "request.journal.declare_commits.names"},

		{"choice", ask(&workerpb.Question{Id: "seat", Type: "choice", Prompt: "Which?", Options: options("o1", "o2")}), "ok"},
		{"nothing asked", ask(), "request.ask"},
		{"nine questions", ask(make([]*workerpb.Question, 9)...), "request.ask.questions"},
		{"question twice", ask(&workerpb.Question{Id: "a", Type: "text", Prompt: "?"}, &workerpb.Question{Id: "a", Type: "text", Prompt: "?"}), "request.ask"},
		{"choice without options", ask(&workerpb.Question{Id: "seat", Type: "choice", Prompt: "Which?"}), "request.ask.questions[0]"},
		{"text with options", ask(&workerpb.Question{Id: "seat", Type: "text", Prompt: "Which?", Options: options("o1")}), "request.ask.questions[0]"},
		{"option twice", ask(&workerpb.Question{Id: "seat", Type: "choice", Prompt: "Which?", Options: options("o1", "o1")}), "request.ask.questions[0]"},
		{"option o0", ask(&workerpb.Question{Id: "seat", Type: "choice", Prompt: "Which?", Options: options("o0")}), "request.ask.questions[0].options[0].id"},
		{"unknown type", ask(&workerpb.Question{Id: "seat", Type: "rating", Prompt: "Which?"}), "request.ask.questions[0].type"},
		{"prompt of 2000 characters", ask(&workerpb.Question{Id: "q", Type: "text", Prompt: strings.Repeat("ä", 2000)}), "ok"},
		{"prompt of 2001 characters", ask(&workerpb.Question{Id: "q", Type: "text", Prompt: strings.Repeat("a", 2001)}), "request.ask.questions[0].prompt"},
		{"prompt of 1001 pairs", ask(&workerpb.Question{Id: "q", Type: "text", Prompt: strings.Repeat("😀", 1001)}), "request.ask.questions[0].prompt"},
		{"question id with a capital", ask(&workerpb.Question{Id: "Seat", Type: "text", Prompt: "?"}), "request.ask.questions[0].id"},
		{"more selections than options", ask(&workerpb.Question{Id: "q", Type: "multi_choice", Prompt: "?", Options: options("o1"), MinSelections: proto.Uint32(2)}), "request.ask.questions[0]"},
		{"selections crossed", ask(&workerpb.Question{Id: "q", Type: "multi_choice", Prompt: "?", Options: options("o1", "o2"), MinSelections: proto.Uint32(2), MaxSelections: proto.Uint32(1)}), "request.ask.questions[0]"},
		{"secret", ask(&workerpb.Question{Id: "q", Type: "secret", Prompt: "?", SecretKind: "totp", MaxLength: proto.Uint32(8)}), "ok"},
		{"secret of no kind", ask(&workerpb.Question{Id: "q", Type: "secret", Prompt: "?"}), "request.ask.questions[0]"},
		{"text of length 0", ask(&workerpb.Question{Id: "q", Type: "text", Prompt: "?", MaxLength: proto.Uint32(0)}), "request.ask.questions[0].max_length"},
		{"follow-up on text", ask(&workerpb.Question{Id: "q", Type: "text", Prompt: "?", FollowUp: &workerpb.FollowUp{Prompt: "?"}}), "request.ask.questions[0]"},

		{"dialog", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_Dialog{Dialog: dialog}}), "ok"},
		{"log of 4097 bytes", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_Log{Log: &workerpb.Log{Text: strings.Repeat("x", 4097)}}}), "request.log.text"},
		{"log of bad UTF-8", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_Log{Log: &workerpb.Log{Text: "a\xffb"}}}), "request.log.text"},
		{"cookies that are no array", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_Storage{Storage: &workerpb.Storage{ContextId: "C", Op: &workerpb.Storage_SetCookies{SetCookies: "{}"}}}}), "request.storage.set_cookies"},
		{"no storage op", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_Storage{Storage: &workerpb.Storage{ContextId: "C"}}}), "request.storage"},
		{"context id with a slash", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_CloseContext{CloseContext: &workerpb.CloseContext{ContextId: "../x"}}}), "request.close_context.context_id"},
		{"permissions that grant and reset", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_Permissions{Permissions: &workerpb.Permissions{ContextId: "C", Reset_: true, Granted: []string{"geolocation"}}}}), "request.permissions"},
		{"download op", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_Download{Download: &workerpb.Download{Guid: "g", Op: "save"}}}), "request.download.op"},
		{"a session without a node", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_FilePlace{FilePlace: &workerpb.FilePlace{Reference: "r", SessionId: "S", TimeoutMs: 1}}}), "request.file_place"},
		{"negative node", request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_FilePlace{FilePlace: &workerpb.FilePlace{Reference: "r", SessionId: "S", BackendNodeId: -1}}}), "request.file_place.backend_node_id"},

		{"chunk", workerChunk(&workerpb.Chunk{Blob: 1, Data: make([]byte, MaxChunk)}), "ok"},
		{"chunk too large", workerChunk(&workerpb.Chunk{Blob: 1, Data: make([]byte, MaxChunk+1)}), "chunk.data"},
		{"chunk of blob 0", workerChunk(&workerpb.Chunk{Data: []byte("x")}), "chunk.blob"},
		{"empty chunk in between", workerChunk(&workerpb.Chunk{Blob: 1}), "chunk"},

		{"bundled", bundled(&workerpb.Bundled{Contract: contract(), ScriptBlob: 1, SourceMapBlob: 2}), "ok"},
		{"bundled programs", bundled(&workerpb.Bundled{SdkBlob: 1, InjectBlob: 2}), "ok"},
		{"bundled error", bundled(&workerpb.Bundled{Error: &workerpb.SourceError{Code: "syntax_error", Message: "Unexpected }", File: "a.ts", Line: 3, Column: 1}}), "ok"},
		{"bundled error and contract", bundled(&workerpb.Bundled{Contract: contract(), ScriptBlob: 1, Error: &workerpb.SourceError{Code: "syntax_error", Message: "m"}}), "bundled"},
		{"contract without script", bundled(&workerpb.Bundled{Contract: contract()}), "bundled"},
		{"unknown source code", bundled(&workerpb.Bundled{Error: &workerpb.SourceError{Code: "ugly", Message: "m"}}), "bundled.error.code"},
		{"schema that is no object", bundled(&workerpb.Bundled{ScriptBlob: 1, Contract: &workerpb.Contract{InputSchema: "true", OutputSchema: "{}", Questions: "{}", Form: "http"}}), "bundled.contract.input_schema"},

		{"result", result(&workerpb.Result{OutputBlob: 3, HasOutput: true, Stdout: "hi\n"}), "ok"},
		{"result without output", result(&workerpb.Result{}), "ok"},
		{"result with long output", result(&workerpb.Result{StdoutBlob: 1, Stderr: "short"}), "ok"},
		{"stdout twice", result(&workerpb.Result{StdoutBlob: 1, Stdout: "x"}), "result"},
		{"stderr twice", failure(&workerpb.Failure{Tag: "Defect", StderrBlob: 1, Stderr: "x"}), "failure"},
		{"output announced and absent", result(&workerpb.Result{HasOutput: true}), "result"},
		{"output present and denied", result(&workerpb.Result{OutputBlob: 3}), "result"},
		{"failure", failure(&workerpb.Failure{Tag: "InvalidInput", Message: "m", Dispatch: "not_sent", Detail: &workerpb.RefusalDetail{Field: "seat", Available: []string{"A1"}, Kind: "sold_out"}}), "ok"},
		{"failure without a tag", failure(&workerpb.Failure{Message: "m"}), "failure.tag"},
		{"unknown tag", failure(&workerpb.Failure{Tag: "Oops"}), "failure.tag"},
		{"unknown cause", failure(&workerpb.Failure{Tag: "unclassified", Cause: "bored"}), "failure.cause"},
		{"unknown dispatch", failure(&workerpb.Failure{Tag: "unclassified", Dispatch: "maybe"}), "failure.dispatch"},
		{"kind with a dash", failure(&workerpb.Failure{Tag: "unclassified", Detail: &workerpb.RefusalDetail{Kind: "sold-out"}}), "failure.detail.kind"},
		{"21 issues", failure(&workerpb.Failure{Tag: "InvalidInput", InputIssues: make([]*workerpb.InputIssue, 21)}), "failure.input_issues"},
		{"unknown issue", failure(&workerpb.Failure{Tag: "InvalidInput", InputIssues: []*workerpb.InputIssue{{Path: "a", Issue: "odd"}}}), "failure.input_issues[0].issue"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectViolation(t, CheckWorker(test.message), test.field)
		})
	}
	expectViolation(t, CheckWorker(nil), "")
}

func reply(r *workerpb.Reply) *workerpb.HostMessage {
	return &workerpb.HostMessage{Kind: &workerpb.HostMessage_Reply{Reply: r}}
}

func start(s *workerpb.Start) *workerpb.HostMessage {
	return &workerpb.HostMessage{Kind: &workerpb.HostMessage_Start{Start: s}}
}

func bundle(b *workerpb.Bundle) *workerpb.HostMessage {
	return &workerpb.HostMessage{Kind: &workerpb.HostMessage_Bundle{Bundle: b}}
}

func TestCheckHost(t *testing.T) {
	operation := &workerpb.Start_Operation{Operation: &workerpb.Operation{ScriptBlob: 3, InputBlob: 4, SiteOrigin: "https://example.org"}}
	tests := []struct {
		name    string
		message *workerpb.HostMessage
		field   string
	}{
		{"no kind", &workerpb.HostMessage{}, ""},
		{"stop", &workerpb.HostMessage{Kind: &workerpb.HostMessage_Stop{Stop: &workerpb.Stop{Cause: "deadline"}}}, "ok"},
		{"stop without a cause", &workerpb.HostMessage{Kind: &workerpb.HostMessage_Stop{Stop: &workerpb.Stop{}}}, "ok"},
		{"stop for an unknown cause", &workerpb.HostMessage{Kind: &workerpb.HostMessage_Stop{Stop: &workerpb.Stop{Cause: "why"}}}, "stop.cause"},
		{"bundle", bundle(&workerpb.Bundle{FilesBlob: 1, Entrypoint: "src/op.ts"}), "ok"},
		{"bundle of programs", bundle(&workerpb.Bundle{Programs: true}), "ok"},
		{"bundle of nothing", bundle(&workerpb.Bundle{}), "bundle"},
		{"files without entrypoint", bundle(&workerpb.Bundle{FilesBlob: 1, Programs: true}), "bundle"},
		{"start", start(&workerpb.Start{Work: operation, SessionId: "s", RemainingMs: 5, ContextId: "C"}), "ok"},
		{"programs", &workerpb.HostMessage{Kind: &workerpb.HostMessage_Programs{Programs: &workerpb.Programs{SdkBlob: 1, InjectBlob: 2, EvaluatorBlob: 3, ClockBlob: 4}}}, "ok"},
		{"programs without the engine's", &workerpb.HostMessage{Kind: &workerpb.HostMessage_Programs{Programs: &workerpb.Programs{SdkBlob: 1, EvaluatorBlob: 3, ClockBlob: 4}}}, "programs.inject_blob"},
		{"start without work", start(&workerpb.Start{SessionId: "s"}), "start"},
		{"start without session", start(&workerpb.Start{Work: operation}), "start.session_id"},
		{"negative clock", start(&workerpb.Start{Work: operation, SessionId: "s", RemainingMs: -1}), "start.remaining_ms"},
		{"page code without code", start(&workerpb.Start{Work: &workerpb.Start_PageCode{PageCode: &workerpb.PageCode{TimeoutMs: 1}}, SessionId: "s"}), "start.page_code.code_blob"},
		{"a file refused", reply(&workerpb.Reply{Id: 1, Code: "FileRefused:too_large"}), "ok"},
		{"a file refused on a whim", reply(&workerpb.Reply{Id: 1, Code: "FileRefused:whim"}), "reply.code"},
		{"reply without value", reply(&workerpb.Reply{Id: 1}), "ok"},
		{"reply", reply(&workerpb.Reply{Id: 1, Value: &workerpb.Reply_NewPage{NewPage: &workerpb.NewPageReply{TargetId: "T"}}}), "ok"},
		{"refusal", reply(&workerpb.Reply{Id: 1, Code: "NotYours", Message: "m"}), "ok"},
		{"unknown refusal", reply(&workerpb.Reply{Id: 1, Code: "Nope"}), "reply.code"},
		{"refusal with value", reply(&workerpb.Reply{Id: 1, Code: "NotYours", Value: &workerpb.Reply_NewPage{NewPage: &workerpb.NewPageReply{TargetId: "T"}}}), "reply"},
		{"answers that are no object", reply(&workerpb.Reply{Id: 1, Value: &workerpb.Reply_Ask{Ask: &workerpb.AskReply{Answers: "[]"}}}), "reply.ask.answers"},
		{"answers that are no JSON", reply(&workerpb.Reply{Id: 1, Value: &workerpb.Reply_Ask{Ask: &workerpb.AskReply{Answers: "{"}}}), "reply.ask.answers"},
		{"nested answers", reply(&workerpb.Reply{Id: 1, Value: &workerpb.Reply_Ask{Ask: &workerpb.AskReply{Answers: `{"a":` + strings.Repeat("[", 1<<19) + "}"}}}), "reply.ask.answers"},
		{"dialog with an empty text", reply(&workerpb.Reply{Id: 1, Value: &workerpb.Reply_Dialog{Dialog: &workerpb.DialogReply{Accept: true, PromptText: proto.String("")}}}), "ok"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectViolation(t, CheckHost(test.message), test.field)
		})
	}
	expectViolation(t, CheckHost(nil), "")
}

func expectViolation(t *testing.T, err error, field string) {
	t.Helper()
	if field == "ok" {
		if err != nil {
			t.Fatalf("refused: %v", err)
		}
		return
	}
	var violation *Violation
	if !errors.As(err, &violation) {
		t.Fatalf("got %v, want a violation of %q", err, field)
	}
	if violation.Field != field {
		t.Fatalf("violation of %q (%v), want %q", violation.Field, err, field)
	}
}

func TestUnknownFieldsAreRefusedAtAnyDepth(t *testing.T) {
	unknown := []byte{0xf8, 0x3f, 0x01} // field 1023, varint 1
	deep := &workerpb.FollowUp{Prompt: "?"}
	deep.ProtoReflect().SetUnknown(unknown)
	expectViolation(t, CheckWorker(ask(&workerpb.Question{Id: "q", Type: "confirm", Prompt: "?", FollowUp: deep})), "request.ask.questions[0].follow_up")

	top := ready()
	top.ProtoReflect().SetUnknown(unknown)
	expectViolation(t, CheckWorker(top), "")
}

func TestAMessageOfMoreThanItsLimitIsRefused(t *testing.T) {
	long := strings.Repeat("x", MaxInline)
	m := failure(&workerpb.Failure{Tag: "unclassified", Stdout: long, Stderr: long})
	if err := CheckWorker(m); err != nil {
		t.Fatalf("two full streams: %v", err)
	}
	answers := `{"a":"` + strings.Repeat("x", MaxMessage-MaxErrorText-16) + `"}`
	r := reply(&workerpb.Reply{Id: 1, Message: strings.Repeat("m", MaxErrorText), Value: &workerpb.Reply_Ask{Ask: &workerpb.AskReply{Answers: answers}}})
	expectViolation(t, CheckHost(r), "")
}

func TestAViolationNeverQuotesTheSender(t *testing.T) {
	const secret = "hunter2"
	for _, m := range []*workerpb.WorkerMessage{
		ready(secret), failure(&workerpb.Failure{Tag: secret}),
		ask(&workerpb.Question{Id: "Q" + secret, Type: secret, Prompt: "?"}),
		request(&workerpb.Request{Id: 1, Kind: &workerpb.Request_CloseContext{CloseContext: &workerpb.CloseContext{ContextId: secret + "/"}}}),
	} {
		if err := CheckWorker(m); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("error %v", err)
		}
	}
}

func BenchmarkCheckWorker(b *testing.B) {
	m := journal(&workerpb.Journal{Event: &workerpb.Journal_ExecuteBegin{ExecuteBegin: 60_000}})
	b.ReportAllocs()
	for b.Loop() {
		if err := CheckWorker(m); err != nil {
			b.Fatal(err)
		}
	}
}
