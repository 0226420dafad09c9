package egress

import (
	"net/netip"
)

// class says what kind of place an address is.
type class int

const (
	// forbidden is never reached: link-local and cloud metadata addresses, multicast, unspecified and reserved ones.
	forbidden class = iota
	public
	loopback
	// private is RFC 1918, RFC 6598 (carrier-grade NAT), RFC 2544 and IPv6 unique local addresses: somebody's own network.
	private
)

func (c class) String() string {
	return [...]string{"forbidden", "public", "loopback", "private"}[c]
}

// blocks decides by the first that contains the address; the order matters. What is in none is forbidden.
var blocks = []struct {
	prefix netip.Prefix
	class  class
}{
	// Metadata services of clouds that live outside of the link-local block.
	{netip.MustParsePrefix("168.63.129.16/32"), forbidden},   // Azure
	{netip.MustParsePrefix("100.100.100.200/32"), forbidden}, // Alibaba
	{netip.MustParsePrefix("fd00:ec2::254/128"), forbidden},  // AWS over IPv6
	{netip.MustParsePrefix("fd20:ce::254/128"), forbidden},   // Google over IPv6
	{netip.MustParsePrefix("0.0.0.0/8"), forbidden},          // "this host": Linux connects it to loopback
	{netip.MustParsePrefix("127.0.0.0/8"), loopback},         //
	{netip.MustParsePrefix("10.0.0.0/8"), private},           //
	{netip.MustParsePrefix("172.16.0.0/12"), private},        //
	{netip.MustParsePrefix("192.168.0.0/16"), private},       //
	{netip.MustParsePrefix("100.64.0.0/10"), private},        // shared by providers and VPNs
	{netip.MustParsePrefix("198.18.0.0/15"), private},        // benchmarks; local proxies hand these out
	{netip.MustParsePrefix("169.254.0.0/16"), forbidden},     // link-local, metadata
	{netip.MustParsePrefix("192.0.0.0/24"), forbidden},       // protocol assignments
	{netip.MustParsePrefix("192.0.2.0/24"), forbidden},       // documentation
	{netip.MustParsePrefix("198.51.100.0/24"), forbidden},    // documentation
	{netip.MustParsePrefix("203.0.113.0/24"), forbidden},     // documentation
	{netip.MustParsePrefix("224.0.0.0/3"), forbidden},        // multicast, reserved, broadcast
	{netip.MustParsePrefix("0.0.0.0/0"), public},             //
	{netip.MustParsePrefix("::1/128"), loopback},             //
	{netip.MustParsePrefix("fc00::/7"), private},             // unique local
	{netip.MustParsePrefix("fec0::/10"), private},            // site-local, its ancestor
	{netip.MustParsePrefix("2001::/23"), forbidden},          // protocol assignments, Teredo
	{netip.MustParsePrefix("2001:db8::/32"), forbidden},      // documentation
	{netip.MustParsePrefix("3fff::/20"), forbidden},          // documentation
	{netip.MustParsePrefix("2000::/3"), public},              //
}

// Prefixes whose addresses carry an IPv4 address that decides: a router on the way turns them into it.
var (
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
	sixTo = netip.MustParsePrefix("2002::/16")
)

// classOf tells what an address is. IPv4 addresses inside IPv6 ones count as what they are.
func classOf(addr netip.Addr) class {
	if addr.Zone() != "" {
		return forbidden
	}
	addr = addr.Unmap()
	if addr.Is6() {
		b := addr.As16()
		switch {
		case nat64.Contains(addr):
			addr = netip.AddrFrom4([4]byte(b[12:16]))
		case sixTo.Contains(addr):
			addr = netip.AddrFrom4([4]byte(b[2:6]))
		}
	}
	for _, block := range blocks {
		if block.prefix.Contains(addr) {
			return block.class
		}
	}
	return forbidden
}
