package browser

import "context"

// Click clicks the element.
func (f *Frame) Click(ctx context.Context, selector string, o ClickOptions) error {
	return f.click(ctx, "frame.click", selector, o)
}

// Dblclick double-clicks the element.
func (f *Frame) Dblclick(ctx context.Context, selector string, o ClickOptions) error {
	return f.dblclick(ctx, "frame.dblclick", selector, o)
}

// Tap taps the element; the context must have touch.
func (f *Frame) Tap(ctx context.Context, selector string, o PointerOptions) error {
	return f.tap(ctx, "frame.tap", selector, o)
}

// Hover moves the mouse over the element.
func (f *Frame) Hover(ctx context.Context, selector string, o PointerOptions) error {
	return f.hover(ctx, "frame.hover", selector, o)
}

// Fill replaces the element's text.
func (f *Frame) Fill(ctx context.Context, selector string, value string, o FillOptions) error {
	return f.fill(ctx, "frame.fill", selector, value, o)
}

// Type focuses the element and types key by key.
func (f *Frame) Type(ctx context.Context, selector string, text string, o TypeOptions) error {
	return f.typeText(ctx, "frame.type", selector, text, o)
}

// Press focuses the element and presses a key or shortcut.
func (f *Frame) Press(ctx context.Context, selector string, key string, o TypeOptions) error {
	return f.press(ctx, "frame.press", selector, key, o)
}

// Check checks a checkbox or radio button.
func (f *Frame) Check(ctx context.Context, selector string, o PointerOptions) error {
	return f.check(ctx, "frame.check", selector, o)
}

// Uncheck unchecks a checkbox.
func (f *Frame) Uncheck(ctx context.Context, selector string, o PointerOptions) error {
	return f.uncheck(ctx, "frame.uncheck", selector, o)
}

// SetChecked checks or unchecks.
func (f *Frame) SetChecked(ctx context.Context, selector string, checked bool, o PointerOptions) error {
	return f.setChecked(ctx, "frame.setChecked", selector, checked, o)
}

// SelectOption selects options of a <select> and answers the values selected.
func (f *Frame) SelectOption(ctx context.Context, selector string, options []SelectOption, o FillOptions) ([]string, error) {
	return f.selectOption(ctx, "frame.selectOption", selector, options, o)
}

// SetInputFiles gives files to a file input.
func (f *Frame) SetInputFiles(ctx context.Context, selector string, files []FilePayload, o FillOptions) error {
	return f.setInputFiles(ctx, "frame.setInputFiles", selector, files, o)
}

// Focus focuses the element.
func (f *Frame) Focus(ctx context.Context, selector string, o TimeoutOptions) error {
	return f.focus(ctx, "frame.focus", selector, o)
}

// DispatchEvent dispatches a DOM event made in the page.
func (f *Frame) DispatchEvent(ctx context.Context, selector string, event string, init Value, o TimeoutOptions) error {
	return f.dispatchEvent(ctx, "frame.dispatchEvent", selector, event, init, o)
}

// TextContent answers node.textContent; nil is null.
func (f *Frame) TextContent(ctx context.Context, selector string, o TimeoutOptions) (*string, error) {
	return f.textContent(ctx, "frame.textContent", selector, o)
}

// InnerText answers element.innerText.
func (f *Frame) InnerText(ctx context.Context, selector string, o TimeoutOptions) (string, error) {
	return f.innerText(ctx, "frame.innerText", selector, o)
}

// InnerHTML answers element.innerHTML.
func (f *Frame) InnerHTML(ctx context.Context, selector string, o TimeoutOptions) (string, error) {
	return f.innerHTML(ctx, "frame.innerHTML", selector, o)
}

// InputValue answers the value of an input, textarea or select.
func (f *Frame) InputValue(ctx context.Context, selector string, o TimeoutOptions) (string, error) {
	return f.inputValue(ctx, "frame.inputValue", selector, o)
}

// GetAttribute answers an attribute; nil is null.
func (f *Frame) GetAttribute(ctx context.Context, selector string, name string, o TimeoutOptions) (*string, error) {
	return f.getAttribute(ctx, "frame.getAttribute", selector, name, o)
}

