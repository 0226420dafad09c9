package playwright

import (
	"context"
	"time"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/workers/browser"
)

// bytes copies the bytes of a Buffer, typed array or ArrayBuffer.
func bytes(v goja.Value) ([]byte, bool) {
	b, ok := jsrt.Bytes(v)
	return append([]byte{}, b...), ok
}

// selecting is what pages and frames have in common: methods that take a selector first.
type selecting interface {
	Click(ctx context.Context, selector string, o browser.ClickOptions) error
	Dblclick(ctx context.Context, selector string, o browser.ClickOptions) error
	Tap(ctx context.Context, selector string, o browser.PointerOptions) error
	Hover(ctx context.Context, selector string, o browser.PointerOptions) error
	Fill(ctx context.Context, selector string, value string, o browser.FillOptions) error
	Type(ctx context.Context, selector string, text string, o browser.TypeOptions) error
	Press(ctx context.Context, selector string, key string, o browser.TypeOptions) error
	Check(ctx context.Context, selector string, o browser.PointerOptions) error
	Uncheck(ctx context.Context, selector string, o browser.PointerOptions) error
	SetChecked(ctx context.Context, selector string, checked bool, o browser.PointerOptions) error
	SelectOption(ctx context.Context, selector string, options []browser.SelectOption, o browser.FillOptions) ([]string, error)
	SetInputFiles(ctx context.Context, selector string, files []browser.FilePayload, o browser.FillOptions) error
	Focus(ctx context.Context, selector string, o browser.TimeoutOptions) error
	DispatchEvent(ctx context.Context, selector string, event string, init browser.Value, o browser.TimeoutOptions) error
	TextContent(ctx context.Context, selector string, o browser.TimeoutOptions) (*string, error)
	InnerText(ctx context.Context, selector string, o browser.TimeoutOptions) (string, error)
	InnerHTML(ctx context.Context, selector string, o browser.TimeoutOptions) (string, error)
	InputValue(ctx context.Context, selector string, o browser.TimeoutOptions) (string, error)
	GetAttribute(ctx context.Context, selector string, name string, o browser.TimeoutOptions) (*string, error)
	IsChecked(ctx context.Context, selector string, o browser.TimeoutOptions) (bool, error)
	IsDisabled(ctx context.Context, selector string, o browser.TimeoutOptions) (bool, error)
	IsEditable(ctx context.Context, selector string, o browser.TimeoutOptions) (bool, error)
	IsEnabled(ctx context.Context, selector string, o browser.TimeoutOptions) (bool, error)
	IsHidden(ctx context.Context, selector string, o browser.TimeoutOptions) (bool, error)
	IsVisible(ctx context.Context, selector string, o browser.TimeoutOptions) (bool, error)
	QuerySelector(ctx context.Context, selector string, strict browser.Strictness) (*browser.ElementHandle, error)
	QuerySelectorAll(ctx context.Context, selector string) ([]*browser.ElementHandle, error)
	EvalOnSelector(ctx context.Context, selector string, s browser.Script, arg browser.Value) (browser.Value, error)
	EvalOnSelectorAll(ctx context.Context, selector string, s browser.Script, arg browser.Value) (browser.Value, error)
	WaitForSelector(ctx context.Context, selector string, o browser.WaitForOptions) (*browser.ElementHandle, error)
	DragAndDrop(ctx context.Context, source, target string, o browser.DragOptions) error

	Title(ctx context.Context) (string, error)
	Content(ctx context.Context) (string, error)
	SetContent(ctx context.Context, html string, o browser.NavigateOptions) error
	Goto(ctx context.Context, url string, o browser.GotoOptions) (*browser.Response, error)
	Evaluate(ctx context.Context, s browser.Script, arg browser.Value) (browser.Value, error)
	EvaluateHandle(ctx context.Context, s browser.Script, arg browser.Value) (browser.Handle, error)
	WaitForFunction(ctx context.Context, s browser.Script, arg browser.Value, o browser.WaitForFunctionOptions) (browser.Handle, error)
	WaitForTimeout(ctx context.Context, d time.Duration) error
	AddScriptTag(ctx context.Context, o browser.TagOptions) (*browser.ElementHandle, error)
	AddStyleTag(ctx context.Context, o browser.TagOptions) (*browser.ElementHandle, error)
	ExpectURL(match browser.URLMatch, o browser.WaitForURLOptions) *browser.Waiter
	ExpectNavigation(match browser.URLMatch, o browser.WaitForURLOptions) *browser.Waiter
	ExpectLoadState(state browser.LifecycleEvent, o browser.TimeoutOptions) *browser.Waiter
	URL() string
	locating
}

