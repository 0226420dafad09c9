// Package confirm knows which native confirm dialogs the owner of an operation accepted while it was built, by digest and never by text.
// It is pure and runs in the supervisor.
package confirm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// MaxMessage is how many characters a message may have to be recorded (spec artifact-and-serving.md §7).
const MaxMessage = 2000

// Shown is a confirm as a run meets it.
type Shown struct {
	// Message as the page worded it.
	Message string
	// Page is the address of the page that shows it.
	Page *url.URL
	// Step is the step of the operation that raised it.
	Step string
	// Input is the operation's input, as JSON text.
	Input json.RawMessage
}

func (s Shown) origin() string { return s.Page.Scheme + "://" + s.Page.Host }

// Digest is the record to keep of a confirm: of its template when the message names values of the input or of the page's address, so that
// the same question about other values is known again, and else of the message itself. It is 64 hexadecimal digits.
func Digest(s Shown) string {
	if t, named := template(s); named {
		return digest(version2, t, s)
	}
	return digest(version1, normalize(s.Message), s)
}

const (
	version1 = "pomerado.expected_confirm.v1"
	version2 = "pomerado.expected_confirm.v2"
)

func digest(version, text string, s Shown) string {
	var list strings.Builder
	enc := json.NewEncoder(&list)
	enc.SetEscapeHTML(false)
	_ = enc.Encode([]string{version, text, s.origin(), s.Step}) // strings always encode
	sum := sha256.Sum256([]byte(strings.TrimSuffix(list.String(), "\n")))
	return hex.EncodeToString(sum[:])
}

// normalize makes wordings that read the same the same: composed characters, one space for each run of white space, none around.
func normalize(message string) string {
	return strings.Join(strings.Fields(norm.NFC.String(strings.ToValidUTF8(message, "\uFFFD"))), " ")
}

// Records are the confirms that an operation may accept in one run; each serves once.
type Records struct {
	mu   sync.Mutex
	left map[string]int // digest to how many are left
}

// NewRecords takes the digests an artifact holds.
func NewRecords(digests []string) *Records {
	r := &Records{left: map[string]int{}}
	for _, d := range digests {
		r.left[d]++
	}
	return r
}

// Take uses up the record of a confirm and reports whether there was one. The template is looked for first, then the message itself.
func (r *Records) Take(s Shown) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.left) == 0 || len(s.Message) > 4*MaxMessage {
		return false
	}
	if t, named := template(s); named && r.use(digest(version2, t, s)) {
		return true
	}
	return r.use(digest(version1, normalize(s.Message), s))
}

func (r *Records) use(digest string) bool {
	if r.left[digest] == 0 {
		return false
	}
	r.left[digest]--
	return true
}
