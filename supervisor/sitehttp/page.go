package sitehttp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/pomerado-go/pomerado/operations/site"
)

// Page is the run's own page.
type Page interface {
	// Open brings the page to the site, once; later calls find it there. Its error says that there is no page to fetch in.
	Open(ctx context.Context) error
	// Evaluate runs an expression in a world of its own in the page and gives the text its promise resolves to.
	Evaluate(ctx context.Context, expression string) (string, error)
}

// pageAnswer is what the script in the page says.
type pageAnswer struct {
	Status   int         `json:"status"`
	Headers  [][2]string `json:"headers"`
	URL      string      `json:"url"`
	Body     string      `json:"body"` // base64
	TooLarge bool        `json:"tooLarge"`
	Error    string      `json:"error"`
}

// fetchScript fetches in the page and answers with JSON. It is given its argument as JSON text in place of %s.
const fetchScript = `(async ({ url, init, limit, timeout }) => {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  try {
    const response = await fetch(url, { ...init, signal: abort.signal });
    const head = { status: response.status, headers: [...response.headers], url: response.url };
    const reader = response.body?.getReader();
    const parts = [];
    let size = 0;
    for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > limit) {
        abort.abort();
        return JSON.stringify({ ...head, tooLarge: true });
      }
      parts.push(part.value);
    }
    let text = "";
    for (const part of parts) for (let at = 0; at < part.length; at += 32768) text += String.fromCharCode(...part.subarray(at, at + 32768));
    return JSON.stringify({ ...head, body: btoa(text) });
  } catch (error) {
    return JSON.stringify({ error: String(error?.message ?? error) });
  } finally {
    clearTimeout(timer);
  }
})(%s)`

// forbidden are headers that a script in a page cannot set; the browser writes its own.
var forbidden = []string{"cookie", "origin", "referer", "user-agent"}

// fetch sends a request as a fetch in the run's page. Towards the page's own origin it follows no redirect to another one; towards other
// origins of the site the browser's own rules for scripts hold.
func (c *Client) fetch(ctx context.Context, r *request) (*Response, *Failure) {
	if c.opts.Page == nil {
		return nil, &Failure{
			Code: UnsupportedCapability, Dispatch: NotSent, Request: r.addressed(), Message: "The request was not sent: this run has no page to fetch in",
			Refusal: &Refusal{Rule: "capability_unsupported", Capability: PageEnvironment, Transport: PageFetch},
		}
	}
	if err := c.opts.Page.Open(ctx); err != nil {
		return nil, c.failed(ctx, r, NotSent, err)
	}
	argument, err := c.fetchArgument(r)
	if err != nil {
		return nil, c.failed(ctx, r, NotSent, err)
	}
	c.opts.Sending()
	text, err := c.opts.Page.Evaluate(ctx, fmt.Sprintf(fetchScript, argument))
	if err != nil {
		return nil, c.failed(ctx, r, Unknown, err)
	}
	var said pageAnswer
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		return nil, c.failed(ctx, r, Unknown, errors.New("the page's answer is not understood"))
	}
	return c.fetched(ctx, r, said)
}

func (c *Client) fetchArgument(r *request) (string, error) {
	headers := [][2]string{}
	for _, h := range without(r.headers, forbidden...) {
		headers = append(headers, [2]string{h.name, h.value})
	}
	mode := "cors"
	if site.Origin(r.url) == site.Origin(c.opts.Site) {
		mode = "same-origin"
	}
	init := map[string]any{"method": r.method, "headers": headers, "mode": mode, "credentials": "include", "cache": "no-store"}
	if r.body != nil {
		init["body"] = *r.body
	}
	text, err := json.Marshal(map[string]any{"url": r.url.String(), "init": init, "limit": r.limit, "timeout": r.timeout.Milliseconds()})
	return string(text), err
}

func (c *Client) fetched(ctx context.Context, r *request, said pageAnswer) (*Response, *Failure) {
	switch {
	case said.Error != "":
		return nil, c.failed(ctx, r, Unknown, errors.New("the page's fetch said: "+clip(strings.ToValidUTF8(said.Error, ""), 300)))
	case said.TooLarge:
		return nil, tooLarge(r, said.Status)
	}
	body, err := base64.StdEncoding.DecodeString(said.Body)
	final, unparsed := url.Parse(said.URL)
	if err != nil || unparsed != nil || said.Status < 100 || said.Status > 599 || int64(len(body)) > r.limit {
		f := c.failed(ctx, r, Sent, errors.New("the page's answer is not understood"))
		f.Code = InvalidResponse
		return nil, f
	}
	if !c.mayFollow(r.url, final) {
		f := c.failed(ctx, r, Sent, fmt.Errorf("it was redirected to another site, %s", clip(site.Origin(final), 300)))
		f.Code, f.Response = InvalidResponse, &Unread{Status: said.Status}
		return nil, f
	}
	header := http.Header{}
	for _, h := range said.Headers {
		header.Add(h[0], h[1])
	}
	return &Response{
		Status: said.Status, Headers: lowered(header), Transport: PageFetch, FinalURL: final.String(),
		Gaps: []string{"javascript_visible_headers_only", "redirect_chain_unavailable"}, Body: body,
	}, nil
}
