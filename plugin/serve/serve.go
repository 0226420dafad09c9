// Package serve is a worker's side of its start and of its one session: it takes the two sockets the process inherited, has
// the process jailed, and speaks go-plugin and gRPC on the first.
//
// It knows how a worker is served and nothing of what one does; package host is its counterpart in the supervisor. The jail
// is handed to it, for it is no part of the border.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"

	goplugin "github.com/hashicorp/go-plugin"

	"github.com/pomerado-go/pomerado/plugin"
)

// Handler serves a worker's one session. When it returns, the session has ended and the process waits for its host to let
// go of it; an error is printed on stderr and becomes the process's exit code 1.
type Handler func(ctx context.Context, session Session) error

// Option changes how Main serves.
type Option func(*server)

// Jail says how the process is jailed: apply takes the ceiling of its memory in bytes and returns the layers that hold. It
// runs once both sockets stand and before the first byte from the host is read. An error ends the process, unless it is
// errors.ErrUnsupported: then this system has no jail, and the worker goes on without.
func Jail(apply func(memory int64) (layers []string, err error)) Option {
	return func(s *server) { s.apply = apply }
}

// Main is the life of a worker process; it never returns. It must be called first in main, before anything is printed: from
// then on what is printed on stdout goes to stderr. args are the arguments behind the worker's own command.
//
// The process ends when its host goes away, at whatever moment that is; when handler fails; and when it cannot be jailed,
// which a worker without the option Jail cannot be unless its host asks for none.
func Main(args []string, handler Handler, options ...Option) {
	s := &server{handler: handler, memory: plugin.DefaultMemory}
	for _, option := range options {
		option(s)
	}
	if err := s.run(args); err != nil {
		fmt.Fprintf(os.Stderr, "worker: %v\n", err)
		os.Exit(exitCode(err))
	}
	os.Exit(0)
}

// server is one process's service.
type server struct {
	handler Handler
	apply   func(memory int64) ([]string, error)
	noJail  bool
	memory  int64
	layers  []string
	cdp     net.Conn

	mu     sync.Mutex
	opened bool // a session was opened; there is no second
	failed bool // and its handler failed
}

// errJail marks an end for which the jail is the reason.
var errJail = errors.New("the jail cannot be applied")

func exitCode(err error) int {
	if errors.Is(err, errJail) {
		return plugin.ExitJailFailed
	}
	return 1
}

func (s *server) run(args []string) error {
	handshake, err := guardStdout()
	if err != nil {
		return fmt.Errorf("guarding stdout: %w", err)
	}
	if os.Getenv(plugin.Handshake.MagicCookieKey) != plugin.Handshake.MagicCookieValue {
		return errors.New("this command is started by pomerado itself, once for each run; start `pomerado run` instead")
	}
	os.Clearenv()
	if err := s.parse(args); err != nil {
		return err
	}
	control, err := inherited(plugin.ControlFD, "control")
	if err != nil {
		return err
	}
	if s.cdp, err = inherited(plugin.CDPFD, "cdp"); err != nil {
		return err
	}
	// The host sets up its side while this one goes on; its first bytes wait in the socket.
	line := fmt.Sprintf("%d|%d|unix|inherited|%s|\n", goplugin.CoreProtocolVersion, plugin.Handshake.ProtocolVersion, goplugin.ProtocolGRPC)
	if _, err := handshake.WriteString(line); err != nil {
		return fmt.Errorf("writing the handshake: %w", err)
	}
	if err := handshake.Close(); err != nil {
		return fmt.Errorf("writing the handshake: %w", err)
	}
	served := &goplugin.GRPCServer{
		Plugins: goplugin.PluginSet{plugin.Service: service{server: s}},
		Server:  s.grpcServer,
		DoneCh:  make(chan struct{}),
		// What go-plugin would copy to the host. Nothing is: stderr is the host's already.
		Stdout: nothing{}, Stderr: nothing{},
	}
	if err := served.Init(); err != nil {
		return fmt.Errorf("preparing gRPC: %w", err)
	}
	dropCode()
	if err := s.jail(); err != nil {
		return err
	}
	// Returns when the host ends the service in go-plugin's way; a host that goes away is seen by the connection itself.
	served.Serve(newListener(&connection{Conn: control, server: s}))
	return nil
}

func (s *server) parse(args []string) error {
	for _, arg := range args {
		memory, isMemory := strings.CutPrefix(arg, plugin.ArgMemory)
		switch {
		case arg == plugin.ArgJailOff:
			s.noJail = true
		case isMemory:
			bytes, err := strconv.ParseInt(memory, 10, 64)
			if err != nil || bytes <= 0 {
				return fmt.Errorf("argument %q names no number of bytes", arg)
			}
			s.memory = bytes
		default:
			return fmt.Errorf("unknown argument %q", arg)
		}
	}
	return nil
}

func (s *server) jail() (err error) {
	if s.noJail {
		return nil
	}
	if s.apply == nil {
		return fmt.Errorf("%w: this program was built without one", errJail)
	}
	s.layers, err = s.apply(s.memory)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		fmt.Fprintf(os.Stderr, "worker: %v; it goes on without a jail\n", err)
		s.layers = nil
	case err != nil:
		return fmt.Errorf("%w: %w", errJail, err)
	}
	return nil
}

// hostGone ends the process because the host closed its end of the control socket, on purpose or by dying. It does not wait
// for the handler, which may be inside a script that never comes back.
func (s *server) hostGone() {
	s.mu.Lock()
	failed := s.failed
	s.mu.Unlock()
	if failed {
		os.Exit(1)
	}
	os.Exit(0)
}
