package browser

import (
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	ipccdp "github.com/pomerado-go/pomerado/ipc/cdp"
)

// obj is the params of a command that is sent rarely.
type obj = map[string]any

// initialize sets a new page or frame target up, in one burst of commands that nobody waits for one by one, and lets it run. The
// target waits for the last of them, so scripts, overrides and bindings are there before its first document. The lock is held.
//
// The frame tree comes back while events already do: they are held until the tree is in place. Page.enable goes before, so
// nothing is missed; what comes twice changes nothing.
func (s *session) initialize() {
	p, b := s.page, s.b
	s.holding = true
	main := s.kind == pageSession
	s.post("Page.enable", nil)
	tree := s.start(b.ctx, "Page.getFrameTree", nil)
	s.post("Page.setLifecycleEventsEnabled", obj{"enabled": true})
	s.post("Runtime.enable", nil)
	s.post("Page.addScriptToEvaluateOnNewDocument", obj{"source": "", "worldName": utilityWorldName})
	s.createUtilityWorld(s.targetID)
	s.post("Log.enable", nil)
	p.network.setUp(s)
	overrides := p.setUpOverrides(s, main)
	for _, script := range p.allInitScripts() {
		s.addInitScript(script, true)
	}
	resumed := s.start(b.ctx, "Runtime.runIfWaitingForDebugger", nil)
	b.background(func() {
		var res page.GetFrameTreeResult
		err := tree.Wait(b.ctx, &res)
		b.locked(func() {
			if err == nil && res.FrameTree != nil && res.FrameTree.Frame != nil {
				s.takeTree(res.FrameTree, true)
			}
			held := s.held
			s.held, s.holding = nil, false
			for _, e := range held {
				if s.closed {
					return
				}
				s.dispatch(e)
			}
		})
		if main {
			for _, o := range overrides {
				if err := o.Wait(p.life, nil); refusal(err) != nil {
					b.locked(func() { p.setUpError = o.word(err) })
				}
			}
			_ = resumed.Wait(p.life, nil)
			b.locked(func() { p.setUp = true; p.report() })
		}
	})
}

func (s *session) createUtilityWorld(frameID string) {
	s.post("Page.createIsolatedWorld", obj{"frameId": frameID, "grantUniveralAccess": true, "worldName": utilityWorldName})
}

// override is one whose refusal is the fault of whoever gave the option.
type override struct {
	*ipccdp.Pending
	word func(error) error
}

// setUpOverrides sends what the context's options ask of a new target.
func (p *Page) setUpOverrides(s *session, main bool) (checked []override) {
	o := &p.context.options
	if main {
		s.post("Emulation.setFocusEmulationEnabled", obj{"enabled": true})
		if p.viewport != nil {
			s.post("Emulation.setDeviceMetricsOverride", p.metrics())
		}
	}
	if o.BypassCSP {
		s.post("Page.setBypassCSP", obj{"enabled": true})
	}
	if o.HasTouch {
		s.post("Emulation.setTouchEmulationEnabled", obj{"enabled": true})
	}
	if o.JavaScriptEnabled != nil && !*o.JavaScriptEnabled {
		s.post("Emulation.setScriptExecutionDisabled", obj{"value": true})
	}
	if o.UserAgent != "" || o.Locale != "" {
		override := obj{"userAgent": o.UserAgent}
		if o.Locale != "" {
			override["acceptLanguage"] = o.Locale
		}
		s.post("Emulation.setUserAgentOverride", override)
	}
	if o.Locale != "" {
		checked = append(checked, override{s.start(s.b.ctx, "Emulation.setLocaleOverride", obj{"locale": o.Locale}), func(err error) error {
			if strings.Contains(err.Error(), "already in effect") {
				return nil
			}
			return err
		}})
	}
	if o.TimezoneID != "" {
		checked = append(checked, override{s.start(s.b.ctx, "Emulation.setTimezoneOverride", obj{"timezoneId": o.TimezoneID}), func(err error) error {
			if strings.Contains(err.Error(), "already in effect") {
				return nil
			}
			return plainError("Invalid timezone ID: " + o.TimezoneID)
		}})
	}
	if o.Geolocation != nil {
		s.post("Emulation.setGeolocationOverride", o.Geolocation.params())
	}
	s.post("Emulation.setEmulatedMedia", p.mediaParams())
	if p.interceptsFileChooser() {
		s.post("Page.setInterceptFileChooserDialog", obj{"enabled": true})
	}
	if p.context.bindingsExposed {
		s.post("Runtime.addBinding", obj{"name": bindingName})
	}
	return checked
}

