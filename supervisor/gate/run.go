package gate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// maxContexts bounds the browser contexts of a run.
const maxContexts = 4

// RunOptions say how a run's contexts are made.
type RunOptions struct {
	// Proxy is the run's way to the network, "socks5://127.0.0.1:PORT"; loopback goes through it as well. Empty for the browser's own.
	Proxy string
	// DownloadDir is where downloads land, named by their guid. It must belong to this run alone. Empty refuses downloads.
	DownloadDir string
	Events      Events
}

// Run is what one run owns in the browser: up to four contexts and everything opened in them.
type Run struct {
	gate    *Gate
	options RunOptions
	events  Events
	done    chan struct{}
	finish  func()
	dispose func() // starts disposing, once

	// Guarded by the gate's lock.
	contexts []string
	opening  int // contexts that are being made
	sessions map[string]*session
	relay    *relay
	cut      bool
	disposed bool
	changed  chan struct{} // closed and replaced when sessions changed
	guids    map[string]bool
	// documents are the content types of documents that were answered lately, by address: a download begins as one.
	documents map[string]string
	endErr    error // what went wrong in disposing; set before done
}

// Open makes a run with a fresh browser context and no page.
func (g *Gate) Open(ctx context.Context, options RunOptions) (*Run, error) {
	if options.DownloadDir != "" {
		options.DownloadDir = filepath.Clean(options.DownloadDir)
	}
	r := &Run{
		gate: g, options: options, events: options.Events, done: make(chan struct{}),
		sessions: map[string]*session{}, changed: make(chan struct{}), guids: map[string]bool{},
	}
	r.finish = sync.OnceFunc(func() {
		g.mu.Lock()
		delete(g.runs, r)
		for _, id := range r.contexts {
			delete(g.contexts, id)
		}
		for id := range r.guids {
			delete(g.guids, id)
		}
		for id, s := range r.sessions {
			s.gone = true
			delete(g.sessions, id)
		}
		g.mu.Unlock()
		close(r.done)
	})
	r.dispose = sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.start(r.disposeContexts) // a gate that has ended has ended its runs
	})
	g.mu.Lock()
	if g.err != nil {
		defer g.mu.Unlock()
		return nil, g.err
	}
	g.runs[r] = true
	g.mu.Unlock()
	if _, err := r.NewContext(ctx); err != nil {
		// Nobody gets this run, so nobody waits for its end; the gate does, when it ends itself.
		r.markDisposed()
		r.dispose()
		return nil, err
	}
	return r, nil
}

// ContextID is the run's first context.
func (r *Run) ContextID() string {
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	if len(r.contexts) == 0 {
		return ""
	}
	return r.contexts[0]
}

// Done is closed when the run was disposed of or the gate has ended.
func (r *Run) Done() <-chan struct{} { return r.done }

// NewContext makes another context, with the same proxy and download folder. A run has at most 4.
func (r *Run) NewContext(ctx context.Context) (string, error) {
	g := r.gate
	g.mu.Lock()
	switch {
	case r.disposed:
		defer g.mu.Unlock()
		return "", ErrClosed
	case len(r.contexts)+r.opening >= maxContexts:
		defer g.mu.Unlock()
		return "", fmt.Errorf("a run may have %d browser contexts: %w", maxContexts, ErrLimit)
	}
	type made struct {
		id  string
		err error
	}
	result := make(chan made, 1)
	// The command runs on when ctx ends: a context that Chromium makes must be known, or nobody disposes of it.
	if !g.start(func() {
		id, err := r.makeContext()
		result <- made{id, err}
	}) {
		defer g.mu.Unlock()
		return "", g.err
	}
	r.opening++
	g.mu.Unlock()
	select {
	case m := <-result:
		return m.id, m.err
	case <-ctx.Done():
		return "", fmt.Errorf("making a browser context: %w", context.Cause(ctx))
	}
}

