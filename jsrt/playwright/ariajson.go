package playwright

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// ariaSnapshotJSON is an operation that answers an aria snapshot as data: nodes with role, name, states, text and children.
func (m *mapping) ariaSnapshotJSON(take func(ctx context.Context, o browser.AriaSnapshotOptions) (string, error), o browser.AriaSnapshotOptions) op {
	return func(ctx context.Context) (any, error) {
		text, err := take(ctx, o)
		nodes := parseAria(text)
		return later(func() goja.Value {
			return m.array(len(nodes), func(i int) any { return nodes[i].top() })
		}), err
	}
}

// ariaNode is one line of a snapshot and those below it; a text has no role.
type ariaNode struct {
	role, name string
	props      object
	text       string
	children   []*ariaNode
}

func (n *ariaNode) top() any {
	if n.role == "" {
		return object{{"role", "text"}, {"text", n.text}}
	}
	return n.object()
}

func (n *ariaNode) object() object {
	out := object{{"role", n.role}}
	if n.name != "" {
		out = append(out, field{"name", n.name})
	}
	out = append(out, n.props...)
	if n.text != "" {
		out = append(out, field{"text", n.text})
	}
	if len(n.children) > 0 {
		list := make([]any, len(n.children))
		for i, c := range n.children {
			if c.role == "" {
				list[i] = c.text
			} else {
				list[i] = c.object()
			}
		}
		out = append(out, field{"children", list})
	}
	return out
}

// parseAria reads the YAML that the engine writes: a list of lines "- role "name" [state=value]: text", two spaces a level.
func parseAria(text string) []*ariaNode {
	root := &ariaNode{}
	parents := []*ariaNode{root}
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		level := (len(line) - len(rest)) / 2
		rest, ok := strings.CutPrefix(rest, "- ")
		if !ok {
			continue
		}
		parents = parents[:min(level+1, len(parents))]
		parent := parents[len(parents)-1]
		key, value := cutKey(rest)
		switch {
		case key == "text":
			parent.children = append(parent.children, &ariaNode{text: value})
		case strings.HasPrefix(key, "/"):
			parent.props = append(parent.props, field{key[1:], value})
		default:
			n := parseAriaKey(key)
			n.text = value
			parent.children = append(parent.children, n)
			parents = append(parents, n)
		}
	}
	return root.children
}

// cutKey parts a line at its colon, quotes respected.
func cutKey(line string) (key, value string) {
	if strings.HasPrefix(line, "'") {
		end := 1
		for end < len(line) {
			if line[end] == '\'' {
				if end+1 < len(line) && line[end+1] == '\'' {
					end++
				} else {
					break
				}
			}
			end++
		}
		key = strings.ReplaceAll(line[1:min(end, len(line))], "''", "'")
		_, value, _ = strings.Cut(line[min(end+1, len(line)):], ":")
		return key, unquote(value)
	}
	quoted := false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			if quoted {
				i++
			}
		case '"':
			quoted = !quoted
		case ':':
			if !quoted && (i+1 == len(line) || line[i+1] == ' ') {
				return line[:i], unquote(line[i+1:])
			}
		}
	}
	return line, ""
}

// unquote reads a YAML scalar in the styles the engine writes.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	switch {
	case len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"':
		var out string
		if json.Unmarshal([]byte(s), &out) == nil {
			return out
		}
	case len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'':
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	return s
}

// parseAriaKey reads role, name and states.
func parseAriaKey(key string) *ariaNode {
	n := &ariaNode{}
	n.role, key, _ = strings.Cut(key, " ")
	if strings.HasPrefix(key, `"`) {
		d := json.NewDecoder(strings.NewReader(key))
		if d.Decode(&n.name) == nil {
			key = key[d.InputOffset():]
		}
	}
	for {
		_, rest, open := strings.Cut(key, "[")
		state, after, closed := strings.Cut(rest, "]")
		if !open || !closed {
			return n
		}
		key = after
		name, value, has := strings.Cut(state, "=")
		n.props = append(n.props, field{name, ariaState(name, value, has)})
	}
}

func ariaState(name, value string, has bool) any {
	switch {
	case !has:
		return true
	case name == "level":
		if level, err := strconv.Atoi(value); err == nil {
			return level
		}
	case name == "box":
		parts := strings.Split(value, ",")
		box := object{}
		for i, side := range []string{"x", "y", "width", "height"} {
			if i < len(parts) {
				f, _ := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
				box = append(box, field{side, f})
			}
		}
		return box
	}
	return value
}
