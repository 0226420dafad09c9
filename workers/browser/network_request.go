package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Request is one HTTP request of a page.
type Request struct {
	id           string
	resourceType string
	// documentID is the document a navigation request brings; empty for other requests.
	documentID string
	from       *Request
	frame      *Frame
	favicon    bool
	timestamp  float64 // of CDP's monotonic clock
	wallTime   float64 // seconds since the epoch
	// raw is closed when the headers as sent are known, answered when there is a response or a failure.
	raw, answered chan struct{}

	// The rest is guarded by the browser's lock.
	session     *session
	url, method string
	headers     []Header
	rawHeader   []Header
	postData    []byte
	to          *Request
	response    *Response
	failure     string
	hasFailed   bool
	timing      Timing
	overrides   Override
	// continued are the parameters it was let go with.
	continued obj
	fulfilled bool
}

type requestView struct {
	url, method, failure string
	headers              []Header
	postData             []byte
	to                   *Request
	timing               Timing
	response             *Response
}

func newRequest(s *session, f *Frame, e *eventRequestWillBeSent, paused *eventRequestPaused, from *Request) *Request {
	shown := &e.Request
	if paused != nil {
		shown = &paused.Request
	}
	url, _, _ := strings.Cut(shown.URL, "#")
	r := &Request{
		id: e.RequestID, resourceType: resourceType(e.Type), from: from, frame: f, session: s, timestamp: e.Timestamp, wallTime: e.WallTime,
		raw: make(chan struct{}), answered: make(chan struct{}),
		url: url, method: shown.Method, headers: shown.Headers.split(), postData: shown.body(),
		timing: Timing{0, -1, -1, -1, -1, -1, -1, -1, -1},
	}
	if e.RequestID == e.LoaderID && e.Type == "Document" {
		r.documentID = e.LoaderID
	}
	r.favicon = strings.HasSuffix(url, "/favicon.ico") || from != nil && from.favicon
	if from != nil {
		from.to = r
	}
	return r
}

func resourceType(t string) string {
	switch t {
	case "Document", "Stylesheet", "Image", "Media", "Font", "Script", "TextTrack", "XHR", "Fetch", "EventSource", "WebSocket", "Manifest", "Ping":
		return strings.ToLower(t)
	case "CSPViolationReport":
		return "cspreport"
	}
	return "other"
}

func (r *Request) lock() func() {
	r.frame.page.browser.mu.Lock()
	return r.frame.page.browser.mu.Unlock
}

func (r *Request) view() requestView {
	defer r.lock()()
	v := requestView{r.url, r.method, r.failure, r.headers, r.postData, r.to, r.timing, r.response}
	if r.overrides.URL != "" {
		v.url = r.overrides.URL
	}
	if r.overrides.Method != "" {
		v.method = r.overrides.Method
	}
	if r.overrides.Headers != nil {
		v.headers = r.overrides.Headers
	}
	if r.overrides.PostData != nil {
		v.postData = r.overrides.PostData
	}
	return v
}

// setRaw notes the headers as sent; nil: the announced ones are all there will be. The lock is held.
func (r *Request) setRaw(headers []Header) {
	select {
	case <-r.raw:
		return
	default:
	}
	if headers == nil {
		headers = r.headers
	}
	r.rawHeader = headers
	close(r.raw)
}

// moveTo notes that a navigation's request ends in the process of its new document. The lock is held.
func (r *Request) moveTo(s *session) {
	if r.session != s && s.kind != pageSession && (r.documentID == r.id || s.kind == workerSession) {
		r.session = s
	}
}

// ended is a good end. encoded is the size on the wire, -1 when not known. The lock is held.
func (r *Request) ended(responseEnd, encoded float64) {
	r.timing.ResponseEnd = responseEnd
	if r.timing.ResponseStart == -1 {
		r.timing.ResponseStart = responseEnd
	}
	if r.response != nil {
		r.response.encoded = encoded
		closeOnce(r.response.done)
	}
	closeOnce(r.answered)
}

func (r *Request) failed(text string, responseEnd float64) {
	r.failure, r.hasFailed = text, true
	if responseEnd >= 0 {
		r.timing.ResponseEnd = responseEnd
	}
	if r.response != nil {
		r.response.encoded = -1
		closeOnce(r.response.done)
	}
	closeOnce(r.answered)
}

// final is the last request of the redirect chain. The lock is held.
func (r *Request) final() *Request {
	for r.to != nil {
		r = r.to
	}
	return r
}

