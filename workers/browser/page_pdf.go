package browser

import (
	"context"
	"encoding/base64"
	"math"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/page"
)

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
