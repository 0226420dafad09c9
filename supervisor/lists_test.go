package supervisor_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/cursor"
	"github.com/pomerado-go/pomerado/operations/outcome"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/testdata/artifacts"
)

// listPage is what a list tool answers; the journals and the letters alike.
type listPage struct {
	Journals []struct {
		ID string `json:"id"`
	} `json:"journals"`
	Letters []struct {
		Ref string `json:"ref"`
	} `json:"letters"`
	Next    *string    `json:"next_cursor"`
	Expires *time.Time `json:"next_cursor_expires_at"`
	More    bool       `json:"has_more"`
	Total   *int       `json:"total_results"`
	Changed bool       `json:"list_changed"`
	Why     string     `json:"next_cursor_unavailable"`
}

func (p listPage) ids() []string {
	var out []string
	for _, one := range p.Journals {
		out = append(out, one.ID)
	}
	for _, one := range p.Letters {
		out = append(out, one.Ref)
	}
	return out
}

func journals(t testing.TB) *artifact.Artifact {
	t.Helper()
	a, err := artifact.Load(filepath.Join("..", "testdata", "artifacts", artifacts.Journals))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func readPage(t testing.TB, s *supervisor.Supervisor, a *artifact.Artifact, url, input string) listPage {
	t.Helper()
	out, err := s.Run(t.Context(), supervisor.Request{Artifact: a, URL: url, Effect: outcome.Read, Input: json.RawMessage(input)})
	if err != nil {
		t.Fatal(err)
	}
	if out.Status != outcome.Completed {
		t.Fatalf("%s: %s (%+v)", input, out.Error, out.Details)
	}
	var page listPage
	if err := json.Unmarshal(out.Output, &page); err != nil {
		t.Fatalf("%s: %v", out.Output, err)
	}
	if page.Next != nil && (!strings.HasPrefix(*page.Next, "pc1.") || page.Expires == nil) {
		t.Errorf("next_cursor %s until %v", *page.Next, page.Expires)
	}
	return page
}

// goOn is an input with a cursor.
func goOn(extra string, page listPage) string {
	return fmt.Sprintf(`{%s"cursor":%q}`, extra, *page.Next)
}

func numbered(prefix string, from, to int) []string {
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, fmt.Sprintf("%s-%03d", prefix, n))
	}
	return out
}

// Sixty rows on pages of seven, by links with an address, by links that change the page in place, and with sponsored copies between.
func TestAListIsReadInParts(t *testing.T) {
	t.Parallel()
	s, at := newSupervisor(t), startSite(t)
	a := journals(t)
	for _, view := range []string{"", `"view":"script",`, `"view":"ads",`} {
		first := readPage(t, s, a, at.URL, "{"+view+`"limit":20}`)
		second := readPage(t, s, a, at.URL, goOn(view, first))
		third := readPage(t, s, a, at.URL, goOn(view, second))
		for i, page := range []listPage{first, second, third} {
			if got, want := page.ids(), numbered("J", i*20+1, i*20+20); !slices.Equal(got, want) {
				t.Errorf("%s call %d: %v, want %v", view, i+1, got, want)
			}
			if last := i == 2; page.More == last || (page.Next == nil) != last || page.Changed || page.Why != "" || page.Total == nil || *page.Total != 60 {
				t.Errorf("%s call %d: more %v, next %v, changed %v, why %q, total %v", view, i+1, page.More, page.Next, page.Changed, page.Why, page.Total)
			}
		}
	}
}

func TestAListThatChangedSaysSoAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	s, at := newSupervisor(t), startSite(t)
	a := journals(t)
	first := readPage(t, s, a, at.URL, `{}`)
	at.Publish(3)
	second := readPage(t, s, a, at.URL, goOn("", first))
	if !second.Changed || !slices.Equal(second.ids(), numbered("J", 21, 40)) || *second.Total != 63 {
		t.Errorf("changed %v, total %d, rows %v", second.Changed, *second.Total, second.ids())
	}
	third := readPage(t, s, a, at.URL, goOn("", second))
	if third.Changed || third.More || !slices.Equal(third.ids(), numbered("J", 41, 60)) {
		t.Errorf("changed %v, more %v, rows %v", third.Changed, third.More, third.ids())
	}
}

