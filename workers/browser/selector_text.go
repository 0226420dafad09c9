package browser

import (
	"errors"
	"sort"
	"strconv"
	"strings"
)

// describeLocator is the JavaScript that makes a locator, as call logs and errors show it; the selector itself when there is no
// such form. A description given with describe() goes before all.
func describeLocator(selector string) string {
	if text, ok := customDescription(selector); ok {
		return text
	}
	return asLocator(selector)
}

func asLocator(selector string) string {
	parts, err := parseSelector(selector)
	if err != nil {
		return selector
	}
	text, err := locatorText(parts)
	if err != nil {
		return selector
	}
	return text
}

// customDescription answers what describe() gave the locator.
func customDescription(selector string) (string, bool) {
	if !strings.Contains(selector, "internal:describe") {
		return "", false
	}
	parts, err := parseSelector(selector)
	if err != nil {
		return "", false
	}
	last := parts[len(parts)-1]
	var text string
	if last.name != "internal:describe" || unmarshal([]byte(last.body), &text) != nil {
		return "", false
	}
	return text, true
}

func locatorText(parts []selectorPart) (string, error) {
	var out []string
	for _, p := range parts {
		if p.name == "internal:describe" {
			continue
		}
		text, err := p.locator()
		if err != nil {
			return "", err
		}
		out = append(out, text)
	}
	return strings.Join(out, "."), nil
}

// locator is one part as a method call.
func (p selectorPart) locator() (string, error) {
	if p.inner != nil {
		inner, err := locatorText(p.inner)
		if err != nil {
			return "", err
		}
		switch p.name {
		case "internal:has":
			return "filter({ has: " + inner + " })", nil
		case "internal:has-not":
			return "filter({ hasNot: " + inner + " })", nil
		case "internal:and":
			return "and(" + inner + ")", nil
		case "internal:or":
			return "or(" + inner + ")", nil
		case "internal:chain":
			return "locator(" + inner + ")", nil
		}
	}
	switch p.name {
	case "nth":
		switch p.body {
		case "0":
			return "first()", nil
		case "-1":
			return "last()", nil
		}
		return "nth(" + p.body + ")", nil
	case "visible":
		return "filter({ visible: " + strconv.FormatBool(p.body == "true") + " })", nil
	case "internal:text", "internal:label":
		method := "getByText"
		if p.name == "internal:label" {
			method = "getByLabel"
		}
		text, exact, err := literalText(p.body)
		if err != nil {
			return "", err
		}
		if exact {
			text += ", { exact: true }"
		}
		return method + "(" + text + ")", nil
	case "internal:has-text", "internal:has-not-text":
		text, exact, err := literalText(p.body)
		if err != nil {
			return "", err
		}
		if !exact {
			if p.name == "internal:has-text" {
				return "filter({ hasText: " + text + " })", nil
			}
			return "filter({ hasNotText: " + text + " })", nil
		}
	case "internal:testid":
		a, err := parseAttributes(p.body)
		if err != nil || len(a.list) == 0 {
			return "", errAttributes
		}
		return "getByTestId(" + a.list[0].literal() + ")", nil
	case "internal:attr":
		a, err := parseAttributes(p.body)
		if err != nil || len(a.list) == 0 {
			return "", errAttributes
		}
		method := map[string]string{"placeholder": "getByPlaceholder", "alt": "getByAltText", "title": "getByTitle"}[a.list[0].name]
		if method != "" {
			text := a.list[0].literal()
			if a.list[0].exact && !a.list[0].regex {
				text += ", { exact: true }"
			}
			return method + "(" + text + ")", nil
		}
	case "internal:role":
		return roleLocator(p.body)
	case "internal:control":
		if p.body == enterFrame {
			return "contentFrame()", nil
		}
	}
	p.capture = false
	return "locator(" + quoteJS(p.text()) + ")", nil
}

func roleLocator(body string) (string, error) {
	a, err := parseAttributes(body)
	if err != nil {
		return "", err
	}
	var texts, others []attribute
	for _, attr := range a.list {
		if attr.name == "name" || attr.name == "description" {
			texts = append(texts, attr)
		} else {
			others = append(others, attr)
		}
	}
	sort.SliceStable(texts, func(i, j int) bool { return texts[i].name == "name" && texts[j].name != "name" })
	var options []string
	exact := false
	for _, t := range texts {
		if t.exact != texts[0].exact {
			return "", errAttributes // one `exact` cannot say both
		}
		options = append(options, t.name+": "+t.literal())
		exact = exact || t.exact && !t.regex
	}
	if exact {
		options = append(options, "exact: true")
	}
	for _, o := range others {
		name, value := o.name, o.value
		if name == "include-hidden" {
			name = "includeHidden"
		}
		if name != "level" && value != "true" && value != "false" {
			value = quoteJS(value)
		}
		options = append(options, name+": "+value)
	}
	if len(options) == 0 {
		return "getByRole(" + quoteJS(a.name) + ")", nil
	}
	return "getByRole(" + quoteJS(a.name) + ", { " + strings.Join(options, ", ") + " })", nil
}

