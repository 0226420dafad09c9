package browser

import "context"

// Mouse is the mouse of one page.
type Mouse struct {
	page *Page
	// Position, last pressed button and pressed buttons; guarded by page.inputMu.
	x, y    float64
	last    string
	buttons map[string]bool
}

// Move moves to a point of the main frame's viewport, in steps.
func (m *Mouse) Move(ctx context.Context, x, y float64, steps int) error {
	return m.page.run(ctx, "mouse.move", 0, func(op *op) error { return m.doMove(op, x, y, steps, false) })
}

// Down presses a button.
func (m *Mouse) Down(ctx context.Context, o MouseOptions) error {
	return m.page.run(ctx, "mouse.down", 0, func(op *op) error { return m.doDown(op, o) })
}

// Up releases a button.
func (m *Mouse) Up(ctx context.Context, o MouseOptions) error {
	return m.page.run(ctx, "mouse.up", 0, func(op *op) error { return m.doUp(op, o) })
}

// Click moves, presses and releases.
func (m *Mouse) Click(ctx context.Context, x, y float64, o MouseOptions) error {
	return m.page.run(ctx, "mouse.click", 0, func(op *op) error { return m.doClick(op, x, y, o) })
}

// Dblclick clicks twice.
func (m *Mouse) Dblclick(ctx context.Context, x, y float64, o MouseOptions) error {
	o.ClickCount = 2
	return m.page.run(ctx, "mouse.dblclick", 0, func(op *op) error { return m.doClick(op, x, y, o) })
}

// Wheel turns the wheel where the mouse is.
func (m *Mouse) Wheel(ctx context.Context, deltaX, deltaY float64) error {
	return m.page.run(ctx, "mouse.wheel", 0, func(op *op) error { return m.doWheel(op, deltaX, deltaY) })
}

// Touchscreen is the touch screen of one page.
type Touchscreen struct{ page *Page }

// Tap taps a point; the context must have touch.
func (t *Touchscreen) Tap(ctx context.Context, x, y float64) error {
	return t.page.run(ctx, "touchscreen.tap", 0, func(op *op) error { return t.doTap(op, x, y) })
}
