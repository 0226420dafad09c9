package egress

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// relayBuffers hold what is on its way; 32 KiB is what a TCP read gives at most as a rule.
var relayBuffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// halfOpenLimit bounds what a site may still send after the browser has ended its direction. Browsers do that when they leave.
const halfOpenLimit = time.Minute

// relay moves bytes both ways until both directions have ended. An end of input is passed on as one, so that half-closed connections
// work; an error cuts both.
func relay(client, site net.Conn, line *entry) {
	var both sync.WaitGroup
	direction := func(to, from net.Conn, count *atomic.Int64) {
		err := move(to, from, count)
		closer, canHalf := to.(interface{ CloseWrite() error })
		if err != nil || !canHalf || closer.CloseWrite() != nil {
			cut(client)
			cut(site)
		}
	}
	both.Go(func() {
		direction(site, client, &line.sent)
		_ = site.SetReadDeadline(time.Now().Add(halfOpenLimit))
	})
	direction(client, site, &line.received)
	both.Wait()
}

func move(to io.Writer, from io.Reader, count *atomic.Int64) error {
	buffer := relayBuffers.Get().(*[32 << 10]byte)
	defer relayBuffers.Put(buffer)
	for {
		n, err := from.Read(buffer[:])
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return err
			}
			count.Add(int64(n))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
