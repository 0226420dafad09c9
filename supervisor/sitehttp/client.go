package sitehttp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/pomerado-go/pomerado/operations/site"
)

// Options say what a run lends its client.
type Options struct {
	// Site is the run's site: scheme and host.
	Site *url.URL
	// Rules say what belongs to it.
	Rules site.Rules
	// Dial connects to "host:port" as the run may.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Cookies are those of the run's context; nil for none.
	Cookies Cookies
	// Sending is called before the first byte of each request leaves, redirects included.
	Sending func()
	// Page fetches in the run's own page; nil when there is none.
	Page Page
	// Transport sends requests instead of the client's own; nil for that.
	Transport http.RoundTripper
	// IsChallenge tells a bot challenge from an answer; nil for [IsChallenge].
	IsChallenge func(status int, header http.Header, body []byte) bool
	// UserAgent is sent with requests that name none; empty for the system's.
	UserAgent string
	// Roots are the authorities trusted for https; nil for the system's.
	Roots *x509.CertPool
}

// Client sends the requests of one run. Its methods may be called from several goroutines.
type Client struct {
	opts      Options
	transport http.RoundTripper
	own       *http.Transport // nil when the options brought one
	turns     chan struct{}
}

// New makes a run's client. Close must be called.
func New(opts Options) *Client {
	c := &Client{opts: opts, transport: opts.Transport, turns: make(chan struct{}, maxAtOnce)}
	if c.opts.IsChallenge == nil {
		c.opts.IsChallenge = IsChallenge
	}
	if c.transport == nil {
		c.own = &http.Transport{
			DialContext: opts.Dial, ForceAttemptHTTP2: true, DisableCompression: true, MaxResponseHeaderBytes: maxAnswerHead,
			TLSClientConfig: &tls.Config{RootCAs: opts.Roots}, TLSHandshakeTimeout: 30 * time.Second, IdleConnTimeout: time.Minute,
		}
		c.transport = c.own
	}
	return c
}

// Close lets go of connections that are open and unused.
func (c *Client) Close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

// Send checks one request, JSON as the script wrote it, and carries it out. Its error is a *Failure.
func (c *Client) Send(ctx context.Context, text []byte) (*Response, *Failure) {
	r, failure := read(text, c.opts.Site)
	if failure != nil {
		return nil, failure
	}
	ctx, cancel := context.WithTimeoutCause(ctx, r.timeout, errTimeout)
	defer cancel()
	select {
	case c.turns <- struct{}{}:
		defer func() { <-c.turns }()
	case <-ctx.Done():
		return nil, c.failed(ctx, r, NotSent, context.Cause(ctx))
	}
	var response *Response
	if r.carrier == PageFetch {
		response, failure = c.fetch(ctx, r)
	} else {
		response, failure = c.direct(ctx, r)
	}
	if failure != nil {
		return nil, failure
	}
	response.RequestURL = r.url.String()
	header := http.Header{}
	for name, values := range response.Headers {
		header[http.CanonicalHeaderKey(name)] = values
	}
	response.Challenge = c.opts.IsChallenge(response.Status, header, response.Body)
	return response, nil
}

// IsChallenge tells the bot challenges that say they are one: in the header Cloudflare or AWS WAF puts on them.
func IsChallenge(_ int, header http.Header, _ []byte) bool {
	return header.Get("Cf-Mitigated") == "challenge" || slices.Contains([]string{"challenge", "captcha"}, header.Get("X-Amzn-Waf-Action"))
}

var errTimeout = errors.New("the request took longer than its timeoutMs")

// failed words an error of carrying r out.
func (c *Client) failed(ctx context.Context, r *request, dispatch Dispatch, err error) *Failure {
	f := &Failure{Code: TransportFailed, Dispatch: dispatch, Request: r.addressed()}
	said := err.Error()
	switch {
	case errors.Is(context.Cause(ctx), errTimeout):
		f.Code, said = DeadlineExceeded, fmt.Sprintf("there was no whole answer within %v", r.timeout)
	case ctx.Err() != nil:
		f.Code, said = DeadlineExceeded, "the run is over"
	}
	f.FailureDetail = clip(said, 500)
	f.Message = clip(fmt.Sprintf("%s %s failed: %s", f.Request.Method, f.Request.URL, said), 4096)
	return f
}
