package browser

import "context"

// The selector methods of a page are those of its main frame.

// Click clicks the element.
func (p *Page) Click(ctx context.Context, selector string, o ClickOptions) error {
	return p.mainFrame.click(ctx, "page.click", selector, o)
}

// Dblclick double-clicks the element.
func (p *Page) Dblclick(ctx context.Context, selector string, o ClickOptions) error {
	return p.mainFrame.dblclick(ctx, "page.dblclick", selector, o)
}

// Tap taps the element; the context must have touch.
func (p *Page) Tap(ctx context.Context, selector string, o PointerOptions) error {
	return p.mainFrame.tap(ctx, "page.tap", selector, o)
}

// Hover moves the mouse over the element.
func (p *Page) Hover(ctx context.Context, selector string, o PointerOptions) error {
	return p.mainFrame.hover(ctx, "page.hover", selector, o)
}

// Fill replaces the element's text.
func (p *Page) Fill(ctx context.Context, selector string, value string, o FillOptions) error {
	return p.mainFrame.fill(ctx, "page.fill", selector, value, o)
}

// Type focuses the element and types key by key.
func (p *Page) Type(ctx context.Context, selector string, text string, o TypeOptions) error {
	return p.mainFrame.typeText(ctx, "page.type", selector, text, o)
}

// Press focuses the element and presses a key or shortcut.
func (p *Page) Press(ctx context.Context, selector string, key string, o TypeOptions) error {
	return p.mainFrame.press(ctx, "page.press", selector, key, o)
}

// Check checks a checkbox or radio button.
func (p *Page) Check(ctx context.Context, selector string, o PointerOptions) error {
	return p.mainFrame.check(ctx, "page.check", selector, o)
}

// Uncheck unchecks a checkbox.
func (p *Page) Uncheck(ctx context.Context, selector string, o PointerOptions) error {
	return p.mainFrame.uncheck(ctx, "page.uncheck", selector, o)
}

// SetChecked checks or unchecks.
func (p *Page) SetChecked(ctx context.Context, selector string, checked bool, o PointerOptions) error {
	return p.mainFrame.setChecked(ctx, "page.setChecked", selector, checked, o)
}

// SelectOption selects options of a <select> and answers the values selected.
func (p *Page) SelectOption(ctx context.Context, selector string, options []SelectOption, o FillOptions) ([]string, error) {
	return p.mainFrame.selectOption(ctx, "page.selectOption", selector, options, o)
}

// SetInputFiles gives files to a file input.
func (p *Page) SetInputFiles(ctx context.Context, selector string, files []FilePayload, o FillOptions) error {
	return p.mainFrame.setInputFiles(ctx, "page.setInputFiles", selector, files, o)
}

// Focus focuses the element.
func (p *Page) Focus(ctx context.Context, selector string, o TimeoutOptions) error {
	return p.mainFrame.focus(ctx, "page.focus", selector, o)
}

// DispatchEvent dispatches a DOM event made in the page.
func (p *Page) DispatchEvent(ctx context.Context, selector string, event string, init Value, o TimeoutOptions) error {
	return p.mainFrame.dispatchEvent(ctx, "page.dispatchEvent", selector, event, init, o)
}

// TextContent answers node.textContent; nil is null.
func (p *Page) TextContent(ctx context.Context, selector string, o TimeoutOptions) (*string, error) {
	return p.mainFrame.textContent(ctx, "page.textContent", selector, o)
}

// InnerText answers element.innerText.
func (p *Page) InnerText(ctx context.Context, selector string, o TimeoutOptions) (string, error) {
	return p.mainFrame.innerText(ctx, "page.innerText", selector, o)
}

// InnerHTML answers element.innerHTML.
func (p *Page) InnerHTML(ctx context.Context, selector string, o TimeoutOptions) (string, error) {
	return p.mainFrame.innerHTML(ctx, "page.innerHTML", selector, o)
}

// InputValue answers the value of an input, textarea or select.
func (p *Page) InputValue(ctx context.Context, selector string, o TimeoutOptions) (string, error) {
	return p.mainFrame.inputValue(ctx, "page.inputValue", selector, o)
}

