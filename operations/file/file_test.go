package file_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/operations/file"
)

func TestBytesProveATypeAndFitADeclaredOne(t *testing.T) {
	png, pdf, zip := "\x89PNG\r\n\x1a\n....", "%PDF-1.7", "PK\x03\x04...."
	docx := "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	for _, tt := range []struct {
		head, proved, declared string
		fits                   bool
	}{
		{png, "image/png", "image/png", true},
		{png, "image/png", "application/pdf", false},
		{png, "image/png", "application/octet-stream", true},
		{png, "image/png", "text/plain", false},
		{pdf, "application/pdf", "application/pdf", true},
		{"plain words", "", "application/pdf", false},
		{"plain words", "", "text/csv", true},
		{"plain words", "", docx, false},
		{"", "", "text/plain", true},
		{"", "", "image/png", false},
		{"\xff\xd8\xff\xe0", "image/jpeg", "image/jpg", true},
		{"GIF89a", "image/gif", "image/gif", true},
		{"RIFF\x10\x00\x00\x00WEBPVP8 ", "image/webp", "image/webp", true},
		{"RIFF\x10\x00\x00\x00WAVEfmt ", "", "audio/wav", true},
		{"II*\x00", "image/tiff", "image/tiff", true},
		{"\x00\x00\x00\x18ftypheic", "image/heic", "image/heif", true},
		{zip, "application/zip", docx, true},
		{zip, "application/zip", "application/epub+zip", true},
		{zip, "application/zip", "application/msword", false},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-cfb", "application/msword", true},
		{"\x1f\x8b\x08", "application/gzip", "application/gzip", true},
		{"Rar!\x1a\x07\x01", "application/vnd.rar", "application/vnd.rar", true},
		{"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed", "application/x-7z-compressed", true},
	} {
		if got := file.Sniff([]byte(tt.head)); got != tt.proved {
			t.Errorf("Sniff(%q) = %q, want %q", tt.head, got, tt.proved)
		}
		if got := file.Fits(tt.declared, []byte(tt.head)); got != tt.fits {
			t.Errorf("Fits(%q, %q) = %v, want %v", tt.declared, tt.head, got, tt.fits)
		}
	}
}

func TestProgramsAreKnownByTheirBytesOrTheirName(t *testing.T) {
	for _, tt := range []struct {
		head, name string
		program    bool
	}{
		{"MZ\x90", "report.pdf", true},
		{"\x7fELF", "a", true},
		{"\xca\xfe\xba\xbe", "a", true},
		{"\xcf\xfa\xed\xfe", "a", true},
		{"#!/bin/sh", "notes.txt", true},
		{"words", "setup.EXE", true},
		{"words", "setup.exe.", true},
		{"words", "run.ps1", true},
		{"words", "report.exe.pdf", false},
		{"%PDF-1.7", "exe", false},
	} {
		if got := file.IsProgram([]byte(tt.head), tt.name); got != tt.program {
			t.Errorf("IsProgram(%q, %q) = %v", tt.head, tt.name, got)
		}
	}
}

func TestAcceptTakesExtensionsGroupsAndTypes(t *testing.T) {
	for _, tt := range []struct {
		accept, name, kind string
		takes              bool
	}{
		{"", "a.bin", file.Octets, true},
		{" , ", "a.bin", file.Octets, true},
		{".pdf,image/*", "Scan.PDF", "application/pdf", true},
		{".pdf, image/*", "a.png", "image/png", true},
		{".pdf,image/*", "a.txt", "text/plain", false},
		{"IMAGE/PNG", "a.png", "image/png", true},
		{"image/png", "a.jpg", "image/jpeg", false},
		{"image/*", "a.bin", "imagery/x", false},
		{"*/*", "a.bin", file.Octets, true},
		{".tar.gz", "a.tar.gz", "application/gzip", true},
	} {
		if got := file.Accepts(tt.accept, tt.name, tt.kind); got != tt.takes {
			t.Errorf("Accepts(%q, %q, %q) = %v", tt.accept, tt.name, tt.kind, got)
		}
	}
}

func TestNamesAndTypesThatDoNotFitAreReplaced(t *testing.T) {
	for name, want := range map[string]string{
		"report.csv": "report.csv", "": "download", "..": "download", "a/b": "download", `a\b`: "download", "a\x00b": "download", "a\u0085b": "download",
		"Ünïcode.pdf": "Ünïcode.pdf", strings.Repeat("x", 255): strings.Repeat("x", 255), strings.Repeat("x", 256): "download", strings.Repeat("漢", 100): "download",
	} {
		if got := file.Name(name, "download"); got != want {
			t.Errorf("Name(%q) = %q, want %q", name, got, want)
		}
	}
	for header, want := range map[string]string{
		"text/csv": "text/csv", "Text/CSV; charset=utf-8": "text/csv", "text/csv; broken=": "text/csv", "": "", "text": "", "text/": "", "a b/c": "",
	} {
		if got := file.MediaType(header); got != want {
			t.Errorf("MediaType(%q) = %q, want %q", header, got, want)
		}
	}
}

