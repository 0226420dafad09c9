package jsrt

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
)

// parserOptions keep the parser from reading files that a source-map comment names.
var parserOptions = []parser.Option{parser.WithDisableSourceMaps}

// Program is compiled source. It belongs to no runtime: compile once, run in many.
type Program struct {
	program *goja.Program
	name    string
	place   placing
}

// placing leads from the positions goja reports for a file to those a reader knows.
type placing struct {
	shift int // columns before the code on its first line
	from  *sourceMap
}

// Compile parses and compiles a script. name is the file its positions are in; sourceMap, when not nil, is the source map (version 3)
// that leads from it to the authored files. Errors are an [*Error] with a Code and the place.
//
// Regular expressions with property classes are made to match what Node matches; see regexp.go.
func Compile(name, source string, sourceMap []byte) (*Program, error) {
	tree, err := parse(name, source, 0)
	if err != nil {
		return nil, err
	}
	p, err := compileTree(name, source, 0, tree)
	if err != nil || sourceMap == nil {
		return p, err
	}
	if p.place.from, err = parseSourceMap(sourceMap); err != nil {
		return nil, fmt.Errorf("reading the source map of %q: %w", name, err)
	}
	return p, nil
}

// CompileAsyncBody compiles the body of an async function with the given parameters; running the program gives that function. Like the
// AsyncFunction constructor it takes nothing that closes the body early. Positions count within the body.
func CompileAsyncBody(name string, parameters []string, body string) (*Program, error) {
	return compileFunction(name, "async function", parameters, body)
}

func compileFunction(name, kind string, parameters []string, body string) (*Program, error) {
	head := "(" + kind + " (" + strings.Join(parameters, ", ") + ") {"
	source := head + body + "\n})"
	tree, err := parse(name, source, len(head))
	if err != nil {
		return nil, err
	}
	if !isOneFunction(tree, len(source)) {
		return nil, syntaxError(name, "Unexpected token '}'", 1, 1)
	}
	mendArrows(source, tree)
	return compileTree(name, source, len(head), tree)
}

// isOneFunction says whether the wrapper is still the whole program, its last brace the one that was added.
func isOneFunction(tree *ast.Program, length int) bool {
	if len(tree.Body) != 1 {
		return false
	}
	statement, ok := tree.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return false
	}
	function, ok := statement.Expression.(*ast.FunctionLiteral)
	return ok && int(function.Idx1())-1 == length-1
}

func parse(name, source string, shift int) (*ast.Program, error) {
	if err := checkNesting(name, source); err != nil {
		return nil, err
	}
	tree, err := parser.ParseFile(nil, name, source, 0, parserOptions...)
	if err != nil {
		var list parser.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			return nil, explainSyntax(name, source, shift, list[0].Message, list[0].Position)
		}
		return nil, syntaxError(name, err.Error(), 1, 1)
	}
	if err := rewriteRegExps(name, source, shift, tree); err != nil {
		return nil, err
	}
	return tree, nil
}

func compileTree(name, source string, shift int, tree *ast.Program) (*Program, error) {
	program, err := goja.CompileAST(tree, false)
	if err != nil {
		var bad *goja.CompilerSyntaxError
		if errors.As(err, &bad) {
			var at file.Position
			if bad.File != nil {
				at = bad.File.Position(bad.Offset)
			}
			return nil, explainSyntax(name, source, shift, bad.Message, at)
		}
		return nil, syntaxError(name, err.Error(), 1, 1)
	}
	return &Program{program: program, name: name, place: placing{shift: shift}}, nil
}

func syntaxError(name, message string, line, column int) *Error {
	e := &Error{Name: "SyntaxError", Message: message, Code: CodeSyntax, Thrown: true,
		Frames: []Frame{{File: name, Line: line, Column: column}}}
	e.Stack = e.header() + stackText(e.Frames)
	return e
}

// RunProgram runs a compiled program on the owner and gives its completion value.
func (rt *Runtime) RunProgram(vm *goja.Runtime, p *Program) (goja.Value, error) {
	if p.place != (placing{}) {
		rt.places[p.name] = p.place
	}
	return vm.RunProgram(p.program)
}

// RunSource compiles and runs a script on the owner.
func (rt *Runtime) RunSource(vm *goja.Runtime, name, source string) (goja.Value, error) {
	p, err := Compile(name, source, nil)
	if err != nil {
		return nil, err
	}
	return rt.RunProgram(vm, p)
}
