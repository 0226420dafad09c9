package browser

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

func (f *Frame) goTo(ctx context.Context, api, url string, g GotoOptions) (*Response, error) {
	p := f.page
	return runValue(p, ctx, api, p.timeouts.ofNavigation(g.Timeout), func(o *op) (*Response, error) { return f.doGoto(o, url, g) })
}

// doGoto navigates and waits for the document the browser named in its answer.
func (f *Frame) doGoto(o *op, url string, g GotoOptions) (*Response, error) {
	until, err := verifyLifecycle("waitUntil", g.WaitUntil)
	if err != nil {
		return nil, err
	}
	p := f.page
	url = resolveURL(p.context.options.BaseURL, url)
	o.logf("navigating to \"%s\", waiting until \"%s\"", url, until)
	referrer, err := p.referrer(g.Referer)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(url, "localhost") || strings.HasPrefix(url, "127.0.0.1") {
		url = "http://" + url
	}
	w := f.watch()
	defer w.close()
	p.browser.mu.Lock()
	s, id := p.sessionOf(f), f.id
	p.browser.mu.Unlock()
	if s == nil {
		return nil, frameDetachedError
	}
	params := obj{"url": url, "frameId": id, "referrerPolicy": "unsafeUrl"}
	if referrer != "" {
		params["referrer"] = referrer
	}
	ctx, cancel := f.whileAttached(o.ctx)
	defer cancel()
	var res struct {
		LoaderID   string `json:"loaderId"`
		ErrorText  string `json:"errorText"`
		IsDownload bool   `json:"isDownload"`
	}
	moved := false
	if err := s.call(ctx, "Page.navigate", params, &res); err != nil {
		if cause := causeOf(ctx); cause != nil {
			return nil, cause
		}
		// The frame may go to another process before the answer: its session is gone then, and which document comes is not known.
		if moved = errors.Is(err, cdp.ErrSessionClosed) && s.kind == frameSession; !moved {
			return nil, err
		}
	}
	switch {
	case res.IsDownload:
		return nil, &abortedNavigation{res.LoaderID, "Download is starting"}
	case res.ErrorText != "":
		if res.ErrorText != "net::ERR_ABORTED" {
			w.errorPage(o)
		}
		return nil, &abortedNavigation{res.LoaderID, res.ErrorText + " at " + url}
	}
	n, err := w.next(o, func(n navigation) bool {
		if moved {
			return n.document != nil
		}
		if res.LoaderID == "" {
			return n.document == nil
		}
		return n.document != nil && (n.document.id == res.LoaderID || n.err == nil)
	})
	if err != nil {
		return nil, err
	}
	if res.LoaderID != "" && n.document.id != res.LoaderID {
		return nil, &abortedNavigation{res.LoaderID, "Navigation to \"" + url + "\" is interrupted by another navigation to \"" + n.url + "\""}
	}
	if n.err != nil {
		return nil, n.err
	}
	return f.settle(o, n, until)
}

// errorPageGrace bounds the wait for an error page that may not come.
const errorPageGrace = 500 * time.Millisecond

// errorPage waits for Chromium's error page after a failed navigation, so that the next call does not meet a document that is
// about to go.
func (w *navigationWatcher) errorPage(o *op) {
	ctx, cancel := context.WithTimeout(o.ctx, errorPageGrace)
	defer cancel()
	short := &op{ctx: ctx, base: ctx}
	if _, err := w.next(short, func(n navigation) bool { return n.err == nil && strings.HasPrefix(n.url, "chrome-error:") }); err == nil {
		_ = w.frame.waitLifecycle(short, DOMContentLoaded, nil)
	}
}

// settle waits for the lifecycle after a navigation and answers the response of the new document.
func (f *Frame) settle(o *op, n navigation, until LifecycleEvent) (*Response, error) {
	if err := f.waitLifecycle(o, until, nil); err != nil {
		return nil, err
	}
	if n.document == nil || n.document.request == nil {
		return nil, nil
	}
	f.page.browser.mu.Lock()
	final := n.document.request.final()
	f.page.browser.mu.Unlock()
	return final.awaitResponse(o)
}

// whileAttached is ctx that also ends when the frame is detached.
func (f *Frame) whileAttached(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(f.life, func() { cancel(f.goneCause()) })
	return ctx, func() {
		stop()
		cancel(context.Canceled)
	}
}

// referrer is the referrer a navigation sends: the option, which must not contradict an extra header, or that header.
func (p *Page) referrer(option *string) (string, error) {
	p.browser.mu.Lock()
	extra := findHeader(p.headers, "referer")
	p.browser.mu.Unlock()
	switch {
	case option == nil && extra == nil:
		return "", nil
	case option == nil:
		return *extra, nil
	case extra != nil && *extra != *option:
		return "", plainError("\"referer\" is already specified as extra HTTP header")
	}
	return *option, nil
}

