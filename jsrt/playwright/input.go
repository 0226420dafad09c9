package playwright

import (
	"context"
	"time"

	"github.com/pomerado-go/pomerado/workers/browser"
)

func keyboardClass() class {
	return class{name: "Keyboard", members: func() []member {
		type self = *browser.Keyboard
		key := func(name string, f func(self, context.Context, string) error) member {
			return promise(name, func(_ *mapping, k self, a *args) op {
				text := a.str(0, "key")
				return done(func(ctx context.Context) error { return f(k, ctx, text) })
			})
		}
		slow := func(name, argument string, f func(self, context.Context, string, time.Duration) error) member {
			return promise(name, func(_ *mapping, k self, a *args) op {
				text, delay := a.str(0, argument), a.options(1).delay()
				return done(func(ctx context.Context) error { return f(k, ctx, text, delay) })
			})
		}
		return []member{key("down", self.Down), key("up", self.Up), key("insertText", self.InsertText),
			slow("press", "key", self.Press), slow("type", "text", self.Type)}
	}}
}

func mouseClass() class {
	return class{name: "Mouse", members: func() []member {
		type self = *browser.Mouse
		click := func(name string, f func(self, context.Context, float64, float64, browser.MouseOptions) error) member {
			return promise(name, func(_ *mapping, m self, a *args) op {
				x, y, o := a.number(0, "x"), a.number(1, "y"), a.options(2).mouse()
				return done(func(ctx context.Context) error { return f(m, ctx, x, y, o) })
			})
		}
		button := func(name string, f func(self, context.Context, browser.MouseOptions) error) member {
			return promise(name, func(_ *mapping, m self, a *args) op {
				o := a.options(0).mouse()
				return done(func(ctx context.Context) error { return f(m, ctx, o) })
			})
		}
		return []member{
			click("click", self.Click), click("dblclick", self.Dblclick), button("down", self.Down), button("up", self.Up),
			promise("move", func(_ *mapping, m self, a *args) op {
				x, y, steps := a.number(0, "x"), a.number(1, "y"), a.options(2).whole("steps")
				return done(func(ctx context.Context) error { return m.Move(ctx, x, y, steps) })
			}),
			promise("wheel", func(_ *mapping, m self, a *args) op {
				x, y := a.number(0, "deltaX"), a.number(1, "deltaY")
				return done(func(ctx context.Context) error { return m.Wheel(ctx, x, y) })
			}),
		}
	}}
}

func touchscreenClass() class {
	return class{name: "Touchscreen", members: func() []member {
		return []member{promise("tap", func(_ *mapping, t *browser.Touchscreen, a *args) op {
			x, y := a.number(0, "x"), a.number(1, "y")
			return done(func(ctx context.Context) error { return t.Tap(ctx, x, y) })
		})}
	}}
}
