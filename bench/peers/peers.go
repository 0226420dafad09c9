// Package peers has the Node programs the benchmarks compare with, embedded, and puts them in place: a folder of their own in the
// user's cache, with playwright-core from npm. It belongs to the benchmarks and knows nothing of the product.
package peers

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed *.mjs package.json
var programs embed.FS

// Folder writes the programs into the user's cache and returns where. With packages it also installs what package.json names, once.
func Folder(ctx context.Context, packages bool) (string, error) {
	if _, err := exec.LookPath("node"); err != nil {
		return "", fmt.Errorf("the benchmarks compare with Node, which is not here (install nodejs and npm): %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding a folder for the peers: %w", err)
	}
	folder := filepath.Join(cache, "pomerado-bench")
	entries, err := programs.ReadDir(".")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	for _, entry := range entries {
		text, err := programs.ReadFile(entry.Name())
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(folder, entry.Name()), text, 0o644); err != nil {
			return "", err
		}
	}
	if !packages {
		return folder, nil
	}
	install := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--silent")
	install.Dir, install.Stdout, install.Stderr = folder, os.Stderr, os.Stderr
	if err := install.Run(); err != nil {
		return "", fmt.Errorf("npm install in %s: %w", folder, err)
	}
	return folder, nil
}
