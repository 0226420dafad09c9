package gate

import (
	"errors"
	"time"
)

var (
	// ErrNotYours answers a request for a context, page, session or download that is not the run's.
	ErrNotYours = errors.New("it does not belong to this run")
	// ErrLimit answers a request that would take the run over one of its limits.
	ErrLimit = errors.New("the run has as many as it may have")
	// ErrRefused answers a request the gate's rules do not allow.
	ErrRefused = errors.New("it is not allowed")
	// ErrClosed answers everything after the connection to the browser has ended, or after the run was disposed of.
	ErrClosed = errors.New("the connection to the browser is closed")
	// ErrSessionClosed answers a host's command whose page, frame or web worker is gone.
	ErrSessionClosed = errors.New("the page is gone")
	// ErrCrashed answers a host's command to a page that crashed; Chromium would not answer it.
	ErrCrashed = errors.New("the page crashed")
)

// Seen is the class of an acting frame.
type Seen int

const (
	// SeenInput is a key, mouse, touch or drag event, or inserted text.
	SeenInput Seen = iota + 1
	// SeenNavigation is a navigation, reload or step in the history.
	SeenNavigation
	// SeenScript is code evaluated in a page.
	SeenScript
	// SeenRequest is the page's own request continued, answered or failed by the worker.
	SeenRequest
	// SeenDialog is a native dialog answered.
	SeenDialog
)

func (s Seen) String() string {
	return [...]string{"", "input", "navigation", "script", "request", "dialog"}[s]
}

// Events are what a run's owner is told. Every field may be nil. Seen comes before its frame is handed to Chromium, in the order of the
// worker's frames; the others come in the order of Chromium's events. The functions must return at once and must not wait for the gate.
type Events struct {
	// Seen is an acting frame of the worker that is about to be handed on.
	Seen func(kind Seen, at time.Time, method string)
	// Dialog and DialogClosed are native dialogs of pages whose Page domain is enabled.
	Dialog       func(DialogOpened)
	DialogClosed func(DialogClosed)
	// TargetOpened is a new page, popups included; TargetCrashed the session of a page whose renderer crashed.
	TargetOpened  func(Page)
	TargetCrashed func(sessionID string)
	// Download is the begin, a step or the end of a download.
	Download func(DownloadEvent)
	// Flooded and Violation end the relaying: the worker did not read what waited for it, or broke the protocol.
	Flooded   func()
	Violation func(reason string)
}

// Page is a page of a run.
type Page struct {
	TargetID  string
	SessionID string
	ContextID string
}

// DialogOpened is a native dialog that waits for an answer.
type DialogOpened struct {
	SessionID string
	// Type is alert, confirm, prompt or beforeunload.
	Type    string
	Message string
	// URL is the address of the frame that opened it.
	URL string
}

// DialogClosed is a native dialog that was answered.
type DialogClosed struct {
	SessionID string
	Accepted  bool
}

// DownloadEvent is a download's begin, step or end.
type DownloadEvent struct {
	GUID string
	// URL and SuggestedName are set at the begin only.
	URL           string
	SuggestedName string
	// ContentType is what the server said, set at the begin when the download began as a navigation; Chromium tells nothing of others.
	ContentType string
	// State is inProgress, completed or canceled.
	State string
	// Received and Total are bytes; Total is 0 when unknown.
	Received, Total int64
	// Path is the file, set when it is completed.
	Path string
}
