package sitehttp_test

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"

	"github.com/pomerado-go/pomerado/operations/site"
	"github.com/pomerado-go/pomerado/supervisor/egress"
	"github.com/pomerado-go/pomerado/supervisor/sitehttp"
)

// fixture is a client for a site on loopback, with a proxy's policy in between.
type fixture struct {
	client *sitehttp.Client
	sent   atomic.Int64
}

func open(t testing.TB, home string, change func(*sitehttp.Options)) *fixture {
	t.Helper()
	at, err := url.Parse(home)
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := egress.Listen(t.Context(), egress.Policy{Site: at})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{}
	opts := sitehttp.Options{Site: at, Rules: site.Rules{}, Dial: proxy.Dial, Sending: func() { f.sent.Add(1) }, UserAgent: "Tester/1"}
	if change != nil {
		change(&opts)
	}
	f.client = sitehttp.New(opts)
	t.Cleanup(func() {
		f.client.Close()
		if err := proxy.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// ask is a request as a script writes it.
type ask map[string]any

func (f *fixture) send(t testing.TB, a ask) (*sitehttp.Response, *sitehttp.Failure) {
	t.Helper()
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return f.client.Send(t.Context(), text)
}

func (f *fixture) want(t testing.TB, a ask) *sitehttp.Response {
	t.Helper()
	response, failure := f.send(t, a)
	if failure != nil {
		t.Fatalf("%v: %s: %+v", a, failure, *failure)
	}
	return response
}

func (f *fixture) fails(t testing.TB, a ask, code sitehttp.Code, dispatch sitehttp.Dispatch, says string) *sitehttp.Failure {
	t.Helper()
	_, failure := f.send(t, a)
	if failure == nil {
		t.Fatalf("%v was answered", a)
	}
	if failure.Code != code || failure.Dispatch != dispatch || !strings.Contains(failure.Message, says) {
		t.Fatalf("%v: got %s, %s, %q; want %s, %s, a message with %q", a, failure.Code, failure.Dispatch, failure.Message, code, dispatch, says)
	}
	return failure
}

func serve(t testing.TB, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

func TestARequestAsItArrives(t *testing.T) {
	var got string
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = fmt.Sprintf("%s %s %s|%s|%s|%s|%s", r.Method, r.URL, r.Header.Get("X-One"), r.Header.Get("Content-Type"), r.Header.Get("User-Agent"), r.Host, body)
		w.Header().Add("X-Two", "a")
		w.Header().Add("X-Two", "b")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, "made")
	})
	f := open(t, at, nil)
	host := strings.TrimPrefix(at, "http://")
	r := f.want(t, ask{"url": "/books?q=sea side", "method": "POST", "body": "{}", "headers": ask{"x-one": "1", "content-type": "application/json", "host": "other.example"}})
	if want := "POST /books?q=sea%20side 1|application/json|Tester/1|" + host + "|{}"; got != want {
		t.Errorf("the site got %q, want %q", got, want)
	}
	if r.Status != 201 || string(r.Body) != "made" || r.Transport != sitehttp.Direct || r.RequestURL != at+"/books?q=sea%20side" || r.FinalURL != r.RequestURL || r.Challenge {
		t.Errorf("got %+v with %q", r, r.Body)
	}
	if diff := cmp.Diff([]string{"a", "b"}, r.Headers["x-two"]); diff != "" {
		t.Error(diff)
	}
	if f.sent.Load() != 1 {
		t.Errorf("%d sends were told of", f.sent.Load())
	}
}

func TestRefusedRequestsAreNeverSent(t *testing.T) {
	f := open(t, "http://127.0.0.1:9", nil)
	get := func(more ask) ask {
		a := ask{"url": "/", "method": "GET"}
		for key, value := range more {
			a[key] = value
		}
		return a
	}
	for _, tt := range []struct {
		name, rule string
		ask        any
	}{
		{"no object", "request_invalid", "x"},
		{"nothing", "request_invalid", nil},
		{"no url", "request_invalid", ask{"method": "GET"}},
		{"a number for a method", "request_invalid", get(ask{"method": 1})},
		{"a body that is no text", "request_invalid", get(ask{"method": "POST", "body": ask{}})},
		{"no body after all", "request_invalid", get(ask{"method": "POST", "body": nil})},
		{"requires a text", "request_invalid", get(ask{"requires": "streaming"})},
		{"headers as a list", "request_invalid", get(ask{"headers": []string{"a"}})},
		{"a relative path", "url_not_absolute", get(ask{"url": "books"})},
		{"a host without a scheme", "url_not_absolute", get(ask{"url": "//other.example/"})},
		{"the same with a backslash", "url_not_absolute", get(ask{"url": `/\other.example/`})},
		{"the same behind a tab", "url_not_absolute", get(ask{"url": "/\t/other.example/"})},
		{"another scheme", "url_not_absolute", get(ask{"url": "ftp://127.0.0.1/"})},
		{"a file", "url_not_absolute", get(ask{"url": "file:///etc/passwd"})},
		{"no host", "url_not_absolute", get(ask{"url": "http://"})},
		{"a very long one", "url_not_absolute", get(ask{"url": "/" + strings.Repeat("a", 9000)})},
		{"user info", "url_has_credentials", get(ask{"url": "http://u:secret@127.0.0.1/p?q=1"})},
		{"a fragment", "url_has_fragment", get(ask{"url": "/a#b"})},
		{"a method", "method_unsupported", get(ask{"method": "TRACE"})},
		{"a method in lower case", "method_unsupported", get(ask{"method": "get"})},
		{"a body on GET", "body_on_get_or_head", get(ask{"body": "x"})},
		{"a body on HEAD", "body_on_get_or_head", get(ask{"method": "HEAD", "body": ""})},
		{"a header's name", "header_name_invalid", get(ask{"headers": ask{"a secret": "1"}})},
		{"a header's value", "header_value_not_text", get(ask{"headers": ask{"a": 1}})},
		{"a line end in a header", "header_value_newline", get(ask{"headers": ask{"a": "1\r\nb: 2"}})},
		{"no time", "timeout_invalid", get(ask{"timeoutMs": 0})},
		{"infinite time", "timeout_invalid", get(ask{"timeoutMs": nil})},
		{"no bytes", "max_response_bytes_out_of_range", get(ask{"maxResponseBytes": 0})},
		{"too many bytes", "max_response_bytes_out_of_range", get(ask{"maxResponseBytes": 8388609})},
		{"half a byte", "max_response_bytes_out_of_range", get(ask{"maxResponseBytes": 1.5})},
		{"the first rule wins", "url_has_credentials", get(ask{"url": "http://u@127.0.0.1/#x", "method": "TRACE", "timeoutMs": -1})},
	} {
		text, err := json.Marshal(tt.ask)
		if err != nil {
			t.Fatal(err)
		}
		_, failure := f.client.Send(t.Context(), text)
		if failure == nil || failure.Code != sitehttp.InvalidRequest || failure.Dispatch != sitehttp.NotSent || failure.Refusal == nil || failure.Refusal.Rule != tt.rule {
			t.Errorf("%s: got %+v, want the rule %s", tt.name, failure, tt.rule)
			continue
		}
		if encoded, _ := json.Marshal(failure); strings.Contains(string(encoded), "secret") {
			t.Errorf("%s: the refusal repeats what it refuses: %s", tt.name, encoded)
		}
	}
	for _, capability := range []string{"streaming", "service-worker", "teleport"} {
		_, failure := f.send(t, get(ask{"requires": []string{capability}}))
		if failure == nil || failure.Code != sitehttp.UnsupportedCapability || failure.Dispatch != sitehttp.NotSent || string(failure.Refusal.Capability) != capability {
			t.Errorf("%s: got %+v", capability, failure)
		}
	}
	if f.sent.Load() != 0 {
		t.Errorf("%d requests were sent", f.sent.Load())
	}
}

func TestHowRequestsFail(t *testing.T) {
	hang := make(chan struct{})
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "other") })
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/long":
			fmt.Fprint(w, strings.Repeat("x", 2000))
		case "/away":
			http.Redirect(w, r, other, http.StatusFound)
		case "/nowhere":
			w.Header().Set("Location", "mailto:a@b.example")
			w.WriteHeader(http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/slow":
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		case "/broken":
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, "this is no gzip")
		case "/odd":
			w.Header().Set("Content-Encoding", "snappy")
			fmt.Fprint(w, "x")
		case "/short":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "x")
		}
	})
	t.Cleanup(func() { close(hang) })
	f := open(t, at, nil)
	get := func(path string) ask { return ask{"url": path, "method": "GET"} }

	long := get("/long")
	long["maxResponseBytes"] = 1999
	failure := f.fails(t, long, sitehttp.ResponseTooLarge, sitehttp.Sent, "1999")
	want := &sitehttp.Unread{Status: 200, Body: &sitehttp.Lack{State: "unavailable", Reason: "limit_exceeded", LimitBytes: 1999}}
	if diff := cmp.Diff(want, failure.Response); diff != "" {
		t.Error(diff)
	}
	long["maxResponseBytes"] = 2000
	f.want(t, long)

	f.fails(t, get("/away"), sitehttp.InvalidResponse, sitehttp.Sent, "another site")
	f.fails(t, get("/nowhere"), sitehttp.InvalidResponse, sitehttp.Sent, "no http")
	f.fails(t, get("/round"), sitehttp.InvalidResponse, sitehttp.Sent, "20 times")
	f.fails(t, get("/broken"), sitehttp.InvalidResponse, sitehttp.Sent, "Content-Encoding")
	f.fails(t, get("/odd"), sitehttp.InvalidResponse, sitehttp.Sent, "snappy")
	f.fails(t, get("/short"), sitehttp.TransportFailed, sitehttp.Sent, "EOF")
	slow := get("/slow?secret=1")
	slow["timeoutMs"] = 200
	late := f.fails(t, slow, sitehttp.DeadlineExceeded, sitehttp.Unknown, "200ms")
	if diff := cmp.Diff(&sitehttp.Addressed{Method: "GET", URL: at + "/slow"}, late.Request); diff != "" {
		t.Error(diff)
	}
	f.fails(t, ask{"url": "http://127.0.0.1:1/", "method": "GET"}, sitehttp.TransportFailed, sitehttp.NotSent, "refused")
	f.fails(t, ask{"url": "http://169.254.169.254/latest", "method": "GET"}, sitehttp.EgressDenied, sitehttp.NotSent, "link-local")

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, failure := f.client.Send(ended, []byte(`{"url":"/long","method":"GET"}`)); failure == nil || failure.Code != sitehttp.DeadlineExceeded || failure.Dispatch != sitehttp.NotSent {
		t.Errorf("after the run's end: %+v", failure)
	}
}

