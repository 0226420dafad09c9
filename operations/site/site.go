// Package site says which addresses belong to one site: the registrable domain under the public suffix list, its private section included
// (spec artifact-and-serving.md §12). Both sides of the wire may use it; it is pure and knows no run.
package site

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// ErrInvalidPrivateSuffix is wrapped by the error of a suffix that cannot be added.
var ErrInvalidPrivateSuffix = errors.New("not a private suffix")

// Rules decide what is one site. The zero value knows the public suffix list alone.
type Rules struct{ added []string }

// NewRules adds private suffixes to the list: each label directly under one is a site of its own, and the longest suffix of a host counts.
// An entry is a host name in lower case that is no public suffix by itself, such as "apps.example.com".
func NewRules(privateSuffixes ...string) (Rules, error) {
	for _, suffix := range privateSuffixes {
		if !isName(suffix) || !strings.Contains(suffix, ".") {
			return Rules{}, fmt.Errorf("%q: %w; write a host name in lower case", suffix, ErrInvalidPrivateSuffix)
		}
		if public, _ := publicsuffix.PublicSuffix(suffix); public == suffix {
			return Rules{}, fmt.Errorf("%q: %w; it is on the public list already", suffix, ErrInvalidPrivateSuffix)
		}
	}
	return Rules{slices.Clone(privateSuffixes)}, nil
}

func isName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
				return false
			}
		}
	}
	_, err := netip.ParseAddr(s)
	return err != nil
}

// Domain is the registrable domain of a host in lower case; empty for an address, a single label such as localhost and a bare suffix.
func (r Rules) Domain(host string) string {
	if !isName(host) {
		return ""
	}
	suffix, _ := publicsuffix.PublicSuffix(host)
	for _, added := range r.added {
		if len(added) > len(suffix) && (host == added || strings.HasSuffix(host, "."+added)) {
			suffix = added
		}
	}
	rest := strings.TrimSuffix(strings.TrimSuffix(host, suffix), ".")
	if rest == "" {
		return ""
	}
	return rest[strings.LastIndex(rest, ".")+1:] + "." + suffix
}

// Of is the site a host belongs to: its registrable domain, or the host itself where it has none.
func (r Rules) Of(host string) string {
	if domain := r.Domain(host); domain != "" {
		return domain
	}
	return host
}

// DomainOf is the registrable domain of an https origin, which scripts are given as siteDomain; empty when there is none.
func (r Rules) DomainOf(origin *url.URL) string {
	if origin.Scheme != "https" {
		return ""
	}
	return r.Domain(origin.Hostname())
}

// Same reports whether target belongs to the site of origin: both are https and of one site, or target is of that very origin.
// origin is written as browsers write origins: in lower case, without its scheme's own port and without user info.
func (r Rules) Same(origin, target *url.URL) bool {
	if target.User != nil || origin.Host == "" || target.Host == "" {
		return false
	}
	if Origin(target) == Origin(origin) {
		return true
	}
	return origin.Scheme == "https" && target.Scheme == "https" && r.Of(hostOf(origin)) == r.Of(hostOf(target))
}

// Origin is an address's scheme, host and port as browsers write them.
func Origin(u *url.URL) string {
	host, port := hostOf(u), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && !(u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80") {
		host += ":" + port
	}
	return u.Scheme + "://" + host
}

func hostOf(u *url.URL) string { return strings.ToLower(u.Hostname()) }
