//go:build unix

package supervisor

import "syscall"

// openNonblock keeps an open from waiting when the path became a pipe meanwhile.
const openNonblock = syscall.O_NONBLOCK