// raw answers each connection of a listener with what handle writes, and counts the requests that came.
func raw(t testing.TB, handle func(n int64, conn net.Conn)) (at string, count *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	count = new(atomic.Int64)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				defer conn.Close()
				reader := bufio.NewReader(conn)
				for {
					request, err := http.ReadRequest(reader)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, request.Body)
					handle(count.Add(1), conn)
				}
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		work.Wait()
	})
	return "http://" + listener.Addr().String(), count
}

// A request whose connection dies is not sent again, not even one that net/http would repeat.
func TestNothingIsSentTwice(t *testing.T) {
	for _, method := range []string{"GET", "POST", "DELETE"} {
		t.Run(method, func(t *testing.T) {
			at, count := raw(t, func(n int64, conn net.Conn) {
				if n == 1 {
					fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
					return
				}
				_ = conn.Close()
			})
			f := open(t, at, nil)
			f.want(t, ask{"url": "/", "method": "GET"}) // leaves a connection to be used again
			failure := f.fails(t, ask{"url": "/", "method": method, "headers": ask{"idempotency-key": "1"}}, sitehttp.TransportFailed, sitehttp.Unknown, "")
			if count.Load() != 2 || f.sent.Load() != 2 {
				t.Errorf("%d requests arrived and %d were told of, want 2 each (%s)", count.Load(), f.sent.Load(), failure)
			}
			f.client.Close()
		})
	}
}

