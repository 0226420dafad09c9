package serve

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// dropCode gives back the pages of the program's code that package init and the start touched: most are never run again, and a worker
// that waits for its run would hold them. The kernel maps what is needed at the next call, from the page cache. Only code is dropped: it
// is mapped as it is on disk, where data may hold what the loader wrote. Failing changes nothing.
func dropCode() {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) != 6 || fields[1] != "r-xp" || fields[5] != self {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		start, err1 := strconv.ParseUint(from, 16, 64)
		end, err2 := strconv.ParseUint(to, 16, 64)
		if err1 == nil && err2 == nil && start < end {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(start), uintptr(end-start), unix.MADV_DONTNEED)
		}
		return
	}
}
