package gate

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

const (
	// maxQueued bounds the bytes that wait for a worker; over it the run ends as flooded.
	maxQueued = 32 << 20
	// maxInFlight bounds a worker's commands that wait for their answers. Commands to a crashed page never get one.
	maxInFlight = 16 << 10
	// codeServer is CDP's code for errors of the server.
	codeServer = -32000
)

// relay is a bound worker. One goroutine reads its frames and hands them to Chromium, one writes what waits for it.
type relay struct {
	run    *Run
	socket *cdp.Socket
	ctx    context.Context // ends with Cut
	cancel context.CancelFunc
	limit  int // of bytes that wait for the worker

	// inFlight counts commands without an answer; the gate's lock guards it.
	inFlight int

	// sending is held while a frame is handed to Chromium; Cut takes it to know that none is on its way.
	sending sync.Mutex
	stopped bool // guarded by sending

	mu       sync.Mutex
	queue    [][]byte
	bytes    int
	dropping bool          // nobody will read what is queued: flooded, cut or gone
	more     chan struct{} // holds a token when the queue may have grown
}

// Bind connects the run's worker: it learns of every live page, frame and web worker, and from then on frames go both ways until Cut. It
// returns at once. conn is the gate's from now on. A run is bound once.
func (r *Run) Bind(ctx context.Context, conn net.Conn) error {
	relay := &relay{run: r, socket: cdp.NewSocket(conn), more: make(chan struct{}, 1)}
	// A relay ends with Cut, not with the call that binds it.
	relay.ctx, relay.cancel = context.WithCancel(context.WithoutCancel(ctx))
	g := r.gate
	g.mu.Lock()
	relay.limit = g.queueLimit
	if g.err != nil || r.disposed || r.cut || r.relay != nil {
		defer g.mu.Unlock()
		relay.cancel()
		_ = relay.socket.Close()
		if g.err != nil {
			return g.err
		}
		if r.relay != nil {
			return errors.New("the run has a worker already")
		}
		return ErrClosed
	}
	g.start(relay.write)
	g.start(relay.read)
	for _, s := range r.bySession() {
		frame := append([]byte(`{"method":"Target.attachedToTarget","params":{"sessionId":"`), s.id...)
		frame = append(frame, `","targetInfo":`...)
		frame = append(frame, s.info...)
		frame = append(frame, `,"waitingForDebugger":false}`...)
		if s.parent != nil {
			frame = append(frame, `,"sessionId":"`...)
			frame = append(frame, s.parent.id...)
			frame = append(frame, '"')
		}
		relay.enqueue(append(frame, '}'))
	}
	r.relay = relay
	g.mu.Unlock()
	return nil
}

// Cut stops the relaying at once: when it returns, nothing more of the worker's is handed to Chromium, answers on their way are dropped,
// and the worker's connection is closed. The pages go on until Dispose. It may be called more than once.
func (r *Run) Cut() {
	g := r.gate
	g.mu.Lock()
	r.cut = true
	relay := r.relay
	g.mu.Unlock()
	if relay != nil {
		relay.stop()
	}
}

func (r *relay) stop() {
	r.cancel()
	r.sending.Lock()
	r.stopped = true
	r.sending.Unlock()
	_ = r.socket.Close()
	g := r.run.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, p := range g.pending {
		if p.relay == r {
			delete(g.pending, id)
		}
	}
	if r.run.relay == r {
		r.run.relay = nil
	}
}

// push queues a frame for the worker. A worker that does not read ends its run, not the gate's reading.
func (r *relay) push(frame []byte) {
	if r.enqueue(frame) {
		return
	}
	r.run.Cut()
	if f := r.run.events.Flooded; f != nil {
		f()
	}
}

// enqueue reports false once, when the queue is over its limit.
func (r *relay) enqueue(frame []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dropping {
		return true
	}
	if r.bytes += len(frame); r.bytes > r.limit {
		r.dropping, r.queue = true, nil
		return false
	}
	r.queue = append(r.queue, frame)
	select {
	case r.more <- struct{}{}:
	default:
	}
	return true
}

// drop stops queueing for a worker that will not read.
func (r *relay) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropping, r.queue = true, nil
}

