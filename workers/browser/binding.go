package browser

import "context"

// BindingFunc is the Go side of an exposed function. It runs on a goroutine of its own; what it answers, or an *ErrorValue
// inside err (see [BindingError]), goes back to the page.
type BindingFunc func(ctx context.Context, source BindingSource, args []Value) (Value, error)

// BindingSource is where an exposed function was called.
type BindingSource struct {
	Context *Context
	Page    *Page
	Frame   *Frame
	// Begun is to be called when the function has begun: the page's next call waits for that, so that calls keep their order. Its return counts too.
	Begun func()
}

// BindingError is an error of a BindingFunc that arrives in the page as a given value.
type BindingError struct{ Value Value }

func (e *BindingError) Error() string { return "the exposed function threw" }
