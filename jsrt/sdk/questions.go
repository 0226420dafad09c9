package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja/token"
	"github.com/go-sourcemap/sourcemap"

	"github.com/pomerado-go/pomerado/ipc"
)

// unparsed is the error of a text that esbuild wrote and goja does not parse: valid JavaScript that this runtime lacks.
func unparsed(err error, consumer *sourcemap.Consumer) error {
	var list parser.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return err
	}
	out := &LoadError{Code: ipc.SourceUnsupportedSyntax, Message: "this syntax is not supported here: " + list[0].Message}
	at := list[0].Position
	if file, _, line, column, ok := consumer.Source(at.Line, at.Column-1); ok {
		out.File, out.Line, out.Column = file, line, column+1
	}
	return out
}

// LiteralQuestions are the question declarations that stand as plain literals in one call of defineOperation.
type LiteralQuestions struct {
	// JSON is an object, id to declaration. Declarations that are computed are left out.
	JSON json.RawMessage
	// Line and Column place the call's questions, or the call, in the authored file.
	Line, Column int
}

// ReadLiteralQuestions finds every call of defineOperation in a file and reads its literal declarations. source is the file as CommonJS
// without types, as esbuild writes it; sourceMap leads back to the authored file; isRuntime tells specifiers of pomerado/runtime. Source
// that does not parse is a *[LoadError].
func ReadLiteralQuestions(name string, source, sourceMap []byte, isRuntime func(specifier string) bool) ([]LiteralQuestions, error) {
	consumer, err := sourcemap.Parse("", sourceMap)
	if err != nil {
		return nil, fmt.Errorf("reading the source map of %q: %w", name, err)
	}
	tree, err := parser.ParseFile(nil, name, string(source), 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, unparsed(err, consumer)
	}
	modules := map[string]bool{}
	var out []LiteralQuestions
	walk(reflect.ValueOf(tree.Body), func(node any) {
		switch n := node.(type) {
		case *ast.Binding:
			if local, spec := required(n); local != "" && isRuntime(spec) {
				modules[local] = true
			}
		case *ast.CallExpression:
			if !definesOperation(n.Callee, modules) {
				return
			}
			at, declared := declarations(n)
			text, err := json.Marshal(declared)
			if err != nil {
				return
			}
			line, column := authoredPlace(tree.File, consumer, at)
			out = append(out, LiteralQuestions{JSON: text, Line: line, Column: column})
		}
	})
	return out, nil
}

// required reads `local = require("spec")`, with or without esbuild's __toESM around it.
func required(b *ast.Binding) (local, spec string) {
	id, ok := b.Target.(*ast.Identifier)
	if !ok {
		return "", ""
	}
	call, ok := b.Initializer.(*ast.CallExpression)
	for ok && len(call.ArgumentList) > 0 {
		if name, isName := call.Callee.(*ast.Identifier); isName && name.Name == "require" {
			if text, isText := call.ArgumentList[0].(*ast.StringLiteral); isText {
				return id.Name.String(), text.Value.String()
			}
			return "", ""
		}
		call, ok = call.ArgumentList[0].(*ast.CallExpression)
	}
	return "", ""
}

// definesOperation tells `module.defineOperation` and `(0, module.defineOperation)` of a runtime module.
func definesOperation(callee ast.Expression, modules map[string]bool) bool {
	if sequence, ok := callee.(*ast.SequenceExpression); ok && len(sequence.Sequence) == 2 {
		callee = sequence.Sequence[1]
	}
	dot, ok := callee.(*ast.DotExpression)
	if !ok || dot.Identifier.Name != "defineOperation" {
		return false
	}
	module, ok := dot.Left.(*ast.Identifier)
	return ok && modules[module.Name.String()]
}

