// Package file owns the rules of files that go into and out of a run: the caps, what a name and a media type may be, what bytes prove, which
// files are programs, what an input's accept attribute takes, which references a run may place, and which files its output may name.
//
// It is pure and runs in both processes. It opens nothing and knows neither the page nor the wire. The rules are those of
// spec artifact-and-serving.md §9.
package file

import (
	"mime"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits are the caps of one run. Zero fields mean the default.
type Limits struct {
	// FileBytes bounds one file, in bytes.
	FileBytes int64
	// RunFiles and RunBytes bound the files of one run, those placed and those downloaded together.
	RunFiles int
	RunBytes int64
}

// DefaultLimits are 25 MiB a file, 10 files and 50 MiB a run.
var DefaultLimits = Limits{FileBytes: 25 << 20, RunFiles: 10, RunBytes: 50 << 20}

// Or fills the zero fields of l from other.
func (l Limits) Or(other Limits) Limits {
	if l.FileBytes == 0 {
		l.FileBytes = other.FileBytes
	}
	if l.RunFiles == 0 {
		l.RunFiles = other.RunFiles
	}
	if l.RunBytes == 0 {
		l.RunBytes = other.RunBytes
	}
	return l
}

// Reason says why a file was refused.
type Reason string

// The reasons, in the order a placed and a collected file is checked.
const (
	UnknownReference Reason = "unknown_reference" // it is not a file of the run's input
	Unavailable      Reason = "unavailable"       // it cannot be opened, read or set
	TooLarge         Reason = "too_large"         // it is over Limits.FileBytes
	FieldNotFound    Reason = "field_not_found"   // not exactly one element is the field
	NotFileInput     Reason = "not_file_input"    // the field is no <input type="file">
	OtherSite        Reason = "other_site"        // the field's document is not the site's
	Executable       Reason = "executable"        // it is a program
	TypeMismatch     Reason = "type_mismatch"     // its bytes are not of its type
	NotAccepted      Reason = "not_accepted"      // the field's accept attribute does not take it
	RunLimit         Reason = "run_limit"         // one more would pass Limits.RunFiles or RunBytes
	NoDownload       Reason = "no_download"       // no download finished in time
	NotCollected     Reason = "not_collected"     // the output names a file the run did not collect
)

// Reasons lists every reason.
func Reasons() []Reason {
	return []Reason{UnknownReference, Unavailable, TooLarge, FieldNotFound, NotFileInput, OtherSite, Executable, TypeMismatch, NotAccepted, RunLimit, NoDownload, NotCollected}
}

// Octets is the media type of what nothing is known of.
const Octets = "application/octet-stream"

// MaxName bounds a file's name, in UTF-16 units as JavaScript counts them.
const MaxName = 255

// Name gives name when it is one path segment of 1 to 255 characters without control characters, else instead.
func Name(name, instead string) string {
	if name == "" || name == "." || name == ".." || !utf8.ValidString(name) || len(utf16.Encode([]rune(name))) > MaxName {
		return instead
	}
	if strings.ContainsAny(name, `/\`) || strings.ContainsFunc(name, unicode.IsControl) {
		return instead
	}
	// A file system takes 255 bytes a name where JavaScript counts characters.
	if len(name) > MaxName {
		return instead
	}
	return name
}

var mediaType = regexp.MustCompile(`^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$`)

// MediaType reads a Content-Type header: lower case, without parameters; empty when it is none.
func MediaType(header string) string {
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		kind, _, _ = strings.Cut(header, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	if !mediaType.MatchString(kind) {
		return ""
	}
	return kind
}

// TypeByName is the media type a local file is taken to have, by its extension.
func TypeByName(name string) string {
	if kind, ok := byExtension[extension(name)]; ok {
		return kind
	}
	return Octets
}

func extension(name string) string { return strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) }

// byExtension is a table of our own: the system's differ from machine to machine.
var byExtension = map[string]string{
	"pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
	"tif": "image/tiff", "tiff": "image/tiff", "heic": "image/heic", "heif": "image/heif", "svg": "image/svg+xml", "bmp": "image/bmp", "avif": "image/avif",
	"zip": "application/zip", "gz": "application/gzip", "rar": "application/vnd.rar", "7z": "application/x-7z-compressed", "tar": "application/x-tar",
	"doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint", "msg": "application/vnd.ms-outlook",
	"docx": docx, "xlsx": xlsx, "pptx": pptx, "odt": odt, "ods": ods, "odp": odp, "epub": "application/epub+zip", "rtf": "application/rtf",
	"txt": "text/plain", "csv": "text/csv", "tsv": "text/tab-separated-values", "md": "text/markdown", "html": "text/html", "htm": "text/html",
	"css": "text/css", "ics": "text/calendar", "vcf": "text/vcard", "xml": "application/xml", "json": "application/json", "yaml": "application/yaml",
	"mp3": "audio/mpeg", "wav": "audio/wav", "mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
}

// Accepts says whether an input's accept attribute takes a file: an empty one takes all; its entries are ".ext", "type/*" or an exact type.
func Accepts(accept, name, kind string) bool {
	name, kind = strings.ToLower(name), strings.ToLower(kind)
	any := false
	for _, entry := range strings.Split(accept, ",") {
		entry = strings.ToLower(strings.TrimSpace(entry))
		group, wild := strings.CutSuffix(entry, "/*")
		switch {
		case entry == "":
			continue
		case entry == "*/*", entry == "*",
			entry[0] == '.' && strings.HasSuffix(name, entry),
			wild && strings.HasPrefix(kind, group+"/"),
			entry == kind:
			return true
		}
		any = true
	}
	return !any
}
