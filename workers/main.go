// Package workers is the inside of a worker process: it serves the one session it was started for and exits. It owns the order of a
// run in the child (contract, operation or page code), the clock's copy and the requests for capabilities. It must not know the
// supervisor, MCP or models: what it wants from outside it asks over the control stream, what it does to the page goes over the CDP
// socket, and there is nothing else it can reach.
package workers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime/debug"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/plugin/serve"
	"github.com/pomerado-go/pomerado/workers/jail"
)

// errOutOfMemory interrupts a worker whose heap passed its ceiling.
var errOutOfMemory = errors.New("the worker needed more memory than it may use")

// Main is the whole life of a worker process; it does not return. args are what follows `worker` on the command line.
func Main(args []string) {
	serve.Main(args, func(ctx context.Context, s serve.Session) error {
		w := &worker{session: s, conn: s.CDP(), blobs: ipc.NewBlobs(ipc.MaxBlobs * ipc.MaxBlob), memory: s.MemoryLimit()}
		return w.serve(ctx)
	}, serve.Jail(func(memory int64) ([]string, error) { return jail.Apply(jail.Config{Memory: memory}) }))
}

// How much garbage the collector lets pile up, in percent of what is live. Bundling and loading make heaps of it in a process that ends
// soon or is waited for: there the time is worth more than the memory. A run may last, and its memory is only limited by its ceiling.
const (
	gcPreparing = 400
	gcRunning   = 200
)

// worker is one session.
type worker struct {
	session session
	conn    net.Conn // CDP frames
	blobs   *ipc.Blobs
	memory  int64

	inject, evaluator, clock string   // the in-page programs; empty until the supervisor gave them
	loading                  *loading // the runtime of an operation; nil for page code alone
}

// serve takes blobs until the message that says what to do with them.
func (w *worker) serve(ctx context.Context) error {
	debug.SetGCPercent(gcPreparing)
	for {
		m, err := w.session.Receive()
		if err != nil {
			return err
		}
		switch k := m.Kind.(type) {
		case *workerpb.HostMessage_Chunk:
			if err := w.blobs.Add(k.Chunk); err != nil {
				return err
			}
		case *workerpb.HostMessage_Bundle:
			return w.contract(ctx, k.Bundle)
		case *workerpb.HostMessage_Programs:
			if err := w.equip(ctx, k.Programs); err != nil {
				return err
			}
		case *workerpb.HostMessage_Start:
			switch {
			case w.inject == "":
				return errors.New("the supervisor started a run before it gave the programs for it")
			case k.Start.GetOperation() == nil:
				return w.page(ctx, k.Start)
			case w.loading == nil:
				return errors.New("the supervisor started an operation without the program for one")
			}
			return w.operation(ctx, k.Start)
		case *workerpb.HostMessage_Stop:
			return nil
		default:
			return fmt.Errorf("the supervisor began with %T", m.Kind)
		}
	}
}

// equip takes the product's own scripts and begins to load the one for operations: a run has this behind it when it starts.
func (w *worker) equip(ctx context.Context, p *workerpb.Programs) error {
	if w.inject != "" {
		return errors.New("the supervisor gave the programs twice")
	}
	inject, err := w.blobs.Take(p.InjectBlob)
	if err != nil {
		return err
	}
	evaluator, err := w.blobs.Take(p.EvaluatorBlob)
	if err != nil {
		return err
	}
	clock, err := w.blobs.Take(p.ClockBlob)
	if err != nil {
		return err
	}
	w.inject, w.evaluator, w.clock = string(inject), string(evaluator), string(clock)
	if p.SdkBlob == 0 {
		return nil
	}
	program, err := w.blobs.Take(p.SdkBlob)
	if err != nil {
		return err
	}
	w.loading = loadSDK(ctx, program)
	return nil
}

// work does a run's work, sends its last message and waits for the supervisor to end the process: only it knows when the run is over.
func (w *worker) work(ctx context.Context, start *workerpb.Start, do func(context.Context, *link) *workerpb.WorkerMessage) error {
	debug.SetGCPercent(gcRunning)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l := newLink(w.session, w.blobs, startRemaining(start))
	ended := make(chan error, 1)
	go func() {
		err := l.receive()
		cancel(err)
		ended <- err
	}()
	stop := jail.WatchHeap(w.memory, func() {
		cancel(errOutOfMemory)
		_ = l.send(failure(errOutOfMemory)) // the supervisor that does not hear it is gone
	})
	defer stop()
	if err := l.send(do(ctx, l)); err != nil {
		return err
	}
	return <-ended
}