// declarations reads the questions of a call's first argument and gives their place.
func declarations(call *ast.CallExpression) (file.Idx, map[string]any) {
	out := map[string]any{}
	at := call.Idx0()
	if len(call.ArgumentList) == 0 {
		return at, out
	}
	contract, ok := call.ArgumentList[0].(*ast.ObjectLiteral)
	if !ok {
		return at, out
	}
	for _, property := range contract.Value {
		key, value, ok := keyed(property)
		if !ok || key != "questions" {
			continue
		}
		at = value.Idx0()
		questions, ok := value.(*ast.ObjectLiteral)
		if !ok {
			return at, map[string]any{}
		}
		clear(out)
		for _, one := range questions.Value {
			id, declaration, ok := keyed(one)
			if !ok {
				continue
			}
			// A later declaration of the same id replaces an earlier one, also when it is computed.
			delete(out, id)
			if plain, ok := literal(declaration); ok {
				out[id] = plain
			}
		}
	}
	return at, out
}

// keyed reads `key: value` with a plain key.
func keyed(property ast.Property) (string, ast.Expression, bool) {
	p, ok := property.(*ast.PropertyKeyed)
	if !ok || p.Computed || p.Kind != ast.PropertyKindValue {
		return "", nil, false
	}
	switch key := p.Key.(type) {
	case *ast.StringLiteral:
		return key.Value.String(), p.Value, true
	case *ast.Identifier:
		return key.Name.String(), p.Value, true
	}
	return "", nil, false
}

// literal gives the value of an expression that is one: texts (also joined with +), numbers, booleans, null, lists and objects of those.
func literal(e ast.Expression) (any, bool) {
	switch e := e.(type) {
	case *ast.StringLiteral:
		return e.Value.String(), true
	case *ast.TemplateLiteral:
		if e.Tag == nil && len(e.Expressions) == 0 && len(e.Elements) == 1 {
			return e.Elements[0].Parsed.String(), true
		}
	case *ast.NumberLiteral:
		return e.Value, true
	case *ast.BooleanLiteral:
		return e.Value, true
	case *ast.NullLiteral:
		return nil, true
	case *ast.UnaryExpression:
		return unary(e)
	case *ast.BinaryExpression:
		left, ok1 := literal(e.Left)
		right, ok2 := literal(e.Right)
		a, text1 := left.(string)
		b, text2 := right.(string)
		if e.Operator == token.PLUS && ok1 && ok2 && text1 && text2 {
			return a + b, true
		}
	case *ast.ArrayLiteral:
		out := make([]any, 0, len(e.Value))
		for _, one := range e.Value {
			value, ok := literal(one)
			if !ok {
				return nil, false
			}
			out = append(out, value)
		}
		return out, true
	case *ast.ObjectLiteral:
		out := map[string]any{}
		for _, property := range e.Value {
			key, value, ok := keyed(property)
			if !ok {
				return nil, false
			}
			plain, ok := literal(value)
			if !ok {
				return nil, false
			}
			out[key] = plain
		}
		return out, true
	}
	return nil, false
}

// unary reads -1, and !0 and !1, which is how esbuild may write booleans.
func unary(e *ast.UnaryExpression) (any, bool) {
	value, ok := literal(e.Operand)
	if !ok || e.Postfix {
		return nil, false
	}
	switch v := value.(type) {
	case int64:
		switch e.Operator {
		case token.MINUS:
			return -v, true
		case token.NOT:
			return v == 0, true
		}
	case float64:
		if e.Operator == token.MINUS {
			return -v, true
		}
	}
	return nil, false
}

// authoredPlace follows a place in the transformed text back to the authored file.
func authoredPlace(f *file.File, consumer *sourcemap.Consumer, at file.Idx) (line, column int) {
	place := f.Position(int(at) - f.Base())
	_, _, line, column, ok := consumer.Source(place.Line, place.Column-1)
	if !ok {
		return 1, 1
	}
	return line, column + 1
}

// walk calls visit for every node below a value, outer ones first. goja's tree has no visitor of its own.
func walk(v reflect.Value, visit func(node any)) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		// Scopes point back up and positions lead out of the tree.
		if v.Type() == reflect.TypeFor[*file.File]() {
			return
		}
		if node, ok := v.Interface().(ast.Node); ok {
			visit(node)
		} else if binding, ok := v.Interface().(*ast.Binding); ok {
			visit(binding)
		}
		walk(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if field.IsExported() && field.Name != "DeclarationList" {
				walk(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}
