package jsrt

import (
	"reflect"

	"github.com/dop251/goja/ast"
)

// mendArrows gives arrow functions with an expression for a body their whole text. goja ends it where the last inner expression ends,
// so that x => ({ a: x }) lacks its last parenthesis; functions travel to pages as text.
func mendArrows(source string, tree *ast.Program) {
	visit(reflect.ValueOf(tree.Body), func(node any) {
		arrow, ok := node.(*ast.ArrowFunctionLiteral)
		if !ok {
			return
		}
		body, ok := arrow.Body.(*ast.ExpressionBody)
		if !ok {
			return
		}
		start := int(arrow.Start) - 1
		if end := arrowEnd(source, start, lastOffset(source, body.Expression)); end > start {
			arrow.Source = source[start:end]
		}
	})
}

// arrowEnd is the end of the first token at or after least that leaves no bracket of the function open.
func arrowEnd(source string, start, least int) int {
	s := scanner{source: source}
	s.begin(start)
	for s.at < len(source) {
		if s.next() && s.at >= least && len(s.levels) == 1 {
			return s.at
		}
	}
	return -1
}

// lastOffset is where the last part of an expression ends, parentheses around it aside.
func lastOffset(source string, e ast.Expression) int {
	for {
		switch n := e.(type) {
		case *ast.ConditionalExpression:
			e = n.Alternate
		case *ast.BinaryExpression:
			e = n.Right
		case *ast.AssignExpression:
			e = n.Right
		case *ast.SequenceExpression:
			e = n.Sequence[len(n.Sequence)-1]
		case *ast.AwaitExpression:
			e = n.Argument
		case *ast.OptionalChain:
			e = n.Expression
		case *ast.Optional:
			e = n.Expression
		case *ast.UnaryExpression:
			if n.Postfix {
				return int(n.Idx1()) - 1
			}
			e = n.Operand
		case *ast.YieldExpression:
			if n.Argument == nil {
				return int(n.Idx1()) - 1
			}
			e = n.Argument
		case *ast.NewExpression:
			if n.ArgumentList != nil || n.RightParenthesis > 0 {
				return int(n.RightParenthesis)
			}
			e = n.Callee
		case *ast.ArrowFunctionLiteral:
			body, ok := n.Body.(*ast.ExpressionBody)
			if !ok {
				return int(n.Idx1()) - 1
			}
			e = body.Expression
		case *ast.DotExpression:
			return wordEnd(source, int(n.Identifier.Idx)-1)
		case *ast.PrivateDotExpression:
			return wordEnd(source, int(n.Identifier.Idx)-1)
		case *ast.Identifier:
			// goja counts the name's own encoding, which is not the source's.
			return wordEnd(source, int(n.Idx)-1)
		default:
			return int(e.Idx1()) - 1
		}
	}
}

func wordEnd(source string, at int) int {
	s := scanner{source: source}
	s.begin(at)
	s.next()
	return s.at
}
