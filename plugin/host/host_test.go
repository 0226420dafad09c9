//go:build unix

package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/plugin"
)

func marshal(m *workerpb.WorkerMessage) []byte {
	data, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	return data
}

func ready() []byte {
	return marshal(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Ready{Ready: &workerpb.Ready{}}})
}

func journal(id uint64) []byte {
	return marshal(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Request{Request: &workerpb.Request{Id: id,
		Kind: &workerpb.Request_Journal{Journal: &workerpb.Journal{Event: &workerpb.Journal_Dispatch{Dispatch: true}}}}}})
}

func result() []byte {
	return marshal(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Result{Result: &workerpb.Result{}}})
}

func failure(cause string) []byte {
	return marshal(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Failure{Failure: &workerpb.Failure{Tag: "Defect", Cause: cause}}})
}

func chunk(id uint32, data []byte) *workerpb.HostMessage {
	return &workerpb.HostMessage{Kind: &workerpb.HostMessage_Chunk{Chunk: &workerpb.Chunk{Blob: id, Data: data, Last: true}}}
}

func stop() *workerpb.HostMessage {
	return &workerpb.HostMessage{Kind: &workerpb.HostMessage_Stop{Stop: &workerpb.Stop{}}}
}

func TestAWorkerSpeaksOnBothSockets(t *testing.T) {
	w, s := opened(t, "echo")
	for id := uint32(1); id <= 3; id++ {
		data := bytes.Repeat([]byte{byte(id)}, int(id)*200_000-199_990)
		if id == 3 {
			data = make([]byte, ipc.MaxChunk) // as large as one may be
		}
		if err := s.Send(t.Context(), chunk(id, data)); err != nil {
			t.Fatal(err)
		}
		m, err := s.Receive()
		if err != nil || !bytes.Equal(m.GetChunk().GetData(), data) {
			t.Fatalf("control: %d bytes came back, %v", len(m.GetChunk().GetData()), err)
		}
		frame := make([]byte, 4+len(data))
		if _, err := io.ReadFull(w.CDP(), frame); err != nil || binary.BigEndian.Uint32(frame) != uint32(len(data)) || !bytes.Equal(frame[4:], data) {
			t.Fatalf("cdp: another frame came back, %v", err)
		}
	}
	if err := s.Send(t.Context(), stop()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Receive(); err != io.EOF {
		t.Fatalf("after the handler's end: %v", err)
	}
	select {
	case <-w.Done():
		t.Fatal("the process ended before its host let go of it")
	default:
	}
}

func TestAWorkerSeesNothingOfWhereItWasStarted(t *testing.T) {
	t.Setenv("POMERADO_SECRET", "of the parent")
	_, s := opened(t, "facts")
	m, err := s.Receive()
	if err != nil {
		t.Fatal(err)
	}
	text := m.GetFailure().GetMessage()
	for _, want := range []string{"environ []\n", `stdin "" <nil>`, "folder /\n", "memory 536870912\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "of the parent") || strings.Contains(text, "PATH") {
		t.Errorf("an environment variable came along: %s", text)
	}
	_, open, _ := strings.Cut(text, "open ")
	for _, file := range strings.Fields(open) {
		_, target, _ := strings.Cut(file, "=")
		if strings.HasPrefix(target, "/") && target != "/dev/null" && !strings.HasPrefix(target, "/proc/") && !strings.HasPrefix(target, "/sys/fs/cgroup/") {
			t.Errorf("it holds %s", file)
		}
	}
}

func TestWhatAWorkerPrintsHarmsNothing(t *testing.T) {
	w, s := opened(t, "noisy")
	if err := s.Send(t.Context(), chunk(1, []byte("still here"))); err != nil {
		t.Fatal(err)
	}
	if m, err := s.Receive(); err != nil || string(m.GetChunk().GetData()) != "still here" {
		t.Fatalf("got %v, %v", m, err)
	}
	w.Kill()
	exit := w.Exit()
	if len(exit.StderrTail) > 4096 || !strings.Contains(exit.StderrTail, "raw noise\n") || !strings.Contains(exit.StderrTail, "stderr noise\n") {
		t.Errorf("the end of its output is %q", exit.StderrTail)
	}
}

func TestADeadWorkerIsNoticed(t *testing.T) {
	w, s := opened(t, "echo")
	if err := syscall.Kill(w.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Receive(); !errors.Is(err, ErrLost) {
		t.Errorf("receiving: %v", err)
	}
	<-w.Done()
	if exit := w.Exit(); exit.Signal != "killed" || exit.Code != -1 || exit.OutOfMemory || exit.String() != "signal: killed" {
		t.Errorf("exit %+v", exit)
	}
	if err := s.Send(t.Context(), chunk(1, nil)); !errors.Is(err, ErrLost) {
		t.Errorf("sending: %v", err)
	}
	if _, err := w.CDP().Read(make([]byte, 1)); err == nil {
		t.Error("its CDP socket still reads")
	}
}

func TestABusyWorkerDiesWithItsParent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.CommandContext(t.Context(), self, childWord, "parent")
	parent.Stderr = os.Stderr
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Fatalf("the worker %d is not there: %v", pid, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	waitGone(t, pid)
}

// The kernel's signal comes first where there is one; the socket's end alone does it too.
func TestABusyWorkerEndsWithItsSocket(t *testing.T) {
	w, s := opened(t, "busy")
	if _, err := s.Receive(); err != nil {
		t.Fatal(err)
	}
	_ = w.control.Conn.Close()
	<-w.Done()
	if exit := w.Exit(); exit.Signal != "" {
		t.Errorf("exit %+v: it was killed", exit)
	}
}

// waitGone waits until no process has the id, or only a dead one nobody waited for.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatalf("process %d is still there", pid)
		}
	}
}

