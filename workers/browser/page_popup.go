package browser

import (
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/page"
)

// windowOpen notes the size a popup shall have.
func (s *session) windowOpen(e *page.EventWindowOpen) {
	size := Size{-1, -1}
	for _, feature := range e.WindowFeatures {
		for name, to := range map[string]*float64{"width=": &size.Width, "height=": &size.Height} {
			if text, ok := strings.CutPrefix(feature, name); ok {
				if v, err := strconv.ParseFloat(text, 64); err == nil {
					*to = v
				}
			}
		}
	}
	if size.Width < 0 || size.Height < 0 {
		s.page.popupSizes = append(s.page.popupSizes, nil)
		return
	}
	s.page.popupSizes = append(s.page.popupSizes, &size)
}
