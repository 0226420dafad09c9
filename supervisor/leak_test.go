package supervisor_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pomerado-go/pomerado/supervisor"
)

// holdings is what a supervisor holds of the machine.
type holdings struct {
	workers, renderers, files, descriptors, goroutines int
}

func count(t *testing.T, temp string) holdings {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(temp, "pomerado-*"))
	if err != nil {
		t.Fatal(err)
	}
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	renderers := 0
	for _, line := range processes(t, "--type=renderer") {
		if strings.Contains(line, temp) {
			renderers++
		}
	}
	return holdings{len(childWorkers(t, os.Getpid())), renderers, len(files), len(fds), runtime.NumGoroutine()}
}

func TestThirtyRunsLeaveNothingBehind(t *testing.T) {
	before := goleak.IgnoreCurrent()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	at := startSite(t)
	s, err := supervisor.New(supervisor.Options{Worker: workerCommand(), Log: testLog()})
	if err != nil {
		t.Fatal(err)
	}
	a := operation{script: `return await page('const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate(() => { window.open("/letters"); })]); await popup.waitForLoadState(); return popup.url().slice(-8);');`}.save(t)
	once := func() {
		out, err := s.Run(t.Context(), supervisor.Request{Artifact: a, URL: at.URL})
		if err != nil {
			t.Fatal(err)
		}
		wantCompleted(t, out, `"/letters"`)
	}
	once() // what stays for the next run is there after the first
	var first holdings
	eventually(t, 5*time.Second, "the first run's renderers are gone", func() bool { first = count(t, temp); return first.workers == 0 && first.files == 1 })
	for range 30 {
		once()
	}
	eventually(t, 10*time.Second, "nothing of thirty runs is left", func() bool {
		last := count(t, temp)
		t.Logf("held after one run %+v, now %+v", first, last)
		return last.workers <= first.workers && last.renderers <= first.renderers && last.files <= first.files &&
			last.descriptors <= first.descriptors+2 && last.goroutines <= first.goroutines+2
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left := processes(t, temp); len(left) > 0 {
		t.Errorf("still running after Close: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "pomerado-*")); len(left) > 0 {
		t.Errorf("still on disk after Close: %v", left)
	}
	_ = at.Close()
	// The site's own client connections and the test's timers end by themselves.
	goleak.VerifyNone(t, before)
}
