package playwright

import (
	"strings"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// The engine's option structs, read from page code's objects.

var modifierNames = []string{"Alt", "Control", "ControlOrMeta", "Meta", "Shift"}

func (o options) strict() browser.Strictness {
	switch s := o.optionalBool("strict"); {
	case s == nil:
		return browser.AsContext
	case *s:
		return browser.Strictly
	}
	return browser.Loosely
}

func (o options) click() browser.ClickOptions {
	return browser.ClickOptions{
		Button: o.str("button", "left", "right", "middle"), ClickCount: o.whole("clickCount"), Delay: o.delay(), Force: o.boolean("force"),
		Modifiers: o.strings("modifiers", modifierNames...), NoWaitAfter: o.boolean("noWaitAfter"), Position: o.point("position"),
		Steps: o.whole("steps"), Strict: o.strict(), Timeout: o.timeout(), Trial: o.boolean("trial"), Scroll: o.str("scroll"),
	}
}

func (o options) pointer() browser.PointerOptions {
	return browser.PointerOptions{
		Force: o.boolean("force"), Modifiers: o.strings("modifiers", modifierNames...), Position: o.point("position"),
		Strict: o.strict(), Timeout: o.timeout(), Trial: o.boolean("trial"), NoWaitAfter: o.boolean("noWaitAfter"), Scroll: o.str("scroll"),
	}
}

func (o options) fill() browser.FillOptions {
	return browser.FillOptions{Force: o.boolean("force"), NoWaitAfter: o.boolean("noWaitAfter"), Strict: o.strict(), Timeout: o.timeout()}
}

func (o options) typing() browser.TypeOptions {
	return browser.TypeOptions{Delay: o.delay(), NoWaitAfter: o.boolean("noWaitAfter"), Strict: o.strict(), Timeout: o.timeout()}
}

func (o options) timeouts() browser.TimeoutOptions {
	return browser.TimeoutOptions{Strict: o.strict(), Timeout: o.timeout()}
}

func (o options) drag() browser.DragOptions {
	return browser.DragOptions{
		Force: o.boolean("force"), NoWaitAfter: o.boolean("noWaitAfter"), SourcePosition: o.point("sourcePosition"),
		TargetPosition: o.point("targetPosition"), Steps: o.whole("steps"), Strict: o.strict(), Timeout: o.timeout(), Trial: o.boolean("trial"),
	}
}

func (o options) waitFor() browser.WaitForOptions {
	if o.has("visibility") {
		o.args.failPlain("options.visibility is not supported, did you mean options.state?")
	}
	if v := o.get("waitFor"); !absent(v) && v.String() != "visible" {
		o.args.failPlain("options.waitFor is not supported, did you mean options.state?")
	}
	return browser.WaitForOptions{State: o.str("state", "attached", "detached", "visible", "hidden"), Strict: o.strict(), Timeout: o.timeout()}
}

func (o options) waitForFunction() browser.WaitForFunctionOptions {
	out := browser.WaitForFunctionOptions{Timeout: o.timeout()}
	switch v := o.get("polling"); {
	case absent(v):
	case goja.IsString(v):
		if v.String() != "raf" {
			o.args.failPlain("Unknown polling option: %s", v.String())
		}
	default:
		d := o.milliseconds("polling")
		if *d <= 0 {
			o.args.failPlain("Cannot poll with non-positive interval")
		}
		out.Polling = d
	}
	return out
}

// lifecycle reads waitUntil and its like.
func (a *args) lifecycle(v goja.Value, name string) browser.LifecycleEvent {
	if absent(v) {
		return ""
	}
	if goja.IsString(v) {
		switch v.String() {
		case "load", "domcontentloaded", "networkidle", "commit":
			return browser.LifecycleEvent(v.String())
		case "networkidle0":
			return browser.NetworkIdle
		}
	}
	a.fail("%s: expected one of (load|domcontentloaded|networkidle|commit)", name)
	return ""
}

func (o options) navigate() browser.NavigateOptions {
	return browser.NavigateOptions{WaitUntil: o.args.lifecycle(o.get("waitUntil"), "waitUntil"), Timeout: o.timeout()}
}

func (o options) goTo() browser.GotoOptions {
	n := o.navigate()
	return browser.GotoOptions{WaitUntil: n.WaitUntil, Timeout: n.Timeout, Referer: o.optionalStr("referer")}
}

func (o options) waitForURL() browser.WaitForURLOptions {
	n := o.navigate()
	return browser.WaitForURLOptions{WaitUntil: n.WaitUntil, Timeout: n.Timeout}
}

func (o options) locator() browser.LocatorOptions {
	out := browser.LocatorOptions{Has: o.locatorOf("has"), HasNot: o.locatorOf("hasNot"), Visible: o.optionalBool("visible")}
	if v := o.get("hasText"); !absent(v) && !(goja.IsString(v) && v.String() == "") {
		t := o.args.textOf(v, "hasText", false)
		out.HasText = &t
	}
	if v := o.get("hasNotText"); !absent(v) && !(goja.IsString(v) && v.String() == "") {
		t := o.args.textOf(v, "hasNotText", false)
		out.HasNotText = &t
	}
	return out
}

func (o options) locatorOf(name string) *browser.Locator {
	v := o.get(name)
	if absent(v) || goja.IsNull(v) {
		return nil
	}
	return o.args.locator(v, name)
}

func (a *args) locator(v goja.Value, name string) *browser.Locator {
	l, ok := selfOf(v).(*browser.Locator)
	if !ok {
		a.fail("%s: expected Locator, got %s", name, typeName(v))
	}
	return l
}

func (o options) role() browser.RoleOptions {
	out := browser.RoleOptions{
		Checked: o.optionalBool("checked"), Disabled: o.optionalBool("disabled"), Exact: o.boolean("exact"), Expanded: o.optionalBool("expanded"),
		IncludeHidden: o.optionalBool("includeHidden"), Level: o.integer("level"), Pressed: o.optionalBool("pressed"), Selected: o.optionalBool("selected"),
	}
	if v := o.get("name"); !absent(v) {
		t := o.args.textOf(v, "name", out.Exact)
		out.Name = &t
	}
	if v := o.get("description"); !absent(v) {
		t := o.args.textOf(v, "description", out.Exact)
		out.Description = &t
	}
	return out
}

func (o options) ariaSnapshot() browser.AriaSnapshotOptions {
	return browser.AriaSnapshotOptions{Mode: o.str("mode", "ai", "default"), Depth: o.whole("depth"), Boxes: o.boolean("boxes"), Timeout: o.timeout()}
}

func (o options) screenshot() browser.ScreenshotOptions {
	o.noPath()
	out := browser.ScreenshotOptions{
		Type: o.str("type", "png", "jpeg", "webp"), Quality: o.integer("quality"), FullPage: o.boolean("fullPage"), OmitBackground: o.boolean("omitBackground"),
		Caret: o.str("caret", "hide", "initial"), Animations: o.str("animations", "disabled", "allow"), Scale: o.str("scale", "css", "device"),
		MaskColor: o.str("maskColor"), Style: o.str("style"), Timeout: o.timeout(),
	}
	if in := o.inner("clip"); in.object != nil {
		out.Clip = &browser.Rect{X: in.required("clip", "x"), Y: in.required("clip", "y"), Width: in.required("clip", "width"), Height: in.required("clip", "height")}
	}
	if v := o.get("mask"); !absent(v) {
		items, ok := o.args.m.list(v)
		if !ok {
			o.args.fail("mask: expected array, got %s", typeName(v))
		}
		for _, item := range items {
			out.Mask = append(out.Mask, o.args.locator(item, "mask"))
		}
	}
	return out
}

// noPath refuses a file name: page code has no files.
func (o options) noPath() {
	if o.has("path") {
		o.args.fail("the option path is not supported here: page code has no files; leave it out and use the answer")
	}
}

func (o options) mouse() browser.MouseOptions {
	return browser.MouseOptions{Button: o.str("button", "left", "right", "middle"), ClickCount: o.whole("clickCount"), Delay: o.delay(), Steps: o.whole("steps")}
}

// headers reads an object of header names and values.
func (a *args) headers(v goja.Value, name string) []browser.Header {
	if absent(v) || goja.IsNull(v) {
		return nil
	}
	o, ok := v.(*goja.Object)
	if !ok {
		a.fail("%s: expected object, got %s", name, typeName(v))
	}
	out := []browser.Header{}
	for _, key := range o.Keys() {
		value := o.Get(key)
		if absent(value) {
			continue
		}
		if !goja.IsString(value) {
			a.failPlain("Expected value of header \"%s\" to be String, but \"%s\" is found.", key, typeName(value))
		}
		out = append(out, browser.Header{Name: key, Value: value.String()})
	}
	return out
}

func headersObject(list []browser.Header) object {
	out := object{}
	at := map[string]int{}
	for _, h := range list {
		if i, ok := at[h.Name]; ok {
			sep := ", "
			if h.Name == "set-cookie" {
				sep = "\n"
			}
			out[i].value = out[i].value.(string) + sep + h.Value
			continue
		}
		at[h.Name] = len(out)
		out = append(out, field{h.Name, h.Value})
	}
	return out
}

// selectOptions reads what selectOption takes.
func (a *args) selectOptions(v goja.Value) []browser.SelectOption {
	if goja.IsNull(v) || absent(v) {
		return nil
	}
	items, ok := a.m.list(v)
	if !ok {
		items = []goja.Value{v}
	}
	var out []browser.SelectOption
	for i, item := range items {
		switch {
		case goja.IsNull(item):
			a.failPlain("options[%d]: expected object, got null", i)
		case goja.IsString(item):
			s := item.String()
			out = append(out, browser.SelectOption{ValueOrLabel: &s})
			continue
		}
		if h, ok := selfOf(item).(*browser.ElementHandle); ok {
			out = append(out, browser.SelectOption{Element: h})
			continue
		}
		object, ok := item.(*goja.Object)
		if !ok {
			a.fail("options[%d]: expected object, got %s", i, typeName(item))
		}
		in := options{args: a, object: object}
		out = append(out, browser.SelectOption{Value: in.optionalStr("value"), Label: in.optionalStr("label"), Index: in.integer("index")})
	}
	return out
}

// files reads what setInputFiles takes: payloads. A path is refused by name.
func (a *args) files(v goja.Value) []browser.FilePayload {
	items, ok := a.m.list(v)
	if !ok {
		items = []goja.Value{v}
	}
	out := []browser.FilePayload{}
	for _, item := range items {
		if goja.IsString(item) {
			a.fail("the path %q is refused: page code has no files; give {name, mimeType, buffer}", item.String())
		}
		o, ok := item.(*goja.Object)
		if !ok {
			a.fail("files: expected object, got %s", typeName(item))
		}
		in := options{args: a, object: o}
		f := browser.FilePayload{Name: in.str("name"), MimeType: in.str("mimeType")}
		b, ok := bytes(in.get("buffer"))
		if !ok {
			a.fail("payloads[%d].buffer: expected Buffer, got %s", len(out), typeName(in.get("buffer")))
		}
		f.Buffer = b
		if ms := in.number("lastModifiedMs"); ms != nil {
			f.LastModified = *ms
		}
		out = append(out, f)
	}
	return out
}

// looseHeaders is headers with names in lower case and values as strings, whatever they were.
func (a *args) looseHeaders(v goja.Value) []browser.Header {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil
	}
	var out []browser.Header
	for _, key := range o.Keys() {
		out = append(out, browser.Header{Name: strings.ToLower(key), Value: o.Get(key).String()})
	}
	return out
}
