package browser

import (
	"slices"
	"strings"

	"github.com/chromedp/cdproto/log"
)

// mostMessages bounds what a page remembers of its console and of its exceptions.
const mostMessages = 200

type eventConsole struct {
	Type       string         `json:"type"`
	Args       []remoteObject `json:"args"`
	ContextID  int64          `json:"executionContextId"`
	Timestamp  float64        `json:"timestamp"`
	StackTrace *stackTrace    `json:"stackTrace"`
}

func (s *session) consoleCalled(e *eventConsole) {
	ec := s.contexts[e.ContextID]
	if ec == nil {
		return
	}
	p := s.page
	if e.Type == "debug" && len(e.Args) == 1 && strings.HasPrefix(e.Args[0].text(), contentTag) {
		if opened := p.contentTags[e.Args[0].text()]; opened != nil {
			delete(p.contentTags, e.Args[0].text())
			opened()
		}
		return
	}
	p.logged(ec, nil, e)
}

// logged adds a message; the lock is held.
func (p *Page) logged(ec *execContext, w *Worker, e *eventConsole) {
	m := &ConsoleMessage{page: p, worker: w, kind: e.Type, location: e.StackTrace.location(), timestamp: e.Timestamp}
	texts := make([]string, len(e.Args))
	for i := range e.Args {
		h := newHandle(ec, &e.Args[i])
		m.args = append(m.args, h)
		texts[i] = h.js().preview
	}
	m.text = strings.Join(texts, " ")
	p.addMessage(m)
}

func (p *Page) addMessage(m *ConsoleMessage) {
	p.console = append(p.console, m)
	if len(p.console) > mostMessages {
		p.console = slices.Clone(p.console[mostMessages/10:])
	}
	if p.reported {
		p.emitBoth(EventConsole, m)
		if w := m.worker; w != nil {
			p.browser.later(func() { w.emitter.emit(EventConsole, m) })
		}
	}
}

func (s *session) logEntry(e *log.EventEntryAdded) {
	entry := e.Entry
	if entry == nil {
		return
	}
	for _, a := range entry.Args {
		if a.ObjectID != "" {
			s.post("Runtime.releaseObject", obj{"objectId": a.ObjectID})
		}
	}
	if entry.Source == log.EntrySourceWorker {
		return
	}
	s.page.addMessage(&ConsoleMessage{page: s.page, kind: string(entry.Level), text: entry.Text, location: Location{URL: entry.URL, LineNumber: int(entry.LineNumber)}, timestamp: entry.Timestamp.Float64()})
}

type eventException struct {
	Details exception `json:"exceptionDetails"`
}

func (s *session) exceptionThrown(e *eventException) { s.page.threw(&e.Details) }

// threw adds an exception nobody caught; the lock is held.
func (p *Page) threw(x *exception) {
	e := &PageError{page: p, err: x.errorValue(), location: x.StackTrace.location()}
	p.errors = append(p.errors, e)
	if len(p.errors) > mostMessages {
		p.errors = slices.Clone(p.errors[mostMessages/10:])
	}
	if p.reported {
		p.emitError(e)
	}
}

func (p *Page) emitError(e *PageError) {
	p.browser.later(func() {
		p.emitter.emit(EventPageError, e)
		p.context.emitter.emit(EventWebError, &WebError{e})
	})
}

// errorValue reads name, message and stack out of V8's description.
func (x *exception) errorValue() ErrorValue {
	text := x.message()
	head, stack := text, ""
	if i := strings.Index(text, "\n    at"); i >= 0 {
		head, stack = text[:i], text
	} else if strings.HasPrefix(text, "    at") {
		head, stack = "", text
	}
	name, message := splitErrorName(head)
	if v := x.Exception; v != nil && v.Preview != nil {
		for _, p := range v.Preview.Properties {
			if p.Name == "name" {
				name = p.Value
			}
		}
	}
	return ErrorValue{name, message, stack}
}

func (p *Page) consoleMessages(sinceNavigation bool) []*ConsoleMessage {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	list := p.console
	if sinceNavigation {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].navigated {
				list = list[i+1:]
				break
			}
		}
	}
	return slices.Clone(list)
}

func (p *Page) clearConsole() {
	p.browser.mu.Lock()
	p.console = nil
	p.browser.mu.Unlock()
}

func (p *Page) pageErrors(sinceNavigation bool) []*PageError {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	list := p.errors
	if sinceNavigation {
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].navigated {
				list = list[i+1:]
				break
			}
		}
	}
	return slices.Clone(list)
}

func (p *Page) clearErrors() {
	p.browser.mu.Lock()
	p.errors = nil
	p.browser.mu.Unlock()
}

func (p *Page) recentRequests() []*Request {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	return slices.Clone(p.requests)
}

// markNavigation notes where the messages of one document end; the lock is held.
func (p *Page) markNavigation() {
	if n := len(p.console); n > 0 {
		p.console[n-1].navigated = true
	}
	if n := len(p.errors); n > 0 {
		p.errors[n-1].navigated = true
	}
}
