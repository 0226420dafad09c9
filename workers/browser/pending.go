package browser

import (
	"context"
	"github.com/pomerado-go/pomerado/ipc/cdp"
	"strings"
	"time"
)

var errPending = plainError("this method of the engine has no body in this build")
var _ = strings.Cut

func (_ *Browser) firstPage(_ context.Context) (r0 *Page, r1 error) { r1 = errPending; return }
func (_ *Browser) isConnected() (r0 bool)                           { return }
func (_ *Browser) newContext(_ context.Context, _ string, _ ContextOptions) (r0 *Context, r1 error) {
	r1 = errPending
	return
}
func (_ *Browser) openContexts() (r0 []*Context) { return }
func (_ *Browser) shut() (r0 error)              { r0 = errPending; return }
func (_ *Context) addCookies(_ context.Context, _ string, _ []Cookie) (r0 error) {
	r0 = errPending
	return
}
func (_ *Context) addInitScript(_ context.Context, _ string, _ string) (r0 func(context.Context) error, r1 error) {
	return nil, errPending
}
func (_ *Context) addRoute(_ context.Context, _ string, _ URLMatch, _ RouteFunc, _ RouteOptions) (r0 *RouteHandler, r1 error) {
	r1 = errPending
	return
}
func (_ *Context) clearCookies(_ context.Context, _ string, _ func(Cookie) bool) (r0 error) {
	r0 = errPending
	return
}
func (_ *Context) clearPermissions(_ context.Context, _ string) (r0 error) { r0 = errPending; return }
func (_ *Context) close(_ context.Context, _ string, _ CloseOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Context) cookies(_ context.Context, _ string, _ []string) (r0 []Cookie, r1 error) {
	r1 = errPending
	return
}
func (_ *Context) expectEvent(_ Event, _ ExpectOptions) (r0 *Waiter) { return }
func (_ *Context) exposeBinding(_ context.Context, _ string, _ string, _ BindingFunc) (r0 func(context.Context) error, r1 error) {
	return nil, errPending
}
func (_ *Context) grantPermissions(_ context.Context, _ string, _ []string, _ string) (r0 error) {
	r0 = errPending
	return
}
func (_ *Context) isClosed() (r0 bool)                                      { return }
func (_ *Context) newPage(_ context.Context, _ string) (r0 *Page, r1 error) { r1 = errPending; return }
func (_ *Context) openPages() (r0 []*Page)                                  { return }
func (_ *Context) removeRoutes(_ context.Context, _ string, _ []*RouteHandler, _ string) (r0 error) {
	r0 = errPending
	return
}
func (_ *Context) setExtraHTTPHeaders(_ context.Context, _ string, _ []Header) (r0 error) {
	r0 = errPending
	return
}
func (_ *Context) setGeolocation(_ context.Context, _ string, _ *Geolocation) (r0 error) {
	r0 = errPending
	return
}
func (_ *Context) setOffline(_ context.Context, _ string, _ bool) (r0 error) { r0 = errPending; return }
func (_ *Context) storageState(_ context.Context, _ string, _ bool) (r0 StorageState, r1 error) {
	r1 = errPending
	return
}
func (_ *Dialog) answer(_ context.Context, _ string, _ bool, _ *string) (r0 error) {
	r0 = errPending
	return
}
func (_ *Download) cancel(_ context.Context) (r0 error)              { r0 = errPending; return }
func (_ *Download) failure(_ context.Context) (r0 *string, r1 error) { r1 = errPending; return }
func (_ *ElementHandle) check(_ context.Context, _ string, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) click(_ context.Context, _ string, _ ClickOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) contentFrame(_ context.Context, _ string) (r0 *Frame, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) dblclick(_ context.Context, _ string, _ ClickOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) dispatchEvent(_ context.Context, _ string, _ string, _ Value, _ TimeoutOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) doBoundingBox(_ *op) (r0 *Rect, r1 error) { r1 = errPending; return }
func (_ *ElementHandle) doEvaluateHandle(_ *op, _ Script, _ Value) (r0 Handle, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) doScreenshot(_ *op, _ ScreenshotOptions) (r0 []byte, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) doScrollIntoView(_ *op) error            { return errPending }
func (_ *ElementHandle) doSelectText(_ *op, _ FillOptions) error { return errPending }
func (_ *ElementHandle) fill(_ context.Context, _ string, _ string, _ FillOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) focus(_ context.Context, _ string, _ TimeoutOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) getAttribute(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 *string, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) hover(_ context.Context, _ string, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) innerHTML(_ context.Context, _ string, _ TimeoutOptions) (r0 string, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) innerText(_ context.Context, _ string, _ TimeoutOptions) (r0 string, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) inputValue(_ context.Context, _ string, _ TimeoutOptions) (r0 string, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) isChecked(_ context.Context, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) isDisabled(_ context.Context, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) isEditable(_ context.Context, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) isEnabled(_ context.Context, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) isHidden(_ context.Context, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) isVisible(_ context.Context, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) ownerFrame(_ context.Context, _ string) (r0 *Frame, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) press(_ context.Context, _ string, _ string, _ TypeOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) run(_ context.Context, _ string, _ *time.Duration, _ any) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) selectOption(_ context.Context, _ string, _ []SelectOption, _ FillOptions) (r0 []string, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) setChecked(_ context.Context, _ string, _ bool, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) setInputFiles(_ context.Context, _ string, _ []FilePayload, _ FillOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) tap(_ context.Context, _ string, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) textContent(_ context.Context, _ string, _ TimeoutOptions) (r0 *string, r1 error) {
	r1 = errPending
	return
}
func (_ *ElementHandle) typeText(_ context.Context, _ string, _ string, _ TypeOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) uncheck(_ context.Context, _ string, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *ElementHandle) waitForElementState(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) addScriptTag(_ context.Context, _ string, _ TagOptions) (r0 *ElementHandle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) addStyleTag(_ context.Context, _ string, _ TagOptions) (r0 *ElementHandle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) allTexts(_ context.Context, _ string, _ string, _ bool) (r0 []string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) ariaSnapshot(_ context.Context, _ string, _ string, _ AriaSnapshotOptions) (r0 string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) blur(_ context.Context, _ string, _ string, _ TimeoutOptions) error {
	return errPending
}
func (_ *Frame) check(_ context.Context, _ string, _ string, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) click(_ context.Context, _ string, _ string, _ ClickOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) content(_ context.Context, _ string) (r0 string, r1 error) { r1 = errPending; return }
func (_ *Frame) count(_ context.Context, _ string, _ string) (r0 int, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) dblclick(_ context.Context, _ string, _ string, _ ClickOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) dispatchEvent(_ context.Context, _ string, _ string, _ string, _ Value, _ TimeoutOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) doWaitForSelector(_ *op, _ string, _ WaitForOptions, _ *ElementHandle, _ bool) (r0 *ElementHandle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) dragAndDrop(_ context.Context, _ string, _ string, _ string, _ DragOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) drop(_ context.Context, _ string, _ string, _ DropPayload, _ PointerOptions) error {
	return errPending
}
func (_ *Frame) evalOnSelector(_ context.Context, _ string, _ string, _ Script, _ Value, _ *ElementHandle) (r0 Value, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) evalOnSelectorAll(_ context.Context, _ string, _ string, _ Script, _ Value, _ *ElementHandle) (r0 Value, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) evaluate(_ context.Context, _ string, _ Script, _ Value) (r0 Value, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) evaluateHandle(_ context.Context, _ string, _ Script, _ Value) (r0 Handle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) evaluateOnElement(_ context.Context, _ string, _ string, _ Script, _ Value, _ TimeoutOptions) (r0 Value, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) expectLoadState(_ string, _ LifecycleEvent, _ TimeoutOptions) (r0 *Waiter) { return }
func (_ *Frame) expectNavigation(_ string, _ URLMatch, _ WaitForURLOptions) (r0 *Waiter)   { return }
func (_ *Frame) expectURL(_ string, _ URLMatch, _ WaitForURLOptions) (r0 *Waiter)          { return }
func (_ *Frame) fill(_ context.Context, _ string, _ string, _ string, _ FillOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) focus(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) frameElement(_ context.Context, _ string) (r0 *ElementHandle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) getAttribute(_ context.Context, _ string, _ string, _ string, _ TimeoutOptions) (r0 *string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) goTo(_ context.Context, _ string, _ string, _ GotoOptions) (r0 *Response, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) hover(_ context.Context, _ string, _ string, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) innerHTML(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) innerText(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) inputValue(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) isChecked(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) isDisabled(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) isEditable(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) isEnabled(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) isHidden(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) isVisible(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 bool, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) press(_ context.Context, _ string, _ string, _ string, _ TypeOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) querySelector(_ context.Context, _ string, _ string, _ bool, _ *ElementHandle) (r0 *ElementHandle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) querySelectorAll(_ context.Context, _ string, _ string, _ *ElementHandle) (r0 []*ElementHandle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) resolveSelector(_ context.Context, _ string, _ string) (r0 string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) selectOption(_ context.Context, _ string, _ string, _ []SelectOption, _ FillOptions) (r0 []string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) setChecked(_ context.Context, _ string, _ string, _ bool, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) setContent(_ context.Context, _ string, _ string, _ NavigateOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) setInputFiles(_ context.Context, _ string, _ string, _ []FilePayload, _ FillOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) state() (r frameState) { return }
func (_ *Frame) tap(_ context.Context, _ string, _ string, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) textContent(_ context.Context, _ string, _ string, _ TimeoutOptions) (r0 *string, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) title(_ context.Context, _ string) (r0 string, r1 error) { r1 = errPending; return }
func (_ *Frame) typeText(_ context.Context, _ string, _ string, _ string, _ TypeOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) uncheck(_ context.Context, _ string, _ string, _ PointerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Frame) waitForFunction(_ context.Context, _ string, _ Script, _ Value, _ WaitForFunctionOptions) (r0 Handle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) waitForFunctionOnElement(_ context.Context, _ string, _ string, _ Script, _ Value, _ TimeoutOptions) error {
	return errPending
}
func (_ *Frame) waitForSelector(_ context.Context, _ string, _ string, _ WaitForOptions, _ *ElementHandle, _ bool) (r0 *ElementHandle, r1 error) {
	r1 = errPending
	return
}
func (_ *Frame) waitForTimeout(_ context.Context, _ string, _ time.Duration) (r0 error) {
	r0 = errPending
	return
}
func (_ *JSHandle) api(_ string) (r string) { return }
func (_ *JSHandle) evaluate(_ context.Context, _ any, _ Script, _ Value) (r0 Value, r1 error) {
	r1 = errPending
	return
}
func (_ *JSHandle) evaluateHandle(_ context.Context, _ any, _ Script, _ Value) (r0 Handle, r1 error) {
	r1 = errPending
	return
}
func (_ *JSHandle) getProperties(_ context.Context, _ any) (r0 []HandleProperty, r1 error) {
	r1 = errPending
	return
}
func (_ *JSHandle) getProperty(_ context.Context, _ any, _ string) (r0 Handle, r1 error) {
	r1 = errPending
	return
}
func (_ *JSHandle) jsonValue(_ context.Context, _ any) (r0 Value, r1 error) { r1 = errPending; return }
func (_ *JSHandle) release()                                                {}
func (_ *Keyboard) doDown(_ *op, _ string) error                            { return errPending }
func (_ *Keyboard) doInsertText(_ *op, _ string) error                      { return errPending }
func (_ *Keyboard) doPress(_ *op, _ string, _ time.Duration) error          { return errPending }
func (_ *Keyboard) doType(_ *op, _ string, _ time.Duration) error           { return errPending }
func (_ *Keyboard) doUp(_ *op, _ string) error                              { return errPending }
func (_ *Mouse) doClick(_ *op, _ float64, _ float64, _ MouseOptions) error  { return errPending }
func (_ *Mouse) doDown(_ *op, _ MouseOptions) error                         { return errPending }
func (_ *Mouse) doMove(_ *op, _ float64, _ float64, _ int, _ bool) error    { return errPending }
func (_ *Mouse) doUp(_ *op, _ MouseOptions) error                           { return errPending }
func (_ *Mouse) doWheel(_ *op, _ float64, _ float64) error                  { return errPending }
func (_ *Page) addInitScript(_ context.Context, _ string, _ string) (r0 func(context.Context) error, r1 error) {
	return nil, errPending
}
func (_ *Page) addLocatorHandler(_ context.Context, _ string, _ *Locator, _ func(ctx context.Context, l *Locator) error, _ LocatorHandlerOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Page) addRoute(_ context.Context, _ string, _ URLMatch, _ RouteFunc, _ RouteOptions) (r0 *RouteHandler, r1 error) {
	r1 = errPending
	return
}
func (_ *Page) bringToFront(_ context.Context, _ string) (r0 error)          { r0 = errPending; return }
func (_ *Page) clearConsole()                                                {}
func (_ *Page) clearErrors()                                                 {}
func (_ *Page) close(_ context.Context, _ string, _ CloseOptions) (r0 error) { r0 = errPending; return }
func (_ *Page) consoleMessages(_ bool) (r0 []*ConsoleMessage)                { return }
func (_ *Page) emulateMedia(_ context.Context, _ string, _ EmulateMediaOptions) (r0 error) {
	r0 = errPending
	return
}
func (_ *Page) expectEvent(_ string, _ Event, _ ExpectOptions, _ string) (r0 *Waiter) { return }
func (_ *Page) expectRequest(_ string, _ URLMatch, _ ExpectOptions) (r0 *Waiter)      { return }
func (_ *Page) expectResponse(_ string, _ URLMatch, _ ExpectOptions) (r0 *Waiter)     { return }
func (_ *Page) exposeBinding(_ context.Context, _ string, _ string, _ BindingFunc, _ bool) (r0 func(context.Context) error, r1 error) {
	return nil, errPending
}
func (_ *Page) frames() (r0 []*Frame) { return }
func (_ *Page) goHistory(_ context.Context, _ string, _ int, _ NavigateOptions) (r0 *Response, r1 error) {
	r1 = errPending
	return
}
func (_ *Page) isClosed() (r0 bool)                 { return }
func (_ *Page) liveWorkers() (r0 []*Worker)         { return }
func (_ *Page) pageErrors(_ bool) (r0 []*PageError) { return }
func (_ *Page) pdf(_ context.Context, _ string, _ PDFOptions) (r0 []byte, r1 error) {
	r1 = errPending
	return
}
func (_ *Page) recentRequests() (r0 []*Request) { return }
func (_ *Page) reload(_ context.Context, _ string, _ NavigateOptions) (r0 *Response, r1 error) {
	r1 = errPending
	return
}
func (_ *Page) removeLocatorHandler(_ *Locator) {}
func (_ *Page) removeRoutes(_ context.Context, _ string, _ []*RouteHandler, _ string) (r0 error) {
	r0 = errPending
	return
}
func (_ *Page) requestGC(_ context.Context, _ string) (r0 error) { r0 = errPending; return }
func (_ *Page) run(_ context.Context, _ string, _ time.Duration, _ func(op *op) error) (r0 error) {
	r0 = errPending
	return
}
func (_ *Page) screenshot(_ context.Context, _ string, _ ScreenshotOptions) (r0 []byte, r1 error) {
	r1 = errPending
	return
}
func (_ *Page) setExtraHTTPHeaders(_ context.Context, _ string, _ []Header) (r0 error) {
	r0 = errPending
	return
}
func (_ *Page) setViewportSize(_ context.Context, _ string, _ Size) (r0 error) {
	r0 = errPending
	return
}
func (_ *Page) viewportSize() (r0 *Size)                                   { return }
func (_ *Request) allHeaders(_ context.Context) (r0 []Header, r1 error)    { r1 = errPending; return }
func (_ *Request) owner() (r0 *Frame, r1 error)                            { r1 = errPending; return }
func (_ *Request) rawHeaders(_ context.Context) (r0 []Header, r1 error)    { r1 = errPending; return }
func (_ *Request) sizes(_ context.Context) (r0 Sizes, r1 error)            { r1 = errPending; return }
func (_ *Request) view() (r requestView)                                   { return }
func (_ *Request) waitResponse(_ context.Context) (r0 *Response, r1 error) { r1 = errPending; return }
func (_ *Response) allHeaders(_ context.Context) (r0 []Header, r1 error)   { r1 = errPending; return }
func (_ *Response) body(_ context.Context) (r0 []byte, r1 error)           { r1 = errPending; return }
func (_ *Response) finished(_ context.Context) (r0 string, r1 error)       { r1 = errPending; return }
func (_ *Response) rawHeaders(_ context.Context) (r0 []Header, r1 error)   { r1 = errPending; return }
func (_ *Route) abort(_ context.Context, _ string) (r0 error)              { r0 = errPending; return }
func (_ *Route) fallback(_ Override) (r0 error)                            { r0 = errPending; return }
func (_ *Route) fulfill(_ context.Context, _ Fulfillment) (r0 error)       { r0 = errPending; return }
func (_ *Route) proceed(_ context.Context, _ Override) (r0 error)          { r0 = errPending; return }
func (_ *Touchscreen) doTap(_ *op, _ float64, _ float64) error             { return errPending }
func (_ *Waiter) run(_ context.Context) (r0 any, r1 error)                 { r1 = errPending; return }
func (_ *Waiter) stop()                                                    {}
func (_ *WebSocket) expectEvent(_ Event, _ ExpectOptions) (r0 *Waiter)     { return }
func (_ *WebSocket) isClosed() (r0 bool)                                   { return }
func (_ *Worker) evaluate(_ context.Context, _ Script, _ Value) (r0 Value, r1 error) {
	r1 = errPending
	return
}
func (_ *Worker) evaluateHandle(_ context.Context, _ Script, _ Value) (r0 Handle, r1 error) {
	r1 = errPending
	return
}
func (_ *Worker) expectEvent(_ Event, _ ExpectOptions) (r0 *Waiter) { return }
func connect(_ context.Context, _ cdp.Transport, _ Options) (r0 *Browser, r1 error) {
	r1 = errPending
	return
}
func customDescription(_ string) (r0 string, r1 bool) { return }
func describeLocator(_ string) (r0 string)            { return }
func headerValue(_ []Header, _ string) (r *string)    { return }
func headerValues(_ []Header, _ string) (r []string)  { return }
func itoa(_ int) (r string)                           { return }
func locatorOf(_ *Frame, _ any) (r0 *Locator)         { return }
func lowerHeaders(_ any) (r0 []Header)                { return }
func newLocator(_ *Frame, _ string, _ LocatorOptions) (r0 *Locator, r1 error) {
	r1 = errPending
	return
}
func quoteJSON(_ string) (r string)                     { return }
func selectorByAltText(_ Text) (r string)               { return }
func selectorByLabel(_ Text) (r string)                 { return }
func selectorByPlaceholder(_ Text) (r string)           { return }
func selectorByRole(_ string, _ RoleOptions) (r string) { return }
func selectorByTestID(_ Text) (r string)                { return }
func selectorByText(_ Text) (r string)                  { return }
func selectorByTitle(_ Text) (r string)                 { return }
