//go:build unix

package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/plugin"
)

// The test binary is its own worker: "child-of-test ARGS…".
const childWord = "child-of-test"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childWord {
		Main(os.Args[2:], func(context.Context, Session) error { return nil }, Jail(func(memory int64) ([]string, error) {
			fmt.Println("jailed with", memory)
			return nil, errors.New("on purpose")
		}))
	}
	os.Exit(m.Run())
}

func TestAStartThatIsNoHostsIsRefusedInWords(t *testing.T) {
	pair := func() *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close(); _ = r.Close() })
		return r
	}
	cookie := plugin.Handshake.MagicCookieKey + "=" + plugin.Handshake.MagicCookieValue
	socket := func() *os.File { return socketFile(t) }
	tests := []struct {
		name  string
		env   []string
		args  []string
		files []*os.File
		code  int
		says  string
	}{
		{"by hand", nil, nil, nil, 1, "started by pomerado itself"},
		{"with another cookie", []string{plugin.Handshake.MagicCookieKey + "=x"}, nil, nil, 1, "started by pomerado itself"},
		{"without sockets", []string{cookie}, nil, nil, 1, "descriptor 3 (control) is no socket"},
		{"with a pipe", []string{cookie}, nil, []*os.File{pair(), pair()}, 1, "descriptor 3 (control) is no socket"},
		{"with one socket", []string{cookie}, nil, []*os.File{socket()}, 1, "descriptor 4 (cdp) is no socket"},
		{"with an unknown argument", []string{cookie}, []string{"--jail=perhaps"}, nil, 1, `unknown argument "--jail=perhaps"`},
		{"with a memory that is none", []string{cookie}, []string{plugin.ArgMemory + "lots"}, nil, 1, "names no number of bytes"},
		{"with no memory", []string{cookie}, []string{plugin.ArgMemory + "0"}, nil, 1, "names no number of bytes"},
		{"without a jail that holds", []string{cookie}, []string{plugin.ArgMemory + "4096"}, []*os.File{socket(), socket()}, plugin.ExitJailFailed, "jailed with 4096\nworker: the jail cannot be applied: on purpose"},
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			cmd := exec.CommandContext(t.Context(), self, append([]string{childWord}, test.args...)...)
			cmd.Env, cmd.ExtraFiles, cmd.Stdout, cmd.Stderr = append([]string{}, test.env...), test.files, &stdout, &stderr
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != test.code || !strings.Contains(stderr.String(), test.says) {
				t.Errorf("exit code %d, %q", code, stderr.String())
			}
			if out := stdout.String(); out != "" && out != "1|1|unix|inherited|grpc|\n" {
				t.Errorf("stdout holds %q", out)
			}
		})
	}
}

// socketFile is one end of a connection whose other end is open as long as the test runs.
func socketFile(t *testing.T) *os.File {
	t.Helper()
	listener, err := net.Listen("unix", fmt.Sprintf("%s/%d", t.TempDir(), len(t.Name())))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("unix", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	file, err := conn.(*net.UnixConn).File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(); _ = file.Close() })
	return file
}

func TestTheListenerGivesOneConnection(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	l := newListener(near)
	if conn, err := l.Accept(); err != nil || conn != near {
		t.Fatalf("got %v, %v", conn, err)
	}
	second := make(chan error, 1)
	go func() {
		_, err := l.Accept()
		second <- err
	}()
	select {
	case err := <-second:
		t.Fatalf("a second Accept returned %v", err)
	default:
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-second; !errors.Is(err, net.ErrClosed) {
		t.Fatalf("after Close: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatalf("closing twice: %v", err)
	}
}
