package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"

	"github.com/pomerado-go/pomerado/ipc/cdp"
)

// stillPage makes a document fit for a picture: extra style, no caret, no running animations. It leaves a function behind that
// undoes it.
const stillPage = `((style,hideCaret,stop)=>{if(globalThis.__pomeradoUnstill)globalThis.__pomeradoUnstill();const undo=[];` +
	`const roots=[];const walk=root=>{roots.push(root);const w=document.createTreeWalker(root,NodeFilter.SHOW_ELEMENT);` +
	`do{const n=w.currentNode;if(n instanceof Element&&n.shadowRoot)walk(n.shadowRoot)}while(w.nextNode())};walk(document);` +
	`if(style)for(const root of roots){const tag=document.createElement('style');tag.textContent=style;` +
	`(root===document?document.documentElement:root).append(tag);undo.push(()=>tag.remove())}` +
	`if(hideCaret)for(const root of roots)for(const e of root.querySelectorAll('input,textarea,[contenteditable]')){` +
	`const value=e.style.getPropertyValue('caret-color'),priority=e.style.getPropertyPriority('caret-color');` +
	`e.style.setProperty('caret-color','transparent','important');undo.push(()=>e.style.setProperty('caret-color',value,priority))}` +
	`if(stop){const resumed=new Set();for(const root of roots){const settle=()=>{for(const a of root.getAnimations()){` +
	`if(!a.effect||a.playbackRate===0||resumed.has(a))continue;try{if(Number.isFinite(a.effect.getComputedTiming().endTime))a.finish();` +
	`else{a.cancel();resumed.add(a)}}catch{}}};settle();root.addEventListener('transitionrun',settle);root.addEventListener('animationstart',settle);` +
	`undo.push(()=>{root.removeEventListener('transitionrun',settle);root.removeEventListener('animationstart',settle)})}` +
	`undo.push(()=>{for(const a of resumed)try{a.play()}catch{}})}` +
	`globalThis.__pomeradoUnstill=()=>{for(const u of undo)u();delete globalThis.__pomeradoUnstill}})`

const unstillPage = `globalThis.__pomeradoUnstill&&globalThis.__pomeradoUnstill()`

func (s *ScreenshotOptions) verify() (format string, err error) {
	switch s.Type {
	case "", "png":
		format = "png"
	case "jpeg", "webp":
		format = s.Type
	default:
		return "", plainError("Unknown options.type value: " + s.Type)
	}
	if q := s.Quality; q != nil {
		switch {
		case format == "png":
			return "", plainError("options.quality is unsupported for the png screenshots")
		case *q < 0 || *q > 100:
			return "", plainError("Expected options.quality to be between 0 and 100 (inclusive), got " + itoa(*q))
		}
	}
	if c := s.Clip; c != nil {
		if c.Width <= 0 {
			return "", plainError("Expected options.clip.width to be greater than 0.")
		}
		if c.Height <= 0 {
			return "", plainError("Expected options.clip.height to be greater than 0.")
		}
	}
	return format, nil
}

func (p *Page) screenshot(ctx context.Context, api string, s ScreenshotOptions) ([]byte, error) {
	return runValue(p, ctx, api, p.timeouts.of(s.Timeout), func(o *op) ([]byte, error) {
		format, err := s.verify()
		if err != nil {
			return nil, err
		}
		release, err := p.takeTurn(o)
		if err != nil {
			return nil, err
		}
		defer release()
		o.logLine("taking page screenshot")
		viewport, err := p.windowSize(o)
		if err != nil {
			return nil, err
		}
		defer p.still(o, p.mainFrame, s)()
		if !s.FullPage {
			area := Rect{0, 0, viewport.Width, viewport.Height}
			if s.Clip != nil {
				if area, err = trimClip(*s.Clip, viewport); err != nil {
					return nil, err
				}
			}
			return p.capture(o, format, area, false, true, s)
		}
		full, err := p.fullSize(o)
		if err != nil {
			return nil, err
		}
		area := Rect{0, 0, full.Width, full.Height}
		if s.Clip != nil {
			if area, err = trimClip(*s.Clip, full); err != nil {
				return nil, err
			}
		}
		return p.capture(o, format, area, true, full.Width <= viewport.Width && full.Height <= viewport.Height, s)
	})
}

