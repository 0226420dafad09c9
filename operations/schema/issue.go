package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kaptinlin/jsonschema"
)

// Issue is one place of a value that does not fit.
type Issue struct {
	// Path is the place in the value: "" for the whole, `a.b`, `a[0]`, `["odd key"]`.
	Path string
	// Rule says what must hold there, out of the schema; it never quotes the value.
	Rule string
}

func (i Issue) String() string {
	if i.Path == "" {
		return i.Rule
	}
	return i.Path + ": " + i.Rule
}

// Invalid is a value that does not fit its schema.
type Invalid struct {
	// Issues are the first of them, in a steady order.
	Issues []Issue
	// More is how many were left out.
	More int
}

func (e *Invalid) Error() string { return strings.Join(e.Texts(), "; ") }

// Texts are the issues as texts.
func (e *Invalid) Texts() []string {
	out := make([]string, 0, len(e.Issues)+1)
	for _, issue := range e.Issues {
		out = append(out, issue.String())
	}
	if e.More > 0 {
		out = append(out, fmt.Sprintf("and %d more", e.More))
	}
	return out
}

const (
	maxIssues = 20
	maxRule   = 200
	maxPath   = 200
)

// explanation turns the library's result into issues.
type explanation struct {
	schema *Schema
	issues []Issue
	more   int
}

func (x *explanation) invalid() *Invalid {
	if len(x.issues) == 0 {
		return &Invalid{Issues: []Issue{{Rule: "does not fit its schema"}}}
	}
	return &Invalid{Issues: x.issues, More: x.more}
}

func (x *explanation) add(path []any, format string, args ...any) {
	issue := Issue{pathText(path), clipRule(fmt.Sprintf(format, args...))}
	if slices.Contains(x.issues, issue) {
		return
	}
	if len(x.issues) == maxIssues {
		x.more++
		return
	}
	x.issues = append(x.issues, issue)
}

func clipRule(text string) string {
	if len(text) <= maxRule {
		return text
	}
	return strings.ToValidUTF8(text[:maxRule], "") + "…"
}

// explain adds what is wrong with value at path. The library's errors say which keywords failed, its details where; a detail counts only
// when the keyword it belongs to failed, for a branch of a union may fail without harm.
func (x *explanation) explain(result *jsonschema.EvaluationResult, value any, path []any) {
	for _, keyword := range slices.Sorted(maps.Keys(result.Errors)) {
		if text := x.rule(result.Errors[keyword]); text != "" {
			x.add(path, "%s", text)
		}
	}
	var anyOf, oneOf []*jsonschema.EvaluationResult
	details := slices.Clone(result.Details)
	slices.SortStableFunc(details, func(a, b *jsonschema.EvaluationResult) int {
		return comparePlaces(a.InstanceLocation, b.InstanceLocation)
	})
	for _, detail := range details {
		if detail.IsValid() {
			continue
		}
		keyword, rest, _ := strings.Cut(strings.TrimPrefix(detail.EvaluationPath, "/"), "/")
		switch keyword {
		case "", "allOf", "then", "else", "dependentSchemas": // "" is a reference's or an else's
			x.explain(detail, value, path)
		case "anyOf":
			anyOf = append(anyOf, detail)
		case "oneOf":
			oneOf = append(oneOf, detail)
		case "properties", "patternProperties", "additionalProperties", "unevaluatedProperties":
			if keyword == "unevaluatedProperties" {
				rest = strings.TrimPrefix(detail.InstanceLocation, "/")
			}
			object, _ := value.(map[string]any)
			if one, has := object[rest]; has { // a missing one is reported by `required`
				x.explainProperty(keyword, detail, one, extend(path, rest))
			}
		case "items", "prefixItems", "unevaluatedItems":
			list, _ := value.([]any)
			i, err := strconv.Atoi(strings.TrimPrefix(detail.InstanceLocation, "/"))
			if err == nil && i < len(list) {
				x.explain(detail, list[i], extend(path, i))
			}
		case "propertyNames":
			x.add(extend(path, rest), "must not be named so")
		}
	}
	for keyword, branches := range map[string][]*jsonschema.EvaluationResult{"anyOf": anyOf, "oneOf": oneOf} {
		if err := result.Errors[keyword]; err != nil && err.Code != "one_of_multiple_matches" {
			x.explainUnion(branches, value, path)
		}
	}
}

func (x *explanation) explainProperty(keyword string, detail *jsonschema.EvaluationResult, value any, path []any) {
	if (keyword == "additionalProperties" || keyword == "unevaluatedProperties") && detail.Errors["schema"] != nil {
		x.add(path, "is not a property of the schema")
		return
	}
	x.explain(detail, value, path)
}

// explainUnion reports the branch that was meant when one stands out: the only one the value comes close to. Otherwise it says that none fits.
func (x *explanation) explainUnion(branches []*jsonschema.EvaluationResult, value any, path []any) {
	var meant *jsonschema.EvaluationResult
	for _, branch := range branches {
		if farOff(branch, 0) {
			continue
		}
		if meant != nil {
			meant = nil
			break
		}
		meant = branch
	}
	if meant != nil {
		x.explain(meant, value, path)
		return
	}
	x.add(path, "must fit one of %d forms the schema allows", len(branches))
}

