package gate

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// navigable are the beginnings of addresses a worker may navigate to. Whatever Chromium trims or repairs (leading blanks, line breaks
// inside a scheme) does not begin like one of them.
var navigable = []string{"http:", "https:", "data:", "blob:"}

func checkNavigate(r *request) error {
	url, err := r.text("url")
	if err != nil {
		return err
	}
	if rest, blank := strings.CutPrefix(url, "about:blank"); blank && (rest == "" || rest[0] == '#' || rest[0] == '?') {
		return nil
	}
	for _, scheme := range navigable {
		if len(url) > len(scheme) && strings.EqualFold(url[:len(scheme)], scheme) {
			return nil
		}
	}
	return errors.New("the address is not http, https, about:blank, data or blob")
}

// checkContinue compares origins as text: what Chromium wrote for the paused request, and the new address, which must begin with exactly
// that. No second URL parser is involved.
func checkContinue(r *request) error {
	url, err := r.text("url")
	if err != nil || url == "" {
		return err
	}
	id, err := r.text("requestId")
	if err != nil {
		return err
	}
	origin := r.session.pausedOrigin(id)
	if origin == "" {
		return errors.New("no request with this id waits")
	}
	rest, same := strings.CutPrefix(url, origin)
	if !same || rest != "" && rest[0] != '/' && rest[0] != '?' && rest[0] != '#' {
		return fmt.Errorf("the new address is not of the request's origin, %s", origin)
	}
	return nil
}

// originOf cuts an address that Chromium wrote after its authority; "" when it has none.
func originOf(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss" {
		return ""
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	if rest == "" {
		return ""
	}
	return scheme + "://" + rest
}

// checkDrag keeps files of the machine out of drags. Chromium's own drag data names none.
func checkDrag(r *request) error {
	for _, f := range r.fields {
		if f.name != "data" {
			continue
		}
		if f.value.Kind() != '{' {
			return errors.New("data must be an object")
		}
		data := jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(f.value)))
		if _, err := data.ReadToken(); err != nil {
			return err
		}
		for data.PeekKind() != '}' {
			key, err := data.ReadToken()
			if err != nil {
				return err
			}
			if key.String() == "files" {
				return errors.New("a drag must not carry files")
			}
			if err := data.SkipValue(); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkCommandLine keeps out the console's helper functions, one of which writes to the clipboard that all runs share.
func checkCommandLine(r *request) error {
	if r.has("includeCommandLineAPI") {
		return errors.New("includeCommandLineAPI must not be set")
	}
	return nil
}

// checkStream lets only streams through that a command of the tab opened; "blob:" names a blob anywhere in the browser.
func checkStream(r *request) error {
	handle, err := r.text("handle")
	if err != nil {
		return err
	}
	if handle == "" || strings.ContainsAny(handle, ":/") {
		return errors.New("the handle is not one of a stream")
	}
	return nil
}
