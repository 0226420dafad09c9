package artifact

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/operations/schema"
)

// Check holds an artifact that was put together in memory against every rule a loaded one is held against, and compiles its
// schemas. The error is an *Error.
func (a *Artifact) Check() error {
	paths := make([]string, len(a.Files))
	total := 0
	for i, file := range a.Files {
		paths[i] = file.Path
		if err := checkContent(file.Path, file.Content); err != nil {
			return err
		}
		if total += len(file.Content); total > MaxTotal {
			return tooLargeTogether(file.Path)
		}
	}
	if err := checkPaths(a.Entrypoint, paths); err != nil {
		return err
	}
	var err error
	if a.Input, a.Output, err = compileSchemas(a.InputSchema, a.OutputSchema); err != nil {
		return err
	}
	if err := a.Questions.Validate(); err != nil {
		return badQuestions(err)
	}
	if err := checkConfirms(a.AcceptedConfirms); err != nil {
		return err
	}
	if a.SignIn != nil {
		if err := a.SignIn.check(); err != nil {
			return err
		}
		if a.SignIn.Recipe == nil {
			return missingRecipe("missing", "", "the artifact signs in but has no recorded sign-in")
		}
	}
	if a.Deployment != nil {
		return a.Deployment.check()
	}
	return nil
}

// checkPaths checks an artifact's list of files.
func checkPaths(entrypoint string, files []string) error {
	if len(files) > MaxFiles {
		return &Error{Code: TooLarge, Path: ManifestName, Pointer: "/files", Problem: fmt.Sprintf("more than %d files are listed", MaxFiles), Fix: "Take files off the list that the operation does not need"}
	}
	seen := make(map[string]bool, len(files))
	for i, path := range files {
		at := fmt.Sprintf("/files/%d", i)
		if problem := badPath(path); problem != "" {
			return &Error{Code: BadPath, Path: ManifestName, Pointer: at, Problem: fmt.Sprintf("the path %q %s", clip(path), problem), Fix: "List files by their path within the folder, made of letters, digits and _ . - /"}
		}
		if seen[path] {
			return &Error{Code: DuplicatePath, Path: ManifestName, Pointer: at, Problem: fmt.Sprintf("the path %q is listed twice", clip(path)), Fix: "List it once"}
		}
		seen[path] = true
		switch first := firstPart(path); first {
		case ManifestName, RecipeName:
			return reservedPath(at, path)
		}
	}
	if !seen[entrypoint] {
		return &Error{Code: UnlistedEntry, Path: ManifestName, Pointer: "/entrypoint", Problem: fmt.Sprintf("the entrypoint %q is not one of the listed files", clip(entrypoint)), Fix: "Add it to files"}
	}
	return nil
}

func reservedPath(pointer, path string) error {
	return &Error{Code: ReservedPath, Path: ManifestName, Pointer: pointer, Problem: fmt.Sprintf("the path %q is taken by the artifact's own files", clip(path)), Fix: "Move the file elsewhere"}
}

func firstPart(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return strings.ToLower(first)
}

// servedNames are taken once an artifact is packed to be served (spec §1.2).
var servedNames = []string{DeploymentName, RecipeName, "mcp.mjs", "mcp.json", "readme.md", "codex-mcp.toml", ".mcp.json", ".vscode", ".cursor", ".codex", ".gemini", ".claude", ".jobs"}

// badPath says what is wrong with a relative path; "" when nothing is.
func badPath(path string) string {
	switch {
	case path == "":
		return "is empty"
	case strings.HasPrefix(path, "/"):
		return "is absolute"
	}
	for _, part := range strings.Split(path, "/") {
		switch part {
		case "":
			return "has an empty part"
		case ".", "..":
			return "leaves the folder or repeats it (a . or .. part)"
		}
	}
	for _, c := range path {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-", c) {
			return fmt.Sprintf("holds the character %q", c)
		}
	}
	return ""
}

func compileSchemas(input, output json.RawMessage) (in, out *schema.Schema, err error) {
	if in, err = compileSchema("/inputSchema", input); err != nil {
		return nil, nil, err
	}
	if out, err = compileSchema("/outputSchema", output); err != nil {
		return nil, nil, err
	}
	return in, out, nil
}

func compileSchema(at string, raw json.RawMessage) (*schema.Schema, error) {
	s, err := schema.Compile(raw)
	var wrong *schema.Error
	if errors.As(err, &wrong) {
		return nil, &Error{Code: BadSchema, Path: ManifestName, Pointer: at + wrong.Pointer, Problem: "the JSON Schema cannot be used: " + wrong.Problem, Fix: "Correct the schema in the operation's contract and pack it again"}
	}
	return s, err
}

func badQuestions(err error) error {
	var wrong *question.Problem
	if !errors.As(err, &wrong) {
		return err
	}
	return &Error{Code: BadManifest, Path: ManifestName, Pointer: "/questions" + wrong.Pointer, Problem: "the question's declaration cannot be used: it " + wrong.Rule, Fix: "Correct the declaration in the operation's contract and pack it again"}
}

func checkConfirms(confirms []AcceptedConfirm) error {
	const fix = "Mint the operation again, or delete acceptedConfirms to be asked about its popups"
	if len(confirms) > MaxConfirms {
		return &Error{Code: BadManifest, Path: ManifestName, Pointer: "/acceptedConfirms", Problem: fmt.Sprintf("more than %d confirms are recorded", MaxConfirms), Fix: fix}
	}
	for i, confirm := range confirms {
		if len(confirm.Digest) != 64 || strings.Trim(confirm.Digest, "0123456789abcdef") != "" {
			return &Error{Code: BadManifest, Path: ManifestName, Pointer: fmt.Sprintf("/acceptedConfirms/%d/digest", i), Problem: "a recorded confirm is not 64 hex digits", Fix: fix}
		}
	}
	return nil
}

func clip(text string) string {
	if len(text) > 120 {
		return strings.ToValidUTF8(text[:120], "") + "…"
	}
	return text
}

// servable refuses files whose names a served artifact needs for itself.
func (a *Artifact) servable() error {
	for i, file := range a.Files {
		if slices.Contains(servedNames, firstPart(file.Path)) {
			return reservedPath(fmt.Sprintf("/files/%d", i), file.Path)
		}
	}
	return nil
}
