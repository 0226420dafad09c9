package mask

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// redacted stands where a credential was, unless its own mark says what it was.
const redacted = "[redacted]"

// shapes are the credentials known by how they look or by the name before them.
type shapes struct {
	address, pem, jwt, aws, provider, jsonHeader, vault, header, cookie, bearer, basic, assigned, setting *regexp.Regexp
}

// compiled when first needed: a worker that masks nothing pays nothing.
var known = sync.OnceValue(func() *shapes {
	names := `(?:pass(?:word|wd|phrase|code)|pwd|(?:^|[^A-Za-z]|[a-z])(?:client[-_]?secret|secret[-_]?access[-_]?key|secret[-_]?key|account[-_]?key|security[-_]?token|private[-_]?key|api[-_]?key|access[-_]?token|refresh[-_]?token|id[-_]?token|session[-_]?token|auth[-_]?token|totp[-_]?seed))`
	re := regexp.MustCompile
	return &shapes{
		address:    re(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>` + "`" + `]+`),
		pem:        re(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|$)`),
		jwt:        re(`\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?`),
		aws:        re(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`),
		provider:   re(`\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|sk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|xox[abprs]-[A-Za-z0-9-]{10,}|whsec_[A-Za-z0-9+/=]{16,}|(?:phx|bl)_[A-Za-z0-9_-]{20,})`),
		jsonHeader: re(`(?i)("(?:proxy-)?authorization"|"(?:set-)?cookie")(\s*:\s*")((?:[^"\\]|\\.)*)"`),
		vault:      re(`("Secret(?:String|Binary)"\s*:\s*")((?:[^"\\]|\\.)*)"`),
		header:     re(`(?im)\b((?:proxy-)?authorization[ \t]*[:=][ \t]*)([^\r\n]+)`),
		cookie:     re(`(?im)\b((?:set-)?cookie[ \t]*:[ \t]*|cookie=)([^\r\n]+)`),
		bearer:     re(`(?i)\b(bearer[ \t]+)([A-Za-z0-9._~+/=-]{16,})`),
		basic:      re(`(?i)\b(basic[ \t]+)([A-Za-z0-9+/=_-]{6,})`),
		assigned:   re(`(?i)(` + names + `["']?[ \t]*=[ \t]*)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\[[^\]\n]*\]|[^\s"',;&]+)`),
		setting:    re(`(?i)(` + names + `["']?[ \t]*:[ \t]*)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s"',;{\[]+)`),
	}
})

// schemes are the words that begin the value of an authorization header.
var schemes = strings.Fields("basic bearer digest token negotiate ntlm aws4-hmac-sha256 oauth hawk hoba mutual scram-sha-1 scram-sha-256 vapid dpop gnap privatetoken apikey api-key key jwt mac ssws sso-key")

// Credentials masks what has the shape of a credential, or stands behind the name of one, in an error or diagnostic text. Addresses stay as
// they are, to the byte.
func Credentials(text string) string {
	if text == "" {
		return text
	}
	k := known()
	var out, plain strings.Builder
	var addresses []string
	last := 0
	for _, at := range k.address.FindAllStringIndex(text, -1) {
		plain.WriteString(strings.ReplaceAll(text[last:at[0]], setAside, string(utf8.RuneError)))
		plain.WriteString(setAside)
		addresses = append(addresses, text[at[0]:at[1]])
		last = at[1]
	}
	plain.WriteString(strings.ReplaceAll(text[last:], setAside, string(utf8.RuneError)))
	parts := strings.Split(k.mask(plain.String()), setAside)
	for i, part := range parts {
		out.WriteString(part)
		if i < len(addresses) && i < len(parts)-1 {
			out.WriteString(addresses[i])
		}
	}
	return out.String()
}

// setAside stands for an address while the rest is masked.
const setAside = "\uE000"

