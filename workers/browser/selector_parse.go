package browser

import (
	"strings"
	"sync"
)

// selectorPart is `engine=body`, one link of a selector.
type selectorPart struct {
	name, body string
	capture    bool
	// inner is the selector in the body of internal:has and its kin.
	inner []selectorPart
}

const enterFrame = "enter-frame"

func (p selectorPart) entersFrame() bool { return p.name == "internal:control" && p.body == enterFrame }

func nestedEngine(name string) bool {
	switch name {
	case "internal:has", "internal:has-not", "internal:and", "internal:or", "internal:chain", "left-of", "right-of", "above", "below", "near":
		return true
	}
	return false
}

// parseSelector cuts a selector into its parts. It reads as much of Playwright's selector language as the engine needs to find
// frames and to print locators; engines' bodies are checked in the page.
func parseSelector(selector string) ([]selectorPart, error) {
	return parseNested(selector, 0)
}

func parseNested(selector string, depth int) ([]selectorPart, error) {
	if depth > 50 {
		return nil, &selectorError{"Selectors are nested too deeply."}
	}
	var parts []selectorPart
	captured := false
	for _, text := range cutSelector(selector) {
		p := parsePart(text)
		if p.capture {
			if captured {
				return nil, &selectorError{"Only one of the selectors can capture using * modifier"}
			}
			captured = true
		}
		if nestedEngine(p.name) {
			malformed := &selectorError{"Malformed selector: " + p.name + "=" + p.body}
			var list []any
			if unmarshal([]byte("["+p.body+"]"), &list) != nil || len(list) == 0 || len(list) > 2 {
				return nil, malformed
			}
			text, ok := list[0].(string)
			if !ok {
				return nil, malformed
			}
			inner, err := parseNested(text, depth+1)
			if err != nil {
				return nil, err
			}
			p.inner = withoutFrames(inner, parts)
		}
		parts = append(parts, p)
	}
	if nestedEngine(parts[0].name) {
		return nil, &selectorError{`"` + parts[0].name + `" selector cannot be first`}
	}
	return parts, nil
}

// withoutFrames drops the frames an inner selector repeats from the outer one.
func withoutFrames(inner, outer []selectorPart) []selectorPart {
	last := -1
	for i := range inner {
		if inner[i].entersFrame() {
			last = i
		}
	}
	if last < 0 || len(outer) <= last || joinSelector(inner[:last+1]) != joinSelector(outer[:last+1]) {
		return inner
	}
	return inner[last+1:]
}

// cutSelector cuts at `>>` outside quotes. A quote inside the bare text of `text=it's` opens nothing.
func cutSelector(selector string) []string {
	if !strings.Contains(selector, ">>") {
		return []string{strings.TrimSpace(selector)}
	}
	var parts []string
	start := 0
	var quote byte
	for i := 0; i < len(selector); i++ {
		c := selector[i]
		switch {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			if !bareText(selector[start:i]) {
				quote = c
			}
		case c == '>' && i+1 < len(selector) && selector[i+1] == '>':
			parts = append(parts, strings.TrimSpace(selector[start:i]))
			i++
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(selector[min(start, len(selector)):]))
}

func bareText(prefix string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(prefix, " \t\r\n"), "text")
	if !ok {
		return false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), "=")
	return ok && rest != ""
}

func parsePart(text string) selectorPart {
	if name, body, ok := strings.Cut(text, "="); ok {
		if name = strings.TrimSpace(name); engineName(name) {
			p := selectorPart{name: name, body: body}
			p.name, p.capture = strings.CutPrefix(name, "*")
			return p
		}
	}
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return selectorPart{name: "text", body: text}
	}
	if strings.HasPrefix(strings.TrimLeft(text, "("), "//") || strings.HasPrefix(text, "..") {
		return selectorPart{name: "xpath", body: text}
	}
	return selectorPart{name: "css", body: text}
}

func engineName(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && c != '-' && c != '+' && c != ':' && c != '*' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return name != ""
}

func joinSelector(parts []selectorPart) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text()
	}
	return strings.Join(texts, " >> ")
}

// text is the part as people write it: css and plain xpath without their engine's name.
func (p selectorPart) text() string {
	if !p.capture && (p.name == "css" || p.name == "xpath" && (strings.HasPrefix(p.body, "//") || strings.HasPrefix(p.body, ".."))) {
		return p.body
	}
	if p.capture {
		return "*" + p.name + "=" + p.body
	}
	return p.name + "=" + p.body
}

// framePath is a selector cut at the frames it enters: each chunk but the last names a frame element.
type framePath []string

// splitFrames cuts a selector at `internal:control=enter-frame`.
func splitFrames(selector string) (framePath, error) {
	if !strings.Contains(selector, "internal:control") {
		return framePath{selector}, nil
	}
	parts, err := parseSelector(selector)
	if err != nil {
		return nil, err
	}
	if err := noFramesInside(parts, selector); err != nil {
		return nil, err
	}
	var path framePath
	start, capturedAt := 0, -1
	for i, p := range parts {
		switch {
		case p.name == "internal:control" && (p.body == "pierce-frames" || p.body == "no-pierce-frames"):
			return nil, &selectorError{"Locators that look through all frames are not offered here; name the frame with frameLocator()."}
		case p.entersFrame():
			if i == start {
				return nil, &selectorError{"Selector cannot start with entering frame, select the iframe first"}
			}
			path = append(path, joinSelector(parts[start:i]))
			start = i + 1
		case p.capture:
			capturedAt = len(path)
		}
	}
	if start == len(parts) {
		return nil, &selectorError{"Selector cannot end with entering frame, while parsing selector " + selector}
	}
	if capturedAt >= 0 && capturedAt != len(path) {
		return nil, &selectorError{"Can not capture the selector before diving into the frame. Only use * after the last frame has been selected"}
	}
	return append(path, joinSelector(parts[start:])), nil
}

func noFramesInside(parts []selectorPart, selector string) error {
	for _, p := range parts {
		for _, inner := range p.inner {
			if inner.entersFrame() {
				return &selectorError{"Frame locators are not allowed inside composite locators, while querying \"" + describeLocator(selector) + "\""}
			}
		}
		if err := noFramesInside(p.inner, selector); err != nil {
			return err
		}
	}
	return nil
}

// paths caches the cut selectors of a run; a script uses few.
type pathCache struct {
	mu    sync.Mutex
	paths map[string]framePath
}

func (c *pathCache) split(selector string) (framePath, error) {
	c.mu.Lock()
	path, ok := c.paths[selector]
	c.mu.Unlock()
	if ok {
		return path, nil
	}
	path, err := splitFrames(selector)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	if c.paths == nil || len(c.paths) > 1000 {
		c.paths = map[string]framePath{}
	}
	c.paths[selector] = path
	c.mu.Unlock()
	return path, nil
}
