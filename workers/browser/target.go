package browser

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/go-json-experiment/json/jsontext"
)

// target says what an action works on: what a selector finds in a frame, or one node.
type target struct {
	frame    *Frame
	selector string
	strict   bool
	scope    *ElementHandle // the selector searches inside it
	handle   *ElementHandle // the node itself; selector is empty then
	world    world          // in which world the in-page program works
}

// place is a target found: a frame, the in-page program there, and what names the element to it.
type place struct {
	frame   *Frame
	ec      *execContext
	program string
	arg     arg
	scope   *arg
	hops    []hop
	options resolveOptions // of the call under way
}

// hop is a frame element on the way from the target's frame to the place, outermost first.
type hop struct {
	ec       *execContext
	program  string
	objectID string
}

func (pl *place) release() {
	for _, h := range pl.hops {
		if h.ec.life.Err() == nil {
			h.ec.session.post("Runtime.releaseObject", obj{"objectId": h.objectID})
		}
	}
	pl.hops = nil
}

// locate goes from the target's frame through the frames its selector enters. It answers nil when a frame element is not there.
func (t *target) locate(o *op) (*place, error) {
	if t.handle != nil {
		return t.handlePlace(o)
	}
	b := t.frame.page.browser
	path, err := b.selectors.split(t.selector)
	if err != nil {
		return nil, err
	}
	pl := &place{frame: t.frame}
	t.frame.page.usesProgram.Store(true)
	for i := 0; ; i++ {
		if pl.frame, err = pl.frame.refFrame(path[i]); err != nil {
			pl.release()
			return nil, err
		}
		w := utilityWorld
		if i == len(path)-1 {
			w = t.world
		}
		if pl.ec, err = pl.frame.worldOf(o, w); err == nil {
			pl.program, err = pl.ec.program(o.ctx, injectProgram)
		}
		if err != nil {
			pl.release()
			return nil, err
		}
		pl.scope = nil
		if i == 0 && t.scope != nil {
			id, err := t.scope.objectIn(o.ctx, pl.ec)
			if err != nil {
				return nil, err
			}
			scope := objectArg(id)
			pl.scope = &scope
		}
		if i == len(path)-1 {
			pl.arg = textArg(path[i])
			return pl, nil
		}
		if found, err := pl.enter(o, path[i], t.strict); err != nil || !found {
			pl.release()
			return nil, err
		}
	}
}

func (t *target) handlePlace(o *op) (*place, error) {
	ec, id, err := t.handle.in(o.ctx, o, t.world)
	if err != nil {
		return nil, err
	}
	program, err := ec.program(o.ctx, injectProgram)
	if err != nil {
		return nil, err
	}
	return &place{frame: t.frame, ec: ec, program: program, arg: objectArg(id)}, nil
}

// enter goes into the frame of the element a chunk names.
func (pl *place) enter(o *op, chunk string, strict bool) (bool, error) {
	args := []arg{textArg("frameElement"), textArg(chunk), jsonArg(strict)}
	if pl.scope != nil {
		args = append(args, *pl.scope)
	}
	r, err := pl.ec.callFunction(o.ctx, pl.program, callMethod, args, false)
	if err != nil || r.ObjectID == "" {
		return false, err
	}
	pl.hops = append(pl.hops, hop{pl.ec, pl.program, r.ObjectID})
	var node dom.DescribeNodeResult
	if err := pl.ec.session.call(o.ctx, "DOM.describeNode", obj{"objectId": r.ObjectID}, &node); err != nil {
		return false, pl.ec.translate(o.ctx, err)
	}
	b := pl.frame.page.browser
	b.mu.Lock()
	next := pl.frame.page.frameByID[string(node.Node.FrameID)]
	b.mu.Unlock()
	if next == nil {
		return false, nil
	}
	pl.frame = next
	return true, nil
}

