// Command coldrun measures `pomerado run` of the heading tool, cold process to answer, against the same steps in a cold Node process with
// playwright-core on the same browser. It builds the binary, serves the fixture site on loopback and prints paired medians; it exits 1
// when the bound is not kept.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/pomerado-go/pomerado/bench/paired"
	"github.com/pomerado-go/pomerado/bench/peers"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/testdata/artifacts"
	"github.com/pomerado-go/pomerado/testdata/site"
)

// most is how much of Node's wall time ours may take.
const most = 0.65

func main() {
	rounds := flag.Int("n", 15, "rounds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	kept, err := measure(ctx, *rounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "coldrun:", err)
		os.Exit(2)
	}
	if !kept {
		os.Exit(1)
	}
}

func measure(ctx context.Context, rounds int) (bool, error) {
	work, err := os.MkdirTemp("", "coldrun-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, "pomerado")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/pomerado-go/pomerado/cmd/pomerado")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return false, fmt.Errorf("building pomerado: %w", err)
	}
	folder := filepath.Join(work, "heading")
	if err := os.CopyFS(folder, artifacts.Folder(artifacts.Heading)); err != nil {
		return false, err
	}
	browser, err := chromium.Find(chromium.FindOptions{})
	if err != nil {
		return false, err
	}
	peer, err := peers.Folder(ctx, true)
	if err != nil {
		return false, err
	}
	pages, err := site.Start()
	if err != nil {
		return false, err
	}
	defer pages.Close()

	want := map[string]string{"heading": "Harbour Library", "title": "Home", "address": pages.URL + "/"}
	node := func(mode string) paired.Side {
		return paired.Side{Name: "node " + mode, Once: func(ctx context.Context) (map[string]float64, error) {
			return once(exec.CommandContext(ctx, "node", filepath.Join(peer, "heading.mjs"), pages.URL, browser.Path, mode), want)
		}}
	}
	all, err := paired.Run(ctx, rounds,
		paired.Side{Name: "pomerado run", Once: func(ctx context.Context) (map[string]float64, error) {
			return once(exec.CommandContext(ctx, binary, "run", folder, "--url", pages.URL, "--quiet", "--browser", browser.Path), want)
		}},
		node("tool-only"), node("start-page"))
	if err != nil {
		return false, err
	}
	fmt.Printf("the heading tool on %s, %d rounds; a run of ours also loads the site's root first, as every run does\n", browser.Product, rounds)
	return paired.Print(os.Stdout,
		paired.Row{Figure: "answer", Unit: "ms", Ours: all[0], Theirs: all[2], AgainstName: "playwright-core, root and tool", Most: most},
		paired.Row{Figure: "answer", Unit: "ms", Ours: all[0], Theirs: all[1], AgainstName: "playwright-core, tool only"},
		paired.Row{Figure: "exit", Unit: "ms", Ours: all[0], Theirs: all[2], AgainstName: "playwright-core, root and tool"},
	), nil
}

// answered notes when a process's first output came.
type answered struct {
	text  bytes.Buffer // not embedded: its ReadFrom would be used instead of Write
	first time.Time
}

func (a *answered) Write(p []byte) (int, error) {
	if a.first.IsZero() {
		a.first = time.Now()
	}
	return a.text.Write(p)
}

// once runs a command to its end, checks its answer, and returns the time to the answer and to the exit.
func once(command *exec.Cmd, want map[string]string) (map[string]float64, error) {
	var out answered
	command.Stdout, command.Stderr = &out, os.Stderr
	began := time.Now()
	if err := command.Run(); err != nil {
		return nil, err
	}
	ended := time.Now()
	if out.first.IsZero() {
		return nil, errors.New("there was no answer")
	}
	got := map[string]string{}
	if err := json.Unmarshal(out.text.Bytes(), &got); err != nil {
		return nil, fmt.Errorf("reading the answer %q: %w", out.text.String(), err)
	}
	for key, value := range want {
		if got[key] != value {
			return nil, fmt.Errorf("answered %v, not %v", got, want)
		}
	}
	return map[string]float64{"answer": milliseconds(out.first.Sub(began)), "exit": milliseconds(ended.Sub(began))}, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
