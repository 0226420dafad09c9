package egress

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/proxy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a network of the test's own: names resolve by a table that may change, and every address is dialled at one local server.
type world struct {
	mu     sync.Mutex
	names  map[string][]string
	dialed []string
	server net.Listener
}

func newWorld(t *testing.T, serve func(net.Conn)) *world {
	t.Helper()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				defer conn.Close()
				serve(conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = server.Close()
		work.Wait()
	})
	return &world{names: map[string][]string{}, server: server}
}

func (w *world) resolve(_ context.Context, host string) ([]netip.Addr, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var addrs []netip.Addr
	for _, text := range w.names[host] {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	if addrs == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return addrs, nil
}

func (w *world) dial(ctx context.Context, network, address string) (net.Conn, error) {
	w.mu.Lock()
	w.dialed = append(w.dialed, address)
	w.mu.Unlock()
	return (&net.Dialer{}).DialContext(ctx, network, w.server.Addr().String())
}

func (w *world) set(host string, addrs ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names[host] = addrs
}

func echo(conn net.Conn) { _, _ = io.Copy(conn, conn) }

func open(t *testing.T, policy Policy) (*Proxy, proxy.Dialer) {
	t.Helper()
	p, err := Listen(t.Context(), policy)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	client, err := proxy.SOCKS5("tcp", strings.TrimPrefix(p.Addr(), "socks5://"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, client
}

func site(text string) *url.URL {
	parsed, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return parsed
}

func TestPolicyIsAppliedToTheResolvedAddress(t *testing.T) {
	w := newWorld(t, echo)
	w.set("public.test", "93.184.216.34")
	w.set("inside.test", "10.0.0.5")
	w.set("six.test", "fd12::5")
	w.set("here.test", "127.0.0.1")
	w.set("mapped.test", "::ffff:127.0.0.1")
	w.set("meta.test", "169.254.169.254")
	w.set("both.test", "10.0.0.5", "93.184.216.34")
	tests := []struct {
		name    string
		policy  Policy
		reaches map[string]string // target to the address dialled; empty when refused
	}{
		{"a public site", Policy{Site: site("https://public.test/")}, map[string]string{
			"public.test:443": "93.184.216.34:443", "8.8.8.8:53": "8.8.8.8:53", "both.test:80": "93.184.216.34:80",
			"inside.test:80": "", "six.test:80": "", "here.test:80": "", "mapped.test:80": "", "localhost:80": "", "127.0.0.1:80": "", "10.0.0.5:80": "",
			"meta.test:80": "", "169.254.169.254:80": "", "0.0.0.0:80": "", "[::1]:80": "", "[::ffff:127.0.0.1]:80": "", "[fe80::1]:80": ""}},
		{"a loopback site", Policy{Site: site("http://127.0.0.1:4000/")}, map[string]string{
			"127.0.0.1:4000": "127.0.0.1:4000", "localhost:4001": "127.0.0.1:4001", "a.localhost:80": "127.0.0.1:80", "[::1]:80": "[::1]:80", "here.test:80": "127.0.0.1:80",
			"mapped.test:80": "127.0.0.1:80", "public.test:80": "93.184.216.34:80", "inside.test:80": "", "meta.test:80": "", "0.0.0.0:80": ""}},
		{"localhost by name", Policy{Site: site("http://localhost:4000/")}, map[string]string{"localhost:4000": "127.0.0.1:4000", "127.0.0.1:5": "127.0.0.1:5", "10.0.0.5:80": ""}},
		{"a private site", Policy{Site: site("http://inside.test/")}, map[string]string{
			"inside.test:80": "10.0.0.5:80", "192.168.1.1:80": "192.168.1.1:80", "six.test:80": "[fd12::5]:80", "here.test:80": "", "meta.test:80": "", "public.test:80": "93.184.216.34:80"}},
		{"a site with addresses of both kinds", Policy{Site: site("http://both.test/")}, map[string]string{"both.test:80": "93.184.216.34:80", "10.0.0.5:80": ""}},
		{"open", Policy{Open: true}, map[string]string{
			"here.test:80": "127.0.0.1:80", "public.test:80": "93.184.216.34:80", "inside.test:80": "", "meta.test:80": ""}},
		{"nothing", Policy{}, map[string]string{"public.test:80": "93.184.216.34:80", "127.0.0.1:80": ""}},
		{"narrowed", Policy{Site: site("http://public.test/"), AllowHosts: []string{"*.cdn.test", "8.8.8.8", "api.test:8443", "HERE.test."}}, map[string]string{
			"public.test:80": "93.184.216.34:80", "8.8.8.8:1": "8.8.8.8:1", "a.cdn.test:80": "1.1.1.1:80", "A.B.CDN.test:80": "1.1.1.1:80", "api.test:8443": "1.1.1.2:8443",
			"cdn.test:80": "", "xcdn.test:80": "", "api.test:443": "", "8.8.4.4:80": "", "here.test:80": ""}},
	}
	w.set("a.cdn.test", "1.1.1.1")
	w.set("a.b.cdn.test", "1.1.1.1")
	w.set("cdn.test", "1.1.1.1")
	w.set("xcdn.test", "1.1.1.1")
	w.set("api.test", "1.1.1.2")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.policy.Dial, test.policy.Resolve = w.dial, w.resolve
			_, client := open(t, test.policy)
			for target, want := range test.reaches {
				w.mu.Lock()
				w.dialed = nil
				w.mu.Unlock()
				conn, err := client.Dial("tcp", target)
				if conn != nil {
					_ = conn.Close()
				}
				w.mu.Lock()
				dialed := strings.Join(w.dialed, " ")
				w.mu.Unlock()
				if want == "" && (err == nil || !strings.Contains(err.Error(), "not allowed")) {
					t.Errorf("%s: %v, want refused by the rules", target, err)
				}
				if want != "" && err != nil || dialed != want {
					t.Errorf("%s: dialled %q, %v; want %q", target, dialed, err, want)
				}
			}
		})
	}
}

