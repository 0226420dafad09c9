package cdp

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ends are two transports of one kind that speak to each other.
type ends struct{ a, b Transport }

func pipes(t *testing.T) ends {
	t.Helper()
	r1, w1, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return closing(t, ends{NewPipe(r1, w2), NewPipe(r2, w1)})
}

func sockets(t *testing.T) ends {
	t.Helper()
	a, b := net.Pipe()
	return closing(t, ends{NewSocket(a), NewSocket(b)})
}

func closing(t *testing.T, e ends) ends {
	t.Cleanup(func() {
		_ = e.a.Close()
		_ = e.b.Close()
	})
	return e
}

func TestFramesArriveWholeAndInOrder(t *testing.T) {
	for name, open := range map[string]func(*testing.T) ends{"pipe": pipes, "socket": sockets} {
		t.Run(name, func(t *testing.T) {
			e := open(t)
			sizes := []int{2, 10, 64<<10 - 1, 64 << 10, 64<<10 + 1, 3 << 20, 5, MaxFrame}
			go func() {
				for i, size := range sizes {
					if err := e.a.Send(t.Context(), bytes.Repeat([]byte{byte('a' + i)}, size)); err != nil {
						t.Errorf("sending frame %d: %v", i, err)
					}
				}
			}()
			for i, size := range sizes {
				frame, err := e.b.Receive()
				if err != nil {
					t.Fatalf("receiving frame %d: %v", i, err)
				}
				if len(frame) != size || frame[0] != byte('a'+i) || frame[size-1] != byte('a'+i) {
					t.Fatalf("frame %d has %d bytes of %q, want %d of %q", i, len(frame), frame[0], size, byte('a'+i))
				}
			}
		})
	}
}