// awaitNavigation waits for the next navigation a watcher sees; a failed one is an error.
func (f *Frame) awaitNavigation(o *op, w *navigationWatcher, newDocument bool, until LifecycleEvent) (*Response, error) {
	n, err := w.next(o, func(n navigation) bool {
		if n.err != nil {
			return true
		}
		if newDocument && n.document == nil {
			return false
		}
		o.logf("  navigated to \"%s\"", n.url)
		return true
	})
	if err != nil {
		return nil, err
	}
	if n.err != nil {
		return nil, n.err
	}
	return f.settle(o, n, until)
}

func (p *Page) reload(ctx context.Context, api string, n NavigateOptions) (*Response, error) {
	return runValue(p, ctx, api, p.timeouts.ofNavigation(n.Timeout), func(o *op) (*Response, error) {
		until, err := verifyLifecycle("waitUntil", n.WaitUntil)
		if err != nil {
			return nil, err
		}
		o.logf("waiting for navigation until \"%s\"", until)
		w := p.mainFrame.watch()
		defer w.close()
		if err := p.session.call(o.ctx, "Page.reload", nil, nil); err != nil {
			return nil, err
		}
		return p.mainFrame.awaitNavigation(o, w, true, until)
	})
}

func (p *Page) goHistory(ctx context.Context, api string, delta int64, n NavigateOptions) (*Response, error) {
	return runValue(p, ctx, api, p.timeouts.ofNavigation(n.Timeout), func(o *op) (*Response, error) {
		until, err := verifyLifecycle("waitUntil", n.WaitUntil)
		if err != nil {
			return nil, err
		}
		o.logf("waiting for navigation until \"%s\"", until)
		w := p.mainFrame.watch()
		defer w.close()
		var history page.GetNavigationHistoryResult
		if err := p.session.call(o.ctx, "Page.getNavigationHistory", nil, &history); err != nil {
			return nil, err
		}
		index := history.CurrentIndex + delta
		if index < 0 || index >= int64(len(history.Entries)) {
			return nil, nil
		}
		if err := p.session.call(o.ctx, "Page.navigateToHistoryEntry", obj{"entryId": history.Entries[index].ID}, nil); err != nil {
			return nil, err
		}
		return p.mainFrame.awaitNavigation(o, w, false, until)
	})
}

const writeDocument = `function(html,tag){document.open();console.debug(tag);document.write(html);document.close()}`

func (f *Frame) setContent(ctx context.Context, api, html string, n NavigateOptions) error {
	p := f.page
	return p.run(ctx, api, p.timeouts.ofNavigation(n.Timeout), func(o *op) error {
		until, err := verifyLifecycle("waitUntil", n.WaitUntil)
		if err != nil {
			return err
		}
		o.logf("setting frame content, waiting until \"%s\"", until)
		ec, err := f.worldOf(o, utilityWorld)
		if err != nil {
			return err
		}
		b := p.browser
		opened := make(chan struct{})
		b.mu.Lock()
		b.tags++
		tag := contentTag + itoa(b.tags)
		p.contentTags[tag] = func() {
			f.clearLifecycle()
			close(opened)
		}
		b.mu.Unlock()
		defer func() {
			b.mu.Lock()
			delete(p.contentTags, tag)
			b.mu.Unlock()
		}()
		callCtx, release := ec.bound(o.ctx)
		defer release()
		written := ec.startFunction(callCtx, "", writeDocument, []arg{textArg(html), textArg(tag)}, true)
		if _, err := ec.result(callCtx, written); err != nil {
			return err
		}
		if err := waitOn(callCtx, opened); err != nil {
			return err
		}
		return f.waitLifecycle(o, until, nil)
	})
}

// contentTag begins the console message by which setContent knows that the old document is closed.
const contentTag = "__pomerado_set_content__"

const readDocument = `function(){let t='';if(document.doctype)t=new XMLSerializer().serializeToString(document.doctype);` +
	`if(document.documentElement)t+=document.documentElement.outerHTML;return t}`

func (f *Frame) content(ctx context.Context, api string) (string, error) {
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (string, error) {
		ec, err := f.worldOf(o, utilityWorld)
		if err != nil {
			return "", err
		}
		r, err := ec.callFunction(o.ctx, "", readDocument, nil, true)
		switch {
		case err == nil:
			return r.text(), nil
		case o.retriable(f, err):
			return "", plainError("Unable to retrieve content because the page is navigating and changing the content.")
		}
		return "", err
	})
}

func (f *Frame) title(ctx context.Context, api string) (string, error) {
	return runValue(f.page, ctx, api, noTimeout, func(o *op) (string, error) {
		var title string
		err := f.unstalled(o, func(ctx context.Context) error {
			ec, err := f.worldOf(o, utilityWorld)
			if err != nil {
				return err
			}
			r, err := ec.callFunction(ctx, "", "function(){return document.title}", nil, true)
			if err == nil {
				title = r.text()
			}
			return err
		})
		if err == nil {
			return title, nil
		}
		if over := o.over(); over != nil {
			return "", over
		}
		f.page.browser.mu.Lock()
		defer f.page.browser.mu.Unlock()
		if f.pending != nil && f.pending.request != nil {
			return "Loading " + f.pending.request.url, nil
		}
		return "", nil
	})
}

