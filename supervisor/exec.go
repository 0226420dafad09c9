package supervisor

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/supervisor/egress"
)

// DefaultCallTimeout is the timeout of page code that names none (spec runtime-sdk.md §4).
const DefaultCallTimeout = 60 * time.Second

// PageCode is one piece of page code without an operation around it.
type PageCode struct {
	// Code is the body of an async function that sees page, context, browser and console; at most 1 MiB.
	Code string
	// Timeout is 1 s to 300 s; 0 means DefaultCallTimeout.
	Timeout time.Duration
	// URL is opened before the code runs; empty and about:blank stay on the blank page.
	URL string
}

// PageResult is what page code came to. A throw, a timeout and a lost worker are Success false with an Error.
type PageResult struct {
	Success bool
	// Result is JSON text; nil when the code returned undefined.
	Result         json.RawMessage
	Error          string
	Stdout, Stderr string
	// Cause is what ended the code when it was not the code itself.
	Cause ipc.Cause
}

// Execute runs page code on a fresh context, through the same worker, gate and clock as a run. It has no site: its network reaches
// loopback and public addresses. The error is a *UsageError, wraps ErrNoBrowser, or is a fault of the host.
func (s *Supervisor) Execute(ctx context.Context, code PageCode) (PageResult, error) {
	if code.Timeout == 0 {
		code.Timeout = DefaultCallTimeout
	}
	switch {
	case code.Timeout < time.Millisecond || code.Timeout > ipc.MaxCallMS*time.Millisecond:
		return PageResult{}, &UsageError{fmt.Sprintf("The timeout %v is outside 1 ms to 300 s", code.Timeout), "Give a timeout in that range"}
	case len(code.Code) > ipc.MaxCode:
		return PageResult{}, &UsageError{fmt.Sprintf("The code is %d bytes; at most %d are taken", len(code.Code), ipc.MaxCode), "Give shorter code"}
	case len(code.URL) > ipc.MaxURL:
		return PageResult{}, &UsageError{fmt.Sprintf("The URL is %d bytes; at most %d are taken", len(code.URL), ipc.MaxURL), "Give a shorter URL"}
	}
	ctx, done, err := s.begin(ctx)
	if err != nil {
		return PageResult{}, err
	}
	defer done()
	r := &run{s: s, ended: make(chan struct{})}
	r.files = newRunFiles(s.files.opts.Limits, nil, r.dropDownload)
	if err := r.preparePage(ctx); err != nil {
		r.release(ctx)
		return PageResult{}, err
	}
	ctx, r.clock = startClock(ctx, code.Timeout+yieldGrace)
	r.drive(ctx, func(ctx context.Context) error {
		work := &workerpb.PageCode{TimeoutMs: code.Timeout.Milliseconds(), Url: code.URL}
		start := &workerpb.Start{
			Work: &workerpb.Start_PageCode{PageCode: work}, SessionId: sessionPrefix + newID(),
			RemainingMs: r.clock.remaining().Milliseconds(), ContextId: r.tab.run.ContextID(),
		}
		return r.sendStart(ctx, start, map[*uint32][]byte{&work.CodeBlob: []byte(code.Code)})
	})
	r.finish(ctx)
	return r.pageResult(code.Timeout), nil
}

func (r *run) preparePage(ctx context.Context) error {
	own := make(chan *programs, 1)
	return sideBySide(ctx,
		func(ctx context.Context) error {
			programs, err := r.s.sources.ownPrograms(ctx)
			own <- programs
			return err
		},
		func(ctx context.Context) error { return r.equip(ctx, own) },
		func(ctx context.Context) error {
			return r.open(ctx, egress.Policy{Open: true, AllowHosts: r.s.opts.AllowHosts})
		})
}

func (r *run) pageResult(timeout time.Duration) PageResult {
	how := r.how
	p := PageResult{Stdout: how.stdout, Stderr: how.stderr, Cause: how.cause}
	switch {
	case how.result != nil:
		p.Success, p.Result = true, how.output
	case how.failure != nil:
		p.Error = how.failure.Message
	case how.cause == ipc.CauseDeadline, how.cause == ipc.CauseCallTimeout:
		p.Cause = ipc.CauseCallTimeout
		p.Error = fmt.Sprintf("The page code did not end within %v", timeout)
	default:
		p.Error = causeSentence(how.cause)
	}
	return p
}

// causeSentence words an end that was not the code's own doing.
func causeSentence(cause ipc.Cause) string {
	switch cause {
	case ipc.CauseOutOfMemory:
		return "The worker needed more memory than it may use"
	case ipc.CauseBrowserLost:
		return "The browser ended"
	case ipc.CauseFlooded:
		return "The page sent more than the worker could take"
	case ipc.CauseCancelled:
		return "It was cancelled"
	case ipc.CauseJailFailed:
		return "The worker could not be jailed"
	}
	return "The worker ended before the code did"
}
