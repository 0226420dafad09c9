package browser

import (
	"context"
	"time"
)

// Timeout fields everywhere: nil is the page's default (30 s unless set otherwise), 0 is no limit.

// Point is a place in CSS pixels.
type Point struct{ X, Y float64 }

// Size is a size in CSS pixels.
type Size struct{ Width, Height float64 }

// Rect is a box in CSS pixels of the main frame's viewport.
type Rect struct{ X, Y, Width, Height float64 }

// LifecycleEvent is a state of a document: "load", "domcontentloaded", "networkidle" or "commit". Empty is "load".
type LifecycleEvent string

const (
	Load             LifecycleEvent = "load"
	DOMContentLoaded LifecycleEvent = "domcontentloaded"
	NetworkIdle      LifecycleEvent = "networkidle"
	Commit           LifecycleEvent = "commit"
)

// URLMatch says which URLs are meant. At most one field is set; none matches every URL.
type URLMatch struct {
	// Glob is Playwright's URL glob; an URL without glob characters is itself.
	Glob string
	// Match decides by code (a regular expression or function of the caller). It runs on a goroutine of its own, never on
	// the engine's, and may block.
	Match func(ctx context.Context, url string) (bool, error)
	// Text is how the log shows a Match function ("/re/i"); empty shows nothing.
	Text string
	// ID tells two Match functions apart for Unroute: equal IDs are the same matcher.
	ID any
}

// Text is a text to look for: a string (case-insensitive substring unless Exact) or a regular expression.
type Text struct {
	String string
	RegExp *RegExp
	Exact  bool
}

// GotoOptions of Page.Goto and Frame.Goto.
type GotoOptions struct {
	WaitUntil LifecycleEvent
	// Referer; nil takes the extra HTTP headers' one.
	Referer *string
	Timeout *time.Duration
}

// NavigateOptions of reload, goBack, goForward and setContent.
type NavigateOptions struct {
	WaitUntil LifecycleEvent
	Timeout   *time.Duration
}

// WaitForURLOptions of WaitForURL and ExpectNavigation.
type WaitForURLOptions struct {
	WaitUntil LifecycleEvent
	Timeout   *time.Duration
}

// TimeoutOptions of calls that have nothing else to choose.
type TimeoutOptions struct {
	// Strict fails when more than one element matches. Locators are always strict.
	Strict  Strictness
	Timeout *time.Duration
}

// PointerOptions are shared by hover, tap, check, uncheck and setChecked.
type PointerOptions struct {
	// Force skips the actionability checks.
	Force     bool
	Modifiers []string
	// Position from the top left of the padding box; nil is the visible middle.
	Position *Point
	Strict   Strictness
	Timeout  *time.Duration
	// Trial does all the checks and not the action.
	Trial bool
	// NoWaitAfter is accepted; only click waits for navigations it starts.
	NoWaitAfter bool
	// Scroll "none" leaves the page where it is.
	Scroll string
}

// Strictness is whether a selector may match one element only.
type Strictness int

const (
	// AsContext leaves it to the context's StrictSelectors.
	AsContext Strictness = iota
	Strictly
	Loosely
)

// ClickOptions of click and dblclick.
type ClickOptions struct {
	// Button is "left" (default), "right" or "middle".
	Button string
	// ClickCount is 1 when zero; dblclick ignores it.
	ClickCount int
	// Delay between mousedown and mouseup.
	Delay       time.Duration
	Force       bool
	Modifiers   []string
	NoWaitAfter bool
	Position    *Point
	// Steps is the number of interpolated mouse moves; zero is one.
	Steps   int
	Strict  Strictness
	Timeout *time.Duration
	Trial   bool
	Scroll  string
}

func (o ClickOptions) pointer() PointerOptions {
	return PointerOptions{Force: o.Force, Modifiers: o.Modifiers, Position: o.Position, Strict: o.Strict, Timeout: o.Timeout, Trial: o.Trial, NoWaitAfter: o.NoWaitAfter, Scroll: o.Scroll}
}

// FillOptions of fill, clear, selectOption and selectText.
type FillOptions struct {
	Force       bool
	NoWaitAfter bool
	Strict      Strictness
	Timeout     *time.Duration
}

// TypeOptions of type, pressSequentially and press.
type TypeOptions struct {
	// Delay between keys, or between keydown and keyup for press.
	Delay       time.Duration
	NoWaitAfter bool
	Strict      Strictness
	Timeout     *time.Duration
}

// DragOptions of dragTo and dragAndDrop.
type DragOptions struct {
	Force                          bool
	NoWaitAfter                    bool
	SourcePosition, TargetPosition *Point
	Steps                          int
	Strict                         Strictness
	Timeout                        *time.Duration
	Trial                          bool
}

// DropPayload is what Locator.Drop drops.
type DropPayload struct {
	Files []FilePayload
	// Data by MIME type, in order.
	Data []DropData
}

// DropData is one entry of a drop's data transfer.
type DropData struct{ MimeType, Value string }

