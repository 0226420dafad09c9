package browser

import (
	"context"
	"net/url"
	"regexp"
	"strings"
)

// matches reports whether an URL is meant. Without any field set every URL is.
func (m URLMatch) matches(ctx context.Context, base, given string) (bool, error) {
	switch {
	case m.Match != nil:
		return m.Match(ctx, given)
	case m.Glob == "":
		return true, nil
	}
	pattern, err := globPattern(resolveGlob(base, m.Glob))
	if err != nil {
		return false, err
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false, plainError("Invalid glob pattern " + quoteJSON(m.Glob))
	}
	return re.MatchString(given), nil
}

// check reports a glob that cannot be one.
func (m URLMatch) check() error {
	_, err := globPattern(m.Glob)
	return err
}

// globPattern is the regular expression of Playwright's URL glob: * within a path segment, ** across them, {a,b}; everything
// else stands for itself.
func globPattern(glob string) (string, error) {
	var b strings.Builder
	b.WriteByte('^')
	inGroup := false
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; c {
		case '\\':
			if i+1 < len(glob) {
				i++
			}
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		case '*':
			start := i
			for i+1 < len(glob) && glob[i+1] == '*' {
				i++
			}
			switch {
			case i == start:
				b.WriteString("([^/]*)")
			case i+1 < len(glob) && glob[i+1] == '/':
				if start > 0 && glob[start-1] == '/' {
					b.WriteString("((.+/)|)")
				} else {
					b.WriteString("(.*/)")
				}
				i++
			default:
				b.WriteString("(.*)")
			}
		case '{':
			if inGroup {
				return "", plainError("Invalid glob pattern " + quoteJSON(glob) + ": nested '{' is not supported")
			}
			inGroup = true
			b.WriteByte('(')
		case '}':
			if !inGroup {
				return "", plainError("Invalid glob pattern " + quoteJSON(glob) + ": unmatched '}'")
			}
			inGroup = false
			b.WriteByte(')')
		case ',':
			if inGroup {
				b.WriteByte('|')
			} else {
				b.WriteByte(',')
			}
		default:
			if c < 0x80 {
				b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
			} else {
				b.WriteByte(c)
			}
		}
	}
	if inGroup {
		return "", plainError("Invalid glob pattern " + quoteJSON(glob) + ": unmatched '{'")
	}
	b.WriteByte('$')
	return b.String(), nil
}

// resolveGlob makes a glob absolute as an URL is made absolute; parts with glob characters go through unchanged.
func resolveGlob(base, glob string) string {
	if strings.HasPrefix(glob, "*") {
		return glob
	}
	glob = strings.ReplaceAll(glob, `\\?`, "?")
	for _, scheme := range []string{"about:", "data:", "chrome:", "edge:", "file:"} {
		if strings.HasPrefix(glob, scheme) {
			return glob
		}
	}
	kept := map[string]string{}
	keep := func(original, name string) string {
		if original == "" {
			return ""
		}
		kept[name] = original
		return name
	}
	parts := strings.Split(glob, "/")
	for i, part := range parts {
		switch {
		case part == "" || part == "." || part == "..":
		case i == 0 && strings.HasSuffix(part, ":"):
			if strings.ContainsAny(part, "*{") {
				parts[i] = keep(part, "http:")
			}
		case !strings.ContainsAny(part, `*?{}\`):
		default:
			name := "$_" + itoa(i) + "_$"
			before, after, query := strings.Cut(part, "?")
			if !query {
				parts[i] = keep(part, name)
				continue
			}
			parts[i] = keep(before, name) + keep("?"+after, "?"+name)
		}
	}
	resolved := resolveURL(base, strings.Join(parts, "/"))
	// Longer names first: "?$_1_$" holds "$_1_$".
	for name, original := range kept {
		if strings.HasPrefix(name, "?") {
			resolved = strings.Replace(resolved, name, original, 1)
		}
	}
	for name, original := range kept {
		if !strings.HasPrefix(name, "?") {
			resolved = strings.Replace(resolved, name, original, 1)
		}
	}
	return resolved
}

// resolveURL makes an URL absolute and gives a bare origin its slash; what is no URL stays as it is.
func resolveURL(base, given string) string {
	u, err := url.Parse(given)
	if err != nil {
		return given
	}
	if base != "" && u.Scheme == "" {
		b, err := url.Parse(base)
		if err != nil || b.Scheme == "" {
			return given
		}
		return withSlash(b.ResolveReference(u)).String()
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https", "ws", "wss":
	default:
		return given
	}
	if u.Host == "" {
		return given
	}
	lower := strings.ToLower(u.Scheme) + "://"
	rest := given[len(u.Scheme)+1:]
	rest = strings.TrimPrefix(rest, "//")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, tail := rest[:end], rest[end:]
	at := strings.LastIndexByte(authority, '@') + 1
	host := strings.ToLower(authority[at:])
	switch {
	case strings.HasSuffix(host, ":80") && (lower == "http://" || lower == "ws://"):
		host = strings.TrimSuffix(host, ":80")
	case strings.HasSuffix(host, ":443") && (lower == "https://" || lower == "wss://"):
		host = strings.TrimSuffix(host, ":443")
	}
	if tail == "" || tail[0] != '/' {
		tail = "/" + tail
	}
	return lower + authority[:at] + host + tail
}

func withSlash(u *url.URL) *url.URL {
	if u.Path == "" && u.Host != "" {
		u.Path = "/"
	}
	return u
}

// shorten cuts a text after n characters, with an ellipsis as the last of them.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}