func (r *Request) owner() (*Frame, error) {
	p := r.frame.page
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	if !p.reported && r.frame == p.mainFrame && r.documentID != "" {
		return nil, &Error{Name: nameError, Message: "Frame for this navigation request is not available, because the request\nwas issued before the frame is created. You can check whether the request\nis a navigation request by calling isNavigationRequest() method."}
	}
	return r.frame, nil
}

func (r *Request) rawHeaders(ctx context.Context) ([]Header, error) {
	if v := r.view(); r.overridden() {
		return v.headers, nil
	}
	return runValue(r.frame.page, ctx, "request.allHeaders", noTimeout, func(o *op) ([]Header, error) {
		if err := waitOn(o.ctx, r.raw); err != nil {
			return nil, err
		}
		defer r.lock()()
		return slices.Clone(r.rawHeader), nil
	})
}

func (r *Request) overridden() bool {
	defer r.lock()()
	return r.overrides.Headers != nil
}

func (r *Request) allHeaders(ctx context.Context) ([]Header, error) {
	raw, err := r.rawHeaders(ctx)
	return lowerHeaders(raw), err
}

func (r *Request) waitResponse(ctx context.Context) (*Response, error) {
	return runValue(r.frame.page, ctx, "request.response", noTimeout, r.awaitResponse)
}

func (r *Request) awaitResponse(o *op) (*Response, error) {
	if err := waitOn(o.ctx, r.answered); err != nil {
		return nil, err
	}
	defer r.lock()()
	return r.response, nil
}

func (r *Request) sizes(ctx context.Context) (Sizes, error) {
	return runValue(r.frame.page, ctx, "request.sizes", noTimeout, func(o *op) (Sizes, error) {
		response, err := r.awaitResponse(o)
		if err != nil {
			return Sizes{}, err
		}
		if response == nil {
			return Sizes{}, plainError("Unable to fetch sizes for failed request")
		}
		for _, ch := range []chan struct{}{r.raw, response.raw, response.done} {
			if err := waitOn(o.ctx, ch); err != nil {
				return Sizes{}, err
			}
		}
		v := r.view()
		defer r.lock()()
		s := Sizes{RequestBodySize: len(v.postData), RequestHeadersSize: headersSize(r.rawHeader, len(v.method)+len(requestPath(v.url))+len("  HTTP/1.1\r\n"))}
		s.ResponseHeadersSize = response.headersSize
		if s.ResponseHeadersSize == 0 {
			s.ResponseHeadersSize = headersSize(response.rawHeader, len("HTTP/1.1 ")+3+1+len(response.statusText)+2)
		}
		s.ResponseBodySize = max(0, int(response.encoded)-s.ResponseHeadersSize)
		return s, nil
	})
}

func requestPath(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	_, path, ok := strings.Cut(rest, "/")
	if !ok {
		return "/"
	}
	return "/" + path
}

func headersSize(headers []Header, first int) int {
	size := first + 2
	for _, h := range headers {
		size += len(h.Name) + len(h.Value) + 4
	}
	return size
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
	// raw is closed when all headers are known, done when the body has ended.
	raw, done chan struct{}

	// Guarded by the browser's lock.
	rawHeader   []Header
	headersSize int
	encoded     float64
}

// response makes the response of a request; the lock is held.
func (n *networkManager) response(r *Request, w *wireResponse, hasExtraInfo bool) *Response {
	response := &Response{
		request: r, url: r.url, status: w.Status, statusText: w.StatusText, fromServiceWorker: w.FromServiceWorker, httpVersion: w.Protocol,
		headers: wireHeaders(w.Headers), raw: make(chan struct{}), done: make(chan struct{}),
	}
	if r.overrides.URL != "" {
		response.url = r.overrides.URL
	}
	switch w.Protocol {
	case "http/1.0", "http/1.1":
		response.httpVersion = strings.ToUpper(w.Protocol)
	}
	if w.RemoteIPAddress != "" {
		response.serverAddr = &ServerAddr{w.RemoteIPAddress, w.RemotePort}
	}
	if d := w.SecurityDetails; d != nil {
		response.security = &SecurityDetails{Issuer: d.Issuer, Protocol: d.Protocol, SubjectName: d.SubjectName, ValidFrom: d.ValidFrom.Float64(), ValidTo: d.ValidTo.Float64()}
	}
	x := n.extra[r.id]
	if t := w.Timing; t != nil && (x == nil || !x.fromCache) {
		r.timing = Timing{
			StartTime:         (t.RequestTime - r.timestamp + r.wallTime) * 1000,
			DomainLookupStart: t.DNSStart, DomainLookupEnd: t.DNSEnd, ConnectStart: t.ConnectStart, SecureConnectionStart: t.SslStart,
			ConnectEnd: t.ConnectEnd, RequestStart: t.SendStart, ResponseStart: t.ReceiveHeadersEnd, ResponseEnd: -1,
		}
	} else {
		r.timing = Timing{r.wallTime * 1000, -1, -1, -1, -1, -1, -1, -1, -1}
	}
	r.response = response
	closeOnce(r.answered)
	n.expectExtra(response, hasExtraInfo)
	return response
}

