package main

import (
	"log/slog"
	"os"

	"github.com/pomerado-go/pomerado/operations/cursor"
	"github.com/pomerado-go/pomerado/supervisor"
)

// browserFlags are the flags of every subcommand that starts a browser.
type browserFlags struct {
	Headed    bool     `help:"Show the browser's window."`
	CDP       string   `name:"cdp" placeholder:"URL" help:"Use the running browser at this DevTools websocket (ws://…) instead of starting one. The egress policy is not applied there."`
	Browser   string   `placeholder:"PATH" env:"POMERADO_BROWSER" help:"The browser to start."`
	Jail      string   `enum:"on,off" default:"on" placeholder:"on|off" help:"Whether workers jail themselves (on, off)."`
	AllowHost []string `name:"allow-host" placeholder:"HOST" sep:"none" help:"Narrow what a run may reach to these hosts (host, *.domain, each with an optional :port) and the site itself. Repeatable."`

	Endpoint string `hidden:""`
}

// check refuses what has another name here.
func (f *browserFlags) check() error {
	if f.Endpoint != "" {
		return usage("--endpoint is not known here: there is no Playwright server to connect to",
			"Give the browser's own DevTools address with --cdp ws://…")
	}
	return nil
}

// supervise makes a supervisor with these flags; spare is how many workers it keeps ready, keys sign list cursors.
func (f *browserFlags) supervise(a *app, spare int, files supervisor.FileOptions, keys ...cursor.Key) (*supervisor.Supervisor, error) {
	if f.Jail == "off" {
		a.note("the jail is off: authored code runs with your own access to files and network")
	}
	if f.CDP != "" {
		a.note("with --cdp the egress policy is not applied: pages reach whatever that browser reaches")
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return supervisor.New(supervisor.Options{
		Worker:     []string{program, workerCommand},
		Spare:      spare,
		Browser:    supervisor.BrowserOptions{Path: f.Browser, CDP: f.CDP, Headed: f.Headed},
		NoJail:     f.Jail == "off",
		AllowHosts: f.AllowHost,
		Files:      files,
		CursorKeys: keys,
		Log:        a.log(),
	})
}

// log is the supervisor's own log: silent unless POMERADO_LOG asks for it.
func (a *app) log() *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(os.Getenv("POMERADO_LOG"))); err != nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}
