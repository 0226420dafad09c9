package cdp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/gobwas/ws"
)

// WebSocket is the transport to a browser that was started by somebody else with --remote-debugging-port.
type WebSocket struct {
	*sender
	conn  net.Conn
	in    *bufio.Reader
	ping  atomic.Pointer[[]byte] // the last ping's payload, not yet answered
	close func() error
}

// DialWebSocket connects to a DevTools websocket, ws://host:port/devtools/browser/…. ctx bounds connecting only.
func DialWebSocket(ctx context.Context, url string) (*WebSocket, error) {
	conn, buffered, _, err := ws.Dial(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("connecting to the browser at %q: %w", url, err)
	}
	w := &WebSocket{conn: conn, in: buffered}
	if w.in == nil {
		w.in = bufio.NewReaderSize(conn, 64<<10)
	}
	out := bufio.NewWriterSize(conn, 64<<10)
	w.sender = newSender(func(frame []byte) error {
		// The mask is applied in place, and the frame is the caller's.
		masked := ws.MaskFrameInPlace(ws.NewTextFrame(append([]byte(nil), frame...)))
		return ws.WriteFrame(out, masked)
	}, func() error {
		if payload := w.ping.Swap(nil); payload != nil {
			if err := ws.WriteFrame(out, ws.MaskFrameInPlace(ws.NewPongFrame(*payload))); err != nil {
				return err
			}
		}
		return out.Flush()
	})
	w.close = sync.OnceValue(func() error {
		w.fail(ErrClosed)
		err := conn.Close()
		<-w.done
		return err
	})
	return w, nil
}

// Close implements Transport. It drops the TCP connection without a closing handshake, which Chromium takes as a detach.
func (w *WebSocket) Close() error { return w.close() }

// Receive implements Transport.
func (w *WebSocket) Receive() ([]byte, error) {
	var frame []byte
	var tooLarge *FrameTooLargeError
	var last []byte
	for {
		header, err := ws.ReadHeader(w.in)
		if err != nil {
			return nil, fmt.Errorf("reading from the browser's websocket: %w", err)
		}
		if header.OpCode.IsControl() {
			if err := w.control(header); err != nil {
				return nil, err
			}
			continue
		}
		if tooLarge == nil && int64(len(frame))+header.Length > MaxFrame {
			tooLarge = &FrameTooLargeError{Size: int64(len(frame)), Head: append([]byte(nil), frame[:min(len(frame), keptEnds)]...)}
			last = append([]byte(nil), frame[max(0, len(frame)-keptEnds):]...)
			frame = nil
		}
		if tooLarge != nil {
			if last, err = w.skip(header.Length, tooLarge, last); err != nil {
				return nil, err
			}
		} else {
			have := len(frame)
			frame = append(frame, make([]byte, header.Length)...)
			if _, err := io.ReadFull(w.in, frame[have:]); err != nil {
				return nil, fmt.Errorf("reading from the browser's websocket: %w", err)
			}
		}
		if header.Fin {
			if tooLarge != nil {
				tooLarge.Tail = last
				return nil, tooLarge
			}
			return frame, nil
		}
	}
}

// skip reads n bytes of a frame that is over the limit, keeping the frame's ends.
func (w *WebSocket) skip(n int64, tooLarge *FrameTooLargeError, last []byte) ([]byte, error) {
	buffer := make([]byte, 64<<10)
	for n > 0 {
		chunk := buffer[:min(n, int64(len(buffer)))]
		if _, err := io.ReadFull(w.in, chunk); err != nil {
			return nil, fmt.Errorf("reading from the browser's websocket: %w", err)
		}
		n -= int64(len(chunk))
		tooLarge.Size += int64(len(chunk))
		if missing := keptEnds - len(tooLarge.Head); missing > 0 {
			tooLarge.Head = append(tooLarge.Head, chunk[:min(missing, len(chunk))]...)
		}
		last = append(last, chunk...)
		last = append(last[:0], last[max(0, len(last)-keptEnds):]...)
	}
	return last, nil
}

// control handles a ping, pong or close frame.
func (w *WebSocket) control(header ws.Header) error {
	if header.Length > ws.MaxControlFramePayloadSize {
		return fmt.Errorf("reading from the browser's websocket: a control frame of %d bytes", header.Length)
	}
	payload := make([]byte, header.Length)
	if _, err := io.ReadFull(w.in, payload); err != nil {
		return fmt.Errorf("reading from the browser's websocket: %w", err)
	}
	switch header.OpCode {
	case ws.OpClose:
		return fmt.Errorf("reading from the browser's websocket: %w", io.EOF)
	case ws.OpPing:
		w.ping.Store(&payload)
		w.wake()
	}
	return nil
}
