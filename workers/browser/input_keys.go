package browser

import (
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// modifierSet is CDP's modifiers mask.
type modifierSet int

const (
	altModifier     modifierSet = 1
	controlModifier modifierSet = 2
	metaModifier    modifierSet = 4
	shiftModifier   modifierSet = 8
)

// modifierNames in the order Playwright presses them.
var modifierNames = []struct {
	name string
	bit  modifierSet
}{{"Alt", altModifier}, {"Control", controlModifier}, {"Meta", metaModifier}, {"Shift", shiftModifier}}

func modifierBit(name string) modifierSet {
	for _, m := range modifierNames {
		if m.name == name {
			return m.bit
		}
	}
	return 0
}

// smartKey is the key a shortcut written for all platforms means here. Pages run on Linux.
func smartKey(key string) string {
	if key == "ControlOrMeta" {
		return "Control"
	}
	return key
}

// find answers a key with the modifiers that are down; the input lock is held.
func (k *Keyboard) find(key string) (keyDefinition, error) {
	key = smartKey(key)
	found, ok := keyboardLayout()[key]
	if !ok {
		return keyDefinition{}, &finalError{"Unknown key: \"" + key + "\""}
	}
	d := *found
	if k.modifiers&shiftModifier != 0 && d.shifted != nil {
		d = *d.shifted
	}
	if k.modifiers&^shiftModifier != 0 {
		d.text = "" // shortcuts type nothing
	}
	return d, nil
}

type keyEvent struct {
	Type           string      `json:"type"`
	Modifiers      modifierSet `json:"modifiers,omitzero"`
	KeyCode        int         `json:"windowsVirtualKeyCode"`
	Code           string      `json:"code"`
	Key            string      `json:"key"`
	Text           string      `json:"text,omitzero"`
	UnmodifiedText string      `json:"unmodifiedText,omitzero"`
	AutoRepeat     bool        `json:"autoRepeat,omitzero"`
	Location       int         `json:"location,omitzero"`
	IsKeypad       bool        `json:"isKeypad,omitzero"`
}

// startDown sends a key's press; nil when the key did something else (Escape ends a drag).
func (k *Keyboard) startDown(o *op, key string) (*cdp.Pending, error) {
	p := k.page
	p.inputMu.Lock()
	d, err := k.find(key)
	if err != nil {
		p.inputMu.Unlock()
		return nil, err
	}
	repeat := k.pressed[d.code]
	k.pressed[d.code] = true
	k.modifiers |= modifierBit(d.key)
	e := keyEvent{Type: "rawKeyDown", Modifiers: k.modifiers, KeyCode: d.keyCode, Code: d.code, Key: d.key, Text: d.text, UnmodifiedText: d.text, AutoRepeat: repeat, Location: d.location, IsKeypad: d.location == keypadLocation}
	p.inputMu.Unlock()
	if d.code == "Escape" && p.cancelDrag(o) {
		return nil, nil
	}
	if d.text != "" {
		e.Type = "keyDown"
	}
	return p.session.start(o.ctx, "Input.dispatchKeyEvent", e), nil
}

func (k *Keyboard) startUp(o *op, key string) (*cdp.Pending, error) {
	p := k.page
	p.inputMu.Lock()
	d, err := k.find(key)
	if err != nil {
		p.inputMu.Unlock()
		return nil, err
	}
	k.modifiers &^= modifierBit(d.key)
	delete(k.pressed, d.code)
	e := keyEvent{Type: "keyUp", Modifiers: k.modifiers, KeyCode: d.keyCode, Code: d.code, Key: d.key, Location: d.location}
	p.inputMu.Unlock()
	return p.session.start(o.ctx, "Input.dispatchKeyEvent", e), nil
}

func waitAll(o *op, sent []*cdp.Pending) error {
	for _, pending := range sent {
		if pending == nil {
			continue
		}
		if err := pending.Wait(o.ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

func (k *Keyboard) doDown(o *op, key string) error {
	sent, err := k.startDown(o, key)
	if err != nil {
		return err
	}
	return waitAll(o, []*cdp.Pending{sent})
}

func (k *Keyboard) doUp(o *op, key string) error {
	sent, err := k.startUp(o, key)
	if err != nil {
		return err
	}
	return waitAll(o, []*cdp.Pending{sent})
}

// shortcut cuts "Control+Shift+A" into keys; "+" itself is a key.
func shortcut(text string) []string {
	var keys []string
	key := ""
	for _, c := range text {
		if c == '+' && key != "" {
			keys = append(keys, key)
			key = ""
			continue
		}
		key += string(c)
	}
	return append(keys, key)
}

// doPress sends all events of a shortcut in one go, unless a delay parts them.
func (k *Keyboard) doPress(o *op, text string, delay time.Duration) error {
	keys := shortcut(text)
	var sent []*cdp.Pending
	down := 0
	var failed error
	for _, key := range keys {
		pending, err := k.startDown(o, key)
		if err != nil {
			failed = err
			break
		}
		sent = append(sent, pending)
		down++
	}
	if failed == nil && delay > 0 {
		if failed = waitAll(o, sent); failed == nil {
			failed = o.pause(delay)
		}
		sent = nil
	}
	if failed != nil && definite(failed) && down == 0 {
		return failed
	}
	for i := down - 1; i >= 0; i-- {
		pending, err := k.startUp(o, keys[i])
		if err != nil {
			return err
		}
		sent = append(sent, pending)
	}
	if err := waitAll(o, sent); failed == nil {
		failed = err
	}
	return failed
}

// longestBurst bounds how many keys are sent before their answers are waited for.
const longestBurst = 32

func (k *Keyboard) doType(o *op, text string, delay time.Duration) error {
	layout := keyboardLayout()
	var sent []*cdp.Pending
	for _, c := range text {
		key := string(c)
		if _, ok := layout[key]; !ok {
			// What no key gives is inserted, in its place among the keys.
			if err := waitAll(o, sent); err != nil {
				return err
			}
			sent = nil
			if err := o.pause(delay); err != nil {
				return err
			}
			if err := k.doInsertText(o, key); err != nil {
				return err
			}
			continue
		}
		if delay > 0 {
			if err := k.doPress(o, key, delay); err != nil {
				return err
			}
			continue
		}
		down, err := k.startDown(o, key)
		if err != nil {
			return err
		}
		up, err := k.startUp(o, key)
		if err != nil {
			return err
		}
		sent = append(sent, down, up)
		if len(sent) >= 2*longestBurst {
			if err := waitAll(o, sent); err != nil {
				return err
			}
			sent = nil
		}
	}
	return waitAll(o, sent)
}

func (k *Keyboard) doInsertText(o *op, text string) error {
	return k.page.session.call(o.ctx, "Input.insertText", obj{"text": text}, nil)
}

// ensureModifiers presses and releases modifiers until exactly those named are down, and answers which were. Nil names change
// nothing.
func (k *Keyboard) ensureModifiers(o *op, names []string) (before []string, err error) {
	if names == nil {
		return nil, nil
	}
	wanted := modifierSet(0)
	for _, name := range names {
		bit := modifierBit(smartKey(name))
		if bit == 0 {
			return nil, plainError("Unknown modifier " + name)
		}
		wanted |= bit
	}
	k.page.inputMu.Lock()
	have := k.modifiers
	k.page.inputMu.Unlock()
	before = []string{}
	for _, m := range modifierNames {
		if have&m.bit != 0 {
			before = append(before, m.name)
		}
		switch {
		case wanted&m.bit != 0 && have&m.bit == 0:
			err = k.doDown(o, m.name)
		case wanted&m.bit == 0 && have&m.bit != 0:
			err = k.doUp(o, m.name)
		}
		if err != nil {
			return before, err
		}
	}
	return before, nil
}

func (k *Keyboard) mask() modifierSet {
	k.page.inputMu.Lock()
	defer k.page.inputMu.Unlock()
	return k.modifiers
}
