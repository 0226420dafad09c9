package browser

import (
	"context"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"
)

// JSHandle is a handle on a value that is no node.
type JSHandle struct {
	ctx      *execContext
	objectID string // empty for primitives
	// primitive is the value of a handle without object.
	primitive Value
	element   *ElementHandle // set when the handle is part of an element handle
	// function is set instead of all else in an argument that stands for a function that calls back.
	function FunctionName

	// Guarded by the browser's lock.
	preview  string
	disposed bool
}

// ElementHandle is a handle on a node.
type ElementHandle struct {
	JSHandle
	frame *Frame
	// adopted is the same node in the frame's other world; guarded by the browser's lock.
	adopted   string
	adoptedIn *execContext
}

func (h *JSHandle) js() *JSHandle { return h }

func (h *JSHandle) page() *Page { return h.ctx.session.page }

func (h *JSHandle) api(method string) string {
	if h.element != nil {
		return "elementHandle." + method
	}
	return "jsHandle." + method
}

// String is Playwright's preview of the value.
func (h *JSHandle) String() string {
	b := h.ctx.session.b
	b.mu.Lock()
	defer b.mu.Unlock()
	return h.preview
}

func (h *JSHandle) isDisposed() bool {
	b := h.ctx.session.b
	b.mu.Lock()
	defer b.mu.Unlock()
	return h.disposed
}

// release lets the value go without waiting.
func (h *JSHandle) release() {
	b := h.ctx.session.b
	b.mu.Lock()
	done := h.disposed || h.objectID == ""
	h.disposed = true
	var adopted string
	var adoptedIn *execContext
	if h.element != nil {
		adopted, adoptedIn = h.element.adopted, h.element.adoptedIn
	}
	b.mu.Unlock()
	if done {
		return
	}
	if h.ctx.life.Err() == nil {
		h.ctx.session.post("Runtime.releaseObject", obj{"objectId": h.objectID})
	}
	if adopted != "" && adoptedIn.life.Err() == nil {
		adoptedIn.session.post("Runtime.releaseObject", obj{"objectId": adopted})
	}
}

// newHandle makes a handle on a value of a context.
func newHandle(ec *execContext, r *remoteObject) Handle {
	if r.Subtype == "node" && ec.frame != nil && r.ObjectID != "" {
		return newElement(ec, r.ObjectID).describe()
	}
	h := &JSHandle{ctx: ec, objectID: r.ObjectID}
	kind := r.Subtype
	if kind == "" {
		kind = r.Type
	}
	if r.ObjectID == "" {
		h.primitive = primitiveOf(r)
		h.preview = r.text()
		if kind == "null" {
			h.preview = "null"
		}
		return h
	}
	h.preview = r.render()
	if h.preview == "" {
		h.preview = "JSHandle@" + kind
	}
	return h
}

func newElement(ec *execContext, objectID string) *ElementHandle {
	h := &ElementHandle{JSHandle: JSHandle{ctx: ec, objectID: objectID, preview: "JSHandle@node"}, frame: ec.frame}
	h.element = h
	return h
}

// previewNode renders a node as Playwright's previews do; it stands alone because a page's own world may have no program.
const previewNode = "function(){const line=t=>t.replace(/\\n/g,'\u21b5').replace(/\\t/g,'\u21c6'),cut=(t,n)=>{const p=[...t];return p.length>n?p.slice(0,n-1).join('')+'\u2026':t};" +
	"if(this.nodeType===3)return line('#text='+(this.nodeValue||''));if(this.nodeType!==1)return line('<'+this.nodeName.toLowerCase()+' />');" +
	"const list=[];for(const{name,value}of this.attributes)if(name!=='style')list.push(!value&&['checked','selected','disabled','readonly','multiple'].includes(name)?' '+name:' '+name+'=\"'+value+'\"');" +
	"list.sort((a,b)=>a.length-b.length);const attributes=cut(list.join(''),500),tag=this.nodeName.toLowerCase();" +
	"if(['AREA','BASE','BR','COL','COMMAND','EMBED','HR','IMG','INPUT','KEYGEN','LINK','MENUITEM','META','PARAM','SOURCE','TRACK','WBR'].includes(this.nodeName))return line('<'+tag+attributes+'/>');" +
	"const children=this.childNodes;let onlyText=children.length<=5;for(let i=0;onlyText&&i<children.length;i++)onlyText=children[i].nodeType===3;" +
	"const text=onlyText?this.textContent||'':children.length?'\u2026':'';return line('<'+tag+attributes+'>'+cut(text,50)+'</'+tag+'>')}"

