package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/jsrt/playwright"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/operations/question"
)

// operation runs one authored operation: the script in one runtime, its page code in another.
func (w *worker) operation(ctx context.Context, start *workerpb.Start) error {
	op := start.GetOperation()
	script, err := w.blobs.Take(op.ScriptBlob)
	if err != nil {
		return err
	}
	sourceMap, err := w.blobs.Take(op.SourceMapBlob)
	if err != nil {
		return err
	}
	input, err := w.blobs.Take(op.InputBlob)
	if err != nil {
		return err
	}
	return w.work(ctx, start, func(ctx context.Context, l *link) *workerpb.WorkerMessage {
		ready := w.loading
		host := ready.host
		host.link = l
		if op.SpeaksHttp {
			host.problem = errNoPage
			close(host.opened)
		} else {
			go func() {
				defer close(host.opened)
				host.pages, host.problem = w.openPages(ctx, l, start)
			}()
		}
		out, err := ready.run(ctx, sdk.Bundle{Script: script, SourceMap: sourceMap}, sdk.Start{
			Input: json.RawMessage(input), SessionID: start.SessionId, SiteOrigin: op.SiteOrigin, SiteDomain: op.SiteDomain,
			Lists: &sdk.Lists{Position: json.RawMessage(op.ListPosition)},
		})
		if err == nil {
			err = ready.console.Err()
		}
		if err != nil {
			return failure(err)
		}
		return w.result(l, out.JSON, "", "")
	})
}

// loading is the runtime of an operation on its way, with our own module loaded and nothing of the run in it.
type loading struct {
	host    *scriptHost // its link is set when the run starts
	console jsrt.Capture

	done chan struct{} // closed once sdk or err is set
	sdk  *sdk.SDK
	err  error
}

func loadSDK(ctx context.Context, program []byte) *loading {
	l := &loading{host: &scriptHost{opened: make(chan struct{})}, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		rt := jsrt.New(ctx, jsrt.Options{Name: "operation", Console: &l.console})
		l.sdk, l.err = sdk.Load(ctx, rt, program, l.host)
	}()
	return l
}

// run evaluates the authored bundle and runs its operation.
func (l *loading) run(ctx context.Context, bundle sdk.Bundle, start sdk.Start) (sdk.Output, error) {
	select {
	case <-l.done:
	case <-ctx.Done():
		return sdk.Output{}, context.Cause(ctx)
	}
	if l.err != nil {
		return sdk.Output{}, l.err
	}
	if err := l.sdk.Evaluate(ctx, bundle); err != nil {
		return sdk.Output{}, err
	}
	return l.sdk.RunOperation(ctx, start)
}

// result makes the last message of a script that returned.
func (w *worker) result(l *link, output json.RawMessage, stdout, stderr string) *workerpb.WorkerMessage {
	r := &workerpb.Result{HasOutput: output != nil}
	var err error
	blob := func(data string) (id uint32) {
		if err == nil && data != "" {
			id, err = l.sendBlob([]byte(data))
		}
		return id
	}
	if r.HasOutput {
		r.OutputBlob, err = l.sendBlob(output)
	}
	r.StdoutBlob, r.StderrBlob = blob(stdout), blob(stderr)
	if err != nil {
		return failure(err)
	}
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Result{Result: r}}
}

// failure makes the last message of a script that did not return.
func failure(err error) *workerpb.WorkerMessage {
	f := &workerpb.Failure{Tag: string(ipc.TagDefect), Message: clip(err.Error(), ipc.MaxErrorText), Dispatch: string(ipc.DispatchUnknown)}
	var thrown *sdk.ScriptError
	var load *sdk.LoadError
	switch {
	case errors.As(err, &thrown):
		f = thrownFailure(thrown)
	case errors.As(err, &load):
		f.Tag = string(ipc.TagSourceLoadFailed)
	case errors.Is(err, jsrt.ErrNeverSettles):
		f.Cause, f.Message = string(ipc.CauseNeverSettles), "the operation's promise can never settle: nothing is left that could resolve it"
	case errors.Is(err, errOutOfMemory):
		f.Tag, f.Cause = string(ipc.TagInterrupted), string(ipc.CauseOutOfMemory)
	case errors.As(err, new(*jsrt.Interrupted)):
		f.Tag = string(ipc.TagInterrupted)
	}
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Failure{Failure: f}}
}

