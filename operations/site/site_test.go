package site_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/operations/site"
)

func parse(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestDomain(t *testing.T) {
	added, err := site.NewRules("apps.example.com")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		rules      site.Rules
		host, want string
	}{
		{site.Rules{}, "www.example.com", "example.com"},
		{site.Rules{}, "example.com", "example.com"},
		{site.Rules{}, "a.b.example.co.uk", "example.co.uk"},
		{site.Rules{}, "co.uk", ""},
		{site.Rules{}, "a.github.io", "a.github.io"},
		{site.Rules{}, "x.a.github.io", "a.github.io"},
		{site.Rules{}, "github.io", ""},
		{site.Rules{}, "localhost", ""},
		{site.Rules{}, "127.0.0.1", ""},
		{site.Rules{}, "::1", ""},
		{site.Rules{}, "", ""},
		{site.Rules{}, "a..b", ""},
		{added, "one.apps.example.com", "one.apps.example.com"},
		{added, "x.one.apps.example.com", "one.apps.example.com"},
		{added, "apps.example.com", ""},
		{added, "www.example.com", "example.com"},
	} {
		if got := tt.rules.Domain(tt.host); got != tt.want {
			t.Errorf("Domain(%q) = %q, want %q", tt.host, got, tt.want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, tt := range []struct {
		origin, target string
		want           bool
	}{
		{"https://www.example.com", "https://example.com/a", true},
		{"https://www.example.com", "https://api.example.com:8443/a", true},
		{"https://www.example.com", "https://EXAMPLE.com", true},
		{"https://www.example.com", "http://www.example.com", false},
		{"https://www.example.com", "https://user@www.example.com", false},
		{"https://www.example.com", "https://example.org", false},
		{"https://a.github.io", "https://b.github.io", false},
		{"https://localhost", "https://localhost:444", true},
		{"http://www.example.com", "http://www.example.com:80/x", true},
		{"http://www.example.com", "http://example.com", false},
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080/", true},
		{"http://127.0.0.1:8080", "http://127.0.0.1:8081/", false},
		{"https://www.example.com", "data:text/html,x", false},
	} {
		if got := (site.Rules{}).Same(parse(t, tt.origin), parse(t, tt.target)); got != tt.want {
			t.Errorf("Same(%s, %s) = %v", tt.origin, tt.target, got)
		}
	}
}

func TestAddedSuffixesAreChecked(t *testing.T) {
	for _, bad := range []string{"", "com", "co.uk", "Apps.example.com", "a..b", "127.0.0.1", ".example.com", "a/b.c", "github.io"} {
		if _, err := site.NewRules("fine.example.com", bad); !errors.Is(err, site.ErrInvalidPrivateSuffix) {
			t.Errorf("NewRules(%q) = %v", bad, err)
		}
	}
}

func FuzzDomain(f *testing.F) {
	for _, seed := range []string{"www.example.com", "co.uk", "localhost", "1.2.3.4", "xn--bcher-kva.example", "..", "a.github.io"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		domain := site.Rules{}.Domain(host)
		if domain != "" && domain != host && !strings.HasSuffix(host, "."+domain) {
			t.Errorf("Domain(%q) = %q, which is not part of it", host, domain)
		}
		if again := (site.Rules{}).Domain(domain); again != domain {
			t.Errorf("Domain(%q) = %q, whose own is %q", host, domain, again)
		}
	})
}