// literalText reads the body of internal:text: a quoted text with suffix, or a regular expression.
func literalText(body string) (literal string, exact bool, err error) {
	if end := strings.LastIndexByte(body, '/'); end > 0 && body[0] == '/' && strings.Trim(body[end+1:], "igm") == "" {
		return regexForPeople(body), false, nil
	}
	quoted := body
	exact = true
	switch {
	case strings.HasSuffix(body, `"i`):
		quoted, exact = body[:len(body)-1], false
	case strings.HasSuffix(body, `"s`):
		quoted = body[:len(body)-1]
	case !strings.HasSuffix(body, `"`):
		return quoteJS(body), false, nil
	}
	var text string
	if err := unmarshal([]byte(quoted), &text); err != nil {
		return "", false, err
	}
	return quoteJS(text), exact, nil
}

// regexForPeople undoes the escapes that a regular expression got for the selector's sake.
func regexForPeople(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			i++
			continue
		}
		start := i
		for i < len(text) && text[i] == '\\' {
			i++
		}
		slashes := text[start:i]
		if i < len(text) && (text[i] == '"' || text[i] == '\'' || text[i] == '`') && len(slashes)%2 == 1 {
			slashes = slashes[1:]
		}
		b.WriteString(slashes)
	}
	return b.String()
}

// quoteJS is a string literal in single quotes; double quotes stay bare.
func quoteJS(text string) string {
	quoted := quoteJSON(text)
	quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	return "'" + strings.ReplaceAll(quoted, "'", `\'`) + "'"
}

var errAttributes = errors.New("the attributes of a selector cannot be read")

type attribute struct {
	name, value string
	regex       bool
	exact       bool
}

func (a attribute) literal() string {
	if a.regex {
		return regexForPeople(a.value)
	}
	return quoteJS(a.value)
}

type attributeBody struct {
	name string
	list []attribute
}

// parseAttributes reads `name[attribute="value"i][other=true]`.
func parseAttributes(body string) (attributeBody, error) {
	r := attributeReader{text: strings.TrimSpace(body)}
	result := attributeBody{name: r.word()}
	for r.space(); r.peek() == '['; r.space() {
		a, ok := r.attribute()
		if !ok {
			return result, errAttributes
		}
		result.list = append(result.list, a)
	}
	if r.at < len(r.text) {
		return result, errAttributes
	}
	return result, nil
}

type attributeReader struct {
	text string
	at   int
}

func (r *attributeReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *attributeReader) space() {
	for c := r.peek(); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = r.peek() {
		r.at++
	}
}

func (r *attributeReader) word() string {
	start := r.at
	for r.at < len(r.text) {
		c := r.text[r.at]
		if c != '-' && c != '+' && c != '.' && !identifierByte(c) {
			break
		}
		r.at++
	}
	return r.text[start:r.at]
}

func (r *attributeReader) attribute() (attribute, bool) {
	r.at++
	r.space()
	var a attribute
	if q := r.peek(); q == '"' || q == '\'' {
		a.name = r.quoted()
	} else {
		a.name = r.word()
	}
	r.space()
	if r.peek() == ']' {
		r.at++
		a.value = "true"
		return a, a.name != ""
	}
	if r.peek() != '=' {
		return a, false
	}
	r.at++
	r.space()
	a.exact = true
	switch c := r.peek(); c {
	case '/':
		a.regex = true
		a.value = r.regex()
	case '"', '\'':
		a.value = r.quoted()
		r.space()
		switch r.peek() {
		case 'i', 'I':
			a.exact = false
			r.at++
		case 's', 'S':
			r.at++
		}
	default:
		a.value = r.word()
	}
	r.space()
	if r.peek() != ']' {
		return a, false
	}
	r.at++
	return a, a.name != ""
}

func (r *attributeReader) quoted() string {
	quote := r.peek()
	r.at++
	var b strings.Builder
	for r.at < len(r.text) && r.text[r.at] != quote {
		if r.text[r.at] == '\\' && r.at+1 < len(r.text) {
			r.at++
		}
		b.WriteByte(r.text[r.at])
		r.at++
	}
	r.at++
	return b.String()
}

func (r *attributeReader) regex() string {
	start := r.at
	inClass := false
	for r.at++; r.at < len(r.text) && (inClass || r.text[r.at] != '/'); r.at++ {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '[':
			inClass = true
		case ']':
			inClass = false
		}
	}
	r.at++
	for c := r.peek(); c >= 'a' && c <= 'z'; c = r.peek() {
		r.at++
	}
	return r.text[start:min(r.at, len(r.text))]
}
