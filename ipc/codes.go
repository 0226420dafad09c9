package ipc

import "strings"

// Cause says what ended a run when it was not its script's own doing. It goes to an outcome's details.
type Cause string

const (
	CauseDeadline     Cause = "deadline"      // the run's clock ran out
	CauseCallTimeout  Cause = "call_timeout"  // one execute passed its timeout and did not yield
	CauseOutOfMemory  Cause = "out_of_memory" // the worker passed its memory ceiling
	CauseWorkerLost   Cause = "worker_lost"   // the worker's process ended without a word
	CauseBrowserLost  Cause = "browser_lost"  // Chromium ended or stopped answering
	CauseTabCrashed   Cause = "tab_crashed"   // the run's own tab crashed
	CauseNeverSettles Cause = "never_settles" // the script's promise can no longer settle
	CauseFlooded      Cause = "flooded"       // the page or the worker sent more than its queue holds
	CauseCancelled    Cause = "cancelled"     // whoever started the run ended it
	CauseJailFailed   Cause = "jail_failed"   // the worker could not be jailed
)

// Valid reports whether c is on the list.
func (c Cause) Valid() bool {
	switch c {
	case CauseDeadline, CauseCallTimeout, CauseOutOfMemory, CauseWorkerLost, CauseBrowserLost, CauseTabCrashed,
		CauseNeverSettles, CauseFlooded, CauseCancelled, CauseJailFailed:
		return true
	}
	return false
}

// RefusalCode says why the supervisor did not grant a Request.
type RefusalCode string

const (
	Unavailable    RefusalCode = "Unavailable"    // nothing here can serve it: nobody to ask, no such service
	NoResponse     RefusalCode = "NoResponse"     // somebody was asked and did not answer in time
	Unauthorized   RefusalCode = "Unauthorized"   // the run may not have this
	Undeclared     RefusalCode = "Undeclared"     // the operation never declared the question
	InvalidOptions RefusalCode = "InvalidOptions" // the question's options do not fit its type
	InvalidRequest RefusalCode = "InvalidRequest" // the request makes no sense
	NotYours       RefusalCode = "NotYours"       // it names something of another run, or nothing
	LimitExceeded  RefusalCode = "LimitExceeded"  // one more would pass a limit
	BrowserLost    RefusalCode = "BrowserLost"    // Chromium is gone
	Cancelled      RefusalCode = "Cancelled"      // the run is ending
	Expired        RefusalCode = "Expired"        // the run's clock ran out meanwhile
	Unsupported    RefusalCode = "Unsupported"    // this build or this browser cannot do it
)

// FileRefusedPrefix begins the codes of refused files: the reason of spec artifact-and-serving.md §9 stands behind it.
const FileRefusedPrefix = "FileRefused:"

// FileRefused says that a file was refused, for one of the reasons of package operations/file.
func FileRefused(reason string) RefusalCode { return RefusalCode(FileRefusedPrefix + reason) }

// fileRefused reports whether c is the code of a refused file.
func (c RefusalCode) fileRefused() bool {
	reason, ok := strings.CutPrefix(string(c), FileRefusedPrefix)
	switch reason {
	case "unknown_reference", "unavailable", "too_large", "run_limit", "type_mismatch", "executable", "not_accepted", "field_not_found",
		"not_file_input", "other_site", "no_download", "not_collected":
		return ok
	}
	return false
}

// Valid reports whether c is on the list.
func (c RefusalCode) Valid() bool {
	switch c {
	case Unavailable, NoResponse, Unauthorized, Undeclared, InvalidOptions, InvalidRequest, NotYours, LimitExceeded,
		BrowserLost, Cancelled, Expired, Unsupported:
		return true
	}
	return c.fileRefused()
}

// SourceCode says what is wrong with authored source.
type SourceCode string

const (
	SourceUnresolvedImport  SourceCode = "unresolved_import"   // an import names nothing we have
	SourceUnlistedFile      SourceCode = "unlisted_file"       // an import names a file the artifact does not list
	SourceSyntaxError       SourceCode = "syntax_error"        // it does not parse
	SourceUnsupportedSyntax SourceCode = "unsupported_syntax"  // it parses, and our runtime lacks the construct
	SourceMissingExport     SourceCode = "missing_export"      // an import names an export that is not there
	SourceBadContract       SourceCode = "bad_contract"        // the default export is not an operation
	SourceUnknownSchemaName SourceCode = "unknown_schema_name" // it uses a Schema member we lack
	SourceTooLarge          SourceCode = "too_large"           // a file, the set or the bundle passes its limit
	SourceTooDeep           SourceCode = "too_deep"            // it nests deeper than a parser can go
	SourceEvaluationFailed  SourceCode = "evaluation_failed"   // the module threw while loading
)

// Valid reports whether c is on the list.
func (c SourceCode) Valid() bool {
	switch c {
	case SourceUnresolvedImport, SourceUnlistedFile, SourceSyntaxError, SourceUnsupportedSyntax, SourceMissingExport,
		SourceBadContract, SourceUnknownSchemaName, SourceTooLarge, SourceTooDeep, SourceEvaluationFailed:
		return true
	}
	return false
}

// Tag is the kind of error a script ended with: an SDK error's `_tag`, or the runner's own word for the end.
type Tag string

