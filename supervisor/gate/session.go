package gate

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// Auto-attach settings. At the root pages, service workers and shared workers are attached to; below a page its cross-site frames and
// web workers. A service worker would attach once more below every page of its origin.
const (
	rootAutoAttach  = `{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true,"filter":[{"type":"page"},{"type":"service_worker"},{"type":"shared_worker"}]}`
	childAutoAttach = `{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true,"filter":[{"type":"iframe"},{"type":"worker"}]}`
)

const (
	// maxSessions bounds the pages, frames and web workers of a run; pages over it are closed.
	maxSessions = 512
	// maxPaused bounds the paused requests of a session whose origin is remembered.
	maxPaused = 4096
)

// session is one attached page, frame or web worker. What is not guarded by a lock never changes.
type session struct {
	id     string
	run    *Run
	parent *session // nil for pages, service and shared workers
	kind   string   // page, iframe, worker, service_worker, shared_worker
	target string
	// info is the raw targetInfo of its attachment.
	info    []byte
	context string
	order   uint64

	// The gate's lock guards these.
	gone    bool
	crashed bool

	mu     sync.Mutex
	paused map[string]string // Fetch request id to the origin of its address
}

func (s *session) idOrNone() string {
	if s == nil {
		return ""
	}
	return s.id
}

// page describes a session that is a page.
func (s *session) page() Page { return Page{TargetID: s.target, SessionID: s.id, ContextID: s.context} }

func (s *session) pausedOrigin(request string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paused[request]
}

// event acts on what the gate must know and passes the events of a run's sessions on.
func (g *Gate) event(parts cdp.Parts, frame []byte) {
	g.mu.Lock()
	s := g.sessions[string(parts.Session)]
	g.mu.Unlock()
	method := string(parts.Method)
	switch {
	case parts.Session != nil && s == nil:
		return // of a session that is gone, or was never ours
	case method == "Target.attachedToTarget":
		g.attach(s, parts.Body, frame)
		return
	case method == "Target.detachedFromTarget":
		g.detach(parts.Body, frame)
		return
	case s == nil:
		g.download(method, parts.Body)
		return
	}
	switch method {
	case "Page.javascriptDialogOpening":
		g.dialogOpening(s, parts.Body)
	case "Page.javascriptDialogClosed":
		var closed struct {
			Result bool `json:"result"`
		}
		if f := s.run.events.DialogClosed; f != nil && jsonv2.Unmarshal(parts.Body, &closed) == nil {
			f(DialogClosed{SessionID: s.id, Accepted: closed.Result})
		}
	case "Page.downloadWillBegin":
		g.noteDownload(s.run, parts.Body)
	case "Network.responseReceived":
		g.noteDocument(s.run, parts.Body)
	case "Fetch.requestPaused":
		s.notePaused(parts.Body)
	case "Inspector.targetCrashed":
		g.setCrashed(s, true)
	case "Inspector.targetReloadedAfterCrash":
		g.setCrashed(s, false)
	case "Target.targetCreated", "Target.targetInfoChanged", "Target.targetDestroyed", "Target.targetCrashed":
		return // not asked for; they would tell of the whole browser
	}
	if r := g.relayOf(s); r != nil {
		r.push(frame)
	}
}

func (g *Gate) relayOf(s *session) *relay {
	g.mu.Lock()
	defer g.mu.Unlock()
	return s.run.relay
}

// attach takes in a new page, frame or web worker, or lets go of one that belongs to no run.
func (g *Gate) attach(parent *session, body, frame []byte) {
	var a struct {
		Session string `json:"sessionId"`
		Info    struct {
			Target  string `json:"targetId"`
			Type    string `json:"type"`
			Context string `json:"browserContextId"`
		} `json:"targetInfo"`
	}
	var raw struct {
		Info jsonv2.Value `json:"targetInfo"`
	}
	if jsonv2.Unmarshal(body, &a) != nil || jsonv2.Unmarshal(body, &raw) != nil || a.Session == "" {
		g.log.Warn("Chromium attached to a target of an unknown form")
		return
	}
	s := &session{id: a.Session, parent: parent, kind: a.Info.Type, target: a.Info.Target, context: a.Info.Context, info: raw.Info}
	g.mu.Lock()
	// A page belongs to the run of its context; everything else to the run of what it was found in.
	s.run = g.contexts[a.Info.Context]
	if parent != nil {
		s.run = parent.run
	}
	full := s.run != nil && len(s.run.sessions) >= g.sessionLimit
	if s.run != nil && s.run.disposed {
		g.mu.Unlock()
		return // it waits, and goes with its context
	}
	if s.run == nil || full {
		g.mu.Unlock()
		g.letGo(s, full)
		return
	}
	g.attached++
	s.order = g.attached
	g.sessions[s.id] = s
	s.run.sessions[s.id] = s
	s.run.changedNow()
	relay, cut := s.run.relay, s.run.cut
	g.mu.Unlock()

	g.post(s.id, "Target.setAutoAttach", childAutoAttach)
	if f := s.run.events.TargetOpened; f != nil && s.kind == "page" {
		f(s.page())
	}
	switch {
	case relay != nil:
		relay.push(frame)
	case !cut:
		g.post(s.id, "Runtime.runIfWaitingForDebugger", "{}")
	}
}

