//go:build !race && linux && (amd64 || arm64)

package jail

const raceDetector = false
