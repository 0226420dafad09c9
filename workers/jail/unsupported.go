//go:build !linux || !(amd64 || arm64)

package jail

import "github.com/pomerado-go/pomerado/ipc"

func apply(Config, without) ([]ipc.JailLayer, error) { return nil, ErrUnsupported }
