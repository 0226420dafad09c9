package cdp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// Socket is the transport between the gate and a worker: a 4-byte big-endian length and that many bytes a frame.
type Socket struct {
	*sender
	in    *bufio.Reader
	close func() error
}

// NewSocket frames messages on conn and owns it. A frame over MaxFrame from the other side ends the transport: the peer announced it
// before sending a byte of it, so nobody honest gets that far.
func NewSocket(conn net.Conn) *Socket {
	buffered := bufio.NewWriterSize(conn, 64<<10)
	s := &Socket{in: bufio.NewReaderSize(conn, 64<<10)}
	s.sender = newSender(func(frame []byte) error {
		var length [4]byte
		binary.BigEndian.PutUint32(length[:], uint32(len(frame)))
		if _, err := buffered.Write(length[:]); err != nil {
			return err
		}
		_, err := buffered.Write(frame)
		return err
	}, buffered.Flush)
	s.close = sync.OnceValue(func() error {
		s.fail(ErrClosed)
		err := conn.Close()
		<-s.done
		return err
	})
	return s
}

// Close implements Transport.
func (s *Socket) Close() error { return s.close() }

// Receive implements Transport.
func (s *Socket) Receive() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(s.in, length[:]); err != nil {
		return nil, fmt.Errorf("reading from the CDP socket: %w", err)
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > MaxFrame {
		return nil, &FrameTooLargeError{Size: int64(size)}
	}
	// A peer that announces much and sends little must not make this side allocate for it: large frames grow as they come.
	const atOnce = 1 << 20
	frame := make([]byte, min(size, atOnce))
	if _, err := io.ReadFull(s.in, frame); err != nil {
		return nil, cutOff(err)
	}
	for uint32(len(frame)) < size {
		have := len(frame)
		frame = append(frame, make([]byte, min(int(size)-have, have))...)
		if _, err := io.ReadFull(s.in, frame[have:]); err != nil {
			return nil, cutOff(err)
		}
	}
	return frame, nil
}

func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("reading from the CDP socket: %w", err)
}
