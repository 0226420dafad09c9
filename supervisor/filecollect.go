package supervisor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/file"
)

// refuseFile answers a file request with its reason.
func refuseFile(reason file.Reason, message string) *refusal {
	return refuse(ipc.FileRefused(string(reason)), message)
}

var errNoDownload = errors.New("no download finished in time")

// collectFile waits for the first finished download of a slot, checks it and keeps it (spec artifact-and-serving.md §9).
func (r *run) collectFile(ctx context.Context, c *workerpb.FileCollect) (*workerpb.FileCollectReply, error) {
	limit := time.Duration(c.TimeoutMs) * time.Millisecond
	limited, cancel := context.WithTimeoutCause(ctx, limit, errNoDownload)
	defer cancel()
	d, err := r.files.take(limited, c.Slot)
	switch {
	case errors.Is(err, errNoDownload):
		return nil, refuseFile(file.NoDownload, fmt.Sprintf("no download finished within %v of the trigger", limit))
	case err != nil:
		return nil, err
	case d.refused != "":
		return nil, refuseFile(d.refused, r.overText(d.refused))
	}
	name := file.Name(d.name, "download")
	// What is refused from here on is of no use to anybody.
	defer func() { _ = os.Remove(d.path) }()
	head, err := headOf(d.path)
	if err != nil {
		r.s.log.Warn("A download cannot be read", "error", err)
		return nil, refuseFile(file.Unavailable, "the download cannot be read")
	}
	if file.IsProgram(head, name) {
		return nil, refuseFile(file.Executable, "the download is a program")
	}
	mediaType := file.Sniff(head)
	if mediaType == "" {
		mediaType = file.MediaType(d.contentType)
	}
	if mediaType == "" {
		mediaType = file.Octets
	}
	kept, err := r.s.files.keep(d.path, name, mediaType, d.bytes)
	if err != nil {
		r.s.log.Warn("A download cannot be kept", "error", err)
		return nil, refuseFile(file.Unavailable, "the download cannot be kept")
	}
	r.files.keep(kept)
	return &workerpb.FileCollectReply{File: string(kept.Output())}, nil
}

// overText words a cap that a file passes.
func (r *run) overText(reason file.Reason) string {
	l := r.files.limits
	if reason == file.TooLarge {
		return fmt.Sprintf("the file is larger than %s", sizeText(l.FileBytes))
	}
	return fmt.Sprintf("the run's files together are more than %d files or %s", l.RunFiles, sizeText(l.RunBytes))
}

func sizeText(bytes int64) string {
	if bytes >= 1<<20 && bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
