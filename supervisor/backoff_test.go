package supervisor

import (
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	var b backoff
	const s = time.Second
	for i, step := range []struct{ life, want time.Duration }{
		{s, 0}, {s, s}, {0, 2 * s}, {9 * s, 4 * s}, {s, 8 * s}, {s, 16 * s}, {s, 30 * s}, {s, 30 * s},
		{10 * s, 0}, {s, 0}, {s, s},
	} {
		if got := b.died(step.life); got != step.want {
			t.Errorf("death %d after %v: wait %v, want %v", i, step.life, got, step.want)
		}
	}
	for range 100 {
		if got := b.died(0); got < 0 || got > maxBackoff {
			t.Fatalf("wait %v", got)
		}
	}
}
