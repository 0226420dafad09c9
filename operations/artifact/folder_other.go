//go:build !unix

package artifact

import (
	"os"
	"path/filepath"
	"strings"
)

// folder reads files below one directory. This platform cannot open relative to a directory without following links, so each part is looked at
// before the file is opened, and the opened file is compared with what was looked at.
type folder struct{ dir string }

func openFolder(dir string) (folder, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errNotFolder
	}
	return folder{dir}, err
}

func (folder) Close() error { return nil }

// open gives a regular file by its relative path. The error is errSymlink, errNotRegular, errNotFolder or the system's.
func (f folder) open(path string) (*os.File, error) {
	at := f.dir
	parts := strings.Split(path, "/")
	var seen os.FileInfo
	for i, part := range parts {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		switch {
		case err != nil:
			return nil, err
		case info.Mode()&os.ModeSymlink != 0:
			return nil, errSymlink
		case i < len(parts)-1 && !info.IsDir():
			return nil, errNotFolder
		case i == len(parts)-1 && !info.Mode().IsRegular():
			return nil, errNotRegular
		}
		seen = info
	}
	file, err := os.Open(at)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !os.SameFile(seen, info) {
		err = errSymlink
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
