package host

import (
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithThread has the kernel kill the child when the thread that starts it ends, and with it when this process ends in any
// way. A session of its own keeps a terminal's Ctrl-C, which is for the supervisor to answer, from ending the worker first.
func dieWithThread() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setsid: true}
}

// smallPages keeps a process that is started meanwhile from mapping its program by huge pages: each would count 2 MiB of a file
// as the worker's memory for a few functions used of it. The kernel passes the setting on at exec; this process has its own back
// with the last start.
func smallPages() (restore func()) {
	huge.mu.Lock()
	defer huge.mu.Unlock()
	if huge.starting++; huge.starting == 1 {
		before, err := unix.PrctlRetInt(unix.PR_GET_THP_DISABLE, 0, 0, 0, 0)
		huge.ours = err == nil && before == 0
		if huge.ours {
			_ = unix.Prctl(unix.PR_SET_THP_DISABLE, 1, 0, 0, 0) // a kernel without it maps as it likes
		}
	}
	return func() {
		huge.mu.Lock()
		defer huge.mu.Unlock()
		if huge.starting--; huge.starting == 0 && huge.ours {
			_ = unix.Prctl(unix.PR_SET_THP_DISABLE, 0, 0, 0, 0)
		}
	}
}

var huge struct {
	mu       sync.Mutex
	starting int
	ours     bool
}
