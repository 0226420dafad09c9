package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // the codec wire builds on
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/plugin"
)

// window is how many bytes gRPC lets a worker send ahead of what is received, and so how much of a worker that floods its
// supervisor is held: enough for a blob's chunks to follow each other without waiting.
const window = 4 << 20

// connect gives the control socket to go-plugin's client. It attaches to a process that runs already: starting one its own
// way, go-plugin would hand it this process's stdin or make a folder for sockets, and would not start it from a locked thread.
func (w *Worker) connect() error {
	dialed := false
	dial := func(context.Context, string) (net.Conn, error) {
		if dialed {
			return nil, ErrLost // the socket cannot be opened again
		}
		dialed = true
		w.control.used.Store(true)
		return w.control, nil
	}
	w.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  plugin.Handshake,
		Plugins:          goplugin.PluginSet{plugin.Service: service{}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		SkipHostEnv:      true,
		Logger:           hclog.NewNullLogger(),
		Reattach: &goplugin.ReattachConfig{
			Protocol:        goplugin.ProtocolGRPC,
			ProtocolVersion: int(plugin.Handshake.ProtocolVersion),
			Addr:            &net.UnixAddr{Name: "inherited", Net: "unix"},
			Pid:             w.process.pid,
			ReattachFunc:    func() (runner.AttachedRunner, error) { return attached{w.process}, nil },
		},
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithContextDialer(dial),
			grpc.WithInitialWindowSize(window),
			grpc.WithInitialConnWindowSize(window),
			grpc.WithDefaultCallOptions(
				grpc.ForceCodecV2(wire{encoding.GetCodecV2("proto")}),
				grpc.MaxCallRecvMsgSize(ipc.MaxMessage),
				grpc.MaxCallSendMsgSize(ipc.MaxMessage)),
		},
	})
	client, err := w.client.Client()
	if err != nil {
		return fmt.Errorf("connecting to the worker: %w", err)
	}
	conn, err := client.Dispense(plugin.Service)
	if err != nil {
		return fmt.Errorf("connecting to the worker: %w", err)
	}
	w.grpc = conn.(*grpc.ClientConn)
	return nil
}

// service gives go-plugin's connection as it is.
type service struct {
	goplugin.NetRPCUnsupportedPlugin
}

func (service) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

func (service) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("a host serves no workers")
}

// attached is a started process in go-plugin's terms.
type attached struct{ *process }

