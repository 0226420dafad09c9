package browser

import (
	"context"
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/page"
)

func (p *Page) viewportSize() *Size {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	if p.viewport == nil {
		return nil
	}
	size := *p.viewport
	return &size
}

// metrics are the parameters of the viewport's override; the lock is held.
func (p *Page) metrics() obj {
	o := &p.context.options
	width, height := int64(p.viewport.Width), int64(p.viewport.Height)
	screenWidth, screenHeight := width, height
	if o.Screen != nil && !p.resized {
		screenWidth, screenHeight = int64(o.Screen.Width), int64(o.Screen.Height)
	}
	scale := o.DeviceScaleFactor
	if scale == 0 {
		scale = 1
	}
	orientation := obj{"angle": 0, "type": "landscapePrimary"}
	if o.IsMobile {
		orientation = obj{"angle": 90, "type": "landscapePrimary"}
		if screenWidth <= screenHeight {
			orientation = obj{"angle": 0, "type": "portraitPrimary"}
		}
	}
	return obj{"mobile": o.IsMobile, "width": width, "height": height, "screenWidth": screenWidth, "screenHeight": screenHeight, "deviceScaleFactor": scale, "screenOrientation": orientation}
}

func (p *Page) setViewportSize(ctx context.Context, api string, s Size) error {
	return p.run(ctx, api, noTimeout, func(o *op) error {
		p.browser.mu.Lock()
		before := p.viewport
		p.viewport, p.resized = &Size{s.Width, s.Height}, true
		params := p.metrics()
		p.browser.mu.Unlock()
		err := p.session.call(o.ctx, "Emulation.setDeviceMetricsOverride", params, nil)
		if err != nil {
			p.browser.mu.Lock()
			p.viewport = before
			p.browser.mu.Unlock()
		}
		return err
	})
}

// mediaParams are the media features in force: the page's, the context's, Playwright's defaults. The lock is held.
func (p *Page) mediaParams() obj {
	o := &p.context.options
	value := func(own *string, context, standard string) string {
		switch {
		case own != nil && *own == "no-override":
			return ""
		case own != nil:
			return *own
		case context == "no-override":
			return ""
		case context != "":
			return context
		}
		return standard
	}
	return obj{"media": value(p.media.Media, "", ""), "features": []obj{
		{"name": "prefers-color-scheme", "value": value(p.media.ColorScheme, o.ColorScheme, "light")},
		{"name": "prefers-reduced-motion", "value": value(p.media.ReducedMotion, o.ReducedMotion, "no-preference")},
		{"name": "forced-colors", "value": value(p.media.ForcedColors, o.ForcedColors, "none")},
		{"name": "prefers-contrast", "value": value(p.media.Contrast, o.Contrast, "no-preference")},
	}}
}

func (p *Page) emulateMedia(ctx context.Context, api string, m EmulateMediaOptions) error {
	return p.run(ctx, api, noTimeout, func(o *op) error {
		for _, check := range []struct {
			name    string
			value   *string
			allowed []string
		}{
			{"media", m.Media, []string{"screen", "print", "no-override"}},
			{"colorScheme", m.ColorScheme, []string{"dark", "light", "no-preference", "no-override"}},
			{"reducedMotion", m.ReducedMotion, []string{"reduce", "no-preference", "no-override"}},
			{"forcedColors", m.ForcedColors, []string{"active", "none", "no-override"}},
			{"contrast", m.Contrast, []string{"no-preference", "more", "no-override"}},
		} {
			if check.value != nil && !contains(check.allowed, *check.value) {
				return plainError(check.name + ": expected one of (" + strings.Join(check.allowed, "|") + ")")
			}
		}
		p.browser.mu.Lock()
		set := func(to **string, from *string) {
			if from != nil {
				*to = from
			}
		}
		set(&p.media.Media, m.Media)
		set(&p.media.ColorScheme, m.ColorScheme)
		set(&p.media.ReducedMotion, m.ReducedMotion)
		set(&p.media.ForcedColors, m.ForcedColors)
		set(&p.media.Contrast, m.Contrast)
		params := p.mediaParams()
		p.browser.mu.Unlock()
		return p.onAllFrames(o, "Emulation.setEmulatedMedia", params)
	})
}

func contains(list []string, value string) bool {
	for _, v := range list {
		if v == value {
			return true
		}
	}
	return false
}

func (g *Geolocation) params() obj {
	return obj{"latitude": g.Latitude, "longitude": g.Longitude, "accuracy": g.Accuracy}
}

func (p *Page) bringToFront(ctx context.Context, api string) error {
	return p.run(ctx, api, noTimeout, func(o *op) error { return p.session.call(o.ctx, "Page.bringToFront", nil, nil) })
}

func (p *Page) requestGC(ctx context.Context, api string) error {
	return p.run(ctx, api, noTimeout, func(o *op) error { return p.session.call(o.ctx, "HeapProfiler.collectGarbage", nil, nil) })
}

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

