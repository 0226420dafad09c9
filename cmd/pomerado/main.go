// Command pomerado runs saved website operations. It owns flags, environment, streams and exit codes, one file a subcommand, and no
// logic: the work is package supervisor's. `pomerado worker` is the same binary as a jailed child; it leaves for package workers in the
// first line of main, so that nothing here can write on the protocol's stdout.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/pomerado-go/pomerado/workers"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == workerCommand {
		workers.Main(os.Args[2:])
		return
	}
	os.Exit(execute(os.Args[1:]))
}

// workerCommand is the hidden subcommand the supervisor starts its workers with.
const workerCommand = "worker"

// cli is the command line. Its help names what is there, nothing that is to come.
type cli struct {
	Run     runCommand     `cmd:"" help:"Run a saved artifact on its site and print its answer."`
	Pack    packCommand    `cmd:"" help:"Save an authored tool as an artifact."`
	Exec    execCommand    `cmd:"" help:"Run page code given on standard input, one JSON request a line."`
	Demo    demoCommand    `cmd:"" help:"Run a bundled artifact on a bundled site."`
	Doctor  doctorCommand  `cmd:"" help:"Say what a run needs, what holds here, and how to get what is missing."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// app is what every subcommand gets: the process's streams and a context that ends with Ctrl-C or SIGTERM.
type app struct {
	ctx    context.Context
	stdin  *os.File
	stdout io.Writer
	stderr *os.File
}

// execute runs one command line and returns the process's exit code.
func execute(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal ends the run in order; the second one ends the process, as the system's default.
	defer context.AfterFunc(ctx, stop)()

	helped := false
	parser, err := kong.New(&cli{},
		kong.Name("pomerado"),
		kong.Description("Runs website tasks that were saved as typed tools, each in a jailed worker and a fresh browser context."),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Writers(os.Stdout, os.Stderr),
		kong.Exit(func(int) { helped = true }),
	)
	if err != nil {
		return complain(os.Stderr, fmt.Errorf("building the command line: %w", err))
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if helped { // --help printed the usage and would have ended the process
		return exitOK
	}
	if err != nil {
		return complain(os.Stderr, misread(err, args[0]))
	}
	return complain(os.Stderr, parsed.Run(&app{ctx, os.Stdin, os.Stdout, os.Stderr}))
}

// misread words what the flag parser refuses.
func misread(err error, command string) *failure {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context != nil && wrong.Context.Selected() != nil {
		command = wrong.Context.Selected().Name
		text := err.Error()
		return usage(strings.ToUpper(text[:1])+text[1:], fmt.Sprintf("See `pomerado %s --help`", command))
	}
	return usage(fmt.Sprintf("There is no command %q", command), "See `pomerado --help`")
}

// The exit codes, fixed: scripts branch on them.
const (
	exitOK        = 0
	exitFailed    = 1 // the run failed, was cancelled, or its write is unconfirmed
	exitUsage     = 2 // bad flags, input or artifact; nothing was started
	exitQuestion  = 3 // the run failed because nobody here can answer its question
	exitNoBrowser = 4 // no browser could be started
)

// failure is an error with its exit code: one sentence of what happened, one of what to do.
type failure struct {
	code    int
	what    string
	advice  string
	cause   error
	printed bool // stderr has it already
}

func (f *failure) Error() string { return f.what }
func (f *failure) Unwrap() error { return f.cause }

func usage(what, advice string) *failure {
	return &failure{code: exitUsage, what: what, advice: advice}
}

// complain prints an error as its two sentences and returns the exit code it stands for.
func complain(stderr io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{code: exitFailed, what: err.Error()}
	}
	if !f.printed {
		fmt.Fprintf(stderr, "pomerado: %s\n", sentence(f.what))
		if f.advice != "" {
			fmt.Fprintln(stderr, sentence(f.advice))
		}
	}
	return f.code
}

// sentence ends a text that does not end itself.
func sentence(text string) string {
	if text == "" {
		return text
	}
	switch text[len(text)-1] {
	case '.', '!', '?', ':', '\n':
		return text
	}
	return text + "."
}
