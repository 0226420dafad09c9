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

// BenchmarkQuery is the time one query takes in a document of 3000 elements, without the round trip. "computedName" is Chromium's own answer for a single element:
// it builds the whole accessibility tree for each, which is why roles and names are computed here.
func BenchmarkQuery(b *testing.B) {
	p := setContent(b, "")
	p.eval(`document.body.innerHTML = Array.from({length: 500}, (_, i) => '<div class=row><span>text ' + i + '</span><label for=i' + i + '>Label ' + i +
		'</label><input id=i' + i + '><button>Save ' + i + '</button><a href=#>Link</a></div>').join('')`)
	scripts, err := programs()
	p.must(err)
	p.eval("window.program = " + scripts[0] + "({}); 0")
	for name, expression := range map[string]string{
		"css":          "program.count('div.row > button')",
		"text":         "program.count('internal:text=\"text 499\"i')",
		"role":         "program.count('internal:role=button')",
		"rolename":     "program.count('internal:role=button[name=\"Save 499\"i]')",
		"label":        "program.count('internal:label=\"Label 499\"i')",
		"computedName": "document.querySelector('button').computedName",
	} {
		b.Run(name, func(b *testing.B) {
			var times []float64
			for b.Loop() {
				times = append(times, p.eval("(() => { const start = performance.now(); "+expression+"; return performance.now() - start })()").(float64))
			}
			sort.Float64s(times)
			b.ReportMetric(times[len(times)/2], "ms/median")
		})
	}
}
