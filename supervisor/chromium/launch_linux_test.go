package chromium

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// supervisorVariable makes the test binary play a supervisor: it launches a browser, says where, and waits to be killed.
const supervisorVariable = "POMERADO_TEST_SUPERVISOR"

func TestMain(m *testing.M) {
	if mode := os.Getenv(supervisorVariable); mode != "" {
		playSupervisor(mode)
	}
	goleak.VerifyTestMain(m)
}

func playSupervisor(mode string) {
	found, err := Find(FindOptions{})
	if err == nil {
		var b *Browser
		if b, err = Launch(context.Background(), LaunchOptions{Found: found}); err == nil {
			openPage(b)
			if mode == "wedged" {
				err = wedge(b.PID())
			}
			fmt.Println(b.PID(), b.dir)
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	select {}
}

// openPage starts a renderer that never yields.
func openPage(b *Browser) {
	ctx := context.Background()
	_ = b.Transport().Send(ctx, []byte(`{"id":2,"method":"Target.createTarget","params":{"url":"data:text/html,<script>for(;;){}</script>"}}`))
	for {
		frame, err := b.Transport().Receive()
		if err != nil {
			return
		}
		if parts, ok := cdp.Cut(frame); ok && parts.ID == 2 {
			return
		}
	}
}

// wedge writes 120 MB without a terminator into the browser's pipe, past every limit of ours.
func wedge(browser int) error {
	theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/3", browser))
	if err != nil {
		return err
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if ours, _ := os.Readlink("/proc/self/fd/" + entry.Name()); ours != theirs {
			continue
		}
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			return err
		}
		chunk := make([]byte, 1<<20)
		for i := range chunk {
			chunk[i] = 'x'
		}
		stuck := time.Now().Add(3 * time.Second)
		for written := 0; written < 120<<20 && time.Now().Before(stuck); {
			n, err := unix.Write(fd, chunk)
			if errors.Is(err, unix.EAGAIN) {
				_, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, 100)
				continue
			}
			if err != nil {
				return nil // the browser has closed its end, which is as wedged
			}
			written += n
		}
		return nil
	}
	return errors.New("the browser's pipe was not found")
}