// describe asks for the preview of a node, before anything the caller does next; it is there when the answer has come.
func (h *ElementHandle) describe() *ElementHandle {
	b := h.frame.page.browser
	pending := h.ctx.startFunction(b.ctx, h.objectID, previewNode, nil, true)
	b.background(func() {
		ctx, release := h.ctx.bound(b.ctx)
		defer release()
		r, err := h.ctx.result(ctx, pending)
		if err != nil || r.Type != "string" {
			return
		}
		b.mu.Lock()
		h.preview = "JSHandle@" + r.text()
		b.mu.Unlock()
	})
	return h
}

func primitiveOf(r *remoteObject) Value {
	switch r.Unserializable {
	case "":
	case "NaN":
		return math.NaN()
	case "Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	case "-0":
		return math.Copysign(0, -1)
	default:
		if v, ok := BigInt(strings.TrimSuffix(r.Unserializable, "n")); ok {
			return v
		}
	}
	var v any
	switch {
	case r.Type == "undefined" || r.Type == "symbol":
		return Undefined{}
	case len(r.Value) == 0:
		return nil
	case unmarshal(r.Value, &v) != nil:
		return Undefined{}
	}
	return v
}

// render is the preview of an object.
func (r *remoteObject) render() string {
	if r.Preview != nil {
		switch {
		case r.Description == "Object":
			parts := make([]string, len(r.Preview.Properties))
			for i, p := range r.Preview.Properties {
				parts[i] = p.Name + ": " + p.Value
			}
			return "{" + strings.Join(parts, ", ") + "}"
		case r.Subtype == "array":
			return r.Preview.array()
		}
	}
	return r.Description
}

