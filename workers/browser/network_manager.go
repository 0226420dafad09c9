package browser

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/chromedp/cdproto/network"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// networkManager turns a page's Network.* and Fetch.* events into requests and responses. The browser's lock guards it.
type networkManager struct {
	page     *Page
	requests map[string]*Request // under way, by CDP's id
	extra    map[string]*extraInfo
	// With interception on, Network.requestWillBeSent and Fetch.requestPaused of a request come in any order.
	sent   map[string]sentEvent
	paused map[string]pausedEvent

	intercepting bool
	offline      bool
	headers      []Header // of context and page together
}

type sentEvent struct {
	session *session
	event   *eventRequestWillBeSent
}

type pausedEvent struct {
	session *session
	event   *eventRequestPaused
}

func newNetworkManager(p *Page) *networkManager {
	n := &networkManager{page: p, requests: map[string]*Request{}, extra: map[string]*extraInfo{}, sent: map[string]sentEvent{}, paused: map[string]pausedEvent{}}
	n.headers = p.context.options.ExtraHTTPHeaders
	n.offline = p.context.options.Offline
	n.intercepting = len(p.context.routes) > 0
	return n
}

// setUp turns the network on in a new session, as it is on in the others.
func (n *networkManager) setUp(s *session) {
	s.post("Network.enable", nil)
	if n.intercepting {
		n.intercept(s, true)
	}
	if n.offline {
		s.post("Network.emulateNetworkConditions", offlineParams(true))
	}
	if len(n.headers) > 0 {
		s.post("Network.setExtraHTTPHeaders", obj{"headers": headerObject(n.headers)})
	}
}

func (n *networkManager) intercept(s *session, on bool) *cdp.Pending {
	s.post("Network.setCacheDisabled", obj{"cacheDisabled": on})
	if s.kind == workerSession {
		return nil
	}
	if !on {
		return s.start(s.b.ctx, "Fetch.disable", nil)
	}
	return s.start(s.b.ctx, "Fetch.enable", obj{"patterns": []obj{{"urlPattern": "*", "requestStage": "Request"}}})
}