func launch(t *testing.T, args ...string) *Browser {
	t.Helper()
	found, err := Find(FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Launch(t.Context(), LaunchOptions{Found: found, ExtraArgs: args})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// patience is two seconds, and more where more processes want to run than there are processors: dying takes time on one, too.
func patience(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	var load float64
	if _, err := fmt.Sscan(string(text), &load); err != nil {
		t.Fatal(err)
	}
	return time.Duration(max(1, load/float64(runtime.NumCPU())) * float64(2*time.Second))
}

// gone waits until no process of the group lives.
func gone(t *testing.T, group int, limit time.Duration) {
	t.Helper()
	var members []int
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var err error
		if members, err = groupMembers(group); err != nil {
			t.Fatal(err)
		}
		if len(members) == 0 {
			return
		}
	}
	t.Errorf("processes %v of the browser live after %s", members, limit)
}

func TestLaunchAnswersAndCloseLeavesNothing(t *testing.T) {
	b := launch(t)
	if v := b.Version(); !strings.Contains(v.Product, "Chrome/") || v.Protocol != "1.3" || b.Attached() {
		t.Errorf("version %+v, attached %v", v, b.Attached())
	}
	info, err := os.Stat(b.dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the browser's folder: %v, %v", info, err)
	}
	openPage(b)
	members, err := groupMembers(b.PID())
	if err != nil || len(members) < 3 {
		t.Errorf("the browser has processes %v, %v; want several", members, err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	gone(t, b.PID(), time.Millisecond)
	if _, err := os.Stat(b.dir); !os.IsNotExist(err) {
		t.Errorf("the browser's folder after Close: %v", err)
	}
	<-b.Done()
	if err := b.Err(); err == nil || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("the browser ended with %v", err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("a second Close gives %v", err)
	}
}

func TestDeathIsNoticedAtOnce(t *testing.T) {
	b := launch(t)
	openPage(b)
	if err := unix.Kill(b.PID(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case <-b.Done():
	case <-time.After(patience(t) / 2):
		t.Fatal("the browser's death is not noticed at once")
	}
	gone(t, b.PID(), patience(t))
}

func TestCloseDoesNotWaitForAWedgedPipe(t *testing.T) {
	b := launch(t)
	openPage(b)
	if err := wedge(b.PID()); err != nil {
		t.Fatal(err)
	}
	_ = b.Transport().Send(t.Context(), []byte(`{"id":3,"method":"Browser.getVersion"}`))
	start := time.Now()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > patience(t) {
		t.Errorf("Close took %s", took)
	}
	gone(t, b.PID(), time.Millisecond)
}

func TestTheBrowserDiesWithAKilledSupervisorAndSweepRemovesItsFolder(t *testing.T) {
	for _, mode := range []string{"plain", "wedged"} {
		t.Run(mode, func(t *testing.T) {
			supervisor := exec.Command(os.Args[0])
			supervisor.Env = append(os.Environ(), supervisorVariable+"="+mode)
			supervisor.Stderr = os.Stderr
			out, err := supervisor.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := supervisor.Start(); err != nil {
				t.Fatal(err)
			}
			line, _ := bufio.NewReader(out).ReadString('\n')
			group, dir := 0, ""
			if _, err := fmt.Sscan(line, &group, &dir); err != nil {
				t.Fatalf("the supervisor says %q", line)
			}
			if removed := Sweep(nil); slices.Contains(removed, dir) {
				t.Errorf("Sweep took a living supervisor's folder: %v", removed)
			}
			if err := supervisor.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = supervisor.Wait()
			gone(t, group, patience(t))
			if removed := Sweep(nil); !slices.Contains(removed, dir) {
				t.Errorf("Sweep removed %v, want %s", removed, dir)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("the folder after Sweep: %v", err)
			}
		})
	}
}

func TestLaunchReportsTheBrowsersOwnWords(t *testing.T) {
	before, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"browser-*"))
	_, err := Launch(t.Context(), LaunchOptions{Found: Found{Path: "/bin/ls", Product: Chromium}})
	if err == nil || !strings.Contains(err.Error(), `starting the browser "/bin/ls"`) || !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(err.Error(), "unrecognized option") {
		t.Errorf("a program that is no browser: %v", err)
	}
	if _, err := Launch(t.Context(), LaunchOptions{Found: Found{Path: "/nowhere", Product: Chromium}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is missing: %v", err)
	}
	after, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"browser-*"))
	for _, dir := range after {
		if self, ok := parseFolder(filepath.Base(dir)); ok && self.pid == os.Getpid() && !slices.Contains(before, dir) {
			t.Errorf("a failed launch left %s", dir)
		}
	}
}

func TestLaunchEndsWithItsContextWhenTheBrowserDoesNotAnswer(t *testing.T) {
	silent := script(t, "#!/bin/sh\necho starting slowly >&2\nsleep 60 & wait\n", t.TempDir(), "silent")
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	defer time.AfterFunc(500*time.Millisecond, func() { cancel(reason) }).Stop()
	start := time.Now()
	_, err := Launch(ctx, LaunchOptions{Found: Found{Path: silent, Product: Chromium}})
	if !errors.Is(err, reason) || !strings.Contains(err.Error(), "starting slowly") {
		t.Errorf("Launch gives %v", err)
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("Launch ended after %s", took)
	}
}

func TestAttachUsesARunningBrowserAndLeavesItAlive(t *testing.T) {
	b := launch(t, "--remote-debugging-port=0")
	var address string
	for deadline := time.Now().Add(10 * time.Second); address == "" && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(filepath.Join(b.dir, "profile", "DevToolsActivePort"))
		if port, path, ok := strings.Cut(string(text), "\n"); err == nil && ok {
			address = "ws://127.0.0.1:" + port + path
		}
	}
	attached, err := Attach(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	if !attached.Attached() || attached.PID() != 0 || attached.Version() != b.Version() {
		t.Errorf("attached %v, pid %d, version %+v", attached.Attached(), attached.PID(), attached.Version())
	}
	if err := attached.Close(); err != nil {
		t.Error(err)
	}
	<-attached.Done()
	again, err := Attach(t.Context(), address)
	if err != nil {
		t.Fatalf("after a detach: %v", err)
	}
	defer again.Close()
	conn := cdp.NewConn(again.Transport())
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	<-again.Done()
	<-conn.Done()
	if err := again.Err(); err == nil {
		t.Error("an attached browser's end has no reason")
	}
	for _, wrong := range []string{"", "http://127.0.0.1:1", "ws://", "ws://127.0.0.1:1/devtools/browser/x"} {
		if _, err := Attach(t.Context(), wrong); err == nil {
			t.Errorf("Attach(%q) works", wrong)
		}
	}
}

func TestSweepLeavesWhatIsNotALeftover(t *testing.T) {
	parent := t.TempDir()
	t.Setenv("TMPDIR", parent)
	self, err := ownerOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(*owner)) string {
		o := self
		change(&o)
		return folderPrefix + "run-" + o.String() + "-1"
	}
	old := time.Now().Add(-10 * 365 * 24 * time.Hour)
	folders := map[string]bool{ // name: whether it is a leftover
		with(func(*owner) {}):                          false,
		with(func(o *owner) { o.start = "0" }):         true,
		with(func(o *owner) { o.pid = 1 << 30 }):       true,
		with(func(o *owner) { o.namespace = "other" }): false,
		with(func(o *owner) { o.boot = "other" }):      false, // made after this boot
		with(func(o *owner) { o.boot = "older" }):      true,  // made before it
		"pomerado-of-the-user":                         false,
		"pomerado-run-a.b-x-1-1":                       false,
		"other":                                        false,
	}
	for name := range folders {
		if err := os.Mkdir(filepath.Join(parent, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(parent, with(func(o *owner) { o.boot = "older" })), old, old); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(parent, "other")
	link := with(func(o *owner) { o.pid = 1<<30 + 1 })
	if err := os.Symlink(target, filepath.Join(parent, link)); err != nil {
		t.Fatal(err)
	}
	folders[link] = false
	made, err := NewRunDir()
	if err != nil {
		t.Fatal(err)
	}
	folders[filepath.Base(made)] = false
	dead := func(o *owner) { o.pid = 1<<30 + 2 }
	fresh := strings.Replace(with(dead), "-run-", "-downloads-", 1) // whoever was told of its files may still come
	stale := fresh + "2"
	folders[fresh], folders[stale] = false, true
	half := time.Now().Add(-KeepDownloads)
	if err := errors.Join(os.Mkdir(filepath.Join(parent, fresh), 0o700), os.Mkdir(filepath.Join(parent, stale), 0o700), os.Chtimes(filepath.Join(parent, stale), half, half)); err != nil {
		t.Fatal(err)
	}
	Sweep(nil)
	for name, leftover := range folders {
		_, err := os.Lstat(filepath.Join(parent, name))
		if os.IsNotExist(err) != leftover {
			t.Errorf("%s: leftover %v, removed %v", name, leftover, os.IsNotExist(err))
		}
	}
}

func TestTheBrowserSeesNoSecretsOfTheEnvironment(t *testing.T) {
	got := environment([]string{"PATH=/bin", "HOME=/root", "LC_ALL=C", "OPENAI_API_KEY=x", "https_proxy=y", "TMPDIR=/tmp", "XDG_RUNTIME_DIR=/run"}, "/private")
	if want := []string{"PATH=/bin", "HOME=/root", "LC_ALL=C", "XDG_RUNTIME_DIR=/run", "TMPDIR=/private"}; !slices.Equal(got, want) {
		t.Errorf("environment %q, want %q", got, want)
	}
}

func TestEveryFlagHasAReason(t *testing.T) {
	for _, list := range [][]flag{always, disabledFeatures, headless} {
		for _, f := range list {
			if f.reason == "" {
				t.Errorf("%s has no reason", f.name)
			}
		}
	}
	args := arguments(LaunchOptions{Headed: true, ExtraArgs: []string{"--x"}}, "/p", false, true)
	if slices.Contains(args, "--no-sandbox") || slices.Contains(args, "--headless") || !slices.Contains(args, "--disable-dev-shm-usage") ||
		!slices.Contains(args, "--user-data-dir=/p") || args[len(args)-1] != "--x" {
		t.Errorf("arguments with a window as an ordinary user: %q", args)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("1 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"))
	f.Add([]byte("1 (x"))
	f.Add([]byte(") "))
	f.Fuzz(func(t *testing.T, stat []byte) { parseStat(stat) })
}

func FuzzParseFolder(f *testing.F) {
	f.Add("pomerado-run-a.b-1-2-3")
	f.Add("pomerado-run-a-1-2-3")
	f.Fuzz(func(t *testing.T, name string) {
		if o, ok := parseFolder(name); ok && o.pid <= 0 {
			t.Errorf("%q belongs to process %d", name, o.pid)
		}
	})
}
