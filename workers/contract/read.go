package contract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt"
	"github.com/pomerado-go/pomerado/jsrt/sdk"
)

// Contract is what an operation says of itself.
type Contract struct {
	Name string
	// Form is "kernel" for the script form, "http" for the object form.
	Form string
	// Input and Output are JSON Schema texts.
	Input, Output json.RawMessage
	// Write is nil for an operation that only reads.
	Write *sdk.WriteDeclaration
	// Questions are the literal declarations as a JSON object; "{}" when there are none.
	Questions json.RawMessage
}

// Read bundles an artifact and reads its contract. What is wrong with the source is a *[SourceError].
func Read(ctx context.Context, files []File, entrypoint string) (Contract, Bundled, error) {
	bundled, err := Bundle(files, entrypoint)
	if err != nil {
		return Contract{}, Bundled{}, err
	}
	script, err := SDK()
	if err != nil {
		return Contract{}, Bundled{}, err
	}
	rt := jsrt.New(ctx, jsrt.Options{Name: entrypoint})
	defer rt.Close()
	s, err := sdk.Load(ctx, rt, script, nil)
	if err != nil {
		return Contract{}, Bundled{}, err
	}
	read, err := evaluated(ctx, s, bundled)
	if err != nil {
		return Contract{}, Bundled{}, asSourceError(err, entrypoint)
	}
	c := Contract{Name: read.Name, Form: read.Form, Input: read.Input, Output: read.Output, Write: read.Write, Questions: bundled.Questions}
	for part, text := range map[string]json.RawMessage{"input schema": c.Input, "output schema": c.Output, "question declarations": c.Questions} {
		if len(text) > maxPart {
			return Contract{}, Bundled{}, &SourceError{Code: ipc.SourceTooLarge, File: entrypoint,
				Message: fmt.Sprintf("the %s take %d bytes of JSON; at most %d are taken. Shorten descriptions and lists of values", part, len(text), maxPart)}
		}
	}
	return c, bundled, nil
}

// maxPart bounds each part of a contract, so that all three fit one message.
const maxPart = ipc.MaxMessage / 4

func evaluated(ctx context.Context, s *sdk.SDK, b Bundled) (sdk.Contract, error) {
	if err := s.Evaluate(ctx, sdk.Bundle{Script: b.Script, SourceMap: b.SourceMap}); err != nil {
		return sdk.Contract{}, err
	}
	return s.ReadContract(ctx)
}

func asSourceError(err error, entrypoint string) error {
	var wrong *sdk.LoadError
	if !errors.As(err, &wrong) {
		return err
	}
	e := &SourceError{Code: wrong.Code, Message: wrong.Message, File: wrong.File, Line: wrong.Line, Column: wrong.Column}
	if e.File == "" {
		e.File = entrypoint
	}
	return e.bounded()
}
