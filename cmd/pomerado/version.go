package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCommand struct{}

// Run prints one line: the module's version, and the revision it was built from where the build knows it.
func (versionCommand) Run(a *app) error {
	_, err := fmt.Fprintf(a.stdout, "pomerado %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	text := info.Main.Version
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 && text == "(devel)" {
			text += "+" + setting.Value[:12]
		}
	}
	return text
}
