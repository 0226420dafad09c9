//go:build linux && (amd64 || arm64)

package jail

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// data is what the kernel shows a filter of one call. The filter's own machine reads big-endian words here, where the kernel
// gives it the processor's, so each word is written that way and the words of an argument stay lower first.
func data(arch, call uint32, args ...uint64) []byte {
	packet := make([]byte, offsetArgs+6*8)
	binary.BigEndian.PutUint32(packet[offsetCall:], call)
	binary.BigEndian.PutUint32(packet[offsetArch:], arch)
	for i, arg := range args {
		binary.BigEndian.PutUint32(packet[offsetArgs+8*i:], uint32(arg))
		binary.BigEndian.PutUint32(packet[offsetArgs+8*i+4:], uint32(arg>>32))
	}
	return packet
}

func TestTheFilterDecides(t *testing.T) {
	const pid = 4711
	vm, err := bpf.NewVM(program(pid))
	if err != nil {
		t.Fatal(err)
	}
	if length := len(program(pid)); length > 4096 {
		t.Fatalf("%d instructions, the kernel takes 4096", length)
	}
	const (
		thread    = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD | unix.CLONE_SYSVSEM
		goThread  = thread | unix.CLONE_SETTLS
		libThread = thread | unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID
		refused   = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		allowed   = uint32(unix.SECCOMP_RET_ALLOW)
		killed    = uint32(unix.SECCOMP_RET_KILL_PROCESS)
		rw        = unix.PROT_READ | unix.PROT_WRITE
	)
	tests := []struct {
		name string
		data []byte
		want uint32
	}{
		{"read", data(auditArch, unix.SYS_READ, 3), allowed},
		{"a number past all", data(auditArch, 1<<20), refused},
		{"32-bit mode", data(unix.AUDIT_ARCH_I386, unix.SYS_READ), killed},
		{"32-bit Arm", data(unix.AUDIT_ARCH_ARM, unix.SYS_READ), killed},
		{"x32 numbers", data(auditArch, 0x40000000|unix.SYS_READ), killed},
		{"openat", data(auditArch, unix.SYS_OPENAT), refused},
		{"socket", data(auditArch, unix.SYS_SOCKET), refused},
		{"execve", data(auditArch, unix.SYS_EXECVE), refused},
		{"ptrace", data(auditArch, unix.SYS_PTRACE, unix.PTRACE_TRACEME), refused},
		{"io_uring", data(auditArch, unix.SYS_IO_URING_ENTER), refused},
		{"another filter", data(auditArch, unix.SYS_SECCOMP), refused},
		{"pwrite64", data(auditArch, unix.SYS_PWRITE64), refused},

		{"Go's thread", data(auditArch, unix.SYS_CLONE, thread), allowed},
		{"Go's thread with storage", data(auditArch, unix.SYS_CLONE, goThread), allowed},
		{"glibc's thread", data(auditArch, unix.SYS_CLONE, libThread), allowed},
		{"musl's thread", data(auditArch, unix.SYS_CLONE, libThread|unix.CLONE_DETACHED), allowed},
		{"a process", data(auditArch, unix.SYS_CLONE, uint64(unix.SIGCHLD)), refused},
		{"a thread that signals its end", data(auditArch, unix.SYS_CLONE, thread|uint64(unix.SIGCHLD)), refused},
		{"a process sharing memory", data(auditArch, unix.SYS_CLONE, unix.CLONE_VM|unix.CLONE_VFORK), refused},
		{"a thread in a namespace", data(auditArch, unix.SYS_CLONE, thread|unix.CLONE_NEWUSER), refused},
		{"a thread with its own files", data(auditArch, unix.SYS_CLONE, thread&^unix.CLONE_FILES), refused},
		{"a traced thread", data(auditArch, unix.SYS_CLONE, thread|unix.CLONE_PTRACE), refused},
		{"a thread with a pidfd", data(auditArch, unix.SYS_CLONE, thread|unix.CLONE_PIDFD), refused},
		{"clone3", data(auditArch, unix.SYS_CLONE3), unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{"prctl", data(auditArch, unix.SYS_PRCTL, unix.PR_SET_VMA), unix.SECCOMP_RET_ERRNO | uint32(unix.EINVAL)},

		{"memory", data(auditArch, unix.SYS_MMAP, 0, 4096, rw), allowed},
		{"no memory", data(auditArch, unix.SYS_MMAP, 0, 4096, unix.PROT_NONE), allowed},
		{"executable memory", data(auditArch, unix.SYS_MMAP, 0, 4096, rw|unix.PROT_EXEC), refused},
		{"memory made executable", data(auditArch, unix.SYS_MPROTECT, 0, 4096, unix.PROT_EXEC), refused},
		{"memory made readable", data(auditArch, unix.SYS_MPROTECT, 0, 4096, unix.PROT_READ), allowed},
		{"memory given back", data(auditArch, unix.SYS_MADVISE, 0, 4096, unix.MADV_DONTNEED), allowed},
		{"memory declared broken", data(auditArch, unix.SYS_MADVISE, 0, 4096, unix.MADV_HWPOISON), refused},

		{"its own signal", data(auditArch, unix.SYS_TGKILL, pid, pid+3, uint64(unix.SIGURG)), allowed},
		{"its own end", data(auditArch, unix.SYS_KILL, pid, uint64(unix.SIGABRT)), allowed},
		{"another's signal", data(auditArch, unix.SYS_TGKILL, 1, 1, uint64(unix.SIGURG)), refused},
		{"its group's signal", data(auditArch, unix.SYS_KILL, 0, uint64(unix.SIGTERM)), refused},
		{"everyone's signal", data(auditArch, unix.SYS_KILL, ^uint64(0), uint64(unix.SIGTERM)), refused},
		{"its number negated", data(auditArch, unix.SYS_KILL, ^uint64(pid)+1, uint64(unix.SIGTERM)), refused},

		{"wait", data(auditArch, unix.SYS_FUTEX, 0, 128), allowed},
		{"wait till a time", data(auditArch, unix.SYS_FUTEX, 0, 9|128|256), allowed},
		{"a lock with priority", data(auditArch, unix.SYS_FUTEX, 0, 6|128), refused},
		{"a requeue with priority", data(auditArch, unix.SYS_FUTEX, 0, 12), refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := vm.Run(test.data)
			if err != nil || uint32(got) != test.want {
				t.Fatalf("answers %#x, want %#x; %v", uint32(got), test.want, err)
			}
		})
	}
}

// A call listed twice would be decided by the first line alone.
func TestNoCallIsListedTwice(t *testing.T) {
	seen := map[uint32]bool{}
	for _, r := range rules(1) {
		if seen[r.call] {
			t.Errorf("call %d twice", r.call)
		}
		seen[r.call] = true
	}
	if n := len(seen); n > 50 {
		t.Errorf("%d calls; the list is meant to stay under 50", n)
	}
}
