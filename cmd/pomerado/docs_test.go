package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pomerado-go/pomerado/testdata/site"
)

// notRunHere are commands a document shows that this test does not run, with who does.
var notRunHere = map[string]string{
	"go run ./cmd/pomerado doctor --fix && go test ./...": ".ci/run runs it, word for word; it is what runs this test",
	"go install ./cmd/pomerado":                           "it would replace the user's own command; .ci/run builds the same",
	"go test ./...":                                       "it is what runs this test",
	"go vet ./...":                                        ".ci/run runs it",
}

var (
	fence = regexp.MustCompile("(?ms)^```(\\w+)\\n(.*?)^```$")
	// addresses that documents use for a site; the fixture site stands for each.
	addresses = regexp.MustCompile(`https://example\.com|http://127\.0\.0\.1:8799`)
)

// TestCommandsOfTheDocuments runs every command in a ```sh block of the documents, in order, in a folder that has the repository's testdata
// and the document's own files, and compares the ```json block that follows a command with what it printed.
func TestCommandsOfTheDocuments(t *testing.T) {
	for _, document := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "RATIONALE.md", "docs/architecture.md"} {
		t.Run(document, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", document))
			if err != nil {
				t.Fatal(err)
			}
			runBlocks(t, string(text))
		})
	}
}

func runBlocks(t *testing.T, text string) {
	server, err := site.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "testdata", "artifacts"), os.DirFS(filepath.Join("..", "..", "testdata", "artifacts"))); err != nil {
		t.Fatal(err)
	}
	blocks := fence.FindAllStringSubmatch(text, -1)
	for i, block := range blocks {
		if block[1] == "js" {
			if err := os.WriteFile(filepath.Join(dir, "links.mjs"), []byte(block[2]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if block[1] != "sh" {
			continue
		}
		answers := strings.Contains(block[2], "--answers answers.json")
		if answers {
			if err := os.WriteFile(filepath.Join(dir, "answers.json"), []byte(blocks[i+1][2]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for line := range strings.Lines(block[2]) {
			line = strings.TrimSpace(line)
			if notRunHere[line] != "" {
				continue
			}
			line = strings.ReplaceAll(addresses.ReplaceAllString(line, server.URL), "go run ./cmd/pomerado", "pomerado")
			command := exec.Command("sh", "-c", line)
			command.Dir = dir
			var stderr strings.Builder
			command.Stderr = &stderr
			out, err := command.Output()
			printed := strings.ReplaceAll(string(out), server.URL, "https://example.com")
			printed = strings.ReplaceAll(strings.ReplaceAll(printed, "Harbour Library", "Example Domain"), `"Home"`, `"Example Domain"`)
			shows := i+1 < len(blocks) && blocks[i+1][1] == "json" && !answers
			switch {
			case shows && printed != blocks[i+1][2]:
				t.Errorf("%s\nprinted:\n%s%s\nthe document says:\n%s", line, printed, &stderr, blocks[i+1][2])
			case !shows && (err != nil || printed == "" && !strings.Contains(line, " pack ")):
				t.Errorf("%s\nended with %v, printed %q\n%s", line, err, printed, &stderr)
			}
		}
	}
}
