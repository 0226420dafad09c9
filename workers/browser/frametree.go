package browser

import (
	"context"
	"slices"
	"time"

	"github.com/chromedp/cdproto/page"
	cdptarget "github.com/chromedp/cdproto/target"
)

// Frame is one frame of a page; it stays the same object across navigations and processes.
type Frame struct {
	page *Page
	// life ends when the frame is detached.
	life context.Context
	end  context.CancelCauseFunc

	// Everything below is guarded by the browser's lock.
	id        string
	seq       int
	name, url string
	parent    *Frame
	children  []*Frame
	detached  bool
	current   document
	pending   *document
	fired     lifecycleSet
	idleSelf  bool
	idleTimer *time.Timer
	inflight  map[*Request]struct{}
	slots     [worlds]contextSlot
	// treeDocument is the document the frame had when its target was attached.
	treeDocument string
	// changed is closed and replaced whenever the lifecycle changes.
	changed  chan struct{}
	watchers map[*navigationWatcher]struct{}
}

// document is one document of a frame, current or to come. The id is CDP's loader id, empty while it is not known.
type document struct {
	id      string
	request *Request
}

type contextSlot struct {
	context *execContext
	ready   chan struct{} // closed when context is set or the frame is detached
}

// frameDetachedError ends what waits in a frame that is gone.
var frameDetachedError = &contextLost{"Frame was detached"}

type frameState struct {
	name, url string
	parent    *Frame
	children  []*Frame
	detached  bool
}

func (f *Frame) state() frameState {
	f.page.browser.mu.Lock()
	defer f.page.browser.mu.Unlock()
	return frameState{f.name, f.url, f.parent, slices.Clone(f.children), f.detached}
}

func (p *Page) addFrame(id string, parent *Frame) *Frame {
	f := &Frame{page: p, id: id, seq: p.frameCount, parent: parent, inflight: map[*Request]struct{}{}, changed: make(chan struct{}), watchers: map[*navigationWatcher]struct{}{}}
	p.frameCount++
	f.life, f.end = context.WithCancelCause(p.life)
	for i := range f.slots {
		f.slots[i].ready = make(chan struct{})
	}
	if parent != nil {
		parent.children = append(parent.children, f)
	}
	p.frameByID[id] = f
	p.attachedOrder = append(p.attachedOrder, f)
	f.fired.add(Commit)
	f.startIdleTimer()
	return f
}

// frameAttachedTo is Page.frameAttached; answers nil when there is nothing to do. The lock is held, as in all that follows.
func (p *Page) frameAttachedTo(id, parentID string) *Frame {
	if parentID == "" {
		// The main frame keeps its object whatever id Chromium gives it.
		delete(p.frameByID, p.mainFrame.id)
		p.mainFrame.id = id
		p.frameByID[id] = p.mainFrame
		return p.mainFrame
	}
	if p.frameByID[id] != nil {
		return p.frameByID[id]
	}
	parent := p.frameByID[parentID]
	if parent == nil {
		return nil
	}
	f := p.addFrame(id, parent)
	p.emitBoth(EventFrameAttached, f)
	return f
}

func (p *Page) removeFrame(f *Frame) {
	for _, child := range slices.Clone(f.children) {
		p.removeFrame(child)
	}
	if f.detached {
		return
	}
	f.detached = true
	f.stopIdleTimer()
	f.end(frameDetachedError)
	for i := range f.slots {
		if ec := f.slots[i].context; ec != nil {
			ec.destroy(frameDetachedError.reason)
			f.slots[i].context = nil
		}
		closeOnce(f.slots[i].ready)
	}
	if f.parent != nil {
		f.parent.children = slices.DeleteFunc(f.parent.children, func(c *Frame) bool { return c == f })
		f.parent = nil
	}
	delete(p.frameByID, f.id)
	p.attachedOrder = slices.DeleteFunc(p.attachedOrder, func(c *Frame) bool { return c == f })
	f.touch()
	if p.state != pageClosed {
		p.emitBoth(EventFrameDetached, f)
	}
}

func (p *Page) removeChildren(f *Frame) {
	for _, child := range slices.Clone(f.children) {
		p.removeFrame(child)
	}
}

// sessionOf answers the session of the process the frame lives in; nil when the frame is gone.
func (p *Page) sessionOf(f *Frame) *session {
	for f != nil {
		if s := p.frameSessions[f.id]; s != nil {
			return s
		}
		f = f.parent
	}
	return nil
}

// stale reports whether an event of this session is about a frame that lives in another session by now, or nowhere.
func (s *session) stale(frameID string) bool {
	f := s.page.frameByID[frameID]
	if f == nil {
		return true
	}
	owner := s.page.sessionOf(f)
	return owner != nil && owner != s && !owner.swappedIn
}

func (s *session) frameAttached(e *page.EventFrameAttached) {
	id, parentID := string(e.FrameID), string(e.ParentFrameID)
	if other := s.page.frameSessions[id]; other != nil && id != s.targetID {
		// The frame comes back from another process.
		other.swappedIn = true
		if f := s.page.frameByID[id]; f != nil {
			s.page.removeChildren(f)
		}
		return
	}
	s.page.frameAttachedTo(id, parentID)
}

func (s *session) frameDetached(e *page.EventFrameDetached) {
	id := string(e.FrameID)
	if s.page.frameSessions[id] != nil && e.Reason != page.FrameDetachedReasonRemove {
		return // it went to another process, whose session is here already
	}
	f := s.page.frameByID[id]
	if f == nil {
		return
	}
	if e.Reason == page.FrameDetachedReasonSwap {
		s.page.removeChildren(f) // it goes to another process, whose session is to come
		return
	}
	s.page.removeFrame(f)
	s.page.mainFrame.recalculateIdle(nil)
}

// frameTargetAttached adopts a frame of another process before it runs.
func (p *Page) frameTargetAttached(parent *session, sessionID string, info *cdptarget.Info) {
	id := string(info.TargetID)
	f := p.frameByID[id]
	if f == nil && info.ParentFrameID != "" {
		f = p.frameAttachedTo(id, string(info.ParentFrameID))
	}
	if f == nil {
		p.browser.conn.Start(p.browser.ctx, sessionID, "Runtime.runIfWaitingForDebugger", nil)
		return
	}
	p.removeChildren(f)
	for contextID, ec := range parent.contexts {
		if ec.frame == f {
			parent.dropContext(contextID)
		}
	}
	if old := p.frameSessions[id]; old != nil && old.targetID == id {
		old.dispose()
	}
	s := p.browser.newSession(sessionID, frameSession, p, id, parent)
	p.frameSessions[id] = s
	s.initialize()
}

func (p *Page) frameTargetDetached(s *session) {
	if s.swappedIn {
		s.dispose()
		return
	}
	// Either the frame is gone, or it comes back into its parent's process and frameAttached is on its way. A round trip through
	// the parent tells.
	parent := s.parent
	if parent == nil || parent.closed {
		s.dispose()
		return
	}
	pending := parent.start(p.browser.ctx, "Page.enable", nil)
	p.browser.background(func() {
		_ = pending.Wait(p.browser.ctx, nil)
		p.browser.locked(func() {
			if !s.swappedIn && p.frameSessions[s.targetID] == s {
				if f := p.frameByID[s.targetID]; f != nil {
					p.removeFrame(f)
					p.mainFrame.recalculateIdle(nil)
				}
			}
			s.dispose()
		})
	})
}

func closeOnce(ch chan struct{}) {
	select {
	case <-ch:
	default:
		close(ch)
	}
}
