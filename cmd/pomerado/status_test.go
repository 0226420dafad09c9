package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestStatusLines(t *testing.T) {
	var out strings.Builder
	s := &status{out: &out, mode: statusLines}
	s.step("starting")
	s.step("starting")
	s.hide()()
	s.step("running")
	s.close()
	if want := "pomerado: starting\npomerado: running\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestQuietStatusPrintsNothing(t *testing.T) {
	var out strings.Builder
	s := &status{out: &out, mode: statusQuiet}
	s.step("starting")
	s.hide()()
	s.close()
	if out.Len() != 0 {
		t.Errorf("got %q", out.String())
	}
}

func TestLiveStatusIsOneLineThatGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		s := &status{out: &out, mode: statusLive, width: 24, started: time.Now(), stop: make(chan struct{}), done: make(chan struct{})}
		go s.animate()
		s.step("running the operation of the artifact")
		time.Sleep(redraw + time.Millisecond)
		synctest.Wait()
		show := s.hide()
		before := out.Len()
		time.Sleep(10 * redraw)
		synctest.Wait()
		if out.Len() != before {
			t.Errorf("while hidden it drew %q", out.String()[before:])
		}
		show()
		show()
		s.close()
		const clear = "\r\x1b[K"
		got := out.String()
		if strings.Contains(got, "\n") || !strings.HasPrefix(got, clear+"⠋ running the operatio…"+clear+"⠙ ") || !strings.HasSuffix(got, clear) {
			t.Errorf("got %q", got)
		}
	})
}
