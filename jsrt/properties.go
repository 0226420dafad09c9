package jsrt

import (
	"slices"
	"strings"
	"unicode"
)

// span is a range of code points, both ends included.
type span = [2]rune

// propertySpans gives the code points of a \p{…} class as ECMAScript names them, sorted and merged; false for a name that Node knows
// and Go's tables (Unicode 15.0) do not give, or that nobody knows.
func propertySpans(expression string) ([]span, bool) {
	if name, value, ok := strings.Cut(expression, "="); ok {
		switch name {
		case "General_Category", "gc":
			return category(value)
		case "Script", "sc":
			return script(value)
		}
		return nil, false
	}
	if spans, ok := category(expression); ok {
		return spans, true
	}
	return binary(expression)
}

func category(name string) ([]span, bool) {
	if short, ok := categoryNames[name]; ok {
		name = short
	}
	switch name {
	case "LC":
		return merge(tables(unicode.Lu, unicode.Ll, unicode.Lt)), true
	case "Cn":
		return invert(merge(assigned())), true
	case "C":
		return merge(append(invert(merge(assigned())), tables(unicode.C)...)), true
	}
	if len(name) > 2 {
		return nil, false
	}
	if t, ok := unicode.Categories[name]; ok {
		return merge(tables(t)), true
	}
	return nil, false
}

var categoryNames = map[string]string{
	"Cased_Letter": "LC", "Close_Punctuation": "Pe", "Connector_Punctuation": "Pc", "Control": "Cc", "cntrl": "Cc", "Currency_Symbol": "Sc",
	"Dash_Punctuation": "Pd", "Decimal_Number": "Nd", "digit": "Nd", "Enclosing_Mark": "Me", "Final_Punctuation": "Pf", "Format": "Cf",
	"Initial_Punctuation": "Pi", "Letter": "L", "Letter_Number": "Nl", "Line_Separator": "Zl", "Lowercase_Letter": "Ll", "Mark": "M",
	"Combining_Mark": "M", "Math_Symbol": "Sm", "Modifier_Letter": "Lm", "Modifier_Symbol": "Sk", "Nonspacing_Mark": "Mn", "Number": "N",
	"Open_Punctuation": "Ps", "Other": "C", "Other_Letter": "Lo", "Other_Number": "No", "Other_Punctuation": "Po", "Other_Symbol": "So",
	"Paragraph_Separator": "Zp", "Private_Use": "Co", "Punctuation": "P", "punct": "P", "Separator": "Z", "Space_Separator": "Zs",
	"Spacing_Mark": "Mc", "Surrogate": "Cs", "Symbol": "S", "Titlecase_Letter": "Lt", "Unassigned": "Cn", "Uppercase_Letter": "Lu",
}

// scriptNames are the four-letter names of the scripts people write; the rest go by their long name.
var scriptNames = map[string]string{
	"Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Bopo": "Bopomofo", "Cyrl": "Cyrillic", "Deva": "Devanagari",
	"Ethi": "Ethiopic", "Geor": "Georgian", "Grek": "Greek", "Gujr": "Gujarati", "Guru": "Gurmukhi", "Hang": "Hangul", "Hani": "Han",
	"Hebr": "Hebrew", "Hira": "Hiragana", "Kana": "Katakana", "Khmr": "Khmer", "Knda": "Kannada", "Laoo": "Lao", "Latn": "Latin",
	"Mlym": "Malayalam", "Mong": "Mongolian", "Mymr": "Myanmar", "Sinh": "Sinhala", "Taml": "Tamil", "Telu": "Telugu", "Thaa": "Thaana",
	"Thai": "Thai", "Tibt": "Tibetan", "Zyyy": "Common", "Zinh": "Inherited", "Qaai": "Inherited",
}

func script(name string) ([]span, bool) {
	if long, ok := scriptNames[name]; ok {
		name = long
	}
	if t, ok := unicode.Scripts[name]; ok {
		return merge(tables(t)), true
	}
	return nil, false
}

var binaryNames = map[string]string{
	"AHex": "ASCII_Hex_Digit", "Alpha": "Alphabetic", "Bidi_C": "Bidi_Control", "DI": "Default_Ignorable_Code_Point", "Dep": "Deprecated",
	"Dia": "Diacritic", "EBase": "Emoji_Modifier_Base", "EComp": "Emoji_Component", "EMod": "Emoji_Modifier", "EPres": "Emoji_Presentation",
	"ExtPict": "Extended_Pictographic", "Ext": "Extender", "Gr_Base": "Grapheme_Base", "Gr_Ext": "Grapheme_Extend", "Hex": "Hex_Digit",
	"IDS": "ID_Start", "IDC": "ID_Continue", "IDSB": "IDS_Binary_Operator", "IDST": "IDS_Trinary_Operator", "Ideo": "Ideographic",
	"Join_C": "Join_Control", "LOE": "Logical_Order_Exception", "Lower": "Lowercase", "NChar": "Noncharacter_Code_Point",
	"Pat_Syn": "Pattern_Syntax", "Pat_WS": "Pattern_White_Space", "QMark": "Quotation_Mark", "RI": "Regional_Indicator",
	"SD": "Soft_Dotted", "STerm": "Sentence_Terminal", "Term": "Terminal_Punctuation", "UIdeo": "Unified_Ideograph", "Upper": "Uppercase",
	"VS": "Variation_Selector", "space": "White_Space",
}

