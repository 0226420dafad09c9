//go:build linux && (amd64 || arm64)

package jail

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// childPrograms are what a child can be asked to run once its jail stands.
var childPrograms = map[string]func(args []string){
	"work":         work,
	"panic":        func([]string) { panic("on purpose") },
	"exhaust":      func([]string) { exhaust() },
	"allocate":     func([]string) { allocate() },
	"wait":         func([]string) { _, _ = io.Copy(io.Discard, os.Stdin) },
	"abort":        func([]string) { _ = syscall.Kill(syscall.Getpid(), syscall.SIGABRT); select {} },
	"foreign mode": func([]string) { foreignMode() },
	"watch":        watch,
}

var socketPeer int

// prepareChild makes what a child holds before its jail stands.
func prepareChild() {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		panic(err)
	}
	if err := unix.Dup3(fds[0], socketFD, unix.O_CLOEXEC); err != nil {
		panic(err)
	}
	socketPeer = fds[1]
}

// work does what a Go program does, and prints a line for each thing done.
func work([]string) {
	// Goroutines, channels and timers.
	var sum atomic.Int64
	var group sync.WaitGroup
	for i := range 2000 {
		group.Go(func() {
			timer := time.NewTimer(time.Duration(i%20) * time.Millisecond)
			<-timer.C
			sum.Add(int64(i))
		})
	}
	group.Wait()
	fmt.Println("goroutines", sum.Load())

	// Threads: 200 system calls that block, each a thread of its own.
	var woken atomic.Int64
	for range 200 {
		group.Go(func() {
			runtime.LockOSThread() // and the thread ends with the goroutine
			if n, err := unix.Read(socketFD, make([]byte, 1)); n == 1 && err == nil {
				woken.Add(1)
			}
		})
	}
	for range 200 {
		if _, err := unix.Write(socketPeer, []byte("x")); err != nil {
			panic(err)
		}
	}
	group.Wait()
	fmt.Println("threads", woken.Load())

	// The collector under pressure, memory returned, stacks grown.
	var kept [][]byte
	for i := range 2000 {
		block := make([]byte, 64<<10)
		block[i%len(block)] = 1
		if i%50 == 0 {
			kept = append(kept, block)
		}
	}
	runtime.GC()
	debug.FreeOSMemory()
	fmt.Println("memory", len(kept), deep(20000))

	// A fault caught, a busy goroutine preempted, processors changed.
	fmt.Println("fault", fault())
	stop := make(chan struct{})
	var spins atomic.Int64
	for range 4 {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					spins.Add(1)
				}
			}
		})
	}
	<-time.NewTimer(20 * time.Millisecond).C
	close(stop)
	group.Wait()
	before := runtime.GOMAXPROCS(1)
	runtime.GOMAXPROCS(before)
	fmt.Println("busy", spins.Load() > 0)

	// Zone, clock and randomness.
	zone, _ := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local).Zone()
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	fmt.Println("environment", zone != "", !bytes.Equal(random, make([]byte, 8)), time.Since(time.Now()) < time.Second)
	os.Exit(7)
}

func deep(n int) int {
	var frame [64]byte
	if n == 0 {
		return int(frame[0])
	}
	return 1 + deep(n-1) + int(frame[n%64])
}

func fault() (caught bool) {
	defer func() { caught = recover() != nil }()
	var nothing *struct{ field int }
	return nothing.field == 1
}

func TestAGoProgramWorksInTheJail(t *testing.T) {
	path := executable(t)
	for _, who := range identities() {
		t.Run(who.name, func(t *testing.T) {
			var stderr bytes.Buffer
			cmd := command(t, path, who, modeJailed, "work")
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			want := "goroutines 1999000\nthreads 200\nmemory 40 20000\nfault true\nbusy true\nenvironment true true true\n"
			if string(out) != want {
				t.Errorf("printed %q, want %q; %v, %s", out, want, err, stderr.String())
			}
			if code := cmd.ProcessState.ExitCode(); code != 7 {
				t.Errorf("exit code %d, want 7", code)
			}
		})
	}
}

func TestAPanicInTheJailSaysWhatItIs(t *testing.T) {
	cmd := command(t, executable(t), identities()[0], modeJailed, "panic")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(stderr.String(), "panic: on purpose") {
		t.Fatalf("exit code %d, stderr %q", code, stderr.String())
	}
}

func TestASignalToItselfEndsAJailedProcess(t *testing.T) {
	cmd := command(t, executable(t), identities()[0], modeJailed, "abort")
	_ = cmd.Run()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if code := status.ExitStatus(); !(status.Signaled() && status.Signal() == syscall.SIGABRT) && code != 2 {
		t.Fatalf("ended by %v", cmd.ProcessState)
	}
	if status.CoreDump() {
		t.Fatal("it left a core dump")
	}
}

