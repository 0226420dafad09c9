package playwright

import (
	"context"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

func locatorClass() class {
	return class{name: "Locator", members: locatorMembers, refused: func() map[string]string {
		return map[string]string{
			"highlight": "highlights are for inspectors", "hideHighlight": "highlights are for inspectors", "get": "use the getBy methods",
		}
	}}
}

// acting is what locators and element handles have in common.
type acting interface {
	Click(ctx context.Context, o browser.ClickOptions) error
	Dblclick(ctx context.Context, o browser.ClickOptions) error
	Tap(ctx context.Context, o browser.PointerOptions) error
	Hover(ctx context.Context, o browser.PointerOptions) error
	Check(ctx context.Context, o browser.PointerOptions) error
	Uncheck(ctx context.Context, o browser.PointerOptions) error
	SetChecked(ctx context.Context, checked bool, o browser.PointerOptions) error
	Fill(ctx context.Context, value string, o browser.FillOptions) error
	Type(ctx context.Context, text string, o browser.TypeOptions) error
	Press(ctx context.Context, key string, o browser.TypeOptions) error
	SelectOption(ctx context.Context, options []browser.SelectOption, o browser.FillOptions) ([]string, error)
	SetInputFiles(ctx context.Context, files []browser.FilePayload, o browser.FillOptions) error
	SelectText(ctx context.Context, o browser.FillOptions) error
	Focus(ctx context.Context, o browser.TimeoutOptions) error
	DispatchEvent(ctx context.Context, event string, init browser.Value, o browser.TimeoutOptions) error
	TextContent(ctx context.Context, o browser.TimeoutOptions) (*string, error)
	InnerText(ctx context.Context, o browser.TimeoutOptions) (string, error)
	InnerHTML(ctx context.Context, o browser.TimeoutOptions) (string, error)
	InputValue(ctx context.Context, o browser.TimeoutOptions) (string, error)
	GetAttribute(ctx context.Context, name string, o browser.TimeoutOptions) (*string, error)
	IsChecked(ctx context.Context, o browser.TimeoutOptions) (bool, error)
	IsDisabled(ctx context.Context, o browser.TimeoutOptions) (bool, error)
	IsEditable(ctx context.Context, o browser.TimeoutOptions) (bool, error)
	IsEnabled(ctx context.Context, o browser.TimeoutOptions) (bool, error)
	IsHidden(ctx context.Context, o browser.TimeoutOptions) (bool, error)
	IsVisible(ctx context.Context, o browser.TimeoutOptions) (bool, error)
	ScrollIntoViewIfNeeded(ctx context.Context, o browser.TimeoutOptions) error
	Screenshot(ctx context.Context, o browser.ScreenshotOptions) ([]byte, error)
}

func actingMembers() []member {
	type self = acting
	read := func(name string, f func(s self, ctx context.Context, o browser.TimeoutOptions) (any, error)) member {
		return promise(name, func(_ *mapping, s self, a *args) op {
			o := a.options(0).timeouts()
			return func(ctx context.Context) (any, error) { return f(s, ctx, o) }
		})
	}
	state := func(name string, f func(self, context.Context, browser.TimeoutOptions) (bool, error)) member {
		return read(name, func(s self, ctx context.Context, o browser.TimeoutOptions) (any, error) { return f(s, ctx, o) })
	}
	point := func(name string, f func(self, context.Context, browser.PointerOptions) error) member {
		return promise(name, func(_ *mapping, s self, a *args) op {
			o := a.options(0).pointer()
			return done(func(ctx context.Context) error { return f(s, ctx, o) })
		})
	}
	return []member{
		promise("click", func(_ *mapping, s self, a *args) op {
			o := a.options(0).click()
			return done(func(ctx context.Context) error { return s.Click(ctx, o) })
		}),
		promise("dblclick", func(_ *mapping, s self, a *args) op {
			o := a.options(0).click()
			return done(func(ctx context.Context) error { return s.Dblclick(ctx, o) })
		}),
		point("tap", self.Tap), point("hover", self.Hover), point("check", self.Check), point("uncheck", self.Uncheck),
		promise("setChecked", func(_ *mapping, s self, a *args) op {
			checked, o := a.value(0).ToBoolean(), a.options(1).pointer()
			return done(func(ctx context.Context) error { return s.SetChecked(ctx, checked, o) })
		}),
		promise("fill", func(_ *mapping, s self, a *args) op {
			value, o := a.str(0, "value"), a.options(1).fill()
			return done(func(ctx context.Context) error { return s.Fill(ctx, value, o) })
		}),
		promise("type", func(_ *mapping, s self, a *args) op {
			text, o := a.str(0, "text"), a.options(1).typing()
			return done(func(ctx context.Context) error { return s.Type(ctx, text, o) })
		}),
		promise("press", func(_ *mapping, s self, a *args) op {
			key, o := a.str(0, "key"), a.options(1).typing()
			return done(func(ctx context.Context) error { return s.Press(ctx, key, o) })
		}),
		promise("selectOption", func(_ *mapping, s self, a *args) op {
			list, o := a.selectOptions(a.value(0)), a.options(1).fill()
			return gives(func(ctx context.Context) ([]string, error) { return s.SelectOption(ctx, list, o) })
		}),
		promise("setInputFiles", func(_ *mapping, s self, a *args) op {
			files, o := a.files(a.value(0)), a.options(1).fill()
			return done(func(ctx context.Context) error { return s.SetInputFiles(ctx, files, o) })
		}),
		promise("selectText", func(_ *mapping, s self, a *args) op {
			o := a.options(0).fill()
			return done(func(ctx context.Context) error { return s.SelectText(ctx, o) })
		}),
		promise("focus", func(_ *mapping, s self, a *args) op {
			o := a.options(0).timeouts()
			return done(func(ctx context.Context) error { return s.Focus(ctx, o) })
		}),
		promise("dispatchEvent", func(_ *mapping, s self, a *args) op {
			event, init, o := a.str(0, "type"), a.argument(1), a.options(2).timeouts()
			return done(func(ctx context.Context) error { return s.DispatchEvent(ctx, event, init, o) })
		}),
		read("textContent", func(s self, ctx context.Context, o browser.TimeoutOptions) (any, error) { return s.TextContent(ctx, o) }),
		read("innerText", func(s self, ctx context.Context, o browser.TimeoutOptions) (any, error) { return s.InnerText(ctx, o) }),
		read("innerHTML", func(s self, ctx context.Context, o browser.TimeoutOptions) (any, error) { return s.InnerHTML(ctx, o) }),
		read("inputValue", func(s self, ctx context.Context, o browser.TimeoutOptions) (any, error) { return s.InputValue(ctx, o) }),
		promise("getAttribute", func(_ *mapping, s self, a *args) op {
			name, o := a.str(0, "name"), a.options(1).timeouts()
			return gives(func(ctx context.Context) (*string, error) { return s.GetAttribute(ctx, name, o) })
		}),
		state("isChecked", self.IsChecked), state("isDisabled", self.IsDisabled), state("isEditable", self.IsEditable),
		state("isEnabled", self.IsEnabled), state("isHidden", self.IsHidden), state("isVisible", self.IsVisible),
		read("scrollIntoViewIfNeeded", func(s self, ctx context.Context, o browser.TimeoutOptions) (any, error) {
			return nil, s.ScrollIntoViewIfNeeded(ctx, o)
		}),
		promise("screenshot", func(_ *mapping, s self, a *args) op {
			o := a.options(0).screenshot()
			return gives(func(ctx context.Context) ([]byte, error) { return s.Screenshot(ctx, o) })
		}),
	}
}

func locatorMembers() []member {
	type self = *browser.Locator
	out := append(actingMembers(), locatingMembers()...)
	return append(out,
		direct("page", func(_ *mapping, l self, _ *args) any { return l.Page() }),
		direct("toString", func(_ *mapping, l self, _ *args) any { return l.String() }),
		direct("locator", func(_ *mapping, l self, a *args) any {
			if goja.IsString(a.value(0)) {
				made1, err := l.Locator(a.value(0).String(), a.options(1).locator())
				return made(a, made1, err)
			}
			inner, err := l.LocatorInside(a.locator(a.value(0), "selectorOrLocator"), a.options(1).locator())
			return made(a, inner, err)
		}),
		direct("filter", func(_ *mapping, l self, a *args) any {
			narrowed, err := l.Filter(a.options(0).locator())
			return made(a, narrowed, err)
		}),
		direct("and", func(_ *mapping, l self, a *args) any {
			both, err := l.And(a.locator(a.value(0), "locator"))
			return made(a, both, err)
		}),
		direct("or", func(_ *mapping, l self, a *args) any {
			either, err := l.Or(a.locator(a.value(0), "locator"))
			return made(a, either, err)
		}),
		direct("first", func(_ *mapping, l self, _ *args) any { return l.First() }),
		direct("last", func(_ *mapping, l self, _ *args) any { return l.Last() }),
		direct("nth", func(_ *mapping, l self, a *args) any { return l.Nth(int(a.number(0, "index"))) }),
		direct("contentFrame", func(_ *mapping, l self, _ *args) any { return l.ContentFrame() }),
		direct("describe", func(_ *mapping, l self, a *args) any { return l.Describe(a.str(0, "description")) }),
		direct("description", func(_ *mapping, l self, _ *args) any {
			if text, ok := l.Description(); ok {
				return text
			}
			return goja.Null()
		}),
		promise("all", func(_ *mapping, l self, _ *args) op { return gives(l.All) }),
		promise("count", func(_ *mapping, l self, _ *args) op { return gives(l.Count) }),
		promise("allInnerTexts", func(_ *mapping, l self, _ *args) op { return gives(l.AllInnerTexts) }),
		promise("allTextContents", func(_ *mapping, l self, _ *args) op { return gives(l.AllTextContents) }),
		promise("pressSequentially", func(_ *mapping, l self, a *args) op {
			text, o := a.str(0, "text"), a.options(1).typing()
			return done(func(ctx context.Context) error { return l.PressSequentially(ctx, text, o) })
		}),
		promise("clear", func(_ *mapping, l self, a *args) op {
			o := a.options(0).fill()
			return done(func(ctx context.Context) error { return l.Clear(ctx, o) })
		}),
		promise("blur", func(_ *mapping, l self, a *args) op {
			o := a.options(0).timeouts()
			return done(func(ctx context.Context) error { return l.Blur(ctx, o) })
		}),
		promise("dragTo", func(_ *mapping, l self, a *args) op {
			target, o := a.locator(a.value(0), "target"), a.options(1).drag()
			return done(func(ctx context.Context) error { return l.DragTo(ctx, target, o) })
		}),
		promise("drop", func(_ *mapping, l self, a *args) op {
			payload, o := a.dropPayload(), a.options(1).pointer()
			return done(func(ctx context.Context) error { return l.Drop(ctx, payload, o) })
		}),
		promise("boundingBox", func(_ *mapping, l self, a *args) op {
			o := a.options(0).timeouts()
			return gives(func(ctx context.Context) (*browser.Rect, error) { return l.BoundingBox(ctx, o) })
		}),
		promise("evaluate", func(_ *mapping, l self, a *args) op {
			e := a.evaluateArgs(1, l.Page())
			o := e.options.timeouts()
			return e.value(func(ctx context.Context, s browser.Script, arg browser.Value) (browser.Value, error) {
				return l.Evaluate(ctx, s, arg, o)
			})
		}),
		promise("evaluateHandle", func(_ *mapping, l self, a *args) op {
			e := a.evaluateArgs(1, l.Page())
			o := e.options.timeouts()
			return e.handle(func(ctx context.Context, s browser.Script, arg browser.Value) (browser.Handle, error) {
				return l.EvaluateHandle(ctx, s, arg, o)
			})
		}),
		promise("evaluateAll", func(_ *mapping, l self, a *args) op {
			script, arg := a.scriptOf(0), a.argument(1)
			return givesValue(func(ctx context.Context) (browser.Value, error) { return l.EvaluateAll(ctx, script, arg) })
		}),
		promise("waitFor", func(_ *mapping, l self, a *args) op {
			o := a.options(0).waitFor()
			return done(func(ctx context.Context) error { return l.WaitFor(ctx, o) })
		}),
		promise("waitForFunction", func(_ *mapping, l self, a *args) op {
			script, arg, o := a.scriptOf(0), a.argument(1), a.options(2).timeouts()
			return done(func(ctx context.Context) error { return l.WaitForFunction(ctx, script, arg, o) })
		}),
		promise("elementHandle", func(_ *mapping, l self, a *args) op {
			o := a.options(0).timeouts()
			return gives(func(ctx context.Context) (*browser.ElementHandle, error) { return l.ElementHandle(ctx, o) })
		}),
		promise("elementHandles", func(_ *mapping, l self, _ *args) op { return gives(l.ElementHandles) }),
		promise("ariaSnapshot", func(_ *mapping, l self, a *args) op {
			o := a.options(0).ariaSnapshot()
			return gives(func(ctx context.Context) (string, error) { return l.AriaSnapshot(ctx, o) })
		}),
		promise("ariaSnapshotJSON", func(m *mapping, l self, a *args) op {
			return m.ariaSnapshotJSON(l.AriaSnapshot, a.options(0).ariaSnapshot())
		}),
		promise("normalize", func(_ *mapping, l self, _ *args) op { return gives(l.Normalize) }),
	)
}

// dropPayload reads what Locator.drop takes.
func (a *args) dropPayload() browser.DropPayload {
	o := a.options(0)
	var out browser.DropPayload
	if v := o.get("files"); !absent(v) {
		out.Files = a.files(v)
	}
	if in := o.inner("data"); in.object != nil {
		for _, key := range in.object.Keys() {
			out.Data = append(out.Data, browser.DropData{MimeType: key, Value: in.str(key)})
		}
	}
	return out
}

func frameLocatorClass() class {
	return class{name: "FrameLocator", members: func() []member {
		type self = *browser.FrameLocator
		return append(locatingMembers(),
			direct("locator", func(_ *mapping, l self, a *args) any {
				if goja.IsString(a.value(0)) {
					inside, err := l.Locator(a.value(0).String(), a.options(1).locator())
					return made(a, inside, err)
				}
				inside, err := l.LocatorInside(a.locator(a.value(0), "selectorOrLocator"), a.options(1).locator())
				return made(a, inside, err)
			}),
			direct("owner", func(_ *mapping, l self, _ *args) any { return l.Owner() }),
			direct("first", func(_ *mapping, l self, _ *args) any { return l.First() }),
			direct("last", func(_ *mapping, l self, _ *args) any { return l.Last() }),
			direct("nth", func(_ *mapping, l self, a *args) any { return l.Nth(int(a.number(0, "index"))) }),
		)
	}, refused: func() map[string]string {
		return map[string]string{"get": "use the getBy methods", "pierceFrames": "use frameLocator for each frame"}
	}}
}
