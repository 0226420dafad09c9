package browser

import (
	"context"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// Context is a browser context of the run: pages that share cookies and storage.
type Context struct {
	emitter  emitter
	browser  *Browser
	id       string
	timeouts timeouts
	options  ContextOptions
}

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

	mainFrame *Frame
	opener    *Page
}

// Frame is one frame of a page; it stays the same object across navigations and processes.
type Frame struct {
	page *Page
	id   string
}

type frameState struct {
	name, url string
	parent    *Frame
	children  []*Frame
	detached  bool
}

// JSHandle is a handle on a value that is no node.
type JSHandle struct {
	ctx *execContext
}

// ElementHandle is a handle on a node.
type ElementHandle struct {
	JSHandle
	frame *Frame
}

// Request is one HTTP request of a page.
type Request struct {
	resourceType, documentID string
	from                     *Request
}

type requestView struct {
	url, method, failure string
	headers              []Header
	postData             []byte
	to                   *Request
	timing               Timing
	response             *Response
}

// Response is the answer to a Request.
type Response struct {
	request           *Request
	url, statusText   string
	status            int
	fromServiceWorker bool
	httpVersion       string
	headers           []Header
	serverAddr        *ServerAddr
	security          *SecurityDetails
}

type session struct {
	conn *cdp.Conn
	id   string
}

type execContext struct{ session *session }
type eventQueue struct{}
type modifierSet int

var _ context.Context
