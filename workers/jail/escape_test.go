//go:build linux && (amd64 || arm64)

package jail

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// targets are what a child may try to reach: sockets of its parent's, its parent, and a process of its own user's.
type targets struct {
	TCP, UDP, Path, Abstract string
	Parent, Peer             int
}

// An escape is one thing code in a worker must not be able to do. Its try succeeds (nil) in a process without a jail, so
// that each line proves both that the attempt is sound and that the jail stops it.
type escape struct {
	name string
	try  func(targets) error
	// rootOnly: an ordinary user cannot do it without a jail either, so only root's control proves anything.
	rootOnly bool
	// unsure: kernels and container settings may refuse it without a jail.
	unsure bool
}

var escapes = []escape{
	{name: "read a file", try: func(targets) error { _, err := os.ReadFile("/etc/hostname"); return err }},
	{name: "list a folder", try: func(targets) error { _, err := os.ReadDir("/"); return err }},
	{name: "find a file", try: func(targets) error { _, err := os.Stat("/etc/hostname"); return err }},
	{name: "write a file", try: func(targets) error {
		path := filepath.Join("/tmp", "jail-escape-"+strconv.Itoa(os.Getpid()))
		defer os.Remove(path)
		return os.WriteFile(path, []byte("x"), 0o600)
	}},
	{name: "open by openat2", try: func(targets) error {
		_, err := unix.Openat2(unix.AT_FDCWD, "/etc/hostname", &unix.OpenHow{Flags: unix.O_RDONLY})
		return err
	}},
	{name: "read its start environment", try: func(targets) error { _, err := os.ReadFile("/proc/self/environ"); return err }},
	{name: "read its memory map", try: func(targets) error { _, err := os.ReadFile("/proc/self/maps"); return err }},
	{name: "change folder", try: func(targets) error { return os.Chdir("/tmp") }},
	{name: "read an inherited descriptor", try: func(targets) error {
		_, err := syscall.Pread(inheritedFD, make([]byte, 1), 0)
		return err
	}},
	{name: "connect by TCP", try: func(at targets) error { return dial("tcp", at.TCP) }},
	{name: "connect by multipath TCP", unsure: true, try: func(targets) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, unix.IPPROTO_MPTCP)
		_ = unix.Close(fd)
		return err
	}},
	{name: "send by UDP", try: func(at targets) error { return dial("udp", at.UDP) }},
	{name: "connect to a socket file", try: func(at targets) error { return dial("unix", at.Path) }},
	{name: "connect to an abstract socket", try: func(at targets) error { return dial("unix", at.Abstract) }},
	{name: "listen", try: func(targets) error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err }},
	{name: "make a socket pair", try: func(targets) error {
		_, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		return err
	}},
	{name: "open a netlink socket", try: func(targets) error {
		_, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
		return err
	}},
	{name: "open a raw socket", rootOnly: true, try: func(targets) error {
		_, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_ICMP)
		return err
	}},
	{name: "receive a message with descriptors", try: func(targets) error {
		_, _, _, _, err := unix.Recvmsg(socketFD, make([]byte, 1), make([]byte, 64), unix.MSG_DONTWAIT)
		if errors.Is(err, unix.EAGAIN) {
			return nil
		}
		return err
	}},
	{name: "send a message with descriptors", try: func(targets) error {
		return unix.Sendmsg(socketFD, []byte("x"), unix.UnixRights(2), nil, 0)
	}},
	{name: "start a program", try: func(targets) error { return exec.Command("/bin/true").Run() }},
	{name: "become a program", try: func(targets) error {
		// An empty path fails for its own reason where exec is allowed at all.
		err := syscall.Exec("", nil, nil)
		if errors.Is(err, unix.ENOENT) {
			return nil
		}
		return err
	}},
	{name: "run a program from memory", try: func(targets) error {
		fd, err := unix.MemfdCreate("x", unix.MFD_CLOEXEC)
		if err != nil {
			return err
		}
		_, _, errno := unix.Syscall6(unix.SYS_EXECVEAT, uintptr(fd), uintptr(unsafe.Pointer(&[]byte{0}[0])), 0, 0, unix.AT_EMPTY_PATH, 0)
		if errno == unix.EACCES || errno == unix.ENOEXEC { // an empty file is not executable
			return nil
		}
		return errno
	}},
	{name: "make memory executable", try: func(targets) error {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
		return err
	}},
	{name: "turn memory executable", try: func(targets) error {
		page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			panic(err) // this much is allowed
		}
		return unix.Mprotect(page, unix.PROT_READ|unix.PROT_EXEC)
	}},
	{name: "turn memory executable with a key", unsure: true, try: func(targets) error {
		page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			panic(err)
		}
		return errnoOf(unix.Syscall6(unix.SYS_PKEY_MPROTECT, uintptr(unsafe.Pointer(&page[0])), 4096, unix.PROT_READ|unix.PROT_EXEC, ^uintptr(0), 0, 0))
	}},
	{name: "share memory with others", try: func(targets) error {
		_, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o600)
		return err
	}},
	{name: "fork", try: func(targets) error {
		pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if errno != 0 {
			return errno
		}
		if pid == 0 {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		_, err := unix.Wait4(int(pid), nil, 0, nil)
		return err
	}},
	{name: "fork by clone3", try: func(targets) error {
		args := struct{ flags, pidfd, childTID, parentTID, exit, stack, stackSize, tls uint64 }{exit: uint64(unix.SIGCHLD)}
		pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0)
		if errno != 0 {
			return errno
		}
		if pid == 0 {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		_, err := unix.Wait4(int(pid), nil, 0, nil)
		return err
	}},
	{name: "signal its parent", rootOnly: true, try: func(at targets) error { return unix.Kill(at.Parent, 0) }},
	{name: "signal another process", try: func(at targets) error { return unix.Kill(at.Peer, 0) }},
	{name: "signal another process's thread", try: func(at targets) error { return unix.Tgkill(at.Peer, at.Peer, 0) }},
	{name: "signal its own group", try: func(targets) error { return unix.Kill(0, 0) }},
	{name: "hold another process", try: func(at targets) error { _, err := unix.PidfdOpen(at.Peer, 0); return err }},
	{name: "trace another process", unsure: true, try: func(at targets) error {
		return unix.PtraceSeize(at.Peer) // until this process ends
	}},
	{name: "read another process's memory", unsure: true, try: func(at targets) error {
		var local, remote [8]byte
		_, err := unix.ProcessVMReadv(at.Peer, []unix.Iovec{{Base: &local[0], Len: 8}},
			[]unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&remote[0])), Len: 8}}, 0)
		if errors.Is(err, unix.EFAULT) { // allowed, and nothing there
			return nil
		}
		return err
	}},
	{name: "learn who its parent is", try: func(targets) error {
		if syscall.Getppid() <= 0 {
			return unix.EPERM
		}
		return nil
	}},
	{name: "make a ring", unsure: true, try: func(targets) error {
		var params [120]byte
		return errnoOf(unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params[0])), 0))
	}},
	{name: "make an asynchronous queue", unsure: true, try: func(targets) error {
		var queue uint64
		return errnoOf(unix.Syscall(unix.SYS_IO_SETUP, 1, uintptr(unsafe.Pointer(&queue)), 0))
	}},
	{name: "load a kernel program", rootOnly: true, unsure: true, try: func(targets) error {
		var attr [128]byte
		copy(attr[:], []byte{1, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 1}) // an empty hash map
		return errnoOf(unix.Syscall(unix.SYS_BPF, unix.BPF_MAP_CREATE, uintptr(unsafe.Pointer(&attr[0])), uintptr(len(attr))))
	}},
	{name: "count performance events", rootOnly: true, unsure: true, try: func(targets) error {
		_, err := unix.PerfEventOpen(&unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{}))}, 0, -1, -1, 0)
		return err
	}},
	{name: "handle page faults", unsure: true, try: func(targets) error {
		return errnoOf(unix.Syscall(unix.SYS_USERFAULTFD, unix.O_CLOEXEC|1, 0, 0))
	}},
	{name: "keep a key", unsure: true, try: func(targets) error {
		_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_PROCESS_KEYRING, true)
		return err
	}},
	{name: "make itself dumpable", try: func(targets) error { return unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0) }},
	{name: "raise a limit", try: func(targets) error {
		var now unix.Rlimit
		return unix.Prlimit(0, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 32, Max: 32}, &now)
	}},
	{name: "make a user namespace", unsure: true, try: func(targets) error {
		// As a new process: unshare of user namespaces is refused to programs with threads.
		cmd := exec.Command("/bin/true")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}
		return cmd.Run()
	}},
	{name: "leave a namespace", rootOnly: true, unsure: true, try: func(targets) error {
		runtime.LockOSThread()
		return unix.Unshare(unix.CLONE_NEWNS)
	}},
	{name: "mount", rootOnly: true, unsure: true, try: func(targets) error { return unix.Mount("none", "/proc/self/fdinfo", "tmpfs", 0, "") }},
	{name: "make a session", try: func(targets) error {
		_, err := unix.Setsid()
		return err
	}},
	{name: "have another process signalled", try: func(at targets) error {
		_, err := unix.FcntlInt(socketFD, unix.F_SETOWN, at.Peer)
		return err
	}},
	{name: "copy a descriptor", try: func(targets) error { _, err := unix.FcntlInt(2, unix.F_DUPFD_CLOEXEC, 0); return err }},
	{name: "control a device", try: func(targets) error { _, err := unix.IoctlGetInt(socketFD, unix.TIOCINQ); return err }},
	{name: "make a pipe", try: func(targets) error { return unix.Pipe2(make([]int, 2), unix.O_CLOEXEC) }},
	{name: "make a timer on another thread", unsure: true, try: func(targets) error {
		var id int32
		return errnoOf(unix.Syscall(unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC, 0, uintptr(unsafe.Pointer(&id))))
	}},
	{name: "wait with a lock that inherits priority", try: func(targets) error {
		var word uint32
		return errnoOf(unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), 6 /* FUTEX_LOCK_PI */, 0, 0, 0, 0))
	}},
	{name: "choose its processor", try: func(targets) error {
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil {
			panic(err) // reading it is allowed
		}
		return unix.SchedSetaffinity(0, &set)
	}},
	{name: "learn of the machine", try: func(targets) error { return unix.Uname(new(unix.Utsname)) }},
}

