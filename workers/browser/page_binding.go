package browser

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/runtime"
)

// bindingName is CDP's binding behind every exposed function.
const bindingName = "__pomerado_binding__"

// bindingsProperty holds the page's side of exposed functions.
const bindingsProperty = "__pomerado_bindings__"

// bindingsProgram is the page's side of exposed functions: calls get a number, travel as JSON in the wire form of inject/api.ts, and
// settle when the engine delivers their result.
const bindingsProgram = `if(!globalThis.` + bindingsProperty + `){
const calls=new Map();let last=0;const send=globalThis.` + bindingName + `;const text=JSON.stringify;const keysOf=Object.keys,protoOf=Object.getPrototypeOf;
const kinds={i8:Int8Array,ui8:Uint8Array,ui8c:Uint8ClampedArray,i16:Int16Array,ui16:Uint16Array,i32:Int32Array,ui32:Uint32Array,f32:Float32Array,f64:Float64Array,bi64:BigInt64Array,bui64:BigUint64Array};
const base=b=>{let s='';const u=new Uint8Array(b.buffer,b.byteOffset,b.byteLength);for(let i=0;i<u.length;i++)s+=String.fromCharCode(u[i]);return btoa(s)};
const unbase=t=>{const s=atob(t),u=new Uint8Array(s.length);for(let i=0;i<s.length;i++)u[i]=s.charCodeAt(i);return u};
const encode=(v,seen)=>{
if(v===undefined||typeof v==='symbol'||typeof v==='function')return{$:'u'};
if(v===null||typeof v==='boolean'||typeof v==='string')return v;
if(typeof v==='number')return Number.isFinite(v)&&!Object.is(v,-0)?v:{$:'n',v:Object.is(v,-0)?'-0':String(v)};
if(typeof v==='bigint')return{$:'b',v:String(v)};
if(typeof Window==='function'&&v instanceof Window)return'ref: <Window>';
if(typeof Document==='function'&&v instanceof Document)return'ref: <Document>';
if(typeof Node==='function'&&v instanceof Node)return'ref: <Node>';
if(v instanceof Error)return{$:'e',n:String(v.name),m:String(v.message),s:String(v.stack??'')};
if(v instanceof Date)return{$:'d',v:isNaN(v)?null:v.toISOString()};
if(v instanceof URL)return{$:'l',v:v.href};
if(v instanceof RegExp)return{$:'r',v:v.source,f:v.flags};
const proto=protoOf(v);for(const k in kinds)if(kinds[k].prototype===proto)return{$:'t',k,v:base(v)};
if(v instanceof ArrayBuffer)return{$:'x',v:base(new Uint8Array(v))};
const known=seen.get(v);if(known){known.id??=++seen.last;return{$:'c',v:known.id}}
if(Array.isArray(v)){const out={$:'a',v:[]};seen.set(v,out);for(let i=0;i<v.length;i++)out.v[i]=encode(v[i],seen);return out}
const out={$:'o',k:[],v:[]};seen.set(v,out);let n=0;const keys=keysOf(v);
for(let i=0;i<keys.length;i++){let item;try{item=v[keys[i]]}catch{continue}out.k[n]=keys[i];out.v[n++]=encode(item,seen)}
if(!n&&typeof v.toJSON==='function'){try{return encode(v.toJSON(),seen)}catch{}}
return out};
const decode=(v,refs)=>{
if(v===null||typeof v!=='object')return v;
switch(v.$){
case'n':return v.v==='-0'?-0:Number(v.v);case'b':return BigInt(v.v);case'd':return new Date(v.v===null?NaN:v.v);case'l':return new URL(v.v);
case'r':return new RegExp(v.v,v.f);case'e':{const e=new Error(v.m);e.name=v.n;e.stack=v.s;return e}
case't':return new kinds[v.k](unbase(v.v).buffer);case'x':return unbase(v.v).buffer;case'c':return refs.get(v.v);
case'a':{const out=[];if(v.id)refs.set(v.id,out);for(let i=0;i<v.v.length;i++)out[i]=decode(v.v[i],refs);return out}
case'o':{const out={};if(v.id)refs.set(v.id,out);for(let i=0;i<v.k.length;i++)if(v.k[i]!=='__proto__')out[v.k[i]]=decode(v.v[i],refs);return out}}
return undefined};
const call=(name,args)=>new Promise((done,fail)=>{const seq=++last;calls.set(seq,{done,fail});const seen=new Map();seen.last=0;
try{const list=[];for(let i=0;i<args.length;i++)list[i]=encode(args[i],seen);send(text({name,seq,args:list}))}catch(e){calls.delete(seq);fail(e)}});
Object.defineProperty(globalThis,'` + bindingsProperty + `',{configurable:true,value:{call,
add(name,hidden){if(!hidden)globalThis[name]=(...args)=>call(name,args)},
remove(name){delete globalThis[name]},
deliver(seq,ok,value,handle){const c=calls.get(seq);if(!c)return;calls.delete(seq);const v=handle?value:decode(value,new Map());ok?c.done(v):c.fail(v)}}})}`

