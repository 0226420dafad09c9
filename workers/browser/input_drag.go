package browser

import (
	"context"

	"github.com/chromedp/cdproto/input"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// dragState is a drag the page began: what it drags, and where the mouse is.
type dragState struct {
	data jsontext.Value
	x, y float64
}

func (p *Page) dragging() bool {
	p.inputMu.Lock()
	defer p.inputMu.Unlock()
	return p.drag != nil
}

// watchDrag notes, in one document, whether the next mouse move starts a drag nobody prevents. It answers the promise of that.
const watchDrag = `(()=>{let started=Promise.resolve(false),event=null;const onDrag=e=>{event=e};` +
	`const onMove=()=>{started=new Promise(done=>{addEventListener('dragstart',onDrag,{once:true,capture:true});` +
	`setTimeout(()=>done(event?!event.defaultPrevented:false),0)})};addEventListener('mousemove',onMove,{once:true,capture:true});` +
	`globalThis.__dragWatch=async()=>{const began=await started;removeEventListener('mousemove',onMove,{capture:true});` +
	`removeEventListener('dragstart',onDrag,{capture:true});delete globalThis.__dragWatch;return began}})()`

const endWatchDrag = `globalThis.__dragWatch?globalThis.__dragWatch():false`

func (s *session) dragStarted(e *struct {
	Data jsontext.Value `json:"data"`
}) {
	if s.dragIntercepted != nil {
		select {
		case s.dragIntercepted <- e.Data:
		default:
		}
	}
}

// moveOrDrag moves the mouse. With the left button down the move may begin a drag; Chromium then hands the drag over, and further
// events are the drag's.
func (p *Page) moveOrDrag(o *op, e mouseEvent) error {
	p.inputMu.Lock()
	drag := p.drag
	if drag != nil {
		drag.x, drag.y = e.X, e.Y
	}
	p.inputMu.Unlock()
	if drag != nil {
		return p.dragEvent(o, "dragOver", e, drag.data)
	}
	if e.Button != "left" {
		return p.Mouse.send(o, e).Wait(o.ctx, nil)
	}
	worlds := p.watchableWorlds()
	var watched []*cdp.Pending
	for _, ec := range worlds {
		watched = append(watched, ec.startExpression(o.ctx, watchDrag))
	}
	_ = waitQuietly(o, watched)
	if err := o.over(); err != nil {
		return err
	}
	data := make(chan []byte, 1)
	p.browser.mu.Lock()
	p.session.dragIntercepted = data
	p.browser.mu.Unlock()
	p.session.post("Input.setInterceptDrags", obj{"enabled": true})
	moved := p.Mouse.send(o, e).Wait(o.ctx, nil)
	began := false
	var ended []*cdp.Pending
	for _, ec := range worlds {
		ended = append(ended, ec.startExpression(o.ctx, endWatchDrag))
	}
	for _, pending := range ended {
		var res evaluateResult
		if pending.Wait(o.ctx, &res) == nil && string(res.Result.Value) == "true" {
			began = true
		}
	}
	p.browser.mu.Lock()
	p.session.dragIntercepted = nil
	p.browser.mu.Unlock()
	var intercepted []byte
	if began && moved == nil {
		select {
		case intercepted = <-data:
		case <-o.ctx.Done():
		}
	}
	p.session.post("Input.setInterceptDrags", obj{"enabled": false})
	if moved != nil {
		return moved
	}
	if err := o.over(); err != nil {
		return err
	}
	if intercepted == nil {
		return nil
	}
	p.inputMu.Lock()
	p.drag = &dragState{intercepted, e.X, e.Y}
	p.inputMu.Unlock()
	return p.dragEvent(o, "dragEnter", e, intercepted)
}

// watchableWorlds are the utility worlds of the page's frames, in which the page cannot meddle.
func (p *Page) watchableWorlds() []*execContext {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	var list []*execContext
	if len(p.dialogs) > 0 {
		return nil
	}
	for _, f := range p.attachedOrder {
		if ec := f.slots[utilityWorld].context; ec != nil && f.pending == nil {
			list = append(list, ec)
		}
	}
	return list
}

func (p *Page) dragEvent(o *op, kind string, e mouseEvent, data jsontext.Value) error {
	return p.session.call(o.ctx, "Input.dispatchDragEvent", obj{"type": kind, "x": e.X, "y": e.Y, "data": data, "modifiers": e.Modifiers}, nil)
}

func (p *Page) takeDrag() *dragState {
	p.inputMu.Lock()
	defer p.inputMu.Unlock()
	drag := p.drag
	p.drag = nil
	return drag
}

func (p *Page) drop(o *op, e mouseEvent) error {
	drag := p.takeDrag()
	if drag == nil {
		return nil
	}
	return p.dragEvent(o, "drop", e, drag.data)
}

// cancelDrag ends a drag that is on, as Escape does, and reports whether there was one.
func (p *Page) cancelDrag(o *op) bool {
	drag := p.takeDrag()
	if drag == nil {
		return false
	}
	none := input.DragData{Items: []*input.DragDataItem{}, DragOperationsMask: 0xffff}
	_ = p.session.call(o.ctx, "Input.dispatchDragEvent", obj{"type": "dragCancel", "x": drag.x, "y": drag.y, "data": none}, nil)
	return true
}

// startExpression evaluates an expression of the engine's own in a world.
func (ec *execContext) startExpression(ctx context.Context, expression string) *cdp.Pending {
	return ec.session.start(ctx, "Runtime.evaluate", obj{"expression": expression, "contextId": ec.id, "awaitPromise": true, "returnByValue": true})
}

func waitQuietly(o *op, sent []*cdp.Pending) error {
	var first error
	for _, pending := range sent {
		if err := pending.Wait(o.ctx, nil); err != nil && first == nil {
			first = err
		}
	}
	return first
}
