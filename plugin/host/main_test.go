//go:build unix

package host

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/plugin"
	"github.com/pomerado-go/pomerado/plugin/serve"
)

// The test binary is its own worker: "child-of-test BEHAVIOUR" and what package host appends.
const childWord = "child-of-test"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == childWord {
		behaviours[os.Args[2]](os.Args[3:])
		return
	}
	goleak.VerifyTestMain(m)
}

// testConfig starts the test binary as a worker that behaves so.
func testConfig(t testing.TB, behaviour string) Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Config{Command: []string{self, childWord, behaviour}, NoJail: true}
}

// started is a worker that behaves so; it has gone when the test ends.
func started(t testing.TB, behaviour string) *Worker {
	t.Helper()
	w, err := Start(t.Context(), testConfig(t, behaviour))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Kill()
		<-w.Done()
	})
	return w
}

// opened is its session.
func opened(t testing.TB, behaviour string) (*Worker, *Session) {
	t.Helper()
	w := started(t, behaviour)
	s, err := w.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w, s
}

// behaviours are what a child can be asked to be.
var behaviours = map[string]func(args []string){
	"echo":    func(args []string) { serve.Main(args, echo) },
	"facts":   func(args []string) { serve.Main(args, facts) },
	"noisy":   func(args []string) { serve.Main(args, noisy) },
	"busy":    func(args []string) { serve.Main(args, busy) },
	"deaf":    func(args []string) { serve.Main(args, deaf) },
	"failing": func(args []string) { serve.Main(args, failing) },
	"parent":  func([]string) { intermediateParent() },

	"unjailable": func(args []string) {
		serve.Main(args, echo, serve.Jail(func(int64) ([]string, error) { return nil, errors.New("the kernel said no") }))
	},
	"boasting": func(args []string) {
		serve.Main(args, echo, serve.Jail(func(memory int64) ([]string, error) {
			fmt.Fprintf(os.Stderr, "memory %d\n", memory)
			return []string{"rlimits", "seccomp"}, nil
		}))
	},
	"modest": func(args []string) {
		serve.Main(args, echo, serve.Jail(func(int64) ([]string, error) { return nil, errors.ErrUnsupported }))
	},
	"unprepared": func(args []string) { serve.Main(args, echo) },

	"mute": func([]string) { select {} },
	"early noise": func(args []string) {
		fmt.Println("hello")
		serve.Main(args, echo)
	},
	"endless line": func([]string) {
		for {
			_, _ = os.Stdout.WriteString(strings.Repeat("x", 4096))
		}
	},
	"short of memory": func([]string) { dieOfMemory() },

	// Workers that were taken over and speak raw gRPC.
	"never ready": func([]string) { raw(func(grpc.ServerStream) { select {} }) },
	"not ready":   func([]string) { raw(func(s grpc.ServerStream) { send(s, journal(1)); select {} }) },
	"garbage":     func([]string) { raw(func(s grpc.ServerStream) { send(s, ready(), []byte("\xff\xff\xff")); select {} }) },
	"unknown field": func([]string) {
		raw(func(s grpc.ServerStream) { send(s, ready(), append(journal(1), 0xf8, 0x3f, 1)); select {} })
	},
	"two kinds": func([]string) {
		raw(func(s grpc.ServerStream) { send(s, ready(), append(journal(1), result()...)); select {} })
	},
	"ready twice": func([]string) { raw(func(s grpc.ServerStream) { send(s, ready(), ready()); select {} }) },
	"id twice": func([]string) {
		raw(func(s grpc.ServerStream) { send(s, ready(), journal(7), journal(8), journal(7)); select {} })
	},
	"oversized":      func([]string) { raw(func(s grpc.ServerStream) { send(s, ready(), make([]byte, 1<<20+1)); select {} }) },
	"largest":        func([]string) { raw(func(s grpc.ServerStream) { send(s, ready(), make([]byte, 1<<20)); select {} }) },
	"unknown cause":  func([]string) { raw(func(s grpc.ServerStream) { send(s, ready(), failure("boredom")); select {} }) },
	"gone after two": func([]string) { raw(func(s grpc.ServerStream) { send(s, ready(), journal(1), journal(2)); select {} }) },
}

