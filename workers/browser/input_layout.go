package browser

import (
	"strings"
	"sync"
)

// keyDefinition is one key of a US keyboard as a browser reports it.
type keyDefinition struct {
	code, key, text string
	// keyCode is the Windows virtual key, without the side for modifiers.
	keyCode  int
	location int
	shifted  *keyDefinition // with Shift held down
}

const keypadLocation = 3

// keyboardLayout finds keys by code ("KeyA"), by name ("Enter", "Shift") and by the character they give ("a", "A").
var keyboardLayout = sync.OnceValue(func() map[string]*keyDefinition {
	m := map[string]*keyDefinition{}
	add := func(code, key, shift string, keyCode, location int) *keyDefinition {
		d := &keyDefinition{code: code, key: key, keyCode: keyCode, location: location}
		if len(key) == 1 {
			d.text = key
		}
		if key == "Enter" {
			d.text = "\r"
		}
		if shift != "" {
			d.shifted = &keyDefinition{code: code, key: shift, text: shift, keyCode: keyCode, location: location}
		}
		m[code] = d
		if location != 0 {
			return d
		}
		plain := *d
		plain.shifted = nil
		if len(key) == 1 {
			byKey := *d
			m[key] = &byKey
		}
		if d.shifted != nil {
			m[shift] = d.shifted
		}
		return d
	}
	for c := 'A'; c <= 'Z'; c++ {
		add("Key"+string(c), strings.ToLower(string(c)), string(c), int(c), 0)
	}
	for i, shift := range ")!@#$%^&*(" {
		digit := string(rune('0' + i))
		add("Digit"+digit, digit, string(shift), '0'+i, 0)
	}
	for i := 1; i <= 12; i++ {
		add("F"+itoa(i), "F"+itoa(i), "", 111+i, 0)
	}
	for _, k := range []struct {
		code, key, shift string
		keyCode          int
	}{
		{"Backquote", "`", "~", 192}, {"Minus", "-", "_", 189}, {"Equal", "=", "+", 187}, {"Backslash", `\`, "|", 220},
		{"BracketLeft", "[", "{", 219}, {"BracketRight", "]", "}", 221}, {"Semicolon", ";", ":", 186}, {"Quote", "'", `"`, 222},
		{"Comma", ",", "<", 188}, {"Period", ".", ">", 190}, {"Slash", "/", "?", 191}, {"Space", " ", "", 32},
		{"Escape", "Escape", "", 27}, {"Backspace", "Backspace", "", 8}, {"Tab", "Tab", "", 9}, {"CapsLock", "CapsLock", "", 20},
		{"Enter", "Enter", "", 13}, {"AltGraph", "AltGraph", "", 225}, {"ContextMenu", "ContextMenu", "", 93},
		{"PrintScreen", "PrintScreen", "", 44}, {"ScrollLock", "ScrollLock", "", 145}, {"Pause", "Pause", "", 19},
		{"PageUp", "PageUp", "", 33}, {"PageDown", "PageDown", "", 34}, {"End", "End", "", 35}, {"Home", "Home", "", 36},
		{"ArrowLeft", "ArrowLeft", "", 37}, {"ArrowUp", "ArrowUp", "", 38}, {"ArrowRight", "ArrowRight", "", 39}, {"ArrowDown", "ArrowDown", "", 40},
		{"Insert", "Insert", "", 45}, {"Delete", "Delete", "", 46}, {"NumLock", "NumLock", "", 144},
		{"AudioVolumeMute", "AudioVolumeMute", "", 173}, {"AudioVolumeDown", "AudioVolumeDown", "", 174}, {"AudioVolumeUp", "AudioVolumeUp", "", 175},
		{"MediaTrackNext", "MediaTrackNext", "", 176}, {"MediaTrackPrevious", "MediaTrackPrevious", "", 177}, {"MediaPlayPause", "MediaPlayPause", "", 179},
	} {
		add(k.code, k.key, k.shift, k.keyCode, 0)
	}
	for _, k := range []struct {
		name           string
		keyCode, right int
	}{{"Shift", 16, 16}, {"Control", 17, 17}, {"Alt", 18, 18}, {"Meta", 91, 92}} {
		m[k.name] = add(k.name+"Left", k.name, "", k.keyCode, 1)
		add(k.name+"Right", k.name, "", k.right, 2)
	}
	// The keypad moves the caret, and gives digits with Shift.
	for i, k := range []struct {
		key            string
		plain, shifted int
	}{{"Insert", 45, 96}, {"End", 35, 97}, {"ArrowDown", 40, 98}, {"PageDown", 34, 99}, {"ArrowLeft", 37, 100}, {"Clear", 12, 101}, {"ArrowRight", 39, 102}, {"Home", 36, 103}, {"ArrowUp", 38, 104}, {"PageUp", 33, 105}} {
		add("Numpad"+itoa(i), k.key, itoa(i), k.plain, keypadLocation)
	}
	for _, k := range []struct {
		code, key, shift string
		keyCode          int
	}{{"NumpadDivide", "/", "", 111}, {"NumpadMultiply", "*", "", 106}, {"NumpadSubtract", "-", "", 109}, {"NumpadAdd", "+", "", 107}, {"NumpadDecimal", "\x00", ".", 46}, {"NumpadEnter", "Enter", "", 13}} {
		add(k.code, k.key, k.shift, k.keyCode, keypadLocation)
	}
	m["\n"], m["\r"] = m["Enter"], m["Enter"]
	return m
})
