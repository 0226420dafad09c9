package supervisor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor/asker"
)

// popupQuestion is the id of the yes/no question a run asks about a confirm nobody recorded.
const popupQuestion = "popup"

// recordedConfirms are the confirms the owner accepted while the operation was built; each serves once a run.
type recordedConfirms struct {
	mu   sync.Mutex
	left map[string]int // digest to how many are left
}

func newRecordedConfirms(accepted []artifact.AcceptedConfirm) *recordedConfirms {
	r := &recordedConfirms{left: map[string]int{}}
	for _, a := range accepted {
		r.left[a.Digest]++
	}
	return r
}

// take uses up the record of this confirm and reports whether there was one.
func (r *recordedConfirms) take(message, origin, step string) bool {
	digest := confirmDigest(message, origin, step)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left[digest] == 0 {
		return false
	}
	r.left[digest]--
	return true
}

// confirmDigest names a confirm by what it says, where, at which step (spec artifact-and-serving.md §7, version 1).
func confirmDigest(message, origin, step string) string {
	message = strings.Join(strings.Fields(norm.NFC.String(message)), " ")
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode([]string{"pomerado.expected_confirm.v1", message, origin, step}) // strings always encode
	sum := sha256.Sum256([]byte(strings.TrimSuffix(text.String(), "\n")))
	return hex.EncodeToString(sum[:])
}

// decideDialog says how a native dialog is to be answered (spec artifact-and-serving.md §7). Nothing is accepted without a record or a
// yes, but a beforeunload, since leaving a page sends nothing.
func (r *run) decideDialog(ctx context.Context, d *workerpb.Dialog) (*workerpb.DialogReply, error) {
	defer r.clock.pause()()
	switch {
	case d.Type == "beforeunload":
		return &workerpb.DialogReply{Accept: true}, nil
	case d.Type != "confirm", r.plan.effect == outcome.Read:
		return &workerpb.DialogReply{}, nil
	}
	at, err := url.Parse(d.Url)
	if err != nil || at.Host == "" {
		return nil, refuse(ipc.InvalidRequest, "the dialog was reported without the page's address")
	}
	origin := at.Scheme + "://" + at.Host
	if r.confirms.take(d.Message, origin, d.Step) {
		return &workerpb.DialogReply{Accept: true}, nil
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