func TestAWorkerThatBreaksTheRulesIsKilled(t *testing.T) {
	for behaviour, messages := range map[string]int{
		"garbage": 0, "unknown field": 0, "two kinds": 0, "ready twice": 0, "id twice": 2, "oversized": 0, "largest": 0, "unknown cause": 0,
	} {
		t.Run(behaviour, func(t *testing.T) {
			w, s := opened(t, behaviour)
			for range messages {
				if _, err := s.Receive(); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Receive(); !ipc.IsViolation(err) {
				t.Errorf("received %v", err)
			}
			<-w.Done()
			if exit := w.Exit(); exit.Signal != "killed" {
				t.Errorf("exit %+v", exit)
			}
		})
	}
}

// What a worker sent before it died is not lost with it. Whether its second message was sent by the time it is killed is its
// kernel's to say, so that one of several workers must have got it out.
func TestWhatADeadWorkerSentIsReceived(t *testing.T) {
	for range 10 {
		w, s := opened(t, "gone after two")
		if _, err := s.Receive(); err != nil {
			t.Fatal(err)
		}
		w.Kill()
		<-w.Done()
		m, err := s.Receive()
		if err == nil {
			if m.GetRequest().GetId() != 2 {
				t.Fatalf("got %v", m)
			}
			if _, err := s.Receive(); !errors.Is(err, ErrLost) {
				t.Fatalf("after its last: %v", err)
			}
			return
		}
		if !errors.Is(err, ErrLost) {
			t.Fatal(err)
		}
	}
	t.Fatal("ten workers' second messages were lost")
}

func TestAWorkerServesOneSession(t *testing.T) {
	w, s := opened(t, "echo")
	if _, err := w.Open(t.Context()); err == nil {
		t.Error("a second session was opened")
	}
	second, err := workerpb.NewWorkerClient(w.grpc).Session(t.Context())
	if err == nil {
		_, err = second.Recv()
	}
	if status.Code(err) != codes.FailedPrecondition {
		t.Errorf("the worker answered a second session with %v", err)
	}
	if err := s.Send(t.Context(), chunk(1, []byte("x"))); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Receive(); err != nil {
		t.Errorf("the first session: %v", err)
	}
}

func TestAFailedSessionSaysSo(t *testing.T) {
	w, s := opened(t, "failing")
	if _, err := s.Receive(); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "session failed") {
		t.Errorf("received %v", err)
	}
	_ = w.control.Conn.Close()
	if exit := w.Exit(); exit.Code != 1 || !strings.Contains(exit.StderrTail, "something of the run broke") {
		t.Errorf("exit %+v", exit)
	}
}

