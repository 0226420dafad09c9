package ipc

import (
	"math"
	"strings"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
)

const protoPackage = "pomerado.worker.v1."

// mayBeEmpty names the oneofs that need no member: a Reply that refuses, or that grants something without a value.
func mayBeEmpty(name protoreflect.FullName) bool { return name == protoPackage+"Reply.value" }

// rules is what every field of the wire may hold. A test fails for a text, bytes, number or list field without a line here.
var rules = sync.OnceValue(func() map[protoreflect.FullName]rule {
	var (
		blob         = rule{high: math.MaxUint32}
		neededBlob   = rule{low: 1, high: math.MaxUint32}
		id           = text(MaxID).as(isID, "an id")
		neededID     = id.needed()
		url          = text(MaxURL)
		inline       = text(MaxInline)
		message      = text(MaxErrorText)
		jsonObject   = inline.as(isJSONObject, "a JSON object")
		jsonArray    = inline.as(isJSONArray, "a JSON array")
		commit       = text(MaxCommitName).needed().as(isCommitName, "a commit name")
		confirmation = oneOf("readback", "message", "unverifiable")
		remaining    = rule{high: MaxRemainingMS}
		source       = text(MaxPath)
	)
	table := map[string]rule{
		"Ready.jail": {list: MaxJailLayers, bytes: MaxName, required: true, is: valid[JailLayer], called: "a layer of the jail"},
		"Chunk.blob": neededBlob,
		"Chunk.data": {bytes: MaxChunk},

		"Bundle.files_blob":       blob,
		"Bundle.entrypoint":       source,
		"FileSet.files":           {list: MaxFiles},
		"File.path":               source.needed(),
		"File.content":            {bytes: MaxFile},
		"Bundled.sdk_blob":        blob,
		"Bundled.inject_blob":     blob,
		"Bundled.evaluator_blob":  blob,
		"Bundled.clock_blob":      blob,
		"Bundled.script_blob":     blob,
		"Bundled.source_map_blob": blob,
		"Contract.name":           text(MaxName),
		"Contract.input_schema":   jsonObject.needed(),
		"Contract.output_schema":  jsonObject.needed(),
		"Contract.questions":      jsonObject.needed(),
		"Contract.form":           oneOf("kernel", "http").needed(),

		"WriteDeclaration.confirmation": confirmation.needed(),
		"WriteDeclaration.commits":      commit.times(MaxCommits),

		"SourceError.code":    text(MaxName).needed().as(valid[SourceCode], "a source code of the list"),
		"SourceError.message": message.needed(),
		"SourceError.file":    source,
		"SourceError.line":    {high: MaxSourceLine},
		"SourceError.column":  {high: MaxSourceColumn},

		"Programs.sdk_blob":         blob,
		"Programs.inject_blob":      neededBlob,
		"Programs.evaluator_blob":   neededBlob,
		"Programs.clock_blob":       neededBlob,
		"Start.browser_version":     text(MaxName),
		"Start.session_id":          neededID,
		"Start.remaining_ms":        remaining,
		"Start.context_id":          id,
		"Operation.script_blob":     neededBlob,
		"Operation.source_map_blob": blob,
		"Operation.input_blob":      neededBlob,
		"Operation.site_origin":     url,
		"Operation.site_domain":     text(255),
		"Operation.list_position":   text(MaxListPosition),
		"PageCode.code_blob":        neededBlob,
		"PageCode.timeout_ms":       {low: 1, high: MaxRemainingMS},
		"PageCode.url":              url,
		"Stop.cause":                text(MaxName).as(valid[Cause], "a cause of the list"),

		"Request.id":         {low: 1, high: math.MaxInt64},
		"Reply.id":           {low: 1, high: math.MaxInt64},
		"Reply.code":         text(MaxName).as(valid[RefusalCode], "a refusal of the list"),
		"Reply.message":      message,
		"Reply.remaining_ms": remaining,

		"Journal.execute_begin":       {low: 1, high: MaxRemainingMS},
		"Journal.entering_commit":     commit,
		"Journal.verified":            oneOf("readback", "message").needed(),
		"DeclareCommits.names":        commit.times(MaxCommits),
		"DeclareCommits.confirmation": confirmation,

		"Ask.questions":           {list: MaxQuestions},
		"Question.id":             text(64).needed().as(isQuestionID, "a question id"),
		"Question.type":           oneOf("choice", "multi_choice", "text", "confirm", "secret").needed(),
		"Question.prompt":         chars(MaxPromptChars).needed(),
		"Question.options":        {list: MaxOptions},
		"Question.min_selections": {high: MaxOptions},
		"Question.max_selections": {high: MaxOptions},
		"Question.max_length":     {low: 1, high: MaxAnswerChars},
		"Question.secret_kind":    oneOf("one_time_code", "totp", "private_text"),
		"Option.id":               text(3).needed().as(isOptionID, "an option id"),
		"Option.label":            chars(MaxLabelChars).needed(),
		"Option.masked_label":     chars(MaxMaskedChars),
		"FollowUp.prompt":         chars(MaxPromptChars).needed(),
		"FollowUp.default_text":   chars(MaxAnswerChars),
		"AskReply.answers":        text(MaxMessage-MaxErrorText).needed().as(isJSONObject, "a JSON object"),

		"Dialog.step":             text(100).needed().as(isStep, "a dialog step"),
		"Dialog.type":             oneOf("alert", "confirm", "prompt", "beforeunload").needed(),
		"Dialog.message":          chars(MaxDialogChars),
		"Dialog.url":              url,
		"DialogReply.prompt_text": chars(MaxAnswerChars),

		"Log.text": text(MaxLogLine),

		"NewPage.context_id":         neededID,
		"NewPageReply.target_id":     neededID,
		"ClosePage.target_id":        neededID,
		"NewContextReply.context_id": neededID,
		"CloseContext.context_id":    neededID,
		"Storage.context_id":         neededID,
		"Storage.set_cookies":        jsonArray.needed(),
		"StorageReply.cookies":       jsonArray,
		"Permissions.context_id":     neededID,
		"Permissions.origin":         url,
		"Permissions.granted":        text(64).needed().as(isID, "a permission").times(MaxPermissions),

		"Download.guid":                neededID,
		"Download.op":                  oneOf("wait", "cancel", "delete").needed(),
		"DownloadReply.suggested_name": text(4 * MaxFileName),
		"DownloadReply.url":            url,
		"DownloadReply.state":          oneOf("completed", "canceled"),
		"DownloadReply.failure":        message,

		"FileArmReply.slot":         neededID,
		"FileCollect.slot":          neededID,
		"FileCollect.timeout_ms":    {high: MaxCollectMS},
		"FileCollectReply.file":     jsonObject.needed(),
		"FilePlace.reference":       chars(MaxRefChars).needed(),
		"FilePlace.session_id":      id,
		"FilePlace.backend_node_id": {high: math.MaxInt64},
		"FilePlace.timeout_ms":      {low: 1, high: MaxCallMS},
		"FilePlaceReply.name":       chars(MaxFileName).needed(),
		"FilePlaceReply.media_type": text(MaxFileName),
		"FilePlaceReply.size":       {high: math.MaxInt64},

		"SiteHttp.request_blob":       neededBlob,
		"SiteHttpReply.response_blob": neededBlob,
		"SiteHttpReply.body_blob":     blob,
		"CancelRequest.id":            {low: 1, high: math.MaxInt64},

		"Result.output_blob":   blob,
		"Result.stdout":        inline,
		"Result.stderr":        inline,
		"Result.stdout_blob":   blob,
		"Result.stderr_blob":   blob,
		"Failure.tag":          text(MaxName).needed().as(valid[Tag], "a tag of the list"),
		"Failure.code":         text(MaxName),
		"Failure.message":      inline, // page code's errors carry whole call logs and lists of matches
		"Failure.dispatch":     text(MaxName).as(valid[Dispatch], "a dispatch of the list"),
		"Failure.frame":        text(MaxFrameText),
		"Failure.cause":        text(MaxName).as(valid[Cause], "a cause of the list"),
		"Failure.session_loss": text(MaxName).as(valid[SessionLoss], "a session loss of the list"),
		"Failure.input_issues": {list: MaxInputIssues},
		"Failure.stdout":       inline,
		"Failure.stderr":       inline,
		"Failure.stdout_blob":  blob,
		"Failure.stderr_blob":  blob,

		"RefusalDetail.field":        chars(MaxName),
		"RefusalDetail.available":    chars(MaxName).needed().times(MaxAvailable),
		"RefusalDetail.kind":         text(MaxKind).as(isKind, "a kind"),
		"RefusalDetail.requested":    message,
		"RefusalDetail.applied":      message,
		"RefusalDetail.step":         message,
		"RefusalDetail.site_message": message,
		"RefusalDetail.reason":       message,
		"InputIssue.path":            chars(MaxName),
		"InputIssue.issue":           oneOf("missing", "invalid").needed(),
	}
	full := make(map[protoreflect.FullName]rule, len(table))
	for name, r := range table {
		full[protoreflect.FullName(protoPackage+name)] = r
	}
	return full
})

