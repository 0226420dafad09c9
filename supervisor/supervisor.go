// Package supervisor runs operations: it is the host's side of every run. It owns the pool of workers, the one Chromium, what a run may
// ask for, its clock, its journal and its end. It parses no page content and no authored source, and it must not know goja, esbuild or
// MCP: whatever touches those runs in a jailed worker, and whatever a worker wants from outside comes here first.
//
// The path of a run is in run.go; docs/architecture.md tells it in order.
package supervisor

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/operations/cursor"
	"github.com/pomerado-go/pomerado/operations/mask"
	"github.com/pomerado-go/pomerado/plugin/host"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
)

// DefaultTimeout is the active time of a run that names none (spec runtime-sdk.md §1.1, timeoutDefaults.execution).
const DefaultTimeout = 20 * time.Minute

// Options configure a Supervisor. The zero value runs `pomerado worker` from PATH and finds Chromium on the system.
type Options struct {
	// Worker is the command that becomes a worker, such as {"/usr/bin/pomerado", "worker"}. It gets no environment.
	Worker []string
	// Spare is how many workers are kept ready beyond those in use. 0 starts each when a run needs it.
	Spare int
	// Browser says which Chromium to use.
	Browser BrowserOptions
	// NoJail runs workers without their jail. Authored code then has this user's file and network access.
	NoJail bool
	// AllowHosts narrows every run's network to these host names, on top of the policy of package egress. Empty allows what the policy does.
	AllowHosts []string
	// HTTPTransport carries the requests of HTTP versions instead of the supervisor's own client; nil for that. It sees each request once,
	// after it was journalled, and must not send it again; what it may connect to is its own affair, the runs' network policy does not reach it.
	HTTPTransport http.RoundTripper
	// IsChallenge tells a bot challenge from an answer to an HTTP version (spec runtime-sdk.md §2.4). It is called from several goroutines
	// and must not keep its arguments. nil knows challenges that say in a header that they are one.
	IsChallenge func(status int, header http.Header, body []byte) bool
	// MemoryLimit bounds a worker's heap in bytes; 0 is the default of package host.
	MemoryLimit int64
	// JudgeConfirm decides about a native confirm of a run that writes which no record covers, before anybody is asked: true accepts it, false
	// leaves it to the question, an error fails the step. Nil asks always.
	JudgeConfirm func(context.Context, Confirm) (bool, error)
	// Incidents is told of each native dialog that was answered without asking. It is called from the run and must not block it.
	Incidents func(Incident)
	// Files say how files go into and out of runs.
	Files FileOptions
	// CursorKeys sign the list cursors that runs give out: the first new ones, the others those still taken. None makes a random key, and
	// cursors end with the supervisor (spec artifact-and-serving.md §8.3).
	CursorKeys []cursor.Key
	// Log gets what is worth knowing for the operator; nil discards it. No page content or answer is ever logged.
	Log *slog.Logger
}

// BrowserOptions say which Chromium to use and how.
type BrowserOptions struct {
	// Path of the executable; empty finds one.
	Path string
	// CDP is the ws:// address of a running Chromium to attach to instead of starting one.
	CDP string
	// Headed shows a window.
	Headed bool
}

// Supervisor runs operations. All its methods may be called at once from several goroutines.
type Supervisor struct {
	opts    Options
	log     *slog.Logger
	workers *pool
	browser *browserHost
	sources *sourceCache
	files   *fileStore
	given   *mask.Values // what was given in confidence to the runs that are going; the log masks it
	cursors cursor.Keys

	ctx    context.Context
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	closed bool
	runs   sync.WaitGroup
}

// New checks opts and starts nothing yet: Chromium and workers start with the first run, and stay for the next. Close must be called.
func New(opts Options) (*Supervisor, error) {
	if len(opts.Worker) == 0 {
		opts.Worker = []string{"pomerado", "worker"}
	}
	if opts.Spare < 0 {
		return nil, errors.New("a supervisor cannot keep fewer than 0 spare workers ready; give Options.Spare 0 or more")
	}
	cursors, err := cursorKeys(opts.CursorKeys)
	if err != nil {
		return nil, err
	}
	log := opts.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	given := &mask.Values{}
	log = slog.New(&maskingHandler{log.Handler(), given})
	ctx, cancel := context.WithCancelCause(context.Background()) // the supervisor's own life; ended by Close
	config := host.Config{Command: opts.Worker, NoJail: opts.NoJail, MemoryLimit: opts.MemoryLimit, Log: log}
	s := &Supervisor{
		opts: opts, log: log, given: given, cursors: cursors, ctx: ctx, cancel: cancel,
		workers: newPool(ctx, config, opts.Spare),
		browser: newBrowserHost(ctx, opts.Browser, log),
		files:   newFileStore(ctx, opts.Files, log),
	}
	s.sources = newSourceCache(s.workers)
	chromium.Sweep(log)
	return s, nil
}

// Close ends every run that is still going, as cancelled, then the workers and Chromium, and waits until nothing of them is left.
func (s *Supervisor) Close() error {
	s.mu.Lock()
	already := s.closed
	s.closed = true
	s.mu.Unlock()
	if already {
		return nil
	}
	s.cancel(errClosed)
	s.runs.Wait()
	s.workers.close()
	return errors.Join(s.browser.close(), s.files.close())
}

// begin admits a run, whose context also ends with the supervisor.
func (s *Supervisor) begin(ctx context.Context) (context.Context, func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errClosed
	}
	s.runs.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(s.ctx, func() { cancel(errClosed) })
	return ctx, func() { unhook(); cancel(nil); s.runs.Done() }, nil
}