// Neither does a request go out again over one of the connections that wait to be used again.
func TestNoWaitingConnectionTakesASecondTry(t *testing.T) {
	const waiting = 4
	for range 20 {
		var arrived sync.WaitGroup
		arrived.Add(waiting)
		at, count := raw(t, func(n int64, conn net.Conn) {
			if n <= waiting {
				arrived.Done()
				arrived.Wait() // so that each needs a connection of its own
				fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
				return
			}
			_ = conn.Close()
		})
		f := open(t, at, nil)
		var warm sync.WaitGroup
		for range waiting {
			warm.Go(func() { f.want(t, ask{"url": "/", "method": "GET"}) })
		}
		warm.Wait()
		f.fails(t, ask{"url": "/", "method": "POST", "headers": ask{"idempotency-key": "1"}}, sitehttp.TransportFailed, sitehttp.Unknown, "")
		if count.Load() != waiting+1 || f.sent.Load() != waiting+1 {
			t.Fatalf("%d requests arrived and %d were told of, want %d each", count.Load(), f.sent.Load(), waiting+1)
		}
		f.client.Close()
	}
}

func TestAnswersThatAreNoHTTP(t *testing.T) {
	at, _ := raw(t, func(_ int64, conn net.Conn) {
		fmt.Fprint(conn, "SSH-2.0-OpenSSH\r\n\r\n")
		_ = conn.Close()
	})
	open(t, at, nil).fails(t, ask{"url": "/", "method": "GET"}, sitehttp.InvalidResponse, sitehttp.Sent, "malformed")
	at, _ = raw(t, func(_ int64, conn net.Conn) {
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nX-Long: %s\r\n\r\n", strings.Repeat("x", 300<<10))
		_ = conn.Close()
	})
	open(t, at, nil).fails(t, ask{"url": "/", "method": "GET"}, sitehttp.InvalidResponse, sitehttp.Sent, "exceeded")
}

