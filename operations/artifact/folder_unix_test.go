//go:build unix

package artifact

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestALinkAnywhereOnThePathIsRefused(t *testing.T) {
	for name, r := range map[string]struct {
		swap func(dir string) error
		path string
	}{
		"the file": {func(dir string) error {
			if err := os.Rename(filepath.Join(dir, "src/heading.mjs"), filepath.Join(dir, "src/real.mjs")); err != nil {
				return err
			}
			return os.Symlink("real.mjs", filepath.Join(dir, "src/heading.mjs"))
		}, "src/heading.mjs"},
		"its folder": {func(dir string) error {
			if err := os.Rename(filepath.Join(dir, "src"), filepath.Join(dir, "real")); err != nil {
				return err
			}
			return os.Symlink("real", filepath.Join(dir, "src"))
		}, "src/tool.mjs"},
		"the manifest": {func(dir string) error {
			if err := os.Rename(filepath.Join(dir, ManifestName), filepath.Join(dir, "real.json")); err != nil {
				return err
			}
			return os.Symlink("real.json", filepath.Join(dir, ManifestName))
		}, ManifestName},
		"the deployment, which is nowhere": {func(dir string) error { return os.Symlink("nowhere", filepath.Join(dir, DeploymentName)) }, DeploymentName},
		"a loop": {func(dir string) error {
			os.Remove(filepath.Join(dir, "src/heading.mjs"))
			return os.Symlink("heading.mjs", filepath.Join(dir, "src/heading.mjs"))
		}, "src/heading.mjs"},
	} {
		dir := folderOf(t, whole())
		if err := r.swap(dir); err != nil {
			t.Fatal(err)
		}
		_, err := Load(dir)
		refused(t, name, err, refusal{code: SymlinkOnPath, path: r.path})
	}

	dir := folderOf(t, whole())
	manifest := strings.Replace(heading, `"questions"`, `"signIn":{"recipe":"auth-fill.json","entryUrl":"https://x.test/login"},"questions"`, 1)
	if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("src/tool.mjs", filepath.Join(dir, RecipeName)); err != nil {
		t.Fatal(err)
	}
	_, err := Load(dir)
	refused(t, "the recipe", err, refusal{code: MissingRecipe, path: RecipeName, reason: "invalid"})
}

// None of these must be opened in a way that waits.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"a pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a socket": func(path string) error {
			listener, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { listener.Close() })
			}
			return err
		},
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		dir := folderOf(t, whole())
		path := filepath.Join(dir, "src/heading.mjs")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := make(path); err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		_, err := Load(dir)
		refused(t, name, err, refusal{code: NotRegular, path: "src/heading.mjs"})
	}
}

func TestLoadingLeavesNoFileOpen(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	good, bad := folderOf(t, whole()), folderOf(t, map[string]string{ManifestName: heading})
	load := func() {
		if _, err := Load(good); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(bad); err == nil {
			t.Fatal("loads without its files")
		}
	}
	load()
	before := count()
	for range 20 {
		load()
	}
	if after := count(); after > before {
		t.Errorf("%d files open before, %d after", before, after)
	}
}
