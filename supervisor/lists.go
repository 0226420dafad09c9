package supervisor

import (
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/pomerado-go/pomerado/operations/cursor"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/site"
)

// cursorKeys takes the keys of Options, or makes one that ends with the supervisor.
func cursorKeys(given []cursor.Key) (cursor.Keys, error) {
	if len(given) == 0 {
		given = []cursor.Key{cursor.NewKey()}
	}
	keys, err := cursor.NewKeys(given[0], given[1:]...)
	if err != nil {
		return cursor.Keys{}, fmt.Errorf("reading Options.CursorKeys: %w", err)
	}
	return keys, nil
}

// listing is a run's part in list cursors (spec artifact-and-serving.md §8).
type listing struct {
	list cursor.List
	// position is where the caller's cursor says to go on, a draft's JSON; nil at the first page.
	position json.RawMessage
	// refused is why the caller's cursor may not continue.
	refused error
}

// admitCursor checks the cursor of the input, before anything is started.
func (s *Supervisor) admitCursor(p *plan, subject string) error {
	p.lists.list = cursor.List{
		Operation: cursor.OperationText(p.site.Scheme+"://"+p.site.Host, p.artifact.Entrypoint, p.artifact.SourceDigest()),
		Subject:   subject,
		OnSite: func(address string) bool {
			at, err := url.Parse(address)
			return err == nil && (at.Scheme == "http" || at.Scheme == "https") && site.Rules{}.Same(p.site, at)
		},
	}
	draft, err := s.cursors.Admit(p.lists.list, p.input, time.Now())
	if err != nil {
		p.lists.refused = err
		return nil
	}
	if draft == nil {
		return nil
	}
	if p.lists.position, err = draft.Marshal(); err != nil {
		return fmt.Errorf("handing on the position of a list cursor: %w", err)
	}
	return nil
}

// refusal gives the facts of a run whose cursor was refused.
func (l *listing) refusal(f *outcome.Facts) {
	f.Thrown.Field, f.Thrown.Message = "cursor", l.refused.Error()
	if refused, ok := l.refused.(*cursor.Refusal); ok {
		f.Thrown.Kind = string(refused.Kind)
	}
}

// sealOutput makes the caller's cursor of the draft in a script's output; any other output it leaves as it is. What cannot be read is not
// given on: a draft is for nobody but the host.
func (s *Supervisor) sealOutput(p *plan, output json.RawMessage) (json.RawMessage, error) {
	if len(output) == 0 {
		return output, nil
	}
	return s.cursors.Seal(p.lists.list, p.input, output, time.Now())
}
