package browser

import "context"

// Click clicks the element.
func (h *ElementHandle) Click(ctx context.Context, o ClickOptions) error {
	return h.click(ctx, "elementHandle.click", o)
}

// Dblclick double-clicks the element.
func (h *ElementHandle) Dblclick(ctx context.Context, o ClickOptions) error {
	return h.dblclick(ctx, "elementHandle.dblclick", o)
}

// Tap taps the element; the context must have touch.
func (h *ElementHandle) Tap(ctx context.Context, o PointerOptions) error {
	return h.tap(ctx, "elementHandle.tap", o)
}

// Hover moves the mouse over the element.
func (h *ElementHandle) Hover(ctx context.Context, o PointerOptions) error {
	return h.hover(ctx, "elementHandle.hover", o)
}

// Fill replaces the element's text.
func (h *ElementHandle) Fill(ctx context.Context, value string, o FillOptions) error {
	return h.fill(ctx, "elementHandle.fill", value, o)
}

// Type focuses the element and types key by key.
func (h *ElementHandle) Type(ctx context.Context, text string, o TypeOptions) error {
	return h.typeText(ctx, "elementHandle.type", text, o)
}

// Press focuses the element and presses a key or shortcut.
func (h *ElementHandle) Press(ctx context.Context, key string, o TypeOptions) error {
	return h.press(ctx, "elementHandle.press", key, o)
}

// Check checks a checkbox or radio button.
func (h *ElementHandle) Check(ctx context.Context, o PointerOptions) error {
	return h.check(ctx, "elementHandle.check", o)
}

// Uncheck unchecks a checkbox.
func (h *ElementHandle) Uncheck(ctx context.Context, o PointerOptions) error {
	return h.uncheck(ctx, "elementHandle.uncheck", o)
}

// SetChecked checks or unchecks.
func (h *ElementHandle) SetChecked(ctx context.Context, checked bool, o PointerOptions) error {
	return h.setChecked(ctx, "elementHandle.setChecked", checked, o)
}

// SelectOption selects options of a <select> and answers the values selected.
func (h *ElementHandle) SelectOption(ctx context.Context, options []SelectOption, o FillOptions) ([]string, error) {
	return h.selectOption(ctx, "elementHandle.selectOption", options, o)
}

// SetInputFiles gives files to a file input.
func (h *ElementHandle) SetInputFiles(ctx context.Context, files []FilePayload, o FillOptions) error {
	return h.setInputFiles(ctx, "elementHandle.setInputFiles", files, o)
}

// Focus focuses the element.
func (h *ElementHandle) Focus(ctx context.Context, o TimeoutOptions) error {
	return h.focus(ctx, "elementHandle.focus", o)
}

// DispatchEvent dispatches a DOM event made in the page.
func (h *ElementHandle) DispatchEvent(ctx context.Context, event string, init Value, o TimeoutOptions) error {
	return h.dispatchEvent(ctx, "elementHandle.dispatchEvent", event, init, o)
}

// TextContent answers node.textContent; nil is null.
func (h *ElementHandle) TextContent(ctx context.Context, o TimeoutOptions) (*string, error) {
	return h.textContent(ctx, "elementHandle.textContent", o)
}

// InnerText answers element.innerText.
func (h *ElementHandle) InnerText(ctx context.Context, o TimeoutOptions) (string, error) {
	return h.innerText(ctx, "elementHandle.innerText", o)
}

// InnerHTML answers element.innerHTML.
func (h *ElementHandle) InnerHTML(ctx context.Context, o TimeoutOptions) (string, error) {
	return h.innerHTML(ctx, "elementHandle.innerHTML", o)
}

// InputValue answers the value of an input, textarea or select.
func (h *ElementHandle) InputValue(ctx context.Context, o TimeoutOptions) (string, error) {
	return h.inputValue(ctx, "elementHandle.inputValue", o)
}

// GetAttribute answers an attribute; nil is null.
func (h *ElementHandle) GetAttribute(ctx context.Context, name string, o TimeoutOptions) (*string, error) {
	return h.getAttribute(ctx, "elementHandle.getAttribute", name, o)
}

// IsChecked reports whether the element is checked.
func (h *ElementHandle) IsChecked(ctx context.Context, o TimeoutOptions) (bool, error) {
	return h.isChecked(ctx, "elementHandle.isChecked", o)
}

// IsDisabled reports whether the element is disabled.
func (h *ElementHandle) IsDisabled(ctx context.Context, o TimeoutOptions) (bool, error) {
	return h.isDisabled(ctx, "elementHandle.isDisabled", o)
}

// IsEditable reports whether the element is editable.
func (h *ElementHandle) IsEditable(ctx context.Context, o TimeoutOptions) (bool, error) {
	return h.isEditable(ctx, "elementHandle.isEditable", o)
}

// IsEnabled reports whether the element is enabled.
func (h *ElementHandle) IsEnabled(ctx context.Context, o TimeoutOptions) (bool, error) {
	return h.isEnabled(ctx, "elementHandle.isEnabled", o)
}

// IsHidden reports whether the element is hidden or absent; it does not wait.
func (h *ElementHandle) IsHidden(ctx context.Context, o TimeoutOptions) (bool, error) {
	return h.isHidden(ctx, "elementHandle.isHidden", o)
}

// IsVisible reports whether the element is visible; it does not wait.
func (h *ElementHandle) IsVisible(ctx context.Context, o TimeoutOptions) (bool, error) {
	return h.isVisible(ctx, "elementHandle.isVisible", o)
}
