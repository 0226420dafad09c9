package supervisor_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/operations/file"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
)

const pngBytes = "\x89PNG\r\n\x1a\n not much of a picture"

// fileSite serves a page with file fields and links to downloads.
func fileSite(t testing.TB) string {
	t.Helper()
	mux := http.NewServeMux()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<label>Foreign <input type="file"></label>`)
	}))
	t.Cleanup(other.Close)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<label>Receipt <input type="file" accept=".pdf,image/*"></label><label>Any <input type="file" style="display:none"></label>
<label>Twice <input type="file"></label><label>Twice <input type="file"></label><label>Words <input type="text"></label>
<iframe srcdoc="<label>Inner <input type='file'></label>"></iframe><iframe src="%s/"></iframe>
<a href="/get/report.csv">csv</a> <a href="/get/report.csv" download>saved csv</a> <a href="/get/picture.pdf">picture</a> <a href="/get/setup.exe">setup</a>
<a href="/get/tool.pdf">tool</a> <a href="/get/big.bin">big</a> <a href="/get/half.bin">half</a> <a href="/get/..%%2f">odd</a>`, other.URL)
	})
	mux.HandleFunc("/get/", func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[len("/get/"):]
		kind, content := "application/octet-stream", []byte("words")
		switch name {
		case "report.csv":
			kind, content = "text/csv; charset=utf-8", []byte("month,total\n1,5\n")
		case "picture.pdf":
			kind, content = "application/pdf", []byte(pngBytes)
		case "tool.pdf":
			kind, content = "application/pdf", []byte("#!/bin/sh\n")
		case "big.bin":
			content = bytes.Repeat([]byte("0123456789"), 3_000_000)
		case "half.bin":
			content = make([]byte, 20<<20)
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		_, _ = w.Write(content) // a browser that cancels needs no more
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.URL
}

// onDisk writes a file for a run's input and gives its reference.
func onDisk(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file.URL(path)
}

func inputOf(t testing.TB, value any) func(*supervisor.Request) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return func(r *supervisor.Request) { r.Input = text }
}

func TestAFileOfTheInputReachesThePage(t *testing.T) {
	s, site := newSupervisor(t), fileSite(t)
	reference := onDisk(t, "my receipt.pdf", []byte("%PDF-1.7 paid"))
	for _, tt := range []struct{ name, field, element string }{
		{"by its label", `{ label: "Receipt" }`, `[...document.querySelectorAll("input")][0]`},
		{"by a selector, hidden", `{ selector: "input >> nth=1" }`, `[...document.querySelectorAll("input")][1]`},
		{"by an expression", `'page.getByLabel("Receipt")'`, `[...document.querySelectorAll("input")][0]`},
		{"in a frame of the page's own", `'page.frameLocator("iframe >> nth=0").getByLabel("Inner")'`, `document.querySelector("iframe").contentDocument.querySelector("input")`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			op := operation{script: `
				const placed = await files.place(input.receipt, { field: ` + tt.field + ` });
				const seen = await page(` + "`" + `return page.evaluate(async () => { const [f] = ` + tt.element + `.files; return [f.name, f.type, f.size, await f.text()]; });` + "`" + `);
				return { placed, seen };`}
			out := op.execute(t, s, site, inputOf(t, map[string]string{"receipt": reference}))
			wantCompleted(t, out, `{"placed":{"name":"my receipt.pdf","media_type":"application/pdf","size":13},"seen":["my receipt.pdf","application/pdf",13,"%PDF-1.7 paid"]}`)
		})
	}
}

func TestAFileThatMayNotBePlacedIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	s, site := newSupervisor(t), fileSite(t)
	pdf := onDisk(t, "receipt.pdf", []byte("%PDF-1.7 paid"))
	caller, tool := outcome.InputRejected, outcome.ExecutionFailed
	for _, tt := range []struct {
		name, reference, place, field string
		reason                        file.Reason
		code                          outcome.Code
	}{
		{"26 MiB", onDisk(t, "large.pdf", make([]byte, 26<<20)), "input.receipt", `{ label: "Receipt" }`, file.TooLarge, caller},
		{"an .exe", onDisk(t, "setup.exe", []byte("words")), "input.receipt", `{ label: "Any" }`, file.Executable, caller},
		{"a program by another name", onDisk(t, "setup.pdf", []byte("MZ\x90")), "input.receipt", `{ label: "Any" }`, file.Executable, caller},
		{"a PNG named .pdf", onDisk(t, "scan.pdf", []byte(pngBytes)), "input.receipt", `{ label: "Receipt" }`, file.TypeMismatch, caller},
		{"a type the field does not take", onDisk(t, "notes.txt", []byte("words")), "input.receipt", `{ label: "Receipt" }`, file.NotAccepted, caller},
		{"a file the input does not name", pdf, `"` + onDisk(t, "other.pdf", []byte("%PDF-")) + `"`, `{ label: "Receipt" }`, file.UnknownReference, tool},
		{"a missing file", "file:///no/such/receipt.pdf", "input.receipt", `{ label: "Receipt" }`, file.Unavailable, tool},
		{"a directory", file.URL(t.TempDir()), "input.receipt", `{ label: "Receipt" }`, file.Unavailable, tool},
		{"a device", "file:///dev/zero", "input.receipt", `{ label: "Receipt" }`, file.Unavailable, tool},
		{"a path", "/etc/hostname", "input.receipt", `{ label: "Receipt" }`, file.Unavailable, tool},
		{"two fields", pdf, "input.receipt", `{ label: "Twice" }`, file.FieldNotFound, tool},
		{"no field", pdf, "input.receipt", `{ selector: "#none" }, timeoutSec: 1`, file.FieldNotFound, tool},
		{"a text field", pdf, "input.receipt", `{ label: "Words" }`, file.NotFileInput, tool},
		{"a field of another site", pdf, "input.receipt", `'page.frameLocator("iframe >> nth=1").getByLabel("Foreign")'`, file.OtherSite, tool},
	} {
		t.Run(tt.name, func(t *testing.T) {
			op := operation{write: `{ confirmation: "readback", commits: ["send"] }`, script: `
				try { await files.place(` + tt.place + `, { field: ` + tt.field + ` }); }
				catch (e) { if (e.cause?.reason !== "` + string(tt.reason) + `") throw new Error("refused for " + e.cause?.reason + ": " + e.message); throw e; }
				return "placed";`}
			out := op.execute(t, s, site, inputOf(t, map[string]string{"receipt": tt.reference}))
			if out.Code != tt.code || strings.Contains(out.Error, "refused for") || out.Status != outcome.Failed {
				t.Fatalf("got %s %s: %s %s", out.Status, out.Code, out.Error, out.Output)
			}
			early := tt.reason == file.TooLarge || tt.reason == file.UnknownReference || tt.reason == file.Unavailable
			if want := map[bool]outcome.WriteStatus{true: outcome.NotAttempted, false: outcome.NotApplied}[early]; out.WriteStatus != want {
				t.Errorf("write status %s, want %s", out.WriteStatus, want)
			}
		})
	}
}

// collecting clicks a link and collects what it gives.
func collecting(link string) operation {
	return operation{script: "return files.collect(() => page(`await page.getByRole(\"link\", { name: \"" + link + "\", exact: true }).click();`), { timeoutMs: 20000 });"}
}

func TestADownloadIsKeptAndDescribed(t *testing.T) {
	dir := t.TempDir()
	s, site := newSupervisor(t, func(o *supervisor.Options) { o.Files.Downloads = dir }), fileSite(t)
	for _, tt := range []struct{ link, name, kind, content string }{
		{"csv", "report.csv", "text/csv", "month,total\n1,5\n"},
		{"saved csv", "report.csv", "application/octet-stream", "month,total\n1,5\n"}, // Chromium says nothing of such a response
		{"picture", "picture.pdf", "image/png", pngBytes},
	} {
		t.Run(tt.link, func(t *testing.T) {
			before := time.Now()
			out := collecting(tt.link).execute(t, s, site)
			if out.Status != outcome.Completed {
				t.Fatalf("the run failed: %s", out.Error)
			}
			var output struct {
				File file.Object `json:"$file"`
			}
			if err := json.Unmarshal(out.Output, &output); err != nil {
				t.Fatal(err)
			}
			got := output.File
			sum := sha256.Sum256([]byte(tt.content))
			if got.Name != tt.name || got.MediaType != tt.kind || got.Size != int64(len(tt.content)) || got.SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("got %+v", got)
			}
			path, err := file.Path(got.DownloadURL)
			if err != nil || path != filepath.Join(dir, got.ID, tt.name) {
				t.Errorf("it is at %s (%v)", path, err)
			}
			if content, err := os.ReadFile(path); string(content) != tt.content {
				t.Errorf("on disk: %q, %v", content, err)
			}
			expires, err := time.Parse(time.RFC3339, got.ExpiresAt)
			if err != nil || expires.Before(before.Add(29*time.Minute)) || expires.After(time.Now().Add(31*time.Minute)) {
				t.Errorf("it expires at %s (%v)", got.ExpiresAt, err)
			}
		})
	}
}

