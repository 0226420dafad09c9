package browser

import (
	cdpnetwork "github.com/chromedp/cdproto/network"
)

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