// pageReply is what the in-page program answers (inject/api.ts, Reply).
type pageReply struct {
	Log   []string       `json:"log"`
	Value jsontext.Value `json:"value"`
	Retry *retryReply    `json:"retry"`
	Error *string        `json:"error"`
}

type retryReply struct {
	Reason      string `json:"reason"`
	State       string `json:"state"`
	Description string `json:"description"`
	Ref         int64  `json:"ref"`
	Attempt     int    `json:"attempt"`
}

// resolveOptions are the options every waiting call of the in-page program takes (inject/api.ts, Resolve).
type resolveOptions struct {
	Timeout int64 `json:"timeout,omitzero"`
	Call    int64 `json:"call,omitzero"`
	Strict  bool  `json:"strict,omitzero"`
	Attempt int   `json:"attempt,omitzero"`
}

// call calls a method of the in-page program that answers a reply.
func (pl *place) call(ctx context.Context, method string, args ...arg) (*pageReply, error) {
	r, err := pl.ec.callFunction(ctx, pl.program, callMethod, append([]arg{textArg(method)}, args...), true)
	if err != nil {
		return nil, err
	}
	reply := &pageReply{}
	if err := unmarshal(r.Value, reply); err != nil {
		return nil, errWire
	}
	return reply, nil
}

// unlimited is the in-page wait of a call without timeout: longer than any run.
const unlimited = int64(1e9)

// pageCall is one method of the in-page program that finds its element and may wait for it there.
type pageCall struct {
	method string
	// args follow the target; prepare instead, when they depend on where the target is.
	args    func(resolveOptions) []arg
	prepare func(*place) []arg
	// checks are made before each attempt: navigations under way, locator handlers.
	checks bool
	// absent: a frame element that is not there is an answer (nil), not something to wait for.
	absent bool
	// at is where to go on, instead of finding the target anew; ref and attempt say how.
	at      *place
	ref     int64
	attempt int
}

// run calls until the program gives a value. Log lines go to the op.
func (t *target) run(o *op, c pageCall) (jsontext.Value, *place, error) {
	p := t.frame.page
	for n := 0; ; n++ {
		if err := o.pause(backoff(o, n)); err != nil {
			return nil, nil, err
		}
		if c.checks {
			if err := p.preChecks(o); err != nil {
				return nil, nil, err
			}
		}
		pl := c.at
		if pl == nil {
			var err error
			if pl, err = t.locate(o); err != nil {
				if t.again(o, err) {
					continue
				}
				return nil, nil, err
			}
			if pl == nil && c.absent {
				return nil, nil, nil
			}
			if pl == nil {
				continue
			}
		}
		reply, waited, err := t.attempt(o, pl, c)
		if err != nil {
			if c.at == nil {
				pl.release()
			}
			if c.at == nil && t.again(o, err) {
				continue
			}
			return nil, nil, err
		}
		o.logLine(reply.Log...)
		switch {
		case reply.Error != nil:
			pl.release()
			return nil, nil, &jsError{*reply.Error}
		case reply.Retry == nil:
			return reply.Value, pl, nil
		}
		pl.release()
		retry := reply.Retry
		if retry.Reason == "notconnected" && t.handle != nil {
			return nil, nil, plainError("Element is not attached to the DOM")
		}
		if c.at != nil && (retry.Reason == "notconnected" || retry.Reason == "notfound") {
			return nil, nil, &contextLost{contextGone}
		}
		if retry.Reason == "aborted" || !waited {
			c.ref, c.attempt = 0, 0
			if retry.Ref != 0 && c.at != nil {
				c.ref, c.attempt = retry.Ref, retry.Attempt
			}
			continue
		}
		if err := o.over(); err != nil {
			return nil, nil, err
		}
		return nil, nil, &timeoutError{}
	}
}

