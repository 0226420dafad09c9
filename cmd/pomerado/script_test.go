package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/testdata/artifacts"
	"github.com/pomerado-go/pomerado/testdata/site"
)

// TestMain makes this test binary stand for the pomerado command, its workers included.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"pomerado": main})
}

// TestScripts runs testdata/*.txtar: each is one command line after another against the real product, a fixture site of its own at $SITE
// the bundled artifacts in $WORK/artifacts and the specification's examples in $WORK/examples.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			server, err := site.Start()
			if err != nil {
				return err
			}
			env.Defer(func() { _ = server.Close() })
			env.Setenv("SITE", server.URL)
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			if err := os.Mkdir(home, 0o755); err != nil {
				return err
			}
			for _, name := range []string{artifacts.Heading, artifacts.Reservation, artifacts.Release, artifacts.Chart, artifacts.Rooms, artifacts.Journals} {
				if err := os.CopyFS(filepath.Join(env.WorkDir, "artifacts", name), artifacts.Folder(name)); err != nil {
					return err
				}
			}
			// The specification's own operations, for those that run as they are.
			return os.CopyFS(filepath.Join(env.WorkDir, "examples"), os.DirFS("../../workers/contract/testdata/examples"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":     exitCode,
			"cmpjson":  sameJSON,
			"repeat":   repeatText,
			"address":  writeAddress,
			"devtools": startBrowser,
			"next":     goOn,
			"mode":     fileMode,
		},
	})
}

// exitCode is `code N command args…`: the command must end with exactly that code.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("running %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s ended with code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// sameJSON is `cmpjson got want`: both files are byte-equal once $SITE stands for the site's address.
func sameJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cmpjson got want")
	}
	got := strings.ReplaceAll(ts.ReadFile(args[0]), ts.Getenv("SITE"), "$SITE")
	if want := ts.ReadFile(args[1]); got != want {
		ts.Fatalf("got:\n%s\nwant:\n%s", got, want)
	}
}

// repeatText is `repeat file N text`: a file of N times the text.
func repeatText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat file N text")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte(args[2]), n), 0o644))
}

// writeAddress is `address file`: $SITE in the file becomes the site's address.
func writeAddress(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: address file")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "$SITE", ts.Getenv("SITE"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// startBrowser is `devtools`: it starts a browser that nobody supervises and puts its DevTools address into $CDP.
func startBrowser(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: devtools")
	}
	found, err := chromium.Find(chromium.FindOptions{})
	ts.Check(err)
	arguments := []string{"--headless", "--remote-debugging-port=0", "--user-data-dir=" + ts.MkAbs("profile"), "--disable-gpu", "about:blank"}
	if os.Geteuid() == 0 {
		arguments = append(arguments, "--no-sandbox")
	}
	command := exec.Command(found.Path, arguments...)
	stderr, err := command.StderrPipe()
	ts.Check(err)
	ts.Check(command.Start())
	ts.Defer(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			ts.Setenv("CDP", address)
			go func() { _, _ = io.Copy(io.Discard, stderr) }() // ends with the browser
			return
		}
	}
	ts.Fatalf("the browser named no DevTools address: %v", lines.Err())
}

// goOn is `next answer input N`: an input that goes on after a list tool's answer, N rows at a time.
func goOn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: next answer input N")
	}
	var answer struct {
		Cursor string `json:"next_cursor"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &answer))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), fmt.Appendf(nil, `{"limit":%s,"cursor":%q}`, args[2], answer.Cursor), 0o644))
}

// fileMode is `mode file octal`: the file has exactly these permissions.
func fileMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode file octal")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[1] {
		ts.Fatalf("%s has mode %s, want %s", args[0], got, args[1])
	}
}
