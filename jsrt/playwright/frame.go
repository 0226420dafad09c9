package playwright

import (
	"context"

	"github.com/pomerado-go/pomerado/workers/browser"
)

func frameClass() class {
	return class{name: "Frame", members: frameMembers, refused: func() map[string]string {
		return map[string]string{"pierceFrames": "use frameLocator for each frame", "get": "use the getBy methods"}
	}}
}

func frameMembers() []member {
	type self = *browser.Frame
	return append(selectingMembers(),
		direct("page", func(_ *mapping, f self, _ *args) any { return f.Page() }),
		direct("name", func(_ *mapping, f self, _ *args) any { return f.Name() }),
		direct("parentFrame", func(_ *mapping, f self, _ *args) any { return f.ParentFrame() }),
		direct("childFrames", func(_ *mapping, f self, _ *args) any { return f.ChildFrames() }),
		direct("isDetached", func(_ *mapping, f self, _ *args) any { return f.IsDetached() }),
		direct("locator", func(_ *mapping, f self, a *args) any {
			l, err := f.Locator(a.str(0, "selector"), a.options(1).locator())
			return made(a, l, err)
		}),
		promise("frameElement", func(_ *mapping, f self, _ *args) op {
			return gives(func(ctx context.Context) (*browser.ElementHandle, error) { return f.FrameElement(ctx) })
		}),
	)
}
