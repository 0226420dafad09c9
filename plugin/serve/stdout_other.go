//go:build !unix

package serve

import (
	"errors"
	"os"
)

func guardStdout() (*os.File, error) {
	return nil, errors.New("workers need a Unix system")
}
