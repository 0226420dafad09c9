package supervisor_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/testdata/site"
)

// beatLoop is page code that tells the site every 100 ms that it is alive.
const beatLoop = `for (let i = 0; ; i++) { await page.evaluate(n => fetch("/beat?n=" + n), i); await new Promise(done => setTimeout(done, 100)); }`

// quietFor fails when a beat reaches the site during d, or none ever did.
func quietFor(t *testing.T, at *site.Server, d time.Duration) {
	t.Helper()
	before := len(at.Beats())
	if before == 0 {
		t.Fatal("no beat ever reached the site")
	}
	time.Sleep(d)
	if late := len(at.Beats()) - before; late > 0 {
		t.Fatalf("%d beats after the end", late)
	}
}

func TestCallTimeoutStopsThePageAndTheScriptGoesOn(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	op := operation{script: `
		const began = Date.now();
		let problem = "none";
		try { await page(` + "`" + beatLoop + "`" + `, 1); } catch (error) { problem = error.message; }
		const took = Date.now() - began;
		let later = "none";
		try { await page("return 1"); } catch (error) { later = error.message; }
		return { took, problem, later };`}
	out := op.execute(t, s, at.URL, func(r *supervisor.Request) { r.Effect = outcome.Read })
	quietFor(t, at, 3*time.Second)
	var got struct {
		Took           int
		Problem, Later string
	}
	decode(t, out, &got)
	if got.Took < 1000 || got.Took > 1700 {
		t.Errorf("the error came after %d ms, want 1000 to 1700", got.Took)
	}
	if !strings.Contains(got.Problem, "1s") || !strings.Contains(got.Later, "nothing is replayed") {
		t.Errorf("errors: %q, then %q", got.Problem, got.Later)
	}
}

func TestDeadlineStopsThePage(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	op := operation{script: "await page(`" + beatLoop + "`, 60);"}
	out := op.execute(t, s, at.URL, func(r *supervisor.Request) { r.Effect, r.Timeout = outcome.Write, time.Second })
	quietFor(t, at, 3*time.Second)
	wantFailed(t, out, outcome.OutcomeUnknown, string(ipc.CauseDeadline), "")
}

func TestCancelStopsThePage(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(at.Beats()) < 3 && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	op := operation{script: "await page(`" + beatLoop + "`, 60);"}
	out, err := s.Run(ctx, supervisor.Request{Artifact: op.save(t), URL: at.URL, Effect: outcome.Read})
	if err != nil {
		t.Fatal(err)
	}
	quietFor(t, at, 3*time.Second)
	wantFailed(t, out, outcome.ExecutionFailed, string(ipc.CauseCancelled), "")
}

func TestKilledWorkerEndsItsRunAlone(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	type answer struct {
		out  supervisor.Outcome
		when time.Time
	}
	done := make(chan answer)
	op := operation{script: "await page(`" + beatLoop + "`, 60);"}
	go func() {
		out, err := s.Run(t.Context(), supervisor.Request{Artifact: op.save(t), URL: at.URL, Effect: outcome.Read})
		if err != nil {
			t.Error(err)
		}
		done <- answer{out, time.Now()}
	}()
	eventually(t, 20*time.Second, "the page is alive", func() bool { return len(at.Beats()) > 2 })
	pids := childWorkers(t, os.Getpid())
	if len(pids) != 1 {
		t.Fatalf("workers alive: %v, want the one of this run", pids)
	}
	killed := time.Now()
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	got := <-done
	if took := got.when.Sub(killed); took > time.Second {
		t.Errorf("the run ended %v after its worker, want at most 1 s", took)
	}
	wantFailed(t, got.out, outcome.ExecutionFailed, string(ipc.CauseWorkerLost), "")
	quietFor(t, at, time.Second)
	wantCompleted(t, operation{script: `return await page("return 2 + 2");`}.execute(t, s, at.URL), `4`)
}

// childWorkers gives the worker processes that are children of pid.
func childWorkers(t testing.TB, pid int) (pids []int) {
	t.Helper()
	for _, line := range processes(t, "\x00worker") {
		child, err := strconv.Atoi(strings.Split(line, "/")[2])
		if err != nil {
			t.Fatal(err)
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		if err != nil {
			continue
		}
		rest := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if rest[1] == strconv.Itoa(pid) {
			pids = append(pids, child)
		}
	}
	return pids
}

func TestKilledSupervisorLeavesNothing(t *testing.T) {
	for _, wedged := range []bool{false, true} {
		t.Run(fmt.Sprintf("wedged=%v", wedged), func(t *testing.T) {
			at := startSite(t)
			temp := t.TempDir()
			op := operation{script: "await page(`" + beatLoop + "`, 60);"}
			child := command("supervise", op.save(t).Dir, at.URL, strconv.FormatBool(wedged))
			child.Env = append(os.Environ(), "TMPDIR="+temp)
			out, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			wedge, err := child.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			eventually(t, 20*time.Second, "the page is alive", func() bool { return len(at.Beats()) > 2 })
			if wedged {
				if _, err := io.WriteString(wedge, "now\n"); err != nil {
					t.Fatal(err)
				}
				if line, _ := bufio.NewReader(out).ReadString('\n'); line != "wedged\n" {
					t.Fatalf("the supervisor said %q", line)
				}
			}
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.Copy(io.Discard, out) }()
			_ = child.Wait()
			eventually(t, 2*time.Second, "nothing of the supervisor runs", func() bool {
				return len(processes(t, temp)) == 0 && len(childWorkers(t, child.Process.Pid)) == 0
			})
			quietFor(t, at, time.Second)

			left, err := filepath.Glob(filepath.Join(temp, "*"))
			if err != nil || len(left) == 0 {
				t.Fatalf("the killed supervisor left nothing on disk to sweep (%v): this test shows nothing", err)
			}
			t.Setenv("TMPDIR", temp)
			next := newSupervisor(t)
			wantCompleted(t, operation{script: `return 1;`}.execute(t, next, at.URL), `1`)
			if err := next.Close(); err != nil {
				t.Error(err)
			}
			if left, _ = filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
				t.Errorf("left on disk: %v", left)
			}
		})
	}
}

// supervise is a supervisor in a process of its own, to be killed: DIR URL WEDGE.
func supervise(args []string) {
	a, err := artifact.Load(args[0])
	if err != nil {
		panic(err)
	}
	s, err := supervisor.New(supervisor.Options{Worker: workerCommand()})
	if err != nil {
		panic(err)
	}
	if args[2] == "true" {
		go func() {
			_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
			if err := supervisor.WedgePipe(s); err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println("wedged")
		}()
	}
	out, err := s.Run(context.Background(), supervisor.Request{Artifact: a, URL: args[1]})
	fmt.Println(out, err)
}

func decode(t *testing.T, out supervisor.Outcome, into any) {
	t.Helper()
	if out.Status != outcome.Completed {
		t.Fatalf("the run failed: %s (%+v)", out.Error, out.Details)
	}
	if err := json.Unmarshal(out.Output, into); err != nil {
		t.Fatalf("output %s: %v", out.Output, err)
	}
}
