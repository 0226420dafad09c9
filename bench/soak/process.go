package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// counts are what runs could leave behind.
type counts struct{ processes, descriptors, goroutines, files int }

func (c counts) String() string {
	return fmt.Sprintf("%d processes, %d descriptors, %d goroutines, %d files", c.processes, c.descriptors, c.goroutines, c.files)
}

// over says which counts are above those before.
func (c counts) over(before counts) (over []string) {
	for _, one := range []struct {
		name      string
		now, then int
	}{{"processes", c.processes, before.processes}, {"descriptors", c.descriptors, before.descriptors}, {"goroutines", c.goroutines, before.goroutines}, {"files", c.files, before.files}} {
		if one.now > one.then {
			over = append(over, fmt.Sprintf("%d %s were left", one.now-one.then, one.name))
		}
	}
	return over
}

func count(temp string) (counts, error) {
	c := counts{goroutines: runtime.NumGoroutine(), processes: len(children())}
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return c, err
	}
	c.descriptors = len(descriptors)
	return c, filepath.WalkDir(temp, func(_ string, _ fs.DirEntry, err error) error {
		if err == nil {
			c.files++
		}
		return nil // what vanishes while it is walked is gone
	})
}

// settle counts until nothing is above before, or for 10 s: what was ended takes a moment to be gone.
func settle(temp string, before counts) (counts, error) {
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		now, err := count(temp)
		if err != nil || len(now.over(before)) == 0 || time.Now().After(end) {
			return now, err
		}
	}
}

// child is a live process this one started.
type child struct {
	pid     int
	command []string
}

func children() (found []child) {
	entries, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	for _, path := range entries {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil || fields[0] == "Z" || fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		command, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if err == nil {
			found = append(found, child{pid, strings.Split(string(command), "\x00")})
		}
	}
	return found
}

// kill ends one of the children whose command line holds a word, the nth round robin, and reports whether there was one.
func kill(word string, n int) bool {
	all := slices.DeleteFunc(children(), func(c child) bool { return !slices.Contains(c.command, word) })
	return len(all) > 0 && syscall.Kill(all[n%len(all)].pid, syscall.SIGKILL) == nil
}

// resident is this process's memory in MiB.
func resident() (float64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	return float64(pages*os.Getpagesize()) / (1 << 20), err
}
