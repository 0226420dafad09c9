package browser

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// navigation is one step of a frame to another URL, or the failure of one.
type navigation struct {
	url, name string
	// document is the new document; nil when the document stayed.
	document *document
	err      error
	// errorPage: the navigation failed, and the browser puts its error page in place of the document.
	errorPage bool
}

// navigationWatcher collects the navigations of a frame from a moment on.
type navigationWatcher struct {
	frame *Frame
	list  []navigation
	more  chan struct{} // holds one token when the list has grown
}

// watch begins to collect; the lock must not be held. Close it.
func (f *Frame) watch() *navigationWatcher {
	w := &navigationWatcher{frame: f, more: make(chan struct{}, 1)}
	b := f.page.browser
	b.mu.Lock()
	f.watchers[w] = struct{}{}
	b.mu.Unlock()
	return w
}

func (w *navigationWatcher) close() {
	b := w.frame.page.browser
	b.mu.Lock()
	delete(w.frame.watchers, w)
	b.mu.Unlock()
}

// next answers the first navigation collected, and from then on, that take accepts.
func (w *navigationWatcher) next(o *op, take func(navigation) bool) (navigation, error) {
	b := w.frame.page.browser
	for {
		b.mu.Lock()
		list := w.list
		w.list = nil
		b.mu.Unlock()
		for i, n := range list {
			if take(n) {
				b.mu.Lock()
				w.list = append(list[i+1:len(list):len(list)], w.list...)
				b.mu.Unlock()
				return n, nil
			}
		}
		select {
		case <-w.more:
		case <-w.frame.life.Done():
			return navigation{}, w.frame.goneCause()
		case <-o.ctx.Done():
			return navigation{}, o.over()
		}
	}
}

// goneCause is why a frame's life ended: the page's end goes before the frame's.
func (f *Frame) goneCause() error {
	if err := f.page.life.Err(); err != nil {
		return causeOf(f.page.life)
	}
	return causeOf(f.life)
}

// navigated tells a navigation to all who watch. The lock is held, as in all that follows.
func (f *Frame) navigated(n navigation) {
	for w := range f.watchers {
		w.list = append(w.list, n)
		select {
		case w.more <- struct{}{}:
		default:
		}
	}
	if f.parent == nil {
		for b := range f.page.barriers {
			b.navigated(n)
		}
	}
	if n.err == nil {
		f.page.emitBoth(EventFrameNavigated, f)
	}
}

func (s *session) frameNavigated(e *page.EventFrameNavigated) {
	if e.Frame == nil || s.stale(string(e.Frame.ID)) {
		return
	}
	p := s.page
	f := p.frameByID[string(e.Frame.ID)]
	if id := string(e.Frame.LoaderID); id != "" && f.current.id == id && f.treeDocument == id {
		return // the frame tree already had this document
	}
	p.committed(f, e.Frame, false)
	if f == p.mainFrame {
		p.committedOnce = true
		p.report()
	}
}

// committed is a new document in a frame. initial: it was there when the target was attached.
func (p *Page) committed(f *Frame, frame *cdp.Frame, initial bool) {
	id := string(frame.LoaderID)
	p.removeChildren(f)
	if f.parent == nil {
		clear(p.sockets)
	}
	before := f.url
	f.url, f.name = frameURL(frame), frame.Name
	var keep *document
	switch pending := f.pending; {
	case pending == nil:
		f.current = document{id: id}
	case pending.id == "" || pending.id == id:
		pending.id = id
		f.current = *pending
	default:
		// A new navigation began while an older one commits: an error page's, for example.
		keep = pending
		f.current = document{id: id}
	}
	f.setPending(nil)
	if initial {
		f.treeDocument = id
	}
	f.clearLifecycle()
	current := f.current
	if !initial {
		f.navigated(navigation{url: f.url, name: f.name, document: &current})
		if f == p.mainFrame {
			p.markNavigation()
			if before != "" && before != "about:blank" {
				f.seq = p.frameCount
				p.frameCount++
			}
		}
	}
	f.setPending(keep)
}

