package schema

import (
	"encoding/json"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// keyword rules check value, found at pointer in the schema at parent, and write what stands for it into out.
type rule func(n *normaliser, out map[string]any, keyword string, value any, pointer, parent string) error

// ruleFor gives the rule of a keyword; nil for one that says nothing here.
func ruleFor(keyword string) rule {
	switch keyword {
	case "$ref":
		return ruleRef
	case "$dynamicRef", "$recursiveRef":
		return ruleNoDynamicRef
	case "$defs", "definitions":
		return ruleChecked
	case "type":
		return ruleType
	case "enum":
		return ruleEnum
	case "const":
		return ruleKept
	case "multipleOf":
		return rulePositive
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return ruleNumber
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		return ruleCount
	case "pattern":
		return rulePattern
	case "format":
		return ruleText
	case "uniqueItems":
		return ruleBool
	case "required":
		return ruleNames
	case "dependentRequired":
		return ruleDependentNames
	case "properties":
		return ruleSchemas
	case "patternProperties":
		return rulePatternProperties
	case "dependentSchemas":
		return ruleSchemasInPlace
	case "dependencies":
		return ruleDependencies
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return ruleList
	case "not", "if", "then", "else", "additionalProperties", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties":
		return ruleSchema
	case "items":
		return ruleItems
	case "additionalItems":
		return ruleChecks
	}
	return nil
}

func ruleKept(_ *normaliser, out map[string]any, keyword string, value any, _, _ string) error {
	out[keyword] = value
	return nil
}

func ruleText(_ *normaliser, _ map[string]any, _ string, value any, at, _ string) error {
	if _, isText := value.(string); !isText {
		return wrong(at, "must be a text")
	}
	return nil
}

func ruleNoDynamicRef(_ *normaliser, _ map[string]any, keyword string, _ any, at, _ string) error {
	return wrong(at, "%s is not supported; refer to a place with $ref and a JSON pointer", keyword)
}

// ruleRef makes the place a reference names a definition of its own.
func ruleRef(n *normaliser, out map[string]any, _ string, value any, at, parent string) error {
	ref, isText := value.(string)
	if !isText {
		return wrong(at, "must be a text")
	}
	fragment, local := strings.CutPrefix(ref, "#")
	if !local {
		if strings.Contains(ref, "://") || strings.HasPrefix(ref, "urn:") || strings.HasPrefix(ref, "//") {
			return wrong(at, "names a URL (%s); a schema may refer only to its own parts, as #/$defs/Name", clip(ref))
		}
		return wrong(at, "names another file (%s); a schema may refer only to its own parts, as #/$defs/Name", clip(ref))
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return wrong(at, "has a broken %%-escape (%s)", clip(ref))
	}
	if pointer != "" && pointer[0] != '/' {
		return wrong(at, "names an anchor (%s); refer to the part by its JSON pointer, as #/$defs/Name", clip(ref))
	}
	node, canonical, found := lookUp(n.root, pointer)
	if !found {
		return wrong(at, "names a definition that is missing (%s)", clip(ref))
	}
	switch node.(type) {
	case map[string]any, bool:
	default:
		return wrong(at, "names something that is no schema (%s)", clip(ref))
	}
	name, made := n.names[canonical]
	if !made {
		name = defPrefix + strconv.Itoa(len(n.names))
		n.names[canonical] = name
		n.queue = append(n.queue, target{canonical, node})
	}
	n.inPlace[parent] = append(n.inPlace[parent], canonical)
	out["$ref"] = "#/$defs/" + name
	return nil
}

func clip(text string) string {
	if len(text) > 80 {
		return strings.ToValidUTF8(text[:80], "") + "…"
	}
	return text
}

// lookUp follows a JSON pointer; canonical is the pointer as join writes it.
func lookUp(root any, pointer string) (node any, canonical string, found bool) {
	node = root
	if pointer == "" {
		return node, "", true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch holder := node.(type) {
		case map[string]any:
			if node, found = holder[token]; !found {
				return nil, "", false
			}
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(holder) || strconv.Itoa(i) != token {
				return nil, "", false
			}
			node = holder[i]
		default:
			return nil, "", false
		}
		canonical = join(canonical, token)
	}
	return node, canonical, true
}

// ruleChecked checks definitions, used or not. Those a reference names are rewritten when their turn comes.
func ruleChecked(n *normaliser, _ map[string]any, keyword string, value any, at, parent string) error {
	return ruleSchemas(n, map[string]any{}, keyword, value, at, parent)
}

// ruleChecks checks a schema that stands for nothing here: `additionalItems`, which node takes up beside a tuple.
func ruleChecks(n *normaliser, _ map[string]any, _ string, value any, at, _ string) error {
	_, err := n.node(value, at)
	return err
}

func ruleType(_ *normaliser, out map[string]any, _ string, value any, at, _ string) error {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	if len(list) == 0 {
		return wrong(at, "must name at least one type")
	}
	for i, one := range list {
		name, isText := one.(string)
		if !isText || !slices.Contains(typeNames, name) {
			return wrong(at, "must be one of %s", strings.Join(typeNames, ", "))
		}
		if slices.Contains(list[:i], one) {
			return wrong(at, "names a type twice")
		}
	}
	out["type"] = value
	return nil
}

var typeNames = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

func ruleEnum(_ *normaliser, out map[string]any, _ string, value any, at, _ string) error {
	list, isList := value.([]any)
	if !isList {
		return wrong(at, "must be a list of values")
	}
	if len(list) == 0 {
		also(out, map[string]any{"not": true})
		return nil
	}
	out["enum"] = value
	return nil
}

func number(value any) (*big.Rat, bool) {
	n, isNumber := value.(json.Number)
	if !isNumber || !sane(n) {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

func ruleNumber(_ *normaliser, out map[string]any, keyword string, value any, at, _ string) error {
	if _, ok := number(value); !ok {
		return wrong(at, "must be a number")
	}
	out[keyword] = value
	return nil
}

func rulePositive(_ *normaliser, out map[string]any, keyword string, value any, at, _ string) error {
	if n, ok := number(value); !ok || n.Sign() <= 0 {
		return wrong(at, "must be a number above 0")
	}
	out[keyword] = value
	return nil
}

func ruleCount(_ *normaliser, out map[string]any, keyword string, value any, at, _ string) error {
	n, ok := number(value)
	if !ok || !n.IsInt() || n.Sign() < 0 {
		return wrong(at, "must be a whole number of 0 or more")
	}
	out[keyword] = value
	return nil
}

func ruleBool(_ *normaliser, out map[string]any, keyword string, value any, at, _ string) error {
	if _, isBool := value.(bool); !isBool {
		return wrong(at, "must be true or false")
	}
	out[keyword] = value
	return nil
}

func names(value any) bool {
	list, isList := value.([]any)
	if !isList {
		return false
	}
	seen := make(map[string]bool, len(list))
	for _, one := range list {
		name, isText := one.(string)
		if !isText || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

func ruleNames(_ *normaliser, out map[string]any, keyword string, value any, at, _ string) error {
	if !names(value) {
		return wrong(at, "must be a list of different property names")
	}
	out[keyword] = value
	return nil
}

func ruleDependentNames(_ *normaliser, out map[string]any, keyword string, value any, at, _ string) error {
	object, isObject := value.(map[string]any)
	if !isObject {
		return wrong(at, "must be an object of lists of property names")
	}
	for key, one := range object {
		if !names(one) {
			return wrong(join(at, key), "must be a list of different property names")
		}
	}
	out[keyword] = value
	return nil
}

func ruleDependencies(n *normaliser, out map[string]any, _ string, value any, at, parent string) error {
	object, isObject := value.(map[string]any)
	if !isObject {
		return wrong(at, "must be an object")
	}
	required, schemas := map[string]any{}, map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if _, isList := object[key].([]any); isList {
			required[key] = object[key]
			continue
		}
		place := join(at, key)
		rewritten, err := n.node(object[key], place)
		if err != nil {
			return err
		}
		n.inPlace[parent] = append(n.inPlace[parent], place)
		schemas[key] = rewritten
	}
	if err := ruleDependentNames(n, map[string]any{}, "", required, at, parent); err != nil {
		return err
	}
	also(out, map[string]any{"dependentRequired": required, "dependentSchemas": schemas})
	return nil
}

func ruleSchema(n *normaliser, out map[string]any, keyword string, value any, at, parent string) error {
	rewritten, err := n.node(value, at)
	if err != nil {
		return err
	}
	if keyword == "not" || keyword == "if" || keyword == "then" || keyword == "else" {
		n.inPlace[parent] = append(n.inPlace[parent], at)
	}
	out[keyword] = rewritten
	return nil
}

// also adds a schema that must hold beside the others.
func also(out, schema map[string]any) {
	schema["format"] = tickFormat
	out["allOf"] = append(listOf(out["allOf"]), schema)
}

func listOf(value any) []any {
	list, _ := value.([]any)
	return list
}

func ruleItems(n *normaliser, out map[string]any, _ string, value any, at, parent string) error {
	if _, tuple := value.([]any); tuple {
		if list := value.([]any); len(list) == 0 {
			return nil
		}
		return ruleList(n, out, "prefixItems", value, at, parent)
	}
	return ruleSchema(n, out, "items", value, at, parent)
}

func ruleList(n *normaliser, out map[string]any, keyword string, value any, at, parent string) error {
	list, isList := value.([]any)
	if !isList || len(list) == 0 {
		return wrong(at, "must be a list of schemas that is not empty")
	}
	rewritten := make([]any, len(list))
	for i, one := range list {
		place := join(at, strconv.Itoa(i))
		var err error
		if rewritten[i], err = n.node(one, place); err != nil {
			return err
		}
		if keyword != "prefixItems" {
			n.inPlace[parent] = append(n.inPlace[parent], place)
		}
	}
	out[keyword] = append(listOf(out[keyword]), rewritten...)
	return nil
}

func ruleSchemas(n *normaliser, out map[string]any, keyword string, value any, at, _ string) error {
	object, isObject := value.(map[string]any)
	if !isObject {
		return wrong(at, "must be an object of schemas")
	}
	rewritten := make(map[string]any, len(object))
	for _, key := range slices.Sorted(maps.Keys(object)) {
		var err error
		if rewritten[key], err = n.node(object[key], join(at, key)); err != nil {
			return err
		}
	}
	out[keyword] = rewritten
	return nil
}

func ruleSchemasInPlace(n *normaliser, out map[string]any, keyword string, value any, at, parent string) error {
	if err := ruleSchemas(n, out, keyword, value, at, parent); err != nil {
		return err
	}
	for key := range value.(map[string]any) {
		n.inPlace[parent] = append(n.inPlace[parent], join(at, key))
	}
	return nil
}

func rulePattern(n *normaliser, out map[string]any, _ string, value any, at, _ string) error {
	source, isText := value.(string)
	if !isText {
		return wrong(at, "must be a text")
	}
	p, err := compilePattern(source)
	if err != nil {
		return wrong(at, "%s", err)
	}
	n.schema.patterns = append(n.schema.patterns, p)
	out["format"] = patternFormat(len(n.schema.patterns) - 1)
	return nil
}

// rulePatternProperties translates the names. Two that come out alike are joined, since both would count.
func rulePatternProperties(n *normaliser, out map[string]any, keyword string, value any, at, parent string) error {
	object, isObject := value.(map[string]any)
	if !isObject {
		return wrong(at, "must be an object of schemas")
	}
	rewritten := make(map[string]any, len(object))
	for _, source := range slices.Sorted(maps.Keys(object)) {
		place := join(at, source)
		p, err := compilePattern(source)
		if err != nil {
			return wrong(place, "%s", err)
		}
		if p.linear == nil {
			return wrong(place, "a pattern of property names may not look ahead, look behind or refer back")
		}
		node, err := n.node(object[source], place)
		if err != nil {
			return err
		}
		translated := p.linear.String()
		if before, twice := rewritten[translated]; twice {
			node = map[string]any{"allOf": []any{before, node}, "format": tickFormat}
		}
		rewritten[translated] = node
	}
	out[keyword] = rewritten
	return nil
}
