package file

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf16"
)

// MaxReference bounds a reference, in UTF-16 units.
const MaxReference = 2048

// References are the texts of an input that may name files: only those may be placed.
type References map[string]bool

// ReadReferences collects every text of an input that may be a reference. The input is valid JSON.
func ReadReferences(input json.RawMessage) References {
	found := References{}
	decoder := json.NewDecoder(bytes.NewReader(input))
	for {
		token, err := decoder.Token()
		if err != nil {
			return found
		}
		if text, ok := token.(string); ok && text != "" && len(utf16.Encode([]rune(text))) <= MaxReference {
			found[text] = true
		}
	}
}

// Path reads a local reference: a file: URL without host, query and fragment.
func Path(reference string) (string, error) {
	at, err := url.Parse(reference)
	switch {
	case err != nil, at.Scheme != "file":
		return "", errors.New("a file is named by a file: URL, such as file:///receipts/march.pdf")
	case at.Host != "" || at.User != nil || at.Opaque != "":
		return "", errors.New("a file: URL names no host: it begins with file:///")
	case at.RawQuery != "" || at.ForceQuery || at.Fragment != "" || strings.Contains(reference, "#"):
		return "", errors.New("a file: URL has no query and no fragment; write ? as %3F and # as %23")
	case at.Path == "" || strings.ContainsRune(at.Path, 0):
		return "", errors.New("the file: URL names no path")
	}
	path := at.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path), nil
}

// URL is the file: URL of an absolute path.
func URL(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
