package playwright

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

func clockClass() class {
	return class{name: "Clock", members: func() []member {
		type self = *browser.Clock
		at := func(name string, f func(self, context.Context, float64) error) member {
			return promise(name, func(_ *mapping, c self, a *args) op {
				ms := a.time(a.value(0))
				return done(func(ctx context.Context) error { return f(c, ctx, ms) })
			})
		}
		by := func(name string, f func(self, context.Context, float64) error) member {
			return promise(name, func(_ *mapping, c self, a *args) op {
				ms := a.ticks(0)
				return done(func(ctx context.Context) error { return f(c, ctx, ms) })
			})
		}
		return []member{
			promise("install", func(m *mapping, c self, a *args) op {
				v := a.options(0).get("time")
				if absent(v) {
					now, _ := goja.AssertFunction(m.builtins.date.ToObject(m.vm).Get("now"))
					var err error
					if v, err = now(m.builtins.date); err != nil {
						panic(err)
					}
				}
				ms := a.time(v)
				return done(func(ctx context.Context) error { return c.Install(ctx, ms) })
			}),
			by("fastForward", self.FastForward), by("runFor", self.RunFor), at("pauseAt", self.PauseAt),
			promise("resume", func(_ *mapping, c self, _ *args) op { return done(c.Resume) }),
			at("setFixedTime", self.SetFixedTime), at("setSystemTime", self.SetSystemTime),
		}
	}}
}

// latest is the last millisecond that a Date can be.
const latest = 8.64e15

// time reads a time: milliseconds, a text that Date takes, or a Date.
func (a *args) time(v goja.Value) float64 {
	ms := math.NaN()
	switch o, isObject := v.(*goja.Object); {
	case goja.IsNumber(v):
		ms = v.ToFloat()
	case goja.IsString(v) && v.String() == "":
		ms = 0
	case goja.IsString(v):
		date, err := a.m.vm.New(a.m.builtins.date, v)
		if err != nil {
			panic(err)
		}
		ms = date.ToFloat()
	case isObject && tag(o) == "Date":
		ms = o.ToFloat()
	default:
		a.fail("time: expected number, string or Date, got %s", typeName(v))
	}
	if !(math.Abs(ms) <= latest) {
		a.fail("Invalid date: %s", v.String())
	}
	return ms
}

// ticks reads a length of time: milliseconds, or a text as "08", "01:00" or "02:34:10".
func (a *args) ticks(i int) float64 {
	v := a.value(i)
	if goja.IsNumber(v) {
		if ms := v.ToFloat(); !math.IsNaN(ms) && !math.IsInf(ms, 0) {
			return ms
		}
		a.fail("ticks: expected float, got %s", v.String())
	}
	text := a.str(i, "ticks")
	if text == "" {
		return 0
	}
	parts := strings.Split(text, ":")
	seconds := 0
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || len(parts) > 3 || len(part) > 2 || i < len(parts)-1 && len(part) != 2 {
			a.fail("Clock only understands numbers, 'mm:ss' and 'hh:mm:ss'")
		}
		if n >= 60 {
			a.fail("Invalid time %s", text)
		}
		seconds = seconds*60 + int(n)
	}
	return float64(seconds) * 1000
}
