// Package asker puts a run's questions to whoever started it. It owns the ways of asking that need no server: a callback, a file of prepared
// answers and a terminal. It must not know runs, workers or outcomes: it gets a question.Request and gives raw answers, which the supervisor
// checks. It runs in the supervisor.
package asker

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/pomerado-go/pomerado/operations/question"
)

// Asker asks the questions of one request and waits for the answers.
//
// Ask returns one raw answer a question, by question id. It gives up when ctx ends. Its errors wrap ErrUnavailable when there is nobody
// to ask, ErrNoResponse when somebody was asked and did not answer; any other error is a fault of the asker itself.
type Asker interface {
	Ask(ctx context.Context, request question.Request) (map[string]json.RawMessage, error)
}

var (
	// ErrUnavailable: there is no way to ask this question here.
	ErrUnavailable = errors.New("nobody to ask")
	// ErrNoResponse: the question was asked and not answered: the window ended, the input ended or the person cancelled.
	ErrNoResponse = errors.New("no answer")
)

// Func is an Asker made of a function.
type Func func(ctx context.Context, request question.Request) (map[string]json.RawMessage, error)

// Ask calls f.
func (f Func) Ask(ctx context.Context, request question.Request) (map[string]json.RawMessage, error) {
	return f(ctx, request)
}
