package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/cursor"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/supervisor/asker"
)

type runCommand struct {
	Dir string `arg:"" optional:"" placeholder:"DIR" help:"The artifact's folder."`

	Input     string        `default:"{}" placeholder:"JSON|@FILE|-" help:"The operation's input, as JSON, from a file, or from standard input."`
	URL       string        `name:"url" placeholder:"URL" help:"An address of the site; its origin counts. The deployment's when not given."`
	Effect    string        `placeholder:"read|write" help:"What the run is declared to do (read, write). The deployment's when not given."`
	Timeout   time.Duration `default:"20m" placeholder:"20m" help:"The run's own time; questions do not count."`
	Answers   string        `placeholder:"FILE" help:"Answer the tool's questions from this JSON file: question id to one answer, or to a list used in order."`
	Downloads string        `placeholder:"DIR" help:"Keep the files the tool collects here, each as ID/NAME. A temporary folder, for half an hour, when not given."`
	CursorKey string        `name:"cursor-key" placeholder:"FILE" help:"Sign list cursors with the first secret of this file, which is made when it is missing, so that they outlive this command. Further lines are earlier secrets."`
	JSON      bool          `name:"json" help:"Print the whole outcome as one JSON object."`
	Quiet     bool          `short:"q" help:"Print no progress."`
	browserFlags

	// What upstream's command line has.
	Artifact       string  `hidden:""`
	TimeoutSeconds float64 `hidden:""`
	Intent         string  `hidden:""`
	Plugin         string  `hidden:""`
	Trace          string  `hidden:""`
}

// Help is printed below the flags by `pomerado run --help`.
func (runCommand) Help() string {
	return `Standard output has the operation's answer and nothing else; progress, questions and errors are on standard error.

A file of the input is given as a file: URL, such as {"receipt": "file:///receipts/march.pdf"}. The answer names a collected file's place on disk as its download_url.

Exit codes: 0 completed, 1 failed or unconfirmed, 2 bad flags, input or artifact, 3 a question nobody here could answer, 4 no browser.`
}

// Run runs one artifact once.
func (c *runCommand) Run(a *app) error {
	effect, err := c.check(a)
	if err != nil {
		return err
	}
	input, err := readInput(c.Input, a.stdin)
	if err != nil {
		return err
	}
	door, err := c.door(a)
	if err != nil {
		return err
	}
	keys, err := readCursorKeys(c.CursorKey)
	if err != nil {
		return err
	}
	saved, err := artifact.Load(c.Dir)
	if err != nil {
		return refusedArtifact(c.Dir, err)
	}
	request := supervisor.Request{Artifact: saved, Input: input, URL: c.URL, Effect: effect, Timeout: c.Timeout, Asker: door}
	return runOnce(a, &c.browserFlags, keys, request, c.Downloads, c.JSON, c.Quiet)
}

// check settles what the flags mean together, before anything is read or started.
func (c *runCommand) check(a *app) (outcome.Effect, error) {
	if err := c.browserFlags.check(); err != nil {
		return "", err
	}
	if c.Plugin != "" {
		return "", usage("--plugin "+c.Plugin+" cannot be run: operations in other languages need a plugin host, which this version does not have",
			"Run an artifact with authored JavaScript or TypeScript instead")
	}
	if c.Trace != "" {
		return "", usage("--trace "+c.Trace+" cannot be written: this version records no traces",
			"Leave the flag out; POMERADO_LOG=debug shows what the supervisor does")
	}
	if c.Intent != "" {
		a.note("--intent is ignored: a run follows the saved source")
	}
	switch {
	case c.Dir == "":
		c.Dir = c.Artifact
	case c.Artifact != "" && c.Artifact != c.Dir:
		return "", usage(fmt.Sprintf("Two artifacts are given, %s and --artifact %s", c.Dir, c.Artifact), "Name one folder")
	}
	if c.Dir == "" {
		return "", usage("No artifact is given", "Name its folder: pomerado run DIR")
	}
	if c.TimeoutSeconds != 0 {
		c.Timeout = time.Duration(c.TimeoutSeconds * float64(time.Second))
	}
	if c.Timeout <= 0 {
		return "", usage("The run's time must be above zero", "Give it like --timeout 90s")
	}
	effect := outcome.Effect(c.Effect)
	switch {
	case c.Effect == "ask":
		a.note("--effect ask is ignored: a run asks nobody what it is")
		return outcome.NoEffect, nil
	case effect.Valid():
		return effect, nil
	}
	return "", usage(fmt.Sprintf("--effect %s is none of read and write", c.Effect), "Leave it out to take the deployment's")
}