// array prints the items of an array's preview, holes counted.
func (p *objectPreview) array() string {
	type entry struct {
		index int
		value string
	}
	var entries []entry
	for _, property := range p.Properties {
		if index, err := strconv.Atoi(property.Name); err == nil && index >= 0 {
			entries = append(entries, entry{index, property.Value})
		}
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].index < entries[j].index })
	var parts []string
	last := -1
	for _, e := range entries {
		switch empty := e.index - last - 1; {
		case empty == 1:
			parts = append(parts, "empty")
		case empty > 1:
			parts = append(parts, "empty x "+itoa(empty))
		}
		parts = append(parts, e.value)
		last = e.index
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// self is the handle as the value scripts get.
func (h *JSHandle) self() Value {
	if h.element != nil {
		return h.element
	}
	return h
}

func (h *JSHandle) evaluate(ctx context.Context, api string, s Script, arg Value) (Value, error) {
	return runValue(h.page(), ctx, api, noTimeout, func(o *op) (Value, error) { return h.ctx.evaluate(o.ctx, s, h.self(), arg) })
}

func (h *JSHandle) evaluateHandle(ctx context.Context, api string, s Script, arg Value) (Handle, error) {
	return runValue(h.page(), ctx, api, noTimeout, func(o *op) (Handle, error) { return h.ctx.evaluateHandle(o.ctx, s, h.self(), arg) })
}

func (h *JSHandle) getProperty(ctx context.Context, api, name string) (Handle, error) {
	return runValue(h.page(), ctx, api, noTimeout, func(o *op) (Handle, error) {
		// In an object of its own, so that a promise stays one.
		box, err := h.ctx.evaluateHandle(o.ctx, Function("(o, n) => ({__proto__: null, value: o[n]})"), h.self(), name)
		if err != nil {
			return nil, err
		}
		defer box.js().release()
		properties, err := box.js().properties(o.ctx)
		if err != nil || len(properties) == 0 {
			return nil, err
		}
		return properties[0].Value, nil
	})
}

func (h *JSHandle) getProperties(ctx context.Context, api string) ([]HandleProperty, error) {
	return runValue(h.page(), ctx, api, noTimeout, func(o *op) ([]HandleProperty, error) { return h.properties(o.ctx) })
}

func (h *JSHandle) properties(ctx context.Context) ([]HandleProperty, error) {
	if h.objectID == "" {
		return nil, nil
	}
	var res struct {
		Result []struct {
			Name       string        `json:"name"`
			Enumerable bool          `json:"enumerable"`
			Value      *remoteObject `json:"value"`
		} `json:"result"`
	}
	ctx, release := h.ctx.bound(ctx)
	defer release()
	if err := h.ctx.session.call(ctx, "Runtime.getProperties", obj{"objectId": h.objectID, "ownProperties": true}, &res); err != nil {
		return nil, h.ctx.translate(ctx, err)
	}
	var list []HandleProperty
	for _, p := range res.Result {
		if p.Enumerable && p.Value != nil {
			list = append(list, HandleProperty{p.Name, newHandle(h.ctx, p.Value)})
		}
	}
	return list, nil
}

func (h *JSHandle) jsonValue(ctx context.Context, api string) (Value, error) {
	return runValue(h.page(), ctx, api, noTimeout, func(o *op) (Value, error) {
		if h.objectID == "" {
			return h.primitive, nil
		}
		program, err := h.ctx.program(o.ctx, evaluatorProgram)
		if err != nil {
			return nil, err
		}
		if h.isDisposed() {
			return nil, &jsError{"JSHandle is disposed!"}
		}
		r, err := h.ctx.callFunction(o.ctx, program, callMethod, []arg{textArg("encode"), objectArg(h.objectID)}, true)
		if err != nil {
			return nil, err
		}
		return wireResult(r)
	})
}

const unableToAdopt = "Unable to adopt element handle from a different document"

// in answers the node as an object of the frame's context of a world.
func (h *ElementHandle) in(ctx context.Context, o *op, w world) (*execContext, string, error) {
	if h.isDisposed() {
		return nil, "", &jsError{"JSHandle is disposed!"}
	}
	if h.ctx.world == w {
		if h.ctx.life.Err() != nil {
			return nil, "", causeOf(h.ctx.life)
		}
		return h.ctx, h.objectID, nil
	}
	ec, err := h.frame.worldOf(o, w)
	if err != nil {
		return nil, "", err
	}
	id, err := h.objectIn(ctx, ec)
	return ec, id, err
}

// objectIn answers the node as an object of another context of its document; two round trips the first time.
func (h *ElementHandle) objectIn(ctx context.Context, ec *execContext) (string, error) {
	if h.ctx == ec {
		return h.objectID, nil
	}
	b := ec.session.b
	b.mu.Lock()
	if h.adoptedIn == ec {
		id := h.adopted
		b.mu.Unlock()
		return id, nil
	}
	b.mu.Unlock()
	var node dom.DescribeNodeResult
	if err := h.ctx.session.call(ctx, "DOM.describeNode", obj{"objectId": h.objectID}, &node); err != nil {
		return "", h.ctx.translate(ctx, err)
	}
	if ec.session != h.ctx.session {
		return "", plainError(unableToAdopt) // a document of another process
	}
	id, err := ec.resolveNode(ctx, int64(node.Node.BackendNodeID))
	if err != nil {
		return "", err
	}
	if ec.frame == h.frame && ec.world < worlds {
		b.mu.Lock()
		h.adopted, h.adoptedIn = id, ec
		b.mu.Unlock()
	}
	return id, nil
}

// resolveNode answers an object for a node of the context's document.
func (ec *execContext) resolveNode(ctx context.Context, backendNodeID int64) (string, error) {
	var res struct {
		Object remoteObject `json:"object"`
	}
	err := ec.session.call(ctx, "DOM.resolveNode", obj{"backendNodeId": backendNodeID, "executionContextId": ec.id}, &res)
	if err != nil || res.Object.Subtype == "null" || res.Object.ObjectID == "" {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", plainError(unableToAdopt)
	}
	return res.Object.ObjectID, nil
}

// run is one API call on the handle with the frame page's defaults.
func (h *ElementHandle) run(ctx context.Context, api string, timeout *time.Duration, task func(*op) error) error {
	p := h.frame.page
	return p.run(ctx, api, p.timeouts.of(timeout), task)
}