// farOff reports whether a value is of another kind than a branch describes: another type, or another word where the branch names one.
func farOff(result *jsonschema.EvaluationResult, level int) bool {
	if level > 8 {
		return false
	}
	for _, keyword := range []string{"type", "enum", "const", "schema", "not"} {
		if result.Errors[keyword] != nil {
			return true
		}
	}
	for _, detail := range result.Details {
		if detail.IsValid() {
			continue
		}
		keyword, _, _ := strings.Cut(strings.TrimPrefix(detail.EvaluationPath, "/"), "/")
		switch keyword {
		case "", "allOf":
			if farOff(detail, level+1) {
				return true
			}
		case "properties":
			if detail.Errors["const"] != nil || detail.Errors["enum"] != nil {
				return true
			}
		}
	}
	return false
}

func extend(path []any, step any) []any { return append(slices.Clip(path), step) }

// comparePlaces orders "/2" before "/10", and names by letter.
func comparePlaces(a, b string) int {
	m, errA := strconv.Atoi(strings.TrimPrefix(a, "/"))
	n, errB := strconv.Atoi(strings.TrimPrefix(b, "/"))
	if errA == nil && errB == nil {
		return m - n
	}
	return strings.Compare(a, b)
}

// rule says what a failed keyword demands; "" for keywords whose details say it better.
func (x *explanation) rule(err *jsonschema.EvaluationError) string {
	param := func(name string) string { return fmt.Sprint(err.Params[name]) }
	switch err.Keyword {
	case "type":
		if err.Params["expected"] == nil {
			return "must be a number"
		}
		return "must be " + article(strings.ReplaceAll(param("expected"), ", ", " or "))
	case "enum":
		return "must be one of " + param("expected")
	case "const":
		return "must be the one value the schema names"
	case "format":
		if p := x.schema.pattern(param("format")); p != nil {
			return "must match the pattern " + p.source
		}
	case "minimum":
		return "must be at least " + param("minimum")
	case "maximum":
		return "must be at most " + param("maximum")
	case "exclusiveMinimum":
		return "must be more than " + param("exclusive_minimum")
	case "exclusiveMaximum":
		return "must be less than " + param("exclusive_maximum")
	case "multipleOf":
		return "must be a multiple of " + param("divisor")
	case "minLength":
		return fmt.Sprintf("must have at least %s", counted(param("min_length"), "character"))
	case "maxLength":
		return fmt.Sprintf("must have at most %s", counted(param("max_length"), "character"))
	case "minItems":
		return fmt.Sprintf("must have at least %s", counted(param("min_items"), "item"))
	case "maxItems":
		return fmt.Sprintf("must have at most %s", counted(param("max_items"), "item"))
	case "minProperties":
		return "must have more properties"
	case "maxProperties":
		return "must have fewer properties"
	case "uniqueItems":
		return "must not hold an item twice"
	case "required":
		return "lacks " + strings.ReplaceAll(firstOf(err.Params, "property", "properties"), "'", "")
	case "dependentRequired":
		return "lacks a property that another one asks for"
	case "contains":
		return "must hold an item the schema asks for, and no more than it allows"
	case "not":
		return "must not be of a kind the schema excludes"
	case "schema":
		return "must not be there"
	case "oneOf":
		if err.Code == "one_of_multiple_matches" {
			return "must fit only one of the forms the schema allows"
		}
	case "unevaluatedItems":
		if err.Code == "unevaluated_items_not_allowed" {
			return "has more items than the schema describes"
		}
	}
	return ""
}

func firstOf(params map[string]any, names ...string) string {
	for _, name := range names {
		if value, has := params[name]; has {
			return fmt.Sprint(value)
		}
	}
	return "a property"
}

func article(kind string) string {
	switch {
	case kind == "null":
		return kind
	case strings.HasPrefix(kind, "a"), strings.HasPrefix(kind, "i"), strings.HasPrefix(kind, "o"):
		return "an " + kind
	}
	return "a " + kind
}

func counted(n, thing string) string {
	if n == "1" {
		return n + " " + thing
	}
	return n + " " + thing + "s"
}

// pattern finds a pattern by the name of its format.
func (s *Schema) pattern(format string) *pattern {
	for i, p := range s.patterns {
		if format == patternFormat(i) {
			return p
		}
	}
	return nil
}

// pathText writes a path the way scripts see it.
func pathText(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		case string:
			switch {
			case !plainName(step):
				fmt.Fprintf(&b, "[%q]", step)
			case b.Len() > 0:
				b.WriteString("." + step)
			default:
				b.WriteString(step)
			}
		}
		if b.Len() > maxPath {
			return strings.ToValidUTF8(b.String()[:maxPath], "") + "…"
		}
	}
	return b.String()
}

func plainName(s string) bool {
	for i, r := range s {
		if r != '_' && r != '$' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
