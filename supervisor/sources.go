package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/artifact"
)

// contractLimit bounds how long a contract worker may take over one artifact.
const contractLimit = 60 * time.Second

// maxCachedSources bounds the artifacts whose bundles are kept; past it the cache starts over.
const maxCachedSources = 64

// SourceError is authored source that cannot be run, placed in the authored file.
type SourceError struct {
	Code         ipc.SourceCode
	Message      string
	File         string
	Line, Column int
}

func (e *SourceError) Error() string {
	switch {
	case e.File == "":
		return e.Message
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Contract is what an authored operation says of itself.
type Contract struct {
	Name                      string
	InputSchema, OutputSchema json.RawMessage
	// Writes: the contract declares a write. Confirmation and Commits are what it declares.
	Writes       bool
	Confirmation string
	Commits      []string
	// Questions are the literal declarations, an object of id to declaration.
	Questions json.RawMessage
	// Form is "kernel" for a script, "http" for an HTTP version.
	Form string
}

// source is an artifact as a contract worker gave it back.
type source struct {
	script, sourceMap []byte
	contract          Contract
}

// programs are the product's own scripts, bundled once per supervisor.
type programs struct {
	sdk, inject, evaluator, clock []byte
}

// sourceCache keeps what contract workers made, by content hash, for the life of the supervisor. Nothing here parses authored text:
// a parser it could overflow would take the supervisor with it.
type sourceCache struct {
	workers *pool

	mu       sync.Mutex
	programs *programs
	known    map[string]*source
	making   map[string]*making
}

// making is one contract worker's work, waited for by everyone who wants it.
type making struct {
	done   chan struct{}
	source *source
	err    error
}

func newSourceCache(workers *pool) *sourceCache {
	return &sourceCache{workers: workers, known: map[string]*source{}, making: map[string]*making{}}
}

// ownPrograms gives the product's scripts alone, for page code that comes without an artifact.
func (c *sourceCache) ownPrograms(ctx context.Context) (*programs, error) {
	if _, err := c.get(ctx, "", nil, ""); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.programs, nil
}

// artifact gives an artifact's bundle and the product's scripts. Its error is a *SourceError when the source is at fault.
func (c *sourceCache) artifact(ctx context.Context, hash string, files []artifact.File, entrypoint string) (*source, *programs, error) {
	src, err := c.get(ctx, hash, files, entrypoint)
	if err != nil {
		return nil, nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return src, c.programs, nil
}

// knows reports whether an artifact's contract was read already.
func (c *sourceCache) knows(hash string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[hash] != nil
}

func (c *sourceCache) get(ctx context.Context, hash string, files []artifact.File, entrypoint string) (*source, error) {
	for {
		c.mu.Lock()
		if src, ok := c.known[hash]; ok {
			c.mu.Unlock()
			return src, nil
		}
		m, busy := c.making[hash]
		if !busy {
			m = &making{done: make(chan struct{})}
			c.making[hash] = m
		}
		wantPrograms := c.programs == nil
		c.mu.Unlock()
		if !busy {
			m.source, m.err = c.make(ctx, hash, files, entrypoint, wantPrograms)
			close(m.done)
			return m.source, m.err
		}
		select {
		case <-m.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		var fault *SourceError
		if m.err == nil || errors.As(m.err, &fault) {
			return m.source, m.err
		}
		// The other's own end, such as its caller's cancel, says nothing about the source: try it ourselves.
	}
}

func (c *sourceCache) make(ctx context.Context, hash string, files []artifact.File, entrypoint string, wantPrograms bool) (src *source, err error) {
	ctx, cancel := context.WithTimeout(ctx, contractLimit)
	defer cancel()
	var made *programs
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.making, hash)
		if err != nil {
			return
		}
		if made != nil && c.programs == nil {
			c.programs = made
		}
		if len(c.known) >= maxCachedSources {
			clear(c.known)
		}
		c.known[hash] = src
	}()
	w, err := c.workers.take(ctx)
	if err != nil {
		return nil, err
	}
	defer w.kill()
	stop := context.AfterFunc(ctx, w.proc.Kill)
	defer stop()
	src, made, err = bundle(ctx, w, files, entrypoint, wantPrograms)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil && !errors.As(err, new(*SourceError)) {
		exit := w.ended()
		switch {
		case exit.Signal != "" && !exit.OutOfMemory:
			err = fmt.Errorf("reading the source: %w", err) // it lived on, against the rules of the wire
		case exit.OutOfMemory:
			err = &SourceError{Code: ipc.SourceTooDeep, File: entrypoint, Message: "the source needs more memory to read than a worker may use; make it smaller or less deeply nested"}
		case entrypoint != "":
			err = &SourceError{Code: ipc.SourceTooDeep, File: entrypoint, Message: "the worker that reads the source ended while reading it, as too deeply nested source makes it do; make it smaller or less deeply nested"}
			c.workers.config.Log.Warn("A contract worker died", "stderr", exit.StderrTail)
		default:
			err = fmt.Errorf("bundling the product's own scripts: %w: %s", err, exit.StderrTail)
		}
	}
	return src, err
}

// bundle has one contract worker do its work.
func bundle(ctx context.Context, w *worker, files []artifact.File, entrypoint string, wantPrograms bool) (*source, *programs, error) {
	ask := &workerpb.Bundle{Entrypoint: entrypoint, Programs: wantPrograms}
	if entrypoint != "" {
		set := &workerpb.FileSet{}
		for _, f := range files {
			set.Files = append(set.Files, &workerpb.File{Path: f.Path, Content: f.Content})
		}
		data, err := proto.Marshal(set)
		if err != nil {
			return nil, nil, fmt.Errorf("encoding the artifact's files: %w", err)
		}
		ask.FilesBlob = 1
		if err := sendBlob(ctx, w, 1, data); err != nil {
			return nil, nil, err
		}
	}
	if err := w.session.Send(ctx, &workerpb.HostMessage{Kind: &workerpb.HostMessage_Bundle{Bundle: ask}}); err != nil {
		return nil, nil, err
	}
	blobs := ipc.NewBlobs(ipc.MaxBlobs * ipc.MaxBlob)
	for {
		m, err := w.session.Receive()
		if err != nil {
			return nil, nil, err
		}
		switch kind := m.Kind.(type) {
		case *workerpb.WorkerMessage_Chunk:
			if err := blobs.Add(kind.Chunk); err != nil {
				return nil, nil, err
			}
		case *workerpb.WorkerMessage_Bundled:
			return readBundled(kind.Bundled, blobs, entrypoint, wantPrograms)
		default:
			return nil, nil, fmt.Errorf("a contract worker answered with %T", m.Kind)
		}
	}
}

func readBundled(b *workerpb.Bundled, blobs *ipc.Blobs, entrypoint string, wantPrograms bool) (*source, *programs, error) {
	if e := b.GetError(); e != nil {
		return nil, nil, &SourceError{Code: ipc.SourceCode(e.Code), Message: e.Message, File: e.File, Line: int(e.Line), Column: int(e.Column)}
	}
	var own *programs
	var err error
	take := func(id uint32) (data []byte) {
		if err == nil {
			data, err = blobs.Take(id)
		}
		return data
	}
	if wantPrograms {
		own = &programs{sdk: take(b.SdkBlob), inject: take(b.InjectBlob), evaluator: take(b.EvaluatorBlob), clock: take(b.ClockBlob)}
	}
	src := &source{}
	if entrypoint != "" {
		src.script, src.sourceMap = take(b.ScriptBlob), take(b.SourceMapBlob)
		c := b.GetContract()
		if c == nil {
			return nil, nil, errors.New("a contract worker gave no contract")
		}
		src.contract = Contract{
			Name: c.Name, InputSchema: json.RawMessage(c.InputSchema), OutputSchema: json.RawMessage(c.OutputSchema),
			Writes: c.Write != nil, Confirmation: c.GetWrite().GetConfirmation(), Commits: c.GetWrite().GetCommits(),
			Questions: json.RawMessage(c.Questions), Form: c.Form,
		}
	}
	return src, own, err
}

func sendBlob(ctx context.Context, w *worker, id uint32, data []byte) error {
	chunks, err := ipc.Split(id, data)
	if err != nil {
		return err
	}
	for _, chunk := range chunks {
		if err := w.session.Send(ctx, &workerpb.HostMessage{Kind: &workerpb.HostMessage_Chunk{Chunk: chunk}}); err != nil {
			return err
		}
	}
	return nil
}