func TestOnlyFileURLsOfThisMachineAreReferences(t *testing.T) {
	for reference, want := range map[string]string{
		"file:///tmp/a.pdf": "/tmp/a.pdf", "file:///tmp/a%20b%23.pdf": "/tmp/a b#.pdf", "file:/tmp/a": "/tmp/a",
		"/tmp/a.pdf": "", "file://host/tmp/a": "", "file:///tmp/a?x": "", "file:///tmp/a#": "", "file:///tmp/a?": "", "https://example.com/a": "",
		"file:a": "", "file:///tmp/a%00b": "", "file:": "",
	} {
		got, err := file.Path(reference)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("Path(%q) = %q, %v; want %q", reference, got, err, want)
		}
	}
	if got := file.URL("/tmp/a b#%.pdf"); got != "file:///tmp/a%20b%23%25.pdf" {
		t.Errorf("URL = %q", got)
	}
	if path, err := file.Path(file.URL("/tmp/a b#%?.pdf")); path != "/tmp/a b#%?.pdf" || err != nil {
		t.Errorf("the path comes back as %q, %v", path, err)
	}
}

func TestReferencesAreTheTextsOfTheInput(t *testing.T) {
	refs := file.ReadReferences(json.RawMessage(`{"receipt":"file:///a","more":["file:///b",{"deep":"file:///c"}],"n":1,"none":null,"long":"` + strings.Repeat("x", 2049) + `"}`))
	for _, one := range []string{"file:///a", "file:///b", "file:///c"} {
		if !refs[one] {
			t.Errorf("%s is no reference", one)
		}
	}
	if refs["file:///d"] || refs[strings.Repeat("x", 2049)] || refs[""] {
		t.Errorf("references of an input that does not name them: %v", refs)
	}
}

func TestAnOutputNamesCollectedFilesOnly(t *testing.T) {
	one := file.Object{ID: "1", Name: "a.csv", MediaType: "text/csv", Size: 3, SHA256: strings.Repeat("0", 64), DownloadURL: "file:///a.csv", ExpiresAt: "2026-12-01T00:00:00Z"}
	changed := one
	changed.Size = 4
	for _, tt := range []struct {
		name, output string
		id           string
		bad          bool
	}{
		{"none", `{"a":[1,{"b":null}]}`, "", false},
		{"collected", `{"files":[` + string(one.Output()) + `]}`, "", false},
		{"twice", `[` + string(one.Output()) + `,` + string(one.Output()) + `]`, "", false},
		{"another size", `{"deep":[{"x":` + string(changed.Output()) + `}]}`, "1", true},
		{"made up", `{"$file":{"id":"x"}}`, "x", true},
		{"no object", `{"$file":7}`, "", true},
		{"one key more", strings.Replace(string(one.Output()), `"id"`, `"more":1,"id"`, 1), "1", true},
	} {
		id, bad := file.Uncollected(json.RawMessage(tt.output), []file.Object{one})
		if bad != tt.bad || id != tt.id {
			t.Errorf("%s: got %q, %v; want %q, %v", tt.name, id, bad, tt.id, tt.bad)
		}
	}
}

func FuzzRulesNeverGiveWhatMayNotBe(f *testing.F) {
	f.Add("report.csv", "text/csv; charset=utf-8", "file:///tmp/a", []byte("%PDF-1"))
	f.Add("../x", "a/b", "file://x/y", []byte("MZ"))
	f.Fuzz(func(t *testing.T, name, header, reference string, head []byte) {
		if got := file.Name(name, "file"); strings.ContainsAny(got, "/\\\x00") || got == ".." || got == "." || got == "" {
			t.Errorf("Name(%q) = %q", name, got)
		}
		if kind := file.MediaType(header); kind != "" && strings.Count(kind, "/") != 1 {
			t.Errorf("MediaType(%q) = %q", header, kind)
		}
		if path, err := file.Path(reference); err == nil && strings.ContainsRune(path, 0) {
			t.Errorf("Path(%q) = %q", reference, path)
		}
		if kind := file.Sniff(head); kind != "" && !file.Fits(kind, head) {
			t.Errorf("%q is proved %s and does not fit it", head, kind)
		}
		file.ReadReferences(json.RawMessage(head))
		if _, bad := file.Uncollected(json.RawMessage(head), nil); bad && !json.Valid(head) {
			t.Errorf("%q names a file and is no JSON", head)
		}
	})
}

func TestEveryReasonIsListedOnce(t *testing.T) {
	all := file.Reasons()
	slices.Sort(all)
	if len(slices.Compact(all)) != 12 {
		t.Errorf("reasons: %v", all)
	}
}