// A list that a button makes longer, as tools of released versions read it.
func TestAListThatGrowsIsReadInParts(t *testing.T) {
	t.Parallel()
	s, at := newSupervisor(t), startSite(t)
	a := example(t, "3b-list-manual.js").save(t)
	first := readPage(t, s, a, at.URL, `{}`)
	second := readPage(t, s, a, at.URL, goOn("", first))
	var want []string
	for n := 100; n > 66; n-- {
		want = append(want, fmt.Sprintf("L-%d", n))
	}
	if got := append(first.ids(), second.ids()...); !slices.Equal(got, want) || len(first.Letters) != 20 || !first.More || second.More || second.Changed {
		t.Errorf("%v and %v, more %v then %v", first.ids(), second.ids(), first.More, second.More)
	}
}

func TestAListOfOnePageHasNoNext(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	wantJSON(t, example(t, "3-list-pager.js").execute(t, s, at.URL, reading, withInput(`{"topic":"maps"}`)),
		`{"items":[{"sku":"k1","title":"Sea map","promoted":false},{"sku":"k2","title":"Road map","promoted":true}],
"next_cursor":null,"next_cursor_expires_at":null,"has_more":false,"total_results":2,"list_changed":false}`)
}

// gatherer is a pager over a Load more button, told by its words alone, and over a list that grows when it is scrolled.
func gatherer(start string) operation {
	return operation{source: `import { defineOperation, pagedListReader, paginationCode, readList, startList } from "pomerado/runtime";
export default defineOperation({ name: "tool", input: {}, output: {} }, async ({ kernel, sessionId, siteOrigin, input, errors }) => {
  const list = startList(input, { mechanism: "append" });
  const reader = pagedListReader({
    run: async (code) => {
      const reply = await kernel.browsers.playwright.execute(sessionId, { code: paginationCode + code });
      if (!reply.success) throw new errors.OperationFailure(reply.error, { stderr: reply.stderr });
      return reply.result;
    },
    start: ` + start + `,
    rows: "li", key: { attribute: "data-ref" },
  });
  const { rows, fields } = await readList(list, reader);
  return { letters: rows.map(({ key }) => ({ ref: key })), ...fields };
});`}
}

func TestThePagerFindsItsWay(t *testing.T) {
	t.Parallel()
	s, at := newSupervisor(t), startSite(t)
	grows := "`await page.setContent(${JSON.stringify(`<ol style=\"height:200px;overflow:auto\"></ol><script>" +
		"const ol = document.querySelector('ol'); let n = 0; const add = () => { for (const end = Math.min(n + 10, 34); n < end; n++) { const li = document.createElement('li'); li.dataset.ref = 'L-' + (100 - n); li.textContent = 'Letter ' + n; li.style.height = '60px'; ol.append(li); } };" +
		"add(); ol.addEventListener('scroll', () => { if (ol.scrollTop + ol.clientHeight > ol.scrollHeight - 20) setTimeout(add, 50); });</script>`)});`"
	for name, start := range map[string]string{"a button": "`await page.goto(${JSON.stringify(siteOrigin + '/letters')});`", "scrolling": grows} {
		t.Run(name, func(t *testing.T) {
			a := gatherer(start).save(t)
			first := readPage(t, s, a, at.URL, `{"limit":15}`)
			second := readPage(t, s, a, at.URL, goOn("", first))
			var want []string
			for n := 100; n > 66; n-- {
				want = append(want, fmt.Sprintf("L-%d", n))
			}
			if got := append(first.ids(), second.ids()...); !slices.Equal(got, want) || len(first.Letters) != 15 || !first.More || second.More || second.Changed {
				t.Errorf("%v and %v, more %v then %v", first.ids(), second.ids(), first.More, second.More)
			}
		})
	}
}