// GetAttribute answers an attribute; nil is null.
func (p *Page) GetAttribute(ctx context.Context, selector string, name string, o TimeoutOptions) (*string, error) {
	return p.mainFrame.getAttribute(ctx, "page.getAttribute", selector, name, o)
}

// IsChecked reports whether the element is checked.
func (p *Page) IsChecked(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return p.mainFrame.isChecked(ctx, "page.isChecked", selector, o)
}

// IsDisabled reports whether the element is disabled.
func (p *Page) IsDisabled(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return p.mainFrame.isDisabled(ctx, "page.isDisabled", selector, o)
}

// IsEditable reports whether the element is editable.
func (p *Page) IsEditable(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return p.mainFrame.isEditable(ctx, "page.isEditable", selector, o)
}

// IsEnabled reports whether the element is enabled.
func (p *Page) IsEnabled(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return p.mainFrame.isEnabled(ctx, "page.isEnabled", selector, o)
}

// IsHidden reports whether the element is hidden or absent; it does not wait.
func (p *Page) IsHidden(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return p.mainFrame.isHidden(ctx, "page.isHidden", selector, o)
}

// IsVisible reports whether the element is visible; it does not wait.
func (p *Page) IsVisible(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return p.mainFrame.isVisible(ctx, "page.isVisible", selector, o)
}

// QuerySelector is Playwright's $: the first match or nil, without waiting.
func (p *Page) QuerySelector(ctx context.Context, selector string, strict Strictness) (*ElementHandle, error) {
	return p.mainFrame.querySelector(ctx, "page.$", selector, strict, nil)
}

// QuerySelectorAll is Playwright's $$: every match, without waiting.
func (p *Page) QuerySelectorAll(ctx context.Context, selector string) ([]*ElementHandle, error) {
	return p.mainFrame.querySelectorAll(ctx, "page.$$", selector, nil)
}

// EvalOnSelector is Playwright's $eval.
func (p *Page) EvalOnSelector(ctx context.Context, selector string, s Script, arg Value) (Value, error) {
	return p.mainFrame.evalOnSelector(ctx, "page.$eval", selector, s, arg, nil)
}

// EvalOnSelectorAll is Playwright's $$eval.
func (p *Page) EvalOnSelectorAll(ctx context.Context, selector string, s Script, arg Value) (Value, error) {
	return p.mainFrame.evalOnSelectorAll(ctx, "page.$$eval", selector, s, arg, nil)
}

// WaitForSelector waits for a state of the element; nil when the state is that there is none.
func (p *Page) WaitForSelector(ctx context.Context, selector string, o WaitForOptions) (*ElementHandle, error) {
	return p.mainFrame.waitForSelector(ctx, "page.waitForSelector", selector, o, nil, false)
}

// Locator makes a locator from a selector.
func (p *Page) Locator(selector string, o LocatorOptions) (*Locator, error) {
	return newLocator(p.mainFrame, selector, o)
}

// FrameLocator enters the frame element of a selector.
func (p *Page) FrameLocator(selector string) *FrameLocator {
	return &FrameLocator{frame: p.mainFrame, selector: selector}
}

// GetByAltText locates by altText.
func (p *Page) GetByAltText(t Text) *Locator { return locatorOf(p.mainFrame, selectorByAltText(t)) }

// GetByLabel locates by label.
func (p *Page) GetByLabel(t Text) *Locator { return locatorOf(p.mainFrame, selectorByLabel(t)) }

// GetByPlaceholder locates by placeholder.
func (p *Page) GetByPlaceholder(t Text) *Locator {
	return locatorOf(p.mainFrame, selectorByPlaceholder(t))
}

// GetByText locates by text.
func (p *Page) GetByText(t Text) *Locator { return locatorOf(p.mainFrame, selectorByText(t)) }

// GetByTitle locates by title.
func (p *Page) GetByTitle(t Text) *Locator { return locatorOf(p.mainFrame, selectorByTitle(t)) }

// GetByTestId locates by the data-testid attribute, exactly.
func (p *Page) GetByTestId(id Text) *Locator { return locatorOf(p.mainFrame, selectorByTestID(id)) }

// GetByRole locates by ARIA role and, with o.Name, accessible name.
func (p *Page) GetByRole(role string, o RoleOptions) *Locator {
	return locatorOf(p.mainFrame, selectorByRole(role, o))
}