func TestNamesThatChangeTheirAddressGainNothing(t *testing.T) {
	w := newWorld(t, echo)
	w.set("site.test", "93.184.216.34")
	w.set("evil.test", "93.184.216.35")
	p, client := open(t, Policy{Site: site("http://site.test/"), Dial: w.dial, Resolve: w.resolve})
	for _, host := range []string{"evil.test", "site.test"} {
		conn, err := client.Dial("tcp", host+":80")
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
		for _, inside := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "::1"} {
			w.set(host, inside)
			if conn, err := client.Dial("tcp", host+":80"); err == nil {
				_ = conn.Close()
				t.Errorf("%s reaches %s after it moved there", host, inside)
			}
		}
	}
	_ = p.Close()

	// The other way round: a site that was private when the run began does not become a public one.
	w.set("site.test", "10.0.0.1")
	_, client = open(t, Policy{Site: site("http://site.test/"), Dial: w.dial, Resolve: w.resolve})
	conn, err := client.Dial("tcp", "site.test:80")
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	w.set("site.test", "93.184.216.34")
	if conn, err := client.Dial("tcp", "site.test:80"); err == nil {
		_ = conn.Close()
		t.Error("a private site is reached at a public address")
	}
}

func TestTheLedgerTellsWhatWasConnectedTo(t *testing.T) {
	w := newWorld(t, func(conn net.Conn) {
		line, _ := bufio.NewReader(conn).ReadString('\n')
		_, _ = io.WriteString(conn, strings.Repeat("x", 100_000)+line)
	})
	w.set("site.test", "93.184.216.34")
	p, client := open(t, Policy{Site: site("http://site.test/"), Dial: w.dial, Resolve: w.resolve})
	conn, err := client.Dial("tcp", "SITE.test:8080")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(conn, "hello\n")
	if lines, _ := p.Ledger(); len(lines) != 1 || !lines[0].Ended.IsZero() {
		t.Errorf("while it is open: %+v", lines)
	}
	answer, err := io.ReadAll(conn)
	if err != nil || len(answer) != 100_006 {
		t.Errorf("%d bytes, %v", len(answer), err)
	}
	_ = conn.Close()
	_, err = client.Dial("tcp", "127.0.0.1:80")
	if err == nil {
		t.Error("loopback is reached")
	}
	_, err = client.Dial("tcp", "missing.test:80")
	if err == nil || !strings.Contains(err.Error(), "host unreachable") {
		t.Errorf("a missing name: %v", err)
	}
	_ = p.Close()
	lines, more := p.Ledger()
	if len(lines) != 3 || more != 0 {
		t.Fatalf("%d lines and %d more: %+v", len(lines), more, lines)
	}
	one := lines[0]
	if one.Host != "site.test" || one.Port != "8080" || one.IP.String() != "93.184.216.34" || one.Sent != 6 || one.Received != 100_006 || one.Refused != "" || one.Ended.Before(one.Begun) {
		t.Errorf("the connection: %+v", one)
	}
	if lines[1].Host != "127.0.0.1" || lines[1].Refused != "the address is a loopback one and the run's site is not" || lines[1].IP.IsValid() {
		t.Errorf("the refused one: %+v", lines[1])
	}
	if !strings.Contains(lines[2].Refused, "no such host") {
		t.Errorf("the missing one: %+v", lines[2])
	}
}

