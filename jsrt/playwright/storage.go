package playwright

import (
	"context"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// webStorage is page.localStorage or page.sessionStorage: the main frame's, read and written by script.
type webStorage struct {
	page *browser.Page
	name string // of the global
}

func webStorageClass() class {
	return class{name: "WebStorage", members: func() []member {
		type self = *webStorage
		return []member{
			promise("items", func(_ *mapping, s self, _ *args) op {
				return s.op(`storage => Object.keys(storage).map(name => ({ name, value: storage.getItem(name) }))`)
			}),
			promise("getItem", func(_ *mapping, s self, a *args) op {
				return s.op(`(storage, name) => storage.getItem(name)`, a.str(0, "name"))
			}),
			promise("setItem", func(_ *mapping, s self, a *args) op {
				return s.op(`(storage, name, value) => storage.setItem(name, value)`, a.str(0, "name"), a.str(1, "value"))
			}),
			promise("removeItem", func(_ *mapping, s self, a *args) op {
				return s.op(`(storage, name) => storage.removeItem(name)`, a.str(0, "name"))
			}),
			promise("clear", func(_ *mapping, s self, _ *args) op { return s.op(`storage => storage.clear()`) }),
		}
	}}
}

// op runs a function of the storage and its arguments in the page.
func (s *webStorage) op(f string, arguments ...string) op {
	list := &browser.Array{}
	for _, a := range arguments {
		list.Items = append(list.Items, a)
	}
	script := browser.Function("list => (" + f + ")(" + s.name + ", ...list)")
	return givesValue(func(ctx context.Context) (browser.Value, error) { return s.page.Evaluate(ctx, script, list) })
}
