//go:build !unix

package host

import (
	"errors"
	"net"
	"os"
)

func spawn(string, []string, []string) (*process, net.Conn, net.Conn, error) {
	return nil, nil, nil, errors.New("workers need a Unix system")
}

func signalOf(*os.ProcessState) string { return "" }
