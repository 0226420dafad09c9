package browser

import (
	"context"
	"errors"
	"math"

	"github.com/chromedp/cdproto/dom"
)

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// pointerParams is PointerOptions of inject/api.ts.
type pointerParams struct {
	resolveOptions
	Action       string `json:"action"`
	Force        bool   `json:"force,omitzero"`
	Trial        bool   `json:"trial,omitzero"`
	Position     *point `json:"position,omitzero"`
	Scroll       string `json:"scroll,omitzero"`
	Stability    string `json:"stability,omitzero"`
	Checked      *bool  `json:"checked,omitzero"`
	SkipHitCheck bool   `json:"skipHitCheck,omitzero"`
}

type pointerReady struct {
	Ref     int64 `json:"ref"`
	Point   point `json:"point"`
	Attempt int   `json:"attempt"`
	Token   int64 `json:"token"`
	Already bool  `json:"already"`
}

type settleParams struct {
	Checked *bool `json:"checked,omitzero"`
	Ref     int64 `json:"ref,omitzero"`
	Attempt int   `json:"attempt,omitzero"`
}

// afterwards says what a pointer action waits for when its events are sent.
type afterwards int

const (
	settleOnly      afterwards = iota // what became of the events
	waitNavigations                   // also navigations they began
	waitNothing                       // noWaitAfter
)

// pointerAction is one mouse or touch action on an element.
type pointerAction struct {
	name    string
	options PointerOptions
	after   afterwards
	checked *bool
	send    func(o *op, at Point) error
	// unchecked leaves navigation and locator handlers alone: the mouse is in the middle of a drag.
	unchecked bool
}

// point does a pointer action: one call that finds, checks, scrolls and arms; the events; one call that tells what became of them.
func (t *target) point(o *op, a pointerAction) error {
	c := pageCall{method: "pointer", checks: !a.options.Force && !a.unchecked}
	params := pointerParams{Action: a.name, Force: a.options.Force, Trial: a.options.Trial, Scroll: a.options.Scroll, Checked: a.checked}
	if a.options.Position != nil {
		params.Position = &point{a.options.Position.X, a.options.Position.Y}
	}
	c.prepare = func(pl *place) []arg {
		with := params
		with.resolveOptions = pl.options
		return []arg{jsonArg(with)}
	}
	for {
		value, pl, err := t.run(o, c)
		if err != nil {
			if c.at != nil && t.again(o, err) {
				c.at, c.ref, c.attempt = nil, 0, 0
				continue
			}
			return err
		}
		var ready pointerReady
		if unmarshal(value, &ready) != nil {
			return errWire
		}
		if ready.Already {
			pl.release()
			return nil
		}
		retry, err := t.sendPointer(o, a, pl, ready, &params)
		switch {
		case err != nil && c.at == nil && t.again(o, err), err != nil && c.at != nil && t.again(o, err):
			pl.release()
			c.at, c.ref, c.attempt = nil, 0, 0
			continue
		case err != nil:
			pl.release()
			return err
		case retry == nil:
			pl.release()
			return nil
		}
		c.at, c.ref, c.attempt = pl, retry.Ref, retry.Attempt
		if retry.Ref == 0 {
			c.at, c.ref, c.attempt = nil, 0, 0
		}
		if retry.State == "stable" {
			params.Stability = "frames"
		}
	}
}

// sendPointer sends the events of a prepared action. A retry says that they did not reach the element.
func (t *target) sendPointer(o *op, a pointerAction, pl *place, ready pointerReady, params *pointerParams) (*retryReply, error) {
	p := t.frame.page
	at, retry, err := t.onMainFrame(o, pl, ready, params)
	if err != nil || retry != nil {
		pl.disarm(ready.Token)
		return retry, err
	}
	if !a.unchecked {
		if err := t.frame.page.reach(o, pl, at); err != nil {
			pl.disarm(ready.Token)
			return nil, err
		}
	}
	var b *barrier
	if a.after == waitNavigations {
		b = p.addBarrier(o)
		defer p.removeBarrier(b)
	}
	restore, err := p.Keyboard.ensureModifiers(o, a.options.Modifiers)
	if err != nil {
		pl.disarm(ready.Token)
		return nil, err
	}
	o.logf("  performing %s action", a.name)
	if err := a.send(o, at); err != nil {
		pl.disarm(ready.Token)
		return nil, err
	}
	if a.options.Modifiers != nil {
		if _, err := p.Keyboard.ensureModifiers(o, restore); err != nil {
			return nil, err
		}
	}
	retry, err = t.settle(o, a, pl, ready)
	if err != nil || retry != nil {
		return retry, err
	}
	if a.options.Trial {
		o.logf("  trial %s action done", a.name)
	} else {
		o.logf("  %s action done", a.name)
	}
	o.logLine("  waiting for scheduled navigations to finish")
	if b != nil {
		if err := p.waitBarrier(o, b); err != nil {
			return nil, err
		}
	}
	o.logLine("  navigations have finished")
	return nil, nil
}

