package outcome

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Refusals are the refusals an output schema declares (spec §6.6): branches that require `status` "refused" and a `reason` from a list of
// codes. The zero value declares none.
type Refusals struct {
	// Unreadable: the schema lists a refused status that cannot be read as a declared refusal. It then declares none, and a run that
	// returns it ends as outcome_unknown.
	Unreadable bool

	reasons []string
}

// Reasons are the codes of all declared refusals, in the schema's order.
func (r Refusals) Reasons() []string { return slices.Clone(r.reasons) }

// Declare reports whether output, already found to fit its schema, is a declared refusal.
func (r Refusals) Declare(output json.RawMessage) bool {
	if len(r.reasons) == 0 {
		return false
	}
	var head struct {
		Status string `json:"status"`
		Reason string `json:"reason"`
	}
	return json.Unmarshal(output, &head) == nil && head.Status == statusRefused && slices.Contains(r.reasons, head.Reason)
}

// saysRefused reports whether output calls itself a refusal, declared or not.
func saysRefused(output json.RawMessage) bool {
	var head struct {
		Status any `json:"status"`
	}
	return json.Unmarshal(output, &head) == nil && head.Status == statusRefused
}

const statusRefused = "refused"

// refusalCode is a stable lower-case code.
var refusalCode = func(s string) bool {
	for part := range strings.SplitSeq(s, "_") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return s[0] >= 'a'
}

// ReadRefusals reads the declared refusals of an output schema. A schema it cannot follow (conditions, intersections, recursion) declares none.
func ReadRefusals(outputSchema json.RawMessage) Refusals {
	var root any
	decoder := json.NewDecoder(bytes.NewReader(outputSchema))
	decoder.UseNumber()
	if decoder.Decode(&root) != nil {
		return Refusals{}
	}
	s := &shape{root: root, budget: mostNodes}
	reasons, ambiguous := s.branches(root, 0)
	if ambiguous || len(reasons) == 0 {
		s.budget = mostNodes
		return Refusals{Unreadable: s.listsRefused(root)}
	}
	return Refusals{reasons: slices.Compact(reasons)}
}

// shape follows a JSON Schema far enough to tell its branches apart.
type shape struct {
	root any
	// budget is how many more nodes may be read.
	budget int
}

const (
	// deepest bounds how deep unions and references are followed; a recursive schema ends there as one that cannot be followed.
	deepest = 32
	// mostNodes bounds the work a schema may cause: references let a small one unfold into a huge one.
	mostNodes = 10_000
)

// branches walks a union. It gives the reasons of its refusal branches, and whether some other branch could have `status` "refused" too.
func (s *shape) branches(node any, depth int) (reasons []string, ambiguous bool) {
	object, known := s.open(node, depth)
	if !known {
		return nil, node != false
	}
	if list, isUnion := unionOf(object); isUnion {
		for _, branch := range list {
			more, unclear := s.branches(branch, depth+1)
			reasons, ambiguous = append(reasons, more...), ambiguous || unclear
		}
		return reasons, ambiguous
	}
	if !mayBe(object, "object") {
		return nil, false
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf", "not", "if", "dependentSchemas", "dependencies"} {
		if _, has := object[keyword]; has {
			return nil, true
		}
	}
	properties, _ := object["properties"].(map[string]any)
	status, declared := properties["status"]
	if !declared {
		return nil, s.admitsUndeclared(object, depth)
	}
	can, only := s.text(status, depth+1).against(statusRefused)
	if !can {
		return nil, false
	}
	listed := s.text(properties["reason"], depth+1)
	if !only || !requires(object, "status") || !requires(object, "reason") || !listed.closed || len(listed.values) == 0 {
		return nil, true
	}
	for _, code := range listed.values {
		if code == "" || !refusalCode(code) {
			return nil, true
		}
	}
	return listed.values, false
}

// admitsUndeclared reports whether an object that declares no `status` could have a refused one all the same.
func (s *shape) admitsUndeclared(object map[string]any, depth int) bool {
	patterns, _ := object["patternProperties"].(map[string]any)
	matched := false
	for pattern, schema := range patterns {
		if !couldMatch(pattern, "status") {
			continue
		}
		matched = true
		if can, _ := s.text(schema, depth+1).against(statusRefused); can {
			return true
		}
	}
	rest, has := object["additionalProperties"]
	if matched || !has {
		return !matched
	}
	can, _ := s.text(rest, depth+1).against(statusRefused)
	return can
}

// texts are the strings a schema admits: a closed list, or whatever fits the pattern.
type texts struct {
	closed bool
	values []string
	// pattern narrows an open list; empty when there is none.
	pattern string
	// more: the schema admits values that are no strings.
	more bool
}

// against reports whether the texts include word, and whether they are word alone.
func (t texts) against(word string) (can, only bool) {
	if t.closed {
		can = slices.Contains(t.values, word)
		return can, can && len(t.values) == 1 && !t.more
	}
	return t.pattern == "" || couldMatch(t.pattern, word), false
}

