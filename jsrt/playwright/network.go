package playwright

import (
	"context"
	"net/url"
	"strings"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

func requestClass() class {
	return class{name: "Request", members: func() []member {
		type self = *browser.Request
		return []member{
			direct("url", func(_ *mapping, r self, _ *args) any { return r.URL() }),
			direct("method", func(_ *mapping, r self, _ *args) any { return r.Method() }),
			direct("resourceType", func(_ *mapping, r self, _ *args) any { return r.ResourceType() }),
			direct("postData", func(_ *mapping, r self, _ *args) any {
				if r.PostData() == nil {
					return goja.Null()
				}
				return strings.ToValidUTF8(string(r.PostData()), "\ufffd")
			}),
			direct("postDataBuffer", func(_ *mapping, r self, _ *args) any { return r.PostData() }),
			direct("postDataJSON", func(m *mapping, r self, a *args) any { return a.postDataJSON(r) }),
			direct("headers", func(_ *mapping, r self, _ *args) any { return headersObject(r.Headers()) }),
			direct("isNavigationRequest", func(_ *mapping, r self, _ *args) any { return r.IsNavigationRequest() }),
			direct("redirectedFrom", func(_ *mapping, r self, _ *args) any { return r.RedirectedFrom() }),
			direct("redirectedTo", func(_ *mapping, r self, _ *args) any { return r.RedirectedTo() }),
			direct("existingResponse", func(_ *mapping, r self, _ *args) any { return r.ExistingResponse() }),
			direct("failure", func(_ *mapping, r self, _ *args) any {
				if r.Failure() == "" {
					return goja.Null()
				}
				return object{{"errorText", r.Failure()}}
			}),
			direct("timing", func(_ *mapping, r self, _ *args) any { return timingObject(r.Timing()) }),
			direct("frame", func(m *mapping, r self, a *args) any {
				f, err := r.Frame()
				if err != nil {
					m.rt.Throw(m.vm, m.thrown(err))
				}
				return f
			}),
			direct("serviceWorker", func(*mapping, self, *args) any { return goja.Null() }),
			promise("allHeaders", func(_ *mapping, r self, _ *args) op { return headersOp(r.AllHeaders) }),
			promise("headersArray", func(_ *mapping, r self, _ *args) op { return gives(r.HeadersArray) }),
			promise("headerValue", func(_ *mapping, r self, a *args) op {
				name := a.str(0, "name")
				return gives(func(ctx context.Context) (*string, error) { return r.HeaderValue(ctx, name) })
			}),
			promise("response", func(_ *mapping, r self, _ *args) op { return gives(r.Response) }),
			promise("sizes", func(_ *mapping, r self, _ *args) op {
				return func(ctx context.Context) (any, error) {
					s, err := r.Sizes(ctx)
					return object{{"requestBodySize", s.RequestBodySize}, {"requestHeadersSize", s.RequestHeadersSize},
						{"responseBodySize", s.ResponseBodySize}, {"responseHeadersSize", s.ResponseHeadersSize}}, err
				}
			}),
		}
	}}
}

func headersOp(f func(context.Context) ([]browser.Header, error)) op {
	return func(ctx context.Context) (any, error) {
		h, err := f(ctx)
		return headersObject(h), err
	}
}

func timingObject(t browser.Timing) object {
	return object{{"startTime", t.StartTime}, {"domainLookupStart", t.DomainLookupStart}, {"domainLookupEnd", t.DomainLookupEnd},
		{"connectStart", t.ConnectStart}, {"secureConnectionStart", t.SecureConnectionStart}, {"connectEnd", t.ConnectEnd},
		{"requestStart", t.RequestStart}, {"responseStart", t.ResponseStart}, {"responseEnd", t.ResponseEnd}}
}

// postDataJSON gives the fields of a form, else the JSON of the body.
func (a *args) postDataJSON(r *browser.Request) any {
	if len(r.PostData()) == 0 {
		return goja.Null()
	}
	text := string(r.PostData())
	for _, h := range r.Headers() {
		if h.Name != "content-type" || !strings.Contains(h.Value, "application/x-www-form-urlencoded") {
			continue
		}
		out := object{}
		for pair := range strings.SplitSeq(text, "&") {
			name, value, _ := strings.Cut(pair, "=")
			name, _ = url.QueryUnescape(name)
			value, _ = url.QueryUnescape(value)
			if pair != "" {
				out = append(out, field{name, value})
			}
		}
		return out
	}
	v, err := a.m.builtins.parse(goja.Undefined(), a.m.vm.ToValue(text))
	if err != nil {
		a.failPlain("POST data is not a valid JSON object: %s", text)
	}
	return v
}

func responseClass() class {
	return class{name: "Response", members: func() []member {
		type self = *browser.Response
		return []member{
			direct("url", func(_ *mapping, r self, _ *args) any { return r.URL() }),
			direct("status", func(_ *mapping, r self, _ *args) any { return r.Status() }),
			direct("statusText", func(_ *mapping, r self, _ *args) any { return r.StatusText() }),
			direct("ok", func(_ *mapping, r self, _ *args) any { return r.OK() }),
			direct("request", func(_ *mapping, r self, _ *args) any { return r.Request() }),
			direct("fromServiceWorker", func(_ *mapping, r self, _ *args) any { return r.FromServiceWorker() }),
			direct("headers", func(_ *mapping, r self, _ *args) any { return headersObject(r.Headers()) }),
			direct("frame", func(m *mapping, r self, a *args) any {
				f, err := r.Frame()
				if err != nil {
					m.rt.Throw(m.vm, m.thrown(err))
				}
				return f
			}),
			promise("allHeaders", func(_ *mapping, r self, _ *args) op { return headersOp(r.AllHeaders) }),
			promise("headersArray", func(_ *mapping, r self, _ *args) op { return gives(r.HeadersArray) }),
			promise("headerValue", func(_ *mapping, r self, a *args) op {
				name := a.str(0, "name")
				return gives(func(ctx context.Context) (*string, error) { return r.HeaderValue(ctx, name) })
			}),
			promise("headerValues", func(_ *mapping, r self, a *args) op {
				name := a.str(0, "name")
				return gives(func(ctx context.Context) ([]string, error) { return r.HeaderValues(ctx, name) })
			}),
			promise("httpVersion", func(_ *mapping, r self, _ *args) op { return gives(r.HTTPVersion) }),
			promise("body", func(_ *mapping, r self, _ *args) op {
				return func(ctx context.Context) (any, error) {
					b, err := r.Body(ctx)
					if b == nil {
						b = []byte{}
					}
					return b, err
				}
			}),
			promise("text", func(_ *mapping, r self, _ *args) op {
				return gives(func(ctx context.Context) (string, error) {
					b, err := r.Body(ctx)
					return strings.TrimPrefix(strings.ToValidUTF8(string(b), "\ufffd"), "\ufeff"), err
				})
			}),
			promise("json", func(_ *mapping, r self, _ *args) op {
				return func(ctx context.Context) (any, error) {
					b, err := r.Body(ctx)
					return rawJSON(b), err
				}
			}),
			promise("finished", func(m *mapping, r self, _ *args) op {
				return func(ctx context.Context) (any, error) {
					failure, err := r.Finished(ctx)
					if err != nil || failure == "" {
						return goja.Null(), err
					}
					return browser.ErrorValue{Name: "Error", Message: failure, Stack: "Error: " + failure}, nil
				}
			}),
			promise("serverAddr", func(_ *mapping, r self, _ *args) op {
				return func(ctx context.Context) (any, error) {
					addr, err := r.ServerAddr(ctx)
					if addr == nil {
						return goja.Null(), err
					}
					return object{{"ipAddress", addr.IPAddress}, {"port", addr.Port}}, err
				}
			}),
			promise("securityDetails", func(_ *mapping, r self, _ *args) op {
				return func(ctx context.Context) (any, error) {
					d, err := r.SecurityDetails(ctx)
					if d == nil {
						return goja.Null(), err
					}
					return object{{"issuer", d.Issuer}, {"protocol", d.Protocol}, {"subjectName", d.SubjectName}, {"validFrom", d.ValidFrom}, {"validTo", d.ValidTo}}, err
				}
			}),
		}
	}}
}
