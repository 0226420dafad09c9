// Package plugin is what both ends of the worker's start agree on: the handshake and how a host hands settings to a worker.
// It is the root of the SDK for operations written in Go. It knows neither what a run is nor how a process is started or
// jailed, and is used in the supervisor and in the worker.
package plugin

import goplugin "github.com/hashicorp/go-plugin"

// Handshake tells a host that the process it started is a worker of its own kind, and a worker that it was started by a
// host. It keeps people from typing `pomerado worker`, and is no secret.
var Handshake = goplugin.HandshakeConfig{
	ProtocolVersion:  1,
	MagicCookieKey:   "POMERADO_WORKER",
	MagicCookieValue: "b7f1c6d2-one-run-and-no-more",
}

// Service is the name of the one service a worker offers.
const Service = "worker"

// Descriptors a worker inherits beyond stdin, stdout and stderr.
const (
	ControlFD = 3 // gRPC: the Session stream
	CDPFD     = 4 // length-prefixed CDP frames
)

// Arguments a host appends to a worker's command.
const (
	ArgJailOff = "--jail=off"
	ArgMemory  = "--memory=" // and the ceiling of its heap in bytes
)

// DefaultMemory is the ceiling of a worker's heap in bytes where its host names none.
const DefaultMemory = 512 << 20

// ExitJailFailed is the exit code of a worker that could not be jailed.
const ExitJailFailed = 77
