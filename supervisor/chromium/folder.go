package chromium

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A private folder is called pomerado-KIND-PLACE-PID-START-RANDOM. The owner stands in the name because a name appears at once with the
// folder: no moment exists in which a folder has no owner and another supervisor could take it for a leftover.
//
// PLACE tells machine boot and process namespace apart, START is the owner's start time, so that a process that got a dead owner's
// number does not keep the folder alive.
const folderPrefix = "pomerado-"

// owner is the process a private folder belongs to.
type owner struct {
	boot, namespace string
	pid             int
	start           string
}

// NewRunDir makes the private folder of one run. Its maker removes it; Sweep does when the maker died.
func NewRunDir() (string, error) { return newFolder("run") }

// KeepDownloads is how long a folder of downloads outlives its owner: whoever was told of a file in it may still come for it.
const KeepDownloads = 30 * time.Minute

const downloadsKind = "downloads"

// NewDownloadsDir makes the private folder of a supervisor's collected files. Its maker removes it, or leaves it to Sweep, which does so
// once it has not changed for KeepDownloads.
func NewDownloadsDir() (string, error) { return newFolder(downloadsKind) }

// newFolder makes a folder only this user can enter, under the system's temporary directory. kind is a word of letters.
func newFolder(kind string) (string, error) {
	self, err := ownerOf(os.Getpid())
	if err != nil {
		return "", fmt.Errorf("making a private folder: %w", err)
	}
	dir, err := os.MkdirTemp("", folderPrefix+kind+"-"+self.String()+"-*")
	if err != nil {
		return "", fmt.Errorf("making a private folder: %w. Check that TMPDIR names a directory that can be written", err)
	}
	return dir, nil
}

func (o owner) String() string {
	return fmt.Sprintf("%s.%s-%d-%s", o.boot, o.namespace, o.pid, o.start)
}

// parseFolder reads the owner from a folder's name.
func parseFolder(name string) (owner, bool) {
	parts := strings.Split(strings.TrimPrefix(name, folderPrefix), "-")
	if !strings.HasPrefix(name, folderPrefix) || len(parts) != 5 {
		return owner{}, false
	}
	boot, namespace, ok := strings.Cut(parts[1], ".")
	pid, err := strconv.Atoi(parts[2])
	if !ok || err != nil || pid <= 0 {
		return owner{}, false
	}
	return owner{boot: boot, namespace: namespace, pid: pid, start: parts[3]}, true
}

// Sweep removes the private folders of supervisors that no longer live and returns their paths. Folders of other users, of other
// process namespaces and of anything still running stay. What cannot be removed is logged; log may be nil.
func Sweep(log *slog.Logger) []string {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	self, err := ownerOf(os.Getpid())
	if err != nil {
		log.Warn("Leftovers of earlier runs were not looked for", "error", err)
		return nil
	}
	parent := os.TempDir()
	entries, err := os.ReadDir(parent)
	if err != nil {
		log.Warn("Leftovers of earlier runs were not looked for", "error", err)
		return nil
	}
	var removed []string
	for _, entry := range entries {
		folder, ok := parseFolder(entry.Name())
		if !ok || !entry.IsDir() {
			continue
		}
		info, err := entry.Info()
		if err != nil || !isOurs(info) || !isDead(folder, self, info) {
			continue
		}
		if strings.HasPrefix(entry.Name(), folderPrefix+downloadsKind+"-") && time.Since(info.ModTime()) < KeepDownloads {
			continue
		}
		path := filepath.Join(parent, entry.Name())
		if err := os.RemoveAll(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			log.Warn("A leftover of an earlier run cannot be removed", "path", path, "error", err)
			continue
		}
		log.Info("Removed a leftover of an earlier run", "path", path)
		removed = append(removed, path)
	}
	return removed
}

func isOurs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// isDead says whether a folder's owner is known to be gone.
func isDead(folder, self owner, info fs.FileInfo) bool {
	if folder.boot != self.boot {
		// Another boot, or another machine that shares this directory: only what is older than this boot is a leftover.
		booted, ok := bootTime()
		return ok && info.ModTime().Before(booted)
	}
	if folder.namespace != self.namespace {
		return false
	}
	living, err := ownerOf(folder.pid)
	return errors.Is(err, os.ErrProcessDone) || err == nil && living.start != folder.start
}

func shortHash(text string) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(text))
	return strconv.FormatUint(uint64(hash.Sum32()), 36)
}
