package workers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

// session is the worker's end of the control stream, as package plugin/serve gives it. Messages are checked on receipt.
type session interface {
	Send(*workerpb.WorkerMessage) error
	Receive() (*workerpb.HostMessage, error)
}

// errHostGone ends whatever waits for a supervisor that is no longer there.
var errHostGone = errors.New("the supervisor is gone")

// Refused is a request the supervisor did not grant.
type Refused struct {
	Code    ipc.RefusalCode
	Message string
}

func (r *Refused) Error() string { return r.Message }

// link asks the supervisor for capabilities and gives each answer to whoever waits for it. It also keeps the worker's copy of the run's
// clock, which stands still while a request that pauses it is open.
type link struct {
	s session

	sending sync.Mutex
	blob    uint32

	blobs *ipc.Blobs // what came for replies; the receiving goroutine's

	mu      sync.Mutex
	id      uint64
	waiting map[uint64]chan answer
	gone    error

	remaining time.Duration // as of since
	since     time.Time
	paused    int
}

func newLink(s session, blobs *ipc.Blobs, remaining time.Duration) *link {
	return &link{s: s, blobs: blobs, waiting: map[uint64]chan answer{}, remaining: remaining, since: time.Now()}
}

// answer is a reply with the blobs it names.
type answer struct {
	reply      *workerpb.Reply
	head, body []byte
}

// withBlobs takes what a reply names. It may come once.
func (l *link) withBlobs(r *workerpb.Reply) (a answer, err error) {
	a.reply = r
	h := r.GetSiteHttp()
	if h == nil {
		return a, nil
	}
	if a.head, err = l.blobs.Take(h.ResponseBlob); err == nil && h.BodyBlob != 0 {
		a.body, err = l.blobs.Take(h.BodyBlob)
	}
	return a, err
}

func (l *link) send(m *workerpb.WorkerMessage) error {
	l.sending.Lock()
	defer l.sending.Unlock()
	return l.s.Send(m)
}

// sendBlob sends data and gives the name a later message knows it by.
func (l *link) sendBlob(data []byte) (uint32, error) {
	l.sending.Lock()
	defer l.sending.Unlock()
	l.blob++
	chunks, err := ipc.Split(l.blob, data)
	if err != nil {
		return 0, err
	}
	for _, chunk := range chunks {
		if err := l.s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Chunk{Chunk: chunk}}); err != nil {
			return 0, err
		}
	}
	return l.blob, nil
}

// receive gives replies to those who wait for them until the stream ends or a Stop comes, and then fails everyone who still waits.
// Its error says which it was.
func (l *link) receive() error {
	err := l.replies()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = err
	for id, c := range l.waiting {
		close(c)
		delete(l.waiting, id)
	}
	return err
}

func (l *link) replies() error {
	for {
		m, err := l.s.Receive()
		if err != nil {
			return fmt.Errorf("%w: %w", errHostGone, err)
		}
		switch k := m.Kind.(type) {
		case *workerpb.HostMessage_Chunk:
			if err := l.blobs.Add(k.Chunk); err != nil {
				return fmt.Errorf("%w: %w", errHostGone, err)
			}
		case *workerpb.HostMessage_Reply:
			a, err := l.withBlobs(k.Reply)
			if err != nil {
				return fmt.Errorf("%w: %w", errHostGone, err)
			}
			l.mu.Lock()
			c := l.waiting[k.Reply.Id]
			delete(l.waiting, k.Reply.Id)
			l.remaining, l.since = time.Duration(k.Reply.RemainingMs)*time.Millisecond, time.Now()
			l.mu.Unlock()
			if c != nil {
				c <- a
			}
		case *workerpb.HostMessage_Stop:
			return fmt.Errorf("%w: it said stop (%s)", errHostGone, k.Stop.Cause)
		default:
			return fmt.Errorf("%w: it sent %T in the middle of a run", errHostGone, m.Kind)
		}
	}
}

// request asks for one capability and waits. A refusal is a *Refused. The end of ctx stops the wait, not what was asked for.
func (l *link) request(ctx context.Context, q *workerpb.Request) (*workerpb.Reply, error) {
	a, err := l.ask(ctx, q)
	return a.reply, err
}

// ask is request for what is answered with more than a message.
func (l *link) ask(ctx context.Context, q *workerpb.Request) (answer, error) {
	c := make(chan answer, 1)
	l.mu.Lock()
	if l.gone != nil {
		l.mu.Unlock()
		return answer{}, l.gone
	}
	l.id++
	q.Id = l.id
	l.waiting[q.Id] = c
	l.mu.Unlock()
	if pauses(q) {
		defer l.pause()()
	}
	if err := l.send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Request{Request: q}}); err != nil {
		l.mu.Lock()
		delete(l.waiting, q.Id)
		l.mu.Unlock()
		var broken *ipc.Violation
		if errors.As(err, &broken) { // our own check, before it left
			return answer{}, fmt.Errorf("this cannot be asked of the supervisor: %w", broken)
		}
		return answer{}, fmt.Errorf("%w: %w", errHostGone, err)
	}
	select {
	case a, ok := <-c:
		if !ok {
			return answer{}, errHostGone
		}
		if a.reply.Code != "" {
			return answer{}, &Refused{ipc.RefusalCode(a.reply.Code), a.reply.Message}
		}
		return a, nil
	case <-ctx.Done():
		return answer{}, context.Cause(ctx)
	}
}

// journal reports an event and waits until the supervisor has it (0.1 ms), so that nothing that follows overtakes it.
func (l *link) journal(ctx context.Context, j *workerpb.Journal) error {
	_, err := l.request(ctx, &workerpb.Request{Kind: &workerpb.Request_Journal{Journal: j}})
	return err
}

// pauses tells the requests during which the run's clock stands still.
func pauses(q *workerpb.Request) bool {
	switch q.Kind.(type) {
	case *workerpb.Request_Ask, *workerpb.Request_Dialog, *workerpb.Request_SignIn:
		return true
	}
	return false
}

func (l *link) pause() (resume func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paused == 0 {
		l.remaining -= time.Since(l.since)
	}
	l.paused++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.paused--; l.paused == 0 {
			l.since = time.Now()
		}
	}
}

// left is what remains of the run's active time.
func (l *link) left() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paused > 0 {
		return max(0, l.remaining)
	}
	return max(0, l.remaining-time.Since(l.since))
}

func startRemaining(start *workerpb.Start) time.Duration {
	return time.Duration(start.RemainingMs) * time.Millisecond
}
