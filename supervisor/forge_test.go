package supervisor_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/plugin/serve"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/workers/jail"
)

// A forging worker is one whose runtime was taken over: it keeps the wire's form and says what it likes. Its contract is always the same.
func forge(behaviour string, args []string) {
	serve.Main(args, func(ctx context.Context, s serve.Session) error {
		for {
			m, err := s.Receive()
			switch {
			case err != nil:
				return err
			case m.GetBundle() != nil:
				err = forgeContract(s)
			case m.GetStart() != nil:
				if err := forgeries[behaviour].act(s); err != nil {
					return err
				}
				<-ctx.Done()
				return ctx.Err()
			}
			if err != nil {
				return err
			}
		}
	}, serve.Jail(func(memory int64) ([]string, error) { return jail.Apply(jail.Config{Memory: memory}) }))
}

func forgeContract(s serve.Session) error {
	for blob := uint32(1); blob <= 6; blob++ {
		if err := s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Chunk{Chunk: &workerpb.Chunk{Blob: blob, Data: []byte("0"), Last: true}}}); err != nil {
			return err
		}
	}
	return s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Bundled{Bundled: &workerpb.Bundled{
		SdkBlob: 1, InjectBlob: 2, EvaluatorBlob: 3, ScriptBlob: 4, SourceMapBlob: 5, ClockBlob: 6,
		Contract: &workerpb.Contract{Name: "tool", InputSchema: "{}", OutputSchema: "{}", Questions: "{}", Form: "kernel",
			Write: &workerpb.WriteDeclaration{Confirmation: "readback", Commits: []string{"send"}}},
	}}})
}

func request(s serve.Session, id uint64, kind *workerpb.Request) error {
	kind.Id = id
	return s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Request{Request: kind}})
}

func note(s serve.Session, id uint64, j *workerpb.Journal) error {
	return request(s, id, &workerpb.Request{Kind: &workerpb.Request_Journal{Journal: j}})
}

func forgedResult(s serve.Session, text string) error {
	chunk := &workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Chunk{Chunk: &workerpb.Chunk{Blob: 9, Data: []byte(text), Last: true}}}
	if err := s.Send(chunk); err != nil {
		return err
	}
	return s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Result{Result: &workerpb.Result{HasOutput: true, OutputBlob: 9}}})
}

var forgeries = map[string]struct {
	act   func(serve.Session) error
	cause ipc.Cause
}{
	"says nothing": {func(serve.Session) error { return nil }, ipc.CauseDeadline},
	"uses an id twice": {func(s serve.Session) error {
		for range 2 {
			if err := request(s, 1, &workerpb.Request{Kind: &workerpb.Request_NewContext{NewContext: &workerpb.NewContext{}}}); err != nil {
				return err
			}
		}
		return nil
	}, ipc.CauseWorkerLost},
	"answers a question nobody put": {forgeContract, ipc.CauseWorkerLost},
	"names a blob it never sent": {func(s serve.Session) error {
		return s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Result{Result: &workerpb.Result{HasOutput: true, OutputBlob: 77}}})
	}, ipc.CauseWorkerLost},
	"returns what is no JSON": {func(s serve.Session) error { return forgedResult(s, `{"a":`) }, ipc.CauseWorkerLost},
	"asks without end": {func(s serve.Session) error {
		for id := uint64(1); id < 500; id++ {
			ask := &workerpb.Ask{Questions: []*workerpb.Question{{Id: "q", Type: "text", Prompt: "?"}}}
			if err := request(s, id, &workerpb.Request{Kind: &workerpb.Request_Ask{Ask: ask}}); err != nil {
				return nil // the supervisor ended it, as it should
			}
		}
		return nil
	}, ipc.CauseWorkerLost},
	"writes nonsense to the browser": {func(s serve.Session) error {
		_, err := s.CDP().Write(append(binary.BigEndian.AppendUint32(nil, 3), "\x00{}"...))
		return err
	}, ipc.CauseWorkerLost},
	"announces a frame of a gigabyte": {func(s serve.Session) error {
		_, err := s.CDP().Write(binary.BigEndian.AppendUint32(nil, 1<<30))
		return err
	}, ipc.CauseWorkerLost},
	// A write that it claims to have sent and confirmed, though not one frame of it was seen.
	"claims a write": {func(s serve.Session) error {
		for id, j := range []*workerpb.Journal{
			{Event: &workerpb.Journal_Dispatch{Dispatch: true}},
			{Event: &workerpb.Journal_EnteringCommit{EnteringCommit: "send"}},
			{Event: &workerpb.Journal_Verified{Verified: "readback"}},
		} {
			if err := note(s, uint64(id+1), j); err != nil {
				return err
			}
		}
		return forgedResult(s, `{"sent":true}`)
	}, ""},
}

// A worker that was taken over ends its own run, and can claim nothing that the supervisor did not see.
func TestForgingWorkerLosesOnlyItsRun(t *testing.T) {
	t.Parallel()
	at := startSite(t)
	for name, f := range forgeries {
		t.Run(name, func(t *testing.T) {
			s := newSupervisor(t, func(o *supervisor.Options) { o.Worker = []string{self(), "forge", name} })
			out := operation{script: "return 1;"}.execute(t, s, at.URL, func(r *supervisor.Request) { r.Effect, r.Timeout = outcome.Write, 5*time.Second })
			if name == "claims a write" {
				if out.WriteStatus != outcome.NotAttempted || out.Details.Cause != "" {
					t.Errorf("%+v", out)
				}
				return
			}
			if ipc.Cause(out.Details.Cause) != f.cause || out.Status != outcome.Failed {
				t.Errorf("%s/%s, cause %q: %s", out.Status, out.Code, out.Details.Cause, out.Error)
			}
			if strings.Contains(fmt.Sprint(out), "goroutine") {
				t.Errorf("a stack left: %+v", out)
			}
		})
	}
}
