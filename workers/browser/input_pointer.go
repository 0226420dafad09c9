package browser

import (
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

type mouseEvent struct {
	Type       string      `json:"type"`
	X          float64     `json:"x"`
	Y          float64     `json:"y"`
	Modifiers  modifierSet `json:"modifiers,omitzero"`
	Button     string      `json:"button"`
	Buttons    int         `json:"buttons"`
	ClickCount int         `json:"clickCount,omitzero"`
	Force      float64     `json:"force"`
}

func buttonsMask(buttons map[string]bool) int {
	mask := 0
	for button := range buttons {
		switch button {
		case "left":
			mask |= 1
		case "right":
			mask |= 2
		case "middle":
			mask |= 4
		}
	}
	return mask
}

func pressure(buttons int) float64 {
	if buttons != 0 {
		return 0.5
	}
	return 0
}

// event is a mouse event where the mouse is, with what is held down; the input lock is held.
func (m *Mouse) event(kind, button string) mouseEvent {
	buttons := buttonsMask(m.buttons)
	return mouseEvent{Type: kind, X: m.x, Y: m.y, Modifiers: m.page.Keyboard.modifiers, Button: button, Buttons: buttons, Force: pressure(buttons)}
}

func (m *Mouse) send(o *op, e mouseEvent) *cdp.Pending {
	return m.page.session.start(o.ctx, "Input.dispatchMouseEvent", e)
}

func (m *Mouse) lastButton() string {
	if m.last == "" {
		return "none"
	}
	return m.last
}

// doMove moves in steps. forClick leaves drags alone: a click's events must follow each other.
func (m *Mouse) doMove(o *op, x, y float64, steps int, forClick bool) error {
	for _, e := range m.moves(x, y, steps) {
		if forClick {
			if err := m.send(o, e).Wait(o.ctx, nil); err != nil {
				return err
			}
			continue
		}
		if err := m.page.moveOrDrag(o, e); err != nil {
			return err
		}
	}
	return nil
}

func (m *Mouse) moves(x, y float64, steps int) []mouseEvent {
	steps = max(steps, 1)
	m.page.inputMu.Lock()
	defer m.page.inputMu.Unlock()
	fromX, fromY := m.x, m.y
	events := make([]mouseEvent, steps)
	for i := 1; i <= steps; i++ {
		part := float64(i) / float64(steps)
		m.x, m.y = fromX+(x-fromX)*part, fromY+(y-fromY)*part
		events[i-1] = m.event("mouseMoved", m.lastButton())
	}
	m.x, m.y = x, y
	return events
}

func buttonOf(o MouseOptions) string {
	if o.Button == "" {
		return "left"
	}
	return o.Button
}

func countOf(o MouseOptions) int { return max(o.ClickCount, 1) }

// down and up change the mouse and answer the event to send; ok is false while a drag is on.
func (m *Mouse) down(b MouseOptions, count int) (e mouseEvent, ok bool) {
	m.page.inputMu.Lock()
	defer m.page.inputMu.Unlock()
	button := buttonOf(b)
	m.last = button
	m.buttons[button] = true
	e = m.event("mousePressed", button)
	e.ClickCount = count
	return e, m.page.drag == nil
}

func (m *Mouse) up(b MouseOptions, count int) mouseEvent {
	m.page.inputMu.Lock()
	defer m.page.inputMu.Unlock()
	button := buttonOf(b)
	m.last = ""
	delete(m.buttons, button)
	e := m.event("mouseReleased", button)
	e.ClickCount, e.Force = count, 0
	return e
}

func (m *Mouse) doDown(o *op, b MouseOptions) error {
	e, ok := m.down(b, countOf(b))
	if !ok {
		return nil
	}
	return m.send(o, e).Wait(o.ctx, nil)
}

func (m *Mouse) doUp(o *op, b MouseOptions) error {
	e := m.up(b, countOf(b))
	if m.page.dragging() {
		return m.page.drop(o, e)
	}
	return m.send(o, e).Wait(o.ctx, nil)
}

// doClick sends the events of a click in one go, unless a delay parts them.
func (m *Mouse) doClick(o *op, x, y float64, b MouseOptions) error {
	var sent []*cdp.Pending
	if b.Steps > 1 {
		// Moves that follow each other at once would be merged into one.
		if err := m.doMove(o, x, y, b.Steps, true); err != nil {
			return err
		}
	} else {
		sent = append(sent, m.send(o, m.moves(x, y, 1)[0]))
	}
	for count := 1; count <= countOf(b); count++ {
		if b.Delay > 0 {
			if err := waitAll(o, sent); err != nil {
				return err
			}
			sent = nil
			if count > 1 {
				if err := o.pause(b.Delay); err != nil {
					return err
				}
			}
		}
		e, ok := m.down(b, count)
		if ok {
			sent = append(sent, m.send(o, e))
		}
		if b.Delay > 0 {
			if err := m.hold(o, sent, b.Delay); err != nil {
				return err
			}
			sent = nil
		}
		e = m.up(b, count)
		if m.page.dragging() {
			if err := m.page.drop(o, e); err != nil {
				return err
			}
			continue
		}
		sent = append(sent, m.send(o, e))
	}
	return waitAll(o, sent)
}

func (m *Mouse) hold(o *op, sent []*cdp.Pending, d time.Duration) error {
	if err := waitAll(o, sent); err != nil {
		return err
	}
	return o.pause(d)
}

func (m *Mouse) doWheel(o *op, deltaX, deltaY float64) error {
	m.page.inputMu.Lock()
	params := obj{"type": "mouseWheel", "x": m.x, "y": m.y, "modifiers": m.page.Keyboard.modifiers, "deltaX": deltaX, "deltaY": deltaY}
	m.page.inputMu.Unlock()
	return m.page.session.call(o.ctx, "Input.dispatchMouseEvent", params, nil)
}

func (t *Touchscreen) doTap(o *op, x, y float64) error {
	p := t.page
	if !p.context.options.HasTouch {
		return plainError("hasTouch must be enabled on the browser context before using the touchscreen.")
	}
	modifiers := p.Keyboard.mask()
	start := p.session.start(o.ctx, "Input.dispatchTouchEvent", obj{"type": "touchStart", "modifiers": modifiers, "touchPoints": []obj{{"x": x, "y": y}}})
	end := p.session.start(o.ctx, "Input.dispatchTouchEvent", obj{"type": "touchEnd", "modifiers": modifiers, "touchPoints": []obj{}})
	return waitAll(o, []*cdp.Pending{start, end})
}