// ---- cursors that may not continue -----------------------------------------------------------------------------------

var draft = json.RawMessage(`{"next_cursor":"pcd1.eyJtIjoicGFnZXMiLCJwb3MiOnsicGFnZSI6Miwib2Zmc2V0IjowfSwibiI6NywicyI6W119","has_more":true}`)

// cursorOf seals a position of the journals' second page for a list.
func cursorOf(t testing.TB, key cursor.Key, list cursor.List, input string, at time.Time) string {
	t.Helper()
	keys, err := cursor.NewKeys(key)
	if err != nil {
		t.Fatal(err)
	}
	out, err := keys.Seal(list, json.RawMessage(input), draft, at)
	if err != nil {
		t.Fatal(err)
	}
	var fields listPage
	if err := json.Unmarshal(out, &fields); err != nil || fields.Next == nil {
		t.Fatalf("%s, %v", out, err)
	}
	return *fields.Next
}

// Nothing is started for a cursor that is refused: the browser of this supervisor does not exist.
func TestCursorsThatMayNotContinueAreRefusedBeforeAnythingStarts(t *testing.T) {
	key, other := cursor.NewKey(), cursor.NewKey()
	s := newSupervisor(t, func(o *supervisor.Options) {
		o.CursorKeys, o.Browser = []cursor.Key{key}, supervisor.BrowserOptions{Path: "/bin/false"}
	})
	a := journals(t)
	here := cursor.List{Operation: cursor.OperationText("https://shop.example", a.Entrypoint, a.SourceDigest())}
	now := time.Now()
	good := cursorOf(t, key, here, `{}`, now)
	edited := good[:len(good)-1] + map[bool]string{true: "B", false: "A"}[strings.HasSuffix(good, "A")]
	changed := *a
	changed.Files = []artifact.File{{Path: a.Entrypoint, Content: append(slices.Clone(a.Files[0].Content), '\n')}}
	for _, tt := range []struct {
		name, cursor, url, subject, input string
		a                                 *artifact.Artifact
		kind                              cursor.Kind
	}{
		{name: "of another tool", cursor: cursorOf(t, key, cursor.List{Operation: "another"}, `{}`, now), kind: cursor.OtherTool},
		{name: "of this tool before it changed", cursor: good, a: &changed, kind: cursor.OtherTool},
		{name: "of another site", cursor: good, url: "https://other.example", kind: cursor.OtherTool},
		{name: "of another account", cursor: good, subject: "somebody", kind: cursor.OtherAccount},
		{name: "of another input", cursor: good, input: `"view":"ads",`, kind: cursor.InputsChanged},
		{name: "edited", cursor: edited, kind: cursor.Altered},
		{name: "expired", cursor: cursorOf(t, key, here, `{}`, now.Add(-cursor.TTL)), kind: cursor.Expired},
		{name: "of another server", cursor: cursorOf(t, other, here, `{}`, now), kind: cursor.UnknownKey},
		{name: "of a later version", cursor: "pc2" + good[3:], kind: cursor.Version},
		{name: "a draft", cursor: "pcd1.e30", kind: cursor.Malformed},
		{name: "any text", cursor: "page 2", kind: cursor.Malformed},
		{name: "longer than the schema takes", cursor: strings.Repeat("x", 3000), kind: cursor.Malformed},
	} {
		req := supervisor.Request{Artifact: a, URL: "https://shop.example", Effect: outcome.Read, Subject: tt.subject, Input: json.RawMessage(fmt.Sprintf(`{%s"cursor":%q}`, tt.input, tt.cursor))}
		if tt.a != nil {
			req.Artifact = tt.a
		}
		if tt.url != "" {
			req.URL = tt.url
		}
		out, err := s.Run(t.Context(), req)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if out.Code != outcome.InputRejected || out.Details.Field != "cursor" || out.Details.Kind != string(tt.kind) || out.Retry != outcome.FixInput || *out.PossibleCommit {
			t.Errorf("%s: %s, %+v, want input_rejected and kind %s", tt.name, out.Code, out.Details, tt.kind)
		}
		if !strings.Contains(out.Error, "without a cursor") || strings.Contains(out.Error, tt.cursor) {
			t.Errorf("%s: %s", tt.name, out.Error)
		}
	}
}

