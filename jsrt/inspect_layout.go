package jsrt

import (
	"fmt"
	"math"
	"strings"
)

// How inspect sets its parts: on one line, on several, in columns; and how it quotes strings. The rules are Node's.

// joined sets the parts on one line when they fit in 80 columns and nest no deeper than three levels, else on a line each; many items of
// an array share lines in columns. These are Node's rules.
func (p *inspector) joined(head string, parts []string, open, end string, level, indent int, array bool) string {
	if len(parts) == 0 {
		if array || head == "" || strings.HasSuffix(head, " ") {
			return head + open + end
		}
		return head
	}
	if head != "" && !strings.HasSuffix(head, " ") {
		head += " "
	}
	if p.options.compact {
		return head + open + " " + strings.Join(parts, ", ") + " " + end
	}
	lines := parts
	if array && len(parts) > 6 {
		lines = columns(parts, indent)
	}
	if len(lines) == len(parts) && p.depth-level < 3 && !strings.Contains(head, "\n") {
		total := 2*len(parts) + indent + len(head) + len(open) + 10
		for _, part := range parts {
			total += len(part)
			if strings.Contains(part, "\n") {
				total = lineWidth + 1
			}
		}
		if total <= lineWidth {
			return head + open + " " + strings.Join(parts, ", ") + " " + end
		}
	}
	pad := "\n" + strings.Repeat(" ", indent+2)
	return head + open + pad + strings.Join(lines, ","+pad) + "\n" + strings.Repeat(" ", indent) + end
}

// columns sets short items in columns of equal width; the items come back as they were when that does not pay.
func columns(parts []string, indent int) []string {
	items, rest := parts, []string(nil)
	if strings.HasPrefix(parts[len(parts)-1], "... ") {
		items, rest = parts[:len(parts)-1], parts[len(parts)-1:]
	}
	longest, total := 0, 0
	numbers := true
	for _, s := range items {
		longest = max(longest, len(s))
		total += len(s) + 2
		numbers = numbers && (s[0] == '-' || s[0] >= '0' && s[0] <= '9')
	}
	cell := longest + 2
	if cell*3+indent >= lineWidth || float64(total)/float64(cell) <= 5 && longest > 6 {
		return parts
	}
	// About as many columns as make the whole 2.5 times as wide as it is high.
	width := max(float64(cell)-3-math.Sqrt(float64(cell)-float64(total)/float64(len(items))), 1)
	n := min(int(math.Round(math.Sqrt(2.5*width*float64(len(items)))/width)), (lineWidth-indent)/cell, 12)
	if n <= 1 {
		return parts
	}
	widths := make([]int, n)
	for i, s := range items {
		widths[i%n] = max(widths[i%n], len(s)+2)
	}
	var out []string
	for i := 0; i < len(items); i += n {
		var b strings.Builder
		for j, s := range items[i:min(i+n, len(items))] {
			last := j == n-1 || i+j == len(items)-1
			gap := widths[j] - len(s) - 2
			if numbers {
				b.WriteString(strings.Repeat(" ", gap))
			}
			b.WriteString(s)
			if !last {
				b.WriteString(", ")
				if !numbers {
					b.WriteString(strings.Repeat(" ", gap))
				}
			}
		}
		out = append(out, b.String())
	}
	return append(out, rest...)
}

// quoteString writes a string in the quotes Node chooses.
func quoteString(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") {
		if !strings.Contains(s, `"`) {
			quote = '"'
		} else if !strings.ContainsAny(s, "`$") {
			quote = '`'
		}
	}
	cut := ""
	if len(s) > inspectString {
		cut = fmt.Sprintf("... %d more characters", len(s)-inspectString)
		s = s[:inspectString]
	}
	var b strings.Builder
	b.WriteByte(quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r == '\v':
			b.WriteString(`\v`)
		case r < 0x20 || r >= 0x7f && r <= 0x9f:
			fmt.Fprintf(&b, `\x%02X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(quote)
	return b.String() + cut
}