func (r *Run) makeContext() (id string, err error) {
	g := r.gate
	params := map[string]any{"disposeOnDetach": true}
	if r.options.Proxy != "" {
		params["proxyServer"] = r.options.Proxy
		params["proxyBypassList"] = "<-loopback>"
	}
	var created struct {
		ID string `json:"browserContextId"`
	}
	err = g.call(g.ctx, nil, "Target.createBrowserContext", params, &created)
	g.mu.Lock()
	r.opening--
	if err == nil {
		r.contexts = append(r.contexts, created.ID)
		g.contexts[created.ID] = r
	}
	r.changedNow()
	g.mu.Unlock()
	if err != nil {
		return "", fmt.Errorf("making a browser context: %w", err)
	}
	// Chromium starts its network process when something first needs it, and a page then waits for it; any question to it wakes it now.
	g.post("", "Storage.getCookies", fmt.Sprintf(`{"browserContextId":%q}`, created.ID))
	download := map[string]any{"behavior": "deny", "browserContextId": created.ID}
	if r.options.DownloadDir != "" {
		download = map[string]any{"behavior": "allowAndName", "browserContextId": created.ID, "downloadPath": r.options.DownloadDir, "eventsEnabled": true}
	}
	if err := g.call(g.ctx, nil, "Browser.setDownloadBehavior", download, nil); err != nil {
		return "", errors.Join(fmt.Errorf("setting the download folder: %w", err), r.dropContext(g.ctx, created.ID))
	}
	return created.ID, nil
}

// owns gives an error when a context is not the run's.
func (r *Run) owns(contextID string) error {
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	switch {
	case r.gate.err != nil:
		return r.gate.err
	case r.disposed:
		return ErrClosed
	case !slices.Contains(r.contexts, contextID):
		return fmt.Errorf("the browser context %.64q: %w", contextID, ErrNotYours)
	}
	return nil
}

// CloseContext disposes of one of the run's contexts with its pages.
func (r *Run) CloseContext(ctx context.Context, contextID string) error {
	if err := r.owns(contextID); err != nil {
		return err
	}
	return r.dropContext(ctx, contextID)
}

func (r *Run) dropContext(ctx context.Context, contextID string) error {
	g := r.gate
	if err := g.call(ctx, nil, "Target.disposeBrowserContext", map[string]any{"browserContextId": contextID}, nil); err != nil {
		// One that is gone already, closed by two at once, is what was wanted.
		if failure := (*cdp.Error)(nil); !errors.As(err, &failure) {
			return fmt.Errorf("disposing of a browser context: %w", err)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.contexts, contextID)
	r.contexts = slices.DeleteFunc(r.contexts, func(id string) bool { return id == contextID })
	return nil
}

// Dispose ends the run: it cuts the worker off, disposes of every context and waits until Chromium has. Pages send nothing after it. An
// ended ctx ends the waiting, not the disposing. When the connection to Chromium ends, Chromium disposes of the contexts by itself. It may
// be called more than once.
func (r *Run) Dispose(ctx context.Context) error {
	r.markDisposed()
	r.Cut()
	r.dispose()
	select {
	case <-r.done:
	case <-ctx.Done():
		return fmt.Errorf("disposing of a run's browser contexts: %w", context.Cause(ctx))
	}
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	return r.endErr
}

func (r *Run) markDisposed() {
	r.gate.mu.Lock()
	r.disposed = true
	r.gate.mu.Unlock()
}

func (r *Run) disposeContexts() {
	g := r.gate
	g.mu.Lock()
	for r.opening > 0 && g.err == nil {
		changed := r.changed
		g.mu.Unlock()
		select {
		case <-changed:
		case <-g.ctx.Done():
		}
		g.mu.Lock()
	}
	contexts := slices.Clone(r.contexts)
	g.mu.Unlock()
	var wg sync.WaitGroup
	errs := make([]error, len(contexts))
	for i, id := range contexts {
		wg.Go(func() {
			if err := r.dropContext(g.ctx, id); !errors.Is(err, ErrClosed) {
				errs[i] = err
			}
		})
	}
	wg.Wait()
	g.mu.Lock()
	r.endErr = errors.Join(errs...)
	g.mu.Unlock()
	r.finish()
}

// changedNow wakes who waits for the run's sessions or contexts; the gate's lock is held.
func (r *Run) changedNow() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// bySession lists the run's sessions in the order they were attached; the gate's lock is held.
func (r *Run) bySession() []*session {
	return slices.SortedFunc(maps.Values(r.sessions), func(a, b *session) int { return cmp.Compare(a.order, b.order) })
}

// Pages lists the run's open pages in the order they were opened.
func (r *Run) Pages() []Page {
	r.gate.mu.Lock()
	defer r.gate.mu.Unlock()
	var pages []Page
	for _, s := range r.bySession() {
		if s.kind == "page" {
			pages = append(pages, s.page())
		}
	}
	return pages
}

// NewPage opens a page at about:blank in one of the run's contexts. With a bound worker the page waits until the worker lets it go.
func (r *Run) NewPage(ctx context.Context, contextID string) (Page, error) {
	if err := r.owns(contextID); err != nil {
		return Page{}, err
	}
	g := r.gate
	g.mu.Lock()
	full := len(r.sessions) >= g.sessionLimit
	g.mu.Unlock()
	if full {
		return Page{}, fmt.Errorf("a run may have %d pages, frames and web workers: %w", g.sessionLimit, ErrLimit)
	}
	var created struct {
		Target string `json:"targetId"`
	}
	if err := g.call(ctx, nil, "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": contextID}, &created); err != nil {
		return Page{}, fmt.Errorf("opening a page: %w", err)
	}
	for {
		g.mu.Lock()
		page, changed := r.pageOf(created.Target), r.changed
		g.mu.Unlock()
		if page != nil {
			return page.page(), nil
		}
		select {
		case <-changed:
		case <-r.done:
			return Page{}, fmt.Errorf("opening a page: %w", ErrClosed)
		case <-ctx.Done():
			return Page{}, fmt.Errorf("opening a page: %w", context.Cause(ctx))
		}
	}
}

