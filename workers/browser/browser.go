package browser

import (
	"context"
	"log/slog"
	"sync"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// Options of Connect.
type Options struct {
	// Host answers what CDP may not.
	Host Host
	// Inject and Evaluator are the bundled in-page programs index.ts and main.ts of package inject: JavaScript expressions that
	// are factories.
	Inject, Evaluator string
	// Clock is the bundled clockworld.ts: the same kind of expression, called with the changes so far.
	Clock string
	// ContextID is the browser context of the run's first page.
	ContextID string
	// Version is Chromium's, as the host knows it; asking a page would be acting on it.
	Version string
	// Context configures that first context.
	Context ContextOptions
	// Log gets what nobody waits for; nil drops it.
	Log *slog.Logger
}

// Browser is one run's view of Chromium: its contexts and nothing else of it.
type Browser struct {
	emitter emitter
	conn    *cdp.Conn
	options Options
	log     *slog.Logger

	mu        sync.Mutex
	contexts  []*Context
	pages     map[string]*Page    // by target id
	sessions  map[string]*session // by session id
	outbox    []func()
	flushing  bool
	closed    bool
	lastCall  int64 // names of waiting calls in pages
	tags      int
	selectors pathCache
	wg        sync.WaitGroup
	stop      context.CancelCauseFunc
	ctx       context.Context
}

// Connect starts the engine on a transport, which it owns, and answers when the connection stands. Pages appear as the gate
// shows them; WaitForPage waits for the first.
func Connect(ctx context.Context, t cdp.Transport, o Options) (*Browser, error) {
	return connect(ctx, t, o)
}

// WaitForPage answers the first page of the first context, waiting until it is ready.
func (b *Browser) WaitForPage(ctx context.Context) (*Page, error) { return b.firstPage(ctx) }

// Contexts answers the open contexts, the run's first one first.
func (b *Browser) Contexts() []*Context { return b.openContexts() }

// NewContext makes a further context of the run; the host bounds how many.
func (b *Browser) NewContext(ctx context.Context, o ContextOptions) (*Context, error) {
	return b.newContext(ctx, "browser.newContext", o)
}

// Version answers Chromium's version ("156.0.8078.114"), empty when the host did not say.
func (b *Browser) Version() string { return b.options.Version }

// IsConnected reports whether the connection stands.
func (b *Browser) IsConnected() bool { return b.isConnected() }

// On subscribes to "disconnected" or "context".
func (b *Browser) On(event Event, fn func(payload any)) (off func()) { return b.emitter.on(event, fn) }

// ListenerCount answers how many handlers event has.
func (b *Browser) ListenerCount(event Event) int { return b.emitter.count(event) }

// Close ends the connection, fails everything that waits, and returns when no goroutine of the engine is left. The pages stay
// as they are; they are the host's.
func (b *Browser) Close() error { return b.shut() }