func TestTheJailIsNotTakenOnTrust(t *testing.T) {
	if !jailable {
		t.Skip("workers are not jailed on this system")
	}
	tests := []struct {
		behaviour string
		ok        bool
		says      string
	}{
		{"unjailable", false, "the kernel said no"},
		{"unprepared", false, "built without one"},
		{"modest", false, "goes on without a jail"},
		{"boasting", true, ""},
	}
	for _, test := range tests {
		t.Run(test.behaviour, func(t *testing.T) {
			config := testConfig(t, test.behaviour)
			config.NoJail = false
			w, err := Start(t.Context(), config)
			if err == nil {
				defer func() { w.Kill(); <-w.Done() }()
				var s *Session
				if s, err = w.Open(t.Context()); err == nil && strings.Join(s.Jail(), " ") != "rlimits seccomp" {
					t.Errorf("layers %q", s.Jail())
				}
			}
			if test.ok {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.Is(err, ErrJail) || !strings.Contains(err.Error(), test.says) {
				t.Fatalf("error %v", err)
			}
		})
	}
	t.Run("without", func(t *testing.T) {
		_, s := opened(t, "unjailable") // NoJail
		if len(s.Jail()) != 0 {
			t.Fatalf("layers %q", s.Jail())
		}
	})
}

func TestALostJailIsTold(t *testing.T) {
	if !jailable {
		t.Skip("workers are not jailed on this system")
	}
	config := testConfig(t, "unjailable")
	config.NoJail = false
	w, err := Start(t.Context(), config)
	if err != nil {
		return // it was over that soon
	}
	w.Kill()
	if exit := w.Exit(); exit.Signal == "" && !exit.JailFailed {
		t.Errorf("exit %+v", exit)
	}
}

func TestTheMemoryCeilingReachesTheWorker(t *testing.T) {
	config := testConfig(t, "facts")
	config.MemoryLimit = 123 << 20
	w, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { w.Kill(); <-w.Done() }()
	s, err := w.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if m, err := s.Receive(); err != nil || !strings.Contains(m.GetFailure().GetMessage(), "memory 128974848\n") {
		t.Fatalf("got %v, %v", m, err)
	}
}

func TestAStartThatFailsSaysWhy(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "plain.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho 'no such option' >&2\nexit 9\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(folder, "old.sh")
	if err := os.WriteFile(old, []byte("#!/bin/sh\necho '1|0|unix|x|grpc|'\nsleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		command []string
		says    []string
	}{
		{"no command", nil, []string{"no command"}},
		{"missing", []string{filepath.Join(folder, "nowhere")}, []string{"nowhere"}},
		{"ends", []string{script}, []string{"before its handshake", "exit code 9", "no such option"}},
		{"no worker", []string{"/bin/echo", "hello"}, []string{"no handshake"}},
		{"prints first", []string{self, childWord, "early noise"}, []string{"no handshake"}},
		{"prints no line", []string{self, childWord, "endless line"}, []string{"before its handshake"}},
		{"another version", []string{old}, []string{`protocol "0"`, "different versions"}},
		{"out of memory", []string{self, childWord, "short of memory"}, []string{"out of memory"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, err := Start(t.Context(), Config{Command: test.command, NoJail: true})
			if err == nil {
				w.Kill()
				<-w.Done()
				t.Fatal("it started")
			}
			for _, say := range test.says {
				if !strings.Contains(err.Error(), say) {
					t.Errorf("error %q lacks %q", err, say)
				}
			}
		})
	}
}

func TestAStartEndsWithItsContext(t *testing.T) {
	for _, behaviour := range []string{"mute", "never ready"} {
		t.Run(behaviour, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			reason := errors.New("nobody waits for it any more")
			timer := time.AfterFunc(300*time.Millisecond, func() { cancel(reason) })
			defer timer.Stop()
			w, err := Start(ctx, testConfig(t, behaviour))
			if err == nil {
				_, err = w.Open(ctx)
				<-w.Done()
			}
			if !errors.Is(err, reason) {
				t.Fatalf("error %v", err)
			}
		})
	}
}

// A worker outlives the contexts it was started and opened with.
func TestAWorkerOutlivesItsStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w, err := Start(ctx, testConfig(t, "echo"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { w.Kill(); <-w.Done() }()
	s, err := w.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.Send(t.Context(), chunk(1, []byte("x"))); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Receive(); err != nil {
		t.Fatal(err)
	}
}

func TestAFirstMessageOtherThanReadyIsRefused(t *testing.T) {
	w := started(t, "not ready")
	if _, err := w.Open(t.Context()); !ipc.IsViolation(err) {
		t.Fatalf("error %v", err)
	}
	<-w.Done()
}

func TestSendingToADeafWorkerEndsWithItsContext(t *testing.T) {
	_, s := opened(t, "deaf")
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	var err error
	for id := uint32(1); err == nil; id++ {
		if id > 64 {
			t.Fatal("32 MiB went to a worker that receives nothing")
		}
		err = s.Send(ctx, chunk(id, make([]byte, ipc.MaxChunk)))
	}
	if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrLost) {
		t.Fatalf("error %v", err)
	}
	if err := s.Send(t.Context(), chunk(1000, nil)); err == nil {
		t.Fatal("the session went on after half a message")
	}
}

func TestWhatBreaksTheRulesIsNotSent(t *testing.T) {
	_, s := opened(t, "echo")
	if err := s.Send(t.Context(), &workerpb.HostMessage{}); !ipc.IsViolation(err) {
		t.Fatalf("error %v", err)
	}
}

func TestManyWorkersLeaveNothing(t *testing.T) {
	count := func() (files, folders int) {
		fds, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("counting descriptors needs /proc")
		}
		temp, err := os.ReadDir(os.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range temp {
			if strings.HasPrefix(entry.Name(), "plugin") {
				folders++
			}
		}
		return len(fds), folders
	}
	one := func() {
		w, err := Start(t.Context(), testConfig(t, "echo"))
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := w.Open(t.Context()); err != nil {
			t.Error(err)
		}
		w.Kill()
		<-w.Done()
	}
	one()
	filesBefore, foldersBefore := count()
	const at = 4
	workers := 200
	if testing.Short() {
		workers = 20
	}
	var group sync.WaitGroup
	for range at {
		group.Go(func() {
			for range workers / at {
				one()
			}
		})
	}
	group.Wait()
	files, folders := count()
	if files > filesBefore || folders > foldersBefore {
		t.Errorf("%d descriptors and %d folders, %d and %d before", files, folders, filesBefore, foldersBefore)
	}
}

// Everyone at once: kills, sends, receives and waits on one worker end in order, whoever comes first.
func TestEveryoneAtOnce(t *testing.T) {
	for range 5 {
		w, s := opened(t, "echo")
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() { _ = s.Send(t.Context(), chunk(uint32(i+1), []byte("x"))) })
			group.Go(func() {
				if i == 5 {
					w.Kill()
				}
				<-w.Done()
				_ = w.Exit()
			})
		}
		group.Go(func() {
			for {
				if _, err := s.Receive(); err != nil {
					return
				}
			}
		})
		group.Wait()
	}
}

