package egress

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
)

// SOCKS5 (RFC 1928), the server's half of what Chromium speaks: no authentication, CONNECT only.

// reply codes.
const (
	replyDone               = 0
	replyFailed             = 1
	replyNotAllowed         = 2
	replyNetworkUnreachable = 3
	replyHostUnreachable    = 4
	replyRefused            = 5
	replyCommandUnknown     = 7
	replyAddressUnknown     = 8
)

// request is where a client wants to be connected to.
type request struct {
	host string // canonical
	port string
}

// requestError is a request that gets an answer of its own before the connection ends.
type requestError struct {
	reply   byte
	problem string
}

func (e *requestError) Error() string { return e.problem }

var errNotSOCKS = errors.New("the client does not speak SOCKS5 without authentication")

// readGreeting reads the client's first message and says whether it offers to go without authentication.
func readGreeting(r io.Reader) error {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	if head[0] != 5 {
		return errNotSOCKS
	}
	methods := make([]byte, head[1])
	if _, err := io.ReadFull(r, methods); err != nil {
		return err
	}
	for _, method := range methods {
		if method == 0 {
			return nil
		}
	}
	return errNotSOCKS
}

// readRequest reads the client's second message.
func readRequest(r io.Reader) (request, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return request{}, err
	}
	if head[0] != 5 || head[2] != 0 {
		return request{}, errNotSOCKS
	}
	var host string
	switch head[3] {
	case 1, 4:
		raw := make([]byte, map[byte]int{1: 4, 4: 16}[head[3]])
		if _, err := io.ReadFull(r, raw); err != nil {
			return request{}, err
		}
		addr, _ := netip.AddrFromSlice(raw)
		host = addr.Unmap().String()
	case 3:
		var length [1]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return request{}, err
		}
		name := make([]byte, length[0])
		if _, err := io.ReadFull(r, name); err != nil {
			return request{}, err
		}
		host = string(name)
	default:
		return request{}, &requestError{replyAddressUnknown, fmt.Sprintf("the address type %d does not exist", head[3])}
	}
	var port [2]byte
	if _, err := io.ReadFull(r, port[:]); err != nil {
		return request{}, err
	}
	if head[1] != 1 {
		return request{}, &requestError{replyCommandUnknown, fmt.Sprintf("the command %d is not CONNECT", head[1])}
	}
	host, err := canonicalHost(host)
	if err != nil {
		return request{}, &requestError{replyNotAllowed, err.Error()}
	}
	number := binary.BigEndian.Uint16(port[:])
	if number == 0 {
		return request{}, &requestError{replyNotAllowed, "0 is no port"}
	}
	return request{host: host, port: strconv.Itoa(int(number))}, nil
}

// reply is an answer to a request. The bound address is not told: nobody needs it, and it is ours.
func reply(code byte) []byte {
	return []byte{5, code, 0, 1, 0, 0, 0, 0, 0, 0}
}
