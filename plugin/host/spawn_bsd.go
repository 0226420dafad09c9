//go:build unix && !linux

package host

import "syscall"

// dieWithThread is Linux's; elsewhere a worker ends when its socket does. A session of its own keeps a terminal's Ctrl-C,
// which is for the supervisor to answer, from ending the worker first.
func dieWithThread() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// smallPages is Linux's; elsewhere there is nothing to set.
func smallPages() (restore func()) { return func() {} }
