package supervisor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/plugin/host"
)

// startupLimit bounds how long a worker may take to be ready, and Chromium to start (spec runtime-sdk.md §4).
const startupLimit = 25 * time.Second

var errClosed = errors.New("the supervisor is closed")

// worker is a ready, jailed child that has not been given anything yet.
type worker struct {
	proc    *host.Worker
	session *host.Session
}

func (w *worker) kill() {
	w.proc.Kill()
	<-w.proc.Done()
}

// endLimit is how long a worker that stopped speaking may take to end before it is ended.
const endLimit = 2 * time.Second

// ended waits for the end of a worker whose stream ended or broke the rules, and makes it one when the worker lives on.
func (w *worker) ended() host.ExitInfo {
	alive := time.NewTimer(endLimit)
	defer alive.Stop()
	select {
	case <-w.proc.Done():
	case <-alive.C:
		w.kill()
	}
	return w.proc.Exit()
}

// pool starts workers ahead of need. A worker serves one run and is never returned.
type pool struct {
	config host.Config
	spare  int // workers kept ready beyond those asked for

	mu     sync.Mutex
	ready  []*pending
	closed bool
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
}

// pending is a worker on its way.
type pending struct {
	done chan struct{}
	w    *worker
	err  error
}

func newPool(ctx context.Context, config host.Config, spare int) *pool {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &pool{config: config, spare: spare, ctx: ctx, cancel: cancel}
}

// prepare has at least n workers on their way or ready.
func (p *pool) prepare(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fillLocked(n)
}

func (p *pool) fillLocked(n int) {
	for !p.closed && len(p.ready) < n {
		w := &pending{done: make(chan struct{})}
		p.ready = append(p.ready, w)
		p.wg.Go(func() {
			defer close(w.done)
			w.w, w.err = p.start()
		})
	}
}

func (p *pool) start() (*worker, error) {
	ctx, cancel := context.WithTimeout(p.ctx, startupLimit)
	defer cancel()
	proc, err := host.Start(ctx, p.config)
	if err != nil {
		return nil, fmt.Errorf("starting a worker: %w", err)
	}
	session, err := proc.Open(ctx)
	if err != nil {
		proc.Kill()
		<-proc.Done()
		return nil, fmt.Errorf("opening a worker's session: %w", err)
	}
	return &worker{proc: proc, session: session}, nil
}

// take gives the oldest ready worker, waiting for it, and starts another when the pool keeps spares.
// A worker that died while it was waiting is passed over; an error is that of a worker that could not start.
func (p *pool) take(ctx context.Context) (*worker, error) {
	for {
		p.mu.Lock()
		if p.closed {
			p.mu.Unlock()
			return nil, errClosed
		}
		p.fillLocked(1)
		next := p.ready[0]
		p.ready = p.ready[1:]
		p.fillLocked(p.spare)
		p.mu.Unlock()
		select {
		case <-next.done:
		case <-ctx.Done():
			p.discard(next)
			return nil, context.Cause(ctx)
		}
		if next.err != nil {
			return nil, next.err
		}
		select {
		case <-next.w.proc.Done():
			continue
		default:
			return next.w, nil
		}
	}
}

// discard ends a worker nobody will use, once it is there.
func (p *pool) discard(w *pending) {
	p.wg.Go(func() {
		<-w.done
		if w.w != nil {
			w.w.kill()
		}
	})
}

// close ends every worker that was not taken and waits for their ends.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	left := p.ready
	p.ready = nil
	p.mu.Unlock()
	p.cancel()
	for _, w := range left {
		p.discard(w)
	}
	p.wg.Wait()
}