func TestCloseCutsEverythingAtOnce(t *testing.T) {
	got := make(chan error, 1)
	w := newWorld(t, func(conn net.Conn) {
		_, _ = io.WriteString(conn, "hello")
		_, err := io.Copy(io.Discard, conn)
		got <- err
	})
	w.set("site.test", "93.184.216.34")
	w.set("slow.test", "93.184.216.35")
	dialing := make(chan struct{})
	p, client := open(t, Policy{Site: site("http://site.test/"), Resolve: w.resolve, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "93.184.216.35") {
			close(dialing)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return w.dial(ctx, network, address)
	}})
	conn, err := client.Dial("tcp", "site.test:80")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	idle, err := net.Dial("tcp", strings.TrimPrefix(p.Addr(), "socks5://"))
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	pending := make(chan error, 1)
	go func() {
		_, err := client.Dial("tcp", "slow.test:80")
		pending <- err
	}()
	<-dialing
	start := time.Now()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("Close took %s", took)
	}
	if err := <-pending; err == nil {
		t.Error("a connection that was being made got made")
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the browser's end is open")
	}
	if err := <-got; err == nil {
		t.Error("the site's end was closed in order, want it cut")
	}
	if _, err := idle.Read(make([]byte, 1)); err == nil {
		t.Error("a client that had not asked yet is still connected")
	}
	if _, err := client.Dial("tcp", "site.test:80"); err == nil {
		t.Error("the proxy takes connections after Close")
	}
	if err := p.Close(); err != nil {
		t.Errorf("a second Close gives %v", err)
	}
}

func TestASlowFirstAddressDoesNotHoldUpTheSecond(t *testing.T) {
	w := newWorld(t, echo)
	w.set("site.test", "2606:2800::1", "93.184.216.34")
	left := make(chan struct{})
	p, client := open(t, Policy{Site: site("http://site.test/"), Resolve: w.resolve, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "[2606") {
			<-ctx.Done()
			close(left)
			return nil, ctx.Err()
		}
		return w.dial(ctx, network, address)
	}})
	conn, err := client.Dial("tcp", "site.test:80")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	<-left
	if lines, _ := p.Ledger(); lines[0].IP.String() != "93.184.216.34" {
		t.Errorf("connected to %s", lines[0].IP)
	}
}

func TestOnlyConnectWithoutAuthenticationIsServed(t *testing.T) {
	w := newWorld(t, echo)
	p, _ := open(t, Policy{Open: true, Dial: w.dial, Resolve: w.resolve})
	target := []byte{1, 93, 184, 216, 34, 0, 80}
	for name, test := range map[string]struct{ send, want []byte }{
		"HTTP":                 {[]byte("GET http://x/ HTTP/1.1\r\n\r\n"), []byte{5, 0xff}},
		"SOCKS4":               {[]byte{4, 1, 0, 80, 1, 2, 3, 4, 0}, []byte{5, 0xff}},
		"only with a password": {[]byte{5, 1, 2}, []byte{5, 0xff}},
		"no methods":           {[]byte{5, 0}, []byte{5, 0xff}},
		"BIND":                 {append([]byte{5, 1, 0, 5, 2, 0}, target...), []byte{5, 0, 5, 7, 0, 1, 0, 0, 0, 0, 0, 0}},
		"UDP":                  {append([]byte{5, 1, 0, 5, 3, 0}, target...), []byte{5, 0, 5, 7, 0, 1, 0, 0, 0, 0, 0, 0}},
		"an unknown address":   {[]byte{5, 1, 0, 5, 1, 0, 9, 1, 1}, []byte{5, 0, 5, 8, 0, 1, 0, 0, 0, 0, 0, 0}},
		"port 0":               {[]byte{5, 1, 0, 5, 1, 0, 1, 8, 8, 8, 8, 0, 0}, []byte{5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0}},
		"a name with a NUL":    {[]byte{5, 1, 0, 5, 1, 0, 3, 3, 'a', 0, 'b', 0, 80}, []byte{5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0}},
		"an empty name":        {[]byte{5, 1, 0, 5, 1, 0, 3, 0, 0, 80}, []byte{5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0}},
		"the right thing":      {append(append([]byte{5, 2, 2, 0, 5, 1, 0}, target...), "ping"...), []byte("\x05\x00\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00ping")},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.Addr(), "socks5://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write(test.send)
		_ = conn.(*net.TCPConn).CloseWrite()
		got, _ := io.ReadAll(conn)
		_ = conn.Close()
		if !bytes.Equal(got, test.want) {
			t.Errorf("%s: answered %v, want %v", name, got, test.want)
		}
	}
}

func TestAClientThatSaysNothingIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		p := &Proxy{conns: map[net.Conn]bool{}, ctx: ctx, cancel: cancel}
		go p.serve(ours)
		start := time.Now()
		if _, err := theirs.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("the connection ends with %v", err)
		}
		if waited := time.Since(start); waited != handshakeLimit {
			t.Errorf("let go after %s, want %s", waited, handshakeLimit)
		}
	})
}

func TestConnectionsAreBounded(t *testing.T) {
	p, _ := open(t, Policy{})
	var open []net.Conn
	defer func() {
		for _, conn := range open {
			_ = conn.Close()
		}
	}()
	for range maxConnections {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.Addr(), "socks5://"))
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, conn)
		if _, err := conn.Write([]byte{5, 1, 0}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, make([]byte, 2)); err != nil {
			t.Fatalf("connection %d: %v", len(open), err)
		}
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(p.Addr(), "socks5://")); err == nil {
		open = append(open, conn)
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("one connection more is served")
		}
	}
	_ = open[0].Close()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		if conn, err := net.Dial("tcp", strings.TrimPrefix(p.Addr(), "socks5://")); err == nil {
			open = append(open, conn)
			_, _ = conn.Write([]byte{5, 1, 0})
			if _, err := io.ReadFull(conn, make([]byte, 2)); err == nil {
				break
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("an ended connection does not make room")
		}
	}
}

func TestPoliciesThatCannotBeMeantAreRefused(t *testing.T) {
	for _, policy := range []Policy{
		{Site: site("about:blank")}, {AllowHosts: []string{""}}, {AllowHosts: []string{"https://x.test"}}, {AllowHosts: []string{"x.test:0"}},
		{AllowHosts: []string{"x.test:99999"}}, {AllowHosts: []string{"*.10.0.0.1"}}, {AllowHosts: []string{"a b"}}, {AllowHosts: []string{"x*.test"}},
	} {
		if p, err := Listen(t.Context(), policy); err == nil {
			_ = p.Close()
			t.Errorf("%+v is taken", policy)
		}
	}
}

func TestManyConnectionsAtOnce(t *testing.T) {
	w := newWorld(t, echo)
	w.set("site.test", "93.184.216.34")
	p, client := open(t, Policy{Site: site("http://site.test/"), Dial: w.dial, Resolve: w.resolve})
	var wg sync.WaitGroup
	for n := range 64 {
		wg.Go(func() {
			conn, err := client.Dial("tcp", "site.test:80")
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			want := bytes.Repeat([]byte(fmt.Sprint(n)), 50_000)
			go func() {
				_, _ = conn.Write(want)
				_ = conn.(interface{ CloseWrite() error }).CloseWrite()
			}()
			if got, err := io.ReadAll(conn); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes of %d come back, %v", len(got), len(want), err)
			}
		})
	}
	wg.Wait()
	if lines, _ := p.Ledger(); len(lines) != 64 {
		t.Errorf("%d lines", len(lines))
	}
}

func FuzzReadRequest(f *testing.F) {
	f.Add([]byte{5, 1, 0, 1, 8, 8, 8, 8, 0, 80})
	f.Add([]byte{5, 1, 0, 3, 9, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't', 0, 80})
	f.Add(append([]byte{5, 1, 0, 4}, append(netip.MustParseAddr("::ffff:127.0.0.1").AsSlice(), 0, 80)...))
	f.Add([]byte{5, 3, 0, 1, 1})
	f.Add([]byte("\x05\x01\x00\x03\x0900000....00"))
	f.Add([]byte("\x05\x01\x00\x03\x0c::1%00000000\x00\x50"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := bytes.NewReader(stream)
		wanted, err := readRequest(r)
		if err != nil {
			return
		}
		if host, err := canonicalHost(wanted.host); err != nil || host != wanted.host || strings.ContainsAny(wanted.host, "\x00 %/") {
			t.Errorf("host %q is not canonical", wanted.host)
		}
		if wanted.port == "0" || len(stream)-r.Len() > 4+1+255+2 {
			t.Errorf("port %q, %d bytes read", wanted.port, len(stream)-r.Len())
		}
	})
}

func FuzzReadGreeting(f *testing.F) {
	f.Add([]byte{5, 1, 0})
	f.Add([]byte{5, 255})
	f.Fuzz(func(t *testing.T, stream []byte) {
		if err := readGreeting(bytes.NewReader(stream)); err == nil && !bytes.Contains(stream[2:], []byte{0}) {
			t.Error("a greeting without the method is taken")
		}
	})
}

func FuzzParseAllowed(f *testing.F) {
	f.Add("x.test")
	f.Add("*.x.test:80")
	f.Add("[::1]:80")
	f.Fuzz(func(t *testing.T, entry string) {
		if a, err := parseAllowed(entry); err == nil && a.host == "" {
			t.Errorf("%q allows the empty host", entry)
		}
	})
}
