package sitehttp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pomerado-go/pomerado/operations/site"
	"github.com/pomerado-go/pomerado/supervisor/egress"
)

// direct sends a request with the supervisor's own client and follows redirects within the site.
func (c *Client) direct(ctx context.Context, r *request) (*Response, *Failure) {
	hop := *r
	dispatch := NotSent
	for hops := 0; ; hops++ {
		answer, err := c.once(ctx, &hop, &dispatch)
		if err != nil {
			return nil, c.directFailure(ctx, r, dispatch, err)
		}
		next, redirected, err := c.redirect(&hop, answer)
		if err == nil && redirected && hops == maxRedirects {
			err = fmt.Errorf("it was redirected more than %d times", maxRedirects)
		}
		if !redirected || err != nil {
			response, failure := c.take(ctx, r, &hop, answer, err)
			if failure == nil && hops > 0 {
				response.Gaps = append(response.Gaps, "redirect_chain_unavailable")
			}
			return response, failure
		}
		_ = answer.Body.Close()
		hop = next
	}
}

var errSecondTry = errors.New("the connection ended after the request may have left, and it is not sent again")

// once sends one request and gives its answer, whose body is still to be read. dispatch is raised as far as it got.
func (c *Client) once(ctx context.Context, r *request, dispatch *Dispatch) (*http.Response, error) {
	hasBody := r.body != nil
	var body io.Reader
	if hasBody {
		body = strings.NewReader(*r.body)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var left, answered atomic.Bool
	leaves := func() (first bool) {
		first = left.CompareAndSwap(false, true)
		if first {
			c.opts.Sending()
		}
		return first
	}
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// net/http looks for another connection when the first one died under an idempotent request.
		GetConn: func(string) {
			if left.Load() {
				cancel(errSecondTry)
			}
		},
		// It may have taken one that was waiting before it noticed; nothing is written yet, and so nothing will be. (HTTP/2 tries again only
		// what the server said it did not look at, and its connection is others' too.)
		GotConn: func(got httptrace.GotConnInfo) {
			if !leaves() && !isHTTP2(got.Conn) {
				_ = got.Conn.Close()
			}
		},
		GotFirstResponseByte: func() { answered.Store(true) },
	})
	out, err := http.NewRequestWithContext(traced, r.method, r.url.String(), body)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	out.GetBody = nil
	if err := c.head(ctx, out, r); err != nil {
		cancel(nil)
		return nil, err
	}
	if c.own == nil {
		leaves() // of another's transport nothing is known
	}
	answer, err := c.transport.RoundTrip(out)
	switch {
	case err == nil && answer == nil:
		err = errors.New("the transport gave no answer")
	case err == nil:
		*dispatch = Sent
		answer.Body = &endingBody{answer.Body, cancel}
		if c.opts.Cookies != nil {
			c.keepCookies(ctx, keep(answer.Cookies(), r.url, time.Now()))
		}
		return answer, nil
	}
	if cause := context.Cause(ctx); errors.Is(cause, errSecondTry) {
		err = cause
	}
	over := ctx.Err() != nil
	cancel(nil)
	if left.Load() && *dispatch == NotSent {
		*dispatch = Unknown
	}
	var network *net.OpError
	if answered.Load() && !errors.As(err, &network) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !over {
		err = &badAnswer{err}
	}
	return nil, err
}

func isHTTP2(conn net.Conn) bool {
	secure, ok := conn.(*tls.Conn)
	return ok && secure.ConnectionState().NegotiatedProtocol == "h2"
}

// endingBody lets go of its request with its close.
type endingBody struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (b *endingBody) Close() error {
	b.cancel(nil)
	return b.ReadCloser.Close()
}

// badAnswer is an answer that is not HTTP, or not what may be followed or read.
type badAnswer struct{ error }

func (b *badAnswer) Unwrap() error { return b.error }

// head writes the headers of one request: the script's, and those a browser would send by itself.
func (c *Client) head(ctx context.Context, out *http.Request, r *request) error {
	for _, h := range r.headers {
		out.Header.Add(h.name, h.value)
	}
	if out.Header.Get("Accept") == "" {
		out.Header.Set("Accept", "*/*")
	}
	if out.Header.Get("User-Agent") == "" && c.opts.UserAgent != "" {
		out.Header.Set("User-Agent", c.opts.UserAgent)
	}
	if r.body != nil && out.Header.Get("Content-Type") == "" {
		out.Header.Set("Content-Type", "text/plain;charset=UTF-8") // what fetch says of a text
	}
	out.Header.Set("Accept-Encoding", acceptEncoding)
	if c.opts.Cookies == nil {
		return nil
	}
	raw, err := c.opts.Cookies.Cookies(ctx)
	if err != nil {
		return fmt.Errorf("reading the run's cookies: %w", err)
	}
	cookies, err := cookieHeader(raw, r.url, c.opts.Rules.Same(c.opts.Site, r.url))
	if err != nil {
		return err
	}
	if own := out.Header.Get("Cookie"); own != "" && cookies != "" {
		cookies += "; " + own
	} else if own != "" {
		cookies = own
	}
	if cookies != "" {
		out.Header.Set("Cookie", cookies)
	}
	return nil
}

