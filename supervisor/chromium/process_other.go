//go:build !linux

package chromium

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// process is a browser's main process and its group. Without Linux's parent-death signal a browser outlives a supervisor that is killed
// until it notices that its pipe has ended.
type process struct {
	pid    int
	stderr *tail
	cmd    *exec.Cmd

	dead chan struct{}
	gone chan struct{}

	mu     sync.Mutex
	reaped bool
	state  string
}

func startProcess(path string, args, env []string, log *slog.Logger) (*process, cdp.Transport, error) {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, theirIn.Close(), ourOut.Close())
	}
	p := &process{stderr: &tail{log: log}, dead: make(chan struct{}), gone: make(chan struct{})}
	p.cmd = exec.Command(path, args...)
	p.cmd.Env = env
	p.cmd.Stderr = p.stderr
	p.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = p.cmd.Start()
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		return nil, nil, errors.Join(err, ourIn.Close(), ourOut.Close())
	}
	p.pid = p.cmd.Process.Pid
	go func() {
		state, _ := p.cmd.Process.Wait()
		close(p.dead)
		p.mu.Lock()
		p.reaped = true
		_ = syscall.Kill(-p.pid, syscall.SIGKILL)
		p.mu.Unlock()
		p.state = state.String()
		_ = p.cmd.Wait()
		close(p.gone)
	}()
	return p, cdp.NewPipe(ourIn, ourOut), nil
}

func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		_ = syscall.Kill(-p.pid, syscall.SIGKILL)
	}
}

func (p *process) wait() error {
	<-p.gone
	return nil
}

// Err says that the main process ended, and how; nil while it lives.
func (p *process) Err() error {
	select {
	case <-p.gone:
		return fmt.Errorf("the browser ended (%s)%s", p.state, p.stderr.quote())
	default:
	}
	select {
	case <-p.dead:
		return errors.New("the browser ended")
	default:
		return nil
	}
}

func smallSharedMemory() bool { return false }