// closeLimit bounds how long the renderer of a page over the limit may take to go on before the page is closed all the same.
const closeLimit = 5 * time.Second

// letGo detaches from a target that is nobody's, or closes a page that is one too many.
func (g *Gate) letGo(s *session, tooMany bool) {
	if !tooMany || s.kind != "page" {
		g.post(s.id, "Runtime.runIfWaitingForDebugger", "{}")
		g.post(s.parent.idOrNone(), "Target.detachFromTarget", `{"sessionId":"`+s.id+`"}`)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log.Warn("A run's page was closed: the run has too many", "limit", g.sessionLimit)
	// The script that opened the page waits with it. A page that is closed while it waits leaves that script waiting, for half a minute
	// or for good (measured), so it has to be on its way first.
	g.start(func() {
		ctx, cancel := context.WithTimeout(g.ctx, closeLimit)
		defer cancel()
		_ = g.call(ctx, s, "Runtime.runIfWaitingForDebugger", nil, nil) // closed anyway
		g.post("", "Target.closeTarget", `{"targetId":"`+s.target+`"}`)
	})
}

// detach forgets a session and everything below it, and answers the commands that wait on them.
func (g *Gate) detach(body, frame []byte) {
	var d struct {
		Session string `json:"sessionId"`
	}
	if jsonv2.Unmarshal(body, &d) != nil {
		return
	}
	g.mu.Lock()
	s := g.sessions[d.Session]
	if s == nil {
		g.mu.Unlock()
		return
	}
	for _, other := range s.run.sessions {
		if other.isBelow(s) {
			other.gone = true
			delete(g.sessions, other.id)
			delete(s.run.sessions, other.id)
		}
	}
	var lost []*pending
	for id, p := range g.pending {
		if p.session != nil && p.session.gone {
			lost = append(lost, p)
			delete(g.pending, id)
			if p.relay != nil {
				p.relay.inFlight--
			}
		}
	}
	s.run.changedNow()
	relay := s.run.relay
	g.mu.Unlock()
	for _, p := range lost {
		if p.answer != nil {
			p.answer <- answer{err: ErrSessionClosed}
		} else {
			p.relay.push(appendError(p.id, p.session.id, codeServer, "Inspected target navigated or closed"))
		}
	}
	if relay != nil {
		relay.push(frame)
	}
}

// setCrashed notes that a renderer crashed or came back, and answers the host's commands that wait on it.
func (g *Gate) setCrashed(s *session, crashed bool) {
	var lost []*pending
	g.mu.Lock()
	s.crashed = crashed
	for id, p := range g.pending {
		if crashed && p.session == s && p.answer != nil {
			lost = append(lost, p)
			delete(g.pending, id)
		}
	}
	g.mu.Unlock()
	for _, p := range lost {
		p.answer <- answer{err: ErrCrashed}
	}
	if f := s.run.events.TargetCrashed; f != nil && crashed && s.kind == "page" {
		f(s.id)
	}
}

// isBelow says whether a session is another one or was found in it.
func (s *session) isBelow(top *session) bool {
	for ; s != nil; s = s.parent {
		if s == top {
			return true
		}
	}
	return false
}

// dialogOpening tells of a dialog. While no worker is bound nobody would answer it, and an open dialog makes every other command of its
// page wait: the gate answers then, as a person who only wants to go on would, agreeing to nothing.
func (g *Gate) dialogOpening(s *session, body []byte) {
	var opening struct {
		URL     string `json:"url"`
		Message string `json:"message"`
		Type    string `json:"type"`
	}
	if jsonv2.Unmarshal(body, &opening) != nil {
		g.log.Warn("Chromium told of a dialog of an unknown form")
		return
	}
	if f := s.run.events.Dialog; f != nil {
		f(DialogOpened{SessionID: s.id, Type: opening.Type, Message: opening.Message, URL: opening.URL})
	}
	g.mu.Lock()
	unattended := s.run.relay == nil && !s.run.cut
	g.mu.Unlock()
	if unattended {
		accept := `{"accept":false}`
		if opening.Type == "alert" || opening.Type == "beforeunload" {
			accept = `{"accept":true}`
		}
		g.post(s.id, "Page.handleJavaScriptDialog", accept)
	}
}

// notePaused remembers the origin of a paused request, for checkContinue.
func (s *session) notePaused(body []byte) {
	var paused struct {
		ID      string `json:"requestId"`
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if jsonv2.Unmarshal(body, &paused) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paused == nil || len(s.paused) >= maxPaused {
		// Requests that were forgotten cannot be sent elsewhere any more; they go on as they are.
		s.paused = map[string]string{}
	}
	s.paused[paused.ID] = originOf(paused.Request.URL)
}

// forgetPaused drops a request that was decided on.
func (s *session) forgetPaused(request string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.paused, request)
}
