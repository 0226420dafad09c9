package browser

import (
	"context"
	"errors"
	"strings"

	cdptarget "github.com/chromedp/cdproto/target"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

type sessionKind int

const (
	pageSession   sessionKind = iota // a page's main frame and its frames of the same process
	frameSession                     // a frame of another process, with its own frames
	workerSession                    // a web worker
)

// session is one flat CDP session. Its fields are guarded by the browser's lock, except those that never change.
type session struct {
	b        *Browser
	id       string
	kind     sessionKind
	page     *Page
	targetID string // also the frame id of what the session was made for
	parent   *session
	worker   *Worker
	// ownerFrame is the frame a worker belongs to.
	ownerFrame *Frame

	contexts map[int64]*execContext
	scripts  map[*initScript]string // identifiers of init scripts
	// held keeps events back until the frame tree is known.
	held    []cdp.Event
	holding bool
	// swappedIn: the frame has come back into its parent's process; this session is about to go.
	swappedIn bool
	closed    bool
	// dragIntercepted receives the data of a drag the mouse started.
	dragIntercepted chan []byte
	unsubscribe     func()
}

// start sends a command in the name of ctx.
func (s *session) start(ctx context.Context, method string, params any) *cdp.Pending {
	return s.b.conn.Start(ctx, s.id, method, params)
}

// post sends a command whose answer nobody needs.
func (s *session) post(method string, params any) { s.b.conn.Start(s.b.ctx, s.id, method, params) }

// call sends a command and waits.
func (s *session) call(ctx context.Context, method string, params, res any) error {
	return s.b.conn.Call(ctx, s.id, method, params, res)
}

// event is the handler of the session's events; it runs on the connection's goroutine.
func (s *session) event(e cdp.Event) {
	s.b.mu.Lock()
	if s.holding && holdable(e.Method) {
		s.held = append(s.held, e)
	} else {
		s.dispatch(e)
	}
	s.b.mu.Unlock()
	s.b.flush()
}

// holdable events make no sense before the frame tree is known. Requests and dialogs cannot wait for it: until they are answered
// the tree does not come.
func holdable(method string) bool {
	switch method {
	case "Page.javascriptDialogOpening", "Page.javascriptDialogClosed", "Page.windowOpen", "Page.downloadWillBegin":
		return false
	}
	return strings.HasPrefix(method, "Page.") || strings.HasPrefix(method, "Runtime.")
}

// dispatch handles one event; the browser's lock is held.
func (s *session) dispatch(e cdp.Event) {
	switch {
	case strings.HasPrefix(e.Method, "Target."):
		s.b.targetEvent(s, e)
	case s.kind == workerSession:
		s.worker.event(e)
	default:
		if handle, ok := sessionEvents[e.Method]; ok {
			handle(s, e)
		}
	}
}

// sessionEvents are the events of pages and frames the engine acts on.
var sessionEvents = map[string]func(*session, cdp.Event){
	"Page.frameAttached":                on((*session).frameAttached),
	"Page.frameDetached":                on((*session).frameDetached),
	"Page.frameNavigated":               on((*session).frameNavigated),
	"Page.navigatedWithinDocument":      on((*session).navigatedWithinDocument),
	"Page.frameRequestedNavigation":     on((*session).frameRequestedNavigation),
	"Page.lifecycleEvent":               on((*session).lifecycleEvent),
	"Page.javascriptDialogOpening":      on((*session).dialogOpening),
	"Page.javascriptDialogClosed":       on((*session).dialogClosed),
	"Page.fileChooserOpened":            on((*session).fileChooserOpened),
	"Page.windowOpen":                   on((*session).windowOpen),
	"Page.downloadWillBegin":            on((*session).downloadWillBegin),
	"Runtime.executionContextCreated":   on((*session).contextCreated),
	"Runtime.executionContextDestroyed": on((*session).contextDestroyed),
	"Runtime.executionContextsCleared":  on((*session).contextsCleared),
	"Runtime.consoleAPICalled":          on((*session).consoleCalled),
	"Runtime.exceptionThrown":           on((*session).exceptionThrown),
	"Runtime.bindingCalled":             on((*session).bindingCalled),
	"Log.entryAdded":                    on((*session).logEntry),
	"Inspector.targetCrashed":           func(s *session, _ cdp.Event) { s.page.crashed() },
	"Input.dragIntercepted":             on((*session).dragStarted),

	"Network.requestWillBeSent":                  on((*session).requestWillBeSent),
	"Network.requestWillBeSentExtraInfo":         on((*session).requestExtraInfo),
	"Network.requestServedFromCache":             on((*session).servedFromCache),
	"Network.responseReceived":                   on((*session).responseReceived),
	"Network.responseReceivedExtraInfo":          on((*session).responseExtraInfo),
	"Network.loadingFinished":                    on((*session).loadingFinished),
	"Network.loadingFailed":                      on((*session).loadingFailed),
	"Network.webSocketCreated":                   on((*session).webSocketCreated),
	"Network.webSocketWillSendHandshakeRequest":  on((*session).webSocketHandshake),
	"Network.webSocketHandshakeResponseReceived": on((*session).webSocketResponse),
	"Network.webSocketFrameSent":                 on((*session).webSocketSent),
	"Network.webSocketFrameReceived":             on((*session).webSocketReceived),
	"Network.webSocketFrameError":                on((*session).webSocketError),
	"Network.webSocketClosed":                    on((*session).webSocketClosed),
	"Fetch.requestPaused":                        on((*session).requestPaused),
}

// on decodes an event for its handler. An event Chromium words differently than cdproto expects is left out and logged.
func on[T any](handle func(*session, *T)) func(*session, cdp.Event) {
	return func(s *session, e cdp.Event) {
		params := new(T)
		if err := e.Decode(params); err != nil {
			s.b.log.Warn("reading a CDP event", "method", e.Method, "error", err)
			return
		}
		handle(s, params)
	}
}

// targetEvent handles attachment and detachment, on the connection's own session (s nil) or a page's.
func (b *Browser) targetEvent(s *session, e cdp.Event) {
	switch e.Method {
	case "Target.attachedToTarget":
		var a cdptarget.EventAttachedToTarget
		if e.Decode(&a) != nil || a.TargetInfo == nil {
			return
		}
		b.attached(s, &a)
	case "Target.detachedFromTarget":
		var d cdptarget.EventDetachedFromTarget
		if e.Decode(&d) != nil {
			return
		}
		if child := b.sessions[string(d.SessionID)]; child != nil {
			b.detached(child)
		}
	}
}

func (b *Browser) newSession(id string, kind sessionKind, page *Page, targetID string, parent *session) *session {
	s := &session{b: b, id: id, kind: kind, page: page, targetID: targetID, parent: parent, contexts: map[int64]*execContext{}, scripts: map[*initScript]string{}}
	b.sessions[id] = s
	s.unsubscribe = b.conn.Subscribe(id, s.event)
	return s
}

func (b *Browser) attached(parent *session, a *cdptarget.EventAttachedToTarget) {
	id, info := string(a.SessionID), a.TargetInfo
	switch {
	case b.sessions[id] != nil:
	case info.Type == "page" && parent == nil:
		b.pageAttached(id, info)
	case info.Type == "iframe" && parent != nil && parent.kind != workerSession:
		parent.page.frameTargetAttached(parent, id, info)
	case info.Type == "worker" && parent != nil:
		parent.page.workerAttached(parent, id, info)
	default:
		// Service workers, shared workers and what else there may be: not held up, not looked into.
		b.conn.Start(b.ctx, id, "Runtime.runIfWaitingForDebugger", nil)
	}
}

func (b *Browser) detached(s *session) {
	switch s.kind {
	case pageSession:
		s.page.didClose()
	case frameSession:
		s.page.frameTargetDetached(s)
	case workerSession:
		s.dispose()
		s.page.workerGone(s)
	}
}

// dispose forgets a session whose target is gone, with its contexts.
func (s *session) dispose() {
	if s.closed {
		return
	}
	s.closed = true
	s.unsubscribe()
	delete(s.b.sessions, s.id)
	for _, ec := range s.contexts {
		if s.kind == workerSession {
			ec.end(closedBecause(""))
		} else {
			ec.destroy(contextGone)
		}
	}
	s.contexts = map[int64]*execContext{}
	if s.page != nil {
		s.page.network.sessionGone(s)
		if s.page.frameSessions[s.targetID] == s {
			delete(s.page.frameSessions, s.targetID)
		}
	}
}

// lostContext reports whether an error of a command means that its document or session went away, so that the same call may
// succeed on what came in its place.
func lostContext(err error) bool {
	var lost *contextLost
	if errors.As(err, &lost) || errors.Is(err, cdp.ErrSessionClosed) {
		return true
	}
	var refused *cdp.Error
	if !errors.As(err, &refused) {
		return false
	}
	for _, text := range []string{"Cannot find context", "context was destroyed", "navigated or closed", "Cannot find object", "Could not find object", "Promise was collected", "Session with given id not found"} {
		if strings.Contains(refused.Message, text) {
			return true
		}
	}
	return false
}