// SelectOption names an option of a <select>. Exactly one of the fields that are not nil must match.
type SelectOption struct {
	// ValueOrLabel is what a plain string means.
	ValueOrLabel *string
	Value        *string
	Label        *string
	Index        *int
	Element      *ElementHandle
}

// FilePayload is a file given as bytes. Paths do not exist for page code.
type FilePayload struct {
	Name     string
	MimeType string
	Buffer   []byte
	// LastModified in milliseconds since the epoch; 0 is now.
	LastModified float64
}

// WaitForOptions of waitForSelector and Locator.WaitFor. State is "attached", "detached", "visible" (default) or "hidden".
type WaitForOptions struct {
	State   string
	Strict  Strictness
	Timeout *time.Duration
}

// WaitForFunctionOptions of waitForFunction. Polling nil is every animation frame.
type WaitForFunctionOptions struct {
	Polling *time.Duration
	Timeout *time.Duration
}

// ExpectOptions of the waiters (ExpectEvent, ExpectRequest, …).
type ExpectOptions struct {
	// Predicate runs on the goroutine that waits; nil takes the first event. It may block.
	Predicate func(ctx context.Context, payload any) (bool, error)
	Timeout   *time.Duration
}

// LocatorOptions narrow a locator.
type LocatorOptions struct {
	Has, HasNot         *Locator
	HasText, HasNotText *Text
	Visible             *bool
}

// RoleOptions of GetByRole. Nil leaves a state open.
type RoleOptions struct {
	Checked       *bool
	Description   *Text
	Disabled      *bool
	Exact         bool
	Expanded      *bool
	IncludeHidden *bool
	Level         *int
	Name          *Text
	Pressed       *bool
	Selected      *bool
}

// AriaSnapshotOptions of ariaSnapshot. Mode is "default" (empty) or "ai". Depth 0 is all.
type AriaSnapshotOptions struct {
	Mode    string
	Depth   int
	Boxes   bool
	Timeout *time.Duration
}

// ScreenshotOptions of page and element screenshots.
type ScreenshotOptions struct {
	// Type is "png" (default), "jpeg" or "webp".
	Type string
	// Quality 0-100, jpeg and webp only.
	Quality        *int
	FullPage       bool
	Clip           *Rect
	OmitBackground bool
	// Caret "hide" (default) or "initial".
	Caret string
	// Animations "allow" (default) or "disabled".
	Animations string
	// Scale "device" (default) or "css".
	Scale     string
	Mask      []*Locator
	MaskColor string
	Style     string
	Timeout   *time.Duration
}

// PDFOptions of Page.PDF. Lengths are CSS lengths ("10cm", "100px").
type PDFOptions struct {
	Scale                          float64
	DisplayHeaderFooter            bool
	HeaderTemplate, FooterTemplate string
	PrintBackground, Landscape     bool
	PageRanges, Format             string
	Width, Height                  string
	PreferCSSPageSize              bool
	MarginTop, MarginBottom        string
	MarginLeft, MarginRight        string
	Tagged, Outline                bool
}

// EmulateMediaOptions of Page.EmulateMedia: nil leaves as is, "no-override" takes the emulation away.
type EmulateMediaOptions struct {
	Media, ColorScheme, ReducedMotion, ForcedColors, Contrast *string
}

// TagOptions of addScriptTag and addStyleTag: exactly one of URL and Content.
type TagOptions struct {
	URL, Content string
	// Type of the script ("module").
	Type string
}

// CloseOptions of Page.Close and Context.Close.
type CloseOptions struct {
	// RunBeforeUnload asks the page first and does not wait for it to go.
	RunBeforeUnload bool
	Reason          string
}

// Geolocation for Context.SetGeolocation.
type Geolocation struct{ Latitude, Longitude, Accuracy float64 }

// Header is one HTTP header; names keep their case, a name may come more than once.
type Header struct{ Name, Value string }

// RouteOptions of Page.Route and Context.Route. Times 0 is for ever.
type RouteOptions struct{ Times int }

// LocatorHandlerOptions of Page.AddLocatorHandler. Times 0 is for ever.
type LocatorHandlerOptions struct {
	Times       int
	NoWaitAfter bool
}

// MouseOptions of Mouse.Down, Up, Click and Dblclick.
type MouseOptions struct {
	Button     string
	ClickCount int
	Delay      time.Duration
	Steps      int
}

// ContextOptions of Browser.NewContext: what of Playwright's options the engine can give a context of a run.
type ContextOptions struct {
	// Viewport; nil is 1280×720.
	Viewport   *Size
	NoViewport bool
	// Screen is what pages see as the screen; nil is the viewport.
	Screen            *Size
	DeviceScaleFactor float64
	IsMobile          bool
	HasTouch          bool
	UserAgent         string
	Locale            string
	TimezoneID        string
	Geolocation       *Geolocation
	Permissions       []string
	ExtraHTTPHeaders  []Header
	Offline           bool
	ColorScheme       string
	ReducedMotion     string
	ForcedColors      string
	Contrast          string
	// JavaScriptEnabled nil is true.
	JavaScriptEnabled *bool
	BypassCSP         bool
	BaseURL           string
	StrictSelectors   bool
	StorageState      *StorageState
}
