package supervisor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/cdp"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/file"
	"github.com/pomerado-go/pomerado/operations/site"
)

// placedDir is the folder, in a run's own, of the copies that Chromium reads placed files from.
const placedDir = "placed"

var errPlaceTimeout = errors.New("the file was not placed in time")

// placeFile puts a file of the input into a field (spec artifact-and-serving.md §9, in its order of checks). The worker finds the field;
// what it is and where it stands is read here, from the browser, never by script in the page: a worker can enter every world of its page.
// Without a field only the file is looked at, so that a file nobody may place is refused before anybody waits for a field.
func (r *run) placeFile(ctx context.Context, p *workerpb.FilePlace) (*workerpb.FilePlaceReply, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, time.Duration(p.TimeoutMs)*time.Millisecond, errPlaceTimeout)
	defer cancel()
	path, size, err := r.source(p.Reference)
	if err != nil {
		return nil, err
	}
	name := file.Name(filepath.Base(path), "file")
	reply := &workerpb.FilePlaceReply{Name: name, MediaType: file.TypeByName(name), Size: size}
	if p.SessionId == "" {
		return reply, nil
	}
	err = r.placeInto(ctx, p, path, reply)
	if errors.Is(err, errPlaceTimeout) {
		err = refuseFile(file.Unavailable, "the field did not take the file in time")
	}
	return reply, err
}

// source finds the file a reference of the input names.
func (r *run) source(reference string) (path string, size int64, err error) {
	if !r.files.refs[reference] {
		return "", 0, refuseFile(file.UnknownReference, "the input names no such file")
	}
	if path, err = file.Path(reference); err != nil {
		return "", 0, refuseFile(file.Unavailable, err.Error())
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", 0, refuseFile(file.Unavailable, "the file "+filepath.Base(path)+" cannot be opened")
	case !info.Mode().IsRegular():
		return "", 0, refuseFile(file.Unavailable, filepath.Base(path)+" is not a regular file")
	case info.Size() > r.files.limits.FileBytes:
		return "", 0, refuseFile(file.TooLarge, r.overText(file.TooLarge))
	}
	return path, info.Size(), nil
}

func (r *run) placeInto(ctx context.Context, p *workerpb.FilePlace, path string, what *workerpb.FilePlaceReply) error {
	accept, err := r.fileField(ctx, p)
	if err != nil {
		return err
	}
	copied, err := r.copyForBrowser(path, what)
	if err != nil {
		return err
	}
	head, err := headOf(copied)
	switch {
	case err != nil:
		err = refuseFile(file.Unavailable, "the file cannot be read")
	case file.IsProgram(head, what.Name):
		err = refuseFile(file.Executable, what.Name+" is a program")
	case !file.Fits(what.MediaType, head):
		err = refuseFile(file.TypeMismatch, fmt.Sprintf("%s is not what its name says: its bytes are no %s", what.Name, what.MediaType))
	case !file.Accepts(accept, what.Name, what.MediaType):
		err = refuseFile(file.NotAccepted, fmt.Sprintf("the field takes %s, which %s (%s) is not", clip(accept, 200), what.Name, what.MediaType))
	case !r.files.reserve(what.Size):
		err = refuseFile(file.RunLimit, r.overText(file.RunLimit))
	}
	if err != nil {
		return errors.Join(err, os.Remove(copied))
	}
	r.journal.placing()
	params := map[string]any{"backendNodeId": p.BackendNodeId, "files": []string{copied}}
	if err := r.tab.run.Call(ctx, p.SessionId, "DOM.setFileInputFiles", params, nil); err != nil {
		return asRefused(err, file.Unavailable, "the field did not take the file")
	}
	return nil
}

// copyForBrowser copies a file into the run's folder, where Chromium reads it whenever the page does; it goes with the run. A file that
// changed since it was looked at is refused.
func (r *run) copyForBrowser(path string, what *workerpb.FilePlaceReply) (string, error) {
	root := filepath.Join(r.tab.dir, placedDir)
	err := os.MkdirAll(root, 0o700)
	if err == nil {
		root, err = os.MkdirTemp(root, "")
	}
	copied := filepath.Join(root, what.Name)
	if err == nil {
		_, err = copyFile(path, copied, what.Size, 0o600)
	}
	if err != nil {
		r.s.log.Warn("A file cannot be copied for Chromium", "error", err)
		return "", refuseFile(file.Unavailable, "the file "+what.Name+" cannot be read, or changed while it was")
	}
	return copied, nil
}

