package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Policy says what a run may connect to. Public addresses are always allowed, link-local, metadata and multicast addresses never.
type Policy struct {
	// Site is the run's own site. When it lives on loopback the run reaches loopback, when it lives in a private network it reaches
	// private networks. nil for none.
	Site *url.URL
	// AllowHosts narrows the run to these names (and its site's): "host", "*.domain" for every name below a domain, each with an
	// optional ":port". Empty for no narrowing.
	AllowHosts []string
	// Open allows loopback and public addresses, for page code that has no site.
	Open bool
	// Dial opens a connection to an IP address and port that was decided on; nil for the machine's own network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Resolve gives the addresses of a host name; nil for the machine's resolver.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

// allowed is one entry of AllowHosts.
type allowed struct {
	host  string // lower case, without a final dot
	below bool   // names below host instead of host itself
	port  string // empty for every port
}

// rules is a policy made ready to decide.
type rules struct {
	site     string // the site's host, canonical; empty for none
	open     bool
	allow    []allowed
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	resolver func(ctx context.Context, host string) ([]netip.Addr, error)

	// The site's class is looked up once, when the listener opens: names that point elsewhere later do not widen the policy.
	classKnown chan struct{}
	siteClass  class // forbidden when it could not be told; set before classKnown closes
}

func newRules(p Policy) (*rules, error) {
	r := &rules{open: p.Open, dial: p.Dial, resolver: p.Resolve, classKnown: make(chan struct{})}
	if r.dial == nil {
		r.dial = (&net.Dialer{}).DialContext
	}
	if r.resolver == nil {
		r.resolver = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if p.Site != nil {
		site, err := canonicalHost(p.Site.Hostname())
		if err != nil {
			return nil, fmt.Errorf("the site's address %q has no host that can be connected to: %w", p.Site.Redacted(), err)
		}
		r.site = site
	}
	for _, entry := range p.AllowHosts {
		a, err := parseAllowed(entry)
		if err != nil {
			return nil, fmt.Errorf("the allowed host %q is not understood: %w. Write a host name, *.domain, or either with :port", entry, err)
		}
		r.allow = append(r.allow, a)
	}
	return r, nil
}

func parseAllowed(entry string) (allowed, error) {
	host, port := strings.TrimSpace(entry), ""
	if h, p, err := net.SplitHostPort(host); err == nil {
		host, port = h, p
		if n, err := net.LookupPort("tcp", port); err != nil || n == 0 {
			return allowed{}, fmt.Errorf("%q is no port", port)
		}
	}
	rest, below := strings.CutPrefix(host, "*.")
	host, err := canonicalHost(strings.Trim(rest, "[]"))
	if err != nil {
		return allowed{}, err
	}
	if _, err := netip.ParseAddr(host); err == nil && below {
		return allowed{}, errors.New("no names are below an address")
	}
	return allowed{host: host, below: below, port: port}, nil
}

// canonicalHost gives a host name in lower case without its final dot, or an address in its usual form.
func canonicalHost(host string) (string, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return "", errors.New("an address with a zone is link-local")
		}
		return addr.Unmap().String(), nil
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "" || len(host) > 253 {
		return "", errors.New("a host name has 1 to 253 characters")
	}
	if strings.HasPrefix(host, ".") || strings.HasSuffix(host, ".") || strings.Contains(host, "..") {
		return "", errors.New("a host name has no empty parts")
	}
	for _, c := range []byte(host) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' && c != '_' {
			return "", fmt.Errorf("the character %q cannot be in a host name", c)
		}
	}
	return host, nil
}

// learnSite finds the class of the site. It is private or loopback only when every address of the site is.
func (r *rules) learnSite(ctx context.Context) {
	defer close(r.classKnown)
	if r.site == "" {
		return
	}
	addrs, err := r.resolve(ctx, r.site)
	if err != nil || len(addrs) == 0 {
		return
	}
	r.siteClass = classOf(addrs[0])
	for _, addr := range addrs[1:] {
		if classOf(addr) != r.siteClass {
			r.siteClass = public
		}
	}
}

// resolve gives the addresses of a canonical host.
func (r *rules) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		// RFC 6761: these names are loopback whatever a resolver says.
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	return r.resolver(ctx, host)
}

// refusal is why a connection is not made; its text goes to the ledger.
type refusal string

func (r refusal) Error() string { return string(r) }

// admit says whether a host name may be looked up at all.
func (r *rules) admit(host, port string) error {
	if len(r.allow) == 0 || host == r.site {
		return nil
	}
	for _, a := range r.allow {
		matches := host == a.host
		if a.below {
			matches = strings.HasSuffix(host, "."+a.host)
		}
		if matches && (a.port == "" || a.port == port) {
			return nil
		}
	}
	return refusal("the host is not among the allowed ones")
}

// decide says whether an address of a host may be connected to.
func (r *rules) decide(ctx context.Context, host string, addr netip.Addr) error {
	kind := classOf(addr)
	if kind == forbidden {
		return refusal("the address is link-local, multicast, metadata or reserved")
	}
	if kind == public && host != r.site {
		return nil
	}
	select {
	case <-r.classKnown:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	switch {
	case host == r.site && (r.siteClass == loopback || r.siteClass == private) && kind != r.siteClass:
		// Its first answer opened a private network to the run; it does not get to be a public site as well.
		return refusal(fmt.Sprintf("the site was at a %s address when the run began and is at a %s one now", r.siteClass, kind))
	case kind == public, kind == r.siteClass, kind == loopback && r.open:
		return nil
	}
	return refusal(fmt.Sprintf("the address is a %s one and the run's site is not", kind))
}
