package cdp

import (
	"context"
	"errors"
	"sync"
)

// Transport moves whole CDP messages. Send may be called from many goroutines, Receive from one.
type Transport interface {
	// Send queues one frame. It waits while the other side does not keep up, until ctx ends. Frames of one goroutine keep their
	// order. The frame must not be changed afterwards. An ended ctx means that nothing of this frame is sent.
	Send(ctx context.Context, frame []byte) error
	// Post queues one small frame without waiting, over the queue's limit if need be. It is for who reads the other side's frames: a
	// reader that waits for its own writes can wait for ever. How many frames are posted must be bounded by what is read.
	Post(frame []byte) error
	// Receive returns the next frame, which the caller owns. After a *FrameTooLargeError with a Head it can be called again; every
	// other error is final.
	Receive() ([]byte, error)
	// Close ends the transport at once, also when the other side has stopped reading, and makes Send and Receive return. Frames that
	// wait to be sent are dropped. It may be called more than once.
	Close() error
}

// ErrClosed is what a transport or a connection answers after its end.
var ErrClosed = errors.New("the CDP connection is closed")

// sendQueue bounds the bytes that wait in a transport; a single larger frame is taken when nothing else waits.
const sendQueue = 1 << 20

// sender gives a transport its Send: a bounded queue and one goroutine that writes, so that a peer which has stopped reading can block
// neither a caller with a deadline nor Close.
type sender struct {
	mu     sync.Mutex
	frames [][]byte
	bytes  int
	err    error
	more   chan struct{} // holds one token when frames may wait
	space  chan struct{} // closed and replaced when bytes went down
	done   chan struct{} // the goroutine has ended
}

// newSender starts the goroutine. write puts a frame into a buffer or onto the wire, flush is called when no frame waits.
func newSender(write func(frame []byte) error, flush func() error) *sender {
	s := &sender{more: make(chan struct{}, 1), space: make(chan struct{}), done: make(chan struct{})}
	go s.run(write, flush)
	return s
}

func (s *sender) Send(ctx context.Context, frame []byte) error {
	if len(frame) > MaxFrame {
		return &FrameTooLargeError{Size: int64(len(frame))}
	}
	for {
		s.mu.Lock()
		if s.err != nil {
			defer s.mu.Unlock()
			return s.err
		}
		if s.bytes == 0 || s.bytes+len(frame) <= sendQueue {
			s.queue(frame)
			s.mu.Unlock()
			return nil
		}
		space := s.space
		s.mu.Unlock()
		select {
		case <-space:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *sender) Post(frame []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.queue(frame)
	}
	return s.err
}

// queue takes a frame; s.mu is held.
func (s *sender) queue(frame []byte) {
	s.frames = append(s.frames, frame)
	s.bytes += len(frame)
	s.wake()
}

func (s *sender) run(write func([]byte) error, flush func() error) {
	defer close(s.done)
	for range s.more {
		for {
			s.mu.Lock()
			frames, failed := s.frames, s.err != nil
			s.frames = nil
			s.mu.Unlock()
			if failed {
				return
			}
			if len(frames) == 0 {
				break
			}
			for _, frame := range frames {
				if err := write(frame); err != nil {
					s.fail(err)
					return
				}
				s.mu.Lock()
				s.bytes -= len(frame)
				close(s.space)
				s.space = make(chan struct{})
				s.mu.Unlock()
			}
		}
		if err := flush(); err != nil {
			s.fail(err)
			return
		}
	}
}

// fail makes every Send, waiting or later, return err and ends the goroutine once its write returns. The first error stays.
func (s *sender) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	s.err = err
	s.frames = nil
	close(s.space)
	s.space = make(chan struct{})
	s.wake()
}

// wake makes the goroutine look for frames and flush.
func (s *sender) wake() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}
