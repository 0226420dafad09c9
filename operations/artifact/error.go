package artifact

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMissingRecipe marks a folder whose recorded sign-in cannot be read. Error.Reason is "missing", "invalid" or "unknown_version".
var ErrMissingRecipe = errors.New("the recorded sign-in cannot be read")

// Code says what kind of refusal an Error is.
type Code string

// The kinds of refusal.
const (
	NoFolder        Code = "no_folder"
	MissingFile     Code = "missing_file"
	BadPath         Code = "bad_path"
	ReservedPath    Code = "reserved_path"
	DuplicatePath   Code = "duplicate_path"
	SymlinkOnPath   Code = "symlink"
	NotRegular      Code = "not_regular"
	TooLarge        Code = "too_large"
	BadUTF8         Code = "bad_utf8"
	BadJSON         Code = "bad_json"
	BadManifest     Code = "bad_manifest"
	BadSchema       Code = "bad_schema"
	BadDeployment   Code = "bad_deployment"
	UnlistedEntry   Code = "unlisted_entrypoint"
	MissingRecipe   Code = "missing_recipe"
	UnreadableFile  Code = "unreadable"
	FolderNotEmpty  Code = "folder_not_empty"
	UnwritableFiles Code = "unwritable"
)

// Error is a folder that cannot be used, or not be written. Its text is two sentences: what is wrong and where, and what to do.
type Error struct {
	Code Code
	// Path is the file within the folder, or the folder itself.
	Path string
	// Line and Column count from 1; Column counts characters. Zero when there is no place.
	Line, Column int
	// Pointer is a JSON pointer into the file; empty when there is none or it is the whole document.
	Pointer string
	// Reason is the recipe's, see ErrMissingRecipe.
	Reason string
	// Problem and Fix are the two sentences.
	Problem, Fix string
	// Err is what the system said, when it said something.
	Err error
}

// Error puts place, problem and advice in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, " at %s", e.Pointer)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	b.WriteString(e.Problem)
	if e.Err != nil {
		fmt.Fprintf(&b, " (%v)", e.Err)
	}
	b.WriteString(".")
	if e.Fix != "" {
		b.WriteString(" " + e.Fix + ".")
	}
	return b.String()
}

// Is makes errors.Is(err, ErrMissingRecipe) true for a sign-in that cannot be read.
func (e *Error) Is(target error) bool { return target == ErrMissingRecipe && e.Code == MissingRecipe }

// Unwrap gives what the system said.
func (e *Error) Unwrap() error { return e.Err }