const (
	TagUnclassified Tag = "unclassified" // none of the others

	// Errors a script throws or the SDK raises for it.
	TagOperationFailure          Tag = "OperationFailure"
	TagInvalidInput              Tag = "InvalidInput"
	TagInvalidOutput             Tag = "InvalidOutput"
	TagCredentialsRejected       Tag = "CredentialsRejected"
	TagLocationNotApplied        Tag = "LocationNotApplied"
	TagInputNotApplied           Tag = "InputNotApplied"
	TagChallengeFailure          Tag = "ChallengeFailure"
	TagScriptInputFailure        Tag = "ScriptInputFailure"
	TagDialogFailure             Tag = "DialogFailure"
	TagWriteConfirmationRefused  Tag = "WriteConfirmationRefused"
	TagCommitAlreadySent         Tag = "CommitAlreadySent"
	TagDeadlineExceeded          Tag = "DeadlineExceeded"
	TagFileRefused               Tag = "FileRefused"
	TagHTTPFailure               Tag = "HttpFailure"
	TagEmbeddedJSONFailure       Tag = "EmbeddedJsonFailure"
	TagVariantSelectionFailed    Tag = "VariantSelectionFailed"
	TagWebsiteAuthentication     Tag = "WebsiteAuthenticationFailed"
	TagBrowserFailure            Tag = "BrowserFailure"
	TagBrowserActionTimeout      Tag = "BrowserActionTimeout"
	TagConditionTimeout          Tag = "ConditionTimeout"
	TagTargetPageMismatch        Tag = "TargetPageMismatch"
	TagTargetNotFound            Tag = "TargetNotFound"
	TagTargetAmbiguous           Tag = "TargetAmbiguous"
	TagTargetGuardMismatch       Tag = "TargetGuardMismatch"
	TagTargetGuardUnavailable    Tag = "TargetGuardUnavailable"
	TagCaptureUnavailable        Tag = "CaptureUnavailable"
	TagEventUnavailable          Tag = "EventUnavailable"
	TagFixtureUnavailable        Tag = "FixtureUnavailable"
	TagOfflineFixtureUnavailable Tag = "OfflineFixtureUnavailable"
	TagOfflineTrafficDenied      Tag = "OfflineTrafficDenied"

	// The runner's words.
	TagSourceLoadFailed          Tag = "SourceLoadFailed"
	TagInterrupted               Tag = "Interrupted"
	TagDefect                    Tag = "Defect"
	TagExecutionFailed           Tag = "ExecutionFailed"
	TagCaptureFixtureUnavailable Tag = "CaptureFixtureUnavailable"
	TagBrowserAttachFailure      Tag = "BrowserAttachFailure"
)

// Valid reports whether t is on the list.
func (t Tag) Valid() bool {
	switch t {
	case TagUnclassified, TagOperationFailure, TagInvalidInput, TagInvalidOutput, TagCredentialsRejected, TagLocationNotApplied,
		TagInputNotApplied, TagChallengeFailure, TagScriptInputFailure, TagDialogFailure, TagWriteConfirmationRefused,
		TagCommitAlreadySent, TagDeadlineExceeded, TagFileRefused, TagHTTPFailure, TagEmbeddedJSONFailure,
		TagVariantSelectionFailed, TagWebsiteAuthentication, TagBrowserFailure, TagBrowserActionTimeout, TagConditionTimeout,
		TagTargetPageMismatch, TagTargetNotFound, TagTargetAmbiguous, TagTargetGuardMismatch, TagTargetGuardUnavailable,
		TagCaptureUnavailable, TagEventUnavailable, TagFixtureUnavailable, TagOfflineFixtureUnavailable, TagOfflineTrafficDenied,
		TagSourceLoadFailed, TagInterrupted, TagDefect, TagExecutionFailed, TagCaptureFixtureUnavailable, TagBrowserAttachFailure:
		return true
	}
	return false
}

// Dispatch says whether a failed action had left for the site.
type Dispatch string

const (
	DispatchNotSent Dispatch = "not_sent"
	DispatchSent    Dispatch = "sent"
	DispatchUnknown Dispatch = "unknown"
)

// Valid reports whether d is on the list.
func (d Dispatch) Valid() bool {
	return d == DispatchNotSent || d == DispatchSent || d == DispatchUnknown
}

// SessionLoss says that a run ended because the site's session did not hold.
type SessionLoss string

const (
	SessionNotKept      SessionLoss = "session_not_kept"
	SessionSignInFailed SessionLoss = "session_sign_in_failed"
)

// Valid reports whether s is on the list.
func (s SessionLoss) Valid() bool { return s == SessionNotKept || s == SessionSignInFailed }

// JailLayer is one layer of a worker's jail, as Ready lists them in the order they were applied.
type JailLayer string

const (
	LayerRlimits     JailLayer = "rlimits"
	LayerNoNewPrivs  JailLayer = "no_new_privs"
	LayerNotDumpable JailLayer = "not_dumpable"
	LayerLandlock    JailLayer = "landlock"
	LayerSeccomp     JailLayer = "seccomp"
)

// Valid reports whether l is on the list.
func (l JailLayer) Valid() bool {
	switch l {
	case LayerRlimits, LayerNoNewPrivs, LayerNotDumpable, LayerLandlock, LayerSeccomp:
		return true
	}
	return false
}