func TestRedirectsWithinTheSite(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if status := r.FormValue("by"); status != "" {
			var code int
			_, _ = fmt.Sscan(status, &code)
			w.Header().Set("Location", "there")
			w.WriteHeader(code)
			return
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %q %s %s", r.Method, r.URL, body, r.Header.Get("Content-Type"), r.Header.Get("X-A"))
	})
	for status, want := range map[int]string{
		301: `GET /a/there ""  1`, 302: `GET /a/there ""  1`, 303: `GET /a/there ""  1`,
		307: `POST /a/there "x=1" text/x 1`, 308: `POST /a/there "x=1" text/x 1`,
	} {
		f := open(t, at, nil)
		r := f.want(t, ask{"url": fmt.Sprintf("/a/here?by=%d", status), "method": "POST", "body": "x=1", "headers": ask{"content-type": "text/x", "x-a": "1"}})
		if string(r.Body) != want || r.FinalURL != at+"/a/there" || !strings.HasSuffix(r.RequestURL, fmt.Sprint(status)) || len(r.Gaps) != 1 {
			t.Errorf("%d: got %q at %s, gaps %v; want %q", status, r.Body, r.FinalURL, r.Gaps, want)
		}
		if f.sent.Load() != 2 {
			t.Errorf("%d: %d sends were told of", status, f.sent.Load())
		}
	}
	if r := open(t, at, nil).want(t, ask{"url": "/?by=304", "method": "GET"}); r.Status != 304 || r.FinalURL != at+"/?by=304" {
		t.Errorf("a 304 was followed: %+v", r)
	}
}

func TestEncodings(t *testing.T) {
	text := strings.Repeat("harbour ", 200)
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "gzip, deflate, br" {
			t.Errorf("Accept-Encoding %q", got)
		}
		encoding := strings.TrimPrefix(r.URL.Path, "/")
		w.Header().Set("Content-Encoding", encoding)
		var out io.WriteCloser
		switch encoding {
		case "gzip":
			out = gzip.NewWriter(w)
		case "br":
			out = brotli.NewWriter(w)
		case "deflate":
			out = zlib.NewWriter(w)
		default:
			fmt.Fprint(w, text)
			return
		}
		if r.Method != http.MethodHead {
			fmt.Fprint(out, text)
			_ = out.Close()
		}
	})
	f := open(t, at, nil)
	for _, encoding := range []string{"gzip", "br", "deflate", "identity"} {
		if r := f.want(t, ask{"url": "/" + encoding, "method": "GET", "maxResponseBytes": len(text)}); string(r.Body) != text {
			t.Errorf("%s: got %.40q…", encoding, r.Body)
		}
		// A small answer may be a large one.
		f.fails(t, ask{"url": "/" + encoding, "method": "GET", "maxResponseBytes": len(text) - 1}, sitehttp.ResponseTooLarge, sitehttp.Sent, "")
	}
	if r := f.want(t, ask{"url": "/gzip", "method": "HEAD"}); len(r.Body) != 0 {
		t.Errorf("HEAD has the body %q", r.Body)
	}
}

