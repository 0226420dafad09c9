package chromium

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// startLimit is how long a browser may take to answer its first command. A loaded machine needs seconds.
const startLimit = 60 * time.Second

// LaunchOptions say how to start a browser.
type LaunchOptions struct {
	Found Found
	// Headed opens windows.
	Headed bool
	// Log gets the browser's own output at debug level; nil for none.
	Log *slog.Logger
	// ExtraArgs are added to the command line as they are.
	ExtraArgs []string
}

// Version is what a browser says of itself.
type Version struct {
	// Product is "HeadlessChrome/156.0.8078.114" or alike.
	Product   string `json:"product"`
	Protocol  string `json:"protocolVersion"`
	Revision  string `json:"revision"`
	UserAgent string `json:"userAgent"`
	V8        string `json:"jsVersion"`
}

// Browser is a running browser, launched by us or attached to.
type Browser struct {
	transport cdp.Transport
	version   Version
	dir       string
	process   *process // nil when attached
	done      <-chan struct{}
	ended     func() error
	close     func() error
}

// Launch starts a browser with a fresh profile in a private folder and returns when it has answered. ctx bounds the start only. The
// browser dies with this process, however it ends. The caller closes it.
func Launch(ctx context.Context, options LaunchOptions) (*Browser, error) {
	dir, err := newFolder("browser")
	if err != nil {
		return nil, err
	}
	b, err := launchIn(ctx, dir, options)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return b, nil
}

func launchIn(ctx context.Context, dir string, options LaunchOptions) (*Browser, error) {
	// Everything Chromium writes goes below dir. The name is short: a socket's path below it may have 107 bytes.
	temporary := filepath.Join(dir, "t")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		return nil, fmt.Errorf("making the browser's folder: %w", err)
	}
	args := arguments(options, filepath.Join(dir, "profile"), os.Geteuid() == 0, smallSharedMemory())
	p, transport, err := startProcess(options.Found.Path, args, environment(os.Environ(), temporary), options.Log)
	if err != nil {
		return nil, fmt.Errorf("starting the browser %q: %w", options.Found.Path, err)
	}
	b := &Browser{transport: transport, dir: dir, process: p, done: p.dead, ended: p.Err}
	b.close = sync.OnceValue(func() error {
		p.kill()
		err := errors.Join(transport.Close(), p.wait())
		return errors.Join(err, os.RemoveAll(dir))
	})
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, fmt.Errorf("it did not answer within %s", startLimit))
	defer cancel()
	if err := b.greet(ctx); err != nil {
		select {
		case <-p.dead:
			// A browser that ended says why better than the pipe that broke.
			<-p.gone
			err = fmt.Errorf("starting the browser %q: %w", options.Found.Path, p.Err())
		default:
			err = fmt.Errorf("starting the browser %q: %w%s", options.Found.Path, err, p.stderr.quote())
		}
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

// greet proves that the browser works by asking for its version.
func (b *Browser) greet(ctx context.Context) error {
	type answer struct {
		version Version
		err     error
	}
	answered := make(chan answer, 1)
	go func() {
		version, err := askVersion(ctx, b.transport)
		answered <- answer{version, err}
	}()
	select {
	case a := <-answered:
		if a.err != nil && b.process != nil {
			// The pipe breaks a moment before the process is gone, and only the process knows why.
			select {
			case <-b.process.dead:
			case <-ctx.Done():
			}
		}
		b.version = a.version
		return a.err
	case <-ctx.Done():
		_ = b.transport.Close()
		<-answered
		return context.Cause(ctx)
	}
}

func askVersion(ctx context.Context, transport cdp.Transport) (Version, error) {
	if err := transport.Send(ctx, []byte(`{"id":1,"method":"Browser.getVersion"}`)); err != nil {
		return Version{}, err
	}
	for {
		frame, err := transport.Receive()
		if err != nil {
			return Version{}, err
		}
		parts, ok := cdp.Cut(frame)
		if !ok || parts.ID != 1 {
			continue
		}
		var version Version
		if err := decodeVersion(parts, &version); err != nil {
			return Version{}, fmt.Errorf("asking the browser for its version: %w", err)
		}
		return version, nil
	}
}

// Transport carries CDP to and from the browser. Its one reader is the caller's.
func (b *Browser) Transport() cdp.Transport { return b.transport }

// Done is closed at once when the browser's process has died, or when the connection to an attached browser has ended.
func (b *Browser) Done() <-chan struct{} { return b.done }

// Err says how the browser ended, with its own last words; nil before Done.
func (b *Browser) Err() error { return b.ended() }

// Close kills the browser with all its processes, waits for them to be gone and removes its folder; of an attached browser it ends the
// connection only. It may be called more than once and never waits for a pipe.
func (b *Browser) Close() error { return b.close() }

// PID is the browser's process; 0 when attached.
func (b *Browser) PID() int {
	if b.process == nil {
		return 0
	}
	return b.process.pid
}

// Attached says that the browser is somebody else's: its proxy, profile and life are not ours.
func (b *Browser) Attached() bool { return b.process == nil }

// Version is what the browser said of itself at the start.
func (b *Browser) Version() Version { return b.version }

// stderrKept is how much of the end of the browser's own output is kept.
const stderrKept = 4 << 10

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	log  *slog.Logger
}

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, text[max(0, len(text)-stderrKept):]...)
	t.kept = append(t.kept[:0], t.kept[max(0, len(t.kept)-stderrKept):]...)
	t.mu.Unlock()
	if t.log != nil {
		t.log.Debug("browser output", "text", strings.TrimSpace(string(text)))
	}
	return len(text), nil
}

// quote gives the last lines for an error message; empty when nothing was said. Lines about the session bus are left out: Chromium
// writes a dozen of them wherever there is no desktop.
func (t *tail) quote() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(string(t.kept), "?")) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.Contains(line, ":ERROR:dbus/") {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return ". It wrote:\n  " + strings.Join(lines[max(0, len(lines)-12):], "\n  ")
}
