package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// packager is a system's package manager and how it gets a browser fit for runs.
type packager struct {
	tool string
	// refresh updates the list of packages first; nil when the tool does that itself.
	refresh []string
	install []string
	// packages are tried in order.
	packages []string
	// own says that the tool must not run as root.
	own bool
}

// packagers in the order they are looked for.
var packagers = []packager{
	{tool: "apt-get", refresh: []string{"update"}, install: []string{"install", "-y", "--no-install-recommends"},
		packages: []string{"chromium-headless-shell", "chromium"}},
	{tool: "dnf", install: []string{"install", "-y"}, packages: []string{"chromium-headless", "chromium"}},
	{tool: "apk", install: []string{"add"}, packages: []string{"chromium"}},
	{tool: "pacman", install: []string{"-Sy", "--noconfirm"}, packages: []string{"chromium"}},
	{tool: "brew", install: []string{"install", "--cask"}, packages: []string{"chromium"}, own: true},
}

// errNoPackager: none of the package managers we know is here.
var errNoPackager = errors.New("none of apt-get, dnf, apk, pacman and brew is here")

// installBrowser gets a browser through the system's package manager, saying on stderr each command it runs.
func installBrowser(a *app) error {
	for _, p := range packagers {
		if _, err := exec.LookPath(p.tool); err == nil {
			return p.get(a)
		}
	}
	return &failure{code: exitNoBrowser, cause: errNoPackager, what: "No browser was installed: " + errNoPackager.Error(),
		advice: "Install chromium-headless-shell, Chromium or Chrome by hand, or point --browser at one"}
}

func (p packager) get(a *app) error {
	if p.refresh != nil {
		if err := p.run(a, p.refresh); err != nil && a.ctx.Err() == nil {
			a.note("%s %s failed (%v); going on with the lists that are here", p.tool, strings.Join(p.refresh, " "), err)
		}
	}
	var err error
	for _, name := range p.packages {
		if err = p.run(a, append(p.install[:len(p.install):len(p.install)], name)); err == nil {
			return nil
		}
		if a.ctx.Err() != nil {
			break
		}
	}
	return &failure{code: exitNoBrowser, cause: err, what: fmt.Sprintf("No browser was installed: %s failed: %v", p.tool, err),
		advice: "Run this yourself, then try again: " + p.manual()}
}

// command is the whole command line for some arguments, with sudo where it takes root.
func (p packager) command(arguments []string) []string {
	line := append([]string{p.tool}, arguments...)
	if !p.own && os.Geteuid() != 0 {
		line = append([]string{"sudo"}, line...)
	}
	return line
}

// manual is what a person types to get the first package.
func (p packager) manual() string {
	line := strings.Join(p.command(append(p.install[:len(p.install):len(p.install)], p.packages[0])), " ")
	if p.refresh != nil {
		line = strings.Join(p.command(p.refresh), " ") + " && " + line
	}
	return line
}

func (p packager) run(a *app, arguments []string) error {
	line := p.command(arguments)
	a.note("running: %s", strings.Join(line, " "))
	command := exec.CommandContext(a.ctx, line[0], line[1:]...)
	command.Stdin = a.stdin // sudo may ask for a password
	command.Stdout, command.Stderr = a.stderr, a.stderr
	command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	return command.Run()
}