// fileField checks the field and gives its accept attribute.
func (r *run) fileField(ctx context.Context, p *workerpb.FilePlace) (accept string, err error) {
	var described struct {
		Node struct {
			LocalName  string   `json:"localName"`
			Attributes []string `json:"attributes"`
		} `json:"node"`
	}
	if err := r.tab.run.Call(ctx, p.SessionId, "DOM.describeNode", map[string]any{"backendNodeId": p.BackendNodeId}, &described); err != nil {
		return "", asRefused(err, file.FieldNotFound, "the field is gone")
	}
	var kind string
	for i := 0; i+1 < len(described.Node.Attributes); i += 2 {
		switch strings.ToLower(described.Node.Attributes[i]) {
		case "type":
			kind = strings.ToLower(described.Node.Attributes[i+1])
		case "accept":
			accept = described.Node.Attributes[i+1]
		}
	}
	if described.Node.LocalName != "input" || kind != "file" {
		return "", refuseFile(file.NotFileInput, `the field is not an <input type="file">`)
	}
	onSite, err := r.nodeOnSite(ctx, p.SessionId, p.BackendNodeId)
	switch {
	case err != nil:
		return "", asRefused(err, file.FieldNotFound, "the field's page is gone")
	case !onSite:
		return "", refuseFile(file.OtherSite, "the field is in a page of another site")
	}
	return accept, nil
}

// frameTree is what Page.getFrameTree says of a session's frames.
type frameTree struct {
	Frame struct {
		ID     string `json:"id"`
		Origin string `json:"securityOrigin"`
	} `json:"frame"`
	Children []frameTree `json:"childFrames"`
}

// maxSiteOrigins bounds the origins of one page that a field is looked for in.
const maxSiteOrigins = 16

// nodeOnSite says whether a node belongs to a document of the site. The browser resolves a node only in worlds of its own origin, so it is
// asked for the node in a fresh world of each of the session's frames whose origin is the site's; no script runs in any of them.
func (r *run) nodeOnSite(ctx context.Context, session string, node int64) (bool, error) {
	var page struct {
		Tree frameTree `json:"frameTree"`
	}
	if err := r.tab.run.Call(ctx, session, "Page.getFrameTree", nil, &page); err != nil {
		return false, err
	}
	frames := map[string]string{} // origin to one of its frames
	page.Tree.walk(func(id, origin string) {
		if _, known := frames[origin]; !known && len(frames) < maxSiteOrigins && sameSite(r.plan.site, origin) {
			frames[origin] = id
		}
	})
	for _, id := range frames {
		var world struct {
			ID int64 `json:"executionContextId"`
		}
		if err := r.tab.run.Call(ctx, session, "Page.createIsolatedWorld", map[string]any{"frameId": id, "worldName": "pomerado_file"}, &world); err != nil {
			return false, err
		}
		var resolved struct {
			Object struct {
				ID string `json:"objectId"`
			} `json:"object"`
		}
		params := map[string]any{"backendNodeId": node, "executionContextId": world.ID, "objectGroup": "pomerado_file"}
		err := r.tab.run.Call(ctx, session, "DOM.resolveNode", params, &resolved)
		if failure := (*cdp.Error)(nil); err != nil && !errors.As(err, &failure) {
			return false, err
		}
		if resolved.Object.ID != "" {
			return true, r.tab.run.Call(ctx, session, "Runtime.releaseObjectGroup", map[string]any{"objectGroup": "pomerado_file"}, nil)
		}
	}
	return false, nil
}

func (t frameTree) walk(visit func(id, origin string)) {
	visit(t.Frame.ID, t.Frame.Origin)
	for _, child := range t.Children {
		child.walk(visit)
	}
}

// sameSite says whether an origin is the site's (spec artifact-and-serving.md §12).
func sameSite(of *url.URL, origin string) bool {
	other, err := url.Parse(origin)
	return err == nil && other.Host != "" && site.Rules{}.Same(of, other)
}

// asRefused makes a refusal of what the browser itself refused; any other error stays.
func asRefused(err error, reason file.Reason, message string) error {
	if failure := (*cdp.Error)(nil); errors.As(err, &failure) {
		return refuseFile(reason, message)
	}
	return err
}

// uncollected looks for a file in the output that this run did not collect.
func (r *run) uncollected(how ending) (message string, found bool) {
	id, found := file.Uncollected(how.output, r.files.kept())
	if !found {
		return "", false
	}
	return fmt.Sprintf("the output names the file %q, which this run did not collect", clip(id, 100)), true
}

// notCollected is the code of an output that names such a file.
var notCollected = string(ipc.FileRefused(string(file.NotCollected)))
