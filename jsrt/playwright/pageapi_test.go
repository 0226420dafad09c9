package playwright

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/page-api.md anew")

// notYet are refused members that nothing forbids: what is missing is the work.
var notYet = []string{
	"BrowserContext.routeWebSocket", "BrowserContext.serviceWorkers", "BrowserContext.setStorageState",
	"Page.coverage", "Page.routeWebSocket", "Page.screencast", "Route.fetch",
}

const pageAPIHead = `# What page code has of Playwright's API

Made from the mapping itself: ` + "`go test ./jsrt/playwright -run PageAPI -update`" + `. ` + "`mapped`" + ` members behave as Playwright documents them, and
[conformance.md](conformance.md) says where they differ. Reading a member that is refused, or not there yet, throws an Error that says so.
`

// pageAPI is the document.
func pageAPI(t *testing.T) string {
	var b strings.Builder
	b.WriteString(pageAPIHead)
	open := slices.Clone(notYet)
	for _, m := range mappings {
		c := m.class()
		fmt.Fprintf(&b, "\n## %s\n\n| Member | Here |\n|---|---|\n", c.name)
		var names []string
		for _, one := range c.members() {
			names = append(names, "`"+one.name+"`")
		}
		slices.Sort(names)
		if c.base != nil {
			fmt.Fprintf(&b, "| all of %s | mapped |\n", c.base().name)
		}
		fmt.Fprintf(&b, "| %s | mapped |\n", strings.Join(names, ", "))
		if c.refused == nil {
			continue
		}
		refused := c.refused()
		for _, name := range slices.Sorted(maps.Keys(refused)) {
			state := "refused"
			if i := slices.Index(open, c.name+"."+name); i >= 0 {
				state = "not yet"
				open = slices.Delete(open, i, i+1)
			}
			fmt.Fprintf(&b, "| `%s` | %s: %s |\n", name, state, refused[name])
		}
	}
	if len(open) > 0 {
		t.Errorf("not refused by any class: %v", open)
	}
	b.WriteString("\n## Methods of the engine that page code does not get\n\n| Method | Why |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(exceptions)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, exceptions[name])
	}
	return b.String()
}

func TestPageAPIDocumentIsTheMapping(t *testing.T) {
	const path = "../../docs/page-api.md"
	want := pageAPI(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Error("docs/page-api.md is not what the mapping says: run go test ./jsrt/playwright -run PageAPI -update")
	}
}