func TestACursorLivesAsLongAsItsKey(t *testing.T) {
	at := startSite(t)
	key, next := cursor.NewKey(), cursor.NewKey()
	with := func(keys ...cursor.Key) *supervisor.Supervisor {
		return newSupervisor(t, func(o *supervisor.Options) { o.CursorKeys = keys })
	}
	a := journals(t)
	first := readPage(t, with(key), a, at.URL, `{"limit":3}`)
	rotated := readPage(t, with(next, key), a, at.URL, goOn(`"limit":3,`, first))
	if !slices.Equal(rotated.ids(), numbered("J", 4, 6)) || !strings.HasPrefix(*rotated.Next, "pc1."+next.ID+".") {
		t.Errorf("%v, %s", rotated.ids(), *rotated.Next)
	}
	out, err := newSupervisor(t).Run(t.Context(), supervisor.Request{Artifact: a, URL: at.URL, Input: json.RawMessage(goOn("", first))})
	if err != nil || out.Details.Kind != string(cursor.UnknownKey) {
		t.Errorf("without the key: %+v, %v", out.Details, err)
	}
	if _, err := supervisor.New(supervisor.Options{CursorKeys: []cursor.Key{{ID: "k", Secret: []byte("short")}}}); err == nil {
		t.Error("a short secret is taken")
	}
}

// What a script writes in place of a draft never reaches the caller, nor does a draft that leads away.
func TestOnlySealedCursorsReachTheCaller(t *testing.T) {
	s, at := newSupervisor(t), startSite(t)
	away := operation{source: `import { defineOperation, startList, finishList } from "pomerado/runtime";
export default defineOperation({ name: "tool", input: {}, output: {} }, async ({ input }) => finishList(startList(input, { mechanism: "next_link" }), {
  rows: [{ id: "a" }], keyOf: (row) => row.id, next: { offset: 1, href: input.href }, hasMore: true, totalResults: 7, listChanged: false }));`}
	if got := readPage(t, s, away.save(t), at.URL, `{"href":"https://elsewhere.example/2"}`); got.Next != nil || got.Why != "off_site" || !got.More {
		t.Errorf("%+v", got)
	}
	if got := readPage(t, s, away.save(t), at.URL, fmt.Sprintf(`{"href":%q}`, at.URL+"/2")); got.Next == nil || got.Why != "" {
		t.Errorf("%+v", got)
	}
	own := operation{script: `return { next_cursor: "page 2", has_more: true };`}
	if got := readPage(t, s, own.save(t), at.URL, `{}`); got.Next != nil || got.Why != "not_a_draft" {
		t.Errorf("%+v", got)
	}
	turned := operation{source: `import { defineOperation, startList, finishList } from "pomerado/runtime";
export default defineOperation({ name: "tool", input: {}, output: {} }, async ({ input }) => finishList(startList(input, { mechanism: input.limit === 1 ? "pages" : "api" }), {
  rows: [], keyOf: String, next: { offset: 0, page: 2 }, hasMore: true, totalResults: null, listChanged: false }));`}.save(t)
	first := readPage(t, s, turned, at.URL, `{"limit":1}`)
	out, err := s.Run(t.Context(), supervisor.Request{Artifact: turned, URL: at.URL, Effect: outcome.Read, Input: json.RawMessage(goOn("", first))})
	if err != nil || out.Code != outcome.InputRejected || out.Details.Field != "cursor" || out.Details.Kind != "mechanism_changed" {
		t.Errorf("%s %+v, %v", out.Code, out.Details, err)
	}
}
