package chromium

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// Attach connects to a browser that somebody else runs, by the address its --remote-debugging-port prints: ws://host:port/devtools/browser/….
// ctx bounds the connecting. The browser's proxy settings are its owner's: a run's egress policy cannot be applied to it.
func Attach(ctx context.Context, address string) (*Browser, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "ws" && parsed.Scheme != "wss" || parsed.Host == "" {
		return nil, fmt.Errorf("%q is not the address of a browser. Give the ws:// address that the browser prints at its start", address)
	}
	socket, err := cdp.DialWebSocket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("%w. Check that the browser runs with --remote-debugging-port", err)
	}
	watched := &watchedTransport{Transport: socket, done: make(chan struct{})}
	b := &Browser{transport: watched, done: watched.done, ended: watched.Err}
	b.close = sync.OnceValue(func() error {
		err := watched.Close()
		watched.end(cdp.ErrClosed)
		return err
	})
	if err := b.greet(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("attaching to the browser at %q: %w", address, err), b.Close())
	}
	return b, nil
}

// watchedTransport notices the end of a connection where there is no process to watch.
type watchedTransport struct {
	cdp.Transport
	once sync.Once
	err  error
	done chan struct{}
}

func (w *watchedTransport) Receive() ([]byte, error) {
	frame, err := w.Transport.Receive()
	if tooLarge := (*cdp.FrameTooLargeError)(nil); err != nil && !(errors.As(err, &tooLarge) && tooLarge.Head != nil) {
		w.end(err)
	}
	return frame, err
}

func (w *watchedTransport) end(err error) {
	w.once.Do(func() {
		w.err = fmt.Errorf("the connection to the browser ended: %w", err)
		close(w.done)
	})
}

func (w *watchedTransport) Err() error {
	select {
	case <-w.done:
		return w.err
	default:
		return nil
	}
}

func decodeVersion(parts cdp.Parts, version *Version) error {
	if parts.Failed {
		return fmt.Errorf("it answered %s", parts.Body)
	}
	return jsonv2.Unmarshal(parts.Body, version)
}
