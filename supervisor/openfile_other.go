//go:build !unix

package supervisor

const openNonblock = 0
