//go:build !linux

package asker

import "os"

// forget does nothing here: what was typed before a question is read as its answer.
func forget(*os.File) {}
