package browser

import (
	"context"
	"time"
)

// Page answers the page the frame belongs to.
func (f *Frame) Page() *Page { return f.page }

// Name answers the frame's name attribute as of its last navigation.
func (f *Frame) Name() string { return f.state().name }

// URL answers the frame's URL.
func (f *Frame) URL() string { return f.state().url }

// ParentFrame answers the parent, nil for a main or detached frame.
func (f *Frame) ParentFrame() *Frame { return f.state().parent }

// ChildFrames answers the attached child frames in the order they came.
func (f *Frame) ChildFrames() []*Frame { return f.state().children }

// IsDetached reports whether the frame is gone.
func (f *Frame) IsDetached() bool { return f.state().detached }

// FrameElement answers the <iframe> or <frame> element that holds the frame.
func (f *Frame) FrameElement(ctx context.Context) (*ElementHandle, error) {
	return f.frameElement(ctx, "frame.frameElement")
}

// Title answers document.title.
func (f *Frame) Title(ctx context.Context) (string, error) { return f.title(ctx, "frame.title") }

// Content answers the document's HTML with its doctype.
func (f *Frame) Content(ctx context.Context) (string, error) { return f.content(ctx, "frame.content") }

// SetContent replaces the document.
func (f *Frame) SetContent(ctx context.Context, html string, o NavigateOptions) error {
	return f.setContent(ctx, "frame.setContent", html, o)
}

// Goto navigates the frame.
func (f *Frame) Goto(ctx context.Context, url string, o GotoOptions) (*Response, error) {
	return f.goTo(ctx, "frame.goto", url, o)
}

// ExpectNavigation is waitForNavigation; the waiter's payload is a *Response or nil.
func (f *Frame) ExpectNavigation(match URLMatch, o WaitForURLOptions) *Waiter {
	return f.expectNavigation("frame.waitForNavigation", match, o)
}

// ExpectURL is waitForURL.
func (f *Frame) ExpectURL(match URLMatch, o WaitForURLOptions) *Waiter {
	return f.expectURL("frame.waitForURL", match, o)
}

// ExpectLoadState is waitForLoadState.
func (f *Frame) ExpectLoadState(state LifecycleEvent, o TimeoutOptions) *Waiter {
	return f.expectLoadState("frame.waitForLoadState", state, o)
}

// WaitForURL waits until the frame is at an URL.
func (f *Frame) WaitForURL(ctx context.Context, match URLMatch, o WaitForURLOptions) error {
	_, err := f.ExpectURL(match, o).Wait(ctx)
	return err
}

// WaitForLoadState waits until the frame's document has reached a state.
func (f *Frame) WaitForLoadState(ctx context.Context, state LifecycleEvent, o TimeoutOptions) error {
	_, err := f.ExpectLoadState(state, o).Wait(ctx)
	return err
}

// WaitForTimeout waits for a while, or until the frame is gone.
func (f *Frame) WaitForTimeout(ctx context.Context, d time.Duration) error {
	return f.waitForTimeout(ctx, "frame.waitForTimeout", d)
}

// Evaluate runs a script in the frame and answers its result.
func (f *Frame) Evaluate(ctx context.Context, s Script, arg Value) (Value, error) {
	return f.evaluate(ctx, "frame.evaluate", s, arg)
}

// EvaluateHandle runs a script in the frame and answers a handle on its result.
func (f *Frame) EvaluateHandle(ctx context.Context, s Script, arg Value) (Handle, error) {
	return f.evaluateHandle(ctx, "frame.evaluateHandle", s, arg)
}

// WaitForFunction waits until a script answers something truthy.
func (f *Frame) WaitForFunction(ctx context.Context, s Script, arg Value, o WaitForFunctionOptions) (Handle, error) {
	return f.waitForFunction(ctx, "frame.waitForFunction", s, arg, o)
}

// AddScriptTag adds a <script>.
func (f *Frame) AddScriptTag(ctx context.Context, o TagOptions) (*ElementHandle, error) {
	return f.addScriptTag(ctx, "frame.addScriptTag", o)
}

// AddStyleTag adds a <style> or <link>.
func (f *Frame) AddStyleTag(ctx context.Context, o TagOptions) (*ElementHandle, error) {
	return f.addStyleTag(ctx, "frame.addStyleTag", o)
}

// DragAndDrop drags from one element to another.
func (f *Frame) DragAndDrop(ctx context.Context, source, target string, o DragOptions) error {
	return f.dragAndDrop(ctx, "frame.dragAndDrop", source, target, o)
}