// attempt makes one call in the page. waited says that the page had all the time that was left.
func (t *target) attempt(o *op, pl *place, c pageCall) (reply *pageReply, waited bool, err error) {
	p := t.frame.page
	b := p.browser
	options := resolveOptions{Strict: t.strict, Attempt: c.attempt, Timeout: o.remaining()}
	if options.Timeout == 0 {
		options.Timeout = unlimited
	}
	waited = true
	b.mu.Lock()
	b.lastCall++
	options.Call = b.lastCall
	if c.checks {
		if len(p.handlers) > 0 {
			options.Timeout, waited = 0, false
		}
		if p.mainFrame.pending != nil {
			b.mu.Unlock()
			return &pageReply{Retry: &retryReply{Reason: "aborted"}}, false, nil
		}
		s := &stall{frame: p.mainFrame, navigation: true, fn: func() { pl.abort(options.Call) }}
		p.stalls[s] = struct{}{}
		defer func() {
			b.mu.Lock()
			delete(p.stalls, s)
			b.mu.Unlock()
		}()
	}
	b.mu.Unlock()
	target := pl.arg
	if c.ref != 0 {
		target = refArg(c.ref)
	}
	args := []arg{target}
	if c.prepare != nil {
		pl.options = options
		args = append(args, c.prepare(pl)...)
	} else {
		args = append(args, c.args(options)...)
	}
	if pl.scope != nil {
		args = append(args, *pl.scope)
	}
	ctx, cancel := o.patient()
	defer cancel()
	reply, err = pl.call(ctx, c.method, args...)
	if err != nil && o.base.Err() != nil {
		pl.abort(options.Call)
	}
	return reply, waited, err
}

// abort tells a waiting call in the page to give up.
func (pl *place) abort(call int64) {
	if pl.ec.life.Err() == nil {
		pl.ec.startFunction(pl.ec.session.b.ctx, pl.program, callMethod, []arg{textArg("abort"), jsonArg(call)}, true)
	}
}

// again reports whether an attempt that failed with err is worth another.
func (t *target) again(o *op, err error) bool {
	if t.handle != nil || !o.retriable(t.frame, err) {
		return false
	}
	if t.scope != nil {
		return false // the scope went with its document
	}
	var lost *contextLost
	return errors.As(err, &lost) || lostContext(err)
}

// pauses of Playwright between attempts to find an element.
var pauses = []time.Duration{0, 20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond}

// backoff is the pause before the n-th attempt. Small timeouts have no long ones, so that there are some attempts.
func backoff(o *op, n int) time.Duration {
	list := pauses
	for o.timeout > 0 && len(list) > 1 && list[len(list)-1] > o.timeout/5 {
		list = list[:len(list)-1]
	}
	return list[min(n, len(list)-1)]
}

// preChecks waits for a navigation that has begun and runs locator handlers, as Playwright does before each attempt of an action.
func (p *Page) preChecks(o *op) error {
	if err := p.awaitPending(o); err != nil {
		return err
	}
	p.browser.mu.Lock()
	handlers := len(p.handlers) > 0
	p.browser.mu.Unlock()
	if !handlers {
		return nil
	}
	if err := p.runLocatorHandlers(o); err != nil {
		return err
	}
	return p.awaitPending(o)
}

func (p *Page) awaitPending(o *op) error {
	f := p.mainFrame
	b := p.browser
	b.mu.Lock()
	pending := f.pending
	if pending == nil {
		b.mu.Unlock()
		return nil
	}
	w := &navigationWatcher{frame: f, more: make(chan struct{}, 1)}
	f.watchers[w] = struct{}{}
	to := ""
	if pending.request != nil {
		to = " \"" + shorten(pending.request.url, 200) + "\""
	}
	b.mu.Unlock()
	defer w.close()
	o.logLine("  waiting for" + to + " navigation to finish...")
	n, err := w.next(o, func(navigation) bool { return true })
	if err == nil && n.err == nil {
		o.logf("  navigated to \"%s\"", shorten(n.url, 200))
	}
	return err
}
