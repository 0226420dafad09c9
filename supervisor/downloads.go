package supervisor

import (
	"context"
	"fmt"
	"sync"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/supervisor/gate"
)

// maxDownloads bounds the downloads of one run that are kept track of.
const maxDownloads = 100

// downloads keeps what became of a run's downloads, by guid.
type downloads struct {
	mu      sync.Mutex
	known   map[string]*workerpb.DownloadReply
	changed chan struct{}
}

// note takes an event of the gate.
func (d *downloads) note(e gate.DownloadEvent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil {
		d.known, d.changed = map[string]*workerpb.DownloadReply{}, make(chan struct{})
	}
	one, ok := d.known[e.GUID]
	if !ok {
		if len(d.known) >= maxDownloads {
			return
		}
		one = &workerpb.DownloadReply{}
		d.known[e.GUID] = one
	}
	if e.SuggestedName != "" {
		one.SuggestedName, one.Url = clip(e.SuggestedName, ipc.MaxFileName), clip(e.URL, ipc.MaxURL)
	}
	if e.State == "completed" || e.State == "canceled" {
		one.State = e.State
		if e.State == "canceled" {
			one.Failure = "canceled"
		}
	}
	close(d.changed)
	d.changed = make(chan struct{})
}

// wait gives a download's end, waiting for it.
func (d *downloads) wait(ctx context.Context, guid string) (*workerpb.DownloadReply, error) {
	for {
		d.mu.Lock()
		one, changed := d.known[guid], d.changed
		if one != nil && one.State != "" {
			end := &workerpb.DownloadReply{SuggestedName: one.SuggestedName, Url: one.Url, State: one.State, Failure: one.Failure}
			d.mu.Unlock()
			return end, nil
		}
		d.mu.Unlock()
		if one == nil {
			return nil, refuse(ipc.NotYours, fmt.Sprintf("this run has no download %q", clip(guid, 64)))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
