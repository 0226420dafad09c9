package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/ipc/workerpb"
	"github.com/pomerado-go/pomerado/operations/site"
	"github.com/pomerado-go/pomerado/supervisor/egress"
	"github.com/pomerado-go/pomerado/supervisor/sitehttp"
)

// formHTTP is the contract form of an HTTP version.
const formHTTP = "http"

// siteHTTP is what a run of an HTTP version holds beyond its tab: its client, and the page it has opened if a request asked for one.
type siteHTTP struct {
	client *sitehttp.Client
	proxy  *egress.Proxy // of its own when the browser brings its own network; else nil

	mu     sync.Mutex
	opened bool
	world  int64
}

// startHTTP gives the run its client.
func (r *run) startHTTP(ctx context.Context) error {
	h := &siteHTTP{}
	way := r.tab.proxy
	if way == nil { // an attached browser has its own network; requests keep to the run's policy all the same
		var err error
		if h.proxy, err = egress.Listen(ctx, r.egressPolicy()); err != nil {
			return fmt.Errorf("opening the run's network: %w", err)
		}
		way = h.proxy
	}
	h.client = sitehttp.New(sitehttp.Options{
		Site: r.plan.site, Rules: site.Rules{}, Dial: way.Dial, Cookies: contextCookies{r.tab}, Sending: r.journal.sawRequest, Page: sitePage{r, h},
		Transport: r.s.opts.HTTPTransport, IsChallenge: r.s.opts.IsChallenge, UserAgent: r.live.browser.Version().UserAgent,
	})
	r.http = h
	return nil
}

func (h *siteHTTP) close() error {
	h.client.Close()
	if h.proxy == nil {
		return nil
	}
	return h.proxy.Close()
}

// mayHTTP says whether the worker of an HTTP version may ask for something: it has no page of its own.
func mayHTTP(q *workerpb.Request) bool {
	switch q.Kind.(type) {
	case *workerpb.Request_Ask, *workerpb.Request_Dialog, *workerpb.Request_SignIn, *workerpb.Request_Log, *workerpb.Request_SiteHttp:
		return true
	}
	return false
}

// sendHTTP carries out one request of an HTTP version. A request that fails is an answer too.
func (r *run) sendHTTP(ctx context.Context, text []byte) (*workerpb.SiteHttpReply, error) {
	if r.http == nil {
		return nil, refuse(ipc.Unsupported, "only the HTTP version of an operation sends requests; page code reaches the site through its page")
	}
	if len(text) > ipc.MaxHTTPRequest {
		return nil, refuse(ipc.LimitExceeded, fmt.Sprintf("the request is %d bytes; at most %d are taken", len(text), ipc.MaxHTTPRequest))
	}
	response, failure := r.http.client.Send(ctx, text)
	head, err := json.Marshal(map[string]any{"response": response, "failure": failure})
	if err != nil {
		return nil, err
	}
	reply := &workerpb.SiteHttpReply{}
	if reply.ResponseBlob, err = r.link.sendBlob(ctx, head); err != nil {
		return nil, err
	}
	if failure == nil {
		reply.BodyBlob, err = r.link.sendBlob(ctx, response.Body)
	}
	return reply, err
}

// contextCookies are those of the run's browser context.
type contextCookies struct{ tab *tab }

func (c contextCookies) Cookies(ctx context.Context) (json.RawMessage, error) {
	return c.tab.run.Cookies(ctx, c.tab.run.ContextID())
}

func (c contextCookies) SetCookies(ctx context.Context, cookies json.RawMessage) error {
	return c.tab.run.SetCookies(ctx, c.tab.run.ContextID(), cookies)
}

// sitePage is the run's page for requests that ask for one.
type sitePage struct {
	run  *run
	http *siteHTTP
}

// Open loads the site's root, at the first request that asks for the page.
func (p sitePage) Open(ctx context.Context) error {
	p.http.mu.Lock()
	defer p.http.mu.Unlock()
	if p.http.opened {
		return nil
	}
	t := p.run.tab
	if err := t.loadRoot(ctx, p.run.plan.site, false); err != nil {
		return err
	}
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	if err := t.run.Call(ctx, t.page.SessionID, "Page.getFrameTree", nil, &tree); err != nil {
		return err
	}
	var world struct {
		ID int64 `json:"executionContextId"`
	}
	made := map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": "pomerado_http"}
	if err := t.run.Call(ctx, t.page.SessionID, "Page.createIsolatedWorld", made, &world); err != nil {
		return err
	}
	p.http.opened, p.http.world = true, world.ID
	return nil
}

// Evaluate runs an expression in a world of the host's own, which the page's scripts cannot reach into.
func (p sitePage) Evaluate(ctx context.Context, expression string) (string, error) {
	p.http.mu.Lock()
	world := p.http.world
	p.http.mu.Unlock()
	var answer struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	t := p.run.tab
	params := map[string]any{"expression": expression, "contextId": world, "awaitPromise": true, "returnByValue": true}
	if err := t.run.Call(ctx, t.page.SessionID, "Runtime.evaluate", params, &answer); err != nil {
		return "", err
	}
	if answer.ExceptionDetails != nil {
		return "", errors.New("the fetch in the page was cut off")
	}
	return answer.Result.Value, nil
}
