package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/cdp"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/jsrt/playwright"
	"github.com/pomerado-go/pomerado/workers/browser"
)

// yieldLimit is how long an interrupted page runtime may take to stop; past it the supervisor kills the worker (DESIGN.md, timeout_sec).
const yieldLimit = 250 * time.Millisecond

var errPagesGone = errors.New("the browser session ended with an earlier call, and nothing is replayed")

// pages runs page code: the engine on the run's CDP socket and the runtime whose globalThis lives across calls.
type pages struct {
	link   *link
	rt     *jsrt.Runtime
	engine *browser.Browser
	first  *browser.Page
	code   *playwright.PageCode

	calling sync.Mutex // one call at a time, in the order they were made
	gone    error      // set with calling held
}

// openPages connects the engine to the run's page and waits until it is ready.
func (w *worker) openPages(ctx context.Context, l *link, start *workerpb.Start) (p *pages, err error) {
	p = &pages{link: l}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	p.engine, err = browser.Connect(ctx, cdp.NewSocket(w.conn), browser.Options{
		Host: capabilities{l}, Inject: w.inject, Evaluator: w.evaluator, Clock: w.clock, ContextID: start.ContextId, Version: start.BrowserVersion,
	})
	if err != nil {
		return p, fmt.Errorf("connecting to the browser: %w", err)
	}
	if p.first, err = p.engine.WaitForPage(ctx); err != nil {
		return p, fmt.Errorf("waiting for the page: %w", err)
	}
	p.rt = jsrt.New(ctx, playwright.RuntimeOptions())
	if p.code, err = playwright.Load(ctx, p.rt, p.first); err != nil {
		return p, fmt.Errorf("setting up page code: %w", err)
	}
	return p, nil
}

func (p *pages) close() {
	if p.rt != nil {
		p.rt.Close()
	}
	if p.engine != nil {
		_ = p.engine.Close() // the connection is ours alone and goes with the process
	}
}

// visit opens url in the first page before any page code runs.
func (p *pages) visit(ctx context.Context, url string, limit time.Duration) error {
	_, err := p.first.Goto(ctx, url, browser.GotoOptions{Timeout: &limit})
	return err
}

// errCallTimeout interrupts the page runtime of a call that passed its timeout.
type errCallTimeout struct{ after time.Duration }

func (e errCallTimeout) Error() string {
	return fmt.Sprintf("the browser call did not end within %v; what it started may have happened", e.after)
}

// execute runs one call. Page code that throws is a reply with its error; the error returned is a call that failed as a whole, after
// which every later call fails.
func (p *pages) execute(ctx context.Context, code string, timeout time.Duration) (playwright.Reply, error) {
	p.calling.Lock()
	defer p.calling.Unlock()
	if p.gone != nil {
		return playwright.Reply{}, p.gone
	}
	if err := p.link.journal(ctx, &workerpb.Journal{Event: &workerpb.Journal_ExecuteBegin{ExecuteBegin: timeout.Milliseconds()}}); err != nil {
		return playwright.Reply{}, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, timeout, errCallTimeout{timeout})
	defer cancel()
	reply, err := p.code.Execute(limited, code)
	if limited.Err() != nil {
		return playwright.Reply{}, p.abandon(ctx, context.Cause(limited))
	}
	if end := p.link.journal(ctx, &workerpb.Journal{Event: &workerpb.Journal_ExecuteEnd{ExecuteEnd: true}}); end != nil {
		return playwright.Reply{}, end
	}
	return reply, err
}

// abandon ends the session of a call that passed its timeout: the runtime is interrupted, and the supervisor cuts the sessions and
// disposes of the contexts before it answers. A runtime that does not yield is left to the supervisor, which kills the worker.
func (p *pages) abandon(ctx context.Context, cause error) error {
	p.gone = errPagesGone
	p.rt.Interrupt(cause)
	if _, err := p.link.request(ctx, &workerpb.Request{Kind: &workerpb.Request_CallTimedOut{CallTimedOut: &workerpb.CallTimedOut{}}}); err != nil {
		return err
	}
	yielded := time.NewTimer(yieldLimit)
	defer yielded.Stop()
	select {
	case <-p.rt.Yielded():
	case <-yielded.C:
		<-ctx.Done() // the supervisor's timer for this call ends this process
		return context.Cause(ctx)
	}
	if err := p.link.journal(ctx, &workerpb.Journal{Event: &workerpb.Journal_ExecuteEnd{ExecuteEnd: true}}); err != nil {
		return err
	}
	return cause
}