func (k *shapes) mask(text string) string {
	text = k.pem.ReplaceAllLiteralString(text, "[redacted_private_key]")
	text = k.vault.ReplaceAllString(text, `${1}`+redacted+`"`)
	text = group(k.jsonHeader, text, func(g []string) string {
		if ordinary(g[3]) {
			return g[0]
		}
		return g[1] + g[2] + redacted + `"`
	})
	text = group(k.header, text, func(g []string) string { return g[1] + authorization(g[2]) })
	text = group(k.cookie, text, func(g []string) string { return g[1] + cookies(g[2]) })
	text = k.jwt.ReplaceAllStringFunc(text, func(s string) string {
		if strings.Count(s, ".") == 2 || strings.HasSuffix(text, s) {
			return "[redacted_jwt]"
		}
		return s
	})
	text = k.aws.ReplaceAllLiteralString(text, "[redacted_aws_key]")
	text = k.provider.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "sk-") && !random(s[3:]) {
			return s
		}
		return "[redacted_token]"
	})
	text = group(k.bearer, text, func(g []string) string {
		if !longRun(g[2], 8) {
			return g[0]
		}
		return g[1] + redacted
	})
	text = group(k.basic, text, func(g []string) string {
		decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(g[2], "="))
		if err != nil || !strings.Contains(string(decoded), ":") || !printable(string(decoded)) {
			return g[0]
		}
		return g[1] + redacted
	})
	text = group(k.assigned, text, func(g []string) string {
		if kept(g[2]) || strings.HasSuffix(strings.TrimRight(g[1], " \t=\"'"), "OLDPWD") || strings.HasSuffix(strings.TrimRight(g[1], " \t=\"'"), "PWD") {
			return g[0]
		}
		return g[1] + redacted
	})
	return group(k.setting, text, func(g []string) string {
		if kept(g[2]) || ordinary(g[2]) {
			return g[0]
		}
		return g[1] + redacted
	})
}

// group replaces each match by what f makes of its groups.
func group(re *regexp.Regexp, text string, f func([]string) string) string {
	return re.ReplaceAllStringFunc(text, func(match string) string {
		if g := re.FindStringSubmatch(match); g != nil {
			return f(g)
		}
		return match
	})
}

// authorization masks what stands behind the name of an authorization header.
func authorization(value string) string {
	scheme, rest, spaced := strings.Cut(value, " ")
	switch {
	case spaced && slices.Contains(schemes, strings.ToLower(scheme)):
		first, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if ordinary(first) {
			return value
		}
		return scheme + " " + redacted
	case spaced && opaque(strings.Fields(rest + " x")[0]):
		return scheme + " " + redacted
	case opaque(scheme):
		return strings.TrimSuffix(redacted+" "+rest, " ")
	}
	return value
}

var cookieAttributes = map[string]bool{"path": true, "domain": true, "expires": true, "max-age": true, "samesite": true, "priority": true}

// cookies masks the values of a cookie header's pairs and keeps the attributes of a setting one.
func cookies(run string) string {
	parts := strings.Split(run, ";")
	for i, part := range parts {
		name, value, pair := strings.Cut(part, "=")
		switch {
		case pair && !cookieAttributes[strings.ToLower(strings.TrimSpace(name))] && !strings.ContainsAny(strings.TrimSpace(name), " \t"):
			parts[i] = name + "=" + redacted
			if at := strings.IndexByte(value, ' '); at >= 0 { // a value ends at a space: what follows is prose
				parts[i] += value[at:]
			}
		case !pair && i == 0 && opaque(strings.TrimSpace(part)):
			parts[i] = redacted
		}
	}
	return strings.Join(parts, ";")
}

// kept are values that are no secrets whatever stands before them.
func kept(value string) bool {
	switch strings.ToLower(strings.Trim(value, `"'`)) {
	case "", "true", "false", "null", "undefined", "none", "nil", redacted, Private:
		return true
	}
	return strings.HasPrefix(value, redacted) || strings.HasPrefix(value, Private)
}

// ordinary is one word of prose: letters in one of the usual cases, joined by - or ', with punctuation behind.
func ordinary(word string) bool {
	word = strings.TrimRight(word, ".,;:!?)")
	if word == "" {
		return false
	}
	for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '\'' }) {
		for _, r := range part {
			if !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
				return false
			}
		}
		if rest := part[1:]; part != strings.ToUpper(part) && rest != strings.ToLower(rest) {
			return false
		}
	}
	return true
}

// opaque is a text that looks made by a machine.
func opaque(value string) bool {
	if ordinary(value) {
		return false
	}
	return len(value) >= 16 || len(value) >= 8 && strings.ContainsAny(value, "0123456789") && strings.ContainsFunc(value, func(r rune) bool { return r >= 'A' })
}

// random is a body of upper case and at least three digits, or one with a long run that holds a digit.
func random(body string) bool {
	digits := 0
	for _, r := range body {
		if '0' <= r && r <= '9' {
			digits++
		}
	}
	return digits >= 3 && body != strings.ToLower(body) || longRun(body, 16)
}

// longRun says whether a text has a run of least letters and digits with a digit in it.
func longRun(text string, least int) bool {
	for _, run := range strings.FieldsFunc(text, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
	}) {
		if len(run) >= least && strings.ContainsAny(run, "0123456789") {
			return true
		}
	}
	return false
}

func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}
