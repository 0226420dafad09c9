package supervisor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/supervisor/egress"
	"github.com/pomerado-go/pomerado/supervisor/gate"
)

const (
	// rootLimit bounds loading the site's root (spec artifact-and-serving.md §6.1).
	rootLimit = 30 * time.Second
	// disposeLimit bounds disposing of a run's contexts at its end.
	disposeLimit = 5 * time.Second
)

// tab is what a run holds of the browser: a fresh context with its own way out to the network and its own download folder, and its
// first page. Nothing of it outlives the run.
type tab struct {
	run   *gate.Run
	proxy *egress.Proxy
	dir   string // the run's folder on disk; downloads land in it
	page  gate.Page
}

// openTab makes the context and its first page. On an error nothing is left behind.
func openTab(ctx context.Context, live *liveBrowser, policy egress.Policy, events gate.Events) (t *tab, err error) {
	t = &tab{}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close(ctx))
		}
	}()
	if t.dir, err = chromium.NewRunDir(); err != nil {
		return t, fmt.Errorf("making the run's folder: %w", err)
	}
	opts := gate.RunOptions{DownloadDir: t.dir, Events: events}
	if !live.browser.Attached() {
		if t.proxy, err = egress.Listen(ctx, policy); err != nil {
			return t, fmt.Errorf("opening the run's network: %w", err)
		}
		opts.Proxy = t.proxy.Addr()
	}
	if t.run, err = live.gate.Open(ctx, opts); err != nil {
		return t, fmt.Errorf("making the run's browser context: %w", err)
	}
	if t.page, err = t.run.NewPage(ctx, t.run.ContextID()); err != nil {
		return t, fmt.Errorf("opening the run's page: %w", err)
	}
	return t, nil
}

// loadRoot brings the first page to the site's root, to DOM-ready or for 30 seconds. A root that fails to load is no failure
// (spec artifact-and-serving.md §6.1); only a browser that is gone is, and the end of ctx.
//
// With nobody to hear of dialogs the page's are closed by the browser; heard says that somebody is there.
func (t *tab) loadRoot(ctx context.Context, site *url.URL, heard bool) error {
	limited, cancel := context.WithTimeout(ctx, rootLimit)
	defer cancel()
	root := url.URL{Scheme: site.Scheme, Host: site.Host, Path: "/"}
	err := t.reachRoot(limited, root.String(), heard)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil, limited.Err() != nil:
		return nil
	}
	select {
	case <-t.run.Done():
		return err
	default:
		return nil
	}
}

// domReady settles once the document is parsed. It runs in a world of its own, where a page's overrides do not reach.
const domReady = `new Promise(done => document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", () => done(true), {once: true}) : done(true))`

func (t *tab) reachRoot(ctx context.Context, root string, heard bool) error {
	session := t.page.SessionID
	if heard {
		if err := t.run.Call(ctx, session, "Page.enable", nil, nil); err != nil { // so that a dialog at load is heard of
			return err
		}
	}
	var nav struct {
		FrameID   string `json:"frameId"`
		ErrorText string `json:"errorText"`
	}
	if err := t.run.Call(ctx, session, "Page.navigate", map[string]any{"url": root}, &nav); err != nil || nav.ErrorText != "" {
		return err
	}
	for ctx.Err() == nil {
		var world struct {
			ID int64 `json:"executionContextId"`
		}
		err := t.run.Call(ctx, session, "Page.createIsolatedWorld", map[string]any{"frameId": nav.FrameID, "worldName": "pomerado_start"}, &world)
		if err == nil {
			err = t.run.Call(ctx, session, "Runtime.evaluate", map[string]any{"expression": domReady, "contextId": world.ID, "awaitPromise": true}, nil)
		}
		if err == nil {
			return nil
		}
		// The document was replaced meanwhile, as by a redirect in script: look at the one that took its place.
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		case <-t.run.Done():
			return err
		}
	}
	return context.Cause(ctx)
}

// close disposes of the contexts, then cuts the network and removes the folder. It works on after ctx has ended.
func (t *tab) close(ctx context.Context) error {
	var errs []error
	if t.run != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), disposeLimit)
		defer cancel()
		errs = append(errs, t.run.Dispose(ctx))
	}
	if t.proxy != nil {
		errs = append(errs, t.proxy.Close())
	}
	if t.dir != "" {
		errs = append(errs, os.RemoveAll(t.dir))
	}
	return errors.Join(errs...)
}