// awaitMove answers whether a mouse move reaches the document within some milliseconds.
const awaitMove = `function(ms){return new Promise(done=>{const seen=()=>{clearTimeout(timer);done(true)};` +
	`const timer=setTimeout(()=>{removeEventListener('mousemove',seen,{capture:true});done(false)},ms);addEventListener('mousemove',seen,{capture:true,once:true})})}`

// reachPatience bounds, in moves of 100 ms, how long reach waits for a frame that may be covered.
const reachPatience = 10

// reach makes sure, once for each document of a frame in another process, that the browser sends events there: until such a frame
// has been drawn, events at its place go to the frame around it and are lost.
func (p *Page) reach(o *op, pl *place, at Point) error {
	if pl.ec.session.kind != frameSession || pl.ec.reached.Load() {
		return nil
	}
	for range reachPatience {
		seen := pl.ec.startFunction(o.ctx, "", awaitMove, []arg{jsonArg(100)}, true)
		if err := p.Mouse.doMove(o, at.X, at.Y, 1, true); err != nil {
			return err
		}
		ctx, release := pl.ec.bound(o.ctx)
		r, err := pl.ec.result(ctx, seen)
		release()
		if err != nil {
			return err
		}
		if string(r.Value) == "true" {
			break
		}
	}
	pl.ec.reached.Store(true)
	return nil
}

// settle asks what became of the events. A page that cannot answer, in a dialog or on its way to the next document, has got them.
func (t *target) settle(o *op, a pointerAction, pl *place, ready pointerReady) (*retryReply, error) {
	if ready.Token == 0 && a.checked == nil {
		if a.after == waitNavigations {
			// Another answer of the renderer: navigations the events began are known then.
			return nil, t.frame.page.roundTrip(o, pl.frame)
		}
		return nil, nil
	}
	params := settleParams{Ref: ready.Ref, Attempt: ready.Attempt}
	if a.checked != nil && !a.options.Trial {
		params.Checked = a.checked
	}
	if a.after == waitNothing {
		pl.disarm(ready.Token)
		return nil, nil
	}
	var reply *pageReply
	err := pl.frame.unstalled(o, func(ctx context.Context) error {
		var err error
		reply, err = pl.call(ctx, "settle", jsonArg(ready.Token), jsonArg(params))
		return err
	})
	if err != nil {
		if errors.Is(err, stalledError) {
			pl.disarm(ready.Token)
			return nil, nil
		}
		if over := o.over(); over != nil {
			return nil, over
		}
		if t.lost(err) {
			return nil, nil
		}
		return nil, err
	}
	o.logLine(reply.Log...)
	if reply.Error != nil {
		return nil, &jsError{*reply.Error}
	}
	if reply.Retry != nil && reply.Retry.Reason == "notconnected" && a.checked == nil {
		return nil, nil
	}
	return reply.Retry, nil
}

// lost reports whether an error means that the document is gone.
func (t *target) lost(err error) bool {
	var lost *contextLost
	return errors.As(err, &lost) || lostContext(err)
}

func (pl *place) disarm(token int64) {
	if token != 0 && pl.ec.life.Err() == nil {
		pl.ec.startFunction(pl.ec.session.b.ctx, pl.program, callMethod, []arg{textArg("settle"), jsonArg(token)}, true)
	}
}

// roundTrip goes to the renderer of a frame and back.
func (p *Page) roundTrip(o *op, f *Frame) error {
	p.browser.mu.Lock()
	s := p.sessionOf(f)
	stalled := len(p.dialogs) > 0
	p.browser.mu.Unlock()
	if s == nil || stalled {
		return nil
	}
	if err := s.call(o.ctx, "Page.enable", nil, nil); err != nil && o.over() != nil {
		return o.over()
	}
	return nil
}

// onMainFrame turns a point of the place's frame into one of the main frame, checking on the way that nothing covers the frames.
func (t *target) onMainFrame(o *op, pl *place, ready pointerReady, params *pointerParams) (Point, *retryReply, error) {
	at := ready.Point
	hops, err := pl.toMain(o)
	if err != nil {
		return Point{}, nil, err
	}
	defer func() {
		for _, h := range hops[:len(hops)-len(pl.hops)] {
			h.ec.session.post("Runtime.releaseObject", obj{"objectId": h.objectID})
		}
	}()
	for i := len(hops) - 1; i >= 0; i-- {
		h := hops[i]
		if params.Force {
			outer, err := h.box(o)
			if err != nil {
				return Point{}, nil, err
			}
			if outer != nil && !outer.Transformed {
				at = point{at.X + outer.X, at.Y + outer.Y}
				continue
			}
			return t.transformedPoint(o, pl, ready)
		}
		r, err := h.ec.callFunction(o.ctx, h.program, callMethod, []arg{textArg("framePoint"), objectArg(h.objectID), jsonArg(at)}, true)
		if err != nil {
			return Point{}, nil, err
		}
		var reply pageReply
		if unmarshal(r.Value, &reply) != nil {
			return Point{}, nil, errWire
		}
		o.logLine(reply.Log...)
		switch {
		case reply.Error != nil:
			return Point{}, nil, &jsError{*reply.Error}
		case reply.Retry != nil && reply.Retry.Reason == "intercepted":
			return Point{}, &retryReply{Reason: "intercepted", Ref: ready.Ref, Attempt: ready.Attempt + 1}, nil
		case reply.Retry != nil:
			return Point{}, nil, &contextLost{contextGone}
		}
		var found struct {
			Point *point `json:"point"`
		}
		if unmarshal(reply.Value, &found) != nil {
			return Point{}, nil, errWire
		}
		if found.Point == nil {
			return t.transformedPoint(o, pl, ready)
		}
		at = *found.Point
	}
	return roundPoint(Point{at.X, at.Y}), nil, nil
}

