package chromium

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program makes a file that counts as a program of this system.
func program(t *testing.T, elem ...string) string {
	t.Helper()
	path := filepath.Join(elem...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("\x7fELF and more"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func script(t *testing.T, text string, elem ...string) string {
	t.Helper()
	path := program(t, elem...)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindPrefersTheHeadlessShellUnlessAWindowIsWanted(t *testing.T) {
	dir := t.TempDir()
	shell, full := program(t, dir, "chromium-headless-shell"), program(t, dir, "chromium")
	t.Setenv("PATH", dir)
	if found, err := Find(FindOptions{}); err != nil || found != (Found{shell, HeadlessShell}) {
		t.Errorf("without a window: %+v, %v", found, err)
	}
	if found, err := Find(FindOptions{Headed: true}); err != nil || found != (Found{full, Chromium}) {
		t.Errorf("with a window: %+v, %v", found, err)
	}
	if _, err := Find(FindOptions{Path: shell, Headed: true}); err == nil || !strings.Contains(err.Error(), "cannot show a window") {
		t.Errorf("the headless shell with a window: %v", err)
	}
}

func TestFindFollowsLauncherScriptsToTheProgram(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name, text string
		want       Found
	}{
		{"chromium-headless-shell", "#!/bin/sh -e\n\n" + dir + "/lib/chromium-headless-shell \"$@\"\n", Found{program(t, dir, "lib", "chromium-headless-shell"), HeadlessShell}},
		{"chromium", "#!/bin/sh\nAPPNAME=chromium\nGDB=/usr/bin/gdb\nLIBDIR=" + dir + "/lib/$APPNAME\nexec $LIBDIR/$APPNAME $CHROMIUM_FLAGS \"$@\"\n", Found{program(t, dir, "lib", "chromium", "chromium"), Chromium}},
		{"google-chrome", "#!/bin/bash\n# /opt/x/chrome is not it\nHERE=\"`dirname \"$0\"`\"\nexec -a \"$0\" \"$HERE/chrome\" \"$@\"\n", Found{program(t, dir, "bin", "chrome"), Chrome}},
	}
	for _, test := range tests {
		path := script(t, test.text, dir, "bin", test.name)
		link := filepath.Join(dir, "link-"+test.name)
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		if found, err := Find(FindOptions{Path: link}); err != nil || found != test.want {
			t.Errorf("%s leads to %+v, %v; want %+v", test.name, found, err, test.want)
		}
	}
}

func TestFindResolvesTheInstalledLaunchers(t *testing.T) {
	for launcher, want := range map[string]Found{
		"/usr/bin/chromium-headless-shell": {"/usr/lib/chromium/chromium-headless-shell", HeadlessShell},
		"/usr/bin/chromium":                {"/usr/lib/chromium/chromium", Chromium},
	} {
		if _, err := os.Stat(launcher); err != nil {
			continue
		}
		if found, err := Find(FindOptions{Path: launcher}); err != nil || found != want {
			t.Errorf("%s leads to %+v, %v; want %+v", launcher, found, err, want)
		}
	}
}

func TestFindSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	lost := script(t, "#!/bin/sh\nexec /nowhere/chromium\n", dir, "chromium-lost")
	text := script(t, "hello", dir, "notes")
	snap := program(t, dir, "snap")
	for path, want := range map[string]string{
		filepath.Join(dir, "missing"): "no such file",
		lost:                          "is a script, and the browser it starts was not found",
		text:                          "is not a browser",
		snap:                          "is a snap",
	} {
		if _, err := Find(FindOptions{Path: path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if _, err := Find(FindOptions{Path: filepath.Join(dir, "missing")}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a missing browser gives %v", err)
	}
}