func TestADownloadThatMayNotBeCollectedIsRefused(t *testing.T) {
	dir := t.TempDir()
	s, site := newSupervisor(t, func(o *supervisor.Options) { o.Files.Downloads = dir }), fileSite(t)
	quick := operation{script: `return files.collect(() => {}, { timeoutMs: 50 });`}
	for _, tt := range []struct {
		name   string
		op     operation
		reason file.Reason
		code   outcome.Code
		says   string
	}{
		{"30 MB", collecting("big"), file.TooLarge, outcome.InputRejected, "larger than a file may be"},
		{"an .exe", collecting("setup"), file.Executable, outcome.InputRejected, "program"},
		{"a script named .pdf", collecting("tool"), file.Executable, outcome.InputRejected, "program"},
		{"nothing", quick, file.NoDownload, outcome.ExecutionFailed, "no download finished within 50ms"},
		{"one that was not collected", operation{script: `return { report: { $file: { id: "made up" } } };`}, file.NotCollected, outcome.ExecutionFailed, `"made up"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := tt.op.execute(t, s, site, func(r *supervisor.Request) { r.Effect = outcome.Read })
			wantFailed(t, out, tt.code, "", tt.says)
		})
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("kept all the same: %v, %v", left, err)
	}
}

func TestDownloadsNobodyArmedCountAgainstTheCaps(t *testing.T) {
	limits := func(o *supervisor.Options) {
		o.Files = supervisor.FileOptions{Downloads: t.TempDir(), Limits: file.Limits{RunFiles: 2}}
	}
	few, usual, site := newSupervisor(t, limits), newSupervisor(t), fileSite(t)
	pdf := onDisk(t, "receipt.pdf", []byte("%PDF-1.7 paid"))
	get := func(link string, times int) string {
		return strings.Repeat("await page(`const d = page.waitForEvent('download'); await page.getByRole('link', { name: '"+link+"', exact: true }).click(); await (await d).failure();`);", times)
	}
	for _, tt := range []struct {
		name   string
		s      *supervisor.Supervisor
		script string
	}{
		{"by number", few, get("csv", 2) + `return files.place(input.receipt, { field: { label: "Receipt" } });`},
		{"by number, placed first", few, `await files.place(input.receipt, { field: { label: "Receipt" } });` + get("csv", 1) + `return files.collect(async () => {` + get("csv", 1) + `});`},
		{"by size", usual, get("half", 2) + `return files.collect(async () => {` + get("half", 1) + `});`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := operation{script: tt.script}.execute(t, tt.s, site, inputOf(t, map[string]string{"receipt": pdf}), func(r *supervisor.Request) { r.Effect = outcome.Read })
			wantFailed(t, out, outcome.InputRejected, "", "the run's files together are more than a run may handle")
		})
	}
	t.Run("and a run within them works", func(t *testing.T) {
		out := operation{script: get("csv", 1) + `return (await files.place(input.receipt, { field: { label: "Receipt" } })).size;`}.execute(t, few, site, inputOf(t, map[string]string{"receipt": pdf}))
		wantCompleted(t, out, `13`)
	})
}

func TestAClosedSupervisorLeavesNoFilesButThoseItWasToldTo(t *testing.T) {
	site := fileSite(t)
	for _, leave := range []bool{false, true} {
		temp := t.TempDir()
		t.Setenv("TMPDIR", temp)
		s := newSupervisor(t, func(o *supervisor.Options) { o.Files.Leave = leave })
		if out := collecting("csv").execute(t, s, site); out.Status != outcome.Completed {
			t.Fatal(out.Error)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		left, err := filepath.Glob(filepath.Join(temp, "pomerado-*", "*", "report.csv"))
		if err != nil || (len(left) == 1) != leave {
			t.Errorf("leave %v: left %v, %v", leave, left, err)
		}
		if all, _ := os.ReadDir(temp); slices.ContainsFunc(all, func(e os.DirEntry) bool { return !strings.HasPrefix(e.Name(), "pomerado-downloads-") }) {
			t.Errorf("leave %v: the folder holds %v", leave, all)
		}
	}
}

func TestTheDownloadExampleRuns(t *testing.T) {
	source, err := os.ReadFile("../workers/contract/testdata/examples/4-download.js")
	if err != nil {
		t.Fatal(err)
	}
	s, at := newSupervisor(t, func(o *supervisor.Options) { o.Files.Downloads = t.TempDir() }), startSite(t)
	out := operation{source: string(source)}.execute(t, s, at.URL, inputOf(t, map[string]int{"year": 2025}))
	var got struct {
		Report struct {
			File file.Object `json:"$file"`
		}
		Empty bool
	}
	if out.Status != outcome.Completed || json.Unmarshal(out.Output, &got) != nil || got.Empty || got.Report.File.Name != "report.csv" || got.Report.File.Size != 16 {
		t.Fatalf("%s %s %s", out.Status, out.Error, out.Output)
	}
	out = operation{source: string(source)}.execute(t, s, at.URL, inputOf(t, map[string]int{"year": 2011}), func(r *supervisor.Request) { r.Effect = outcome.Read })
	wantFailed(t, out, outcome.InputRejected, "", "The site offers no report for that year")
	if !slices.Equal(out.Details.Available, []string{"2024", "2025"}) {
		t.Errorf("available: %v", out.Details.Available)
	}
}