func TestHTTPSAndHTTP2(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) }))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	f := open(t, s.URL, func(o *sitehttp.Options) { o.Roots = roots })
	if r := f.want(t, ask{"url": "/", "method": "GET"}); string(r.Body) != "HTTP/2.0" {
		t.Errorf("got %s", r.Body)
	}
	// A certificate nobody vouches for is no site, and nothing is said to it.
	stranger := open(t, s.URL, nil)
	stranger.fails(t, ask{"url": "/", "method": "POST", "body": "x"}, sitehttp.TransportFailed, sitehttp.NotSent, "certificate")
	if stranger.sent.Load() != 0 {
		t.Error("a request was told of that never left")
	}
}

func TestChallenges(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if name, value, ok := strings.Cut(r.URL.RawQuery, "="); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "are you a robot")
	})
	f := open(t, at, nil)
	for query, want := range map[string]bool{"?Cf-Mitigated=challenge": true, "?X-Amzn-Waf-Action=captcha": true, "": false} {
		if r := f.want(t, ask{"url": "/" + query, "method": "GET"}); r.Challenge != want || r.Status != 403 {
			t.Errorf("%q: challenge %v", query, r.Challenge)
		}
	}
	own := open(t, at, func(o *sitehttp.Options) {
		o.IsChallenge = func(status int, header http.Header, body []byte) bool {
			return status == 403 && header.Get("Content-Type") != "" && strings.Contains(string(body), "robot")
		}
	})
	if r := own.want(t, ask{"url": "/", "method": "GET"}); !r.Challenge {
		t.Error("the option's own test was not asked")
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAnotherTransport(t *testing.T) {
	var f *fixture
	f = open(t, "https://shop.example", func(o *sitehttp.Options) {
		o.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			if f.sent.Load() == 0 {
				t.Error("the request was sent before it was told of")
			}
			if r.URL.Path == "/dies" {
				return nil, errors.New("the other network failed")
			}
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(r.URL.String()))}, nil
		})
	})
	if r := f.want(t, ask{"url": "/a", "method": "GET"}); string(r.Body) != "https://shop.example/a" {
		t.Errorf("got %s", r.Body)
	}
	f.fails(t, ask{"url": "/dies", "method": "POST"}, sitehttp.TransportFailed, sitehttp.Unknown, "the other network failed")
}

// A run has six requests under way at most; more wait, and a wait that is too long is no send.
func TestRequestsTakeTurns(t *testing.T) {
	arrived, release := make(chan struct{}, 16), make(chan struct{})
	at := serve(t, func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	})
	f := open(t, at, nil)
	var work sync.WaitGroup
	for range 6 {
		work.Go(func() { f.want(t, ask{"url": "/", "method": "GET"}) })
	}
	for range 6 {
		<-arrived
	}
	f.fails(t, ask{"url": "/", "method": "GET", "timeoutMs": 50}, sitehttp.DeadlineExceeded, sitehttp.NotSent, "50ms")
	close(release)
	work.Wait()
	if f.sent.Load() != 6 {
		t.Errorf("%d were sent", f.sent.Load())
	}
}

func FuzzSend(f *testing.F) {
	for _, seed := range []string{
		`{"url":"/a","method":"GET"}`, `{"url":"https://u:p@x.example/#f","method":"POST","body":"x"}`, `{"url":"/\\x","method":"GET","headers":{"a b":1}}`,
		`{"url":"http://[::1]:80/","method":"PUT","timeoutMs":1e308}`, `[]`, `{"url":"/","method":"GET","maxResponseBytes":-1,"requires":["streaming"]}`,
		`{"URL":"/","url":"//x","method":"GET"}`,
	} {
		f.Add([]byte(seed))
	}
	home, _ := url.Parse("https://shop.example")
	var reached *http.Request
	client := sitehttp.New(sitehttp.Options{Site: home, Sending: func() {}, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		reached = r
		return &http.Response{StatusCode: 204, Header: http.Header{}, Body: http.NoBody}, nil
	})})
	f.Fuzz(func(t *testing.T, text []byte) {
		reached = nil
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		response, failure := client.Send(ctx, text)
		if (response == nil) == (failure == nil) {
			t.Fatal("neither an answer nor a failure, or both")
		}
		if reached == nil {
			return
		}
		if u := reached.URL; u.User != nil || u.Fragment != "" || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Errorf("%q became a request for %q", text, u)
		}
		for name, values := range reached.Header {
			if strings.ContainsAny(name+strings.Join(values, ""), "\r\n\x00") {
				t.Errorf("%q became the header %q: %q", text, name, values)
			}
		}
	})
}