// ownProperties are the ECMAScript properties that stand in Go's tables as they are; the rest of those tables are no property names.
const ownProperties = " ASCII_Hex_Digit Bidi_Control Dash Deprecated Diacritic Extender Hex_Digit IDS_Binary_Operator IDS_Trinary_Operator" +
	" Ideographic Join_Control Logical_Order_Exception Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space Quotation_Mark Radical" +
	" Regional_Indicator Sentence_Terminal Soft_Dotted Terminal_Punctuation Unified_Ideograph Variation_Selector White_Space "

// binary gives the properties of ECMAScript's table of binary Unicode properties, derived as DerivedCoreProperties.txt says.
func binary(name string) ([]span, bool) {
	if long, ok := binaryNames[name]; ok {
		name = long
	}
	lower := func() []span { return tables(unicode.Ll, unicode.Other_Lowercase) }
	upper := func() []span { return tables(unicode.Lu, unicode.Other_Uppercase) }
	pattern := func() []span { return tables(unicode.Pattern_Syntax, unicode.Pattern_White_Space) }
	idStart := func() []span { return tables(unicode.L, unicode.Nl, unicode.Other_ID_Start) }
	extend := func() []span { return tables(unicode.Me, unicode.Mn, unicode.Other_Grapheme_Extend) }
	switch name {
	case "Any":
		return []span{{0, unicode.MaxRune}}, true
	case "ASCII":
		return []span{{0, 0x7f}}, true
	case "Assigned":
		return merge(assigned()), true
	case "Alphabetic":
		return merge(slices.Concat(lower(), upper(), tables(unicode.Lt, unicode.Lm, unicode.Lo, unicode.Nl, unicode.Other_Alphabetic))), true
	case "Lowercase":
		return merge(lower()), true
	case "Uppercase":
		return merge(upper()), true
	case "Cased":
		return merge(slices.Concat(lower(), upper(), tables(unicode.Lt))), true
	case "Math":
		return merge(tables(unicode.Sm, unicode.Other_Math)), true
	case "ID_Start":
		return subtract(idStart(), pattern()), true
	case "ID_Continue":
		return subtract(slices.Concat(idStart(), tables(unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)), pattern()), true
	case "Grapheme_Extend":
		return merge(extend()), true
	case "Grapheme_Base":
		return subtract(assigned(), slices.Concat(extend(), tables(unicode.C, unicode.Zl, unicode.Zp))), true
	case "Default_Ignorable_Code_Point":
		return subtract(tables(unicode.Other_Default_Ignorable_Code_Point, unicode.Cf, unicode.Variation_Selector),
			append(tables(unicode.White_Space, unicode.Prepended_Concatenation_Mark), span{0xfff9, 0xfffb}, span{0x13430, 0x1343f})), true
	}
	if spans := emojiRanges(name); spans != nil {
		return spans, true
	}
	if strings.Contains(ownProperties, " "+name+" ") {
		return merge(tables(unicode.Properties[name])), true
	}
	return nil, false
}

// assigned is every code point with a general category; unicode.C holds the assigned ones of its kind.
func assigned() []span {
	return tables(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C)
}

func tables(ts ...*unicode.RangeTable) []span {
	var out []span
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			out = append(out, span{r, r})
		}
	}
	for _, t := range ts {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return out
}

func merge(in []span) []span {
	in = slices.Clone(in)
	slices.SortFunc(in, func(a, b span) int { return int(a[0]) - int(b[0]) })
	var out []span
	for _, s := range in {
		if n := len(out); n > 0 && s[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], s[1])
			continue
		}
		out = append(out, s)
	}
	return out
}

func invert(in []span) []span {
	var out []span
	next := rune(0)
	for _, s := range in {
		if s[0] > next {
			out = append(out, span{next, s[0] - 1})
		}
		next = s[1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, span{next, unicode.MaxRune})
	}
	return out
}

// subtract gives what is in a and not in b; neither needs to be merged.
func subtract(a, b []span) []span {
	return invert(merge(slices.Concat(invert(merge(a)), b)))
}