// echo sends every chunk back, over the control stream and as a frame on the CDP socket, until it is told to stop.
func echo(_ context.Context, s serve.Session) error {
	for {
		m, err := s.Receive()
		if err != nil {
			return err
		}
		if m.GetStop() != nil {
			return nil
		}
		chunk := m.GetChunk()
		if err := s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Chunk{Chunk: chunk}}); err != nil {
			return err
		}
		frame := append(binary.BigEndian.AppendUint32(nil, uint32(len(chunk.Data))), chunk.Data...)
		if _, err := s.CDP().Write(frame); err != nil {
			return err
		}
	}
}

func say(s serve.Session, text string) error {
	return s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Failure{Failure: &workerpb.Failure{Tag: "unclassified", Message: text}}})
}

// facts tells what the process can see of where it was started.
func facts(_ context.Context, s serve.Session) error {
	initial, _ := os.ReadFile("/proc/self/environ")
	stdin, err := io.ReadAll(os.Stdin)
	folder, _ := os.Getwd()
	var open []string
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		for _, entry := range entries {
			if target, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil {
				open = append(open, entry.Name()+"="+target)
			}
		}
	}
	return say(s, fmt.Sprintf("environ %q\ninitial %q\nstdin %q %v\nfolder %s\nmemory %d\nopen %s",
		os.Environ(), initial, stdin, err, folder, s.MemoryLimit(), strings.Join(open, " ")))
}

// noisy prints on stdout in every way there is, and then works as ever.
func noisy(ctx context.Context, s serve.Session) error {
	for range 5000 {
		fmt.Println("1|1|unix|/tmp/elsewhere|grpc|")
		_, _ = os.NewFile(1, "stdout").WriteString("raw noise\n")
		println("stderr noise")
	}
	return echo(ctx, s)
}

// busy keeps every processor and never comes back, as a script's endless loop does.
func busy(_ context.Context, s serve.Session) error {
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for {
			}
		}()
	}
	if err := say(s, "busy"); err != nil {
		return err
	}
	for {
	}
}

// deaf receives nothing.
func deaf(context.Context, serve.Session) error { select {} }

func failing(context.Context, serve.Session) error { return errors.New("something of the run broke") }

// intermediateParent starts a busy worker, says its id and waits to be killed.
func intermediateParent() {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	w, err := Start(context.Background(), Config{Command: []string{self, childWord, "busy"}, NoJail: true})
	if err != nil {
		panic(err)
	}
	s, err := w.Open(context.Background())
	if err != nil {
		panic(err)
	}
	if _, err := s.Receive(); err != nil {
		panic(err)
	}
	fmt.Println(w.PID())
	select {}
}

// dieOfMemory ends as the Go runtime ends a process that gets no more memory: its words come first, the stacks after them.
func dieOfMemory() {
	fmt.Fprintln(os.Stderr, "runtime: out of memory: cannot allocate 17179869184-byte block (3866624 in use)")
	fmt.Fprintln(os.Stderr, "fatal error: out of memory")
	for i := range 500 {
		fmt.Fprintf(os.Stderr, "goroutine %d [select]:\nmain.work()\n", i)
	}
	os.Exit(2)
}

// raw serves the control socket with a gRPC that sends what it is given.
func raw(session func(grpc.ServerStream)) {
	conn, err := net.FileConn(os.NewFile(plugin.ControlFD, "control"))
	if err != nil {
		panic(err)
	}
	fmt.Println("1|1|unix|inherited|grpc|")
	server := grpc.NewServer(grpc.ForceServerCodecV2(bytesCodec{}), grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		if method, _ := grpc.MethodFromServerStream(stream); method != workerpb.Worker_Session_FullMethodName {
			return status.Error(codes.Unimplemented, method)
		}
		session(stream)
		return nil
	}))
	if err := server.Serve(&oneConn{conn: conn}); err != nil {
		panic(err)
	}
}

type oneConn struct{ conn net.Conn }

func (l *oneConn) Accept() (conn net.Conn, _ error) {
	if l.conn == nil {
		select {}
	}
	conn, l.conn = l.conn, nil
	return conn, nil
}
func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return &net.UnixAddr{} }

// bytesCodec sends bytes as they are.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "proto" }
func (bytesCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}
func (bytesCodec) Unmarshal(mem.BufferSlice, any) error { return nil }

func send(stream grpc.ServerStream, messages ...[]byte) {
	for _, m := range messages {
		if err := stream.SendMsg(m); err != nil {
			panic(err)
		}
	}
}
