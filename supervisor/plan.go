package supervisor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"golang.org/x/net/idna"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/operations/schema"
	"github.com/pomerado-go/pomerado/operations/site"
	"github.com/pomerado-go/pomerado/supervisor/asker"
)

// Request is one run.
type Request struct {
	// Artifact is the operation, as artifact.Load gave it.
	Artifact *artifact.Artifact
	// Input is JSON text; nil means {}.
	Input json.RawMessage
	// URL is the site; empty takes the deployment's. Only its origin counts.
	URL string
	// Effect is what the run is declared to do; NoEffect takes the deployment's, and with neither the run has none.
	Effect outcome.Effect
	// Subject is who calls, where several do: a list cursor is taken only from the one it was given to. Empty on a host that knows only one.
	Subject string
	// Timeout is the run's active time, DefaultTimeout when 0.
	Timeout time.Duration
	// Asker answers questions; nil leaves every question unanswerable.
	Asker asker.Asker
	// Progress is told of the run's steps, in order; it must not block for long. Nil is fine.
	Progress func(Progress)
}

// Progress is something the person who waits for a run may want to see.
type Progress struct {
	Kind ProgressKind
	Text string
}

// ProgressKind tells the kinds of progress apart.
type ProgressKind string

// ProgressStage is a stage of the run; ProgressStep a line of its script; ProgressQuestion says that somebody is being asked;
// ProgressNotice is something odd that did not end the run.
const (
	ProgressStage    ProgressKind = "stage"
	ProgressStep     ProgressKind = "step"
	ProgressQuestion ProgressKind = "question"
	ProgressNotice   ProgressKind = "notice"
)

// Outcome is how a run ended.
type Outcome struct {
	outcome.Outcome
	// Unanswerable are the ids of questions that could not be asked here at all.
	Unanswerable []string
}

// UsageError is a request that no run can be made of. Its text is two sentences: what is wrong, and what to do.
type UsageError struct{ Problem, Fix string }

func (e *UsageError) Error() string { return e.Problem + ". " + e.Fix + "." }

// plan is a checked request: everything that can be known before anything is started.
type plan struct {
	artifact  *artifact.Artifact
	input     json.RawMessage
	site      *url.URL // scheme and host alone
	domain    string   // registrable domain of an https site; empty when it has none
	effect    outcome.Effect
	timeout   time.Duration
	refusals  outcome.Refusals
	questions question.Declarations // nil until the contract of an older artifact is read
	badInput  []string              // how the input fails its schema
	lists     listing
}

func (s *Supervisor) plan(req Request) (*plan, error) {
	a := req.Artifact
	if a == nil {
		return nil, &UsageError{"The run names no artifact", "Give Request.Artifact, as artifact.Load returns it"}
	}
	if a.SignIn != nil {
		return nil, &UsageError{
			fmt.Sprintf("%s needs a recorded sign-in (%s), which this version cannot replay, and it is never run signed out", a.Name, artifact.RecipeName),
			"Run it with a version that replays sign-ins",
		}
	}
	p := &plan{artifact: a, input: req.Input, effect: req.Effect, timeout: req.Timeout, questions: a.Questions}
	if p.timeout == 0 {
		p.timeout = DefaultTimeout
	}
	if p.timeout < 0 || p.timeout.Milliseconds() > ipc.MaxRemainingMS {
		return nil, &UsageError{fmt.Sprintf("The time limit %v is outside 0 to 24 h", p.timeout), "Give a time limit in that range"}
	}
	address := req.URL
	if a.Deployment != nil {
		if address == "" {
			address = a.Deployment.URL
		}
		if p.effect == outcome.NoEffect {
			p.effect = outcome.Effect(a.Deployment.Effect)
		}
	}
	if !p.effect.Valid() {
		return nil, &UsageError{fmt.Sprintf("The effect %q is neither read nor write", p.effect), "Give read or write, or none"}
	}
	var err error
	if p.site, err = readSite(address); err != nil {
		return nil, err
	}
	p.domain = site.Rules{}.DomainOf(p.site)
	if len(p.input) == 0 {
		p.input = json.RawMessage(`{}`)
	}
	if len(p.input) > ipc.MaxInput {
		return nil, &UsageError{fmt.Sprintf("The input is %d bytes; at most %d are taken", len(p.input), ipc.MaxInput), "Give a smaller input"}
	}
	if !json.Valid(p.input) {
		return nil, &UsageError{"The input is not JSON", "Give one JSON value"}
	}
	if a.Input == nil || a.Output == nil {
		if err := a.Check(); err != nil { // an artifact that was made and not loaded
			return nil, err
		}
	}
	p.refusals = outcome.ReadRefusals(a.OutputSchema)
	if err := s.admitCursor(p, req.Subject); err != nil {
		return nil, err
	}
	p.badInput = issuesOf(a.Input.Validate(p.input))
	return p, nil
}

// readSite takes the site from an address: http or https, without user info. Its path does not count and is never loaded.
func readSite(address string) (*url.URL, error) {
	if address == "" {
		return nil, &UsageError{"The run names no site, and its artifact has no deployment.json that does", "Give the site's address with --url"}
	}
	at, err := url.Parse(address)
	switch {
	case err != nil, at.Host == "", at.Hostname() == "":
		return nil, &UsageError{fmt.Sprintf("The address %q is not an absolute URL", clip(address, 200)), "Give an address such as https://example.com"}
	case at.Scheme != "http" && at.Scheme != "https":
		return nil, &UsageError{fmt.Sprintf("The address has the scheme %q", at.Scheme), "Give an http or https address"}
	case at.User != nil:
		return nil, &UsageError{"The address holds a user name or password", "Give the address without them"}
	}
	// The host as a browser writes it in an origin: lower case, in ASCII, without the scheme's own port.
	host := at.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		host = ip.String()
		if ip.Is6() {
			host = "[" + host + "]"
		}
	} else if host, err = idna.Lookup.ToASCII(host); err != nil {
		return nil, &UsageError{fmt.Sprintf("The address's host %q is not a host name", clip(at.Hostname(), 200)), "Give a valid host name"}
	}
	if port := at.Port(); port != "" && !(at.Scheme == "https" && port == "443" || at.Scheme == "http" && port == "80") {
		host += ":" + port
	}
	return &url.URL{Scheme: at.Scheme, Host: host}, nil
}

// issuesOf gives the places of a failed validation, "path: rule"; an error that is no validation is one issue.
func issuesOf(err error) []string {
	if err == nil {
		return nil
	}
	var invalid *schema.Invalid
	if errors.As(err, &invalid) {
		return invalid.Texts()
	}
	return []string{err.Error()}
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
