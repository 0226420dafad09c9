package asker

import (
	"os"

	"golang.org/x/sys/unix"
)

// forget drops what was typed before a question was asked: it is no answer to it, and a stray "y" must not confirm anything.
func forget(terminal *os.File) {
	// It fails only for what is no terminal.
	_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
