package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine puts programs on an otherwise empty PATH. Each notes its command line in the returned file and ends with the code given for its
// arguments, 0 when none is.
func machine(t *testing.T, tools map[string]string) (log string) {
	t.Helper()
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	for name, cases := range tools {
		text := "#!/bin/sh\necho \"" + name + " $*\" >> " + log + "\ncase \"$*\" in\n" + cases + "\nesac\nexit 0\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	return log
}

func ran(t *testing.T, log string) string {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

func installer(t *testing.T) (*app, func() string) {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stderr.Close(); stdin.Close() })
	return &app{ctx: t.Context(), stdin: stdin, stdout: stderr, stderr: stderr}, func() string {
		text, err := os.ReadFile(stderr.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

func TestBrowserComesThroughThePackageManagerThatIsHere(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("as an ordinary user every command goes through sudo")
	}
	for name, one := range map[string]struct {
		tools map[string]string
		want  string
	}{
		"apt-get": {map[string]string{"apt-get": "", "dnf": ""}, "apt-get update\napt-get install -y --no-install-recommends chromium-headless-shell\n"},
		"apt-get without the headless shell": {map[string]string{"apt-get": "*headless*) exit 100;;"},
			"apt-get update\napt-get install -y --no-install-recommends chromium-headless-shell\napt-get install -y --no-install-recommends chromium\n"},
		"apt-get whose lists cannot be renewed": {map[string]string{"apt-get": "update) exit 100;;"}, "apt-get update\napt-get install -y --no-install-recommends chromium-headless-shell\n"},
		"dnf":                                   {map[string]string{"dnf": ""}, "dnf install -y chromium-headless\n"},
		"apk":                                   {map[string]string{"apk": ""}, "apk add chromium\n"},
		"pacman":                                {map[string]string{"pacman": ""}, "pacman -Sy --noconfirm chromium\n"},
		"brew":                                  {map[string]string{"brew": ""}, "brew install --cask chromium\n"},
	} {
		t.Run(name, func(t *testing.T) {
			log := machine(t, one.tools)
			a, said := installer(t)
			if err := installBrowser(a); err != nil {
				t.Fatal(err)
			}
			if got := ran(t, log); got != one.want {
				t.Errorf("ran:\n%swant:\n%s", got, one.want)
			}
			for line := range strings.Lines(one.want) {
				if !strings.Contains(said(), "pomerado: running: "+strings.TrimSpace(line)+".\n") {
					t.Errorf("it did not say that it runs %s; it said:\n%s", line, said())
				}
			}
		})
	}
}

func TestAFailedInstallNamesTheCommandToType(t *testing.T) {
	machine(t, map[string]string{"apt-get": "*) exit 100;;", "sudo": "*) exit 1;;"})
	a, _ := installer(t)
	err := installBrowser(a)
	var f *failure
	if !errors.As(err, &f) || f.code != exitNoBrowser {
		t.Fatalf("got %v", err)
	}
	want := "apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell"
	if os.Geteuid() != 0 {
		want = "sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium-headless-shell"
	}
	if !strings.HasSuffix(f.advice, ": "+want) {
		t.Errorf("the advice is %q", f.advice)
	}
}

func TestWithoutAPackageManagerTheAdviceIsByHand(t *testing.T) {
	machine(t, nil)
	a, _ := installer(t)
	err := installBrowser(a)
	var f *failure
	if !errors.As(err, &f) || f.code != exitNoBrowser || !errors.Is(err, errNoPackager) || !strings.Contains(f.advice, "by hand") {
		t.Fatalf("got %v", err)
	}
}
