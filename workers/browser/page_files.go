package browser

import (
	"context"

	"github.com/chromedp/cdproto/page"
)

// subscriptionChanged keeps Chromium from opening file dialogs while somebody listens for them.
func (p *Page) subscriptionChanged(event Event, present bool) {
	if event != EventFileChooser {
		return
	}
	p.browser.mu.Lock()
	p.interceptsFiles = present
	sessions := p.frameTargets()
	p.browser.mu.Unlock()
	for _, s := range sessions {
		s.post("Page.setInterceptFileChooserDialog", obj{"enabled": present})
	}
}

func (p *Page) interceptsFileChooser() bool { return p.interceptsFiles }

func (s *session) fileChooserOpened(e *page.EventFileChooserOpened) {
	p := s.page
	f := p.frameByID[string(e.FrameID)]
	if f == nil || e.BackendNodeID == 0 {
		return
	}
	backend := int64(e.BackendNodeID)
	s.b.background(func() {
		o := newOp(s.b.ctx, p.life, "", noTimeout)
		defer o.stop()
		ec, err := f.worldOf(o, utilityWorld)
		if err != nil {
			return
		}
		id, err := ec.resolveNode(o.ctx, backend)
		if err != nil {
			return
		}
		h := newElement(ec, id)
		r, err := ec.callFunction(o.ctx, id, "function(){return !!this.multiple}", nil, true)
		if err != nil {
			return
		}
		if p.emitter.count(EventFileChooser) == 0 {
			h.release()
			return
		}
		c := &FileChooser{page: p, element: h, multiple: string(r.Value) == "true"}
		s.b.locked(func() { p.emit(EventFileChooser, c) })
	})
}

// eventDownload is Page.downloadWillBegin, which cdproto leaves out.
type eventDownload struct {
	GUID              string `json:"guid"`
	URL               string `json:"url"`
	SuggestedFilename string `json:"suggestedFilename"`
}

func (s *session) downloadWillBegin(e *eventDownload) {
	p := s.page
	d := &Download{page: p, guid: e.GUID, url: e.URL, suggested: e.SuggestedFilename}
	p.downloads[e.GUID] = d
	// A popup that only downloads never gets a document; it is reported all the same.
	if !p.committedOnce {
		p.committedOnce = true
		p.report()
	}
	p.emitBoth(EventDownload, d)
}

func (d *Download) failure(ctx context.Context) (*string, error) {
	c := d.page.context
	o := newOp(ctx, c.life, "download.failure", noTimeout)
	defer o.stop()
	host, err := c.host()
	if err != nil {
		return nil, o.finish(err)
	}
	end, err := host.WaitDownload(o.ctx, d.guid)
	if err != nil {
		return nil, o.finish(err)
	}
	if end.Failure == "" {
		return nil, nil
	}
	return &end.Failure, nil
}

func (d *Download) cancel(ctx context.Context) error {
	c := d.page.context
	return c.run(ctx, "download.cancel", func(o *op) error {
		host, err := c.host()
		if err != nil {
			return err
		}
		return host.CancelDownload(o.ctx, d.guid)
	})
}
