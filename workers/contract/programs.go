package contract

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/pomerado-go/pomerado/jsrt/sdk"
	"github.com/pomerado-go/pomerado/workers/browser/inject"
)

// OwnPrograms are the product's own programs, each one script.
type OwnPrograms struct {
	// SDK is the script that package jsrt/sdk loads.
	SDK []byte
	// Page runs in the isolated world of each frame, Evaluator in the page's own world, Clock where page code sets a clock.
	Page, Evaluator, Clock []byte
}

// Programs bundles the product's own programs, once a process.
func Programs() (OwnPrograms, error) { return programs() }

var programs = sync.OnceValues(func() (OwnPrograms, error) {
	whole, evaluator, clock := inject.Programs()
	page := func(p inject.Program) func() ([]byte, error) {
		return func() ([]byte, error) {
			return bundleSources(inject.Sources(), p.Entry, api.BuildOptions{
				Target: api.ES2022, Banner: map[string]string{"js": p.Banner}, Footer: map[string]string{"js": p.Footer}, Charset: api.CharsetASCII,
				MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
			})
		}
	}
	var out OwnPrograms
	jobs := []struct {
		into *[]byte
		make func() ([]byte, error)
	}{
		{&out.SDK, SDK},
		{&out.Page, page(whole)},
		{&out.Evaluator, page(evaluator)},
		{&out.Clock, page(clock)},
	}
	failures := make([]error, len(jobs))
	var all sync.WaitGroup
	for i, job := range jobs {
		all.Go(func() { *job.into, failures[i] = job.make() })
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return OwnPrograms{}, err
		}
	}
	return out, nil
})

// SDK bundles the script of package jsrt/sdk alone, once a process.
func SDK() ([]byte, error) { return sdkScript() }

var sdkScript = sync.OnceValues(bundleSDK)

func bundleSDK() ([]byte, error) {
	// Minified, since goja's time to compile goes by the length; the script names its exported classes itself.
	return bundleSources(sdk.Sources(), sdk.Entry, api.BuildOptions{
		Target: api.ES2022, Supported: notInGoja, Charset: api.CharsetUTF8, MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
	})
}

// bundleSources bundles TypeScript of ours into one IIFE.
func bundleSources(sources fs.FS, entry string, options api.BuildOptions) ([]byte, error) {
	const namespace = "own"
	options.Stdin = &api.StdinOptions{Contents: fmt.Sprintf("import %q;", "./"+entry), Loader: api.LoaderJS}
	options.Bundle, options.Write, options.Outfile = true, false, "/program.js"
	options.Format, options.Platform, options.TreeShaking = api.FormatIIFE, api.PlatformNeutral, api.TreeShakingTrue
	options.AbsWorkingDir, options.TsconfigRaw, options.LogLevel = "/", "{}", api.LogLevelSilent
	options.Plugins = []api.Plugin{{Name: namespace, Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			target := path.Join(path.Dir(args.Importer), args.Path)
			for _, suffix := range []string{"", ".ts", "/index.ts"} {
				if info, err := fs.Stat(sources, target+suffix); err == nil && !info.IsDir() {
					return api.OnResolveResult{Namespace: namespace, Path: target + suffix}, nil
				}
			}
			return api.OnResolveResult{}, fmt.Errorf("no source %q", target)
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			content, err := fs.ReadFile(sources, args.Path)
			text := string(content)
			if err == nil && path.Ext(args.Path) == ".js" {
				text, err = pageCode(args.Path, text)
				return api.OnLoadResult{Contents: &text, Loader: api.LoaderText}, err
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderTS}, err
		})
	}}}
	result := api.Build(options)
	if len(result.Errors) > 0 {
		texts := api.FormatMessages(result.Errors, api.FormatMessagesOptions{})
		return nil, fmt.Errorf("bundling %q: %s", entry, strings.Join(texts, ""))
	}
	return result.OutputFiles[0].Contents, nil
}

// pageCode takes the comments and the spacing out of page code of ours, which is text to the program that holds it: every call that uses
// it carries it whole. Nothing else of it changes.
func pageCode(name, text string) (string, error) {
	result := api.Transform(text, api.TransformOptions{Loader: api.LoaderJS, Target: api.ESNext, MinifyWhitespace: true, Charset: api.CharsetASCII, Sourcefile: name})
	if len(result.Errors) > 0 {
		return "", fmt.Errorf("reading page code: %s", strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	return string(result.Code), nil
}