func text(bytes int) rule { return rule{bytes: bytes} }

// chars bounds a text by JavaScript's count; a character takes at most three bytes a unit.
func chars(units int) rule { return rule{bytes: 3 * units, units: units} }

func oneOf(words ...string) rule {
	return rule{bytes: MaxName, called: "one of " + strings.Join(words, ", "), is: func(s string) bool {
		for _, word := range words {
			if s == word {
				return true
			}
		}
		return false
	}}
}

func (r rule) needed() rule { r.required = true; return r }

func (r rule) times(n int) rule { r.list = n; return r }

func (r rule) as(is func(string) bool, called string) rule { r.is, r.called = is, called; return r }

// valid adapts a closed list to a rule.
func valid[T interface {
	~string
	Valid() bool
}](s string) bool {
	return T(s).Valid()
}

// isID accepts what Chromium and the supervisor use as ids and permission names.
func isID(s string) bool {
	return every(s, func(c byte, _ int) bool { return isAlnum(c) || c == '-' || c == '_' || c == '.' || c == ':' })
}

// isQuestionID is ^[a-z][a-z0-9_]{0,63}$, with the length bounded elsewhere.
func isQuestionID(s string) bool {
	return every(s, func(c byte, i int) bool { return isLower(c) || i > 0 && (isDigit(c) || c == '_') })
}

// isOptionID is o1 to o50, as the SDK numbers them.
func isOptionID(s string) bool {
	return len(s) >= 2 && s[0] == 'o' && s[1] != '0' && every(s[1:], func(c byte, _ int) bool { return isDigit(c) })
}

// isStep is ^[A-Za-z0-9_-]+$.
func isStep(s string) bool {
	return every(s, func(c byte, _ int) bool { return isAlnum(c) || c == '-' || c == '_' })
}

// isCommitName is ^[a-z][a-z0-9]*(-[a-z0-9]+)*$.
func isCommitName(s string) bool { return isWords(s, '-') }

// isKind is ^[a-z][a-z0-9]*(_[a-z0-9]+)*$.
func isKind(s string) bool { return isWords(s, '_') }

func isWords(s string, joint byte) bool {
	return isLower(s[0]) && s[len(s)-1] != joint && every(s, func(c byte, i int) bool {
		return isLower(c) || isDigit(c) || c == joint && s[i-1] != joint
	})
}

func every(s string, ok func(c byte, i int) bool) bool {
	for i := range len(s) {
		if !ok(s[i], i) {
			return false
		}
	}
	return true
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isLower(c) || isDigit(c) || 'A' <= c && c <= 'Z' }
