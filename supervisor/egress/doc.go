// Package egress is a run's way out to the network: one SOCKS5 listener a run, which resolves names itself, decides on the resolved
// address, dials that very address, keeps a ledger and cuts everything at the run's end.
//
// It runs in the supervisor process. It moves bytes without looking into them and knows no browser, no page and no run.
//
// The listener is on 127.0.0.1 with a port of the system's choice, because Chromium speaks to a SOCKS proxy over TCP only and without
// credentials. Another process of this machine could connect to it; it would reach nothing that it cannot reach by itself.
package egress
