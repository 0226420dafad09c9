package browser

import (
	"context"
	"errors"
	"strings"
)

// Error is what a call of this package fails with, worded as Playwright words it.
type Error struct {
	// Name is JavaScript's error name: "Error", "TimeoutError" or "AbortError". Playwright names a closed page's error
	// "TargetClosedError" internally and "Error" for its users; [IsClosed] tells it apart.
	Name string
	// Message is complete: API prefix ("locator.click: "), text and call log.
	Message string
	// Stack is the page's stack when a script in the page threw; Message holds it too, as in Playwright.
	Stack string
	// Cause is a context's error when the call ended because its context did.
	Cause error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Cause }

// IsTimeout reports whether err is Playwright's TimeoutError.
func IsTimeout(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Name == nameTimeout
}

// IsClosed reports whether err says that the page, context or browser was closed, or that the page crashed.
func IsClosed(err error) bool {
	var c *closedError
	return errors.As(err, &c)
}

const (
	nameError   = "Error"
	nameTimeout = "TimeoutError"
)

// closedError ends everything that waits on a page that is gone.
type closedError struct{ message string }

func (e *closedError) Error() string { return e.message }

const closedText = "Target page, context or browser has been closed"

func closedBecause(reason string) *closedError {
	if reason == "" {
		reason = closedText
	}
	return &closedError{reason}
}

// jsError is an exception thrown by a script in the page. It is never retried.
type jsError struct{ message string }

func (e *jsError) Error() string { return e.message }

// finalError is a failure of an action that trying again would not mend.
type finalError struct{ message string }

func (e *finalError) Error() string { return e.message }

// selectorError is a selector that cannot be parsed or used as asked.
type selectorError struct{ message string }

func (e *selectorError) Error() string { return e.message }

// abortedNavigation is a navigation that did not commit.
type abortedNavigation struct {
	documentID string
	message    string
}

func (e *abortedNavigation) Error() string { return e.message }

// plainError is an error with a text of its own and no retries around it.
type plainError string

func (e plainError) Error() string { return string(e) }

func splitErrorName(text string) (name, message string) {
	before, after, found := strings.Cut(text, ":")
	if !found {
		return "", text
	}
	return before, strings.TrimPrefix(after, " ")
}

func causeOf(ctx context.Context) error { return context.Cause(ctx) }
