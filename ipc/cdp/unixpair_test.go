package cdp

import (
	"net"
	"path/filepath"
	"testing"
)

// unixPair gives two connected sockets of the kind a worker inherits.
func unixPair(tb testing.TB) (net.Conn, net.Conn) {
	tb.Helper()
	listener, err := net.Listen("unix", filepath.Join(tb.TempDir(), "s"))
	if err != nil {
		tb.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan net.Conn, 1)
	go func() {
		conn, _ := listener.Accept()
		accepted <- conn
	}()
	a, err := net.Dial("unix", listener.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	return a, <-accepted
}
