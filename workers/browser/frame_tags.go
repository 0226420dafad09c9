package browser

import (
	"context"
	"strings"
)

func (f *Frame) addScriptTag(ctx context.Context, api string, t TagOptions) (*ElementHandle, error) {
	return f.addTag(ctx, api, t, `async o=>{const s=document.createElement('script');if(o.url){s.src=o.url;if(o.type)s.type=o.type;`+
		`const loaded=new Promise((done,fail)=>{s.onload=done;s.onerror=e=>fail(typeof e==='string'?new Error(e):new Error('Failed to load script at '+s.src))});`+
		`document.head.appendChild(s);await loaded;return s}s.type=o.type||'text/javascript';s.text=o.content;let failed=null;s.onerror=e=>failed=e;`+
		`document.head.appendChild(s);if(failed)throw failed;return s}`)
}

func (f *Frame) addStyleTag(ctx context.Context, api string, t TagOptions) (*ElementHandle, error) {
	return f.addTag(ctx, api, t, `async o=>{const s=document.createElement(o.url?'link':'style');if(o.url){s.rel='stylesheet';s.href=o.url}`+
		`else{s.type='text/css';s.appendChild(document.createTextNode(o.content))}const loaded=new Promise((done,fail)=>{s.onload=done;s.onerror=fail});`+
		`document.head.appendChild(s);await loaded;return s}`)
}

// addTag adds an element; a refusal by the page's content security policy is the error it logs.
func (f *Frame) addTag(ctx context.Context, api string, t TagOptions, source string) (*ElementHandle, error) {
	p := f.page
	return runValue(p, ctx, api, noTimeout, func(o *op) (*ElementHandle, error) {
		if t.URL == "" && t.Content == "" {
			return nil, plainError("Provide an object with a `url`, `path` or `content` property")
		}
		ec, err := f.worldOf(o, mainWorld)
		if err != nil {
			return nil, err
		}
		callCtx, cancel := context.WithCancelCause(o.ctx)
		defer cancel(context.Canceled)
		off := p.emitter.on(EventConsole, func(v any) {
			m := v.(*ConsoleMessage)
			if m.kind == "error" && (strings.Contains(m.text, "Content-Security-Policy") || strings.Contains(m.text, "Content Security Policy")) {
				cancel(plainError(m.text))
			}
		})
		defer off()
		arguments := &Object{}
		arguments.Set("url", t.URL)
		arguments.Set("content", t.Content)
		arguments.Set("type", t.Type)
		h, err := ec.evaluateHandle(callCtx, Function(source), arguments)
		// The log's entry about a refusal comes in a task of its own, and says more than the element's error event.
		if _, roundTrip := ec.callFunction(callCtx, "", "function(){return new Promise(done=>setTimeout(done,0))}", nil, true); err == nil {
			err = roundTrip
		}
		if cause := causeOf(callCtx); cause != nil && o.ctx.Err() == nil {
			err = cause
		}
		if err != nil {
			return nil, err
		}
		e := h.AsElement()
		if e == nil {
			return nil, plainError("The element was not added.")
		}
		return e.describe(), nil
	})
}