// redirect says where an answer sends the request on, as browsers do (Fetch standard, HTTP-redirect fetch).
func (c *Client) redirect(r *request, answer *http.Response) (next request, redirected bool, err error) {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return request{}, false, nil
	}
	location := answer.Header.Get("Location")
	if location == "" {
		return request{}, false, nil
	}
	target, err := r.url.Parse(location)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return request{}, true, errors.New("it was redirected to what is no http or https address")
	}
	target.Fragment, target.RawFragment = "", ""
	if !c.mayFollow(r.url, target) {
		return request{}, true, fmt.Errorf("it was redirected to another site, %s, which is not followed", clip(site.Origin(target), 300))
	}
	next = *r
	next.url = target
	post := r.method == http.MethodPost && (answer.StatusCode == http.StatusMovedPermanently || answer.StatusCode == http.StatusFound)
	if post || answer.StatusCode == http.StatusSeeOther && r.method != http.MethodGet && r.method != http.MethodHead {
		next.method, next.body = http.MethodGet, nil
		next.headers = without(next.headers, "content-encoding", "content-language", "content-location", "content-type")
	}
	if site.Origin(target) != site.Origin(r.url) {
		next.headers = without(next.headers, "authorization", "cookie")
	}
	return next, true, nil
}

// mayFollow allows redirects within the run's site and within that of the request, and from http to https of the same host.
func (c *Client) mayFollow(from, to *url.URL) bool {
	if to.User != nil {
		return false
	}
	upgrade := from.Scheme == "http" && to.Scheme == "https" && strings.EqualFold(from.Hostname(), to.Hostname()) && from.Port() == "" && to.Port() == ""
	return upgrade || c.opts.Rules.Same(from, to) || c.opts.Rules.Same(c.opts.Site, to)
}

func without(headers []header, names ...string) []header {
	var out []header
	for _, h := range headers {
		drop := false
		for _, name := range names {
			drop = drop || strings.EqualFold(h.name, name)
		}
		if !drop {
			out = append(out, h)
		}
	}
	return out
}

// take reads an answer whole. wrong is why it is none, if it is not.
func (c *Client) take(ctx context.Context, r, last *request, answer *http.Response, wrong error) (*Response, *Failure) {
	defer answer.Body.Close()
	status := &Unread{Status: answer.StatusCode}
	if wrong == nil {
		var body []byte
		var over bool
		body, over, wrong = readBody(answer, r.limit)
		switch {
		case over:
			return nil, tooLarge(r, answer.StatusCode)
		case wrong == nil:
			return &Response{
				Status: answer.StatusCode, Headers: lowered(answer.Header), Transport: Direct, FinalURL: last.url.String(), Gaps: []string{}, Body: body,
			}, nil
		}
		if !errors.As(wrong, new(*badAnswer)) {
			f := c.failed(ctx, r, Sent, wrong)
			f.Response = status
			return nil, f
		}
	}
	f := c.failed(ctx, r, Sent, wrong)
	f.Code, f.Response = InvalidResponse, status
	return nil, f
}

func tooLarge(r *request, status int) *Failure {
	f := &Failure{
		Code: ResponseTooLarge, Dispatch: Sent, Request: r.addressed(),
		Response: &Unread{Status: status, Body: &Lack{State: "unavailable", Reason: "limit_exceeded", LimitBytes: r.limit}},
	}
	f.Message = fmt.Sprintf("%s %s failed: the answer is longer than %d bytes", f.Request.Method, f.Request.URL, r.limit)
	return f
}

func lowered(header http.Header) map[string][]string {
	out := make(map[string][]string, len(header))
	for name, values := range header {
		out[strings.ToLower(name)] = append(out[strings.ToLower(name)], values...)
	}
	return out
}

func (c *Client) directFailure(ctx context.Context, r *request, dispatch Dispatch, err error) *Failure {
	f := c.failed(ctx, r, dispatch, err)
	switch {
	case f.Code == DeadlineExceeded:
	case errors.As(err, new(*badAnswer)):
		f.Code, f.Dispatch = InvalidResponse, Sent
	case egress.Refused(err):
		f.Code = EgressDenied
	}
	return f
}
