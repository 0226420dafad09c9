package chromium

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// ownerOf describes a process. It fails with os.ErrProcessDone when there is none, or only its remains.
func ownerOf(pid int) (owner, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return owner{}, os.ErrProcessDone
	}
	if err != nil {
		return owner{}, err
	}
	state, _, started, ok := parseStat(stat)
	if !ok {
		return owner{}, fmt.Errorf("reading /proc/%d/stat: it has a form of its own", pid)
	}
	if state == 'Z' || state == 'X' {
		return owner{}, os.ErrProcessDone
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return owner{}, err
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return owner{}, err
	}
	return owner{boot: shortHash(string(boot)), namespace: shortHash(namespace), pid: pid, start: strconv.FormatUint(started, 36)}, nil
}

// parseStat reads state, process group and start time (in clock ticks since boot) from a line of /proc/PID/stat. The command's name,
// which may hold anything, ends with the last parenthesis.
func parseStat(stat []byte) (state byte, group int, started uint64, ok bool) {
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return 0, 0, 0, false
	}
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) < 20 {
		return 0, 0, 0, false
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return 0, 0, 0, false
	}
	started, err = strconv.ParseUint(fields[19], 10, 64)
	return fields[0][0], group, started, err == nil
}

// bootTime is when this machine started.
func bootTime() (time.Time, bool) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return time.Time{}, false
	}
	for line := range strings.Lines(string(stat)) {
		if text, found := strings.CutPrefix(line, "btime "); found {
			seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
			return time.Unix(seconds, 0), err == nil
		}
	}
	return time.Time{}, false
}
