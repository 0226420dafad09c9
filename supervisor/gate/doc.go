// Package gate is the CDP policy between workers and Chromium. It owns the connection to Chromium, attaches to every page, frame and
// web worker of a run, and relays between the run's worker and exactly those sessions: frames from a worker are decoded strictly, held
// against a list of allowed methods (policy.go) and written anew; of what Chromium says only head and tail are read, plus the few events
// the gate acts on.
//
// It runs in the supervisor process. It must not decode what a page made: results of workers' commands and other events pass through
// unread. It knows no worker process, no operation and no outcome; what it sees it tells through Events.
//
// The worker sees plain CDP with flat sessions, without Target.* and Browser.* commands. New pages, frames and web workers wait until
// the worker sends Runtime.runIfWaitingForDebugger on their session; before a worker is bound the gate lets them go itself.
package gate
