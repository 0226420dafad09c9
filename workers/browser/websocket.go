package browser

// WebSocket is a WebSocket of a page.
type WebSocket struct {
	emitter emitter
	page    *Page
	url     string
	closed  bool // guarded by the browser's lock
	known   bool
}

// WebSocketFrame is one message of a WebSocket.
type WebSocketFrame struct {
	// Payload is text, or bytes when Binary.
	Payload []byte
	Binary  bool
}

// URL answers the WebSocket's URL.
func (w *WebSocket) URL() string { return w.url }

// IsClosed reports whether it is closed.
func (w *WebSocket) IsClosed() bool { return w.isClosed() }

// On subscribes to "close", "framereceived", "framesent" or "socketerror".
func (w *WebSocket) On(event Event, fn func(payload any)) (off func()) {
	return w.emitter.on(event, fn)
}

// ListenerCount answers how many handlers event has.
func (w *WebSocket) ListenerCount(event Event) int { return w.emitter.count(event) }

// ExpectEvent arms a waiter for the next event of that name.
func (w *WebSocket) ExpectEvent(event Event, o ExpectOptions) *Waiter { return w.expectEvent(event, o) }