// capabilities asks the supervisor for what the engine's CDP connection may not do.
type capabilities struct{ link *link }

func (c capabilities) ask(ctx context.Context, q *workerpb.Request) (*workerpb.Reply, error) {
	return c.link.request(ctx, q)
}

func (c capabilities) NewPage(ctx context.Context, contextID string) (string, error) {
	r, err := c.ask(ctx, &workerpb.Request{Kind: &workerpb.Request_NewPage{NewPage: &workerpb.NewPage{ContextId: contextID}}})
	return r.GetNewPage().GetTargetId(), err
}

func (c capabilities) ClosePage(ctx context.Context, targetID string, runBeforeUnload bool) error {
	_, err := c.ask(ctx, &workerpb.Request{Kind: &workerpb.Request_ClosePage{ClosePage: &workerpb.ClosePage{TargetId: targetID, RunBeforeUnload: runBeforeUnload}}})
	return err
}

func (c capabilities) NewContext(ctx context.Context) (string, error) {
	r, err := c.ask(ctx, &workerpb.Request{Kind: &workerpb.Request_NewContext{NewContext: &workerpb.NewContext{}}})
	return r.GetNewContext().GetContextId(), err
}

func (c capabilities) CloseContext(ctx context.Context, contextID string) error {
	_, err := c.ask(ctx, &workerpb.Request{Kind: &workerpb.Request_CloseContext{CloseContext: &workerpb.CloseContext{ContextId: contextID}}})
	return err
}

func (c capabilities) storage(ctx context.Context, s *workerpb.Storage) (string, error) {
	r, err := c.ask(ctx, &workerpb.Request{Kind: &workerpb.Request_Storage{Storage: s}})
	return r.GetStorage().GetCookies(), err
}

func (c capabilities) GetCookies(ctx context.Context, contextID string) (json.RawMessage, error) {
	cookies, err := c.storage(ctx, &workerpb.Storage{ContextId: contextID, Op: &workerpb.Storage_GetCookies{GetCookies: true}})
	return json.RawMessage(cookies), err
}

func (c capabilities) SetCookies(ctx context.Context, contextID string, cookies json.RawMessage) error {
	if len(cookies) > ipc.MaxInline {
		return fmt.Errorf("the cookies are %d bytes; at most %d may be set at a time", len(cookies), ipc.MaxInline)
	}
	_, err := c.storage(ctx, &workerpb.Storage{ContextId: contextID, Op: &workerpb.Storage_SetCookies{SetCookies: string(cookies)}})
	return err
}

func (c capabilities) ClearCookies(ctx context.Context, contextID string) error {
	_, err := c.storage(ctx, &workerpb.Storage{ContextId: contextID, Op: &workerpb.Storage_ClearCookies{ClearCookies: true}})
	return err
}

func (c capabilities) permissions(ctx context.Context, p *workerpb.Permissions) error {
	_, err := c.ask(ctx, &workerpb.Request{Kind: &workerpb.Request_Permissions{Permissions: p}})
	return err
}

func (c capabilities) GrantPermissions(ctx context.Context, contextID, origin string, permissions []string) error {
	return c.permissions(ctx, &workerpb.Permissions{ContextId: contextID, Origin: origin, Granted: permissions})
}

func (c capabilities) ResetPermissions(ctx context.Context, contextID string) error {
	return c.permissions(ctx, &workerpb.Permissions{ContextId: contextID, Reset_: true})
}

func (c capabilities) WaitDownload(ctx context.Context, guid string) (browser.DownloadEnd, error) {
	r, err := c.ask(ctx, &workerpb.Request{Kind: &workerpb.Request_Download{Download: &workerpb.Download{Guid: guid, Op: "wait"}}})
	return browser.DownloadEnd{Failure: r.GetDownload().GetFailure()}, err
}

func (c capabilities) CancelDownload(ctx context.Context, guid string) error {
	_, err := c.ask(ctx, &workerpb.Request{Kind: &workerpb.Request_Download{Download: &workerpb.Download{Guid: guid, Op: "cancel"}}})
	return err
}