func thrownFailure(e *sdk.ScriptError) *workerpb.Failure {
	f := &workerpb.Failure{
		Tag: string(e.Tag), Code: e.Code, Message: e.Message, Dispatch: string(e.Dispatch), Frame: e.Frame, SessionLoss: string(e.SessionLoss),
		Detail: &workerpb.RefusalDetail{
			Field: e.Detail.Field, Available: e.Detail.Available, Kind: e.Detail.Kind, Requested: e.Detail.Requested,
			Applied: e.Detail.Applied, Step: e.Detail.Step, SiteMessage: e.Detail.SiteMessage, Reason: e.Detail.Reason,
		},
	}
	for _, issue := range e.InputIssues {
		f.InputIssues = append(f.InputIssues, &workerpb.InputIssue{Path: issue.Path, Issue: issue.Issue})
	}
	return f
}

// scriptHost is what an operation may do: page code in this process, the rest at the supervisor.
type scriptHost struct {
	link *link

	opened  chan struct{} // closed once pages or problem is set
	pages   *pages
	problem error
}

func (h *scriptHost) request(ctx context.Context, q *workerpb.Request) (*workerpb.Reply, error) {
	reply, err := h.link.request(ctx, q)
	return reply, granted(err)
}

// granted words a refusal for the script's side.
func granted(err error) error {
	var no *Refused
	if errors.As(err, &no) {
		return &sdk.Refused{Code: no.Code, Message: no.Message}
	}
	return err
}

var errNoPage = errors.New("an HTTP version has no page to run code in")

// openedPages waits until the run's pages are there.
func (h *scriptHost) openedPages(ctx context.Context) (*pages, error) {
	select {
	case <-h.opened:
		return h.pages, h.problem
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (h *scriptHost) Execute(ctx context.Context, call sdk.Call) (sdk.Reply, error) {
	pages, err := h.openedPages(ctx)
	if err != nil {
		return sdk.Reply{}, err
	}
	reply, err := pages.execute(ctx, call.Code, call.Timeout)
	if err != nil {
		return sdk.Reply{}, err
	}
	return sdk.Reply(reply), nil
}

func (h *scriptHost) Ask(ctx context.Context, questions []question.Question) (map[string]json.RawMessage, error) {
	ask := &workerpb.Ask{}
	for _, q := range questions {
		ask.Questions = append(ask.Questions, questionMessage(q))
	}
	reply, err := h.request(ctx, &workerpb.Request{Kind: &workerpb.Request_Ask{Ask: ask}})
	if err != nil {
		return nil, err
	}
	return question.DecodeAnswers([]byte(reply.GetAsk().GetAnswers()))
}

func questionMessage(q question.Question) *workerpb.Question {
	m := &workerpb.Question{
		Id: q.ID, Type: string(q.Type), Prompt: q.Prompt, AllowOther: q.AllowOther, AllowNote: q.AllowNote, SecretKind: string(q.SecretKind),
		MinSelections: uint32Of(q.MinSelections), MaxSelections: uint32Of(q.MaxSelections), MaxLength: uint32Of(q.MaxLength),
	}
	for _, o := range q.Options {
		m.Options = append(m.Options, &workerpb.Option{Id: o.ID, Label: o.Label, AccountSpecific: o.AccountSpecific, MaskedLabel: o.MaskedLabel})
	}
	if f := q.FollowUp; f != nil {
		m.FollowUp = &workerpb.FollowUp{Prompt: f.Prompt}
		if f.DefaultText != nil {
			m.FollowUp.DefaultText = *f.DefaultText
		}
	}
	return m
}

func uint32Of(n *int) *uint32 {
	if n == nil {
		return nil
	}
	v := uint32(max(0, *n))
	return &v
}

func (h *scriptHost) DecideDialog(ctx context.Context, d sdk.DialogReport) (sdk.DialogDecision, error) {
	reply, err := h.request(ctx, &workerpb.Request{Kind: &workerpb.Request_Dialog{Dialog: &workerpb.Dialog{Step: d.Step, Type: d.Type, Message: d.Message, Url: d.URL}}})
	if err != nil {
		return sdk.DialogDecision{}, err
	}
	return sdk.DialogDecision{Accept: reply.GetDialog().GetAccept(), PromptText: reply.GetDialog().PromptText}, nil
}

func (h *scriptHost) SignIn(ctx context.Context) (bool, error) {
	reply, err := h.request(ctx, &workerpb.Request{Kind: &workerpb.Request_SignIn{SignIn: &workerpb.SignIn{}}})
	return reply.GetSignIn().GetSignedInAgain(), err
}

// SendHTTP sends one request of an HTTP version. What it came to is the supervisor's to say, a failure included.
func (h *scriptHost) SendHTTP(ctx context.Context, request []byte) (sdk.HTTPAnswer, error) {
	id, err := h.link.sendBlob(request)
	if err != nil {
		return sdk.HTTPAnswer{}, err
	}
	q := &workerpb.Request{Kind: &workerpb.Request_SiteHttp{SiteHttp: &workerpb.SiteHttp{RequestBlob: id}}}
	a, err := h.link.ask(ctx, q)
	if ctx.Err() != nil && q.Id != 0 {
		// Said before anything that follows: a run that ends while it waits for a request does not report its end.
		stop := &workerpb.Request{Kind: &workerpb.Request_CancelRequest{CancelRequest: &workerpb.CancelRequest{Id: q.Id}}}
		if _, unsaid := h.link.request(context.WithoutCancel(ctx), stop); unsaid != nil {
			err = unsaid
		}
	}
	return sdk.HTTPAnswer{Head: a.head, Body: a.body}, granted(err)
}

func (h *scriptHost) note(ctx context.Context, j *workerpb.Journal) error {
	_, err := h.request(ctx, &workerpb.Request{Kind: &workerpb.Request_Journal{Journal: j}})
	return err
}

func (h *scriptHost) DeclareCommits(ctx context.Context, d sdk.WriteDeclaration, write bool) error {
	return h.note(ctx, &workerpb.Journal{Event: &workerpb.Journal_DeclareCommits{DeclareCommits: &workerpb.DeclareCommits{Names: d.Commits, Write: write, Confirmation: d.Confirmation}}})
}

func (h *scriptHost) Dispatch(ctx context.Context) error {
	return h.note(ctx, &workerpb.Journal{Event: &workerpb.Journal_Dispatch{Dispatch: true}})
}

func (h *scriptHost) EnteringCommit(ctx context.Context, name string) error {
	return h.note(ctx, &workerpb.Journal{Event: &workerpb.Journal_EnteringCommit{EnteringCommit: name}})
}

func (h *scriptHost) Verified(ctx context.Context, confirmation string) error {
	return h.note(ctx, &workerpb.Journal{Event: &workerpb.Journal_Verified{Verified: confirmation}})
}

func (h *scriptHost) Remaining() time.Duration { return h.link.left() }

// clip cuts text to at most n bytes without splitting a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xC0 == 0x80 {
		n--
	}
	return text[:n]
}

