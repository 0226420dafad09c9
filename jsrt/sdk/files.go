package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/jsrt"
)

// fileFunctions adds the host functions of runtime/files.ts.
func (s *SDK) fileFunctions(vm *goja.Runtime, set func(string, func(goja.FunctionCall) goja.Value)) {
	// asked makes a promise of a text.
	asked := func(ask func(ctx context.Context) (string, error)) goja.Value {
		return s.rt.Go(vm, func(ctx context.Context) (jsrt.Finish, error) {
			text, err := ask(ctx)
			return func(vm *goja.Runtime) (goja.Value, error) { return vm.ToValue(text), nil }, err
		})
	}
	set("filePlace", func(call goja.FunctionCall) goja.Value {
		reference, where := call.Argument(0).String(), call.Argument(1).String()
		timeout := time.Duration(call.Argument(2).ToInteger()) * time.Millisecond
		return asked(func(ctx context.Context) (string, error) {
			var field FileField
			if err := json.Unmarshal([]byte(where), &field); err != nil {
				return "", fmt.Errorf("reading the field: %w", err)
			}
			placed, err := s.host.PlaceFile(ctx, reference, field, timeout)
			if err != nil {
				return "", err
			}
			text, err := json.Marshal(placed)
			return string(text), err
		})
	})
	set("fileArm", func(goja.FunctionCall) goja.Value { return asked(s.host.ArmDownload) })
	set("fileCollect", func(call goja.FunctionCall) goja.Value {
		slot, timeout := call.Argument(0).String(), time.Duration(call.Argument(1).ToInteger())*time.Millisecond
		return asked(func(ctx context.Context) (string, error) {
			output, err := s.host.CollectFile(ctx, slot, timeout)
			return string(output), err
		})
	})
}
