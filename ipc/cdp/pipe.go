package cdp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
)

// keptEnds is how much of a frame over MaxFrame is kept at its head and at its tail.
const keptEnds = 512

// Pipe is the transport of Chromium's --remote-debugging-pipe: messages end with a NUL byte.
type Pipe struct {
	*sender
	in    *bufio.Reader
	close func() error
}

// NewPipe reads messages from in and writes them to out. Both must be closable while a read or a write waits (files of non-blocking
// pipes and sockets are). The pipe owns them.
func NewPipe(in io.ReadCloser, out io.WriteCloser) *Pipe {
	buffered := bufio.NewWriterSize(out, 64<<10)
	p := &Pipe{in: bufio.NewReaderSize(in, 64<<10)}
	p.sender = newSender(func(frame []byte) error {
		if _, err := buffered.Write(frame); err != nil {
			return err
		}
		return buffered.WriteByte(0)
	}, buffered.Flush)
	p.close = sync.OnceValue(func() error {
		p.fail(ErrClosed)
		err := errors.Join(out.Close(), in.Close())
		<-p.done
		return err
	})
	return p
}

// Close implements Transport.
func (p *Pipe) Close() error { return p.close() }

// Receive implements Transport.
func (p *Pipe) Receive() ([]byte, error) {
	chunk, err := p.in.ReadSlice(0)
	if err == nil {
		frame := make([]byte, len(chunk)-1)
		copy(frame, chunk)
		return frame, nil
	}
	var frame []byte
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(frame)+len(chunk) > MaxFrame {
			return nil, p.skip(append(frame, chunk...))
		}
		frame = append(frame, chunk...)
		chunk, err = p.in.ReadSlice(0)
	}
	if err != nil {
		if errors.Is(err, io.EOF) && len(frame)+len(chunk) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("reading from the CDP pipe: %w", err)
	}
	if len(frame)+len(chunk)-1 > MaxFrame {
		frame = append(frame, chunk[:len(chunk)-1]...)
		return nil, &FrameTooLargeError{Size: int64(len(frame)), Head: frame[:keptEnds], Tail: frame[len(frame)-keptEnds:]}
	}
	return append(frame, chunk[:len(chunk)-1]...), nil
}

// skip reads to the end of a frame that is already over the limit and keeps only its ends.
func (p *Pipe) skip(begun []byte) error {
	tooLarge := &FrameTooLargeError{Size: int64(len(begun)), Head: append([]byte(nil), begun[:keptEnds]...)}
	last := append([]byte(nil), begun[len(begun)-keptEnds:]...)
	for {
		chunk, err := p.in.ReadSlice(0)
		if err == nil {
			chunk = chunk[:len(chunk)-1]
		}
		tooLarge.Size += int64(len(chunk))
		last = append(last, chunk...)
		last = append(last[:0], last[max(0, len(last)-keptEnds):]...)
		switch {
		case err == nil:
			tooLarge.Tail = last
			return tooLarge
		case !errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("reading from the CDP pipe: %w", err)
		}
	}
}