// write sends what waits for the worker, until Cut or until the worker is gone.
func (r *relay) write() {
	defer r.drop()
	for {
		select {
		case <-r.more:
		case <-r.ctx.Done():
			return
		}
		for {
			r.mu.Lock()
			frames := r.queue
			r.queue = nil
			r.mu.Unlock()
			if len(frames) == 0 {
				break
			}
			for _, frame := range frames {
				if r.socket.Send(r.ctx, frame) != nil {
					return
				}
				r.mu.Lock()
				r.bytes -= len(frame)
				r.mu.Unlock()
			}
		}
	}
}

// read takes the worker's frames until Cut or the worker's end.
func (r *relay) read() {
	defer r.drop()
	var d decoder
	for {
		frame, err := r.socket.Receive()
		if err != nil {
			if tooLarge := (*cdp.FrameTooLargeError)(nil); errors.As(err, &tooLarge) {
				r.violation(tooLarge.Error())
			}
			return
		}
		c, err := d.decode(frame)
		if err != nil {
			id, ok := idOf(frame)
			if !ok {
				r.violation("a CDP frame without an id that could be answered: " + err.Error())
				return
			}
			r.push(refusal(id, "", err))
			continue
		}
		if err := r.forward(&c); err != nil {
			return
		}
	}
}

// errNoSession is worded as Chromium words it: a page that goes away while a command is on its way is no mistake of the engine's.
var errNoSession = errors.New("Session with given id not found.")

func refusal(id int64, session string, err error) []byte {
	return appendError(id, session, codeServer, "refused: "+err.Error())
}

// violation ends the relaying to a worker that broke the protocol.
func (r *relay) violation(reason string) {
	r.run.gate.log.Warn("A worker broke the CDP protocol", "reason", reason)
	r.run.Cut()
	if f := r.run.events.Violation; f != nil {
		f(reason)
	}
}

// forward holds a command against the policy and hands it to Chromium. Its error ends the reading.
func (r *relay) forward(c *command) error {
	g := r.run.gate
	g.mu.Lock()
	s := g.sessions[c.session]
	if s != nil && s.run != r.run {
		s = nil // as if it did not exist
	}
	g.mu.Unlock()
	switch {
	case c.session == "":
		r.push(refusal(c.id, "", errors.New("a command needs the session of a page, frame or web worker")))
		return nil
	case s == nil:
		r.push(refusal(c.id, "", errNoSession))
		return nil
	}
	rule, err := judge(&request{c, s})
	if err != nil {
		r.push(refusal(c.id, s.id, err))
		return nil
	}
	if rule.seen != 0 {
		if rule.seen == SeenRequest {
			if id, err := c.text("requestId"); err == nil {
				s.forgetPaused(id)
			}
		}
		if f := r.run.events.Seen; f != nil {
			f(rule.seen, time.Now(), rule.method)
		}
	}
	no, err := r.send(s, c, rule.method)
	if no != nil {
		r.push(refusal(c.id, s.id, no))
	}
	return err
}

// send hands a judged command to Chromium. It gives a reason to refuse it after all, or the error that ends the reading.
func (r *relay) send(s *session, c *command, method string) (no, err error) {
	g := r.run.gate
	r.sending.Lock()
	defer r.sending.Unlock()
	if r.stopped {
		return nil, ErrClosed
	}
	g.mu.Lock()
	switch {
	case g.err != nil:
		err = g.err
	case s.gone:
		no = errNoSession
	case r.inFlight >= maxInFlight:
		no = errors.New("too many commands wait for their answers")
	}
	if no != nil || err != nil {
		g.mu.Unlock()
		return no, err
	}
	id := g.nextID()
	g.pending[id] = &pending{session: s, relay: r, id: c.id}
	r.inFlight++
	g.mu.Unlock()
	err = g.transport.Send(r.ctx, appendCommand(id, s.id, method, c.params))
	if tooLarge := (*cdp.FrameTooLargeError)(nil); errors.As(err, &tooLarge) { // our id is longer than the worker's
		g.take(int64(id))
		return tooLarge, nil
	}
	return nil, err
}
