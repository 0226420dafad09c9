package browser

import "context"

// Click clicks the element.
func (l *Locator) Click(ctx context.Context, o ClickOptions) error {
	o.Strict = Strictly
	return l.frame.click(ctx, "locator.click", l.selector, o)
}

// Dblclick double-clicks the element.
func (l *Locator) Dblclick(ctx context.Context, o ClickOptions) error {
	o.Strict = Strictly
	return l.frame.dblclick(ctx, "locator.dblclick", l.selector, o)
}

// Tap taps the element; the context must have touch.
func (l *Locator) Tap(ctx context.Context, o PointerOptions) error {
	o.Strict = Strictly
	return l.frame.tap(ctx, "locator.tap", l.selector, o)
}

// Hover moves the mouse over the element.
func (l *Locator) Hover(ctx context.Context, o PointerOptions) error {
	o.Strict = Strictly
	return l.frame.hover(ctx, "locator.hover", l.selector, o)
}

// Fill replaces the element's text.
func (l *Locator) Fill(ctx context.Context, value string, o FillOptions) error {
	o.Strict = Strictly
	return l.frame.fill(ctx, "locator.fill", l.selector, value, o)
}

// Type focuses the element and types key by key.
func (l *Locator) Type(ctx context.Context, text string, o TypeOptions) error {
	o.Strict = Strictly
	return l.frame.typeText(ctx, "locator.type", l.selector, text, o)
}

// Press focuses the element and presses a key or shortcut.
func (l *Locator) Press(ctx context.Context, key string, o TypeOptions) error {
	o.Strict = Strictly
	return l.frame.press(ctx, "locator.press", l.selector, key, o)
}

// Check checks a checkbox or radio button.
func (l *Locator) Check(ctx context.Context, o PointerOptions) error {
	o.Strict = Strictly
	return l.frame.check(ctx, "locator.check", l.selector, o)
}

// Uncheck unchecks a checkbox.
func (l *Locator) Uncheck(ctx context.Context, o PointerOptions) error {
	o.Strict = Strictly
	return l.frame.uncheck(ctx, "locator.uncheck", l.selector, o)
}

// SetChecked checks or unchecks.
func (l *Locator) SetChecked(ctx context.Context, checked bool, o PointerOptions) error {
	o.Strict = Strictly
	return l.frame.setChecked(ctx, "locator.setChecked", l.selector, checked, o)
}

// SelectOption selects options of a <select> and answers the values selected.
func (l *Locator) SelectOption(ctx context.Context, options []SelectOption, o FillOptions) ([]string, error) {
	o.Strict = Strictly
	return l.frame.selectOption(ctx, "locator.selectOption", l.selector, options, o)
}

// SetInputFiles gives files to a file input.
func (l *Locator) SetInputFiles(ctx context.Context, files []FilePayload, o FillOptions) error {
	o.Strict = Strictly
	return l.frame.setInputFiles(ctx, "locator.setInputFiles", l.selector, files, o)
}

// Focus focuses the element.
func (l *Locator) Focus(ctx context.Context, o TimeoutOptions) error {
	o.Strict = Strictly
	return l.frame.focus(ctx, "locator.focus", l.selector, o)
}

// DispatchEvent dispatches a DOM event made in the page.
func (l *Locator) DispatchEvent(ctx context.Context, event string, init Value, o TimeoutOptions) error {
	o.Strict = Strictly
	return l.frame.dispatchEvent(ctx, "locator.dispatchEvent", l.selector, event, init, o)
}

// TextContent answers node.textContent; nil is null.
func (l *Locator) TextContent(ctx context.Context, o TimeoutOptions) (*string, error) {
	o.Strict = Strictly
	return l.frame.textContent(ctx, "locator.textContent", l.selector, o)
}

// InnerText answers element.innerText.
func (l *Locator) InnerText(ctx context.Context, o TimeoutOptions) (string, error) {
	o.Strict = Strictly
	return l.frame.innerText(ctx, "locator.innerText", l.selector, o)
}

// InnerHTML answers element.innerHTML.
func (l *Locator) InnerHTML(ctx context.Context, o TimeoutOptions) (string, error) {
	o.Strict = Strictly
	return l.frame.innerHTML(ctx, "locator.innerHTML", l.selector, o)
}

// InputValue answers the value of an input, textarea or select.
func (l *Locator) InputValue(ctx context.Context, o TimeoutOptions) (string, error) {
	o.Strict = Strictly
	return l.frame.inputValue(ctx, "locator.inputValue", l.selector, o)
}

// GetAttribute answers an attribute; nil is null.
func (l *Locator) GetAttribute(ctx context.Context, name string, o TimeoutOptions) (*string, error) {
	o.Strict = Strictly
	return l.frame.getAttribute(ctx, "locator.getAttribute", l.selector, name, o)
}

// IsChecked reports whether the element is checked.
func (l *Locator) IsChecked(ctx context.Context, o TimeoutOptions) (bool, error) {
	o.Strict = Strictly
	return l.frame.isChecked(ctx, "locator.isChecked", l.selector, o)
}

// IsDisabled reports whether the element is disabled.
func (l *Locator) IsDisabled(ctx context.Context, o TimeoutOptions) (bool, error) {
	o.Strict = Strictly
	return l.frame.isDisabled(ctx, "locator.isDisabled", l.selector, o)
}

// IsEditable reports whether the element is editable.
func (l *Locator) IsEditable(ctx context.Context, o TimeoutOptions) (bool, error) {
	o.Strict = Strictly
	return l.frame.isEditable(ctx, "locator.isEditable", l.selector, o)
}

// IsEnabled reports whether the element is enabled.
func (l *Locator) IsEnabled(ctx context.Context, o TimeoutOptions) (bool, error) {
	o.Strict = Strictly
	return l.frame.isEnabled(ctx, "locator.isEnabled", l.selector, o)
}

// IsHidden reports whether the element is hidden or absent; it does not wait.
func (l *Locator) IsHidden(ctx context.Context, o TimeoutOptions) (bool, error) {
	o.Strict = Strictly
	return l.frame.isHidden(ctx, "locator.isHidden", l.selector, o)
}

// IsVisible reports whether the element is visible; it does not wait.
func (l *Locator) IsVisible(ctx context.Context, o TimeoutOptions) (bool, error) {
	o.Strict = Strictly
	return l.frame.isVisible(ctx, "locator.isVisible", l.selector, o)
}
