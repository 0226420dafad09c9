package sdk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/operations/question"
)

// Host is what a run may do beyond JavaScript. Methods return a *[Refused] for what the supervisor does not grant; any other error
// means that it could not be asked. Execute, Ask, DecideDialog, SignIn, SendHTTP and the file methods are called on goroutines of their
// own, the rest on the runtime's owner, which waits for them.
type Host interface {
	// Execute runs page code and reports its begin and end to the journal. A failure of the page code is a reply, an error means that
	// the call could not be made or did not end. Calls come one at a time.
	Execute(ctx context.Context, call Call) (Reply, error)
	// Ask puts questions to whoever started the run: question id to raw answer.
	Ask(ctx context.Context, questions []question.Question) (map[string]json.RawMessage, error)
	DecideDialog(ctx context.Context, report DialogReport) (DialogDecision, error)
	// SignIn makes sure that the site's session holds and says whether it had to sign in again.
	SignIn(ctx context.Context) (signedInAgain bool, err error)

	// SendHTTP sends one request of an HTTP version, JSON as the script wrote it (spec runtime-sdk.md §2.4). A request that fails is an
	// answer; an error means that it could not be asked for. When ctx ends the script waits no longer: the supervisor knows it on return.
	SendHTTP(ctx context.Context, request []byte) (HTTPAnswer, error)

	// PlaceFile puts a file of the input into a field of the page. A file or field that is refused is a *Refused whose code begins with
	// ipc.FileRefusedPrefix; so is one of CollectFile's.
	PlaceFile(ctx context.Context, reference string, field FileField, timeout time.Duration) (PlacedFile, error)
	// ArmDownload gives a slot for the downloads that begin from now on; CollectFile keeps the first of them that ends and gives it as the
	// JSON text of a file output.
	ArmDownload(ctx context.Context) (slot string, err error)
	CollectFile(ctx context.Context, slot string, timeout time.Duration) (json.RawMessage, error)

	// DeclareCommits reports the operation's write declaration; confirmation is empty when it declares none.
	DeclareCommits(ctx context.Context, d WriteDeclaration, write bool) error
	// Dispatch reports that the script starts: from here on it may have acted.
	Dispatch(ctx context.Context) error
	// EnteringCommit reports that the named step is about to be sent. Refused with InvalidRequest it must not be sent again.
	EnteringCommit(ctx context.Context, name string) error
	// Verified reports that the write was confirmed, by "readback" or "message".
	Verified(ctx context.Context, confirmation string) error

	// Remaining is what is left of the run's clock.
	Remaining() time.Duration
}

// Call is one piece of page code.
type Call struct {
	Code    string
	Timeout time.Duration
}

// Reply is what page code came to. Result is nil when it returned undefined; Error is set when Success is false.
type Reply struct {
	Success bool
	Result  json.RawMessage
	Error   string
	Stdout  string
	Stderr  string
}

// HTTPAnswer is what a request came to: Head is {"response": …} or {"failure": …} as JSON, Body the answer's.
type HTTPAnswer struct {
	Head json.RawMessage
	Body []byte
}

// DialogReport is a native dialog as the script saw it.
type DialogReport struct{ Step, Type, Message, URL string }

// DialogDecision is what to do with it. PromptText is nil when none is to be typed.
type DialogDecision struct {
	Accept     bool
	PromptText *string
}

// FileField says which field a file goes into, in one of three ways: by its label, by a selector, or by page code, the text of an expression
// that gives a locator.
type FileField struct {
	Label    string `json:"label"`
	Exact    bool   `json:"exact"`
	Selector string `json:"selector"`
	Code     string `json:"code"`
}

// PlacedFile is a file that was put into a field.
type PlacedFile struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
}

// WriteDeclaration says how an operation's write is confirmed and which steps it sends, in order.
type WriteDeclaration struct {
	Confirmation string   `json:"confirmation"`
	Commits      []string `json:"commits"`
}

// Refused is a capability that the supervisor did not grant.
type Refused struct {
	Code    ipc.RefusalCode
	Message string
}

func (r *Refused) Error() string {
	if r.Message == "" {
		return string(r.Code)
	}
	return string(r.Code) + ": " + r.Message
}

// ErrorValue implements jsrt.ErrorValuer: the SDK's script finds the code in the property "refusal".
func (r *Refused) ErrorValue(vm *goja.Runtime, stack string) goja.Value {
	value := jsrt.NewErrorValue(vm, "Error", r.Error(), stack)
	value.DefineDataProperty("refusal", vm.ToValue(string(r.Code)), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return value
}
