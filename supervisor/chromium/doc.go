// Package chromium finds, starts, watches and ends the browser of a supervisor, and attaches to one that somebody else runs. It also
// owns the private folders of a supervisor (the browser's profile, a run's downloads) and removes those that dead ones left behind.
//
// It runs in the supervisor process. It moves CDP frames without reading them (apart from the one answer that proves the start) and
// knows no run, no policy and no page.
package chromium