// door chooses who answers the run's questions.
func (c *runCommand) door(a *app) (asker.Asker, error) {
	if c.Answers != "" {
		door, err := asker.OpenFile(c.Answers)
		if err != nil {
			return nil, &failure{code: exitUsage, cause: err, what: fmt.Sprintf("Reading the answers from %s failed: %v", c.Answers, err),
				advice: "Write one JSON object: question id to an answer, or to a list of answers used in order"}
		}
		return door, nil
	}
	if c.Input == "-" || !term.IsTerminal(a.stdin.Fd()) {
		return nil, nil
	}
	return asker.NewTerminal(a.stdin, a.stderr), nil
}

// quietDoor takes the status line away while its door asks.
type quietDoor struct {
	asker.Asker
	status *status
}

func (d quietDoor) Ask(ctx context.Context, request question.Request) (map[string]json.RawMessage, error) {
	defer d.status.hide()()
	return d.Asker.Ask(ctx, request)
}

// runOnce runs a request in a supervisor of its own and prints how it ended; keys sign its list cursors. Files the run collected stay when
// the command ends: in the folder downloads, or, when that is empty, for half an hour in a temporary one.
func runOnce(a *app, flags *browserFlags, keys []cursor.Key, request supervisor.Request, downloads string, asJSON, quiet bool) error {
	s, err := flags.supervise(a, 0, supervisor.FileOptions{Downloads: downloads, Leave: true}, keys...)
	if err != nil {
		return refusedRun(err)
	}
	line := newStatus(a.stderr, quiet)
	request.Progress = func(p supervisor.Progress) { line.step(p.Text) }
	if request.Asker != nil {
		request.Asker = quietDoor{request.Asker, line}
	}
	ended, err := s.Run(a.ctx, request)
	line.close()
	if err == nil {
		err = report(a, ended, asJSON) // nothing of the run is left: who waits for the answer need not wait for Chromium's end
	} else {
		err = refusedRun(err)
	}
	if closing := s.Close(); closing != nil {
		a.note("ending the supervisor: %v", closing)
	}
	return err
}

// cancelled is the code of a run that Ctrl-C or SIGTERM ended, as callers of the command know it. What became of the site is told by the
// outcome's other fields, whatever the code.
const cancelled outcome.Code = "cancelled"

// report prints an outcome: the answer on stdout, what went wrong on stderr.
func report(a *app, ended supervisor.Outcome, asJSON bool) error {
	if ended.Details.Cause == string(ipc.CauseCancelled) {
		ended.Code = cancelled
	}
	var answer any = ended.Output
	if asJSON {
		answer = ended.Outcome
	}
	if asJSON || len(ended.Output) > 0 {
		if err := printJSON(a.stdout, answer); err != nil {
			return err
		}
	}
	if ended.Status == outcome.Completed {
		return nil
	}
	a.note("%s", ended.Error)
	failed := &failure{code: exitFailed, what: ended.Error, printed: true}
	if len(ended.Unanswerable) > 0 {
		failed.code = exitQuestion
		a.note("Nobody here could be asked: %s. Run it on a terminal, or give --answers FILE", strings.Join(ended.Unanswerable, ", "))
	}
	return failed
}

// printJSON prints a value as 2-space JSON and a newline, leaving texts as they are.
func printJSON(w io.Writer, value any) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("printing the answer: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// refusedArtifact is a folder that cannot be used or written. The error's own text begins with the file within the folder, and ends with
// what to do.
func refusedArtifact(dir string, err error) error {
	what := err.Error()
	var folder *artifact.Error
	if errors.As(err, &folder) && folder.Path != dir && folder.Path != "" {
		what = filepath.Join(dir, folder.Path) + strings.TrimPrefix(what, folder.Path)
	}
	return &failure{code: exitUsage, what: what, cause: err}
}

// refusedRun is a run that could not be made.
func refusedRun(err error) error {
	var folder *artifact.Error
	var source *supervisor.SourceError
	var request *supervisor.UsageError
	switch {
	case errors.Is(err, supervisor.ErrNoBrowser):
		return &failure{code: exitNoBrowser, what: err.Error(), cause: err,
			advice: "Run `pomerado doctor` to see what is missing, or `pomerado doctor --fix` to install it"}
	case errors.As(err, &folder), errors.As(err, &request):
		return &failure{code: exitUsage, what: err.Error(), cause: err}
	case errors.As(err, &source):
		return &failure{code: exitUsage, what: err.Error(), cause: err, advice: "Correct the tool's source there; nothing was run"}
	}
	return &failure{code: exitFailed, what: "The run could not be made: " + err.Error(), cause: err,
		advice: "Run `pomerado doctor` to see what this machine lacks"}
}
