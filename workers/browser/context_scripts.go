package browser

import (
	"context"
	"slices"
)

func (c *Context) addInitScript(ctx context.Context, api, source string) (func(context.Context) error, error) {
	script := newInitScript(source)
	b := c.browser
	err := c.run(ctx, api, func(o *op) error {
		b.mu.Lock()
		c.initScripts = append(c.initScripts, script)
		for _, p := range c.pages {
			for _, s := range p.frameTargets() {
				s.addInitScript(script, false)
			}
		}
		b.mu.Unlock()
		return c.onPages(o, func(p *Page) error { return p.barrierCommand(o) })
	})
	return func(context.Context) error {
		b.locked(func() {
			c.initScripts = slices.DeleteFunc(c.initScripts, func(other *initScript) bool { return other == script })
			for _, p := range c.pages {
				for _, s := range p.frameTargets() {
					s.removeInitScript(script)
				}
			}
		})
		return nil
	}, err
}

func (c *Context) exposeBinding(ctx context.Context, api, name string, fn BindingFunc) (func(context.Context) error, error) {
	b := c.browser
	bound := newBinding(name, fn, false)
	err := c.run(ctx, api, func(o *op) error {
		b.mu.Lock()
		if c.bindings[name] != nil {
			b.mu.Unlock()
			return plainError("Function \"" + name + "\" has been already registered")
		}
		for _, p := range c.pages {
			if p.bindings[name] != nil {
				b.mu.Unlock()
				return plainError("Function \"" + name + "\" has been already registered in one of the pages")
			}
		}
		c.exposeBindings()
		c.bindings[name] = bound
		c.bindingOrder = append(c.bindingOrder, name)
		for _, p := range c.pages {
			for _, s := range p.frameTargets() {
				s.addInitScript(bound.script, false)
			}
			p.evaluateInFrames(bound.script.source)
		}
		b.mu.Unlock()
		return c.onPages(o, func(p *Page) error { return p.barrierCommand(o) })
	})
	return func(context.Context) error {
		b.locked(func() {
			if c.bindings[name] != bound {
				return
			}
			delete(c.bindings, name)
			c.bindingOrder = slices.DeleteFunc(c.bindingOrder, func(n string) bool { return n == name })
			for _, p := range c.pages {
				for _, s := range p.frameTargets() {
					s.removeInitScript(bound.script)
				}
				p.evaluateInFrames("globalThis." + bindingsProperty + ".remove(" + quoteJSON(name) + ")")
			}
		})
		return nil
	}, err
}