// locating is what makes locators.
type locating interface {
	GetByAltText(t browser.Text) *browser.Locator
	GetByLabel(t browser.Text) *browser.Locator
	GetByPlaceholder(t browser.Text) *browser.Locator
	GetByText(t browser.Text) *browser.Locator
	GetByTitle(t browser.Text) *browser.Locator
	GetByTestId(id browser.Text) *browser.Locator
	GetByRole(role string, o browser.RoleOptions) *browser.Locator
	FrameLocator(selector string) *browser.FrameLocator
	Locator(selector string, o browser.LocatorOptions) (*browser.Locator, error)
}

// done is an operation that answers nothing.
func done(f func(ctx context.Context) error) op {
	return func(ctx context.Context) (any, error) { return nil, f(ctx) }
}

// gives is an operation that answers one of out's types.
func gives[T any](f func(ctx context.Context) (T, error)) op {
	return func(ctx context.Context) (any, error) {
		v, err := f(ctx)
		return any(v), err
	}
}

// givesValue is an operation that answers a value of the page.
func givesValue(f func(ctx context.Context) (browser.Value, error)) op {
	return func(ctx context.Context) (any, error) {
		v, err := f(ctx)
		return answer{v}, err
	}
}

func selectingMembers() []member {
	type self = selecting
	read := func(name string, f func(s self, ctx context.Context, selector string, o browser.TimeoutOptions) (any, error)) member {
		return promise(name, func(_ *mapping, s self, a *args) op {
			selector, o := a.str(0, "selector"), a.options(1).timeouts()
			return func(ctx context.Context) (any, error) { return f(s, ctx, selector, o) }
		})
	}
	state := func(name string, f func(self, context.Context, string, browser.TimeoutOptions) (bool, error)) member {
		return read(name, func(s self, ctx context.Context, selector string, o browser.TimeoutOptions) (any, error) {
			return f(s, ctx, selector, o)
		})
	}
	point := func(name string, f func(self, context.Context, string, browser.PointerOptions) error) member {
		return promise(name, func(_ *mapping, s self, a *args) op {
			selector, o := a.str(0, "selector"), a.options(1).pointer()
			return done(func(ctx context.Context) error { return f(s, ctx, selector, o) })
		})
	}
	return append(locatingMembers(),
		promise("click", func(_ *mapping, s self, a *args) op {
			selector, o := a.str(0, "selector"), a.options(1).click()
			return done(func(ctx context.Context) error { return s.Click(ctx, selector, o) })
		}),
		promise("dblclick", func(_ *mapping, s self, a *args) op {
			selector, o := a.str(0, "selector"), a.options(1).click()
			return done(func(ctx context.Context) error { return s.Dblclick(ctx, selector, o) })
		}),
		point("tap", self.Tap), point("hover", self.Hover), point("check", self.Check), point("uncheck", self.Uncheck),
		promise("setChecked", func(_ *mapping, s self, a *args) op {
			selector, checked, o := a.str(0, "selector"), a.value(1).ToBoolean(), a.options(2).pointer()
			return done(func(ctx context.Context) error { return s.SetChecked(ctx, selector, checked, o) })
		}),
		promise("fill", func(_ *mapping, s self, a *args) op {
			selector, value, o := a.str(0, "selector"), a.str(1, "value"), a.options(2).fill()
			return done(func(ctx context.Context) error { return s.Fill(ctx, selector, value, o) })
		}),
		promise("type", func(_ *mapping, s self, a *args) op {
			selector, text, o := a.str(0, "selector"), a.str(1, "text"), a.options(2).typing()
			return done(func(ctx context.Context) error { return s.Type(ctx, selector, text, o) })
		}),
		promise("press", func(_ *mapping, s self, a *args) op {
			selector, key, o := a.str(0, "selector"), a.str(1, "key"), a.options(2).typing()
			return done(func(ctx context.Context) error { return s.Press(ctx, selector, key, o) })
		}),
		promise("selectOption", func(_ *mapping, s self, a *args) op {
			selector, list, o := a.str(0, "selector"), a.selectOptions(a.value(1)), a.options(2).fill()
			return gives(func(ctx context.Context) ([]string, error) { return s.SelectOption(ctx, selector, list, o) })
		}),
		promise("setInputFiles", func(_ *mapping, s self, a *args) op {
			selector, files, o := a.str(0, "selector"), a.files(a.value(1)), a.options(2).fill()
			return done(func(ctx context.Context) error { return s.SetInputFiles(ctx, selector, files, o) })
		}),
		promise("focus", func(_ *mapping, s self, a *args) op {
			selector, o := a.str(0, "selector"), a.options(1).timeouts()
			return done(func(ctx context.Context) error { return s.Focus(ctx, selector, o) })
		}),
		promise("dispatchEvent", func(_ *mapping, s self, a *args) op {
			selector, event, init, o := a.str(0, "selector"), a.str(1, "type"), a.argument(2), a.options(3).timeouts()
			return done(func(ctx context.Context) error { return s.DispatchEvent(ctx, selector, event, init, o) })
		}),
		read("textContent", func(s self, ctx context.Context, sel string, o browser.TimeoutOptions) (any, error) {
			return s.TextContent(ctx, sel, o)
		}),
		read("innerText", func(s self, ctx context.Context, sel string, o browser.TimeoutOptions) (any, error) {
			return s.InnerText(ctx, sel, o)
		}),
		read("innerHTML", func(s self, ctx context.Context, sel string, o browser.TimeoutOptions) (any, error) {
			return s.InnerHTML(ctx, sel, o)
		}),
		read("inputValue", func(s self, ctx context.Context, sel string, o browser.TimeoutOptions) (any, error) {
			return s.InputValue(ctx, sel, o)
		}),
		promise("getAttribute", func(_ *mapping, s self, a *args) op {
			selector, name, o := a.str(0, "selector"), a.str(1, "name"), a.options(2).timeouts()
			return gives(func(ctx context.Context) (*string, error) { return s.GetAttribute(ctx, selector, name, o) })
		}),
		state("isChecked", self.IsChecked), state("isDisabled", self.IsDisabled), state("isEditable", self.IsEditable),
		state("isEnabled", self.IsEnabled), state("isHidden", self.IsHidden), state("isVisible", self.IsVisible),
		promise("$", func(_ *mapping, s self, a *args) op {
			selector, strict := a.str(0, "selector"), a.options(1).strict()
			return gives(func(ctx context.Context) (*browser.ElementHandle, error) {
				return s.QuerySelector(ctx, selector, strict)
			})
		}),
		promise("$$", func(_ *mapping, s self, a *args) op {
			selector := a.str(0, "selector")
			return gives(func(ctx context.Context) ([]*browser.ElementHandle, error) { return s.QuerySelectorAll(ctx, selector) })
		}),
		promise("$eval", func(_ *mapping, s self, a *args) op {
			a.atMost(3)
			selector, script, arg := a.str(0, "selector"), a.scriptOf(1), a.argument(2)
			return givesValue(func(ctx context.Context) (browser.Value, error) { return s.EvalOnSelector(ctx, selector, script, arg) })
		}),
		promise("$$eval", func(_ *mapping, s self, a *args) op {
			a.atMost(3)
			selector, script, arg := a.str(0, "selector"), a.scriptOf(1), a.argument(2)
			return givesValue(func(ctx context.Context) (browser.Value, error) {
				return s.EvalOnSelectorAll(ctx, selector, script, arg)
			})
		}),
		promise("waitForSelector", func(_ *mapping, s self, a *args) op {
			selector, o := a.str(0, "selector"), a.options(1).waitFor()
			return gives(func(ctx context.Context) (*browser.ElementHandle, error) { return s.WaitForSelector(ctx, selector, o) })
		}),
		promise("dragAndDrop", func(_ *mapping, s self, a *args) op {
			from, to, o := a.str(0, "source"), a.str(1, "target"), a.options(2).drag()
			return done(func(ctx context.Context) error { return s.DragAndDrop(ctx, from, to, o) })
		}),
		direct("url", func(_ *mapping, s self, _ *args) any { return s.URL() }),
		promise("title", func(_ *mapping, s self, _ *args) op { return gives(s.Title) }),
		promise("content", func(_ *mapping, s self, _ *args) op { return gives(s.Content) }),
		promise("setContent", func(_ *mapping, s self, a *args) op {
			html, o := a.str(0, "html"), a.options(1).navigate()
			return done(func(ctx context.Context) error { return s.SetContent(ctx, html, o) })
		}),
		promise("goto", func(_ *mapping, s self, a *args) op {
			url, o := a.str(0, "url"), a.options(1).goTo()
			return gives(func(ctx context.Context) (*browser.Response, error) { return s.Goto(ctx, url, o) })
		}),
		promise("evaluate", func(_ *mapping, s self, a *args) op {
			return a.evaluateArgs(1, pageOf(s)).value(s.Evaluate)
		}),
		promise("evaluateHandle", func(_ *mapping, s self, a *args) op {
			return a.evaluateArgs(1, pageOf(s)).handle(s.EvaluateHandle)
		}),
		promise("waitForFunction", func(_ *mapping, s self, a *args) op {
			script, arg, o := a.scriptOf(0), a.argument(1), a.options(2).waitForFunction()
			return gives(func(ctx context.Context) (browser.Handle, error) { return s.WaitForFunction(ctx, script, arg, o) })
		}),
		promise("waitForTimeout", func(_ *mapping, s self, a *args) op {
			d := duration(a.number(0, "timeout"))
			return done(func(ctx context.Context) error { return s.WaitForTimeout(ctx, d) })
		}),
		promise("addScriptTag", func(_ *mapping, s self, a *args) op {
			o := a.tag()
			return gives(func(ctx context.Context) (*browser.ElementHandle, error) { return s.AddScriptTag(ctx, o) })
		}),
		promise("addStyleTag", func(_ *mapping, s self, a *args) op {
			o := a.tag()
			return gives(func(ctx context.Context) (*browser.ElementHandle, error) { return s.AddStyleTag(ctx, o) })
		}),
		promise("waitForURL", func(_ *mapping, s self, a *args) op {
			return awaitDone(s.ExpectURL(a.urlMatch(a.value(0)), a.options(1).waitForURL()))
		}),
		promise("waitForNavigation", func(_ *mapping, s self, a *args) op {
			o := a.options(0)
			wait := await(s.ExpectNavigation(a.urlMatch(o.get("url")), o.waitForURL()))
			return func(ctx context.Context) (any, error) {
				v, err := wait(ctx)
				if v == nil {
					return goja.Null(), err
				}
				return v, err
			}
		}),
		promise("waitForLoadState", func(_ *mapping, s self, a *args) op {
			return awaitDone(s.ExpectLoadState(a.lifecycle(a.value(0), "state"), a.options(1).timeouts()))
		}),
	)
}

