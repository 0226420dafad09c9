package supervisor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pomerado-go/pomerado/operations/file"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
)

const (
	// fileRetention is how long a collected file is kept (spec artifact-and-serving.md §9).
	fileRetention = chromium.KeepDownloads
	// sweepEvery is how often expired files are looked for, besides whenever one is kept.
	sweepEvery = time.Minute
)

// FileOptions say how files go into and out of runs.
type FileOptions struct {
	// Downloads is the folder collected files are kept in, each for 30 minutes as <uuid>/<name>; it is made when missing and never removed.
	// Empty keeps them in a folder of the supervisor's own under the system's temporary directory, which goes with Close.
	Downloads string
	// Leave keeps the supervisor's own folder after Close, for a caller that ends before whoever reads the file. A later supervisor
	// removes it, 30 minutes after its last file.
	Leave bool
	// Limits are the caps of a run; zero fields are those of file.DefaultLimits.
	Limits file.Limits
}

// fileStore keeps collected files for their time.
type fileStore struct {
	opts FileOptions
	log  *slog.Logger
	ctx  context.Context

	mu       sync.Mutex
	dir      string
	kept     map[string]time.Time // folder of a file to when it expires
	sweeping sync.WaitGroup
}

func newFileStore(ctx context.Context, opts FileOptions, log *slog.Logger) *fileStore {
	opts.Limits = opts.Limits.Or(file.DefaultLimits)
	return &fileStore{opts: opts, log: log, ctx: ctx, kept: map[string]time.Time{}}
}

// keep copies a file of size bytes in and describes it. The source stays.
func (s *fileStore) keep(from, name, mediaType string, size int64) (kept file.Object, err error) {
	dir, err := s.folder()
	if err != nil {
		return kept, err
	}
	kept = file.Object{ID: newID(), Name: name, MediaType: mediaType, Size: size}
	own := filepath.Join(dir, kept.ID)
	if err := os.Mkdir(own, 0o700); err != nil {
		return kept, err
	}
	path := filepath.Join(own, name)
	if kept.SHA256, err = copyFile(from, path, size, 0o600); err != nil {
		return kept, errors.Join(err, os.RemoveAll(own))
	}
	expires := time.Now().Add(fileRetention)
	kept.DownloadURL, kept.ExpiresAt = file.URL(path), expires.UTC().Format("2006-01-02T15:04:05.000Z")
	s.mu.Lock()
	s.kept[own] = expires
	first := len(s.kept) == 1
	s.mu.Unlock()
	s.sweep(time.Now())
	if first {
		s.sweeping.Go(s.sweepOn)
	}
	return kept, nil
}

// folder makes the folder files are kept in, when it is first needed.
func (s *fileStore) folder() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		return s.dir, nil
	}
	if s.opts.Downloads == "" {
		dir, err := chromium.NewDownloadsDir()
		s.dir = dir
		return dir, err
	}
	dir, err := filepath.Abs(s.opts.Downloads)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", fmt.Errorf("making the folder for collected files: %w", err)
	}
	s.dir = dir
	return dir, nil
}

// sweepOn looks for expired files every minute while there are any.
func (s *fileStore) sweepOn() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			if s.sweep(now) == 0 {
				return
			}
		case <-s.ctx.Done():
			return
		}
	}
}

// sweep removes what has expired by now and says how many are left.
func (s *fileStore) sweep(now time.Time) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for own, expires := range s.kept {
		if now.Before(expires) {
			continue
		}
		if err := os.RemoveAll(own); err != nil {
			s.log.Warn("An expired file cannot be removed", "path", own, "error", err)
			continue
		}
		delete(s.kept, own)
	}
	return len(s.kept)
}

// close ends the sweeping, which ends with the store's context, and removes the supervisor's own folder unless it is to be left.
func (s *fileStore) close() error {
	s.sweeping.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" || s.opts.Downloads != "" || s.opts.Leave {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// errFileChanged is a file that is not as long as it was when it was looked at.
var errFileChanged = errors.New("the file changed while it was read")

// copyFile copies a file of exactly size bytes and gives the hex digest of what it copied. On an error the copy may be partly there.
func copyFile(from, to string, size int64, mode os.FileMode) (digest string, err error) {
	in, err := openRegular(from)
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), io.LimitReader(in, size+1))
	if err == nil && n != size {
		err = errFileChanged
	}
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, out.Close())
}

// openRegular opens a file for reading when it is a regular one: a pipe would wait for a writer, a device never end.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	if err == nil && !os.SameFile(info, now) {
		err = errFileChanged
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// headOf reads a file's first bytes, as many as tell its type.
func headOf(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, file.HeadLength)
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}
