package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

const (
	// maxConnections bounds what a run has open at a time. Chromium opens at most 32 connections and 255 websockets to one proxy.
	maxConnections = 512
	// handshakeLimit bounds a client's two messages.
	handshakeLimit = 10 * time.Second
	// connectLimit bounds looking up and connecting.
	connectLimit = 30 * time.Second
	// nextAddressAfter is how long an address may take before the next one is tried beside it (RFC 8305).
	nextAddressAfter = 250 * time.Millisecond
	// triedAddresses bounds the addresses of one name that are tried.
	triedAddresses = 8
)

var errClosed = errors.New("the run is over")

// Proxy is one run's way out.
type Proxy struct {
	rules    *rules
	listener net.Listener
	ledger   ledger
	ctx      context.Context // ends with Close
	cancel   context.CancelCauseFunc
	work     sync.WaitGroup
	close    func() error

	mu     sync.Mutex
	conns  map[net.Conn]bool // every open end, ours and the sites'
	slots  int
	closed bool
}

// Listen opens a run's proxy. It serves until Close, also after ctx has ended: a run's connections end with the run, and one place ends it.
func Listen(ctx context.Context, policy Policy) (*Proxy, error) {
	rules, err := newRules(policy)
	if err != nil {
		return nil, err
	}
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening the run's way to the network: %w", err)
	}
	p := &Proxy{rules: rules, listener: listener, conns: map[net.Conn]bool{}}
	p.ctx, p.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	p.close = sync.OnceValue(p.shut)
	p.work.Go(p.accept)
	p.work.Go(func() {
		ctx, cancel := context.WithTimeout(p.ctx, connectLimit)
		defer cancel()
		rules.learnSite(ctx)
	})
	return p, nil
}

// Addr is the proxy's address as Chromium takes it, "socks5://127.0.0.1:PORT".
func (p *Proxy) Addr() string { return "socks5://" + p.listener.Addr().String() }

// Ledger lists the run's connections in the order they were asked for, and how many more there were than it holds.
func (p *Proxy) Ledger() (connections []Connection, more int) { return p.ledger.read() }

// Close cuts every connection at once, drops what was not sent yet and waits until nothing is left. It may be called more than once.
func (p *Proxy) Close() error { return p.close() }

func (p *Proxy) shut() error {
	p.cancel(errClosed)
	err := p.listener.Close()
	p.mu.Lock()
	p.closed = true
	for conn := range p.conns {
		cut(conn)
	}
	p.mu.Unlock()
	p.work.Wait()
	return err
}

// cut ends a connection without sending what still waits in the kernel.
func cut(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// hold registers an open end, so that Close cuts it. It closes it at once after Close.
func (p *Proxy) hold(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		cut(conn)
		return false
	}
	p.conns[conn] = true
	return true
}

func (p *Proxy) release(conn net.Conn) {
	p.mu.Lock()
	delete(p.conns, conn)
	p.mu.Unlock()
	_ = conn.Close()
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			if p.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			// Out of descriptors, or a client that left meanwhile: the listener is sound.
			timer := time.NewTimer(10 * time.Millisecond)
			select {
			case <-timer.C:
				continue
			case <-p.ctx.Done():
				timer.Stop()
				return
			}
		}
		if !p.enter() {
			cut(conn)
			continue
		}
		p.work.Go(func() {
			defer p.leave()
			p.serve(conn)
		})
	}
}

// enter takes one of the run's connections, if one is left; leave gives it back.
func (p *Proxy) enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.slots >= maxConnections {
		return false
	}
	p.slots++
	return true
}

func (p *Proxy) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots--
}

// serve is the life of one client connection.
func (p *Proxy) serve(client net.Conn) {
	if !p.hold(client) {
		return
	}
	defer p.release(client)
	_ = client.SetDeadline(time.Now().Add(handshakeLimit))
	if err := readGreeting(client); err != nil {
		if errors.Is(err, errNotSOCKS) {
			_, _ = client.Write([]byte{5, 0xff})
		}
		return
	}
	if _, err := client.Write([]byte{5, 0}); err != nil {
		return
	}
	wanted, err := readRequest(client)
	if err != nil {
		if answer := (*requestError)(nil); errors.As(err, &answer) {
			_, _ = client.Write(reply(answer.reply))
		}
		return
	}
	line := p.ledger.open(wanted)
	defer line.end()
	site, addr, err := p.connect(p.ctx, wanted)
	if err != nil {
		line.refuse(err.Error())
		_ = client.SetDeadline(time.Now().Add(handshakeLimit))
		_, _ = client.Write(reply(replyFor(err)))
		return
	}
	if !p.hold(site) {
		return
	}
	defer p.release(site)
	line.connected(addr)
	_ = client.SetDeadline(time.Time{})
	if _, err := client.Write(reply(replyDone)); err != nil {
		return
	}
	relay(client, site, line)
}

func replyFor(err error) byte {
	var no refusal
	var dns *net.DNSError
	switch {
	case errors.As(err, &no):
		return replyNotAllowed
	case errors.As(err, &dns), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, context.DeadlineExceeded):
		return replyHostUnreachable
	case errors.Is(err, syscall.ENETUNREACH):
		return replyNetworkUnreachable
	case errors.Is(err, syscall.ECONNREFUSED):
		return replyRefused
	default:
		return replyFailed
	}
}

// connect looks the host up, decides on each address, and connects to the first allowed one that answers.
func (p *Proxy) connect(ctx context.Context, wanted request) (net.Conn, netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	if err := p.rules.admit(wanted.host, wanted.port); err != nil {
		return nil, netip.Addr{}, err
	}
	addrs, err := p.rules.resolve(ctx, wanted.host)
	if err != nil {
		return nil, netip.Addr{}, err
	}
	var usable []netip.Addr
	var refused error
	for _, addr := range addrs {
		if err := p.rules.decide(ctx, wanted.host, addr); err != nil {
			refused = err
		} else if len(usable) < triedAddresses {
			usable = append(usable, addr.Unmap())
		}
	}
	if len(usable) == 0 {
		if refused == nil {
			refused = &net.DNSError{Err: "no addresses", Name: wanted.host, IsNotFound: true}
		}
		return nil, netip.Addr{}, refused
	}
	return p.race(ctx, usable, wanted.port)
}

// race connects to the addresses in order, each a moment after the one before or at once when that failed, and takes the first that
// answers.
func (p *Proxy) race(ctx context.Context, addrs []netip.Addr, port string) (net.Conn, netip.Addr, error) {
	type attempt struct {
		conn net.Conn
		addr netip.Addr
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan attempt, len(addrs))
	started, failed := 0, 0
	var first error
	next := time.NewTimer(0)
	defer next.Stop()
	for failed < len(addrs) {
		select {
		case <-next.C:
			if started == len(addrs) {
				continue
			}
			addr := addrs[started]
			started++
			p.work.Go(func() {
				conn, err := p.rules.dial(ctx, "tcp", net.JoinHostPort(addr.String(), port))
				answers <- attempt{conn, addr, err}
			})
			next.Reset(nextAddressAfter)
		case a := <-answers:
			if a.err == nil {
				// Those still on their way end with cancel; one that answered as well is closed.
				pending := started - failed - 1
				p.work.Go(func() {
					for range pending {
						if late := <-answers; late.conn != nil {
							_ = late.conn.Close()
						}
					}
				})
				return a.conn, a.addr, nil
			}
			if failed++; first == nil {
				first = a.err
			}
			next.Reset(0)
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		first = cause
	}
	return nil, netip.Addr{}, first
}
