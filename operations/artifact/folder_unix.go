//go:build unix

package artifact

import (
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// folder reads files below one directory without following a symbolic link anywhere: each part of a path is opened relative to the
// one before, so nothing swapped in meanwhile is reached either.
type folder struct{ file *os.File }

func openFolder(dir string) (folder, error) {
	file, err := os.Open(dir)
	if err != nil {
		return folder{}, err
	}
	info, err := file.Stat()
	if err == nil && !info.IsDir() {
		err = unix.ENOTDIR
	}
	if err != nil {
		file.Close()
		return folder{}, err
	}
	return folder{file}, nil
}

func (f folder) Close() error { return f.file.Close() }

// open gives a regular file by its relative path. The error is errSymlink, errNotRegular, errNotFolder or the system's.
func (f folder) open(path string) (*os.File, error) {
	at := int(f.file.Fd())
	defer func() {
		if at != int(f.file.Fd()) {
			unix.Close(at)
		}
	}()
	parts := strings.Split(path, "/")
	for _, part := range parts[:len(parts)-1] {
		next, err := openAt(at, part, unix.O_DIRECTORY)
		if err != nil {
			return nil, f.blame(at, part, err)
		}
		if at != int(f.file.Fd()) {
			unix.Close(at)
		}
		at = next
	}
	name := parts[len(parts)-1]
	// Not blocking, or opening a pipe nobody writes to would never return.
	fd, err := openAt(at, name, unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return nil, f.blame(at, name, err)
	}
	file := os.NewFile(uintptr(fd), path)
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func openAt(at int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC|flags, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

// blame says why a part could not be opened: the system's word for a symbolic link differs from call to call.
func (folder) blame(at int, name string, err error) error {
	var info unix.Stat_t
	if unix.Fstatat(at, name, &info, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return err
	}
	switch {
	case info.Mode&unix.S_IFMT == unix.S_IFLNK:
		return errSymlink
	case errors.Is(err, unix.ENOTDIR):
		return errNotFolder
	case errors.Is(err, unix.ENXIO): // a socket
		return errNotRegular
	}
	return err
}

var _ io.Closer = folder{}