func offlineParams(offline bool) obj {
	return obj{"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
}

func headerObject(headers []Header) map[string]string {
	m := make(map[string]string, len(headers))
	for _, h := range headers {
		m[h.Name] = h.Value
	}
	return m
}

// sessionGone forgets what only a closed session could still tell.
func (n *networkManager) sessionGone(s *session) {
	for id, e := range n.sent {
		if e.session == s {
			delete(n.sent, id)
		}
	}
	for id, e := range n.paused {
		if e.session == s {
			delete(n.paused, id)
		}
	}
}

// wireHeaders are CDP's header object in its own order; a value with line breaks is a header that came more than once.
type wireHeaders []Header

func (h *wireHeaders) UnmarshalJSON(raw []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '{' {
		return err
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		header := Header{Name: name.String()}
		value, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if value.Kind() == '"' {
			header.Value = value.String()
		}
		*h = append(*h, header)
	}
	return nil
}

// split are the headers with those that came more than once apart.
func (h wireHeaders) split() []Header {
	var out []Header
	for _, header := range h {
		for _, value := range strings.Split(header.Value, "\n") {
			out = append(out, Header{header.Name, value})
		}
	}
	return out
}

type wireRequest struct {
	URL             string      `json:"url"`
	URLFragment     string      `json:"urlFragment"`
	Method          string      `json:"method"`
	Headers         wireHeaders `json:"headers"`
	PostDataEntries []struct {
		Bytes string `json:"bytes"`
	} `json:"postDataEntries"`
}

func (r *wireRequest) body() []byte {
	var body []byte
	for _, entry := range r.PostDataEntries {
		raw, err := base64.StdEncoding.DecodeString(entry.Bytes)
		if err == nil && len(raw) > 0 {
			body = append(body, raw...)
		}
	}
	return body
}

type wireResponse struct {
	URL               string                   `json:"url"`
	Status            int                      `json:"status"`
	StatusText        string                   `json:"statusText"`
	Headers           wireHeaders              `json:"headers"`
	Protocol          string                   `json:"protocol"`
	RemoteIPAddress   string                   `json:"remoteIPAddress"`
	RemotePort        int                      `json:"remotePort"`
	FromServiceWorker bool                     `json:"fromServiceWorker"`
	Timing            *network.ResourceTiming  `json:"timing"`
	SecurityDetails   *network.SecurityDetails `json:"securityDetails"`
}

type eventRequestWillBeSent struct {
	RequestID            string        `json:"requestId"`
	LoaderID             string        `json:"loaderId"`
	Request              wireRequest   `json:"request"`
	Timestamp            float64       `json:"timestamp"`
	WallTime             float64       `json:"wallTime"`
	Type                 string        `json:"type"`
	FrameID              string        `json:"frameId"`
	RedirectHasExtraInfo bool          `json:"redirectHasExtraInfo"`
	RedirectResponse     *wireResponse `json:"redirectResponse"`
	Initiator            struct {
		Type string `json:"type"`
	} `json:"initiator"`
}

type eventResponseReceived struct {
	RequestID    string       `json:"requestId"`
	Response     wireResponse `json:"response"`
	HasExtraInfo bool         `json:"hasExtraInfo"`
}

type eventExtraInfo struct {
	RequestID   string      `json:"requestId"`
	Headers     wireHeaders `json:"headers"`
	HeadersText string      `json:"headersText"`
}

type eventRequestPaused struct {
	RequestID           string      `json:"requestId"`
	NetworkID           string      `json:"networkId"`
	FrameID             string      `json:"frameId"`
	Request             wireRequest `json:"request"`
	RedirectedRequestID string      `json:"redirectedRequestId"`
}

func (s *session) requestWillBeSent(e *eventRequestWillBeSent) {
	n := s.page.network
	if !n.intercepting || strings.HasPrefix(e.Request.URL, "data:") {
		n.request(s, e, nil, nil)
		return
	}
	if p, ok := n.paused[e.RequestID]; ok {
		delete(n.paused, e.RequestID)
		n.request(s, e, p.session, p.event)
		return
	}
	n.sent[e.RequestID] = sentEvent{s, e}
}

func (s *session) requestPaused(e *eventRequestPaused) {
	n := s.page.network
	if e.NetworkID == "" {
		s.post("Fetch.continueRequest", obj{"requestId": e.RequestID})
		return
	}
	if strings.HasPrefix(e.Request.URL, "data:") {
		return
	}
	if sent, ok := n.sent[e.NetworkID]; ok {
		delete(n.sent, e.NetworkID)
		n.request(sent.session, sent.event, s, e)
		return
	}
	if r := n.requests[e.NetworkID]; r != nil && r.continued != nil && e.RedirectedRequestID == "" {
		// Chromium restarts a request inside its network stack: it goes on the way it was let go before.
		again := obj{"requestId": e.RequestID}
		for k, v := range r.continued {
			if k != "requestId" {
				again[k] = v
			}
		}
		s.post("Fetch.continueRequest", again)
		return
	}
	n.paused[e.NetworkID] = pausedEvent{s, e}
}

// request is a new request, or the next one of a redirect chain.
func (n *networkManager) request(s *session, e *eventRequestWillBeSent, pausedIn *session, paused *eventRequestPaused) {
	if strings.HasPrefix(e.Request.URL, "data:") {
		return
	}
	var from *Request
	if e.RedirectResponse != nil {
		if from = n.requests[e.RequestID]; from != nil {
			n.redirected(from, e)
		}
	}
	p := n.page
	frame := p.frameByID[e.FrameID]
	if frame == nil {
		frame = s.ownerFrame
	}
	if frame == nil && paused != nil {
		frame = p.frameByID[paused.FrameID]
	}
	if paused != nil && paused.Request.Method == "OPTIONS" && e.Initiator.Type == "preflight" && (len(p.routes) > 0 || len(p.context.routes) > 0) {
		answerPreflight(pausedIn, paused)
		return
	}
	if frame == nil {
		if paused != nil {
			pausedIn.post("Fetch.continueRequest", obj{"requestId": paused.RequestID})
		}
		return
	}
	r := newRequest(s, frame, e, paused, from)
	n.requests[e.RequestID] = r
	var route *Route
	if paused != nil {
		switch {
		case from != nil || r.favicon:
			// Redirects are not intercepted; headers that were changed stay so.
			params := obj{"requestId": paused.RequestID}
			if from != nil && from.continued != nil && from.continued["headers"] != nil {
				if headers, ok := from.continued["headers"].([]obj); ok {
					params["headers"] = headers
					r.continued = from.continued
				}
			}
			if r.favicon {
				pausedIn.post("Fetch.failRequest", obj{"requestId": paused.RequestID, "errorReason": "Aborted"})
			} else {
				pausedIn.post("Fetch.continueRequest", params)
			}
		default:
			route = &Route{request: r, session: pausedIn, id: paused.RequestID, outcome: make(chan bool, 1)}
			r.setRaw(paused.Request.Headers.split())
		}
	}
	frame.requestBegan(r)
	if r.documentID != "" {
		frame.setPending(&document{id: r.documentID, request: r})
	}
	if r.favicon {
		return
	}
	p.requests = append(p.requests, r)
	if len(p.requests) > 100 {
		p.requests = p.requests[10:]
	}
	p.emitBoth(EventRequest, r)
	if route != nil {
		p.routed(route)
	}
}

func answerPreflight(s *session, e *eventRequestPaused) {
	origin, methods := "*", "GET, POST, OPTIONS, DELETE"
	if v := findHeader(e.Request.Headers, "Origin"); v != nil {
		origin = *v
	}
	if v := findHeader(e.Request.Headers, "Access-Control-Request-Method"); v != nil {
		methods = *v
	}
	headers := []obj{{"name": "Access-Control-Allow-Origin", "value": origin}, {"name": "Access-Control-Allow-Methods", "value": methods}, {"name": "Access-Control-Allow-Credentials", "value": "true"}}
	if v := findHeader(e.Request.Headers, "Access-Control-Request-Headers"); v != nil {
		headers = append(headers, obj{"name": "Access-Control-Allow-Headers", "value": *v})
	}
	s.post("Fetch.fulfillRequest", obj{"requestId": e.RequestID, "responseCode": 204, "responsePhrase": "No Content", "responseHeaders": headers, "body": ""})
}

func (n *networkManager) redirected(r *Request, e *eventRequestWillBeSent) {
	response := n.response(r, e.RedirectResponse, e.RedirectHasExtraInfo)
	r.ended((e.Timestamp-r.timestamp)*1000, -1)
	delete(n.requests, e.RequestID)
	n.page.emitBoth(EventResponse, response)
	n.finished(r)
}

func (s *session) servedFromCache(e *network.EventRequestServedFromCache) {
	s.page.network.extraOf(string(e.RequestID)).fromCache = true
}

func (s *session) responseReceived(e *eventResponseReceived) {
	n := s.page.network
	r := n.requests[e.RequestID]
	if r == nil && e.Response.FromServiceWorker {
		// A service worker answered before the request could be paused.
		if sent, ok := n.sent[e.RequestID]; ok {
			delete(n.sent, e.RequestID)
			n.request(s, sent.event, nil, nil)
			r = n.requests[e.RequestID]
		}
	}
	if r == nil {
		return
	}
	response := n.response(r, &e.Response, e.HasExtraInfo)
	if !r.favicon {
		n.page.emitBoth(EventResponse, response)
	}
}

func (s *session) loadingFinished(e *network.EventLoadingFinished) {
	n := s.page.network
	id := string(e.RequestID)
	n.doneWithExtra(id)
	r := n.requests[id]
	if r == nil {
		return
	}
	r.moveTo(s)
	r.ended(roundish((e.Timestamp.Float64()-r.timestamp)*1e6)/1000, e.EncodedDataLength)
	delete(n.requests, id)
	n.finished(r)
}

func (s *session) loadingFailed(e *network.EventLoadingFailed) {
	n := s.page.network
	id := string(e.RequestID)
	n.doneWithExtra(id)
	r := n.requests[id]
	if r == nil {
		if sent, ok := n.sent[id]; ok {
			delete(n.sent, id)
			n.request(sent.session, sent.event, nil, nil)
			r = n.requests[id]
		}
	}
	if r == nil {
		return
	}
	r.moveTo(s)
	if r.response == nil {
		r.setRaw(nil)
	}
	delete(n.requests, id)
	failure := e.ErrorText
	if failure == "" {
		failure = string(e.BlockedReason)
	}
	r.failed(failure, roundish((e.Timestamp.Float64()-r.timestamp)*1e6)/1000)
	frame := r.frame
	frame.requestEnded(r)
	if frame.pending != nil && frame.pending.request == r {
		if e.Canceled {
			failure += "; maybe frame was detached?"
		}
		frame.navigationAborted(failure, frame.pending.id, !e.Canceled && e.ErrorText != "net::ERR_ABORTED")
	}
	if !r.favicon {
		n.page.emitBoth(EventRequestFailed, r)
	}
}

func (n *networkManager) finished(r *Request) {
	r.frame.requestEnded(r)
	if !r.favicon {
		n.page.emitBoth(EventRequestFinished, r)
	}
}

func roundish(v float64) float64 { return float64(int64(v)) }
