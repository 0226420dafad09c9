package serve

import (
	"fmt"
	"io"
	"net"
	"os"
	"sync"
)

// inherited makes a connection of a descriptor the process was started with.
func inherited(fd uintptr, name string) (net.Conn, error) {
	file := os.NewFile(fd, name)
	if file == nil {
		return nil, fmt.Errorf("descriptor %d (%s) is missing", fd, name)
	}
	// The connection is a copy that no program started from here would get.
	conn, err := net.FileConn(file)
	if err != nil {
		return nil, fmt.Errorf("descriptor %d (%s) is no socket: %w", fd, name, err)
	}
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("closing descriptor %d (%s): %w", fd, name, err)
	}
	return conn, nil
}

// connection is the control socket. It watches for the host's end, which no other part of the process would notice while a
// script keeps it busy.
type connection struct {
	net.Conn
	server *server
}

func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n == 0 && err != nil {
		c.server.hostGone()
	}
	return n, err
}

// listener hands out the one connection there is.
type listener struct {
	conn   chan net.Conn
	addr   net.Addr
	once   sync.Once
	closed chan struct{}
}

func newListener(conn net.Conn) *listener {
	l := &listener{conn: make(chan net.Conn, 1), addr: conn.LocalAddr(), closed: make(chan struct{})}
	l.conn <- conn
	return l
}

// Accept returns the connection, and from then on waits for Close.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conn:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return l.addr }

// nothing is a stream that neither gives anything nor ends. (go-plugin logs an end, to a logger it makes only for itself.)
type nothing struct{}

var _ io.Reader = nothing{}

func (nothing) Read([]byte) (int, error) { select {} }
