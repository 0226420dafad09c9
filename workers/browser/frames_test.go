package browser

import "testing"

func TestCrossSiteFrameIsUsedThroughItsLocator(t *testing.T) {
	b := open(t)
	b.visit("/frame-outer.html")
	b.is(len(b.page.Frames()), 2)
	inner := b.page.FrameLocator("#child")
	count, err := inner.Locator("#count", LocatorOptions{})
	b.ok(err)
	use := func(want string) {
		t.Helper()
		b.ok(inner.GetByRole("button", RoleOptions{Name: &Text{String: "Count"}}).Click(b.ctx, ClickOptions{}))
		b.ok(inner.GetByPlaceholder(Text{String: "Say"}).Fill(b.ctx, "hello", FillOptions{}))
		value, err := inner.GetByPlaceholder(Text{String: "Say"}).InputValue(b.ctx, TimeoutOptions{})
		b.ok(err)
		b.is(value, "hello")
		text, err := count.InnerText(b.ctx, TimeoutOptions{})
		b.ok(err)
		b.is(text, want)
	}
	use("1")
	use("2")
	again, err := inner.Locator("#again", LocatorOptions{})
	b.ok(err)
	b.ok(again.Click(b.ctx, ClickOptions{}))
	empty, err := inner.Locator(`#count:text-is("0")`, LocatorOptions{})
	b.ok(err)
	b.ok(empty.WaitFor(b.ctx, WaitForOptions{}))
	use("1")
	b.is(len(b.page.Frames()), 2)
	f := b.page.Frames()[1]
	b.is(f.URL(), b.far+"/frame-inner.html")
	b.ok(f.Click(b.ctx, "text=Count", ClickOptions{}))
	v, err := f.Evaluate(b.ctx, Expression("document.title + count.textContent"), Undefined{})
	b.ok(err)
	b.is(v, "Inner2")
	e, err := f.FrameElement(b.ctx)
	b.ok(err)
	id, err := e.GetAttribute(b.ctx, "id", TimeoutOptions{})
	b.ok(err)
	b.is(*id, "child")
	content, err := e.ContentFrame(b.ctx)
	b.ok(err)
	b.is(content == f, true)
	// Back into the process of the page, and away again.
	_, err = f.Goto(b.ctx, b.near+"/frame-inner.html", GotoOptions{})
	b.ok(err)
	use("1")
	_, err = f.Goto(b.ctx, b.far+"/frame-inner.html", GotoOptions{})
	b.ok(err)
	use("1")
	b.is(b.page.Frames()[1] == f, true)
	gone := b.page.ExpectEvent(EventFrameDetached, ExpectOptions{})
	b.eval("child.remove()")
	_, err = gone.Wait(b.ctx)
	b.ok(err)
	b.is(f.IsDetached(), true)
	b.is(len(b.page.Frames()), 1)
}

func TestShadowRootsArePierced(t *testing.T) {
	b := open(t)
	b.visit("/shadow-buttons.html")
	pay := func(o RoleOptions) *Locator { return b.page.GetByRole("button", o) }
	name := &Text{String: "Pay now"}
	count := func(l *Locator, want int) {
		t.Helper()
		n, err := l.Count(b.ctx)
		b.ok(err)
		b.is(n, want)
	}
	count(pay(RoleOptions{Name: name}), 1)
	b.eval(`document.body.insertAdjacentHTML('beforeend', '<x-btn>Pay now later</x-btn>')`)
	err := pay(RoleOptions{Name: name}).Click(b.ctx, ClickOptions{Timeout: ms(2000)})
	if err == nil || IsTimeout(err) {
		t.Fatal(err)
	}
	t.Log(err)
	count(pay(RoleOptions{Name: name, Exact: true}), 1)
	count(b.page.GetByRole("textbox", RoleOptions{Name: &Text{String: "Street"}}), 1)
	count(b.page.GetByRole("combobox", RoleOptions{Name: &Text{String: "Kind"}}), 1)
}
