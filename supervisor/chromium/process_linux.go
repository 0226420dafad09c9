package chromium

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// killLimit is how long the processes of a killed browser may take to be gone.
const killLimit = 5 * time.Second

// process is a browser's main process and its group.
//
// One goroutine, locked to an OS thread of its own, starts it and waits for it: the kernel's "kill my child when I die" is tied to the
// thread that forked, so the thread lives as long as the browser does. It leaves the dead main process unreaped until its group is
// empty, so that the group's number cannot belong to anybody else while it is signalled.
type process struct {
	pid    int
	stderr *tail

	dead chan struct{} // the main process has died
	gone chan struct{} // its whole group is gone and everything is waited for

	mu     sync.Mutex
	reaped bool
	state  string // how the main process ended, set before gone
	err    error  // what went wrong in ending the rest, set before gone
}

// startProcess starts the program with a CDP pipe on its descriptors 3 and 4.
func startProcess(path string, args, env []string, log *slog.Logger) (*process, cdp.Transport, error) {
	var files []*os.File
	closeAll := func() {
		for _, file := range files {
			_ = file.Close()
		}
	}
	pipe := func(ours int) error {
		var fds [2]int
		if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
			return os.NewSyscallError("pipe2", err)
		}
		// Ours waits in the poller, so that Close interrupts it; the browser's ends must block.
		if err := unix.SetNonblock(fds[ours], true); err != nil {
			return os.NewSyscallError("fcntl", err)
		}
		// A message of megabytes costs a change of process for each filling; the system may allow less, and then stays at 64 KiB.
		_, _ = unix.FcntlInt(uintptr(fds[ours]), unix.F_SETPIPE_SZ, 1<<20)
		files = append(files, os.NewFile(uintptr(fds[0]), "browser pipe"), os.NewFile(uintptr(fds[1]), "browser pipe"))
		return nil
	}
	if err := errors.Join(pipe(1), pipe(0), pipe(0)); err != nil {
		closeAll()
		return nil, nil, err
	}
	theirIn, ourOut, ourIn, theirOut, ourErr, theirErr := files[0], files[1], files[2], files[3], files[4], files[5]
	cmd := exec.Command(path, args...)
	cmd.Env = env
	cmd.Stderr = theirErr
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &process{stderr: &tail{log: log}, dead: make(chan struct{}), gone: make(chan struct{})}
	started := make(chan error)
	go p.run(cmd, ourErr, started)
	err := <-started
	for _, file := range []*os.File{theirIn, theirOut, theirErr} {
		_ = file.Close()
	}
	if err != nil {
		closeAll()
		return nil, nil, err
	}
	return p, cdp.NewPipe(ourIn, ourOut), nil
}

// run is the life of the browser's thread.
func (p *process) run(cmd *exec.Cmd, stderr *os.File, started chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	p.pid = cmd.Process.Pid
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = stderr.WriteTo(p.stderr)
	}()
	started <- nil

	for errors.Is(unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
	close(p.dead)
	// What the main process left behind (a hung renderer, a helper) must not go on without it.
	p.err = endGroup(p.pid, killLimit)
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	_ = cmd.Wait() // its error is the exit status, which state says
	p.state = cmd.ProcessState.String()
	_ = stderr.Close()
	<-read
	close(p.gone)
}

// kill ends the main process, and run ends the rest.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		_ = unix.Kill(-p.pid, unix.SIGKILL)
	}
}

// wait returns when nothing of the browser is left.
func (p *process) wait() error {
	<-p.gone
	return p.err
}

// Err says that the main process ended, and how once it is reaped; nil while it lives.
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

// endGroup kills every process of a group and waits until none lives. The group's first process must be unreaped, or the number could
// be another's.
func endGroup(group int, limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for {
		_ = unix.Kill(-group, unix.SIGKILL)
		members, err := groupMembers(group)
		if err != nil {
			return fmt.Errorf("ending the browser's processes: %w", err)
		}
		if len(members) == 0 {
			return nil
		}
		var handles []unix.PollFd
		for _, pid := range members {
			if handle, err := unix.PidfdOpen(pid, 0); err == nil {
				handles = append(handles, unix.PollFd{Fd: int32(handle), Events: unix.POLLIN})
			}
		}
		left := time.Until(deadline)
		if len(handles) > 0 && left > 0 {
			// Returns when one is gone; the next round waits for the others.
			_, _ = unix.Poll(handles, int(left.Milliseconds())+1)
		}
		for _, handle := range handles {
			_ = unix.Close(int(handle.Fd))
		}
		if left <= 0 {
			return fmt.Errorf("ending the browser's processes: %v still live %s after they were killed", members, limit)
		}
	}
}

// groupMembers lists the living processes of a group.
func groupMembers(group int) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var members []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "stat"))
		if err != nil {
			continue
		}
		if state, of, _, ok := parseStat(stat); ok && of == group && state != 'Z' && state != 'X' {
			members = append(members, pid)
		}
	}
	return members, nil
}

// smallSharedMemory says whether /dev/shm is too small for pages with large pictures.
func smallSharedMemory() bool {
	var stat unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &stat); err != nil {
		return true
	}
	return stat.Bavail*uint64(stat.Bsize) < 512<<20
}
