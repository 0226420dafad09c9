package jsrt

import (
	"strings"

	"github.com/dop251/goja"
	"github.com/nlnwa/whatwg-url/url"
)

// hostURL is what url.js calls: parse(input, base) and set(href, part, value). It answers the parts in the order url.js names them, or
// null where there is no URL.
func (rt *Runtime) hostURL(vm *goja.Runtime) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		text := func(i int) string { return call.Argument(i).String() }
		var u *url.Url
		var err error
		switch text(0) {
		case "parse":
			if goja.IsUndefined(call.Argument(2)) {
				u, err = url.Parse(text(1))
			} else {
				u, err = url.ParseRef(text(2), text(1))
			}
		case "set":
			if u, err = url.Parse(text(1)); err == nil {
				setURLPart(u, text(2), text(3))
			}
		}
		if err != nil || u == nil {
			return goja.Null()
		}
		return vm.NewArray(u.Href(false), urlOrigin(u), u.Protocol(), u.Username(), u.Password(), u.Host(), u.Hostname(), u.Port(),
			u.Pathname(), u.Search(), u.Hash())
	}
}

func setURLPart(u *url.Url, part, value string) {
	switch part {
	case "protocol":
		u.SetProtocol(value)
	case "username":
		u.SetUsername(value)
	case "password":
		u.SetPassword(value)
	case "host":
		u.SetHost(value)
	case "hostname":
		u.SetHostname(value)
	case "port":
		u.SetPort(value)
	case "pathname":
		u.SetPathname(value)
	case "search":
		u.SetSearch(value)
	case "hash":
		u.SetHash(value)
	}
}

// urlOrigin is the URL standard's serialised origin: a tuple for the special schemes but file, the inner URL's for blob:, else "null".
func urlOrigin(u *url.Url) string {
	switch u.Scheme() {
	case "http", "https", "ws", "wss", "ftp":
		return u.Protocol() + "//" + u.Host()
	case "blob":
		if inner, err := url.Parse(u.Pathname()); err == nil && (inner.Scheme() == "http" || inner.Scheme() == "https") {
			return urlOrigin(inner)
		}
	}
	return "null"
}

// percentDecode is the standard's percent-decode followed by UTF-8 decode without BOM handling.
func percentDecode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				out = append(out, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return strings.ToValidUTF8(string(out), "\ufffd")
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
