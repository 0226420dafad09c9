package browser

import (
	"context"
	"slices"
	"strconv"
	"strings"

	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/go-json-experiment/json/jsontext"
)

// subscriptionChanged keeps Chromium from opening file dialogs while somebody listens for them.
func (p *Page) subscriptionChanged(event Event, present bool) {
	if event != EventFileChooser {
		return
	}
	p.browser.mu.Lock()
	p.interceptsFiles = present
	sessions := p.frameTargets()
	p.browser.mu.Unlock()
	for _, s := range sessions {
		s.post("Page.setInterceptFileChooserDialog", obj{"enabled": present})
	}
}

func (p *Page) interceptsFileChooser() bool { return p.interceptsFiles }

func (s *session) fileChooserOpened(e *page.EventFileChooserOpened) {
	p := s.page
	f := p.frameByID[string(e.FrameID)]
	if f == nil || e.BackendNodeID == 0 {
		return
	}
	backend := int64(e.BackendNodeID)
	s.b.background(func() {
		o := newOp(s.b.ctx, p.life, "", noTimeout)
		defer o.stop()
		ec, err := f.worldOf(o, utilityWorld)
		if err != nil {
			return
		}
		id, err := ec.resolveNode(o.ctx, backend)
		if err != nil {
			return
		}
		h := newElement(ec, id)
		r, err := ec.callFunction(o.ctx, id, "function(){return !!this.multiple}", nil, true)
		if err != nil {
			return
		}
		if p.emitter.count(EventFileChooser) == 0 {
			h.release()
			return
		}
		c := &FileChooser{page: p, element: h, multiple: string(r.Value) == "true"}
		s.b.locked(func() { p.emit(EventFileChooser, c) })
	})
}

// windowOpen notes the size a popup shall have.
func (s *session) windowOpen(e *page.EventWindowOpen) {
	size := Size{-1, -1}
	for _, feature := range e.WindowFeatures {
		for name, to := range map[string]*float64{"width=": &size.Width, "height=": &size.Height} {
			if text, ok := strings.CutPrefix(feature, name); ok {
				if v, err := strconv.ParseFloat(text, 64); err == nil {
					*to = v
				}
			}
		}
	}
	if size.Width < 0 || size.Height < 0 {
		s.page.popupSizes = append(s.page.popupSizes, nil)
		return
	}
	s.page.popupSizes = append(s.page.popupSizes, &size)
}

// eventDownload is Page.downloadWillBegin, which cdproto leaves out.
type eventDownload struct {
	GUID              string `json:"guid"`
	URL               string `json:"url"`
	SuggestedFilename string `json:"suggestedFilename"`
}

func (s *session) downloadWillBegin(e *eventDownload) {
	p := s.page
	d := &Download{page: p, guid: e.GUID, url: e.URL, suggested: e.SuggestedFilename}
	p.downloads[e.GUID] = d
	// A popup that only downloads never gets a document; it is reported all the same.
	if !p.committedOnce {
		p.committedOnce = true
		p.report()
	}
	p.emitBoth(EventDownload, d)
}

func (d *Download) failure(ctx context.Context) (*string, error) {
	c := d.page.context
	o := newOp(ctx, c.life, "download.failure", noTimeout)
	defer o.stop()
	host, err := c.host()
	if err != nil {
		return nil, o.finish(err)
	}
	end, err := host.WaitDownload(o.ctx, d.guid)
	if err != nil {
		return nil, o.finish(err)
	}
	if end.Failure == "" {
		return nil, nil
	}
	return &end.Failure, nil
}

func (d *Download) cancel(ctx context.Context) error {
	c := d.page.context
	return c.run(ctx, "download.cancel", func(o *op) error {
		host, err := c.host()
		if err != nil {
			return err
		}
		return host.CancelDownload(o.ctx, d.guid)
	})
}

// ---- WebSockets

func (s *session) webSocketCreated(e *cdpnetwork.EventWebSocketCreated) {
	s.page.sockets[string(e.RequestID)] = &WebSocket{page: s.page, url: e.URL}
}

// announce tells of a socket once, with its handshake or its first trouble. The lock is held.
func (w *WebSocket) announce() {
	if !w.known {
		w.known = true
		w.page.emit(EventWebSocket, w)
	}
}

func (w *WebSocket) emit(event Event, payload any) {
	w.page.browser.later(func() { w.emitter.emit(event, payload) })
}

func (s *session) webSocketHandshake(e *cdpnetwork.EventWebSocketWillSendHandshakeRequest) {
	if w := s.page.sockets[string(e.RequestID)]; w != nil {
		w.announce()
	}
}

func (s *session) webSocketResponse(e *cdpnetwork.EventWebSocketHandshakeResponseReceived) {
	if w := s.page.sockets[string(e.RequestID)]; w != nil && e.Response != nil && e.Response.Status >= 400 {
		w.emit(EventSocketError, e.Response.StatusText+": "+itoa(int(e.Response.Status)))
	}
}

