//go:build !linux || !(amd64 || arm64)

package jail

func apply(Config, without) ([]string, error) { return nil, ErrUnsupported }
