package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
)

var (
	// ErrFlooded ends a connection whose events arrive faster than their handlers take them.
	ErrFlooded = errors.New("CDP events arrive faster than they are handled")
	// ErrSessionClosed answers commands whose session was detached: its page, frame or web worker is gone.
	ErrSessionClosed = errors.New("the CDP session is closed")
	// ErrTargetCrashed answers commands on a session whose renderer crashed. Chromium itself never answers them.
	ErrTargetCrashed = errors.New("the page crashed")
)

// maxUnhandled bounds the bytes of messages that were read and not yet handled.
const maxUnhandled = 64 << 20

// Error is the error object a CDP server answered a command with.
type Error struct {
	// Method is the command that failed.
	Method  string `json:"-"`
	Code    int64  `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data"`
}

func (e *Error) Error() string {
	if e.Data != "" {
		return fmt.Sprintf("%s: %s (%s)", e.Method, e.Message, e.Data)
	}
	return e.Method + ": " + e.Message
}

// Event is one event. Params is raw JSON; nil when the event has none.
type Event struct {
	// Session is the flat session the event belongs to; empty for the connection's own events.
	Session string
	Method  string
	Params  json.RawMessage
}

// Decode reads the event's params into v, the event's struct from cdproto.
func (e Event) Decode(v any) error {
	if err := jsonv2.Unmarshal(e.Params, v); err != nil {
		return fmt.Errorf("decoding the event %s: %w", e.Method, err)
	}
	return nil
}

// Conn is a CDP client on a transport.
//
// Everything that arrives is handled in the order of its arrival on one goroutine of the Conn: events by calling the handlers of their
// session, answers by waking who waits. So a Call that returned has seen every event before its answer handled, as in Playwright's
// connection, and a handler of Target.attachedToTarget that subscribes to the new session misses nothing of it. The price is one rule:
// a handler must not wait for an answer (use Start, or a goroutine of its own), since answers queue behind it. A slow handler delays
// the others; it never stops reading from the transport.
type Conn struct {
	transport Transport
	done      chan struct{}

	mu       sync.Mutex
	err      error // set once, at the end
	closed   bool  // Close was called
	lastID   int64
	pending  map[int64]*Pending
	crashed  map[string]bool // sessions whose renderer crashed
	handlers map[string][]*handler
	inbox    []message
	unread   int           // bytes in inbox
	arrived  chan struct{} // holds one token when inbox may have grown or reading ended
	readErr  error         // why reading ended
}

type message struct {
	parts Parts
	size  int
	err   error // the answer was too large to be passed on
}

type handler struct{ fn func(Event) }

// NewConn starts a client that owns the transport. It ends with the transport or with Close. before runs first: what it subscribes to
// misses no event, the peer's very first included.
func NewConn(transport Transport, before ...func(*Conn)) *Conn {
	c := &Conn{
		transport: transport,
		done:      make(chan struct{}),
		pending:   map[int64]*Pending{},
		crashed:   map[string]bool{},
		handlers:  map[string][]*handler{},
		arrived:   make(chan struct{}, 1),
	}
	for _, fn := range before {
		fn(c)
	}
	go c.read()
	go c.handle()
	return c
}

// Done is closed when the connection has ended, no handler runs any more and every waiting command was answered.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says why the connection ended: nil before Done, else an error that wraps ErrClosed.
func (c *Conn) Err() error {
	select {
	case <-c.done:
	default:
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close ends the connection. Events not yet handled are dropped. It may be called from a handler; wait for Done to know that no handler
// runs any more.
func (c *Conn) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	return c.transport.Close()
}

// Subscribe calls fn with every event of the session from now on; "" is the connection's own session. fn runs on the Conn's goroutine
// and must follow the rule Conn states. stop ends it: after stop returned fn is not entered again, except when it runs at that moment.
func (c *Conn) Subscribe(session string, fn func(Event)) (stop func()) {
	h := &handler{fn: fn}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.handlers == nil {
		return func() {}
	}
	// Lists are replaced, never changed: handle walks them without the lock.
	c.handlers[session] = append(append([]*handler(nil), c.handlers[session]...), h)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		var rest []*handler
		for _, other := range c.handlers[session] {
			if other != h {
				rest = append(rest, other)
			}
		}
		if rest == nil {
			delete(c.handlers, session)
		} else {
			c.handlers[session] = rest
		}
		h.fn = nil
	}
}