func TestSendRefusesAFrameOverTheLimitAndGoesOn(t *testing.T) {
	e := sockets(t)
	err := e.a.Send(t.Context(), make([]byte, MaxFrame+1))
	if tooLarge := (*FrameTooLargeError)(nil); !errors.As(err, &tooLarge) || tooLarge.Size != MaxFrame+1 {
		t.Fatalf("Send of %d bytes gives %v", MaxFrame+1, err)
	}
	if err := e.a.Send(t.Context(), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if frame, err := e.b.Receive(); err != nil || string(frame) != "{}" {
		t.Fatalf("after a refused frame: %q, %v", frame, err)
	}
}

func TestSocketEndsOnAnAnnouncedLengthOverTheLimit(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	s := NewSocket(b)
	defer s.Close()
	go func() { _ = binary.Write(a, binary.BigEndian, uint32(17<<20)) }()
	_, err := s.Receive()
	if tooLarge := (*FrameTooLargeError)(nil); !errors.As(err, &tooLarge) || tooLarge.Head != nil {
		t.Fatalf("a 17 MiB frame gives %v", err)
	}
}

func TestPipeSkipsAFrameOverTheLimitAndTellsWhoseItWas(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_, nowhere, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPipe(r, nowhere)
	defer p.Close()
	for _, size := range []int{MaxFrame - 20, MaxFrame + 40<<10, 20 << 20} {
		go func() {
			_, _ = io.WriteString(w, `{"id":12,"result":{"v":"`+strings.Repeat("x", size)+`"},"sessionId":"F0"}`+"\x00"+`{"id":13,"result":{}}`+"\x00")
		}()
		_, err = p.Receive()
		tooLarge := (*FrameTooLargeError)(nil)
		if !errors.As(err, &tooLarge) {
			t.Fatalf("a frame over the limit gives %v", err)
		}
		if parts, ok := tooLarge.Parts(); !ok || parts.ID != 12 || string(parts.Session) != "F0" || tooLarge.Size != int64(size+44) {
			t.Fatalf("it was %+v (%v) of %d bytes", parts, ok, tooLarge.Size)
		}
		if frame, err := p.Receive(); err != nil || string(frame) != `{"id":13,"result":{}}` {
			t.Fatalf("the frame after it: %q, %v", frame, err)
		}
	}
	_ = w.Close()
}

func TestAPeerThatStopsReadingBlocksNeitherSendsWithADeadlineNorClose(t *testing.T) {
	for name, open := range map[string]func(*testing.T) ends{"pipe": pipes, "socket": sockets} {
		t.Run(name, func(t *testing.T) {
			e := open(t)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			var err error
			for err == nil {
				err = e.a.Send(ctx, make([]byte, 1<<20))
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("Send into a full transport ends with %v", err)
			}
			if err := e.a.Post([]byte("{}")); err != nil {
				t.Fatalf("Post into a full transport gives %v", err)
			}
			closed := make(chan struct{})
			go func() {
				_ = e.a.Close()
				close(closed)
			}()
			select {
			case <-closed:
			case <-time.After(5 * time.Second):
				t.Fatal("Close waits for a peer that does not read")
			}
			if err := e.a.Send(t.Context(), []byte("{}")); !errors.Is(err, ErrClosed) {
				t.Fatalf("Send after Close gives %v", err)
			}
			if err := e.a.Post([]byte("{}")); !errors.Is(err, ErrClosed) {
				t.Fatalf("Post after Close gives %v", err)
			}
		})
	}
}

func TestReceiveEndsWhenThePeerIsGone(t *testing.T) {
	for name, open := range map[string]func(*testing.T) ends{"pipe": pipes, "socket": sockets} {
		t.Run(name, func(t *testing.T) {
			e := open(t)
			_ = e.a.Close()
			if _, err := e.b.Receive(); !errors.Is(err, io.EOF) {
				t.Fatalf("Receive gives %v, want EOF", err)
			}
		})
	}
}

func TestWebSocketCarriesFramesAndAnswersPings(t *testing.T) {
	ponged := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, _, err := ws.UpgradeHTTP(r, w)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_ = ws.WriteFrame(conn, ws.NewPingFrame([]byte("here?")))
		// A message in two fragments, one over the limit, then echo.
		_ = ws.WriteFrame(conn, ws.NewFrame(ws.OpText, false, []byte(`{"id":1,`)))
		_ = ws.WriteFrame(conn, ws.NewFrame(ws.OpContinuation, true, []byte(`"result":{}}`)))
		_ = ws.WriteFrame(conn, ws.NewTextFrame([]byte(`{"id":2,"result":{"v":"`+strings.Repeat("x", MaxFrame)+`"}}`)))
		for {
			header, err := ws.ReadHeader(conn)
			if err != nil {
				return
			}
			payload := make([]byte, header.Length)
			if _, err := io.ReadFull(conn, payload); err != nil {
				return
			}
			ws.Cipher(payload, header.Mask, 0)
			if header.OpCode == ws.OpPong {
				ponged <- string(payload)
				continue
			}
			if err := wsutil.WriteServerText(conn, payload); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	w, err := DialWebSocket(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if frame, err := w.Receive(); err != nil || string(frame) != `{"id":1,"result":{}}` {
		t.Fatalf("a fragmented message: %q, %v", frame, err)
	}
	_, err = w.Receive()
	tooLarge := (*FrameTooLargeError)(nil)
	if !errors.As(err, &tooLarge) {
		t.Fatalf("a message over the limit gives %v", err)
	}
	if parts, ok := tooLarge.Parts(); !ok || parts.ID != 2 {
		t.Fatalf("it was %+v, %v", parts, ok)
	}
	for _, size := range []int{10, 200, 70 << 10, 2 << 20} {
		sent := bytes.Repeat([]byte("y"), size)
		if err := w.Send(t.Context(), sent); err != nil {
			t.Fatal(err)
		}
		frame, err := w.Receive()
		if err != nil || !bytes.Equal(frame, sent) {
			t.Fatalf("echo of %d bytes: %d bytes, %v", size, len(frame), err)
		}
		if bytes.Count(sent, []byte("y")) != size {
			t.Fatal("Send changed the caller's frame")
		}
	}
	if got := <-ponged; got != "here?" {
		t.Fatalf("pong %q", got)
	}
}

func FuzzSocketReceive(f *testing.F) {
	f.Add([]byte{0, 0, 0, 2, '{', '}'})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 'x'})
	f.Add([]byte{1, 0, 0, 0, 'x'})
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, stream []byte) {
		a, b := net.Pipe()
		s := NewSocket(b)
		go func() {
			_, _ = a.Write(stream)
			_ = a.Close()
		}()
		total := 0
		for {
			frame, err := s.Receive()
			if err != nil {
				break
			}
			total += 4 + len(frame)
		}
		if total > len(stream) {
			t.Errorf("%d bytes of frames out of a stream of %d", total, len(stream))
		}
		_ = s.Close()
	})
}
