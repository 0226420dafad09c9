//go:build unix

package host

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// spawn starts a program with the two sockets as descriptors 3 and 4, nothing on stdin, and stdout and stderr on pipes. It
// returns the process and this side's ends of the sockets. The other ends are closed here: while a copy were open on this
// side, a dead worker's socket would not end.
//
// One goroutine starts the process and waits for its end, on one locked thread: the kernel ends a worker when the thread that
// started it ends, which is then never before the worker has.
func spawn(path string, args, env []string) (p *process, control, cdp net.Conn, err error) {
	var theirs []*os.File // the child's ends, closed here once it has them
	var mine []interface{ Close() error }
	defer func() {
		for _, file := range theirs {
			_ = file.Close()
		}
		if err != nil {
			for _, end := range mine {
				_ = end.Close()
			}
		}
	}()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, nil, err
	}
	theirs = append(theirs, null)
	stdout, stdoutW, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	theirs, mine = append(theirs, stdoutW), append(mine, stdout)
	stderr, stderrW, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	theirs, mine = append(theirs, stderrW), append(mine, stderr)
	for _, conn := range []*net.Conn{&control, &cdp} {
		child := (*os.File)(nil)
		if *conn, child, err = socketPair(); err != nil {
			return nil, nil, nil, fmt.Errorf("making a socket pair: %w", err)
		}
		theirs, mine = append(theirs, child), append(mine, *conn)
	}

	p = &process{stdout: stdout, stderr: new(tail), ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		restore := smallPages()
		handle, err := os.StartProcess(path, args, &os.ProcAttr{Dir: "/", Env: env, Files: theirs, Sys: dieWithThread()})
		restore()
		if err == nil {
			p.handle, p.pid = handle, handle.Pid
		}
		started <- err
		if err == nil {
			p.watch(stderr)
		}
	}()
	if err = <-started; err != nil {
		return nil, nil, nil, err
	}
	return p, control, cdp, nil
}

// socketPair is one connection: this side's end, and a descriptor of the other for a child.
func socketPair() (net.Conn, *os.File, error) {
	// Between socketpair and close-on-exec no other goroutine may start a process that would keep a copy.
	syscall.ForkLock.RLock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, err
	}
	mine, theirs := os.NewFile(uintptr(fds[0]), "worker"), os.NewFile(uintptr(fds[1]), "worker")
	conn, err := net.FileConn(mine) // a copy, in the poller
	if err := errors.Join(err, mine.Close()); err != nil {
		return nil, nil, errors.Join(err, theirs.Close())
	}
	return conn, theirs, nil
}

// signalOf names the signal that ended a process, "" when none did.
func signalOf(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
