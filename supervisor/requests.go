package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/supervisor/gate"
)

// maxOutstanding bounds the requests of one worker that are being served at a time; one more ends the run.
const maxOutstanding = 64

// yieldGrace is how long after its timeout an execute may still take to hand back its runtime before the worker is killed.
const yieldGrace = 600 * time.Millisecond

var errTooManyRequests = errors.New("the worker asked for more than it may at a time")

// serve grants or refuses one request. Journal events are taken in order on the receiving goroutine, so that an event is in the
// journal before anything the worker does after it; everything else is served beside.
func (r *run) serve(ctx context.Context, q *workerpb.Request, blobs *ipc.Blobs) error {
	if j := q.GetJournal(); j != nil {
		return r.answer(ctx, q.Id, &workerpb.Reply{}, r.note(j))
	}
	if c := q.GetCancelRequest(); c != nil {
		r.requests.cancel(c.Id)
		return r.answer(ctx, q.Id, &workerpb.Reply{}, nil)
	}
	if r.outstanding.Add(1) > maxOutstanding {
		r.outstanding.Add(-1)
		return errTooManyRequests
	}
	var request []byte
	settled, served := func() {}, ctx
	if concernsOutcome(q) {
		r.owed.Add(1)
		settled = sync.OnceFunc(func() { r.owed.Add(-1) })
	}
	if h := q.GetSiteHttp(); h != nil {
		var err error
		if request, err = blobs.Take(h.RequestBlob); err != nil {
			return err
		}
		served, settled = r.requests.add(ctx, q.Id, settled)
	}
	r.serving.Go(func() {
		reply := &workerpb.Reply{}
		err := r.grant(served, q, request, reply)
		r.outstanding.Add(-1)
		settled()
		// A worker that is gone gets no answer; its end is noticed where its messages are received.
		_ = r.answer(ctx, q.Id, reply, err)
	})
	return nil
}

// cancellable are the requests under way that a script may stop waiting for, by their ids.
type cancellable struct {
	mu   sync.Mutex
	ends map[uint64]func()
}

