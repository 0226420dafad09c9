package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dop251/goja"
	"github.com/go-sourcemap/sourcemap"

	"github.com/pomerado-go/pomerado/jsrt"
)

// scriptName is the file name of the SDK's own code. Its prefix keeps it out of every stack.
const scriptName = "internal:pomerado-runtime"

// bundleName is the file name of an authored bundle before its source map is applied.
const bundleName = "operation.js"

// SDK is the SDK script evaluated in one runtime.
type SDK struct {
	rt   *jsrt.Runtime
	host Host

	// What follows belongs to the runtime's owner.
	binding *goja.Object
	module  goja.Value
	sources map[string]bool
}

// Load evaluates the SDK script in a fresh runtime. With a nil host every capability is refused as unavailable, which is enough to read
// contracts.
func Load(ctx context.Context, rt *jsrt.Runtime, script []byte, host Host) (*SDK, error) {
	program, err := jsrt.Compile(scriptName, string(script), nil)
	if err != nil {
		return nil, fmt.Errorf("compiling the runtime module: %w", err)
	}
	if host == nil {
		host = nobody{}
	}
	s := &SDK{rt: rt, host: host}
	err = rt.Do(ctx, func(vm *goja.Runtime) error {
		if err := lendMarkup(rt, vm); err != nil {
			return err
		}
		if _, err := rt.RunProgram(vm, program); err != nil {
			return err
		}
		global, ok := vm.Get(Global).(*goja.Object)
		if !ok {
			return fmt.Errorf("the script set no %s", Global)
		}
		if s.binding, ok = global.Get("binding").(*goja.Object); !ok {
			return fmt.Errorf("the script's %s has no binding", Global)
		}
		return global.Delete("binding")
	})
	if err != nil {
		return nil, fmt.Errorf("loading the runtime module: %w", err)
	}
	return s, nil
}

// Bundle is an authored module as one script, and the source map that leads from it to the authored files.
type Bundle struct {
	Script    []byte
	SourceMap []byte
}

// Evaluate runs an authored bundle, which is once per SDK, and keeps what it exports. Errors of the source are a *[LoadError].
func (s *SDK) Evaluate(ctx context.Context, b Bundle) error {
	var err error
	if s.sources, err = authoredFiles(b.SourceMap); err != nil {
		return err
	}
	program, err := jsrt.Compile(bundleName, string(b.Script), b.SourceMap)
	if err != nil {
		return s.loadError(authoredSyntaxError(err, b.SourceMap), "")
	}
	unknown := ""
	_, err = s.rt.Run(ctx, func(vm *goja.Runtime) (goja.Value, error) {
		if _, err := s.rt.RunProgram(vm, program); err != nil {
			return nil, err
		}
		s.module = vm.Get(ModuleGlobal)
		return nil, vm.GlobalObject().Delete(ModuleGlobal)
	}, jsrt.RunOptions{Sealed: true, Catch: func(vm *goja.Runtime, thrown goja.Value) error {
		if object, ok := thrown.(*goja.Object); ok {
			if name, ok := object.Get("unknownName").(goja.String); ok {
				unknown = name.String()
			}
		}
		return nil
	}})
	if err != nil {
		return s.loadError(err, unknown)
	}
	return nil
}

// authoredSyntaxError places an error of the parser, which counts within the bundle, in the authored file.
func authoredSyntaxError(err error, sourceMap []byte) error {
	var wrong *jsrt.Error
	if !errors.As(err, &wrong) || len(wrong.Frames) == 0 || sourceMap == nil {
		return err
	}
	consumer, failed := sourcemap.Parse("", sourceMap)
	if failed != nil {
		return err
	}
	placed := *wrong
	at := wrong.Frames[0]
	if file, _, line, column, ok := consumer.Source(at.Line, at.Column-1); ok {
		placed.Frames = []jsrt.Frame{{File: file, Line: line, Column: column + 1}}
	}
	return &placed
}

// authoredFiles lists the files of a source map.
func authoredFiles(sourceMap []byte) (map[string]bool, error) {
	out := map[string]bool{}
	if sourceMap == nil {
		return out, nil
	}
	var m struct {
		Sources []string `json:"sources"`
	}
	if err := json.Unmarshal(sourceMap, &m); err != nil {
		return nil, fmt.Errorf("reading the operation's source map: %w", err)
	}
	for _, source := range m.Sources {
		out[source] = true
	}
	return out, nil
}

// call calls a function of the binding on the owner.
func (s *SDK) call(name string, args ...goja.Value) (goja.Value, error) {
	f, ok := goja.AssertFunction(s.binding.Get(name))
	if !ok {
		return nil, fmt.Errorf("the runtime module has no function %q", name)
	}
	return f(goja.Undefined(), args...)
}
