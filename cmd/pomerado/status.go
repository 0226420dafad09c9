package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// note prints a remark of the command itself on stderr.
func (a *app) note(format string, args ...any) {
	fmt.Fprintln(a.stderr, "pomerado: "+sentence(fmt.Sprintf(format, args...)))
}

// status tells how far a run is: one live line on a terminal, a plain line a step elsewhere, nothing when quiet. Safe for concurrent
// use. close must be called before anything else is printed.
type status struct {
	out   io.Writer
	mode  statusMode
	width int

	mu      sync.Mutex
	text    string
	hidden  int
	frame   int
	started time.Time
	stop    chan struct{}
	done    chan struct{}
}

type statusMode int

const (
	statusQuiet statusMode = iota
	statusLines
	statusLive
)

// redraw is how often a live line shows that time passes.
const redraw = 120 * time.Millisecond

var frames = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

func newStatus(stderr *os.File, quiet bool) *status {
	s := &status{out: stderr, mode: statusLines, width: 80, started: time.Now()}
	switch {
	case quiet:
		s.mode = statusQuiet
	case term.IsTerminal(stderr.Fd()) && os.Getenv("TERM") != "dumb":
		s.mode = statusLive
		if width, _, err := term.GetSize(stderr.Fd()); err == nil && width > 20 {
			s.width = width
		}
		s.stop, s.done = make(chan struct{}), make(chan struct{})
		go s.animate()
	}
	return s
}

// step says what happens now.
func (s *status) step(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text == s.text {
		return
	}
	s.text = text
	switch s.mode {
	case statusLines:
		fmt.Fprintln(s.out, "pomerado: "+text)
	case statusLive:
		s.draw()
	}
}

// hide takes the live line away while somebody is asked something; the returned func brings it back.
func (s *status) hide() (show func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hidden == 0 {
		s.erase()
	}
	s.hidden++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hidden--
		s.draw()
	})
}

// close takes the live line away for good and waits for its goroutine.
func (s *status) close() {
	if s.mode != statusLive {
		return
	}
	close(s.stop)
	<-s.done
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
}

func (s *status) animate() {
	defer close(s.done)
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
			s.mu.Lock()
			s.frame++
			s.draw()
			s.mu.Unlock()
		}
	}
}

func (s *status) draw() {
	if s.mode != statusLive || s.hidden > 0 || s.text == "" {
		return
	}
	line := fmt.Sprintf("%s %s  %.1f s", frames[s.frame%len(frames)], s.text, time.Since(s.started).Seconds())
	fmt.Fprint(s.out, "\r"+ansi.EraseLineRight+ansi.Truncate(line, s.width-1, "…"))
}

func (s *status) erase() {
	if s.mode == statusLive && s.text != "" {
		fmt.Fprint(s.out, "\r"+ansi.EraseLineRight)
	}
}
