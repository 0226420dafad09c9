//go:build linux && (amd64 || arm64)

package jail

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A worker's system calls. Everything else answers EPERM.
//
// The list is what the Go runtime needs once its poller runs, for its collector, its threads and its timers, and what glibc
// needs where the binary was linked with it (cgo is on by default wherever a C compiler is present), plus read, write and
// close on descriptors the process holds. No call makes a descriptor.
type rule struct {
	call uint32
	// when must all hold; otherwise the call answers EPERM.
	when []condition
	// answer is the error the call gives instead of running; 0 lets it run.
	answer unix.Errno
}

// condition holds when argument arg, as far as mask reaches, is one of the values. Only the lower 32 bits are looked at:
// every argument named here is an int, or flags that the kernel keeps in an int.
type condition struct {
	arg    int
	mask   uint32
	values []uint32
}

const (
	// threadFlags are those of every thread, Go's own and glibc's; threadExtras may come with them: where its thread-local
	// storage is, where its id goes, and a flag of musl's that Linux ignores. Signals at exit are bits 0 to 7: none.
	threadFlags  = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD | unix.CLONE_SYSVSEM
	threadExtras = unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID | unix.CLONE_DETACHED

	// futexCommand leaves out FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME, which change nothing about what a command may do.
	futexCommand = 0x7f
	// The commands of locks and conditions. Those with priority inheritance stay out: nothing here uses them, and they
	// have been the way into the kernel more than once.
	futexWait, futexWake, futexRequeue, futexCmpRequeue, futexWakeOp, futexWaitBitset, futexWakeBitset = 0, 1, 3, 4, 5, 9, 10

	anyBits = 0xffffffff
)

// rules lists the calls in the order the filter tries them; those with conditions come first, for the kernel remembers the
// answer for the others.
func rules(pid uint32) []rule {
	noExec := func(arg int) condition { return condition{arg, unix.PROT_EXEC, []uint32{0}} }
	itself := condition{0, anyBits, []uint32{pid}}
	list := []rule{
		{call: unix.SYS_FUTEX, when: []condition{{1, futexCommand, []uint32{
			futexWait, futexWake, futexRequeue, futexCmpRequeue, futexWakeOp, futexWaitBitset, futexWakeBitset}}}},
		// No new code comes into the process.
		{call: unix.SYS_MMAP, when: []condition{noExec(2)}},
		{call: unix.SYS_MPROTECT, when: []condition{noExec(2)}},
		// What collector and allocator advise. Advice that hurts others, as to declare memory broken, is root's to give.
		{call: unix.SYS_MADVISE, when: []condition{{2, anyBits, []uint32{unix.MADV_NORMAL, unix.MADV_DONTNEED, unix.MADV_FREE,
			unix.MADV_HUGEPAGE, unix.MADV_NOHUGEPAGE, unix.MADV_COLLAPSE, madvGuardInstall}}}},
		// The runtime preempts its own threads by a signal; a fatal error raises one.
		{call: unix.SYS_TGKILL, when: []condition{itself}},
		{call: unix.SYS_KILL, when: []condition{itself}},
		// Threads, not processes. clone3 keeps its flags in memory, where a filter cannot see them: glibc falls back to clone.
		{call: unix.SYS_CLONE, when: []condition{{0, ^uint32(threadExtras), []uint32{threadFlags}}}},
		{call: unix.SYS_CLONE3, answer: unix.ENOSYS},
		// The runtime names its mappings and stops trying at this answer.
		{call: unix.SYS_PRCTL, answer: unix.EINVAL},
	}
	for _, call := range plainCalls {
		list = append(list, rule{call: call})
	}
	return append(list, archRules...)
}

// madvGuardInstall is MADV_GUARD_INSTALL, with which a later glibc guards a thread's stack.
const madvGuardInstall = 102

// plainCalls may be made with any arguments.
var plainCalls = []uint32{
	// The two sockets, stderr, the poller and its wake-up descriptor, and the processor quota the runtime keeps open.
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_CLOSE,
	unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_EPOLL_CTL,
	// Memory.
	unix.SYS_MUNMAP, unix.SYS_BRK,
	// Time.
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_RESTART_SYSCALL,
	// Threads.
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_SET_ROBUST_LIST,
	unix.SYS_RSEQ, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	// Signals to itself.
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	// Randomness.
	unix.SYS_GETRANDOM,
}

const (
	offsetCall = 0
	offsetArch = 4
	offsetArgs = 16 // eight bytes each, the lower four first

	returnAllow       = uint32(unix.SECCOMP_RET_ALLOW)
	returnKillProcess = uint32(unix.SECCOMP_RET_KILL_PROCESS)
)

func returnErrno(e unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(e) }

// program assembles the filter for the process pid.
func program(pid uint32) []bpf.Instruction {
	code := []bpf.Instruction{
		// Another processor mode has other numbers for the same calls: whoever changes into one is not confused but hostile.
		bpf.LoadAbsolute{Off: offsetArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: returnKillProcess},
		bpf.LoadAbsolute{Off: offsetCall, Size: 4},
		// On amd64 the numbers from here on are x32's. On arm64 there are none.
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: 0x40000000, SkipTrue: 1},
		bpf.RetConstant{Val: returnKillProcess},
	}
	for _, rule := range rules(pid) {
		block := rule.block()
		code = append(code, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: rule.call, SkipTrue: uint8(len(block))})
		code = append(code, block...)
	}
	return append(code, bpf.RetConstant{Val: returnErrno(unix.EPERM)})
}

// block decides about a call whose number matched.
func (r rule) block() (code []bpf.Instruction) {
	for _, c := range r.when {
		code = append(code,
			bpf.LoadAbsolute{Off: offsetArgs + 8*uint32(c.arg), Size: 4},
			bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: c.mask})
		for i, value := range c.values {
			// Past the values still to try and the refusal behind them.
			code = append(code, bpf.JumpIf{Cond: bpf.JumpEqual, Val: value, SkipTrue: uint8(len(c.values) - i)})
		}
		code = append(code, bpf.RetConstant{Val: returnErrno(unix.EPERM)})
	}
	if r.answer != 0 {
		return append(code, bpf.RetConstant{Val: returnErrno(r.answer)})
	}
	return append(code, bpf.RetConstant{Val: returnAllow})
}

// installFilter puts the filter on every thread of the process. The calling thread must have no_new_privs.
func installFilter() error {
	raw, err := bpf.Assemble(program(uint32(os.Getpid())))
	if err != nil {
		return err
	}
	filter := make([]unix.SockFilter, len(raw))
	for i, instruction := range raw {
		filter[i] = unix.SockFilter{Code: instruction.Op, Jt: instruction.Jt, Jf: instruction.Jf, K: instruction.K}
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	stuck, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	switch {
	case errno == unix.ENOSYS || errno == unix.EINVAL:
		return fmt.Errorf("this kernel has no seccomp filters for all threads (%w); Linux 4.14 and later have them", errno)
	case errno != 0:
		return errno
	case stuck != 0:
		return fmt.Errorf("thread %d cannot take the filter", stuck)
	}
	return nil
}
