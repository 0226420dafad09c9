package browser

// extraInfo matches Network.*ExtraInfo events, which come on a channel of their own in any order, with the responses of one
// request id. Both kinds come in the order of the redirect chain, so the n-th belongs to the n-th response.
type extraInfo struct {
	requests  []*eventExtraInfo // nil once used
	responses []*eventExtraInfo
	known     []*Response
	fromCache bool
	done      bool
}

func (n *networkManager) extraOf(id string) *extraInfo {
	x := n.extra[id]
	if x == nil {
		x = &extraInfo{}
		n.extra[id] = x
	}
	return x
}

func (s *session) requestExtraInfo(e *eventExtraInfo) {
	n := s.page.network
	x := n.extraOf(e.RequestID)
	x.requests = append(x.requests, e)
	x.match(len(x.requests) - 1)
	n.dropExtra(e.RequestID, x)
}

func (s *session) responseExtraInfo(e *eventExtraInfo) {
	n := s.page.network
	x := n.extraOf(e.RequestID)
	x.responses = append(x.responses, e)
	x.match(len(x.responses) - 1)
	n.dropExtra(e.RequestID, x)
}

// expectExtra gives a response its raw headers once they come, or says that none will.
func (n *networkManager) expectExtra(r *Response, hasExtraInfo bool) {
	id := r.request.id
	if x := n.extra[id]; !hasExtraInfo || x != nil && x.fromCache {
		r.request.setRaw(nil)
		r.setRaw(nil, 0)
		return
	}
	x := n.extraOf(id)
	x.known = append(x.known, r)
	x.match(len(x.known) - 1)
}

func (x *extraInfo) match(i int) {
	if i >= len(x.known) {
		return
	}
	r := x.known[i]
	if i < len(x.requests) && x.requests[i] != nil {
		r.request.setRaw(x.requests[i].Headers.split())
		x.requests[i] = nil
	}
	if i < len(x.responses) && x.responses[i] != nil {
		e := x.responses[i]
		r.setRaw(e.Headers.split(), len(e.HeadersText))
		x.responses[i] = nil
	}
}

func (n *networkManager) doneWithExtra(id string) {
	if x := n.extra[id]; x != nil {
		x.done = true
		n.dropExtra(id, x)
	}
}

func (n *networkManager) dropExtra(id string, x *extraInfo) {
	if x.done && len(x.known) <= len(x.responses) {
		delete(n.extra, id)
	}
}
