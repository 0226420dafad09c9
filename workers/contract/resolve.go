package contract

import (
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/pomerado-go/pomerado/ipc"
)

// Specifiers of the modules we provide.
const (
	runtimeModule = "pomerado/runtime"
	effectModule  = "effect"
	// entryModule is the bundle's entry, which imports the entrypoint and hands it to package jsrt/sdk; there it also names the entrypoint.
	entryModule = "pomerado:operation"
)

// setup is the plugin: every import is answered here, so esbuild itself never looks at a file system.
func (s *fileSet) setup(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		r := s.resolve(args)
		if r.fault.Text != "" {
			return api.OnResolveResult{Errors: []api.Message{r.fault}}, nil
		}
		out := api.OnResolveResult{Namespace: r.namespace, Path: r.path}
		if r.pure {
			out.SideEffects = api.SideEffectsFalse
		}
		return out, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: authored}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		return s.load(args.Path)
	})
	build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: provided}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := s.providedModule(args.Path)
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, err
	})
}

// resolved is where an import leads, or why it leads nowhere.
type resolved struct {
	namespace, path string
	// pure says that the module does nothing but declare, so it may be left out when nothing of it is used.
	pure  bool
	fault api.Message
}

func (s *fileSet) resolve(args api.OnResolveArgs) resolved {
	spec := args.Path
	importer := args.Importer
	if args.Namespace == provided || importer == entryModule {
		// Our modules import the entrypoint, and effect as the entrypoint sees it.
		if spec == entryModule {
			return resolved{namespace: authored, path: s.entrypoint}
		}
		importer = s.entrypoint
	}
	return s.resolveFrom(importer, spec, args.Kind == api.ResolveJSRequireCall || args.Kind == api.ResolveJSRequireResolve)
}

func (s *fileSet) resolveFrom(importer, spec string, required bool) resolved {
	no := func(code ipc.SourceCode, why string) resolved {
		return resolved{fault: fault(code, "%q imports %q, %s", importer, spec, why)}
	}
	switch {
	case spec == "":
		return no(ipc.SourceUnresolvedImport, "which names nothing")
	case strings.ContainsAny(spec, "?%\\\x00") || strings.Contains(spec, "#") && !strings.HasPrefix(spec, "#"):
		return no(ipc.SourceUnresolvedImport, "which is not a plain path; leave out ?, #, % and \\")
	case strings.HasPrefix(spec, "#"):
		return no(ipc.SourceUnresolvedImport, "a package's private name; import the file by its path")
	case strings.HasPrefix(spec, "/") || strings.Contains(spec, "://") || strings.HasPrefix(spec, "data:") || strings.HasPrefix(spec, "file:"):
		return no(ipc.SourceUnresolvedImport, "an absolute address; import files of the artifact by relative paths")
	case strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") || spec == "." || spec == "..":
		return s.relative(importer, spec, required, no)
	}
	name, _ := packageName(spec)
	switch {
	case spec == runtimeModule:
		return resolved{namespace: provided, path: runtimeModule}
	case name == "pomerado":
		return no(ipc.SourceUnresolvedImport, "which has no such part; import from \"pomerado/runtime\"")
	case isBuiltin(spec):
		return no(ipc.SourceUnresolvedImport, "a Node.js built-in; tools run without Node.js. URL, crypto.randomUUID, timers and console are globals, and the page is reached through execute")
	}
	if file, ok := s.packageFile(spec, path.Dir(importer)); ok {
		return resolved{namespace: authored, path: file, pure: s.declaresOnly(file)}
	}
	if name == effectModule {
		if s.hasPackage(effectModule, path.Dir(importer)) {
			return no(ipc.SourceUnlistedFile, "which the tool's own effect package does not hold among the artifact's files")
		}
		if exportsOf(spec) == nil {
			return no(ipc.SourceUnresolvedImport, "which this runtime's effect does not have; import {Schema, Effect, …} from \"effect\", or put the effect package into the tool's own node_modules")
		}
		return resolved{namespace: provided, path: spec, pure: true}
	}
	if s.hasPackage(name, path.Dir(importer)) {
		return no(ipc.SourceUnlistedFile, "which the package does not export or the artifact does not list")
	}
	return no(ipc.SourceUnresolvedImport, "a package the artifact does not hold; list its files under node_modules, or do without it")
}

// relative resolves a path from the importer's folder: to a listed file, or to the SDK where older tools expect it.
func (s *fileSet) relative(importer, spec string, required bool, no func(ipc.SourceCode, string) resolved) resolved {
	target := path.Join(path.Dir(importer), spec)
	if file, ok := s.file(target, required || inPackage(importer)); ok {
		return resolved{namespace: authored, path: file, pure: s.declaresOnly(file)}
	}
	if strings.HasSuffix(target, ".js") && path.Ext(importer) == ".ts" {
		if file, ok := s.file(strings.TrimSuffix(target, ".js")+".ts", false); ok {
			return resolved{namespace: authored, path: file}
		}
	}
	if isOldRuntimePath(target) {
		return resolved{namespace: provided, path: runtimeModule}
	}
	if strings.HasPrefix(target, "../") || target == ".." {
		return no(ipc.SourceUnresolvedImport, "which lies outside the artifact; keep every file the tool needs inside it")
	}
	return no(ipc.SourceUnlistedFile, "which is not among the artifact's files; imports name the file with its extension")
}

// isOldRuntimePath tells the paths at which tools once found the SDK: the folders runtime and browser stood beside the tool's own folder,
// and were linked into it. An artifact cannot have files of its own there.
func isOldRuntimePath(target string) bool {
	folder, rest, ok := strings.Cut(strings.TrimPrefix(target, "../"), "/")
	return ok && (folder == "runtime" || folder == "browser") && strings.HasSuffix(rest, ".js") && !strings.HasPrefix(rest, "../")
}

// file finds a listed file, for require and inside packages also without its extension or as a folder's index.
func (s *fileSet) file(target string, probe bool) (string, bool) {
	if _, ok := s.files[target]; ok {
		return target, true
	}
	if !probe {
		return "", false
	}
	for _, suffix := range []string{".js", ".mjs", ".cjs", ".json", "/index.js", "/index.mjs", "/index.cjs", "/index.json"} {
		if _, ok := s.files[target+suffix]; ok {
			return target + suffix, true
		}
	}
	return "", false
}

// isBuiltin tells Node's own modules, which are named with or without "node:".
func isBuiltin(spec string) bool {
	if strings.HasPrefix(spec, "node:") {
		return true
	}
	name, _, _ := strings.Cut(spec, "/")
	return strings.Contains(builtins, " "+name+" ")
}

const builtins = " assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http " +
	"http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls " +
	"trace_events tty url util v8 vm wasi worker_threads zlib "
