package sitehttp

import (
	"encoding/json"
	"fmt"
	"math"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/http/httpguts"

	"github.com/pomerado-go/pomerado/operations/site"
)

// header is one line of a request's head, in the order they are sent.
type header struct{ name, value string }

// request is a checked request.
type request struct {
	method  string
	url     *url.URL // absolute, without fragment
	headers []header
	body    *string
	carrier Carrier
	timeout time.Duration
	limit   int64
}

func (r *request) addressed() *Addressed { return addressed(r.method, r.url.String()) }

// methods that a request may have (spec runtime-sdk.md §2.4).
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// read checks a request as a script wrote it. The first broken rule wins, in the specification's order. home is the site's origin.
func read(text []byte, home *url.URL) (*request, *Failure) {
	var raw struct {
		URL              json.RawMessage            `json:"url"`
		Method           json.RawMessage            `json:"method"`
		Headers          map[string]json.RawMessage `json:"headers"`
		Body             json.RawMessage            `json:"body"`
		Requires         json.RawMessage            `json:"requires"`
		TimeoutMS        json.RawMessage            `json:"timeoutMs"`
		MaxResponseBytes json.RawMessage            `json:"maxResponseBytes"`
	}
	var address, method string
	refused := func(code Code, rule Refusal, sentence string) *Failure {
		return &Failure{
			Code: code, Dispatch: NotSent, Refusal: &rule, Request: addressed(method, address),
			Message: "The request was not sent: " + sentence,
		}
	}
	broken := func(rule, sentence string) *Failure { return refused(InvalidRequest, Refusal{Rule: rule}, sentence) }

	var body *string
	var requires []Capability
	if json.Unmarshal(text, &raw) != nil || !isText(raw.URL, &address) || !isText(raw.Method, &method) {
		return nil, broken("request_invalid", "it is not {url, method, …} with texts for both")
	}
	if len(raw.Body) > 0 {
		body = new(string)
		if !isText(raw.Body, body) {
			return nil, broken("request_invalid", "its body is not a text")
		}
	}
	if len(raw.Requires) > 0 && (json.Unmarshal(raw.Requires, &requires) != nil || requires == nil) {
		return nil, broken("request_invalid", "requires is not a list of texts")
	}
	if len(raw.Headers) > maxHeaders {
		return nil, broken("request_invalid", fmt.Sprintf("it has %d headers, more than %d", len(raw.Headers), maxHeaders))
	}
	target, parsed := resolve(address, home)
	switch {
	case target == nil:
		return nil, broken("url_not_absolute", "its URL is neither an absolute http or https URL nor a path that begins with one /")
	case parsed.Username() != "" || parsed.Password() != "":
		return nil, broken("url_has_credentials", "its URL holds a user name or password")
	case strings.Contains(address, "#"):
		return nil, broken("url_has_fragment", "its URL has a fragment")
	case !slices.Contains(methods, method):
		return nil, broken("method_unsupported", "its method is not one of "+strings.Join(methods, ", "))
	case body != nil && (method == "GET" || method == "HEAD"):
		return nil, broken("body_on_get_or_head", "a "+method+" request has no body")
	}
	r := &request{method: method, url: target, body: body, timeout: DefaultTimeout, limit: MaxBody}
	if rule := r.readHeaders(raw.Headers); rule != nil {
		return nil, refused(InvalidRequest, *rule, rule.Detail)
	}
	var number float64
	if len(raw.TimeoutMS) > 0 {
		if !isNumber(raw.TimeoutMS, &number) || number <= 0 {
			return nil, broken("timeout_invalid", "timeoutMs is not a number above 0")
		}
		r.timeout = time.Duration(min(number, 24*60*60*1000) * float64(time.Millisecond))
	}
	if slices.Contains(requires, BufferedResponse) {
		r.limit = MaxResponse
	}
	if len(raw.MaxResponseBytes) > 0 {
		if !isNumber(raw.MaxResponseBytes, &number) || number < 1 || number > MaxResponse || number != math.Trunc(number) {
			return nil, broken("max_response_bytes_out_of_range", fmt.Sprintf("maxResponseBytes is not a whole number from 1 to %d", MaxResponse))
		}
		r.limit = int64(number)
	}
	r.carrier = Direct
	for _, wanted := range requires {
		if !slices.Contains(directHas, wanted) {
			r.carrier = PageFetch
		}
	}
	for _, wanted := range requires {
		if r.carrier == PageFetch && !slices.Contains(pageHas, wanted) {
			return nil, refused(UnsupportedCapability, Refusal{Rule: "capability_unsupported", Capability: Capability(clip(string(wanted), 40)), Transport: PageFetch},
				"nothing here offers what it requires, "+clip(string(wanted), 40))
		}
	}
	if r.carrier == PageFetch {
		r.limit = min(r.limit, MaxResponse)
	}
	return r, nil
}

