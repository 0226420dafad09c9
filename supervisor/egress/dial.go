package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
)

// Refused reports whether a connection was not made because the run's policy forbids it.
func Refused(err error) bool {
	var no refusal
	return errors.As(err, &no)
}

// Dial connects to "host:port" as the run's browser would: under the same policy, in the same ledger, and cut by Close. network is one of
// TCP's. An error for which [Refused] holds is the policy's.
func (p *Proxy) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	wanted, err := requestFor(network, address)
	if err != nil {
		return nil, err
	}
	if !p.begin() {
		return nil, errClosed
	}
	defer p.work.Done()
	if !p.enter() {
		return nil, errors.New("the run has as many connections open as it may")
	}
	line := p.ledger.open(wanted)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(p.ctx, func() { cancel(errClosed) })()
	conn, addr, err := p.connect(ctx, wanted)
	if err != nil {
		line.refuse(err.Error())
	} else if !p.hold(conn) {
		err = errClosed
	}
	if err != nil {
		line.end()
		p.leave()
		return nil, fmt.Errorf("connecting to %s: %w", address, err)
	}
	line.connected(addr)
	return &ownConn{Conn: conn, line: line, end: sync.OnceFunc(func() {
		p.release(conn)
		line.end()
		p.leave()
	})}, nil
}

// begin counts work that Close waits for, unless Close has come.
func (p *Proxy) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.work.Add(1)
	}
	return !p.closed
}

func requestFor(network, address string) (request, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return request{}, fmt.Errorf("the network %q is not TCP", network)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return request{}, err
	}
	if host, err = canonicalHost(host); err != nil {
		return request{}, err
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return request{}, fmt.Errorf("%q is no port", port)
	}
	return request{host: host, port: port}, nil
}

// ownConn is a connection the supervisor itself uses; it counts what it moves.
type ownConn struct {
	net.Conn
	line *entry
	end  func()
}

func (c *ownConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.line.received.Add(int64(n))
	return n, err
}

func (c *ownConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.line.sent.Add(int64(n))
	return n, err
}

func (c *ownConn) Close() error {
	err := c.Conn.Close()
	c.end()
	return err
}
