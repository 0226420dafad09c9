//go:build linux && (amd64 || arm64)

package jail

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The test binary is its own child: "jail-child MODE PROGRAM ARGS…" applies the jail as MODE says and runs a program of
// childPrograms. What it prints on stdout is what the test judges.
const childWord = "jail-child"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == workerWord {
		worker(os.Args[2], os.Args[3:])
		return
	}
	if len(os.Args) > 3 && os.Args[1] == childWord {
		child(os.Args[2], os.Args[3], os.Args[4:])
		return
	}
	os.Exit(m.Run())
}

// Modes a child runs in: in the jail, in one with little memory, without any, or ("without-LAYER") in one that lacks a layer.
const (
	modeJailed = "jailed"
	modeSmall  = "small"
	modeFree   = "free"

	smallMemory = 48 << 20
)

func child(mode, program string, args []string) {
	run := childPrograms[program]
	prepareChild()
	if mode != modeFree {
		var skip without
		if layer, ok := strings.CutPrefix(mode, "without-"); ok {
			skip = without{layer: true}
		}
		config := Config{Memory: DefaultMemory}
		if mode == modeSmall {
			config.Memory = smallMemory
		}
		if _, err := apply(config, skip); err != nil {
			fmt.Fprintln(os.Stderr, "applying the jail:", err)
			os.Exit(3)
		}
	}
	run(args)
}

// identity is who a child runs as.
type identity struct {
	name string
	cred *syscall.Credential
}

// identities are the user who runs the test and, where that is root, an ordinary user too.
func identities() []identity {
	if os.Getuid() != 0 {
		return []identity{{name: "user"}}
	}
	return []identity{{name: "root"}, {name: "user", cred: &syscall.Credential{Uid: 65534, Gid: 65534}}}
}

// executable is this test binary at a place every user can reach.
func executable(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "jail")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	source, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	path := filepath.Join(folder, "jail.test")
	target, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(target, source); err != nil {
		t.Fatal(err)
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// command is a child of this test that runs program in mode as who.
func command(t testing.TB, path string, who identity, mode, program string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path, append([]string{childWord, mode, program}, args...)...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who.cred, Pdeathsig: syscall.SIGKILL}
	return cmd
}