type eventSocketFrame struct {
	RequestID string `json:"requestId"`
	Response  struct {
		Opcode      float64 `json:"opcode"`
		PayloadData string  `json:"payloadData"`
	} `json:"response"`
}

func (s *session) socketFrame(e *eventSocketFrame, event Event) {
	w := s.page.sockets[e.RequestID]
	if w == nil || e.Response.PayloadData == "" {
		return
	}
	f := &WebSocketFrame{Payload: []byte(e.Response.PayloadData)}
	if e.Response.Opcode == 2 {
		f.Binary = true
		f.Payload = fromBase64(e.Response.PayloadData)
	}
	w.emit(event, f)
}

func (s *session) webSocketSent(e *eventSocketFrame)     { s.socketFrame(e, EventFrameSent) }
func (s *session) webSocketReceived(e *eventSocketFrame) { s.socketFrame(e, EventFrameReceived) }

func (s *session) webSocketError(e *cdpnetwork.EventWebSocketFrameError) {
	if w := s.page.sockets[string(e.RequestID)]; w != nil {
		w.announce()
		w.emit(EventSocketError, e.ErrorMessage)
	}
}

func (s *session) webSocketClosed(e *cdpnetwork.EventWebSocketClosed) {
	id := string(e.RequestID)
	if w := s.page.sockets[id]; w != nil {
		w.announce()
		w.closed = true
		w.emit(EventClose, w)
		delete(s.page.sockets, id)
	}
}

func (w *WebSocket) isClosed() bool {
	w.page.browser.mu.Lock()
	defer w.page.browser.mu.Unlock()
	return w.closed
}

// ---- locator handlers

type locatorHandler struct {
	locator *Locator
	fn      func(context.Context, *Locator) error
	times   int // left; 0 is for ever
	noWait  bool
	running bool
}

func (p *Page) addLocatorHandler(ctx context.Context, api string, l *Locator, fn func(context.Context, *Locator) error, h LocatorHandlerOptions) error {
	return p.run(ctx, api, noTimeout, func(o *op) error {
		if l.frame != p.mainFrame {
			return plainError("Locator must belong to the main frame of this page")
		}
		p.browser.mu.Lock()
		p.handlers = append(p.handlers, &locatorHandler{locator: l, fn: fn, times: h.Times, noWait: h.NoWaitAfter})
		p.browser.mu.Unlock()
		return nil
	})
}

func (p *Page) removeLocatorHandler(l *Locator) {
	p.browser.mu.Lock()
	p.handlers = slices.DeleteFunc(p.handlers, func(h *locatorHandler) bool {
		return h.locator.frame == l.frame && h.locator.selector == l.selector
	})
	p.browser.mu.Unlock()
}

// runLocatorHandlers runs the handlers whose locators are visible. Not from inside a handler: it would wait for itself.
func (p *Page) runLocatorHandlers(o *op) error {
	b := p.browser
	b.mu.Lock()
	if p.handlersRunning > 0 {
		b.mu.Unlock()
		return nil
	}
	list := slices.Clone(p.handlers)
	b.mu.Unlock()
	for _, h := range list {
		visible, err := p.mainFrame.find(h.locator.selector, true).isVisible(o)
		if err != nil {
			return err
		}
		if !visible {
			continue
		}
		b.mu.Lock()
		if h.running || !slices.Contains(p.handlers, h) {
			b.mu.Unlock()
			continue
		}
		h.running = true
		p.handlersRunning++
		if h.times > 0 {
			if h.times--; h.times == 0 {
				p.handlers = slices.DeleteFunc(p.handlers, func(other *locatorHandler) bool { return other == h })
			}
		}
		b.mu.Unlock()
		err = p.runHandler(o, h)
		b.mu.Lock()
		h.running = false
		p.handlersRunning--
		b.mu.Unlock()
		if err != nil {
			return err
		}
		o.logLine("  interception handler has finished, continuing")
	}
	return nil
}

func (p *Page) runHandler(o *op, h *locatorHandler) error {
	name := describeLocator(h.locator.selector)
	o.logLine("  found " + name + ", intercepting action to run the handler")
	done := make(chan error, 1)
	p.browser.background(func() { done <- h.fn(o.base, h.locator) })
	select {
	case err := <-done:
		if err != nil {
			return err
		}
	case <-o.ctx.Done():
		return o.over()
	}
	if h.noWait {
		o.logLine("  locator handler has finished")
		return nil
	}
	o.logLine("  locator handler has finished, waiting for " + name + " to be hidden")
	t := p.mainFrame.find(h.locator.selector, false)
	return t.simpleOrAbsent(o, pageCall{method: "waitForSelector", absent: true, args: func(r resolveOptions) []arg {
		return []arg{jsonArg(waitForParams{r, "hidden"})}
	}})
}

func (t *target) simpleOrAbsent(o *op, c pageCall) error {
	_, pl, err := t.run(o, c)
	if err == nil && pl != nil {
		pl.release()
	}
	return err
}

var _ jsontext.Value
