// Package browser is Playwright's page behaviour in Go over the Chrome DevTools Protocol: Browser, Context, Page, Frame,
// Locator, ElementHandle and what belongs to them, with Playwright's auto-waiting, strictness and error wording.
//
// It runs in the worker process. It owns the CDP session of each page, frame and web worker it is shown, the frame tree, the
// execution contexts, navigation, input and the network events of a run. It must not know JavaScript runtimes or promises
// (package jsrt/playwright maps it), the supervisor, or anything outside its one CDP connection and its [Host].
//
// # How to read the API
//
//   - Names are Playwright's. `$` is QuerySelector, `$$` QuerySelectorAll, `$eval` EvalOnSelector, `$$eval` EvalOnSelectorAll.
//   - A method that may talk to the browser takes a context first and is a promise in Playwright. A method without a context
//     answers from memory and is synchronous there too.
//   - Options are passed by value; the zero value is Playwright's default. A nil Timeout is the default of the page, a zero
//     one means no limit.
//   - Errors are [*Error] with Playwright's name and message, prefixed with the API name the caller used.
//   - Events are delivered one after another, in the order Chromium sent them and before the answers of commands that
//     Chromium answered later. Handlers run on the engine's own goroutine: a handler must not block and must not wait for
//     the engine; it starts a goroutine for that.
//   - Waiters (Expect…) are armed before they return and are waited for later.
package browser
