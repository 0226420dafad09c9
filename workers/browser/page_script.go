package browser

import (
	"context"
	"slices"
)

// initScript is a script that runs in every new document before its own.
type initScript struct{ source string }

func newInitScript(source string) *initScript {
	return &initScript{"(() => {\n" + source + "\n})();"}
}

// allInitScripts are those of the context and the page, bindings first. The lock is held.
func (p *Page) allInitScripts() []*initScript {
	c := p.context
	var all []*initScript
	if c.bindingsExposed {
		all = append(all, c.bindingsScript)
	}
	if c.clock.script != nil {
		all = append(all, c.clock.script)
	}
	for _, name := range c.bindingOrder {
		all = append(all, c.bindings[name].script)
	}
	for _, b := range p.bindingList() {
		all = append(all, b.script)
	}
	return slices.Concat(all, c.initScripts, p.initScripts)
}

// addInitScript adds a script to a target; the lock is held. now also runs it in the documents that are there.
func (s *session) addInitScript(script *initScript, now bool) {
	params := obj{"source": script.source}
	if now {
		params["runImmediately"] = true
	}
	pending := s.start(s.b.ctx, "Page.addScriptToEvaluateOnNewDocument", params)
	s.scripts[script] = ""
	s.b.background(func() {
		var res struct {
			Identifier string `json:"identifier"`
		}
		if pending.Wait(s.b.ctx, &res) != nil {
			return
		}
		s.b.mu.Lock()
		defer s.b.mu.Unlock()
		if _, wanted := s.scripts[script]; wanted {
			s.scripts[script] = res.Identifier
		} else {
			s.post("Page.removeScriptToEvaluateOnNewDocument", obj{"identifier": res.Identifier})
		}
	})
}

func (s *session) removeInitScript(script *initScript) {
	if id := s.scripts[script]; id != "" {
		s.post("Page.removeScriptToEvaluateOnNewDocument", obj{"identifier": id})
	}
	delete(s.scripts, script)
}

func (p *Page) addInitScript(ctx context.Context, api, source string) (func(context.Context) error, error) {
	script := newInitScript(source)
	err := p.run(ctx, api, noTimeout, func(o *op) error {
		b := p.browser
		b.mu.Lock()
		p.initScripts = append(p.initScripts, script)
		for _, s := range p.frameTargets() {
			s.addInitScript(script, false)
		}
		b.mu.Unlock()
		return p.barrierCommand(o)
	})
	return func(ctx context.Context) error {
		p.browser.locked(func() {
			p.initScripts = slices.DeleteFunc(p.initScripts, func(other *initScript) bool { return other == script })
			for _, s := range p.frameTargets() {
				s.removeInitScript(script)
			}
		})
		return nil
	}, err
}

// barrierCommand waits until the commands sent before it are done.
func (p *Page) barrierCommand(o *op) error {
	return p.session.call(o.ctx, "Page.enable", nil, nil)
}
