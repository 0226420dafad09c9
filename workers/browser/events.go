package browser

import "sync"

// Event names an event of a Browser, Context, Page or Worker, as Playwright spells it. The payload's type stands beside it.
type Event string

const (
	// Of a Page.
	EventClose            Event = "close"            // *Page, *Context or *Worker: the one closed
	EventCrash            Event = "crash"            // *Page
	EventConsole          Event = "console"          // *ConsoleMessage (Page, Context, Worker)
	EventDialog           Event = "dialog"           // *Dialog (Page, Context)
	EventDialogClosed     Event = "dialogclosed"     // *Dialog (Page, Context)
	EventDOMContentLoaded Event = "domcontentloaded" // *Page
	EventDownload         Event = "download"         // *Download (Page, Context)
	EventFileChooser      Event = "filechooser"      // *FileChooser
	EventFrameAttached    Event = "frameattached"    // *Frame (Page, Context)
	EventFrameDetached    Event = "framedetached"    // *Frame (Page, Context)
	EventFrameNavigated   Event = "framenavigated"   // *Frame (Page, Context)
	EventLoad             Event = "load"             // *Page
	EventPageError        Event = "pageerror"        // *PageError
	EventPopup            Event = "popup"            // *Page
	EventRequest          Event = "request"          // *Request (Page, Context)
	EventRequestFailed    Event = "requestfailed"    // *Request (Page, Context)
	EventRequestFinished  Event = "requestfinished"  // *Request (Page, Context)
	EventResponse         Event = "response"         // *Response (Page, Context)
	EventWebSocket        Event = "websocket"        // *WebSocket
	EventWorker           Event = "worker"           // *Worker

	// Of a Context.
	EventPage      Event = "page"      // *Page
	EventPageClose Event = "pageclose" // *Page
	EventPageLoad  Event = "pageload"  // *Page
	EventWebError  Event = "weberror"  // *WebError

	// Of a Browser.
	EventContext      Event = "context"      // *Context
	EventDisconnected Event = "disconnected" // *Browser

	// Of a WebSocket.
	EventFrameReceived Event = "framereceived" // *WebSocketFrame
	EventFrameSent     Event = "framesent"     // *WebSocketFrame
	EventSocketError   Event = "socketerror"   // string
)

// emitter is the subscription half of everything that has events. Handlers run in the order they were added.
type emitter struct {
	mu       sync.Mutex
	next     int
	handlers map[Event][]handler
	// changed is told when the first handler of an event comes or the last one goes; called without mu.
	changed func(event Event, present bool)
}

type handler struct {
	id int
	fn func(any)
}

// on adds fn and answers the function that removes it; removing twice is harmless.
func (e *emitter) on(event Event, fn func(any)) (off func()) {
	e.mu.Lock()
	e.next++
	id := e.next
	if e.handlers == nil {
		e.handlers = map[Event][]handler{}
	}
	first := len(e.handlers[event]) == 0
	e.handlers[event] = append(e.handlers[event], handler{id, fn})
	changed := e.changed
	e.mu.Unlock()
	if first && changed != nil {
		changed(event, true)
	}
	return func() { e.off(event, id) }
}

func (e *emitter) off(event Event, id int) {
	e.mu.Lock()
	list := e.handlers[event]
	last := false
	for i := range list {
		if list[i].id == id {
			// A copy, because emit may be walking the old slice.
			kept := make([]handler, 0, len(list)-1)
			kept = append(append(kept, list[:i]...), list[i+1:]...)
			e.handlers[event] = kept
			last = len(kept) == 0
			break
		}
	}
	changed := e.changed
	e.mu.Unlock()
	if last && changed != nil {
		changed(event, false)
	}
}

// emit calls the handlers of event on the caller's goroutine.
func (e *emitter) emit(event Event, payload any) {
	e.mu.Lock()
	list := e.handlers[event]
	e.mu.Unlock()
	for _, h := range list {
		h.fn(payload)
	}
}

func (e *emitter) count(event Event) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.handlers[event])
}
