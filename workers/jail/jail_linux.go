//go:build linux && (amd64 || arm64)

package jail

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// maxDescriptors bounds the numbers of descriptors the process may open. It holds what it needs already.
const maxDescriptors = 64

func apply(config Config, skip without) (applied []string, err error) {
	prepare()
	if err := closeInherited(); err != nil {
		return nil, fmt.Errorf("closing inherited descriptors: %w", err)
	}
	// no_new_privs is one thread's own until seccomp gives it to all of them.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, layer := range []struct {
		name  string
		apply func(Config) error
	}{
		{layerRlimits, limit},
		{layerNoNewPrivs, func(Config) error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
		{layerNotDumpable, func(Config) error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }},
		{layerLandlock, restrict},
		{layerSeccomp, func(Config) error { return installFilter() }},
	} {
		if skip[layer.name] {
			continue
		}
		err := layer.apply(config)
		if errors.Is(err, errNoLandlock) {
			continue
		}
		if err != nil {
			return applied, fmt.Errorf("applying the jail's layer %s: %w", layer.name, err)
		}
		applied = append(applied, layer.name)
	}
	if skip == nil {
		// What a mistake in the filter would let through, seen before anything of a run is here.
		if fd, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0); !errors.Is(err, unix.EPERM) {
			_ = unix.Close(fd)
			return applied, fmt.Errorf("checking the jail: the root folder can still be opened (%v)", err)
		}
	}
	return applied, nil
}

// prepare makes the runtime do once what it cannot do later.
func prepare() {
	// The first timer makes the network poller's descriptors.
	timer := time.NewTimer(time.Nanosecond)
	<-timer.C
	// The zone is read from a file at its first use.
	_, _ = time.Now().Local().Zone()
}

// closeInherited closes what survived this process's exec without being meant to: everything the process opened itself is
// marked close-on-exec, as are the two sockets once they are wrapped.
func closeInherited() error {
	folder, err := os.Open("/proc/self/fd")
	if err != nil {
		return err
	}
	names, err := folder.Readdirnames(-1)
	_ = folder.Close()
	if err != nil {
		return err
	}
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil || fd <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd)
		}
	}
	return nil
}

// limit sets ceilings that hold for the process whatever it does. There is none on the number of processes: the kernel
// counts a user's threads all together, so that one worker's limit would be met by the user's other programs, and the
// filter allows threads alone, which RLIMIT_DATA bounds.
func limit(config Config) error {
	for _, l := range []struct {
		name  string
		which int
		most  uint64
	}{
		{"core", unix.RLIMIT_CORE, 0},
		{"nofile", unix.RLIMIT_NOFILE, maxDescriptors},
		{"fsize", unix.RLIMIT_FSIZE, 0},
		{"memlock", unix.RLIMIT_MEMLOCK, 0},
		{"msgqueue", unix.RLIMIT_MSGQUEUE, 0},
		{"data", unix.RLIMIT_DATA, uint64(config.Memory) * dataFactor},
	} {
		// A limit that is lower already stays.
		var was unix.Rlimit
		if err := unix.Getrlimit(l.which, &was); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		most := min(l.most, was.Max)
		if err := unix.Setrlimit(l.which, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}

// errNoLandlock says that the kernel has no Landlock or was started without it.
var errNoLandlock = errors.New("no landlock")

// restrict denies every file, TCP port and abstract socket Landlock can deny on this kernel. The filter denies them too;
// Landlock is the second wall behind it, of other code in another part of the kernel.
func restrict(Config) error {
	if version, err := ll.LandlockGetABIVersion(); err != nil || version < 1 {
		return errNoLandlock
	}
	return landlock.V11.BestEffort().Restrict()
}
