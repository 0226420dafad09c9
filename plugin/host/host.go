// Package host is the supervisor's side of a worker's start: it starts the process with two sockets and an empty
// environment, does go-plugin's handshake, opens the one session, and knows at once how and when the process ended.
//
// It owns a worker's process and nothing of what it does: package serve is its counterpart in the worker, package supervisor
// gives the messages their meaning. A worker opens no socket and listens nowhere, and leaves nothing on disk.
package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/pomerado-go/pomerado/plugin"
)

// ErrLost is wrapped by every error whose reason is that the worker is no longer there.
var ErrLost = errors.New("the worker is gone")

// ErrJail is wrapped by Start's and Open's errors when the worker could not be jailed.
var ErrJail = errors.New("the worker could not be jailed")

// startLimit bounds a start whose context has no end of its own.
const startLimit = time.Minute

// Config says how workers are started.
type Config struct {
	// Command is the worker's program and its first arguments, `pomerado worker`.
	Command []string
	// NoJail asks the worker to go on without its jail.
	NoJail bool
	// MemoryLimit is the ceiling of the worker's heap in bytes, plugin.DefaultMemory when 0.
	MemoryLimit int64
	// Log hears of starts and ends; nil for nowhere.
	Log *slog.Logger
}

// Worker is one worker's process.
type Worker struct {
	log        *slog.Logger
	process    *process
	client     *goplugin.Client
	grpc       *grpc.ClientConn
	jailWanted bool
	control    *controlConn
	cdp        net.Conn

	// ctx ends with the process. It is the worker's own: a start's context ends long before.
	ctx    context.Context
	cancel context.CancelCauseFunc
	opened atomic.Bool
	done   chan struct{}
	exit   ExitInfo // set when done is closed
}

// Start starts a worker and returns once it has said that it is one. ctx bounds the start and not the worker's life: Kill
// ends it, and whoever starts a worker calls Kill.
func Start(ctx context.Context, config Config) (*Worker, error) {
	if len(config.Command) == 0 {
		return nil, errors.New("starting a worker: no command is named")
	}
	path, err := resolve(config.Command[0])
	if err != nil {
		return nil, fmt.Errorf("starting a worker: %w", err)
	}
	memory := config.MemoryLimit
	if memory <= 0 {
		memory = plugin.DefaultMemory
	}
	args := append(slices.Clone(config.Command), plugin.ArgMemory+strconv.FormatInt(memory, 10))
	if config.NoJail {
		args = append(args, plugin.ArgJailOff)
	}
	log := config.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, startLimit)
		defer cancel()
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("starting worker %q: %w", path, context.Cause(ctx))
	}

	process, control, cdp, err := spawn(path, args, environment())
	if err != nil {
		return nil, fmt.Errorf("starting worker %q: %w", path, err)
	}
	w := &Worker{
		log: log, process: process, control: newControlConn(control), cdp: cdp, done: make(chan struct{}),
		jailWanted: !config.NoJail && jailable,
	}
	w.ctx, w.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	// Until the start is over, its context's end is the worker's.
	detach := context.AfterFunc(ctx, w.Kill)
	err = w.shakeHands()
	if err == nil {
		err = w.connect()
	}
	go w.reap()
	if !detach() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		w.Kill()
		<-w.done
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("starting worker %q: %w", path, w.explain(err))
	}
	log.Debug("A worker started", "pid", process.pid)
	return w, nil
}

// jailable says whether workers are jailed on this system, so that one that says it is not is not believed.
const jailable = runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")

// resolve finds a program as a shell would, once and for all: the worker starts in the root folder.
func resolve(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", err
	}
	return filepath.Abs(path)
}

// environment is all a worker's environment holds: what go-plugin's handshake asks for, which the worker clears on reading.
func environment() []string {
	return []string{
		plugin.Handshake.MagicCookieKey + "=" + plugin.Handshake.MagicCookieValue,
		"PLUGIN_PROTOCOL_VERSIONS=" + strconv.FormatUint(uint64(plugin.Handshake.ProtocolVersion), 10),
	}
}

// shakeHands reads go-plugin's handshake, the worker's first line. What comes after it on stdout is read and dropped.
func (w *Worker) shakeHands() error {
	line, err := w.process.firstLine()
	if err != nil {
		return fmt.Errorf("%w before its handshake", ErrLost)
	}
	return checkHandshake(line)
}