// evaluateArgs reads an evaluate's script, argument and options: the argument is the i-th, the options follow.
func (a *args) evaluateArgs(i int, page *browser.Page) evaluation {
	a.atMost(i + 2)
	e := evaluation{script: a.scriptOf(i - 1)}
	w := &writer{m: a.m, a: a, seen: map[*goja.Object]browser.Value{}}
	if v := a.value(i + 1); !absent(v) {
		o, ok := v.(*goja.Object)
		if !ok || a.m.isArray(o) {
			a.failPlain("Too many arguments. If you need to pass more than 1 argument to the function wrap them in an object.")
		}
		e.options = a.options(i + 1)
		if e.options.boolean("exposeFunctions") {
			if page == nil {
				a.failPlain("Passing a function is not supported as an argument here")
			}
			w.expose = func(f goja.Callable) browser.FunctionName {
				name := a.m.exposedName()
				callback := a.m.binding(f, false)
				e.prepare = append(e.prepare, func(ctx context.Context) error {
					_, err := page.ExposeBinding(ctx, name, callback)
					return err
				})
				return browser.FunctionName(name)
			}
		}
	}
	e.arg = w.value(a.value(i), "", 0)
	return e
}

// evaluation is one evaluate, read.
type evaluation struct {
	script  browser.Script
	arg     browser.Value
	options options
	prepare []func(ctx context.Context) error
}

