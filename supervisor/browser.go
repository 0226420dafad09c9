package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/supervisor/gate"
)

// ErrNoBrowser is wrapped by Run's error when there is no Chromium to run on: none was found, or it would not start.
var ErrNoBrowser = errors.New("no browser")

// BrowserEnv names the environment variable that gives the browser's path.
const BrowserEnv = "POMERADO_BROWSER"

// browserHost owns the one Chromium: it starts it when first needed and again after it died.
type browserHost struct {
	opts BrowserOptions
	log  *slog.Logger
	ctx  context.Context

	mu      sync.Mutex
	live    *liveBrowser
	backoff backoff
	closed  bool
}

// liveBrowser is a Chromium and its gate, on their way until ready is closed.
type liveBrowser struct {
	ready   chan struct{}
	err     error
	browser *chromium.Browser
	gate    *gate.Gate
	started time.Time
}

func newBrowserHost(ctx context.Context, opts BrowserOptions, log *slog.Logger) *browserHost {
	return &browserHost{opts: opts, log: log, ctx: ctx}
}

// get gives the running Chromium, starting it if there is none. One start serves everyone who waits for it.
func (b *browserHost) get(ctx context.Context) (*liveBrowser, error) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil, errClosed
	}
	live := b.live
	if live == nil || live.dead() {
		var wait time.Duration
		if live != nil && live.err == nil { // one that never started has nothing to end
			wait = b.backoff.died(time.Since(live.started))
			b.log.Warn("Chromium ended and is started again", "reason", live.browser.Err(), "after", wait)
			live.end()
		}
		live = &liveBrowser{ready: make(chan struct{})}
		b.live = live
		go func() {
			defer close(live.ready)
			live.err = b.start(live, wait)
		}()
	}
	b.mu.Unlock()
	select {
	case <-live.ready:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if live.err != nil {
		b.mu.Lock()
		if b.live == live {
			b.live = nil // the next run tries again
		}
		b.mu.Unlock()
		return nil, live.err
	}
	return live, nil
}

// start starts a Chromium after a wait, which is 0 but in a crash loop.
func (b *browserHost) start(live *liveBrowser, wait time.Duration) error {
	if wait > 0 {
		pause := time.NewTimer(wait)
		defer pause.Stop()
		select {
		case <-pause.C:
		case <-b.ctx.Done():
			return context.Cause(b.ctx)
		}
	}
	live.started = time.Now()
	ctx, cancel := context.WithTimeout(b.ctx, startupLimit)
	defer cancel()
	var err error
	if live.browser, err = b.open(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNoBrowser, err)
	}
	if live.gate, err = gate.New(ctx, live.browser.Transport(), gate.Options{Log: b.log}); err != nil {
		err = errors.Join(err, live.browser.Close())
		return fmt.Errorf("%w: %w", ErrNoBrowser, err)
	}
	return nil
}

func (b *browserHost) open(ctx context.Context) (*chromium.Browser, error) {
	if b.opts.CDP != "" {
		b.log.Warn("Attached to a running browser: its runs have no egress policy of their own and reach what that browser reaches", "cdp", b.opts.CDP)
		return chromium.Attach(ctx, b.opts.CDP)
	}
	path := b.opts.Path
	if path == "" {
		path = os.Getenv(BrowserEnv)
	}
	found, err := chromium.Find(chromium.FindOptions{Path: path, Headed: b.opts.Headed})
	if err != nil {
		return nil, err
	}
	return chromium.Launch(ctx, chromium.LaunchOptions{Found: found, Headed: b.opts.Headed, Log: b.log})
}

// dead reports whether a Chromium that had started is gone.
func (l *liveBrowser) dead() bool {
	select {
	case <-l.ready:
	default:
		return false
	}
	if l.err != nil {
		return true
	}
	select {
	case <-l.browser.Done():
		return true
	case <-l.gate.Done():
		return true
	default:
		return false
	}
}

// end closes a Chromium that had started.
func (l *liveBrowser) end() error {
	if l.err != nil || l.browser == nil {
		return nil
	}
	return errors.Join(l.gate.Close(), l.browser.Close())
}

func (b *browserHost) close() error {
	b.mu.Lock()
	b.closed = true
	live := b.live
	b.live = nil
	b.mu.Unlock()
	if live == nil {
		return nil
	}
	<-live.ready
	return live.end()
}