// checkHandshake reads go-plugin's line: its own protocol, ours, a network and an address that do not matter here, and gRPC.
func checkHandshake(line string) error {
	parts := strings.Split(line, "|")
	if len(parts) < 5 || parts[0] != strconv.Itoa(goplugin.CoreProtocolVersion) || parts[4] != string(goplugin.ProtocolGRPC) {
		return errors.New("its first line is no handshake: the program is no pomerado worker, or prints something before it serves")
	}
	if want := strconv.FormatUint(uint64(plugin.Handshake.ProtocolVersion), 10); parts[1] != want {
		return fmt.Errorf("it speaks protocol %.20q and this supervisor %s: they are of different versions", parts[1], want)
	}
	return nil
}

// reap learns of the process's end and takes everything of the worker down, in the order that loses nothing: what the worker
// sent before it ended is read first.
func (w *Worker) reap() {
	<-w.process.ended
	w.process.reading.Wait()
	w.control.drained()
	w.exit = w.process.exit
	if w.client != nil {
		w.client.Kill() // ends go-plugin's goroutines; the process is dead already
	}
	w.cancel(ErrLost)
	_ = w.control.Close()
	_ = w.cdp.Close()
	w.log.Debug("A worker ended", "pid", w.process.pid, "exit", w.exit.String())
	close(w.done)
}

// Kill ends the process now, without asking it. It returns at once; Done tells when nothing of the worker is left.
func (w *Worker) Kill() { w.process.kill() }

// Done is closed once the process has ended and its sockets are closed.
func (w *Worker) Done() <-chan struct{} { return w.done }

// Exit tells how the process ended. It waits for the end.
func (w *Worker) Exit() ExitInfo {
	<-w.done
	return w.exit
}

// PID is the process's id.
func (w *Worker) PID() int { return w.process.pid }

// CDP is the other end of the worker's socket of CDP frames. It is closed when the worker ends.
func (w *Worker) CDP() net.Conn { return w.cdp }

// explain adds to err what the ended process had to say of it.
func (w *Worker) explain(err error) error {
	exit := w.Exit()
	if exit.JailFailed {
		err = ErrJail
	}
	if said := strings.TrimSpace(exit.StderrTail); said != "" {
		return fmt.Errorf("%w (%s); it said: %s", err, exit, said)
	}
	return fmt.Errorf("%w (%s)", err, exit)
}

// ExitInfo is how a worker's process ended.
type ExitInfo struct {
	// Code is the exit code, -1 when a signal ended it.
	Code int
	// Signal is the signal that ended it, "" when none did.
	Signal string
	// StderrTail is the last 4 KiB the worker printed.
	StderrTail string
	// OutOfMemory says that the process ended because the system gave it no more memory, by the Go runtime's own words.
	OutOfMemory bool
	// JailFailed says that the process ended because it could not be jailed.
	JailFailed bool
}

func (e ExitInfo) String() string {
	switch {
	case e.Signal != "":
		return "signal: " + e.Signal
	case e.OutOfMemory:
		return "exit code " + strconv.Itoa(e.Code) + ", out of memory"
	default:
		return "exit code " + strconv.Itoa(e.Code)
	}
}

func exitInfo(state *os.ProcessState, stderr *tail) ExitInfo {
	info := ExitInfo{Code: state.ExitCode(), Signal: signalOf(state), StderrTail: stderr.text()}
	info.OutOfMemory = info.Code == 2 && stderr.sawOutOfMemory()
	info.JailFailed = info.Code == plugin.ExitJailFailed
	return info
}

// controlConn is the host's end of the control socket. It tells when the worker's end is closed and everything is read.
type controlConn struct {
	net.Conn
	once sync.Once
	eof  chan struct{}
	used atomic.Bool
}

func newControlConn(conn net.Conn) *controlConn {
	return &controlConn{Conn: conn, eof: make(chan struct{})}
}

func (c *controlConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.once.Do(func() { close(c.eof) })
	}
	return n, err
}

// drainLimit bounds the wait for the last bytes of a dead worker, as outputLimit does for what it printed.
const drainLimit = 2 * time.Second

func (c *controlConn) drained() {
	if !c.used.Load() {
		return
	}
	limit := time.NewTimer(drainLimit)
	defer limit.Stop()
	select {
	case <-c.eof:
	case <-limit.C:
	}
}
