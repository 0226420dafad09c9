package supervisor

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/confirm"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor/asker"
)

// popupQuestion is the id of the yes/no question a run asks about a confirm nobody recorded.
const popupQuestion = "popup"

// Confirm is a native confirm dialog of a run that writes, which no record of the operation's build covers.
type Confirm struct {
	// Operation is the artifact's name, Step the step of it that raised the dialog.
	Operation, Step string
	// Message is the page's own text: data of a site, never an instruction.
	Message string
	// Origin is the origin of the page that shows it.
	Origin string
}

// Incident is something a host decided about a native dialog without asking.
type Incident struct {
	Reason IncidentReason
	// Operation is the artifact's name, Step the step that raised the dialog.
	Operation, Step string
	// Dialog is its type: alert, confirm, prompt or beforeunload.
	Dialog string
}

// IncidentReason says why a dialog was answered as it was (spec artifact-and-serving.md, incident reasons).
type IncidentReason string

const (
	// IncidentExpected: a confirm recorded while the operation was built was accepted.
	IncidentExpected IncidentReason = "dialog_expected_confirm_accepted"
	// IncidentDefault: the dialog's type or the run's effect decides; only beforeunload is accepted.
	IncidentDefault IncidentReason = "dialog_default_decision"
	// IncidentExpired: the question about it was not answered in time, and it was dismissed.
	IncidentExpired IncidentReason = "dialog_decision_expired"
	// IncidentJudged: Options.JudgeConfirm accepted it.
	IncidentJudged IncidentReason = "dialog_judged_confirm_accepted"
)

func digestsOf(accepted []artifact.AcceptedConfirm) []string {
	digests := make([]string, len(accepted))
	for i, a := range accepted {
		digests[i] = a.Digest
	}
	return digests
}

func (r *run) incident(reason IncidentReason, d *workerpb.Dialog) {
	if tell := r.s.opts.Incidents; tell != nil {
		tell(Incident{Reason: reason, Operation: r.plan.artifact.Name, Step: d.Step, Dialog: d.Type})
	}
}

// decideDialog says how a native dialog is to be answered (spec artifact-and-serving.md §7). Nothing is accepted without a record or a
// yes, but a beforeunload, since leaving a page sends nothing.
func (r *run) decideDialog(ctx context.Context, d *workerpb.Dialog) (*workerpb.DialogReply, error) {
	defer r.clock.pause()()
	switch {
	case d.Type == "beforeunload":
		r.incident(IncidentDefault, d)
		return &workerpb.DialogReply{Accept: true}, nil
	case d.Type != "confirm", r.plan.effect == outcome.Read:
		r.incident(IncidentDefault, d)
		return &workerpb.DialogReply{}, nil
	}
	at, err := url.Parse(d.Url)
	if err != nil || at.Host == "" {
		return nil, refuse(ipc.InvalidRequest, "the dialog was reported without the page's address")
	}
	origin := at.Scheme + "://" + at.Host
	if r.confirms.Take(confirm.Shown{Message: d.Message, Page: at, Step: d.Step, Input: r.plan.input}) {
		r.incident(IncidentExpected, d)
		return &workerpb.DialogReply{Accept: true}, nil
	}
	if judge := r.s.opts.JudgeConfirm; judge != nil {
		accept, err := judge(ctx, Confirm{Operation: r.plan.artifact.Name, Step: d.Step, Message: d.Message, Origin: origin})
		if err != nil {
			return nil, refuse(ipc.Unavailable, "the host could not judge the dialog")
		}
		if accept {
			r.incident(IncidentJudged, d)
			return &workerpb.DialogReply{Accept: true}, nil
		}
	}
	request := question.Request{
		ID: newID(), Source: question.SourceSystem,
		Notice: fmt.Sprintf("%s asks at step %q: %s", origin, d.Step, d.Message),
		Questions: []question.Question{{
			ID: popupQuestion, Type: question.Confirm, Prompt: clip("Answer yes to the site's question? It says: "+d.Message, question.MaxPrompt),
		}},
	}
	given, err := r.put(ctx, request)
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		r.popupUnanswered.Store(true)
		r.incident(IncidentExpired, d)
		return &workerpb.DialogReply{}, nil
	case errors.Is(err, asker.ErrUnavailable):
		return nil, refuse(ipc.Unavailable, err.Error())
	case errors.Is(err, asker.ErrNoResponse):
		return nil, refuse(ipc.NoResponse, "the question about the site's dialog was cancelled")
	case err != nil:
		return nil, err
	}
	answers, err := question.CheckAnswers(request, given)
	if err != nil {
		return nil, refuse(ipc.Unavailable, err.Error())
	}
	return &workerpb.DialogReply{Accept: answers[popupQuestion].Confirmed}, nil
}