func TestTheEndOfTheOutputIsKept(t *testing.T) {
	var kept tail
	for i := range 2000 {
		fmt.Fprintf(&kept, "line %d\n", i)
	}
	text := kept.text()
	if len(text) != mostTail || !strings.HasSuffix(text, "line 1999\n") || kept.sawOutOfMemory() {
		t.Fatalf("%d bytes ending in %q", len(text), text[len(text)-20:])
	}
	// The words, cut in two by the pipe and then pushed out.
	_, _ = kept.Write([]byte("fatal error: runtime: cannot allo"))
	_, _ = kept.Write([]byte("cate memory\n"))
	_, _ = kept.Write(bytes.Repeat([]byte("goroutine 1 [running]:\n"), 1000))
	if !kept.sawOutOfMemory() {
		t.Error("the runtime's words were missed")
	}
	var bad tail
	_, _ = bad.Write([]byte("a\xffb"))
	if bad.text() != "a\uFFFDb" {
		t.Errorf("text %q", bad.text())
	}
}

func TestExitOutOfMemoryNeedsTheRuntimesCode(t *testing.T) {
	var kept tail
	_, _ = kept.Write([]byte("fatal error: out of memory\n"))
	for code, want := range map[string]bool{"2": true, "1": false} {
		state := exec.CommandContext(t.Context(), "/bin/sh", "-c", "exit "+code)
		_ = state.Run()
		if got := exitInfo(state.ProcessState, &kept); got.OutOfMemory != want {
			t.Errorf("exit code %s: %+v", code, got)
		}
	}
}

func FuzzIDWindow(f *testing.F) {
	f.Add([]byte{0, 1, 0, 2, 0, 3, 0, 2})
	f.Add([]byte{9, 0, 0, 1, 8, 0, 9, 0, 5, 1})
	f.Fuzz(func(t *testing.T, script []byte) {
		var window idWindow
		seen := map[uint64]bool{}
		highest := uint64(0)
		for ; len(script) >= 2; script = script[2:] {
			id := uint64(binary.BigEndian.Uint16(script))
			want := id != 0 && !seen[id] && id+windowIDs > highest
			if got := window.add(id); got != want {
				t.Fatalf("id %d after %d: new %v, want %v", id, highest, got, want)
			}
			if want {
				seen[id] = true
				highest = max(highest, id)
			}
		}
	})
}

func FuzzHandshake(f *testing.F) {
	for _, line := range []string{"1|1|unix|inherited|grpc|", "1|1|tcp|127.0.0.1:1|netrpc", "", "|||||", "2|1|unix|x|grpc|"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if checkHandshake(line) == nil && !strings.HasPrefix(line, "1|"+strconv.Itoa(int(plugin.Handshake.ProtocolVersion))+"|") {
			t.Fatalf("%q was accepted", line)
		}
	})
}
