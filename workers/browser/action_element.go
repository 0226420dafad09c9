package browser

import (
	"context"

	"github.com/chromedp/cdproto/dom"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

func (h *ElementHandle) doBoundingBox(o *op) (*Rect, error) {
	var res dom.GetBoxModelResult
	if err := h.ctx.session.call(o.ctx, "DOM.getBoxModel", obj{"objectId": h.objectID}, &res); err != nil {
		if over := o.over(); over != nil {
			return nil, over
		}
		return nil, nil
	}
	q := res.Model.Border
	if len(q) < 8 {
		return nil, nil
	}
	x, y := min(q[0], q[2], q[4], q[6]), min(q[1], q[3], q[5], q[7])
	offset, err := h.ctx.session.offset(o)
	if err != nil {
		return nil, err
	}
	return &Rect{x + offset.X, y + offset.Y, max(q[0], q[2], q[4], q[6]) - x, max(q[1], q[3], q[5], q[7]) - y}, nil
}

// offset is where the viewport of a session's root frame lies in the main frame's.
func (s *session) offset(o *op) (Point, error) {
	if s.kind != frameSession {
		return Point{}, nil
	}
	b := s.b
	b.mu.Lock()
	f := s.page.frameByID[s.targetID]
	b.mu.Unlock()
	if f == nil {
		return Point{}, frameDetachedError
	}
	parent := f.ParentFrame()
	if parent == nil {
		return Point{}, nil
	}
	h, err := f.ownerHop(o, parent)
	if err != nil {
		return Point{}, err
	}
	defer h.ec.session.post("Runtime.releaseObject", obj{"objectId": h.objectID})
	// The content box, in the parent process's coordinates.
	var res dom.GetBoxModelResult
	if err := h.ec.session.call(o.ctx, "DOM.getBoxModel", obj{"objectId": h.objectID}, &res); err != nil {
		return Point{}, h.ec.translate(o.ctx, err)
	}
	if len(res.Model.Content) < 8 {
		return Point{}, nil
	}
	outer, err := h.ec.session.offset(o)
	return Point{res.Model.Content[0] + outer.X, res.Model.Content[1] + outer.Y}, err
}

// ownerNode answers the element that holds the frame, by its id in the parent's session.
func (f *Frame) ownerNode(o *op) (int64, *session, error) {
	p := f.page
	p.browser.mu.Lock()
	id := f.id
	var s *session
	if f.parent != nil {
		s = p.sessionOf(f.parent)
	}
	p.browser.mu.Unlock()
	if s == nil {
		return 0, nil, plainError("Frame has been detached.")
	}
	var res dom.GetFrameOwnerResult
	if err := s.call(o.ctx, "DOM.getFrameOwner", obj{"frameId": id}, &res); err != nil {
		if over := o.over(); over != nil {
			return 0, nil, over
		}
		if f.IsDetached() || refusal(err) != nil {
			return 0, nil, plainError("Frame has been detached.")
		}
		return 0, nil, err
	}
	return int64(res.BackendNodeID), s, nil
}

func refusal(err error) *cdp.Error {
	if e, ok := err.(*cdp.Error); ok {
		return e
	}
	return nil
}

func (f *Frame) frameElement(ctx context.Context, api string) (*ElementHandle, error) {
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (*ElementHandle, error) {
		backend, _, err := f.ownerNode(o)
		if err != nil {
			return nil, err
		}
		parent := f.ParentFrame()
		if parent == nil {
			return nil, plainError("Frame has been detached.")
		}
		ec, err := parent.worldOf(o, mainWorld)
		if err != nil {
			return nil, err
		}
		id, err := ec.resolveNode(o.ctx, backend)
		if err != nil {
			return nil, err
		}
		return newElement(ec, id).describe(), nil
	})
}

func (h *ElementHandle) ownerFrame(ctx context.Context, api string) (*Frame, error) {
	return runValue(h.frame.page, ctx, api, noTimeout, func(o *op) (*Frame, error) {
		r, err := h.ctx.callFunction(o.ctx, h.objectID, `function(){const d=this;if(d.documentElement&&d.documentElement.ownerDocument===d)return d.documentElement;`+
			`return d.ownerDocument?d.ownerDocument.documentElement:null}`, nil, false)
		if err != nil || r.ObjectID == "" {
			return nil, err
		}
		defer h.ctx.session.post("Runtime.releaseObject", obj{"objectId": r.ObjectID})
		return h.frameOfNode(o, r.ObjectID)
	})
}

func (h *ElementHandle) contentFrame(ctx context.Context, api string) (*Frame, error) {
	return runValue(h.frame.page, ctx, api, noTimeout, func(o *op) (*Frame, error) {
		r, err := h.ctx.callFunction(o.ctx, h.objectID, `function(){return this.nodeName==='IFRAME'||this.nodeName==='FRAME'}`, nil, true)
		if err != nil || string(r.Value) != "true" {
			return nil, err
		}
		return h.frameOfNode(o, h.objectID)
	})
}

// frameOfNode answers the frame that CDP names with a node: the content of a frame element, the owner of a document element.
func (h *ElementHandle) frameOfNode(o *op, objectID string) (*Frame, error) {
	var node dom.DescribeNodeResult
	if err := h.ctx.session.call(o.ctx, "DOM.describeNode", obj{"objectId": objectID}, &node); err != nil {
		return nil, h.ctx.translate(o.ctx, err)
	}
	b := h.frame.page.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.allPages() {
		if f := p.frameByID[string(node.Node.FrameID)]; f != nil {
			return f, nil
		}
	}
	return nil, nil
}
