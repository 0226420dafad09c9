//go:build linux

// Command workerstart measures how long a worker takes from its spawn until it says that it is jailed and ready, and its memory then,
// against child_process.fork of an empty file from a warm Node parent. It builds the binary and prints paired medians; it exits 1 when a
// bound is not kept.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pomerado-go/pomerado/bench/paired"
	"github.com/pomerado-go/pomerado/bench/peers"
	"github.com/pomerado-go/pomerado/plugin/host"
)

// How much of Node's start time and memory ours may take.
const (
	mostTime   = 0.40
	mostMemory = 0.50
)

func main() {
	rounds := flag.Int("n", 41, "rounds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	kept, err := measure(ctx, *rounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "workerstart:", err)
		os.Exit(2)
	}
	if !kept {
		os.Exit(1)
	}
}

func measure(ctx context.Context, rounds int) (bool, error) {
	work, err := os.MkdirTemp("", "workerstart-")
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
	if err := asInstalled(binary); err != nil {
		return false, err
	}
	folder, err := peers.Folder(ctx, false)
	if err != nil {
		return false, err
	}
	node, err := startNode(ctx, filepath.Join(folder, "fork.mjs"))
	if err != nil {
		return false, err
	}
	defer node.end()
	all, err := paired.Run(ctx, rounds,
		paired.Side{Name: "worker", Once: func(ctx context.Context) (map[string]float64, error) { return worker(ctx, binary) }},
		paired.Side{Name: "fork", Once: node.fork})
	if err != nil {
		return false, err
	}
	fmt.Printf("spawn to ready, %d rounds; ours is jailed by then\n", rounds)
	return paired.Print(os.Stdout,
		paired.Row{Figure: "ready", Unit: "ms", Ours: all[0], Theirs: all[1], AgainstName: "child_process.fork", Most: mostTime},
		paired.Row{Figure: "rss", Unit: "MiB", Ours: all[0], Theirs: all[1], AgainstName: "child_process.fork", Most: mostMemory},
		paired.Row{Figure: "private", Unit: "MiB", Ours: all[0], Theirs: all[1], AgainstName: "child_process.fork"},
	), nil
}

// worker starts one worker, waits until it is ready, measures it and ends it.
func worker(ctx context.Context, binary string) (map[string]float64, error) {
	began := time.Now()
	started, err := host.Start(ctx, host.Config{Command: []string{binary, "worker"}})
	if err != nil {
		return nil, err
	}
	defer func() {
		started.Kill()
		<-started.Done()
	}()
	if _, err := started.Open(ctx); err != nil {
		return nil, err
	}
	figures := map[string]float64{"ready": float64(time.Since(began).Microseconds()) / 1000}
	figures["rss"], figures["private"], err = memory(started.PID())
	return figures, err
}

// asInstalled takes a fresh file out of the page cache, so that it comes back as a file read from the disk does. A file that was just
// written may sit there in pieces of 2 MiB, and one touch of such a piece counts all of it as resident; Node's is not one.
func asInstalled(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Sync(); err != nil {
		return err
	}
	return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}

var memoryLine = regexp.MustCompile(`(?m)^(VmRSS|RssAnon):\s+(\d+) kB`)

// memory is a process's resident memory in MiB, and the part of it that is no other process's: without the pages of files.
func memory(pid int) (rss, private float64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for _, found := range memoryLine.FindAllSubmatch(text, -1) {
		kibibytes, err := strconv.ParseFloat(string(found[2]), 64)
		if err != nil {
			return 0, 0, err
		}
		if string(found[1]) == "VmRSS" {
			rss = kibibytes / 1024
		} else {
			private = kibibytes / 1024
		}
	}
	return rss, private, nil
}

// nodeParent forks the empty child on demand.
type nodeParent struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

func startNode(ctx context.Context, program string) (*nodeParent, error) {
	command := exec.CommandContext(ctx, "node", program)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &nodeParent{command, in, bufio.NewScanner(out)}, nil
}

func (n *nodeParent) fork(context.Context) (map[string]float64, error) {
	if _, err := io.WriteString(n.in, "\n"); err != nil {
		return nil, err
	}
	if !n.out.Scan() {
		return nil, fmt.Errorf("the Node parent ended: %w", n.out.Err())
	}
	var answer struct{ MS, RSS, Private float64 }
	if err := json.Unmarshal(n.out.Bytes(), &answer); err != nil {
		return nil, err
	}
	return map[string]float64{"ready": answer.MS, "rss": answer.RSS, "private": answer.Private}, nil
}

func (n *nodeParent) end() {
	_ = n.in.Close() // ends the parent's loop
	_ = n.command.Wait()
}
