package egress

import (
	"io"
	"net"
	"net/url"
	"testing"
)

// echoing is a site that sends back what it gets.
func echoing(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
			}()
		}
	}()
	return listener
}

func TestTheSupervisorsOwnConnectionsKeepToThePolicy(t *testing.T) {
	there := echoing(t)
	p, err := Listen(t.Context(), Policy{Site: &url.URL{Scheme: "http", Host: there.Addr().String()}})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := p.Dial(t.Context(), "tcp", there.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("tide")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4)
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "tide" {
		t.Fatalf("got %q, %v", got, err)
	}
	for address, refused := range map[string]bool{"169.254.169.254:80": true, "10.0.0.1:80": true, "127.0.0.1:0": false, "127.0.0.1": false, "a..b:80": false} {
		if _, err := p.Dial(t.Context(), "tcp", address); err == nil || Refused(err) != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := p.Dial(t.Context(), "udp", there.Addr().String()); err == nil {
		t.Error("UDP was connected")
	}
	lines, _ := p.Ledger()
	if len(lines) != 3 || lines[0].Sent != 4 || lines[0].Received != 4 || !lines[0].Ended.IsZero() || lines[1].Refused == "" || lines[2].Refused == "" {
		t.Errorf("the ledger says %+v", lines)
	}
	// The run's end cuts what is open, and nothing is connected after it.
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := conn.Read(got); err == nil {
		t.Error("the connection is still there")
	}
	_ = conn.Close() // it is cut already
	if lines, _ := p.Ledger(); lines[0].Ended.IsZero() {
		t.Error("the ledger has the connection open")
	}
	if _, err := p.Dial(t.Context(), "tcp", there.Addr().String()); err == nil {
		t.Error("a run that is over connected")
	}
	if p.slots != 0 {
		t.Errorf("%d connections are counted after the end", p.slots)
	}
}
