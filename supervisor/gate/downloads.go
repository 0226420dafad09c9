package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

const (
	// maxDownloads bounds the downloads of a run; further ones are cancelled.
	maxDownloads = 1000
	// maxBegun bounds downloads that began without a run being known for them.
	maxBegun = 256
	// maxDocuments bounds the documents of a run whose content type is remembered.
	maxDocuments = 64
)

// Chromium tells every download of every context to the browser's own session. Whose it is, is known by the frame it began in when that
// is a page, by the page's own event when the page's domain is enabled, and at its end by the folder it was written to.

// noteDownload takes in the page's own word of a download's begin, which comes before the browser's. The run's owner hears of it before the
// worker does, so that what the worker asks about it can be answered.
func (g *Gate) noteDownload(r *Run, body []byte) {
	var begin struct {
		GUID      string `json:"guid"`
		URL       string `json:"url"`
		Suggested string `json:"suggestedFilename"`
	}
	if jsonv2.Unmarshal(body, &begin) != nil || begin.GUID == "" {
		return
	}
	g.claim(r, begin.GUID)
	g.mu.Lock()
	ours := g.guids[begin.GUID] == r
	g.mu.Unlock()
	if ours {
		r.tellDownload(DownloadEvent{GUID: begin.GUID, URL: begin.URL, SuggestedName: begin.Suggested, State: "inProgress"})
	}
}

// noteDocument remembers the content type a document was answered with.
func (g *Gate) noteDocument(r *Run, body []byte) {
	if !bytes.Contains(body, []byte(`"type":"Document"`)) { // one event for each request of the page: most are not looked into
		return
	}
	var e struct {
		Type     string `json:"type"`
		Response struct {
			URL     string                  `json:"url"`
			Headers map[string]jsonv2.Value `json:"headers"`
		} `json:"response"`
	}
	if jsonv2.Unmarshal(body, &e) != nil || e.Type != "Document" {
		return
	}
	for name, value := range e.Response.Headers {
		var kind string
		if !strings.EqualFold(name, "content-type") || jsonv2.Unmarshal(value, &kind) != nil {
			continue
		}
		g.mu.Lock()
		if r.documents == nil || len(r.documents) >= maxDocuments {
			r.documents = map[string]string{}
		}
		r.documents[e.Response.URL] = kind
		g.mu.Unlock()
	}
}

// claim gives a download to a run. A download has one run for ever.
func (g *Gate) claim(r *Run, guid string) {
	g.mu.Lock()
	full := false
	if g.guids[guid] == nil && !r.disposed {
		if full = len(r.guids) >= maxDownloads; !full {
			g.guids[guid] = r
			r.guids[guid] = true
		}
	}
	begun, held := g.begun[guid]
	if held && g.guids[guid] == r {
		delete(g.begun, guid)
	} else {
		held = false
	}
	g.mu.Unlock()
	if full {
		g.post("", "Browser.cancelDownload", `{"guid":"`+guid+`"}`)
	}
	if held {
		r.tellDownload(begun)
	}
}

func (r *Run) tellDownload(e DownloadEvent) {
	if e.URL != "" {
		r.gate.mu.Lock()
		e.ContentType = r.documents[e.URL]
		r.gate.mu.Unlock()
	}
	if f := r.events.Download; f != nil {
		f(e)
	}
}

// download takes in the browser's download events.
func (g *Gate) download(method string, body []byte) {
	var e struct {
		Frame     string  `json:"frameId"`
		GUID      string  `json:"guid"`
		URL       string  `json:"url"`
		Suggested string  `json:"suggestedFilename"`
		State     string  `json:"state"`
		Received  float64 `json:"receivedBytes"`
		Total     float64 `json:"totalBytes"`
		Path      string  `json:"filePath"`
	}
	begins := method == "Browser.downloadWillBegin"
	if !begins && method != "Browser.downloadProgress" || jsonv2.Unmarshal(body, &e) != nil || e.GUID == "" {
		return
	}
	told := DownloadEvent{GUID: e.GUID, URL: e.URL, SuggestedName: e.Suggested, State: e.State, Received: int64(e.Received), Total: int64(e.Total), Path: e.Path}
	if begins {
		told.State = "inProgress"
	}
	g.mu.Lock()
	owner := g.guids[e.GUID]
	var found *Run
	if owner == nil {
		found = g.runOfDownload(e.Frame, e.Path)
		if found == nil && begins && len(g.begun) < maxBegun {
			g.begun[e.GUID] = told
		}
	}
	if !begins && told.State != "inProgress" && owner == nil && found == nil {
		delete(g.begun, e.GUID)
	}
	g.mu.Unlock()
	if found != nil {
		g.claim(found, e.GUID)
		g.mu.Lock()
		owner = g.guids[e.GUID]
		g.mu.Unlock()
	}
	if owner != nil {
		owner.tellDownload(told)
	}
}

// runOfDownload finds a download's run by its frame or its file; g.mu is held.
func (g *Gate) runOfDownload(frame, path string) *Run {
	for _, s := range g.sessions {
		if frame != "" && s.target == frame {
			return s.run
		}
	}
	if path == "" {
		return nil
	}
	for r := range g.runs {
		if r.options.DownloadDir != "" && filepath.Dir(path) == r.options.DownloadDir {
			return r
		}
	}
	return nil
}

// DropDownload has a download of the run cancelled without waiting for it; it may be called from the run's events.
func (r *Run) DropDownload(guid string) {
	r.gate.mu.Lock()
	ours := r.guids[guid]
	r.gate.mu.Unlock()
	if ours {
		r.gate.post("", "Browser.cancelDownload", `{"guid":"`+guid+`"}`)
	}
}

// CancelDownload cancels a download of the run. One that has ended stays as it is.
func (r *Run) CancelDownload(ctx context.Context, guid string) error {
	r.gate.mu.Lock()
	ours := r.guids[guid]
	r.gate.mu.Unlock()
	if !ours {
		return fmt.Errorf("the download %.64q: %w", guid, ErrNotYours)
	}
	err := r.gate.call(ctx, nil, "Browser.cancelDownload", map[string]any{"guid": guid}, nil)
	if failure := (*cdp.Error)(nil); err != nil && !errors.As(err, &failure) {
		return fmt.Errorf("cancelling a download: %w", err)
	}
	return nil
}