// owned are headers that say how a message travels: what carries a request writes them itself, whatever a script gave.
var owned = []string{
	"Accept-Encoding", "Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade",
}

func (r *request) readHeaders(given map[string]json.RawMessage) *Refusal {
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	rules := []func(name string) *Refusal{
		func(name string) *Refusal {
			if !httpguts.ValidHeaderFieldName(name) {
				return &Refusal{Rule: "header_name_invalid", Detail: "a header's name is not one"}
			}
			return nil
		},
		func(name string) *Refusal {
			var value string
			if !isText(given[name], &value) {
				return &Refusal{Rule: "header_value_not_text", Header: clip(name, 100), Detail: "the value of " + clip(name, 100) + " is not a text"}
			}
			return nil
		},
		func(name string) *Refusal {
			var value string
			_ = isText(given[name], &value)
			if !httpguts.ValidHeaderFieldValue(value) {
				return &Refusal{Rule: "header_value_newline", Header: clip(name, 100), Detail: "the value of " + clip(name, 100) + " holds a line end or a control character"}
			}
			return nil
		},
	}
	for _, rule := range rules {
		for _, name := range names {
			if broken := rule(name); broken != nil {
				return broken
			}
		}
	}
	size := 0
	for _, name := range names {
		var value string
		_ = isText(given[name], &value)
		if size += len(name) + len(value); size > maxHeaderSize {
			return &Refusal{Rule: "request_invalid", Detail: fmt.Sprintf("its headers are longer than %d bytes together", maxHeaderSize)}
		}
		if !slices.Contains(owned, textproto.CanonicalMIMEHeaderKey(name)) {
			r.headers = append(r.headers, header{name, value})
		}
	}
	return nil
}

// resolve makes an address absolute as browsers do; nil when it is neither an absolute http(s) address nor a path of the site.
func resolve(address string, home *url.URL) (*url.URL, *whatwg.Url) {
	if len(address) > maxURL || strings.ContainsAny(address, "\t\r\n") || strings.TrimSpace(address) != address {
		return nil, nil
	}
	parser := whatwg.NewParser()
	var parsed *whatwg.Url
	var err error
	scheme, rest, absolute := strings.Cut(address, "://")
	switch {
	case absolute && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")) && rest != "" && !strings.ContainsAny(rest[:1], `/\?#`):
		parsed, err = parser.Parse(address)
	case strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") && !strings.HasPrefix(address, `/\`) && home != nil:
		parsed, err = parser.ParseRef(site.Origin(home)+"/", address)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, nil
	}
	target, err := url.Parse(parsed.Href(true))
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
		return nil, nil
	}
	target.User = nil
	if !absolute && site.Origin(target) != site.Origin(home) {
		return nil, nil
	}
	return target, parsed
}

// addressed names a request in errors.
func addressed(method, address string) *Addressed {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		authority, path, _ := strings.Cut(rest, "/")
		if at := strings.LastIndex(authority, "@"); at >= 0 {
			authority = authority[at+1:]
		}
		address = scheme + "://" + authority + "/" + path
	}
	return &Addressed{Method: clip(method, 16), URL: clip(address, maxReported)}
}

func isText(raw json.RawMessage, into *string) bool {
	return len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, into) == nil
}

func isNumber(raw json.RawMessage, into *float64) bool {
	return len(raw) > 0 && raw[0] != 'n' && json.Unmarshal(raw, into) == nil
}

// clip cuts text to at most n bytes without splitting a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