func errnoOf(_, _ uintptr, errno unix.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}

func dial(network, address string) error {
	conn, err := net.Dial(network, address)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write([]byte("x"))
	return err
}

const (
	// inheritedFD is a file left open by whoever started the child, which it did not mean to keep.
	inheritedFD = 3
	// socketFD is one end of a socket the child holds, as a worker holds its two.
	socketFD = 10
)

func init() {
	childPrograms["escape"] = tryEscapes
}

// tryEscapes prints name and result of each attempt as JSON: "" for one that succeeded.
func tryEscapes(args []string) {
	var at targets
	if err := json.Unmarshal([]byte(args[0]), &at); err != nil {
		panic(err)
	}
	results := map[string]string{}
	for _, e := range escapes {
		results[e.name] = ""
		if err := e.try(at); err != nil {
			results[e.name] = err.Error()
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}

// reachable makes the targets all users share.
func reachable(t *testing.T) targets {
	t.Helper()
	folder, err := os.MkdirTemp("", "jail")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	at := targets{Parent: os.Getpid(), Path: filepath.Join(folder, "socket"), Abstract: fmt.Sprintf("@jail-test-%d", os.Getpid())}
	listen := func(address string) net.Listener {
		network := "unix"
		if strings.HasPrefix(address, "127.") {
			network = "tcp"
		}
		listener, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		return listener
	}
	at.TCP = listen("127.0.0.1:0").Addr().String()
	listen(at.Path)
	listen(at.Abstract)
	if err := os.Chmod(at.Path, 0o777); err != nil {
		t.Fatal(err)
	}
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = udp.Close() })
	at.UDP = udp.LocalAddr().String()
	return at
}