// value is the operation of an evaluate that answers the value.
func (e evaluation) value(f func(ctx context.Context, s browser.Script, arg browser.Value) (browser.Value, error)) op {
	return e.op(func(ctx context.Context) (any, error) {
		v, err := f(ctx, e.script, e.arg)
		return answer{v}, err
	})
}

// handle is the operation of an evaluate that answers a handle.
func (e evaluation) handle(f func(ctx context.Context, s browser.Script, arg browser.Value) (browser.Handle, error)) op {
	return e.op(func(ctx context.Context) (any, error) {
		v, err := f(ctx, e.script, e.arg)
		return any(v), err
	})
}

func (e evaluation) op(run op) op {
	return func(ctx context.Context) (any, error) {
		for _, prepare := range e.prepare {
			if err := prepare(ctx); err != nil {
				return nil, err
			}
		}
		return run(ctx)
	}
}

// pageOf is the page of a page or frame.
func pageOf(s any) *browser.Page {
	switch x := s.(type) {
	case *browser.Page:
		return x
	case *browser.Frame:
		return x.Page()
	case *browser.Locator:
		return x.Page()
	}
	return nil
}

// tag reads the options of addScriptTag and addStyleTag.
func (a *args) tag() browser.TagOptions {
	missing := "Provide an object with a `url`, `path` or `content` property"
	if _, ok := a.value(0).(*goja.Object); !ok {
		a.failPlain("%s", missing)
	}
	o := a.options(0)
	if o.has("path") {
		o.noPath()
	}
	if !o.has("url") && !o.has("content") {
		a.failPlain("%s", missing)
	}
	return browser.TagOptions{URL: o.str("url"), Content: o.str("content"), Type: o.str("type")}
}

func locatingMembers() []member {
	by := func(name string, f func(l locating, t browser.Text) *browser.Locator) member {
		return direct(name, func(_ *mapping, l locating, a *args) any {
			return f(l, a.textOf(a.value(0), "text", a.options(1).boolean("exact")))
		})
	}
	return []member{
		by("getByAltText", locating.GetByAltText), by("getByLabel", locating.GetByLabel), by("getByPlaceholder", locating.GetByPlaceholder),
		by("getByText", locating.GetByText), by("getByTitle", locating.GetByTitle), by("getByTestId", locating.GetByTestId),
		direct("getByRole", func(_ *mapping, l locating, a *args) any { return l.GetByRole(a.str(0, "role"), a.options(1).role()) }),
		direct("frameLocator", func(_ *mapping, l locating, a *args) any { return l.FrameLocator(a.str(0, "selector")) }),
	}
}

// made throws an error of making a locator.
func made(a *args, l *browser.Locator, err error) any {
	if err != nil {
		a.m.rt.Throw(a.m.vm, a.m.thrown(err))
	}
	return l
}
