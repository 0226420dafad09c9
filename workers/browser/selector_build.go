package browser

import "strings"

// Selectors of the getBy methods, in the language the in-page program reads.

func selectorByText(t Text) string  { return "internal:text=" + t.body() }
func selectorByLabel(t Text) string { return "internal:label=" + t.body() }

func selectorByAltText(t Text) string     { return "internal:attr=[alt=" + t.attribute() + "]" }
func selectorByTitle(t Text) string       { return "internal:attr=[title=" + t.attribute() + "]" }
func selectorByPlaceholder(t Text) string { return "internal:attr=[placeholder=" + t.attribute() + "]" }

// testIDAttribute is what getByTestId looks at.
const testIDAttribute = "data-testid"

func selectorByTestID(t Text) string {
	t.Exact = true
	return "internal:testid=[" + testIDAttribute + "=" + t.attribute() + "]"
}

func selectorByRole(role string, o RoleOptions) string {
	var b strings.Builder
	b.WriteString("internal:role=" + role)
	flag := func(name string, v *bool) {
		if v != nil {
			if *v {
				b.WriteString("[" + name + "=true]")
			} else {
				b.WriteString("[" + name + "=false]")
			}
		}
	}
	text := func(name string, t *Text) {
		if t != nil {
			with := *t
			with.Exact = o.Exact
			b.WriteString("[" + name + "=" + with.attribute() + "]")
		}
	}
	flag("checked", o.Checked)
	flag("disabled", o.Disabled)
	flag("selected", o.Selected)
	flag("expanded", o.Expanded)
	flag("include-hidden", o.IncludeHidden)
	if o.Level != nil {
		b.WriteString("[level=" + itoa(*o.Level) + "]")
	}
	text("name", o.Name)
	text("description", o.Description)
	flag("pressed", o.Pressed)
	return b.String()
}

// body is the text as internal:text and its kin take it.
func (t Text) body() string {
	if t.RegExp != nil {
		return t.RegExp.inSelector()
	}
	if t.Exact {
		return quoteJSON(t.String) + "s"
	}
	return quoteJSON(t.String) + "i"
}

// attribute is the text as the value of an attribute.
func (t Text) attribute() string {
	if t.RegExp != nil {
		return t.RegExp.inSelector()
	}
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.String) + `"`
	if t.Exact {
		return quoted + "s"
	}
	return quoted + "i"
}

// inSelector is the literal with quotes and ">>" escaped, which would otherwise end the part of the selector it is in. Unicode
// expressions refuse needless escapes and stay as they are.
func (r RegExp) inSelector() string {
	text := r.String()
	if strings.ContainsAny(r.Flags, "uv") {
		return text
	}
	var b strings.Builder
	slashes := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (c == '"' || c == '\'' || c == '`') && slashes%2 == 0 {
			b.WriteByte('\\')
		}
		if c == '\\' {
			slashes++
		} else {
			slashes = 0
		}
		b.WriteByte(c)
	}
	return strings.ReplaceAll(b.String(), ">>", `\>\>`)
}

func locatorOf(f *Frame, selector string) *Locator { return &Locator{frame: f, selector: selector} }

// newLocator is a selector with the options of locator() and filter() on it.
func newLocator(f *Frame, selector string, o LocatorOptions) (*Locator, error) {
	if o.HasText != nil {
		selector += " >> internal:has-text=" + o.HasText.body()
	}
	if o.HasNotText != nil {
		selector += " >> internal:has-not-text=" + o.HasNotText.body()
	}
	for _, has := range []struct {
		inner        *Locator
		engine, name string
	}{{o.Has, "internal:has", "has"}, {o.HasNot, "internal:has-not", "hasNot"}} {
		if has.inner == nil {
			continue
		}
		if has.inner.frame != f {
			return nil, &Error{Name: nameError, Message: `Inner "` + has.name + `" locator must belong to the same frame.`}
		}
		selector += " >> " + has.engine + "=" + quoteJSON(has.inner.selector)
	}
	if o.Visible != nil {
		if *o.Visible {
			selector += " >> visible=true"
		} else {
			selector += " >> visible=false"
		}
	}
	return locatorOf(f, selector), nil
}
