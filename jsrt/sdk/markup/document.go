// Package markup reads HTML for authored operations: parsing, CSS selectors, text, and data that pages embed as JSON (spec runtime-sdk.md
// §2.5). What it parses is inert: no script runs and nothing is loaded.
//
// It runs in the worker process, where text of a site stays. It knows no JavaScript; package jsrt/sdk gives it a face there.
package markup

import (
	"errors"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// MaxText bounds a text to be parsed, in bytes: what an answer may hold at most.
	MaxText = 16 << 20
	// maxSelector bounds a selector, in bytes.
	maxSelector = 4096
)

// ErrTooLarge is a text longer than MaxText.
var ErrTooLarge = errors.New("the text is longer than 16 MiB, more than is parsed as HTML")

// Node is a document, or an element in one.
type Node struct{ node *html.Node }

// Parse reads a document as a browser without scripts would. Text that is no HTML is a document too.
func Parse(text string) (Node, error) {
	if len(text) > MaxText {
		return Node{}, ErrTooLarge
	}
	root, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		return Node{}, fmt.Errorf("the text cannot be read as HTML: %w", err)
	}
	return Node{root}, nil
}

// Select gives the elements below n that a CSS selector matches, in document order.
func (n Node) Select(selector string) ([]Node, error) {
	m, err := compile(selector)
	if err != nil {
		return nil, err
	}
	found := cascadia.QueryAll(n.node, m)
	out := make([]Node, len(found))
	for i, one := range found {
		out[i] = Node{one}
	}
	return out, nil
}

// SelectOne gives the first element below n that a CSS selector matches.
func (n Node) SelectOne(selector string) (one Node, ok bool, err error) {
	m, err := compile(selector)
	if err != nil {
		return Node{}, false, err
	}
	found := cascadia.Query(n.node, m)
	return Node{found}, found != nil, nil
}

func compile(selector string) (cascadia.Matcher, error) {
	if len(selector) > maxSelector {
		return nil, fmt.Errorf("the selector is longer than %d bytes", maxSelector)
	}
	group, err := cascadia.ParseGroup(selector)
	if err != nil {
		return nil, fmt.Errorf("the selector %q is not supported: %w", selector, err)
	}
	return group, nil
}

// Title is the text of the document's title element.
func (n Node) Title() (string, bool) {
	one, ok, err := n.SelectOne("title")
	if err != nil || !ok {
		return "", false
	}
	return one.Text(), true
}

// Text is the text in n with white space collapsed and trimmed. Scripts and styles below n are left out; a script's own text is its code.
func (n Node) Text() string {
	var b strings.Builder
	n.raw(&b, true)
	return strings.Join(strings.Fields(b.String()), " ")
}

// Raw is the text in n as it stands.
func (n Node) Raw() string {
	var b strings.Builder
	n.raw(&b, false)
	return b.String()
}

func (n Node) raw(b *strings.Builder, visible bool) {
	for c := n.node.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case visible && (c.DataAtom == atom.Script || c.DataAtom == atom.Style):
		case c.Type == html.ElementNode:
			Node{c}.raw(b, visible)
		}
	}
}

// Attr is an attribute's value, entities decoded. Names do not depend on case.
func (n Node) Attr(name string) (string, bool) {
	name = strings.ToLower(name)
	for _, a := range n.node.Attr {
		key := a.Key
		if a.Namespace != "" {
			key = a.Namespace + ":" + a.Key
		}
		if strings.ToLower(key) == name {
			return a.Val, true
		}
	}
	return "", false
}

// HTML is n as HTML, with the element itself.
func (n Node) HTML() (string, error) {
	var b strings.Builder
	if err := html.Render(&b, n.node); err != nil {
		return "", fmt.Errorf("writing the element as HTML: %w", err)
	}
	return b.String(), nil
}
