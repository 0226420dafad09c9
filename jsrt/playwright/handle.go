package playwright

import (
	"context"

	"github.com/pomerado-go/pomerado/workers/browser"
)

func jsHandleClass() class {
	return class{name: "JSHandle", members: func() []member {
		type self = browser.Handle
		return []member{
			direct("asElement", func(_ *mapping, h self, a *args) any {
				if h.AsElement() != nil {
					return a.call.This
				}
				return (*browser.ElementHandle)(nil)
			}),
			direct("toString", func(_ *mapping, h self, _ *args) any { return h.String() }),
			promise("evaluate", func(_ *mapping, h self, a *args) op {
				return a.evaluateArgs(1, nil).value(h.Evaluate)
			}),
			promise("evaluateHandle", func(_ *mapping, h self, a *args) op {
				return a.evaluateArgs(1, nil).handle(h.EvaluateHandle)
			}),
			promise("getProperty", func(_ *mapping, h self, a *args) op {
				name := a.str(0, "name")
				return gives(func(ctx context.Context) (browser.Handle, error) { return h.GetProperty(ctx, name) })
			}),
			promise("getProperties", func(_ *mapping, h self, _ *args) op {
				return func(ctx context.Context) (any, error) {
					list, err := h.GetProperties(ctx)
					if list == nil {
						list = []browser.HandleProperty{}
					}
					return list, err
				}
			}),
			promise("jsonValue", func(_ *mapping, h self, _ *args) op { return givesValue(h.JSONValue) }),
			promise("dispose", func(_ *mapping, h self, _ *args) op { return done(h.Dispose) }),
		}
	}}
}

func elementHandleClass() class {
	return class{name: "ElementHandle", base: jsHandleClass, members: func() []member {
		type self = *browser.ElementHandle
		return append(actingMembers(),
			promise("ownerFrame", func(_ *mapping, h self, _ *args) op { return gives(h.OwnerFrame) }),
			promise("contentFrame", func(_ *mapping, h self, _ *args) op { return gives(h.ContentFrame) }),
			promise("boundingBox", func(_ *mapping, h self, _ *args) op { return gives(h.BoundingBox) }),
			promise("$", func(_ *mapping, h self, a *args) op {
				selector := a.str(0, "selector")
				return gives(func(ctx context.Context) (*browser.ElementHandle, error) { return h.QuerySelector(ctx, selector) })
			}),
			promise("$$", func(_ *mapping, h self, a *args) op {
				selector := a.str(0, "selector")
				return gives(func(ctx context.Context) ([]*browser.ElementHandle, error) { return h.QuerySelectorAll(ctx, selector) })
			}),
			promise("$eval", func(_ *mapping, h self, a *args) op {
				a.atMost(3)
				selector, script, arg := a.str(0, "selector"), a.scriptOf(1), a.argument(2)
				return givesValue(func(ctx context.Context) (browser.Value, error) { return h.EvalOnSelector(ctx, selector, script, arg) })
			}),
			promise("$$eval", func(_ *mapping, h self, a *args) op {
				a.atMost(3)
				selector, script, arg := a.str(0, "selector"), a.scriptOf(1), a.argument(2)
				return givesValue(func(ctx context.Context) (browser.Value, error) {
					return h.EvalOnSelectorAll(ctx, selector, script, arg)
				})
			}),
			promise("waitForElementState", func(_ *mapping, h self, a *args) op {
				state, o := a.str(0, "state"), a.options(1).timeouts()
				return done(func(ctx context.Context) error { return h.WaitForElementState(ctx, state, o) })
			}),
			promise("waitForSelector", func(_ *mapping, h self, a *args) op {
				selector, o := a.str(0, "selector"), a.options(1).waitFor()
				return gives(func(ctx context.Context) (*browser.ElementHandle, error) { return h.WaitForSelector(ctx, selector, o) })
			}),
		)
	}}
}