func (p *Page) setExtraHTTPHeaders(ctx context.Context, api string, headers []Header) error {
	return p.run(ctx, api, noTimeout, func(o *op) error {
		p.browser.mu.Lock()
		p.headers = headers
		p.browser.mu.Unlock()
		return p.updateHeaders(o)
	})
}

// updateHeaders sends the headers of context and page, the page's over the context's.
func (p *Page) updateHeaders(o *op) error {
	p.browser.mu.Lock()
	p.network.headers = mergeHeaders(p.context.options.ExtraHTTPHeaders, p.headers)
	params := obj{"headers": headerObject(p.network.headers)}
	p.browser.mu.Unlock()
	return p.onAllFrames(o, "Network.setExtraHTTPHeaders", params)
}

func mergeHeaders(lists ...[]Header) []Header {
	var merged []Header
	index := map[string]int{}
	for _, list := range lists {
		for _, h := range list {
			name := strings.ToLower(h.Name)
			if i, ok := index[name]; ok {
				merged[i] = h
				continue
			}
			index[name] = len(merged)
			merged = append(merged, h)
		}
	}
	return merged
}

// paper sizes in inches.
var paperFormats = map[string]Size{
	"letter": {8.5, 11}, "legal": {8.5, 14}, "tabloid": {11, 17}, "ledger": {17, 11}, "a0": {33.1, 46.8}, "a1": {23.4, 33.1},
	"a2": {16.54, 23.4}, "a3": {11.7, 16.54}, "a4": {8.27, 11.7}, "a5": {5.83, 8.27}, "a6": {4.13, 5.83},
}

func (p *Page) pdf(ctx context.Context, api string, f PDFOptions) ([]byte, error) {
	return runValue(p, ctx, api, noTimeout, func(o *op) ([]byte, error) {
		size := Size{8.5, 11}
		if f.Format != "" {
			var ok bool
			if size, ok = paperFormats[strings.ToLower(f.Format)]; !ok {
				return nil, plainError("Unknown paper format: " + f.Format)
			}
		} else {
			for _, side := range []struct {
				text string
				to   *float64
			}{{f.Width, &size.Width}, {f.Height, &size.Height}} {
				if side.text != "" {
					inches, err := parseInches(side.text)
					if err != nil {
						return nil, err
					}
					*side.to = inches
				}
			}
		}
		params := obj{"landscape": f.Landscape, "displayHeaderFooter": f.DisplayHeaderFooter, "headerTemplate": f.HeaderTemplate, "footerTemplate": f.FooterTemplate,
			"printBackground": f.PrintBackground, "paperWidth": size.Width, "paperHeight": size.Height, "pageRanges": f.PageRanges, "preferCSSPageSize": f.PreferCSSPageSize,
			"generateTaggedPDF": f.Tagged, "generateDocumentOutline": f.Outline, "transferMode": "ReturnAsStream"}
		params["scale"] = 1.0
		if f.Scale != 0 {
			params["scale"] = f.Scale
		}
		for name, text := range map[string]string{"marginTop": f.MarginTop, "marginBottom": f.MarginBottom, "marginLeft": f.MarginLeft, "marginRight": f.MarginRight} {
			inches := 0.0
			if text != "" {
				var err error
				if inches, err = parseInches(text); err != nil {
					return nil, err
				}
			}
			params[name] = inches
		}
		var res page.PrintToPDFResult
		if err := p.session.call(o.ctx, "Page.printToPDF", params, &res); err != nil {
			return nil, err
		}
		return p.session.readStream(o, string(res.Stream))
	})
}

// parseInches reads a CSS length: px (also without unit), in, cm, mm.
func parseInches(text string) (float64, error) {
	number, perInch := text, 96.0
	for unit, n := range map[string]float64{"px": 96, "in": 1, "cm": 2.54, "mm": 25.4} {
		if rest, ok := strings.CutSuffix(strings.ToLower(text), unit); ok {
			number, perInch = rest, n
			break
		}
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(value) {
		return 0, plainError("Failed to parse parameter value: " + text)
	}
	return value / perInch, nil
}

// largestStream bounds what is read from the browser in pieces.
const largestStream = 100 << 20

func (s *session) readStream(o *op, handle string) ([]byte, error) {
	defer s.post("IO.close", obj{"handle": handle})
	var all []byte
	for {
		var res struct {
			Data          string `json:"data"`
			EOF           bool   `json:"eof"`
			Base64Encoded bool   `json:"base64Encoded"`
		}
		if err := s.call(o.ctx, "IO.read", obj{"handle": handle}, &res); err != nil {
			return nil, err
		}
		piece := []byte(res.Data)
		if res.Base64Encoded {
			var err error
			if piece, err = base64.StdEncoding.DecodeString(res.Data); err != nil {
				return nil, err
			}
		}
		all = append(all, piece...)
		if len(all) > largestStream {
			return nil, plainError("The document is larger than 100 MiB.")
		}
		if res.EOF {
			return all, nil
		}
	}
}
