package ipc

import (
	"google.golang.org/protobuf/proto"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
)

// relate checks what one field's rule cannot say: what must hold between the fields of one message.
func relate(m proto.Message, at *path) *Violation {
	switch m := m.(type) {
	case *workerpb.Ready:
		for i, layer := range m.Jail {
			for _, before := range m.Jail[:i] {
				if layer == before {
					return at.problem("names a layer of the jail twice")
				}
			}
		}
	case *workerpb.Chunk:
		if len(m.Data) == 0 && !m.Last {
			return at.problem("carries nothing and is not the last")
		}
	case *workerpb.Bundle:
		if (m.Entrypoint == "") != (m.FilesBlob == 0) {
			return at.problem("names an entrypoint or files, and not both")
		}
		if m.Entrypoint == "" && !m.Programs {
			return at.problem("asks for nothing")
		}
	case *workerpb.Bundled:
		authored := m.Contract != nil || m.ScriptBlob != 0 || m.SourceMapBlob != 0
		if m.Error != nil && authored {
			return at.problem("carries both an error and a contract")
		}
		if (m.Contract != nil) != (m.ScriptBlob != 0) {
			return at.problem("carries a contract or a script, and not both")
		}
	case *workerpb.Reply:
		if m.Code != "" && m.Value != nil {
			return at.problem("carries both a refusal and a value")
		}
	case *workerpb.Ask:
		if len(m.Questions) == 0 {
			return at.problem("asks nothing")
		}
		for i, question := range m.Questions {
			for _, before := range m.Questions[:i] {
				if question.Id == before.Id {
					return at.problem("asks a question twice")
				}
			}
		}
	case *workerpb.Question:
		return relateQuestion(m, at)
	case *workerpb.FilePlace:
		if (m.SessionId == "") != (m.BackendNodeId == 0) {
			return at.problem("names a session or a node, and not both")
		}
	case *workerpb.Permissions:
		// Granting nothing is denying everything.
		if m.Reset_ && len(m.Granted) > 0 {
			return at.problem("grants and resets")
		}
	case *workerpb.Result:
		if m.HasOutput != (m.OutputBlob != 0) {
			return at.problem("says it has an output and names none, or the reverse")
		}
		return relateConsole(m, at)
	case *workerpb.Failure:
		return relateConsole(m, at)
	}
	return nil
}

// relateConsole checks that each console stream comes inline or as a blob.
func relateConsole(m interface {
	GetStdout() string
	GetStdoutBlob() uint32
	GetStderr() string
	GetStderrBlob() uint32
}, at *path) *Violation {
	if m.GetStdout() != "" && m.GetStdoutBlob() != 0 || m.GetStderr() != "" && m.GetStderrBlob() != 0 {
		return at.problem("carries a console stream both inline and as a blob")
	}
	return nil
}

func relateQuestion(q *workerpb.Question, at *path) *Violation {
	choice := q.Type == "choice" || q.Type == "multi_choice"
	switch {
	case choice != (len(q.Options) > 0):
		return at.problem("has options where its type takes none, or lacks them")
	case (q.Type == "secret") != (q.SecretKind != ""):
		return at.problem("has a secret's kind where its type takes none, or lacks it")
	case q.FollowUp != nil && q.Type != "confirm":
		return at.problem("has a follow-up and is no confirm question")
	case q.Type != "multi_choice" && (q.MinSelections != nil || q.MaxSelections != nil):
		return at.problem("counts selections and is no multi_choice question")
	case q.MaxLength != nil && q.Type != "text" && q.Type != "secret":
		return at.problem("bounds a text its type does not take")
	case q.AllowOther && !choice:
		return at.problem("allows another answer and has no options")
	case q.MinSelections != nil && int(q.GetMinSelections()) > len(q.Options):
		return at.problem("asks for more selections than it offers")
	case q.MinSelections != nil && q.MaxSelections != nil && q.GetMinSelections() > q.GetMaxSelections():
		return at.problem("asks for at least more selections than at most")
	}
	for i, option := range q.Options {
		for _, before := range q.Options[:i] {
			if option.Id == before.Id {
				return at.problem("has two options of one id")
			}
		}
	}
	return nil
}