// page runs one piece of page code alone.
func (w *worker) page(ctx context.Context, start *workerpb.Start) error {
	job := start.GetPageCode()
	code, err := w.blobs.Take(job.CodeBlob)
	if err != nil {
		return err
	}
	return w.work(ctx, start, func(ctx context.Context, l *link) *workerpb.WorkerMessage {
		limit := time.Duration(job.TimeoutMs) * time.Millisecond
		p, err := w.openPages(ctx, l, start)
		if err == nil && job.Url != "" && job.Url != "about:blank" {
			err = p.visit(ctx, job.Url, limit)
		}
		if err != nil {
			return failure(err)
		}
		reply, err := p.execute(ctx, string(code), limit)
		switch {
		case err != nil:
			return failure(err)
		case !reply.Success:
			return w.pageFailure(l, reply)
		}
		return w.result(l, reply.Result, reply.Stdout, reply.Stderr)
	})
}

// pageFailure is the end of page code that threw.
func (w *worker) pageFailure(l *link, reply playwright.Reply) *workerpb.WorkerMessage {
	f := &workerpb.Failure{Tag: string(ipc.TagUnclassified), Message: clip(reply.Error, ipc.MaxInline), Dispatch: string(ipc.DispatchUnknown)}
	for name, text := range map[*uint32]string{&f.StdoutBlob: reply.Stdout, &f.StderrBlob: reply.Stderr} {
		if text == "" {
			continue
		}
		id, err := l.sendBlob([]byte(text))
		if err != nil {
			return failure(fmt.Errorf("sending the console's output: %w", err))
		}
		*name = id
	}
	return &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Failure{Failure: f}}
}
