package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// Options of a gate.
type Options struct {
	// Log gets what is out of the ordinary; nil for nothing.
	Log *slog.Logger
}

// Gate is the one connection to a browser. It may be used from many goroutines.
type Gate struct {
	transport cdp.Transport
	log       *slog.Logger
	ctx       context.Context // ends with the gate
	cancel    context.CancelCauseFunc
	work      sync.WaitGroup
	done      chan struct{}

	mu       sync.Mutex
	err      error // why the gate ended; set once
	lastID   int32
	pending  map[int32]*pending
	runs     map[*Run]bool
	contexts map[string]*Run // by browser context id
	sessions map[string]*session
	attached uint64                   // counts sessions, for their order
	guids    map[string]*Run          // downloads
	begun    map[string]DownloadEvent // downloads whose run is not known yet

	// The limits of one run, maxSessions and maxQueued; guarded by mu.
	sessionLimit, queueLimit int
}

// pending is a command that Chromium has not answered.
type pending struct {
	session *session // nil for commands to the browser itself
	// A host's command waits on answer; a worker's is passed on to relay under the id its worker gave it.
	answer chan answer
	relay  *relay
	id     int64
}

type answer struct {
	body   []byte
	failed bool
	err    error
}

// New takes over a browser's transport and starts to attach to pages of the contexts it will open. ctx bounds the start only; the gate
// ends with the transport or with Close.
func New(ctx context.Context, transport cdp.Transport, options Options) (*Gate, error) {
	g := &Gate{
		transport: transport, log: options.Log, done: make(chan struct{}),
		pending: map[int32]*pending{}, runs: map[*Run]bool{}, contexts: map[string]*Run{}, sessions: map[string]*session{},
		guids: map[string]*Run{}, begun: map[string]DownloadEvent{}, sessionLimit: maxSessions, queueLimit: maxQueued,
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	// The gate outlives the call that opens it; Close and the transport's end are what end it.
	g.ctx, g.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	g.work.Go(g.read)
	if err := g.call(ctx, nil, "Target.setAutoAttach", json.RawMessage(rootAutoAttach), nil); err != nil {
		return nil, errors.Join(fmt.Errorf("attaching to the browser's pages: %w", err), g.Close())
	}
	return g, nil
}

// Done is closed when the connection to the browser has ended and everybody who waited was answered.
func (g *Gate) Done() <-chan struct{} { return g.done }

// Err says why the gate ended, as an error that wraps ErrClosed; nil before Done.
func (g *Gate) Err() error {
	select {
	case <-g.done:
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.err
	default:
		return nil
	}
}

// Close ends the connection to the browser and waits for everything the gate started. It does not end the browser.
func (g *Gate) Close() error {
	err := g.transport.Close()
	<-g.done
	g.work.Wait()
	return err
}

// read takes frames from Chromium until the transport ends. It must never wait for anything but the next frame: Chromium stops working
// when its pipe is not read.
func (g *Gate) read() {
	for {
		frame, err := g.transport.Receive()
		if tooLarge := (*cdp.FrameTooLargeError)(nil); errors.As(err, &tooLarge) && tooLarge.Head != nil {
			g.tooLarge(tooLarge)
			continue
		}
		if err != nil {
			g.end(err)
			return
		}
		parts, ok := cdp.Cut(frame)
		switch {
		case !ok:
			g.log.Warn("Chromium sent a message of an unknown form", "bytes", len(frame))
		case parts.ID != 0:
			g.answer(parts, frame)
		default:
			g.event(parts, frame)
		}
	}
}

// tooLarge answers for a frame that was skipped. An event of that size is dropped.
func (g *Gate) tooLarge(skipped *cdp.FrameTooLargeError) {
	parts, ok := skipped.Parts()
	if !ok || parts.ID == 0 {
		g.log.Warn("An event of a page was dropped", "method", string(parts.Method), "error", skipped)
		return
	}
	p := g.take(parts.ID)
	switch {
	case p == nil:
	case p.answer != nil:
		p.answer <- answer{err: skipped}
	default:
		p.relay.push(tooLargeAnswer(p, skipped))
	}
}

// answer passes an answer on to who sent the command.
func (g *Gate) answer(parts cdp.Parts, frame []byte) {
	p := g.take(parts.ID)
	switch {
	case p == nil: // a command of the gate's own whose answer says nothing, or one of a relay that was cut
	case p.answer != nil:
		p.answer <- answer{body: parts.Body, failed: parts.Failed}
	default:
		out := withID(frame, p.id)
		if len(out) > cdp.MaxFrame { // the worker's id is longer than ours
			out = tooLargeAnswer(p, &cdp.FrameTooLargeError{Size: int64(len(out))})
		}
		p.relay.push(out)
	}
}

func tooLargeAnswer(p *pending, err error) []byte {
	return appendError(p.id, p.session.id, codeServer, "the answer is too large: "+err.Error())
}

// take removes a waiting command.
func (g *Gate) take(id int64) *pending {
	if id > math.MaxInt32 {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.pending[int32(id)]
	if p != nil {
		delete(g.pending, int32(id))
		if p.relay != nil {
			p.relay.inFlight--
		}
	}
	return p
}

// nextID gives a new command id: Chromium reads ids as int32. g.mu is held.
func (g *Gate) nextID() int32 {
	for {
		if g.lastID == math.MaxInt32 {
			g.lastID = 0
		}
		g.lastID++
		if g.pending[g.lastID] == nil {
			return g.lastID
		}
	}
}

// call sends a command of the host's own, to a session or (nil) to the browser, and decodes its answer into res.
func (g *Gate) call(ctx context.Context, s *session, method string, params, res any) error {
	raw, err := encode(params)
	if err != nil {
		return fmt.Errorf("encoding the params of %s: %w", method, err)
	}
	p := &pending{session: s, answer: make(chan answer, 1)}
	g.mu.Lock()
	switch {
	case g.err != nil:
		err = g.err
	case s != nil && s.gone:
		err = ErrSessionClosed
	case s != nil && s.crashed:
		err = ErrCrashed
	}
	if err != nil {
		g.mu.Unlock()
		return fmt.Errorf("sending %s: %w", method, err)
	}
	id := g.nextID()
	g.pending[id] = p
	g.mu.Unlock()
	defer g.take(int64(id))
	if err := g.transport.Send(ctx, appendCommand(id, s.idOrNone(), method, raw)); err != nil {
		// A full pipe ends with ctx; anything else but a command of our own that is too large is the pipe's end.
		if tooLarge := (*cdp.FrameTooLargeError)(nil); !errors.As(err, &tooLarge) && !errors.Is(err, context.Cause(ctx)) {
			err = fmt.Errorf("%w: %w", ErrClosed, err)
		}
		return fmt.Errorf("sending %s: %w", method, err)
	}
	select {
	case a := <-p.answer:
		return a.decode(method, res)
	case <-ctx.Done():
		return fmt.Errorf("waiting for %s: %w", method, context.Cause(ctx))
	}
}

func (a answer) decode(method string, res any) error {
	switch {
	case a.err != nil:
		return fmt.Errorf("waiting for %s: %w", method, a.err)
	case a.failed:
		failure := &cdp.Error{Method: method}
		if err := jsonv2.Unmarshal(a.body, failure); err != nil {
			failure.Message = "an error that cannot be read"
		}
		return failure
	case res == nil:
		return nil
	}
	if raw, ok := res.(*json.RawMessage); ok {
		*raw = a.body
		return nil
	}
	if err := jsonv2.Unmarshal(a.body, res); err != nil {
		return fmt.Errorf("decoding the answer to %s: %w", method, err)
	}
	return nil
}

func encode(params any) ([]byte, error) {
	switch params := params.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return params, nil
	}
	return jsonv2.Marshal(params)
}

// post sends a command whose answer nobody needs, without waiting for room. Only the reading goroutine needs this.
func (g *Gate) post(session, method, params string) {
	g.mu.Lock()
	id := g.nextID()
	g.mu.Unlock()
	_ = g.transport.Post(appendCommand(id, session, method, []byte(params))) // it fails only when the gate ends
}

// start runs fn on a goroutine the gate waits for. It reports false when the gate has ended; g.mu is held.
func (g *Gate) start(fn func()) bool {
	if g.err != nil {
		return false
	}
	g.work.Go(fn)
	return true
}

// end answers everybody who waits and ends every run.
func (g *Gate) end(cause error) {
	_ = g.transport.Close()
	g.mu.Lock()
	g.err = fmt.Errorf("%w: %w", ErrClosed, cause)
	waiting := slices.Collect(maps.Values(g.pending))
	runs := slices.Collect(maps.Keys(g.runs))
	clear(g.pending)
	g.mu.Unlock()
	g.cancel(g.err)
	for _, p := range waiting {
		if p.answer != nil {
			p.answer <- answer{err: g.err}
		}
	}
	for _, r := range runs {
		r.Cut()
		r.finish()
	}
	close(g.done)
}
