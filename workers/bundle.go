package workers

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/workers/contract"
)

// contract answers one Bundle: the product's own programs, an artifact's script and contract, or both side by side.
func (w *worker) contract(ctx context.Context, ask *workerpb.Bundle) error {
	l := newLink(w.session, w.blobs, 0)
	answer := &workerpb.Bundled{}
	type own struct {
		programs contract.OwnPrograms
		err      error
	}
	made := make(chan own, 1)
	go func() {
		var o own
		if ask.Programs {
			o.programs, o.err = contract.Programs()
		}
		made <- o
	}()
	var script, sourceMap []byte
	if ask.Entrypoint != "" {
		read, bundled, err := w.read(ctx, ask)
		var fault *contract.SourceError
		switch {
		case errors.As(err, &fault):
			answer.Error = &workerpb.SourceError{Code: string(fault.Code), Message: fault.Message, File: fault.File, Line: uint32(fault.Line), Column: uint32(fault.Column)}
			return l.send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Bundled{Bundled: answer}})
		case err != nil:
			return err
		}
		script, sourceMap = bundled.Script, bundled.SourceMap
		answer.Contract = contractMessage(read)
	}
	o := <-made
	if o.err != nil {
		return o.err
	}
	for _, blob := range []struct {
		name *uint32
		data []byte
		want bool
	}{
		{&answer.SdkBlob, o.programs.SDK, ask.Programs},
		{&answer.InjectBlob, o.programs.Page, ask.Programs},
		{&answer.EvaluatorBlob, o.programs.Evaluator, ask.Programs},
		{&answer.ClockBlob, o.programs.Clock, ask.Programs},
		{&answer.ScriptBlob, script, ask.Entrypoint != ""},
		{&answer.SourceMapBlob, sourceMap, ask.Entrypoint != ""},
	} {
		if !blob.want {
			continue
		}
		id, err := l.sendBlob(blob.data)
		if err != nil {
			return err
		}
		*blob.name = id
	}
	if err := l.send(&workerpb.WorkerMessage{Kind: &workerpb.WorkerMessage_Bundled{Bundled: answer}}); err != nil {
		return err
	}
	_, err := w.session.Receive() // the supervisor ends this process
	return err
}

func (w *worker) read(ctx context.Context, ask *workerpb.Bundle) (contract.Contract, contract.Bundled, error) {
	data, err := w.blobs.Take(ask.FilesBlob)
	if err != nil {
		return contract.Contract{}, contract.Bundled{}, err
	}
	var set workerpb.FileSet
	if err := proto.Unmarshal(data, &set); err != nil {
		return contract.Contract{}, contract.Bundled{}, fmt.Errorf("reading the artifact's files: %w", err)
	}
	files := make([]contract.File, len(set.Files))
	for i, f := range set.Files {
		files[i] = contract.File{Path: f.Path, Content: f.Content}
	}
	return contract.Read(ctx, files, ask.Entrypoint)
}

func contractMessage(c contract.Contract) *workerpb.Contract {
	m := &workerpb.Contract{Name: c.Name, InputSchema: string(c.Input), OutputSchema: string(c.Output), Questions: string(c.Questions), Form: c.Form}
	if c.Write != nil {
		m.Write = &workerpb.WriteDeclaration{Confirmation: c.Write.Confirmation, Commits: c.Write.Commits}
	}
	return m
}
