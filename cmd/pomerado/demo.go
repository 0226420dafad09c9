package main

import (
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/supervisor"
	"github.com/pomerado-go/pomerado/supervisor/chromium"
	"github.com/pomerado-go/pomerado/testdata/artifacts"
	"github.com/pomerado-go/pomerado/testdata/site"
)

type demoCommand struct {
	JSON  bool `name:"json" help:"Print the whole outcome as one JSON object."`
	Quiet bool `short:"q" help:"Print no progress."`
	browserFlags
}

// Run serves the bundled site on loopback and runs a bundled artifact on it.
func (c *demoCommand) Run(a *app) error {
	if err := c.browserFlags.check(); err != nil {
		return err
	}
	if c.CDP == "" {
		if _, err := chromium.Find(chromium.FindOptions{Path: c.Browser, Headed: c.Headed}); err != nil {
			if c.Browser != "" {
				return refusedRun(fmt.Errorf("%w: %w", supervisor.ErrNoBrowser, err))
			}
			a.note("no browser is here; getting one")
			if err := installBrowser(a); err != nil {
				return err
			}
		}
	}
	folder, err := unpack(artifacts.Demo())
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	saved, err := artifact.Load(folder)
	if err != nil {
		return refusedArtifact(folder, err)
	}
	pages, err := site.Start()
	if err != nil {
		return err
	}
	defer pages.Close()
	if !c.Quiet {
		a.note("serving the bundled site at %s/ and running the bundled artifact %s on it", pages.URL, saved.Name)
	}
	request := supervisor.Request{Artifact: saved, Input: []byte("{}"), URL: pages.URL, Timeout: time.Minute}
	return runOnce(a, &c.browserFlags, nil, request, "", c.JSON, c.Quiet)
}

// unpack writes an embedded artifact into a folder of its own, because a run starts from a folder. The caller removes it.
func unpack(files fs.FS) (string, error) {
	folder, err := os.MkdirTemp("", "pomerado-demo-")
	if err != nil {
		return "", fmt.Errorf("making a folder for the bundled artifact: %w", err)
	}
	if err := os.CopyFS(folder, files); err != nil {
		os.RemoveAll(folder)
		return "", fmt.Errorf("unpacking the bundled artifact: %w", err)
	}
	return folder, nil
}
