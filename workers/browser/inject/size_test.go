package inject_test

import (
	"sort"
	"testing"
	"time"
)

// TestSizes keeps the programs small: they are sent to and evaluated in every frame the engine touches.
func TestSizes(t *testing.T) {
	scripts, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	for i, limit := range []int{90 << 10, 8 << 10} {
		if len(scripts[i]) > limit {
			t.Errorf("program %d has %d bytes, over its limit of %d", i, len(scripts[i]), limit)
		}
	}
}

// BenchmarkInstall is the time to evaluate each program in a new world of a frame, one round trip included.
func BenchmarkInstall(b *testing.B) {
	scripts, err := programs()
	if err != nil {
		b.Fatal(err)
	}
	for i, name := range []string{"whole", "evaluator"} {
		b.Run(name, func(b *testing.B) {
			p := setContent(b, "<p>x")
			var times []time.Duration
			for b.Loop() {
				var world struct{ ExecutionContextID int64 }
				p.cdp("Page.createIsolatedWorld", map[string]any{"frameId": p.frame, "worldName": time.Now().String()}, &world)
				start := time.Now()
				p.object(scripts[i]+"({})", world.ExecutionContextID)
				times = append(times, time.Since(start))
			}
			sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms/median")
			b.ReportMetric(float64(len(scripts[i])), "bytes")
		})
	}
}
