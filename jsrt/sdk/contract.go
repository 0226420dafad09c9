package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/jsrt"
)

// Contract is what an operation says of itself, apart from its questions, which are read from source text.
type Contract struct {
	Name string `json:"name"`
	// Form is "kernel" for the script form, "http" for the object form.
	Form string `json:"form"`
	// Input and Output are JSON Schema texts.
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output"`
	// Write is nil for an operation that only reads.
	Write *WriteDeclaration `json:"write"`
}

// ReadContract reads the contract of the evaluated module. A module that is no operation is a *[LoadError].
func (s *SDK) ReadContract(ctx context.Context) (Contract, error) {
	var text string
	_, err := s.rt.Run(ctx, func(vm *goja.Runtime) (goja.Value, error) {
		read, err := s.call("readContract", s.module)
		if err == nil {
			text = read.String()
		}
		return nil, err
	}, jsrt.RunOptions{Sealed: true})
	var thrown *jsrt.Error
	switch {
	case errors.As(err, &thrown):
		return Contract{}, &LoadError{Code: ipc.SourceBadContract, Message: cut(thrown.Message, ipc.MaxErrorText)}
	case err != nil:
		return Contract{}, err
	}
	var c Contract
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return Contract{}, fmt.Errorf("reading the operation's contract: %w", err)
	}
	return c, nil
}
