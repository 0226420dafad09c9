package browser

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// wireCookie is Network.Cookie and Network.CookieParam.
type wireCookie struct {
	Name         string   `json:"name"`
	Value        string   `json:"value"`
	URL          string   `json:"url,omitempty"`
	Domain       string   `json:"domain,omitempty"`
	Path         string   `json:"path,omitempty"`
	Expires      *float64 `json:"expires,omitempty"`
	HTTPOnly     bool     `json:"httpOnly"`
	Secure       bool     `json:"secure"`
	SameSite     string   `json:"sameSite,omitempty"`
	PartitionKey *struct {
		TopLevelSite         string `json:"topLevelSite"`
		HasCrossSiteAncestor bool   `json:"hasCrossSiteAncestor"`
	} `json:"partitionKey,omitempty"`
}

func (c *Context) cookies(ctx context.Context, api string, urls []string) (list []Cookie, err error) {
	err = c.run(ctx, api, func(o *op) error {
		list, err = c.doCookies(o, urls)
		return err
	})
	return list, err
}

func (c *Context) doCookies(o *op, urls []string) ([]Cookie, error) {
	host, err := c.host()
	if err != nil {
		return nil, err
	}
	raw, err := host.GetCookies(o.ctx, c.ID())
	if err != nil {
		return nil, err
	}
	var wire []wireCookie
	if err := json.Unmarshal(raw, &wire); err != nil {
		return nil, err
	}
	list := []Cookie{}
	for _, w := range wire {
		cookie := Cookie{Name: w.Name, Value: w.Value, Domain: w.Domain, Path: w.Path, Expires: -1, HTTPOnly: w.HTTPOnly, Secure: w.Secure, SameSite: w.SameSite}
		if w.Expires != nil && *w.Expires > 0 {
			cookie.Expires = *w.Expires
		}
		if cookie.SameSite == "" {
			cookie.SameSite = "Lax"
		}
		if w.PartitionKey != nil {
			cookie.PartitionKey = w.PartitionKey.TopLevelSite
		}
		if len(urls) == 0 || slices.ContainsFunc(urls, cookie.goesTo) {
			list = append(list, cookie)
		}
	}
	return list, nil
}

// goesTo reports whether the cookie is sent to an URL.
func (c Cookie) goesTo(to string) bool {
	u, err := url.Parse(to)
	if err != nil {
		return false
	}
	host := u.Hostname()
	domain := c.Domain
	if !strings.HasPrefix(domain, ".") {
		domain = "." + domain
	}
	if !strings.HasSuffix("."+host, domain) {
		return false
	}
	path := u.Path
	if path == "" {
		path = "/"
	}
	if !strings.HasPrefix(path, c.Path) {
		return false
	}
	return !c.Secure || u.Scheme == "https" || host == "localhost"
}

func (c *Context) addCookies(ctx context.Context, api string, cookies []Cookie) error {
	return c.run(ctx, api, func(o *op) error { return c.doAddCookies(o, cookies) })
}

// latestExpiry is the last second of the year 9999; what is later no browser keeps.
const latestExpiry = 253402300799

func (c *Context) doAddCookies(o *op, cookies []Cookie) error {
	if len(cookies) == 0 {
		return nil
	}
	host, err := c.host()
	if err != nil {
		return err
	}
	list := make([]wireCookie, len(cookies))
	for i, cookie := range cookies {
		w := wireCookie{Name: cookie.Name, Value: cookie.Value, Domain: cookie.Domain, Path: cookie.Path, HTTPOnly: cookie.HTTPOnly, Secure: cookie.Secure, SameSite: cookie.SameSite}
		switch {
		case cookie.URL == "" && (cookie.Domain == "" || cookie.Path == ""):
			return plainError("Cookie should have a url or a domain/path pair")
		case cookie.URL != "" && cookie.Domain != "":
			return plainError("Cookie should have either url or domain")
		case cookie.URL != "" && cookie.Path != "":
			return plainError("Cookie should have either url or path")
		case cookie.Expires < 0 && cookie.Expires != -1, cookie.Expires > latestExpiry:
			return plainError("Cookie should have a valid expires, only -1 or a positive number for the unix timestamp in seconds is allowed")
		case cookie.URL == "about:blank":
			return plainError("Blank page can not have cookie \"" + cookie.Name + "\"")
		case strings.HasPrefix(cookie.URL, "data:"):
			return plainError("Data URL page can not have cookie \"" + cookie.Name + "\"")
		}
		if cookie.URL != "" {
			u, err := url.Parse(cookie.URL)
			if err != nil || u.Host == "" {
				return plainError("Invalid URL")
			}
			w.Domain, w.Path, w.Secure = u.Hostname(), u.Path[:strings.LastIndex(u.Path, "/")+1], u.Scheme == "https"
			if w.Path == "" {
				w.Path = "/"
			}
		}
		// Chromium drops cookies that expire at 0; without a time they live as long as the context.
		if cookie.Expires > 0 {
			w.Expires = &cookie.Expires
		}
		list[i] = w
	}
	return host.SetCookies(o.ctx, c.ID(), marshalStd(list))
}

func marshalStd(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// clearCookies removes cookies. Without a way to remove one, those to keep are set again.
func (c *Context) clearCookies(ctx context.Context, api string, match func(Cookie) bool) error {
	return c.run(ctx, api, func(o *op) error {
		host, err := c.host()
		if err != nil {
			return err
		}
		var keep []Cookie
		if match != nil {
			all, err := c.doCookies(o, nil)
			if err != nil {
				return err
			}
			keep = slices.DeleteFunc(all, match)
		}
		if err := host.ClearCookies(o.ctx, c.ID()); err != nil {
			return err
		}
		return c.doAddCookies(o, keep)
	})
}