// setRaw notes all headers; the lock is held.
func (r *Response) setRaw(headers []Header, size int) {
	select {
	case <-r.raw:
		return
	default:
	}
	if headers == nil {
		headers = wireHeaders(r.headers).split()
	}
	r.rawHeader, r.headersSize = headers, size
	close(r.raw)
}

func (r *Response) rawHeaders(ctx context.Context) ([]Header, error) {
	return runValue(r.request.frame.page, ctx, "response.allHeaders", noTimeout, func(o *op) ([]Header, error) {
		if err := waitOn(o.ctx, r.raw); err != nil {
			return nil, err
		}
		defer r.request.lock()()
		return slices.Clone(r.rawHeader), nil
	})
}

func (r *Response) allHeaders(ctx context.Context) ([]Header, error) {
	raw, err := r.rawHeaders(ctx)
	return lowerHeaders(raw), err
}

func (r *Response) finished(ctx context.Context) (string, error) {
	return runValue(r.request.frame.page, ctx, "response.finished", noTimeout, func(o *op) (string, error) {
		if err := waitOn(o.ctx, r.done); err != nil {
			return "", err
		}
		return r.request.view().failure, nil
	})
}

func (r *Response) body(ctx context.Context) ([]byte, error) {
	return runValue(r.request.frame.page, ctx, "response.body", noTimeout, func(o *op) ([]byte, error) {
		if err := waitOn(o.ctx, r.done); err != nil {
			return nil, err
		}
		if r.status >= 300 && r.status <= 399 {
			return nil, plainError("Response body is unavailable for redirect responses")
		}
		unlock := r.request.lock()
		s, failure := r.request.session, r.request.failure
		unlock()
		if failure != "" {
			return nil, plainError(failure)
		}
		var res struct {
			Body          string `json:"body"`
			Base64Encoded bool   `json:"base64Encoded"`
		}
		if err := s.call(o.ctx, "Network.getResponseBody", obj{"requestId": r.request.id}, &res); err != nil {
			if o.over() == nil && (lostContext(err) || errors.As(err, new(*closedError))) {
				return nil, plainError("Response body is unavailable")
			}
			return nil, err
		}
		if res.Base64Encoded {
			return base64.StdEncoding.DecodeString(res.Body)
		}
		return []byte(res.Body), nil
	})
}

// findHeader answers the first header of a name, nil when there is none.
func findHeader(headers []Header, name string) *string {
	for i := range headers {
		if strings.EqualFold(headers[i].Name, name) {
			return &headers[i].Value
		}
	}
	return nil
}

// lowerHeaders are headers by lower-case name, in order of first appearance, repetitions joined as Playwright joins them.
func lowerHeaders(headers []Header) []Header {
	out := make([]Header, 0, len(headers))
	index := make(map[string]int, len(headers))
	for _, h := range headers {
		name := strings.ToLower(h.Name)
		if i, ok := index[name]; ok {
			separator := ", "
			if name == "set-cookie" {
				separator = "\n"
			}
			out[i].Value += separator + h.Value
			continue
		}
		index[name] = len(out)
		out = append(out, Header{name, h.Value})
	}
	return out
}

func headerValue(headers []Header, name string) *string { return findHeader(headers, name) }

func headerValues(headers []Header, name string) []string {
	values := []string{}
	for _, h := range headers {
		if strings.EqualFold(h.Name, name) {
			values = append(values, h.Value)
		}
	}
	return values
}

// contentLength answers the announced length, -1 when there is none.
func contentLength(headers []Header) int {
	if v := findHeader(headers, "content-length"); v != nil {
		if n, err := strconv.Atoi(*v); err == nil {
			return n
		}
	}
	return -1
}
