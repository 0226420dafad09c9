package browser

import (
	"bytes"
	"image/png"
	"testing"
)

// Chromium answers some pictures with an error, and some not at all, when a document takes the place of another meanwhile.
func TestFullPageScreenshotsDuringReloads(t *testing.T) {
	b := open(t)
	b.visit("/form.html")
	_, err := b.page.Evaluate(b.ctx, Expression("document.body.style.minHeight = '2000px'"), Undefined{})
	b.ok(err)
	reloaded := make(chan error, 1)
	go func() {
		for range 5 {
			if _, err := b.page.Reload(b.ctx, NavigateOptions{}); err != nil {
				reloaded <- err
				return
			}
		}
		reloaded <- nil
	}()
	for range 5 {
		picture, err := b.page.Screenshot(b.ctx, ScreenshotOptions{FullPage: true})
		b.ok(err)
		if _, err := png.Decode(bytes.NewReader(picture)); err != nil {
			t.Error(err)
		}
	}
	b.ok(<-reloaded)
}
