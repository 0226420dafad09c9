package chromium

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Product names what was found.
type Product string

const (
	HeadlessShell Product = "chromium-headless-shell"
	Chromium      Product = "chromium"
	Chrome        Product = "chrome"
)

// ErrNotFound says that no browser is installed, or not where it was said to be.
var ErrNotFound = errors.New("no browser was found")

// FindOptions say which browser is wanted.
type FindOptions struct {
	// Path names the browser; when set nothing else is looked at. Callers put --browser or POMERADO_BROWSER here.
	Path string
	// Headed leaves out the headless shell, which cannot show a window.
	Headed bool
}

// Found is a browser on this machine.
type Found struct {
	// Path is the program itself, never a script that starts it: a signal tied to the script's life would not reach the browser.
	Path    string
	Product Product
}

// names are the commands looked for on PATH, in order of preference.
var names = []struct {
	command string
	product Product
}{
	{"chromium-headless-shell", HeadlessShell},
	{"chrome-headless-shell", HeadlessShell},
	{"headless_shell", HeadlessShell},
	{"chromium", Chromium},
	{"chromium-browser", Chromium},
	{"google-chrome", Chrome},
	{"google-chrome-stable", Chrome},
	{"chrome", Chrome},
}

// places are looked at when PATH has none of the names.
var places = []string{
	"/usr/lib/chromium/chromium-headless-shell",
	"/usr/lib/chromium/chromium",
	"/usr/lib/chromium-browser/chromium-browser",
	"/usr/lib64/chromium-browser/chromium-browser",
	"/opt/google/chrome/chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
}

// Find looks for a browser: the named one, else the headless shell (when no window is wanted), Chromium, Google Chrome.
func Find(options FindOptions) (Found, error) {
	if options.Path != "" {
		path, err := exec.LookPath(options.Path)
		if err != nil {
			return Found{}, fmt.Errorf("%w at %q: %w. Name the program of Chromium or Chrome", ErrNotFound, options.Path, errors.Unwrap(err))
		}
		found, err := resolve(path)
		if err != nil {
			return Found{}, err
		}
		if options.Headed && found.Product == HeadlessShell {
			return Found{}, fmt.Errorf("%q is the headless shell, which cannot show a window. Name Chromium or Chrome, or run without a window", found.Path)
		}
		return found, nil
	}
	var reasons []error
	for _, name := range names {
		if options.Headed && name.product == HeadlessShell {
			continue
		}
		path, err := exec.LookPath(name.command)
		if err != nil {
			continue
		}
		found, err := resolve(path)
		if err == nil {
			return found, nil
		}
		reasons = append(reasons, err)
	}
	for _, path := range places {
		product := productOf(path)
		if options.Headed && product == HeadlessShell || !isProgram(path) {
			continue
		}
		return Found{Path: path, Product: product}, nil
	}
	if err := errors.Join(reasons...); err != nil {
		return Found{}, fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return Found{}, fmt.Errorf("%w. Install Chromium (on Debian: apt-get install chromium-headless-shell), or name one with --browser or POMERADO_BROWSER", ErrNotFound)
}

// resolve follows links and launcher scripts to the program.
func resolve(path string) (Found, error) {
	if program, err := filepath.EvalSymlinks(path); err == nil {
		path = program
	}
	if isProgram(path) {
		if filepath.Base(path) == "snap" {
			return Found{}, fmt.Errorf("%q is a snap, whose confinement keeps its files and pipes from us. Install Chromium as a package", path)
		}
		return Found{Path: path, Product: productOf(path)}, nil
	}
	script, err := readScript(path)
	if err != nil {
		return Found{}, fmt.Errorf("%q is not a browser: %w", path, err)
	}
	for _, candidate := range startedBy(path, script) {
		if program, err := filepath.EvalSymlinks(candidate); err == nil && isProgram(program) && isBrowserName(program) {
			return Found{Path: program, Product: productOf(program)}, nil
		}
	}
	return Found{}, fmt.Errorf("%q is a script, and the browser it starts was not found. Name the browser's own program", path)
}

// maxScript bounds a launcher script; Debian's is 5 KiB.
const maxScript = 256 << 10

func readScript(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	script, err := io.ReadAll(io.LimitReader(file, maxScript))
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(script, []byte("#!")) {
		return nil, errors.New("it is neither a program of this system nor a script")
	}
	return script, nil
}

// startedBy lists the programs a launcher script may start: absolute paths in it, names beside it ("$HERE/chrome"), and names under a
// directory it sets in a variable ("$LIBDIR/$APPNAME").
func startedBy(path string, script []byte) []string {
	absolute := regexp.MustCompile(`/[\w./+-]+`)
	assigned := regexp.MustCompile(`(?m)^\s*(?:export\s+)?(\w+)=["']?([^"'\s]*)["']?\s*$`)
	variables := map[string]string{}
	expand := func(text string) string { return os.Expand(text, func(name string) string { return variables[name] }) }
	for _, match := range assigned.FindAllStringSubmatch(string(script), -1) {
		if _, set := variables[match[1]]; !set {
			variables[match[1]] = expand(match[2])
		}
	}
	delete(variables, "HERE")
	var candidates []string
	for line := range strings.Lines(string(script)) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			word = strings.Trim(word, `"'`)
			if rest, beside := strings.CutPrefix(word, "$HERE/"); beside {
				candidates = append(candidates, filepath.Join(filepath.Dir(path), rest))
			}
			candidates = append(candidates, absolute.FindAllString(expand(word), -1)...)
		}
	}
	base := filepath.Base(path)
	return append(candidates, "/usr/lib/chromium/"+base, "/usr/lib/"+base+"/"+base)
}

func productOf(path string) Product {
	base := strings.ToLower(filepath.Base(path))
	switch {
	case strings.Contains(base, "headless"):
		return HeadlessShell
	case strings.Contains(base, "chrome"):
		return Chrome
	default:
		return Chromium
	}
}

func isBrowserName(path string) bool {
	base := filepath.Base(path)
	return slices.ContainsFunc(names, func(name struct {
		command string
		product Product
	}) bool {
		return name.command == base
	})
}

// isProgram says whether path is an executable of this system rather than a script.
func isProgram(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var magic [4]byte
	if _, err := io.ReadFull(file, magic[:]); err != nil {
		return false
	}
	if runtime.GOOS == "linux" {
		return string(magic[:]) == "\x7fELF"
	}
	return string(magic[:2]) != "#!"
}