// callBack makes a function of the page that calls an exposed one. In a document made before the function was exposed the page's
// side is there too: exposing runs it everywhere.
const callBack = `function(name){const b=globalThis.` + bindingsProperty + `;return (...args)=>b.call(name,args)}`

// binding is one exposed function.
type binding struct {
	name   string
	fn     BindingFunc
	hidden bool
	script *initScript
	order  int
}

func newBinding(name string, fn BindingFunc, hidden bool) *binding {
	flag := "false"
	if hidden {
		flag = "true"
	}
	return &binding{name: name, fn: fn, hidden: hidden, script: newInitScript("globalThis." + bindingsProperty + ".add(" + quoteJSON(name) + "," + flag + ")")}
}

func (p *Page) bindingList() []*binding {
	list := make([]*binding, 0, len(p.bindings))
	for _, b := range p.bindings {
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b *binding) int { return a.order - b.order })
	return list
}

// exposeBindings makes the context's pages able to call; the lock is held.
func (c *Context) exposeBindings() {
	if c.bindingsExposed {
		return
	}
	c.bindingsExposed = true
	c.bindingsScript = newInitScript(bindingsProgram)
	for _, p := range c.pages {
		for _, s := range p.frameTargets() {
			s.post("Runtime.addBinding", obj{"name": bindingName})
			s.addInitScript(c.bindingsScript, true)
		}
		p.evaluateInFrames(bindingsProgram)
	}
}

// evaluateInFrames runs an expression in the main world of every frame that can answer; nobody waits. The lock is held.
func (p *Page) evaluateInFrames(expression string) {
	for _, f := range p.attachedOrder {
		if ec := f.slots[mainWorld].context; ec != nil {
			ec.session.post("Runtime.evaluate", obj{"expression": expression, "contextId": ec.id})
		}
	}
}

func (p *Page) exposeBinding(ctx context.Context, api, name string, fn BindingFunc, hidden bool) (func(context.Context) error, error) {
	b := p.browser
	bound := newBinding(name, fn, hidden)
	err := p.run(ctx, api, noTimeout, func(o *op) error {
		b.mu.Lock()
		switch {
		case p.bindings[name] != nil:
			b.mu.Unlock()
			return plainError("Function \"" + name + "\" has been already registered")
		case p.context.bindings[name] != nil:
			b.mu.Unlock()
			return plainError("Function \"" + name + "\" has been already registered in the browser context")
		}
		p.context.exposeBindings()
		bound.order = len(p.bindings)
		p.bindings[name] = bound
		for _, s := range p.frameTargets() {
			s.addInitScript(bound.script, false)
		}
		p.evaluateInFrames(bound.script.source)
		b.mu.Unlock()
		return p.barrierCommand(o)
	})
	return func(context.Context) error {
		b.locked(func() {
			if p.bindings[name] != bound {
				return
			}
			delete(p.bindings, name)
			for _, s := range p.frameTargets() {
				s.removeInitScript(bound.script)
			}
			p.evaluateInFrames("globalThis." + bindingsProperty + ".remove(" + quoteJSON(name) + ")")
		})
		return nil
	}, err
}

