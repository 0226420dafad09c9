package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // the codec wire builds on
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

// window is how many bytes gRPC lets the host send ahead of what is received: enough for a blob's chunks to follow each
// other without waiting. A window that is set also spares the pings by which gRPC would measure one.
const window = 4 << 20

func (s *server) grpcServer([]grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(
		grpc.ForceServerCodecV2(wire{encoding.GetCodecV2("proto")}),
		grpc.MaxRecvMsgSize(ipc.MaxMessage),
		grpc.MaxSendMsgSize(ipc.MaxMessage),
		grpc.InitialWindowSize(window),
		grpc.InitialConnWindowSize(window),
		grpc.MaxConcurrentStreams(8), // the session, go-plugin's own two, and a few to be refused in words
	)
}

// service adds the session's service to go-plugin's. go-plugin's older protocol, over net/rpc, is not spoken.
type service struct {
	goplugin.NetRPCUnsupportedPlugin
	server *server
}

func (p service) GRPCServer(_ *goplugin.GRPCBroker, registrar *grpc.Server) error {
	workerpb.RegisterWorkerServer(registrar, &worker{server: p.server})
	return nil
}

// GRPCClient is the host's half, which package host has.
func (p service) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("a worker starts no workers")
}

type worker struct {
	workerpb.UnimplementedWorkerServer
	server *server
}

// Session is the one call a worker serves, once.
func (w *worker) Session(stream grpc.BidiStreamingServer[workerpb.HostMessage, workerpb.WorkerMessage]) error {
	s := w.server
	s.mu.Lock()
	again := s.opened
	s.opened = true
	s.mu.Unlock()
	if again {
		return status.Error(codes.FailedPrecondition, "a worker serves one session, and this one has served its own")
	}
	session := Session{stream: stream, server: s, sending: new(sync.Mutex)}
	err := session.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Ready{Ready: &workerpb.Ready{Jail: s.layers}}})
	if err == nil {
		err = s.handler(stream.Context(), session)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "worker: %v\n", err)
		s.mu.Lock()
		s.failed = true
		s.mu.Unlock()
		return status.Error(codes.Aborted, "the worker's session failed")
	}
	return nil
}

// Session is a worker's end of its one session. Ready, its first message, has been sent.
type Session struct {
	stream  grpc.BidiStreamingServer[workerpb.HostMessage, workerpb.WorkerMessage]
	server  *server
	sending *sync.Mutex
}

// Send sends one message, and checks it first as the host will. It may be called from several goroutines; messages arrive
// in the order of the calls.
func (s Session) Send(m *workerpb.WorkerMessage) error {
	if err := ipc.CheckWorker(m); err != nil {
		return fmt.Errorf("sending to the host: %w", err)
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	return s.stream.Send(m)
}

// Receive returns the host's next message, checked, or io.EOF when the host sends no more.
func (s Session) Receive() (*workerpb.HostMessage, error) {
	var data encoded
	if err := s.stream.RecvMsg(&data); err != nil {
		return nil, err
	}
	m, err := ipc.DecodeHost(data)
	if err != nil {
		return nil, fmt.Errorf("receiving from the host: %w", err)
	}
	return m, nil
}

// CDP is the socket of CDP frames. It stays open until the process ends or the caller closes it.
func (s Session) CDP() net.Conn { return s.server.cdp }

// Jail lists the layers that hold, none when there is no jail.
func (s Session) Jail() []string { return s.server.layers }

// MemoryLimit is the ceiling of the worker's heap in bytes. The handler keeps it; the kernel's limit lies far above.
func (s Session) MemoryLimit() int64 { return s.server.memory }

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
