// Package site is the bundled fixture website: a dozen small pages, each with one behaviour that tools meet, and a counter of beats
// for tests that ask whether a page still runs. `pomerado demo` and the tests serve it on loopback. It runs in the process that
// serves it and knows nothing of the product.
package site

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed pages/*.html
var pages embed.FS

// fixed are the pages that are the same for everyone.
var fixed = map[string]string{
	"/":               "front",
	"/ferries":        "ferries",
	"/letters":        "letters",
	"/catalogue":      "catalogue",
	"/reports":        "reports",
	"/claims/new":     "claim",
	"/clinic":         "clinic",
	"/parcel/lamp-04": "parcel",
	"/weather":        "weather",
	"/stations":       "stations",
	"/chart":          "chart",
}

// Beat is one request of /beat.
type Beat struct {
	N  string
	At time.Time
}

// Site is one instance with a state of its own: which garden plots are let, and the beats it heard. Safe for concurrent use.
type Site struct {
	mux *http.ServeMux

	mu    sync.Mutex
	plots []string
	added int // journals that came after the first day
	beats []Beat
	heard chan struct{} // closed and made anew with each beat
}

// New returns the site as it is on its first day.
func New() *Site {
	s := &Site{mux: http.NewServeMux(), plots: []string{"A01", "B07", "C12"}, heard: make(chan struct{})}
	for path, name := range fixed {
		pattern := "GET " + path
		if path == "/" {
			pattern = "GET /{$}"
		}
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) { page(w, http.StatusOK, name) })
	}
	s.mux.HandleFunc("GET /garden", s.garden)
	s.mux.HandleFunc("GET /journals", s.journalPage)
	s.mux.HandleFunc("POST /garden/{plot}", s.release)
	s.mux.HandleFunc("GET /reports/{file}", report)
	s.mux.HandleFunc("GET /museum/search", search)
	s.mux.HandleFunc("GET /museum/api/room/{id}", room)
	s.mux.HandleFunc("/beat", s.beat)
	s.mux.HandleFunc("GET /silence", silence)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { page(w, http.StatusNotFound, "gone") })
	return s
}

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Plots are the garden plots still let, in order.
func (s *Site) Plots() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.plots)
}

// Beats are the requests /beat has had, in order of arrival.
func (s *Site) Beats() []Beat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.beats)
}

// Await waits until /beat has had n requests, or ctx ends; it says which.
func (s *Site) Await(ctx context.Context, n int) bool {
	for {
		s.mu.Lock()
		count, heard := len(s.beats), s.heard
		s.mu.Unlock()
		if count >= n {
			return true
		}
		select {
		case <-heard:
		case <-ctx.Done():
			return false
		}
	}
}

func page(w http.ResponseWriter, status int, name string) {
	text, err := pages.ReadFile("pages/" + name + ".html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text) // a client that left needs no answer
}

func (s *Site) garden(w http.ResponseWriter, _ *http.Request) {
	shape, err := pages.ReadFile("pages/garden.html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var rows strings.Builder
	for _, plot := range s.Plots() {
		fmt.Fprintf(&rows, "<tr data-plot=\"%[1]s\"><td>%[1]s</td><td><button type=\"button\">Release</button></td></tr>\n", plot)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, strings.Replace(string(shape), "<!-- plots -->\n", rows.String(), 1))
}

func (s *Site) release(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.plots = slices.DeleteFunc(s.plots, func(plot string) bool { return plot == r.PathValue("plot") })
	s.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func (s *Site) beat(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.beats = append(s.beats, Beat{r.FormValue("n"), time.Now()})
	close(s.heard)
	s.heard = make(chan struct{})
	s.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// silence takes the request and answers only when the client has left.
func silence(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

var year = regexp.MustCompile(`^\d{4}\.csv$`)

func report(w http.ResponseWriter, r *http.Request) {
	if !year.MatchString(r.PathValue("file")) {
		page(w, http.StatusNotFound, "gone")
		return
	}
	w.Header().Set("Content-Type", "text/csv")
	w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
	fmt.Fprint(w, "month,total\n1,5\n")
}

type museumRoom struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Floor string `json:"floor"`
}

func search(w http.ResponseWriter, r *http.Request) {
	query := r.FormValue("q")
	var found []museumRoom
	for _, one := range []museumRoom{{1, "Clock Room", "2"}, {2, "Clock Store", "2"}} {
		if strings.Contains(strings.ToLower(one.Name), strings.ToLower(query)) {
			found = append(found, one)
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html>\n<title>Museum</title>\n")
	if len(found) == 0 {
		fmt.Fprint(w, `<p class="nothing">Nothing found</p>`)
		return
	}
	state, err := json.Marshal(map[string]any{"query": query, "rooms": found}) // escapes <, so it cannot end the script element
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, "<script>window.__ROOMS__ = %s;</script>", state)
}

func room(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 31)
	if err != nil {
		page(w, http.StatusNotFound, "gone")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":%d,"opens":"10:00"}`, id)
}

// Server is a Site on a loopback port of its own.
type Server struct {
	*Site
	// URL is the site's root by address, "http://127.0.0.1:port".
	URL    string
	server *http.Server
	done   chan struct{}
}

// Start serves a new Site until Close.
func Start() (*Server, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the fixture site: %w", err)
	}
	s := &Server{Site: New(), URL: "http://" + listener.Addr().String(), done: make(chan struct{})}
	s.server = &http.Server{Handler: s.Site, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.done)
		_ = s.server.Serve(listener) // ends with ErrServerClosed
	}()
	return s, nil
}

// Close ends every connection and waits for the listener.
func (s *Server) Close() error {
	err := s.server.Close()
	<-s.done
	return err
}
