package supervisor

import (
	"testing"

	sites "github.com/pomerado-go/pomerado/operations/site"
)

func TestSiteIsTheOriginABrowserWouldWrite(t *testing.T) {
	for address, want := range map[string][2]string{
		"https://WWW.Example.com:443/a?b#c": {"https://www.example.com", "example.com"},
		"https://shop.example.co.uk":        {"https://shop.example.co.uk", "example.co.uk"},
		"https://a.github.io":               {"https://a.github.io", "a.github.io"}, // the private section counts
		"https://github.io":                 {"https://github.io", ""},
		"https://münchen.example:8443/":     {"https://xn--mnchen-3ya.example:8443", "xn--mnchen-3ya.example"},
		"http://example.com:80":             {"http://example.com", ""},
		"http://127.0.0.1:8080/x":           {"http://127.0.0.1:8080", ""},
		"https://[::1]:9/":                  {"https://[::1]:9", ""},
		"https://localhost/":                {"https://localhost", ""},
	} {
		site, err := readSite(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got := site.Scheme + "://" + site.Host; got != want[0] || (sites.Rules{}).DomainOf(site) != want[1] {
			t.Errorf("%s: origin %s, domain %q; want %s, %q", address, got, sites.Rules{}.DomainOf(site), want[0], want[1])
		}
	}
	for _, bad := range []string{"", "example.com", "ftp://a.test", "https://u@a.test", "https://", "https://a b", "javascript:alert(1)"} {
		if site, err := readSite(bad); err == nil {
			t.Errorf("%q was taken for the site %v", bad, site)
		}
	}
}