func (s *session) navigatedWithinDocument(e *page.EventNavigatedWithinDocument) {
	if s.stale(string(e.FrameID)) {
		return
	}
	f := s.page.frameByID[string(e.FrameID)]
	if f.pending != nil && f.pending.id == "" && f.pending.request == nil {
		f.setPending(nil)
	}
	f.url = e.URL
	f.navigated(navigation{url: f.url, name: f.name})
}

func (s *session) frameRequestedNavigation(e *page.EventFrameRequestedNavigation) {
	if s.stale(string(e.FrameID)) || e.Disposition != page.ClientNavigationDispositionCurrentTab {
		return
	}
	f := s.page.frameByID[string(e.FrameID)]
	for b := range s.page.barriers {
		b.requested(f)
	}
	if f.pending != nil && f.pending.id == "" {
		return
	}
	f.setPending(&document{})
}

// setPending notes a navigation under way. Calls that must not stall on it are told.
func (f *Frame) setPending(d *document) {
	f.pending = d
	if d != nil {
		for s := range f.page.stalls {
			s.stall(f)
		}
	}
}

// navigationAborted ends the pending navigation without a commit of its own; id may be empty for whichever it is.
func (f *Frame) navigationAborted(text, id string, errorPage bool) {
	if f.pending == nil || id != "" && f.pending.id != id {
		return
	}
	d := *f.pending
	f.setPending(nil)
	f.navigated(navigation{url: f.url, name: f.name, document: &d, err: &abortedNavigation{id, text}, errorPage: errorPage})
}

// barrier makes an action wait for the navigations of the main frame that begin while it runs.
type barrier struct {
	page    *Page
	o       *op
	holds   int
	waiting int           // navigations begun and not ended
	open    chan struct{} // closed when nothing holds any more
	failing *time.Timer   // runs while an error page is to commit
}

// errorPageWithin is how long an action waits for the error page of a navigation that failed.
const errorPageWithin = 500 * time.Millisecond

// addBarrier begins to note navigations; the lock must not be held.
func (p *Page) addBarrier(o *op) *barrier {
	b := &barrier{page: p, o: o, holds: 1, open: make(chan struct{})}
	p.browser.mu.Lock()
	p.barriers[b] = struct{}{}
	p.browser.mu.Unlock()
	return b
}

func (p *Page) removeBarrier(b *barrier) {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	delete(p.barriers, b)
	if b.failing != nil {
		b.failing.Stop()
	}
}

func (b *barrier) requested(f *Frame) {
	if f.parent == nil {
		b.waiting++
		b.holds++
	}
}

func (b *barrier) navigated(n navigation) {
	if n.err == nil {
		b.o.logf("  navigated to \"%s\"", n.url)
	}
	if n.errorPage && b.waiting > 0 {
		if b.failing == nil {
			b.failing = time.AfterFunc(errorPageWithin, func() {
				mu := &b.page.browser.mu
				mu.Lock()
				b.ended()
				mu.Unlock()
			})
		}
		return
	}
	b.ended()
}

func (b *barrier) ended() {
	b.holds -= b.waiting
	b.waiting = 0
	if b.holds == 0 {
		closeOnce(b.open)
	}
}

// wait waits for the navigations that began.
func (p *Page) waitBarrier(o *op, b *barrier) error {
	p.browser.mu.Lock()
	b.holds--
	if b.holds == 0 {
		closeOnce(b.open)
	}
	p.browser.mu.Unlock()
	return waitOn(o.ctx, b.open)
}

// stall is told when the page cannot answer for a while: the frame is about to navigate, or a dialog opens.
type stall struct {
	frame *Frame
	// navigation: dialogs are of no interest.
	navigation bool
	fn         func()
}

// stall tells of a frame's navigation, or of a dialog (f nil).
func (s *stall) stall(f *Frame) {
	if f == nil && !s.navigation || f != nil && (s.frame == f || f.parent == nil) {
		s.fn()
	}
}
