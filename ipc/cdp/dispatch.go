package cdp

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// read moves frames from the transport into the inbox until the transport ends.
func (c *Conn) read() {
	var err error
	for err == nil {
		var frame []byte
		frame, err = c.transport.Receive()
		m := message{size: len(frame)}
		if tooLarge := (*FrameTooLargeError)(nil); errors.As(err, &tooLarge) && tooLarge.Head != nil {
			parts, ok := tooLarge.Parts()
			if ok && parts.ID != 0 {
				c.put(message{parts: parts, err: err})
			}
			err = nil
			continue
		}
		if err != nil {
			break
		}
		ok := false
		if m.parts, ok = Cut(frame); !ok {
			if m.parts, ok = decode(frame); !ok {
				continue
			}
		}
		err = c.put(m)
	}
	c.mu.Lock()
	c.readErr = err
	c.mu.Unlock()
	c.wake()
	_ = c.transport.Close()
}

func (c *Conn) put(m message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unread > 0 && c.unread+m.size > maxUnhandled {
		return ErrFlooded
	}
	c.inbox = append(c.inbox, m)
	c.unread += m.size
	c.wake()
	return nil
}

func (c *Conn) wake() {
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

// decode reads a message that is not laid out as Chromium does it. One that is no CDP message at all is left out.
func decode(frame []byte) (Parts, bool) {
	var m struct {
		ID      int64        `json:"id"`
		Method  string       `json:"method"`
		Session string       `json:"sessionId"`
		Params  jsonv2.Value `json:"params"`
		Result  jsonv2.Value `json:"result"`
		Error   jsonv2.Value `json:"error"`
	}
	if err := jsonv2.Unmarshal(frame, &m); err != nil || m.ID == 0 && m.Method == "" {
		return Parts{}, false
	}
	p := Parts{ID: m.ID, Session: []byte(m.Session), Body: m.Params}
	switch {
	case m.ID == 0:
		p.Method = []byte(m.Method)
	case m.Error != nil:
		p.Body, p.Failed = m.Error, true
	default:
		p.Body = m.Result
	}
	return p, true
}

// handle takes messages from the inbox in order. It ends when reading has ended and all is handled, or at once after Close.
func (c *Conn) handle() {
	defer c.end()
	for range c.arrived {
		for {
			c.mu.Lock()
			inbox, closed, ended := c.inbox, c.closed, c.readErr != nil
			c.inbox = nil
			c.mu.Unlock()
			if closed && ended || ended && len(inbox) == 0 {
				return
			}
			if len(inbox) == 0 {
				break
			}
			for _, m := range inbox {
				if m.parts.ID != 0 {
					c.answer(m)
				} else {
					c.event(Event{Session: string(m.parts.Session), Method: string(m.parts.Method), Params: m.parts.Body})
				}
				c.mu.Lock()
				c.unread -= m.size
				closed = c.closed
				c.mu.Unlock()
				if closed {
					break
				}
			}
		}
	}
}

func (c *Conn) answer(m message) {
	c.mu.Lock()
	p := c.pending[m.parts.ID]
	delete(c.pending, m.parts.ID)
	c.mu.Unlock()
	if p == nil {
		return
	}
	switch {
	case m.err != nil:
		p.err = fmt.Errorf("reading the answer to %s: %w", p.method, m.err)
	case m.parts.Failed:
		failure := &Error{Method: p.method}
		if err := jsonv2.Unmarshal(m.parts.Body, failure); err != nil {
			failure.Message = "an error that cannot be read: " + err.Error()
		}
		p.err = failure
	default:
		p.result = json.RawMessage(m.parts.Body)
	}
	close(p.done)
}

func (c *Conn) event(event Event) {
	switch event.Method {
	case "Inspector.targetCrashed":
		c.setCrashed(event.Session, true)
	case "Inspector.targetReloadedAfterCrash":
		c.setCrashed(event.Session, false)
	}
	c.mu.Lock()
	handlers := c.handlers[event.Session]
	c.mu.Unlock()
	for _, h := range handlers {
		c.mu.Lock()
		fn := h.fn
		c.mu.Unlock()
		if fn != nil {
			fn(event)
		}
	}
	if event.Method != "Target.detachedFromTarget" {
		return
	}
	var detached struct {
		Session string `json:"sessionId"`
	}
	if event.Decode(&detached) != nil || detached.Session == "" {
		return
	}
	c.mu.Lock()
	delete(c.crashed, detached.Session)
	delete(c.handlers, detached.Session)
	c.mu.Unlock()
	c.failSession(detached.Session, ErrSessionClosed)
}

func (c *Conn) setCrashed(session string, crashed bool) {
	c.mu.Lock()
	if crashed {
		c.crashed[session] = true
	} else {
		delete(c.crashed, session)
	}
	c.mu.Unlock()
	if crashed {
		c.failSession(session, ErrTargetCrashed)
	}
}

// failSession answers every waiting command of a session.
func (c *Conn) failSession(session string, err error) {
	c.mu.Lock()
	var lost []*Pending
	for id, p := range c.pending {
		if p.session == session {
			lost = append(lost, p)
			delete(c.pending, id)
		}
	}
	c.mu.Unlock()
	for _, p := range lost {
		p.failed(fmt.Errorf("waiting for %s: %w", p.method, err))
	}
}

// end answers everybody who waits.
func (c *Conn) end() {
	c.mu.Lock()
	c.err = ErrClosed
	if !c.closed {
		c.err = fmt.Errorf("%w: %w", ErrClosed, c.readErr)
	}
	lost := c.pending
	c.pending, c.handlers, c.inbox = nil, nil, nil
	err := c.err
	c.mu.Unlock()
	for _, p := range lost {
		p.failed(fmt.Errorf("waiting for %s: %w", p.method, err))
	}
	close(c.done)
}