// IsChecked reports whether the element is checked.
func (f *Frame) IsChecked(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return f.isChecked(ctx, "frame.isChecked", selector, o)
}

// IsDisabled reports whether the element is disabled.
func (f *Frame) IsDisabled(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return f.isDisabled(ctx, "frame.isDisabled", selector, o)
}

// IsEditable reports whether the element is editable.
func (f *Frame) IsEditable(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return f.isEditable(ctx, "frame.isEditable", selector, o)
}

// IsEnabled reports whether the element is enabled.
func (f *Frame) IsEnabled(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return f.isEnabled(ctx, "frame.isEnabled", selector, o)
}

// IsHidden reports whether the element is hidden or absent; it does not wait.
func (f *Frame) IsHidden(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return f.isHidden(ctx, "frame.isHidden", selector, o)
}

// IsVisible reports whether the element is visible; it does not wait.
func (f *Frame) IsVisible(ctx context.Context, selector string, o TimeoutOptions) (bool, error) {
	return f.isVisible(ctx, "frame.isVisible", selector, o)
}

// QuerySelector is Playwright's $: the first match or nil, without waiting.
func (f *Frame) QuerySelector(ctx context.Context, selector string, strict Strictness) (*ElementHandle, error) {
	return f.querySelector(ctx, "frame.$", selector, strict, nil)
}

// QuerySelectorAll is Playwright's $$: every match, without waiting.
func (f *Frame) QuerySelectorAll(ctx context.Context, selector string) ([]*ElementHandle, error) {
	return f.querySelectorAll(ctx, "frame.$$", selector, nil)
}

// EvalOnSelector is Playwright's $eval.
func (f *Frame) EvalOnSelector(ctx context.Context, selector string, s Script, arg Value) (Value, error) {
	return f.evalOnSelector(ctx, "frame.$eval", selector, s, arg, nil)
}

// EvalOnSelectorAll is Playwright's $$eval.
func (f *Frame) EvalOnSelectorAll(ctx context.Context, selector string, s Script, arg Value) (Value, error) {
	return f.evalOnSelectorAll(ctx, "frame.$$eval", selector, s, arg, nil)
}

// WaitForSelector waits for a state of the element; nil when the state is that there is none.
func (f *Frame) WaitForSelector(ctx context.Context, selector string, o WaitForOptions) (*ElementHandle, error) {
	return f.waitForSelector(ctx, "frame.waitForSelector", selector, o, nil, false)
}

// Locator makes a locator from a selector.
func (f *Frame) Locator(selector string, o LocatorOptions) (*Locator, error) {
	return newLocator(f, selector, o)
}

// FrameLocator enters the frame element of a selector.
func (f *Frame) FrameLocator(selector string) *FrameLocator {
	return &FrameLocator{frame: f, selector: selector}
}

// GetByAltText locates by altText.
func (f *Frame) GetByAltText(t Text) *Locator { return locatorOf(f, selectorByAltText(t)) }

// GetByLabel locates by label.
func (f *Frame) GetByLabel(t Text) *Locator { return locatorOf(f, selectorByLabel(t)) }

// GetByPlaceholder locates by placeholder.
func (f *Frame) GetByPlaceholder(t Text) *Locator { return locatorOf(f, selectorByPlaceholder(t)) }

// GetByText locates by text.
func (f *Frame) GetByText(t Text) *Locator { return locatorOf(f, selectorByText(t)) }

// GetByTitle locates by title.
func (f *Frame) GetByTitle(t Text) *Locator { return locatorOf(f, selectorByTitle(t)) }

// GetByTestId locates by the data-testid attribute, exactly.
func (f *Frame) GetByTestId(id Text) *Locator { return locatorOf(f, selectorByTestID(id)) }

// GetByRole locates by ARIA role and, with o.Name, accessible name.
func (f *Frame) GetByRole(role string, o RoleOptions) *Locator {
	return locatorOf(f, selectorByRole(role, o))
}