// pageOf finds the session of a page; the gate's lock is held.
func (r *Run) pageOf(target string) *session {
	for _, s := range r.sessions {
		if s.target == target && s.kind == "page" {
			return s
		}
	}
	return nil
}

// ClosePage closes a page of the run. With beforeUnload the page's handlers run first and may keep it open.
func (r *Run) ClosePage(ctx context.Context, targetID string, beforeUnload bool) error {
	g := r.gate
	g.mu.Lock()
	s := r.pageOf(targetID)
	g.mu.Unlock()
	if s == nil {
		return fmt.Errorf("the page %.64q: %w", targetID, ErrNotYours)
	}
	var err error
	if beforeUnload {
		err = g.call(ctx, s, "Page.close", nil, nil)
	} else {
		err = g.call(ctx, nil, "Target.closeTarget", map[string]any{"targetId": targetID}, nil)
	}
	if err != nil && !errors.Is(err, ErrSessionClosed) { // a page that is gone is closed
		return fmt.Errorf("closing a page: %w", err)
	}
	return nil
}

// Call sends a command of the host's own on a session of the run. It is not held against the policy. params is nil, a params struct of
// cdproto, a map or json.RawMessage; res nil, a pointer to a result struct or to a json.RawMessage. It fails with *cdp.Error when the
// browser refused, ErrSessionClosed, ErrClosed, or ctx's cause. An open dialog makes most commands on its page wait.
func (r *Run) Call(ctx context.Context, sessionID, method string, params, res any) error {
	g := r.gate
	g.mu.Lock()
	s := g.sessions[sessionID]
	g.mu.Unlock()
	if s == nil || s.run != r {
		select {
		case <-g.done:
			return g.Err()
		default:
		}
		return fmt.Errorf("the session %.64q: %w", sessionID, ErrNotYours)
	}
	return g.call(ctx, s, method, params, res)
}

// Cookies gives a context's cookies, as an array of CDP's Network.Cookie.
func (r *Run) Cookies(ctx context.Context, contextID string) (json.RawMessage, error) {
	if err := r.owns(contextID); err != nil {
		return nil, err
	}
	var res struct {
		Cookies json.RawMessage `json:"cookies"`
	}
	if err := r.gate.call(ctx, nil, "Storage.getCookies", map[string]any{"browserContextId": contextID}, &res); err != nil {
		return nil, fmt.Errorf("reading cookies: %w", err)
	}
	return res.Cookies, nil
}

// SetCookies sets cookies in a context; cookies is an array of CDP's Network.CookieParam and may come from a worker.
func (r *Run) SetCookies(ctx context.Context, contextID string, cookies json.RawMessage) error {
	if err := r.owns(contextID); err != nil {
		return err
	}
	if err := strictJSON(cookies, '['); err != nil {
		return fmt.Errorf("setting cookies: %w: %w", ErrRefused, err)
	}
	params := map[string]any{"browserContextId": contextID, "cookies": cookies}
	if err := r.gate.call(ctx, nil, "Storage.setCookies", params, nil); err != nil {
		return fmt.Errorf("setting cookies: %w", err)
	}
	return nil
}

// ClearCookies removes a context's cookies.
func (r *Run) ClearCookies(ctx context.Context, contextID string) error {
	if err := r.owns(contextID); err != nil {
		return err
	}
	if err := r.gate.call(ctx, nil, "Storage.clearCookies", map[string]any{"browserContextId": contextID}, nil); err != nil {
		return fmt.Errorf("clearing cookies: %w", err)
	}
	return nil
}
