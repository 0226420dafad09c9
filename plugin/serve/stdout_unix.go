//go:build unix

package serve

import (
	"os"

	"golang.org/x/sys/unix"
)

// guardStdout gives back what stdout was, for the handshake, and makes descriptor 1 and os.Stdout the same as stderr:
// whatever is printed from now on, by Go or by C, cannot reach a host that reads the handshake.
func guardStdout() (*os.File, error) {
	kept, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Dup2(2, 1); err != nil {
		return nil, err
	}
	os.Stdout = os.Stderr
	return os.NewFile(uintptr(kept), "handshake"), nil
}
