package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/confirm"
	"github.com/pomerado-go/pomerado/operations/file"
	"github.com/pomerado-go/pomerado/operations/mask"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor/asker"
	"github.com/pomerado-go/pomerado/supervisor/egress"
	"github.com/pomerado-go/pomerado/supervisor/gate"
)

// sessionPrefix begins the session ids scripts see.
const sessionPrefix = "run-"

// run is one execution, from the moment its parts exist to its end.
type run struct {
	s    *Supervisor
	plan *plan // nil for page code alone

	asker    asker.Asker
	progress func(Progress)

	clock    *clock
	journal  journal
	confirms *confirm.Records
	files    *runFiles
	given    mask.Values // what was given to this run in confidence
	forget   []func()    // takes it from the supervisor's own; guarded by asking
	live     *liveBrowser
	tab      *tab
	http     *siteHTTP // of an HTTP version; else nil
	worker   *worker
	link     *link

	outstanding atomic.Int32 // requests being served
	owed        atomic.Int32 // those among them a script waits for
	requests    cancellable
	serving     sync.WaitGroup
	asking      sync.Mutex // one question request at a time
	callTimer   *time.Timer

	callTimedOut    atomic.Bool
	tabCrashed      atomic.Bool
	popupUnanswered atomic.Bool
	unanswered      idSet
	unanswerable    idSet

	once  sync.Once
	ended chan struct{} // closed once how is set
	how   ending
}

// ending is how the work of a run ended, before it is judged.
type ending struct {
	result  *workerpb.Result
	failure *workerpb.Failure
	output  json.RawMessage // of result; nil for undefined
	stdout  string
	stderr  string
	// reported: the worker said so itself, with no request outstanding that its script waits for.
	reported bool
	// cause says what else ended it.
	cause ipc.Cause
	// problem is why, for the operator.
	problem string
}

// end ends the run's work, once; later ends change nothing.
func (r *run) end(how ending) {
	r.once.Do(func() {
		r.how = how
		close(r.ended)
	})
}

