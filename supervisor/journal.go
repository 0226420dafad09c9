package supervisor

import (
	"errors"
	"regexp"
	"slices"
	"sync"
)

// dispatchState is how far a run's script may have got on the site, in the reported column.
type dispatchState int

const (
	notStarted dispatchState = iota
	mayHaveDispatched
	verifiedState
)

// commitState is what is known of one declared write step.
type commitState int

const (
	commitNotSent commitState = iota
	commitSent
	commitConfirmed
)

type commitMark struct {
	name  string
	state commitState
}

// acts counts what the host itself saw a run do since Start, by kind (DESIGN.md, "The journal", seen column).
type acts struct {
	frames, files, requests, dialogs int
}

// total is zero when the run provably did nothing.
func (a acts) total() int { return a.frames + a.files + a.requests + a.dialogs }

// journal is the host-kept record of one run, in two columns: what the worker reported before it went on, and what the host saw
// itself. A worker can lie in the first column only to its own disadvantage: outcome.Classify lets the second correct it.
type journal struct {
	mu sync.Mutex

	state        dispatchState
	confirmation string
	write        bool
	declared     string // the write's declared confirmation
	commits      []commitMark
	unreadable   bool // a commit name that is no mark name was reported
	executing    int

	seen     acts
	reopened bool // an input or a navigation outside every execute, after verified
}

var commitName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

const (
	maxCommits    = 64
	maxCommitName = 48
)

var (
	errUnverifiable   = errors.New("this write is declared unverifiable, so it cannot be confirmed")
	errNoExecuteOpen  = errors.New("an execute ended that had not begun")
	errTooManyCommits = errors.New("more commit steps than a write may have")
)

// declareCommits notes the write a script declares, before its input is decoded.
func (j *journal) declareCommits(write bool, confirmation string, names []string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(names) > maxCommits {
		return errTooManyCommits
	}
	j.write, j.declared = write, confirmation
	for _, name := range names {
		j.mark(name, commitNotSent)
	}
	return nil
}

// mark sets the state of a step, adding it when it is new. It never takes a step back to not sent.
func (j *journal) mark(name string, state commitState) {
	if len(name) > maxCommitName || !commitName.MatchString(name) {
		j.unreadable = true
		return
	}
	i := slices.IndexFunc(j.commits, func(c commitMark) bool { return c.name == name })
	switch {
	case i < 0 && len(j.commits) < maxCommits:
		j.commits = append(j.commits, commitMark{name, state})
	case i < 0:
		j.unreadable = true
	case state != commitNotSent:
		j.commits[i].state = state
	}
}

// dispatch says that the site may be acted on from here: at the script's start and at every execute.
func (j *journal) dispatch() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.dispatchLocked()
}

func (j *journal) dispatchLocked() {
	j.state, j.confirmation = mayHaveDispatched, ""
	for i := range j.commits {
		if j.commits[i].state == commitConfirmed {
			j.commits[i].state = commitSent
		}
	}
}

func (j *journal) executeBegin() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.executing++
	j.dispatchLocked()
}

func (j *journal) executeEnd() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.executing == 0 {
		return errNoExecuteOpen
	}
	j.executing--
	return nil
}

func (j *journal) enteringCommit(name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.state = mayHaveDispatched
	j.mark(name, commitSent)
}

// verified notes the script's own confirmation of its write.
func (j *journal) verified(kind string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.declared == "unverifiable" {
		return errUnverifiable
	}
	j.state, j.confirmation, j.reopened = verifiedState, kind, false
	for i := range j.commits {
		if j.commits[i].state == commitSent {
			j.commits[i].state = commitConfirmed
		}
	}
	return nil
}

// sawFrame notes a frame of the acting class that the gate forwarded. acting says that it was an input or a navigation.
func (j *journal) sawFrame(acting bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seen.frames++
	if acting && j.executing == 0 && j.state == verifiedState {
		j.reopened = true
	}
}

// sawRequest notes a request that leaves for the site from the host itself. It may act, like an execute (spec runtime-sdk.md §5.4).
func (j *journal) sawRequest() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seen.requests++
	j.dispatchLocked()
}

// placing notes that a file is about to be put into a field: the site may be acted on, whatever was confirmed before.
func (j *journal) placing() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.dispatchLocked()
	j.seen.files++
}

func (j *journal) sawDialog() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seen.dialogs++
}

// snapshot is the journal as it stands, for the outcome.
func (j *journal) snapshot() journalFacts {
	j.mu.Lock()
	defer j.mu.Unlock()
	return journalFacts{
		state: j.state, confirmation: j.confirmation, write: j.write, declared: j.declared,
		commits: slices.Clone(j.commits), unreadable: j.unreadable, seen: j.seen, reopened: j.reopened,
	}
}

type journalFacts struct {
	state        dispatchState
	confirmation string
	write        bool
	declared     string
	commits      []commitMark
	unreadable   bool
	seen         acts
	reopened     bool
}
