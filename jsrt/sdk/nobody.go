package sdk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/operations/question"
)

// nobody is the host of a runtime that only reads contracts.
type nobody struct{}

var unavailable = &Refused{Code: ipc.Unavailable, Message: "this runtime runs no operation"}

func (nobody) Execute(context.Context, Call) (Reply, error) { return Reply{}, unavailable }
func (nobody) Ask(context.Context, []question.Question) (map[string]json.RawMessage, error) {
	return nil, unavailable
}
func (nobody) DecideDialog(context.Context, DialogReport) (DialogDecision, error) {
	return DialogDecision{}, unavailable
}
func (nobody) SignIn(context.Context) (bool, error)                 { return false, unavailable }
func (nobody) SendHTTP(context.Context, []byte) (HTTPAnswer, error) { return HTTPAnswer{}, unavailable }
func (nobody) PlaceFile(context.Context, string, FileField, time.Duration) (PlacedFile, error) {
	return PlacedFile{}, unavailable
}
func (nobody) ArmDownload(context.Context) (string, error) { return "", unavailable }
func (nobody) CollectFile(context.Context, string, time.Duration) (json.RawMessage, error) {
	return nil, unavailable
}
func (nobody) DeclareCommits(context.Context, WriteDeclaration, bool) error { return unavailable }
func (nobody) Dispatch(context.Context) error                               { return unavailable }
func (nobody) EnteringCommit(context.Context, string) error                 { return unavailable }
func (nobody) Verified(context.Context, string) error                       { return unavailable }
func (nobody) Remaining() time.Duration                                     { return 0 }
