//go:build race && linux && (amd64 || arm64)

package jail

// The race detector keeps memory of its own, many times the program's, and meets the limit with words of its own.
const raceDetector = true
