// Package sitehttp sends the requests of a run's HTTP version (spec runtime-sdk.md §2.4): it checks them, sends them over the run's own way
// to the network with the cookies of the run's browser context, follows redirects within the site, and bounds what comes back.
//
// It runs in the supervisor process. What it gets from a worker it checks as if it were hostile; what it gets from a site it hands on as
// bytes and reads no more of than status and headers. It knows no wire, no browser and no journal: a run lends it a way to connect, its
// cookies, a page to fetch in, and is told before each send.
//
// Nothing is ever sent twice: a request that may have left is not repeated, whatever its method.
package sitehttp

import "time"

// Limits of a request (spec runtime-sdk.md §2.4), in bytes unless a name says otherwise.
const (
	// MaxResponse bounds maxResponseBytes, and what buffered-response-v1 alone stands for.
	MaxResponse = 8 << 20
	// MaxBody bounds an answer for which the request names no limit. The specification leaves it unbounded; a supervisor cannot.
	MaxBody = 16 << 20
	// DefaultTimeout is a request's time when it names none; the run's own clock bounds it as well.
	DefaultTimeout = 60 * time.Second

	maxURL        = 8192
	maxHeaders    = 128
	maxHeaderSize = 64 << 10 // names and values of one request together
	maxAnswerHead = 256 << 10
	maxRedirects  = 20
	maxAtOnce     = 6 // requests of one run under way; more wait
	maxReported   = 2048
)

// Code is a failure's code (spec runtime-sdk.md §2.4).
type Code string

// Codes that a request can fail with here. not_recorded and capture_failed belong to saved answers and recordings.
const (
	InvalidRequest        Code = "invalid_request"
	UnsupportedCapability Code = "unsupported_capability"
	TransportFailed       Code = "transport_failed"
	InvalidResponse       Code = "invalid_response"
	ResponseTooLarge      Code = "response_too_large"
	DeadlineExceeded      Code = "deadline_exceeded"
	EgressDenied          Code = "egress_denied"
)

// Dispatch says whether the request had left for the site when it failed.
type Dispatch string

// NotSent: no byte left. Sent: the site answered. Unknown: bytes left and no answer came.
const (
	NotSent Dispatch = "not_sent"
	Sent    Dispatch = "sent"
	Unknown Dispatch = "unknown"
)

// Capability is something a request may require of what carries it.
type Capability string

// The capabilities of the specification.
const (
	ChromiumNetwork  Capability = "chromium-network"
	SessionCookies   Capability = "session-cookies"
	AssignedProxy    Capability = "assigned-proxy"
	PageEnvironment  Capability = "page-environment"
	ServiceWorker    Capability = "service-worker"
	Streaming        Capability = "streaming"
	BufferedResponse Capability = "buffered-response-v1"
)

// Carrier names what carried a request, in the specification's words.
type Carrier string

// Direct is the supervisor's own client (the specification's words are older than it), PageFetch a fetch in the run's page.
const (
	Direct    Carrier = "kernel-curl"
	PageFetch Carrier = "page-fetch"
)

// carriers say which capabilities each carrier has.
var (
	directHas = []Capability{SessionCookies, AssignedProxy, BufferedResponse}
	pageHas   = []Capability{ChromiumNetwork, SessionCookies, AssignedProxy, PageEnvironment, BufferedResponse}
)

// Capabilities are those a request may require here.
func Capabilities() []Capability {
	return []Capability{ChromiumNetwork, SessionCookies, AssignedProxy, PageEnvironment, BufferedResponse}
}

// Response is an answer without its body, as a script is given it.
type Response struct {
	Status     int                 `json:"status"`
	Headers    map[string][]string `json:"headers"` // names in lower case
	Transport  Carrier             `json:"transport"`
	FinalURL   string              `json:"finalUrl,omitempty"`
	RequestURL string              `json:"requestUrl"`
	Gaps       []string            `json:"gaps"`
	Challenge  bool                `json:"challenge,omitempty"`

	Body []byte `json:"-"`
}

// Failure is a request that brought no answer, with the fields of the script's HttpFailure.
type Failure struct {
	Code          Code       `json:"code"`
	Dispatch      Dispatch   `json:"dispatch"`
	Message       string     `json:"message"`
	Refusal       *Refusal   `json:"refusal,omitempty"`
	Response      *Unread    `json:"response,omitempty"`
	FailureDetail string     `json:"failureDetail,omitempty"`
	Request       *Addressed `json:"request,omitempty"`
}

func (f *Failure) Error() string { return f.Message }

// Refusal is the rule a request broke.
type Refusal struct {
	Rule       string     `json:"rule"`
	Header     string     `json:"header,omitempty"`
	Capability Capability `json:"capability,omitempty"`
	Transport  Carrier    `json:"transport,omitempty"`
	Detail     string     `json:"detail,omitempty"`
}

// Unread is what is known of an answer that was not taken whole.
type Unread struct {
	Status int   `json:"status"`
	Body   *Lack `json:"body,omitempty"`
}

// Lack says why a body is not there.
type Lack struct {
	State      string `json:"state"`
	Reason     string `json:"reason"`
	LimitBytes int64  `json:"limitBytes"`
}

// Addressed is a request as errors name it: its URL without user info, query and fragment.
type Addressed struct {
	Method string `json:"method"`
	URL    string `json:"url"`
}
