package browser

import "context"

// close closes the page. The host does it, since page sessions may not touch targets.
func (p *Page) close(ctx context.Context, api string, c CloseOptions) error {
	o := newOp(ctx, p.context.life, api, noTimeout)
	defer o.stop()
	b := p.browser
	b.mu.Lock()
	if p.state == pageClosed {
		b.mu.Unlock()
		return nil
	}
	if c.Reason != "" {
		p.closeReason = c.Reason
	}
	if !c.RunBeforeUnload && p.state == pageOpen {
		p.state = pageClosing
	}
	host := b.options.Host
	b.mu.Unlock()
	if host == nil {
		return o.finish(plainError("No host is there to close a page; give Options.Host to Connect."))
	}
	if c.RunBeforeUnload {
		// The page may ask whether it may be left; nobody waits for that.
		b.background(func() {
			if err := host.ClosePage(b.ctx, p.targetID, true); err != nil && !p.isClosed() {
				b.log.Warn("closing a page", "error", err)
			}
		})
		return nil
	}
	if err := host.ClosePage(o.ctx, p.targetID, false); err != nil {
		if p.isClosed() {
			return nil
		}
		return o.finish(err)
	}
	err := waitOn(o.ctx, p.gone)
	if err != nil && p.isClosed() {
		return nil
	}
	return o.finish(err)
}
