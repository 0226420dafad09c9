package site

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// What the list of journals has on the site's first day, and how many a page shows.
const (
	journalCount = 60
	journalsPage = 7
)

// Publish adds n journals at the top of the list.
func (s *Site) Publish(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.added += n
}

// journals are the list's numbers in the site's order, newest first.
func (s *Site) journals() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for n := s.added; n > 0; n-- {
		out = append(out, fmt.Sprintf("N-%03d", n))
	}
	for n := 1; n <= journalCount; n++ {
		out = append(out, fmt.Sprintf("J-%03d", n))
	}
	return out
}

// journalPage is one page of the list. With script=1 its links change the list in place and leave the address alone; with ads=1 each page
// begins with a sponsored copy of its last journal.
func (s *Site) journalPage(w http.ResponseWriter, r *http.Request) {
	all := s.journals()
	last := (len(all) + journalsPage - 1) / journalsPage
	number, err := strconv.Atoi(r.FormValue("page"))
	if r.FormValue("page") == "" {
		number, err = 1, nil
	}
	if err != nil || number < 1 || number > last {
		page(w, http.StatusNotFound, "gone")
		return
	}
	shown := all[(number-1)*journalsPage : min(number*journalsPage, len(all))]
	var rows strings.Builder
	row := func(id, more string) {
		fmt.Fprintf(&rows, "<li data-id=%q><span class=\"title\">Volume %s</span>%s</li>\n", id, id, more)
	}
	extra := ""
	for _, name := range []string{"ads", "script"} {
		if r.FormValue(name) != "" {
			extra += "&" + name + "=1"
		}
	}
	if r.FormValue("ads") != "" {
		row(shown[len(shown)-1], ` <b class="ad">Sponsored</b>`)
	}
	for _, id := range shown {
		row(id, "")
	}
	link := func(to int, label, relation string) string {
		return fmt.Sprintf("<a href=\"/journals?page=%d%s\"%s>%s</a>\n", to, extra, relation, label)
	}
	var pager strings.Builder
	for n := 1; n <= last; n++ {
		if n == number {
			fmt.Fprintf(&pager, "<b aria-current=\"page\">%d</b>\n", n)
			continue
		}
		pager.WriteString(link(n, strconv.Itoa(n), ""))
	}
	if number < last {
		pager.WriteString(link(number+1, "Next", ` rel="next"`))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Journals</title></head>
<body>
<main>
<p id="count">%d journals</p>
<ol id="journals">
%s</ol>
<nav aria-label="Pages">
%s</nav>
</main>
`, len(all), rows.String(), pager.String())
	if r.FormValue("script") != "" {
		fmt.Fprint(w, `<script>
document.addEventListener("click", async (event) => {
  const link = event.target.closest("nav a");
  if (!link) return;
  event.preventDefault();
  const next = new DOMParser().parseFromString(await (await fetch(link.href)).text(), "text/html");
  document.querySelector("main").replaceWith(next.querySelector("main"));
});
</script>
`)
	}
	fmt.Fprint(w, "</body>\n</html>\n")
}
