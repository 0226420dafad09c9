package sitehttp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/pomerado-go/pomerado/operations/site"
)

// Cookies are those of the run's browser context, in CDP's shapes: an array of Network.Cookie out, of Network.CookieParam in.
type Cookies interface {
	Cookies(ctx context.Context) (json.RawMessage, error)
	SetCookies(ctx context.Context, cookies json.RawMessage) error
}

// stored is a cookie as the browser keeps it.
type stored struct {
	Name         string          `json:"name"`
	Value        string          `json:"value"`
	Domain       string          `json:"domain"` // with a leading dot for a domain and all below it
	Path         string          `json:"path"`
	Secure       bool            `json:"secure"`
	SameSite     string          `json:"sameSite"`
	PartitionKey json.RawMessage `json:"partitionKey"`
}

// param is a cookie to be kept.
type param struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	URL      string  `json:"url"`
	Domain   string  `json:"domain,omitempty"`
	Path     string  `json:"path"`
	Secure   bool    `json:"secure,omitempty"`
	HTTPOnly bool    `json:"httpOnly,omitempty"`
	SameSite string  `json:"sameSite,omitempty"`
	Expires  float64 `json:"expires,omitempty"`
}

// cookieHeader is the Cookie header of a request to target: the context's cookies that a browser would send along. Partitioned ones belong
// to frames inside other sites and are left out, and so are, towards another site, those that do not say they may go there.
func cookieHeader(raw json.RawMessage, target *url.URL, sameSite bool) (string, error) {
	var all []stored
	if err := json.Unmarshal(raw, &all); err != nil {
		return "", fmt.Errorf("reading the context's cookies: %w", err)
	}
	host, path := strings.ToLower(target.Hostname()), cmp.Or(target.EscapedPath(), "/")
	all = slices.DeleteFunc(all, func(c stored) bool {
		return len(c.PartitionKey) > 0 && string(c.PartitionKey) != "null" || !domainMatches(c.Domain, host) || !pathMatches(c.Path, path) ||
			c.Secure && !trustworthy(target) || !sameSite && c.SameSite != "None"
	})
	slices.SortStableFunc(all, func(a, b stored) int { return len(b.Path) - len(a.Path) })
	pairs := make([]string, len(all))
	for i, c := range all {
		pairs[i] = c.Name + "=" + c.Value
		if c.Name == "" {
			pairs[i] = c.Value
		}
	}
	return strings.Join(pairs, "; "), nil
}

func domainMatches(domain, host string) bool {
	below, ok := strings.CutPrefix(domain, ".")
	return host == strings.ToLower(below) || ok && strings.HasSuffix(host, "."+strings.ToLower(below)) && !isAddress(host)
}

func pathMatches(cookie, path string) bool {
	return cookie == path || strings.HasPrefix(path, cookie) && (strings.HasSuffix(cookie, "/") || path[len(cookie)] == '/')
}

// trustworthy tells where secure cookies may go: https, and this very machine, as browsers have it.
func trustworthy(u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	addr, err := netip.ParseAddr(host)
	return u.Scheme == "https" || host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && addr.IsLoopback()
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// keep gives the cookies of an answer of from that a browser would keep.
func keep(cookies []*http.Cookie, from *url.URL, now time.Time) []param {
	host := strings.ToLower(from.Hostname())
	var out []param
	for _, c := range cookies {
		p := param{Name: c.Name, Value: c.Value, URL: site.Origin(from) + "/", Path: c.Path, Secure: c.Secure, HTTPOnly: c.HttpOnly}
		if !strings.HasPrefix(p.Path, "/") {
			p.Path = defaultPath(from)
		}
		domain := strings.ToLower(strings.TrimPrefix(c.Domain, "."))
		switch public, _ := publicsuffix.PublicSuffix(domain); {
		case domain == "" || domain == host && (public == domain || isAddress(host)):
		case public == domain || !domainMatches("."+domain, host):
			continue
		default:
			p.Domain = "." + domain
		}
		hostOnly := strings.HasPrefix(c.Name, "__Host-")
		if (hostOnly || strings.HasPrefix(c.Name, "__Secure-")) && !c.Secure || hostOnly && (p.Domain != "" || p.Path != "/") || c.Secure && !trustworthy(from) {
			continue
		}
		switch c.SameSite {
		case http.SameSiteStrictMode:
			p.SameSite = "Strict"
		case http.SameSiteLaxMode:
			p.SameSite = "Lax"
		case http.SameSiteNoneMode:
			if !c.Secure {
				continue
			}
			p.SameSite = "None"
		}
		switch {
		case c.MaxAge < 0 || c.MaxAge == 0 && !c.Expires.IsZero() && !c.Expires.After(now):
			p.Expires = 1 // long over: the browser drops the cookie it has
		case c.MaxAge > 0:
			p.Expires = float64(now.Add(time.Duration(min(c.MaxAge, 400*24*60*60)) * time.Second).Unix())
		case !c.Expires.IsZero():
			p.Expires = float64(c.Expires.Unix())
		}
		out = append(out, p)
	}
	return out
}

func defaultPath(u *url.URL) string {
	path := u.EscapedPath()
	if at := strings.LastIndex(path, "/"); at > 0 {
		return path[:at]
	}
	return "/"
}

// keepCookies gives an answer's cookies to the context. One the browser does not take is dropped, as a browser drops it.
func (c *Client) keepCookies(ctx context.Context, cookies []param) {
	all, err := json.Marshal(cookies)
	if err != nil || len(cookies) == 0 || c.opts.Cookies.SetCookies(ctx, all) == nil || len(cookies) == 1 {
		return
	}
	for _, one := range cookies {
		if alone, err := json.Marshal([]param{one}); err == nil {
			_ = c.opts.Cookies.SetCookies(ctx, alone)
		}
	}
}
