package sitehttp

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
)

const acceptEncoding = "gzip, deflate, br"

// readBody reads an answer's body, decoded, up to limit bytes. over says that there is more.
func readBody(answer *http.Response, limit int64) (body []byte, over bool, err error) {
	source := &failingReader{Reader: answer.Body}
	decoded, err := decoder(source, answer.Header.Values("Content-Encoding"))
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(decoded, limit+1))
	}
	switch {
	case errors.Is(err, errNoBody):
		return []byte{}, false, nil
	case source.err != nil:
		return nil, false, source.err
	case err != nil:
		return nil, false, &badAnswer{fmt.Errorf("its body is not what its Content-Encoding says: %w", err)}
	}
	return body, int64(len(body)) > limit, nil
}

// failingReader remembers how reading failed, so that a broken connection is not taken for a broken encoding.
type failingReader struct {
	io.Reader
	err error
}

func (r *failingReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

var errNoBody = errors.New("there is no body")

// decoder undoes the encodings of a body, the last one first.
func decoder(source io.Reader, named []string) (io.Reader, error) {
	var encodings []string
	for _, one := range strings.Split(strings.Join(named, ","), ",") {
		if one = strings.ToLower(strings.TrimSpace(one)); one != "" && one != "identity" {
			encodings = append(encodings, one)
		}
	}
	if len(encodings) == 0 {
		return source, nil
	}
	if len(encodings) > 3 {
		return nil, errors.New("it is encoded more than three times over")
	}
	whole := bufio.NewReader(source)
	if _, err := whole.Peek(1); err == io.EOF {
		return nil, errNoBody // an answer to HEAD, a 204 or a 304
	}
	var out io.Reader = whole
	for i := len(encodings) - 1; i >= 0; i-- {
		var err error
		switch encodings[i] {
		case "gzip", "x-gzip":
			out, err = gzip.NewReader(out)
		case "br":
			out = brotli.NewReader(out)
		case "deflate":
			out, err = inflate(out)
		default:
			err = fmt.Errorf("the encoding %q is not known", clip(encodings[i], 40))
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// inflate reads deflate as browsers do: in zlib's wrapping, as it should be, or bare.
func inflate(source io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(source)
	head, err := buffered.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(buffered)
	}
	return flate.NewReader(buffered), nil
}
