package supervisor

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/file"
	"github.com/pomerado-go/pomerado/supervisor/gate"
)

const (
	// maxDownloads bounds the downloads of one run that are kept track of; further ones are cancelled.
	maxDownloads = 100
	// maxSlots bounds how often one run may arm a download.
	maxSlots = 100
)

// runFiles is what a run has to do with files: its downloads, whether anybody armed them or not, the files it placed, and the caps over all
// of them together.
type runFiles struct {
	limits file.Limits
	refs   file.References
	drop   func(guid string) // cancels a download without waiting

	mu          sync.Mutex
	order       int // counts begins and ends of downloads
	downloads   map[string]*download
	slots       map[string]int // slot to the order when it was armed
	placed      int
	placedBytes int64
	collected   []file.Object
	changed     chan struct{} // closed and replaced when a download changes
}

// download is one download of the run.
type download struct {
	name, url, contentType string
	begun, ended           int // in the run's order; ended is 0 while it goes on
	state                  string
	bytes                  int64
	path                   string      // set when it is completed
	refused                file.Reason // the cap it passed
	taken                  bool        // a collect has it
}

func newRunFiles(limits file.Limits, refs file.References, drop func(guid string)) *runFiles {
	return &runFiles{limits: limits, refs: refs, drop: drop, downloads: map[string]*download{}, slots: map[string]int{}, changed: make(chan struct{})}
}

// note takes an event of the gate. A download that passes a cap is cancelled at once.
func (f *runFiles) note(e gate.DownloadEvent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d, ok := f.downloads[e.GUID]
	if !ok {
		if len(f.downloads) >= maxDownloads {
			f.drop(e.GUID)
			return
		}
		f.order++
		d = &download{begun: f.order}
		f.downloads[e.GUID] = d
	}
	if e.SuggestedName != "" {
		d.name, d.url, d.contentType = e.SuggestedName, e.URL, e.ContentType
	}
	if d.refused != "" {
		if e.Path != "" {
			_ = os.Remove(e.Path) // it was complete before it could be cancelled; what is left goes with the run's folder
		}
		return
	}
	if d.state != "" {
		return
	}
	d.bytes = max(d.bytes, e.Received, e.Total)
	switch e.State {
	case "completed":
		d.path = e.Path
		f.end(d, "completed")
	case "canceled":
		d.bytes = 0
		f.end(d, "canceled")
		return
	}
	if reason := f.over(d); reason != "" {
		d.refused, d.state, d.bytes = reason, "canceled", 0
		if d.path != "" {
			_ = os.Remove(d.path)
		} else {
			f.drop(e.GUID)
		}
		f.end(d, "canceled")
	}
}

// end notes a download's end and wakes who waits for one; f.mu is held.
func (f *runFiles) end(d *download, state string) {
	d.state = state
	if d.ended == 0 {
		f.order++
		d.ended = f.order
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

// over says which cap a download passes; f.mu is held.
func (f *runFiles) over(d *download) file.Reason {
	files, total := f.used()
	switch {
	case d.bytes > f.limits.FileBytes:
		return file.TooLarge
	case files > f.limits.RunFiles, total > f.limits.RunBytes:
		return file.RunLimit
	}
	return ""
}

// used is how many files and bytes the run has handled; f.mu is held.
func (f *runFiles) used() (files int, total int64) {
	files, total = f.placed, f.placedBytes
	for _, d := range f.downloads {
		if d.state != "canceled" {
			files++
			total += d.bytes
		}
	}
	return files, total
}

// reserve counts a file that is about to be placed, if there is room for it.
func (f *runFiles) reserve(size int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	files, total := f.used()
	if files+1 > f.limits.RunFiles || total+size > f.limits.RunBytes {
		return false
	}
	f.placed++
	f.placedBytes += size
	return true
}

// arm gives a slot for the downloads that begin from now on.
func (f *runFiles) arm() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.slots) >= maxSlots {
		return "", refuse(ipc.LimitExceeded, fmt.Sprintf("a run may collect %d times", maxSlots))
	}
	slot := fmt.Sprintf("slot-%d", len(f.slots)+1)
	f.slots[slot] = f.order
	return slot, nil
}

// take waits for the first download of a slot to end and takes it. One that was cancelled by the page or the server does not count.
func (f *runFiles) take(ctx context.Context, slot string) (*download, error) {
	for {
		f.mu.Lock()
		armed, known := f.slots[slot]
		first := f.first(armed)
		if first != nil {
			first.taken = true
		}
		changed := f.changed
		f.mu.Unlock()
		switch {
		case !known:
			return nil, refuse(ipc.NotYours, fmt.Sprintf("this run has no download slot %q", clip(slot, 64)))
		case first != nil:
			return first, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// first is the earliest ended download that began after a slot was armed and that nobody took; f.mu is held.
func (f *runFiles) first(armed int) *download {
	var first *download
	for _, d := range f.downloads {
		done := d.state == "completed" || d.refused != ""
		if done && !d.taken && d.begun > armed && (first == nil || d.ended < first.ended) {
			first = d
		}
	}
	return first
}

// keep notes a collected file: the output may name it.
func (f *runFiles) keep(object file.Object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.collected = append(f.collected, object)
}

func (f *runFiles) kept() []file.Object {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.collected[:len(f.collected):len(f.collected)]
}

// wait gives a download's end, waiting for it.
func (f *runFiles) wait(ctx context.Context, guid string) (*workerpb.DownloadReply, error) {
	for {
		f.mu.Lock()
		d, changed := f.downloads[guid], f.changed
		if d != nil && d.state != "" {
			end := &workerpb.DownloadReply{SuggestedName: clip(d.name, ipc.MaxFileName), Url: clip(d.url, ipc.MaxURL), State: d.state}
			if d.state == "canceled" {
				end.Failure = "canceled"
			}
			f.mu.Unlock()
			return end, nil
		}
		f.mu.Unlock()
		if d == nil {
			return nil, refuse(ipc.NotYours, fmt.Sprintf("this run has no download %q", clip(guid, 64)))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
