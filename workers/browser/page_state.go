package browser

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

type pageState int

const (
	pageOpen pageState = iota
	pageClosing
	pageCrashed
	pageClosed
)

// crashedError is why a crashed page's calls end.
var crashedError = closedBecause("Page crashed")

// Page is one tab.
type Page struct {
	emitter  emitter
	context  *Context
	browser  *Browser
	targetID string
	timeouts timeouts

	Keyboard    *Keyboard
	Mouse       *Mouse
	Touchscreen *Touchscreen

	// mainFrame never changes.
	mainFrame *Frame
	opener    *Page
	// life ends when the page closes or crashes; its cause says which.
	life context.Context
	end  context.CancelCauseFunc
	// ready is closed when the page is set up and was reported.
	ready chan struct{}
	// inputMu guards the state of mouse, keyboard and drag.
	inputMu sync.Mutex
	// pictures holds one token: one picture at a time.
	pictures chan struct{}
	drag     *dragState

	// The rest is guarded by the browser's lock.
	session       *session
	frameSessions map[string]*session // by frame id: the page's own and those of frames of other processes
	frameByID     map[string]*Frame
	attachedOrder []*Frame
	frameCount    int
	state         pageState
	reported      bool
	closeReason   string
	gone          chan struct{} // closed when the page is closed

	network  *networkManager
	barriers map[*barrier]struct{}
	// stalls are told when a dialog opens or the main frame is about to navigate; see op.untilStall.
	stalls    map[*stall]struct{}
	dialogs   []*Dialog
	workers   []*Worker
	sockets   map[string]*WebSocket
	downloads map[string]*Download
	// popupSizes are sizes that window.open asked for, for the popups to come.
	popupSizes []*Size

	viewport     *Size
	resized      bool // the viewport is no longer the context's
	media        EmulateMediaOptions
	headers      []Header
	initScripts  []*initScript
	bindings     map[string]*binding
	bindingBegun chan struct{} // closed when the last call of an exposed function has begun; nil before the first
	console      []*ConsoleMessage
	errors       []*PageError
	requests     []*Request
	routes       []*RouteHandler

	handlers        []*locatorHandler
	handlersRunning int

	// setUp and committedOnce lead to the page's report: commands sent, first real document there.
	setUp, committedOnce bool
	// setUpError is why the page could not be set up as the context's options ask.
	setUpError error
	// usesProgram: the in-page program was wanted before; new documents get it ahead of need.
	usesProgram     atomic.Bool
	contentTags     map[string]func()
	interceptsFiles bool
}

func newPage(c *Context, targetID, url string) *Page {
	p := &Page{
		context: c, browser: c.browser, targetID: targetID,
		ready: make(chan struct{}), gone: make(chan struct{}),
		frameSessions: map[string]*session{}, frameByID: map[string]*Frame{}, barriers: map[*barrier]struct{}{}, stalls: map[*stall]struct{}{},
		sockets: map[string]*WebSocket{}, downloads: map[string]*Download{}, bindings: map[string]*binding{}, contentTags: map[string]func(){},
	}
	p.timeouts.parent = &c.timeouts
	p.life, p.end = context.WithCancelCause(c.life)
	p.pictures = make(chan struct{}, 1)
	p.pictures <- struct{}{}
	p.network = newNetworkManager(p)
	p.Keyboard = &Keyboard{page: p, pressed: map[string]bool{}}
	p.Mouse = &Mouse{page: p, buttons: map[string]bool{}}
	p.Touchscreen = &Touchscreen{page: p}
	p.mainFrame = p.addFrame(targetID, nil)
	p.mainFrame.url = url
	if !c.options.NoViewport {
		p.viewport = c.options.Viewport
		if p.viewport == nil {
			p.viewport = &Size{1280, 720}
		}
	}
	p.emitter.changed = p.subscriptionChanged
	return p
}

// emit delivers an event to the page's subscribers after the lock is let go.
func (p *Page) emit(event Event, payload any) {
	p.browser.later(func() { p.emitter.emit(event, payload) })
}

// emitBoth delivers an event to the page's and the context's subscribers.
func (p *Page) emitBoth(event Event, payload any) {
	p.browser.later(func() {
		p.emitter.emit(event, payload)
		p.context.emitter.emit(event, payload)
	})
}

func (p *Page) isClosed() bool {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	return p.state == pageClosed
}

// didClose is the end of a page; the lock is held.
func (p *Page) didClose() {
	if p.state == pageClosed {
		return
	}
	p.state = pageClosed
	p.frameTimersOff()
	p.end(closedBecause(p.closeText()))
	for _, s := range p.allSessions() {
		s.dispose()
	}
	p.browser.removePage(p)
	for _, w := range p.workers {
		w.didClose()
	}
	p.workers = nil
	if !p.reported && !p.context.closed && !p.browser.closed {
		// Who waits for a page gets it even when it went at once.
		p.announce()
	}
	p.browser.later(func() {
		p.emitter.emit(EventClose, p)
		p.context.emitter.emit(EventPageClose, p)
	})
	ready, gone := p.ready, p.gone
	p.browser.later(func() {
		closeOnce(ready)
		close(gone)
	})
}

func (p *Page) closeText() string {
	if p.closeReason != "" {
		return p.closeReason
	}
	return p.context.closeReason
}

// crashed is the loss of the page's renderer; the lock is held.
func (p *Page) crashed() {
	if p.state != pageOpen {
		return
	}
	p.state = pageCrashed
	p.frameTimersOff()
	p.end(crashedError)
	p.emit(EventCrash, p)
}

func (p *Page) frameTimersOff() {
	for _, f := range p.attachedOrder {
		f.stopIdleTimer()
	}
}

// allSessions are the sessions of the page's frames and workers; the lock is held.
func (p *Page) allSessions() []*session {
	var all []*session
	for _, s := range p.browser.sessions {
		if s.page == p {
			all = append(all, s)
		}
	}
	return all
}

// frameTargets are the sessions of the page and its frames; the lock is held.
func (p *Page) frameTargets() []*session {
	all := make([]*session, 0, len(p.frameSessions))
	for _, s := range p.frameSessions {
		if !s.closed {
			all = append(all, s)
		}
	}
	return all
}

// onAllFrames sends a command to the page and to each frame of another process; the page's own answer counts.
func (p *Page) onAllFrames(o *op, method string, params any) error {
	p.browser.mu.Lock()
	main, all := p.session, p.frameTargets()
	p.browser.mu.Unlock()
	for _, s := range all {
		if s != main {
			s.post(method, params)
		}
	}
	return main.call(o.ctx, method, params, nil)
}

func (p *Page) frames() []*Frame {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	return slices.Clone(p.attachedOrder)
}

func (p *Page) liveWorkers() []*Worker {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	return slices.Clone(p.workers)
}

func (p *Page) takePopupSize() *Size {
	if len(p.popupSizes) == 0 {
		return nil
	}
	size := p.popupSizes[0]
	p.popupSizes = p.popupSizes[1:]
	return size
}
