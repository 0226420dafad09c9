package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pomerado-go/pomerado/plugin/host"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
)

type doctorCommand struct {
	Fix     bool   `help:"Install a browser through the system's package manager where none is found."`
	Browser string `placeholder:"PATH" env:"POMERADO_BROWSER" help:"The browser to look at."`
}

// layers are the jail's, in the order they are applied, with what each stops.
var layers = []struct{ name, stops string }{
	{"rlimits", "core dumps, and one allocation that would take the machine's memory"},
	{"no_new_privs", "gaining rights through set-uid programs"},
	{"not_dumpable", "another process of the same user reading its memory"},
	{"landlock", "opening files, and connecting or listening on TCP"},
	{"seccomp", "every system call but about fifty: no new process, no socket, no signal to others"},
}

// Run prints what a run needs and whether it is here. It starts the browser and a worker once, because only that proves them.
func (c *doctorCommand) Run(a *app) error {
	fmt.Fprintf(a.stdout, "pomerado  %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	browser := c.browser(a)
	worker := c.worker(a)
	if browser != nil {
		return browser
	}
	return worker
}

func (c *doctorCommand) browser(a *app) error {
	found, err := chromium.Find(chromium.FindOptions{Path: c.Browser})
	if err != nil && c.Fix && c.Browser == "" {
		fmt.Fprintln(a.stdout, "browser   none is here; installing one")
		if err := installBrowser(a); err != nil {
			return err
		}
		found, err = chromium.Find(chromium.FindOptions{})
	}
	if err != nil {
		fmt.Fprintf(a.stdout, "browser   missing: %v\n", err)
		return &failure{code: exitNoBrowser, cause: err, what: "There is no browser to run with", advice: c.remedy()}
	}
	ctx, cancel := context.WithTimeout(a.ctx, 30*time.Second)
	defer cancel()
	started, err := chromium.Launch(ctx, chromium.LaunchOptions{Found: found, Log: a.log()})
	if err != nil {
		fmt.Fprintf(a.stdout, "browser   %s at %s does not start\n", found.Product, found.Path)
		return &failure{code: exitNoBrowser, cause: err, what: err.Error(), advice: "Install chromium-headless-shell, or point --browser at one that starts"}
	}
	product := started.Version().Product
	if err := started.Close(); err != nil {
		a.note("ending the browser: %v", err)
	}
	fmt.Fprintf(a.stdout, "browser   %s, %s, at %s\n", found.Product, product, found.Path)
	return nil
}

// remedy says how to get a browser here.
func (c *doctorCommand) remedy() string {
	if c.Browser != "" {
		return "Point --browser (or POMERADO_BROWSER) at a Chromium or Chrome, or leave it out"
	}
	return "Run `pomerado doctor --fix`, or install chromium-headless-shell by hand"
}

func (c *doctorCommand) worker(a *app) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(a.ctx, 30*time.Second)
	defer cancel()
	held, err := startedWorker(ctx, []string{program, workerCommand})
	if err != nil {
		fmt.Fprintf(a.stdout, "worker    does not start: %v\n", err)
		return &failure{code: exitFailed, cause: err, what: "A worker does not start here: " + err.Error(),
			advice: "Run with --jail=off to see whether the jail is the reason; authored code is unconfined then"}
	}
	fmt.Fprintf(a.stdout, "worker    starts and says it is ready\n")
	for _, layer := range layers {
		mark := "holds  "
		if !slices.Contains(held, layer.name) {
			mark = "missing"
		}
		fmt.Fprintf(a.stdout, "jail      %s %-13s stops %s\n", mark, layer.name, layer.stops)
	}
	if len(held) == 0 {
		fmt.Fprintf(a.stdout, "jail      none on %s: a worker is a process of its own, and nothing more\n", runtime.GOOS)
	}
	return nil
}

// startedWorker starts one worker, waits until it is ready and ends it. It returns the jail layers the worker says it holds.
func startedWorker(ctx context.Context, command []string) ([]string, error) {
	worker, err := host.Start(ctx, host.Config{Command: command})
	if err != nil {
		return nil, err
	}
	defer func() {
		worker.Kill()
		<-worker.Done()
	}()
	session, err := worker.Open(ctx)
	if err != nil {
		if tail := strings.TrimSpace(worker.Exit().StderrTail); tail != "" {
			return nil, fmt.Errorf("%w; it said: %s", err, tail)
		}
		return nil, err
	}
	return session.Jail(), nil
}
