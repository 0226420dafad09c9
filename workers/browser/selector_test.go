package browser

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func vectors(t *testing.T, name string, v any) {
	t.Helper()
	raw, err := os.ReadFile("inject/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
}

func TestLocatorTexts(t *testing.T) {
	var list map[string]string
	vectors(t, "aslocator.json", &list)
	for selector, want := range list {
		if got := asLocator(selector); got != want {
			t.Errorf("%s\n gives %s\n want  %s", selector, got, want)
		}
	}
}

func TestSelectorsAreCutAtFrames(t *testing.T) {
	var list []struct {
		Selector, Error string
		Chunks          []string
	}
	vectors(t, "frames.json", &list)
	for _, v := range list {
		path, err := splitFrames(v.Selector)
		if v.Error != "" {
			if err == nil || err.Error() != v.Error {
				t.Errorf("%s\n gives %v\n want  %s", v.Selector, err, v.Error)
			}
			continue
		}
		if err != nil || strings.Join(path, " | ") != strings.Join(v.Chunks, " | ") {
			t.Errorf("%s\n gives %q %v\n want  %q", v.Selector, path, err, v.Chunks)
		}
	}
}

func TestBuiltSelectors(t *testing.T) {
	yes := true
	for _, c := range []struct{ got, want string }{
		{selectorByText(Text{String: `say "hi"`}), `internal:text="say \"hi\""i`},
		{selectorByText(Text{RegExp: &RegExp{`it's "x" >> y`, "i"}}), `internal:text=/it\'s \"x\" \>\> y/i`},
		{selectorByLabel(Text{String: "A", Exact: true}), `internal:label="A"s`},
		{selectorByPlaceholder(Text{String: `a\b"c`}), `internal:attr=[placeholder="a\\b\"c"i]`},
		{selectorByTestID(Text{String: "x"}), `internal:testid=[data-testid="x"s]`},
		{selectorByRole("button", RoleOptions{Name: &Text{String: "Go"}, Exact: true, Pressed: &yes, Level: ptr(2)}), `internal:role=button[level=2][name="Go"s][pressed=true]`},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func FuzzSelectors(f *testing.F) {
	for _, s := range []string{"div >> nth=0", `internal:has="a >> internal:has=\"b\""`, "text='a >> b'", `internal:role=button[name="x\"y"i][level=1]`, ">>", "*css=a >> b", `internal:control=enter-frame`, "internal:attr=[a=/x[/]/i]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_ = asLocator(s)
		path, err := splitFrames(s)
		if err == nil && len(path) == 0 {
			t.Fatal("no chunk and no error")
		}
	})
}

func TestURLGlobs(t *testing.T) {
	for _, c := range []struct {
		base, glob, url string
		want            bool
	}{
		{"", "**/a.html", "http://x/b/a.html", true},
		{"", "**/a.html", "http://x/b/a.htmlx", false},
		{"", "http://x/*/c", "http://x/b/c", true},
		{"", "http://x/*/c", "http://x/b/d/c", false},
		{"", "http://x", "http://x/", true},
		{"", "**/*.{png,jpg}", "http://x/y.jpg", true},
		{"", "**/*.{png,jpg}", "http://x/y.gif", false},
		{"", "http://x/y?z=*", "http://x/y?z=12", true},
		{"", "http://x/y?z", "http://x/yaz", false},
		{"", "*//x/**", "http://x/y", true},
		{"", "http*://x/y", "https://x/y", true},
		{"http://x/a/", "b/*", "http://x/a/b/c", true},
		{"http://x/a/", "/b/*", "http://x/b/c", true},
		{"", "about:blank", "about:blank", true},
		{"", `**/\*`, "http://x/*", true},
	} {
		got, err := URLMatch{Glob: c.glob}.matches(t.Context(), c.base, c.url)
		if err != nil || got != c.want {
			t.Errorf("%q on %s: %v %v", c.glob, c.url, got, err)
		}
	}
	if _, err := (URLMatch{Glob: "**/{a"}).matches(t.Context(), "", "http://x/"); err == nil || err.Error() != `Invalid glob pattern "**/{a": unmatched '{'` {
		t.Error(err)
	}
}

func FuzzURLGlobs(f *testing.F) {
	f.Add("**/{a,b}*?x", "http://x/a", "http://b/")
	f.Add(`\`, "", ":")
	f.Fuzz(func(t *testing.T, glob, url, base string) {
		_, _ = URLMatch{Glob: glob}.matches(t.Context(), base, url)
	})
}
