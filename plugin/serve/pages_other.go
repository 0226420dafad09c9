//go:build !linux

package serve

// dropCode is Linux's; elsewhere the pages stay until the system wants them.
func dropCode() {}
