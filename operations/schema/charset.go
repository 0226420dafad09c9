package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// span is a range of characters, set a class made of them.
type (
	span struct{ low, high rune }
	set  []span
)

// The classes as JavaScript has them.
var (
	digits   = set{{'0', '9'}}
	words    = set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	spaces   = set{{'\t', '\r'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}}
	lineEnds = set{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}
)

// everything is every character.
var everything = set{{0, unicode.MaxRune}}

// property gives the characters of a Unicode property by its JavaScript name.
func property(name string) (set, error) {
	if key, value, has := strings.Cut(name, "="); has {
		switch key {
		case "Script", "sc":
			if table, known := unicode.Scripts[value]; known {
				return members(table), nil
			}
		case "General_Category", "gc":
			if table := category(value); table != nil {
				return members(table), nil
			}
		}
		return nil, unknownProperty(name)
	}
	switch name {
	case "Any":
		return everything, nil
	case "ASCII":
		return set{{0, 0x7f}}, nil
	case "Alphabetic", "Alpha":
		return members(unicode.L, unicode.Nl, unicode.Other_Alphabetic), nil
	case "Lowercase", "Lower":
		return members(unicode.Ll, unicode.Other_Lowercase), nil
	case "Uppercase", "Upper":
		return members(unicode.Lu, unicode.Other_Uppercase), nil
	}
	if table := category(name); table != nil {
		return members(table), nil
	}
	if table, known := unicode.Properties[name]; known && !strings.HasPrefix(name, "Other_") {
		return members(table), nil
	}
	return nil, unknownProperty(name)
}

func unknownProperty(name string) error {
	return fmt.Errorf(`uses \p{%s}, which is not supported here; general categories such as \p{L} and scripts such as \p{Script=Greek} are`, clip(name))
}

// category gives a general category by its short or long name.
func category(name string) *unicode.RangeTable {
	if short, has := unicode.CategoryAliases[name]; has {
		name = short
	}
	return unicode.Categories[name]
}

// members are the characters of tables, in order and without gaps between neighbours.
func members(tables ...*unicode.RangeTable) set {
	var out set
	add := func(low, high, stride rune) {
		if stride == 1 {
			out = append(out, span{low, high})
			return
		}
		for c := low; c <= high; c += stride {
			out = append(out, span{c, c})
		}
	}
	for _, table := range tables {
		for _, r := range table.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	joined := out[:1]
	for _, one := range out[1:] {
		if last := &joined[len(joined)-1]; one.low <= last.high+1 {
			last.high = max(last.high, one.high)
		} else {
			joined = append(joined, one)
		}
	}
	return joined
}

// complement are the characters that are not in a set in order.
func (s set) complement() set {
	var out set
	next := rune(0)
	for _, one := range s {
		if one.low > next {
			out = append(out, span{next, one.low - 1})
		}
		next = one.high + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, span{next, unicode.MaxRune})
	}
	return out
}
