package browser

import (
	"context"
	"time"
)

// Keyboard is the keyboard of one page, with the modifiers that are down.
type Keyboard struct {
	page *Page
	// What the page believes is held down; guarded by page.inputMu.
	modifiers modifierSet
	pressed   map[string]bool
}

// Down presses a key and leaves it down.
func (k *Keyboard) Down(ctx context.Context, key string) error {
	return k.page.run(ctx, "keyboard.down", 0, func(op *op) error { return k.doDown(op, key) })
}

// Up releases a key.
func (k *Keyboard) Up(ctx context.Context, key string) error {
	return k.page.run(ctx, "keyboard.up", 0, func(op *op) error { return k.doUp(op, key) })
}

// Press presses and releases a key or a shortcut such as "ControlOrMeta+A".
func (k *Keyboard) Press(ctx context.Context, key string, delay time.Duration) error {
	return k.page.run(ctx, "keyboard.press", 0, func(op *op) error { return k.doPress(op, key, delay) })
}

// Type sends the key events of each character; characters that no US key gives are inserted.
func (k *Keyboard) Type(ctx context.Context, text string, delay time.Duration) error {
	return k.page.run(ctx, "keyboard.type", 0, func(op *op) error { return k.doType(op, text, delay) })
}

// InsertText inserts text with one input event and no key events, as an input method does.
func (k *Keyboard) InsertText(ctx context.Context, text string) error {
	return k.page.run(ctx, "keyboard.insertText", 0, func(op *op) error { return k.doInsertText(op, text) })
}
