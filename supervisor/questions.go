package supervisor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor/asker"
)

// answerWindow is how long a question may stay open (spec artifact-and-serving.md §5.1).
const answerWindow = 10 * time.Minute

// ask puts a script's questions to whoever started the run. Only what the artifact declares may be asked; the run's clock stands still meanwhile.
func (r *run) ask(ctx context.Context, a *workerpb.Ask) (answers string, err error) {
	request := question.Request{ID: newID(), Source: question.SourceScript, Questions: make([]question.Question, len(a.Questions))}
	for i, q := range a.Questions {
		request.Questions[i] = readQuestion(q)
	}
	request, err = question.AsksAsDeclared(r.plan.questions, request)
	var wrong *question.AskError
	if errors.As(err, &wrong) {
		return "", refuse(ipc.RefusalCode(wrong.Code), wrong.Error())
	}
	given, err := r.put(ctx, request)
	switch {
	case err == nil:
	case errors.Is(err, asker.ErrUnavailable):
		return "", refuse(ipc.Unavailable, err.Error())
	case errors.Is(err, asker.ErrNoResponse), errors.Is(err, context.DeadlineExceeded):
		return "", refuse(ipc.NoResponse, "the question was not answered")
	default:
		return "", err
	}
	checked, err := question.CheckAnswers(request, given)
	if err != nil {
		r.tell(Progress{Kind: ProgressNotice, Text: err.Error()})
		return "", refuse(ipc.Unavailable, err.Error())
	}
	encoded, err := json.Marshal(checked)
	if err != nil {
		return "", fmt.Errorf("encoding answers: %w", err)
	}
	if len(encoded) > ipc.MaxInline {
		return "", refuse(ipc.LimitExceeded, "the answers are larger than may travel")
	}
	return string(encoded), nil
}

// put asks, one request of the run at a time, and remembers which questions nobody could or would answer.
func (r *run) put(ctx context.Context, request question.Request) (map[string]json.RawMessage, error) {
	defer r.clock.pause()()
	r.asking.Lock()
	defer r.asking.Unlock()
	ctx, cancel := context.WithTimeout(ctx, answerWindow)
	defer cancel()
	ids := make([]string, len(request.Questions))
	for i, q := range request.Questions {
		ids[i] = q.ID
	}
	if r.asker == nil {
		r.unanswerable.add(ids)
		return nil, fmt.Errorf("%w: this run was started without anybody to ask", asker.ErrUnavailable)
	}
	r.tell(Progress{Kind: ProgressQuestion, Text: "Asking " + strings.Join(ids, ", ")})
	given, err := r.asker.Ask(ctx, request)
	r.confide(request, given)
	switch {
	case errors.Is(err, asker.ErrUnavailable):
		r.unanswerable.add(ids)
	case err != nil:
		r.unanswered.add(ids)
	}
	return given, err
}

func readQuestion(q *workerpb.Question) question.Question {
	out := question.Question{
		ID: q.Id, Type: question.Type(q.Type), Prompt: q.Prompt, AllowOther: q.AllowOther, AllowNote: q.AllowNote,
		MinSelections: intOf(q.MinSelections), MaxSelections: intOf(q.MaxSelections), MaxLength: intOf(q.MaxLength),
		SecretKind: question.SecretKind(q.SecretKind),
	}
	for _, o := range q.Options {
		out.Options = append(out.Options, question.Option{ID: o.Id, Label: o.Label, AccountSpecific: o.AccountSpecific, MaskedLabel: o.MaskedLabel})
	}
	if f := q.FollowUp; f != nil {
		out.FollowUp = &question.FollowUp{Prompt: f.Prompt}
		if f.DefaultText != "" {
			out.FollowUp.DefaultText = &f.DefaultText
		}
	}
	return out
}

func intOf(n *uint32) *int {
	if n == nil {
		return nil
	}
	v := int(*n)
	return &v
}

// newID gives a random UUID, version 4.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
