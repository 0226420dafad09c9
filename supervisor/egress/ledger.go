package egress

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// maxLedger bounds the connections a ledger lists; further ones are counted.
const maxLedger = 10_000

// Connection is one line of a ledger.
type Connection struct {
	// Host is the name or address that was asked for, Port the TCP port.
	Host, Port string
	// IP is the address that was connected to; invalid when none was.
	IP netip.Addr
	// Begun and Ended are the times of the request and of the connection's end; Ended is zero while it is open.
	Begun, Ended time.Time
	// Sent and Received are bytes from and to the browser.
	Sent, Received int64
	// Refused says why the policy or the network did not let it through; empty when it was connected.
	Refused string
}

// entry is a connection that is being written.
type entry struct {
	mu             sync.Mutex
	line           Connection
	sent, received atomic.Int64
}

func (e *entry) connected(ip netip.Addr) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.line.IP = ip
}

func (e *entry) refuse(reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.line.Refused = reason
}

func (e *entry) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.line.Ended = time.Now()
}

func (e *entry) read() Connection {
	e.mu.Lock()
	defer e.mu.Unlock()
	line := e.line
	line.Sent, line.Received = e.sent.Load(), e.received.Load()
	return line
}

// ledger lists what a run connected to.
type ledger struct {
	mu      sync.Mutex
	entries []*entry
	more    int
}

func (l *ledger) open(r request) *entry {
	e := &entry{line: Connection{Host: r.host, Port: r.port, Begun: time.Now()}}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) >= maxLedger {
		l.more++
	} else {
		l.entries = append(l.entries, e)
	}
	return e
}

func (l *ledger) read() (lines []Connection, more int) {
	l.mu.Lock()
	entries, more := l.entries, l.more
	l.mu.Unlock()
	for _, e := range entries {
		lines = append(lines, e.read())
	}
	return lines, more
}