// startPeer starts a process of the user who, which waits for the test's end.
func startPeer(t *testing.T, path string, who identity) int {
	t.Helper()
	cmd := command(t, path, who, modeFree, "wait")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	return cmd.Process.Pid
}

// attempts runs every escape in a child and returns what became of each.
func attempts(t *testing.T, path string, who identity, mode string, at targets) map[string]string {
	t.Helper()
	encoded, err := json.Marshal(at)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("/etc/hostname")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd := command(t, path, who, mode, "escape", string(encoded))
	cmd.ExtraFiles = []*os.File{file}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("child as %s, %s: %v", who.name, mode, err)
	}
	results := map[string]string{}
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatalf("child as %s, %s: %v in %q", who.name, mode, err, out)
	}
	return results
}

func TestNoEscapeFromTheJail(t *testing.T) {
	path, at := executable(t), reachable(t)
	for _, who := range identities() {
		t.Run(who.name, func(t *testing.T) {
			at := at
			at.Peer = startPeer(t, path, who)
			free, jailed := attempts(t, path, who, modeFree, at), attempts(t, path, who, modeJailed, at)
			for _, e := range escapes {
				control := free[e.name]
				if control != "" && !e.unsure && !(e.rootOnly && who.name != "root") {
					t.Errorf("%s: fails without a jail already (%s), so the jail proves nothing", e.name, control)
				}
				if jailed[e.name] == "" {
					t.Errorf("%s: succeeds in the jail", e.name)
				}
				t.Logf("%-42s free: %-40s jailed: %s", e.name, word(control), word(jailed[e.name]))
			}
		})
	}
}

func word(result string) string {
	if result == "" {
		return "done"
	}
	return result
}

// Each layer stops something by itself, seen by leaving out the others that stop it too.
func TestEachLayerHolds(t *testing.T) {
	path, at := executable(t), reachable(t)
	who := identities()[len(identities())-1]
	at.Peer = startPeer(t, path, who)
	noFilter := attempts(t, path, who, "without-"+layerSeccomp, at)
	noLandlock := attempts(t, path, who, "without-"+layerLandlock, at)
	// Landlock alone.
	for _, name := range []string{"read a file", "list a folder", "write a file", "connect by TCP", "connect to an abstract socket", "start a program"} {
		if noFilter[name] == "" {
			t.Errorf("%s: succeeds with landlock and without the filter", name)
		}
	}
	// What the filter alone is there for.
	for _, name := range []string{"send by UDP", "fork", "make memory executable", "make a socket pair"} {
		if noFilter[name] != "" {
			t.Errorf("%s: fails without the filter already: %s", name, noFilter[name])
		}
	}
	for _, e := range escapes {
		if noLandlock[e.name] == "" {
			t.Errorf("%s: succeeds with the filter and without landlock", e.name)
		}
	}
}
