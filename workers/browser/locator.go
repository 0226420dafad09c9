package browser

import (
	"context"
	"time"
)

// Locator finds elements anew for each call. It holds a frame and a selector and costs nothing to make.
type Locator struct {
	frame    *Frame
	selector string
}

// Page answers the page the locator belongs to.
func (l *Locator) Page() *Page { return l.frame.page }

// Selector answers the selector in Playwright's own syntax.
func (l *Locator) Selector() string { return l.selector }

// String answers the code that makes the locator, as error messages show it.
func (l *Locator) String() string { return describeLocator(l.selector) }

// Locator narrows by a selector inside.
func (l *Locator) Locator(selector string, o LocatorOptions) (*Locator, error) {
	return newLocator(l.frame, l.selector+" >> "+selector, o)
}

// LocatorInside narrows by a locator inside.
func (l *Locator) LocatorInside(inner *Locator, o LocatorOptions) (*Locator, error) {
	if inner.frame != l.frame {
		return nil, &Error{Name: nameError, Message: "Locators must belong to the same frame."}
	}
	return newLocator(l.frame, l.selector+" >> internal:chain="+quoteJSON(inner.selector), o)
}

// Filter narrows by what elements have, contain or look like.
func (l *Locator) Filter(o LocatorOptions) (*Locator, error) {
	return newLocator(l.frame, l.selector, o)
}

// And is the elements that match both.
func (l *Locator) And(other *Locator) (*Locator, error) {
	if other.frame != l.frame {
		return nil, &Error{Name: nameError, Message: "Locators must belong to the same frame."}
	}
	return locatorOf(l.frame, l.selector+" >> internal:and="+quoteJSON(other.selector)), nil
}

// Or is the elements that match either.
func (l *Locator) Or(other *Locator) (*Locator, error) {
	if other.frame != l.frame {
		return nil, &Error{Name: nameError, Message: "Locators must belong to the same frame."}
	}
	return locatorOf(l.frame, l.selector+" >> internal:or="+quoteJSON(other.selector)), nil
}

// First is the first match.
func (l *Locator) First() *Locator { return l.Nth(0) }

// Last is the last match.
func (l *Locator) Last() *Locator { return l.Nth(-1) }

// Nth is the match at a zero-based index; -1 is the last.
func (l *Locator) Nth(index int) *Locator {
	return locatorOf(l.frame, l.selector+" >> nth="+itoa(index))
}

// FrameLocator enters the frame element of a selector inside.
func (l *Locator) FrameLocator(selector string) *FrameLocator {
	return &FrameLocator{frame: l.frame, selector: l.selector + " >> " + selector}
}

// ContentFrame enters the frame element this locator finds.
func (l *Locator) ContentFrame() *FrameLocator {
	return &FrameLocator{frame: l.frame, selector: l.selector}
}

// Describe gives the locator a name for error messages.
func (l *Locator) Describe(description string) *Locator {
	return locatorOf(l.frame, l.selector+" >> internal:describe="+quoteJSON(description))
}

// Description answers the name Describe gave, and whether there is one.
func (l *Locator) Description() (string, bool) { return customDescription(l.selector) }

// GetByAltText locates inside by alternative text.
func (l *Locator) GetByAltText(t Text) *Locator { return l.inside(selectorByAltText(t)) }

// GetByLabel locates inside by label.
func (l *Locator) GetByLabel(t Text) *Locator { return l.inside(selectorByLabel(t)) }

// GetByPlaceholder locates inside by placeholder.
func (l *Locator) GetByPlaceholder(t Text) *Locator { return l.inside(selectorByPlaceholder(t)) }

// GetByText locates inside by text.
func (l *Locator) GetByText(t Text) *Locator { return l.inside(selectorByText(t)) }

// GetByTitle locates inside by title.
func (l *Locator) GetByTitle(t Text) *Locator { return l.inside(selectorByTitle(t)) }

// GetByTestId locates inside by the data-testid attribute.
func (l *Locator) GetByTestId(id Text) *Locator { return l.inside(selectorByTestID(id)) }

// GetByRole locates inside by ARIA role.
func (l *Locator) GetByRole(role string, o RoleOptions) *Locator {
	return l.inside(selectorByRole(role, o))
}

func (l *Locator) inside(selector string) *Locator {
	return locatorOf(l.frame, l.selector+" >> "+selector)
}

// All answers a locator for each element that matches now.
func (l *Locator) All(ctx context.Context) ([]*Locator, error) {
	n, err := l.frame.count(ctx, "locator.all", l.selector)
	if err != nil {
		return nil, err
	}
	all := make([]*Locator, n)
	for i := range all {
		all[i] = l.Nth(i)
	}
	return all, nil
}

