// Package artifact owns the saved folder of an operation: reading it with every refusal, checking it, and writing it. It must not know
// processes, goja, CDP or the network, and it parses no authored source: whether an import resolves is the contract worker's business. It
// runs in the supervisor.
//
// Rules: spec/artifact-and-serving.md §1. On disk it is lax: other files in the folder and unknown keys in its JSON are ignored.
package artifact

import (
	"encoding/json"

	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/operations/schema"
)

// Limits of a folder, in bytes and in numbers of files.
const (
	MaxFile  = 8 << 20
	MaxTotal = 16 << 20
	MaxFiles = 4096
	// MaxConfirms is how many recorded confirms a folder may hold.
	MaxConfirms = 32
)

// Names of the folder's own files.
const (
	ManifestName   = "pomerado.json"
	DeploymentName = "deployment.json"
	RecipeName     = "auth-fill.json"
)

// Artifact is a saved operation, whole and checked.
type Artifact struct {
	// Dir is the folder's real, absolute path; empty when it was never saved.
	Dir string
	// Name is the deployment's name, else the folder's own.
	Name string
	// Entrypoint is the path of one of Files.
	Entrypoint string
	// Files are in the manifest's order.
	Files []File
	// InputSchema and OutputSchema are as saved; Input and Output are the same, compiled by Load or Check.
	InputSchema, OutputSchema json.RawMessage
	Input, Output             *schema.Schema
	// SignIn is nil for an operation that needs no sign-in.
	SignIn *SignIn
	// Questions is nil for an older artifact, which may ask only what its entrypoint declares as a plain literal.
	Questions        question.Declarations
	AcceptedConfirms []AcceptedConfirm
	// Deployment is nil when the folder has no deployment.json.
	Deployment *Deployment
}

// File is one authored file. Content is valid UTF-8.
type File struct {
	// Path is relative, with slashes.
	Path    string
	Content []byte
}

// AcceptedConfirm is a native confirm the owner accepted while the operation was built.
type AcceptedConfirm struct {
	// Digest is 64 hex digits.
	Digest string `json:"digest"`
}

// Deployment is how the operation is served.
type Deployment struct {
	Name        string
	Description string
	URL         string
	Intent      string
	// Effect is "read" or "write".
	Effect string
	// AuthenticationOrigins are further origins the sign-in may use.
	AuthenticationOrigins []string
}

// SignIn is the recorded sign-in of an operation.
type SignIn struct {
	// EntryURL is where its replay starts.
	EntryURL              string
	AuthenticationOrigins []string
	Recipe                *Recipe
}
