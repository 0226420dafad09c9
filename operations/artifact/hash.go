package artifact

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
)

// Hash identifies the authored code: files and entrypoint, whatever order they are listed in. Two artifacts with one hash bundle to one script.
func (a *Artifact) Hash() string {
	h := sha256.New()
	field := func(content []byte) {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(content)))
		h.Write(length[:])
		h.Write(content)
	}
	field([]byte(a.Entrypoint))
	for _, file := range a.sorted() {
		field([]byte(file.Path))
		field(file.Content)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// SourceDigest is the digest list cursors name an operation's source by (spec §8.3): hex SHA-256 over the files in order of their paths, each
// as path, NUL, content, NUL.
func (a *Artifact) SourceDigest() string {
	h := sha256.New()
	for _, file := range a.sorted() {
		h.Write([]byte(file.Path))
		h.Write([]byte{0})
		h.Write(file.Content)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (a *Artifact) sorted() []File {
	files := slices.Clone(a.Files)
	slices.SortFunc(files, func(x, y File) int { return cmp.Compare(x.Path, y.Path) })
	return files
}
