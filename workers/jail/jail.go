// Package jail takes from the calling process everything a worker does not need: files, network, other processes, and
// memory past a ceiling. What is left is computing, and talking over the descriptors it already holds.
//
// It owns the list of system calls a worker may make and the ceilings of its process. It knows nothing of gRPC, goja or
// CDP, and runs in the worker process only, after the handshake and before anything of a run arrives. A jail cannot be
// taken off again.
package jail

import (
	"errors"
	"fmt"
)

// ErrUnsupported is what Apply answers where there is no jail: on systems other than Linux, and on processors other than
// amd64 and arm64. It is an errors.ErrUnsupported. A Linux without seccomp is no such system but an error of its own.
var ErrUnsupported = fmt.Errorf("jailing a worker: %w on this system", errors.ErrUnsupported)

// Layers of the jail, by the names Ready lists them with.
const (
	layerRlimits     = "rlimits"
	layerNoNewPrivs  = "no_new_privs"
	layerNotDumpable = "not_dumpable"
	layerLandlock    = "landlock"
	layerSeccomp     = "seccomp"
)

// DefaultMemory is a worker's memory ceiling in bytes.
const DefaultMemory = 512 << 20

// dataFactor is how far past the ceiling the kernel's own limit lies. The ceiling is kept by WatchHeap, which lets a worker
// end with a clean error; the kernel's limit is for the one allocation too large to be noticed in time. It counts what the
// Go runtime has mapped, collector's slack and unused arenas included, and under cgo 8 MiB of stack for each thread.
const dataFactor = 4

// Config is what a jail allows beyond nothing.
type Config struct {
	// Memory is the ceiling in bytes, DefaultMemory when 0. The process dies of "out of memory" at four times as much.
	Memory int64
}

// Apply jails the process, all its threads included, and returns the layers that hold, in the order they were applied:
// rlimits, no_new_privs, not_dumpable, landlock, seccomp. Landlock is left out where the kernel lacks it; any other layer
// that fails is an error, after which the process must end, being jailed in part.
//
// Every descriptor but 0, 1 and 2 that is not marked close-on-exec is closed: it was inherited from whoever started the
// supervisor. A refused system call answers EPERM, and the process goes on; a call in another processor mode (32-bit, x32)
// kills it.
func Apply(config Config) (layers []string, err error) {
	if config.Memory <= 0 {
		config.Memory = DefaultMemory
	}
	return apply(config, nil)
}

// without names layers that a test leaves out, to see that what they stop is not stopped then.
type without map[string]bool