// stalledError is why unstalled gave up.
const stalledError = plainError("The page cannot answer now: a dialog is open or a navigation is under way.")

// unstalled runs a call that need not be answered: it gives up at once when a dialog is open or the frame is about to navigate,
// since the page would not answer for a while.
func (f *Frame) unstalled(o *op, call func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(o.ctx)
	defer cancel(context.Canceled)
	s := &stall{frame: f, fn: func() { cancel(stalledError) }}
	p := f.page
	p.browser.mu.Lock()
	if f.pending != nil || len(p.dialogs) > 0 {
		p.browser.mu.Unlock()
		return stalledError
	}
	p.stalls[s] = struct{}{}
	p.browser.mu.Unlock()
	err := call(ctx)
	p.browser.mu.Lock()
	delete(p.stalls, s)
	p.browser.mu.Unlock()
	return err
}

func (f *Frame) waitForTimeout(ctx context.Context, api string, d time.Duration) error {
	return f.page.run(ctx, api, noTimeout, func(o *op) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-f.life.Done():
			return f.goneCause()
		case <-o.ctx.Done():
			return o.over()
		}
	})
}

// navigationOp is the op of a waiter for navigations, whose errors are worded in their own way.
func (f *Frame) navigationOp(api string, timeout *time.Duration) *op {
	p := f.page
	o := newOp(p.browser.ctx, p.life, api, p.timeouts.ofNavigation(timeout))
	o.framedLog = true
	return o
}

// navigationError words the end of a page or frame for those who wait for a navigation.
func navigationError(err error) error {
	switch err {
	case error(crashedError):
		return plainError("Navigation failed because page crashed!")
	case error(frameDetachedError):
		return plainError("Navigating frame was detached!")
	}
	return err
}

func (f *Frame) expectNavigation(api string, match URLMatch, u WaitForURLOptions) *Waiter {
	o := f.navigationOp(api, u.Timeout)
	until, err := verifyLifecycle("waitUntil", u.WaitUntil)
	if err != nil {
		o.framedLog = false
		return failedWaiter(o, err)
	}
	w := f.watch()
	return &Waiter{op: o, disarm: w.close, wait: func(o *op) (any, error) { return f.navigationTo(o, w, match, until) }}
}

func (f *Frame) navigationTo(o *op, w *navigationWatcher, match URLMatch, until LifecycleEvent) (any, error) {
	to := ""
	if match.Glob != "" {
		to = " to \"" + match.Glob + "\""
	}
	o.logf("waiting for navigation%s until \"%s\"", to, until)
	for {
		n, err := w.next(o, func(navigation) bool { return true })
		if err != nil {
			return nil, navigationError(err)
		}
		if n.err != nil {
			return nil, n.err
		}
		o.logf("  navigated to \"%s\"", n.url)
		if took, err := match.matches(o.base, f.page.context.options.BaseURL, n.url); err != nil {
			return nil, err
		} else if !took {
			continue
		}
		if err := f.waitLifecycle(o, until, func(e LifecycleEvent) { o.logf("  \"%s\" event fired", e) }); err != nil {
			return nil, navigationError(err)
		}
		response, err := f.settle(o, n, Commit)
		if err != nil || response == nil {
			return nil, err
		}
		return response, nil
	}
}

func (f *Frame) expectURL(api string, match URLMatch, u WaitForURLOptions) *Waiter {
	o := f.navigationOp(api, u.Timeout)
	until, err := verifyLifecycle("waitUntil", u.WaitUntil)
	if err != nil {
		o.framedLog = false
		return failedWaiter(o, err)
	}
	w := f.watch()
	at := f.URL()
	return &Waiter{op: o, disarm: w.close, wait: func(o *op) (any, error) {
		if took, err := match.matches(o.base, f.page.context.options.BaseURL, at); err != nil {
			return nil, err
		} else if took {
			return nil, f.awaitLoadState(o, until)
		}
		return f.navigationTo(o, w, match, until)
	}}
}

func (f *Frame) expectLoadState(api string, state LifecycleEvent, t TimeoutOptions) *Waiter {
	o := f.navigationOp(api, t.Timeout)
	state, err := verifyLifecycle("state", state)
	if err != nil {
		o.framedLog = false
		return failedWaiter(o, err)
	}
	return &Waiter{op: o, wait: func(o *op) (any, error) { return nil, f.awaitLoadState(o, state) }}
}

func (f *Frame) awaitLoadState(o *op, state LifecycleEvent) error {
	f.page.browser.mu.Lock()
	fired := f.fired.has(state)
	f.page.browser.mu.Unlock()
	if fired {
		o.logf("  not waiting, \"%s\" event already fired", state)
		return o.over()
	}
	return navigationError(f.waitLifecycle(o, state, func(e LifecycleEvent) { o.logf("  \"%s\" event fired", e) }))
}
