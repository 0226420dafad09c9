package host

import "syscall"

// dieWithThread has the kernel kill the child when the thread that starts it ends, and with it when this process ends in any
// way. A session of its own keeps a terminal's Ctrl-C, which is for the supervisor to answer, from ending the worker first.
func dieWithThread() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setsid: true}
}