// add gives a request a context of its own. end must be called once it is served; it calls settled, as cancel does before.
func (c *cancellable) add(parent context.Context, id uint64, settled func()) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancel(parent)
	end = sync.OnceFunc(func() {
		c.mu.Lock()
		delete(c.ends, id)
		c.mu.Unlock()
		cancel()
		settled()
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ends == nil {
		c.ends = map[uint64]func(){}
	}
	c.ends[id] = end
	return ctx, end
}

// cancel ends a request. One that was served meanwhile is none any more.
func (c *cancellable) cancel(id uint64) {
	c.mu.Lock()
	end := c.ends[id]
	c.mu.Unlock()
	if end != nil {
		end()
	}
}

// concernsOutcome tells the requests that a script waits for: a Result sent before their answer is no report of the run's end
// (spec runtime-sdk.md §5.3). What page code started and left behind is not among them.
func concernsOutcome(q *workerpb.Request) bool {
	switch q.Kind.(type) {
	case *workerpb.Request_Ask, *workerpb.Request_Dialog, *workerpb.Request_SignIn, *workerpb.Request_FileArm,
		*workerpb.Request_FileCollect, *workerpb.Request_FilePlace, *workerpb.Request_SiteHttp, *workerpb.Request_CallTimedOut:
		return true
	}
	return false
}

func (r *run) answer(ctx context.Context, id uint64, reply *workerpb.Reply, err error) error {
	reply.Id = id
	reply.RemainingMs = r.clock.remaining().Milliseconds()
	if err != nil {
		reply.Value = nil
		var no *refusal
		if !errors.As(err, &no) {
			no = r.refusalFor(ctx, err)
		}
		reply.Code, reply.Message = string(no.code), clip(no.message, ipc.MaxErrorText)
	}
	return r.link.reply(ctx, reply)
}

// refusalFor words an error that no rule of ours made.
func (r *run) refusalFor(ctx context.Context, err error) *refusal {
	switch {
	case errors.Is(context.Cause(ctx), errDeadline):
		return refuse(ipc.Expired, "the run's time is over")
	case ctx.Err() != nil:
		return refuse(ipc.Cancelled, "the run is ending")
	case errors.Is(err, gate.ErrNotYours):
		return refuse(ipc.NotYours, err.Error())
	case errors.Is(err, gate.ErrLimit):
		return refuse(ipc.LimitExceeded, err.Error())
	case errors.Is(err, gate.ErrClosed):
		return refuse(ipc.BrowserLost, "the browser is gone")
	}
	return refuse(ipc.InvalidRequest, err.Error())
}

func (r *run) note(j *workerpb.Journal) error {
	switch e := j.Event.(type) {
	case *workerpb.Journal_DeclareCommits:
		return r.journal.declareCommits(e.DeclareCommits.Write, e.DeclareCommits.Confirmation, e.DeclareCommits.Names)
	case *workerpb.Journal_Dispatch:
		r.journal.dispatch()
	case *workerpb.Journal_ExecuteBegin:
		r.journal.executeBegin()
		r.watchCall(time.Duration(e.ExecuteBegin) * time.Millisecond)
	case *workerpb.Journal_ExecuteEnd:
		r.watchCall(0)
		return r.journal.executeEnd()
	case *workerpb.Journal_EnteringCommit:
		r.journal.enteringCommit(e.EnteringCommit)
	case *workerpb.Journal_Verified:
		if err := r.journal.verified(e.Verified); err != nil {
			return refuse(ipc.Unauthorized, err.Error())
		}
	}
	return nil
}

// watchCall ends the run if the execute that begins now has not ended a moment after its timeout. Calls are serialised, so there is
// one at most; 0 says that it ended.
func (r *run) watchCall(timeout time.Duration) {
	if r.callTimer != nil {
		r.callTimer.Stop()
		r.callTimer = nil
	}
	if timeout > 0 {
		r.callTimer = time.AfterFunc(timeout+yieldGrace, func() { r.end(ending{cause: ipc.CauseCallTimeout}) })
	}
}

// grant serves one request and fills reply with its value. blob is what came with it.
func (r *run) grant(ctx context.Context, q *workerpb.Request, blob []byte, reply *workerpb.Reply) error {
	if r.http != nil && !mayHTTP(q) {
		return refuse(ipc.Unauthorized, "an HTTP version has no page")
	}
	switch k := q.Kind.(type) {
	case *workerpb.Request_Ask:
		answers, err := r.ask(ctx, k.Ask)
		reply.Value = &workerpb.Reply_Ask{Ask: &workerpb.AskReply{Answers: answers}}
		return err
	case *workerpb.Request_Dialog:
		decision, err := r.decideDialog(ctx, k.Dialog)
		reply.Value = &workerpb.Reply_Dialog{Dialog: decision}
		return err
	case *workerpb.Request_SignIn:
		// An operation without a recorded sign-in has nothing to renew (spec runtime-sdk.md §2.6); one with it is refused before it starts.
		reply.Value = &workerpb.Reply_SignIn{SignIn: &workerpb.SignInReply{}}
		return nil
	case *workerpb.Request_Log:
		r.tell(Progress{Kind: ProgressStep, Text: clip(k.Log.Text, ipc.MaxLogLine)})
		return nil
	case *workerpb.Request_NewPage:
		page, err := r.tab.run.NewPage(ctx, k.NewPage.ContextId)
		reply.Value = &workerpb.Reply_NewPage{NewPage: &workerpb.NewPageReply{TargetId: page.TargetID}}
		return err
	case *workerpb.Request_ClosePage:
		return r.tab.run.ClosePage(ctx, k.ClosePage.TargetId, k.ClosePage.RunBeforeUnload)
	case *workerpb.Request_NewContext:
		id, err := r.tab.run.NewContext(ctx)
		reply.Value = &workerpb.Reply_NewContext{NewContext: &workerpb.NewContextReply{ContextId: id}}
		return err
	case *workerpb.Request_CloseContext:
		return r.tab.run.CloseContext(ctx, k.CloseContext.ContextId)
	case *workerpb.Request_Storage:
		cookies, err := r.storage(ctx, k.Storage)
		reply.Value = &workerpb.Reply_Storage{Storage: &workerpb.StorageReply{Cookies: cookies}}
		return err
	case *workerpb.Request_Permissions:
		if k.Permissions.Reset_ {
			return r.tab.run.ResetPermissions(ctx, k.Permissions.ContextId)
		}
		return r.tab.run.GrantPermissions(ctx, k.Permissions.ContextId, k.Permissions.Origin, k.Permissions.Granted)
	case *workerpb.Request_Download:
		d, err := r.download(ctx, k.Download)
		reply.Value = &workerpb.Reply_Download{Download: d}
		return err
	case *workerpb.Request_CallTimedOut:
		r.callTimedOut.Store(true)
		r.tab.run.Cut()
		return r.tab.run.Dispose(ctx)
	case *workerpb.Request_FileArm:
		slot, err := r.files.arm()
		reply.Value = &workerpb.Reply_FileArm{FileArm: &workerpb.FileArmReply{Slot: slot}}
		return err
	case *workerpb.Request_FileCollect:
		f, err := r.collectFile(ctx, k.FileCollect)
		reply.Value = &workerpb.Reply_FileCollect{FileCollect: f}
		return err
	case *workerpb.Request_FilePlace:
		f, err := r.placeFile(ctx, k.FilePlace)
		reply.Value = &workerpb.Reply_FilePlace{FilePlace: f}
		return err
	case *workerpb.Request_SiteHttp:
		answer, err := r.sendHTTP(ctx, blob)
		reply.Value = &workerpb.Reply_SiteHttp{SiteHttp: answer}
		return err
	}
	return refuse(ipc.InvalidRequest, fmt.Sprintf("no such request: %T", q.Kind))
}

func (r *run) storage(ctx context.Context, s *workerpb.Storage) (cookies string, err error) {
	switch op := s.Op.(type) {
	case *workerpb.Storage_GetCookies:
		raw, err := r.tab.run.Cookies(ctx, s.ContextId)
		if len(raw) > ipc.MaxInline {
			return "", refuse(ipc.LimitExceeded, fmt.Sprintf("the context's cookies are %d bytes, more than the %d that may travel", len(raw), ipc.MaxInline))
		}
		return string(raw), err
	case *workerpb.Storage_SetCookies:
		return "", r.tab.run.SetCookies(ctx, s.ContextId, json.RawMessage(op.SetCookies))
	}
	return "", r.tab.run.ClearCookies(ctx, s.ContextId)
}

func (r *run) download(ctx context.Context, d *workerpb.Download) (*workerpb.DownloadReply, error) {
	if d.Op == "cancel" {
		return &workerpb.DownloadReply{}, r.tab.run.CancelDownload(ctx, d.Guid)
	}
	return r.files.wait(ctx, d.Guid)
}

// clip cuts text to at most n bytes without splitting a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
