package jail

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// heapInterval is how often the heap is looked at. A look takes a few microseconds and stops nothing.
const heapInterval = 10 * time.Millisecond

// WatchHeap calls onLimit once, from a goroutine of its own, as soon as the process's heap is found above limit bytes. Until
// then it has the collector work harder the nearer the heap comes, so that garbage alone does not reach the limit. A single
// allocation of several times the limit can die between two looks, of Apply's limit on the process: that end has no words
// and is known by the process's last output.
//
// stop ends the watch, undoes what it told the collector and returns when no call of onLimit is running any more, so onLimit
// must not call it.
func WatchHeap(limit int64, onLimit func()) (stop func()) {
	before := debug.SetMemoryLimit(limit)
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		ticker := time.NewTicker(heapInterval)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if HeapBytes() > limit {
					onLimit()
					return
				}
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		watch.Wait()
		debug.SetMemoryLimit(before)
	})
}

// HeapBytes is what live objects and those not yet swept take.
func HeapBytes() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
