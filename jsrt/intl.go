package jsrt

import (
	"time"

	"github.com/dop251/goja"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// lendIntl gives intl.js what JavaScript cannot know: time zones and the order of letters.
func (rt *Runtime) lendIntl(vm *goja.Runtime, host *goja.Object) {
	zones := map[string]*time.Location{}
	load := func(name string) *time.Location {
		if l, ok := zones[name]; ok {
			return l
		}
		l, err := time.LoadLocation(name)
		if err != nil {
			panic(NewErrorValue(vm, "RangeError", "Invalid time zone specified: "+name+" (the time zones known here are UTC and the machine's own)", ""))
		}
		zones[name] = l
		return l
	}
	_ = host.Set("zoneName", func(call goja.FunctionCall) goja.Value {
		if goja.IsUndefined(call.Argument(0)) {
			name := time.Local.String()
			if name == "Local" {
				if short, _ := time.Unix(0, 0).Zone(); short == "UTC" {
					return vm.ToValue("UTC")
				}
				zones[name] = time.Local
			}
			return vm.ToValue(name)
		}
		name := call.Argument(0).String()
		switch name {
		case "utc", "UTC", "GMT", "Etc/UTC", "Etc/GMT":
			name = "UTC"
		}
		return vm.ToValue(load(name).String())
	})
	_ = host.Set("zone", func(call goja.FunctionCall) goja.Value {
		at := time.UnixMilli(call.Argument(0).ToInteger()).In(load(call.Argument(1).String()))
		name, offset := at.Zone()
		o := vm.NewObject()
		_ = o.Set("offset", offset)
		_ = o.Set("name", name)
		return o
	})
	_ = host.Set("collate", func(call goja.FunctionCall) goja.Value {
		var options []collate.Option
		switch call.Argument(2).String() {
		case "base":
			options = append(options, collate.IgnoreCase, collate.IgnoreDiacritics)
		case "accent":
			options = append(options, collate.IgnoreCase)
		}
		if call.Argument(3).ToBoolean() {
			options = append(options, collate.Numeric)
		}
		return vm.ToValue(collate.New(language.English, options...).CompareString(call.Argument(0).String(), call.Argument(1).String()))
	})
}