// exhaust asks for more than the limit at once, as a script's 'x'.repeat(2**34) would.
func exhaust() {
	block := make([]byte, 16<<30)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	fmt.Println(len(block))
}

func TestOneGiantAllocationEndsTheProcessAlone(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector runs out of memory in its own words")
	}
	cmd := command(t, executable(t), identities()[0], modeJailed, "exhaust")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, _ := cmd.Output()
	text := stderr.String()
	if code := cmd.ProcessState.ExitCode(); code != 2 || len(out) != 0 {
		t.Fatalf("exit code %d, printed %q, stderr %q", code, out, text)
	}
	if !strings.Contains(text, "out of memory") && !strings.Contains(text, "cannot allocate memory") {
		t.Fatalf("stderr does not say it was memory: %q", text)
	}
}

// allocate fills memory step by step, as a script's growing array would, until something ends it.
func allocate() {
	var kept [][]byte
	for {
		kept = append(kept, make([]byte, 1<<20))
		for _, block := range kept[len(kept)-1:] {
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
		}
	}
}

func TestGrowingMemoryEndsTheProcessAtItsLimit(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector runs out of memory in its own words")
	}
	cmd := command(t, executable(t), identities()[0], modeSmall, "allocate")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	_ = cmd.Run()
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if most := int64(usage.Maxrss) << 10; most > dataFactor*smallMemory+(64<<20) {
		t.Errorf("it took %d MiB", most>>20)
	}
	text := stderr.String()
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(text, "out of memory") && !strings.Contains(text, "cannot allocate memory") {
		t.Fatalf("exit code %d, stderr %q", code, text)
	}
}

// watch grows a heap past a limit of 64 MiB and prints what the watchdog did about it.
func watch([]string) {
	const limit = 64 << 20
	called := make(chan int64, 1)
	stop := WatchHeap(limit, func() { called <- HeapBytes() })
	defer stop()
	// Garbage alone is collected in time.
	for range 4000 {
		_ = bytes.Repeat([]byte("x"), 256<<10)
	}
	select {
	case at := <-called:
		fmt.Println("garbage counted as use, at", at)
		return
	default:
	}
	var kept [][]byte
	for {
		kept = append(kept, bytes.Repeat([]byte("x"), 64<<10))
		select {
		case at := <-called:
			fmt.Println("called", at > limit, at < 16*limit, len(kept) > 900)
			return
		default:
		}
	}
}

func TestTheHeapIsWatched(t *testing.T) {
	cmd := command(t, executable(t), identities()[0], modeJailed, "watch")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil || string(out) != "called true true true\n" {
		t.Fatalf("printed %q, %v", out, err)
	}
}

func TestAStoppedWatchIsSilent(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	stop := WatchHeap(1<<40, func() { t.Error("called") })
	if now := debug.SetMemoryLimit(-1); now != 1<<40 {
		t.Errorf("memory limit %d while watched", now)
	}
	stop()
	stop()
	if now := debug.SetMemoryLimit(-1); now != before {
		t.Errorf("memory limit %d afterwards, %d before", now, before)
	}
}

func TestACallInAnotherProcessorModeKills(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 has x32 numbers")
	}
	path := executable(t)
	for mode, want := range map[string]bool{modeFree: false, modeJailed: true} {
		cmd := command(t, path, identities()[0], mode, "foreign mode")
		_ = cmd.Run()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if killed := status.Signaled() && status.Signal() == syscall.SIGSYS; killed != want {
			t.Errorf("%s: %v", mode, cmd.ProcessState)
		}
	}
}

// foreignMode makes the x32 call of getpid.
func foreignMode() { _, _, _ = unix.RawSyscall(0x40000000|39, 0, 0, 0) }

func TestApplyReportsItsLayers(t *testing.T) {
	for _, who := range identities() {
		out, err := command(t, executable(t), who, modeFree, "apply").Output()
		if err != nil {
			t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
		}
		layers := strings.Fields(string(out))
		if all := strings.Join(layers, " "); all != "rlimits no_new_privs not_dumpable landlock seccomp" && all != "rlimits no_new_privs not_dumpable seccomp" {
			t.Errorf("as %s: %v", who.name, layers)
		}
	}
}

func init() {
	childPrograms["apply"] = func([]string) {
		layers, err := Apply(Config{})
		if err != nil {
			panic(err)
		}
		fmt.Println(strings.Join(layers, " "))
	}
}
