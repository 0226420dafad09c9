package supervisor

import (
	"errors"
	"testing"
)

func TestJournalFollowsTheReportedColumn(t *testing.T) {
	var j journal
	if err := j.declareCommits(true, "readback", []string{"release-plot"}); err != nil {
		t.Fatal(err)
	}
	if f := j.snapshot(); f.state != notStarted || f.commits[0].state != commitNotSent {
		t.Fatalf("after declaring: %+v", f)
	}
	j.dispatch()
	j.executeBegin()
	j.enteringCommit("release-plot")
	if err := j.executeEnd(); err != nil {
		t.Fatal(err)
	}
	if f := j.snapshot(); f.state != mayHaveDispatched || f.commits[0].state != commitSent {
		t.Fatalf("after the commit: %+v", f)
	}
	if err := j.verified("readback"); err != nil {
		t.Fatal(err)
	}
	if f := j.snapshot(); f.state != verifiedState || f.confirmation != "readback" || f.commits[0].state != commitConfirmed {
		t.Fatalf("after verified: %+v", f)
	}
	// Any browser call after verified reopens the write.
	j.executeBegin()
	if f := j.snapshot(); f.state != mayHaveDispatched || f.confirmation != "" || f.commits[0].state != commitSent {
		t.Fatalf("after a further execute: %+v", f)
	}
}

func TestInputOutsideEveryExecuteReopensAVerifiedWrite(t *testing.T) {
	var j journal
	j.executeBegin()
	j.sawFrame(true)
	j.executeEnd()
	j.verified("readback")
	j.sawFrame(false)
	if j.snapshot().reopened {
		t.Fatal("an evaluate reopened the write")
	}
	j.sawFrame(true)
	if !j.snapshot().reopened {
		t.Fatal("an input after verified, outside every execute, did not reopen the write")
	}
}

func TestJournalRefusesWhatCannotBe(t *testing.T) {
	var j journal
	if err := j.executeEnd(); !errors.Is(err, errNoExecuteOpen) {
		t.Errorf("executeEnd before begin: %v", err)
	}
	j.declareCommits(true, "unverifiable", []string{"Bad Name", "ok"})
	if f := j.snapshot(); !f.unreadable || len(f.commits) != 1 {
		t.Errorf("a bad mark name was kept: %+v", f)
	}
	if err := j.verified("readback"); !errors.Is(err, errUnverifiable) {
		t.Errorf("verified on an unverifiable write: %v", err)
	}
	if err := j.declareCommits(true, "", make([]string, maxCommits+1)); !errors.Is(err, errTooManyCommits) {
		t.Errorf("too many commits: %v", err)
	}
}
