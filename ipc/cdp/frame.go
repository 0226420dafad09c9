package cdp

import (
	"bytes"
	"fmt"

	"github.com/pomerado-go/pomerado/ipc"
)

// MaxFrame is the largest frame, in bytes, that any transport passes on, either way. Chromium's pipe serves all runs and wedges for
// ever under messages of some hundred megabytes, so the bound is far below that.
const MaxFrame = ipc.MaxFrame

// Parts are the pieces of a message that came from a CDP server. The slices point into the frame.
type Parts struct {
	// ID is the command's id; 0 for an event.
	ID int64
	// Method is the event's name; nil for an answer.
	Method []byte
	// Session is the flat session the message belongs to; nil for the connection's own.
	Session []byte
	// Body is the raw value of params, result or error; nil for an event without params.
	Body []byte
	// Failed says that Body is an error object.
	Failed bool
}

var (
	headID     = []byte(`{"id":`)
	headResult = []byte(`"result":`)
	headError  = []byte(`"error":`)
	headMethod = []byte(`{"method":"`)
	headParams = []byte(`"params":`)
	keySession = []byte(`,"sessionId":"`)
)

// longestName bounds method names and session ids; Chromium's are under 60 bytes and 32 bytes long.
const longestName = 128

// Cut reads the head and the tail of a message as Chromium writes it: `{"id":N,"result":…}`, `{"id":N,"error":…}` or
// `{"method":"…","params":…}`, each with `,"sessionId":"…"` as its very last key when it belongs to a session. Nothing between head
// and tail is read, so the cost does not grow with the frame. A message laid out in any other way gives false.
//
// The tail cannot be forged by content: without a session the frame ends with the two closing braces of its last value and of the
// message, with a session it ends with a quote and one brace, and a quote inside a JSON string is always escaped.
func Cut(frame []byte) (Parts, bool) {
	var p Parts
	rest := frame
	switch {
	case bytes.HasPrefix(rest, headID):
		id, n := scanID(rest[len(headID):])
		rest = rest[len(headID)+n:]
		if n == 0 || len(rest) == 0 || rest[0] != ',' {
			return Parts{}, false
		}
		p.ID, rest = id, rest[1:]
		switch {
		case bytes.HasPrefix(rest, headResult):
			rest = rest[len(headResult):]
		case bytes.HasPrefix(rest, headError):
			p.Failed, rest = true, rest[len(headError):]
		default:
			return Parts{}, false
		}
	case bytes.HasPrefix(rest, headMethod):
		rest = rest[len(headMethod):]
		n := nameLength(rest)
		if n == 0 || n >= len(rest) || rest[n] != '"' {
			return Parts{}, false
		}
		p.Method, rest = rest[:n], rest[n+1:]
		if !bytes.HasPrefix(rest, []byte{','}) || !bytes.HasPrefix(rest[1:], headParams) {
			session, ok := tail(rest)
			p.Session = session
			return p, ok && (len(rest) == 1 || len(rest) == len(keySession)+len(session)+2)
		}
		rest = rest[1+len(headParams):]
	default:
		return Parts{}, false
	}
	session, ok := tail(rest)
	if !ok {
		return Parts{}, false
	}
	p.Session = session
	p.Body = rest[:len(rest)-1]
	if session != nil {
		p.Body = rest[:len(rest)-len(keySession)-len(session)-2]
	}
	if len(p.Body) < 2 || p.Body[0] != '{' || p.Body[len(p.Body)-1] != '}' {
		return Parts{}, false
	}
	return p, true
}

// tail reads the session from the end of a message. It reports false when the message does not end as one.
func tail(rest []byte) (session []byte, ok bool) {
	n := len(rest)
	if n == 0 || rest[n-1] != '}' {
		return nil, false
	}
	if n == 1 || rest[n-2] == '}' {
		return nil, true
	}
	if rest[n-2] != '"' {
		return nil, false
	}
	end := n - 2
	start := end
	for start > 0 && end-start < longestName && isNameByte(rest[start-1]) {
		start--
	}
	if start == end || !bytes.HasSuffix(rest[:start], keySession) {
		return nil, false
	}
	return rest[start:end], true
}

// scanID reads a positive decimal of at most 15 digits, which every JSON reader represents exactly.
func scanID(b []byte) (id int64, n int) {
	for n < len(b) && n < 16 && b[n] >= '0' && b[n] <= '9' {
		id = id*10 + int64(b[n]-'0')
		n++
	}
	if n == 0 || n > 15 || b[0] == '0' {
		return 0, 0
	}
	return id, n
}

func nameLength(b []byte) int {
	n := 0
	for n < len(b) && n < longestName && isNameByte(b[n]) {
		n++
	}
	return n
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-'
}

// FrameTooLargeError is a frame over MaxFrame. A transport that can find the frame's end (pipe, websocket) has skipped it and goes on;
// Head and Tail then hold what Cut needs to tell whose it was.
type FrameTooLargeError struct {
	// Size is the frame's length in bytes.
	Size int64
	// Head and Tail are the first and last bytes of a skipped frame; nil when the transport cannot go on.
	Head, Tail []byte
}

func (e *FrameTooLargeError) Error() string {
	return fmt.Sprintf("a CDP message of %d bytes is over the limit of %d bytes", e.Size, MaxFrame)
}

// Parts tells whose the skipped frame was. Body is nil.
func (e *FrameTooLargeError) Parts() (Parts, bool) {
	if len(e.Head) == 0 {
		return Parts{}, false
	}
	joined := make([]byte, 0, len(e.Head)+len(e.Tail))
	joined = append(append(joined, e.Head...), e.Tail...)
	p, ok := Cut(joined)
	p.Body = nil
	return p, ok
}
