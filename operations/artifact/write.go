package artifact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pomerado-go/pomerado/operations/question"
)

// Write saves a checked artifact in dir, which must be new or empty. Its parents are made. The folder appears whole or not at all: it is
// written beside its place and then moved there. Folder and files are their owner's alone. The error is an *Error.
func Write(dir string, a Artifact) error {
	if err := a.Check(); err != nil {
		return err
	}
	if a.Deployment != nil {
		if err := a.servable(); err != nil {
			return err
		}
	}
	real, err := filepath.Abs(dir)
	if err != nil {
		return unwritable(dir, err)
	}
	existed, err := empty(real)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(real), 0o755); err != nil {
		return unwritable(dir, err)
	}
	staged, err := os.MkdirTemp(filepath.Dir(real), "."+filepath.Base(real)+".*.tmp")
	if err != nil {
		return unwritable(dir, err)
	}
	if err := a.stage(staged); err != nil {
		return errors.Join(unwritable(dir, err), os.RemoveAll(staged))
	}
	if existed {
		// Only an empty folder can be removed so; whatever got in meanwhile stays and the move below fails.
		if err := os.Remove(real); err != nil {
			return errors.Join(unwritable(dir, err), os.RemoveAll(staged))
		}
	}
	if err := os.Rename(staged, real); err != nil {
		failed := errors.Join(unwritable(dir, err), os.RemoveAll(staged))
		if existed {
			return errors.Join(failed, os.Mkdir(real, 0o755))
		}
		return failed
	}
	return nil
}

func unwritable(dir string, err error) error {
	return &Error{Code: UnwritableFiles, Path: dir, Problem: "the artifact cannot be written here", Err: cause(err), Fix: "Choose a folder you may write to"}
}

// empty reports whether dir is there; it refuses one that holds something.
func empty(dir string) (existed bool, err error) {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, unwritable(dir, err)
	}
	taken := &Error{Code: FolderNotEmpty, Path: dir, Problem: "there is something here already", Fix: "Choose a new folder, or empty this one"}
	if !info.IsDir() {
		return false, taken
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, unwritable(dir, err)
	}
	if len(entries) > 0 {
		return false, taken
	}
	return true, nil
}

// stage writes every file below an empty folder of our own.
func (a *Artifact) stage(dir string) error {
	files := slices.Clone(a.Files)
	if a.SignIn != nil {
		text, err := a.SignIn.Recipe.MarshalJSON()
		if err == nil {
			text, err = indented(text)
		}
		if err != nil {
			return err
		}
		files = append(files, File{RecipeName, text})
	}
	text, err := a.manifest()
	if err != nil {
		return err
	}
	files = append(files, File{ManifestName, append(text, '\n')})
	if a.Deployment != nil {
		text, err := a.Deployment.text()
		if err != nil {
			return err
		}
		files = append(files, File{DeploymentName, append(text, '\n')})
	}
	for _, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := writeNew(path, file.Content); err != nil {
			return fmt.Errorf("writing %s: %w", file.Path, err)
		}
	}
	return nil
}

// writeNew writes a file that must not be there yet.
func writeNew(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// manifest writes pomerado.json, its keys in the fixed order and without its final newline. A new artifact always has its questions.
func (a *Artifact) manifest() ([]byte, error) {
	type signIn struct {
		Recipe                string   `json:"recipe"`
		EntryURL              string   `json:"entryUrl"`
		AuthenticationOrigins []string `json:"authenticationOrigins,omitempty"`
	}
	wire := struct {
		Entrypoint       string             `json:"entrypoint"`
		Files            []string           `json:"files"`
		InputSchema      json.RawMessage    `json:"inputSchema"`
		OutputSchema     json.RawMessage    `json:"outputSchema"`
		SignIn           *signIn            `json:"signIn,omitempty"`
		Questions        json.RawMessage    `json:"questions"`
		AcceptedConfirms *[]AcceptedConfirm `json:"acceptedConfirms,omitempty"`
	}{Entrypoint: a.Entrypoint, Files: []string{}, InputSchema: a.InputSchema, OutputSchema: a.OutputSchema}
	for _, file := range a.Files {
		wire.Files = append(wire.Files, file.Path)
	}
	if a.SignIn != nil {
		wire.SignIn = &signIn{RecipeName, a.SignIn.EntryURL, a.SignIn.AuthenticationOrigins}
	}
	if a.AcceptedConfirms != nil {
		wire.AcceptedConfirms = &a.AcceptedConfirms
	}
	var err error
	if wire.Questions, err = orderedQuestions(a.Questions); err != nil {
		return nil, err
	}
	text, err := marshal(wire)
	if err != nil {
		return nil, err
	}
	return indented(text)
}

func orderedQuestions(questions question.Declarations) (json.RawMessage, error) {
	text := []byte{'{'}
	for i, id := range slices.Sorted(maps.Keys(questions)) {
		one, err := questions[id].MarshalJSON()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%q:%s", id, one)
	}
	return append(text, '}'), nil
}

// text writes deployment.json without its final newline.
func (d *Deployment) text() ([]byte, error) {
	type request struct {
		URL                   string   `json:"url"`
		Intent                string   `json:"intent"`
		Effect                string   `json:"effect"`
		AuthenticationOrigins []string `json:"authenticationOrigins,omitempty"`
	}
	text, err := marshal(struct {
		Name        string  `json:"name"`
		Description string  `json:"description"`
		Request     request `json:"request"`
	}{d.Name, d.Description, request{d.URL, d.Intent, d.Effect, d.AuthenticationOrigins}})
	if err != nil {
		return nil, err
	}
	return indented(text)
}

func indented(text []byte) ([]byte, error) {
	var out bytes.Buffer
	err := json.Indent(&out, text, "", "  ")
	return out.Bytes(), err
}