func (h *ElementHandle) doScreenshot(o *op, s ScreenshotOptions) ([]byte, error) {
	format, err := s.verify()
	if err != nil {
		return nil, err
	}
	p := h.frame.page
	release, err := p.takeTurn(o)
	if err != nil {
		return nil, err
	}
	defer release()
	o.logLine("taking element screenshot")
	viewport, err := p.windowSize(o)
	if err != nil {
		return nil, err
	}
	defer p.still(o, h.frame, s)()
	err = h.target().simple(o, pageCall{method: "waitForState", checks: true, args: func(r resolveOptions) []arg { return []arg{textArg("visible"), jsonArg(r)} }})
	if err != nil {
		return nil, err
	}
	if err := h.doScrollIntoView(o); err != nil {
		return nil, err
	}
	box, err := h.doBoundingBox(o)
	switch {
	case err != nil:
		return nil, err
	case box == nil:
		return nil, plainError("Node is either not visible or not an HTMLElement")
	case box.Width == 0:
		return nil, plainError("Node has 0 width.")
	case box.Height == 0:
		return nil, plainError("Node has 0 height.")
	}
	fits := box.Width <= viewport.Width && box.Height <= viewport.Height
	scroll, err := p.readSize(o, "function(){return [scrollX,scrollY]}")
	if err != nil {
		return nil, err
	}
	return p.capture(o, format, enclosing(Rect{box.X + scroll.Width, box.Y + scroll.Height, box.Width, box.Height}), true, fits, s)
}

// takeTurn lets one picture of a page be taken at a time.
func (p *Page) takeTurn(o *op) (release func(), err error) {
	select {
	case <-p.pictures:
		return func() { p.pictures <- struct{}{} }, nil
	case <-o.ctx.Done():
		return nil, o.over()
	}
}

func (p *Page) windowSize(o *op) (Size, error) {
	if size := p.viewportSize(); size != nil {
		return *size, nil
	}
	return p.readSize(o, "function(){return [innerWidth,innerHeight]}")
}

func (p *Page) fullSize(o *op) (Size, error) {
	return p.readSize(o, `function(){const b=document.body,e=document.documentElement;if(!b||!e)return [];`+
		`return [Math.max(b.scrollWidth,e.scrollWidth,b.offsetWidth,e.offsetWidth,b.clientWidth,e.clientWidth),`+
		`Math.max(b.scrollHeight,e.scrollHeight,b.offsetHeight,e.offsetHeight,b.clientHeight,e.clientHeight)]}`)
}

// readSize reads two numbers in the main frame, in the next document when this one goes.
func (p *Page) readSize(o *op, function string) (Size, error) {
	for n := 0; ; n++ {
		if err := o.pause(backoff(o, n)); err != nil {
			return Size{}, err
		}
		var r *remoteObject
		ec, err := p.mainFrame.worldOf(o, utilityWorld)
		if err == nil {
			r, err = ec.callFunction(o.ctx, "", function, nil, true)
		}
		if err != nil {
			if o.retriable(p.mainFrame, err) {
				continue
			}
			return Size{}, err
		}
		var pair []float64
		if unmarshal(r.Value, &pair) == nil && len(pair) == 2 {
			return Size{pair[0], pair[1]}, nil
		}
	}
}

