// Package cdp carries Chrome DevTools Protocol messages: transports that move whole frames, a scanner that cuts a frame into its
// parts without decoding it, and Conn, a client with flat sessions.
//
// It runs in both processes: the supervisor speaks to Chromium through it (a pipe or a websocket), a worker speaks to the gate
// through it (an inherited socket with length-prefixed frames). It must not know any CDP domain beyond the few Target and Inspector
// events that end a session, and nothing of runs, policies or pages.
package cdp
