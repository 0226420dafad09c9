package supervisor

import (
	"context"
	"sync"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

// link is the host's end of one run's control stream: it sends in one order and numbers the blobs.
type link struct {
	w *worker

	mu   sync.Mutex
	blob uint32
}

func (l *link) send(ctx context.Context, m *workerpb.HostMessage) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.session.Send(ctx, m)
}

// sendBlob sends data and gives the name a later message knows it by.
func (l *link) sendBlob(ctx context.Context, data []byte) (uint32, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.blob++
	return l.blob, sendBlob(ctx, l.w, l.blob, data)
}

// sendPrograms gives the worker the product's own scripts; withSDK when an authored operation is to run.
func (l *link) sendPrograms(ctx context.Context, own *programs, withSDK bool) (err error) {
	p := &workerpb.Programs{}
	if withSDK {
		if p.SdkBlob, err = l.sendBlob(ctx, own.sdk); err != nil {
			return err
		}
	}
	if p.InjectBlob, err = l.sendBlob(ctx, own.inject); err != nil {
		return err
	}
	if p.EvaluatorBlob, err = l.sendBlob(ctx, own.evaluator); err != nil {
		return err
	}
	if p.ClockBlob, err = l.sendBlob(ctx, own.clock); err != nil {
		return err
	}
	return l.send(ctx, &workerpb.HostMessage{Kind: &workerpb.HostMessage_Programs{Programs: p}})
}

func (l *link) reply(ctx context.Context, r *workerpb.Reply) error {
	return l.send(ctx, &workerpb.HostMessage{Kind: &workerpb.HostMessage_Reply{Reply: r}})
}

// refusal is an answer other than the one asked for.
type refusal struct {
	code    ipc.RefusalCode
	message string
}

func (r *refusal) Error() string { return r.message }

func refuse(code ipc.RefusalCode, message string) *refusal { return &refusal{code, message} }
