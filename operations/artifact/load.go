package artifact

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"unicode/utf8"
)

// What a folder answers beside the system's own errors.
var (
	errSymlink    = errors.New("a symbolic link")
	errNotRegular = errors.New("not a regular file")
	errNotFolder  = errors.New("not a folder")
)

// Load reads the folder of a saved operation and checks all of it. dir itself may be reached through symbolic links; nothing below it
// may. The error is an *Error.
func Load(dir string) (*Artifact, error) {
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	var from folder
	if err == nil {
		from, err = openFolder(real)
	}
	if err != nil {
		return nil, &Error{Code: NoFolder, Path: dir, Problem: "the artifact's folder cannot be opened", Err: cause(err), Fix: "Name a folder that holds a " + ManifestName}
	}
	defer from.Close()

	a := &Artifact{Dir: real, Name: filepath.Base(real)}
	if err := a.load(from); err != nil {
		return nil, err
	}
	return a, nil
}

func (a *Artifact) load(from folder) error {
	text, err := from.text(ManifestName, "Name a folder that pomerado pack or a mint wrote")
	if err != nil {
		return err
	}
	m, err := decodeManifest(text)
	if err != nil {
		return err
	}
	a.Entrypoint = m.entrypoint
	a.InputSchema, a.OutputSchema = m.inputSchema, m.outputSchema
	a.Questions, a.AcceptedConfirms = m.questions, m.acceptedConfirms
	if err := checkPaths(m.entrypoint, m.files); err != nil {
		return err
	}
	total := 0
	for _, path := range m.files {
		content, err := from.text(path, "Put the file back, or take it off the list in "+ManifestName)
		if err != nil {
			return err
		}
		if total += len(content); total > MaxTotal {
			return tooLargeTogether(path)
		}
		a.Files = append(a.Files, File{path, content})
	}
	if a.Input, a.Output, err = compileSchemas(a.InputSchema, a.OutputSchema); err != nil {
		return err
	}
	if a.SignIn = m.signIn; a.SignIn != nil {
		if a.SignIn.Recipe, err = from.recipe(); err != nil {
			return err
		}
	}
	text, err = from.text(DeploymentName, "Correct it, or delete it to run the artifact without a deployment")
	var wrong *Error
	if errors.As(err, &wrong) && wrong.Code == MissingFile {
		return nil
	}
	if err != nil {
		return err
	}
	if a.Deployment, err = decodeDeployment(text); err != nil {
		return err
	}
	a.Name = a.Deployment.Name
	return nil
}

// text reads one file, whole and valid.
func (f folder) text(path, fix string) ([]byte, error) {
	file, err := f.open(path)
	if err != nil {
		return nil, unreadable(path, fix, err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err != nil {
		return nil, unreadable(path, fix, err)
	}
	return content, checkContent(path, content)
}

func unreadable(path, fix string, err error) error {
	e := &Error{Path: path, Fix: fix}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Problem = MissingFile, "the file is missing"
	case errors.Is(err, errSymlink):
		e.Code, e.Problem, e.Fix = SymlinkOnPath, "there is a symbolic link on the file's path", "Replace the link by the file or folder it stands for"
	case errors.Is(err, errNotFolder):
		e.Code, e.Problem = MissingFile, "a part of the file's path is not a folder"
	case errors.Is(err, errNotRegular):
		e.Code, e.Problem = NotRegular, "this is not a regular file"
	default:
		e.Code, e.Problem, e.Err = UnreadableFile, "the file cannot be read", cause(err)
	}
	return e
}

// cause drops what an *fs.PathError repeats of the path.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// checkContent holds one file against the limits and the encoding.
func checkContent(path string, content []byte) error {
	if len(content) > MaxFile {
		return &Error{Code: TooLarge, Path: path, Problem: "the file is larger than 8 MiB", Fix: "Make it smaller; an artifact holds source, not data"}
	}
	if utf8.Valid(content) {
		return nil
	}
	at := 0
	for at < len(content) {
		r, size := utf8.DecodeRune(content[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	line, column := place(content, at)
	return &Error{Code: BadUTF8, Path: path, Line: line, Column: column, Problem: "the file is not valid UTF-8", Fix: "Save it as UTF-8"}
}

func tooLargeTogether(path string) error {
	return &Error{Code: TooLarge, Path: path, Problem: "with this file the artifact's files are larger than 16 MiB together", Fix: "Take files off the list that the operation does not need"}
}

// place gives line and column of a byte, both counted from 1, the column in characters.
func place(content []byte, offset int) (line, column int) {
	line, column = 1, 1
	for i := 0; i < offset && i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		i += size
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}
