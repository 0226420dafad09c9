package playwright

import (
	"context"

	"github.com/dop251/goja"

	"github.com/pomerado-go/pomerado/workers/browser"
)

// What a page reports: dialogs, console messages, errors, downloads, file choosers, workers, WebSockets.

func dialogClass() class {
	return class{name: "Dialog", members: func() []member {
		type self = *browser.Dialog
		return []member{
			direct("page", func(_ *mapping, d self, _ *args) any { return d.Page() }),
			direct("type", func(_ *mapping, d self, _ *args) any { return d.Type() }),
			direct("message", func(_ *mapping, d self, _ *args) any { return d.Message() }),
			direct("defaultValue", func(_ *mapping, d self, _ *args) any { return d.DefaultValue() }),
			promise("accept", func(_ *mapping, d self, a *args) op {
				var text *string
				if a.given(0) {
					s := a.str(0, "promptText")
					text = &s
				}
				return done(func(ctx context.Context) error { return d.Accept(ctx, text) })
			}),
			promise("dismiss", func(_ *mapping, d self, _ *args) op { return done(d.Dismiss) }),
		}
	}}
}

func locationObject(l browser.Location) object {
	return object{{"url", l.URL}, {"lineNumber", l.LineNumber}, {"columnNumber", l.ColumnNumber}, {"line", l.LineNumber}, {"column", l.ColumnNumber}}
}

func consoleMessageClass() class {
	return class{name: "ConsoleMessage", members: func() []member {
		type self = *browser.ConsoleMessage
		return []member{
			direct("page", func(_ *mapping, c self, _ *args) any { return c.Page() }),
			direct("worker", func(_ *mapping, c self, _ *args) any { return c.Worker() }),
			direct("type", func(_ *mapping, c self, _ *args) any { return c.Type() }),
			direct("text", func(_ *mapping, c self, _ *args) any { return c.Text() }),
			direct("args", func(_ *mapping, c self, _ *args) any {
				list := c.Args()
				if list == nil {
					list = []browser.Handle{}
				}
				return list
			}),
			direct("location", func(_ *mapping, c self, _ *args) any { return locationObject(c.Location()) }),
			direct("timestamp", func(_ *mapping, c self, _ *args) any { return c.Timestamp() }),
		}
	}}
}

func webErrorClass() class {
	return class{name: "WebError", members: func() []member {
		type self = *browser.WebError
		return []member{
			direct("page", func(_ *mapping, e self, _ *args) any { return e.Page() }),
			direct("error", func(m *mapping, e self, _ *args) any { return m.errorValue(e.Value()) }),
			direct("location", func(_ *mapping, e self, _ *args) any { return locationObject(e.Location()) }),
		}
	}}
}

func downloadClass() class {
	const files = "page code has no files; the script's files take it"
	return class{name: "Download", members: func() []member {
		type self = *browser.Download
		return []member{
			direct("page", func(_ *mapping, d self, _ *args) any { return d.Page() }),
			direct("url", func(_ *mapping, d self, _ *args) any { return d.URL() }),
			direct("suggestedFilename", func(_ *mapping, d self, _ *args) any { return d.SuggestedFilename() }),
			direct("guid", func(_ *mapping, d self, _ *args) any { return d.GUID() }),
			promise("failure", func(_ *mapping, d self, _ *args) op { return gives(d.Failure) }),
			promise("cancel", func(_ *mapping, d self, _ *args) op { return done(d.Cancel) }),
		}
	}, refused: func() map[string]string {
		return map[string]string{"path": files, "saveAs": files, "createReadStream": files, "delete": files}
	}}
}

func fileChooserClass() class {
	return class{name: "FileChooser", members: func() []member {
		type self = *browser.FileChooser
		return []member{
			direct("page", func(_ *mapping, c self, _ *args) any { return c.Page() }),
			direct("element", func(_ *mapping, c self, _ *args) any { return c.Element() }),
			direct("isMultiple", func(_ *mapping, c self, _ *args) any { return c.IsMultiple() }),
			promise("setFiles", func(_ *mapping, c self, a *args) op {
				files, o := a.files(a.value(0)), a.options(1).fill()
				return done(func(ctx context.Context) error { return c.SetFiles(ctx, files, o) })
			}),
		}
	}}
}

func workerClass() class {
	return class{name: "Worker", members: func() []member {
		type self = *browser.Worker
		return append(eventMembers(),
			direct("url", func(_ *mapping, w self, _ *args) any { return w.URL() }),
			promise("evaluate", func(_ *mapping, w self, a *args) op {
				return a.evaluateArgs(1, nil).value(w.Evaluate)
			}),
			promise("evaluateHandle", func(_ *mapping, w self, a *args) op {
				return a.evaluateArgs(1, nil).handle(w.EvaluateHandle)
			}),
			promise("waitForEvent", func(_ *mapping, w self, a *args) op {
				return await(w.ExpectEvent(browser.Event(a.str(0, "event")), a.expectOptions(1)))
			}),
		)
	}}
}

func webSocketClass() class {
	return class{name: "WebSocket", members: func() []member {
		type self = *browser.WebSocket
		return append(eventMembers(),
			direct("url", func(_ *mapping, w self, _ *args) any { return w.URL() }),
			direct("isClosed", func(_ *mapping, w self, _ *args) any { return w.IsClosed() }),
			promise("waitForEvent", func(_ *mapping, w self, a *args) op {
				return await(w.ExpectEvent(browser.Event(a.str(0, "event")), a.expectOptions(1)))
			}),
		)
	}}
}

// frameObject is a WebSocket's message as its events give it.
func (m *mapping) frameObject(f *browser.WebSocketFrame) goja.Value {
	if f.Binary {
		return m.object(object{{"payload", f.Payload}})
	}
	return m.object(object{{"payload", string(f.Payload)}})
}
