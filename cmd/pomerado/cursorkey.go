package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pomerado-go/pomerado/operations/cursor"
)

// maxCursorKeys bounds the file of --cursor-key, in bytes.
const maxCursorKeys = 64 << 10

// readCursorKeys reads the secrets that list cursors are signed with, and makes the file with a new one when there is none. No file is no
// key: the supervisor then makes its own.
func readCursorKeys(file string) ([]cursor.Key, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeCursorKey(file)
	}
	if err != nil {
		return nil, &failure{code: exitUsage, cause: err, what: fmt.Sprintf("The cursor key of %s cannot be used: %v", file, err),
			advice: "Name a file that can be read, or one in a folder where it can be made"}
	}
	var keys []cursor.Key
	if err = errTooLong; len(text) <= maxCursorKeys {
		keys, err = cursor.ParseKeys(string(text))
	}
	if err != nil {
		return nil, &failure{code: exitUsage, cause: err, what: fmt.Sprintf("The cursor key of %s cannot be used: %v", file, err),
			advice: "Give a file with one secret a line, 32 bytes or more in hexadecimal or base64, or name a new file to have one made"}
	}
	return keys, nil
}

var errTooLong = fmt.Errorf("it is over %d KiB", maxCursorKeys>>10)

// makeCursorKey writes a new secret for the user alone. Of two commands that do so at once the second reads what the first wrote.
func makeCursorKey(file string) ([]byte, error) {
	made, err := os.CreateTemp(filepath.Dir(file), ".cursor-key-*") // 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(made.Name())
	_, err = made.WriteString(cursor.NewKey().Text())
	if err = errors.Join(err, made.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(made.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.ReadFile(file)
}
