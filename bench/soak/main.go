// Command soak drives many runs at a time through one supervisor while it kills workers and Chromium, and reports what became of each run,
// what is left at the end and how the supervisor's memory grows. It exits 1 when a run had no outcome or none it may have, when anything is
// left, or when memory grows by more than 1 MB in 1,000 runs.
//
//	go run ./bench/soak -runs 2000 -at-a-time 8     # by hand, 15 to 30 minutes on two cores
//	go run ./bench/soak -runs 150 -kill-chromium 50 # in the nightly task
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/testdata/artifacts"
	"github.com/pomerado-go/pomerado/testdata/site"
	"github.com/pomerado-go/pomerado/workers"
)

// warmUp is how many runs go before memory is sampled, for what is made once and kept.
const warmUp = 200

// mostGrowth is how much the supervisor may grow, in MiB a thousand runs.
const mostGrowth = 1.0

type plan struct {
	runs, atATime, killWorker, killChromium int
	sample                                  time.Duration
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		workers.Main(os.Args[2:])
		return
	}
	var p plan
	flag.IntVar(&p.runs, "runs", 2000, "how many runs")
	flag.IntVar(&p.atATime, "at-a-time", 8, "how many of them at a time")
	flag.IntVar(&p.killWorker, "kill-worker", 20, "kill a worker at every so many runs; 0 for never")
	flag.IntVar(&p.killChromium, "kill-chromium", 200, "kill Chromium at every so many runs; 0 for never")
	flag.DurationVar(&p.sample, "sample", 30*time.Second, "how often memory is sampled")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	faults, err := p.drive(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(2)
	}
	for _, fault := range faults {
		fmt.Println("FAULT:", fault)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
}

// drive does all runs and returns what was wrong.
func (p plan) drive(ctx context.Context) (faults []string, err error) {
	temp, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	if err := os.Setenv("TMPDIR", temp); err != nil { // so that what is left can be told from what others leave
		return nil, err
	}
	saved, err := headingTool(temp)
	if err != nil {
		return nil, err
	}
	pages, err := site.Start()
	if err != nil {
		return nil, err
	}
	defer pages.Close()
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	before, err := count(temp)
	if err != nil {
		return nil, err
	}
	s, err := supervisor.New(supervisor.Options{Worker: []string{self, "worker"}, Spare: 1})
	if err != nil {
		return nil, err
	}
	tally := p.work(ctx, s, supervisor.Request{Artifact: saved, URL: pages.URL, Timeout: 2 * time.Minute})
	if err := s.Close(); err != nil {
		faults = append(faults, fmt.Sprintf("closing the supervisor: %v", err))
	}
	after, err := settle(temp, before)
	if err != nil {
		return nil, err
	}
	faults = append(faults, tally.report(p)...)
	fmt.Printf("left: %s\n", after)
	return append(faults, after.over(before)...), nil
}

func headingTool(temp string) (*artifact.Artifact, error) {
	folder := filepath.Join(temp, "heading")
	if err := os.CopyFS(folder, artifacts.Folder(artifacts.Heading)); err != nil {
		return nil, err
	}
	saved, err := artifact.Load(folder)
	if err != nil {
		return nil, err
	}
	return saved, os.RemoveAll(folder)
}

// tally is what became of the runs.
type tally struct {
	mu       sync.Mutex
	ends     map[string]int // outcome, or the host's error
	killed   struct{ workers, chromium int }
	memory   []sample
	took     time.Duration
	finished int
}

type sample struct{ runs, mib float64 }

func (p plan) work(ctx context.Context, s *supervisor.Supervisor, request supervisor.Request) *tally {
	t := &tally{ends: map[string]int{}}
	began := time.Now()
	var begun atomic.Int64
	var group sync.WaitGroup
	for range p.atATime {
		group.Go(func() {
			for ctx.Err() == nil {
				n := int(begun.Add(1))
				if n > p.runs {
					return
				}
				// A kill hits whatever runs at the time, this run or a neighbour, at any moment of it.
				if p.killWorker > 0 && n%p.killWorker == 0 && kill("worker", n) {
					t.note(func() { t.killed.workers++ })
				}
				if p.killChromium > 0 && n%p.killChromium == 0 && kill("--remote-debugging-pipe", n) {
					t.note(func() { t.killed.chromium++ })
				}
				ended, err := s.Run(ctx, request)
				t.note(func() {
					t.ends[endOf(ended, err)]++
					t.finished++
				})
			}
		})
	}
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	ticker := time.NewTicker(p.sample)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			t.took = time.Since(began)
			return t
		case <-ticker.C:
			t.note(func() {
				if mib, err := resident(); err == nil && t.finished >= warmUp {
					t.memory = append(t.memory, sample{float64(t.finished), mib})
				}
				fmt.Fprintf(os.Stderr, "%d runs\n", t.finished)
			})
		}
	}
}

func (t *tally) note(what func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	what()
}

func endOf(ended supervisor.Outcome, err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case err != nil:
		return "host error: " + err.Error()
	case ended.Status == outcome.Completed:
		return string(ended.Status)
	}
	return fmt.Sprintf("%s %s", ended.Code, ended.Details.Cause)
}

// mayEnd are the causes a killed process gives its runs.
var mayEnd = []ipc.Cause{ipc.CauseWorkerLost, ipc.CauseBrowserLost}

// report prints the tally and returns what of it is wrong.
func (t *tally) report(p plan) (faults []string) {
	fmt.Printf("%d runs in %v, %d at a time; killed %d workers and Chromium %d times\n", t.finished, t.took.Round(time.Second), p.atATime, t.killed.workers, t.killed.chromium)
	total := 0
	for _, end := range slices.Sorted(maps.Keys(t.ends)) {
		total += t.ends[end]
		fmt.Printf("%6d  %s\n", t.ends[end], end)
		fine := end == string(outcome.Completed) || slices.ContainsFunc(mayEnd, func(c ipc.Cause) bool {
			return end == fmt.Sprintf("%s %s", outcome.ExecutionFailed, c) || end == fmt.Sprintf("%s %s", outcome.OutcomeUnknown, c)
		})
		if !fine {
			faults = append(faults, fmt.Sprintf("%d runs ended with %q", t.ends[end], end))
		}
	}
	if total != p.runs {
		faults = append(faults, fmt.Sprintf("%d runs were begun and %d had an outcome", p.runs, total))
	}
	if len(t.memory) < 3 {
		fmt.Println("memory: too few samples for a slope")
		return faults
	}
	slope := growth(t.memory)
	fmt.Printf("memory: %.1f to %.1f MiB, %+.2f MiB a thousand runs\n", t.memory[0].mib, t.memory[len(t.memory)-1].mib, slope)
	if slope > mostGrowth {
		faults = append(faults, fmt.Sprintf("the supervisor grows by %.2f MiB a thousand runs; at most %.1f", slope, mostGrowth))
	}
	return faults
}

// growth is the slope of the least-squares line, in MiB a thousand runs.
func growth(samples []sample) float64 {
	var x, y float64
	for _, s := range samples {
		x, y = x+s.runs, y+s.mib
	}
	n := float64(len(samples))
	x, y = x/n, y/n
	var above, below float64
	for _, s := range samples {
		above += (s.runs - x) * (s.mib - y)
		below += (s.runs - x) * (s.runs - x)
	}
	if below == 0 {
		return 0
	}
	return 1000 * above / below
}
