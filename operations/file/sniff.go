package file

import (
	"bytes"
	"slices"
	"strings"
)

// HeadLength is how many of a file's first bytes [Sniff], [IsProgram] and [Fits] look at.
const HeadLength = 64

const (
	docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	pptx = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	odt  = "application/vnd.oasis.opendocument.text"
	ods  = "application/vnd.oasis.opendocument.spreadsheet"
	odp  = "application/vnd.oasis.opendocument.presentation"
)

// signature is what proves a type.
type signature struct {
	kind   string
	starts []string
	at     int
	// then must stand at thenAt too.
	then   string
	thenAt int
	// carries are the other types such bytes may be declared as.
	carries []string
}

var signatures = []signature{
	{kind: "application/pdf", starts: []string{"%PDF-"}},
	{kind: "image/png", starts: []string{"\x89PNG\r\n\x1a\n"}},
	{kind: "image/jpeg", starts: []string{"\xff\xd8\xff"}, carries: []string{"image/jpg"}},
	{kind: "image/gif", starts: []string{"GIF87a", "GIF89a"}},
	{kind: "image/webp", starts: []string{"RIFF"}, then: "WEBP", thenAt: 8},
	{kind: "image/tiff", starts: []string{"II*\x00", "MM\x00*"}},
	{kind: "image/heic", starts: []string{"ftypheic", "ftypmif1"}, at: 4, carries: []string{"image/heif"}},
	{kind: "application/zip", starts: []string{"PK\x03\x04", "PK\x05\x06"}, carries: []string{
		"application/x-zip-compressed", "application/x-zip", docx, xlsx, pptx, odt, ods, odp, "application/epub+zip"}},
	{kind: "application/gzip", starts: []string{"\x1f\x8b"}, carries: []string{"application/x-gzip"}},
	{kind: "application/x-cfb", starts: []string{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}, carries: []string{
		"application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/vnd.ms-outlook"}},
	{kind: "application/vnd.rar", starts: []string{"Rar!\x1a\x07"}, carries: []string{"application/x-rar-compressed", "application/x-rar"}},
	{kind: "application/x-7z-compressed", starts: []string{"7z\xbc\xaf\x27\x1c"}},
}

func (s *signature) proves(head []byte) bool {
	if s.then != "" && !hasAt(head, s.then, s.thenAt) {
		return false
	}
	return slices.ContainsFunc(s.starts, func(start string) bool { return hasAt(head, start, s.at) })
}

func hasAt(head []byte, text string, at int) bool {
	return len(head) >= at && bytes.HasPrefix(head[at:], []byte(text))
}

// Sniff is the type that a file's first bytes prove; empty when they prove none.
func Sniff(head []byte) string {
	for i := range signatures {
		if signatures[i].proves(head) {
			return signatures[i].kind
		}
	}
	return ""
}

// Fits says whether bytes may be of a declared type: anything may be octets; proved bytes must be that type or one they carry; a type that
// has a signature needs it; every other type is taken as declared.
func Fits(declared string, head []byte) bool {
	if declared == Octets {
		return true
	}
	for i := range signatures {
		s := &signatures[i]
		if s.proves(head) {
			return s.kind == declared || slices.Contains(s.carries, declared)
		}
	}
	return !slices.ContainsFunc(signatures, func(s signature) bool { return s.kind == declared || slices.Contains(s.carries, declared) })
}

// programStarts are the first bytes of programs: DOS and Windows, ELF, Mach-O in both orders and widths, fat Mach-O and Java classes, and
// scripts that name their interpreter.
var programStarts = []string{"MZ", "\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "#!"}

var programExtensions = strings.Fields("apk app bat cmd com cpl dll exe jar msi ps1 scr sh vbs")

// IsProgram says whether a file is a program, by its first bytes or its name.
func IsProgram(head []byte, name string) bool {
	if slices.Contains(programExtensions, extension(strings.TrimRight(name, ". "))) {
		return true
	}
	return slices.ContainsFunc(programStarts, func(start string) bool { return bytes.HasPrefix(head, []byte(start)) })
}
