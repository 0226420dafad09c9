package browser

import (
	"context"

	"github.com/chromedp/cdproto/dom"
)

// Handle is a reference to a value in a page: *JSHandle, or *ElementHandle when the value is a node. It keeps the value alive
// until Dispose or until its document is gone.
type Handle interface {
	// AsElement answers the handle as an element handle, nil when the value is no node.
	AsElement() *ElementHandle
	// Evaluate runs a function with the value as first argument.
	Evaluate(ctx context.Context, s Script, arg Value) (Value, error)
	// EvaluateHandle runs a function with the value as first argument and answers a handle.
	EvaluateHandle(ctx context.Context, s Script, arg Value) (Handle, error)
	// GetProperty answers a handle on a property.
	GetProperty(ctx context.Context, name string) (Handle, error)
	// GetProperties answers handles on the own enumerable properties, in order.
	GetProperties(ctx context.Context) ([]HandleProperty, error)
	// JSONValue answers the value itself.
	JSONValue(ctx context.Context) (Value, error)
	// Dispose lets the value go. Calls on the handle fail afterwards.
	Dispose(ctx context.Context) error
	// String is Playwright's preview ("JSHandle@object", "JSHandle@<div></div>", "5").
	String() string

	js() *JSHandle
}

// HandleProperty is one property of an object in a page.
type HandleProperty struct {
	Name  string
	Value Handle
}

// AsElement answers nil: a node's handle is an *ElementHandle.
func (h *JSHandle) AsElement() *ElementHandle { return nil }

// AsElement answers h.
func (h *ElementHandle) AsElement() *ElementHandle { return h }

// Evaluate runs a function with the value as first argument.
func (h *JSHandle) Evaluate(ctx context.Context, s Script, arg Value) (Value, error) {
	return h.evaluate(ctx, h.api("evaluate"), s, arg)
}

// EvaluateHandle runs a function with the value as first argument and answers a handle.
func (h *JSHandle) EvaluateHandle(ctx context.Context, s Script, arg Value) (Handle, error) {
	return h.evaluateHandle(ctx, h.api("evaluateHandle"), s, arg)
}

// GetProperty answers a handle on a property.
func (h *JSHandle) GetProperty(ctx context.Context, name string) (Handle, error) {
	return h.getProperty(ctx, h.api("getProperty"), name)
}

// GetProperties answers handles on the own enumerable properties, in order.
func (h *JSHandle) GetProperties(ctx context.Context) ([]HandleProperty, error) {
	return h.getProperties(ctx, h.api("getProperties"))
}

// JSONValue answers the value itself.
func (h *JSHandle) JSONValue(ctx context.Context) (Value, error) {
	return h.jsonValue(ctx, h.api("jsonValue"))
}

// Dispose lets the value go; it does not wait for the page.
func (h *JSHandle) Dispose(context.Context) error {
	h.release()
	return nil
}

// Node answers how the host knows the node: its session and its backend node id.
func (h *ElementHandle) Node(ctx context.Context) (sessionID string, backendNodeID int64, err error) {
	var node dom.DescribeNodeResult
	if err := h.ctx.session.call(ctx, "DOM.describeNode", obj{"objectId": h.objectID}, &node); err != nil {
		return "", 0, h.ctx.translate(ctx, err)
	}
	return h.ctx.session.id, int64(node.Node.BackendNodeID), nil
}

// OwnerFrame answers the frame of the node's document, nil when it has none.
func (h *ElementHandle) OwnerFrame(ctx context.Context) (*Frame, error) {
	return h.ownerFrame(ctx, "elementHandle.ownerFrame")
}

// ContentFrame answers the frame an <iframe> holds, nil for other elements.
func (h *ElementHandle) ContentFrame(ctx context.Context) (*Frame, error) {
	return h.contentFrame(ctx, "elementHandle.contentFrame")
}

// BoundingBox answers the element's box in the main frame's viewport, nil when it is not rendered.
func (h *ElementHandle) BoundingBox(ctx context.Context) (box *Rect, err error) {
	err = h.run(ctx, "elementHandle.boundingBox", ptr(noTimeout), func(op *op) error {
		box, err = h.doBoundingBox(op)
		return err
	})
	return box, err
}

// ScrollIntoViewIfNeeded scrolls the element into view when it is not.
func (h *ElementHandle) ScrollIntoViewIfNeeded(ctx context.Context, o TimeoutOptions) error {
	return h.run(ctx, "elementHandle.scrollIntoViewIfNeeded", o.Timeout, h.doScrollIntoView)
}

// SelectText selects the element's text.
func (h *ElementHandle) SelectText(ctx context.Context, o FillOptions) error {
	return h.run(ctx, "elementHandle.selectText", o.Timeout, func(op *op) error { return h.doSelectText(op, o) })
}

// Screenshot takes a picture of the element.
func (h *ElementHandle) Screenshot(ctx context.Context, o ScreenshotOptions) (image []byte, err error) {
	err = h.run(ctx, "elementHandle.screenshot", o.Timeout, func(op *op) error {
		image, err = h.doScreenshot(op, o)
		return err
	})
	return image, err
}

// WaitForElementState waits for "visible", "hidden", "stable", "enabled", "disabled" or "editable".
func (h *ElementHandle) WaitForElementState(ctx context.Context, state string, o TimeoutOptions) error {
	return h.waitForElementState(ctx, "elementHandle.waitForElementState", state, o)
}

// QuerySelector is $: the first match inside, or nil.
func (h *ElementHandle) QuerySelector(ctx context.Context, selector string) (*ElementHandle, error) {
	return h.frame.querySelector(ctx, "elementHandle.$", selector, AsContext, h)
}

// QuerySelectorAll is $$: every match inside.
func (h *ElementHandle) QuerySelectorAll(ctx context.Context, selector string) ([]*ElementHandle, error) {
	return h.frame.querySelectorAll(ctx, "elementHandle.$$", selector, h)
}

// EvalOnSelector is $eval.
func (h *ElementHandle) EvalOnSelector(ctx context.Context, selector string, s Script, arg Value) (Value, error) {
	return h.frame.evalOnSelector(ctx, "elementHandle.$eval", selector, s, arg, h)
}

// EvalOnSelectorAll is $$eval.
func (h *ElementHandle) EvalOnSelectorAll(ctx context.Context, selector string, s Script, arg Value) (Value, error) {
	return h.frame.evalOnSelectorAll(ctx, "elementHandle.$$eval", selector, s, arg, h)
}

// WaitForSelector waits for a state of an element inside.
func (h *ElementHandle) WaitForSelector(ctx context.Context, selector string, o WaitForOptions) (*ElementHandle, error) {
	return h.frame.waitForSelector(ctx, "elementHandle.waitForSelector", selector, o, h, false)
}