// Count answers how many elements match now.
func (l *Locator) Count(ctx context.Context) (int, error) {
	return l.frame.count(ctx, "locator.count", l.selector)
}

// AllInnerTexts answers innerText of every match.
func (l *Locator) AllInnerTexts(ctx context.Context) ([]string, error) {
	return l.frame.allTexts(ctx, "locator.allInnerTexts", l.selector, true)
}

// AllTextContents answers textContent of every match.
func (l *Locator) AllTextContents(ctx context.Context) ([]string, error) {
	return l.frame.allTexts(ctx, "locator.allTextContents", l.selector, false)
}

// PressSequentially types key by key.
func (l *Locator) PressSequentially(ctx context.Context, text string, o TypeOptions) error {
	o.Strict = Strictly
	return l.frame.typeText(ctx, "locator.pressSequentially", l.selector, text, o)
}

// Clear empties the element's text.
func (l *Locator) Clear(ctx context.Context, o FillOptions) error {
	o.Strict = Strictly
	return l.frame.fill(ctx, "locator.clear", l.selector, "", o)
}

// Blur takes the focus from the element.
func (l *Locator) Blur(ctx context.Context, o TimeoutOptions) error {
	o.Strict = Strictly
	return l.frame.blur(ctx, "locator.blur", l.selector, o)
}

// DragTo drags the element to another.
func (l *Locator) DragTo(ctx context.Context, target *Locator, o DragOptions) error {
	o.Strict = Strictly
	return l.frame.dragAndDrop(ctx, "locator.dragTo", l.selector, target.selector, o)
}

// Drop drops files or data on the element, as from outside the page.
func (l *Locator) Drop(ctx context.Context, payload DropPayload, o PointerOptions) error {
	o.Strict = Strictly
	return l.frame.drop(ctx, "locator.drop", l.selector, payload, o)
}

// SelectText selects the element's text.
func (l *Locator) SelectText(ctx context.Context, o FillOptions) error {
	return l.withElement(ctx, "locator.selectText", o.Timeout, func(op *op, h *ElementHandle) error {
		return h.doSelectText(op, o)
	})
}

// ScrollIntoViewIfNeeded scrolls the element into view when it is not.
func (l *Locator) ScrollIntoViewIfNeeded(ctx context.Context, o TimeoutOptions) error {
	return l.withElement(ctx, "locator.scrollIntoViewIfNeeded", o.Timeout, func(op *op, h *ElementHandle) error {
		return h.doScrollIntoView(op)
	})
}

// BoundingBox answers the element's box in the main frame's viewport, nil when it is not rendered.
func (l *Locator) BoundingBox(ctx context.Context, o TimeoutOptions) (box *Rect, err error) {
	err = l.withElement(ctx, "locator.boundingBox", o.Timeout, func(op *op, h *ElementHandle) error {
		box, err = h.doBoundingBox(op)
		return err
	})
	return box, err
}

// Screenshot takes a picture of the element.
func (l *Locator) Screenshot(ctx context.Context, o ScreenshotOptions) (image []byte, err error) {
	err = l.withElement(ctx, "locator.screenshot", o.Timeout, func(op *op, h *ElementHandle) error {
		image, err = h.doScreenshot(op, o)
		return err
	})
	return image, err
}

// Evaluate runs a function with the element as first argument.
func (l *Locator) Evaluate(ctx context.Context, s Script, arg Value, o TimeoutOptions) (value Value, err error) {
	return l.frame.evaluateOnElement(ctx, "locator.evaluate", l.selector, s, arg, o)
}

// EvaluateHandle runs a function with the element as first argument and answers a handle.
func (l *Locator) EvaluateHandle(ctx context.Context, s Script, arg Value, o TimeoutOptions) (value Handle, err error) {
	err = l.withElement(ctx, "locator.evaluateHandle", o.Timeout, func(op *op, h *ElementHandle) error {
		value, err = h.doEvaluateHandle(op, s, arg)
		return err
	})
	return value, err
}

// EvaluateAll runs a function with the array of matches as first argument, without waiting.
func (l *Locator) EvaluateAll(ctx context.Context, s Script, arg Value) (Value, error) {
	return l.frame.evalOnSelectorAll(ctx, "locator.evaluateAll", l.selector, s, arg, nil)
}

// WaitFor waits for a state of the element.
func (l *Locator) WaitFor(ctx context.Context, o WaitForOptions) error {
	o.Strict = Strictly
	_, err := l.frame.waitForSelector(ctx, "locator.waitFor", l.selector, o, nil, true)
	return err
}

// WaitForFunction waits until a function of the element answers something truthy.
func (l *Locator) WaitForFunction(ctx context.Context, s Script, arg Value, o TimeoutOptions) error {
	o.Strict = Strictly
	return l.frame.waitForFunctionOnElement(ctx, "locator.waitForFunction", l.selector, s, arg, o)
}