// Run executes an operation and says how that ended. An Outcome is returned for every run that could be made, failed ones included.
// The error is a *UsageError or *SourceError (or one of package artifact) for a request no run can be made of, wraps ErrNoBrowser when
// there is no Chromium, and else is a fault of the host before anything was done to the site. When Run returns, nothing of the run is left.
//
// Ending ctx ends the run as cancelled.
func (s *Supervisor) Run(ctx context.Context, req Request) (Outcome, error) {
	p, err := s.plan(req)
	if err != nil {
		return Outcome{}, err
	}
	ctx, done, err := s.begin(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer done()
	if len(p.badInput) > 0 || p.lists.refused != nil {
		facts := outcome.Facts{Stage: outcome.BeforeOperation, Declared: p.effect, End: outcome.Refused}
		if p.lists.refused != nil {
			p.lists.refusal(&facts)
		} else {
			facts.Thrown.Issues = p.badInput
		}
		return Outcome{Outcome: outcome.Classify(facts)}, nil
	}
	r := &run{
		s: s, plan: p, asker: req.Asker, progress: req.Progress,
		confirms: confirm.NewRecords(digestsOf(p.artifact.AcceptedConfirms)), ended: make(chan struct{}),
	}
	r.files = newRunFiles(s.files.opts.Limits, file.ReadReferences(p.input), r.dropDownload)
	src, err := r.prepare(ctx)
	if err != nil {
		return r.unprepared(ctx, src, err)
	}
	ctx, r.clock = startClock(ctx, p.timeout)
	r.tell(Progress{Kind: ProgressStage, Text: "Running " + p.artifact.Name})
	r.drive(ctx, func(ctx context.Context) error { return r.startOperation(ctx, src) })
	r.finish(ctx)
	return r.judge(src), nil
}

// prepare starts everything a run needs, side by side: the contract of its source, its worker, and its page at the site's root.
// On an error nothing of it is left.
func (r *run) prepare(ctx context.Context) (src *source, err error) {
	r.tell(Progress{Kind: ProgressStage, Text: "Starting"})
	p := r.plan
	need := 1
	if !r.s.sources.knows(p.artifact.Hash()) {
		need = 2 // one to read the contract
	}
	r.s.workers.prepare(need)
	own, form := make(chan *programs, 1), make(chan string, 1)
	err = sideBySide(ctx,
		func(ctx context.Context) error {
			defer close(form)
			made, programs, err := r.s.sources.artifact(ctx, p.artifact.Hash(), p.artifact.Files, p.artifact.Entrypoint)
			src = made
			own <- programs
			if made != nil {
				form <- made.contract.Form
			}
			return err
		},
		func(ctx context.Context) error { return r.equip(ctx, own) },
		func(ctx context.Context) error {
			if err := r.open(ctx, r.egressPolicy()); err != nil {
				return err
			}
			select { // the form is known long before Chromium has started
			case kind := <-form:
				if kind == formHTTP {
					return r.startHTTP(ctx)
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			return r.tab.loadRoot(ctx, p.site, true)
		})
	if err == nil {
		err = r.settleContract(src)
	}
	if err != nil {
		r.release(ctx)
	}
	return src, err
}

// egressPolicy is what the run may connect to.
func (r *run) egressPolicy() egress.Policy {
	return egress.Policy{Site: r.plan.site, AllowHosts: r.s.opts.AllowHosts}
}

// equip takes a worker and gives it the product's own scripts once they are there: it compiles them while the page gets ready.
func (r *run) equip(ctx context.Context, own <-chan *programs) (err error) {
	if r.worker, err = r.s.workers.take(ctx); err != nil {
		return err
	}
	r.link = &link{w: r.worker}
	select {
	case p := <-own:
		if p == nil { // the part that makes them failed
			return nil
		}
		return r.link.sendPrograms(ctx, p, r.plan != nil)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// sideBySide does the parts of a preparation at once. The first that fails ends the others, and its error is returned.
func sideBySide(ctx context.Context, parts ...func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	errs := make([]error, len(parts))
	for i, do := range parts {
		wg.Go(func() {
			if errs[i] = do(ctx); errs[i] != nil {
				cancel(errs[i])
			}
		})
	}
	wg.Wait()
	return firstOf(errs)
}

// open gets the browser and makes the run's tab in it.
func (r *run) open(ctx context.Context, policy egress.Policy) (err error) {
	if r.live, err = r.s.browser.get(ctx); err != nil {
		return err
	}
	r.tab, err = openTab(ctx, r.live, policy, r.gateEvents())
	return err
}

// settleContract takes from the contract what the manifest left open.
func (r *run) settleContract(src *source) error {
	if r.plan.questions != nil {
		return nil
	}
	declared, err := question.ParseDeclarations(src.contract.Questions)
	if err != nil {
		return &SourceError{Code: ipc.SourceBadContract, File: r.plan.artifact.Entrypoint, Message: err.Error()}
	}
	r.plan.questions = declared
	return nil
}

// unprepared answers for a run that failed before its operation started: nothing was done to the site by its script.
func (r *run) unprepared(ctx context.Context, src *source, err error) (Outcome, error) {
	var fault *SourceError
	if errors.As(err, &fault) || errors.Is(err, ErrNoBrowser) {
		return Outcome{}, err
	}
	facts := outcome.Facts{Stage: outcome.BeforeOperation, Declared: r.plan.effect, End: outcome.Unprepared, Cause: string(r.causeOf(ctx, err))}
	if src != nil {
		facts.ScriptWrites = src.contract.Writes
	}
	if facts.Cause == "" {
		return Outcome{}, err
	}
	return Outcome{Outcome: outcome.Classify(facts)}, nil
}

// causeOf names what ended a run from the outside, or nothing when it was no such thing.
func (r *run) causeOf(ctx context.Context, err error) ipc.Cause {
	switch {
	case errors.Is(context.Cause(ctx), errDeadline):
		return ipc.CauseDeadline
	case ctx.Err() != nil:
		return ipc.CauseCancelled
	case r.live != nil && r.live.dead(), errors.Is(err, gate.ErrClosed):
		return ipc.CauseBrowserLost
	case r.worker != nil && isDone(r.worker.proc.Done()):
		return ipc.CauseWorkerLost
	}
	return ""
}

// startOperation sends the worker everything and lets it start.
func (r *run) startOperation(ctx context.Context, src *source) error {
	p := r.plan
	// From here on the script may act, whatever its worker reports; that it did nothing is for the seen column to say.
	r.journal.dispatch()
	op := &workerpb.Operation{
		SiteOrigin: p.site.Scheme + "://" + p.site.Host, SiteDomain: p.domain, SpeaksHttp: r.http != nil, ListPosition: string(p.lists.position),
	}
	start := &workerpb.Start{
		Work: &workerpb.Start_Operation{Operation: op}, SessionId: sessionPrefix + newID(),
		RemainingMs: r.clock.remaining().Milliseconds(), ContextId: r.tab.run.ContextID(),
	}
	return r.sendStart(ctx, start, map[*uint32][]byte{&op.ScriptBlob: src.script, &op.SourceMapBlob: src.sourceMap, &op.InputBlob: p.input})
}

func (r *run) sendStart(ctx context.Context, start *workerpb.Start, blobs map[*uint32][]byte) (err error) {
	_, start.BrowserVersion, _ = strings.Cut(r.live.browser.Version().Product, "/")
	for name, data := range blobs {
		if *name, err = r.link.sendBlob(ctx, data); err != nil {
			return err
		}
	}
	return r.link.send(ctx, &workerpb.HostMessage{Kind: &workerpb.HostMessage_Start{Start: start}})
}

// drive binds the worker to its page, starts the work and waits for an end of it, whichever comes first.
func (r *run) drive(ctx context.Context, start func(context.Context) error) {
	if r.http == nil {
		if err := r.tab.run.Bind(ctx, r.worker.proc.CDP()); err != nil {
			r.end(ending{cause: r.lostCause(ctx, err), problem: err.Error()})
			return
		}
	}
	if err := start(ctx); err != nil {
		r.end(ending{cause: r.lostCause(ctx, err), problem: err.Error()})
		return
	}
	r.serving.Go(func() { r.receive(ctx) })
	select {
	case <-r.ended:
	case <-ctx.Done():
		r.end(ending{cause: r.causeOf(ctx, nil)})
	case <-r.live.browser.Done():
		r.end(ending{cause: ipc.CauseBrowserLost, problem: "Chromium ended"})
	case <-r.live.gate.Done():
		r.end(ending{cause: ipc.CauseBrowserLost, problem: "Chromium stopped answering"})
	}
}

// lostCause is causeOf for a run that must end.
func (r *run) lostCause(ctx context.Context, err error) ipc.Cause {
	if cause := r.causeOf(ctx, err); cause != "" {
		return cause
	}
	return ipc.CauseWorkerLost
}

// receive takes the worker's messages, in order, until its last one or its end.
func (r *run) receive(ctx context.Context) {
	blobs := ipc.NewBlobs(ipc.MaxBlobs * ipc.MaxOutput)
	for {
		m, err := r.worker.session.Receive()
		if err != nil {
			r.end(r.workerGone(err))
			return
		}
		switch k := m.Kind.(type) {
		case *workerpb.WorkerMessage_Chunk:
			err = blobs.Add(k.Chunk)
		case *workerpb.WorkerMessage_Request:
			err = r.serve(ctx, k.Request, blobs)
		case *workerpb.WorkerMessage_Result:
			how := ending{result: k.Result, reported: r.owed.Load() == 0}
			if k.Result.HasOutput {
				how.output, err = blobs.Take(k.Result.OutputBlob)
			}
			if err == nil {
				err = how.takeConsole(blobs, k.Result)
			}
			if err == nil && how.output != nil && !json.Valid(how.output) {
				err = errors.New("the worker's output is not JSON")
			}
			if err == nil {
				r.end(how)
				return
			}
		case *workerpb.WorkerMessage_Failure:
			how := ending{failure: k.Failure, reported: r.owed.Load() == 0, cause: ipc.Cause(k.Failure.Cause)}
			if how.cause != "" && how.cause != ipc.CauseNeverSettles {
				how.failure = nil // what ended it was not the script: its own word for its journal's end does not count
			}
			if err = how.takeConsole(blobs, k.Failure); err == nil {
				r.end(how)
				return
			}
		default:
			err = fmt.Errorf("the worker sent %T in the middle of a run", m.Kind)
		}
		if err != nil {
			r.end(ending{cause: ipc.CauseWorkerLost, problem: err.Error()})
			return
		}
	}
}

// console is the console output of a last message, inline or in a blob.
type console interface {
	GetStdout() string
	GetStderr() string
	GetStdoutBlob() uint32
	GetStderrBlob() uint32
}

func (how *ending) takeConsole(blobs *ipc.Blobs, m console) (err error) {
	take := func(inline string, id uint32) string {
		if err != nil || id == 0 {
			return inline
		}
		var data []byte
		data, err = blobs.Take(id)
		return strings.ToValidUTF8(string(data), "\uFFFD")
	}
	how.stdout, how.stderr = take(m.GetStdout(), m.GetStdoutBlob()), take(m.GetStderr(), m.GetStderrBlob())
	return err
}

// workerGone says why the worker's stream ended.
func (r *run) workerGone(err error) ending {
	exit := r.worker.ended()
	cause := ipc.CauseWorkerLost
	switch {
	case exit.OutOfMemory:
		cause = ipc.CauseOutOfMemory
	case exit.JailFailed:
		cause = ipc.CauseJailFailed
	}
	r.s.log.Warn("A worker ended in the middle of a run", "exit", exit.String(), "error", err, "stderr", exit.StderrTail)
	return ending{cause: cause, problem: err.Error()}
}

// finish is the one way a run ends: its contexts are disposed of before anything is answered, then its worker, network and files go.
func (r *run) finish(ctx context.Context) {
	if r.how.problem != "" {
		r.s.log.Warn("A run was ended", "cause", r.how.cause, "problem", r.how.problem)
	}
	r.release(ctx)
	r.clock.stop()
	r.serving.Wait()
	r.forgetGiven()
	if r.callTimer != nil {
		r.callTimer.Stop()
	}
}

// release lets go of whatever the run holds.
func (r *run) release(ctx context.Context) {
	var wg sync.WaitGroup
	if r.tab != nil {
		if r.tab.run != nil {
			r.tab.run.Cut()
		}
		wg.Go(func() {
			if err := r.tab.close(ctx); err != nil && !r.live.dead() {
				r.s.log.Warn("A run's browser context could not be disposed of; Chromium is ended instead", "error", err)
				_ = r.live.end() // the page must not go on: nothing less would stop it
			}
		})
	}
	if r.worker != nil {
		wg.Go(r.worker.kill)
	}
	if r.http != nil {
		wg.Go(func() {
			if err := r.http.close(); err != nil {
				r.s.log.Warn("A run's network could not be closed", "error", err)
			}
		})
	}
	wg.Wait()
}

// judge makes an outcome of how the run ended and what its journal holds.
func (r *run) judge(src *source) Outcome {
	facts := r.facts(src)
	r.maskThrown(&facts.Thrown)
	return r.masked(Outcome{Outcome: outcome.Classify(facts), Unanswerable: r.unanswerable.list()})
}

func (r *run) facts(src *source) outcome.Facts {
	j := r.journal.snapshot()
	f := outcome.Facts{
		Stage: outcome.Operation, Declared: r.plan.effect,
		ScriptWrites: src.contract.Writes, Confirmation: src.contract.Confirmation,
		Reported: r.how.reported, Refusals: r.plan.refusals,
		State:    [...]outcome.State{notStarted: outcome.Nothing, mayHaveDispatched: outcome.Possible, verifiedState: outcome.Verified}[j.state],
		Recorded: j.confirmation, Marks: marksOf(j, src.contract.Commits),
		Seen: outcome.Seen{
			Acted: j.seen.frames > 0, Placed: j.seen.files > 0, Sent: j.seen.requests > 0, Answered: j.seen.dialogs > 0, Reopened: j.reopened,
		},
		PopupUnanswered: r.popupUnanswered.Load(), Questions: append(r.unanswered.list(), r.unanswerable.list()...),
		Cause: string(r.how.cause),
	}
	if f.Cause == "" && r.callTimedOut.Load() {
		f.Cause = string(ipc.CauseCallTimeout)
	}
	if f.Cause == "" && r.tabCrashed.Load() {
		f.Cause = string(ipc.CauseTabCrashed)
	}
	switch {
	case r.how.result != nil:
		f.End = outcome.Returned
		f.Output, f.OutputIssues = r.givenOutput()
		if message, found := r.uncollected(r.how); found {
			f.End, f.Thrown = outcome.Threw, outcome.Thrown{Tag: string(ipc.TagOperationFailure), Code: notCollected, Message: message}
		}
	case r.how.failure != nil:
		f.End, f.Thrown = outcome.Threw, thrownOf(r.how.failure)
		f.OutputLost = r.how.failure.Tag == string(ipc.TagInvalidOutput)
	default:
		f.End, f.Reported, f.Thrown.Message = outcome.Lost, false, r.how.problem
	}
	return f
}

// givenOutput is what the caller gets of the script's output, and how that fails its schema.
func (r *run) givenOutput() (json.RawMessage, []string) {
	sealed, err := r.s.sealOutput(r.plan, r.how.output)
	if err != nil {
		return nil, []string{"(root): " + err.Error()}
	}
	checked := sealed
	if checked == nil {
		checked = json.RawMessage("null")
	}
	issues := issuesOf(r.plan.artifact.Output.Validate(checked))
	if sealed == nil && len(issues) == 0 {
		issues = []string{"(root): the script returned nothing"}
	}
	return compact(sealed), issues
}

// marksOf sums up the commit steps: those the contract declares count even when the worker never said so.
func marksOf(j journalFacts, declared []string) outcome.Marks {
	switch {
	case j.unreadable:
		return outcome.Unreported
	case slices.ContainsFunc(j.commits, func(c commitMark) bool { return c.state != commitNotSent }):
		return outcome.Entered
	case len(j.commits) > 0 || len(declared) > 0:
		return outcome.NotEntered
	}
	return outcome.Undeclared
}

func thrownOf(f *workerpb.Failure) outcome.Thrown {
	d := f.GetDetail()
	t := outcome.Thrown{
		Tag: f.Tag, Code: f.Code, Message: f.Message, Frame: f.Frame, SessionLoss: f.SessionLoss,
		Field: d.GetField(), Available: d.GetAvailable(), Kind: d.GetKind(), Requested: d.GetRequested(), Applied: d.GetApplied(),
		Step: d.GetStep(), SiteMessage: d.GetSiteMessage(), Reason: d.GetReason(),
	}
	for _, issue := range f.InputIssues {
		t.Issues = append(t.Issues, issue.Path+": "+issue.Issue)
	}
	return t
}

// gateEvents takes what the gate sees of this run.
func (r *run) gateEvents() gate.Events {
	return gate.Events{
		Seen: func(kind gate.Seen, _ time.Time, _ string) {
			switch kind {
			case gate.SeenDialog:
				r.journal.sawDialog()
			default:
				r.journal.sawFrame(kind == gate.SeenInput || kind == gate.SeenNavigation)
			}
		},
		TargetCrashed: func(string) { r.tabCrashed.Store(true) },
		Download:      r.files.note,
		Flooded: func() {
			r.end(ending{cause: ipc.CauseFlooded, problem: "more frames waited for the worker than its queue holds"})
		},
		Violation: func(reason string) { r.end(ending{cause: ipc.CauseWorkerLost, problem: reason}) },
	}
}

// dropDownload cancels a download that passed a cap.
func (r *run) dropDownload(guid string) { r.tab.run.DropDownload(guid) }

func (r *run) tell(p Progress) {
	if r.progress != nil {
		p.Text = cleaned(&r.given, p.Text)
		r.progress(p)
	}
}

// Inspect reads the contract of authored source. Its error is a *SourceError when the source is at fault.
func (s *Supervisor) Inspect(ctx context.Context, files []artifact.File, entrypoint string) (Contract, error) {
	ctx, done, err := s.begin(ctx)
	if err != nil {
		return Contract{}, err
	}
	defer done()
	a := artifact.Artifact{Files: files, Entrypoint: entrypoint}
	src, _, err := s.sources.artifact(ctx, a.Hash(), files, entrypoint)
	if err != nil {
		return Contract{}, err
	}
	return src.contract, nil
}

// idSet collects question ids, in order, each once.
type idSet struct {
	mu  sync.Mutex
	ids []string
}

func (s *idSet) add(ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		if !slices.Contains(s.ids, id) {
			s.ids = append(s.ids, id)
		}
	}
}

func (s *idSet) list() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ids)
}

func isDone(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// firstOf is the error that came first: the others are what its cancel did to them.
func firstOf(errs []error) error {
	var some error
	for _, err := range errs {
		if err == nil {
			continue
		}
		if !errors.Is(err, context.Canceled) {
			var fault *SourceError
			if some == nil || errors.As(err, &fault) {
				some = err
			}
		} else if some == nil {
			some = err
		}
	}
	return some
}
