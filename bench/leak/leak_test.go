// Package leak runs the heading tool over and over in one supervisor and counts what is left: processes, descriptors, goroutines, files
// and browser contexts. The benchmark is `go test ./bench/leak -count 1 -v -timeout 40m -runs 200`; without -runs it is a few, which shows that it works.
// Package supervisor counts thirty in its own tests.
package leak

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/testdata/artifacts"
	"github.com/pomerado-go/pomerado/testdata/site"
	"github.com/pomerado-go/pomerado/workers"
)

var runs = flag.Int("runs", 5, "how many runs")

// warmUp is how many runs go before the first count, for what is made once and kept.
const warmUp = 3

// TestMain makes the test binary its own worker, as pomerado is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		workers.Main(os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

// counts are what a run could leave behind.
type counts struct {
	processes, descriptors, goroutines, files, contexts int
}

// over says which of the counts are above those before.
func (c counts) over(before counts) string {
	var over []string
	for _, one := range []struct {
		name      string
		now, then int
	}{
		{"processes", c.processes, before.processes}, {"descriptors", c.descriptors, before.descriptors},
		{"goroutines", c.goroutines, before.goroutines}, {"files", c.files, before.files}, {"browser contexts", c.contexts, before.contexts},
	} {
		if one.now > one.then {
			over = append(over, fmt.Sprintf("%d %s, %d before", one.now, one.name, one.then))
		}
	}
	return strings.Join(over, "; ")
}

func TestRunsLeaveNothingBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts by /proc")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	count := func(*testing.T) counts { return counted(t, temp) }
	untouched := count(t)

	s, saved, server := prepare(t, supervisor.BrowserOptions{})
	repeat(t, s, saved, server.URL, warmUp)
	before := settled(t, count, counts{})
	repeat(t, s, saved, server.URL, *runs)
	if over := settled(t, count, before).over(before); over != "" {
		t.Errorf("after %d runs more: %s", *runs, over)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if over := settled(t, count, untouched).over(untouched); over != "" {
		t.Errorf("after the supervisor's end: %s\n%s", over, tree(temp))
	}
}

// TestRunsLeaveNoContextBehind runs on a browser of the test's own, which can be asked from outside what contexts and pages it has.
func TestRunsLeaveNoContextBehind(t *testing.T) {
	address := browser(t)
	socket, err := cdp.DialWebSocket(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	conn := cdp.NewConn(socket)
	defer conn.Close()
	count := func(t *testing.T) (c counts) {
		var contexts struct {
			IDs []string `json:"browserContextIds"`
		}
		var targets struct {
			Infos []struct{ Type string } `json:"targetInfos"`
		}
		if err := conn.Call(t.Context(), "", "Target.getBrowserContexts", nil, &contexts); err != nil {
			t.Fatal(err)
		}
		if err := conn.Call(t.Context(), "", "Target.getTargets", nil, &targets); err != nil {
			t.Fatal(err)
		}
		c.contexts = len(contexts.IDs) + len(targets.Infos)
		return c
	}
	before := count(t)
	s, saved, server := prepare(t, supervisor.BrowserOptions{CDP: address})
	repeat(t, s, saved, server.URL, *runs)
	// The contexts of a run go before its answer is given, so there is nothing to wait for.
	if over := count(t).over(before); over != "" {
		t.Errorf("after %d runs: %s", *runs, over)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func prepare(t *testing.T, browser supervisor.BrowserOptions) (*supervisor.Supervisor, *artifact.Artifact, *site.Server) {
	t.Helper()
	server, err := site.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	folder := t.TempDir()
	if err := os.CopyFS(folder, artifacts.Folder(artifacts.Heading)); err != nil {
		t.Fatal(err)
	}
	saved, err := artifact.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(folder); err != nil { // an artifact is in memory once loaded
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := supervisor.New(supervisor.Options{Worker: []string{self, "worker"}, Browser: browser})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, saved, server
}

func repeat(t *testing.T, s *supervisor.Supervisor, saved *artifact.Artifact, url string, times int) {
	t.Helper()
	began := time.Now()
	for n := range times {
		ended, err := s.Run(t.Context(), supervisor.Request{Artifact: saved, URL: url})
		if err != nil {
			t.Fatalf("run %d: %v", n, err)
		}
		if ended.Status != outcome.Completed || !bytes.Contains(ended.Output, []byte(`"heading":"Harbour Library"`)) {
			t.Fatalf("run %d ended with %s: %s %s", n, ended.Status, ended.Error, ended.Output)
		}
	}
	t.Logf("%d runs, %v each", times, (time.Since(began) / time.Duration(times)).Round(time.Millisecond))
}

// settled counts until nothing is above before, or 10 s have passed: processes that were ended take a moment to be gone.
func settled(t *testing.T, count func(*testing.T) counts, before counts) counts {
	end := time.Now().Add(10 * time.Second)
	last := count(t)
	for quiet := 0; time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
		now := count(t)
		if now == last {
			quiet++
		} else {
			quiet = 0
		}
		last = now
		if now.over(before) == "" || before == (counts{}) && quiet >= 20 {
			break
		}
	}
	return last
}

// counted counts what this process has: processes below it, its descriptors and goroutines, and the files in its temporary folder.
func counted(t *testing.T, temp string) counts {
	t.Helper()
	c := counts{goroutines: runtime.NumGoroutine()}
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	c.descriptors = len(descriptors)
	c.processes = len(below(t, os.Getpid()))
	err = filepath.WalkDir(temp, func(name string, entry fs.DirEntry, err error) error {
		// The browser's profile is the browser's; it is counted by its folder.
		if err == nil && entry.IsDir() && strings.Contains(filepath.Base(name), "profile") {
			c.files++
			return fs.SkipDir
		}
		if err == nil {
			c.files++
		}
		return nil // what vanishes while it is walked is gone
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// below are the live processes below a process, by /proc.
func below(t *testing.T, root int) []int {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	parents := map[int]int{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "stat"))
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if parent, err := strconv.Atoi(fields[1]); err == nil && fields[0] != "Z" {
			parents[pid] = parent
		}
	}
	var found []int
	for pid := range parents {
		for up := parents[pid]; up > 1; up = parents[up] {
			if up == root {
				found = append(found, pid)
				break
			}
		}
	}
	return found
}

func tree(dir string) string {
	var b strings.Builder
	_ = filepath.WalkDir(dir, func(name string, _ fs.DirEntry, _ error) error {
		fmt.Fprintln(&b, name)
		return nil
	})
	return b.String()
}

// browser starts a browser with a DevTools address of its own and returns that.
func browser(t *testing.T) string {
	t.Helper()
	found, err := chromium.Find(chromium.FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	arguments := []string{"--headless", "--remote-debugging-port=0", "--user-data-dir=" + t.TempDir(), "--disable-gpu", "about:blank"}
	if os.Geteuid() == 0 {
		arguments = append(arguments, "--no-sandbox")
	}
	command := exec.CommandContext(ctx, found.Path, arguments...)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = command.Wait()
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			go func() {
				for lines.Scan() {
				}
			}()
			return address
		}
	}
	t.Fatalf("the browser named no DevTools address: %v", lines.Err())
	return ""
}