func (s *session) bindingCalled(e *runtime.EventBindingCalled) {
	ec := s.contexts[int64(e.ExecutionContextID)]
	if e.Name != bindingName || ec == nil || ec.frame == nil {
		return
	}
	p := s.page
	before, begun := p.bindingBegun, make(chan struct{})
	p.bindingBegun = begun
	s.b.background(func() {
		begin := sync.OnceFunc(func() { close(begun) })
		defer begin()
		if waitOn(p.life, p.ready) != nil || before != nil && waitOn(p.life, before) != nil {
			return
		}
		p.callBinding(ec, e.Payload, begin)
	})
}

// bindingsBegun waits until the exposed functions that were called so far have begun, as they have in Playwright before the answer to an
// evaluate that called them.
func (p *Page) bindingsBegun(ctx context.Context) {
	p.browser.mu.Lock()
	begun := p.bindingBegun
	p.browser.mu.Unlock()
	if begun == nil {
		return
	}
	select {
	case <-begun:
	case <-ctx.Done():
	case <-p.life.Done():
	}
}

// callBinding runs an exposed function and delivers its result. begun is called when it has begun, at the latest.
func (p *Page) callBinding(ec *execContext, payload string, begun func()) {
	var call struct {
		Name string            `json:"name"`
		Seq  int64             `json:"seq"`
		Args []json.RawMessage `json:"args"`
	}
	if json.Unmarshal([]byte(payload), &call) != nil {
		return
	}
	b := p.browser
	b.mu.Lock()
	bound := p.bindings[call.Name]
	if bound == nil {
		bound = p.context.bindings[call.Name]
	}
	b.mu.Unlock()
	value, err := p.runBinding(ec, bound, call.Name, call.Args, begun)
	ok := "true"
	if err != nil {
		ok = "false"
		value = thrownValue(err)
	}
	deliver := "globalThis." + bindingsProperty + ".deliver(" + jsonInt(call.Seq) + ","
	wire, handles, release, err := ec.arguments(b.ctx, []Value{value})
	if err != nil {
		ok = "false"
		wire, _, _ = encodeValue(nil, &Array{[]Value{thrownValue(err)}}, nil)
		handles, release = nil, func() {}
	}
	defer release()
	if len(handles) == 0 {
		// The value is the one item of the list, or of the encoded array.
		ec.startFunction(b.ctx, "", "function(w){"+deliver+ok+",(w.v??w)[0])}", []arg{rawArg(wire)}, true)
		return
	}
	program, err := ec.program(b.ctx, evaluatorProgram)
	if err != nil {
		return
	}
	list := append(append([]byte(`{"$":"a","v":`), wire...), '}')
	r, err := ec.callFunction(b.ctx, program, callMethod, append([]arg{textArg("decode"), rawArg(list)}, handles...), false)
	if err != nil {
		return
	}
	ec.startFunction(b.ctx, "", "function(list){"+deliver+ok+",list[0],true)}", []arg{objectArg(r.ObjectID)}, true)
}

func jsonInt(n int64) string { return string(refArg(n).json) }

func (p *Page) runBinding(ec *execContext, bound *binding, name string, raw []json.RawMessage, begun func()) (Value, error) {
	if bound == nil {
		return nil, plainError("Function \"" + name + "\" is not exposed")
	}
	// One list, so that values shared between arguments stay shared.
	list := append([]byte(`{"$":"a","v":[`), strings.Join(rawStrings(raw), ",")...)
	v, err := decodeValue(append(list, `]}`...))
	if err != nil {
		return nil, err
	}
	return bound.fn(p.life, BindingSource{Context: p.context, Page: p, Frame: ec.frame, Begun: begun}, v.(*Array).Items)
}

func rawStrings(raw []json.RawMessage) []string {
	list := make([]string, len(raw))
	for i := range raw {
		list[i] = string(raw[i])
	}
	return list
}

// thrownValue is what an error of an exposed function is in the page.
func thrownValue(err error) Value {
	switch e := err.(type) {
	case *BindingError:
		return e.Value
	case *Error:
		return &ErrorValue{e.Name, e.Message, e.Stack}
	}
	return &ErrorValue{nameError, err.Error(), nameError + ": " + err.Error()}
}