// takeTree takes the frames a target has when it is attached.
func (s *session) takeTree(t *page.FrameTree, root bool) {
	p := s.page
	frame := t.Frame
	id := string(frame.ID)
	var f *Frame
	if root && s.kind == frameSession {
		f = p.frameByID[id]
	} else {
		f = p.frameAttachedTo(id, string(frame.ParentID))
	}
	if f == nil {
		return
	}
	initialEmpty := frame.URL == "" || frame.URL == ":"
	switch {
	case !initialEmpty:
		p.committed(f, frame, true)
		if root && s.kind == pageSession {
			p.committedOnce = true
		}
	case f.current.id == "":
		f.current.id = string(frame.LoaderID)
	}
	if !root {
		s.createUtilityWorld(id)
	}
	for _, child := range t.ChildFrames {
		if child.Frame != nil {
			s.takeTree(child, false)
		}
	}
}

// report tells the world about a new page once it is set up and at its first real document. The initial empty document of a
// popup is never that: about:blank commits as a document of its own.
func (p *Page) report() {
	if p.reported || !p.setUp || !p.committedOnce || p.state == pageClosed {
		return
	}
	p.announce()
	ready := p.ready
	p.browser.later(func() { closeOnce(ready) })
}

// announce delivers the page and what happened in it so far.
func (p *Page) announce() {
	p.reported = true
	opener := p.opener
	p.browser.later(func() {
		p.context.emitter.emit(EventPage, p)
		if opener != nil {
			opener.emitter.emit(EventPopup, p)
		}
	})
	for _, m := range p.console {
		p.emitBoth(EventConsole, m)
	}
	for _, e := range p.errors {
		p.emitError(e)
	}
}

func (s *session) contextCreated(e *runtime.EventExecutionContextCreated) {
	if e.Context == nil {
		return
	}
	var aux struct {
		FrameID   string `json:"frameId"`
		IsDefault bool   `json:"isDefault"`
	}
	if unmarshal(e.Context.AuxData, &aux) != nil {
		return
	}
	f := s.page.frameByID[aux.FrameID]
	if f == nil || s.stale(aux.FrameID) {
		return
	}
	w := otherWorld
	switch {
	case aux.IsDefault:
		w = mainWorld
	case e.Context.Name == utilityWorldName:
		w = utilityWorld
	}
	ec := newExecContext(s, int64(e.Context.ID), f, w)
	s.contexts[ec.id] = ec
	if w >= worlds {
		return
	}
	slot := &f.slots[w]
	if slot.context != nil {
		if w == utilityWorld && slot.context.session == s && slot.context.life.Err() == nil && len(slot.context.programs[injectProgram].objectID) > 0 {
			return // a second isolated world of the same document; the first one serves
		}
		slot.context.destroy(contextGone)
		slot.ready = make(chan struct{})
	}
	slot.context = ec
	closeOnce(slot.ready)
	if w == utilityWorld && s.page.usesProgram.Load() && f == s.page.mainFrame {
		ec.load(injectProgram)
	}
}

func (s *session) contextDestroyed(e *struct {
	ID int64 `json:"executionContextId"`
}) {
	s.dropContext(e.ID)
}

func (s *session) contextsCleared(*runtime.EventExecutionContextsCleared) {
	for id := range s.contexts {
		s.dropContext(id)
	}
}

func (s *session) dropContext(id int64) {
	ec := s.contexts[id]
	if ec == nil {
		return
	}
	delete(s.contexts, id)
	ec.destroy(contextGone)
	if ec.frame == nil || ec.world >= worlds || ec.frame.detached {
		return
	}
	slot := &ec.frame.slots[ec.world]
	if slot.context == ec {
		slot.context = nil
		slot.ready = make(chan struct{})
	}
}

// worldOf answers the frame's context of a world, waiting for its document.
func (f *Frame) worldOf(o *op, w world) (*execContext, error) {
	b := f.page.browser
	for {
		b.mu.Lock()
		slot := f.slots[w]
		detached := f.detached
		b.mu.Unlock()
		if slot.context != nil {
			return slot.context, nil
		}
		if detached {
			return nil, frameDetachedError
		}
		if err := waitOn(o.ctx, slot.ready); err != nil {
			return nil, err
		}
	}
}

// existingWorld answers the frame's context of a world if there is one now.
func (f *Frame) existingWorld(w world) *execContext {
	b := f.page.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	return f.slots[w].context
}

// frameURL is a frame's URL with its fragment.
func frameURL(f *cdp.Frame) string { return f.URL + f.URLFragment }
