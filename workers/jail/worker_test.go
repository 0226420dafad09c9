//go:build linux && (amd64 || arm64)

package jail

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/plugin/host"
	"github.com/pomerado-go/pomerado/plugin/serve"
)

// A jailed worker as it is in a run: started by package host, served by package serve, "jailed-worker BEHAVIOUR".
const workerWord = "jailed-worker"

func worker(behaviour string, args []string) {
	serve.Main(args, workerBehaviours[behaviour], serve.Jail(func(memory int64) ([]string, error) {
		return Apply(Config{Memory: memory})
	}))
}

var workerBehaviours = map[string]serve.Handler{
	"echo": echo,
	"exhaust": func(_ context.Context, s serve.Session) error {
		if _, err := s.Receive(); err != nil {
			return err
		}
		exhaust()
		return nil
	},
	"look around": lookAround,
}

// echo sends every chunk back on both sockets, a goroutine each.
func echo(_ context.Context, s serve.Session) error {
	var group sync.WaitGroup
	defer group.Wait()
	for {
		m, err := s.Receive()
		if err != nil {
			return err
		}
		if m.GetStop() != nil {
			return nil
		}
		chunk := m.GetChunk()
		group.Go(func() { _ = s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Chunk{Chunk: chunk}}) })
		if _, err := s.CDP().Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(chunk.Data))), chunk.Data...)); err != nil {
			return err
		}
	}
}

// lookAround tries from a handler what an authored operation must not get at.
func lookAround(_ context.Context, s serve.Session) error {
	var found []string
	if _, err := os.ReadFile("/etc/hostname"); err == nil {
		found = append(found, "a file")
	}
	if env := os.Environ(); len(env) > 0 {
		found = append(found, fmt.Sprint(env))
	}
	if _, err := os.StartProcess("/bin/true", nil, &os.ProcAttr{}); err == nil {
		found = append(found, "a process")
	}
	return s.Send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Failure{Failure: &workerpb.Failure{
		Tag: "unclassified", Message: "found: " + strings.Join(found, ", "), Code: fmt.Sprint(s.MemoryLimit())}}})
}

func startWorker(t testing.TB, behaviour string, config host.Config) (*host.Worker, *host.Session) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config.Command = []string{self, workerWord, behaviour}
	w, err := host.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Kill()
		<-w.Done()
	})
	s, err := w.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w, s
}

func TestAJailedWorkerTalks(t *testing.T) {
	w, s := startWorker(t, "echo", host.Config{})
	layers := strings.Join(s.Jail(), " ")
	if !strings.HasPrefix(layers, "rlimits no_new_privs not_dumpable") || !strings.HasSuffix(layers, "seccomp") {
		t.Errorf("layers %s", layers)
	}
	for _, layer := range s.Jail() {
		if !ipc.JailLayer(layer).Valid() {
			t.Errorf("layer %q is not on the wire's list", layer)
		}
	}
	data := bytes.Repeat([]byte("frame "), ipc.MaxChunk/6)
	const frames = 64
	go func() {
		for id := uint32(1); id <= frames; id++ {
			if err := s.Send(t.Context(), &workerpb.HostMessage{Kind: &workerpb.HostMessage_Chunk{Chunk: &workerpb.Chunk{Blob: id, Data: data, Last: true}}}); err != nil {
				t.Errorf("sending: %v", err)
				return
			}
		}
	}()
	var group sync.WaitGroup
	group.Go(func() {
		for range frames {
			frame := make([]byte, 4+len(data))
			if _, err := io.ReadFull(w.CDP(), frame); err != nil || !bytes.Equal(frame[4:], data) {
				t.Errorf("another frame came back, %v", err)
				return
			}
		}
	})
	for range frames {
		if m, err := s.Receive(); err != nil || !bytes.Equal(m.GetChunk().GetData(), data) {
			t.Fatalf("%d bytes came back, %v", len(m.GetChunk().GetData()), err)
		}
	}
	group.Wait()
}

func TestAJailedWorkerFindsNothing(t *testing.T) {
	t.Setenv("POMERADO_SECRET", "of the parent")
	for noJail, want := range map[bool]string{false: "found: ", true: "found: a file, a process"} {
		_, s := startWorker(t, "look around", host.Config{NoJail: noJail, MemoryLimit: 256 << 20})
		m, err := s.Receive()
		if err != nil || m.GetFailure().GetMessage() != want || m.GetFailure().GetCode() != "268435456" {
			t.Errorf("without jail %v: %v, %v", noJail, m, err)
		}
	}
}

func TestAWorkerOutOfMemoryIsToldFromALostOne(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector runs out of memory in its own words")
	}
	w, s := startWorker(t, "exhaust", host.Config{})
	if err := s.Send(t.Context(), &workerpb.HostMessage{Kind: &workerpb.HostMessage_Stop{Stop: &workerpb.Stop{}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Receive(); !errors.Is(err, host.ErrLost) {
		t.Errorf("received %v", err)
	}
	if exit := w.Exit(); !exit.OutOfMemory || exit.Code != 2 {
		t.Errorf("%s, out of memory %v, it said %.300q", exit, exit.OutOfMemory, exit.StderrTail)
	}
}

// BenchmarkWorkerReady is a worker from its start until it has said that it is jailed and ready.
func BenchmarkWorkerReady(b *testing.B) {
	for _, jailed := range []bool{true, false} {
		b.Run(map[bool]string{true: "jailed", false: "free"}[jailed], func(b *testing.B) {
			for b.Loop() {
				w, _ := startWorker(b, "echo", host.Config{NoJail: !jailed})
				b.StopTimer()
				w.Kill()
				<-w.Done()
				b.StartTimer()
			}
		})
	}
}
