package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestRequestsAreReadStrictly(t *testing.T) {
	for line, want := range map[string]struct{ id, problem string }{
		`{"id":7,"code":"return 1"}`:                                 {"7", ""},
		`{"id":"a","code":"","timeout_sec":300,"url":"about:blank"}`: {`"a"`, ""},
		`{"id":-1.5e3,"code":"","timeout_sec":1}`:                    {"-1.5e3", ""},
		`{`:                        {"", "the line is not JSON at column 2: unexpected end of JSON input"},
		`{"id":1,"code":""} x`:     {"", "the line is not JSON at column 20: invalid character 'x' after top-level value"},
		`[1]`:                      {"", "the line is not a JSON object"},
		`null`:                     {"", "the line is not a JSON object"},
		`{"id":null,"code":""}`:    {"", "id must be a number or a text of at most 200 bytes"},
		`{"id":{"a":1},"code":""}`: {"", "id must be a number or a text of at most 200 bytes"},
		`{"id":"` + strings.Repeat("x", 200) + `","code":""}`: {"", "id must be a number or a text of at most 200 bytes"},
		`{"code":""}`:                                              {"", "id must be a number or a text of at most 200 bytes"},
		`{"id":1}`:                                                 {"1", "the request has no code"},
		`{"id":1,"code":null}`:                                     {"1", "the request has no code"},
		`{"id":1,"code":2}`:                                        {"1", "the request does not fit: json: cannot unmarshal number into Go struct field pageRequest.code of type string"},
		`{"id":1,"code":"","timeout_sec":0}`:                       {"1", "timeout_sec must be 1 to 300"},
		`{"id":1,"code":"","timeout_sec":301}`:                     {"1", "timeout_sec must be 1 to 300"},
		`{"id":1,"code":"","timeout_sec":1.5}`:                     {"1", "the request does not fit: json: cannot unmarshal number 1.5 into Go struct field pageRequest.timeout_sec of type int"},
		`{"id":1,"code":"","extra":1}`:                             {"1", `the request has a key "extra"; it may have id, code, timeout_sec and url`},
		`{"id":1,"Code":""}`:                                       {"1", `the request has a key "Code"; it may have id, code, timeout_sec and url`},
		`{"id":1,"code":"a","code":"b"}`:                           {"1", `the request has "code" twice`},
		`{"id":1,"code":"` + strings.Repeat("x", maxCode+1) + `"}`: {"1", "code is over 1048576 bytes"},
		`{"id":1,"code":"","url":"` + strings.Repeat("x", maxURL) + `x"}`: {"1", "url is over 8192 bytes"},
		"{\"id\":1,\"code\":\"\xff\"}":                                    {"", "the line is not JSON at column 17: the bytes are not UTF-8"},
	} {
		request, problem := readRequest([]byte(line))
		if string(request.ID) != want.id || problem != want.problem {
			t.Errorf("%.80s: id %s, problem %q; want id %s, problem %q", line, request.ID, problem, want.id, want.problem)
		}
	}
}

func TestALineOverTheBoundIsReadPast(t *testing.T) {
	long := strings.Repeat("x", maxRequestLine)
	reader := bufio.NewReaderSize(strings.NewReader("one\r\n"+long+"\n"+long[:10]+"\nlast"), 1024)
	for _, want := range []struct {
		text    string
		tooLong bool
		err     error
	}{{"one\r\n", false, nil}, {"", true, nil}, {long[:10] + "\n", false, nil}, {"last", false, io.EOF}} {
		line := readLine(reader)
		if string(line.text) != want.text || line.tooLong != want.tooLong || !errors.Is(line.err, want.err) {
			t.Fatalf("got %d bytes, too long %v, %v; want %q, %v, %v", len(line.text), line.tooLong, line.err, want.text, want.tooLong, want.err)
		}
	}
}

func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(`{"id":7,"code":"return 1","timeout_sec":15,"url":"about:blank"}`))
	f.Add([]byte(`{"id":"x","code":"\u0000","code":1}`))
	f.Add([]byte(`{"ID":1,"codE":null}`))
	f.Add([]byte("[[[[\xff"))
	f.Fuzz(func(t *testing.T, line []byte) {
		request, problem := readRequest(line)
		if request.ID != nil && !json.Valid(request.ID) {
			t.Fatalf("the id %q is not JSON", request.ID)
		}
		if problem == "" && (request.Code == nil || request.ID == nil || len(*request.Code) > maxCode) {
			t.Fatalf("%q passed as %+v", line, request)
		}
	})
}