// Call sends a command and waits for its answer. params is nil, a params struct of cdproto, or raw JSON (json.RawMessage, []byte or
// jsontext.Value, without line breaks). res is nil, a pointer to a result struct, or a *json.RawMessage that gets the answer undecoded.
// It fails with *Error when the browser refused, ErrSessionClosed, ErrTargetCrashed, ErrClosed, or ctx's cause.
func (c *Conn) Call(ctx context.Context, session, method string, params, res any) error {
	return c.Start(ctx, session, method, params).Wait(ctx, res)
}

// Session is a flat session of a connection, for callers of cdproto's command values.
type Session struct {
	Conn *Conn
	ID   string
}

// Call is Conn.Call on this session.
func (s Session) Call(ctx context.Context, method string, params, res any) error {
	return s.Conn.Call(ctx, s.ID, method, params, res)
}

// Do sends one of cdproto's commands, as in cdp.Do(ctx, session, page.Navigate, page.NavigateParams{URL: url}).
func Do[P, R any](ctx context.Context, s Session, command cdp.Command[P, R], params P) (R, error) {
	var res R
	err := s.Conn.Call(ctx, s.ID, command.Method, params, &res)
	return res, err
}

// Pending is a command that was sent. It need not be waited for.
type Pending struct {
	conn            *Conn
	id              int64
	session, method string
	done            chan struct{}
	result          json.RawMessage
	err             error
}

// Start sends a command without waiting for its answer; errors come from Wait. Commands started by one goroutine keep their order, so a
// new session's set-up can go out in one burst. It waits only while the transport's queue is full.
func (c *Conn) Start(ctx context.Context, session, method string, params any) *Pending {
	p := &Pending{conn: c, session: session, method: method, done: make(chan struct{})}
	raw, err := encode(method, params)
	if err != nil {
		return p.failed(err)
	}
	if err := ctx.Err(); err != nil {
		return p.failed(fmt.Errorf("sending %s: %w", method, context.Cause(ctx)))
	}
	c.mu.Lock()
	switch {
	case c.err != nil:
		err = c.err
	case c.closed:
		err = ErrClosed
	case c.crashed[session]:
		err = ErrTargetCrashed
	}
	if err != nil {
		c.mu.Unlock()
		return p.failed(fmt.Errorf("sending %s: %w", method, err))
	}
	c.lastID++
	p.id = c.lastID
	c.pending[p.id] = p
	c.mu.Unlock()
	if err := c.transport.Send(ctx, appendCommand(p.id, session, method, raw)); err != nil {
		if c.forget(p) {
			return p.failed(fmt.Errorf("sending %s: %w", method, err))
		}
	}
	return p
}

func (p *Pending) failed(err error) *Pending {
	p.err = err
	close(p.done)
	return p
}

// Wait waits for the answer and decodes it into res, as Call does. When ctx ends first the answer is dropped when it comes.
func (p *Pending) Wait(ctx context.Context, res any) error {
	select {
	case <-p.done:
	default:
		select {
		case <-p.done:
		case <-ctx.Done():
			if p.conn.forget(p) {
				p.failed(fmt.Errorf("waiting for %s: %w", p.method, context.Cause(ctx)))
			}
			<-p.done
		}
	}
	if p.err != nil || res == nil {
		return p.err
	}
	if raw, ok := res.(*json.RawMessage); ok {
		*raw = p.result
		return nil
	}
	if err := jsonv2.Unmarshal(p.result, res); err != nil {
		return fmt.Errorf("decoding the answer to %s: %w", p.method, err)
	}
	return nil
}

// forget takes a command out of the waiting ones. It reports false when the command has its answer, or is about to get it.
func (c *Conn) forget(p *Pending) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[p.id] != p {
		return false
	}
	delete(c.pending, p.id)
	return true
}

// encode gives params as raw JSON; nil when there are none.
func encode(method string, params any) ([]byte, error) {
	switch params := params.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return params, nil
	case []byte:
		return params, nil
	case jsonv2.Value:
		return params, nil
	}
	raw, err := jsonv2.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("encoding the params of %s: %w", method, err)
	}
	return raw, nil
}

// appendCommand writes a command in the order Chromium's own clients use. Method and session come from code, never from a page.
func appendCommand(id int64, session, method string, params []byte) []byte {
	frame := make([]byte, 0, len(params)+len(method)+len(session)+64)
	frame = append(frame, `{"id":`...)
	frame = strconv.AppendInt(frame, id, 10)
	frame = append(frame, `,"method":"`...)
	frame = append(frame, method...)
	frame = append(frame, '"')
	if len(params) > 0 {
		frame = append(frame, `,"params":`...)
		frame = append(frame, params...)
	}
	if session != "" {
		frame = append(frame, `,"sessionId":"`...)
		frame = append(frame, session...)
		frame = append(frame, '"')
	}
	return append(frame, '}')
}
