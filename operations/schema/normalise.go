package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// normaliser rewrites a schema of any draft into the 2020-12 subset the library judges rightly:
//
//   - every place a `$ref` names becomes a definition of its own, so a pointer means the same whatever else is rewritten;
//   - tuple `items` become `prefixItems`, `dependencies` the two keywords that replaced them;
//   - an empty `enum` fits nothing (the library takes it for none);
//   - `pattern` becomes a format of ours, every other subschema gets the counting one: formats are the only code of ours the library calls;
//   - names of `patternProperties` are translated to Go's syntax;
//   - what is no assertion is dropped.
//
// It checks each keyword's own form on the way, since the library compiles {"type":"strng"} without a word.
type normaliser struct {
	root   any
	schema *Schema
	nodes  int

	// names are the definitions made so far, by the pointer they stand for; queue those not rewritten yet.
	names map[string]string
	queue []target
	// inPlace are the subschemas that apply to the same value as their parent, by pointer: what may not go round in circles.
	inPlace map[string][]string
}

type target struct {
	pointer string
	node    any
}

const (
	tickFormat = "pomerado-tick"
	defPrefix  = "r"
)

func patternFormat(i int) string { return "pomerado-pattern-" + strconv.Itoa(i) }

func (n *normaliser) run() (any, error) {
	n.inPlace = map[string][]string{}
	root, err := n.node(n.root, "")
	if err != nil {
		return nil, err
	}
	definitions := map[string]any{}
	for len(n.queue) > 0 {
		next := n.queue[0]
		n.queue = n.queue[1:]
		if definitions[n.names[next.pointer]], err = n.node(next.node, next.pointer); err != nil {
			return nil, err
		}
	}
	if err := n.checkChains(); err != nil {
		return nil, err
	}
	object, isObject := root.(map[string]any)
	if !isObject || len(definitions) == 0 {
		return root, nil
	}
	object["$defs"] = definitions
	return object, nil
}

func wrong(pointer, format string, args ...any) error {
	return &Error{pointer, fmt.Sprintf(format, args...)}
}

func join(pointer, token string) string {
	return pointer + "/" + strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// node rewrites one subschema.
func (n *normaliser) node(node any, at string) (any, error) {
	if n.nodes++; n.nodes > MaxNodes {
		return nil, wrong(at, "the schema has more than %d parts", MaxNodes)
	}
	if strings.Count(at, "/") > maxNesting {
		return nil, wrong(at[:60], "the schema nests deeper than %d levels", maxNesting)
	}
	object, isObject := node.(map[string]any)
	if !isObject {
		if _, isBool := node.(bool); isBool {
			return node, nil
		}
		return nil, wrong(at, "must be a schema: an object, true or false")
	}
	out := map[string]any{"format": tickFormat}
	for _, keyword := range slices.Sorted(maps.Keys(object)) {
		rule := ruleFor(keyword)
		if rule == nil {
			continue
		}
		if err := rule(n, out, keyword, object[keyword], join(at, keyword), at); err != nil {
			return nil, err
		}
	}
	if _, tuple := object["items"].([]any); tuple {
		if rest, has := object["additionalItems"]; has {
			rewritten, err := n.node(rest, join(at, "additionalItems"))
			if err != nil {
				return nil, err
			}
			out["items"] = rewritten
		}
	}
	return out, nil
}

// checkChains refuses a schema that applies itself to the same value without end, and one that applies too many to it.
func (n *normaliser) checkChains() error {
	const open = -1
	length := map[string]int{}
	var measure func(at string, above int) (int, error)
	measure = func(at string, above int) (int, error) {
		switch known, seen := length[at]; {
		case seen && known == open:
			return 0, wrong(at, "refers to itself without end")
		case seen:
			return known, nil
		case above > MaxNodes:
			return 0, wrong(at, "applies more than %d schemas to one value", MaxChain)
		}
		length[at] = open
		longest := 0
		for _, next := range n.inPlace[at] {
			below, err := measure(next, above+1)
			if err != nil {
				return 0, err
			}
			longest = max(longest, below)
		}
		length[at] = longest + 1
		if longest+1 > MaxChain {
			return 0, wrong(at, "applies more than %d schemas to one value", MaxChain)
		}
		return longest + 1, nil
	}
	for _, at := range slices.Sorted(maps.Keys(n.inPlace)) {
		if _, err := measure(at, 0); err != nil {
			return err
		}
	}
	return nil
}
