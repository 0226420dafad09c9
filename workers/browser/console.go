package browser

// Location is a place in a script, zero-based.
type Location struct {
	URL          string
	LineNumber   int
	ColumnNumber int
}

// ConsoleMessage is one message of the page's console.
type ConsoleMessage struct {
	page      *Page
	worker    *Worker
	kind      string
	text      string
	args      []Handle
	location  Location
	timestamp float64
	navigated bool // the last message before a navigation
}

// Page answers the page, nil for a service worker's message.
func (m *ConsoleMessage) Page() *Page { return m.page }

// Worker answers the web worker that logged it, if one did.
func (m *ConsoleMessage) Worker() *Worker { return m.worker }

// Type answers "log", "debug", "info", "error", "warning", "dir", "dirxml", "table", "trace", "clear", "startGroup",
// "startGroupCollapsed", "endGroup", "assert", "profile", "profileEnd", "count" or "timeEnd".
func (m *ConsoleMessage) Type() string { return m.kind }

// Text answers the message as Playwright renders it.
func (m *ConsoleMessage) Text() string { return m.text }

// Args answers handles on the arguments.
func (m *ConsoleMessage) Args() []Handle { return m.args }

// Location answers where it was logged.
func (m *ConsoleMessage) Location() Location { return m.location }

// Timestamp answers when it was logged, in milliseconds since the epoch.
func (m *ConsoleMessage) Timestamp() float64 { return m.timestamp }

// PageError is an exception nobody caught in a page.
type PageError struct {
	page      *Page
	err       ErrorValue
	location  Location
	navigated bool
}

// Page answers the page.
func (e *PageError) Page() *Page { return e.page }

// Value answers the exception as an Error: name, message and stack.
func (e *PageError) Value() ErrorValue { return e.err }

// Location answers where it was thrown.
func (e *PageError) Location() Location { return e.location }

// WebError is the context's view of a PageError.
type WebError struct{ pageError *PageError }

// Page answers the page.
func (e *WebError) Page() *Page { return e.pageError.page }

// Value answers the exception.
func (e *WebError) Value() ErrorValue { return e.pageError.err }

// Location answers where it was thrown.
func (e *WebError) Location() Location { return e.pageError.location }