// still prepares every frame for a picture and answers what undoes it.
func (p *Page) still(o *op, f *Frame, s ScreenshotOptions) func() {
	if s.Animations == "disabled" {
		o.logLine("  disabled all CSS animations")
	}
	call := stillPage + "(" + quoteJSON(s.Style) + "," + boolText(s.Caret != "initial") + "," + boolText(s.Animations == "disabled") + ")"
	worlds := p.watchableWorlds()
	var sent []*cdp.Pending
	for _, ec := range worlds {
		sent = append(sent, ec.startExpression(o.ctx, call))
	}
	o.logLine("waiting for fonts to load...")
	if ec := f.existingWorld(utilityWorld); ec != nil {
		_ = f.unstalled(o, func(ctx context.Context) error {
			return ec.startExpression(ctx, "document.fonts.ready.then(()=>true)").Wait(ctx, nil)
		})
	}
	_ = f.unstalled(o, func(ctx context.Context) error {
		for _, pending := range sent {
			_ = pending.Wait(ctx, nil)
		}
		return nil
	})
	o.logLine("fonts loaded")
	return func() {
		for _, ec := range worlds {
			if ec.life.Err() == nil {
				ec.startExpression(p.browser.ctx, unstillPage)
			}
		}
	}
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func trimClip(clip Rect, size Size) (Rect, error) {
	x1, y1 := clamp(clip.X, size.Width), clamp(clip.Y, size.Height)
	x2, y2 := clamp(clip.X+clip.Width, size.Width), clamp(clip.Y+clip.Height, size.Height)
	if x2 <= x1 || y2 <= y1 {
		return Rect{}, plainError("Clipped area is either empty or outside the resulting image")
	}
	return Rect{x1, y1, x2 - x1, y2 - y1}, nil
}

func clamp(v, high float64) float64 { return math.Max(0, math.Min(v, high)) }

// enclosing is the smallest rectangle of whole pixels around r.
func enclosing(r Rect) Rect {
	const slack = 1e-3
	x, y := math.Floor(r.X+slack), math.Floor(r.Y+slack)
	return Rect{x, y, math.Ceil(r.X+r.Width-slack) - x, math.Ceil(r.Y+r.Height-slack) - y}
}

var errDocumentGone = errors.New("the document went away during the call")

// goneGrace is how long an answer may still come when the document it is about has gone.
const goneGrace = 250 * time.Millisecond

// inThisDocument gives a call up when the main frame's document has gone: Chromium refuses then what asks its renderer, or forgets to answer.
func (p *Page) inThisDocument(o *op, call func(ctx context.Context) error) error {
	ec, err := p.mainFrame.worldOf(o, utilityWorld) // between two documents there is none, and a call made then is never answered either
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(o.ctx)
	defer cancel(nil)
	timer := time.AfterFunc(math.MaxInt64, func() { cancel(errDocumentGone) })
	defer timer.Stop()
	defer context.AfterFunc(ec.life, func() { timer.Reset(goneGrace) })()
	err = call(ctx)
	if err != nil && o.ctx.Err() == nil && ec.life.Err() != nil {
		return errDocumentGone
	}
	return err
}

// captureTries bounds how often a picture is tried again.
const captureTries = 10

// largestSide is what Chromium surely makes a picture of, in pixels.
const largestSide = 16384

// capture takes the picture of an area, of the document or of the viewport.
func (p *Page) capture(o *op, format string, area Rect, ofDocument, fits bool, s ScreenshotOptions) ([]byte, error) {
	clear := s.OmitBackground && format != "jpeg"
	if clear {
		p.session.post("Emulation.setDefaultBackgroundColorOverride", obj{"color": obj{"r": 0, "g": 0, "b": 0, "a": 0}})
		defer p.session.post("Emulation.setDefaultBackgroundColorOverride", obj{})
	}
	unmask, err := p.mask(o, s)
	defer unmask()
	if err != nil {
		return nil, err
	}
	var m struct {
		Viewport page.VisualViewport `json:"cssVisualViewport"`
		Content  struct {
			Width float64 `json:"width"`
		} `json:"contentSize"`
		CSS struct {
			Width float64 `json:"width"`
		} `json:"cssContentSize"`
	}
	if err := p.session.call(o.ctx, "Page.getLayoutMetrics", nil, &m); err != nil {
		return nil, err
	}
	scale := 1.0
	if v := m.Viewport; !ofDocument && v.Scale > 0 {
		area = Rect{v.PageX + area.X, v.PageY + area.Y, math.Floor(area.Width/v.Scale + 1e-3), math.Floor(area.Height/v.Scale + 1e-3)}
		scale = v.Scale
	}
	if s.Scale == "css" {
		device := p.context.options.DeviceScaleFactor
		if device == 0 && p.viewportSize() == nil && m.CSS.Width > 0 {
			device = m.Content.Width / m.CSS.Width
		}
		if device > 0 {
			scale /= device
		}
	}
	params := obj{"format": format, "captureBeyondViewport": !fits, "clip": obj{"x": area.X, "y": area.Y, "width": area.Width, "height": area.Height, "scale": scale}}
	switch {
	case s.Quality != nil:
		params["quality"] = *s.Quality
	case format == "jpeg":
		params["quality"] = 80
	case format == "webp":
		params["quality"] = 100
	}
	var res struct {
		Data string `json:"data"`
	}
	for n := 0; ; n++ {
		if err := o.pause(backoff(o, n)); err != nil {
			return nil, err
		}
		err := p.inThisDocument(o, func(ctx context.Context) error { return p.session.call(ctx, "Page.captureScreenshot", params, &res) })
		if err == nil {
			break
		}
		// A new document may have nothing to show yet; a picture that is too large never will.
		e := refusal(err)
		early := e != nil && max(area.Width, area.Height) <= largestSide &&
			(strings.Contains(e.Message, "Unable to capture screenshot") || strings.Contains(e.Message, "Not attached to an active page"))
		if n == captureTries || !early && !errors.Is(err, errDocumentGone) {
			return nil, err
		}
	}
	return base64.StdEncoding.DecodeString(res.Data)
}

// mask covers elements; the function takes the covers away.
func (p *Page) mask(o *op, s ScreenshotOptions) (func(), error) {
	color := s.MaskColor
	if color == "" {
		color = "#F0F"
	}
	var covered []*place
	unmask := func() {
		for _, pl := range covered {
			if pl.ec.life.Err() == nil {
				pl.ec.startFunction(p.browser.ctx, pl.program, callMethod, []arg{textArg("unmask")}, true)
			}
		}
	}
	for _, l := range s.Mask {
		pl, err := l.frame.find(l.selector, AsContext).locate(o)
		if err != nil {
			return unmask, err
		}
		if pl == nil {
			continue
		}
		pl.release()
		covered = append(covered, pl)
		reply, err := pl.call(o.ctx, "mask", pl.arg, textArg(color))
		if err != nil {
			return unmask, err
		}
		if reply.Error != nil {
			return unmask, &jsError{*reply.Error}
		}
	}
	return unmask, nil
}
