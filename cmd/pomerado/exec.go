package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pomerado-go/pomerado/supervisor"
)

type execCommand struct {
	Stdio bool `help:"Read requests from standard input and answer on standard output."`
	browserFlags
}

// Help is printed below the flags by `pomerado exec --help`.
func (execCommand) Help() string {
	return `A request is one line, {"id", "code", "timeout_sec", "url"}: code is the body of an async function that sees page, context, browser and console; timeout_sec (1 to 300, else 60) and url may be left out. An answer is one line, {"id", "success", "result", "error", "stdout", "stderr"}. Requests run one at a time, each on a fresh context, in the order given. A line that cannot be read is answered with id null. The end of input ends the command once all are answered.`
}

// Bounds of a request line. Code may be 1 MiB; JSON escapes can make a character six bytes.
const (
	maxCode        = 1 << 20
	maxRequestLine = 6*maxCode + 64<<10
	maxURL         = 8192
	maxID          = 200
)

// pageRequest is one line of input.
type pageRequest struct {
	ID         json.RawMessage `json:"id"`
	Code       *string         `json:"code"`
	TimeoutSec *int            `json:"timeout_sec"`
	URL        string          `json:"url"`
}

// pageAnswer is one line of output.
type pageAnswer struct {
	ID      json.RawMessage `json:"id"`
	Success bool            `json:"success"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   string          `json:"error,omitempty"`
	Stdout  string          `json:"stdout,omitempty"`
	Stderr  string          `json:"stderr,omitempty"`
}

// Run answers requests until the input ends.
func (c *execCommand) Run(a *app) error {
	if !c.Stdio {
		return usage("exec needs to know where requests come from", "Give --stdio to read them from standard input")
	}
	if err := c.browserFlags.check(); err != nil {
		return err
	}
	s, err := c.supervise(a, 1, supervisor.FileOptions{})
	if err != nil {
		return refusedRun(err)
	}
	ended := answerLines(a, s)
	return errors.Join(ended, s.Close())
}

// requestLine is a line as read, or the end of the input.
type requestLine struct {
	text    []byte
	tooLong bool
	err     error
}

func answerLines(a *app, s *supervisor.Supervisor) error {
	// Reading has a goroutine of its own, because a read of standard input cannot be cut short; it ends with the process at the latest.
	lines := make(chan requestLine)
	go func() {
		defer close(lines)
		reader := bufio.NewReaderSize(a.stdin, 64<<10)
		for {
			line := readLine(reader)
			select {
			case lines <- line:
			case <-a.ctx.Done():
				return
			}
			if line.err != nil {
				return
			}
		}
	}()
	for {
		var line requestLine
		select {
		case line = <-lines:
		case <-a.ctx.Done():
			return &failure{code: exitFailed, what: "Cancelled", cause: a.ctx.Err()}
		}
		if line.tooLong || len(bytes.TrimSpace(line.text)) > 0 {
			if err := writeLine(a.stdout, answerLine(a, s, line)); err != nil {
				return err
			}
		}
		if errors.Is(line.err, io.EOF) {
			return nil
		}
		if line.err != nil {
			return fmt.Errorf("reading requests: %w", line.err)
		}
	}
}

// readLine reads a line without its end. A line over the bound is read past and reported as too long.
func readLine(reader *bufio.Reader) (line requestLine) {
	for {
		part, err := reader.ReadSlice('\n')
		if len(line.text)+len(part) > maxRequestLine {
			line.tooLong, line.text = true, nil
		}
		if !line.tooLong {
			line.text = append(line.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			line.err = err
			return line
		}
	}
}

func writeLine(w io.Writer, answer pageAnswer) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return fmt.Errorf("writing an answer: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func answerLine(a *app, s *supervisor.Supervisor, line requestLine) pageAnswer {
	if line.tooLong {
		return pageAnswer{Error: fmt.Sprintf("the line is over %d bytes", maxRequestLine)}
	}
	request, problem := readRequest(line.text)
	if problem != "" {
		return pageAnswer{ID: request.ID, Error: problem}
	}
	seconds := 60
	if request.TimeoutSec != nil {
		seconds = *request.TimeoutSec
	}
	result, err := s.Execute(a.ctx, supervisor.PageCode{Code: *request.Code, Timeout: time.Duration(seconds) * time.Second, URL: request.URL})
	if err != nil {
		return pageAnswer{ID: request.ID, Error: err.Error()}
	}
	return pageAnswer{request.ID, result.Success, result.Result, result.Error, result.Stdout, result.Stderr}
}

// readRequest decodes a line strictly: one object, only the four keys, each at most once and within its bounds. The id is returned
// even when the rest is refused, if it could be read.
func readRequest(line []byte) (pageRequest, string) {
	var request pageRequest
	if problem := checkJSON(line); problem != nil {
		return pageRequest{}, fmt.Sprintf("the line is not JSON at column %d: %s", problem.column, problem.what)
	}
	keys, err := objectKeys(line)
	if err != nil {
		return pageRequest{}, err.Error()
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	if err := decoder.Decode(&request); err != nil {
		return pageRequest{ID: scalarID(request.ID)}, "the request does not fit: " + err.Error()
	}
	request.ID = scalarID(request.ID)
	if request.ID == nil {
		return request, fmt.Sprintf("id must be a number or a text of at most %d bytes", maxID)
	}
	seen := map[string]bool{}
	for _, key := range keys {
		switch key {
		case "id", "code", "timeout_sec", "url":
		default:
			return request, fmt.Sprintf("the request has a key %q; it may have id, code, timeout_sec and url", key)
		}
		if seen[key] {
			return request, fmt.Sprintf("the request has %q twice", key)
		}
		seen[key] = true
	}
	switch {
	case request.Code == nil:
		return request, "the request has no code"
	case len(*request.Code) > maxCode:
		return request, fmt.Sprintf("code is over %d bytes", maxCode)
	case request.TimeoutSec != nil && (*request.TimeoutSec < 1 || *request.TimeoutSec > 300):
		return request, "timeout_sec must be 1 to 300"
	case len(request.URL) > maxURL:
		return request, fmt.Sprintf("url is over %d bytes", maxURL)
	}
	return request, ""
}

// scalarID keeps a number or a short text, and nothing else.
func scalarID(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || len(raw) > maxID {
		return nil
	}
	if c := raw[0]; c == '"' || c == '-' || (c >= '0' && c <= '9') {
		return raw
	}
	return nil
}

// objectKeys lists the keys of one JSON object as written, duplicates included; encoding/json alone would fold their case.
func objectKeys(text []byte) ([]string, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	first, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if first != json.Delim('{') {
		return nil, errors.New("the line is not a JSON object")
	}
	var keys []string
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		keys = append(keys, key.(string))
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
	}
	return keys, nil
}
