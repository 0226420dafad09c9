package inject_test

import (
	"fmt"
	"strings"
	"testing"
)

// clockPage is a document with the clock program, whose history is JavaScript.
func clockPage(t *testing.T, history string) func(expression string) string {
	t.Helper()
	p := newPage(t)
	scripts, err := programs()
	p.must(err)
	run := func(expression string) string {
		t.Helper()
		var result struct {
			Result           struct{ Value any }
			ExceptionDetails *struct {
				Exception struct{ Description string }
			}
		}
		p.cdp("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "replMode": true}, &result)
		if thrown := result.ExceptionDetails; thrown != nil {
			return "threw " + strings.SplitN(thrown.Exception.Description, "\n", 2)[0]
		}
		return fmt.Sprint(result.Result.Value)
	}
	run("globalThis.seen=[];globalThis.early=setTimeout(()=>seen.push('early'),1e6);globalThis.clock=" + scripts[2] + "(" + history + ");undefined")
	return run
}

func TestClockRunsTimersInOrder(t *testing.T) {
	run := clockPage(t, "[]")
	for _, step := range []struct{ do, want string }{
		{"await clock.change(1, 'install', 0); await clock.change(2, 'pauseAt', 1000); [Date.now(), +new Date(), performance.now(), performance.timeOrigin].join()", "1000,1000,1000,0"},
		{"setTimeout(() => seen.push('b'), 20); setTimeout(x => seen.push(x), 10, 'a'); setInterval(() => seen.push(Date.now()), 15); setTimeout('seen.push(\"text\")', 10); typeof setTimeout(() => {}, 5e9)", "number"},
		{"await clock.change(3, 'runFor', 30); seen.join()", "a,text,1015,b,1030"},
		{"seen.length = 0; await clock.change(4, 'fastForward', 100); seen.join()", "1130"},
		// What a callback asks for at once comes a millisecond later, also from a microtask.
		{"seen.length = 0; setTimeout(() => { seen.push('outer'); Promise.resolve().then(() => setTimeout(() => seen.push('inner'), 0)) }, 0); await clock.change(5, 'runFor', 0); seen.join()", "outer"},
		{"await clock.change(6, 'runFor', 1); seen.join()", "outer,inner"},
		{"const late = setTimeout(() => seen.push('never'), 1); clearTimeout(late); clearTimeout(early); clearTimeout(undefined); await clock.change(7, 'runFor', 2); seen.join()", "outer,inner"},
		{"requestAnimationFrame(at => seen.unshift(at % 16)); seen.length = 0; await clock.change(8, 'runFor', 16); seen[0]", "0"},
		{"setTimeout(() => { throw new RangeError('late') }, 1); setTimeout(() => seen.push('after'), 2); await clock.change(9, 'runFor', 2)", "threw RangeError: late"},
		{"seen.at(-1)", "after"},
		{"await clock.change(10, 'runFor', -1)", "threw TypeError: Negative ticks are not supported"},
		{"await clock.change(11, 'pauseAt', 5)", "threw Error: Cannot fast-forward to the past"},
		// A change that the document knows already is not made again.
		{"const was = Date.now(); await clock.change(11, 'fastForward', 1000); Date.now() - was", "0"},
	} {
		if got := run(step.do); got != step.want {
			t.Errorf("%s\n got %s\nwant %s", step.do, got, step.want)
		}
	}
}

func TestClockIsWhatTellsTheTime(t *testing.T) {
	run := clockPage(t, "[['install', 0, 0], ['setFixedTime', 0, Date.UTC(2020, 1, 3, 4, 5, 6)]]")
	for expression, want := range map[string]string{
		"new Date().toISOString()":                                      "2020-02-03T04:05:06.000Z",
		"new Date(5).getTime() + new Date(2000, 1).getMonth()":          "6",
		"Date().slice(0, 15)":                                           "Mon Feb 03 2020",
		"new Date() instanceof Date && new Date().constructor === Date": "true",
		"(class extends Date { n() { return this.getTime() } }, new (class extends Date { n() { return this.getUTCDate() } })().n())": "3",
		"new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' }).format()":                                                              "03/02/2020",
		"new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' }).formatToParts()[0].value":                                              "03",
		"new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' }).format(0)":                                                             "01/01/1970",
		"setTimeout(() => {}, 0) > 1e12":                                                               "true",
		"await new Promise(done => setTimeout(() => done('by itself'), 1))":                            "by itself",
		"const s = AbortSignal.timeout(1); await new Promise(f => s.onabort = () => f(s.reason.name))": "TimeoutError",
	} {
		if got := run(expression); got != want {
			t.Errorf("%s\n got %s\nwant %s", expression, got, want)
		}
	}
}

func TestClockTakesOverItsHistory(t *testing.T) {
	for history, want := range map[string]string{
		"[['install', 10, 5000], ['pauseAt', 20, 9000]]":                          "9000 4000 5000",
		"[['install', 10, 5000], ['pauseAt', 20, 9000], ['runFor', 99, 100]]":     "9100 4100 5000",
		"[['install', 10, 0], ['pauseAt', 10, 50], ['setSystemTime', 10, 7000]]":  "7000 50 0",
		"[['install', 10, 0], ['resume', 10, 0], ['pauseAt', 40, 100]]":           "100 100 0",
		"[['install', 10, 0], ['pauseAt', 10, 50], ['fastForward', 5000, 25]]":    "75 75 0",
		"[['install', 10, 0], ['pauseAt', 10, 50], ['setFixedTime', 10, 123456]]": "123456 50 0",
		"[['setFixedTime', 10, 1], ['pauseAt', 10, 5], ['install', 20, 33]]":      "33 4 1",
	} {
		run := clockPage(t, history)
		if got := run("[Date.now(), performance.now(), performance.timeOrigin].join(' ')"); got != want {
			t.Errorf("%s\n got %s\nwant %s", history, got, want)
		}
	}
}
