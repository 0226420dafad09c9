package supervisor

import (
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/operations/file"
	"github.com/pomerado-go/pomerado/supervisor/gate"
)

func TestExpiredFilesAreSweptWhenOneIsKept(t *testing.T) {
	dir := t.TempDir()
	s := newFileStore(t.Context(), FileOptions{Downloads: dir}, slog.New(slog.DiscardHandler))
	from := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(from, []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	old, err := s.keep(from, "old.txt", "text/plain", 5)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.kept[filepath.Join(dir, old.ID)] = time.Now().Add(-time.Second)
	s.mu.Unlock()
	fresh, err := s.keep(from, "new.txt", "text/plain", 5)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != fresh.ID {
		t.Errorf("left: %v, %v", left, err)
	}
	if n := s.sweep(time.Now().Add(31 * time.Minute)); n != 0 {
		t.Errorf("%d files outlive their time", n)
	}
	if _, err := s.keep(from, "x", "text/plain", 4); err == nil {
		t.Error("a file longer than it was is kept")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestADownloadOverACapIsCancelledAtOnce(t *testing.T) {
	var dropped []string
	f := newRunFiles(file.Limits{FileBytes: 100, RunFiles: 2, RunBytes: 150}, nil, func(guid string) { dropped = append(dropped, guid) })
	slot, err := f.arm()
	if err != nil {
		t.Fatal(err)
	}
	progress := func(guid string, received, total int64) {
		f.note(gate.DownloadEvent{GUID: guid, State: "inProgress", Received: received, Total: total})
	}
	progress("announced", 0, 101)
	progress("grows", 60, 0)
	progress("grows", 101, 0)
	progress("half", 100, 100)
	progress("rest", 51, 0)
	progress("fits", 50, 0)
	progress("third", 0, 0)
	want := []string{"announced", "grows", "rest", "third"}
	if len(dropped) != 4 || dropped[0] != want[0] || dropped[1] != want[1] || dropped[2] != want[2] || dropped[3] != want[3] {
		t.Fatalf("cancelled %v, want %v", dropped, want)
	}
	d, err := f.take(t.Context(), slot)
	if err != nil || d.refused != file.TooLarge {
		t.Errorf("the first ended download: %+v, %v", d, err)
	}
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f.note(gate.DownloadEvent{GUID: "grows", State: "completed", Path: path})
	if _, err := os.Stat(path); err == nil {
		t.Error("a download over the cap that was complete before it could be cancelled is left on disk")
	}
	f.note(gate.DownloadEvent{GUID: "half", State: "canceled"})
	if !f.reserve(100) || f.reserve(1) {
		t.Error("a cancelled download still counts, or the caps do not hold")
	}
}

func TestSameSite(t *testing.T) {
	for _, tt := range []struct {
		site, origin string
		same         bool
	}{
		{"https://shop.example.co.uk", "https://shop.example.co.uk", true},
		{"https://shop.example.co.uk", "https://files.example.co.uk:8443", true},
		{"https://shop.example.co.uk", "https://other.co.uk", false},
		{"https://shop.example.co.uk", "http://shop.example.co.uk", false},
		{"https://a.github.io", "https://b.github.io", false},
		{"http://example.com", "http://example.com", true},
		{"http://example.com", "http://www.example.com", false},
		{"http://127.0.0.1:1", "http://127.0.0.1:2", false},
		{"https://127.0.0.1:1", "https://127.0.0.1:2", true},
		{"https://example.com", "://", false},
		{"https://example.com", "null", false},
	} {
		site, err := url.Parse(tt.site)
		if err != nil {
			t.Fatal(err)
		}
		if got := sameSite(site, tt.origin); got != tt.same {
			t.Errorf("sameSite(%s, %s) = %v", tt.site, tt.origin, got)
		}
	}
}

func TestEveryFileReasonHasACode(t *testing.T) {
	for _, reason := range file.Reasons() {
		if !ipc.FileRefused(string(reason)).Valid() {
			t.Errorf("%s is no code of the wire", reason)
		}
	}
}
