package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pomerado-go/pomerado/ipc"
	"github.com/pomerado-go/pomerado/operations/artifact"
	"github.com/pomerado-go/pomerado/operations/question"
	"github.com/pomerado-go/pomerado/supervisor"
)

type packCommand struct {
	Source string `arg:"" placeholder:"FILE|DIR" help:"The authored file, or the folder with the tool's sources."`

	Out          string `required:"" placeholder:"DIR" help:"The artifact's folder; it must be new or empty."`
	URL          string `name:"url" placeholder:"URL" help:"An address of the site the tool is for."`
	Name         string `placeholder:"NAME" help:"The name the tool is served under. The contract's own when not given."`
	Description  string `placeholder:"TEXT" help:"What the tool does, for whoever chooses it."`
	NoDeployment bool   `help:"Write no deployment.json; --url is not needed then."`
	Jail         string `enum:"on,off" default:"on" placeholder:"on|off" help:"Whether the worker that reads the source jails itself (on, off)."`
}

// Help is printed below the flags by `pomerado pack --help`.
func (packCommand) Help() string {
	return `A file is saved as src/<its name>. Of a folder every .js, .mjs, .ts and .json file is saved, node_modules included; its entrypoint is the one an existing pomerado.json names, else operation, tool, index or main in src/ or at the top, else the only source file there.`
}

// Run bundles the source in a jailed worker, reads its contract and saves both.
func (c *packCommand) Run(a *app) error {
	if c.URL == "" && !c.NoDeployment {
		return usage("No site is given for the deployment", "Name one with --url URL, or write none with --no-deployment")
	}
	files, entrypoint, err := c.collect()
	if err != nil {
		return err
	}
	flags := browserFlags{Jail: c.Jail}
	s, err := flags.supervise(a, 0, supervisor.FileOptions{})
	if err != nil {
		return refusedRun(err)
	}
	contract, err := s.Inspect(a.ctx, files, entrypoint)
	if err := errors.Join(err, s.Close()); err != nil {
		return c.refusedSource(err)
	}
	questions, err := question.ParseDeclarations(contract.Questions)
	if err != nil {
		return usage(fmt.Sprintf("The questions %s declares cannot be asked: %v", entrypoint, err), "Correct the declaration and pack again")
	}
	saved := artifact.Artifact{
		Entrypoint:   entrypoint,
		Files:        files,
		InputSchema:  contract.InputSchema,
		OutputSchema: contract.OutputSchema,
		Questions:    questions,
	}
	if !c.NoDeployment {
		saved.Deployment = c.deployment(contract.Name, contract.Writes)
	}
	if err := artifact.Write(c.Out, saved); err != nil {
		return refusedArtifact(c.Out, err)
	}
	a.note("saved %s in %s", entrypoint, c.Out)
	return nil
}

// refusedSource says what a single packed file lacks when it imports others.
func (c *packCommand) refusedSource(err error) error {
	var source *supervisor.SourceError
	if !errors.As(err, &source) || source.Code != ipc.SourceUnlistedFile {
		return refusedRun(err)
	}
	return &failure{code: exitUsage, what: err.Error(), cause: err,
		advice: "Pack the folder with every file the tool imports: pomerado pack DIR --out " + c.Out}
}

// deployment fills what the flags leave open from the contract.
func (c *packCommand) deployment(contractName string, writes bool) *artifact.Deployment {
	d := &artifact.Deployment{Name: c.Name, Description: c.Description, URL: c.URL, Effect: "read"}
	if writes {
		d.Effect = "write"
	}
	if d.Name == "" {
		d.Name = toolName(contractName)
	}
	if d.Description == "" {
		d.Description = strings.ReplaceAll(d.Name, "_", " ")
	}
	d.Intent = d.Description
	return d
}

var unnamed = regexp.MustCompile(`[^a-z0-9_]+`)

// toolName makes a contract's free name one a tool may have.
func toolName(free string) string {
	name := strings.Trim(unnamed.ReplaceAllString(strings.ToLower(free), "_"), "_")
	name = strings.TrimLeft(name, "0123456789_")
	if name == "" {
		return "operation"
	}
	return name[:min(len(name), 64)]
}

// sourceKinds are the files an artifact may hold.
var sourceKinds = []string{".js", ".mjs", ".ts", ".json"}

// collect reads the tool's files and finds its entrypoint.
func (c *packCommand) collect() ([]artifact.File, string, error) {
	info, err := os.Stat(c.Source)
	if err != nil {
		return nil, "", &failure{code: exitUsage, cause: err, what: fmt.Sprintf("Reading %s failed: %v", c.Source, errors.Unwrap(err)),
			advice: "Name the authored file, or the folder with the tool's sources"}
	}
	if !info.IsDir() {
		text, err := os.ReadFile(c.Source)
		if err != nil {
			return nil, "", err
		}
		entrypoint := path.Join("src", filepath.Base(c.Source))
		return []artifact.File{{Path: entrypoint, Content: text}}, entrypoint, nil
	}
	files, err := readFolder(os.DirFS(c.Source), c.Source)
	if err != nil {
		return nil, "", err
	}
	entrypoint, err := c.entrypoint(files)
	return files, entrypoint, err
}

// ownFiles are what an artifact's folder has beside its sources.
var ownFiles = []string{artifact.ManifestName, artifact.DeploymentName, artifact.RecipeName, "mcp.json", "mcp.mjs"}

// readFolder takes every source file below a folder, hidden folders and the artifact's own files left out.
func readFolder(tree fs.FS, name string) ([]artifact.File, error) {
	var files []artifact.File
	total := 0
	err := fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if file != "." && strings.HasPrefix(path.Base(file), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.Contains(sourceKinds, path.Ext(file)) || slices.Contains(ownFiles, file) {
			return nil
		}
		text, err := fs.ReadFile(tree, file)
		if err != nil {
			return err
		}
		files = append(files, artifact.File{Path: file, Content: text})
		if total += len(text); total > artifact.MaxTotal || len(files) > artifact.MaxFiles {
			return fmt.Errorf("its sources are over %d MiB or %d files", artifact.MaxTotal>>20, artifact.MaxFiles)
		}
		return nil
	})
	if err != nil {
		return nil, &failure{code: exitUsage, cause: err, what: fmt.Sprintf("Reading the folder %s failed: %v", name, err),
			advice: "Pack the authored file alone, or a folder with the tool's sources only"}
	}
	return files, nil
}

// entrypoint finds the file the tool starts in.
func (c *packCommand) entrypoint(files []artifact.File) (string, error) {
	if saved, err := artifact.Load(c.Source); err == nil {
		return saved.Entrypoint, nil
	}
	var sources []string
	for _, folder := range []string{"src", "."} {
		var here []string
		for _, file := range files {
			if path.Dir(file.Path) == folder && path.Ext(file.Path) != ".json" {
				here = append(here, file.Path)
			}
		}
		for _, name := range []string{"operation", "tool", "index", "main"} {
			for _, file := range here {
				if strings.TrimSuffix(path.Base(file), path.Ext(file)) == name {
					return file, nil
				}
			}
		}
		sources = append(sources, here...)
	}
	switch len(sources) {
	case 1:
		return sources[0], nil
	case 0:
		return "", usage(fmt.Sprintf("%s has no source file in src/ or at its top", c.Source), "Put the tool's entry in src/tool.ts, or name the file itself")
	}
	return "", usage(fmt.Sprintf("%s has several files that may be the entry: %s", c.Source, strings.Join(sources, ", ")),
		"Name the entry operation, tool, index or main, with its extension")
}
