package egress

import (
	"net/netip"
	"testing"
)

func TestClassOfAddresses(t *testing.T) {
	for text, want := range map[string]class{
		"93.184.216.34": public, "8.8.8.8": public, "172.32.0.1": public, "100.128.0.1": public, "1.1.1.1": public, "223.255.255.254": public,
		"2606:2800:220:1::1": public, "::ffff:8.8.8.8": public, "64:ff9b::808:808": public, "2002:808:808::1": public,
		"127.0.0.1": loopback, "127.255.0.9": loopback, "::1": loopback, "::ffff:127.0.0.1": loopback, "64:ff9b::7f00:1": loopback, "2002:7f00:1::": loopback,
		"10.0.0.1": private, "172.16.0.1": private, "172.31.255.255": private, "192.168.1.1": private, "100.64.0.1": private, "198.18.0.1": private,
		"fc00::1": private, "fd12:3456::1": private, "::ffff:10.1.2.3": private, "64:ff9b::a00:1": private, "fec0::1": private,
		"169.254.169.254": forbidden, "169.254.0.1": forbidden, "::ffff:169.254.169.254": forbidden, "64:ff9b::a9fe:a9fe": forbidden, "2002:a9fe:a9fe::": forbidden,
		"fe80::1": forbidden, "fe80::1%eth0": forbidden, "fd00:ec2::254": forbidden, "fd20:ce::254": forbidden, "168.63.129.16": forbidden, "100.100.100.200": forbidden,
		"0.0.0.0": forbidden, "0.1.2.3": forbidden, "::": forbidden, "::2": forbidden, "::7f00:1": forbidden, "224.0.0.1": forbidden, "239.1.1.1": forbidden,
		"240.0.0.1": forbidden, "255.255.255.255": forbidden, "ff02::1": forbidden, "192.0.0.192": forbidden, "192.0.2.1": forbidden, "203.0.113.9": forbidden,
		"198.51.100.7": forbidden, "2001::1": forbidden, "2001:db8::1": forbidden, "3fff::1": forbidden, "100::1": forbidden, "64:ff9b:1::1": forbidden, "::1%lo": forbidden,
	} {
		if got := classOf(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func FuzzClassOf(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add(netip.MustParseAddr("::ffff:127.0.0.1").AsSlice())
	f.Add(netip.MustParseAddr("64:ff9b::a9fe:a9fe").AsSlice())
	f.Fuzz(func(t *testing.T, raw []byte) {
		addr, ok := netip.AddrFromSlice(raw)
		if !ok {
			return
		}
		kind := classOf(addr)
		plain := addr.Unmap()
		switch {
		case (plain.IsLinkLocalUnicast() || plain.IsMulticast() || plain.IsUnspecified()) && kind != forbidden,
			plain.IsLoopback() && kind != loopback,
			plain.IsPrivate() && kind == public, plain.IsPrivate() && kind == loopback:
			t.Errorf("%s is %s", addr, kind)
		}
	})
}