// ElementHandle answers a handle on the one element, waiting for it.
func (l *Locator) ElementHandle(ctx context.Context, o TimeoutOptions) (*ElementHandle, error) {
	return l.frame.waitForSelector(ctx, "locator.elementHandle", l.selector, WaitForOptions{State: "attached", Strict: Strictly, Timeout: o.Timeout}, nil, false)
}

// ElementHandles answers handles on every match, without waiting.
func (l *Locator) ElementHandles(ctx context.Context) ([]*ElementHandle, error) {
	return l.frame.querySelectorAll(ctx, "locator.elementHandles", l.selector, nil)
}

// AriaSnapshot answers the element's accessibility tree as Playwright's YAML.
func (l *Locator) AriaSnapshot(ctx context.Context, o AriaSnapshotOptions) (string, error) {
	return l.frame.ariaSnapshot(ctx, "locator.ariaSnapshot", l.selector, o)
}

// Normalize answers a locator as Playwright would suggest it for the element that matches now.
func (l *Locator) Normalize(ctx context.Context) (*Locator, error) {
	selector, err := l.frame.resolveSelector(ctx, "locator.normalize", l.selector)
	if err != nil {
		return nil, err
	}
	return locatorOf(l.frame, selector), nil
}

// withElement waits for the element, hands it to task and lets it go; one deadline covers both.
func (l *Locator) withElement(ctx context.Context, api string, timeout *time.Duration, task func(*op, *ElementHandle) error) error {
	return l.frame.page.run(ctx, api, l.frame.page.timeouts.of(timeout), func(op *op) error {
		h, err := l.frame.doWaitForSelector(op, l.selector, WaitForOptions{State: "attached", Strict: Strictly}, nil, false)
		if err != nil {
			return err
		}
		defer h.release()
		return task(op, h)
	})
}

// FrameLocator is a way into the frame of an element.
type FrameLocator struct {
	frame    *Frame
	selector string
}

func (l *FrameLocator) inside(selector string) string {
	return l.selector + " >> internal:control=enter-frame >> " + selector
}

// Locator locates inside the frame.
func (l *FrameLocator) Locator(selector string, o LocatorOptions) (*Locator, error) {
	return newLocator(l.frame, l.inside(selector), o)
}

// LocatorInside locates by another locator inside the frame.
func (l *FrameLocator) LocatorInside(inner *Locator, o LocatorOptions) (*Locator, error) {
	if inner.frame != l.frame {
		return nil, &Error{Name: nameError, Message: "Locators must belong to the same frame."}
	}
	return newLocator(l.frame, l.inside(inner.selector), o)
}

// Owner is the locator of the frame's element.
func (l *FrameLocator) Owner() *Locator { return locatorOf(l.frame, l.selector) }

// First is the first matching frame element.
func (l *FrameLocator) First() *FrameLocator { return l.Nth(0) }

// Last is the last matching frame element.
func (l *FrameLocator) Last() *FrameLocator { return l.Nth(-1) }

// Nth is the matching frame element at an index.
func (l *FrameLocator) Nth(index int) *FrameLocator {
	return &FrameLocator{frame: l.frame, selector: l.selector + " >> nth=" + itoa(index)}
}

// FrameLocator enters a frame inside the frame.
func (l *FrameLocator) FrameLocator(selector string) *FrameLocator {
	return &FrameLocator{frame: l.frame, selector: l.inside(selector)}
}

// GetByAltText locates in the frame by alternative text.
func (l *FrameLocator) GetByAltText(t Text) *Locator { return l.by(selectorByAltText(t)) }

// GetByLabel locates in the frame by label.
func (l *FrameLocator) GetByLabel(t Text) *Locator { return l.by(selectorByLabel(t)) }

// GetByPlaceholder locates in the frame by placeholder.
func (l *FrameLocator) GetByPlaceholder(t Text) *Locator { return l.by(selectorByPlaceholder(t)) }

// GetByText locates in the frame by text.
func (l *FrameLocator) GetByText(t Text) *Locator { return l.by(selectorByText(t)) }

// GetByTitle locates in the frame by title.
func (l *FrameLocator) GetByTitle(t Text) *Locator { return l.by(selectorByTitle(t)) }

// GetByTestId locates in the frame by the data-testid attribute.
func (l *FrameLocator) GetByTestId(id Text) *Locator { return l.by(selectorByTestID(id)) }

// GetByRole locates in the frame by ARIA role.
func (l *FrameLocator) GetByRole(role string, o RoleOptions) *Locator {
	return l.by(selectorByRole(role, o))
}

func (l *FrameLocator) by(selector string) *Locator { return locatorOf(l.frame, l.inside(selector)) }
