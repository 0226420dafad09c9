package jail

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// archRules are calls only this processor has.
var archRules = []rule{
	{call: unix.SYS_EPOLL_WAIT},
	{call: unix.SYS_TIME},
}
