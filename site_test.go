package pomerado_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/testdata/site"
)

// Folders named testdata are outside of ./..., so the fixture site is tested from here.
func TestFixtureSiteRoutes(t *testing.T) {
	server, err := site.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for path, want := range map[string]struct {
		status int
		part   string
	}{
		"/":                        {200, "<h1>Harbour Library</h1>"},
		"/ferries":                 {200, `aria-label="Timetable"`},
		"/letters":                 {200, "Older letters"},
		"/catalogue":               {200, `data-sku="k1"`},
		"/reports":                 {200, "Export 2025"},
		"/reports/2025.csv":        {200, "month,total\n1,5\n"},
		"/reports/25.csv":          {404, "Not here"},
		"/claims/new":              {200, "Send claim"},
		"/garden":                  {200, `<tr data-plot="B07"><td>B07</td>`},
		"/clinic?with=Dr%20Reyes":  {200, "<legend>Open times</legend>"},
		"/parcel/lamp-04":          {200, "Pay and send"},
		"/parcel/lamp-05":          {404, "Not here"},
		"/weather":                 {200, `title="Station picker"`},
		"/stations":                {200, "North Pier"},
		"/chart?s=North%20Pier":    {200, "<caption>North Pier, today</caption>"},
		"/museum/search?q=clock":   {200, `window.__ROOMS__ = {"query":"clock","rooms":[{"id":1,"name":"Clock Room","floor":"2"},{"id":2,`},
		"/museum/search?q=%3C%2Fs": {200, `<p class="nothing">Nothing found</p>`},
		"/museum/api/room/2":       {200, `{"id":2,"opens":"10:00"}`},
		"/museum/api/room/x":       {404, "Not here"},
		"/beat?n=7":                {204, ""},
		"/elsewhere":               {404, "Not here"},
	} {
		t.Run(path, func(t *testing.T) {
			response, err := http.Get(server.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != want.status || !strings.Contains(string(body), want.part) {
				t.Errorf("got %d %s, want %d with %q", response.StatusCode, body, want.status, want.part)
			}
		})
	}
	if beats := server.Beats(); len(beats) != 1 || beats[0].N != "7" || beats[0].At.IsZero() {
		t.Errorf("beats are %v, want one with n=7", beats)
	}
	response, err := http.Post(server.URL+"/garden/B07", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if plots := server.Plots(); response.StatusCode != 204 || !slices.Equal(plots, []string{"A01", "C12"}) {
		t.Errorf("after releasing B07: status %d, plots %q", response.StatusCode, plots)
	}
}
