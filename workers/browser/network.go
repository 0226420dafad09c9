package browser

import "context"

// Timing is a request's resource timing in milliseconds; -1 when not known. StartTime is since the epoch, the rest relative to it.
type Timing struct {
	StartTime, DomainLookupStart, DomainLookupEnd, ConnectStart, SecureConnectionStart,
	ConnectEnd, RequestStart, ResponseStart, ResponseEnd float64
}

// Sizes of a request and its response in bytes.
type Sizes struct {
	RequestBodySize, RequestHeadersSize, ResponseBodySize, ResponseHeadersSize int
}

// ServerAddr is where a response came from.
type ServerAddr struct {
	IPAddress string
	Port      int
}

// SecurityDetails of a response's TLS connection.
type SecurityDetails struct {
	Issuer, Protocol, SubjectName string
	ValidFrom, ValidTo            float64
}

// URL answers the request's URL.
func (r *Request) URL() string { return r.view().url }

// Method answers the HTTP method.
func (r *Request) Method() string { return r.view().method }

// ResourceType answers "document", "script", "xhr", "fetch" and so on.
func (r *Request) ResourceType() string { return r.resourceType }

// PostData answers the body, nil when there is none.
func (r *Request) PostData() []byte { return r.view().postData }

// Headers answers the headers known when the request was announced, names in lower case, without cookies.
func (r *Request) Headers() []Header { return lowerHeaders(r.view().headers) }

// AllHeaders answers the headers as sent, names in lower case.
func (r *Request) AllHeaders(ctx context.Context) ([]Header, error) { return r.allHeaders(ctx) }

// HeadersArray answers the headers as sent, names and repetitions kept.
func (r *Request) HeadersArray(ctx context.Context) ([]Header, error) { return r.rawHeaders(ctx) }

// HeaderValue answers one header, nil when absent.
func (r *Request) HeaderValue(ctx context.Context, name string) (*string, error) {
	h, err := r.allHeaders(ctx)
	return headerValue(h, name), err
}

// Frame answers the frame that made the request; an error when it is not known yet.
func (r *Request) Frame() (*Frame, error) { return r.owner() }

// IsNavigationRequest reports whether the request drives a navigation.
func (r *Request) IsNavigationRequest() bool { return r.documentID != "" }

// RedirectedFrom answers the request that was redirected to this one.
func (r *Request) RedirectedFrom() *Request { return r.from }

// RedirectedTo answers the request this one was redirected to.
func (r *Request) RedirectedTo() *Request { return r.view().to }

// Failure answers why the request failed, empty when it did not.
func (r *Request) Failure() string { return r.view().failure }

// Timing answers the resource timing known so far.
func (r *Request) Timing() Timing { return r.view().timing }

// Response waits for the response; nil when the request failed.
func (r *Request) Response(ctx context.Context) (*Response, error) { return r.waitResponse(ctx) }

// ExistingResponse answers the response if it has come.
func (r *Request) ExistingResponse() *Response { return r.view().response }

// Sizes waits for the end and answers the sizes.
func (r *Request) Sizes(ctx context.Context) (Sizes, error) { return r.sizes(ctx) }

// URL answers the response's URL.
func (r *Response) URL() string { return r.url }

// Status answers the HTTP status.
func (r *Response) Status() int { return r.status }

// StatusText answers the status text.
func (r *Response) StatusText() string { return r.statusText }

// OK reports whether the status is 0 or 200-299.
func (r *Response) OK() bool { return r.status == 0 || r.status >= 200 && r.status <= 299 }

// Request answers the request.
func (r *Response) Request() *Request { return r.request }

// Frame answers the frame that made the request.
func (r *Response) Frame() (*Frame, error) { return r.request.owner() }

// FromServiceWorker reports whether a service worker answered.
func (r *Response) FromServiceWorker() bool { return r.fromServiceWorker }

// HTTPVersion answers "HTTP/1.1", "h2" and so on.
func (r *Response) HTTPVersion(ctx context.Context) (string, error) { return r.httpVersion, nil }

// Headers answers the headers announced with the response, names in lower case, without cookies.
func (r *Response) Headers() []Header { return lowerHeaders(r.headers) }

// AllHeaders answers all headers, names in lower case.
func (r *Response) AllHeaders(ctx context.Context) ([]Header, error) { return r.allHeaders(ctx) }

// HeadersArray answers all headers, names and repetitions kept.
func (r *Response) HeadersArray(ctx context.Context) ([]Header, error) { return r.rawHeaders(ctx) }

// HeaderValue answers one header, repetitions joined, nil when absent.
func (r *Response) HeaderValue(ctx context.Context, name string) (*string, error) {
	h, err := r.allHeaders(ctx)
	return headerValue(h, name), err
}

// HeaderValues answers every value of one header.
func (r *Response) HeaderValues(ctx context.Context, name string) ([]string, error) {
	h, err := r.rawHeaders(ctx)
	return headerValues(h, name), err
}

// Body waits for the end and answers the bytes.
func (r *Response) Body(ctx context.Context) ([]byte, error) { return r.body(ctx) }

// Finished waits for the end; the failure is empty when it was a good one.
func (r *Response) Finished(ctx context.Context) (failure string, err error) { return r.finished(ctx) }

// ServerAddr answers where it came from, nil when not known.
func (r *Response) ServerAddr(ctx context.Context) (*ServerAddr, error) { return r.serverAddr, nil }

// SecurityDetails answers the TLS details, nil without TLS.
func (r *Response) SecurityDetails(ctx context.Context) (*SecurityDetails, error) {
	return r.security, nil
}
