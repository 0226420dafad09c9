package host

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// process is a started worker, watched until it has ended.
type process struct {
	pid    int
	handle *os.Process
	stdout *os.File
	stderr *tail

	reading sync.WaitGroup // the rest of stdout
	ended   chan struct{}
	exit    ExitInfo // set when ended is closed
}

// kill is safe at any time and from anywhere: the handle is a pidfd where the system has them, so that it never means another
// process that got the same id.
func (p *process) kill() { _ = p.handle.Kill() }

// outputLimit bounds the wait for the output of a process that has ended. All of it lies in the pipe; only a program the
// worker started and that outlives it could hold the pipe open, and a jailed one starts none.
const outputLimit = 2 * time.Second

// watch waits for the process's end on the calling goroutine. stderrR is read until then, and what remains in it after.
func (p *process) watch(stderrR *os.File) {
	var output sync.WaitGroup
	output.Go(func() { _, _ = io.Copy(p.stderr, stderrR) })
	state, err := p.handle.Wait()
	deadline := time.Now().Add(outputLimit)
	_ = stderrR.SetReadDeadline(deadline)
	_ = p.stdout.SetReadDeadline(deadline)
	output.Wait()
	_ = stderrR.Close()
	if err != nil {
		p.exit = ExitInfo{Code: -1, Signal: "unknown: " + err.Error(), StderrTail: p.stderr.text()}
	} else {
		p.exit = exitInfo(state, p.stderr)
	}
	close(p.ended)
}

// mostHandshake bounds the handshake's line.
const mostHandshake = 1024

// firstLine reads the process's first line on stdout and gives the rest away.
func (p *process) firstLine() (string, error) {
	var line []byte
	buffer := make([]byte, 256)
	for {
		n, err := p.stdout.Read(buffer)
		line = append(line, buffer[:n]...)
		if at := bytes.IndexByte(line, '\n'); at >= 0 {
			p.reading.Go(p.discardStdout)
			return strings.TrimSuffix(string(line[:at]), "\r"), nil
		}
		if err == nil && len(line) > mostHandshake {
			err = errors.New("no line")
		}
		if err != nil {
			p.reading.Go(p.discardStdout)
			return "", err
		}
	}
}

// discardStdout keeps a worker that prints from filling the pipe and waiting. It ends with the process.
func (p *process) discardStdout() {
	_, _ = io.Copy(io.Discard, p.stdout)
	_ = p.stdout.Close()
}

// tail keeps the end of what a worker prints, and remembers whether the Go runtime said it ran out of memory: those words come
// before the stacks of all goroutines, which push them out of any end.
type tail struct {
	mu     sync.Mutex
	kept   []byte
	memory bool
}

// mostTail is how much of stderr is kept.
const mostTail = 4 << 10

// outOfMemory are the runtime's words for a failed allocation.
var outOfMemory = [][]byte{[]byte("out of memory"), []byte("cannot allocate memory")}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// Words cut in two by the pipe are found through what was kept of the first part.
	seam := t.kept[max(0, len(t.kept)-32):]
	for _, words := range outOfMemory {
		if bytes.Contains(p, words) || bytes.Contains(append(bytes.Clone(seam), p[:min(32, len(p))]...), words) {
			t.memory = true
		}
	}
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - mostTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.kept), "\uFFFD")
}

func (t *tail) sawOutOfMemory() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.memory
}