// toMain answers the frame elements from the main frame to the place, outermost first: those the selector went through, after
// those between the main frame and the frame it began in.
func (pl *place) toMain(o *op) ([]hop, error) {
	first := pl.frame
	for range pl.hops {
		if parent := first.ParentFrame(); parent != nil {
			first = parent
		}
	}
	var before []hop
	for f := first; ; {
		parent := f.ParentFrame()
		if parent == nil {
			break
		}
		h, err := f.ownerHop(o, parent)
		if err != nil {
			return nil, err
		}
		before = append([]hop{h}, before...)
		f = parent
	}
	return append(before, pl.hops...), nil
}

// ownerHop is the element that holds a frame, in the parent's utility world.
func (f *Frame) ownerHop(o *op, parent *Frame) (hop, error) {
	backend, s, err := f.ownerNode(o)
	if err != nil {
		return hop{}, err
	}
	ec, err := parent.worldOf(o, utilityWorld)
	if err != nil {
		return hop{}, err
	}
	if ec.session != s {
		return hop{}, &contextLost{contextGone}
	}
	program, err := ec.program(o.ctx, injectProgram)
	if err != nil {
		return hop{}, err
	}
	id, err := ec.resolveNode(o.ctx, backend)
	if err != nil {
		return hop{}, err
	}
	return hop{ec, program, id}, nil
}

type frameBoxReply struct {
	box
	Transformed bool `json:"transformed"`
}

func (h hop) box(o *op) (*frameBoxReply, error) {
	r, err := h.ec.callFunction(o.ctx, h.program, callMethod, []arg{textArg("frameBox"), objectArg(h.objectID)}, true)
	if err != nil {
		return nil, err
	}
	var reply pageReply
	if unmarshal(r.Value, &reply) != nil {
		return nil, errWire
	}
	if reply.Retry != nil || reply.Value == nil {
		return nil, &contextLost{contextGone}
	}
	var found *frameBoxReply
	if unmarshal(reply.Value, &found) != nil {
		return nil, errWire
	}
	return found, nil
}

// transformedPoint asks the browser for the element's place when a transform on a frame keeps the page from computing it.
func (t *target) transformedPoint(o *op, pl *place, ready pointerReady) (Point, *retryReply, error) {
	r, err := pl.ec.callFunction(o.ctx, pl.program, callMethod, []arg{textArg("element"), refArg(ready.Ref)}, false)
	if err != nil {
		return Point{}, nil, err
	}
	if r.ObjectID == "" {
		return Point{}, nil, &contextLost{contextGone}
	}
	defer pl.ec.session.post("Runtime.releaseObject", obj{"objectId": r.ObjectID})
	quads, err := pl.ec.quads(o, r.ObjectID)
	if err != nil {
		return Point{}, nil, err
	}
	for _, q := range quads {
		if area(q) > 0.99 {
			return roundPoint(Point{(q[0] + q[2] + q[4] + q[6]) / 4, (q[1] + q[3] + q[5] + q[7]) / 4}), nil, nil
		}
	}
	return Point{}, &retryReply{Reason: "notvisible", Ref: ready.Ref, Attempt: ready.Attempt + 1}, nil
}

// quads are an element's content quads in the main frame's viewport.
func (ec *execContext) quads(o *op, objectID string) ([]dom.Quad, error) {
	var res dom.GetContentQuadsResult
	if err := ec.session.call(o.ctx, "DOM.getContentQuads", obj{"objectId": objectID}, &res); err != nil {
		return nil, ec.translate(o.ctx, err)
	}
	offset, err := ec.session.offset(o)
	if err != nil {
		return nil, err
	}
	for _, q := range res.Quads {
		for i := range q {
			if i%2 == 0 {
				q[i] += offset.X
			} else {
				q[i] += offset.Y
			}
		}
	}
	return res.Quads, nil
}

func area(q dom.Quad) float64 {
	if len(q) < 8 {
		return 0
	}
	sum := 0.0
	for i := 0; i < 8; i += 2 {
		sum += q[i]*q[(i+3)%8] - q[(i+2)%8]*q[i+1]
	}
	return math.Abs(sum / 2)
}

func roundPoint(p Point) Point {
	return Point{math.Trunc(p.X*100) / 100, math.Trunc(p.Y*100) / 100}
}
