// Package npm reads real packages for tests that bring them beside a tool. It runs in tests and knows nothing of the product.
package npm

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Folder names the environment variable with the folder where `npm install effect@3.22` was run.
const Folder = "EFFECT_DIR"

// Effect gives the modules of the real effect package and of what it needs: path below the folder, with slashes, to content. It fails the
// test when there is none.
func Effect(t testing.TB) map[string][]byte {
	t.Helper()
	root := os.Getenv(Folder)
	if root == "" {
		t.Fatalf("%s must name the folder that holds node_modules/effect", Folder)
	}
	files := map[string][]byte{}
	for _, name := range []string{"effect", "fast-check", "pure-rand", "@standard-schema/spec"} {
		err := filepath.WalkDir(filepath.Join(root, "node_modules", name), func(path string, entry fs.DirEntry, err error) error {
			keep := strings.HasSuffix(path, ".js") && !strings.Contains(path, "/cjs/") || entry != nil && entry.Name() == "package.json"
			if err != nil || entry.IsDir() || !keep {
				return err
			}
			relative, err := filepath.Rel(root, path)
			if err == nil {
				files[filepath.ToSlash(relative)], err = os.ReadFile(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
