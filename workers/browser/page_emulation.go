package browser

import (
	"context"
	"strings"
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
