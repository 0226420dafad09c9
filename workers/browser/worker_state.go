package browser

import (
	"context"
	"encoding/base64"
	"slices"

	"github.com/chromedp/cdproto/runtime"
	cdptarget "github.com/chromedp/cdproto/target"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// workerAttached adopts a web worker before it runs; the lock is held.
func (p *Page) workerAttached(parent *session, sessionID string, info *cdptarget.Info) {
	s := p.browser.newSession(sessionID, workerSession, p, string(info.TargetID), parent)
	w := &Worker{page: p, url: info.URL, session: s, ready: make(chan struct{})}
	w.life, w.end = context.WithCancelCause(p.life)
	s.worker = w
	s.ownerFrame = p.frameByID[string(info.ParentFrameID)]
	if s.ownerFrame == nil {
		s.ownerFrame = p.frameByID[parent.targetID]
	}
	p.workers = append(p.workers, w)
	s.post("Runtime.enable", nil)
	p.network.setUp(s)
	s.post("Runtime.runIfWaitingForDebugger", nil)
	p.emit(EventWorker, w)
}

// event handles an event of the worker's session; the lock is held.
func (w *Worker) event(e cdp.Event) {
	s := w.session
	switch e.Method {
	case "Runtime.executionContextCreated":
		var created runtime.EventExecutionContextCreated
		if e.Decode(&created) != nil || created.Context == nil || w.ctx != nil {
			return
		}
		w.ctx = newExecContext(s, int64(created.Context.ID), nil, mainWorld)
		s.contexts[w.ctx.id] = w.ctx
		w.open()
	case "Inspector.workerScriptLoaded":
		w.loaded = true
		w.open()
	case "Runtime.consoleAPICalled":
		var called eventConsole
		if e.Decode(&called) == nil && w.ctx != nil {
			w.page.logged(w.ctx, w, &called)
		}
	case "Runtime.exceptionThrown":
		var thrown eventException
		if e.Decode(&thrown) == nil {
			w.page.threw(&thrown.Details)
		}
	default:
		if handle, ok := sessionEvents[e.Method]; ok && len(e.Method) > 8 && e.Method[:8] == "Network." {
			handle(s, e)
		}
	}
}

// open lets calls in once the worker's script has run.
func (w *Worker) open() {
	if w.ctx != nil && w.loaded {
		closeOnce(w.ready)
	}
}

func (p *Page) workerGone(s *session) {
	w := s.worker
	p.workers = slices.DeleteFunc(p.workers, func(other *Worker) bool { return other == w })
	w.didClose()
}

// didClose is the end of the worker; the lock is held.
func (w *Worker) didClose() {
	if w.closed {
		return
	}
	w.closed = true
	w.end(closedBecause(""))
	if w.ctx != nil {
		w.ctx.end(closedBecause(""))
	}
	w.page.browser.later(func() { w.emitter.emit(EventClose, w) })
}

func (w *Worker) evaluate(ctx context.Context, s Script, arg Value) (Value, error) {
	o := newOp(ctx, w.life, "worker.evaluate", noTimeout)
	defer o.stop()
	if err := waitOn(o.ctx, w.ready); err != nil {
		return nil, o.finish(err)
	}
	v, err := w.ctx.evaluate(o.ctx, s, arg)
	return v, o.finish(err)
}

func (w *Worker) evaluateHandle(ctx context.Context, s Script, arg Value) (Handle, error) {
	o := newOp(ctx, w.life, "worker.evaluateHandle", noTimeout)
	defer o.stop()
	if err := waitOn(o.ctx, w.ready); err != nil {
		return nil, o.finish(err)
	}
	h, err := w.ctx.evaluateHandle(o.ctx, s, arg)
	return h, o.finish(err)
}

func fromBase64(text string) []byte {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return raw
}