// text reads which strings a schema admits. What it cannot follow admits any.
func (s *shape) text(node any, depth int) texts {
	object, known := s.open(node, depth)
	if !known {
		return texts{closed: node == false, more: node != false}
	}
	if value, has := object["const"]; has {
		word, isText := value.(string)
		if !isText {
			return texts{closed: true, more: true}
		}
		return texts{closed: true, values: []string{word}}
	}
	if list, has := object["enum"].([]any); has {
		out := texts{closed: true}
		for _, value := range list {
			if word, isText := value.(string); isText {
				out.values = append(out.values, word)
			} else {
				out.more = true
			}
		}
		return out
	}
	if list, isUnion := unionOf(object); isUnion {
		out := texts{closed: true}
		for _, branch := range list {
			one := s.text(branch, depth+1)
			if !one.closed {
				if can, _ := one.against(statusRefused); can {
					return texts{more: true}
				}
				out.more = true // an open list that cannot hold the word that matters
				continue
			}
			out.values, out.more = append(out.values, one.values...), out.more || one.more
		}
		return out
	}
	if !mayBe(object, "string") {
		return texts{closed: true, more: true}
	}
	pattern, _ := object["pattern"].(string)
	return texts{pattern: pattern, more: !is(object, "string")}
}

// open follows references and single-element intersections to an object schema. Keywords beside a reference are kept and win.
func (s *shape) open(node any, depth int) (map[string]any, bool) {
	for ; depth < deepest && s.budget > 0; depth++ {
		s.budget--
		object, isObject := node.(map[string]any)
		if !isObject {
			return nil, false
		}
		var inner any
		var keyword string
		if ref, has := object["$ref"].(string); has {
			target, found := resolve(s.root, ref)
			if !found {
				return nil, false
			}
			inner, keyword = target, "$ref"
		} else if list, has := object["allOf"].([]any); has && len(list) == 1 {
			inner, keyword = list[0], "allOf"
		} else {
			return object, true
		}
		base, isObject := inner.(map[string]any)
		if !isObject {
			return nil, false
		}
		merged := make(map[string]any, len(base)+len(object))
		for key, value := range base {
			merged[key] = value
		}
		for key, value := range object {
			if key == keyword {
				continue
			}
			if _, both := merged[key]; both && !annotation(key) {
				return nil, false // two constraints of one kind: an intersection this reader does not compute
			}
			merged[key] = value
		}
		node = merged
	}
	return nil, false
}

// unionOf gives the branches of a schema that is a union and nothing else.
func unionOf(object map[string]any) ([]any, bool) {
	var branches []any
	for key, value := range object {
		switch {
		case key == "anyOf" || key == "oneOf":
			list, isList := value.([]any)
			if !isList || branches != nil {
				return nil, false
			}
			branches = list
		case key == "type" || annotation(key):
		default:
			return nil, false
		}
	}
	return branches, branches != nil
}

// annotation keywords say nothing of which values fit.
func annotation(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$comment", "$anchor", "$defs", "definitions", "title", "description", "default", "examples", "deprecated", "readOnly",
		"writeOnly", "format":
		return true
	}
	return false
}

func is(object map[string]any, kind string) bool { return object["type"] == kind }

// mayBe reports whether the schema's type keyword admits kind.
func mayBe(object map[string]any, kind string) bool {
	switch declared := object["type"].(type) {
	case string:
		return declared == kind
	case []any:
		return slices.Contains(declared, any(kind))
	}
	return true
}

func requires(object map[string]any, property string) bool {
	list, _ := object["required"].([]any)
	return slices.Contains(list, any(property))
}

// couldMatch errs towards yes: a pattern Go cannot read counts as matching.
func couldMatch(pattern, word string) bool {
	expression, err := regexp.Compile(pattern)
	return err != nil || expression.MatchString(word)
}

// resolve follows a JSON pointer reference at the schema's root.
func resolve(root any, ref string) (any, bool) {
	fragment, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil, false
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	node := root
	if pointer == "" {
		return node, true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch holder := node.(type) {
		case map[string]any:
			next, has := holder[token]
			if !has {
				return nil, false
			}
			node = next
		case []any:
			index, err := strconv.Atoi(token)
			if err != nil || index < 0 || index >= len(holder) {
				return nil, false
			}
			node = holder[index]
		default:
			return nil, false
		}
	}
	return node, true
}

// listsRefused reports whether some `status` anywhere in the schema lists "refused".
func (s *shape) listsRefused(node any) bool {
	if s.budget--; s.budget < 0 {
		return true // too large to tell, so it declares none that can be read
	}
	switch holder := node.(type) {
	case []any:
		return slices.ContainsFunc(holder, s.listsRefused)
	case map[string]any:
		if properties, has := holder["properties"].(map[string]any); has {
			if status, has := properties["status"]; has && s.namesRefused(status, 0) {
				return true
			}
		}
		for _, one := range holder {
			if s.listsRefused(one) {
				return true
			}
		}
	}
	return false
}

// namesRefused looks for the word in a status schema's own lists.
func (s *shape) namesRefused(node any, depth int) bool {
	if s.budget--; s.budget < 0 || depth > deepest {
		return false
	}
	object, _ := node.(map[string]any)
	if object["const"] == statusRefused {
		return true
	}
	if list, _ := object["enum"].([]any); slices.Contains(list, any(statusRefused)) {
		return true
	}
	if ref, has := object["$ref"].(string); has {
		if target, found := resolve(s.root, ref); found && s.namesRefused(target, depth+1) {
			return true
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := object[keyword].([]any)
		if slices.ContainsFunc(list, func(one any) bool { return s.namesRefused(one, depth+1) }) {
			return true
		}
	}
	return false
}
