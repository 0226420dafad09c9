package browser

import (
	"time"

	"github.com/chromedp/cdproto/page"
)

// lifecycleSet is what a document has reached.
type lifecycleSet uint8

func lifecycleBit(e LifecycleEvent) lifecycleSet {
	switch e {
	case Commit:
		return 1
	case DOMContentLoaded:
		return 2
	case Load:
		return 4
	case NetworkIdle:
		return 8
	}
	return 0
}

func (s *lifecycleSet) add(e LifecycleEvent)     { *s |= lifecycleBit(e) }
func (s *lifecycleSet) remove(e LifecycleEvent)  { *s &^= lifecycleBit(e) }
func (s lifecycleSet) has(e LifecycleEvent) bool { return s&lifecycleBit(e) != 0 }

// idleAfter is how long no request may be under way before a frame counts as idle: Playwright's figure.
const idleAfter = 500 * time.Millisecond

// verifyLifecycle is the state an option names; empty means load.
func verifyLifecycle(option string, e LifecycleEvent) (LifecycleEvent, error) {
	switch e {
	case "":
		return Load, nil
	case "networkidle0":
		return NetworkIdle, nil
	case Load, DOMContentLoaded, NetworkIdle, Commit:
		return e, nil
	}
	return "", plainError(option + ": expected one of (load|domcontentloaded|networkidle|commit)")
}

// touch wakes who waits for the frame's lifecycle. The lock is held, as in all that follows.
func (f *Frame) touch() {
	close(f.changed)
	f.changed = make(chan struct{})
}

func (s *session) lifecycleEvent(e *page.EventLifecycleEvent) {
	f := s.page.frameByID[string(e.FrameID)]
	if f == nil || s.stale(f.id) {
		return
	}
	// Events of a document that was replaced meanwhile are late.
	if id := string(e.LoaderID); id != "" && f.current.id != "" && id != f.current.id {
		return
	}
	switch e.Name {
	case "load":
		f.reached(Load)
	case "DOMContentLoaded":
		f.reached(DOMContentLoaded)
	}
}

// reached notes that the document has come to a state.
func (f *Frame) reached(e LifecycleEvent) {
	if f.fired.has(e) {
		return
	}
	f.fired.add(e)
	f.touch()
	p := f.page
	if f == p.mainFrame {
		switch e {
		case Load:
			p.browser.later(func() {
				p.emitter.emit(EventLoad, p)
				p.context.emitter.emit(EventPageLoad, p)
			})
		case DOMContentLoaded:
			p.emit(EventDOMContentLoaded, p)
		}
	}
	p.mainFrame.recalculateIdle(nil)
}

// clearLifecycle begins a new document.
func (f *Frame) clearLifecycle() {
	f.fired = 0
	for r := range f.inflight {
		if r != f.current.request {
			delete(f.inflight, r)
		}
	}
	f.stopIdleTimer()
	if len(f.inflight) == 0 {
		f.startIdleTimer()
	}
	f.page.mainFrame.recalculateIdle(f)
	f.reached(Commit)
}

// recalculateIdle lets networkidle be true of a frame whose whole subtree is idle. It stays once reached, except in cleared, the
// frame whose document was just replaced.
func (f *Frame) recalculateIdle(cleared *Frame) {
	idle := f.idleSelf
	for _, child := range f.children {
		child.recalculateIdle(cleared)
		if !child.fired.has(NetworkIdle) {
			idle = false
		}
	}
	if idle && !f.fired.has(NetworkIdle) {
		f.fired.add(NetworkIdle)
		f.touch()
	}
	if cleared != f && f.fired.has(NetworkIdle) && !idle {
		f.fired.remove(NetworkIdle)
		f.touch()
	}
}

func (f *Frame) startIdleTimer() {
	if f.fired.has(NetworkIdle) || f.detached || f.idleTimer != nil || f.page.state != pageOpen {
		return
	}
	b := f.page.browser
	var timer *time.Timer
	timer = time.AfterFunc(idleAfter, func() {
		b.locked(func() {
			if f.idleTimer != timer {
				return
			}
			f.idleSelf = true
			f.page.mainFrame.recalculateIdle(nil)
		})
	})
	f.idleTimer = timer
}

func (f *Frame) stopIdleTimer() {
	if f.idleTimer != nil {
		f.idleTimer.Stop()
	}
	f.idleTimer = nil
	f.idleSelf = false
}

// requestBegan and requestEnded keep count of what is under way. Event sources never end and do not count.
func (f *Frame) requestBegan(r *Request) {
	if r.favicon || r.resourceType == "eventsource" {
		return
	}
	f.inflight[r] = struct{}{}
	if len(f.inflight) == 1 {
		f.stopIdleTimer()
	}
}

func (f *Frame) requestEnded(r *Request) {
	if _, ok := f.inflight[r]; !ok {
		return
	}
	delete(f.inflight, r)
	if len(f.inflight) == 0 {
		f.startIdleTimer()
	}
}

// waitLifecycle waits until the frame's document has reached a state. logged is told of each state reached meanwhile.
func (f *Frame) waitLifecycle(o *op, e LifecycleEvent, logged func(LifecycleEvent)) error {
	b := f.page.browser
	b.mu.Lock()
	before := f.fired
	for {
		if logged != nil {
			for _, s := range []LifecycleEvent{Commit, DOMContentLoaded, Load, NetworkIdle} {
				if f.fired.has(s) && !before.has(s) {
					logged(s)
				}
			}
			before = f.fired
		}
		if f.fired.has(e) {
			b.mu.Unlock()
			return nil
		}
		if f.detached {
			b.mu.Unlock()
			return frameDetachedError
		}
		changed := f.changed
		b.mu.Unlock()
		if err := waitOn(o.ctx, changed); err != nil {
			if e == NetworkIdle {
				o.logLine(f.openRequests()...)
			}
			return err
		}
		b.mu.Lock()
	}
}

// openRequests says what keeps a frame from being idle.
func (f *Frame) openRequests() []string {
	b := f.page.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	var lines []string
	var walk func(*Frame)
	walk = func(f *Frame) {
		for r := range f.inflight {
			if len(lines) < 10 {
				lines = append(lines, "  still open: "+r.method+" "+shorten(r.url, 200))
			}
		}
		for _, child := range f.children {
			walk(child)
		}
	}
	walk(f)
	if lines == nil && !f.fired.has(NetworkIdle) {
		lines = []string{"  requests came one after another without half a second between them"}
	}
	return lines
}