func (a attached) Wait(ctx context.Context) error {
	select {
	case <-a.ended:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (a attached) Kill(context.Context) error {
	a.kill()
	return nil
}

func (a attached) ID() string { return strconv.Itoa(a.pid) }

func (attached) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

func (attached) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

// Session is the host's end of a worker's one session.
type Session struct {
	worker *Worker
	stream grpc.BidiStreamingClient[workerpb.HostMessage, workerpb.WorkerMessage]
	// end ends the stream.
	end     context.CancelFunc
	sending sync.Mutex
	jail    []string
	ids     idWindow
}

// Open opens the worker's one session and reads Ready, its first message. ctx bounds the opening and not the session. A
// worker whose session could not be opened is of no use: it is killed.
func (w *Worker) Open(ctx context.Context) (*Session, error) {
	if !w.opened.CompareAndSwap(false, true) {
		return nil, errors.New("opening a worker's session: it serves one, which was opened before")
	}
	s, err := w.open(ctx)
	if err != nil {
		w.Kill()
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("opening a worker's session: %w", w.explain(err))
	}
	return s, nil
}

func (w *Worker) open(ctx context.Context) (*Session, error) {
	// What ends the opening ends the worker, and with it the wait for its first message.
	detach := context.AfterFunc(ctx, w.Kill)
	defer detach()
	streamCtx, end := context.WithCancel(w.ctx)
	stream, err := workerpb.NewWorkerClient(w.grpc).Session(streamCtx)
	if err != nil {
		end()
		return nil, lost(err)
	}
	s := &Session{worker: w, stream: stream, end: end}
	m, err := s.receive()
	if err != nil {
		end()
		return nil, err
	}
	ready := m.GetReady()
	if ready == nil {
		end()
		return nil, &ipc.Violation{Problem: "comes before the worker said it is ready"}
	}
	s.jail = ready.Jail
	if w.jailWanted && !slices.Contains(s.jail, string(ipc.LayerSeccomp)) {
		end()
		return nil, fmt.Errorf("%w: it says that it holds %q", ErrJail, s.jail)
	}
	if !detach() {
		end()
		return nil, context.Cause(ctx)
	}
	return s, nil
}

// Jail lists the layers of the worker's jail, as it reported them.
func (s *Session) Jail() []string { return slices.Clone(s.jail) }

// Send sends one message, checked first. It may be called from several goroutines; messages arrive in the order of the calls.
// A worker that does not receive makes Send wait; when ctx ends meanwhile, the session ends with it, for nobody could say how
// much of the message was sent.
func (s *Session) Send(ctx context.Context, m *workerpb.HostMessage) error {
	if err := ipc.CheckHost(m); err != nil {
		return fmt.Errorf("sending to a worker: %w", err)
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sending to a worker: %w", context.Cause(ctx))
	}
	detach := context.AfterFunc(ctx, s.end)
	err := s.stream.Send(m)
	if !detach() {
		return fmt.Errorf("sending to a worker: %w", context.Cause(ctx))
	}
	if errors.Is(err, io.EOF) { // gRPC's word, on this side, for a stream that is over for any reason
		return fmt.Errorf("sending to a worker: %w, or its session is over", ErrLost)
	}
	if err != nil {
		return fmt.Errorf("sending to a worker: %w", lost(err))
	}
	return nil
}

// Receive returns the worker's next message, checked. io.EOF says that the worker ended its session; ErrLost that it is gone
// or failed. A message that breaks the rules of the wire is an *ipc.Violation, and the worker is killed: a worker that sends
// one is broken or no longer ours. Not for use by several goroutines at once.
func (s *Session) Receive() (*workerpb.WorkerMessage, error) {
	m, err := s.receive()
	if err == nil {
		err = s.inOrder(m)
	}
	if err == nil || errors.Is(err, io.EOF) {
		return m, err
	}
	if ipc.IsViolation(err) {
		s.worker.Kill()
	}
	return nil, fmt.Errorf("receiving from a worker: %w", err)
}

func (s *Session) receive() (*workerpb.WorkerMessage, error) {
	var data encoded
	if err := s.stream.RecvMsg(&data); err != nil {
		if status.Code(err) == codes.ResourceExhausted {
			return nil, &ipc.Violation{Problem: fmt.Sprintf("is larger than %d bytes", ipc.MaxMessage)}
		}
		return nil, lost(err)
	}
	return ipc.DecodeWorker(data)
}

// inOrder checks what one message alone cannot show.
func (s *Session) inOrder(m *workerpb.WorkerMessage) error {
	switch kind := m.Kind.(type) {
	case *workerpb.WorkerMessage_Ready:
		return &ipc.Violation{Field: "ready", Problem: "comes a second time"}
	case *workerpb.WorkerMessage_Request:
		if !s.ids.add(kind.Request.Id) {
			return &ipc.Violation{Field: "request.id", Problem: "was used before"}
		}
	}
	return nil
}

// lost says in this package's words that a stream broke off; io.EOF, its orderly end, stays what it is.
func lost(err error) error {
	if errors.Is(err, io.EOF) {
		return err
	}
	if s, ok := status.FromError(err); ok {
		return fmt.Errorf("%w (%s)", ErrLost, s.Message())
	}
	return fmt.Errorf("%w (%w)", ErrLost, err)
}

// idWindow remembers which of the latest request ids were used. Ids come about in order, as several goroutines number and
// send them; one that lags further behind than the window counts as used.
type idWindow struct {
	highest uint64
	used    [windowIDs / 64]uint64 // a bit per id, at its place modulo the window
}

const windowIDs = 1024

// add reports whether id is new, and remembers it.
func (w *idWindow) add(id uint64) bool {
	if id == 0 || id+windowIDs <= w.highest {
		return false
	}
	if id > w.highest {
		// The places between are those of ids that left the window.
		for at := max(w.highest+1, id-min(id, windowIDs-1)); at <= id; at++ {
			w.used[at%windowIDs/64] &^= 1 << (at % 64)
		}
		w.highest = id
	}
	place, bit := &w.used[id%windowIDs/64], uint64(1)<<(id%64)
	if *place&bit != 0 {
		return false
	}
	*place |= bit
	return true
}

// encoded is a message as it travelled, for package ipc to decode strictly.
type encoded []byte

// wire is gRPC's own codec, except that a message asked for as encoded is left so.
type wire struct{ encoding.CodecV2 }

func (c wire) Unmarshal(data mem.BufferSlice, v any) error {
	if raw, ok := v.(*encoded); ok {
		*raw = data.Materialize()
		return nil
	}
	return c.CodecV2.Unmarshal(data, v)
}
